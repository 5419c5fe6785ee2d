"""Which formats use a key of a plan: a value that would do nothing is refused."""

from collections.abc import Mapping
from typing import Any, Final

from ugs.declared import Declared

STRIKING_FORMATS: Final = ("round-robin", "gauntlet")
"""Formats that can strike the results of a leaver, because all entrants meet the same opponents. In other formats,
later pairings depend on earlier results."""
BY_POINTS: Final = ("round-robin", "swiss", "ladder", "gauntlet")
"""Formats whose places follow from points; the others have an order of their own."""
USED_BY: Final[Mapping[str, tuple[str, ...]]] = {
    "repeats": ("round-robin", "gauntlet", "league"),
    "rounds": ("swiss", "ladder", "league"),
    "bye": ("swiss", "stages"),
    "late_rounds": ("swiss", "stages"),
    "best_of": ("knock-out",),
    "third_place": ("knock-out",),
    "divisions": ("league",),
    "promoted": ("league",),
    "champion": ("gauntlet",),
    "tie_breaks": BY_POINTS,
}
"""The keys that not all formats use."""
USED_BY_STAGE: Final[Mapping[str, tuple[str, ...]]] = {
    "play_off": ("round-robin", "swiss"),
    "tie_breaks": ("round-robin", "swiss"),
    "repeats": ("round-robin",),
    "rounds": ("swiss",),
    "best_of": ("knock-out",),
    "third_place": ("knock-out",),
}
"""The same for a stage."""
STRIKE: Final = "strike"


def unused(values: Declared, used_by: Mapping[str, tuple[str, ...]]) -> list[str]:
    """The keys of a plan or a stage whose values differ from their defaults, though its format does not use them."""
    found, form = vars(values), vars(values)["format"]
    return [key for key, forms in used_by.items() if form not in forms and found[key] != _default(values, key)]


def without_use(values: Declared, used_by: Mapping[str, tuple[str, ...]]) -> dict[str, Any]:
    """The defaults of the keys of :func:`unused`."""
    return {key: _default(values, key) for key in unused(values, used_by)}


def why_refused(values: Declared, used_by: Mapping[str, tuple[str, ...]]) -> str:
    """The first value of a plan or a stage that its format does not use, and which formats do; empty if there is
    none."""
    found = vars(values)
    for key in unused(values, used_by):
        own = f"; with format = 'stages', {key} is one of [[stages]]" if _is_of_stages(key, found) else ""
        return f"{key} = {_written(found[key])}: only for {_either(used_by[key])}{own}"
    if found.get("leavers") == STRIKE and found["format"] not in STRIKING_FORMATS:
        return (
            f"leavers = {STRIKE!r}: only for {_either(STRIKING_FORMATS)}; with format = {found['format']!r} "
            "games follow from results, so these stand"
        )
    return ""


def _is_of_stages(key: str, found: Mapping[str, Any]) -> bool:
    return found["format"] == "stages" and key in USED_BY_STAGE


def _default(values: Declared, key: str) -> Any:
    return values.fields()[key].initial


def _written(value: object) -> str:
    """A value as a plan has it."""
    if isinstance(value, bool):
        return str(value).lower()
    return repr(list(value) if isinstance(value, tuple) else value)


def _either(formats: tuple[str, ...]) -> str:
    """``format = 'swiss' or 'ladder'``."""
    *first, last = map(repr, formats)
    return f"format = {', '.join(first)}{' or ' if first else ''}{last}"
