"""The commands ``ugs championship …``: what they ask of a server, and what they show of a journal."""

import getpass
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner, Result

from tests.answering import answering
from ugs.broker.effects import RecordChampionship
from ugs.broker.questions import Order, OrderKind, PlanAsked
from ugs.championship import command
from ugs.championship.command import TOLD, as_json, as_lines, login_name, register
from ugs.championship.ledger import LedgerEntry, What
from ugs.championship.plan import load_plan
from ugs.journal.journal import Journal
from ugs.journal.reader import Championship, LoggedEntry

BEGAN_US = 1_900_000_000_000_000
"""2030-03-17T17:46:40Z."""
PLAN = {"name": "spring", "game_type": "go", "format": "round-robin", "first": 3, "tie_breaks": ["wins"], "seats": 0}
OK: Mapping[str, object] = {"ok": True}


def fixture(number: int, *nicks: str, **more: object) -> dict[str, Any]:
    """Return what entries say about a fixture."""
    return {"fixture": number, "round": number, "nicks": list(nicks), **more}


LEDGER = (
    LedgerEntry(What.PLANNED, {"plan": PLAN}, "eve"),
    LedgerEntry(What.BEGUN, {"field": ["ann", "bob", "cem", "dan"], "seats": 0}),
    LedgerEntry(What.BEGUN, {"field": ["ann", "bob", "cem", "dan"], "seats": 2}),
    LedgerEntry(What.FIXTURE, fixture(1, "ann", "bob", game="g1", label="")),
    LedgerEntry(What.FIXTURE, fixture(2, "cem", "dan", game="g2", label="final")),
    LedgerEntry(What.RESULT, {"game": "g1", "fixture": 1, "outcomes": {"ann": "won", "bob": "lost"}}),
    LedgerEntry(What.VOID, {"game": "g2", "fixture": 2, "again": True, "server": True}),
    LedgerEntry(What.PAUSED, {}, "eve", "lunch"),
    LedgerEntry(What.RESUMED, {}, "eve"),
    LedgerEntry(What.WITHDRAWN, {"nick": "dan", "struck": True}, "", "logout"),
    LedgerEntry(What.FIXTURE, fixture(3, "ann", "cem", game="g3", label="")),
    LedgerEntry(What.VOID, {"game": "g3", "fixture": 3, "again": True, "server": False}),
    LedgerEntry(What.FIXTURE, fixture(3, "ann", "cem", game="g4", label="")),
    LedgerEntry(What.WITHDRAWN, {"nick": "bob", "struck": False}, "eve", "plays with help"),
    LedgerEntry(What.FORFEIT, fixture(4, "bob", "cem", outcomes={"bob": "lost", "cem": "won"})),
    LedgerEntry(What.GIVEN_UP, fixture(5, "cem", "ann")),
)
LINES = [
    "championship spring (go): running, began 2030-03-17T17:46:41.000000Z",
    '  plan: format = "round-robin", first = 3, tie_breaks = ["wins"]',
    "  field: ann, bob, cem, dan",
    "  gone: dan (logout); its results struck",
    "  gone: bob (plays with help); its results stand",
    "  games that count: 2, of these decided without being played: 1",
    "  begun and not counted yet: fixture 3 (round 3): ann, cem, last as game g4",
    "  given up: fixture 5: cem, ann",
    "  ledger:",
    "    2030-03-17T17:46:40.000000Z  announced (eve)",
    "    2030-03-17T17:46:41.000000Z  the field: ann, bob, cem, dan",
    "    2030-03-17T17:46:42.000000Z  the field: ann, bob, cem, dan; games of 2",
    "    2030-03-17T17:46:43.000000Z  game g1 begins: fixture 1 (round 1): ann, bob",
    "    2030-03-17T17:46:44.000000Z  game g2 begins: fixture 2 (round 2, final): cem, dan",
    "    2030-03-17T17:46:45.000000Z  game g1 counts: ann won, bob lost",
    "    2030-03-17T17:46:46.000000Z  game g2 counts for nobody through the server; fixture 2 is played again",
    "    2030-03-17T17:46:47.000000Z  paused (eve: lunch)",
    "    2030-03-17T17:46:48.000000Z  goes on (eve)",
    "    2030-03-17T17:46:49.000000Z  dan is out; its results are struck (logout)",
    "    2030-03-17T17:46:50.000000Z  game g3 begins: fixture 3 (round 3): ann, cem",
    "    2030-03-17T17:46:51.000000Z  game g3 counts for nobody; fixture 3 is played again",
    "    2030-03-17T17:46:52.000000Z  game g4 begins: fixture 3 (round 3): ann, cem",
    "    2030-03-17T17:46:53.000000Z  bob is out; its results stand (eve: plays with help)",
    "    2030-03-17T17:46:54.000000Z  decided without a game: fixture 4 (round 4): bob, cem: bob lost, cem won",
    "    2030-03-17T17:46:55.000000Z  given up: fixture 5 (round 5): cem, ann",
]


