"""Completion of ``--game=NAME`` in zsh and fish: these hold what is proposed against the whole word, and Typer proposes
the value alone. What bash does with such a word is in :mod:`ugs.commands.bash_completion`."""

import io
import re
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from typing import Final

ASKED: Final = {"complete_zsh": "zsh", "complete_fish": "fish"}
"""By the value of ``_UGS_COMPLETE``: the shell that asks what a line may go on with."""
OPTION: Final = re.compile(r"(?:^|\s)(--[a-z][a-z0-9-]*=)\S*$")
"""The last word of a line where it is an option with its value."""


def option_of(environment: Mapping[str, str]) -> str:
    """The beginning of the word that zsh or fish completes, up to ``=``; empty where it has none."""
    found = OPTION.search(environment.get("_TYPER_COMPLETE_ARGS", ""))
    return found[1] if found is not None and environment.get("_UGS_COMPLETE") in ASKED else ""


def complete(environment: Mapping[str, str], run: Callable[[], None]) -> None:
    """Complete the value of :func:`option_of`: ``run`` prints what it may be and ends as a program does. Raises what
    ``run`` raises."""
    option, shell = option_of(environment), ASKED[environment["_UGS_COMPLETE"]]
    found = io.StringIO()
    try:
        with redirect_stdout(found):
            run()
    finally:
        # Also when the run ends with SystemExit, as it does.
        text = found.getvalue()
        if shell == "zsh":
            print(f"compset -P '{option}'; {text}" if text.strip() else text)
        else:
            print("\n".join(option + line for line in text.splitlines()))
