"""The set-up of logging: JSON for programs, a readable line on a terminal, no lines below the level."""

import io
import json
import re

import pytest
import structlog

from ugs.log import configure_logging


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_line_is_one_object_of_json() -> None:
    out = io.StringIO()
    configure_logging("info", out)
    structlog.get_logger("ugs").warning("it happened", nick="ü\n<b>", conn=3, odd={1})
    (line,) = out.getvalue().splitlines()
    event = json.loads(line)
    assert event.pop("timestamp")
    assert event == {"event": "it happened", "level": "warning", "nick": "ü\n<b>", "conn": 3, "odd": "{1}"}
    assert "ü" in line, "people read these files, too"


def test_on_a_terminal_a_line_is_for_people_and_nobody_can_forge_one() -> None:
    out = Terminal()
    configure_logging("info", out)
    structlog.get_logger("ugs").info("peer reports an error", text="oh\n2030-01-01 [info] game ended")
    (line,) = out.getvalue().splitlines()
    assert "peer reports an error" in line
    assert "text" in line


HOSTILE = "a\x1b[2J\x9b\x7f\u202eb\u2066\u200f\u061c\u200b\r\nc\U000e0001"


def test_nothing_that_a_terminal_obeys_gets_there() -> None:
    out = Terminal()
    configure_logging("info", out)
    try:
        raise ValueError(HOSTILE)
    except ValueError:
        structlog.get_logger("ugs").exception(HOSTILE, nick=HOSTILE, several=[HOSTILE], conn=3)
    colours = re.compile("\x1b\\[[0-9;]*m")
    for line in out.getvalue().splitlines():
        assert colours.sub("", line).isprintable()
    assert r"\u{202e}" in out.getvalue()
    assert "Traceback" in out.getvalue()


def test_json_has_escapes_for_it_and_programs_read_the_text() -> None:
    out = io.StringIO()
    configure_logging("info", out)
    structlog.get_logger("ugs").info("it happened", nick=HOSTILE, several=[HOSTILE])
    (line,) = out.getvalue().splitlines()
    assert line.isprintable()
    event = json.loads(line)
    assert (event["nick"], event["several"]) == (HOSTILE, [HOSTILE])


@pytest.mark.parametrize(
    ("level", "shown"),
    [
        ("debug", ["debug", "info", "warning", "error"]),
        ("info", ["info", "warning", "error"]),
        ("warning", ["warning", "error"]),
        ("error", ["error"]),
    ],
)
def test_nothing_below_the_level_is_written(level: str, shown: list[str]) -> None:
    out = io.StringIO()
    configure_logging(level, out)
    log = structlog.get_logger("ugs")
    for name in ("debug", "info", "warning", "error"):
        getattr(log, name)("it happened")
    assert [json.loads(line)["level"] for line in out.getvalue().splitlines()] == shown


def test_standard_error_is_the_default(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging()
    structlog.get_logger("ugs").info("it happened")
    captured = capsys.readouterr()
    assert captured.out == ""
    assert json.loads(captured.err)["event"] == "it happened"


def test_an_exception_is_written_with_its_traceback() -> None:
    out = io.StringIO()
    configure_logging("info", out)
    structlog.get_logger("ugs").error("a bug", exc_info=ValueError("what"))
    (line,) = out.getvalue().splitlines()
    assert "ValueError: what" in json.loads(line)["exception"]


class FullDisk(io.StringIO):
    """A file on a disk that is full."""

    full = True

    def write(self, text: str) -> int:
        if self.full:
            raise OSError(28, "No space left on device")
        return super().write(text)


def test_what_cannot_be_written_is_lost_and_counted_and_whoever_logs_goes_on() -> None:
    out = FullDisk()
    configure_logging("info", out)
    log = structlog.get_logger("ugs")
    log.info("one")
    log.info("two")
    out.full = False
    log.info("three")
    log.info("four")
    events = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [event["event"] for event in events] == ["log lines lost", "three", "four"]
    assert events[0]["lines"] == 2
