"""The map of the shell names every module of its folder, once."""

import re
from pathlib import Path

import ugs.daemon


def test_the_map_names_every_module_once() -> None:
    assert ugs.daemon.__doc__ is not None
    named = re.findall(r"^    (\w+\.py) ", ugs.daemon.__doc__, re.MULTILINE)
    folder = Path(ugs.daemon.__file__).parent
    assert sorted(named) == sorted(path.name for path in folder.glob("*.py") if path.name != "__init__.py")
