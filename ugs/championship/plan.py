"""The plan of a championship: a small TOML file, checked key by key.

``conf/championship.toml`` is the commented example. A plan sets who plays (``entrants``, ``first`` or ``begins_at``),
the format, and what happens to those who leave.
"""

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from hashlib import sha256
from itertools import permutations
from math import factorial
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias

from ugs.championship.used_keys import USED_BY, USED_BY_STAGE, why_refused, without_use
from ugs.config import time_text
from ugs.declared import Declared, WrongValues, declared
from ugs.printable import shown
from ugs.setting_types import MAX_ENTRANTS, Entrants, GameOptions, Seconds, in_option_words
from ugs.toml_files import read_toml

Nick: TypeAlias = Annotated[str, declared(min_length=1, max_length=64)]
PlanName: TypeAlias = Annotated[str, declared(min_length=1, max_length=64, pattern=r"^\S(.*\S)?$")]
TieBreak: TypeAlias = Literal["head-to-head", "sonneborn-berger", "buchholz", "wins"]

MAX_ROUNDS = 1_000_000
"""Rounds, seasons, or games of each entrant."""
MAX_PLAN_SEATS = 1000
"""Players of one game that a plan may speak of; a server allows fewer, see MAX_SEATS."""
MAX_OPENING = 65_536
"""Characters of an opening at most."""
MAX_SEATS: Final = 64
"""Players of one game of a championship at most: who meets whom, and where they sit, costs more than their number."""
MAX_SHUFFLED = 4
"""With up to this many seats an opening is played in all orders of them; with more, each entrant has each seat once."""


def seat_orders(seats: int) -> list[tuple[int, ...]]:
    """Return the seat orders of a game's players, one after the other, when an opening is played through."""
    if number_of_orders(seats) > seats:
        return list(permutations(range(seats)))
    return [tuple((seat + turn) % seats for seat in range(seats)) for turn in range(seats)]


def number_of_orders(seats: int) -> int:
    """Return how many these are."""
    return factorial(seats) if seats <= MAX_SHUFFLED else seats


MAX_DEALS = 1000
DEAL_DIGITS = 32
"""Digits of the seed of a deal: 128 bits."""
BYES: dict[str, Callable[[int], float]] = {
    "share": lambda seats: 1 / seats,
    "win": lambda _seats: 1.0,
    "half": lambda _seats: 0.5,
    "nothing": lambda _seats: 0.0,
}
"""What sitting out a round of a Swiss is worth, by the word that a plan has for it and the seats of a game."""


def _name(number: int) -> str:
    return f"deal {number}"


def _deal(deal_seed: str, number: int, seats: int) -> dict[str, str]:
    """The opening that is deal ``number``, from 1."""
    seed = sha256(f"{deal_seed} {number}".encode()).hexdigest()
    return {"name": _name(number), "text": f'players = {seats}\nseed = "{seed[:DEAL_DIGITS]}"\n'}


def _deals(plan: Mapping[str, Any]) -> dict[str, Any]:
    """What deals stand for: openings that fix only how many play, and the seed of all chance."""
    if plan.get("deals") != "same" or plan.get("openings"):
        return {}
    seats, repeats, seed = plan.get("seats", 0), plan.get("repeats", 1), plan.get("deal_seed", "")
    wrong = type(repeats) is not int or not 1 <= repeats <= MAX_DEALS
    if wrong or not isinstance(seats, int) or seats < 2 or not isinstance(seed, str):
        return {}  # their mistakes are reported as theirs
    openings = tuple(_deal(seed, number, seats) for number in range(1, repeats + 1))
    return {"openings": openings, "repeats": 1}


class PlanError(Exception):
    """A plan that cannot be used. The text names the source, the key and what is allowed."""


class Stage(Declared):
    """One stage of a championship in stages."""

    format: Literal["round-robin", "swiss", "knock-out"] = declared(
        "round-robin", description="who plays whom in a group of this stage"
    )
    groups: int = declared(1, ge=1, le=64, description="into how many groups the field of this stage is dealt")
    go_on: int = declared(1, ge=1, le=MAX_ENTRANTS, description="how many of each group go on to the next stage")
    play_off: bool = declared(
        False, description="whether those who are level at that line, or on the first place of the last stage, play off"
    )
    repeats: int = declared(1, ge=1, le=1000, description="round-robin: how often each pairing is played")
    rounds: int = declared(0, ge=0, le=1000, description="swiss: rounds, 0 is enough for one winner")
    best_of: int = declared(1, ge=1, le=99, description="knock-out: games of a match at most")
    third_place: bool = declared(False, description="knock-out: whether the losers of the semi-finals meet")
    tie_breaks: tuple[TieBreak, ...] = declared(
        (),
        max_length=16,
        description="round-robin, swiss: what separates equal points, in order; empty: the points among those who have "
        "them",
    )

    def _goes_together(self) -> None:
        if wrong := why_refused(self, USED_BY_STAGE):
            raise ValueError(wrong)


