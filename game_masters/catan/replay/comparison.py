"""Goes through a log: each request is given to our game, and its answer is compared with the server's.

Texts for people, faces, chat, and who comes and goes are left out on both sides; so are statistics for robots, which a
server of JSettlers does not send, and the text of a refusal. All else has to be equal, message by message and in the
same order, with its audience.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from typing import Final

from game_masters.catan.logs.soclog import CLIENTS, Log
from game_masters.catan.message.board_messages import BoardLayout, BoardLayout2, PotentialSettlements
from game_masters.catan.message.events import Event
from game_masters.catan.message.gain_messages import PlayerStats
from game_masters.catan.message.message import Message, Null, Other, Unread
from game_masters.catan.message.messages import (
    DeclinePlayerRequest,
    GameServerText,
    PlayerElement,
    PutPiece,
    RollDicePrompt,
    SitDown,
    SVPTextMessage,
    Turn,
)
from game_masters.catan.message.vocabulary import Element
from game_masters.catan.replay.engine import Engine
from game_masters.catan.replay.logged_game import CannotReplay, LoggedGame, plain_number, what_log_gives

_LEFT_OUT: Final = frozenset({
    "SOCChangeFace", "SOCGameTextMsg", "SOCJoinGame", "SOCJoinGameAuth", "SOCLeaveGame", "SOCSetSeatLock",
    "SOCGameMembers", "SOCRobotDismiss", "SOCUndoNotAllowedReasonText", "SOCBotJoinGameRequest",
})  # fmt: skip
_MAX_FORCED: Final = 2
"""Turns that may end by themselves between two requests."""


@dataclass(frozen=True)
class Difference:
    """Where our game sends something else."""

    place: int
    """The number of the request among the events of the log."""
    request: str
    lines: tuple[str, ...]
    """What both send, after a blank; what only the log has, after ``-``; what only our game sends, after ``+``."""

    def __str__(self) -> str:
        return "\n".join([f"event {self.place}: {self.request}", *(f"  {line}" for line in self.lines)])


@dataclass
class Comparison:
    """What came out."""

    logged: LoggedGame
    requests: int = 0
    equal: int = 0
    missing: int = 0
    """Lines that only the log has."""
    added: int = 0
    """Lines that only our game has."""
    differences: list[Difference] = field(default_factory=list)
    not_compared: Counter[str] = field(default_factory=Counter)
    """Messages that our game does not know, by name."""

    @property
    def lines(self) -> int:
        """Those of the server in the log that were compared."""
        return self.equal + self.missing

    def summary(self) -> str:
        """Return what came out, in a few lines."""
        lines = [
            f"{self.requests} requests; {self.equal} of {self.lines} lines of the server are equal, "
            f"{self.missing} only in the log, {self.added} only ours, in {len(self.differences)} places"
        ]
        if self.logged.unknown_options:
            lines.append(f"options that are not known here: {', '.join(self.logged.unknown_options)}")
        if self.not_compared:
            names = ", ".join(f"{name} ({count})" for name, count in self.not_compared.most_common())
            lines.append(f"messages that are not known here: {names}")
        return "\n".join(lines)


def compare(log: Log) -> Comparison:
    """Replay a log. Raises CannotReplay for one without requests, or whose board or options our game does
    not have."""
    if log.header.type == CLIENTS:
        raise CannotReplay("the log has only messages of the server, no requests")
    logged = what_log_gives(log)
    engine = Engine(logged)
    found = Comparison(logged)
    events = log.events
    place, request = logged.board_at - 1, "(the game is set up)"
    answers: list[Event] = []
    for number in range(logged.board_at, len(events)):
        event = events[number]
        if event.audience.from_client and engine.knows(event.message) and event.audience.seats:
            _judge(found, engine, place, request, answers)
            place, request, answers = number, event.line(""), []
            found.requests += 1
            engine.answer(event.audience.seats[0], event.message)
        elif not event.audience.from_client:
            answers.append(event)
    _judge(found, engine, place, request, answers)
    return found


def _judge(found: Comparison, engine: Engine, place: int, request: str, answers: Sequence[Event]) -> None:
    """Compare what the server sent after a request with what our game sends."""
    wanted = _points_first(list(_compared(found, answers)))
    if engine.play.starting:  # older servers ask for a roll there
        wanted = [event for event in wanted if not isinstance(event.message, RollDicePrompt)]
    ours = list(_compared(None, engine.news(), found.logged))
    # In front of the board each server sends other facts about itself.
    if place < found.logged.board_at:
        ours = ours[next((at for at, one in enumerate(ours) if "Layout" in type(one.message).__name__), 0) :]
    while engine.force_choice(wanted):
        ours += _compared(None, engine.news(), found.logged)
    for _ in range(_MAX_FORCED):
        if _turns(wanted) <= _turns(ours):
            break
        engine.force_end()
        ours += _compared(None, engine.news(), found.logged)
    theirs, mine = [one.line("") for one in wanted], [one.line("") for one in ours]
    lines: list[str] = []
    for tag, a, b, c, d in SequenceMatcher(None, theirs, mine, autojunk=False).get_opcodes():
        if tag == "equal":
            found.equal += b - a
            lines += [f" {line}" for line in theirs[a:b]]
            continue
        found.missing += b - a
        found.added += d - c
        lines += [f"-{line}" for line in theirs[a:b]] + [f"+{line}" for line in mine[c:d]]
        # Only the log has these: a person may have given a player resources.
        if c == d:
            for one in wanted[a:b]:
                engine.adopt(one.message)
    if theirs != mine:
        found.differences.append(Difference(place, request, tuple(lines)))


def _turns(events: Sequence[Event]) -> int:
    return sum(isinstance(event.message, Turn) for event in events)


def _compared(found: Comparison | None, events: Sequence[Event], logged: LoggedGame | None = None) -> Iterator[Event]:
    for event in events:
        message = event.message
        if event.audience.kind == "ob" or isinstance(message, GameServerText | Null | SitDown):
            continue
        if isinstance(message, PlayerStats) and logged is not None and set(event.audience.seats) & logged.robots:
            continue
        if isinstance(message, Other | Unread):
            name = message.name if isinstance(message, Other) else "a line that is no message"
            if found is not None and name not in _LEFT_OUT:
                found.not_compared[name] += 1
            continue
        yield replace(event, message=_plain(message))


def _plain(message: Message) -> Message:
    """A message without what is no matter of the rules: texts, the order of the parts of the board, and how
    the board is shifted on the screen."""
    match message:
        case DeclinePlayerRequest():
            return replace(message, detail=message.detail or 0, place=message.place or 0, text=None)
        case BoardLayout():
            return _decoded(message)
        case BoardLayout2(parts):
            return BoardLayout2(tuple(sorted((name, _in_order(name, part)) for name, part in parts if name != "VS")))
        case PotentialSettlements(seat, _, (start, areas)):
            return PotentialSettlements(seat, None, (start, tuple(tuple(sorted(area)) for area in areas)))
    return message


def _decoded(board: BoardLayout) -> BoardLayout2:
    """A board of four seats as newer servers describe it."""
    parts = dict(board.parts)
    coded = parts.get("numberLayout", ())
    numbers = tuple(plain_number(code) for code in coded) if isinstance(coded, tuple) else ()
    return BoardLayout2(
        (("HL", parts.get("hexLayout", ())), ("NL", numbers), ("RH", parts.get("robberHex", 0)), ("bef", 1))
    )


def _in_order(name: str, part: int | tuple[int, ...]) -> int | tuple[int, ...]:
    """The hexes of a board with sea, by place."""
    if name != "LH" or isinstance(part, int):
        return part
    hexes = sorted(zip(part[::3], part[1::3], part[2::3], strict=True))
    return tuple(number for hex in hexes for number in hex)


def _points_first(events: Sequence[Event]) -> list[Event]:
    """Special points before the settlement that brings them, as our game sends them: servers send them after it."""
    ordered: list[Event] = []
    for event in events:
        put = (
            ordered.pop() if ordered and isinstance(ordered[-1].message, PutPiece) and _special(event.message) else None
        )
        ordered += [event] if put is None else [event, put]
    return ordered


def _special(message: Message) -> bool:
    special = (Element.SPECIAL_AREAS, Element.SPECIAL_POINTS)
    return isinstance(message, SVPTextMessage) or (isinstance(message, PlayerElement) and message.element in special)
