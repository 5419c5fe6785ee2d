"""What came of each kill, and the table of it. No I/O."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median
from typing import Final

from ugs.soak.cluster.lasting_player import SeenEnd

HEADING: Final = (
    "| killed | times | results lost or doubled | losses | games void | pause, median (s) | pause, longest (s) "
    "| longest of any game (s) |\n|---|---:|---:|---:|---:|---:|---:|---:|"
)


@dataclass(frozen=True, slots=True)
class KeptEnd:
    """What the journal has of the end of a game."""

    game_id: str
    outcomes: Mapping[str, str]
    """``won``, ``lost``, ``drawn`` or ``void``, by nick."""
    ended_us: int


@dataclass(slots=True)
class Kill:
    """One kill, in the time until the next one. Times of ``since`` are those of ``time.monotonic``."""

    part: str
    since: float
    since_us: int
    """The same moment on the wall, in microseconds since 1970."""
    pause_s: float = 0.0
    """The longest time without a relayed move in any game."""
    longest_s: float = 0.0
    """The longest time without a relayed move in one game that went on."""
    wrong: list[str] = field(default_factory=list)
    """Results that are lost or doubled."""
    lost: list[str] = field(default_factory=list)
    """Losses without a fault."""
    void: list[str] = field(default_factory=list)


@dataclass(slots=True)
class ClusterSummary:
    """All kills."""

    seed: int
    games: int
    kills: list[Kill] = field(default_factory=list)
    results: int = 0
    """Results in the journal."""
    back: int = 0
    """How often a player has come back with its session."""
    harm: list[str] = field(default_factory=list)
    """What players received that they had not earned."""

    @property
    def good(self) -> bool:
        """Whether nothing was lost, doubled, or lost by a player."""
        return not self.harm and not any(kill.wrong or kill.lost for kill in self.kills)


def pauses(relayed: Sequence[tuple[float, str]], since: float, until: float) -> tuple[float, float]:
    """The longest pause of all games together, and of any one of them that went on, between two moments, in seconds."""
    moments = [at for at, _ in relayed]
    # The last moves before the kill count as the beginning of the pause.
    first, last = bisect_left(moments, since), bisect_right(moments, until)
    together = [since, *moments[first:last]]
    pause = max((later - earlier for earlier, later in pairwise(together)), default=until - since)
    latest: dict[str, float] = {}
    longest = 0.0
    for at, game_id in relayed[:last]:
        if at >= since:
            # A game that began after the kill has no pause by it.
            longest = max(longest, at - max(since, latest.get(game_id, at)))
        latest[game_id] = at
    return pause, longest


def judge(summary: ClusterSummary, seen_ends: Iterable[SeenEnd], kept: Sequence[KeptEnd]) -> None:
    """Compare what players received with the journal, and write into each kill what went wrong after it."""
    if not summary.kills:
        return
    by_game: dict[str, KeptEnd] = {}
    for end in kept:
        kill = _kill_of(summary, end.ended_us)
        if end.game_id in by_game:
            kill.wrong.append(f"game {end.game_id} has two results")
        by_game[end.game_id] = end
        if "void" in end.outcomes.values():
            kill.void.append(end.game_id)
        elif set(end.outcomes.values()) != {"drawn"}:
            kill.lost.append(f"game {end.game_id}: {dict(end.outcomes)}")
    seen: set[tuple[str, str]] = set()
    for one in seen_ends:
        found = by_game.get(one.game_id)
        if found is None:
            # Without a record its end has no moment: it counts for the last kill.
            summary.kills[-1].wrong.append(f"{one.nick} received the end of {one.game_id}; the journal has none")
        elif one.drawn != (found.outcomes.get(one.nick) == "drawn"):
            _kill_of(summary, found.ended_us).wrong.append(f"{one.nick} received another end of {one.game_id}")
        seen.add((one.game_id, one.nick))
    summary.results = sum("drawn" in end.outcomes.values() for end in kept)


def _kill_of(summary: ClusterSummary, at_us: int) -> Kill:
    """The last kill before a moment."""
    return next((kill for kill in reversed(summary.kills) if kill.since_us <= at_us), summary.kills[0])


def kill_line(kill: Kill) -> str:
    """One kill, for people who wait."""
    return f"{kill.part}: pause {kill.pause_s:.1f} s, longest of any game {kill.longest_s:.1f} s"


def table(summary: ClusterSummary) -> str:
    """The table, a row for each part, and what it is about."""
    rows = [HEADING]
    for part in dict.fromkeys(kill.part for kill in summary.kills):
        kills = [kill for kill in summary.kills if kill.part == part]
        each = [kill.pause_s for kill in kills]
        counts = [sum(len(getattr(kill, what)) for kill in kills) for what in ("wrong", "lost", "void")]
        numbers = [len(kills), *counts, f"{median(each):.1f}", f"{max(each):.1f}"]
        numbers.append(f"{max(kill.longest_s for kill in kills):.1f}")
        rows.append(f"| {part} | {' | '.join(map(str, numbers))} |")
    about = (
        f"{summary.games} games at a time, {summary.results} results, {summary.back} times a player came back; seed "
    )
    lines = [*rows, "", about + str(summary.seed)]
    for kill in summary.kills:
        lines += [f"{kill.part}: {what}" for what in (*kill.wrong, *kill.lost)]
    return "\n".join([*lines, *summary.harm])