def championship(*entries: LedgerEntry, state: str = "running") -> Championship:
    """Return a championship of these entries, one a second."""
    ledger = tuple(LoggedEntry(BEGAN_US + number * 1_000_000, entry) for number, entry in enumerate(entries))
    return Championship("spring", "go", state, ledger)


def ugs(*arguments: str | Path, environment: dict[str, str] | None = None) -> Result:
    """Run a command line in this process."""
    app = typer.Typer()
    register(app)
    app.callback()(lambda: None)
    env = {"COLUMNS": "200", "TERM": "dumb", "NO_COLOR": "1", "UGS_DATA_DIR": "", **(environment or {})}
    return CliRunner().invoke(app, ["championship", *map(str, arguments)], env=env)


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    """A data directory whose journal has the championship spring."""
    journal = Journal(tmp_path, version="0.1.0", kept=lambda _: None, lost=lambda _: None, back=lambda: None)
    for number, entry in enumerate(LEDGER):
        journal.record(RecordChampionship("spring", "go", entry), BEGAN_US + number * 1_000_000, 0)
    journal.flush()
    journal.close()
    return tmp_path


@pytest.fixture
def plan_file(tmp_path: Path) -> Path:
    file = tmp_path / "plan.toml"
    file.write_text('name = "spring"\ngame_type = "go"\nentrants = ["ann", "bob", "cem"]\nreturn_s = 5\n')
    return file


# Showing.


def test_a_championship_is_shown_with_its_whole_ledger(data_dir: Path) -> None:
    result = ugs("show", "spring", "--data-dir", data_dir)
    assert result.exit_code == 0
    assert result.stdout.splitlines() == LINES


def test_as_json_it_is_all_there(data_dir: Path) -> None:
    shown = json.loads(ugs("show", "spring", "--data-dir", data_dir, "--format", "json").stdout)
    assert shown["gone"] == {
        "dan": {"why": "logout", "struck": True},
        "bob": {"why": "plays with help", "struck": False},
    }
    assert shown["unplayed"] == [{"fixture": 3, "round": 3, "nicks": ["ann", "cem"], "game": "g4"}]
    assert shown["given_up"] == [{"fixture": 5, "nicks": ["cem", "ann"]}]
    assert [entry["what"] for entry in shown["ledger"]] == [str(entry.what) for entry in LEDGER]
    assert shown["ledger"][7] == {
        "at": "2030-03-17T17:46:47.000000Z",
        "what": "paused",
        "who": "eve",
        "why": "lunch",
        "data": {},
    }


def test_all_championships_are_listed(data_dir: Path) -> None:
    result = ugs("list", environment={"UGS_DATA_DIR": str(data_dir)})
    assert result.stdout == "spring (go): running, began 2030-03-17T17:46:41.000000Z\n"
    (one,) = json.loads(ugs("list", "--data-dir", data_dir, "--format", "json").stdout)
    assert one == {
        "name": "spring",
        "game_type": "go",
        "state": "running",
        "began": "2030-03-17T17:46:41.000000Z",
        "ended": None,
    }


def test_where_there_is_none_the_list_says_so(tmp_path: Path) -> None:
    Journal(tmp_path, version="", kept=lambda _: None, lost=lambda _: None, back=lambda: None).close()
    assert ugs("list", "--data-dir", tmp_path).stdout == "there is none\n"


