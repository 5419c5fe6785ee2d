"""Types of settings that several tables have, each with what is allowed."""

from typing import Annotated, Final, Literal, TypeAlias

from pydantic import AfterValidator, Field, StringConstraints
from pydantic_core import PydanticCustomError

from ugs.address import read_listening


def _where_to_listen(text: str) -> str:
    if text:
        try:
            read_listening(text)
        except ValueError as error:
            raise PydanticCustomError("address", "{why}, or empty", {"why": str(error)}) from None
    return text


Name: TypeAlias = Annotated[str, StringConstraints(min_length=1, max_length=64)]
MAX_ENTRANTS: Final = 20_000
"""Entrants of a championship: twice as many as log in at a time by default."""

Entrants: TypeAlias = Annotated[int, Field(ge=0, le=MAX_ENTRANTS)]
Seconds: TypeAlias = Annotated[float, Field(ge=0, le=31_536_000, allow_inf_nan=False)]
Listening: TypeAlias = Annotated[str, AfterValidator(_where_to_listen)]
"""``HOST:PORT`` for :func:`ugs.address.read_listening`, or empty: nowhere."""
LogLevel: TypeAlias = Literal["debug", "info", "warning", "error"]
