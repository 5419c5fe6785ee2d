"""Everything at once, for people to look at: ``make demo-all``.

One server; a master and two bots for each of thirty game types; bots of six languages, engines of chess and Go, a
learner and a scripted agent beside them. Which of these could not come, since a program is missing, is printed first.
Ends after ``--minutes`` with the standings of all types, and with exit code 1 when a type was not played to an end.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from game_masters.registry import find_game

ROOT: Final = Path(__file__).parents[1]
KITS: Final = ROOT / "examples" / "kits"
UGS: Final = (sys.executable, "-m", "ugs")
THINK_MS: Final = 300
"""How long bundled bots think: people look on, and thirty games share two processors."""
START_S: Final = 120.0
REPORT_S: Final = 15.0

OPENSPIEL: Final = (
    "backgammon",
    "breakthrough",
    "checkers",
    "clobber",
    "connect_four",
    "cursor_go",
    "dots_and_boxes",
    "go",
    "havannah",
    "hex",
    "kuhn_poker",
    "leduc_poker",
    "liars_dice",
    "lines_of_action",
    "mancala",
    "nim",
    "othello",
    "oware",
    "pentago",
    "quoridor",
    "tic_tac_toe",
    "y",
)
GAMES: Final[tuple[tuple[str, int], ...]] = (
    ("tic-tac-toe", 2),
    ("apologies", 2),
    ("apologies-adult", 2),
    ("bang", 4),
    ("titan", 2),
    ("catan", 2),
    ("chess", 2),
    ("go", 2),
    *((f"openspiel:{name}", 2) for name in OPENSPIEL),
)
"""Each with how many bundled bots play it."""
LANGUAGES: Final = ("python", "javascript", "c", "perl", "lua", "ruby", "java", "go", "rust")
MIN_LANGUAGES: Final = 6
ENGINES: Final = (
    ("stockfish", ("bot", "uci", "--nick", "stockfish", "--connect", "{address}", "--", "/usr/games/stockfish")),
    ("gnugo", ("bot", "gtp", "--nick", "gnugo", "--connect", "{address}", "--", "/usr/games/gnugo", "--mode", "gtp")),
)


class Demo(NamedTuple):
    """The processes and where they write."""

    stack: ExitStack
    directory: Path
    address: str

    def start(self, name: str, argv: Sequence[str], folder: Path | None = None) -> None:
        """Start a program; it is stopped at the end. What it writes is kept in a file."""
        with (self.directory / f"{name.replace('/', '-')}.log").open("wb") as log:
            process = subprocess.Popen(argv, cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.stack.callback(_stop, process)


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def start_games(demo: Demo) -> None:
    """A master and bundled bots for each game."""
    for game, bots in GAMES:
        demo.start(f"master-{game}", [*UGS, "master", game, "--connect", demo.address])
        for number in range(bots):
            nick = f"{game.rpartition(':')[2].replace('_', '-')}-{number + 1}"
            arguments = ["bot", game, "--nick", nick, "--connect", demo.address, "--think-ms", str(THINK_MS)]
            demo.start(nick, [*UGS, *arguments, "--no-state"])


def start_kits(demo: Demo) -> Iterator[str]:
    """A bot in each language whose tools are here, built from its kit; yields the languages that came."""
    kits = tomllib.loads((KITS / "kits.toml").read_text(encoding="utf-8"))["bot"]
    host, _, port = demo.address.rpartition(":")
    for language in LANGUAGES:
        kit = kits[language]
        missing = [tool for tool in kit["tools"] if shutil.which(tool) is None]
        if missing:
            print(f"no bot in {language}: {', '.join(missing)} is missing")
            continue
        folder = demo.directory / language
        subprocess.run([*UGS, "new", "bot", "--language", language, str(folder)], check=True, capture_output=True)
        for step in kit["build"]:
            subprocess.run(step, cwd=folder, check=True, capture_output=True)
        demo.start(f"kit-{language}", [*kit["run"], host, port, f"in-{language}"], folder)
        yield language


def start_engines(demo: Demo) -> Iterator[str]:
    """The engines that are installed; yields their names."""
    for name, arguments in ENGINES:
        if not os.access(f"/usr/games/{name}", os.X_OK):
            print(f"no {name}: it is not installed")
            continue
        demo.start(name, [*UGS, *(one.format(address=demo.address) for one in arguments)])
        yield name


def played(data: Path) -> dict[str, int]:
    """How many games of each type have ended."""
    done = subprocess.run(
        [*UGS, "record", "list", "--data-dir", str(data), "--format", "json", "--limit", "100000"],
        capture_output=True,
        text=True,
    )
    counts: dict[str, int] = {}
    for game in json.loads(done.stdout or '{"games": []}')["games"]:
        if game["counts"] and not game["running"]:
            counts[game["type"]] = counts.get(game["type"], 0) + 1
    return counts


def game_type_of(game: str) -> str:
    """The type on the wire of an installed game."""
    return find_game(game).game_type


def main() -> int:
    """Play; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=5.0)
    minutes: float = parser.parse_args().minutes
    with TemporaryDirectory(prefix="ugs-demo-all-") as name, ExitStack() as stack:
        directory, data = Path(name), Path(name) / "data"
        ready = directory / "ready.json"
        ports = ("--port", "0", "--http-port", "0", "--ready-file", str(ready))
        demo = Demo(stack, directory, "")
        demo.start("server", [*UGS, "serve", *ports, "--data-dir", str(data)])
        until = time.monotonic() + START_S
        while not ready.exists():
            if time.monotonic() > until:
                print((directory / "server.log").read_text())
                return 1
            time.sleep(0.1)
        told = json.loads(ready.read_text())
        print(f"look at it: http://{told['http']}")
        demo = demo._replace(address=told["game"])
        start_games(demo)
        languages, engines = list(start_kits(demo)), list(start_engines(demo))
        print(f"bots in {', '.join(languages)}; engines: {', '.join(engines)}")
        until = time.monotonic() + 60 * minutes
        while time.monotonic() < until:
            time.sleep(REPORT_S)
            counts = played(data)
            print(f"{sum(counts.values())} games of {len(counts)} types have ended", flush=True)
        subprocess.run([*UGS, "standings", "--data-dir", str(data)])
        missing = [game for game, _ in GAMES if game_type_of(game) not in counts]
        for game in missing:
            print((directory / f"master-{game}.log").read_text()[-500:])
        if missing:
            print(f"not played to an end: {', '.join(missing)}")
        return 1 if missing or len(languages) < MIN_LANGUAGES else 0


if __name__ == "__main__":
    sys.exit(main())
