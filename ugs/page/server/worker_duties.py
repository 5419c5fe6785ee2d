"""Which worker answers what. Expensive questions have workers of their own, so that cheap ones do not wait for them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from ugs.page.contract import Question

FRONT: Final = "front"
PICTURES: Final = "pictures"
REPLAYS: Final = "replays"


@dataclass(frozen=True, slots=True)
class WorkerKind:
    """What one worker is for."""

    what: str
    cpu_s: int
    """Seconds of processor time that an answer may take."""


WORKERS: Final[Mapping[str, WorkerKind]] = {
    FRONT: WorkerKind("the overview, lists, standings, all that shows how things stand", 30),
    PICTURES: WorkerKind("games that run, as spectators and as players at browsers see them", 10),
    REPLAYS: WorkerKind("games that have ended, position by position, and their records", 30),
}

_WORKER_OF: Final = {
    "boards": PICTURES,
    "board positions": PICTURES,
    "hand": PICTURES,
    "game names": PICTURES,
    "game titles": PICTURES,
    "game file": REPLAYS,
    "own game": REPLAYS,
    "own positions": REPLAYS,
    "own file": REPLAYS,
}
_FILES: Final = frozenset({"game file", "own file"})
_DRAWN: Final = frozenset({"puzzles"})
"""Pages that need many drawn positions."""
_VIEWS: Final = frozenset({"game", "positions"})


def worker_of(question: Question) -> str:
    """Return the name of the worker that answers a question."""
    if question.name == "view" and question.asked.get("page") in _DRAWN:
        return REPLAYS
    if question.name == "view" and question.asked.get("page") in _VIEWS:
        board = question.facts.get("board")
        # A running game is drawn already, so its page costs little.
        return REPLAYS if board is None or board.over else FRONT
    return _WORKER_OF.get(question.name, FRONT)


def subject_of(question: Question) -> str:
    """What is to blame if the answer takes too much: the pictures or the record of one game; empty if it is nothing
    that could be left alone."""
    if question.name in _FILES:
        return f"record {question.asked['id']}"
    if question.name == "hand":
        return f"pictures {question.asked['game']}"
    if worker_of(question) != REPLAYS or question.asked.get("page") in _DRAWN:
        return ""
    asked = question.asked["query"] if question.name == "view" else question.asked
    return f"pictures {asked['id']}"
