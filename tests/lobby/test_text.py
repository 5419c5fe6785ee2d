"""Lists of the lobby for people and for programs."""

import json
from dataclasses import replace

import pytest
from rich.console import Console

from tests.lobby.lists import ANN, BOB, CYD, GO, NIM, PLAYERS, TABLES, TYPES
from ugs.lobby.client import Answer
from ugs.lobby.text import as_grid, as_values, without_visitor
from ugs.wire.extensions import GameTypeInfo, GameTypes, OfferedOption, Players, Tables


def rows(answer: Answer) -> list[list[str]]:
    """The lines of a printed list, cell by cell."""
    console = Console(width=400, no_color=True)
    with console.capture() as capture:
        console.print(as_grid(answer))
    lines = [line for line in capture.get().splitlines() if line.strip() and "─" not in line]
    return [[cell for cell in line.split("  ") if cell.strip()] for line in lines]


def cells(answer: Answer, line: int) -> list[str]:
    """The cells of a list that is not empty, the headings first."""
    return [cell.strip() for cell in rows(answer)[line]]


def test_players_are_shown_with_what_they_do() -> None:
    assert cells(PLAYERS, 0) == ["nick", "game type", "does", "table or game", "here for", "silent for", "line"]
    assert cells(PLAYERS, 1) == ["ann", "nim", "sits at a table", "t1", "2 min", "4 s", "up"]
    assert cells(PLAYERS, 2) == ["bob", "go", "waits", "2 h 2 min", "1 min 35 s", "cut"]
    assert cells(PLAYERS, 3) == ["cyd", "nim", "plays", "g7", "2 d 8 h", "0 s", "up"]


def test_where_there_are_several_servers_each_player_is_shown_with_its_node() -> None:
    listed = Players((replace(ANN, node="a"), replace(BOB, node="b")))
    assert [cells(listed, line)[-1] for line in range(3)] == ["node", "a", "b"]


def test_game_types_are_shown_with_what_may_be_chosen() -> None:
    types = GameTypes((NIM, GO))
    assert cells(types, 1) == ["nim", "2 to 4", "yes", "yes", "mode=fast (fast, slow), heaps=3 (1 to 9)"]
    assert cells(types, 2) == ["go", "no", "no"]


@pytest.mark.parametrize(
    ("option", "shown"),
    [
        (OfferedOption("x", "1", least=0), "x=1 (from 0)"),
        (OfferedOption("x", "1", most=9), "x=1 (up to 9)"),
        (OfferedOption("x", "1", "any", 2, 9), "x=1 (any, 2 to 9)"),
        (OfferedOption("x", "why"), "x=why (any text)"),
    ],
)
def test_every_kind_of_option_has_its_words(option: OfferedOption, shown: str) -> None:
    game = GameTypeInfo("go", 2, 2, master=True, programs=False, options=(option,))
    assert cells(GameTypes((game,)), 1) == ["go", "2", "yes", "no", shown]


def test_tables_are_shown_with_who_may_come() -> None:
    headings = ["name", "id", "set up by", "seats", "free", "computers", "for", "options", "invited"]
    assert cells(TABLES, 0) == headings
    assert cells(TABLES, 1) == ["Friday [bold]", "t1", "ann", "4", "2", "1", "the invited", "mode=slow", "bob"]
    assert cells(TABLES, 2) == ["any\\u{9b}body", "t2", "cyd", "2", "1", "0", "all"], "nothing a terminal would obey"


@pytest.mark.parametrize("answer", [Players(()), GameTypes(()), Tables(())])
def test_where_there_is_nothing_a_sentence_says_so(answer: Answer) -> None:
    assert isinstance(as_grid(answer), str)


def test_the_visitor_itself_is_not_shown() -> None:
    assert without_visitor(PLAYERS, "bob") == Players((ANN, CYD))
    assert without_visitor(TYPES, "bob") == GameTypes((GO, NIM))
    assert without_visitor(TABLES, "bob") == TABLES


def test_programs_get_everything() -> None:
    players = json.loads(json.dumps(as_values(Players((BOB,)))))
    assert players == {
        "players": [
            {
                "nick": "bob",
                "game_type": "go",
                "since_s": 7300.0,
                "active_s": 95.0,
                "connection": "DISCONNECTED",
                "activity": "IDLE",
                "play": "WAITING",
                "game_id": "",
                "node": "",
            }
        ]
    }
    (game,) = json.loads(json.dumps(as_values(GameTypes((NIM,)))))["types"]
    assert game["options"][1] == {"name": "heaps", "value": "3", "values": "", "least": 1, "most": 9}
    friday, _ = json.loads(json.dumps(as_values(TABLES)))["tables"]
    assert (friday["visibility"], friday["invited"]) == ("PRIVATE", ["bob"])
    assert friday["options"] == [{"name": "mode", "value": "slow"}]
