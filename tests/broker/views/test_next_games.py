"""What the next game of an entrant waits for, in each format and at each point of a championship."""

from typing import Any

import pytest

from tests.championship.tables.played import Contest
from ugs.broker.views.next_games import next_game

FIELD = ("ann", "ben", "cat", "dan", "eve", "fay", "gus", "hal")
FORMATS: dict[str, dict[str, Any]] = {
    "round-robin": {},
    "gauntlet": {},
    "swiss": {"rounds": 3},
    "knock-out": {"third_place": True},
    "knock-out of three": {"format": "knock-out", "seats": 3, "best_of": 2},
    "stages": {"stages": [{"format": "round-robin", "groups": 2, "go_on": 2}, {"format": "knock-out"}]},
    "league": {"divisions": 2, "rounds": 2},
    "ladder": {"rounds": 2},
}


def contest(name: str) -> Contest:
    """A championship of this kind that has begun."""
    return Contest(FIELD, **{"format": name, **FORMATS[name]})


@pytest.mark.parametrize("name", FORMATS)
def test_at_each_point_each_entrant_has_a_sentence(name: str) -> None:
    played = contest(name)
    for _ in range(60):
        running = played.begin()
        for nick in FIELD:
            if played.one.plays(nick):
                found = next_game(played.one, nick)
                assert found.why.startswith("championship ")
                assert nick not in found.others
        if running is None:
            break
        played.end(running, min(running.nicks))


def test_who_did_not_come_through_its_stage_is_out() -> None:
    played = contest("stages")
    while not any("did not come through" in next_game(played.one, nick).why for nick in FIELD):
        running = played.begin()
        assert running is not None
        played.end(running, min(running.nicks))


def test_whose_match_runs_waits_for_its_end() -> None:
    played = contest("knock-out")
    running = played.begin()
    assert running is not None
    nick = running.nicks[0]
    assert f"{nick} waits for the end of" in next_game(played.one, nick).why
