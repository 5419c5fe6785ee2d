"""The result of a replay, in printable lines for people."""

from collections.abc import Iterable, Iterator

from ugs.printable import safe
from ugs.record.narration import seconds_text, shortened
from ugs.replay.comparison import Similarity
from ugs.replay.master import MasterReport
from ugs.replay.player import Compared, PlayerReport

SHOWN = 100
"""Characters shown of a move."""
CHANCE = (
    "a program that chooses by chance answers otherwise each time, unless it gets the seed that it had in the game",
    "(ugs bot --seed N, then and now); with --position it only has to answer legally",
)
"""What follows where moves differ, which need not be wrong."""


def master_lines(report: MasterReport, program: Iterable[str]) -> Iterator[str]:
    """The report about a master. ``program`` is how its process ended, printed only if the master did not answer."""
    yield from _notes(report.notes)
    if report.same:
        states = "the only state is" if report.states == 1 else f"all {report.states} states are"
        yield f"{states} equal"
        return
    yield f"{report.equal} of {report.states} states are equal, then:"
    yield from (safe(line) for line in report.difference)
    if report.failed:
        yield from (safe(line) for line in program)


def player_lines(report: PlayerReport, program: Iterable[str]) -> Iterator[str]:
    """The report about a player: a line per move, and a summary. ``program`` is printed only if the replay failed."""
    yield from _notes(report.notes)
    if report.compared:
        yield f"{'move':>5}  {'then':>10}  {'now':>10}  result"
    for one in report.compared:
        yield from _moves(one)
    counts = {kind: sum(one.similarity is kind for one in report.compared) for kind in Similarity}
    yield ", ".join(f"{kind}: {count}" for kind, count in counts.items())
    if counts[Similarity.DIFFERENT]:
        yield from CHANCE
    if report.failure:
        yield safe(report.failure)
        yield from (safe(line) for line in program)


def _moves(one: Compared) -> Iterator[str]:
    now = "" if one.now_us is None else seconds_text(one.now_us)
    yield f"{one.number or 'end':>5}  {seconds_text(one.recorded_us):>10}  {now:>10}  {one.similarity}"
    if one.similarity is not Similarity.SAME:
        yield f"{'':7}recorded: {shortened(one.recorded, SHOWN)}"
        yield f"{'':7}now:      {shortened(one.now, SHOWN)}"


def _notes(notes: Iterable[str]) -> Iterator[str]:
    yield from (f"note: {safe(note)}" for note in notes)
