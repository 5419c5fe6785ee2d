"""A recorded game on the terminal, event by event, at the speed it was played: as payloads, or as pictures."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ugs.broker.values.record import BESIDE, EntryKind
from ugs.pictures.contract import Picture
from ugs.pictures.recorded import pictures
from ugs.record.game import GameRecord
from ugs.record.narration import heading, narrate, seconds_text, shortened

INDENT = " " * 12


def scenes(record: GameRecord, width: int, *, full: bool) -> Iterator[tuple[int, list[str]]]:
    """Yield microseconds to wait, and the lines to print then. Payloads are cut to ``width`` characters unless
    ``full``."""
    yield 0, [*heading(record)[:-1], ""]
    before_us = 0
    for event in narrate(record):
        took = f" ({seconds_text(event.took_us)})" if event.took_us is not None else ""
        lines = [shortened(f"{event.since_us / 1_000_000:10.3f}  {event.who} {event.what}{took}", width)]
        if event.body:
            lines.append(INDENT + (event.body if full else shortened(event.body, width - len(INDENT))))
        yield max(event.since_us - before_us, 0), lines
        before_us = event.since_us
    yield 0, ["", heading(record)[-1]]


def show(
    record: GameRecord,
    *,
    speed: float,
    width: int,
    full: bool,
    write: Callable[[str], object],
    sleep: Callable[[float], object],
) -> None:
    """Print the game ``speed`` times as fast as it was played; 0 means without waiting. ``sleep`` takes seconds."""
    for wait_us, lines in scenes(record, width, full=full):
        if speed > 0 and wait_us > 0:
            sleep(wait_us / 1_000_000 / speed)
        for line in lines:
            write(line)


@dataclass(frozen=True, slots=True)
class ReplayFrame:
    """What there is to see at one time of a game."""

    wait_us: int
    """Microseconds since the frame before."""
    lines: tuple[str, ...]
    """What has happened since the picture before; safe for a terminal."""
    picture: Picture | None


def frames(record: GameRecord, viewer: int | None, *, brief: bool = False) -> Iterator[ReplayFrame]:
    """Yield the heading, a frame for each position that the viewer was shown (None: the public view), and how the game
    ended. Moves are described in the words of the game where it has any; with ``brief``, these alone stand for a move
    and the state after it."""
    yield ReplayFrame(0, (*heading(record)[:-1], ""), None)
    shown = dict(pictures(record, viewer))
    lines: list[str] = []
    usual: list[str] = []
    before_us = 0
    for place, event in enumerate(narrate(record)):
        picture = shown.get(place)
        took = f" ({seconds_text(event.took_us)})" if event.took_us is not None else ""
        if event.kind not in BESIDE:
            line = f"{event.since_us / 1_000_000:10.3f}  {event.who} {event.what}{took}"
            lines.append(line)
            usual += [line] if event.kind in (EntryKind.MOVE, EntryKind.STATE) else []
        if picture is not None:
            news = picture.news()
            if brief and news:
                lines = [line for line in lines if line not in usual]
            begin = f"{event.since_us / 1_000_000:10.3f}  " if brief else INDENT
            lines += [f"{begin}{one}" for one in news]
            usual = []
            yield ReplayFrame(max(event.since_us - before_us, 0), tuple(lines), picture)
            before_us, lines = event.since_us, []
    yield ReplayFrame(0, (*lines, "", heading(record)[-1]), None)
