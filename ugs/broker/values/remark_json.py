"""Remarks of players as they are recorded, and sent to spectators: a JSON object with the fields that are not empty.

``{"value": 0.25, "plan": "the left side", "line": "9,10 8,10", "marks": [{"at": "9,10", "to": "8,10", "text": "1"}]}``
"""

import json
from typing import Any, TypeGuard

from ugs.wire.extensions import BoardMark, Remark


class NoRemark(ValueError):
    """These bytes are no remark. The text gives the reason."""


def remark_body(remark: Remark) -> bytes:
    """Return a remark as it is recorded: JSON in UTF-8, in one line."""
    marks = [{name: text for name, text in _fields(mark) if text} for mark in remark.marks]
    fields = {"value": remark.worth, "plan": remark.plan, "line": remark.line, "marks": marks}
    filled = {name: one for name, one in fields.items() if one is not None and one not in ("", [])}
    return json.dumps(filled, ensure_ascii=False, separators=(",", ":")).encode()


def read_remark(game_id: str, body: bytes) -> Remark:
    """:func:`remark_body` read back. Raises :class:`NoRemark` for any other bytes."""
    try:
        fields = json.loads(body)
    # RecursionError: brackets nested deeply.
    except (ValueError, RecursionError) as error:
        raise NoRemark(f"not JSON: {error}") from None
    if not isinstance(fields, dict):
        raise NoRemark("not a JSON object")
    worth, plan, line = fields.get("value"), fields.get("plan", ""), fields.get("line", "")
    marks = fields.get("marks", [])
    if not (worth is None or _is_number(worth)) or not isinstance(plan, str) or not isinstance(line, str):
        raise NoRemark("value, plan or line: not a number or not a text")
    if not isinstance(marks, list):
        raise NoRemark("marks: not a list")
    return Remark(game_id, None if worth is None else float(worth), plan, line, tuple([_mark(one) for one in marks]))


def _fields(mark: BoardMark) -> tuple[tuple[str, str], ...]:
    return ("at", mark.at), ("to", mark.to), ("text", mark.text)


def _mark(fields: Any) -> BoardMark:
    if not isinstance(fields, dict):
        raise NoRemark("marks: not an object")
    texts = [fields.get(name, "") for name in ("at", "to", "text")]
    if not all(isinstance(text, str) for text in texts):
        raise NoRemark("marks: not a text")
    return BoardMark(*texts)


def _is_number(number: object) -> TypeGuard[float]:
    # NaN and the infinities compare false with everything or are too large.
    return isinstance(number, int | float) and not isinstance(number, bool) and abs(number) < 1e13
