"""Servers full of peers, built up by doubling, and what one message costs there: tests/fuzz/dear.py has the messages.

A scene says how many there are of each: types, seats, players, games, entries. Its stage is a broker in which they
are, with the default settings and each peer at an address of its own. What is said is counted turn by turn: between two
turns the loop serves others. Players do not read, so all that they are sent has to wait for them.
"""

import sys
from collections import defaultdict, deque
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, fields, replace
from functools import partial
from inspect import signature
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from xml.sax.saxutils import quoteattr

from tests.fuzz.crowds import NOON_US, Crowd
from tests.fuzz.work import TooMuch, bytecodes_of
from ugs.broker.effects import AskWhy, Effect, Send, StartTimer
from ugs.broker.events import Event, Timer, TimerFired, WhyAnswered
from ugs.daemon.connections.backlog import Unsent
from ugs.daemon.connections.outbox import Outbox, Patience
from ugs.daemon.connections.standings_writer import StandingsWriter
from ugs.daemon.journal.why import read_account
from ugs.journal.committed import Committed
from ugs.journal.compaction import Compactor
from ugs.journal.database import connect
from ugs.journal.journal import Journal
from ugs.wire.codec import encode
from ugs.wire.extensions import Advertised, Failed, Session
from ugs.wire.messages import BeginGame, ChampionsList, Error

FAMILIES: Final = "session state lobby chat clock watch reason rejoin sketch remark"
"""What players ask for."""
OF_MASTERS: Final = "views table movers restore rejoin reason sketch faults"
AT_ONE_TABLE: Final = 32
"""Seats of a table, at most."""
TURNS: Final = 5000
"""That may follow from one message."""
ACCOUNT: Final = ": its account"
"""Behind the name of what was asked, for what a thread reads then."""
TIMER: Final = "timer "
"""Before the kind of a timer."""
CALLS: Final[list[Any]] = [lambda *_: None] * (len(signature(Outbox).parameters) - 4)
"""Whom an outbox calls, however many they are."""


@dataclass(frozen=True, slots=True)
class Scene:
    """How many there are of each."""

    led: int = 1
    """Game types with a game master."""
    strange: int = 1
    """Game types that nobody leads."""
    letters: int = 4
    """Of the name of a game type."""
    games: int = 4
    """Of each type that is led."""
    seats: int = 3
    """Of each game."""
    waiting: int = 1
    """Players who wait for each of the strange types."""
    tables: int = 4
    """At which one seat is free."""
    absent: int = 1
    """Players whose line is cut, and whose session lasts."""
    watching: int = 1
    """Spectators of the first game."""
    entries: int = 1
    """States and moves of the first game."""
    size: int = 16
    """Bytes of each state of it."""

    @property
    def documents(self) -> int:
        """How many documents it takes to set it up."""
        at_tables = self.tables * min(self.seats, AT_ONE_TABLE)
        players = self.led * self.games * self.seats + at_tables + self.absent
        return 3 * (players + self.watching + self.led) + self.strange * self.waiting + self.seats + 2 * self.entries

    @property
    def bytes(self) -> int:
        """About how many bytes these have."""
        return 100 * self.documents + self.entries * self.size

    def __str__(self) -> str:
        least = Scene()
        more = [f"{name}={getattr(self, name)}" for name in SIZES if getattr(self, name) != getattr(least, name)]
        return ", ".join(more) or "the least scene"

    def times(self, name: str, factor: float) -> "Scene":
        """The same with more or fewer of these, within what there may be."""
        least = getattr(Scene(), name)
        return replace(self, **{name: max(least, min(MOST.get(name, sys.maxsize), int(getattr(self, name) * factor)))})


SIZES: Final = tuple(one.name for one in fields(Scene))
MOST: Final = {"letters": 64, "size": 262_144}


class NotLetIn(Exception):
    """The server refuses some of those whom a scene names: there is such a scene on no server."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What one turn costs."""

    work: int = 0
    """Bytecodes, and bytes unpacked."""
    sent: int = 0
    """Bytes written for all whom they go to."""
    held: int = 0
    """Bytes of memory that wait for players who do not read."""


class Deaf:
    """A network that takes one byte of everything; no task runs that would send the rest."""

    def send_now(self, data: Any) -> int:
        return min(1, len(data))

    def unacknowledged(self) -> int:
        return 0

    def start_soon(self, *_what: object) -> None:
        pass