def test_an_unknown_championship_is_told_with_those_there_are(data_dir: Path) -> None:
    result = ugs("show", "sprung", "--data-dir", data_dir)
    assert result.exit_code == 2
    assert result.stderr == "ugs championship: 'sprung': no such championship; there are: spring\n"


@pytest.mark.parametrize("arguments", [("list",), ("show", "spring")])
def test_where_there_is_no_journal_there_is_one_clear_error(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    result = ugs(*arguments, "--data-dir", tmp_path / "nowhere")
    assert result.exit_code == 2
    assert result.stderr.startswith("ugs championship: ")
    assert result.stderr.count("\n") == 1


def test_one_that_is_over_is_told_with_its_placing() -> None:
    over = LedgerEntry(What.OVER, {"placing": ["ann", "bob"]})
    shown = championship(*LEDGER[:2], over, state="over")
    assert as_lines(shown)[0].endswith(": over, began 2030-03-17T17:46:41.000000Z, over 2030-03-17T17:46:42.000000Z")
    assert as_lines(shown)[-1].endswith("over: ann, bob")
    assert as_json(shown)["ended"] == "2030-03-17T17:46:42.000000Z"


def test_one_that_has_not_begun_has_no_field() -> None:
    assert "  field: not fixed yet" in as_lines(championship(LEDGER[0], state="announced"))


def test_a_game_that_was_taken_back_is_begun_and_not_counted() -> None:
    replayed = LedgerEntry(What.REPLAYED, {"game": "g1", "fixture": 1}, "eve", "wrong rules")
    lines = as_lines(championship(*LEDGER[:4], LEDGER[5], replayed))
    assert "  begun and not counted yet: fixture 1 (round 1): ann, bob, last as game g1" in lines
    assert lines[-1].endswith("game g1 does not count any more; fixture 1 is played again (eve: wrong rules)")


def test_a_void_game_that_is_not_played_again_is_told_so() -> None:
    void = LedgerEntry(What.VOID, {"game": "g1", "fixture": 1, "again": False, "server": False})
    assert as_lines(championship(*LEDGER[:4], void))[-1].endswith("fixture 1 is not played again")


def test_every_kind_of_entry_has_its_words() -> None:
    assert set(TOLD) == set(What)


def test_names_cannot_play_tricks_on_a_terminal(tmp_path: Path) -> None:
    journal = Journal(tmp_path, version="", kept=lambda _: None, lost=lambda _: None, back=lambda: None)
    plan = LedgerEntry(What.PLANNED, {"plan": PLAN}, "eve", "\x1b[31m\u202e")
    journal.record(RecordChampionship("spring", "go", plan), BEGAN_US, 0)
    journal.flush()
    journal.close()
    assert r"(eve: \u{1b}[31m\u{202e})" in ugs("show", "spring", "--data-dir", tmp_path).stdout


# Intervening.


@pytest.mark.parametrize(
    ("arguments", "order", "said"),
    [
        (
            ("pause", "spring", "--why", "lunch"),
            Order(OrderKind.PAUSE, "spring", "eve", "lunch"),
            "championship spring is paused\n",
        ),
        (("resume", "spring"), Order(OrderKind.RESUME, "spring", "eve", ""), "championship spring goes on\n"),
        (
            ("withdraw", "spring", "ann", "--why", "ill"),
            Order(OrderKind.WITHDRAW, "spring", "eve", "ill", "ann"),
            "ann is out of championship spring\n",
        ),
        (
            ("replay", "spring", "g1", "--why", "wrong rules"),
            Order(OrderKind.REPLAY, "spring", "eve", "wrong rules", "g1"),
            "game g1 does not count in championship spring any more and is played again\n",
        ),
    ],
)
def test_an_order_goes_to_the_server_with_who_and_why(
    tmp_path: Path, arguments: tuple[str, ...], order: Order, said: str
) -> None:
    with answering(tmp_path, OK) as server:
        result = ugs(*arguments, "--who", "eve", "--data-dir", tmp_path)
    assert (result.exit_code, result.stdout) == (0, said)
    assert server.asked == [order]


def test_who_is_the_login_name_unless_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOGNAME", "olga")
    with answering(tmp_path, OK) as server:
        assert ugs("resume", "spring", "--data-dir", tmp_path).exit_code == 0
    assert server.asked == [Order(OrderKind.RESUME, "spring", "olga", "")]


def test_a_user_without_a_name_has_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody() -> str:
        raise OSError("no such user")

    monkeypatch.setattr(getpass, "getuser", nobody)
    assert login_name().startswith("user ")


def test_what_the_server_refuses_is_exit_code_1_and_its_own_words(tmp_path: Path) -> None:
    with answering(tmp_path, {"ok": False, "error": "championship spring is not paused"}):
        result = ugs("resume", "spring", "--data-dir", tmp_path)
    assert result.exit_code == 1
    assert result.stderr == "ugs championship: championship spring is not paused\n"


def test_without_a_server_an_order_is_exit_code_1_and_says_so(data_dir: Path) -> None:
    result = ugs("pause", "spring", "--why", "lunch", "--data-dir", data_dir)
    assert result.exit_code == 1
    assert result.stderr.startswith(f"ugs championship: no server runs on {data_dir}: ")
    assert result.stderr.endswith("; an order needs a running server\n")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("pause", "spring"), "--why"),
        (("pause", "spring", "--why", " "), "--why is empty"),
        (("withdraw", "spring", "--why", "ill"), "NICK"),
        (("replay", "spring", "--why", "ill"), "GAME"),
        (("stop", "spring"), "stop"),
    ],
)
def test_half_an_order_is_exit_code_2(tmp_path: Path, arguments: tuple[str, ...], words: str) -> None:
    result = ugs(*arguments, "--data-dir", tmp_path)
    assert result.exit_code == 2
    assert words in result.stderr


