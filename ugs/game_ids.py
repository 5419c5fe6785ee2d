"""Which game is meant by an id, or by the beginning of one: the same wherever an id is taken."""

from collections.abc import Collection, Sequence
from typing import Final

MAX_NAMED: Final = 8
"""Ids that an error names."""


class NoSuchGame(Exception):
    """No game fits, or more than one. The text is for people."""


def id_meant(word: str, ids: Collection[str], where: str = "") -> str:
    """Return the one of these ids that ``word`` is, or begins. ``where`` names in an error text whose ids they are.

    Raises :class:`NoSuchGame`. A word that is no id itself is compared with all ids."""
    if word in ids:
        return word
    # Every id begins with an empty word.
    fitting = [one for one in ids if one.startswith(word)] if word else []
    if len(fitting) != 1:
        raise NoSuchGame(not_one(word, fitting, where=where))
    return fitting[0]


def not_one(word: str, fitting: Sequence[str], *, where: str = "", more: bool = False) -> str:
    """The text of an error: no game fits ``word``, or several do; with ``more``, there are others beside these."""
    if not fitting:
        return f"game {word!r}: there is no such game{where}"
    named = ", ".join(fitting[:MAX_NAMED]) + (", …" if more or len(fitting) > MAX_NAMED else "")
    return f"game {word!r}: that beginning fits {'more than ' if more else ''}{len(fitting)} games{where}: {named}"
