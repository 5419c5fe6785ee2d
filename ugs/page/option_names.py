"""Options of games as people read them: names in words, and what each is for."""

import re
from typing import Final

from ugs.pictures.installed_renderers import explained
from ugs.printable import safe

_WORD_OF_CAPITALS: Final = re.compile(r"([a-z])([A-Z][A-Z0-9]+)(?=[A-Z][a-z])")
_NEXT_WORD: Final = re.compile(r"([a-z0-9A-Z])([A-Z])(?=[a-z])")


def in_words(name: str) -> str:
    """The name of an option in words: ``board_size`` is "board size", ``balancedTowers`` "balanced towers". A code of
    capitals, such as ``N7C``, stays as it is."""
    words = _WORD_OF_CAPITALS.sub(r"\1 \2", safe(name).replace("_", " ").replace("-", " ").strip())
    return _NEXT_WORD.sub(lambda found: f"{found[1]} {found[2].lower()}", words)


def purpose(name: str, game_type: str) -> str:
    """What an option is for, as an installed game of this type explains it; empty where none does."""
    return safe(explained().get(game_type, {}).get(name, ""))
