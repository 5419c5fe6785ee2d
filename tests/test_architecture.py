"""What the pages for developers say of the source is true."""

import ast
import re
import tomllib
from functools import cache
from itertools import chain

import pytest

from tests.sources import SOURCES, TOP, tree_of
from ugs.config import Config

PAGES = ("architecture", "changing", "choices", "ways")
CODE = re.compile(r"`([^`\n]+)`")
BLOCK = re.compile(r"^```\n.*?^```\n", re.MULTILINE | re.DOTALL)
TO_COME = {"NAME", "FORMS", "EXTENSION"}
"""What the reader is to write, or what every module of a kind has."""
WORDS_OF_THE_WIRE = {"error"}
CONTRACTS = {
    contract["id"]: contract
    for contract in tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
}


def page(name: str) -> str:
    return (TOP / "docs" / f"{name}.md").read_text(encoding="utf-8")


def named(name: str) -> list[str]:
    """What a page writes as code within its sentences."""
    return CODE.findall(BLOCK.sub("", page(name)))


def names_in(body: list[ast.stmt]) -> set[str]:
    """The functions, classes and assigned names of a module or class."""
    found: set[str] = set()
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.AnnAssign):
            found.add(ast.unparse(node.target))
        elif isinstance(node, ast.Assign):
            found |= {name for target in node.targets for name in ast.unparse(target).strip("()").split(", ")}
    return found


def is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


@cache
def known() -> dict[str, set[str]]:
    """What each module (by the last part of its name) and each class holds."""
    holders: dict[str, set[str]] = {}
    for name in SOURCES:
        body = tree_of(name).body
        holders.setdefault(name.rpartition(".")[2], set()).update(names_in(body))
        for node in body:
            if isinstance(node, ast.ClassDef):
                kept = {one.attr for one in ast.walk(node) if isinstance(one, ast.Attribute) and is_self(one.value)}
                holders.setdefault(node.name, set()).update(names_in(node.body) | kept)
    return holders


def is_true(code: str) -> bool:
    """Whether what a page writes as code is there; what is not the name of a path, module, class or function is not
    judged."""
    if re.fullmatch(r"[\w./-]+/[\w./-]*", code):
        return (TOP / code).exists()
    if " " not in code and code.endswith((".py", ".toml")):
        return (TOP / code).exists() or any(path.name == code for path in SOURCES.values())
    if re.fullmatch(r"[A-Za-z_]\w*", code):
        everything = {*chain.from_iterable(known().values()), *Config.fields(), *TO_COME, *WORDS_OF_THE_WIRE}
        return code in everything
    if re.fullmatch(r"[A-Za-z_]\w*\.\w+", code) and not code.startswith("ugs."):
        holder, _, name = code.partition(".")
        return name in known().get(holder, set())
    return True


@pytest.mark.parametrize("name", PAGES)
def test_everything_a_page_names_is_there(name: str) -> None:
    assert [code for code in named(name) if not is_true(code)] == []


@pytest.mark.parametrize("name", PAGES)
def test_every_page_that_a_page_points_to_is_there(name: str) -> None:
    links = re.findall(r"\]\(([\w./-]+)\)", page(name))
    assert links, "a page that leads nowhere"
    assert [link for link in links if not (TOP / "docs" / link).is_file()] == []


@pytest.mark.parametrize("contract", ["house", "broker"])
def test_the_reader_sees_the_layers_that_are_checked(contract: str) -> None:
    block = re.search(rf"<!-- contract: {contract} -->\n```\n(.*?)```", page("architecture"), re.DOTALL)
    assert block is not None
    layers = CONTRACTS[contract]["layers"]
    lines = block[1].splitlines()
    assert len(lines) == len(layers)
    assert [
        line for line, layer in zip(lines, layers, strict=True) if not re.match(rf"{re.escape(layer)}( |$)", line)
    ] == []


def test_what_is_gone_would_be_noticed() -> None:
    gone = ["ugs/broker/rules.py", "rules_of_old.py", "Broker.juggle", "endings.vanish", "Majordomo"]
    assert not any(map(is_true, gone))
    assert all(map(is_true, ["ugs/broker/", "Broker.handle", "endings.announce", "life.py", "drain_s", "make lint"]))
