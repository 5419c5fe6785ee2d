"""Finds the actions in a log: in a full one, or in what one player received.

The extractor takes the next event. If an action can begin with it, its sequence is matched strictly; if that fails, the
event and all up to the next possible beginning are UNKNOWN. Texts for people count for nothing and belong to the next
action, of any kind; at the end, to the last. So each event after the start belongs to exactly one action.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from game_masters.catan.logs.action import Action, Found, Kind
from game_masters.catan.logs.matching import Cursor, NoMatch
from game_masters.catan.logs.sequences import SEQUENCES, STARTS
from game_masters.catan.logs.soclog import CLIENTS, Log
from game_masters.catan.message.events import Event
from game_masters.catan.message.messages import StartGame


class NoStart(Exception):
    """A log without the start of its game."""


def extract(log: Log, view: int | None = None) -> list[Action]:
    """Return the actions in a log; with ``view`` only from what that seat received. Raises NoStart."""
    if view is not None:
        log = log.view(view)
    return actions_of(log.events, full=log.header.type != CLIENTS)


def actions_of(events: Sequence[Event], *, full: bool) -> list[Action]:
    """Return the actions in the events of a game; ``full``: whether requests of clients are among them. Raises
    NoStart."""
    start = next((number for number, event in enumerate(events) if _starts_game(event, full)), None)
    if start is None:
        raise NoStart("the log has no SOCStartGame")
    cursor = Cursor(events, full=full)
    cursor.begin_at(start)
    found = [Action(Found(Kind.LOG_START_TO_STARTGAME), cursor.state, 0, tuple(events[: cursor.at]))]
    while cursor.at < len(events):
        begin, memory = cursor.at, cursor.memory()
        if cursor.peek() is None:
            found[-1] = replace(found[-1], events=(*found[-1].events, *events[begin:]))
            break
        cursor.back(begin, memory)
        found.append(_next(cursor))
    return found


def _starts_game(event: Event, full: bool) -> bool:
    return isinstance(event.message, StartGame) and not event.audience.from_client


def _next(cursor: Cursor) -> Action:
    """The action that begins here, with the texts before it. There is more than texts."""
    begin, memory = cursor.at, cursor.memory()
    cursor.skip()
    first = type(cursor.events[cursor.at].message)
    for match in SEQUENCES.get(first, ()):
        cursor.back(begin, memory)
        try:
            found = match(cursor)
        except NoMatch:
            continue
        cursor.at = cursor.taken
        return Action(found, cursor.state, begin, tuple(cursor.events[begin : cursor.at]))
    cursor.back(begin, memory)
    cursor.skip()
    cursor.step()
    while cursor.peek() is not None and not _can_start(cursor):
        cursor.step()
    cursor.at = cursor.taken
    return Action(Found(Kind.UNKNOWN), cursor.state, begin, tuple(cursor.events[begin : cursor.at]))


def _can_start(cursor: Cursor) -> bool:
    event = cursor.events[cursor.at]
    return type(event.message) in STARTS[cursor.full][event.audience.from_client]


def in_lines(actions: Iterable[Action]) -> str:
    """Return a line for each action."""
    return "".join(f"{action}\n" for action in actions)
