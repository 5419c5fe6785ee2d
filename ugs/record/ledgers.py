"""Ledgers of championships in a file of JSON lines, before the games: one line for each entry.

``docs/game-record.md`` describes the lines. Whoever reads games only passes them by.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, ValidationError

from ugs.printable import safe_json
from ugs.record.validation import RecordError

LEDGER: Final = "ledger"
"""The key that such a line has; its value is the name of the championship."""


class LedgerLine(BaseModel):
    """One entry of a ledger."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    ledger: str
    type: str
    at_us: int
    """Microseconds since 1970 (UTC)."""
    what: str
    who: str = ""
    why: str = ""
    data: dict[str, Any]


def write_ledger(lines: Iterable[LedgerLine]) -> bytes:
    """Return these entries as lines of JSON in UTF-8."""
    said = (json.dumps(line.model_dump(), ensure_ascii=False, separators=(",", ":")) for line in lines)
    return "".join(f"{safe_json(text)}\n" for text in said).encode()


def read_ledgers(path: Path) -> dict[str, list[LedgerLine]]:
    """Return the ledgers in a file by the name of their championship; none where the file is no JSON lines.

    Raises RecordError, which names file and line.
    """
    found: dict[str, list[LedgerLine]] = {}
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if not line.startswith(b'{"ledger"'):
                    continue
                try:
                    entry = LedgerLine.model_validate(json.loads(line))
                except (ValidationError, ValueError, RecursionError) as error:
                    reason = error.errors()[0]["msg"] if isinstance(error, ValidationError) else error
                    raise RecordError(f"{path}: line {number}: no entry of a ledger: {reason}") from None
                found.setdefault(entry.ledger, []).append(entry)
    except OSError as error:
        raise RecordError(f"{path}: cannot be read: {error.strerror}") from None
    return found
