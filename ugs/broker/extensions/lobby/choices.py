"""Choices for a table: the options that masters offer, what is wrong with a wish, which master can lead the game."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import field
from functools import lru_cache
from typing import Final

from ugs.broker.state.extras import Key
from ugs.broker.state.model import MIN_SEATS, GameType, Master
from ugs.broker.values.name_rules import wrong_characters
from ugs.config import Config
from ugs.value import state
from ugs.wire.extensions import Advertise, Family, NewTable, OfferedOption
from ugs.wire.messages import Choice

MAX_CHARACTERS: Final = 4096
"""Characters of the options of a table, names and values together: people read them before they sit down, and every
list of tables repeats them."""
MAX_COMPARED: Final = 8
"""Masters whose offers are checked to find options that no master offers."""
# One way to write each number: 7 and 07 would be two choices that are the same.
WHOLE_NUMBER: Final = re.compile("0|-?[1-9][0-9]{0,17}")


def has_programs(game_type: GameType) -> bool:
    """Return whether a master of this type can play seats itself."""
    return any(master.can_play_seats for master in game_type.masters.values())


def each_offered(game_type: GameType) -> Iterator[OfferedOption]:
    """Yield the options of all masters that can get games, one master after the other."""
    return (option for master in _leaders(game_type) for option in master.offers or ())


@state(eq=True)
class OffersByName:
    """With a master: its offers by name, to compare many tables with them."""

    offers: tuple[OfferedOption, ...] | None = None
    by_name: Mapping[str, OfferedOption] = field(default_factory=dict)


OFFERS: Key[OffersByName] = Key("offers by name", OffersByName)


def fits(option: OfferedOption, value: str) -> bool:
    """Return whether ``value`` may be chosen for this option: one of its words, or a whole number within its limits. An
    option without words and limits takes any value."""
    words = _words(option.values)
    limited = option.least is not None or option.most is not None
    if value in words or not (words or limited):
        return True
    if not limited or not WHOLE_NUMBER.fullmatch(value):
        return False
    number = int(value)
    return (option.least is None or number >= option.least) and (option.most is None or number <= option.most)


def wrong_shape(config: Config, message: Advertise) -> str | None:
    """Return the first mistake in a table, regardless of the game; None if there is none."""
    wrong = next(_wrong(config, message.table), None)
    return None if wrong is None else f"{message.TYPE}: {wrong}"


def wrong_table(game_type: GameType, wish: NewTable) -> str | None:
    """Return the first mistake in a table for a game of this type at present; None if there is none."""
    return next(_wrong_here(game_type, wish), None)


def can_lead(master: Master, options: Mapping[str, str], seats: int, *, programs: bool) -> bool:
    """Return whether a master leads games with this number of seats and these options. ``programs``: it has to play
    some of the seats."""
    if not master.takes(seats):
        return False
    if programs and not master.can_play_seats:
        return False
    if options and not master.may(Family.TABLE):
        return False
    return _offers(master, options)


def not_offered(game_type: GameType, options: Mapping[str, str]) -> str:
    """Return which of these options no available master offers, or that none offers all of them; empty if one does, or
    if there is no such master."""
    leaders = _leaders(game_type)[:MAX_COMPARED]
    if not leaders or any(_offers(master, options) for master in leaders):
        return ""
    known = [_offers_of(master) for master in leaders]
    for name, value in options.items():
        if not any(name in offers and fits(offers[name], value) for offers in known):
            offered = [option for offers in known for option in offers.values()]
            return next(_wrong_choice(offered, Choice(name, value)))
    return f"option: no game master offers all of these together: {', '.join(options)}"


def _wrong(config: Config, wish: NewTable) -> Iterator[str]:
    longest, most = config.max_table_name, config.max_table_seats
    if not 1 <= len(wish.name) <= longest:
        yield f"table name: has {len(wish.name)} characters; allowed are 1 to {longest}"
    elif (wrong := wrong_characters(wish.name)) is not None:
        # Strangers are shown this name in lists, so it obeys the rules of all names.
        yield f"table name {wish.name!r}: {wrong}"
    if not MIN_SEATS <= wish.seats <= most:
        yield f"table seats '{wish.seats}': allowed are {MIN_SEATS} to {most}"
    if wish.computers >= wish.seats:
        yield f"table computers '{wish.computers}': allowed are 0 to {wish.seats - 1}"
    names = Counter(choice.name for choice in wish.options)
    for name, times in names.items():
        if times > 1:
            yield f"option name {name!r}: there twice"
    characters = sum(len(choice.name) + len(choice.value) for choice in wish.options)
    if characters > MAX_CHARACTERS:
        yield f"option: names and values have {characters} characters; allowed: at most {MAX_CHARACTERS}"
    if len(wish.invited) > config.max_invitations:
        yield f"invite: {len(wish.invited)} players; allowed: at most {config.max_invitations}"
    if "" in wish.invited:
        yield "invite nick '': allowed is any other text"


def _wrong_here(game_type: GameType, wish: NewTable) -> Iterator[str]:
    masters, most = list(game_type.masters.values()), game_type.settings.max_seats
    if wish.seats > most:
        yield f"table seats '{wish.seats}': allowed for {game_type.name} are at most {most}"
    if masters and not any(master.takes(wish.seats) for master in masters):
        yield f"table seats '{wish.seats}': allowed are {_sizes(masters)}"
    if wish.computers > 0 and masters and not has_programs(game_type):
        yield f"table computers '{wish.computers}': allowed is 0, no master here could play them"
    if _leaders(game_type):
        offers = [*each_offered(game_type)]
        for choice in wish.options:
            yield from _wrong_choice(offers, choice)


def _wrong_choice(offers: list[OfferedOption], choice: Choice) -> Iterator[str]:
    named_so = [option for option in offers if option.name == choice.name]
    if not named_so:
        names = ", ".join(dict.fromkeys(option.name for option in offers)) or "none"
        yield f"option name {choice.name!r}: allowed are {names}"
    elif not any(fits(option, choice.value) for option in named_so):
        allowed = " or ".join(dict.fromkeys(map(_allowed, named_so)))
        yield f"option value {choice.value!r} for {choice.name!r}: allowed are {allowed}"


@lru_cache(maxsize=1024)
def _words(values: str) -> frozenset[str]:
    return frozenset(values.split())


def _offers(master: Master, options: Mapping[str, str]) -> bool:
    known = _offers_of(master)
    return options.keys() <= known.keys() and all(fits(known[name], value) for name, value in options.items())


def _offers_of(master: Master) -> Mapping[str, OfferedOption]:
    kept = OFFERS.of(master)
    # A new x-offers is a new tuple, so identity shows whether it has changed.
    if kept.offers is not master.offers:
        kept.offers, kept.by_name = master.offers, {one.name: one for one in master.offers or ()}
    return kept.by_name


def _allowed(option: OfferedOption) -> str:
    """Return the values that an option allows, in words."""
    words = option.values.split()
    if option.least is not None and option.most is not None:
        words.append(f"{option.least} to {option.most}")
    elif option.least is not None:
        words.append(f"whole numbers from {option.least}")
    elif option.most is not None:
        words.append(f"whole numbers up to {option.most}")
    return ", ".join(words)


def _sizes(masters: list[Master]) -> str:
    sizes = sorted({(master.players_min, master.players_max) for master in masters})
    texts = [f"{least} to {most}" if least < most else str(least) for least, most in sizes]
    return " or ".join(texts)


def _leaders(game_type: GameType) -> list[Master]:
    """Return the masters of this type that can get games: those that have sent their options."""
    return [master for master in game_type.masters.values() if master.leads]
