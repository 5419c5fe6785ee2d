"""Parameters of OpenSpiel as options of a game, and back.

Numbers need bounds and words need a list, which OpenSpiel does not have: ``games.toml`` does. What it does not name is
given in the name of the game. Whatever is true or false is an option by itself.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from game_masters.kit.rules import Option, Options
from game_masters.openspiel.library import SEATS, SEEDS, GameFacts, Parameter
from game_masters.openspiel.shelf import GameRow

HIDDEN: Final = frozenset(
    ("ansi_color_output", "chess960", "egocentric", "egocentric_obs_tensor", "plain_obs_tensor", "sort_dice")
).union(SEATS, SEEDS)
"""Parameters that change nothing that players see, or that the server chooses. (A number of pieces set up by chance
changes which games have chance; that is chosen in the name.)"""
FIXED: Final[Mapping[str, Parameter]] = {"ansi_color_output": False}
"""Parameters that this server chooses, for every game that has them."""


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
