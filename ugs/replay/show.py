"""A recorded game on the terminal, event by event, at the speed at which it was played."""

from collections.abc import Callable, Iterator

from ugs.record.game import GameRecord
from ugs.record.narration import heading, seconds_text, shortened, tell

INDENT = " " * 12


def scenes(record: GameRecord, width: int, *, full: bool) -> Iterator[tuple[int, list[str]]]:
    """Yield microseconds to wait, and the lines to print then. Payloads are cut to ``width`` characters unless
    ``full``."""
    yield 0, [*heading(record)[:-1], ""]
    before_us = 0
    for told in tell(record):
        took = f" ({seconds_text(told.took_us)})" if told.took_us is not None else ""
        lines = [shortened(f"{told.since_us / 1_000_000:10.3f}  {told.who} {told.what}{took}", width)]
        if told.body:
            lines.append(INDENT + (told.body if full else shortened(told.body, width - len(INDENT))))
        yield max(told.since_us - before_us, 0), lines
        before_us = told.since_us
    yield 0, ["", heading(record)[-1]]


def show(
    record: GameRecord,
    *,
    speed: float,
    width: int,
    full: bool,
    say: Callable[[str], object],
    sleep: Callable[[float], object],
) -> None:
    """Print the game ``speed`` times as fast as it was played; 0 means without waiting. ``sleep`` takes seconds."""
    for wait_us, lines in scenes(record, width, full=full):
        if speed > 0 and wait_us > 0:
            sleep(wait_us / 1_000_000 / speed)
        for line in lines:
            say(line)
