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

ATTEMPTS = 16
TRIES = 4
"""Other decisions that are tried at one point before the attempt is given up."""
MAX_ENTRIES = 400
"""Longer games are taken as they are: repeating them would take too long."""

_DECISIONS = (EventKind.PLAY, EventKind.SEALED, EventKind.CHANCE)


def another(progress: Progress, seat: int, rng: random.Random) -> Progress:
    """Return a game in which ``seat`` has seen the same; the same game if none was found."""
    entries = progress.entries
    if progress.setup.own_chance or len(entries) > MAX_ENTRIES:
        return progress.copy()
    free = [number for number, entry in enumerate(entries) if _is_free(progress, entry, seat)]
    if not free:
        return progress.copy()
    seen = list(_sights(progress, seat))
    for _ in range(ATTEMPTS):
        other = _attempt(progress, seat, rng, _changed(progress, free, rng), set(free), seen)
        if other is not None:
            return other
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
    """What the seat is shown now, and what everybody is."""
    glasses = progress.glasses
    assert glasses is not None
    position = progress.position
    if progress.is_chance:
        return ("chance",)  # nothing is shown before chance has decided
    asked = () if progress.over or progress.turn != seat else tuple(progress.legal(seat))
    return (
        glasses.board(position, seat),
        glasses.information(position, seat),
        glasses.everybody(position),
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


def _attempt(
    progress: Progress,
    seat: int,
    rng: random.Random,
    changed: dict[int, int | None],
    free: set[int],
    seen: list[Sight],
) -> Progress | None:
    again = Progress(progress.setup)
    first = min(changed)
    for number, entry in enumerate(progress.entries):
        if len(again.entries) > number:
            continue  # it followed by itself
        if number < first or entry.kind not in _DECISIONS:
            again.repeat(entry)
            continue
        for action in _candidates(again, entry, changed.get(number, entry.actions[0]), number in free, rng):
            trial = again.copy()
            _decide(trial, entry, action)
            if _sight(trial, seat) == seen[len(trial.entries) - 1]:
                again = trial
                break
        else:
            return None
    return again if len(again.entries) == len(progress.entries) else None


def _candidates(again: Progress, entry: Entry, wanted: int | None, is_free: bool, rng: random.Random) -> Iterator[int]:
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
    if is_free:
        others = [action for action in legal if action not in (wanted, entry.actions[0] if wanted is None else None)]
        yield from rng.sample(others, min(TRIES, len(others)))


def _decide(progress: Progress, entry: Entry, action: int) -> None:
    if entry.kind is EventKind.CHANCE:
        progress.happen(action)
    else:
        assert entry.seat is not None
        progress.play(entry.seat, action)
