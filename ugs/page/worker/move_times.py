"""How long players have taken for their moves in games that have ended: all who played a game ask for it."""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Final

from ugs.broker.values.record import EntryKind
from ugs.journal.reader import Reader
from ugs.record.response_times import response_times
from ugs.record.times import MICRO

MAX_MOVES: Final = 200_000
"""Of all games that are kept: some ten megabytes."""


class MoveTimes:
    """The times of the games that were asked for last. A game that has ended keeps its times."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Mapping[str, Sequence[float]]] = OrderedDict()
        self._moves = 0

    def of(self, reader: Reader, game_id: str) -> Mapping[str, Sequence[float]]:
        """Seconds for each move of a game that has ended, by the player's nick. Raises JournalError."""
        times = self._kept.get(game_id)
        if times is None:
            times = self._kept[game_id] = _read(reader, game_id)
            self._moves += _moves(times)
            while self._moves > MAX_MOVES and len(self._kept) > 1:
                self._moves -= _moves(self._kept.popitem(last=False)[1])
        self._kept.move_to_end(game_id)
        return times


def _read(reader: Reader, game_id: str) -> Mapping[str, Sequence[float]]:
    record = reader.record(game_id, payloads=False)
    times: dict[str, list[float]] = {nick: [] for nick in record.seats}
    for entry, took in zip(record.entries, response_times(record.entries), strict=True):
        if entry.kind is EntryKind.MOVE and entry.seat is not None and 0 <= entry.seat < len(record.seats):
            times[record.seats[entry.seat]].append(took / MICRO)
    return times


def _moves(times: Mapping[str, Sequence[float]]) -> int:
    return sum(map(len, times.values()))
