"""Reads the tables in ``data/``: lines of words, with comments that begin with ``#``."""

from collections.abc import Iterator
from importlib.resources import files


def rows(name: str) -> Iterator[list[str]]:
    """Yield the words of each line of a table that is neither empty nor a comment."""
    text = files(__package__).joinpath("data", name).read_text(encoding="utf-8")
    for line in text.splitlines():
        words = line.partition("#")[0].split()
        if words:
            yield words
