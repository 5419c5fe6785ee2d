"""The games that the overview shows: each keeps its place until its end was seen."""

from typing import Any

from ugs.page.played import LiveBoard
from ugs.page.server.overview_games import END_S, SEATS, SEEN_S, FrontRow


def games(*names: str) -> list[dict[str, Any]]:
    return [{"game": name, "moves": 0} for name in names]


def board(name: str) -> LiveBoard:
    return LiveBoard(name, "chess", 1, [], [], [], "", "", [], 0)


def test_a_game_stays_in_its_place_while_others_end_and_begin() -> None:
    row = FrontRow()
    assert row.wanted(games("a", "b", "c"), 0.0) == ["a", "b", "c"]
    row.wanted(games("b", "c", "d"), 10.0)
    assert row.wanted(games("b", "c", "d"), 11.0) == ["a", "b", "c", "d"], "the end of a is still shown"
    assert row.wanted(games("c", "d", "b", "e"), 10.0 + END_S) == ["e", "b", "c", "d"], "e takes the place of a"


def test_a_running_game_has_a_picture_before_those_that_have_ended_keep_theirs() -> None:
    """ "Playing now 2" stood above six pictures, five of games that had ended, and the second game was a line below."""
    row = FrontRow()
    names = [str(number) for number in range(SEATS)]
    row.wanted(games(*names), 0.0)
    row.wanted(games(*names[2:]), 1.0)
    running = games(*names[3:], "new")
    assert row.wanted(running, 3.0) == names, "their ends are shown first"
    assert row.wanted(running, SEEN_S) == ["new", *names[1:]], "only as many as are wanted make room"
    assert row.wanted([*running, *games("newer", "newest")], SEEN_S) == ["new", "newer", *names[2:]]
    assert row.wanted([*running, *games("newer", "newest")], 1.0 + SEEN_S) == ["new", "newer", "newest", *names[3:]]


def test_an_end_that_came_while_nobody_looked_is_not_shown() -> None:
    row = FrontRow()
    row.wanted(games("a", "b"), 0.0)
    assert row.wanted(games("b"), 1000.0) == ["b"]


def test_at_most_so_many_games_are_in_front_and_all_others_follow() -> None:
    row = FrontRow()
    names = [str(number) for number in range(SEATS + 3)]
    assert row.wanted(games(*names), 0.0) == names[:SEATS]
    assert [one["game"] for one in row.arranged(games(*names), {})] == names


def test_an_end_is_shown_only_if_somebody_has_looked_at_the_game() -> None:
    row = FrontRow()
    row.wanted(games("a", "b"), 0.0)
    row.wanted(games("b"), 1.0)
    assert [one["game"] for one in row.arranged(games("b"), {})] == ["b"]
    shown = row.arranged(games("b"), {"a": board("a")})
    assert [(one["game"], one.get("ended", False)) for one in shown] == [("a", True), ("b", False)]


def test_what_is_known_of_a_running_game_is_the_latest() -> None:
    row = FrontRow()
    row.wanted(games("a"), 0.0)
    row.wanted([{"game": "a", "moves": 7}], 1.0)
    assert row.arranged([{"game": "a", "moves": 7}], {}) == [{"game": "a", "moves": 7}]


def test_types_that_are_not_shown_come_first() -> None:
    row = FrontRow()
    chess = [{"game": f"c{number}", "game_type": "chess"} for number in range(SEATS)]
    others = [{"game": name, "game_type": name} for name in ("go", "hex")]
    assert row.wanted([*chess, *others], 0.0) == ["c0", "go", "hex", "c1", "c2", "c3"]
    row.wanted([*chess[1:], *others], 1.0)
    titan = {"game": "t", "game_type": "titan"}
    assert row.wanted([*chess[1:], *others, titan], 1.0 + END_S) == ["t", "go", "hex", "c1", "c2", "c3"]
