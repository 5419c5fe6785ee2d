"""How a bot of a match is started, as one text:

builtin:NAME            a bundled bot of the game; its copies share a process
python:MODULE:OBJECT    a function from a view and a source of chance to a move, or what has one as ``choose``
connect                 a program that is started by hand; it has one copy
anything else           a command, with {address}, {host}, {port} and {nick} in it
"""

import importlib
import sys
from typing import Any

from ugs.match.games import Choose
from ugs.match.match_settings import PYTHON, WrongMatch
from ugs.match.own_programs import filled


def object_of(how: str) -> Choose:
    """The bot that plays in this process. Raises WrongMatch."""
    module, _, name = how.removeprefix(PYTHON).partition(":")
    try:
        # As with python -m: the module of a bot may lie in the folder of the match.
        sys.path.insert(0, "")
        found: Any = importlib.import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except Exception as error:  # the code behind the name may do anything
        raise WrongMatch(f"{how}: allowed: python:MODULE:OBJECT; {type(error).__name__}: {error}") from error
    finally:
        sys.path.remove("")
    choose: Choose = getattr(found, "choose", found)
    if not callable(choose):
        raise WrongMatch(f"{how}: it is no function, and has none as choose")
    return choose


def check_command(bot: str, how: str) -> None:
    """Raises WrongMatch unless the text is a command that names its server."""
    try:
        command_of(how, ("127.0.0.1", 1), bot)
    except ValueError as error:
        raise WrongMatch(f"--bot {bot}={how}: {error}") from None
    missing = [] if "{address}" in how or "{port}" in how else ["{address}, or {host} and {port}"]
    missing += [] if "{nick}" in how else ["{nick}"]
    if missing:
        raise WrongMatch(
            f"--bot {bot}={how}: allowed: a command with {{address}}, or {{host}} and {{port}}, and {{nick}} in it, "
            f"builtin:NAME, python:MODULE:OBJECT, or connect; missing here: {'; '.join(missing)}"
        )


def command_of(how: str, address: tuple[str, int], nick: str) -> list[str]:
    """The command that starts a bot. Raises ValueError where the quotes are wrong."""
    return filled(how, address, {"{nick}": nick})
