"""Classes have few attributes, functions of commands few parameters and lines: none grows into a house of its own."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, TypeAlias

TOP: Final = Path(__file__).parents[1]
MAX_ATTRIBUTES: Final = 18
MAX_PARAMETERS: Final = 8
MAX_LINES: Final = 60
"""Of a function's code, without its parameters and its docstring, which is what ``--help`` prints."""
COMMANDS: Final = ("ugs/commands", "game_masters/commands")
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


Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


def functions_of_commands() -> Iterator[tuple[str, Function]]:
    """Each function of the command line, with its place."""
    for path in (path for folder in COMMANDS for path in (TOP / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, Function):
                yield f"{path.relative_to(TOP)}:{node.name}", node


def parameters(one: Function) -> int:
    """How many parameters a function has."""
    return len([*one.args.posonlyargs, *one.args.args, *one.args.kwonlyargs])


def lines(one: Function) -> int:
    """How many lines of code a function has."""
    first = one.body[1:2] if ast.get_docstring(one) is not None else one.body[:1]
    return (one.end_lineno or 0) - first[0].lineno + 1 if first else 0


def test_no_function_of_a_command_has_many_parameters_or_lines() -> None:
    found = dict(functions_of_commands())
    assert len(found) > 300
    assert {name: n for name, one in found.items() if (n := parameters(one)) > MAX_PARAMETERS} == {}
    assert {name: n for name, one in found.items() if (n := lines(one)) > MAX_LINES} == {}
