"""Nicks, ids of games and texts as they seldom are. No I/O."""

from collections.abc import Mapping
from typing import Final

NICKS: Final[Mapping[str, tuple[str, str]]] = {
    "ampersand": ("with &", "Tom & Jerry"),
    "angles": ("with < and >", "a<b>c"),
    "quotes": ("with both kinds of quotes", "the \"B\" of 'C'"),
    "end-tag": ("that looks like the end of a document", "</message>"),
    "reference": ("that looks like a reference", "&lt;"),
    "two-bytes": ("with letters of two bytes", "Jürgen Öz"),
    "three-bytes": ("with letters of three bytes", "花子"),
    "four-bytes": ("with a letter of four bytes", "Eva 🎲"),
    "accents": ("with an accent of its own", "Zoe\u0301"),
    "blanks": ("with blanks", "Mary Ann of Hull"),
    "longest": ("of 64 letters", "n" * 64),
    "digits": ("of digits", "007"),
    "braces": ("with braces and a percent sign", "{nick} %s"),
    "word": ("that is a word of the protocol", "winner"),
}
"""By name: what is unusual about it, and the nick."""

GAME_IDS: Final[Mapping[str, tuple[str, str]]] = {
    "one-letter": ("of one letter", "g"),
    "digits": ("of digits", "00042"),
    "signs": ("with signs", "Zr-7_k:Q.2"),
    "ampersand": ("with &", "a&b"),
    "quotes": ("with quotes", "a\"b'c"),
    "angles": ("with < and >", "a<b>c"),
    "longest": ("of 128 letters", "g" * 128),
    "letters": ("with letters of three bytes", "第一局"),
}

TEXTS: Final[Mapping[str, tuple[str, str]]] = {
    "empty": ("that is empty", ""),
    "markup": ("that has markup in it", 'move: <move><tic x="1"/></move> & more'),
    "document": ("that looks like a document", '<message type="serverShutdown"/>'),
    "lines": ("of several lines", "one\ntwo\nthree"),
    "long": ("of 65,536 letters", "x" * 65_536),
    "unicode": ("with letters of four bytes", "🎲" * 100),
    "turn": ("about its turn", "move: it is not your turn (it is Opponent's)"),
}
