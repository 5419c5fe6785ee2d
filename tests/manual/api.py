"""What the kit offers to authors of games and bots, from its docstrings: a page for each module."""

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.sources import SOURCES, TOP

MODULES: Final = ("ugs.peer", "ugs.gateway", "ugs.pictures.contract", "ugs.sketch.vocabulary", "game_masters.registry")
"""What authors meet besides the kit."""
KIT: Final = "game_masters.kit"
ROLE: Final = re.compile(r":(?:mod|class|func|meth|attr|data|exc|obj):`~?\.?([^`]+)`")


def modules() -> list[str]:
    """The modules that have a page, sorted."""
    return sorted([*MODULES, *(name for name in SOURCES if name.startswith(f"{KIT}."))])


def pages() -> Iterator[tuple[str, str]]:
    """A page for each module, by name, and one that lists them."""
    trees = {name: ast.parse(SOURCES[name].read_text(encoding="utf-8")) for name in modules()}
    rows = [f"| [`{name}`]({name}.md) | {_first(tree)} |" for name, tree in trees.items()]
    heading = "# The kit, module by module\n\nBegin with `game_masters.kit.rules`: it is what a game implements.\n"
    yield "index.md", "\n".join([heading, "| module | what it is |", "|---|---|", *rows, ""])
    for name, tree in trees.items():
        yield f"{name}.md", "\n".join([f"# {name}\n", *_body(tree, SOURCES[name], 2)])


def as_markdown(docstring: str | None) -> str:
    """A docstring without the indent of its place, which is written for Sphinx, as markdown."""
    text = ROLE.sub(lambda found: f"`{found[1].rpartition('.')[2]}`", docstring or "")
    text = re.sub(r"``(.+?)``", r"`\1`", text, flags=re.DOTALL)
    text = re.sub(r"::\n", ":\n", text)
    pieces = re.split(r"(`[^`]*`|^ {4}.*$)", text, flags=re.MULTILINE)
    pieces[::2] = [piece.replace("<", "&lt;").replace("*", "\\*").replace("_", "\\_") for piece in pieces[::2]]
    return re.sub(r"^\\\* ", "* ", "".join(pieces), flags=re.MULTILINE)


def _body(tree: ast.Module | ast.ClassDef, path: Path, level: int) -> Iterator[str]:
    """What is said of a module or class, then its public parts."""
    yield as_markdown(ast.get_docstring(tree)) + "\n"
    if isinstance(tree, ast.Module):
        yield f"Source: `{path.relative_to(TOP).as_posix()}`\n"
    for number, node in enumerate(tree.body):
        after = tree.body[number + 1] if number + 1 < len(tree.body) else None
        if isinstance(node, ast.ClassDef) and _is_public(node.name):
            bases = ", ".join(ast.unparse(base) for base in node.bases)
            yield f"{'#' * level} {node.name}\n"
            yield f"```python\nclass {node.name}{f'({bases})' if bases else ''}\n```\n"
            yield from _body(node, path, level + 1)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and _is_public(node.name):
            yield f"{'#' * level} {node.name}\n"
            yield f"```python\n{_signature(node)}\n```\n"
            yield as_markdown(ast.get_docstring(node)) + "\n"
        elif isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(after, ast.Expr):
            said = after.value.value if isinstance(after.value, ast.Constant) else None
            target = ast.unparse(node.target if isinstance(node, ast.AnnAssign) else node.targets[0])
            if isinstance(said, str) and _is_public(target):
                kind = f": {ast.unparse(node.annotation)}" if isinstance(node, ast.AnnAssign) else ""
                yield f"`{target}{kind}`\n"
                yield f":   {as_markdown(inspect.cleandoc(said))}\n".replace("\n", "\n    ").rstrip() + "\n"


def _signature(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    begin = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
    marks = "".join(f"@{ast.unparse(one)}\n" for one in node.decorator_list)
    returns = f" -> {ast.unparse(node.returns)}" if node.returns is not None else ""
    line = f"{begin} {node.name}({ast.unparse(node.args)}){returns}"
    if len(line) > 100:
        line = line.replace(", ", ",\n    ")
    return marks + line


def _first(tree: ast.Module) -> str:
    return " ".join(as_markdown(ast.get_docstring(tree)).partition("\n\n")[0].split()).replace("|", "\\|")


def _is_public(name: str) -> bool:
    return not name.startswith("_")
