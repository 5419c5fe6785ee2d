"""A house around a broker, in which tests read like dialogues.

The house gives every event to the broker, carries out what it asks for (mail goes into boxes, timers onto a list with
a clock of their own) and lets the witnesses of ``invariants.py`` look on. A peer says something and hears what comes:

    ann, ben = house.player("ann"), house.player("ben")
    master = house.master("m")
    assert master.hears() == [BeginGame("g1", ("ann", "ben"))]
    master.says(turn("g1", "ann"))
    assert ann.hears() == [turn("g1", "ann")]

Games are called g1, g2, … and time stands still until ``house.passes(seconds)``. ``championsList`` messages lie in a
box of their own (``peer.standings()``), since they come at every turn of events.

What is to be written down is on file at once, unless ``house.disk_is_slow``; then results are kept when the disk
catches up. A house can be killed: ``house.again()`` is the next life of the server, which knows what was on file.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any, Self

from tests.broker.diary import past_of
from tests.broker.invariants import Counted, Witness, check_desk, follows
from ugs.broker.broker import Broker
from ugs.broker.effects import (
    Admit,
    Answer,
    AskWhy,
    ClaimNick,
    Close,
    Draw,
    Effect,
    KeepPast,
    Note,
    Prove,
    Publish,
    Recall,
    RecordAct,
    RecordChampionship,
    RecordEntry,
    Recording,
    RecordResult,
    RecordSession,
    RecordSessionOver,
    ReleaseNick,
    Send,
    StartTimer,
    Stopped,
    StopTimer,
    Subscribe,
    Unsubscribe,
)
from ugs.broker.events import (
    Asked,
    Connected,
    Disconnected,
    Drawn,
    Event,
    JournalLost,
    Recalled,
    Received,
    ResultKept,
    ShutdownAsked,
    Started,
    Timer,
    TimerFired,
    TimerKind,
)
from ugs.broker.past import Past
from ugs.broker.state.connection import Connection, PeerState
from ugs.broker.state.model import Game, Master, Player
from ugs.broker.values.questions import Order, OrderKind, PlanAsked, Question
from ugs.broker.values.recollection import PUBLIC, PastEvent, Recollected, select
from ugs.broker.values.replies import as_json
from ugs.broker.values.standings import Row
from ugs.broker.verdict import GameResult, Outcome
from ugs.championship.ledger import LedgerEntry
from ugs.championship.plan import Plan
from ugs.config import parse
from ugs.wire.extensions import Family, Hello, OfferedOption, Offers, Resume, Session
from ugs.wire.messages import (
    ChampionsList,
    Error,
    GameMasterLogin,
    GameState,
    LoginResponse,
    Message,
    Move,
    PlayerLogin,
    PlayerResult,
    Result,
    ThankYou,
)

MANY = 20_000
"""All peers come from one address here, unless a test says otherwise."""
KEPT_IN_ANY_CASE = (RecordAct, RecordChampionship, RecordSession, RecordSessionOver)
"""What is written when the journal is back, even if it was lost before."""
CHESS = "chess"
"""The game type of all peers that name none."""


def turn(game_id: str, nick: str, payload: bytes = b"<gameState/>") -> GameState:
    """A master says whose turn it is."""
    return GameState(game_id, nick, None, payload)


def over(game_id: str, *winners: str, losers: tuple[str, ...] = ()) -> GameState:
    """A master says who won and who lost."""
    results = [PlayerResult(nick, Result.WINNER) for nick in winners]
    results += [PlayerResult(nick, Result.LOSER) for nick in losers]
    return GameState(game_id, None, tuple(results))


def move(game_id: str, payload: bytes = b"<move/>") -> Move:
    """A player moves."""
    return Move(game_id, payload)


def one_at_a_time(drawing: Sequence[Draw], one_more: Draw) -> bool:
    """Whether a championship has no two draws under way."""
    return one_more.championship not in [one.championship for one in drawing]


class Peer:
    """One connection as its far end sees it."""

    def __init__(self, house: "House", conn: int) -> None:
        self._house = house
        self.conn = conn
        self.mail: list[Message] = []
        self.lists: list[ChampionsList] = []
        self._closed = False
        self.admitted = False
        self.token = ""
        self.turn: bool | None = None
        """What its last ``x-session`` said."""

    def says(self, message: Message) -> list[Effect]:
        """Send a message; the effects are returned for tests about their order."""
        return self._house.happens(Received(self.conn, message))

    def hears(self) -> list[Message]:
        """The messages since the last time, without ``championsList``."""
        heard, self.mail = self.mail, []
        return heard

    def hears_error(self) -> str:
        """The text of the one ``error`` that has come, and nothing else has."""
        (heard,) = self.hears()
        assert isinstance(heard, Error)
        return heard.text

    def reads_token(self) -> None:
        """The next letter is an ``x-session``."""
        letter = self.mail.pop(0)
        assert isinstance(letter, Session)
        self.token, self.turn = letter.token, letter.turn

    def standings(self) -> list[dict[str, tuple[int, int]]]:
        """The ``championsList`` messages since the last time, each as nick -> (won, lost), best first."""
        lists, self.lists = self.lists, []
        return [{row.nick: (row.won, row.lost) for row in one.rows} for one in lists]

    def closes(self) -> None:
        """The server closes the connection."""
        assert not self._closed, f"connection {self.conn} is closed twice"
        self._closed = True

    def is_closed(self) -> bool:
        """Whether the server has closed the connection."""
        return self._closed

    def is_lost(self) -> None:
        """The connection breaks."""
        self._house.happens(Disconnected(self.conn))

    @property
    def connection(self) -> Connection:
        """What the broker keeps of this connection; KeyError when it has forgotten it."""
        return self._house.broker.server.connections[self.conn]

    @property
    def player(self) -> Player:
        """What the broker keeps of this player."""
        assert isinstance(self.connection.peer, Player)
        return self.connection.peer

    @property
    def master(self) -> Master:
        """What the broker keeps of this master."""
        assert isinstance(self.connection.peer, Master)
        return self.connection.peer

    @property
    def name(self) -> str:
        """The nick or the master's id under which it is logged in."""
        return self.connection.peer.name

    @property
    def state(self) -> PeerState:
        """Where this connection stands."""
        return self.connection.peer.state


