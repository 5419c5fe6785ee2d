"""What the page costs: open pages beside games, standings of very many games, and the bytes of a first view.

Many games are played at a natural pace on one server, in turns without open pages and with all of them. Then a server
is asked for the standings of a large journal.
"""

import gzip
import http.client
import json
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ugs.bench.goals import (
    PAGES,
    PAGES_TO_ALONE,
    STANDINGS_GAMES,
    STANDINGS_MS,
    VIEW_BYTES,
)
from ugs.bench.load import Load, Timing
from ugs.bench.open_pages import STANDARD_FILES
from ugs.bench.open_pages import OpenPagesPlan as PagesPlan
from ugs.bench.pacer import PacerPlan
from ugs.bench.process import allow_open_files
from ugs.bench.restart import build
from ugs.bench.run import BenchFailed
from ugs.bench.targets import RunningTarget, Target, TargetFailed, started
from ugs.bench.watched import WatchWindow, part_of_load, play_window, round_trip_ms
from ugs.journal.journal_error import JournalError

GAMES = 100
SETTINGS = """\
max_http_connections = {connections}
max_http_connections_per_ip = {connections}
move_timeout_s = 600
"""
GAME_TYPE = "5-in-line-tic-tac-toe"
ASKED = ("points", "won", "lost", "drawn", "games", "faults", "rating", "nick")
"""Orders of the standings that are requested in turn: each is another answer, so none comes from the cache."""
PATIENCE_S = 300.0


@dataclass(frozen=True, slots=True)
class Paged:
    """The result. Times in the unit of their names."""

    pages: int
    alone: tuple[WatchWindow, ...]
    opened: tuple[WatchWindow, ...]
    news_bytes: int
    """The news sent to all open pages together."""
    games: int
    """In the journal whose standings were asked for."""
    standings_first_s: float
    standings_ms: tuple[float, ...]
    view_bytes: int
    """Of the first view with its style and scripts, as they travel."""

    @property
    def ratio(self) -> float:
        """How many times the p99 of a move's round trip without open pages the p99 with them is."""
        return round_trip_ms(self.opened, 99) / round_trip_ms(self.alone, 99)

    @property
    def slowest_ms(self) -> float:
        """The slowest answer with standings after the first one."""
        return max(self.standings_ms)

    @property
    def met(self) -> dict[str, bool | None]:
        """Which goals are met; None where less was measured than the goal is about."""
        return {
            "pages": None if self.pages < PAGES else self.ratio <= PAGES_TO_ALONE,
            "standings": None if self.games < STANDINGS_GAMES else self.slowest_ms <= STANDINGS_MS,
            "view": self.view_bytes <= VIEW_BYTES,
        }


def measure_pages(
    pages: int, journal_games: int, think_ms: float, timing: Timing, on_step: Callable[[str], None], games: int = GAMES
) -> Paged:
    """Measure all of it. ``on_step`` is called with a text for each step.
    Raises BenchFailed, TargetFailed and JournalError."""
    try:
        allow_open_files(pages + STANDARD_FILES)
        with started(Target("pages", "", lambda directory, _: serve(directory, pages)), Load(1)) as server:
            alone, opened, news = _beside_games(server, pages, games, think_ms, timing, on_step)
        first_s, answers_ms, view = _standings(journal_games, on_step)
    except (TargetFailed, OSError, JournalError) as error:
        raise BenchFailed(f"{pages} open pages: {error}") from error
    return Paged(pages, alone, opened, news, journal_games, first_s, answers_ms, view)


def serve(directory: Path, pages: int) -> list[str]:
    """Return the arguments of ``python`` for a server with room for that many open pages."""
    config = directory / "ugs.toml"
    config.write_text(SETTINGS.format(connections=pages + 100))
    return ["-m", "ugs", "serve", "--port", "0", "--http-port", "0", "--config", str(config)]


def _beside_games(
    server: RunningTarget, pages: int, games: int, think_ms: float, timing: Timing, on_step: Callable[[str], None]
) -> tuple[tuple[WatchWindow, ...], tuple[WatchWindow, ...], int]:
    ready = server.ready
    assert ready.http is not None
    host, port = ready.http
    alone: list[WatchWindow] = []
    opened: list[WatchWindow] = []
    news = 0
    with part_of_load("ugs.bench.pacer", PacerPlan(ready.host, ready.port, think_ms, 0, games), server) as pacer:
        ids = [game["game"] for game in _ask(host, port, "/api/v1/overview")["running"]]
        # Half of them look at what happens now, the others at a game each.
        looks = [f"page=game&id={ids[number % len(ids)]}" if number % 2 else "page=overview" for number in range(pages)]
        # In turns, so that what slows the machine for a while slows both.
        for turn in range(timing.rounds):
            on_step(f"round {turn + 1} of {timing.rounds}")
            alone.append(play_window(pacer, server, timing))
            with part_of_load("ugs.bench.open_pages", PagesPlan(host, port, looks), server) as readers:
                opened.append(play_window(pacer, server, timing))
                readers.send_order("end")
                news += sum(json.loads(readers.line()))
        server.check()
    return tuple(alone), tuple(opened), news


def _standings(games: int, on_step: Callable[[str], None]) -> tuple[float, tuple[float, ...], int]:
    with TemporaryDirectory(prefix="ugs-bench-pages-") as name:
        data = Path(name) / "data"
        build(data, games, lambda written: on_step(f"writing games: {written}"))

        def arguments(directory: Path, _load: Load) -> list[str]:
            return [*serve(directory, 100), "--data-dir", str(data)]

        with started(Target("standings", "", arguments), Load(1)) as server:
            assert server.ready.http is not None
            host, port = server.ready.http
            on_step("computing standings")
            view = _view_bytes(host, port)
            begun = time.perf_counter()
            path = f"/api/v1/standings?game_type={GAME_TYPE}"
            while _ask(host, port, path)["pending"]:
                time.sleep(0.2)
                if time.perf_counter() - begun > PATIENCE_S:
                    raise TargetFailed(f"no standings within {PATIENCE_S:g} s")
            first = time.perf_counter() - begun
            answers = []
            for order in ASKED:
                begun = time.perf_counter()
                _ask(host, port, f"{path}&sort={order}")
                answers.append((time.perf_counter() - begun) * 1000)
            return first, tuple(answers), view


def _view_bytes(host: str, port: int) -> int:
    """The first page and all that a browser loads for it, compressed as they travel."""
    page = _get(host, port, "/")
    files = re.findall(r'(?:href|src)="(assets/[^"]+)"', gzip.decompress(page).decode())
    return len(page) + sum(len(_get(host, port, f"/{file}")) for file in files)


def _get(host: str, port: int, path: str) -> bytes:
    status, body = _answer(host, port, path)
    if status != http.client.OK:
        raise TargetFailed(f"{path}: {status}: {body[:300]!r}")
    return body


def _ask(host: str, port: int, path: str) -> Any:
    """The answer of the API. While standings are computed for the first time, it is ``pending``."""
    status, body = _answer(host, port, path)
    text = gzip.decompress(body) if body.startswith(b"\x1f\x8b") else body
    if status != http.client.OK:
        raise TargetFailed(f"{path}: {status}: {text[:300]!r}")
    return json.loads(text)


def _answer(host: str, port: int, path: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection(host, port, timeout=PATIENCE_S)
    try:
        connection.request("GET", path, headers={"Accept-Encoding": "gzip", "Accept": "text/html"})
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()
