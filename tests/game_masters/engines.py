"""The engines that tests play with; `make engines` installs them."""

import shutil

import pytest

PLACES = "/usr/games:/usr/local/bin:/usr/bin"


def engine(name: str) -> str:
    """The path of an engine; a test whose engine is not installed is skipped."""
    found = shutil.which(name) or shutil.which(name, path=PLACES)
    if found is None:
        pytest.skip(f"{name} is not installed: make engines")
    return found
