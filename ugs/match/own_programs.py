"""Command lines of programs of one's own, with the place of the server in them."""

import shlex
from collections.abc import Mapping

from ugs.match.match_settings import WrongMatch


def filled(how: str, address: tuple[str, int], more: Mapping[str, str] | None = None) -> list[str]:
    """The words of a command line, with what stands for ``{address}``, ``{host}``, ``{port}`` and the keys of ``more``.
    Raises ValueError where the quotes are wrong."""
    host, port = address
    words = {"{address}": f"{host}:{port}", "{host}": host, "{port}": str(port), **(more or {})}
    # Split first, so that a value with a blank stays one word.
    parts = shlex.split(how)
    for place, part in enumerate(parts):
        for word, text in words.items():
            part = part.replace(word, text)
        parts[place] = part
    return parts


def check_program(option: str, how: str) -> None:
    """Raises WrongMatch unless the text is a command line that names its server."""
    try:
        parts = filled(how, ("127.0.0.1", 1))
    except ValueError as error:
        raise WrongMatch(f"{option} {how!r}: {error}") from None
    if not parts or not ("{address}" in how or "{port}" in how):
        raise WrongMatch(f"{option} {how!r}: allowed: a command with {{address}}, or {{host}} and {{port}}, in it")
