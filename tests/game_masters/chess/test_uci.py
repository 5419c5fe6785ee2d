"""Engines that speak UCI play as players."""

import random
import sys
from pathlib import Path

import chess
import chess.engine
import pytest
from trio.testing import MockClock

from game_masters.chess import GAME, VARIANT
from game_masters.chess.fairy import FairyBoard
from game_masters.chess.rules import ChessMove, DrawWord, View
from game_masters.chess.uci import UciEngine, UciThought, read_thought
from game_masters.kit.engine import EngineOrders
from game_masters.kit.engine_process import EngineFailed, EngineProcess
from game_masters.kit.thought import Thought
from tests.game_masters.engines import engine
from tests.game_masters.programs import Opens
from tests.profile import sized

NODES = 60
USUAL = GAME.choose_options({})

FAKE = """
import sys
for line in sys.stdin:
    words = line.split()
    print(line.rstrip(), file=open(sys.argv[1], "a"))
    if words[0] == "uci":
        print("option name Hash type spin default 16 min 1 max 9")
        print("option name UCI_Chess960 type check default false")
        print("uciok")
    elif words[0] == "isready":
        print("readyok")
    elif words[0] == "go":
        print("info depth 3 score cp -35 nodes 9 pv e2e4 e7e5")
        print("bestmove " + sys.argv[2])
    elif words[0] == "quit":
        break
    sys.stdout.flush()
"""


def a_fake(tmp_path: Path, best: str = "e2e4", **options: str) -> tuple[UciEngine, Path]:
    """An engine that always says the same, and the file of what it hears."""
    program, heard = tmp_path / "fake.py", tmp_path / "heard"
    program.write_text(FAKE, encoding="utf-8")
    orders = EngineOrders((sys.executable, "-S", str(program), str(heard), best), options)
    return UciEngine(orders, GAME.choose_options({"chess960": "yes"})), heard


def a_view(*moves: str, claim: bool = False) -> View:
    board = chess.Board()
    for move in moves:
        board.push_uci(move)
    legal = tuple(sorted(move.uci() for move in board.legal_moves))
    return View(chess.STARTING_FEN, moves, board.fen(), legal, claim=claim)


def test_an_engine_is_sent_options_positions_and_clocks(tmp_path: Path) -> None:
    fish, heard = a_fake(tmp_path, Hash="8")
    bot = fish.bot()
    assert bot.clock is not None
    bot.clock(9.5, 60.0)
    assert bot.choose(a_view(), random.Random(0)) == ChessMove("e2e4")
    assert fish.thought == UciThought(3, -35, None, ("e2e4", "e7e5"))
    assert fish.choose(a_view(claim=True), random.Random(0)) == ChessMove(draw=DrawWord.CLAIM)
    with pytest.raises(EngineFailed, match="no legal move"):
        fish.choose(a_view("e2e4", "e7e5"), random.Random(0))
    fish.close()
    assert heard.read_text(encoding="utf-8").splitlines() == [
        "uci",
        "setoption name Hash value 8",
        "setoption name UCI_Chess960 value true",
        "isready",
        "ucinewgame",
        "isready",
        f"position fen {chess.STARTING_FEN}",
        "go wtime 9500 btime 60000",
        f"position fen {chess.STARTING_FEN}",
        "go movetime 1000",
        f"position fen {chess.STARTING_FEN} moves e2e4 e7e5",
        "go movetime 1000",
        "quit",
    ]


def test_an_option_that_the_engine_has_not_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EngineFailed, match=r"no option 'Strength'; it has: Hash, UCI_Chess960"):
        a_fake(tmp_path, Strength="8")


def test_what_cannot_be_started_is_named() -> None:
    with pytest.raises(EngineFailed, match="No such file"):
        UciEngine(EngineOrders(("/nowhere/fish",)), USUAL)
    with pytest.raises(EngineFailed, match="has ended"):
        UciEngine(EngineOrders((sys.executable, "-S", "-c", "")), USUAL)


