"""The format of a championship in words for people: ``Swiss, then knock-out of 4``."""

from collections.abc import Mapping
from typing import Any, Final

WORDS: Final[Mapping[str, str]] = {"round-robin": "round robin", "swiss": "Swiss"}
"""Where the word of a plan is not one for people."""


def format_words(plan: Mapping[str, Any]) -> str:
    """Return the format of a plan, given as the table of its keys, in words; of stages each, with how many come into
    it."""
    stages = plan.get("stages") or ()
    if plan.get("format") != "stages" or not stages:
        return in_words(plan.get("format", ""))
    entrants, found = 0, []
    for stage in stages:
        found.append(stage_words(stage, entrants))
        entrants = stage.get("groups", 1) * stage.get("go_on", 1)
    if len(found) == 1 and stages[0].get("play_off"):
        return f"{found[0]} with play-off"
    return ", then ".join(found)


def in_words(form: str) -> str:
    """Return a format in words."""
    return WORDS.get(form, form)


def stage_words(stage: Mapping[str, Any], entrants: int = 0) -> str:
    """Return a stage in words: ``knock-out of 4``, ``2 groups``, ``4 groups (Swiss)``. ``entrants``: how many come into
    it; 0 leaves them out."""
    form, groups = stage.get("format", "round-robin"), stage.get("groups", 1)
    of = f" of {entrants}" if entrants else ""
    if groups == 1:
        return f"{in_words(form)}{of}"
    own = "" if form == "round-robin" else f" ({in_words(form)})"
    return f"{groups} groups{of and f' of {-(-entrants // groups)}'}{own}"
