"""The settings of a match: the options of `ugs match`, which a plan file (TOML) sets under the same names."""

import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from ugs.declared import Declared, WrongValues, declared
from ugs.match.sprt import Model, Sprt, WrongTest
from ugs.match.time_limits import TimeLimits
from ugs.toml_files import read_toml

MAX_GAMES: Final = 1_000_000
MAX_AT_ONCE: Final = 256
MIN_BOTS: Final = 2
MAX_BOTS: Final = 200
TIME: Final = re.compile(r"(\d{1,9})(?:\+(\d{1,9}))?")
"""MS or MS+INC: milliseconds for all moves of a game, and what each move adds."""

BotName = Annotated[
    str, declared(pattern=r"^[A-Za-z0-9._-]{1,40}$", allowed="1 to 40 letters, digits, '.', '_' and '-'")
]
SPRT_KEYS: Final = ("elo0", "elo1", "alpha", "beta", "model")

GAMES_OF_A_TEST: Final = 10_000
"""At most, where a test ends the match and no number of games was named: enough for differences of a few Elo."""
BUILTIN: Final = "builtin:"
PYTHON: Final = "python:"
CONNECT: Final = "connect"
"""How a bot is started that is no command: see :mod:`ugs.match.start_words`."""


def is_command(how: str) -> bool:
    """Whether a bot that is started so is a program of its own, which the match starts."""
    return how != CONNECT and not how.startswith((BUILTIN, PYTHON))


class WrongMatch(Exception):
    """There can be no such match. The text names option, value and what is allowed."""


class SprtWanted(Declared):
    """The test that ends the match."""

    strict = False
    elo0: float = 0
    elo1: float = 10
    alpha: float = 0.05
    beta: float = 0.05
    model: Literal["normalised", "logistic"] = "normalised"

    def _goes_together(self) -> None:
        try:
            self.test()
        except WrongTest as error:
            raise ValueError(str(error)) from None

    def test(self) -> Sprt:
        """The test itself."""
        return Sprt(self.elo0, self.elo1, self.alpha, self.beta, Model(self.model))


