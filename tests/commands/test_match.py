"""The command `ugs match`, without a match."""

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from ugs.commands.app import application

LEAST = ("tic-tac-toe", "--bot", "a=builtin:threats", "--bot", "b=builtin:random")


def run(*line: str | Path) -> Result:
    return CliRunner().invoke(application(), ["match", *map(str, line)])


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ((), "GAME is missing"),
        (("ludo", *LEAST[1:]), "game 'ludo': unknown"),
        ((*LEAST[:3],), "--bot NAME=HOW: at least 2 are needed"),
        ((*LEAST, "--bot", "a=x"), "--bot 'a=x': allowed: NAME=VALUE, each name once"),
        ((*LEAST, "--games", "0"), "games = 0"),
        ((*LEAST, "--clock", "cpu"), "set also soft_ms or hard_ms"),
        ((*LEAST, "--strikes", "2"), "set also soft_ms"),
        ((*LEAST, "--soft-ms", "20", "--hard-ms", "10"), "soft_ms = 20: allowed: at most hard_ms (10)"),
        ((*LEAST, "--sprt", "elo0=5", "elo1=3"), "elo0 must be less than elo1"),
        ((*LEAST, "--sprt", "elo0=5", "--sprt", "elo1=3"), "elo0=5 elo1=3: elo0 must be less"),
        ((*LEAST, "--sprt", "elo0=0,elo1=10"), "allowed: blanks between, as in --sprt elo0=0 elo1=10"),
        ((*LEAST, "go"), "unexpected argument 'go': each bot follows --bot, as NAME=HOW"),
        ((*LEAST, "--data-dir", "/dev/null"), "/dev/null: is no directory"),
        ((*LEAST, "elo3=5"), "--sprt: 'elo3=5': allowed"),
        ((*LEAST, "--option", "depth=3"), "option depth: tic-tac-toe has no such option"),
        ((*LEAST, "--players", "3"), "--players 3: allowed with these bots: 2 to 2"),
        (("apologies", *LEAST[1:], "--openings", "/no/such/book"), "/no/such/book: cannot be read"),
        (("--resume", "--data-dir", "/no/such/folder"), "match.jsonl is not there"),
        (("--plan", "/no/such/plan.toml"), "/no/such/plan.toml: cannot be read"),
    ],
)
def test_what_makes_no_sense_is_refused_before_anything_starts(line: tuple[str, ...], words: str) -> None:
    result = run(*line)
    assert result.exit_code == 2, result.output
    assert words in result.output
    assert "Traceback" not in result.output


def test_options_go_before_the_plan(tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text('game = "tic-tac-toe"\ngames = 7\n[bots]\na = "builtin:threats"\n', encoding="utf-8")
    result = run("--plan", plan, "--games", "0", *LEAST[1:])
    assert "games = 0" in result.output