# Planning.


def test_a_plan_goes_to_the_server_as_it_is(tmp_path: Path, plan_file: Path) -> None:
    with answering(tmp_path, OK) as server:
        result = ugs("plan", plan_file, "--who", "eve", "--data-dir", tmp_path)
    assert (result.exit_code, result.stdout) == (0, "championship spring is announced\n")
    assert server.asked == [PlanAsked(load_plan(plan_file), "eve", None)]


def test_a_plan_is_tried_out_without_a_server(plan_file: Path) -> None:
    result = ugs("plan", plan_file, "--dry-run", "--game-s", "10")
    assert result.exit_code == 0
    assert "3 entrants, 2 seats" in result.stdout


@pytest.mark.parametrize(
    ("text", "arguments", "words"),
    [
        ("", ("--dry-run", "--entrants", "5"), "the plan names its 3 entrants"),
        ("", (), "--data-dir is missing"),
        ("frist = 3\n", ("--dry-run",), "unknown key frist"),
        ("", ("--dry-run", "--seats", "1"), "--seats"),
    ],
)
def test_a_plan_that_cannot_be_is_exit_code_2(
    plan_file: Path, text: str, arguments: tuple[str, ...], words: str
) -> None:
    plan_file.write_text(plan_file.read_text() + text)
    result = ugs("plan", plan_file, *arguments)
    assert result.exit_code == 2
    assert words in result.stderr


def test_a_plan_for_those_who_are_there_needs_a_number_to_be_tried_out(tmp_path: Path) -> None:
    file = tmp_path / "plan.toml"
    file.write_text('name = "spring"\ngame_type = "go"\nbegins_at = "2030-05-01T20:00"\n')
    result = ugs("plan", file, "--dry-run")
    assert result.exit_code == 2
    assert "give --entrants" in result.stderr
    assert ugs("plan", file, "--dry-run", "--entrants", "4").exit_code == 0


def test_every_command_explains_itself_with_an_example() -> None:
    for name in ("plan", "list", "show", "pause", "resume", "withdraw", "replay"):
        result = ugs(name, "--help")
        assert result.exit_code == 0
        assert f"ugs championship {name}" in result.stdout.partition("Example")[2]
    assert command.app.info.name == "championship"
