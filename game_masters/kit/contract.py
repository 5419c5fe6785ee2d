"""What a contract test is: a function that checks a promise on a game, and the options to check it with."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import wraps
from itertools import product
from math import prod
from typing import TypeAlias

from game_masters.kit.rules import AnyGame, BadOption, Option, Options

MAX_COMBINATIONS = 64


class ContractBroken(AssertionError):
    """A game breaks a promise. The text names the game, what was done and what happened."""


Check: TypeAlias = Callable[[AnyGame], None]
"""Raises :class:`ContractBroken`."""


def expect(condition: bool, game: AnyGame, otherwise: str) -> None:
    """Raise :class:`ContractBroken` with ``text`` if the condition does not hold."""
    if not condition:
        raise ContractBroken(f"{game.name}: {otherwise}")


MAX_NUMBERS = 12
"""At most this number of table sizes is tried: the smallest, the largest, and some between
them."""


def all_numbers_of_players(game: AnyGame) -> Sequence[int]:
    """Return the numbers of seats to try, from the fewest to the most: all, unless they are more than
    :data:`MAX_NUMBERS`."""
    # Large tables take long to play, and fail like smaller ones.
    numbers = range(game.players.min, game.players.max + 1)
    most = max(2, MAX_NUMBERS)
    if len(numbers) <= most:
        return numbers
    return [numbers[place * (len(numbers) - 1) // (most - 1)] for place in range(most)]


def combinations(game: AnyGame) -> Iterator[dict[str, str]]:
    """Return combinations of options at the ends of what is allowed, valid or not; at most
    :data:`MAX_COMBINATIONS`.

    Where there are more, first come those that change one option at a time from its default, then a sample
    of the others.
    """
    names = [option.name for option in game.options]
    ends = [_ends(option) for option in game.options]
    if prod(map(len, ends)) <= MAX_COMBINATIONS:
        found = list(product(*ends))
    else:
        usual = tuple(option.written(option.default) for option in game.options)
        ones = ((*usual[:place], value, *usual[place + 1 :]) for place, values in enumerate(ends) for value in values)
        # The same sample in each run: a failure has to be there again.
        rng = random.Random(0)
        sample = (tuple(map(rng.choice, ends)) for _ in range(MAX_COMBINATIONS))
        found = list(dict.fromkeys((*ones, *sample)))[:MAX_COMBINATIONS]
    for values in found:
        yield dict(zip(names, values, strict=True))


def allowed(game: AnyGame, texts: dict[str, str]) -> Options | None:
    """Return the options with these values, or None if they do not go together."""
    try:
        return game.choose_options(texts)
    except BadOption:
        return None


def variants(game: AnyGame) -> Iterator[AnyGame]:
    """Return the game; and, if it hides information only with some options, the game with other defaults, so that both
    cases are covered."""
    yield game
    own = allowed(game, {})
    for options in (allowed(game, texts) for texts in combinations(game)):
        if own is not None and options is not None and game.hides(options) != game.hides(own):
            others = (replace(option, default=options.values[option.name]) for option in game.options)
            yield replace(game, options=tuple(others))
            return


def for_all_variants(check: Check) -> Check:
    """Return the same check, run on all variants of a game."""

    @wraps(check)
    def checked(game: AnyGame) -> None:
        for variant in variants(game):
            try:
                check(variant)
            except ContractBroken as broken:
                if variant is game:
                    raise
                chosen = ", ".join(f"{option.name}={option.written(option.default)}" for option in variant.options)
                raise ContractBroken(f"{broken} (with {chosen})") from broken

    return checked


def _ends(option: Option) -> Sequence[str]:
    """Return the values of an option that are most likely to go wrong."""
    # Ends of ranges and the default: what lies between behaves like these.
    if isinstance(option.allowed, range):
        return sorted({str(option.default), str(min(option.allowed)), str(max(option.allowed))})
    return option.allowed or ("yes", "no")
