"""Options of games as people read them: their names in words, and those that are true."""

import re
from collections.abc import Mapping
from typing import Final

from ugs.printable import safe

PUZZLE: Final = "puzzle"
"""The option with the number of a puzzle; 0: none."""

_WORD_OF_CAPITALS: Final = re.compile(r"([a-z])([A-Z][A-Z0-9]+)(?=[A-Z][a-z])")
_NEXT_WORD: Final = re.compile(r"([a-z0-9A-Z])([A-Z])(?=[a-z])")


def in_words(name: str) -> str:
    """The name of an option in words: ``board_size`` is "board size", ``balancedTowers`` "balanced towers". A code of
    capitals, such as ``N7C``, stays as it is."""
    words = _WORD_OF_CAPITALS.sub(r"\1 \2", safe(name).replace("_", " ").replace("-", " ").strip())
    return _NEXT_WORD.sub(lambda found: f"{found[1]} {found[2].lower()}", words)


def is_puzzle(options: Mapping[str, str]) -> bool:
    """Whether a game with these options is a try at a puzzle."""
    return options.get(PUZZLE, "0") != "0"


def true_options(options: Mapping[str, str]) -> dict[str, str]:
    """Those that a game was played with: a puzzle has its own, though the server names all that were chosen, and where
    none was chosen its option has no meaning."""
    return {name: value for name, value in options.items() if (name == PUZZLE) == is_puzzle(options)}


def options_text(options: Mapping[str, str]) -> str:
    """Options with their values, in one line: ``board size: 7, mode: ADULT``."""
    return ", ".join(f"{in_words(name)}: {safe(value)}" for name, value in options.items())
