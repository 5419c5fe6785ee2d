"""A stage on which dialogues with the server are played from a script, and written down as they were heard.

A script is a text. A line that begins with ``-`` is something that happens; the lines below it, indented, are what
peers hear of it, in the order in which the server says it. A line that begins with ``*`` happens as well, and what is
heard of it is not written down:

    * ada comes
    * ben comes
    - ada: advertise Friday 2
        ada: x-advertised g1: Friday of ada, 2 seats, 1 free, PUBLIC
        ada: x-seats g1: ada JOINED (ada has set up the table)
    - ben: join g1
        ben: x-joined g1: Friday of ada, 2 seats, 0 free, PUBLIC
        ada, ben: x-seats g1: ada JOINED, ben JOINED (ben has sat down)

``played(script)`` does what the script says happens and gives the script back as it should have been written, so a
test is one equality. ``championsList`` messages and what everybody hears who logs in are left out.

What can happen: ``NICK comes [with FAMILY …] [for GAME_TYPE]`` (without a word: with session and lobby; ``with v4``:
with nothing), ``NAME leads LEAST to MOST [with FAMILY …] [offers NAME=WORD|WORD …]``, ``NAME: REQUEST``, ``NAME is
cut``, ``NICK returns``, ``N s pass``, ``SETTING = VALUE`` (first of all), and the rest of ``ENTRANCES`` and
``EVENTS``. The requests are those of ``REQUESTS``.
"""

import json
import shlex
from collections.abc import Callable, Mapping
from functools import singledispatch
from typing import Any

from tests.broker.house import CHESS, House, Peer
from ugs.broker.effects import Close, Effect, Send
from ugs.broker.events import JournalBack, JournalLost, Misread
from ugs.wire.extensions import (
    Advertise,
    Advertised,
    Cancel,
    Failed,
    Family,
    GameEnded,
    Hello,
    Invitation,
    Join,
    Joined,
    Label,
    Labels,
    ListTables,
    NewTable,
    OfferedOption,
    Offers,
    Ok,
    Ping,
    Quit,
    Reason,
    Said,
    Say,
    SeatInfo,
    SeatKind,
    Seats,
    Session,
    Start,
    Stop,
    TableInfo,
    Tables,
    Visibility,
    Wait,
    Warn,
    Watch,
    WatchFrom,
)
from ugs.wire.messages import (
    BeginGame,
    ChampionsList,
    Choice,
    Error,
    GameMasterLogin,
    GameState,
    LeaveGame,
    LoginResponse,
    Logout,
    Message,
    Move,
    PlayerLeftGame,
    PlayerResult,
    Result,
    ServerShutdown,
    ThankYou,
)

INDENT = "    "
USUAL = (Family.SESSION, Family.LOBBY)
UNSAID = (ChampionsList, Hello, LoginResponse, Session)