class Stage(Crowd):
    """The broker of a scene. :attr:`costs` has the dearest turn of each name under which something was counted."""

    def __init__(self, scene: Scene, most: int = sys.maxsize) -> None:
        super().__init__()
        self.scene = scene
        self.costs: dict[str, Cost] = {}
        self.games: defaultdict[bytes, list[BeginGame]] = defaultdict(list)
        """Games that have begun, by the id of the master."""
        self.tables: list[str] = []
        self.tokens: list[str] = []
        """Of sessions."""
        self.refused: list[str] = []
        """What was wrong with messages that were counted."""
        self._most = most
        self._counted = ""
        """The name under which turns are counted now; empty while nothing is counted."""
        self._due: deque[Timer] = deque()
        self._sent = 0
        self._standings = StandingsWriter()
        set_up(self)
        self._outboxes = {conn: outbox(self.broker.server.config.max_outbox_bytes) for conn in self.names}

    def address(self, conn: int) -> str:
        return f"10.{conn >> 16}.{(conn >> 8) & 255}.{conn & 255}:1"

    def counts(self, name: str, line: str) -> None:
        """Let this line of a conversation happen, and count: its dearest turn under this name, timers under theirs.
        Raises TooMuch, after which nothing else may be asked."""
        self._counted = name
        self.costs.setdefault(name, Cost())
        try:
            self.hears(line.encode())
        finally:
            self._counted = ""

    def happens(self, event: Event) -> None:
        """One event, and the turns that follow from it."""
        events = deque([event])
        for _ in range(TURNS):
            events += [TimerFired(self._due.popleft())] if not events and self._due else []
            if not events:
                return
            events += self._turn(events.popleft())

    def _turn(self, event: Event) -> list[Event]:
        if not self._counted:
            return self._decided(event)
        name = f"{TIMER}{event.timer.kind}" if isinstance(event, TimerFired) else self._counted
        found: list[Event] = []
        self._sent = 0
        work = bytecodes_of(lambda: found.extend(self._decided(event)), self._most)
        self._note(name, Cost(work, self._sent, self._held()))
        return found

    def _decided(self, event: Event) -> list[Event]:
        return [later for effect in self.broker.handle(event, self.now) for later in self._carried_out(effect)]

    def _note(self, name: str, cost: Cost) -> None:
        old = self.costs.get(name, Cost())
        self.costs[name] = Cost(max(old.work, cost.work), max(old.sent, cost.sent), max(old.held, cost.held))
        if cost.work > self._most:
            raise TooMuch

    def _held(self) -> int:
        """All outboxes send what they have, of which the network takes next to nothing."""
        held: dict[int, int] = {}
        full = [one for one in self._outboxes.values() if one.batch]
        for one in full:
            one.flush(self.now)
            if one._backlog is not None:
                held.update((id(part), len(part)) for part in one._backlog._parts)
        for one in full:
            one.clear()
        return sum(held.values())

    def _carried_out(self, effect: Effect) -> Iterator[Event]:
        match effect:
            case Send():
                self._send(effect)
            case StartTimer(timer=timer, seconds=seconds) if seconds <= 0:
                self._due.append(timer)
            case AskWhy():
                self.explains += [effect] * bool(self._counted)
                yield WhyAnswered(effect.conn, effect.ref, effect.game_id, "")
            case _:
                yield from super()._carried_out(effect)

    def _send(self, effect: Send) -> None:
        message = effect.message
        match message:
            case BeginGame():
                self.games[self.names[effect.to[0]]].append(message)
            case Advertised(table=table):
                self.tables.append(table.id)
            case Session(token=token):
                self.tokens.append(token)
        if not self._counted:
            return
        if isinstance(message, Error | Failed):
            self.refused.append(f"{self._counted}: {message}")
        raw = self._standings.write(message) if isinstance(message, ChampionsList) else encode(message)
        self._sent += len(raw) * len(effect.to)
        for conn in effect.to:
            if conn not in self._outboxes:
                self._outboxes[conn] = outbox(self.broker.server.config.max_outbox_bytes)
            self._outboxes[conn].put(raw)

    def explain(self) -> None:
        """What was recorded is written, and the accounts that were asked for are read, as a thread of a server does."""
        asked, self.explains = self.explains, []
        now_us = NOON_US + int(self.now * 1e6)
        with TemporaryDirectory() as name:
            place = Path(name)
            journal = Journal(place, version="1", kept=lambda _: None, lost=lambda _: None, back=lambda: None)
            for effect, mono_us in self.records:
                journal.record(effect, NOON_US + mono_us, mono_us)
            journal.close()
            pack(place)
            for one in asked:
                work = bytecodes_of(partial(read_account, place, one, now_us), self._most)
                self._note(self._counted + ACCOUNT, Cost(work))


def outbox(most: int) -> Outbox:
    """One of a player who does not read."""
    deaf: Any = Deaf()
    return Outbox(deaf, deaf, Patience(most, 30), Unsent(), *CALLS)


