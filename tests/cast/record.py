"""Records ``ugs demo`` and makes a picture of it: ``python -m tests.cast.record docs/pictures/demo.svg``.

The asciicast itself is written beside it when a second file is named.
"""

import fcntl
import json
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from typing import Final

from tests.cast.film import film

WIDTH: Final = 92
HEIGHT: Final = 34
LENGTH_S: Final = 27.0
"""Seconds of the demonstration that are recorded."""
TYPED: Final = "$ ugs demo\r\n"
COMMAND: Final = ("demo", "--think-ms", "150", "--port", "0")
TITLE: Final = "ugs demo: four bots play five in a row, the board and the standings move"


def record(command: tuple[str, ...], length_s: float) -> str:
    """Run ``ugs`` with these arguments on a terminal of its own for so long; what it showed, as an asciicast."""
    mine, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", HEIGHT, WIDTH, 0, 0))
    folder = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": str(WIDTH), "LINES": str(HEIGHT), "PATH": folder}
    events: list[tuple[float, str, str]] = [
        (0.1 + 0.1 * number, "o", letter) for number, letter in enumerate(TYPED[:-2])
    ]
    shift_s = events[-1][0] + 0.5
    events.append((shift_s, "o", "\r\n"))
    process = subprocess.Popen(
        ["ugs", *command], stdin=its, stdout=its, stderr=its, env=environment, start_new_session=True
    )
    os.close(its)
    begin, rest = time.monotonic(), b""
    while (passed := time.monotonic() - begin) < length_s:
        if not select.select([mine], [], [], length_s - passed)[0]:
            break
        try:
            rest += os.read(mine, 65536)
        except OSError:  # it has ended
            break
        text = rest.decode("utf-8", "ignore")
        rest = rest[len(text.encode()) :]
        events.append((round(shift_s + time.monotonic() - begin, 3), "o", text))
    process.send_signal(signal.SIGINT)
    while select.select([mine], [], [], 30)[0]:
        try:
            if not os.read(mine, 65536):
                break
        except OSError:
            break
    process.wait(30)
    os.close(mine)
    head = {"version": 2, "width": WIDTH, "height": HEIGHT, "title": TITLE}
    return "".join(json.dumps(line) + "\n" for line in (head, *events))


if __name__ == "__main__":
    cast = record(COMMAND, LENGTH_S)
    Path(sys.argv[1]).write_text(film(cast, TITLE), encoding="utf-8")
    for other in sys.argv[2:]:
        Path(other).write_text(cast, encoding="utf-8")
