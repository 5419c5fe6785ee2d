"""Choices for a table: what is wrong with a wish, and which master can lead the game."""

from collections import Counter
from collections.abc import Iterator, Mapping

from ugs.broker.state.model import MIN_SEATS, GameType, Master
from ugs.broker.values.name_rules import wrong_characters
from ugs.broker.views.offered_options import each_offered, leaders, offers_all, wrong_choice
from ugs.config import Config
from ugs.setting_types import MAX_OPTION_CHARACTERS
from ugs.wire.extensions import Advertise, Family, NewTable


def has_programs(game_type: GameType) -> bool:
    """Return whether a master of this type can play seats itself."""
    return any(master.can_play_seats for master in game_type.masters.values())


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
    return offers_all(master, options)


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
    if characters > MAX_OPTION_CHARACTERS:
        yield f"option: names and values have {characters} characters; allowed: at most {MAX_OPTION_CHARACTERS}"
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
    if leaders(game_type):
        offers = [*each_offered(game_type)]
        for choice in wish.options:
            yield from wrong_choice(offers, choice)


def _sizes(masters: list[Master]) -> str:
    sizes = sorted({(master.players_min, master.players_max) for master in masters})
    texts = [f"{least} to {most}" if least < most else str(least) for least, most in sizes]
    return " or ".join(texts)
