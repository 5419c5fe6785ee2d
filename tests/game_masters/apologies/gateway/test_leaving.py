"""How a player leaves a table or a game: what happens to the game, and what everybody is told."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from tests.game_masters.apologies.gateway.stage import Client, Stage

SILENCE: Mapping[str, Any] = {
    "first_idle_check_s": 10,
    "idle_check_s": 10,
    "player_idle_s": 100,
    "player_inactive_s": 150,
}


def quits(client: Client, stage: Stage) -> None:
    """The player says that it leaves."""
    client.asks("QUIT_GAME")


def unregisters(client: Client, stage: Stage) -> None:
    """The player unregisters."""
    client.asks("UNREGISTER_PLAYER")


def closes(client: Client, stage: Stage) -> None:
    """The player's connection is closed."""
    client.goes()


def falls_silent(client: Client, stage: Stage) -> None:
    """The player sends nothing for too long, and all others send something."""
    others = [one for one in stage.clients.values() if one is not client]
    stage.passes(75)
    for other in others:
        other.asks("LIST_AVAILABLE_GAMES")
    stage.passes(30)
    assert client.hears_words()[-1] == "PLAYER_IDLE"
    stage.received()
    stage.passes(50)


Way = Callable[[Client, Stage], None]
WAYS: Mapping[str, Way] = {
    "quits": quits,
    "unregisters": unregisters,
    "goes inactive": falls_silent,
    "closes": closes,
}
ITS_OWN: Mapping[str, list[str]] = {
    "quits": ["cyd GAME_PLAYER_QUIT"],
    "unregisters": ["cyd PLAYER_UNREGISTERED"],
    "goes inactive": ["cyd PLAYER_UNREGISTERED"],
    "closes": [],
}
"""What the leaver is told when it is out."""
LEFT_SEAT: Mapping[str, str] = {
    "quits": "QUIT",
    "unregisters": "QUIT",
    "goes inactive": "QUIT",
    "closes": "DISCONNECTED",
}
COMMENT: Mapping[str, str] = {
    "unregisters": "ada has unregistered",
    "goes inactive": "ada has been silent for too long",
    "closes": "the line of ada is lost",
}


def around(way: str, of_leaver: list[str], of_others: list[str]) -> list[str]:
    """Return what all are told. A player that quits is told first; one that is gone is told last; a silent one is told
    of its silence before everything else."""
    if way == "quits":
        return of_leaver + of_others
    return (["cyd PLAYER_INACTIVE"] if way == "goes inactive" else []) + of_others + of_leaver


@pytest.mark.parametrize("way", WAYS)
class TestJoiner:
    def test_its_seat_at_a_table_disappears(self, way: str) -> None:
        stage = Stage(**SILENCE)
        ada, ben, cyd = stage.clients_of("ada", "ben", "cyd")
        game_id = ada.advertises(4)
        cyd.joins(game_id)
        ben.joins(game_id)
        stage.received()
        WAYS[way](cyd, stage)
        change = ada.texts[-1]
        assert [one for one in stage.received() if "REGISTERED_" not in one and "AVAILABLE" not in one] == around(
            way, ITS_OWN[way], ["ada GAME_PLAYER_CHANGE", "ben GAME_PLAYER_CHANGE"]
        )
        assert '"handle":"cyd"' not in change
        stage.registered("dan").joins(game_id)
        assert stage.received()[1:3] == ["dan GAME_JOINED", "ada GAME_PLAYER_CHANGE"]

    def test_in_a_game_of_two_the_other_is_left_alone_and_it_is_over(self, way: str) -> None:
        stage = Stage(**SILENCE)
        ada, cyd = stage.clients_of("ada", "cyd")
        stage.game_of(ada, cyd)
        stage.received()
        WAYS[way](cyd, stage)
        event = ada.receives()[-1]
        assert stage.received() == around(way, ITS_OWN[way], ["ada GAME_PLAYER_CHANGE", "ada GAME_CANCELLED"])
        assert event["context"]["reason"] == "NOT_VIABLE"
        assert "cyd" in event["context"]["comment"]

    def test_a_game_goes_on_with_two_seats_and_the_master_plays_the_third(self, way: str) -> None:
        stage = Stage(**SILENCE)
        ada, cyd = stage.clients_of("ada", "cyd")
        stage.game_of(ada, cyd, seats=3)
        while stage.kept(cyd.id).offers is None:
            ada.asks("OPTIMAL_MOVE")
        stage.received()
        WAYS[way](cyd, stage)
        change, *states, turn = ada.receives()
        told = stage.received()
        assert [one for one in told if one.startswith("cyd")][-1:] == ITS_OWN[way]
        assert change["message"] == "GAME_PLAYER_CHANGE"
        assert [one["player_state"] for one in change["context"]["players"]] == ["PLAYING", LEFT_SEAT[way], "PLAYING"]
        assert {state["message"] for state in states} == {"GAME_STATE_CHANGE"}
        assert states[0]["context"]["recent_history"][-1]["color"] == "YELLOW"
        assert turn["message"] == "GAME_PLAYER_TURN"

    def test_when_it_is_not_its_turn_nothing_else_happens(self, way: str) -> None:
        stage = Stage(**SILENCE)
        ada, cyd = stage.clients_of("ada", "cyd")
        stage.game_of(ada, cyd, seats=3)
        while stage.kept(ada.id).offers is None:
            cyd.asks("OPTIMAL_MOVE")
        stage.received()
        WAYS[way](cyd, stage)
        assert stage.received() == around(way, ITS_OWN[way], ["ada GAME_PLAYER_CHANGE"])
        ada.asks("OPTIMAL_MOVE")
        assert stage.received()[-1] == "ada GAME_PLAYER_TURN"


