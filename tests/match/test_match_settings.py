"""What a match is to be, from options or a plan file."""

import shlex
from pathlib import Path

import pytest

from ugs.match.match_settings import GAMES_OF_A_TEST, MatchSettings, WrongMatch, parse_sprt, parse_wanted, read_plan
from ugs.match.sprt import Model, Sprt

LEAST = {"game": "g", "bots": {"a": "builtin:x", "b": "python3 b.py {address} {nick}"}}


def test_a_plan_file_says_what_options_say(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(
        """
game = "g"
games = 400
time = "10000+100"
seed = 7
[bots]
a = "builtin:x"
b = "python3 b.py {address} {nick}"
[sprt]
elo1 = 20
[option]
width = 12
wild = true
""",
        encoding="utf-8",
    )
    found = parse_wanted(read_plan(path), str(path))
    assert (found.games, found.budget_s, found.seed) == (400, (10.0, 0.1), "7")
    assert found.option == {"width": "12", "wild": "yes"}
    assert found.sprt is not None
    assert found.sprt.test() == Sprt(0, 20, 0.05, 0.05, Model.NORMALISED)


def test_the_line_repeats_the_match() -> None:
    found = parse_wanted({**LEAST, "sprt": {"elo1": 5}, "option": {"k": "v w"}, "seats": "fixed"}, "here")
    assert shlex.split(found.line()) == [
        *("ugs", "match", "g", "--bot", "a=builtin:x", "--bot", "b=python3 b.py {address} {nick}", "--games", "10000"),
        *("--seats", "fixed", "--sprt", "elo0=0 elo1=5 alpha=0.05 beta=0.05 model=normalised", "--seed", "1"),
        *("--option", "k=v w"),
    ]


def test_options_of_time_have_their_own_names() -> None:
    found = parse_wanted({**LEAST, "move_timeout_s": 2, "time": "50", "data_dir": "d"}, "here")
    assert found.line().endswith("--time 50 --move-timeout 2 --seed 1 --data-dir d")
    assert found.budget_s == (0.05, 0.0)
    assert MatchSettings.read(LEAST).budget_s == (0.0, 0.0)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"game": ""}, "here: game = "),
        ({"bots": {"a": "x"}}, "here: bots = "),
        ({"bots": {"a": "x", "b b": "y"}}, "here: bots."),
        ({"bots": {"a": "x", "A": "y"}}, "differ only in capital letters"),
        ({"games": 0}, "here: games = 0"),
        ({"gmaes": 5}, "here: unknown key gmaes (did you mean 'games'?); allowed: bots, clock, "),
        ({"time": "0"}, "time = '0': leaves no time for any move"),
        ({"time": "5s"}, "allowed: MS or MS+INC, such as 10000+100"),
        (
            {"bots": {"a": "builtin:x", "b": "connect"}, "hard_ms": 9},
            "hard_ms time bots that are commands, and none is",
        ),
        (
            {"bots": {"a": "builtin:x", "b": "python:m:f"}, "soft_ms": 9, "clock": "cpu"},
            "none is one; see time for all",
        ),
        ({"sprt": {"elo0": 9, "elo1": 3}}, "elo0 must be less than elo1"),
        ({"sprt": {"elo": 9}}, "here: unknown key sprt.elo"),
        ({"bots": {"a": "x", "b": "y", "c": "z"}, "sprt": {}}, "a test compares two bots; there are 3"),
        ({"format": "swiss", "openings": "book"}, "in a swiss each pairing is played once"),
    ],
)
def test_what_cannot_be_is_refused_with_its_reason(wrong: dict[str, object], words: str) -> None:
    with pytest.raises(WrongMatch) as refused:
        parse_wanted({**LEAST, **wrong}, "here")
    assert words in str(refused.value)


def test_what_is_missing_is_named() -> None:
    with pytest.raises(WrongMatch, match="here: bots is missing"):
        parse_wanted({"game": "g"}, "here")


def test_the_words_of_a_test_are_read() -> None:
    assert parse_sprt("elo0=0 elo1=10") == {"elo0": "0", "elo1": "10"}
    with pytest.raises(WrongMatch, match="--sprt: 'elo2=1': allowed: elo0=…"):
        parse_sprt("elo2=1")
    with pytest.raises(WrongMatch, match="'elo1'"):
        parse_sprt("elo1")


def test_a_test_may_go_on_until_it_is_decided() -> None:
    wanted = {"game": "go", "bots": {"a": "connect", "b": "connect"}}
    tested = {**wanted, "sprt": {"elo1": "20"}}
    assert parse_wanted(wanted, "options").games == 100
    assert parse_wanted(tested, "options").games == GAMES_OF_A_TEST
    assert parse_wanted({**tested, "games": 30}, "options").games == 30
    assert parse_wanted({**tested, "format": "knock-out"}, "options").games == 100


def test_a_test_with_commas_is_refused_with_the_form() -> None:
    with pytest.raises(
        WrongMatch, match="--sprt: 'elo0=0,elo1=10': allowed: blanks between, as in --sprt elo0=0 elo1=10"
    ):
        parse_sprt("elo0=0,elo1=10")
