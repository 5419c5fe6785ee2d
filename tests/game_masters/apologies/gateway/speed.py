"""How long a game of the demonstration client takes, with its own server as the yardstick.

``python -m tests.game_masters.apologies.gateway.speed`` starts both servers (ours with its game master, as processes)
and lets the client of the package ``apologiesserver`` play against one and the other in turns, so that other work of
the machine affects both alike.
"""

import argparse
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

PATIENCE_S = 30.0
THEIR_SERVER = "from apologiesserver.cli import run_server; run_server(['--quiet', '--override', 'server_port:{port}'])"


def free_port() -> int:
    """Return a port on which no server listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


@contextmanager
def program(*command: str) -> Iterator[None]:
    """Run a process for the time of the block, without its output."""
    process = subprocess.Popen([sys.executable, *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.terminate()
        process.wait(PATIENCE_S)


def until_open(port: int) -> None:
    """Wait until a server listens there."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except ConnectionRefusedError:
            time.sleep(0.05)
        else:
            return
    raise TimeoutError(f"nobody listens on port {port}")


def games(port: int, number: int) -> list[float]:
    """Return the seconds of ``number`` games of the demonstration client. Raises CalledProcessError when one was not
    completed."""
    command = [sys.executable, "-m", "tests.end_to_end.demo_client", str(port), str(number)]
    played = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return [float(line) for line in played.stdout.split()]


def lines(rounds: int, games_a_round: int) -> Iterator[str]:
    """Return the figures as lines."""
    spent: dict[str, list[float]] = {"its own server": [], "this gateway": []}
    with ExitStack() as running:
        folder = Path(running.enter_context(tempfile.TemporaryDirectory()))
        theirs, ours, ready = free_port(), free_port(), folder / "ready"
        running.enter_context(program("-c", THEIR_SERVER.format(port=theirs)))
        serve = ("-m", "ugs", "serve", "--port", "0", "--ready-file", str(ready))
        journal = ("--data-dir", str(folder / "data"), "--http-port", "0")
        running.enter_context(program(*serve, *journal, "--gateway", f"apologies=127.0.0.1:{ours}"))
        until_open(theirs)
        while not ready.exists():
            time.sleep(0.05)
        address = json.loads(ready.read_text())["game"]
        running.enter_context(program("-m", "ugs", "master", "apologies", "--connect", address))
        games(theirs, 1)
        time.sleep(2)  # time for the game master to log in
        games(ours, 1)
        for _ in range(rounds):
            spent["its own server"] += games(theirs, games_a_round)
            spent["this gateway"] += games(ours, games_a_round)
    yield f"{rounds * games_a_round} games each, seconds a game, {os.cpu_count()} cores"
    for name, seconds in spent.items():
        yield f"{name:15} mean {statistics.mean(seconds):.3f}, median {statistics.median(seconds):.3f}"
    ratio = statistics.mean(spent["this gateway"]) / statistics.mean(spent["its own server"])
    yield f"ratio of the means {ratio:.2f}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="The demonstration client against its own server and against ours.")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--games", type=int, default=5, help="games a round against each server")
    chosen = parser.parse_args()
    for line in lines(chosen.rounds, chosen.games):
        print(line)
