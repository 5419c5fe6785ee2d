"""The file that says who may come in."""

from pathlib import Path

import pytest
from structlog.testing import capture_logs

from ugs.broker.events import AccessRead, Event
from ugs.broker.values.access import AccessRule
from ugs.config import ConfigError
from ugs.daemon.access import AccessFile, read_access

NOON_S = 1_900_000_000.0  # 2030-03-17T17:46:40Z
FILE = """
[[deny]]
address = "198.51.100.77/24"
until = 2030-03-17T17:47:40Z
why = "flood of logins"

[[deny]]
name = "eve"
until = 2030-03-17T17:46:40Z

[[allow]]
name = "ann"
"""


def test_rules_that_hold_are_read(tmp_path: Path) -> None:
    path = tmp_path / "access.toml"
    path.write_text(FILE)
    assert read_access(path, NOON_S) == (
        AccessRule("ann", False, "so the organiser has decided", None, True),
        AccessRule("198.51.100.0/24", True, "flood of logins", 60.0),
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[deny]]", "exactly one of address and name is wanted"),
        ('[[deny]]\nname = "a"\naddress = "10.0.0.1"', "exactly one of address and name is wanted"),
        ('[[deny]]\naddress = "home"', "deny.0.address = 'home': 'home' is no address and no range of addresses"),
        ('[[deny]]\naddress = "0.0.0.0/0"', "a range has at least 8 bits in common"),
        ('[[allow]]\nname = ""', "allow.0.name = '': is empty"),
        ('[[allow]]\nname = "a"\nuntill = 1', "unknown key allow.0.untill (did you mean 'until'?)"),
        (
            '[[allow]]\nname = "a"\nuntil = "soon"',
            "allow.0.until = 'soon': allowed: a time such as 2030-05-01T20:00:00, without quotes",
        ),
        ('[[allow]]\nname = "a"\nuntil = 0001-01-01T00:00:00', "no clock shows this time"),
        ("deny = 7", "deny = 7"),
        ("[[deny", "not TOML"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "access.toml"
    path.write_text(text)
    with pytest.raises(ConfigError) as error:
        read_access(path, NOON_S)
    assert words in str(error.value)
    assert str(path) in str(error.value)


def test_a_running_server_keeps_its_rules_when_the_file_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "access.toml"
    path.write_text('[[deny]]\nname = "eve"')
    events: list[Event] = []
    file = AccessFile(path, events.append)
    assert file.read() == ""
    path.write_text("[[deny")
    with capture_logs() as lines:
        assert "not TOML" in file.read()
    assert events == [AccessRead((AccessRule("eve", False, "so the organiser has decided"),))]
    assert [line["event"] for line in lines] == ["access_file cannot be used; the rules stay as they were"]


def test_without_a_file_there_is_nothing_to_read() -> None:
    assert AccessFile(None, lambda event: None).read() == ""
