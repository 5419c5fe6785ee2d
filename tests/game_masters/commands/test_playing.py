"""What ``ugs master`` and ``ugs bot`` have in common."""

import shlex
import socket

import pytest
import typer

from tests.game_masters.commands.line import Started, ugs


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("master ludo", "there is no game 'ludo'; installed: "),
        ("bot ludo --nick ann", "there is no game 'ludo'; installed: "),
        ("bot tic-tac-toe", "--nick"),
        ("master tic-tac-toe --option width=2", "option width: '2' is not allowed; allowed: 3 to 100"),
        ("master tic-tac-toe --option colour=red", "tic-tac-toe has no such option; it has: width, height, row"),
        ("master tic-tac-toe --option width", "'width' is not of the form K=V"),
        ("master tic-tac-toe --option width=3 --option height=3", "option row: 5 does not fit on the board"),
        ("bot tic-tac-toe --nick ann --bot bold", "tic-tac-toe has no bot 'bold'; it has: threats, random"),
        ("bot tic-tac-toe --nick ann --games 0", "--games"),
        ("bot tic-tac-toe --nick ann --think-ms -1", "--think-ms"),
        ("bot tic-tac-toe --nick ann --advertise x --join x", "Invalid value for --join: a bot sits at one table"),
        (
            "bot tic-tac-toe --nick ann --advertise x --seats 3",
            "Invalid value for --seats: 3 is not allowed; allowed: 2",
        ),
        ("bot tic-tac-toe --nick ann --advertise x --option width=2", "option width: '2' is not allowed"),
        ("bot tic-tac-toe --nick ann --invite ben", "Invalid value for --invite: goes with --advertise"),
        ("bot tic-tac-toe --nick ann --join x --v4", "Invalid value for --v4: plain v4 knows no tables"),
        ("master tic-tac-toe --connect nowhere", "'nowhere' is not HOST:PORT"),
        ("master tic-tac-toe --connect h:70000", "'h:70000' is not HOST:PORT"),
        (
            "bot tic-tac-toe --nick ann x",
            "is no protocol of engines, such as uci, so there is nothing to start with 'x'",
        ),
        ("bot tic-tac-toe --nick ''", "'' is empty"),
        (f"bot tic-tac-toe --nick {'n' * 65}", "is longer than 64 characters"),
        ("bot tic-tac-toe --nick 'ann (watching)'", "ends with '(watching)'"),
        ("engine localhost:4747 --nick ''", "'' is empty"),
        ("master tic-tac-toe --id ''", "'' is empty"),
        ("bot tic-tac-toe --nick ann --state f --no-state", "Invalid value for --state: does not go with --no-state"),
        ("bot tic-tac-toe --nick ann --state f --v4", "Invalid value for --state: plain v4 has no sessions"),
        ("master tic-tac-toe --log-level loud", "loud"),
    ],
)
def test_wrong_usage_is_exit_code_2_and_says_what_is_allowed(app: typer.Typer, words: str, why: str) -> None:
    exit_code, _, error = ugs(app, *shlex.split(words))
    assert exit_code == 2
    assert why in " ".join(error.replace("│", " ").split())


@pytest.mark.usefixtures("logging_afresh")
def test_nobody_at_the_address_is_exit_code_1(app: typer.Typer) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    exit_code, _, error = ugs(app, "bot", "tic-tac-toe", "--nick", "ann", "--once", "--connect", f"127.0.0.1:{port}")
    assert exit_code == 1
    assert "cannot connect" in error


def test_with_v4_nothing_but_the_login_is_said(app: typer.Typer, started: Started) -> None:
    for words in ("master tic-tac-toe", "bot tic-tac-toe --nick ann"):
        ugs(app, *words.split())
        hello, _ = started.client.connected()
        program = f"ugs {words.partition(' --')[0]}"
        assert getattr(getattr(hello, "message", None), "program", None) == program
        ugs(app, *words.split(), "--v4")
        assert len(started.client.connected()) == 1