class House:
    """A broker, its peers, its timers and its clock."""

    def __init__(self, *, past: Past | None = None, first_game: int = 1, **settings: Any) -> None:
        self.settings = settings
        self.first_game = first_game
        self.config = parse({"entrants_per_ip": MANY} | settings, "test")
        self._numbers = count(first_game)
        self._secrets = count(1)
        self._life = 1
        """How many servers there have been with this one."""
        self.broker = Broker(self.config, lambda: f"g{next(self._numbers)}", self._new_secret, past)
        self.now = 1000.0
        self.timers: dict[Timer, float] = {}
        """Running timers and when they are due."""
        self.waits_for_writer: dict[Timer, int | None] = {}
        """For each running timer the connection whose mail must have gone out before it starts."""
        self.peers: dict[int, Peer] = {}
        self.results: list[GameResult] = []
        self.records: list[Recording] = []
        """All else that was to be written down."""
        self.past = past or Past()
        self.diary: list[list[Recording]] = []
        """All of it, step by step."""
        self.disk_is_slow = False
        """Whether results are kept only when a test says so; else each is on file as soon as it is recorded."""
        self.unkept: list[GameResult] = []
        """Results that count and are not on file yet, as far as the broker was told."""
        self.explaining: list[AskWhy] = []
        """Accounts that the shell was asked to read."""
        self.proving: list[Prove] = []
        """Secrets that the shell was asked to check."""
        self.claiming: list[ClaimNick | ReleaseNick] = []
        """Nicks that other servers were to be asked for, or are to have."""
        self.drawing: list[Draw] = []
        """What is to be drawn."""
        self.recalling: list[Recall] = []
        """What is to be read again of the past of games."""
        self.reads_slowly = False
        """Whether it is read only when a test says so; else at once."""
        self.written: dict[str, list[PastEvent]] = {
            one.begin.game_id: [
                self._event(number, after_s, entry) for number, (after_s, entry) in enumerate(entries, 1)
            ]
            for one in (past or Past()).games
            for entries in [[(after_s, entry) for after_s, entry in one.entries if entry.kind in PUBLIC]]
        }
        """The public events of each game, as they were written down."""
        self.draws_slowly = False
        """Whether it is drawn only when a test says so; else at once."""
        self._recorded_in: dict[str, int] = {}
        """By game id: the number of steps after which its result is on file."""
        self.steps_kept = 0
        """How many steps are on file for sure."""
        self._counted: Counted = defaultdict(Counter)
        for name, rows in (past or Past()).standings.items():
            self._counted[name] = Counter(
                {(row.nick, word): times for row in rows for word, times in counts_of(row).items() if times}
            )
        self.answers: dict[int, Mapping[str, object]] = {}
        self.notes: list[Note] = []
        self.stopped = False
        self.channels: dict[str, list[int]] = defaultdict(list)
        """Who gets what is published, by channel."""
        self._witness = Witness(self.config, [one.begin.game_id for one in self.past.games])

    # What happens.

    def happens(self, event: Event) -> list[Effect]:
        """Give one event to the broker and carry out what it asks for."""
        self._witness.before(event)
        if isinstance(event, ResultKept):
            self._keep(event.game_id)
        elif isinstance(event, JournalLost):
            self._lose()
        self.diary.append([])
        follow = follows(self.broker, event)
        effects = self.broker.handle(event, self.now)
        follow(effects)
        for effect in effects:
            self._carry_out(effect)
        self._witness.after(effects, self.broker.server.connections)
        if not self.stopped:
            check_desk(self.broker, self.timers, self._counted)
        if not self.disk_is_slow:
            effects = effects + self.disk_catches_up()
        if not self.draws_slowly:
            effects = effects + self.draws()
        if not self.reads_slowly:
            effects = effects + self.reads()
        return effects

    def reads(self, *, forgotten: bool = False) -> list[Effect]:
        """Read what is to be read again of the past of games, unless it is ``forgotten``."""
        effects: list[Effect] = []
        while self.recalling:
            wish = self.recalling.pop(0).wish
            found = Recollected(forgotten=True) if forgotten else select(wish, self.written[wish.game_id])
            if not self.stopped:
                effects += self.happens(Recalled(wish, found))
        return effects

    @staticmethod
    def _event(number: int, after_s: float, entry: RecordEntry) -> PastEvent:
        return PastEvent(number, after_s, entry.kind, entry.seat, entry.text, entry.body)

    def _write(self, entry: RecordEntry) -> None:
        events = self.written.setdefault(entry.game_id, [])
        game = self.broker.server.games.get(entry.game_id)
        after_s = self.now - game.history.began_at if game is not None else 0.0
        events.append(self._event(len(events) + 1, after_s, entry))

    def draws(self) -> list[Effect]:
        """Draw what is to be drawn; a server that has stopped is not told."""
        effects: list[Effect] = []
        while self.drawing:
            one = self.drawing.pop(0)
            if not self.stopped:
                effects += self.happens(Drawn(one.championship, one.request.draw()))
        return effects

    def disk_catches_up(self, results: int = 1_000_000) -> list[Effect]:
        """At most ``results`` more results are on file now, in the order in which they were recorded; a server that has
        stopped is not told."""
        effects: list[Effect] = []
        while self.unkept and results and not self.stopped:
            effects += self.happens(ResultKept(self.unkept[0].game_id))
            results -= 1
        return effects

    def _keep(self, game_id: str) -> None:
        result = next((one for one in self.unkept if one.game_id == game_id), None)
        if result is not None:
            self.unkept.remove(result)
            if not result.championship and len(result.seats) > 1:
                self._counted[result.game_type].update((seat.nick, seat.outcome) for seat in result.seats)
            self.steps_kept = self._recorded_in[game_id]

    def _lose(self) -> None:
        """Nothing that is not known to be on file ever will be, ledgers and sessions aside."""
        self.unkept.clear()
        for step in self.diary[self.steps_kept :]:
            step[:] = [effect for effect in step if isinstance(effect, KEPT_IN_ANY_CASE)]

    def _carry_out(self, effect: Effect) -> None:
        if isinstance(effect, Recording):
            self.diary[-1].append(effect)
        match effect:
            case Send(to=to, message=message):
                for conn in to:
                    peer = self.peers[conn]
                    assert not peer.is_closed(), f"{message} for {conn}, which is closed"
                    if isinstance(message, ChampionsList):
                        peer.lists.append(message)
                    else:
                        peer.mail.append(message)
            case Admit(conn=conn):
                self.peers[conn].admitted = True
            case Close(conn=conn):
                self.peers[conn].closes()
            case StartTimer(timer=timer, seconds=seconds, after=after):
                self.timers[timer] = self.now + seconds
                self.waits_for_writer[timer] = after
            case StopTimer(timer=timer):
                self.timers.pop(timer, None)
            case RecordResult(result=result):
                self.results.append(result)
                if not result.verdict.void:
                    self.unkept.append(result)
                    self._recorded_in[result.game_id] = len(self.diary)
            case RecordAct(kind="forget", subject=nick, game_type=game_type):
                self.records.append(effect)
                for counted in [one for one in self._counted[game_type] if one[0] == nick]:
                    del self._counted[game_type][counted]
            case _ if isinstance(effect, Recording):
                self.records.append(effect)
                if isinstance(effect, RecordEntry) and effect.kind in PUBLIC:
                    self._write(effect)
            case KeepPast(game_id=game_id, number=number, entries=entries, after_s=after):
                kept = [self._event(number + at, after[at], entry) for at, entry in enumerate(entries)]
                assert kept == self.written[game_id][number - 1 : number - 1 + len(kept)], "it is not what was written"
            case Recall():
                self.recalling.append(effect)
            case Draw():
                assert one_at_a_time(self.drawing, effect), f"two draws for {effect.championship} at a time"
                self.drawing.append(effect)
            case AskWhy():
                self.explaining.append(effect)
            case Prove():
                self.proving.append(effect)
            case ClaimNick() | ReleaseNick():
                self.claiming.append(effect)
            case Answer(ticket=ticket, reply=reply):
                self.answers[ticket] = as_json(reply)
            case Note():
                self.notes.append(effect)
            case Subscribe(conn=conn, channel=channel):
                assert conn not in self.channels[channel], f"{conn} subscribes to {channel} twice"
                self.channels[channel].append(conn)
            case Unsubscribe(channel=channel, conn=None):
                self.channels.pop(channel, None)
            case Unsubscribe(channel=channel, conn=conn):
                self.channels[channel].remove(conn)
            case Publish(channel=channel, message=message):
                assert self.channels[channel], f"nobody gets {message}"
                for conn in self.channels[channel]:
                    self.peers[conn].mail.append(message)
            case Stopped():
                self.stopped = True

    def _new_secret(self) -> str:
        """Texts that nobody can guess who does not know how they are made."""
        return f"{self._life:03}{next(self._secrets):09}" + "s" * 24

    def passes(self, seconds: float) -> None:
        """Let time go by; timers that fall due fire in order, each at its own moment."""
        end = self.now + seconds
        while self.timers and (due := min(self.timers.values())) <= end:
            timer = next(timer for timer, moment in self.timers.items() if moment == due)
            del self.timers[timer]
            self.now = due
            self.happens(TimerFired(timer))
        self.now = end

    def strikes(self, game_type: str = CHESS) -> None:
        """The hour at which a championship begins has come."""
        self.happens(TimerFired(Timer(TimerKind.CHAMPIONSHIP, game_type)))

    def is_asked_to_stop(self) -> list[Effect]:
        """The server is asked to stop."""
        return self.happens(ShutdownAsked())

    def is_asked(self, question: Question) -> Mapping[str, object]:
        """A person at the machine asks or orders something; returns the answer."""
        ticket = len(self.answers) + 1
        self.happens(Asked(ticket, question))
        return self.answers[ticket]

    def entries(self, game_id: str = "g1") -> list[RecordEntry]:
        """What was recorded of a game, the verdict included."""
        return [one for one in self.records if isinstance(one, RecordEntry) and one.game_id == game_id]

    def ledger(self, name: str = CHESS) -> list[LedgerEntry]:
        """The ledger of a championship, as it was to be written down since this house was built."""
        return [one.entry for one in self.records if isinstance(one, RecordChampionship) and one.name == name]

    # Championships.

    def plans(self, *, begins_in_s: float | None = None, **plan: object) -> Mapping[str, object]:
        """A championship is announced; returns the answer. Unless ``plan`` says otherwise it is called cup, and there
        is no open play before it."""
        values = {"name": "cup", "game_type": CHESS, "open_play": False} | plan
        return self.is_asked(PlanAsked(Plan.read(values), "ada", begins_in_s))

    def orders(
        self, kind: OrderKind, subject: str = "", championship: str = "cup", results: Mapping[str, str] | None = None
    ) -> str:
        """The organiser gives an order; returns what the answer says is wrong, or the empty text."""
        answer = self.is_asked(Order(kind, championship, "ada", "because", subject, results or {}))
        assert answer["ok"] is ("error" not in answer)
        return str(answer.get("error", ""))

    # The next life.

    def again(self, steps: int | None = None) -> Self:
        """The server is killed and started again; it finds the first ``steps`` steps on file (None: all)."""
        past = past_of(self.past, [effect for step in self.diary[:steps] for effect in step])
        house = type(self)(past=past, first_game=next(self._numbers), **self.settings)
        house.disk_is_slow, house._life = self.disk_is_slow, self._life + 1
        house.draws_slowly = self.draws_slowly
        house.happens(Started())
        return house

    # Who is there.

    def connects(self, *, by_gateway: bool = False, address: str = "192.0.2.1") -> Peer:
        """A peer of whom nothing is known."""
        peer = Peer(self, len(self.peers) + 1)
        self.peers[peer.conn] = peer
        self.happens(Connected(peer.conn, address, by_gateway))
        return peer

    def greets(
        self, *families: Family, by_gateway: bool = False, address: str = "192.0.2.1", program: str = ""
    ) -> Peer:
        """A peer who has said x-hello and read the answer."""
        peer = self.connects(by_gateway=by_gateway, address=address)
        peer.says(Hello(tuple(family.value for family in families), program))
        assert peer.hears() == [Hello(tuple(family.value for family in Family if family in families))]
        return peer

    def guest(
        self, nick: str, *families: Family, game_type: str = CHESS, address: str = "192.0.2.1", program: str = ""
    ) -> Peer:
        """A player with extensions who has logged in and read the answer; a token lies in ``peer.token``."""
        peer = self.greets(*families, address=address, program=program)
        peer.says(PlayerLogin(nick, game_type))
        assert peer.mail.pop(0) == LoginResponse()
        if Family.SESSION in families:
            peer.reads_token()
        return peer

    def returns(self, token: str, *families: Family) -> Peer:
        """A peer who takes up a session again and has read that it may."""
        peer = self.greets(*(families or (Family.SESSION,)))
        peer.says(Resume(token))
        assert peer.mail.pop(0) == LoginResponse()
        peer.reads_token()
        assert peer.token == token
        return peer

    def leader(
        self,
        name: str,
        *families: Family,
        players: tuple[int, int] = (2, 2),
        game_type: str = CHESS,
        options: tuple[OfferedOption, ...] = (),
        setup: str = "",
    ) -> Peer:
        """A master with extensions who has logged in and, with ``table``, told its options; a game may have begun."""
        peer = self.greets(*families)
        peer.says(GameMasterLogin(name, game_type, *map(str, players)))
        assert peer.mail.pop(0) == LoginResponse()
        if Family.TABLE in families:
            peer.says(Offers(options, setup))
        return peer

    def player(self, nick: str, game_type: str = CHESS) -> Peer:
        """A player who has logged in and read the answer."""
        peer = self.connects()
        peer.says(PlayerLogin(nick, game_type))
        assert peer.hears() == [LoginResponse()]
        return peer

    def players(self, *nicks: str, game_type: str = CHESS) -> list[Peer]:
        """Several of them."""
        return [self.player(nick, game_type) for nick in nicks]

    def master(self, name: str = "m", players: tuple[int, int] = (2, 2), game_type: str = CHESS) -> Peer:
        """A master who has logged in and read the answer; a ``beginGame`` may lie in the box already."""
        peer = self.connects()
        peer.says(GameMasterLogin(name, game_type, *map(str, players)))
        assert peer.mail.pop(0) == LoginResponse()
        return peer

    # Short cuts to where a dialogue begins.

    def table(self, *nicks: str, families: Sequence[Family] = ()) -> tuple[Peer, ...]:
        """A master, then players in a game g1 of exactly these, seated in this order; the first is to move.

        ``families`` are what the master asks for; with none of them it speaks v4.
        """
        size = (len(nicks), len(nicks))
        master = self.leader("m", *families, players=size) if families else self.master(players=size)
        seated = self.players(*nicks)
        master.hears()
        master.says(turn("g1", nicks[0]))
        for peer in seated:
            peer.hears()
            peer.standings()
        return master, *seated

    def game(self, game_id: str = "g1") -> Game:
        """A running game."""
        return next(game for game in self.broker.games if game.id == game_id)

    def rows(self, game_type: str = CHESS) -> dict[str, tuple[int, int, int]]:
        """The standings of a game type as nick -> (won, lost, drawn), best first."""
        standings = self.broker.server.types[game_type].standings
        return {row.nick: (row.won, row.lost, row.drawn) for row in standings.rows()}

    def clock(self, game_id: str = "g1") -> float:
        """Seconds until the clock of a game runs out."""
        return self.timers[Timer(TimerKind.GAME, game_id)] - self.now

    def noted(self, event: str) -> list[Mapping[str, object]]:
        """What the log says about events of that name."""
        return [note.fields for note in self.notes if note.event == event]


def counts_of(row: Row) -> dict[Outcome, int]:
    """The outcomes that a row counts."""
    return {Outcome.WON: row.won, Outcome.LOST: row.lost, Outcome.DRAWN: row.drawn}


def thank(game_id: str, *peers: Peer) -> None:
    """All of these say thank you."""
    for peer in peers:
        peer.says(ThankYou(game_id))
