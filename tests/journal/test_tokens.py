"""The list of tokens, on disk."""

import multiprocessing
import stat
from pathlib import Path

import pytest

from ugs.broker.values.identity import Identity, Role
from ugs.journal.token_file import FILE
from ugs.journal.tokens import REGISTERED, IdentitiesError, NewRow, add, changes, listed, register, rows, unknown

PLAYER, MASTER = Role.PLAYER, Role.MASTER
NOON_US = 1_900_000_000_000_000


def test_without_a_list_nobody_has_a_token(tmp_path: Path) -> None:
    assert rows(tmp_path) == []
    assert listed(tmp_path) == []
    assert unknown(tmp_path, PLAYER, ["ann"]) == ["ann"]
    assert not (tmp_path / FILE).exists(), "looking makes no file"


def test_rows_come_back_in_their_order_and_from_a_number_on(tmp_path: Path) -> None:
    add(tmp_path, [NewRow(PLAYER, "ann", "a", key="k"), NewRow(MASTER, "m", "b", "go")], "root", NOON_US)
    add(tmp_path, [NewRow(PLAYER, "ben", "c")], "root", NOON_US)
    assert rows(tmp_path) == [
        Identity(1, PLAYER, "ann", "a", key="k", made_us=NOON_US),
        Identity(2, MASTER, "m", "b", "go", made_us=NOON_US),
        Identity(3, PLAYER, "ben", "c", made_us=NOON_US),
    ]
    assert [row.number for row in rows(tmp_path, 2)] == [3]
    assert [one.line for one in listed(tmp_path)] == [
        "master m for go, made by root on 2030-03-17 17:46 UTC",
        "player ann, made by root on 2030-03-17 17:46 UTC",
        "player ben, made by root on 2030-03-17 17:46 UTC",
    ]


def test_a_new_row_takes_the_hash_out_of_the_old_ones_of_its_name(tmp_path: Path) -> None:
    add(tmp_path, [NewRow(PLAYER, "Ann", "old"), NewRow(MASTER, "ann", "of a master")], "root", NOON_US)
    add(tmp_path, [NewRow(PLAYER, "ANN", why="lost")], "root", NOON_US)
    assert [(row.name, row.digest, row.why) for row in rows(tmp_path)] == [
        ("Ann", "", ""),
        ("ann", "of a master", ""),
        ("ANN", "", "lost"),
    ]
    assert b"old" not in (tmp_path / FILE).read_bytes()
    assert unknown(tmp_path, PLAYER, ["ann"]) == ["ann"]
    assert unknown(tmp_path, MASTER, ["ANN", "n"]) == ["n"]


def test_what_organisers_did_to_tokens_is_known_as_far_as_the_list_shows_it(tmp_path: Path) -> None:
    def made(name: str, key: str = "", why: str = "") -> NewRow:
        return NewRow(PLAYER, name, "digest", key=key, why=why)

    steps = [
        [made("ann", "k"), NewRow(MASTER, "m", "b", "go", "k")],
        [made("ANN", "l", "lost her laptop"), made("ben")],
        [NewRow(PLAYER, "ann", why="cheats"), NewRow(PLAYER, "ben", why="left")],
        [made("ben", "n"), made("cat")],
        [made("cat"), made("cat", why="again")],
    ]
    register(tmp_path, NewRow(PLAYER, "zoe", "first"), REGISTERED, NOON_US)
    register(tmp_path, NewRow(PLAYER, "eve", "first"), REGISTERED, NOON_US)
    for number, step in enumerate(steps):
        add(tmp_path, step, "root", NOON_US + number)
    add(tmp_path, [NewRow(PLAYER, "eve")], "root", NOON_US + 5)
    assert register(tmp_path, NewRow(PLAYER, "eve", "second"), REGISTERED, NOON_US)
    assert [(one.text, one.at_us - NOON_US) for one in changes(tmp_path)] == [
        ("token of player ann made", 0),
        ("token of master m for go made", 0),
        ("token of player ANN replaced (lost her laptop)", 1),
        ("token of player ben made", 1),
        ("token of player ann revoked (cheats)", 2),
        ("token of player ben changed (left)", 2),
        ("token of player ben made", 3),
        ("token of player cat made", 3),
        ("token of player cat changed", 4),
        ("token of player cat made (again)", 4),
        ("token of player eve changed", 5),
    ]
    assert {one.who for one in changes(tmp_path)} == {"root"}
    assert changes(tmp_path / "nowhere") == []


def test_of_two_that_register_a_name_one_has_it(tmp_path: Path) -> None:
    assert register(tmp_path, NewRow(PLAYER, "ann", "first"), "itself", NOON_US)
    assert not register(tmp_path, NewRow(PLAYER, "ANN", "second"), "itself", NOON_US)
    add(tmp_path, [NewRow(PLAYER, "ann")], "root", NOON_US)
    assert register(tmp_path, NewRow(PLAYER, "ann", "third"), "itself", NOON_US)
    assert [row.digest for row in rows(tmp_path)] == ["", "", "third"]


def test_it_is_for_its_owner_alone(tmp_path: Path) -> None:
    directory = tmp_path / "new"
    add(directory, [NewRow(PLAYER, "ann", "a")], "root", NOON_US)
    assert stat.S_IMODE((directory / FILE).stat().st_mode) == 0o600
    assert stat.S_IMODE(directory.stat().st_mode) == 0o700


def test_all_rows_are_written_or_none(tmp_path: Path) -> None:
    with pytest.raises(IdentitiesError, match="cannot be used"):
        add(tmp_path, [NewRow(PLAYER, "ann", "a"), NewRow(PLAYER, "ben", None)], "root", NOON_US)  # type: ignore[arg-type]
    assert rows(tmp_path) == []


def test_a_file_that_is_no_list_is_told(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"x" * 5000)
    for asks in (rows, listed, lambda path: unknown(path, PLAYER, ["ann"])):
        with pytest.raises(IdentitiesError, match=f"{FILE}: the list of tokens cannot be used"):
            asks(tmp_path)


def test_a_directory_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(IdentitiesError):
        add(tmp_path / "file" / "data", [], "root", NOON_US)


def _adds(directory: Path, number: int) -> None:
    for turn in range(5):
        add(directory, [NewRow(PLAYER, f"p{number}-{turn}", "a")], "root", NOON_US)


def test_several_processes_may_write(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=_adds, args=(tmp_path, number)) for number in range(3)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(30)
    assert [row.number for row in rows(tmp_path)] == [*range(1, 16)]