@pytest.mark.parametrize("way", [way for way in WAYS if way != "quits"])
@pytest.mark.parametrize("begun", [False, True])
class TestAdvertiser:
    def test_with_it_the_game_goes_with_a_comment_that_names_the_cause(self, way: str, *, begun: bool) -> None:
        stage = Stage(**SILENCE)
        ada, ben, cyd = stage.clients_of("ada", "ben", "cyd")
        game_id = ada.advertises(4)
        for client in (ben, cyd):
            client.joins(game_id)
        if begun:
            ada.asks("START_GAME")
        stage.received()
        WAYS[way](ada, stage)
        event, again = ben.receives()[-1], cyd.receives()[-1]
        to_ada = [*([] if way == "closes" else ["ada GAME_CANCELLED", "ada PLAYER_UNREGISTERED"])]
        before = ["ada PLAYER_INACTIVE"] if way == "goes inactive" else []
        assert stage.received() == [*before, "ben GAME_CANCELLED", "cyd GAME_CANCELLED", *to_ada]
        assert event == again
        assert event["context"]["reason"] == "CANCELLED"
        assert event["context"]["comment"] == COMMENT[way]
        ben.advertises()

    def test_on_one_connection_it_is_told_once(self, way: str, *, begun: bool) -> None:
        stage = Stage(**SILENCE)
        ada = stage.registered("ada")
        first = ada.id
        second = ada.registers("ben")
        ada.joins(ada.advertises(3, player_id=first), second)
        if begun:
            ada.asks("START_GAME", first)
        stage.received()
        if way == "unregisters":
            ada.asks("UNREGISTER_PLAYER", first)
            assert stage.received() == ["ada GAME_CANCELLED", "ada PLAYER_UNREGISTERED"]
        else:
            WAYS[way](ada, stage)
            assert stage.received().count("ada GAME_CANCELLED") == (0 if way == "closes" else 1)


class TestOneWhoHasLeft:
    def test_it_hears_nothing_more_of_that_game(self) -> None:
        stage = Stage()
        ada, ben, cyd = stage.clients_of("ada", "ben", "cyd")
        stage.game_of(ada, ben, cyd)
        cyd.asks("QUIT_GAME")
        cyd.receives()
        plays_to_the_end(stage, ada, ben)
        assert cyd.receives() == []
        assert ada.hears_words()[-1] == "GAME_COMPLETED"

    def test_it_plays_another_game_and_neither_disturbs_the_other(self) -> None:
        stage = Stage()
        ada, ben, cyd = stage.clients_of("ada", "ben", "cyd")
        first = stage.game_of(ada, ben, cyd)
        cyd.asks("QUIT_GAME")
        second = cyd.advertises(2)
        cyd.asks("START_GAME")
        stage.received()
        plays_to_the_end(stage, ada, ben)
        assert {event["context"]["game_id"] for event in ada.receives() + ben.receives()} == {first}
        assert cyd.receives() == []
        cyd.asks("OPTIMAL_MOVE")
        assert {event["context"]["game_id"] for event in cyd.receives()} == {second}

    def test_a_newcomer_under_its_handle_inherits_nothing(self) -> None:
        stage = Stage()
        ada, ben, cyd = stage.clients_of("ada", "ben", "cyd")
        game_id = stage.game_of(ada, ben, cyd)
        cyd.asks("UNREGISTER_PLAYER")
        new = stage.registered("cyd")
        new.asks("RETRIEVE_GAME_STATE")
        assert new.refused() == ("NOT_PLAYING", "cyd")
        new.joins(game_id)
        assert new.refused() == ("INVALID_GAME", "cyd")
        plays_to_the_end(stage, ada, ben)
        assert new.receives() == []


class TestSeveralOnOneConnection:
    def test_when_it_closes_all_of_them_leave(self) -> None:
        stage = Stage()
        ada, ben = stage.clients_of("ada", "ben")
        ben_id, bob_id = ben.id, ben.registers("bob")
        game_id = ada.advertises(4)
        ben.joins(game_id, ben_id)
        ben.joins(game_id, bob_id)
        ada.asks("START_GAME")
        stage.received()
        ben.goes()
        changes = [event["context"]["players"] for event in ada.receives() if event["message"] == "GAME_PLAYER_CHANGE"]
        states = [[one["player_state"] for one in players] for players in changes]
        assert states == [
            ["PLAYING", "DISCONNECTED", "PLAYING", "PLAYING"],
            ["PLAYING", "DISCONNECTED", "DISCONNECTED", "PLAYING"],
        ]

    def test_when_the_advertiser_is_among_them_the_others_are_free(self) -> None:
        stage = Stage()
        ada, cyd = stage.clients_of("ada", "cyd")
        first, second = ada.id, ada.registers("ben")
        game_id = ada.advertises(4, player_id=first)
        ada.joins(game_id, second)
        cyd.joins(game_id)
        stage.received()
        ada.goes()
        assert stage.received() == ["cyd GAME_CANCELLED"]


def plays_to_the_end(stage: Stage, *clients: Client) -> None:
    """Let all of them play as the computer player would, until nobody is to move."""
    while movers := [one for one in clients if stage.kept(one.id).offers is not None]:
        movers[0].asks("OPTIMAL_MOVE")
