"""The account of a game for one of its players, far away: what it has sent and was sent, and nothing else.

The sentence of a verdict is made in ``ugs/broker/verdict_sentences.py``.

Whose a document is follows from the seat and the kind of its entry, never from a name: a player may be called "server".
"""

from typing import Final

from ugs.broker.values.record import EntryKind
from ugs.record.game import Entry, GameRecord
from ugs.record.narration import CUT
from ugs.why.answer import exchange_as_json, game_account
from ugs.why.exchanges import Exchange, exchanges
from ugs.why.text import as_text

SHOWN: Final = frozenset({EntryKind.STATE, EntryKind.OVER})
"""Entries whose documents go to players, each one named."""
OWN: Final = frozenset(
    {
        EntryKind.MOVE,
        EntryKind.REMARK,
        EntryKind.OPENREMARK,
        EntryKind.FAULT,
        EntryKind.LEFT,
        EntryKind.REJOINED,
        EntryKind.ERROR,
        EntryKind.REFUSED,
        EntryKind.REASON,
        EntryKind.CUT,
        EntryKind.BACK,
    }
)
"""Entries that concern the player of their seat alone."""
MAX_LINE: Final = 2000
"""Characters of a line; of a longer one the beginning is shown."""


def own_account(
    record: GameRecord, nick: str, last: int, now_us: int, moves: int | None = None, *, runs: bool = False
) -> str:
    """The account of a game for its player ``nick``, as lines, with the ``last`` documents that concern it.

    ``now_us`` is the present time in microseconds since 1970. A running game whose record lacks some entries has had
    ``moves`` moves. With ``runs`` a server has the game: of one without a verdict, the caller says where it stands.
    The seat of another player is never looked into: neither its views nor its moves are in there, nor
    any address.
    """
    seat = record.seats.index(nick)
    found = [one for one in exchanges(record) if _concerns(record.entries[one.entry - 1], one, seat, nick)]
    account = game_account(record, 0, now_us)
    if moves is not None and record.result is None:
        account["moves"] = moves
    if runs and record.result is None:
        account["why"] = []  # it would be that the server was lost
    account["exchanges"] = [exchange_as_json(one) for one in found[max(0, len(found) - last) :]]
    # How long another player took for its move is not for this one to see.
    if account["last_move"] is not None and account["last_move"]["nick"] != nick:
        account["last_move"] = None
    return "\n".join(map(_shortened, as_text(account).split("\n")))


def _concerns(entry: Entry, exchange: Exchange, seat: int, nick: str) -> bool:
    if entry.kind in SHOWN:
        return nick in exchange.receivers
    return entry.kind in OWN and entry.seat == seat


def _shortened(line: str) -> str:
    return line if len(line) <= MAX_LINE else f"{line[:MAX_LINE]}{CUT} ({len(line)} characters)"
