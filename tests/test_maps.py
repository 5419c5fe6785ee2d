"""The map in a package's ``__init__.py`` names every module of its folder, and nothing else."""

import ast
import re
from pathlib import Path

import pytest

TOP = Path(__file__).parents[1]
MAPPED = (
    "ugs/journal",
    "ugs/lobby",
    "ugs/record",
    "ugs/replay",
    "ugs/standings",
    "ugs/watch",
    "ugs/why",
)
"""The packages whose ``__init__`` docstring is a complete map."""
ENTRY = re.compile(r"(?<![\w/.])(\w+)(?:\.py\b|/(?!\w))")
"""How a map names a module, ``name.py``, and a package, ``name/``."""


def named_in(docstring: str) -> set[str]:
    """The modules and packages that a map names."""
    return set(ENTRY.findall(docstring))


def modules_in(folder: Path) -> set[str]:
    """The modules and packages in a folder."""
    packages = {path.parent.name for path in folder.glob("*/__init__.py")}
    return packages | {path.stem for path in folder.glob("*.py") if path.stem != "__init__"}


@pytest.mark.parametrize("package", MAPPED)
def test_a_map_names_the_modules_of_its_folder(package: str) -> None:
    folder = TOP / package
    docstring = ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8")))
    assert docstring is not None
    assert named_in(docstring) == modules_in(folder)


def test_a_map_is_read_as_people_read_it() -> None:
    assert named_in("Title.\n\n    one.py    the first, either/or    two.py  the second\n    three/  the third\n") == {
        "one",
        "two",
        "three",
    }
    assert named_in("Only prose about ``values`` and ugs/wire/codec.py here.") == set()
