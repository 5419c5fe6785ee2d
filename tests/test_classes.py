"""No class grows into a house of its own: it has few attributes."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

TOP: Final = Path(__file__).parents[1]
MAX_ATTRIBUTES: Final = 18
TABLES: Final = ("config", "settings", "plan")
"""Modules whose classes are tables of settings: lists, not objects."""
_NAMED: Final = re.compile(r"^\s+(?:self\.)?(\w+)\s*(?::|=)", re.MULTILINE)
"""What may be an attribute."""


def attributes(one: ast.ClassDef) -> set[str]:
    """The names that a class declares, and those that its constructor assigns one by one."""
    targets: list[ast.expr] = [part.target for part in one.body if isinstance(part, ast.AnnAssign)]
    found = {target.id for target in targets if isinstance(target, ast.Name)}
    for function in one.body:
        if isinstance(function, ast.FunctionDef) and function.name == "__init__":
            for part in ast.walk(function):
                targets = part.targets if isinstance(part, ast.Assign) else []
                targets = [part.target] if isinstance(part, ast.AnnAssign) else targets
                found |= {t.attr for t in targets if isinstance(t, ast.Attribute) and ast.unparse(t.value) == "self"}
    return found


def classes() -> Iterator[tuple[str, ast.ClassDef]]:
    """Each class of the packages that may have many, with its module."""
    for package in ("ugs", "game_masters"):
        for path in (TOP / package).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            # Reading all trees takes seconds, and few files name so many attributes at all.
            if len(set(_NAMED.findall(text))) > MAX_ATTRIBUTES and not any(word in path.stem for word in TABLES):
                for node in ast.walk(ast.parse(text)):
                    if isinstance(node, ast.ClassDef):
                        yield str(path.relative_to(TOP)), node


def test_no_class_has_many_attributes() -> None:
    found = {f"{path}:{one.name}": len(attributes(one)) for path, one in classes()}
    assert len(found) > 100
    assert {name: number for name, number in found.items() if number > MAX_ATTRIBUTES} == {}
