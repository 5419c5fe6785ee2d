"""Everything at once, for people to look at: ``make demo-all``.

One server; masters and bundled bots of thirty game types in three processes (:mod:`tests.demo_peers`); beside them bots
of six languages, engines of chess and Go, a learner with the table that it has saved, and a scripted agent at ``/mcp``.
Each plays with bundled bots, which take their time, so that two processors are enough. Which of these could not come,
since a program is missing, is printed first. Ends after ``--minutes`` with the standings of all types, and with exit
code 1 when a type was not played to an end, or one of the guests has not ended a game.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from game_masters.registry import find_game
from tests.demo_peers import LEARNED, LEARNER

ROOT: Final = Path(__file__).parents[1]
KITS: Final = ROOT / "examples" / "kits"
UGS: Final = (sys.executable, "-m", "ugs")
PEERS: Final = (sys.executable, "-m", "tests.demo_peers")
START_S: Final = 600.0
"""Seconds that the server may take to start, on a machine that is busy with other things."""
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
LANGUAGES: Final = {
    "python": "tic-tac-toe",
    "javascript": "openspiel:breakthrough",
    "c": "openspiel:hex",
    "perl": "openspiel:othello",
    "lua": "openspiel:clobber",
    "ruby": "openspiel:nim",
    "java": "openspiel:y",
    "go": "openspiel:pentago",
    "rust": "openspiel:mancala",
}
"""Bots of kits, and what each plays. Not the same: they take no time to think, and would play each other all day."""
MIN_LANGUAGES: Final = 6
ENGINES: Final = (
    ("stockfish", ("uci", "--go", "nodes 2000"), ("/usr/games/stockfish",)),
    ("gnugo", ("gtp",), ("/usr/games/gnugo", "--mode", "gtp", "--level", "1", "--chinese-rules")),
)
ENGINE_THINK_MS: Final = 500
AGENT: Final = ("agent", "openspiel:connect_four")
LEARN_GAMES: Final = 20_000
"""How many games the learner plays before it is let loose: a few seconds."""


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
    """Masters and bundled bots for all games, in two processes: OpenSpiel need not be loaded beside the others."""
    for name, ours in (("bundled", False), ("openspiel", True)):
        words = [f"{game}={bots}" for game, bots in GAMES if game.startswith("openspiel:") is ours]
        demo.start(name, [*PEERS, "bundled", demo.address, *words])


def start_learner(demo: Demo) -> None:
    """Learn, save the table, and enter with it."""
    table = demo.directory / "table.npz"
    learn = [sys.executable, str(LEARNER), "train", "--games", str(LEARN_GAMES), "--file", str(table)]
    subprocess.run(learn, check=True, capture_output=True)
    demo.start("learner", [*PEERS, "learner", demo.address, str(table)])


def start_kits(demo: Demo) -> Iterator[str]:
    """A bot in each language whose tools are here, built from its kit; yields the languages that came."""
    kits = tomllib.loads((KITS / "kits.toml").read_text(encoding="utf-8"))["bot"]
    host, _, port = demo.address.rpartition(":")
    for language, game in LANGUAGES.items():
        kit = kits[language]
        missing = [tool for tool in kit["tools"] if shutil.which(tool) is None]
        if missing:
            print(f"no bot in {language}: {', '.join(missing)} is missing")
            continue
        folder = demo.directory / language
        subprocess.run([*UGS, "new", "bot", "--language", language, str(folder)], check=True, capture_output=True)
        for step in kit["build"]:
            subprocess.run(step, cwd=folder, check=True, capture_output=True)
        game_type = game_type_of(game)
        demo.start(f"kit-{language}", [*kit["run"], host, port, f"in-{language}", "--game", game_type], folder)
        yield language


def start_engines(demo: Demo) -> Iterator[str]:
    """The engines that are installed; yields their names."""
    for name, (protocol, *options), command in ENGINES:
        if not os.access(command[0], os.X_OK):
            print(f"no {name}: it is not installed")
            continue
        place = ["--nick", name, "--connect", demo.address, "--no-state", "--think-ms", str(ENGINE_THINK_MS)]
        demo.start(name, [*UGS, "bot", protocol, *place, *options, "--", *command])
        yield name


class Ended(NamedTuple):
    """What has come to an end."""

    by_type: Counter[str]
    by_nick: Counter[str]


def ended(data: Path) -> Ended:
    """How many games have ended, of each type and of each player."""
    done = subprocess.run(
        [*UGS, "record", "list", "--data-dir", str(data), "--format", "json", "--limit", "100000"],
        capture_output=True,
        text=True,
    )
    games = [
        game for game in json.loads(done.stdout or '{"games": []}')["games"] if game["counts"] and not game["running"]
    ]
    nicks = (seat["nick"] for game in games for seat in game["seats"])
    return Ended(Counter(game["type"] for game in games), Counter(nicks))


def game_type_of(game: str) -> str:
    """The type on the wire of an installed game."""
    return find_game(game).game_type


def start_server(demo: Demo, data: Path) -> dict[str, str]:
    """Start the server; where it listens, empty if it does not."""
    ready, config = demo.directory / "ready.json", demo.directory / "ugs.toml"
    config.write_text('[http]\nmounts = "mcp"\n', encoding="utf-8")
    ports = ("--port", "0", "--http-port", "0", "--ready-file", str(ready), "--config", str(config))
    demo.start("server", [*UGS, "serve", *ports, "--data-dir", str(data)])
    until = time.monotonic() + START_S
    while not ready.exists():
        if time.monotonic() > until:
            print((demo.directory / "server.log").read_text())
            print(f"the server has not started within {START_S:g} s")
            return {}
        time.sleep(0.1)
    return dict(json.loads(ready.read_text()))


def main() -> int:
    """Play; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=5.0)
    minutes: float = parser.parse_args().minutes
    with TemporaryDirectory(prefix="ugs-demo-all-") as name, ExitStack() as stack:
        directory, data = Path(name), Path(name) / "data"
        demo = Demo(stack, directory, "")
        listens = start_server(demo, data)
        if not listens:
            return 1
        print(f"look at it: http://{listens['http']}", flush=True)
        demo = demo._replace(address=listens["game"])
        start_games(demo)
        languages, engines = list(start_kits(demo)), list(start_engines(demo))
        start_learner(demo)
        nick, game = AGENT
        demo.start(nick, [*PEERS, "agent", f"http://{listens['http']}/mcp", game, nick])
        print(f"bots in {', '.join(languages)}; engines: {', '.join(engines)}; a learner; an agent", flush=True)
        until = time.monotonic() + 60 * minutes
        done = ended(data)
        while time.monotonic() < until:
            time.sleep(REPORT_S)
            done = ended(data)
            print(f"{done.by_type.total()} games of {len(done.by_type)} types have ended", flush=True)
        subprocess.run([*UGS, "standings", "--data-dir", str(data)])
        guests = [*(f"in-{language}" for language in languages), *engines, "learner", nick]
        types = [*(game_type_of(game) for game, _ in GAMES), LEARNED]
        missing = [one for one in types if one not in done.by_type] + [one for one in guests if one not in done.by_nick]
        if missing:
            for log in sorted(directory.glob("*.log")):
                print(f"{log.name}: {log.read_text()[-500:]}")
            print(f"no game has ended: {', '.join(missing)}")
        return 1 if missing or len(languages) < MIN_LANGUAGES else 0


if __name__ == "__main__":
    sys.exit(main())
