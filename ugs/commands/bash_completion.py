"""What bash takes for words when it completes, as the words that they are.

Bash cuts words at ``=`` and ``:`` (``COMP_WORDBREAKS``), so ``--bot a=builtin:t`` is seven words for it, and what is
proposed stands in for the last of them only. Typer knows words that a shell takes whole.
"""

import io
from collections.abc import Callable, Mapping, MutableMapping
from contextlib import redirect_stdout
from typing import Final

ASKED: Final = ("_UGS_COMPLETE", "complete_bash")
"""The variable, and its value, with which bash asks what a line may go on with."""
BREAKS: Final = frozenset("=:")
"""Where bash cuts words that are one for us."""


def asks(environment: Mapping[str, str]) -> bool:
    """Whether bash asks for completions in this environment."""
    name, value = ASKED
    return environment.get(name) == value and {"COMP_WORDS", "COMP_CWORD"} <= environment.keys()


def what_lacks(environment: Mapping[str, str]) -> str:
    """Why an environment that has the variable of :data:`ASKED` cannot be from bash; empty where it can be, and where
    the variable has another value."""
    name, value = ASKED
    if environment.get(name) != value or (asks(environment) and environment["COMP_CWORD"].isdecimal()):
        return ""
    return f"{name}={value} is set, which shells set to complete words, without COMP_WORDS and a number in COMP_CWORD"


def glue(words: list[str], at: int) -> tuple[list[str], int, str]:
    """Put together what bash has cut; ``at`` is the place of the word that is completed. Returns the words, the new
    place, and the beginning of the word there that bash leaves as it is."""
    glued: list[str] = []
    kept, place, open_word = "", 0, False
    for word in words[: at + 1]:
        # Of several of them in a row, as in ::, bash makes one word.
        breaks = bool(word) and BREAKS.issuperset(word)
        if glued and word and (breaks or open_word):
            before = glued[-1]
            glued[-1] += word
            kept = glued[-1] if breaks else before
        else:
            glued.append(word)
            kept = word if breaks else ""
        open_word = breaks
        place = len(glued) - 1
    return [*glued, *words[at + 1 :]], place, kept


def complete(environment: MutableMapping[str, str], run: Callable[[], None]) -> None:
    """Complete with whole words: ``run`` prints a line for each of them and ends as a program does. Printed is what
    bash puts in the place of its last word. Raises what ``run`` raises."""
    words, at, kept = glue(environment["COMP_WORDS"].split("\n"), int(environment["COMP_CWORD"]))
    environment["COMP_WORDS"], environment["COMP_CWORD"] = "\n".join(words), str(at)
    if kept.startswith("-"):  # --game=NAME: a line is a value alone
        kept = kept.partition("=")[2]
    found = io.StringIO()
    try:
        with redirect_stdout(found):
            run()
    finally:
        # Also when the run ends with SystemExit, as it does.
        print("\n".join(line.removeprefix(kept) for line in found.getvalue().splitlines()))
