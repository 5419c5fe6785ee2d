"""The map in a package's ``__init__.py`` names every module and package of its folder, and nothing else.

Extensions and families are found by their files, so that a new one is named nowhere: each says itself what it is for.
"""

import ast
import importlib
import pkgutil
import re
from pathlib import Path

import pytest

from ugs.broker import extensions
from ugs.wire.extensions import Family

TOP = Path(__file__).parents[1]
PACKAGES = sorted(
    str(path.parent.relative_to(TOP)) for top in ("ugs", "game_masters") for path in (TOP / top).rglob("__init__.py")
)
ENTRY = re.compile(r"^ *(\w+)(?:\.py|/)(?= +\S)", re.MULTILINE)
"""A line of a map begins with a module, ``name.py``, or a package, ``name/``."""


def named_in(docstring: str) -> list[str]:
    """The modules and packages that a map names, in its order."""
    return ENTRY.findall(docstring)


def modules_in(folder: Path) -> set[str]:
    """The modules and packages in a folder."""
    packages = {path.parent.name for path in folder.glob("*/__init__.py")}
    return packages | {path.stem for path in folder.glob("*.py") if path.stem != "__init__"}


def first_of(docstring: str | None) -> str:
    """The first paragraph."""
    return (docstring or "").split("\n\n")[0]


def extensions_found() -> dict[str, str]:
    """The extensions that the broker finds, each with what its docstring says first."""
    folder = pkgutil.iter_modules(extensions.__path__)
    names = {module.name: importlib.import_module(f"{extensions.__name__}.{module.name}") for module in folder}
    return {name: first_of(module.__doc__) for name, module in names.items() if hasattr(module, "EXTENSION")}


FOUND_BY_FILE = {"ugs/broker/extensions": set(extensions_found()), "ugs/wire/extensions": {str(one) for one in Family}}


@pytest.mark.parametrize("package", PACKAGES)
def test_a_map_names_what_is_in_its_folder_once(package: str) -> None:
    folder = TOP / package
    docstring = ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8")))
    assert docstring is not None
    assert sorted(named_in(docstring)) == sorted(modules_in(folder) - FOUND_BY_FILE.get(package, set()))


def test_extensions_say_which_families_they_are_for_and_leave_out_none() -> None:
    families = {name: set(re.findall(r"``(\w+)``", text)) & set(Family) for name, text in extensions_found().items()}
    assert all(families.values())
    assert set().union(*families.values()) == set(Family)


def test_a_map_is_read_as_people_read_it() -> None:
    docstring = "Title.\n\n    one.py    the first, either/or\n    three/  the third, see four.py\n"
    assert named_in(docstring) == ["one", "three"]
    assert named_in("Only prose about ``values`` and ugs/wire/codec.py here.") == []
