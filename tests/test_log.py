"""The set-up of logging: JSON for programs, a readable line on a terminal, no lines below the level."""

import io
import json
import re
import weakref
from collections.abc import Iterator

import pytest
import structlog

from ugs.log import (
    FREE,
    FREE_INFOS,
    FREE_TRACEBACKS,
    FREE_WITHOUT_ORIGIN,
    JOIN_S,
    MAX_KINDS,
    MAX_LINES,
    MAX_LINES_OF_ORIGIN,
    MAX_TEXT,
    Doing,
    configure_logging,
    joining,
)


class Text(str):
    """A text of which one can see whether somebody holds it."""


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


# Lines that repeat.


class Server:
    """A log whose lines are joined, on a clock of the test."""

    def __init__(self) -> None:
        self.now = 0.0
        self.out = io.StringIO()
        configure_logging("info", self.out, joined=True)
        joins = joining()
        assert joins is not None
        self.joins = joins
        joins._clock, joins._until = lambda: self.now, JOIN_S
        self.log = structlog.get_logger("ugs")

    def lines(self) -> list[dict[str, object]]:
        """What has been written since the last look."""
        text = self.out.getvalue()
        self.out.seek(0)
        self.out.truncate()
        return [json.loads(line) for line in text.splitlines()]

    def goes_on(self, seconds: float = JOIN_S) -> None:
        """Time passes, and somebody flushes."""
        self.now += seconds
        self.joins.flush()


@pytest.fixture
def server() -> Iterator[Server]:
    yield Server()
    structlog.reset_defaults()


def test_the_first_lines_are_written_at_once_and_the_others_counted(server: Server) -> None:
    for number in range(1000):
        server.log.warning("login refused", address="192.0.2.1:7", said=f"n{number}")
    assert [line["said"] for line in server.lines()] == [f"n{number}" for number in range(FREE)]
    server.goes_on()
    (joined,) = server.lines()
    assert (joined["event"], joined["said"], joined["times"]) == ("login refused", "n999", 1000 - FREE)
    assert joined["level"] == "warning"
    assert joined["timestamp"]
    server.goes_on()
    assert server.lines() == [], "nothing is said about nothing"


def test_no_line_is_lost_and_one_that_is_alone_looks_like_any_other(server: Server) -> None:
    for number in range(FREE + 1):
        server.log.warning("disconnected", address="192.0.2.1:7", conn=number)
    server.goes_on()
    lines = server.lines()
    assert [line["conn"] for line in lines] == list(range(FREE + 1))
    assert all("times" not in line for line in lines)


def test_addresses_and_kinds_are_told_apart(server: Server) -> None:
    for _ in range(100):
        server.log.warning("wrong", address="192.0.2.1:7")
        server.log.warning("wrong", address="192.0.2.1:8")
    server.log.warning("wrong", address="192.0.2.2:7")
    server.log.warning("other", address="192.0.2.1:7")
    assert len(server.lines()) == FREE + 2


@pytest.mark.parametrize(
    ("address", "origin"),
    [
        ("192.0.2.1:7", "192.0.2.1"),
        ("192.0.2.1", "192.0.2.1"),
        ("[2001:db8::1]:7", "2001:db8::/64"),
        ("2001:db8::1", "2001:db8::/64"),
        ("[::ffff:192.0.2.1]:7", "192.0.2.1"),
        ("", ""),
        (None, ""),
    ],
)
def test_an_address_is_one_with_its_port_and_without(server: Server, address: str | None, origin: str) -> None:
    for _ in range(FREE_WITHOUT_ORIGIN + 5):
        server.log.warning("line", address=address)
    server.goes_on()
    lines = server.lines()
    assert len(lines) == (FREE if origin else FREE_WITHOUT_ORIGIN) + 1
    assert {key[1] for key in server.joins._kinds} == set()