class MatchSettings(Declared):
    """A match. The names of the fields are those of the options, and the keys of a plan file."""

    strict = False
    game: str = declared(min_length=1, description="name of an installed game; see `ugs games`")
    bots: Mapping[BotName, str] = declared(
        min_length=MIN_BOTS, max_length=MAX_BOTS, description="name -> how it is started"
    )
    games: int = declared(100, ge=1, le=MAX_GAMES, description="games to play, rounded up to whole sets of seat orders")
    concurrency: int = declared(1, ge=1, le=MAX_AT_ONCE, description="games at once")
    players: int = declared(
        0, ge=0, le=64, description="players of one game; 0: as many as the game takes, of these bots"
    )
    seats: Literal["balanced", "fixed"] = declared("balanced", description="fixed: in the order of the bots, always")
    openings: str = declared(
        "", description="folder of fixtures, a file with [[opening]] tables, or one of a format of the game"
    )
    sprt: SprtWanted | None = declared(None, description="end with this test of the first bot against the second")
    until: Literal["", "best"] = declared("", description="best: end when the first is better than the second, at 95 %")
    time: str = declared("", description="MS+INC: milliseconds of a player for a game, and what a move adds")
    move_timeout_s: float = declared(30, gt=0, le=86_400, description="seconds for one move")
    connect_timeout_s: float = declared(
        600, gt=0, le=86_400, description="seconds that a program may take to log in before the match ends"
    )
    clock: Literal["wall", "cpu"] = declared(
        "wall", description="what soft_ms and hard_ms count: `ugs example match.md`"
    )
    soft_ms: int = declared(0, ge=0, le=86_400_000, description="milliseconds of one move, beyond which is a strike")
    strikes: int = declared(0, ge=0, le=1000, description="strikes of a game that a bot may have; one more loses it")
    hard_ms: int = declared(
        0, ge=0, le=86_400_000, description="milliseconds of one move, beyond which the game is lost"
    )
    format: Literal["round-robin", "gauntlet", "swiss", "knock-out"] = "round-robin"
    seed: str = declared("1", min_length=1, max_length=100, description="of all chance: games and bundled bots")
    option: Mapping[str, str] = declared(
        {}, description="options of the game; those that a master of your own offers (x-offers)"
    )
    master: str = declared(
        "",
        max_length=4000,
        description="command of a game master of your own, with {address} in it; game is its game type then",
    )
    data_dir: str = declared("", description="where everything is kept; empty: nowhere")
    cluster: str = declared(
        "",
        max_length=500,
        description="where batches of games are played, such as tcp://HOST:PORT or local:4; empty: here",
    )
    output: Literal["table", "json", "csv", "junit", "tap"] = "table"

    @classmethod
    def _prepared(cls, values: dict[str, Any]) -> dict[str, Any]:
        seed, option = values.get("seed"), values.get("option")
        made = dict(values)
        if made.get("sprt") is not None and made.get("format") not in ("swiss", "knock-out"):
            made.setdefault("games", GAMES_OF_A_TEST)
        if isinstance(seed, int) and not isinstance(seed, bool):
            made["seed"] = str(seed)
        if isinstance(option, Mapping):
            made["option"] = {key: _as_text(one) for key, one in option.items()}
        return made

    def _goes_together(self) -> None:
        if self.time and not TIME.fullmatch(self.time):
            raise ValueError(f"time = {self.time!r}: allowed: MS or MS+INC, such as 10000+100")
        if self.time and self.budget_s == (0, 0):
            raise ValueError(f"time = {self.time!r}: leaves no time for any move; without a limit it is left out")
        if self.clock == "cpu" and not self.time_limits.set:
            raise ValueError("clock = cpu: set also soft_ms or hard_ms, which it counts")
        if self.strikes and not self.soft_ms:
            raise ValueError(f"strikes = {self.strikes}: set also soft_ms, the time that makes a move one")
        if self.hard_ms and self.soft_ms > self.hard_ms:
            raise ValueError(f"soft_ms = {self.soft_ms}: allowed: at most hard_ms ({self.hard_ms})")
        if self.time_limits.set and not any(map(is_command, self.bots.values())):
            raise ValueError("soft_ms and hard_ms time bots that are commands, and none is one; see time for all")
        if self.sprt is not None and len(self.bots) != 2:
            raise ValueError(f"sprt: a test compares two bots; there are {len(self.bots)}. See until")
        if self.master:
            self._goes_with_master()
        if self.openings and self.format == "swiss":
            raise ValueError("openings: in a swiss each pairing is played once; take another format")
        if len({name.casefold() for name in self.bots}) < len(self.bots):
            raise ValueError("bots: two names differ only in capital letters")

    def _goes_with_master(self) -> None:
        if self.cluster:
            raise ValueError("master: a game master of your own leads games on this machine only; leave out cluster")
        bundled = next((bot for bot, how in self.bots.items() if how.startswith((BUILTIN, PYTHON))), None)
        if bundled is not None:
            raise ValueError(
                f"bots.{bundled}: with master a bot is a command or connect; others need an installed game"
            )

    @property
    def budget_s(self) -> tuple[float, float]:
        """Seconds for all moves of a player, and those that a move adds; 0 and 0 without a limit."""
        found = TIME.fullmatch(self.time)
        return (int(found[1]) / 1000, int(found[2] or 0) / 1000) if found else (0.0, 0.0)

    @property
    def time_limits(self) -> TimeLimits:
        """What a move of a program may take."""
        return TimeLimits(self.clock, self.soft_ms / 1000, self.strikes, self.hard_ms / 1000)

    def line(self) -> str:
        """The command that repeats this match."""
        return shlex.join(["ugs", "match", self.game, *self._options()])

    def _options(self) -> Iterator[str]:
        for name, how in self.bots.items():
            yield from ("--bot", f"{name}={how}")
        for name, field in type(self).fields().items():
            value = getattr(self, name)
            if name in ("game", "bots") or (value == field.default and name not in ("games", "seed")):
                continue
            if isinstance(value, SprtWanted):
                yield from ("--sprt", " ".join(f"{key}={_as_text(getattr(value, key))}" for key in SPRT_KEYS))
            elif isinstance(value, Mapping):
                for key, text in value.items():
                    yield from ("--option", f"{key}={text}")
            else:
                yield from (f"--{name.replace('_s', '').replace('_', '-')}", _as_text(value))


def _as_text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


def read_plan(path: Path) -> dict[str, Any]:
    """The keys of a plan file, unchecked. Raises WrongMatch where it is no TOML that can be read."""
    return read_toml(path, WrongMatch)


def parse_wanted(values: Mapping[str, Any], source: str) -> MatchSettings:
    """Check the keys. Raises WrongMatch, which names ``source``."""
    try:
        return MatchSettings.read(values)
    except WrongValues as error:
        raise WrongMatch("\n".join(error.lines(source))) from None


def parse_sprt(words: str) -> dict[str, str]:
    """The table that ``elo0=0 elo1=10`` stands for. Raises WrongMatch."""
    found: dict[str, str] = {}
    for word in words.split():
        key, equals, value = word.partition("=")
        if "," in value:
            raise WrongMatch(f"--sprt: {word!r}: allowed: blanks between, as in --sprt elo0=0 elo1=10")
        if not equals or key not in SPRT_KEYS:
            raise WrongMatch(f"--sprt: {word!r}: allowed: {', '.join(f'{one}=…' for one in SPRT_KEYS)}")
        found[key] = value
    return found
