"""Requests of a dialogue as messages: what a peer of :mod:`tests.broker.stage` can say.

A request is its words: ``move g1 e4``, ``advertise Friday 2 computers=1``. ``REQUESTS`` has all of them by their first
word; the parameters of its functions are the words that follow.
"""

from collections.abc import Callable

from tests.broker.house import CHESS
from ugs.wire.extensions import (
    Advertise,
    Cancel,
    Failed,
    Join,
    Label,
    Labels,
    ListTables,
    NewTable,
    OfferedOption,
    Offers,
    Ping,
    Quit,
    RefusalReason,
    Say,
    SeatKind,
    Start,
    Visibility,
    Wait,
    Watch,
    WatchFrom,
)
from ugs.wire.messages import (
    Choice,
    Error,
    GameMasterLogin,
    GameState,
    LeaveGame,
    Logout,
    Message,
    Move,
    PlayerLeftGame,
    PlayerLogin,
    PlayerResult,
    Result,
    ThankYou,
)


def asked(words: list[str]) -> Message:
    """The message that a request stands for. Raises KeyError for an unknown first word."""
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
    return Say(tuple(filter(None, to.split(","))), "", text)


def _watch(game_type: str, nick: str = "") -> Watch:
    return Watch("", game_type, WatchFrom.NOW, 0.0, nick)


def _say_both(to: str, table: str, text: str) -> Say:
    return Say((to,), table, text)


def _move(game_id: str, text: str = "") -> Move:
    return Move(game_id, f"<move>{text}</move>".encode() if text else b"<move/>")


def _turn(game_id: str, nick: str, text: str = "") -> GameState:
    return GameState(game_id, nick, None, f"<gameState>{text}</gameState>".encode() if text else b"<gameState/>")


def _over(game_id: str, winner: str, *losers: str) -> GameState:
    results = [PlayerResult(winner, Result.WINNER), *(PlayerResult(nick, Result.LOSER) for nick in losers)]
    return GameState(game_id, None, tuple(results))


def _draw(game_id: str, *nicks: str) -> GameState:
    return GameState(game_id, None, tuple([PlayerResult(nick, Result.WINNER) for nick in nicks]))


def offered(word: str) -> OfferedOption:
    """``mode=STANDARD|ADULT`` as an option with these values, the first of which is the default."""
    name, _, values = word.partition("=")
    words = values.replace("|", " ")
    return OfferedOption(name, words.partition(" ")[0], words)


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
    "wait": lambda *once: Wait(once=bool(once)),
    "watch": _watch,
    "say": _say,
    "say-both": _say_both,
    "ping": Ping,
    "logout": Logout,
    "leave": LeaveGame,
    "thank": ThankYou,
    "move": _move,
    "turn": _turn,
    "over": _over,
    "out": lambda game_id, nick: PlayerLeftGame(nick, game_id),
    "draw": _draw,
    "labels": _labels,
    "offers": lambda *options: Offers(tuple(map(offered, options))),
    "error": Error,
    "enter": lambda nick: PlayerLogin(nick, CHESS),
    "login": lambda name, least, most: GameMasterLogin(name, CHESS, least, most),
    "decline": lambda game_id, text: Failed(RefusalReason.INVALID_REQUEST, text, game_id),
}
