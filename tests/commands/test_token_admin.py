"""The commands ``ugs token …``."""

from pathlib import Path

import pytest
from typer.testing import Result

from tests.answering import answering
from tests.commands.line import ugs
from ugs.broker.values.identity import Role
from ugs.journal.tokens import rows
from ugs.token_key import key_of
from ugs.tokens import fits


def run(command: str, *arguments: str | Path) -> Result:
    return ugs("token", command, *arguments)


def test_a_token_is_shown_once_and_its_hash_kept(tmp_path: Path) -> None:
    result = run("add", "ann", "Bob", "--data-dir", tmp_path)
    assert result.exit_code == 0
    shown = dict(line.split("\t") for line in result.stdout.splitlines())
    made = rows(tmp_path)
    assert [(row.role, row.name) for row in made] == [(Role.PLAYER, "ann"), (Role.PLAYER, "Bob")]
    for row in made:
        assert fits(row.digest, shown[row.name])
        assert row.key == key_of(shown[row.name])
        assert shown[row.name].encode() not in (tmp_path / "tokens.sqlite").read_bytes()
    listed = run("list", "--data-dir", tmp_path).stdout
    assert [line.split(",")[0] for line in listed.splitlines()] == ["player ann", "player Bob"]
    assert not any(token in listed for token in shown.values())


def test_a_master_has_one_for_a_game_type(tmp_path: Path) -> None:
    run("add", "m1", "--master", "--type", "go", "--data-dir", tmp_path)
    (row,) = rows(tmp_path)
    assert (row.role, row.name, row.game_type) == (Role.MASTER, "m1", "go")


def test_who_has_made_it_is_named_as_in_acts(tmp_path: Path) -> None:
    ugs("token", "add", "ann", "--data-dir", tmp_path, environment={"UGS_WHO": "Olga"})
    run("add", "ben", "--data-dir", tmp_path)
    lines = run("list", "--data-dir", tmp_path).stdout.splitlines()
    olga, user = (line.partition("made by ")[2].partition(" on ")[0] for line in lines)
    assert olga == f"Olga ({user})"


def test_entrants_come_from_a_file_and_may_bring_their_tokens(tmp_path: Path) -> None:
    entrants = tmp_path / "entrants.txt"
    entrants.write_text("# the field\nann\n\n ben \tchosen by ben\n")
    result = run("add", "--from", entrants, "--data-dir", tmp_path)
    assert result.exit_code == 0
    ann, ben = result.stdout.splitlines()
    assert ann.startswith("ann\t")
    assert ben == "ben\t(as in the file)"
    assert fits(rows(tmp_path)[1].digest, "chosen by ben")
    again = run("add", "--from", entrants, "cat", "--data-dir", tmp_path)
    assert again.stdout.startswith("cat\t")
    assert again.stderr == "2 have a token already\n"


def test_a_name_that_has_one_gets_another_only_on_request(tmp_path: Path) -> None:
    first = run("add", "ann", "--data-dir", tmp_path).stdout
    result = run("add", "ANN", "--data-dir", tmp_path)
    assert (result.exit_code, result.stderr) == (1, "ugs token add: ANN: has a token; --replace makes a new one\n")
    result = run("add", "ANN", "--why", "lost", "--data-dir", tmp_path)
    assert (result.exit_code, "--why goes with --replace" in result.stderr) == (2, True)
    second = run("add", "ANN", "--replace", "--why", "lost", "--data-dir", tmp_path).stdout
    assert first.split("\t")[1] != second.split("\t")[1]
    assert [(bool(row.digest), row.why) for row in rows(tmp_path)] == [(False, ""), (True, "lost")]
    run("add", "ben", "--replace", "--why", "lost", "--data-dir", tmp_path)
    assert rows(tmp_path)[-1].why == "", "it had none"


def test_a_token_is_revoked_with_a_reason(tmp_path: Path) -> None:
    run("add", "ann", "--data-dir", tmp_path)
    assert run("revoke", "Ann", "--why", "lost", "--data-dir", tmp_path).stdout == "Ann: the token is revoked\n"
    assert run("list", "--data-dir", tmp_path).stdout == "no tokens\n"
    assert rows(tmp_path)[-1].why == "lost"
    result = run("revoke", "ann", "--data-dir", tmp_path)
    assert (result.exit_code, result.stderr) == (1, "ugs token revoke: ann: no player of this name has a token\n")


def test_a_name_that_is_nearly_right_is_likened(tmp_path: Path) -> None:
    run("add", "gertrude", "--data-dir", tmp_path)
    run("add", "--master", "gertrud1", "--data-dir", tmp_path)
    result = run("revoke", "gertrud", "--data-dir", tmp_path)
    wrong = "ugs token revoke: gertrud: no player of this name has a token (did you mean 'gertrude'?)\n"
    assert (result.exit_code, result.stderr) == (1, wrong)


@pytest.mark.parametrize("command", [("list",), ("revoke", "ann")])
def test_a_directory_that_is_not_there_is_named(command: tuple[str, ...], tmp_path: Path) -> None:
    result = run(*command, "--data-dir", tmp_path / "none")
    assert (result.exit_code, f"{tmp_path / 'none'}: there is no such directory" in result.stderr) == (1, True)


def test_a_server_that_runs_reads_the_list_again(tmp_path: Path) -> None:
    with answering(tmp_path, {"ok": True}) as server:
        assert run("add", "ann", "--data-dir", tmp_path).exit_code == 0
        assert run("revoke", "ann", "--data-dir", tmp_path).exit_code == 0
    assert server.read_again == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "no name is given: NAME, or --from FILE"),
        (("",), "'' is empty"),
        (("a#b",), "'a#b' holds #, which ends a name"),
        (("ann", "ANN"), "'ANN' counts as the same name as 'ann'"),
        (("ann", "--type", "go"), "--type: only the token of a master is for one game type"),
        (("--from", "none.txt"), "--from none.txt: cannot be read"),
    ],
)
def test_what_makes_no_sense_is_refused(tmp_path: Path, arguments: tuple[str, ...], words: str) -> None:
    result = run("add", *arguments, "--data-dir", tmp_path)
    assert result.exit_code == 2
    assert words in result.stderr
    assert rows(tmp_path) == []


def test_a_token_of_the_file_that_is_too_short_is_refused_and_not_shown(tmp_path: Path) -> None:
    entrants = tmp_path / "entrants.txt"
    entrants.write_text("ann\thush\n")
    result = run("add", "--from", entrants, "--data-dir", tmp_path)
    assert result.exit_code == 2
    assert "'ann' its token has 4 characters; allowed are 8 to 128" in result.stderr
    assert "hush" not in result.stderr


@pytest.mark.parametrize("command", [("add", "ann"), ("list",), ("revoke", "ann")])
def test_a_list_that_cannot_be_used_is_told(tmp_path: Path, command: tuple[str, ...]) -> None:
    (tmp_path / "tokens.sqlite").write_bytes(b"x" * 5000)
    result = run(*command, "--data-dir", tmp_path)
    assert result.exit_code == 1
    assert "the list of tokens cannot be used" in result.stderr


@pytest.mark.parametrize(("command", "names"), [("add", " [NAME]..."), ("revoke", " NAME...")])
def test_the_help_shows_that_several_names_may_be_given(command: str, names: str) -> None:
    assert names in ugs("token", command, "--help").stdout
