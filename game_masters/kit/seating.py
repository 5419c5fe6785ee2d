"""Who sits where and what is played: from what the server asks for to the table of a game, and what is said of both.

The players have the first seats, in the order in which the server names them; what is left over the program plays.
"""

import random
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from typing import TypeAlias

from game_masters.kit.rules import AnyGame, BadOption, Option, Options, Table
from ugs.wire.extensions import Label, OfferedOption, Offers, Restore, SeatKind
from ugs.wire.messages import BeginGame

Chance: TypeAlias = Callable[[str], random.Random]
"""The random numbers of one game, by what they are for; those for the rules have no name. The same name gives the same
numbers again."""

NAMES = (
    "Alder", "Ash", "Aspen", "Beech", "Birch", "Cedar", "Elder", "Elm", "Fir", "Hazel", "Holly", "Larch", "Linden",
    "Maple", "Oak", "Pine", "Poplar", "Rowan", "Spruce", "Willow", "Yew",
)  # fmt: skip
"""What the seats are called that the program plays."""


class Impossible(Exception):
    """A game that cannot be led as asked. The text says why."""


@dataclass(frozen=True)
class Seating:
    """One game before it begins: its table, as the server speaks of it."""

    table: Table

    @property
    def programs(self) -> range:
        """The seats that the program plays."""
        return self.table.programs

    def seat_of(self, nick: str) -> int | None:
        """The seat of a player, None for a stranger."""
        return next((seat for seat, name in enumerate(self.table.names[: self.table.players]) if name == nick), None)

    def labels(self, labels: Sequence[str]) -> tuple[Label, ...]:
        """All seats as the server wants to know them, with what the game calls them."""
        return tuple(
            Label(name, labels[seat] if labels else "", SeatKind.PROGRAM if seat in self.programs else SeatKind.HUMAN)
            for seat, name in enumerate(self.table.names)
        )


def seat(game: AnyGame, own: Options, asked: BeginGame | Restore, chance: Chance) -> Seating:
    """The seating that the server asks for. Where it says nothing about an option, the value is our ``own``.

    Raises :class:`Impossible`.
    """
    nicks = asked.players
    seats = asked.seats or len(nicks)
    if len(set(nicks)) < len(nicks):
        raise Impossible("the same nick twice")
    if seats < len(nicks):
        raise Impossible(f"{len(nicks)} players on {seats} seats")
    if not game.players_min <= seats <= game.players_max:
        what = "players" if seats == len(nicks) else "seats"
        raise Impossible(f"{seats} {what}; {game.players_min} to {game.players_max} can play")
    texts = written(game, own) | {option.name: option.value for option in asked.options}
    try:
        options = game.choose_options(texts)
    except BadOption as error:
        raise Impossible(str(error)) from error
    programs = program_names(seats - len(nicks), nicks, chance) if seats > len(nicks) else ()
    return Seating(Table(asked.game_id, (*nicks, *programs), options, len(nicks) if programs else None))


def program_names(number: int, nicks: Sequence[str], chance: Chance) -> tuple[str, ...]:
    """So many names, all different, none that could be taken for one of the nicks, and hardly for anybody else's."""
    taken = {_folded(nick) for nick in nicks}
    pool = chance("names").sample(NAMES, len(NAMES))
    numbered = (name if turn == 1 else f"{name} {turn}" for turn in count(1) for name in pool)
    named = (f"{name} (computer)" for name in numbered)
    free = (name for name in named if _folded(name) not in taken)
    return tuple(next(free) for _ in range(number))


def written(game: AnyGame, options: Options) -> dict[str, str]:
    """The options as texts, in the order in which the game declares them."""
    return {option.name: option.written(options.values[option.name]) for option in game.options}


def offers(game: AnyGame, own: Options, *, secrets: bool) -> Offers:
    """What may be chosen for games of this master, and what holds where nothing is chosen. Without ``secrets`` words
    and flags that would hide anything are left out."""
    texts = written(game, own)
    return Offers(tuple(_offer(game, option, texts, secrets=secrets) for option in game.options))


def _offer(game: AnyGame, option: Option, texts: Mapping[str, str], *, secrets: bool) -> OfferedOption:
    value = texts[option.name]
    if isinstance(option.allowed, range):
        return OfferedOption(option.name, value, least=min(option.allowed), most=max(option.allowed))
    words = ("yes", "no") if option.type == "flag" else option.allowed
    can_be = [word for word in words if secrets or not _hides(game, {**texts, option.name: word})]
    return OfferedOption(option.name, value, " ".join(can_be))


def _hides(game: AnyGame, texts: Mapping[str, str]) -> bool:
    """Whether anything is hidden with these options; nothing is if there is no such game."""
    with suppress(BadOption):
        return game.hides(game.choose_options(texts))
    return False


def _folded(nick: str) -> str:
    """Nicks that the server takes for the same are the same here."""
    return unicodedata.normalize("NFC", nick).casefold()
