"""Handing a running game to another master: who may have it, and what it is told.

A game can be handed over when its master was granted ``restore``: then all chance came from a seed that the server
knows, and everything else from the moves and departures in its history.
"""

from collections.abc import Iterator

from ugs.broker.game import Game
from ugs.broker.link import Link
from ugs.broker.record import EntryKind
from ugs.wire.extensions import Family, PastLeft, PastMove, Restore
from ugs.wire.messages import Choice


def heir(game: Game) -> Link | None:
    """Another master who is there and may take the game over now; the least busy one."""
    needs = (Family.RESTORE, Family.TABLE) if game.setting.options or game.setting.computers else (Family.RESTORE,)
    return next((link for link in game.type.free_masters(len(game.seats), *needs) if link is not game.master), None)


def restore_message(game: Game) -> Restore:
    """Everything the new master has to know, in the order in which the old one was told."""
    setting = game.setting
    options = tuple([Choice(name, value) for name, value in setting.options.items()])
    return Restore(game.id, game.seats, options, setting.total, setting.seed, tuple(_happened(game)))


def _happened(game: Game) -> Iterator[PastMove | PastLeft]:
    for _, entry in game.history:
        if entry.seat is None:
            continue
        if entry.kind is EntryKind.MOVE:
            yield PastMove(game.seats[entry.seat], entry.body)
        elif entry.kind is EntryKind.LEFT:
            yield PastLeft(game.seats[entry.seat], entry.text)
