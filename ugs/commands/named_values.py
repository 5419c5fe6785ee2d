"""Options of commands that are given as NAME=VALUE, as often as needed."""

from collections.abc import Iterable

from ugs.commands.failure import WRONG_USAGE, failure


def named_values(command: str, option: str, texts: Iterable[str] | None) -> dict[str, str] | None:
    """Return the values by name; None where the option is not given. Ends the ``command`` for anything else."""
    if not texts:
        return None
    found: dict[str, str] = {}
    for text in texts:
        # At the first =, since commands and values may hold more of them.
        name, equals, value = text.partition("=")
        if not equals or not name or name in found:
            raise failure(command, f"{option} {text!r}: allowed: NAME=VALUE, each name once", WRONG_USAGE)
        found[name] = value
    return found
