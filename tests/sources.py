"""Our modules as the tests of the house see them: by their names, and what each imports."""

import ast
from collections.abc import Iterator
from pathlib import Path

TOP = Path(__file__).parents[1]
OURS = ("ugs", "game_masters")


def module_name(path: Path) -> str:
    """``ugs/wire/codec.py`` is ``ugs.wire.codec``; a package is its folder."""
    parts = path.relative_to(TOP).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


SOURCES = {module_name(path): path for top in OURS for path in sorted((TOP / top).rglob("*.py"))}


def tree_of(name: str) -> ast.Module:
    """The source of one of our modules, parsed."""
    return ast.parse(SOURCES[name].read_text(encoding="utf-8"))


def statements(parent: ast.AST) -> Iterator[ast.stmt]:
    """Every statement in this one, however deep. What lies in expressions, most of all nodes, is not looked at."""
    for field in ("body", "orelse", "handlers", "finalbody", "cases"):
        for node in getattr(parent, field, ()):
            if isinstance(node, ast.stmt):
                yield node
            yield from statements(node)


def imported(tree: ast.Module) -> Iterator[str]:
    """Every module that this source imports, inside functions and for type checkers too. ``from x import y`` may give
    the module x or the module x.y: both come out."""
    for node in statements(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in SOURCES else node.module
