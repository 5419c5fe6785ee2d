"""How sentences for people name games, peers, numbers and lengths of time."""

from collections.abc import Callable, Iterable

from ugs.broker.state.model import GameType
from ugs.durations import duration_text
from ugs.value import value

MAX_NAMED = 8
"""A sentence names at most this many peers and counts the others."""
NOTHING_WRITTEN = "no game begins while nothing can be written down"


@value
class Wording:
    """How sentences name games and lengths of time."""

    plays: str
    """What an entrant does who plays ``game``, as the end of a sentence."""
    owes: str
    """What one does who owes a thank you."""
    stands: str
    """Where ``game`` stands: what comes before the ``duty`` of the peer that must act."""
    rests: str
    """Why one rests whose last ``game`` is just over."""
    unwritten: str
    """That nothing can be written down, and perhaps ``why``."""
    seconds: Callable[[float], str]


WITH_IDS = Wording(
    "plays game {game}",
    "owes a thank you for game {game}",
    "game {game}: {duty}",
    "has just been in game {game}",
    f"{NOTHING_WRITTEN}: {{why}}",
    lambda seconds: f"{round(seconds, 1):g} s",
)
"""For those who may ask for a game by its id, and for programs."""
FOR_READERS = Wording(
    "is in a game",
    "owes a thank you for its last game",
    "{duty}",
    "has just been in a game",
    NOTHING_WRITTEN,
    duration_text,
)
"""For readers of a page, where a link leads to the game: an id means nothing to them, and why
nothing can be written down concerns the organiser."""


def ahead(seconds: float) -> str:
    """A time to come, for people: no shorter than it is."""
    return duration_text(seconds, up=True)


def busy(game_type: GameType) -> str:
    """That every master of a type leads as many games as it may."""
    most = game_type.settings.max_games_per_master
    return f"every game master for {game_type.name} that could begin one leads {count(most, 'game')}, which is the most"


def count(number: int, thing: str) -> str:
    """This number of things, in words."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def runs(number: int) -> str:
    """What this number of games does."""
    return "runs" if number == 1 else "run"


def verb(number: int) -> str:
    """What this number of players does."""
    return "waits" if number == 1 else "wait"


def listed(names: Iterable[str]) -> str:
    """These names, of many the first."""
    every = list(names)
    more = len(every) - MAX_NAMED
    return ", ".join(every[:MAX_NAMED]) + (f" and {more} more" if more > 0 else "")
