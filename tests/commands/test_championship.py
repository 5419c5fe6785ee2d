"""The commands ``ugs championship …``: what they ask of a server, and what they show of a journal."""

import getpass
import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from typer.testing import Result

from tests.answering import answering
from tests.commands.line import ugs
from tests.commands.test_championship_show import BEGAN_US, ENTRIES, LEDGER, LINES, PLAN
from ugs.broker.effects import RecordAct, RecordChampionship
from ugs.broker.values.questions import EditAsked, Order, OrderKind, PlanAsked
from ugs.championship.ledger import LedgerEntry, What
from ugs.championship.plan import load_plan
from ugs.commands.championship import login_name
from ugs.journal.journal import Journal
from ugs.standings.source import from_journal

HALTED = "; no server runs: it goes on when a server runs here"
OK: Mapping[str, object] = {"ok": True}


def run(*arguments: str | Path, environment: dict[str, str] | None = None) -> Result:
    return ugs("championship", *arguments, environment=environment)


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


def test_a_championship_is_shown_with_standings_and_tables_and_its_ledger_on_demand(data_dir: Path) -> None:
    result = run("show", "spring", "--data-dir", data_dir)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    lines[0] = lines[0].removesuffix(HALTED)
    at = LINES.index("cross table") - 1
    assert lines[:at] + lines[lines.index("cross table") - 1 :] == LINES
    assert lines[at + 1 : at + 4] == ["standings", *lines[at + 2 : at + 4]]
    whole = run("show", "spring", "--ledger", "--data-dir", data_dir)
    assert whole.stdout.splitlines() == ENTRIES


