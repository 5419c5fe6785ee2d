"""Words that bash cuts at ``=`` and ``:``."""

import os
import subprocess
import sys

import pytest

from ugs.commands.bash_completion import asks, complete, glue, what_lacks

NAMES = ["builtin:random", "builtin:threats"]


@pytest.mark.parametrize(
    ("words", "at", "glued", "place", "kept"),
    [
        ("ugs match tic", 2, "ugs match tic", 2, ""),
        ("ugs match go --bot a =", 5, "ugs match go --bot a=", 4, "a="),
        ("ugs match go --bot a = built", 6, "ugs match go --bot a=built", 4, "a="),
        ("ugs match go --bot a = builtin :", 7, "ugs match go --bot a=builtin:", 4, "a=builtin:"),
        ("ugs match go --bot a = builtin : t", 8, "ugs match go --bot a=builtin:t", 4, "a=builtin:"),
        ("ugs match openspiel : tic", 4, "ugs match openspiel:tic", 2, "openspiel:"),
        ("ugs match go --bot a = x --bot b", 8, "ugs match go --bot a=x --bot b", 6, ""),
        ("ugs check bot --game = tic", 5, "ugs check bot --game=tic", 3, "--game="),
        ("ugs match : x", 2, "ugs match: x", 1, "match:"),
    ],
)
def test_words_are_put_together(words: str, at: int, glued: str, place: int, kept: str) -> None:
    assert glue(words.split(), at) == (glued.split(), place, kept)


def test_an_empty_word_begins_another_one() -> None:
    assert glue(["ugs", "match", "a", "=", ""], 4) == (["ugs", "match", "a=", ""], 3, "")


@pytest.mark.parametrize(
    ("words", "printed"),
    [
        ("ugs match go --bot a = builtin : t", "random threats"),
        ("ugs match go --bot a =", "builtin:random builtin:threats"),
        ("ugs match go --bot = a =", "builtin:random builtin:threats"),
    ],
)
def test_bash_is_given_what_stands_in_for_its_last_word(
    words: str, printed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    environment = {"COMP_WORDS": words.replace(" ", "\n"), "COMP_CWORD": str(len(words.split()) - 1)}

    def run() -> None:
        print("\n".join(f"a={name}" for name in NAMES))
        raise SystemExit(0)

    with pytest.raises(SystemExit):
        complete(environment, run)
    assert capsys.readouterr().out.split() == printed.split()


def test_only_bash_is_answered_so() -> None:
    there = {"COMP_WORDS": "ugs", "COMP_CWORD": "0"}
    assert asks({**there, "_UGS_COMPLETE": "complete_bash"})
    assert not asks({**there, "_UGS_COMPLETE": "complete_zsh"})
    assert not asks({"_UGS_COMPLETE": "complete_bash"})


def test_the_command_completes_the_bots_of_a_match() -> None:
    words = ["ugs", "match", "tic-tac-toe", "--bot", "a", "=", "builtin", ":", "t"]
    asked = {"COMP_WORDS": "\n".join(words), "COMP_CWORD": str(len(words) - 1), "_UGS_COMPLETE": "complete_bash"}
    program = "import sys; sys.argv = ['ugs']; from ugs.__main__ import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env={**os.environ, **asked}, check=False
    )
    assert done.stdout.split() == ["threats"], done.stderr


def test_a_variable_that_no_shell_has_set_is_named() -> None:
    asked = {"COMP_WORDS": "ugs", "COMP_CWORD": "0", "_UGS_COMPLETE": "complete_bash"}
    assert what_lacks(asked) == what_lacks({"COMP_CWORD": "x"}) == ""
    assert "a number in COMP_CWORD" in what_lacks({**asked, "COMP_CWORD": "x"})
    done = subprocess.run(
        [sys.executable, "-m", "ugs"],
        env={**os.environ, "_UGS_COMPLETE": "complete_bash"},
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("ugs: _UGS_COMPLETE=complete_bash is set")
