"""What a promise is: a function that tries something out on a game and raises :class:`ContractBroken`; and with which
options it is tried out."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import wraps
from itertools import islice, product
from typing import TypeAlias

from game_masters.kit.rules import AnyGame, BadOption, Option, Options

MOST_COMBINATIONS = 64


class ContractBroken(AssertionError):
    """A game does not keep a promise; the text names the game, what was done and what came of it."""


Check: TypeAlias = Callable[[AnyGame], None]
"""Raises :class:`ContractBroken`."""


def expect(condition: bool, game: AnyGame, otherwise: str) -> None:
    """Raise :class:`ContractBroken` with that text if the condition does not hold."""
    if not condition:
        raise ContractBroken(f"{game.name}: {otherwise}")


def all_numbers_of_players(game: AnyGame) -> range:
    """With how many seats it can be played."""
    return range(game.players_min, game.players_max + 1)


def combinations(game: AnyGame) -> Iterator[dict[str, str]]:
    """Options at the ends of what is allowed, whether they go together or not; not more than
    :data:`MOST_COMBINATIONS`."""
    names = [option.name for option in game.options]
    for values in islice(product(*map(_ends, game.options)), MOST_COMBINATIONS):
        yield dict(zip(names, values, strict=True))


def allowed(game: AnyGame, texts: dict[str, str]) -> Options | None:
    """The options with these values, None if they do not go together."""
    try:
        return game.choose_options(texts)
    except BadOption:
        return None


def variants(game: AnyGame) -> Iterator[AnyGame]:
    """The game, and where it depends on its options whether anything is hidden: the game with other defaults, so that
    it is the other way round."""
    yield game
    own = allowed(game, {})
    for options in (allowed(game, texts) for texts in combinations(game)):
        if own is not None and options is not None and game.hides(options) != game.hides(own):
            others = (replace(option, default=options.values[option.name]) for option in game.options)
            yield replace(game, options=tuple(others))
            return


def for_all_variants(check: Check) -> Check:
    """The same promise, tried out on all variants of a game."""

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
    """The values of an option that are most likely to go wrong."""
    if isinstance(option.allowed, range):
        return sorted({str(option.default), str(min(option.allowed)), str(max(option.allowed))})
    return option.allowed or ("yes", "no")
