"""A server on which everything happens that a page can show: all games, championships of all formats, an organiser.

Games that have ended are played first, by bots that do not wait; then slow ones come, whose games are looked at while
they run. What has ended is in the journal, so a second run with the same ``--data-dir`` begins with the slow ones.
"""

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.error import HTTPError
from urllib.parse import urlencode

from tests.championship.tables.played import Contest
from tests.end_to_end.processes import TOP, Program, Server, answer_of
from ugs.broker.effects import RecordChampionship
from ugs.journal.journal import Journal

TOKEN: Final = "a-token-of-more-than-twenty-characters"
SKETCHED: Final = "connect-four"
MANUAL: Final = "dist/docs"
START_US: Final = 1_790_000_000_000_000
"""When the championship began that has been played long since."""
MAX_WAIT_S: Final = 600.0
"""How long the fast bots may take until each game was played to its end; what is not is not shown."""
POLL_S: Final = 5.0
RETURN_S: Final = 120.0


class Cast(NamedTuple):
    """A game, who plays it, and how long they think about a move when they are looked at."""

    game: str
    game_type: str
    nicks: tuple[str, ...]
    think_s: float = 1.0
    fast: bool = True
    """Whether games of it are played to their ends before."""

    def word(self, think_s: float) -> str:
        """What :mod:`tests.demo_peers` understands."""
        return f"{self.game}={'+'.join(self.nicks)}@{think_s:g}"


CASTS: Final[tuple[Cast, ...]] = (
    Cast("tic-tac-toe", "5-in-line-tic-tac-toe", ("ada", "grace", "alan", "edsger")),
    Cast("apologies", "apologies", ("barbara", "donald", "tony")),
    Cast("apologies-adult", "apologies-adult", ("hedy", "niklaus")),
    Cast("bang", "bang", ("calamity", "doc", "wyatt", "belle", "jesse")),
    Cast("catan", "settlers", ("klaus", "rebecca", "teuber", "ines"), 0.5),
    Cast("titan", "titan", ("jason", "david", "mary"), 0.5),
    Cast("chess", "chess", ("judit", "magnus")),
    Cast("go", "go", ("shusaku", "dosaku"), 0.5),
    Cast("openspiel:connect_four", "openspiel:connect_four", ("howard", "ned", "wendy", "piet"), 2.0),
    Cast("openspiel:othello", "openspiel:othello", ("goro", "lewis", "brian", "rose", "hiro")),
    Cast("openspiel:hex", "openspiel:hex", ("piet-hein", "john", "emil", "claude"), 0.7, fast=False),
    Cast("openspiel:backgammon", "openspiel:backgammon", ("zeno", "paul")),
)
"""What can be played."""

PLANS: Final[Mapping[str, str]] = {
    "all": """
name = "All against all"
game_type = "openspiel:hex"
entrants = ["piet-hein", "john", "emil", "claude"]
repeats = 4
""",
    "night": """
name = "Othello by night"
game_type = "openspiel:othello"
format = "swiss"
rounds = 3
entrants = ["goro", "lewis", "brian", "rose", "hiro"]
""",
    "drop": """
name = "Four in a row"
game_type = "openspiel:connect_four"
format = "knock-out"
best_of = 3
third_place = true
entrants = ["howard", "ned", "wendy", "piet"]
""",
}
SITE: Final = '''
player_idle_s = 3600
move_timeout_s = 3600
master_timeout_s = 600
[site]
title = "Bot cup of Kiel"
text = """
Bots of two courses meet every Thursday at 20:00.

The rules: https://games.example.org/rules
"""
'''
FIELD: Final = ("Miguel", "Vera", "garry", "anatoly", "bobby", "mikhail", "tigran")


class Scene(NamedTuple):
    """A running server."""

    server: Server
    data_dir: Path

    @property
    def base(self) -> str:
        """The address of the page."""
        return f"http://{self.server.ready['http']}"

    def asks(self, path: str, **query: Any) -> Any:
        """What the API says."""
        return json.loads(answer_of(f"{self.base}/api/v1/{path}?{urlencode(query)}"))

    def running(self, game_type: str) -> Mapping[str, Any] | None:
        """The game of this type that runs and has had most moves."""
        games = [game for game in self.asks("overview")["running"] if game["game_type"] == game_type]
        return max(games, key=lambda game: int(game["moves"]), default=None)

    def ended(self, game_type: str) -> Mapping[str, Any] | None:
        """The longest of the latest games of this type that have ended as the rules say."""
        try:
            listed = self.asks("games", game_type=game_type)["games"]
        except HTTPError:  # none has ended
            return None
        games = [game for game in listed if game["counts"]]
        return max(games, key=lambda game: int(game["moves"]), default=None)


