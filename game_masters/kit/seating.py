"""Who sits where and what is played: turns the server's request into the table of a game, and the reverse for reports.

The players have the first seats, in the order of the server's list. The program plays the remaining ones.
"""

import random
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from typing import TypeAlias

from game_masters.kit.fixture import Fixture
from game_masters.kit.rules import AnyGame, BadFixture, BadOption, Option, Options, Table
from ugs.wire.extensions import Label, OfferedOption, Offers, Restore, SeatKind
from ugs.wire.messages import BeginGame

Chance: TypeAlias = Callable[[str], random.Random]
"""Makes random numbers of one game from their purpose; those for the rules have the empty name. The same name gives the
same numbers again."""

NAMES = (
    "Alder", "Ash", "Aspen", "Beech", "Birch", "Cedar", "Elder", "Elm", "Fir", "Hazel", "Holly", "Larch", "Linden",
    "Maple", "Oak", "Pine", "Poplar", "Rowan", "Spruce", "Willow", "Yew",
)  # fmt: skip
"""Names of seats that the program plays."""


class Impossible(Exception):
    """A game that cannot be led as asked. The text gives the reason."""


@dataclass(frozen=True)
class Seating:
    """One game before it begins: its table, in the server's terms."""

    table: Table

    @property
    def programs(self) -> range:
        """The seats that the program plays."""
        return self.table.programs

    def seat_of(self, nick: str) -> int | None:
        """Return the seat of a player, or None for a nick that does not play."""
        return next((seat for seat, name in enumerate(self.table.names[: self.table.players]) if name == nick), None)

    def labels(self, labels: Sequence[str]) -> tuple[Label, ...]:
        """Return all seats as the server wants to know them, with what the game calls them."""
        return tuple(
            Label(name, labels[seat] if labels else "", SeatKind.PROGRAM if seat in self.programs else SeatKind.HUMAN)
            for seat, name in enumerate(self.table.names)
        )


def seat(
    game: AnyGame, own: Options, asked: BeginGame | Restore, chance: Chance, fixture: Fixture | None = None
) -> Seating:
    """Return the seating that the server asks for. Options that neither it nor the fixture mentions have the values of
    ``own``.

    Raises :class:`Impossible`.
    """
    nicks = asked.players
    # Plain v4 names players only: then each has one seat.
    seats = asked.seats or len(nicks)
    if len(set(nicks)) < len(nicks):
        raise Impossible("the same nick twice")
    if seats < len(nicks):
        raise Impossible(f"{len(nicks)} players on {seats} seats")
    if not game.players.min <= seats <= game.players.max:
        what = "players" if seats == len(nicks) else "seats"
        raise Impossible(f"{seats} {what}; {game.players.min} to {game.players.max} can play")
    chosen = {option.name: option.value for option in asked.options}
    fixed = fixture.options if fixture is not None else {}
    # A table shows its options before the game: what was agreed there must not differ from what is played.
    for name, value in fixed.items():
        if chosen.get(name, value) != value:
            raise Impossible(f"option {name}: {chosen[name]!r}; the fixture has {value!r}")
    if fixture is not None and fixture.players != seats:
        raise Impossible(f"{seats} seats; the fixture is for {fixture.players}")
    try:
        # In this order: what the server names goes before the fixture, that before the master's own.
        options = game.choose_options({**written(game, own), **fixed, **chosen})
        start = fixture.start(game, options) if fixture is not None else None
    except BadOption as error:
        raise Impossible(str(error)) from error
    except BadFixture as error:
        raise Impossible(f"fixture: {error}") from error
    programs = program_names(seats - len(nicks), nicks, chance) if seats > len(nicks) else ()
    return Seating(Table(asked.game_id, (*nicks, *programs), options, len(nicks) if programs else None, start))


def program_names(number: int, nicks: Sequence[str], chance: Chance) -> tuple[str, ...]:
    """Return ``number`` different names that are none of the nicks, and hardly the nick of any other player."""
    taken = {_folded(nick) for nick in nicks}
    pool = chance("names").sample(NAMES, len(NAMES))
    numbered = (name if turn == 1 else f"{name} {turn}" for turn in count(1) for name in pool)
    named = (f"{name} (computer)" for name in numbered)
    # A player may be called like a tree.
    free = (name for name in named if _folded(name) not in taken)
    return tuple(next(free) for _ in range(number))


def written(game: AnyGame, options: Options) -> dict[str, str]:
    """Return the options as texts, in the order of their declaration."""
    return {option.name: option.written(options.values[option.name]) for option in game.options}


def offers(game: AnyGame, own: Options, *, secrets: bool, setup: str = "") -> Offers:
    """Return what may be chosen for games of this master, the defaults, the fixture that all of them begin from,
    and how many players of the pool are worth waiting for.
    Without ``secrets``, words and flags that would hide information are left out."""
    texts = written(game, own)
    options = tuple(_offer(game, option, texts, secrets=secrets) for option in game.options)
    # A fixture sets the number of players: there is no other to wait for.
    return Offers(options, setup) if setup else Offers(options, "", game.players.wanted, game.players.gather_s)


def _offer(game: AnyGame, option: Option, texts: Mapping[str, str], *, secrets: bool) -> OfferedOption:
    value = texts[option.name]
    if isinstance(option.allowed, range):
        return OfferedOption(option.name, value, least=min(option.allowed), most=max(option.allowed))
    words = ("yes", "no") if option.type == "flag" else option.allowed
    # On a server where all read the same, an option that hides something is not offered.
    can_be = [word for word in words if secrets or not _hides(game, {**texts, option.name: word})]
    return OfferedOption(option.name, value, " ".join(can_be))


def _hides(game: AnyGame, texts: Mapping[str, str]) -> bool:
    """Return whether these options hide information; False if they do not go together."""
    with suppress(BadOption):
        return game.hides(game.choose_options(texts))
    return False


def _folded(nick: str) -> str:
    """Fold a nick, so that nicks which the server takes for the same are equal."""
    return unicodedata.normalize("NFC", nick).casefold()
