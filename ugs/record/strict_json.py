"""JSON as records have it: each name once, finite numbers of a sensible length, no depth without end."""

import json
import re
from typing import Final, NoReturn, TypeVar

import msgspec

MAX_DIGITS: Final = 40
"""Digits of a whole number; 64 bits take 19. Reading a number takes the square of its digits."""


def decode(line: bytes) -> object:
    """The value in a line. Raises ValueError, whose text names what is wrong and where."""
    try:
        return _DECODER.decode(line.decode())
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8: {error.reason} at byte {error.start + 1} of the line") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON: {error.msg} at character {error.colno}") from None
    except RecursionError:
        raise ValueError("nested too deep") from None


T = TypeVar("T")
_NAMED: Final = re.compile(r"Object (missing required|contains unknown) field `(.*)`")


def as_struct(kind: type[T], values: object) -> T:
    """The struct that an object of JSON stands for. Raises ValueError, which names the field and what is wrong."""
    try:
        return msgspec.convert(values, kind)
    except msgspec.ValidationError as error:
        raise ValueError(in_words(kind, error)) from None


def in_words(kind: type, error: msgspec.ValidationError) -> str:
    """What is wrong, after the place of the value."""
    what, _, where = str(error).partition(" - at `$")  # so msgspec ends its messages
    where = where.strip("`").lstrip(".")
    named = _NAMED.fullmatch(what)
    if named is not None:
        where = f"{where}.{named[2]}" if where else named[2]
        what = "is missing" if named[1] == "missing required" else f"unknown name{_known(kind, where)}"
    return f"{where}: {what.replace('`', '')}" if where else what.replace("`", "")


def _known(kind: type, where: str) -> str:
    return "" if "." in where else f"; there are {', '.join(one.encode_name for one in msgspec.structs.fields(kind))}"


def _each_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    values = dict(pairs)
    # Of two values other programs may take the other one.
    if len(values) < len(pairs):
        raise ValueError("the same name twice in one object")
    return values


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")


def _whole(digits: str) -> int:
    # Before int(): that is where the time goes.
    if len(digits.lstrip("-")) > MAX_DIGITS:
        raise ValueError(f"a number of {len(digits)} digits")
    return int(digits)


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_each_once, parse_constant=_no_number, parse_int=_whole)