class PlanOpening(Declared):
    """A position where games begin."""

    name: str = declared(min_length=1, max_length=200, description="what people call it")
    text: str = declared(
        min_length=1, max_length=MAX_OPENING, description="how games begin, in the words of the master"
    )


class Plan(Declared):
    """All decisions about a championship before it begins."""

    name: PlanName = declared(description="its name; no two championships of a server have the same name")
    game_type: Nick = declared(description="the game that is played")
    format: Literal["round-robin", "swiss", "knock-out", "ladder", "gauntlet", "stages", "league"] = declared(
        "round-robin",
        description="who plays whom: all others, near neighbours, winners, close ratings, one against all; several "
        "formats one after the other, divisions season after season",
    )
    entrants: tuple[Nick, ...] = declared(
        (),
        max_length=MAX_ENTRANTS,
        description="a fixed field, best seed first; it begins when all are there. Empty: see first and begins_at",
    )
    reserved: bool = declared(False, description="whether the nick of an entrant needs its token (`ugs token add`)")
    first: Entrants = declared(0, description="it begins with this many, the first to log in; 0: see begins_at")
    begins_at: str = declared(
        "",
        description="time to begin with those who are there (of entrants, if given): 2030-05-01T20:00, "
        "local, or with its zone, 2030-05-01T20:00+02:00",
    )
    round_dates: tuple[str, ...] = declared(
        (),
        max_length=1000,
        description="times like begins_at: the earliest for round 1, 2, …; empty: none",
    )
    late_rounds: int = declared(
        0,
        ge=0,
        le=MAX_ROUNDS,
        description="swiss, also as the first of stages: who logs in before this round is drawn may still enter; what "
        "it missed is worth 0",
    )
    seeding: str = declared(
        "",
        max_length=64,
        description='order of the field: empty, as in entrants or as they came; "rating"; or the name of an earlier '
        "championship that is over, of any game type",
    )
    seeds: tuple[Nick, ...] = declared(
        (),
        max_length=MAX_ENTRANTS,
        description="what seeding comes to, best first; filled in when it is announced, unless it is given",
    )
    open_play: bool = declared(True, description="whether players meet in open play until it begins")
    pause_after: bool = declared(
        False,
        description="whether its game type is paused when it is over: nothing more is played until `ugs admin resume`, "
        "or until the next championship of the type is announced",
    )
    seats: int = declared(
        0,
        ge=0,
        le=MAX_PLAN_SEATS,
        description="players of one game, at most 64 and max_seats; 0: as many as the game master takes",
    )
    options: GameOptions = declared(
        {},
        description="options of all its games, such as { board_size = 7 }, or a table [options] at the end; the others "
        "are the defaults of the game master",
    )
    repeats: int = declared(
        1, ge=1, le=1000, description="round-robin, gauntlet: how often each pairing is played; 2 is a double one"
    )
    rounds: int = declared(
        0,
        ge=0,
        le=MAX_ROUNDS,
        description="swiss: rounds, 0 is enough for one winner; ladder: games of each entrant; league: seasons; 0 is "
        "without end",
    )
    bye: Literal["share", "win", "half", "nothing"] = declared(
        "share", description="swiss: what sitting out a round is worth; share: a won game divided by seats"
    )
    best_of: int = declared(
        1, ge=1, le=99, description="knock-out: games of a match at most; drawn ones are played again"
    )
    third_place: bool = declared(False, description="knock-out: whether the losers of the semi-finals meet")
    stages: tuple[Stage, ...] = declared((), max_length=8, description="stages: one after the other, each a [[stages]]")
    divisions: int = declared(2, ge=1, le=64, description="league: how many divisions there are")
    promoted: int = declared(
        1, ge=0, le=MAX_ENTRANTS, description="league: how many of a division change places with the one above"
    )
    openings: tuple[PlanOpening, ...] = declared(
        (),
        max_length=1000,
        description="first positions of games, each played with all orders of seats: as [openings] with files, "
        "a list of what `ugs master GAME --fixture` takes",
    )
    deals: Literal["", "same"] = declared(
        "",
        description="same: each pairing plays each deal (dice and cards from one seed) in all orders of seats, so that "
        "luck is the same for all; repeats is the number of deals. Takes the place of openings, and needs seats",
    )
    deal_seed: str = declared(
        "",
        max_length=200,
        description="what the seeds of the deals follow from; any text that players cannot guess",
    )
    champion: str = declared(
        "", max_length=64, description="gauntlet: the one against all others; empty: the first seed"
    )
    void_replays: int = declared(
        3, ge=0, le=1000, description="times a game that ended void is played again, then it is reported"
    )
    tie_breaks: tuple[TieBreak, ...] = declared(
        ("head-to-head", "sonneborn-berger", "buchholz", "wins"),
        max_length=16,
        description="what separates equal points, in order; not for knock-out, stages and league, whose places follow "
        "from the format",
    )
    leavers: Literal["half", "lose", "strike"] = declared(
        "half",
        description="who has left for good: lose what is still to be played, strike all its results (round-robin, "
        "gauntlet), or half: strike if less than half was played, else lose",
    )
    return_s: Seconds = declared(
        0,
        description="seconds an entrant may stay away that logs out or whose connection is lost, then with a session "
        "after session_grace_s; 0: it has left",
    )
    restart_return_s: Seconds = declared(600, description="the same after a restart of the server, from its start")

    @classmethod
    def _prepared(cls, values: dict[str, Any]) -> dict[str, Any]:
        made = {**values, **{key: time_text(values[key]) for key in ("begins_at",) if key in values}}
        if "options" in made:
            made["options"] = in_option_words(made["options"])
        dates = made.get("round_dates")
        if isinstance(dates, list | tuple):
            made["round_dates"] = tuple(map(time_text, dates))
        return {**made, **_deals(made)}

    def _goes_together(self) -> None:
        if not self.entrants and not self.first and not self.begins_at:
            raise ValueError("who plays is missing: give entrants, first or begins_at")
        if self.entrants and self.first:
            raise ValueError("entrants and first exclude each other")
        if len(set(self.entrants)) < len(self.entrants):
            raise ValueError("entrants: the same nick twice")
        if len(self.entrants) == 1 or self.first == 1:
            raise ValueError("a championship needs at least 2 entrants")
        if self.deals and self.seats < 2:
            raise ValueError("deals: the number of seats is part of a deal; give seats")
        if bool(self.deals) is not bool(self.deal_seed):
            raise ValueError("deals and deal_seed need each other: give a text that players cannot guess")
        if self.deals and [one.name for one in self.openings] != [_name(at + 1) for at in range(len(self.openings))]:
            raise ValueError("deals: they take the place of openings; give one of the two")
        if self.openings and ({"swiss", "ladder"} & {self.format, *(stage.format for stage in self.stages)}):
            key = "deals" if self.deals else "openings"
            raise ValueError(f"{key}: a Swiss and a ladder play each pairing once; take another format")
        for date in self.round_dates:
            _check_time("round_dates", date)
            _check_on_clocks("round_dates", date)
        if self.round_dates and self.format == "ladder":
            raise ValueError("round_dates: a ladder has no rounds")
        if [*self.dates] != sorted(self.dates):
            raise ValueError("round_dates: each must be later than the one before")
        if wrong := why_refused(self, USED_BY):
            raise ValueError(wrong)
        if bool(self.stages) is not (self.format == "stages"):
            raise ValueError('stages and format = "stages" need each other: give at least one [[stages]]')
        if self.late_rounds and not self._takes_late:
            raise ValueError(f"late_rounds = {self.late_rounds}: the first stage must be a Swiss without groups")
        if self.stages and self.stages[-1].go_on > 1:
            raise ValueError(f"go_on = {self.stages[-1].go_on}: no stage comes after the last one; leave it out there")
        if self.reserved and not self.entrants:
            raise ValueError("reserved = true: only for nicks of entrants; give entrants")
        if self.seats == 1:
            raise ValueError("seats = 1: a game has at least 2")
        if self.champion and self.entrants and self.champion not in self.entrants:
            raise ValueError(f"champion = {self.champion!r}: not one of entrants")
        if self.begins_at:
            _check_time("begins_at", self.begins_at)

    def bye_points(self, seats: int) -> float:
        """The points of a player who sits out a round, in games of ``seats`` seats."""
        return BYES[self.bye](seats)

    @property
    def in_use(self) -> "Plan":
        """The same with the defaults of all values that nothing uses. There are none in a plan that was checked; older
        ones had some."""
        stages = [stage.but(**without_use(stage, USED_BY_STAGE)) for stage in self.stages]
        if stages:
            stages[-1] = stages[-1].but(go_on=Stage.fields()["go_on"].initial)
        reserved = self.reserved and bool(self.entrants)
        late_rounds = self.late_rounds if self._takes_late else 0
        values = {"late_rounds": late_rounds, **without_use(self, USED_BY)}
        return self.but(**values, stages=tuple(stages), reserved=reserved)

    @property
    def _takes_late(self) -> bool:
        """Whether players may come late, if its format takes any."""
        return not self.stages or (self.stages[0].format == "swiss" and self.stages[0].groups == 1)

    @property
    def hour(self) -> datetime | None:
        """When it begins with those who are there; None when it waits for a number or for names."""
        return datetime.fromisoformat(self.begins_at) if self.begins_at else None

    @property
    def dates(self) -> tuple[float, ...]:
        """The dates of its rounds, in seconds since 1970."""
        return tuple(datetime.fromisoformat(date).timestamp() for date in self.round_dates)

    def date_text(self, round_: int) -> str:
        """The date of a round that has one, for people, with its zone."""
        return shown_time(datetime.fromisoformat(self.round_dates[round_ - 1]))

    @property
    def hour_text(self) -> str:
        """The same for people, with its zone: ``2030-05-01 20:00+02:00``; empty when there is none."""
        return shown_time(self.hour) if self.hour is not None else ""