def test_as_json_it_is_all_there(data_dir: Path) -> None:
    shown = json.loads(run("show", "spring", "--data-dir", data_dir, "--format", "json").stdout)
    assert shown["gone"] == {
        "dan": {"who": "", "why": "logout", "struck": True, "disqualified": False},
        "bob": {"who": "eve", "why": "plays with help", "struck": False, "disqualified": False},
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
    result = run("list", environment={"UGS_DATA_DIR": str(data_dir)})
    assert result.stdout == f"spring (go; round robin): running, began 2030-03-17 17:46 UTC{HALTED}\n"
    (one,) = json.loads(run("list", "--data-dir", data_dir, "--format", "json").stdout)
    assert one == {
        "name": "spring",
        "game_type": "go",
        "state": "running",
        "began": "2030-03-17T17:46:41.000000Z",
        "ended": None,
    }


def records(data_dir: Path, *effects: RecordChampionship | RecordAct) -> None:
    journal = Journal(data_dir, version="0.1.0", kept=lambda _: None, lost=lambda _: None, back=lambda: None)
    for effect in effects:
        journal.record(effect, BEGAN_US + 60_000_000, 0)
    journal.flush()
    journal.close()


def test_the_list_has_who_has_won(data_dir: Path) -> None:
    records(data_dir, RecordChampionship("spring", "go", LedgerEntry(What.OVER, {"placing": ["cem", "ann"]})))
    assert run("list", "--data-dir", data_dir).stdout.endswith("; won by cem\n")


def test_where_no_places_are_decided_the_first_of_the_standings_has_won(data_dir: Path) -> None:
    records(data_dir, RecordChampionship("spring", "go", LedgerEntry(What.OVER, {"placing": []})))
    (found,) = from_journal(data_dir, championship="spring")
    winners = [line.nick for line in found.players if line.place == 1]
    assert winners
    assert run("list", "--data-dir", data_dir).stdout.endswith(f"; won by {', '.join(winners)}\n")


def test_that_its_game_type_is_paused_is_told_until_it_goes_on(data_dir: Path) -> None:
    records(data_dir, RecordAct("pause", "", "go", "root", "pizza"), RecordAct("pause", "", "chess", "root", "tea"))
    assert "  the organiser has paused go: pizza" in run("show", "spring", "--data-dir", data_dir).stdout.splitlines()
    records(data_dir, RecordAct("resume", "", "go", "root", ""))
    assert "has paused" not in run("show", "spring", "--data-dir", data_dir).stdout


def test_the_options_of_its_games_are_shown_and_that_no_master_offers_them(tmp_path: Path) -> None:
    plan = {**PLAN, "options": {"board_size": "7", "mode": "ADULT"}}
    records(tmp_path, RecordChampionship("spring", "go", LedgerEntry(What.PLANNED, {"plan": plan}, "eve")))
    shown = run("show", "spring", "--data-dir", tmp_path).stdout.splitlines()
    assert shown[1:3] == [LINES[1], "  options: board size: 7, mode: ADULT"]
    entry = {"kind": "championship", "fixtures": [], "options_unmet": "no game master here offers its options: \x1b"}
    with answering(tmp_path, {"ok": True, "found": [entry]}):
        shown = run("show", "spring", "--data-dir", tmp_path).stdout.splitlines()
    assert shown[1] == r"  it waits: no game master here offers its options: \u{1b}"


def test_what_a_running_server_knows_of_the_next_games_is_shown(tmp_path: Path) -> None:
    records(tmp_path, *(RecordChampionship("spring", "go", entry) for entry in LEDGER[:4]))
    fixture = {"fixture": 2, "nicks": ["bob", "cem"], "why": ["cem plays game g9"]}
    entry = {"kind": "championship", "fixtures": [fixture, {**fixture, "fixture": 3, "why": []}]}
    with answering(tmp_path, {"ok": True, "found": [{"kind": "player", "name": "spring"}, entry]}):
        shown = run("show", "spring", "--data-dir", tmp_path).stdout
    assert "  next: fixture 2 (round 1): bob, cem; cem plays game g9\n" in shown


def test_where_there_is_none_the_list_says_so(tmp_path: Path) -> None:
    Journal(tmp_path, version="", kept=lambda _: None, lost=lambda _: None, back=lambda: None).close()
    assert run("list", "--data-dir", tmp_path).stdout == "there is none\n"


def test_an_unknown_championship_is_told_with_those_there_are(data_dir: Path) -> None:
    result = run("show", "sprung", "--data-dir", data_dir)
    assert result.exit_code == 2
    assert result.stderr == (
        "ugs championship: championship 'sprung': unknown (did you mean 'spring'?); there are: spring\n"
    )


@pytest.mark.parametrize("arguments", [("list",), ("show", "spring")])
def test_where_there_is_no_journal_there_is_one_clear_error(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    result = run(*arguments, "--data-dir", tmp_path / "nowhere")
    assert result.exit_code == 2
    assert result.stderr.startswith("ugs championship: ")
    assert result.stderr.count("\n") == 1


def test_names_cannot_play_tricks_on_a_terminal(tmp_path: Path) -> None:
    journal = Journal(tmp_path, version="", kept=lambda _: None, lost=lambda _: None, back=lambda: None)
    plan = LedgerEntry(What.PLANNED, {"plan": PLAN}, "eve", "\x1b[31m\u202e")
    journal.record(RecordChampionship("spring", "go", plan), BEGAN_US, 0)
    journal.flush()
    journal.close()
    assert r"(eve: \u{1b}[31m\u{202e})" in run("show", "spring", "--data-dir", tmp_path).stdout


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
            ("disqualify", "spring", "ann", "--why", "cheated"),
            Order(OrderKind.DISQUALIFY, "spring", "eve", "cheated", "ann"),
            "ann is disqualified in championship spring\n",
        ),
        (
            ("replay", "spring", "g1", "--why", "wrong rules"),
            Order(OrderKind.REPLAY, "spring", "eve", "wrong rules", "g1"),
            "game g1 does not count in championship spring any more and is played again\n",
        ),
        (
            ("correct", "spring", "g1", "--result", "a=b=won", "--result", "lost", "--why", "wrong clock"),
            Order(OrderKind.CORRECT, "spring", "eve", "wrong clock", "g1", {"a=b": "won", "": "lost"}),
            "game g1 is corrected in championship spring\n",
        ),
        (
            ("adjudicate", "spring", "#4", "--result", "drawn", "--why", "power cut"),
            Order(OrderKind.ADJUDICATE, "spring", "eve", "power cut", "#4", {"": "drawn"}),
            "game #4 is decided in championship spring\n",
        ),
        (
            ("enter", "spring", "zoe", "--why", "late"),
            Order(OrderKind.ENTER, "spring", "eve", "late", "zoe"),
            "zoe is an entrant of championship spring\n",
        ),
        (
            ("bye", "spring", "ann", "--round", "3", "--why", "exam"),
            Order(OrderKind.BYE, "spring", "eve", "exam", "ann", round=3),
            "ann sits out round 3 of championship spring\n",
        ),
        (
            ("cancel", "spring", "--why", "too few"),
            Order(OrderKind.CANCEL, "spring", "eve", "too few"),
            "championship spring is cancelled\n",
        ),
    ],
)
def test_an_order_goes_to_the_server_with_who_and_why(
    tmp_path: Path, arguments: tuple[str, ...], order: Order, said: str
) -> None:
    with answering(tmp_path, OK) as server:
        result = run(*arguments, "--who", "eve", "--data-dir", tmp_path)
    assert (result.exit_code, result.stdout) == (0, said)
    assert server.asked == [order]


