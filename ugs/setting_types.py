"""Types of settings that several tables have, each with what is allowed."""

from typing import Annotated, Final, Literal, TypeAlias

from ugs.address import read_listening
from ugs.declared import declared


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
LogLevel: TypeAlias = Literal["debug", "info", "warning", "error"]
