"""The options of a game: those of JSettlers that this game knows, by their keys, and some of its own.

On the command line and at tables each key is an option: numbers that can be switched off are 0 when they are off, and
``t4`` or ``f7`` of the option strings of JSettlers are read as well. A scenario brings its own options, unless they are
given.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from game_masters.kit.rules import BadOption, Option, Options, OptionValue

# JSettlers writes t and f for yes and no.
_FLAGS: Final = {"t": "yes", "f": "no"}
AUTO: Final = "auto"
SCENARIOS: Final[Mapping[str, tuple[frozenset[str], int]]] = {
    "SC_NSHO": (frozenset({"_SC_SEAC"}), 13),
    "SC_4ISL": (frozenset({"_SC_SEAC"}), 12),
    "SC_FOG": (frozenset({"_SC_FOG"}), 12),
    "SC_TTD": (frozenset({"_SC_SEAC"}), 12),
    "SC_CLVI": (frozenset({"_SC_CLVI", "_SC_3IP", "_SC_0RVP"}), 14),
}
"""The options that a scenario switches on, and the points to win."""
POINTS_TO_WIN: Final = 10
IDLE: Final = 100
"""Rounds. Two players at random have needed 51 for one step, on a board with fog; those who play well 11."""
ROUNDS: Final = 500
"""Those who play well need 53 at most. States of four players who do next to nothing in 500 rounds still fit into
what a server keeps of a game by default."""


@dataclass(frozen=True)
class Flag(Option):
    """Yes or no; ``t`` and ``f`` too."""

    def parse(self, text: str) -> OptionValue:
        return super().parse(_FLAGS.get(text.strip().lower(), text))


@dataclass(frozen=True)
class Switch(Option):
    """A number from ``least`` on, or 0 for off; ``t4``, ``f4`` and ``f`` too."""

    least: int = 1

    @property
    def allowed_text(self) -> str:
        assert isinstance(self.allowed, range)
        return f"0 for off, or {self.least} to {self.allowed[-1]}"

    def parse(self, text: str) -> OptionValue:
        written = text.strip().lower()
        # JSettlers keeps the number of a switch that is off: f7.
        if written.startswith("f") and (written == "f" or written[1:].isdigit()):
            return 0
        try:
            value = super().parse(written[1:] if written.startswith("t") else text)
        except BadOption:
            value = -1
        if value != 0 and isinstance(value, int) and value < self.least:
            raise BadOption(f"option {self.name}: {text!r} is not allowed; allowed: {self.allowed_text}")
        return value


@dataclass(frozen=True)
class Perhaps(Option):
    """Yes, no, or as the scenario has it."""

    def parse(self, text: str) -> OptionValue:
        return super().parse(_FLAGS.get(text.strip().lower(), text))


def _perhaps(name: str, explanation: str) -> Perhaps:
    return Perhaps(name, AUTO, f"{explanation}; auto: as in the scenario", (AUTO, "yes", "no"))


def _options(seats: int) -> tuple[Option, ...]:
    return (
        Option("PL", seats, "players for whom the board is made; never fewer than there are", range(2, 7)),
        Flag("PLB", seats > 4, "use the board for six; always with PL above 4"),
        Flag("PLP", False, "special building only with five or six players"),
        _perhaps("SBL", "a board with sea, ships and the pirate"),
        Option("SC", "none", "the scenario", ("none", *SCENARIOS)),
        Flag("RD", False, "the robber may not return to the desert"),
        Switch("N7", 0, "number of rounds at the start without a 7", range(1000)),
        Flag("N7C", False, "no 7 is rolled until there is a city"),
        Switch("BC", 4, "this many hexes or ports of a kind do not lie together", range(10), least=3),
        Flag("NT", False, "players do not trade with each other"),
        Switch("VP", 0, "points to win; 0: 10, or those of the scenario", range(21), least=10),
        Flag("_VP_ALL", False, "VP may be less than in the scenario"),
        _perhaps("_SC_SANY", "1 special point for the first settlement in any new land area"),
        _perhaps("_SC_SEAC", "2 special points for the first settlement in each new land area"),
        _perhaps("_SC_FOG", "hexes under fog"),
        _perhaps("_SC_0RVP", "no points for the longest route"),
        _perhaps("_SC_3IP", "three settlements at the start"),
        _perhaps("_SC_CLVI", "villages with cloth"),
        Flag("BANK19", False, "the bank has 19 of each resource"),
        Option(
            "IDLE",
            IDLE,
            "the game ends after this many rounds in a row without progress; most points win",
            range(10, 501),
        ),
        Option("ROUNDS", ROUNDS, "the game ends after this many rounds; most points win", range(10, 2001)),
        Flag("PLAY_VPO", False, "development cards lie open for all players"),
        Flag("PLAY_FO", False, "all see everything; the way to play on plain v4"),
    )


OPTIONS: Final = _options(4)
"""For two to four players."""
OPTIONS_OF_SIX: Final = _options(6)
"""For five and six players."""


@dataclass(frozen=True)
class Variant:
    """What the options of a game mean."""

    players: int
    """For how many the board is made; there may be fewer."""
    six: bool
    """The board and the deck for six, and special building."""
    sea: bool
    scenario: str
    to_win: int
    on: frozenset[str]
    """The flags that are on, those of the scenario included."""
    no_seven: int
    clump: int
    idle: int
    """The game is over after this number of rounds without progress."""
    rounds: int
    """The game is over after this number of rounds in any case."""
    text: str
    """As JSettlers writes it."""
    polls: bool = True
    """Whether others are asked for answers to offers and for special building. Without it they speak up by themselves,
    as at a server of JSettlers."""

    @property
    def seats(self) -> int:
        """How many there are, vacant ones included."""
        return 6 if self.six else 4

    @property
    def open(self) -> bool:
        """Whether all see everything."""
        return "PLAY_FO" in self.on

    @property
    def cards_open(self) -> bool:
        """Whether all see development cards."""
        return "PLAY_FO" in self.on or "PLAY_VPO" in self.on


def check(options: Options) -> None:
    """Raise BadOption for values that do not go together."""
    scenario = options.word("SC")
    if scenario != "none" and options.word("SBL") == "no":
        # JSettlers knows no scenario without sea either.
        raise BadOption(f"option SBL: 'no' is not allowed with SC={scenario}; a scenario is played on a board with sea")
    for key, needed in (("_SC_FOG", "SC_FOG"), ("_SC_CLVI", "SC_CLVI")):
        if options.word(key) == "yes" and scenario != needed:
            raise BadOption(
                f"option {key}: 'yes' is not allowed with SC={scenario}; only the board of {needed} has that"
            )


def hides(options: Options) -> bool:
    """Return whether anything is hidden from any player."""
    return not options.flag("PLAY_FO")


def variant(options: Options, players: int) -> Variant:
    """Return what the options mean for a game of ``players`` players."""
    # A table may have more players than the board was asked for: the board grows.
    most = max(options.integer("PL"), players)
    six = most > 4 or options.flag("PLB")
    scenario = "" if options.word("SC") == "none" else options.word("SC")
    brought, points = SCENARIOS.get(scenario, (frozenset(), POINTS_TO_WIN))
    sea = bool(scenario) or options.word("SBL") == "yes"
    on = {name for name, value in options.values.items() if value is True or value == "yes"}
    on |= {name for name in brought if options.word(name) == AUTO}
    on |= {"SBL"} if sea else set()
    on |= {"PLB"} if six else set()
    asked = options.integer("VP")
    # A scenario's own target is the least, as in JSettlers, unless _VP_ALL allows less.
    to_win = points if not asked else asked if "_VP_ALL" in on else max(asked, points)
    # There are boards for at most four and for six: with five players all six seats are there.
    written = [f"PL={6 if six else most}"]
    written += [f"SC={scenario}"] if scenario else []
    # JSettlers has no word for BANK19, an option of this game alone.
    written += [f"{name}=t" for name in sorted(on) if name != "BANK19"]
    # A switch that is off is written with the number that JSettlers has by default.
    for name in ("N7", "BC"):
        written += (
            [f"{name}=t{options.integer(name)}"] if options.integer(name) else [f"{name}=f{7 if name == 'N7' else 4}"]
        )
    written.append(f"VP=t{to_win}" if to_win != POINTS_TO_WIN else "VP=f10")
    return Variant(
        6 if six else most, six, sea, scenario, to_win, frozenset(on), options.integer("N7"), options.integer("BC"),
        options.integer("IDLE"), options.integer("ROUNDS"), ",".join(written),
    )  # fmt: skip
