"""The journal's statements, which are written for SQLite, in the words of PostgreSQL."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

WORDS: Final[Mapping[str, str]] = {
    "CROSS JOIN": "JOIN",
    "ifnull(": "coalesce(",
    "instr(": "strpos(",
    "g.table_facts ->>": "g.table_facts::json ->>",
    "json_group_array(json_array(p.name, s.outcome, s.departure, f.times))": "coalesce(json_agg(json_build_array("
    "p.name, s.outcome, s.departure, f.times) ORDER BY s.seat)::text, '[]')",
    "/ 1e6": "/ 1e6::float8",
    "LIMIT ?": "LIMIT nullif(?::bigint, -1)",  # -1 is no limit
    "WHERE entries ORDER": "WHERE entries <> 0 ORDER",
    "SELECT value FROM json_each(?)": "SELECT unnest(?::{type}[])",
}
"""What is replaced, in this order."""
VIEW: Final = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
"""What a reader's BEGIN means: a consistent view of all tables."""
_LIST: Final = re.compile(r"(\w+) IN \(SELECT value FROM json_each\(\?\)\)")
_PARAMETER: Final = re.compile(r"\?(\d*)")
MIN_INTEGER: Final = -(2**63)
MAX_INTEGER: Final = 2**63 - 1
REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"
"""What stands for a NUL, which PostgreSQL cannot keep in a text."""

Adapter = Callable[[Any], Any]


@lru_cache(maxsize=512)
def translated(statement: str, texts: frozenset[str] = frozenset({"session"})) -> tuple[str, Adapter]:
    """Return the statement for psycopg, and what makes its parameters of ours. ``texts`` are the columns of text that a
    list is compared with; all others are numbers."""
    places: list[int] = []
    lists: set[int] = set()
    query = statement
    for found in _LIST.finditer(statement):
        kind = "text" if found[1] in texts else "bigint"
        query = query.replace(found[0], f"{found[1]} = ANY(?#::{kind}[])", 1)
    for ours, theirs in WORDS.items():
        query = query.replace(ours, theirs)
    # psycopg takes a single percent sign for a parameter.
    query = query.replace("%", "%%")

    def parameter(found: re.Match[str]) -> str:
        number = int(found[1]) - 1 if found[1] else len(places)
        places.append(number)
        if query[found.end() : found.end() + 1] == "#":
            lists.add(len(places) - 1)
        return "%s"

    query = _PARAMETER.sub(parameter, query).replace("%s#", "%s")
    order = None if places == list(range(len(places))) else tuple(places)
    if not lists and order is None:
        return query, _plain
    return query, lambda parameters: _ordered(parameters, order, lists)


def storable(cell: Any) -> Any:
    """Return a cell as PostgreSQL can keep it. Raises OverflowError for a number beyond 64 bits, as SQLite does."""
    kind = type(cell)
    # By the exact type first: nearly all cells are plain numbers, and enumerations are looked at last.
    if kind is int:
        if not MIN_INTEGER <= cell <= MAX_INTEGER:
            raise OverflowError(f"{cell} does not fit into 64 bits")
        return cell
    if kind is bytes or cell is None:
        return cell
    if isinstance(cell, str):
        return str.__str__(cell).replace("\0", REPLACEMENT) if "\0" in cell else str.__str__(cell)
    if isinstance(cell, int):  # an enumeration, or a truth value
        return int(cell)
    return cell


def _plain(parameters: Sequence[Any]) -> list[Any]:
    return [storable(cell) for cell in parameters]


def _ordered(parameters: Sequence[Any], order: tuple[int, ...] | None, lists: set[int]) -> list[Any]:
    cells = list(parameters) if order is None else [parameters[number] for number in order]
    return [json.loads(cell) if place in lists else storable(cell) for place, cell in enumerate(cells)]
