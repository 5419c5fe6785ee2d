"""Where the time of a move went.

A master's state goes to the player whose turn it is; the move comes back and goes to the master; its next state comes
back. The server knows when each of the four had arrived or had been handed to the network; the time in between belongs
to the other side. Of the player's time, one measured round trip is the network's share, and the rest is the bot's.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from ugs.broker.values.record import EntryKind
from ugs.broker.verdict import Cause
from ugs.record.game import Entry, GameRecord
from ugs.record.response_times import handed_before, movers_of
from ugs.value import value


@value
class MoveTiming:
    """The time from the state before a move to the state after it, in microseconds; None where it is not known."""

    nick: str
    """The player who moved."""
    number: int
    """The number of the move in the game, from 1."""
    player_us: int | None
    """From when the state had been handed to the network until the move had arrived: network and bot."""
    network_us: int | None
    """The measured round trip to the player, at most ``player_us``."""
    bot_us: int | None
    """The rest of ``player_us``."""
    broker_us: int | None
    """The time to pass on the state and to pass on the move."""
    master_us: int | None
    """From when the move had been handed to the network until the next state had arrived: master and its network."""
    total_us: int | None
    """From the state before the move to the state after it."""


def timing_of_last_move(record: GameRecord, round_trips_us: Sequence[int] = ()) -> MoveTiming | None:
    """The timing of the last move of a game; None when no player has moved, or the entries have not been kept.

    ``round_trips_us`` holds the round trip of the master, then of each seat, 0 where it is not known; without it those
    of the record are used.
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
    # The round trip was measured at another moment, and may be longer than this move took.
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


@value
class MissedMove:
    """The move that a player owed when its time was up."""

    nick: str
    number: int
    """The number that the move would have had in the game, from 1."""
    waited_us: int
    """From the state that asked for it until the player was taken out."""


def missed_move(record: GameRecord) -> MissedMove | None:
    """The move that came too late, or never, of the last player who lost the game on time; None where none did, or the
    entries have not been kept."""
    entries = record.entries
    late = [at for at, one in enumerate(entries) if one.kind is EntryKind.LEFT and one.text == str(Cause.TIMEOUT)]
    if not late:
        return None
    at = late[-1]
    gone = entries[at]
    asked = next((one for one in reversed(entries[:at]) if one.kind is EntryKind.STATE), None)
    if gone.seat is None or asked is None or gone.seat not in movers_of(asked):
        return None
    moves = sum(one.kind is EntryKind.MOVE for one in entries[:at])
    return MissedMove(record.seats[gone.seat], moves + 1, gone.mono_us - asked.mono_us)


def _from_master(entry: Entry) -> bool:
    return entry.kind is EntryKind.STATE or (entry.kind is EntryKind.OVER and bool(entry.body))


def _since(entry: Entry, handed_us: int) -> int | None:
    return entry.mono_us - handed_us if handed_us else None


def _broker_us(*entries: Entry | None) -> int | None:
    """From when each of these entries had arrived until the ``handed_us`` of the next one; None if any of it is not
    known."""
    total = 0
    for before, after in pairwise(entries):
        if before is None or after is None or not after.handed_us:
            return None
        total += after.handed_us - before.mono_us
    return total
