"""Finds every regular expression in the packages: each call of ``re`` in their sources, and what it compiles."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from tests.sources import statements

TOP: Final = Path(__file__).parents[2]
PACKAGES: Final = ("ugs", "game_masters")
ASKS: Final = frozenset({"match", "fullmatch", "search", "findall", "finditer", "sub", "subn", "split"})


@dataclass(frozen=True)
class Site:
    """One call of ``re`` in a source."""

    module: str
    name: str
    """The name that it is assigned to; for others the expression as it is written, or ``line N`` within a function."""
    asks: frozenset[str]
    """How it is asked, as far as the sources tell."""

    @property
    def key(self) -> str:
        """As the table names it."""
        return f"{self.module}:{self.name}"


@cache
def trees() -> dict[str, ast.Module]:
    """All sources that may call ``re`` or ask an expression, by module. Parsing the others would take twice as long."""
    return {
        ".".join(path.relative_to(TOP).with_suffix("").parts).removesuffix(".__init__"): ast.parse(text)
        for package in PACKAGES
        for path in sorted((TOP / package).rglob("*.py"))
        if any(f".{called}" in (text := path.read_text(encoding="utf-8")) for called in (*ASKS, "compile"))
    }


@cache
def asks_of_names() -> dict[str, frozenset[str]]:
    """How an expression is asked, ``_TAG.match`` or ``tags.TAG.search``: by its name, with its module before that if it
    is private."""
    found: dict[str, set[str]] = {}
    for module, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node.attr in ASKS:
                owner = node.value
                name = (
                    owner.id if isinstance(owner, ast.Name) else owner.attr if isinstance(owner, ast.Attribute) else ""
                )
                found.setdefault(_known_as(module, name), set()).add(node.attr)
    return {name: frozenset(asks) for name, asks in found.items()}


def _known_as(module: str, name: str) -> str:
    return f"{module}:{name}" if name.startswith("_") else name


@cache
def sites() -> dict[str, Site]:
    """Every call of ``re`` that has an expression, by its key in the table."""
    return {site.key: site for site in _sites()}


def _imports_re(tree: ast.Module) -> bool:
    """Whether a source may call ``re`` at all: most of those that split texts do not."""
    return any(
        isinstance(node, ast.Import) and any(alias.name == "re" for alias in node.names) for node in statements(tree)
    )


def _sites() -> Iterator[Site]:
    for module, tree in trees().items():
        if not _imports_re(tree):
            continue
        nodes = list(ast.walk(tree))
        assigned = {
            id(node.value): target.id
            for node in nodes
            if isinstance(node, ast.Assign | ast.AnnAssign)
            for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
            if isinstance(target, ast.Name)
        }
        for node in nodes:
            ask = _ask_of_re(node.func) if isinstance(node, ast.Call) else ""
            if not ask or not isinstance(node, ast.Call):
                continue
            name = assigned.get(id(node)) if ask == "compile" else None
            if name is not None:
                yield Site(module, name, asks_of_names().get(_known_as(module, name), frozenset()))
            else:
                yield Site(module, ast.unparse(node.args[0]), frozenset({ask}) - {"compile"})


def _ask_of_re(function: ast.expr) -> str:
    """``match`` of ``re.match`` and the like; the empty text for all else."""
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.value.id == "re":
        return function.attr if function.attr in ASKS | {"compile"} else ""
    return ""


def compiled(site: Site, made: str | bytes | None = None) -> "re.Pattern[Any]":
    """The expression of a site; ``made`` is one that its source makes, where that is not written there."""
    module: ModuleType = import_module(site.module)
    found = getattr(module, site.name, None)
    if isinstance(found, re.Pattern):
        return found
    return re.compile(made if made is not None else ast.literal_eval(site.name))