def test_whose_doing_it_is_is_not_written_but_in_what_is_joined(server: Server) -> None:
    for _ in range(FREE + 2):
        server.log.warning(Doing("refused", "192.0.2.1"), conn=3)
    assert all("address" not in line for line in server.lines())
    server.goes_on()
    (joined,) = server.lines()
    assert (joined["event"], joined["address"], joined["times"]) == ("refused", "192.0.2.1", 2)


def test_lines_of_addresses_without_end_are_joined_by_kind(server: Server) -> None:
    for number in range(10_000):
        server.log.info("connected", address=f"10.0.{number // 250}.{number % 250}:7")
    assert len(server.joins._kinds) <= MAX_KINDS + 1
    assert len(server.lines()) <= MAX_LINES
    server.goes_on()
    lines = server.lines()
    assert len(lines) <= MAX_KINDS + 1
    assert any(line["address"] == "several addresses" for line in lines)


def test_one_traceback_of_many_is_enough_and_none_is_cut(server: Server) -> None:
    for _ in range(100):
        try:
            raise ValueError("x" * 5000)
        except ValueError:
            server.log.exception("bug in the server", during="HTTP")
    server.goes_on()
    *first, joined = server.lines()
    assert len(first) == FREE_TRACEBACKS
    assert all(str(line["exception"]).endswith("x" * 100) for line in first)
    assert joined["times"] == 100 - FREE_TRACEBACKS
    assert "exception" not in joined


def test_what_peers_say_is_cut(server: Server) -> None:
    server.log.warning("peer reports an error", text="e" * 1_000_000)
    (line,) = server.lines()
    assert line["text"] == "e" * MAX_TEXT + "… (1000000 characters)"


def test_what_is_joined_is_kept_cut(server: Server) -> None:
    """Texts of 1 MB, one of each of 300 kinds and addresses, would be 300 MB."""
    for _ in range(FREE):
        server.log.warning("peer reports an error", address="192.0.2.1:7", text="e")
    text = Text("e" * 1_000_000)
    held = weakref.ref(text)
    server.log.warning("peer reports an error", address="192.0.2.1:7", text=text)
    del text
    assert held() is None
    server.lines()
    server.goes_on()
    assert server.lines()[0]["text"] == "e" * MAX_TEXT + "… (1000000 characters)"


def test_one_address_leaves_room_for_the_lines_of_others(server: Server) -> None:
    """With 6 kinds of lines it used up all, and those of others were told together, 10 s later."""
    for number in range(MAX_LINES):
        server.log.info(f"kind {number % 15}", address="192.0.2.1:7")
    assert len(server.lines()) == MAX_LINES_OF_ORIGIN
    for nick in ("ann", "ben", "cyd"):
        server.log.warning("token refused", address="192.0.2.2:7", said=nick)
    assert [line["said"] for line in server.lines()] == ["ann", "ben", "cyd"]


def test_the_clock_joins_too_where_nobody_flushes(server: Server) -> None:
    for _ in range(100):
        server.log.info("connected", address="192.0.2.1:7")
    server.lines()
    server.now += JOIN_S
    server.log.info("connected", address="192.0.2.1:7")
    assert [line.get("times") for line in server.lines()] == [100 - FREE_INFOS, None]


def test_on_a_terminal_too() -> None:
    out = Terminal()
    configure_logging("info", out, joined=True)
    for _ in range(100):
        structlog.get_logger("ugs").info("connected", address="192.0.2.1:7")
    joins = joining()
    assert joins is not None
    joins.flush()
    assert len(out.getvalue().splitlines()) == FREE_INFOS + 1
    assert str(100 - FREE_INFOS) in out.getvalue()
    structlog.reset_defaults()


def test_nothing_is_joined_unless_it_is_wanted() -> None:
    out = io.StringIO()
    configure_logging("info", out)
    for _ in range(100):
        structlog.get_logger("ugs").info("connected", address="192.0.2.1:7")
    assert len(out.getvalue().splitlines()) == 100
    assert joining() is None
    structlog.reset_defaults()