@pytest.mark.parametrize(
    ("line", "thought"),
    [
        ("info depth 9 seldepth 12 multipv 1 score mate -3 nodes 1 pv a2a3", UciThought(9, None, -3, ("a2a3",))),
        ("info depth 9 score cp 12 lowerbound nodes 7", UciThought(9, 12, None, ())),
        ("info depth 9 multipv 2 score cp 12 pv a2a3", None),
        ("info string NNUE evaluation using score cp 5", None),
        ("info depth 3 currmove e2e4 currmovenumber 1", None),
    ],
)
def test_lines_of_thought_are_read(line: str, thought: UciThought | None) -> None:
    assert read_thought(line.split()) == thought


async def test_stockfish_against_itself_over_the_wire_plays_as_directly(
    opens_server: Opens, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    stockfish = engine("stockfish")
    played: list[str] = []
    choose = UciEngine.choose

    def listed(self: UciEngine, view: View, rng: random.Random) -> ChessMove:
        move = choose(self, view, rng)
        played.append(move.uci)
        return move

    monkeypatch.setattr(UciEngine, "choose", listed)
    server = opens_server(move_timeout_s=1000)
    start = sized(quick="7k/8/5K2/8/8/8/8/R7 w - - 0 1", deep=chess.STARTING_FEN)
    (tmp_path / "start.toml").write_text(f'players = 2\nfen = "{start}"\n', encoding="utf-8")
    server.starts("master", "chess", "--once", "--check", "--id", "m", "--fixture", str(tmp_path / "start.toml"))
    words = ("--games", "1", "--no-state", "--go", f"nodes {NODES}", "--engine-option", "Hash=1", "--", stockfish)
    players = [server.starts("bot", "uci", "--once", "--nick", nick, *words) for nick in ("ann", "bob")]
    for player in players:
        assert await player.ends() == 0
    assert await server.log.tells("game ended", fault="nobody")
    board = chess.Board(start)
    fishes = [chess.engine.SimpleEngine.popen_uci(stockfish) for _ in players]
    try:
        for fish in fishes:
            fish.configure({"Hash": 1})
        for move in filter(None, played):
            best = fishes[not board.turn].play(board, chess.engine.Limit(nodes=NODES), game="one").move
            assert best is not None
            assert best.uci() == move, board.fen()
            board.push(best)
    finally:
        for fish in fishes:
            fish.quit()
    assert board.is_game_over(claim_draw=True)


def test_fairy_stockfish_plays_variants() -> None:
    orders = EngineOrders((engine("fairy-stockfish"),), {"Hash": "1"}, "nodes 50")
    fish = UciEngine(orders, VARIANT.choose_options({"variant": "atomic"}))
    fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    board = FairyBoard("atomic")
    assert fish.choose(View(fen, (), fen, board.legal(), variant="atomic"), random.Random(0)).uci in board.legal()
    fish.close()


def test_an_engine_that_is_stopped_moves_at_once_and_a_deaf_one_is_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fish, heard = a_fake(tmp_path)
    send = EngineProcess.send

    def stopping(self: EngineProcess, line: str) -> None:
        send(self, line)
        if line.startswith("go "):
            fish.stop()

    with monkeypatch.context() as patched:
        patched.setattr(EngineProcess, "send", stopping)
        assert fish.choose(a_view(), random.Random(0)) == ChessMove("e2e4")
    for _ in range(6):
        fish.stop()
    with pytest.raises(EngineFailed):
        for _ in fish._process.lines():
            pass
    fish._process.close()
    assert fish.choose(a_view(), random.Random(0)) == ChessMove("e2e4")
    fish.close()
    assert heard.read_text(encoding="utf-8").splitlines().count("uci") == 2


@pytest.mark.parametrize(
    ("thought", "remark"),
    [
        (UciThought(9, -35, None, ("e2e4", "e7e5")), Thought(-0.35, "depth 9", "e2e4 e7e5")),
        (UciThought(4, None, -3, ()), Thought(-100.0, "depth 4, mate in -3", "")),
    ],
)
def test_what_an_engine_thinks_is_its_remark(thought: UciThought, remark: Thought) -> None:
    assert thought.remark() == remark