@pytest.mark.parametrize("result", [("ann",), ("ann=great",), ("ann=won", "ann=lost")])
def test_a_result_that_says_nothing_is_refused(tmp_path: Path, result: tuple[str, ...]) -> None:
    said = [word for one in result for word in ("--result", one)]
    answer = run("correct", "spring", "g1", *said, "--why", "x", "--data-dir", tmp_path)
    assert answer.exit_code == 2
    assert "allowed: NICK=won, NICK=lost, NICK=drawn" in answer.stderr


def test_a_changed_plan_goes_to_the_server_and_its_warning_to_the_organiser(tmp_path: Path, plan_file: Path) -> None:
    with answering(tmp_path, {"ok": True, "warning": "nobody leads go"}) as server:
        result = run("edit", plan_file, "--who", "eve", "--why", "late", "--data-dir", tmp_path)
    assert (result.exit_code, result.stdout) == (0, "championship spring has its new plan\n")
    assert result.stderr == "ugs championship: warning: nobody leads go\n"
    assert server.asked == [EditAsked(load_plan(plan_file), "eve", "late")]


def test_who_is_the_login_name_unless_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOGNAME", "olga")
    with answering(tmp_path, OK) as server:
        assert run("resume", "spring", "--data-dir", tmp_path).exit_code == 0
    assert server.asked == [Order(OrderKind.RESUME, "spring", "olga", "")]


def test_who_may_stand_in_the_environment(tmp_path: Path) -> None:
    with answering(tmp_path, OK) as server:
        run("resume", "spring", "--data-dir", tmp_path, environment={"UGS_WHO": "Eve, the organiser"})
    assert server.asked == [Order(OrderKind.RESUME, "spring", "Eve, the organiser", "")]


def test_a_user_without_a_name_has_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody() -> str:
        raise OSError("no such user")

    monkeypatch.setattr(getpass, "getuser", nobody)
    assert login_name().startswith("user ")


def test_what_the_server_refuses_is_exit_code_1_and_its_own_words(tmp_path: Path) -> None:
    with answering(tmp_path, {"ok": False, "error": "championship spring is not paused"}):
        result = run("resume", "spring", "--data-dir", tmp_path)
    assert result.exit_code == 1
    assert result.stderr == "ugs championship: championship spring is not paused\n"


def test_without_a_server_an_order_is_exit_code_1_and_says_so(data_dir: Path) -> None:
    result = run("pause", "spring", "--why", "lunch", "--data-dir", data_dir)
    assert result.exit_code == 1
    assert result.stderr.startswith(f"ugs championship: no server runs on {data_dir}: ")
    assert result.stderr.endswith("; an order needs a running server\n")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("pause", "spring"), "--why"),
        (("pause", "spring", "--why", " "), "give --why TEXT"),
        (("withdraw", "spring", "--why", "ill"), "NICK"),
        (("replay", "spring", "--why", "ill"), "GAME"),
        (("stop", "spring"), "stop"),
    ],
)
def test_half_an_order_is_exit_code_2(tmp_path: Path, arguments: tuple[str, ...], words: str) -> None:
    result = run(*arguments, "--data-dir", tmp_path)
    assert result.exit_code == 2
    assert words in result.stderr


# Planning.


def test_a_plan_goes_to_the_server_as_it_is(tmp_path: Path, plan_file: Path) -> None:
    with answering(tmp_path, OK) as server:
        result = run("plan", plan_file, "--who", "eve", "--data-dir", tmp_path)
    assert (result.exit_code, result.stdout) == (0, "championship spring is announced\n")
    assert server.asked == [PlanAsked(load_plan(plan_file), "eve", None)]


def test_every_command_explains_itself_with_an_example() -> None:
    names = "plan edit list show pause resume withdraw replay correct adjudicate enter bye cancel"
    for name in names.split():
        result = run(name, "--help")
        assert result.exit_code == 0
        assert f"ugs championship {name}" in result.stdout.partition("Example")[2]
