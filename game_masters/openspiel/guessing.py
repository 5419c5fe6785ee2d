"""Other ways a game may have gone, for all that one seat knows.

Some decision that the seat does not see is made otherwise: chance deals another card, two deals are exchanged, another
seat plays something else. Then the game is repeated. As long as everything that the seat was shown stays the same, what
was played is played again where it is legal; where it is not, something else is tried. Most attempts fail, and the game
itself is always an answer.
"""

import random
from collections.abc import Iterator

from game_masters.openspiel.progress import Entry, Progress
from game_masters.openspiel.view import EventKind

ATTEMPTS = 24
TRIES = 4
"""Other decisions that are tried at one point before the attempt is given up."""
TRIES_WHERE_CHANGED = 60
"""The same at the point where the other game begins to differ."""
MAX_STEPS = 900
"""Decisions that are repeated in all, so that a long game does not take too long."""
MAX_ENTRIES = 400
"""Longer games are taken as they are: repeating them would take too long."""

_DECISIONS = (EventKind.PLAY, EventKind.SEALED, EventKind.CHANCE)


def another(progress: Progress, seat: int, rng: random.Random) -> Progress:
    """Return a game that looks the same to ``seat``; the same game if none was found."""
    entries = progress.entries
    if progress.setup.own_chance or len(entries) > MAX_ENTRIES:
        return progress.copy()
    free = [number for number, entry in enumerate(entries) if _is_free(progress, entry, seat)]
    if not free:
        return progress.copy()
    seen = list(_sights(progress, seat))
    attempt = _Attempt(progress, seat, rng, frozenset(free), seen)
    for _ in range(ATTEMPTS):
        other = attempt.made(_changed(progress, free, rng))
        if other is not None:
            return other
        if attempt.steps > MAX_STEPS:
            break
    return progress.copy()


def _is_free(progress: Progress, entry: Entry, seat: int) -> bool:
    """Whether the seat does not see what was decided."""
    setup = progress.setup
    return {
        EventKind.PLAY: entry.seat != seat and not setup.open_plays,
        EventKind.SEALED: entry.seat != seat and not setup.open_plays,
        EventKind.CHANCE: not setup.open_chance,
    }.get(entry.kind, False)


def _changed(progress: Progress, free: list[int], rng: random.Random) -> dict[int, int | None]:
    """Return what is decided otherwise: by the number of the entry, another action, or None for any other."""
    entries = progress.entries
    deals = [number for number in free if entries[number].kind is EventKind.CHANCE]
    if len(deals) > 1 and rng.random() < 0.7:
        one, two = rng.sample(deals, 2)
        return {one: entries[two].actions[0], two: entries[one].actions[0]}
    return {rng.choice(free): None}


Sight = tuple[object, ...]


def _sight(progress: Progress, seat: int) -> Sight:
    """What the seat is shown now, and what all are shown."""
    glasses = progress.glasses
    assert glasses is not None
    position = progress.position
    if progress.is_chance:
        return ("chance",)  # nothing is shown before chance has decided
    asked = () if progress.over or progress.turn != seat else tuple(progress.legal(seat))
    return (
        glasses.board(position, seat),
        glasses.information(position, seat),
        glasses.shown_to_all(position),
        asked,
        progress.turn,
    )


def _sights(progress: Progress, seat: int) -> Iterator[Sight]:
    """What the seat was shown after each entry."""
    again = Progress(progress.setup)
    for entry in progress.entries:
        if len(again.entries) > 0 and entry.kind is EventKind.TOGETHER:
            yield _sight(again, seat)  # it followed the last choice by itself
            continue
        again.repeat(entry)
        yield _sight(again, seat)


class _Attempt:
    """Repeats a game with other decisions."""

    def __init__(
        self, progress: Progress, seat: int, rng: random.Random, free: frozenset[int], seen: list[Sight]
    ) -> None:
        self._progress = progress
        self._seat = seat
        self._rng = rng
        self._free = free
        self._seen = seen
        self.steps = 0
        """Decisions that were repeated so far."""

    def made(self, changed: dict[int, int | None]) -> Progress | None:
        """Return the game with these decisions changed, if the seat has seen the same; else None."""
        again = Progress(self._progress.setup)
        first = min(changed)
        for number, entry in enumerate(self._progress.entries):
            if len(again.entries) > number:
                continue  # it followed by itself
            if number < first or entry.kind not in _DECISIONS:
                again.repeat(entry)
                continue
            wanted = changed.get(number, entry.actions[0])
            tries = 0 if number not in self._free else TRIES_WHERE_CHANGED if number in changed else TRIES
            found = self._goes_on(again, entry, wanted, tries)
            if found is None:
                return None
            again = found
        return again if len(again.entries) == len(self._progress.entries) else None

    def _goes_on(self, again: Progress, entry: Entry, wanted: int | None, tries: int) -> Progress | None:
        for action in _candidates(again, entry, wanted, tries, self._rng):
            self.steps += 1
            # Where nothing else is tried after it, the game as it was need not be kept.
            trial = again.copy() if tries else again
            _decide(trial, entry, action)
            if _sight(trial, self._seat) == self._seen[len(trial.entries) - 1]:
                return trial
        return None


def _candidates(again: Progress, entry: Entry, wanted: int | None, tries: int, rng: random.Random) -> Iterator[int]:
    """Yield what may be decided where an entry was: what is wanted, then something else where that may be."""
    if entry.kind is EventKind.CHANCE:
        if not again.is_chance:
            return
        legal = [action for action, chance in again.outcomes() if chance > 0]
    elif again.is_chance or again.turn != entry.seat or entry.seat is None:
        return
    else:
        legal = [play.id for play in again.legal(entry.seat)]
    if wanted in legal:
        yield wanted
    if tries:
        others = [action for action in legal if action not in (wanted, entry.actions[0] if wanted is None else None)]
        yield from rng.sample(others, min(tries, len(others)))


def _decide(progress: Progress, entry: Entry, action: int) -> None:
    if entry.kind is EventKind.CHANCE:
        progress.happen(action)
    else:
        assert entry.seat is not None
        progress.play(entry.seat, action)
