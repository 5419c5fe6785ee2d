"""All calls in the source of the server that write a line into its log."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

TOP = Path(__file__).parents[2] / "ugs"
ROOMS = ("broker", "daemon", "page", "pictures", "journal")
LEVELS = frozenset({"debug", "info", "warning", "error", "exception", "critical"})


@dataclass(frozen=True)
class Call:
    """One call: where it stands, what it says, and whether it says whose doing that is."""

    place: str
    event: str
    """``*`` where it is computed; of a text with parts, these."""
    has_origin: bool


def log_calls() -> Iterator[Call]:
    """All of them."""
    for room in ROOMS:
        for path in sorted((TOP / room).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if not isinstance(node, ast.Call) or not node.args:
                    continue
                place = f"{path.relative_to(TOP)}:{node.lineno}"
                if ast.unparse(node.func) == "remember":  # of a login that is refused: its own note has the newcomer
                    for event in _events(node.args[3]):
                        yield Call(place, event, True)
                elif _is_of_a_log(node.func):
                    for event in _events(node.args[0]):
                        yield Call(place, event, _has_origin(node))


def _is_of_a_log(called: ast.expr) -> bool:
    if not isinstance(called, ast.Attribute):
        return False
    whose = ast.unparse(called.value)
    if called.attr == "note":
        return whose == "server"
    return called.attr in LEVELS and (whose.endswith(("log", "_log()")) or whose.startswith("structlog.get_logger"))


def _events(said: ast.expr) -> list[str]:
    if isinstance(said, ast.Constant):
        return [str(said.value)]
    if isinstance(said, ast.IfExp):
        return _events(said.body) + _events(said.orelse)
    if isinstance(said, ast.JoinedStr):
        return ["".join(str(part.value) if isinstance(part, ast.Constant) else "*" for part in said.values)]
    return ["*"]


def _has_origin(call: ast.Call) -> bool:
    is_note = isinstance(call.func, ast.Attribute) and call.func.attr == "note"
    return (is_note and len(call.args) > 1) or any(one.arg == "address" for one in call.keywords)
