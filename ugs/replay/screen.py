"""Frames of a game on a terminal: one after the other, in their place, or step by step under the reader's keys."""

import os
import sys
import termios
import tty
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from ugs.pictures.terminal import drawn, show, width_of
from ugs.replay.show import ReplayFrame

HELP: Final = "space or → next, ← back, g first, G last, q quit"
KEYS: Final = {
    b" ": 1, b"n": 1, b"\r": 1, b"\n": 1, b"j": 1, b"\x1b[C": 1, b"\x1b[B": 1,
    b"b": -1, b"p": -1, b"k": -1, b"\x7f": -1, b"\x1b[D": -1, b"\x1b[A": -1,
    b"g": -1_000_000, b"\x1b[H": -1_000_000, b"G": 1_000_000, b"\x1b[F": 1_000_000,
}  # fmt: skip
"""How many positions each key goes on."""
# No bytes are the end of the input; Ctrl-D is a key here, since nothing waits for whole lines.
QUIT: Final = frozenset({b"q", b"Q", b"\x03", b"\x04", b"\x1b", b""})


def one_by_one(console: Console, frames: Iterable[ReplayFrame], speed: float, sleep: Callable[[float], object]) -> None:
    """Print every frame below the one before, ``speed`` times as fast as it was played; 0: without waiting."""
    for frame in frames:
        _wait(frame, speed, sleep)
        for line in frame.lines:
            console.print(Text(line), soft_wrap=True, highlight=False)
        if frame.picture is not None:
            show(console, frame.picture, indent=2)
            console.print()


def in_place(console: Console, frames: Iterable[ReplayFrame], speed: float, sleep: Callable[[float], object]) -> None:
    """Show the game in one place. Heading and end stay above and below it."""
    with Live(console=console, auto_refresh=False, vertical_overflow="crop") as live:
        for frame in frames:
            _wait(frame, speed, sleep)
            if frame.picture is None:
                live.console.print(*map(Text, frame.lines), sep="\n", soft_wrap=True, highlight=False)
            else:
                live.update(look(frame, console), refresh=True)


def step(console: Console, frames: Iterable[ReplayFrame], keys: Iterator[bytes]) -> None:
    """Show one position at a time; each key of :data:`KEYS` leads to another one, those of :data:`QUIT` end it."""
    # Keys lead back as well, so all frames are kept.
    every = list(frames)
    shown = [frame for frame in every if frame.picture is not None]
    for frame in every[:1]:
        console.print(*map(Text, frame.lines), sep="\n", soft_wrap=True, highlight=False)
    at = 0
    if shown:
        with Live(console=console, auto_refresh=False, vertical_overflow="crop") as live:
            live.update(look(shown[at], console, f"{at + 1} of {len(shown)}: {HELP}"), refresh=True)
            for key in keys:
                if key in QUIT:
                    break
                at = min(max(at + KEYS.get(key, 0), 0), len(shown) - 1)
                live.update(look(shown[at], console, f"{at + 1} of {len(shown)}: {HELP}"), refresh=True)
    for frame in every[-1:]:
        console.print(*map(Text, frame.lines[-1:]), sep="\n", soft_wrap=True, highlight=False)


def look(frame: ReplayFrame, console: Console, foot: str = "") -> Group:
    """A frame in the height of the terminal: lines give way to the picture."""
    parts = [drawn(frame.picture, width_of(console)), Text("")] if frame.picture is not None else []
    parts += [Text(foot, style="dim", no_wrap=True, overflow="ellipsis")] if foot else []
    room = console.height - sum(1 + part.plain.count("\n") for part in parts) - 1
    lines: Sequence[str] = [line for line in frame.lines if line.strip()][-room:] if room > 0 else ()
    return Group(*(Text(line.strip(), no_wrap=True, overflow="ellipsis") for line in lines), *parts)


@contextmanager
def keyboard() -> Iterator[Iterator[bytes]]:
    """The keys that are pressed, one by one, without waiting for the end of a line. Standard input is a terminal."""
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal)
        # An arrow is several bytes that come in one read.
        yield iter(lambda: os.read(terminal, 8), None)
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _wait(frame: ReplayFrame, speed: float, sleep: Callable[[float], object]) -> None:
    if speed > 0 and frame.wait_us > 0:
        sleep(frame.wait_us / 1_000_000 / speed)