def shown_time(moment: datetime) -> str:
    """A moment for people, with its zone: ``2030-05-01 20:00+02:00``. One without a zone is local time."""
    try:
        moment = moment.astimezone()
    except (ValueError, OverflowError, OSError):  # no clock shows it
        return moment.isoformat(" ")
    return moment.isoformat(" ", "seconds" if moment.second else "minutes")


def _check_time(key: str, text: str) -> None:
    """Raises ValueError unless ``text`` is a day with an hour."""
    try:
        datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(f"{key} = {text!r}: not a time such as 2030-05-01T20:00") from None
    if len(text) < len("2030-05-01T20"):
        raise ValueError(f"{key} = {text!r}: a day without an hour; write {text}T20:00")


def _check_on_clocks(key: str, text: str) -> None:
    """Raises ValueError for the first and last years, of which clocks of other zones show another one."""
    try:
        datetime.fromisoformat(text).timestamp()
    except (ValueError, OverflowError, OSError):
        raise ValueError(f"{key} = {text!r}: no clock shows this time") from None


def load_plan(path: Path) -> Plan:
    """Read a plan file. Raises :class:`PlanError` when it cannot be read, is not TOML, or contains a value that is not
    allowed."""
    values = read_toml(path, PlanError)
    if isinstance(values.get("openings"), Mapping):
        values["openings"] = _read_openings(values["openings"], path)
    return parse_plan(values, str(path))


