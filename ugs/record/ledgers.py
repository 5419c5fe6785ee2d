"""Ledgers of championships in a file of JSON lines, before the games: one line for each entry.

``docs/game-record.md`` describes the lines. A reader of games skips them.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ugs.printable import safe_json
from ugs.record.size_limits import ANY_GAME, Bounds, Measure
from ugs.record.strict_json import decode
from ugs.record.validation import RecordError

LEDGER: Final = "ledger"
"""The key that such a line has; its value is the name of the championship."""


class LedgerLine(BaseModel):
    """One entry of a ledger."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    ledger: str
    type: str
    at_us: Annotated[int, Field(ge=-(2**63), lt=2**63)]
    """Microseconds since 1970 (UTC)."""
    what: str
    who: str = ""
    why: str = ""
    data: dict[str, Any]


def write_ledger(lines: Iterable[LedgerLine]) -> bytes:
    """Return these entries as lines of JSON in UTF-8."""
    written = (json.dumps(line.model_dump(), ensure_ascii=False, separators=(",", ":")) for line in lines)
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
        raise RecordError(f"{path}: cannot be read: {error.strerror}") from None
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from None
    return found


def _entry(number: int, line: bytes) -> LedgerLine:
    try:
        entry = LedgerLine.model_validate(decode(line))
        json.dumps(entry.model_dump(), ensure_ascii=False).encode()  # halves of surrogate pairs cannot be kept
    except UnicodeEncodeError:
        raise RecordError(f"line {number}: no entry of a ledger: it contains half of a surrogate pair") from None
    except ValidationError as error:
        mistake = error.errors()[0]
        where = ".".join(map(str, mistake["loc"]))
        raise RecordError(f"line {number}: no entry of a ledger: {where}: {mistake['msg']}") from None
    except ValueError as error:
        raise RecordError(f"line {number}: no entry of a ledger: {error}") from None
    return entry
