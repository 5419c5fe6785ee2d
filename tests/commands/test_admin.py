"""The commands ``ugs admin …``: what they ask of a server."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from typer.testing import Result

from tests.answering import answering
from tests.commands.line import ugs
from tests.journal.servers import JournalServer
from ugs.broker.effects import RecordAct
from ugs.broker.values.questions import Act, ActKind


def run(*arguments: str | Path) -> Result:
    return ugs("admin", *arguments)


def test_a_nick_is_forgotten(tmp_path: Path) -> None:
    with answering(tmp_path, {"ok": True, "game_types": ["go", "chess"]}) as server:
        result = run("forget", "a&\x1b", "--why", "burnt", "--data-dir", tmp_path)
        run("forget", "ann", "--type", "go", "--why", "burnt", "--data-dir", tmp_path)
    assert (result.exit_code, result.stdout) == (0, "a&\\u{1b} is forgotten in the standings of go, chess\n")
    one, two = server.asked
    assert isinstance(one, Act)
    assert isinstance(two, Act)
    assert (one.kind, one.subject, one.why, one.game_type) == (ActKind.FORGET, "a&\x1b", "burnt", "")
    assert one.who, "the server knows who asks"
    assert two.game_type == "go"


def test_a_refusal_is_told_in_one_line(tmp_path: Path) -> None:
    with answering(tmp_path, {"ok": False, "error": "'ann' is here"}):
        result = run("forget", "ann", "--why", "burnt", "--data-dir", tmp_path)
    assert (result.exit_code, result.stderr) == (1, "ugs admin: 'ann' is here\n")


def test_without_a_server_nothing_can_be_done(tmp_path: Path) -> None:
    result = run("forget", "ann", "--why", "burnt", "--data-dir", tmp_path)
    assert result.exit_code == 1
    assert result.stderr.startswith("ugs admin: no server runs on ")
    assert result.stderr.endswith("; an act needs a running server\n")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("forget", "ann", "--why", " "), "give --why TEXT: the journal keeps a reason with the act"),
        (("forget", "ann"), "--why"),
        (("forget", "--why", "burnt"), "NICK"),
    ],
)
def test_wrong_usage_is_exit_code_2(tmp_path: Path, arguments: tuple[str, ...], words: str) -> None:
    result = run(*arguments, "--data-dir", tmp_path)
    assert result.exit_code == 2
    assert words in result.stderr


def told(tmp_path: Path, answer: Mapping[str, object], *arguments: str) -> tuple[str, Act]:
    """What a command prints, and the act that the server was asked for."""
    with answering(tmp_path, {"ok": True, **answer}) as server:
        result = run(*arguments, "--why", "burnt", "--data-dir", tmp_path)
    assert result.exit_code == 0, result.output
    (act,) = server.asked
    assert isinstance(act, Act)
    assert act.why == "burnt"
    return result.stdout, act


def test_games_begin_again_without_a_reason(tmp_path: Path) -> None:
    with answering(tmp_path, {"ok": True}) as server:
        result = run("resume", "go", "--data-dir", tmp_path)
    assert (result.exit_code, result.stdout) == (0, "games of go begin again\n")
    (act,) = server.asked
    assert isinstance(act, Act)
    assert act.why == ""


def test_a_type_that_nobody_has_named_is_paused_with_a_warning(tmp_path: Path) -> None:
    with answering(tmp_path, {"ok": True, "running": 0, "warning": "there is no game master for gi"}):
        result = run("pause", "gi", "--why", "burnt", "--data-dir", tmp_path)
    assert (result.exit_code, result.stderr) == (0, "ugs admin: there is no game master for gi\n")


PAUSES_GO = (ActKind.PAUSE, "", "go", None)


@pytest.mark.parametrize(
    ("arguments", "words"), [((), "is missing"), (("go", "--game-type", "go"), "is there twice")], ids=["none", "two"]
)
def test_a_type_is_named_once(tmp_path: Path, arguments: tuple[str, ...], words: str) -> None:
    result = run("pause", *arguments, "--why", "burnt", "--data-dir", tmp_path)
    assert (result.exit_code, f"GAME_TYPE {words}" in result.stderr) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "answer", "printed", "act"),
    [
        (("pause", "go"), {"running": 3}, "go is paused; 3 games of it still run", (ActKind.PAUSE, "", "go", None)),
        (("pause", "go"), {"running": 1}, "go is paused; 1 game of it still runs", (ActKind.PAUSE, "", "go", None)),
        (("pause", "--game-type", "go"), {"running": 3}, "go is paused; 3 games of it still run", PAUSES_GO),
        (("resume", "--game-type", "go"), {}, "games of go begin again", (ActKind.RESUME, "", "go", None)),
        (("resume", "go"), {}, "games of go begin again", (ActKind.RESUME, "", "go", None)),
        (("drain",), {"running": 2}, "the server stops; 2 games run", (ActKind.DRAIN, "", "", None)),
        (("drain", "--within", "0s"), {"running": 1}, "the server stops; 1 game runs", (ActKind.DRAIN, "", "", 0.0)),
        (
            ("drain", "--within", "2h"),
            {"running": 0},
            "the server stops; 0 games run",
            (ActKind.DRAIN, "", "", 7200.0),
        ),
        (("void", "g1"), {}, "game g1 is void", (ActKind.VOID, "g1", "", None)),
        (("remove", "a\x1b"), {"removed": 1}, "a\\u{1b}: 1 removed", (ActKind.REMOVE, "a\x1b", "", None)),
        (
            ("remove", "10.0.0.0/8", "--address"),
            {"removed": 7},
            "10.0.0.0/8: 7 removed",
            (ActKind.REMOVE_ADDRESS, "10.0.0.0/8", "", None),
        ),
        (("ban", "ann"), {"removed": 0}, "ann is banned; 0 removed", (ActKind.BAN, "ann", "", None)),
        (
            ("ban", "::1", "--address", "--for", "3d"),
            {"removed": 1},
            "::1 is banned for 3d; 1 removed",
            (ActKind.BAN_ADDRESS, "::1", "", 259_200.0),
        ),
        (
            ("allow", "10.0.0.0/8", "--address", "--for", "2h"),
            {"removed": 3},
            "10.0.0.0/8 is allowed for 2h; 3 others removed",
            (ActKind.ALLOW_ADDRESS, "10.0.0.0/8", "", 7200.0),
        ),
        (("allow", "ann"), {"removed": 0}, "ann is allowed; 0 others removed", (ActKind.ALLOW, "ann", "", None)),
        (
            ("disallow", "ann"),
            {},
            "ann is no longer one of those that are allowed",
            (ActKind.DISALLOW, "ann", "", None),
        ),
        (
            ("disallow", "::1", "--address"),
            {},
            "::1 is no longer one of those that are allowed",
            (ActKind.DISALLOW_ADDRESS, "::1", "", None),
        ),
        (("unban", "ann"), {}, "ann may come in again", (ActKind.UNBAN, "ann", "", None)),
        (("unban", "::1", "--address"), {}, "::1 may come in again", (ActKind.UNBAN_ADDRESS, "::1", "", None)),
        (
            ("forget", "::1", "--address"),
            {},
            "::1 is erased from logins that are over",
            (ActKind.FORGET_ADDRESS, "::1", "", None),
        ),
        (
            ("broadcast", "Lunch!"),
            {"told": 2, "not_told": 3},
            "sent to 2; 3 cannot chat (--everybody reaches them)",
            (ActKind.BROADCAST, "Lunch!", "", None),
        ),
    ],
)
def test_each_command_is_one_act(
    tmp_path: Path,
    arguments: tuple[str, ...],
    answer: dict[str, object],
    printed: str,
    act: tuple[ActKind, str, str, float | None],
) -> None:
    said, asked = told(tmp_path, answer, *arguments)
    assert said == printed + "\n"
    assert (asked.kind, asked.subject, asked.game_type, asked.seconds) == act


def test_everybody_is_told(tmp_path: Path) -> None:
    said, act = told(tmp_path, {"told": 5, "not_told": 0}, "broadcast", "Lunch!", "--everybody")
    assert said == "sent to 5\n"
    assert act.to_all


def test_players_are_seated(tmp_path: Path) -> None:
    fixture = tmp_path / "opening.toml"
    fixture.write_text("players = 2\n", encoding="utf-8")
    line = ("pair", "ben", "ann", "--game-type", "chess", "--fixture", str(fixture))
    said, act = told(tmp_path, {"game": "g1"}, *line)
    assert said == "game g1 begins: ben, ann\n"
    assert (act.kind, act.game_type, act.seats, act.setup) == (ActKind.PAIR, "chess", ("ben", "ann"), "players = 2\n")


def test_players_are_seated_with_options(tmp_path: Path) -> None:
    line = ("pair", "ben", "ann", "--game-type", "go", "--option", "size=9", "--option", "komi=a=b")
    _, act = told(tmp_path, {"game": "g1"}, *line)
    assert act.options == {"size": "9", "komi": "a=b"}


@pytest.mark.parametrize("wrong", ["size", "=9"])
def test_options_without_a_name_or_a_value_seat_nobody(wrong: str, tmp_path: Path) -> None:
    line = ("pair", "ben", "ann", "--game-type", "go", "--option", wrong)
    result = run(*line, "--why", "burnt", "--data-dir", tmp_path)
    assert result.exit_code == 2
    assert f"--option '{wrong}': allowed: NAME=VALUE, each name once" in result.output


def test_a_fixture_that_cannot_be_read_seats_nobody(tmp_path: Path) -> None:
    fixture = tmp_path / "opening.toml"
    fixture.write_bytes(b"\xff")
    line = ("pair", "ben", "ann", "--game-type", "chess", "--fixture", str(fixture))
    result = run(*line, "--why", "burnt", "--data-dir", tmp_path)
    assert result.exit_code == 2
    assert "not UTF-8" in result.output


def test_a_game_is_decided(tmp_path: Path) -> None:
    answer = {"results": {"a=b": "won", "ben": "lost"}}
    said, act = told(tmp_path, answer, "adjudicate", "g1", "--result", "a=b=won", "--result", "lost")
    assert said == "game g1 is decided: a=b won, ben lost\n"
    assert act.results == {"a=b": "won", "": "lost"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("adjudicate", "g1", "--result", "ann=winner"), "--result 'ann=winner': allowed: NICK=won"),
        (("adjudicate", "g1", "--result", "won", "--result", "lost"), "--result 'lost': allowed"),
        (("ban", "ann", "--for", "soon"), "--for: 'soon' is no length of time; allowed: 90s, 20m, 2h, 3d or 1w"),
        (("drain", "--within", "-1s"), "--within: '-1s' is no length of time"),
    ],
)
def test_what_makes_no_sense_is_not_asked(tmp_path: Path, arguments: tuple[str, ...], words: str) -> None:
    result = run(*arguments, "--why", "burnt", "--data-dir", tmp_path)
    assert result.exit_code == 2
    assert words in result.stderr


def test_what_holds_is_listed(tmp_path: Path) -> None:
    answer = {
        "ok": True,
        "paused": [{"game_type": "go", "why": "noon"}],
        "bans": [
            {"subject": "ann\x1b", "why": "spam", "left_s": None},
            {"subject": "10.0.0.0/8", "why": "flood", "left_s": 59.6},
        ],
        "more_bans": 4,
        "allowed": [
            {"subject": "ben", "why": "exam", "left_s": None},
            {"subject": "::1", "why": "home", "left_s": 172_799.4},
        ],
        "more_allowed": 5,
    }
    with answering(tmp_path, answer):
        result = run("bans", "--data-dir", tmp_path)
    assert result.stdout.splitlines() == [
        "paused go: noon",
        "banned ann\\u{1b} until lifted: spam",
        "banned 10.0.0.0/8 for another 1 min: flood",
        "and 4 more",
        "allowed ben until lifted: exam",
        "allowed ::1 for another 2 d: home",
        "and 5 more are allowed",
    ]


def test_files_are_read_again(tmp_path: Path) -> None:
    with answering(tmp_path, {"ok": True}) as server:
        result = run("reread", "--data-dir", tmp_path)
    assert (result.stdout, server.read_again) == ("read again\n", 1)


def test_what_was_done_is_listed_without_a_server(tmp_path: Path) -> None:
    with JournalServer(tmp_path) as server:
        server.now_us = 1_900_000_000_000_000
        server.journal.record(RecordAct("forget", "ann", "go", "root", "burnt\x1b"), server.now_us, 1)
        server.journal.flush()
    result = run("acts", "--data-dir", tmp_path)
    assert result.stdout == "2030-03-17 17:46:40 UTC  root: forget ann go (burnt\\u{1b})\n"
    ugs("token", "add", "ann", "--data-dir", tmp_path)
    ugs("token", "add", "ann", "--replace", "--why", "lost", "--data-dir", tmp_path)
    lines = [line.partition(": ")[2] for line in run("acts", "--data-dir", tmp_path).stdout.splitlines()]
    assert sorted(lines)[1:] == ["token of player ann made", "token of player ann replaced (lost)"]
    empty = run("acts", "--data-dir", tmp_path / "nothing")
    assert (empty.exit_code, empty.stderr.startswith("ugs admin: ")) == (2, True)
