"""The map in the docstring of a package names everything in its folder, and nothing else."""

import re
from importlib import import_module
from pathlib import Path

import pytest

MAPPED = ("ugs", "ugs.commands", "game_masters.commands")
ENTRY = re.compile(r"^ *(\w+(?:/|\.py)) +\S", re.MULTILINE)
"""A line of a map: a module or a subpackage, and what it is for."""


@pytest.mark.parametrize("package", MAPPED)
def test_the_map_of_a_package_is_complete(package: str) -> None:
    module = import_module(package)
    assert module.__file__ is not None
    assert module.__doc__ is not None
    folder = Path(module.__file__).parent
    modules = {path.name for path in folder.glob("*.py")} - {"__init__.py"}
    packages = {f"{path.parent.name}/" for path in folder.glob("*/__init__.py")}
    named = ENTRY.findall(module.__doc__)
    assert sorted(named) == sorted(modules | packages)