def _read_openings(table: Mapping[str, Any], plan: Path) -> list[dict[str, str]]:
    """The openings that the table ``[openings]`` of a plan names, from files beside it."""
    files = table.get("files")
    if {*table} != {"files"} or not isinstance(files, list) or not all(isinstance(name, str) for name in files):
        raise PlanError(f"{plan}: openings: allowed: files, a list of files")
    found = []
    for name in files:
        path = plan.parent / name
        try:
            with path.open(encoding="utf-8") as file:
                found.append({"name": Path(name).stem, "text": file.read(MAX_OPENING + 1)})
        except (OSError, ValueError) as error:  # no UTF-8, or a name that no file has
            raise PlanError(f"{plan}: openings: {shown(str(path))}: cannot be read: {error}") from None
    return found


def parse_plan(values: Mapping[str, Any], source: str) -> Plan:
    """Check the TOML table of a plan. ``source`` is named in the :class:`PlanError` when something is wrong."""
    try:
        return Plan.read(values)
    except WrongValues as error:
        raise PlanError("\n".join(error.lines(source))) from None


HEADING = """\
# The plan of a championship. Every key is here with what it does; those that are left out have the value shown. Only
# name, game_type and who plays are for every plan to set. Units are in the names: _s is seconds.
#
#   ugs championship plan THIS-FILE --dry-run      how many games, how fair, how long
#   ugs serve --championship THIS-FILE             play it
"""
SHOWN: dict[str, str | list[str]] = {
    "name": "spring",
    "game_type": "5-in-line-tic-tac-toe",
    "entrants": ["ann", "ben", "cat", "dan"],
}
"""The values in the example of keys that have no default."""


def written_out() -> str:
    """Return the plan with every key and its explanation, as in ``conf/championship.toml``."""
    return HEADING + "".join(map(_key_line, Plan.fields()))


def _key_line(name: str) -> str:
    """Return one key with its value and explanation, as TOML."""
    field = Plan.fields()[name]
    value = SHOWN.get(name, field.default)
    return f"\n# {field.description}\n{name} = {json.dumps(list(value) if isinstance(value, tuple) else value)}\n"
