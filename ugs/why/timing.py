"""Where the time of a move went.

A master's state goes to the player whose turn it is, the move comes back and goes to the master, and its next state
comes back. The server knows when each of the four had arrived or had been handed to the network; what lies between is
somebody else's time. On the player's way the network's share is one measured round trip, the rest is the bot's.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from ugs.broker.record import EntryKind
from ugs.record.game import Entry, GameRecord
from ugs.record.response_times import handed_before


@dataclass(frozen=True, slots=True)
class MoveTiming:
    """The time from the state before a move to the state after it, in microseconds; None where it is not known."""

    nick: str
    """Who moved."""
    number: int
    """Which move of the game it was, from 1."""
    player_us: int | None
    """From when the state had been handed to the network until the move had come: network and bot."""
    network_us: int | None
    """The measured round trip to the player, at most ``player_us``."""
    bot_us: int | None
    """What is left of ``player_us``."""
    broker_us: int | None
    """Handing on the state, and handing on the move."""
    master_us: int | None
    """From when the move had been handed to the network until the next state had come: master and its network."""
    total_us: int | None
    """From state to state."""


def timing_of_last_move(record: GameRecord, round_trips_us: Sequence[int] = ()) -> MoveTiming | None:
    """The timing of the last move of a game; None when nobody has moved, or the entries have not been kept.

    ``round_trips_us`` is that of the master, then of each seat, where 0 is unknown; without it that of the record
    holds.
    """
    entries = [replace(entry, handed_us=handed_before(record.entries, at)) for at, entry in enumerate(record.entries)]
    moves = [at for at, entry in enumerate(entries) if entry.kind is EntryKind.MOVE]
    if not moves:
        return None
    at = moves[-1]
    move = entries[at]
    state = next((entry for entry in reversed(entries[:at]) if entry.kind is EntryKind.STATE), None)
    answer = next((entry for entry in entries[at + 1 :] if _from_master(entry)), None)
    seat = move.seat or 0
    trips = round_trips_us or record.round_trips_us
    trip = trips[seat + 1] if seat + 1 < len(trips) else 0
    player_us = _since(move, move.handed_us)
    network_us = min(trip, player_us) if trip and player_us is not None else None
    return MoveTiming(
        record.seats[seat],
        len(moves),
        player_us,
        network_us,
        player_us - network_us if player_us is not None and network_us is not None else None,
        _broker_us(state, move, answer),
        _since(answer, answer.handed_us) if answer is not None else None,
        answer.mono_us - state.mono_us if answer is not None and state is not None else None,
    )


def _from_master(entry: Entry) -> bool:
    return entry.kind is EntryKind.STATE or (entry.kind is EntryKind.OVER and bool(entry.body))


def _since(entry: Entry, handed_us: int) -> int | None:
    return entry.mono_us - handed_us if handed_us else None


def _broker_us(*entries: Entry | None) -> int | None:
    """From when each of these had come until the next one's ``handed_us``; None when any of it is not known."""
    total = 0
    for before, after in pairwise(entries):
        if before is None or after is None or not after.handed_us:
            return None
        total += after.handed_us - before.mono_us
    return total