class Stage(House):
    """A house that listens to everything the server says."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.named: dict[int, str] = {}
        """Whose connection that is."""
        self.heard: list[str] = []
        self.on: dict[str, Peer] = {}
        """Who is there, by nick or id."""

    def _carry_out(self, effect: Effect) -> None:
        super()._carry_out(effect)
        match effect:
            case Send(to=to, message=message) if not isinstance(message, UNSAID):
                names = ", ".join(self.named.get(conn, "somebody") for conn in to)
                self.heard.append(f"{names}: {told(message)}")
            case Close(conn=conn):
                self.heard.append(f"{self.named.get(conn, 'somebody')}: closed")

    def plays(self, line: str) -> list[str]:
        """Do what one line says; what was heard of it."""
        self._do(line)
        heard, self.heard = self.heard, []
        return heard

    def _do(self, line: str) -> None:
        who, colon, request = line.partition(": ")
        words = line.split()
        if colon:
            self.on[who].says(asked(shlex.split(request)))
        elif line in EVENTS:
            EVENTS[line](self)
        elif words[1:] == ["s", "pass"]:
            self.passes(float(words[0]))
        elif words[1] in ENTRANCES:
            ENTRANCES[words[1]](self, words[0], words[2:])
        else:
            raise AssertionError(f"what is {line!r}?")

    def stands(self, name: str, enter: Callable[[], Peer]) -> None:
        """Somebody enters who is called so, and hears at once what the next connection hears."""
        self.named[len(self.peers) + 1] = name
        self.on[name] = enter()


def played(script: str) -> str:
    """The script as it is when it is played."""
    lines = [line for line in written(script).splitlines() if not line.startswith(INDENT)]
    settings = {}
    for line in lines:
        name, equals, value = line[2:].partition(" = ")
        if equals:
            settings[name] = json.loads(value)
    stage = Stage(**settings)
    script_played: list[str] = []
    for line in lines:
        script_played.append(line)
        heard = stage.plays(line[2:]) if " = " not in line else []
        if line.startswith("- "):
            script_played += [f"{INDENT}{one}" for one in heard]
    return "\n".join(script_played)


def written(script: str) -> str:
    """The script as it stands in a test, without the white space around it."""
    lines = [line.strip() for line in script.strip().splitlines() if line.strip()]
    return "\n".join(line if line.startswith(("- ", "* ")) else INDENT + line for line in lines)


# What happens.


def _split(words: list[str]) -> dict[str, list[str]]:
    """``2 to 4 with table lobby`` -> what stands behind each of the words that lead something in."""
    parts: dict[str, list[str]] = {"": []}
    current = ""
    for word in words:
        if word in ("with", "for", "offers"):
            current = word
            parts[current] = []
        else:
            parts[current].append(word)
    return parts


def _comes(stage: Stage, nick: str, words: list[str]) -> None:
    parts = _split(words)
    (game_type,) = parts.get("for", [CHESS])
    if parts.get("with") == ["v4"]:
        stage.stands(nick, lambda: stage.player(nick, game_type))
    else:
        families = tuple(map(Family, parts["with"])) if "with" in parts else USUAL
        stage.stands(nick, lambda: stage.guest(nick, *families, game_type=game_type))


def _leads(stage: Stage, name: str, words: list[str]) -> None:
    parts = _split(words)
    least, _, most = parts[""]
    players = (int(least), int(most))
    if "with" not in parts:
        stage.stands(name, lambda: stage.master(name, players))
    else:
        options = tuple([_offered(word) for word in parts.get("offers", [])])
        families = tuple(map(Family, parts["with"]))
        stage.stands(name, lambda: stage.leader(name, *families, players=players, options=options))


def _offered(word: str) -> OfferedOption:
    name, _, values = word.partition("=")
    words = values.replace("|", " ")
    return OfferedOption(name, words.partition(" ")[0], words)


def _is(stage: Stage, name: str, words: list[str]) -> None:
    assert words == ["cut"]
    stage.on[name].is_lost()


def _returns(stage: Stage, nick: str, words: list[str]) -> None:
    families = tuple(map(Family, words)) or USUAL
    token = stage.on[nick].token
    stage.stands(nick, lambda: stage.returns(token, *families))


def _mumbles(stage: Stage, name: str, words: list[str]) -> None:
    (kind,) = words
    stage.happens(Misread(stage.on[name].conn, f"{kind}: what it is that is wrong", kind, "7"))


def _greets(stage: Stage, name: str, words: list[str]) -> None:
    stage.stands(name, lambda: stage.greets(*map(Family, words[1:])))


ENTRANCES: dict[str, Callable[[Stage, str, list[str]], None]] = {
    "comes": _comes,
    "leads": _leads,
    "greets": _greets,
    "is": _is,
    "returns": _returns,
    "mumbles": _mumbles,
}
EVENTS: dict[str, Callable[[Stage], object]] = {
    "the server is asked to stop": Stage.is_asked_to_stop,
    "the journal is lost": lambda stage: stage.happens(JournalLost("disk full")),
    "the journal is back": lambda stage: stage.happens(JournalBack()),
    "the disk is slow": lambda stage: setattr(stage, "disk_is_slow", True),
    "the disk catches up": Stage.disk_catches_up,
}


def asked(words: list[str]) -> Message:
    """The message that a request of a script stands for."""
    return REQUESTS[words[0]](*words[1:])


def _advertise(name: str, seats: str, *more: str) -> Advertise:
    visibility, computers = Visibility.PUBLIC, 0
    options: list[Choice] = []
    invited: tuple[str, ...] = ()
    for word in more:
        key, equals, value = word.partition("=")
        if not equals:
            visibility = Visibility(word)
        elif key == "computers":
            computers = int(value)
        elif key == "invite":
            invited = tuple(value.split(","))
        else:
            options.append(Choice(key, value))
    return Advertise(NewTable(name, int(seats), visibility, computers, tuple(options), invited))


def _say(to: str, text: str) -> Say:
    if to.startswith("table="):
        return Say((), to.removeprefix("table="), text)
    return (
        Say((), to.removeprefix("table="), text)
        if to.startswith("table=")
        else Say(tuple(filter(None, to.split(","))), "", text)
    )


def _watch(game_type: str, nick: str = "") -> Watch:
    return Watch("", game_type, WatchFrom.NOW, 0.0, nick)


def _say_both(to: str, table: str, text: str) -> Say:
    return Say((to,), table, text)


def _turn(game_id: str, nick: str) -> GameState:
    return GameState(game_id, nick, None)


def _over(game_id: str, winner: str, *losers: str) -> GameState:
    results = [PlayerResult(winner, Result.WINNER), *(PlayerResult(nick, Result.LOSER) for nick in losers)]
    return GameState(game_id, None, tuple(results))


def _labels(game_id: str, *seats: str) -> Labels:
    split = [seat.split("=") for seat in seats]
    kinds = {True: SeatKind.PROGRAM, False: SeatKind.HUMAN}
    return Labels(game_id, tuple([Label(nick.strip("*"), label, kinds[nick[-1] == "*"]) for nick, label in split]))


REQUESTS: dict[str, Callable[..., Message]] = {
    "advertise": _advertise,
    "list": ListTables,
    "join": Join,
    "start": Start,
    "cancel": Cancel,
    "quit": Quit,
    "wait": Wait,
    "watch": _watch,
    "say": _say,
    "say-both": _say_both,
    "ping": Ping,
    "logout": Logout,
    "leave": LeaveGame,
    "thank": ThankYou,
    "move": lambda game_id: Move(game_id, b"<move/>"),
    "turn": _turn,
    "over": _over,
    "out": lambda game_id, nick: PlayerLeftGame(nick, game_id),
    "draw": lambda game_id, *nicks: GameState(
        game_id, None, tuple([PlayerResult(nick, Result.WINNER) for nick in nicks])
    ),
    "labels": _labels,
    "offers": lambda *options: Offers(tuple(map(_offered, options))),
    "login": lambda name, least, most: GameMasterLogin(name, CHESS, least, most),
    "decline": lambda game_id, text: Failed(Reason.INVALID_REQUEST, text, game_id),
}


# What is heard.


@singledispatch
def told(message: object) -> str:
    """A message in a few words."""
    return str(message)


def _table(table: TableInfo) -> str:
    facts = [f"{table.name} of {table.owner}", f"{table.seats} seats", f"{table.free} free", table.visibility.value]
    facts += [f"{table.computers} computers"] if table.computers else []
    facts += [f"{option.name}={option.value}" for option in table.options]
    facts += [f"invited {' '.join(table.invited)}"] if table.invited else []
    return f"{table.id}: {', '.join(facts)}"


def _seat(seat: SeatInfo) -> str:
    program = "program" if seat.kind is SeatKind.PROGRAM else ""
    return " ".join(filter(None, [seat.nick, seat.label, program, seat.state.value]))


def _seats(message: Seats) -> str:
    comment = f" ({message.comment})" if message.comment else ""
    return f"x-seats {message.game_id}: {', '.join(map(_seat, message.seats))}{comment}"


def _ended(message: GameEnded) -> str:
    return f"x-gameEnded {message.game_id} {message.result.value} {message.reason} ({message.comment})"


def _warning(message: Warn) -> str:
    scope = f"{message.scope.value} {message.game_id}".rstrip()
    return f"x-warning {scope} {message.state.value}, {message.left_s:g} s left"


def _state(message: GameState) -> str:
    if message.game_over is None:
        return f"gameState {message.game_id}: {message.next_player} to move"
    return f"gameOver {message.game_id}: {', '.join(f'{one.nick} {one.result.value}' for one in message.game_over)}"


def _begin(message: BeginGame) -> str:
    facts = [f"{choice.name}={choice.value}" for choice in message.options]
    facts += [f"{message.seats} seats"] if message.seats else []
    return f"beginGame {message.game_id}: {', '.join([*message.players, *facts])}"


TELLING: Mapping[type[Any], Callable[[Any], str]] = {
    Ok: lambda message: "x-ok",
    Failed: lambda message: f"x-failed {message.code.value} ({message.text})",
    Advertised: lambda message: f"x-advertised {_table(message.table)}",
    Joined: lambda message: f"x-joined {_table(message.table)}",
    Invitation: lambda message: f"x-invitation {_table(message.table)}",
    Tables: lambda message: "x-tables: " + (", ".join(f"{one.id} {one.name}" for one in message.tables) or "none"),
    Seats: _seats,
    GameEnded: _ended,
    Stop: lambda message: f"x-stop {message.game_id} {message.reason}",
    Said: lambda message: f"x-said {message.sender}: {message.text}",
    Warn: _warning,
    Error: lambda message: f"error ({message.text})",
    GameState: _state,
    BeginGame: _begin,
    PlayerLeftGame: lambda message: f"playerLeftGame {message.game_id}: {message.nick}",
    Move: lambda message: f"move {message.game_id}",
    ServerShutdown: lambda message: "serverShutdown",
}
for kind, words in TELLING.items():
    told.register(kind, words)