@contextmanager
def played(work: Path, data_dir: Path) -> Iterator[Scene]:
    """The server, with games of all kinds that have ended and others that run."""
    if not data_dir.exists():
        _long_ago(data_dir)
    options: list[str | Path] = ["--data-dir", data_dir, "--http-port", "0"]
    for name, text in PLANS.items():
        plan = work / f"{name}.toml"
        plan.write_text(text, encoding="utf-8")
        options += ["--championship", plan]
    tokens = work / "tokens"
    tokens.write_text(f"margaret {TOKEN}\n", encoding="utf-8")
    tokens.chmod(0o600)
    manual = f'docs = "{TOP / MANUAL}"\n' if (TOP / MANUAL).is_dir() else ""
    with ExitStack() as stack:
        server = stack.enter_context(Server(work, *options, config=f'admin_token_file = "{tokens}"\n{SITE}{manual}'))
        scene = Scene(server, data_dir)
        _play_to_ends(scene)
        stack.enter_context(_peers(server.address, [(one, one.think_s) for one in CASTS]))
        if shutil.which("node"):
            master = TOP / "examples" / "kits" / "master" / "javascript" / "master.mjs"
            stack.enter_context(Program("node", master, *server.address.split(":")))
        until = time.monotonic() + RETURN_S  # names of the fast bots may be kept for them for a while
        while not all(scene.running(one.game_type) for one in CASTS) and time.monotonic() < until:
            time.sleep(POLL_S)
        yield scene


def _play_to_ends(scene: Scene) -> None:
    """Have games played of the types of which none has ended."""

    def missing() -> list[Cast]:
        return [one for one in CASTS if one.fast and not scene.ended(one.game_type)]

    wanted = missing()
    if not wanted:
        return
    until = time.monotonic() + MAX_WAIT_S
    with _peers(scene.server.address, [(one, 0.0) for one in wanted]):
        while wanted and time.monotonic() < until:
            print("being played:", ", ".join(one.game for one in wanted), flush=True)
            time.sleep(POLL_S)
            wanted = missing()


@contextmanager
def _peers(address: str, casts: Sequence[tuple[Cast, float]]) -> Iterator[None]:
    """Masters and bots, in two processes: OpenSpiel is loaded in one of them."""
    with ExitStack() as stack:
        for collected in (False, True):
            words = [one.word(think_s) for one, think_s in casts if one.game.startswith("openspiel:") is collected]
            command = [sys.executable, "-m", "tests.demo_peers", "bundled", address, *words]
            program = subprocess.Popen(command, cwd=TOP, stdin=subprocess.DEVNULL)
            stack.callback(program.wait)
            stack.callback(program.terminate)
        yield


def _long_ago(data_dir: Path) -> None:
    """A knock-out of seven that is over: a player left, the losers of the semi-finals met, an organiser stepped in. And
    a championship in two stages."""
    game_type = "openspiel:checkers"
    cup = Contest(FIELD, format="knock-out", third_place=True, best_of=3, name="Spring cup", game_type=game_type)
    cup.play(2)
    cup.withdraw("anatoly")
    cup.play()
    swiss = {"format": "swiss", "rounds": 3, "go_on": 4, "tie_breaks": ["buchholz"]}
    stages = (swiss, {"format": "knock-out", "best_of": 3})
    two = Contest(FIELD, format="stages", stages=stages, name="Two stages", game_type=game_type).play()
    journal = Journal(data_dir, version="0.1.0", kept=lambda _: None, lost=lambda _: None, back=lambda: None)
    for number, entry in enumerate(cup.entries):
        journal.record(RecordChampionship("Spring cup", game_type, entry), START_US + number * 60_000_000, 0)
    for number, entry in enumerate(two.entries):
        journal.record(RecordChampionship("Two stages", game_type, entry), START_US + number * 60_000_000, 0)
    journal.flush()
    journal.close()
