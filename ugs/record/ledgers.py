"""Ledgers of championships in a file of JSON lines, before the games: one line for each entry.

``docs/game-record.md`` describes the lines. A reader of games skips them.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec

from ugs.path_faults import reason_of
from ugs.printable import safe_json
from ugs.record.size_limits import ANY_GAME, Bounds, Measure
from ugs.record.strict_json import as_struct, decode
from ugs.record.validation import RecordError

LEDGER: Final = "ledger"
"""The key that such a line has; its value is the name of the championship."""


class LedgerLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One entry of a ledger."""

    ledger: str
    type: str
    at_us: Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
    """Microseconds since 1970 (UTC)."""
    what: str
    who: str = ""
    why: str = ""
    data: dict[str, Any]


def write_ledger(lines: Iterable[LedgerLine]) -> bytes:
    """Return these entries as lines of JSON in UTF-8."""
    written = (json.dumps(msgspec.structs.asdict(line), ensure_ascii=False, separators=(",", ":")) for line in lines)
    return "".join(f"{safe_json(text)}\n" for text in written).encode()


def read_ledgers(path: Path, bounds: Bounds = ANY_GAME) -> dict[str, list[LedgerLine]]:
    """Return the ledgers in a file by the name of their championship; none where the file is no JSON lines. All of them
    together take no more than one game may, by the ``bounds``.

    Raises RecordError, which names file and line.
    """
    found: dict[str, list[LedgerLine]] = {}
    taken = Measure(bounds)
    try:
        with path.open("rb") as file:
            for number, line in enumerate(bounds.lines(file), start=1):
                if line.startswith(b'{"ledger"'):
                    taken.add(number, line, kept_as_values=True)
                    entry = _entry(number, line)
                    found.setdefault(entry.ledger, []).append(entry)
    except OSError as error:
        raise RecordError(f"{path}: cannot be read: {reason_of(error)}") from None
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from None
    return found


def _entry(number: int, line: bytes) -> LedgerLine:
    try:
        entry = as_struct(LedgerLine, decode(line))
        json.dumps(
            msgspec.structs.asdict(entry), ensure_ascii=False
        ).encode()  # halves of surrogate pairs cannot be kept
    except UnicodeEncodeError:
        raise RecordError(f"line {number}: no entry of a ledger: it contains half of a surrogate pair") from None
    except ValueError as error:
        raise RecordError(f"line {number}: no entry of a ledger: {error}") from None
    return entry
