"""Parameters of OpenSpiel as options of a game, and back.

Numbers need bounds and words need a list, which OpenSpiel does not have: ``games.toml`` does. What it does not name is
given in the name of the game. A parameter that is true or false is an option by itself.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from game_masters.kit.rules import Option, Options
from game_masters.openspiel.games_toml import GameRow
from game_masters.openspiel.library import SEATS, SEEDS, GameFacts, Parameter

HIDDEN: Final = frozenset(
    ("ansi_color_output", "chess960", "egocentric", "egocentric_obs_tensor", "plain_obs_tensor", "sort_dice")
).union(SEATS, SEEDS)
"""Parameters that change nothing that players see, or that the server chooses. (A number of pieces set up by chance
changes which games have chance; that is chosen in the name.)"""
FIXED: Final[Mapping[str, Parameter]] = {"ansi_color_output": False}
"""Parameters that this server chooses, for every game that has them."""
MAX_NUMBER: Final = 100
"""The largest number in a name for a parameter without a row, or MAX_TIMES its default where that is more."""
MAX_TIMES: Final = 10
MAX_DIGITS: Final = 9
"""Digits of a number in a name: OpenSpiel does not read more of them, and does not report where they stood."""


class NotAllowed(Exception):
    """A parameter in a name is out of bounds. The text names it, and what is allowed."""


def check_digits(name: str) -> None:
    """Raise NotAllowed if a number in a name, as it was written, has more digits than OpenSpiel reads."""
    if long := re.search(rf"\b(\w+)=[-+]?\d{{{MAX_DIGITS + 1},}}", name):
        raise NotAllowed(f"the number of {long[1]} has more than {MAX_DIGITS} digits")


def check_given(defaults: Mapping[str, Parameter], row: GameRow, given: Mapping[str, Parameter]) -> None:
    """Raise NotAllowed if a parameter ``given`` in the name of a game is out of bounds.

    OpenSpiel checks few of them: it would set up a board of any size, for minutes and out of all memory, or end the
    process. So this comes before the game is loaded with them.
    """
    for name, value in given.items():
        default, allowed = defaults.get(name), row.options.get(name)
        if isinstance(allowed, tuple):
            if value not in allowed:
                raise NotAllowed(f"{name} must be one of {', '.join(allowed)}")
            continue
        least, most = _bounds(default) if allowed is None else (allowed[0], allowed[-1])
        numbers = _numbers(value)
        if not all(least <= number <= most for number in numbers):
            raise NotAllowed(f"{name} must be from {least:g} to {most:g}")


def _numbers(value: Parameter | None) -> list[float]:
    """The numbers in a parameter: itself, or those in its text."""
    if isinstance(value, bool) or value is None:
        return []
    if isinstance(value, int | float):
        return [float(value)]
    return [float(digits) for digits in re.findall(r"\d+", value)]


def _bounds(default: Parameter | None) -> tuple[float, float]:
    usual = _numbers(default)
    # The zeros stand there for a default without any number.
    return min(0.0, *usual, 0.0), max(float(MAX_NUMBER), *(MAX_TIMES * number for number in usual), 0.0)


def options_of(facts: GameFacts, row: GameRow, given: Mapping[str, Parameter]) -> tuple[Option, ...]:
    """Return the options of a game; parameters that are ``given`` in its name are none."""
    return tuple(_options(facts, row, given))


def _options(facts: GameFacts, row: GameRow, given: Mapping[str, Parameter]) -> Iterator[Option]:
    for name, default in facts.parameters.items():
        if name in HIDDEN or name in given:
            continue
        explanation = f"parameter {name} of OpenSpiel"
        allowed = row.options.get(name)
        if isinstance(default, bool):
            yield Option(name, default, explanation)
        elif allowed is not None and isinstance(default, int if isinstance(allowed, range) else str):
            yield Option(name, default, explanation, allowed)


def parameters(
    facts: GameFacts, options: Options, given: Mapping[str, Parameter], seats: int | None
) -> Mapping[str, Parameter]:
    """Return the parameters of a game with these options and this number of seats (None: the usual one). Those with
    their defaults are left out, so that the name of a plain game stays plain."""
    fixed = {name: value for name, value in FIXED.items() if name in facts.parameters}
    chosen = {name: value for name, value in options.values.items() if value != facts.parameters.get(name)}
    number = dict.fromkeys((name for name in SEATS if name in facts.parameters), seats or facts.usual)
    unusual = {name: value for name, value in number.items() if value != facts.usual}
    return {**fixed, **given, **chosen, **unusual}
