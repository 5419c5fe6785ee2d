"""Programs that speak GTP play as players."""

import random
import sys
from pathlib import Path

import pytest
from trio.testing import MockClock

from game_masters.go import GAME
from game_masters.go.bots import choose_random
from game_masters.go.gtp import GtpEngine
from game_masters.go.rules import PASS, Beginning, GoMove, Match
from game_masters.kit.engine import EngineOrders
from game_masters.kit.engine_process import EngineFailed
from game_masters.kit.rules import Table
from tests.game_masters.engines import engine
from tests.game_masters.programs import Opens
from tests.profile import sized

FAKE = """
import sys
for line in sys.stdin:
    print(line.rstrip(), file=open(sys.argv[1], "a"))
    name = line.split()[0]
    answer = "? no" if name == "time_left" else "= " + (sys.argv[2] if name == "genmove" else "")
    print(answer, end="\\n\\n", flush=True)
    if name == "quit":
        break
"""


def a_match(*moves: str, black: tuple[str, ...] = ()) -> Match:
    chosen = GAME.choose_options({"size": "9"})
    return Match(Table("g1", ("ann", "bob"), chosen, fixture=Beginning((black, ()), moves, 0)), random.Random(0))


def test_a_program_is_brought_to_each_position(tmp_path: Path) -> None:
    program, heard = tmp_path / "fake.py", tmp_path / "heard"
    program.write_text(FAKE, encoding="utf-8")
    command = (sys.executable, "-S", str(program), str(heard), "e5")
    gnu = GtpEngine(EngineOrders(command, {"level": "3"}), GAME.choose_options({}))
    match = a_match(black=("D4",))
    bot = gnu.bot()
    assert bot.clock is not None
    bot.clock(20.9, 5.0)
    match.apply(0, gnu.choose(match.view(0), random.Random(0)))
    match.apply(1, GoMove("C3"))
    with pytest.raises(EngineFailed, match="'e5' is not allowed here"):
        gnu.choose(match.view(0), random.Random(0))
    gnu.close()
    set_up = ("protocol_version", "level 3", "boardsize 9", "clear_board", "komi 7.5", "play black D4")
    assert heard.read_text(encoding="utf-8").splitlines() == [
        *set_up,
        *("time_left black 20 0", "time_left white 5 0", "genmove black", "play white C3", "genmove black", "quit"),
    ]
    heard.unlink()
    assert gnu.choose(a_match(black=("D4",)).view(0), random.Random(0)) == GoMove("E5")  # stopped, and started again
    gnu.close()
    assert heard.read_text(encoding="utf-8").splitlines() == [*set_up, "genmove black", "quit"]


async def test_gnugo_plays_over_the_wire(opens_server: Opens, autojump_clock: MockClock, tmp_path: Path) -> None:
    gnugo = engine("gnugo")
    fixture = tmp_path / "start.toml"
    walls = {"black": [f"D{row}" for row in range(1, 10)], "white": [f"F{row}" for row in range(1, 10)]}
    fixture.write_text(f"players = 2\nblack = {walls['black']}\nwhite = {walls['white']}\n", encoding="utf-8")
    server = opens_server(move_timeout_s=1000)
    begin = sized(quick=("--fixture", str(fixture)), deep=())
    server.starts("master", "go", "--once", "--check", "--id", "m", *begin)
    gnu = server.starts(
        *("bot", "gtp", "--once", "--nick", "gnu", "--games", "1", "--no-state", "--"),
        *(gnugo, "--mode", "gtp", "--chinese-rules", "--level", "1", "--seed", "1"),
    )
    bob = server.starts("bot", "go", "--once", "--nick", "bob", "--games", "1", "--seed", "1", "--no-state")
    assert (await gnu.ends(), await bob.ends()) == (0, 0)
    (line,) = await server.log.tells("game ended", fault="nobody")
    assert set(line["outcomes"]) == {"gnu", "bob"}


@pytest.mark.parametrize("seed", range(sized(quick=1, deep=8)))
def test_the_area_is_what_gnugo_counts(seed: int) -> None:
    gnu = GtpEngine(
        EngineOrders((engine("gnugo"), "--mode", "gtp", "--chinese-rules", "--level", "1")), GAME.choose_options({})
    )
    rng, match = random.Random(seed), a_match()
    while match.outcome is None:
        (seat,) = match.movers
        match.apply(seat, choose_random(match.view(seat), rng))
    gnu.ask("boardsize 9")
    gnu.ask("clear_board")
    gnu.ask("komi 7.5")
    for place, vertex in enumerate(match.view(None).moves):
        gnu.ask(f"play {('black', 'white')[place % 2]} {vertex}")
    said = gnu.ask("final_score")
    gnu.close()
    black, white = match.score
    assert match.view(None).moves[-2:] == (PASS.vertex, PASS.vertex)
    assert said == f"{'B' if black > white + 7.5 else 'W'}+{abs(black - white - 7.5):g}"
