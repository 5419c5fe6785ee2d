"""The demonstration client of the package ``apologiesserver``, game after game.

    python -m tests.end_to_end.demo_client PORT GAMES

Prints the seconds of each game that was played to its end, and ends with exit code 1 at the first that was not: the
client only logs what goes wrong in it.
"""

import asyncio
import logging
import sys
import time

from apologiesserver import demo


class Watcher(logging.Handler):
    """Counts completed games, and keeps everything that went wrong."""

    def __init__(self) -> None:
        super().__init__()
        self.completed = 0
        self.wrong: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """See logging.Handler."""
        self.completed += record.getMessage().startswith("Game completed: ")
        if record.levelno >= logging.WARNING:
            self.wrong.append(self.format(record))


def main(port: str, games: str) -> int:
    """Play; the exit code."""
    watcher = Watcher()
    logging.basicConfig(level=logging.INFO, handlers=[watcher])
    for number in range(1, int(games) + 1):
        began = time.perf_counter()
        asyncio.run(demo._websocket_client(f"ws://127.0.0.1:{port}"))
        if watcher.wrong or watcher.completed != number:
            print(f"game {number} was not completed", *watcher.wrong, sep="\n")
            return 1
        print(f"{time.perf_counter() - began:.3f}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
