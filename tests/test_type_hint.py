"""The game type of a package whose name was typed."""

from importlib.metadata import entry_points
from pathlib import Path

import pytest

from tests.commands.line import ugs
from ugs.printable import unknown
from ugs.type_hint import GROUP, game_called, hinted, package_hint, title_hint, type_called, type_hint

TYPES = {point.name: point.load().game_type for point in entry_points(group=GROUP) if "tic" in point.name}


@pytest.mark.parametrize("name", sorted(TYPES))
def test_a_name_that_is_no_type_is_told_apart(name: str) -> None:
    hint = type_hint(name)
    assert (repr(TYPES[name]) in hint) == (TYPES[name] != name)


@pytest.mark.parametrize("name", [name for name in sorted(TYPES) if TYPES[name] != name])
def test_a_type_is_suggested_once(name: str) -> None:
    known = sorted(TYPES.values())
    guessed = unknown("game type", name, known)
    for text in (hinted(guessed, name), unknown("game type", name, known, type_hint(name))):
        assert text.partition("; there are")[0] == f"game type {name!r}: unknown{type_hint(name)}"
    assert hinted("no master", name) == f"no master{type_hint(name)}"
    assert hinted(guessed, "no-such-game") == guessed


@pytest.mark.parametrize("word", [None, "", "no-such-game", "../x"])
def test_other_words_have_no_hint(word: str | None) -> None:
    assert type_hint(word) == ""


@pytest.mark.parametrize("name", sorted(TYPES))
def test_a_type_that_is_no_name_is_told_apart(name: str) -> None:
    assert (repr(name) in package_hint(TYPES[name])) == (TYPES[name] != name)
    assert package_hint(name) == package_hint("no-such-game") == package_hint(None) == ""


@pytest.mark.parametrize("word", ["Five in a row", "5-in-a-row", "five_in_a_row!", "FIVE IN A ROW"])
def test_what_people_call_a_game_leads_to_its_name_and_its_type(word: str) -> None:
    assert package_hint(word) == " ('Five in a row' is the title of 'tic-tac-toe')"
    assert type_hint(word) == " ('Five in a row' is the title of the type '5-in-line-tic-tac-toe')"
    assert title_hint("!", {"x": "!"}) == ""


@pytest.mark.parametrize(
    "line",
    [
        "match 5-in-a-row --bot a=builtin:x --bot b=builtin:x",
        "games 5-in-a-row",
        "bot 5-in-a-row --nick ann",
        "master 5-in-a-row",
        "engine --game 5-in-a-row",
        "demo --game 5-in-a-row",
        "init --yes --game 5-in-a-row x",
        "puzzle 5-in-a-row",
        "check bot --game 5-in-a-row -- x {address}",
    ],
)
def test_commands_that_take_a_game_know_its_title(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = ugs(*line.split())
    assert done.exit_code in (1, 2)
    assert "('Five in a row' is the title of 'tic-tac-toe')" in " ".join(done.stderr.replace("│", " ").split())


@pytest.mark.parametrize(
    "line",
    ["match gomoku --bot a=builtin:x --bot b=builtin:x", "games gomoku", "bot gomoku --nick ann", "demo --game gomoku"],
)
def test_commands_that_take_a_game_know_what_else_it_is_called(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = ugs(*line.split())
    assert done.exit_code in (1, 2)
    assert "('gomoku' is also a name of 'tic-tac-toe'" in " ".join(done.stderr.replace("│", " ").split())


@pytest.mark.parametrize("command", ["match", "puzzle", "games"])
def test_the_type_of_a_game_is_taken_for_its_name(command: str) -> None:
    more = ("--bot", "a=builtin:x", "--bot", "b=builtin:x") if command == "match" else ()
    by_name, by_type = (ugs(command, word, *more) for word in ("tic-tac-toe", "5-in-line-tic-tac-toe"))
    assert (by_type.exit_code, by_type.output) == (by_name.exit_code, by_name.output)
    assert "5-in-line-tic-tac-toe' " not in by_type.output


def test_the_name_of_a_game_is_taken_for_its_type_and_its_type_for_the_name() -> None:
    assert type_called("tic-tac-toe", ["go", "5-in-line-tic-tac-toe"]) == "5-in-line-tic-tac-toe"
    assert type_called("tic-tac-toe", ["tic-tac-toe", "5-in-line-tic-tac-toe"]) == "tic-tac-toe"
    assert type_called("tic-tac-toe", ["go"]) == "tic-tac-toe"
    assert type_called("no-such-game", ["go", ""]) == "no-such-game"
    assert [game_called(word) for word in ("settlers", "catan", "no-such-game", "")] == [
        *("catan", "catan"),
        *("no-such-game", ""),
    ]


def test_a_plan_that_names_a_package_is_warned_of(tmp_path: Path) -> None:
    name, game_type = next((name, game_type) for name, game_type in TYPES.items() if name != game_type)
    plan = tmp_path / "plan.toml"
    plan.write_text(f'name = "cup"\ngame_type = "{name}"\nfirst = 4\n')
    done = ugs("championship", "plan", str(plan), "--dry-run")
    assert done.exit_code == 0
    assert f"warning: game_type = {name!r} ({name!r} is a game whose type is {game_type!r})" in done.stderr


@pytest.mark.parametrize("options", [("chess", "--all"), ("--long", "--json")])
def test_options_of_games_that_exclude_each_other(options: tuple[str, ...]) -> None:
    assert (ugs("games", *options).exit_code, "does not go with" in ugs("games", *options).stderr) == (2, True)


def test_one_game_is_shown_by_its_name_or_its_type_and_all_in_short() -> None:
    name, game_type = next(iter(TYPES.items()))
    assert game_type in ugs("games", name).stdout
    assert name in ugs("games", game_type).stdout
    assert len(ugs("games").stdout.splitlines()) < 20
    wrong = ugs("games", "no-such-game")
    assert (wrong.exit_code, "unknown" in wrong.stderr) == (2, True)
