"""Types of settings that several tables have, each with what is allowed."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal, TypeAlias

from ugs.address import read_listening
from ugs.declared import Declared, declared


def _where_to_listen(text: str) -> str:
    if text:
        try:
            read_listening(text)
        except ValueError as error:
            raise ValueError(f"{error}, or empty") from None
    return text


Name: TypeAlias = Annotated[str, declared(min_length=1, max_length=64)]
MAX_ENTRANTS: Final = 20_000
"""Entrants of a championship: twice as many as log in at a time by default."""

Entrants: TypeAlias = Annotated[int, declared(ge=0, le=MAX_ENTRANTS)]
Seconds: TypeAlias = Annotated[float, declared(ge=0, le=31_536_000)]
Listening: TypeAlias = Annotated[str, declared(check=_where_to_listen)]
"""``HOST:PORT`` for :func:`ugs.address.read_listening`, or empty: nowhere."""
MAX_OPTIONS: Final = 128
"""Options of a game."""
MAX_OPTION_CHARACTERS: Final = 4096
"""Characters of the chosen options of a game, names and values together: people read them before they play, and lists
repeat them."""


def _line(text: str) -> str:
    if not text.isprintable():
        raise ValueError("allowed: one line of printable characters")
    return text


def _not_long(options: Mapping[str, str]) -> Mapping[str, str]:
    characters = sum(len(name) + len(value) for name, value in options.items())
    if characters > MAX_OPTION_CHARACTERS:
        raise ValueError(f"names and values have {characters} characters; allowed: at most {MAX_OPTION_CHARACTERS}")
    return options


OptionName: TypeAlias = Annotated[str, declared(min_length=1, max_length=128, check=_line)]
OptionValue: TypeAlias = Annotated[
    str, declared(max_length=1024, check=_line, allowed="a text of at most 1024 characters, a number, true or false")
]
GameOptions: TypeAlias = Annotated[Mapping[OptionName, OptionValue], declared(max_length=MAX_OPTIONS, check=_not_long)]
"""Options of a game with their values, in the words of the wire; :func:`in_option_words` makes these of TOML."""


class OptionTable(Declared):
    """The options of one game."""

    options: GameOptions = declared({})


def in_option_words(options: object) -> object:
    """A table of options of TOML with words in place of numbers, true and false; anything else stays as it is."""
    if not isinstance(options, Mapping):
        return options
    return {name: _option_word(value) for name, value in options.items()}


def _option_word(value: object) -> object:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else str(value)
    return str(value) if isinstance(value, int) and value.bit_length() <= 64 else value


LogLevel: TypeAlias = Literal["debug", "info", "warning", "error"]