def pack(place: Path) -> None:
    """Pack all finished games of a journal that no server writes."""
    committed = Committed(place)
    with closing(connect(place)) as db:
        compactor = Compactor(db, committed)
        while compactor.busy:
            compactor.step()
    committed.close()


def hello(families: str) -> str:
    """The wish for these families."""
    return f'<message type="x-hello">{"".join(f"<ext name={quoteattr(one)}/>" for one in families.split())}</message>'


def login(nick: str, game_type: str) -> str:
    """That of a player."""
    return f'<message type="playerLogin"><playerLogin nick="{nick}" gameType="{game_type}"/></message>'


def leads(name: str, game_type: str, least: int, most: int) -> str:
    """The login of a game master."""
    about = f'id="{name}" gameType="{game_type}" playersMin="{least}" playersMax="{most}"'
    return f'<message type="gameMasterLogin"><gameMasterLogin {about}/></message>'


def state(game: BeginGame, mover: str, size: int) -> str:
    """A state that asks this player."""
    payload = f"<gameState>{'s' * size}</gameState>"
    return f'<message type="gameState"><gameId id="{game.game_id}"/><nextPlayer nick="{mover}"/>{payload}</message>'


def move(game: BeginGame) -> str:
    """A move without a word."""
    return f'<message type="move"><gameId id="{game.game_id}"/><move/></message>'


def type_name(scene: Scene, name: str) -> str:
    """The name of a game type, with as many letters as the scene asks for."""
    return name.rjust(scene.letters, "t")


def set_up(stage: Stage) -> None:
    """Let all come that the scene names. Raises NotLetIn."""
    scene = stage.scene
    for number in range(scene.led):
        _led(stage, f"m{number}", type_name(scene, f"l{number}"), scene.seats)
        for player in range(scene.games * scene.seats):
            _greeted(stage, f"m{number}p{player}", type_name(scene, f"l{number}"), '<message type="x-wait"/>')
        if len(stage.games[b"m%d" % number]) < scene.games:
            raise NotLetIn
        for game in stage.games[b"m%d" % number]:
            stage.says(b"m%d" % number, state(game, game.players[0], scene.size).encode())
    _long_game(stage)
    _lobby(stage)
    for number in range(scene.strange * scene.waiting):
        game_type = type_name(scene, f"s{number % scene.strange}")
        stage.says(b"s%d" % number, login(f"s{number}", game_type).encode())
    for number in range(scene.seats - 1):
        stage.says(b"g%d" % number, login(f"g{number}", type_name(scene, "l0")).encode())


def _long_game(stage: Stage) -> None:
    """Of the first game, the states and moves; and who watches."""
    game = stage.games[b"m0"][0]
    players = game.players
    for number in range(stage.scene.entries):
        stage.says(players[number % len(players)].encode(), move(game).encode())
        stage.says(b"m0", state(game, players[(number + 1) % len(players)], stage.scene.size).encode())
    for number in range(stage.scene.watching):
        stage.says(b"w%d" % number, hello("watch chat reason").encode())
        stage.says(b"w%d" % number, f'<message type="x-watch"><watch gameId="{game.game_id}"/></message>'.encode())


def _lobby(stage: Stage) -> None:
    """Tables, those who idle, and those who are absent."""
    game_type, seats = type_name(stage.scene, "lobby"), min(stage.scene.seats, AT_ONE_TABLE)
    _led(stage, "host", game_type, 2, seats)
    for number in range(stage.scene.tables):
        wanted = f'<message type="x-advertise"><table name="t{number}" seats="{seats}"/></message>'
        _greeted(stage, f"o{number}", game_type, wanted)
        if len(stage.tables) <= number:
            raise NotLetIn
        joins = f'<message type="x-join"><table id="{stage.tables[-1]}"/></message>'
        for member in range(seats - 2):
            _greeted(stage, f"o{number}m{member}", game_type, joins)
    for number in range(4):
        _greeted(stage, f"idle{number}", game_type)
    for number in range(stage.scene.absent):
        _greeted(stage, f"a{number}", game_type)
        stage.hears(b"- a%d" % number)


def _led(stage: Stage, name: str, game_type: str, least: int, most: int = 0) -> None:
    for said in (hello(OF_MASTERS), leads(name, game_type, least, most or least), '<message type="x-offers"/>'):
        stage.says(name.encode(), said.encode())


def _greeted(stage: Stage, nick: str, game_type: str, *more: str) -> None:
    for said in (hello(FAMILIES), login(nick, game_type), *more):
        stage.says(nick.encode(), said.encode())
