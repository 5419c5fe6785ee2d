"""What ``ugs bot`` writes on a terminal, and in a pipe."""

import io
import json

import pytest
import structlog
import typer

from game_masters.commands.bot_lines import line_for_people
from tests.game_masters.commands.line import ugs
from ugs.log import configure_logging


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.usefixtures("logging_afresh")
@pytest.mark.parametrize(
    ("event", "fields", "line"),
    [
        (
            "begins",
            {"nick": "me", "bot": "threats", "does": "blocks fours", "others": ["random"]},
            "threats plays as me: blocks fours (others: --bot random)",
        ),
        ("logged in", {"nick": "me", "game_type": "g", "bot": "threats"}, "logged in as me"),
        ("game over", {"game": "x7", "result": "won"}, "game over: won in x7"),
        ("verdict", {"game": "x7", "cause": "c", "why": "me won", "said": "5 in a row"}, "why: me won; 5 in a row"),
        ("verdict", {"game": "x7", "cause": "c", "why": "me won"}, "why: me won"),
        ("cannot connect", {"reason": "refused"}, "cannot connect: refused"),
        ("request failed", {"code": "X", "text": "no"}, "request failed: no (code X)"),
        ("stopped", {"games": 3}, "stopped, games played: 3"),
        ("seen", {"nick": "\x1b[2J"}, r"seen (nick \u{1b}[2J)"),
    ],
)
def test_a_line_on_a_terminal_is_short_and_in_a_pipe_it_has_all(
    event: str, fields: dict[str, object], line: str
) -> None:
    terminal, pipe = Terminal(), io.StringIO()
    for out in (terminal, pipe):
        configure_logging("info", out, for_people=line_for_people)
        structlog.get_logger().bind(role="bot", game_name="g", server="h:1").info(event, **fields)
    time, _, words = terminal.getvalue().rstrip("\n").partition(" ")
    assert (len(time), words) == (8, line)
    assert json.loads(pipe.getvalue()).items() >= {"event": event, "server": "h:1", **fields}.items()


@pytest.mark.usefixtures("logging_afresh")
def test_a_traceback_is_below_its_line() -> None:
    terminal = Terminal()
    configure_logging("info", terminal, for_people=line_for_people)
    structlog.get_logger().error("bot failed", game="x7", exc_info=ValueError("odd"))
    first, *below = terminal.getvalue().splitlines()
    assert (first[9:], below[-1]) == ("bot failed (game x7)", "ValueError: odd")


@pytest.mark.usefixtures("logging_afresh")
def test_the_first_line_names_the_bot_that_plays(app: typer.Typer) -> None:
    _, _, written = ugs(app, "bot", "tic-tac-toe", "--nick", "me#secret", "--once", "--connect", "127.0.0.1:1")
    first = json.loads(written.splitlines()[0])
    assert (first["event"], first["nick"], first["bot"], first["others"]) == ("begins", "me", "threats", ["random"])
    assert "secret" not in written
