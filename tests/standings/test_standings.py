"""Standings as JSON and back."""

import json
from dataclasses import fields

import pytest

from tests.standings.results import drawn, forfeit, game, void, won
from ugs.broker.verdict import Cause, Outcome
from ugs.standings.compute import ChampionshipFacts, standings_of
from ugs.standings.standings import GivenUp, LeftEntrant, NotStandings, Standings, all_as_json, as_json, read_json

CUP = ChampionshipFacts(
    "cup",
    "over",
    ("head-to-head", "sonneborn-berger"),
    ("ann", "ben", "cat"),
    byes={"cat": 1},
    left=(LeftEntrant("dan", "overslept", True),),
    given_up=(GivenUp(7, ("ann", "cat")),),
)
RESULTS = [
    won("ann", "ben"),
    drawn("ben", "cat"),
    forfeit("cat", "ann"),
    void("ann", "ben"),
    game(("cat", Outcome.WON), ("ben", Outcome.LOST), departures={"ben": Cause.TIMEOUT}),
]
OPEN = standings_of(RESULTS, "chess")
IN_CUP = standings_of(RESULTS, "chess", CUP)


def test_the_json_has_what_programs_look_for() -> None:
    found = json.loads(json.dumps(as_json(IN_CUP)))
    assert (found["game_type"], found["championship"], found["state"]) == ("chess", "cup", "over")
    assert (found["games"], found["forfeits"], found["void"]) == (3, 1, 1)
    cat = found["players"][0]
    assert {key: cat[key] for key in ("place", "nick", "won", "lost", "drawn", "points", "games", "byes")} == {
        "place": 1,
        "nick": "cat",
        "won": 2,
        "lost": 0,
        "drawn": 1,
        "points": 3.5,
        "games": 3,
        "byes": 1,
    }
    assert list(cat["tie_breaks"]) == ["head-to-head", "sonneborn-berger"]
    assert set(cat["rating"]) == {"mu", "sigma", "ordinal"}
    assert set(cat["elo"]) == {"value", "low", "high"}
    assert next(line for line in found["players"] if line["nick"] == "ben")["faults"] == {"timeout": 1}
    assert found["cross_table"]["ann"]["ben"] == {"won": 1, "lost": 0, "drawn": 0, "neither": 0}
    left = {"nick": "dan", "why": "overslept", "struck": True, "who": "", "disqualified": False}
    assert found["left"] == [left]
    assert found["given_up"] == [{"fixture": 7, "nicks": ["ann", "cat"]}]
    assert len(found["neighbours"]) == 2
    assert found["not_distinguishable"] == [each for each in found["neighbours"] if not each["distinguishable"]]


def test_in_open_play_the_championship_is_null() -> None:
    found = as_json(OPEN)
    assert (found["championship"], found["state"], found["tie_breaks"]) == (None, None, ())


def test_every_field_is_a_key() -> None:
    assert set(as_json(OPEN)) == {field.name for field in fields(Standings)} | {"not_distinguishable"}


@pytest.mark.parametrize("several", [[OPEN], [IN_CUP], [], [OPEN, IN_CUP]])
def test_what_was_written_is_read_back(several: list[Standings]) -> None:
    text = json.dumps(all_as_json(several))
    assert read_json(text) == several
    assert read_json(text.encode()) == several
    assert read_json(json.dumps(all_as_json(several), indent=2)) == several


def test_one_standings_is_not_wrapped_and_several_are() -> None:
    assert all_as_json([OPEN]) == as_json(OPEN)
    assert all_as_json([]) == {"standings": []}
    assert all_as_json([OPEN, IN_CUP]) == {"standings": [as_json(OPEN), as_json(IN_CUP)]}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "JSON"),
        ("<html>", "JSON"),
        ("[]", "Expected object, got array$"),
        ("{}", "game_type"),
        ('{"game_type": "chess", "games": "many", "players": []}', "games"),
        ('{"game_type": "chess", "games": 1, "players": [{"nick": "ann"}]}', r"players\[0\]\.place: is missing$"),
        ('{"standings": 3}', "^standings: Expected array, got int$"),
    ],
)
def test_anything_else_is_refused_with_the_place_of_the_mistake(text: str, complaint: str) -> None:
    with pytest.raises(NotStandings, match=complaint):
        read_json(text)


def test_the_title_names_the_championship_and_its_game() -> None:
    assert OPEN.title == "chess"
    assert IN_CUP.title == "cup (chess)"
