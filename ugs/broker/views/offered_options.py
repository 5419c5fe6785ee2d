"""What masters offer for their games, and which of them meet a wish; else what of it no master offers."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

from ugs.broker.state.model import GameType, Master
from ugs.wire.extensions import OfferedOption
from ugs.wire.messages import Choice

MAX_COMPARED: Final = 8
"""Masters whose offers are checked to find options that no master offers."""
# One way to write each number: 7 and 07 would be two choices that are the same.
WHOLE_NUMBER: Final = re.compile("0|-?[1-9][0-9]{0,17}")


def leaders(game_type: GameType) -> list[Master]:
    """Return the masters of this type that can get games: those that have sent their options."""
    return [master for master in game_type.masters.values() if master.leads]


def each_offered(game_type: GameType) -> Iterator[OfferedOption]:
    """Yield the options of all masters that can get games, one master after the other."""
    return (option for master in leaders(game_type) for option in _offers(master).values())


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


def offers_all(master: Master, options: Mapping[str, str]) -> bool:
    """Return whether a master offers these options with these values; so does every one if there are none."""
    known = _offers(master)
    return options.keys() <= known.keys() and all(fits(known[name], value) for name, value in options.items())


def unmet(game_type: GameType, options: Mapping[str, str]) -> str:
    """Return which of these options no available master offers, or that none offers all of them; empty if one does, or
    if there is no such master. Looks at the offers of all masters, so not for wishes of peers."""
    if any(offers_all(master, options) for master in leaders(game_type)):
        return ""
    return not_offered(game_type, options)


def not_offered(game_type: GameType, options: Mapping[str, str]) -> str:
    """The same by the offers of the first few masters."""
    compared = leaders(game_type)[:MAX_COMPARED]
    if not compared or any(offers_all(master, options) for master in compared):
        return ""
    known = [_offers(master) for master in compared]
    for name, value in options.items():
        if not any(name in offers and fits(offers[name], value) for offers in known):
            offered = [option for offers in known for option in offers.values()]
            return next(wrong_choice(offered, Choice(name, value)))
    return f"option: no game master offers all of these together: {', '.join(options)}"


def wrong_choice(offers: list[OfferedOption], choice: Choice) -> Iterator[str]:
    """Yield what is wrong with a choice, with what is allowed; nothing if one of these options takes it."""
    named_so = [option for option in offers if option.name == choice.name]
    if not named_so:
        names = ", ".join(dict.fromkeys(option.name for option in offers)) or "none"
        yield f"option name {choice.name!r}: allowed are {names}"
    elif not any(fits(option, choice.value) for option in named_so):
        allowed = " or ".join(dict.fromkeys(map(_allowed, named_so)))
        yield f"option value {choice.value!r} for {choice.name!r}: allowed are {allowed}"


def _offers(master: Master) -> Mapping[str, OfferedOption]:
    return master.offers or {}


@lru_cache(maxsize=1024)
def _words(values: str) -> frozenset[str]:
    return frozenset(values.split())


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
