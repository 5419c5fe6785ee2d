"""Clients come, wait and go: which requests wait and when they are done, silence, limits, and the end."""

from collections.abc import Mapping
from typing import Any

import pytest

from game_masters.apologies.gateway import gateway
from tests.game_masters.apologies.gateway.stage import Client, Stage
from ugs.wire import extensions as x

FAST: Mapping[str, Any] = {
    "first_idle_check_s": 0.3,
    "idle_check_s": 0.2,
    "player_idle_s": 0.5,
    "player_inactive_s": 1.1,
    "game_idle_s": 100,
    "game_inactive_s": 200,
    "gateway": {
        "connection_idle_s": 0.4,
        "connection_inactive_s": 0.9,
        "finished_keep_s": 1.5,
        "obsolete_check_s": 0.5,
    },
}
"""Tenths of seconds."""


def waiting_stage(*handles: str, seats: int | None = None) -> tuple[Stage, list[Client]]:
    """Return a game in which the first of the clients has to move; all events have been read."""
    for luck in range(100):
        stage = Stage(luck=luck)
        clients = stage.clients_of(*handles)
        stage.game_of(*clients, seats=seats)
        if stage.kept(clients[0].id).offers is not None:
            stage.received()
            return stage, clients
    raise AssertionError("luck never had it")


class TestWhatIsHeld:
    def test_what_comes_while_the_master_owes_an_answer_is_done_after_it_in_order(self) -> None:
        stage, (ada, ben) = waiting_stage("ada", "ben")
        stage.master_waits = True
        ada.asks("OPTIMAL_MOVE")
        ben.asks("LIST_PLAYERS")
        ben.asks("SEND_MESSAGE", message="hello", recipient_handles=["ben"])
        ada.asks("RETRIEVE_GAME_STATE")
        assert stage.received() == []
        stage.master_waits = False
        stage.settle()
        mover, _ = stage.to_move(ada, ben)
        assert stage.received() == [
            "ada GAME_STATE_CHANGE",
            "ben GAME_STATE_CHANGE",
            f"{mover.name} GAME_PLAYER_TURN",
            "ada GAME_STATE_CHANGE",
            *(["ada GAME_PLAYER_TURN"] if mover is ada else []),
            "ben REGISTERED_PLAYERS",
            "ben PLAYER_MESSAGE_RECEIVED",
        ]

    def test_a_client_may_say_all_its_turns_at_once(self) -> None:
        stage, (ada,) = waiting_stage("ada", seats=2)
        stage.master_waits = True
        for _ in range(5):
            ada.asks("OPTIMAL_MOVE")
        stage.master_waits = False
        stage.settle()
        told = stage.received()
        assert told.count("ada GAME_PLAYER_TURN") == 5
        assert "ada REQUEST_FAILED" not in told

    def test_all_that_a_client_has_said_after_it_waits_too_and_other_clients_go_on(self) -> None:
        stage, (ada, _) = waiting_stage("ada", "ben")
        cyd = stage.registered("cyd")
        stage.master_waits = True
        ada.asks("OPTIMAL_MOVE")
        ada.asks("QUIT_GAME")
        ada.asks("REGISTER_PLAYER", handle="zoe")
        ada.says("nonsense")
        cyd.asks("LIST_PLAYERS")
        assert stage.received()[-1:] == ["cyd REGISTERED_PLAYERS"]
        stage.master_waits = False
        stage.settle()
        said = [one for one in stage.received() if one in ("ada REQUEST_FAILED", "ada PLAYER_REGISTERED")]
        assert said == ["ada REQUEST_FAILED", "ada PLAYER_REGISTERED", "ada REQUEST_FAILED"]

    def test_what_was_asked_for_a_player_on_another_connection_does_not_wait(self) -> None:
        stage, (ada, _) = waiting_stage("ada", "ben")
        cyd = stage.client()
        stage.master_waits = True
        ada.asks("OPTIMAL_MOVE")
        cyd.asks("QUIT_GAME", ada.id)
        assert cyd.refused() == ("INVALID_PLAYER", None)

    def test_when_the_client_goes_it_is_done_at_once(self) -> None:
        stage, (ada, ben) = waiting_stage("ada", "ben")
        stage.master_waits = True
        ada.asks("OPTIMAL_MOVE")
        ada.asks("SEND_MESSAGE", message="good-bye", recipient_handles=["ben"])
        ada.asks("UNREGISTER_PLAYER")
        ada.goes()
        assert ben.hears_words() == ["PLAYER_MESSAGE_RECEIVED", "GAME_CANCELLED"]
        assert [player.handle for player in stage.gateway._registry.players.values()] == ["ben"]
        stage.master_waits = False
        stage.settle()

    @pytest.mark.parametrize("grace", [0, 10])
    def test_when_the_game_is_void_nothing_is_held_any_more(self, grace: int) -> None:
        stage = Stage(master_grace_s=grace)
        ada, ben = stage.clients_of("ada", "ben")
        stage.game_of(ada, ben)
        mover, (other,) = stage.to_move(ada, ben)
        stage.master_waits = True
        stage.received()
        mover.asks("OPTIMAL_MOVE")
        other.asks("LIST_PLAYERS")
        stage.master_goes()
        stage.passes(grace)
        assert stage.received() == ["ada GAME_CANCELLED", "ben GAME_CANCELLED", f"{other.name} REGISTERED_PLAYERS"]

    def test_when_the_advertiser_goes_what_others_have_said_is_done(self) -> None:
        stage, (ada, ben) = waiting_stage("ada", "ben")
        stage.master_waits = True
        ada.asks("OPTIMAL_MOVE")
        ben.asks("LIST_PLAYERS")
        stage.received()
        ada.goes()
        assert ben.hears_words() == ["GAME_CANCELLED", "REGISTERED_PLAYERS"]

    def test_to_register_again_elsewhere_waits_and_does_not_wait_for_ever(self) -> None:
        stage, (ada, _ben) = waiting_stage("ada", "ben")
        new = stage.client()
        stage.master_waits = True
        ada.asks("OPTIMAL_MOVE")
        new.asks("REREGISTER_PLAYER", ada.id, handle="x")
        assert new.receives() == []
        ada.goes()
        assert new.hears_words() == ["PLAYER_REGISTERED"]

    def test_a_leaver_whose_turn_it_was_is_played_for_before_the_requests_of_others(self) -> None:
        for luck in range(100):
            stage = Stage(luck=luck)
            ada, ben = stage.clients_of("ada", "ben")
            stage.game_of(ada, ben, seats=3)
            if stage.kept(ben.id).offers is not None:
                break
        stage.received()
        stage.master_waits = True
        ben.asks("QUIT_GAME")
        ada.asks("OPTIMAL_MOVE")
        assert stage.received() == ["ben GAME_PLAYER_QUIT", "ada GAME_PLAYER_CHANGE"]
        stage.master_waits = False
        stage.settle()
        assert "ada REQUEST_FAILED" not in stage.received()

    def test_there_is_a_most_of_it(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(gateway, "MAX_HELD", 3)
        stage, (ada, ben) = waiting_stage("ada", "ben")
        stage.master_waits = True
        ada.asks("OPTIMAL_MOVE")
        for _ in range(4):
            ben.asks("LIST_PLAYERS")
        assert ben.closed_with == 1008
        assert ben.receives() == []
        assert "GAME_CANCELLED" in ada.hears_words()


class TestManyPlayersOnOneConnection:
    def test_what_is_the_same_for_several_comes_once(self) -> None:
        stage = Stage()
        (ada,) = stage.clients_of("ada")
        first = ada.id
        second, third = ada.registers("ben"), ada.registers("cyd")
        game_id = ada.advertises(3, player_id=first)
        stage.received()
        ada.joins(game_id, second)
        assert stage.received() == ["ada GAME_JOINED", "ada GAME_PLAYER_CHANGE"]
        ada.joins(game_id, third)
        stage.received()
        ada.asks("CANCEL_GAME", first)
        assert stage.received() == ["ada GAME_CANCELLED"]

    def test_each_request_is_of_the_player_whose_id_it_has(self) -> None:
        stage = Stage()
        (ada,) = stage.clients_of("ada")
        first, second = ada.id, ada.registers("ben")
        for player_id, handle in ((first, "ada"), (second, "ben")):
            ada.asks("QUIT_GAME", player_id)
            assert ada.refused() == ("NOT_PLAYING", handle)
        ada.asks("UNREGISTER_PLAYER", second)
        ada.receives()
        ada.asks("QUIT_GAME", first)
        assert ada.refused() == ("NOT_PLAYING", "ada")

    def test_who_has_moved_to_another_connection_does_not_go_with_the_old_one(self) -> None:
        stage = Stage()
        ada, new = stage.registered("ada"), stage.client()
        second = ada.registers("ben")
        new.asks("REREGISTER_PLAYER", second, handle="x")
        ada.goes()
        players = {player.handle: player.client is not None for player in stage.gateway._registry.players.values()}
        assert players == {"ada": False, "ben": True}


class TestSilentConnections:
    @pytest.mark.parametrize(
        ("settings", "until_warned", "until_closed"), [({}, 300, 120), (FAST, 0.5, 0.4)], ids=["default", "fast"]
    )
    def test_without_players_it_is_warned_once_and_closed_at_a_later_look(
        self, settings: Mapping[str, Any], until_warned: float, until_closed: float
    ) -> None:
        stage = Stage(**settings)
        client = stage.client()
        stage.passes(until_warned - 0.01)
        assert client.receives() == []
        stage.passes(0.02)
        assert client.receives() == [{"message": "WEBSOCKET_IDLE"}]
        stage.passes(until_closed - 0.02)
        assert client.receives() == []
        stage.passes(0.02)
        assert client.receives() == [{"message": "WEBSOCKET_INACTIVE"}]
        assert client.closed_with == 1000
        assert not stage.gateway._registry.clients

    def test_to_register_on_it_is_a_sign_of_life(self) -> None:
        stage = Stage(**FAST)
        client = stage.client()
        stage.passes(0.5)
        assert client.hears_words() == ["WEBSOCKET_IDLE"]
        client.registers("ada")
        client.asks("UNREGISTER_PLAYER")
        stage.passes(0.35)
        assert client.hears_words() == ["PLAYER_UNREGISTERED"]
        stage.passes(0.1)
        assert client.hears_words() == ["WEBSOCKET_IDLE"]

    def test_nonsense_is_none(self) -> None:
        stage = Stage(**FAST)
        client = stage.client()
        stage.passes(0.39)
        client.says("nonsense")
        stage.passes(0.12)
        assert client.hears_words() == ["REQUEST_FAILED", "WEBSOCKET_IDLE"]

    def test_with_a_player_it_is_not_looked_at(self) -> None:
        stage = Stage(**{**FAST, "player_idle_s": 100, "player_inactive_s": 200})
        ada = stage.registered("ada")
        stage.passes(5)
        assert ada.receives() == []


class TestSilentPlayers:
    @pytest.mark.parametrize(
        ("settings", "until_warned", "until_gone"), [({}, 900, 960), (FAST, 0.5, 0.6)], ids=["default", "fast"]
    )
    def test_a_player_is_warned_once_and_gone_at_a_later_look(
        self, settings: Mapping[str, Any], until_warned: float, until_gone: float
    ) -> None:
        stage = Stage(**settings)
        ada = stage.registered("ada")
        stage.passes(until_warned - 0.01)
        assert ada.receives() == []
        stage.passes(0.02)
        assert ada.receives() == [{"message": "PLAYER_IDLE", "context": {"handle": "ada"}}]
        stage.passes(until_gone - 0.02)
        assert ada.receives() == []
        stage.passes(0.02)
        assert ada.receives() == [
            {"message": "PLAYER_INACTIVE", "context": {"handle": "ada"}},
            {"message": "PLAYER_UNREGISTERED", "context": {"handle": "ada"}},
        ]
        assert ada.closed_with == 1000
        assert not stage.gateway._registry.players

    def test_a_client_that_asks_for_anything_is_active_again_and_may_be_warned_anew(self) -> None:
        stage = Stage(**FAST)
        ada = stage.registered("ada")
        for _ in range(3):
            stage.passes(0.7)
            ada.asks("QUIT_GAME")
            assert ada.hears_words() == ["PLAYER_IDLE", "REQUEST_FAILED"]

    def test_the_list_shows_who_is_idle(self) -> None:
        stage = Stage(**FAST)
        _ada, ben = stage.clients_of("ada", "ben")
        stage.passes(0.5)
        ben.asks("LIST_PLAYERS")
        listed = ben.receives()[-1]["context"]["players"]
        assert [one["activity_state"] for one in listed] == ["IDLE", "ACTIVE"]

    def test_the_connection_stays_when_another_player_is_on_it(self) -> None:
        stage = Stage(**FAST)
        ada = stage.registered("ada")
        second = ada.registers("ben")
        for _ in range(3):
            stage.passes(0.4)
            ada.asks("LIST_AVAILABLE_GAMES", second)
        listed = "AVAILABLE_GAMES"
        words = ada.hears_words()
        assert words == [listed, "PLAYER_IDLE", listed, "PLAYER_INACTIVE", "PLAYER_UNREGISTERED", listed]
        assert ada.closed_with is None

    def test_who_is_disconnected_goes_without_a_warning_when_others_are_warned(self) -> None:
        stage = Stage(**FAST)
        ada, ben = stage.clients_of("ada", "ben")
        ada.goes()
        stage.passes(0.5)
        assert ben.hears_words() == ["PLAYER_IDLE"]
        assert [player.handle for player in stage.gateway._registry.players.values()] == ["ben"]
        stage.client().registers("ada")

    def test_nobody_is_gone_who_was_not_warned_at_an_earlier_look(self) -> None:
        stage = Stage(**{**FAST, "player_idle_s": 0.1, "player_inactive_s": 0.2})
        ada = stage.registered("ada")
        stage.passes(0.3)
        assert ada.hears_words() == ["PLAYER_IDLE"]
        stage.passes(0.2)
        assert ada.hears_words() == ["PLAYER_INACTIVE", "PLAYER_UNREGISTERED"]


class TestSilentGames:
    @pytest.mark.parametrize("begun", [False, True])
    def test_its_players_are_warned_once_and_then_it_is_cancelled(self, *, begun: bool) -> None:
        stage = Stage(first_idle_check_s=10, idle_check_s=10, game_idle_s=100, game_inactive_s=200)
        ada, ben = stage.clients_of("ada", "ben")
        game_id = ada.advertises(3)
        ben.joins(game_id)
        if begun:
            ada.asks("START_GAME")
        stage.received()
        stage.passes(99)
        assert stage.received() == []
        stage.passes(1)
        assert stage.received() == ["ada GAME_IDLE", "ben GAME_IDLE"]
        stage.passes(99)
        assert stage.received() == []
        stage.passes(1)
        event = ada.receives()[-1]
        assert event["context"] == {
            "game_id": game_id,
            "reason": "INACTIVE",
            "comment": "nothing has happened for long",
        }
        told = stage.received()
        assert told == ["ada GAME_INACTIVE", "ben GAME_INACTIVE", "ada GAME_CANCELLED", "ben GAME_CANCELLED"]

    @pytest.mark.parametrize(
        ("request_name", "counts"), [("RETRIEVE_GAME_STATE", True), ("OPTIMAL_MOVE", True), ("LIST_PLAYERS", False)]
    )
    def test_only_what_concerns_it_counts(self, request_name: str, *, counts: bool) -> None:
        stage = Stage(first_idle_check_s=10, idle_check_s=10, game_idle_s=100, game_inactive_s=200)
        (ada,) = stage.clients_of("ada")
        stage.game_of(ada, seats=2)
        stage.passes(95)
        ada.asks(request_name)
        stage.received()
        stage.passes(10)
        assert (stage.received() == []) is counts

    def test_a_game_that_is_over_is_remembered_for_a_while(self) -> None:
        stage = Stage(**FAST)
        ada = stage.registered("ada")
        game_id = ada.advertises()
        ada.asks("CANCEL_GAME")
        stage.passes(1.49)
        assert [*stage.gateway._registry.finished] == [game_id]
        stage.passes(0.02)
        assert not stage.gateway._registry.finished


class TestLimits:
    def test_one_connection_too_many_is_told_and_closed(self) -> None:
        stage = Stage(gateway={"max_connections": 1})
        ada, ben = stage.client(), stage.client()
        (event,) = ben.receives()
        assert (event["context"]["reason"], event["context"]["handle"]) == ("WEBSOCKET_LIMIT", None)
        assert ben.closed_with == 1013
        ben.says("is nobody there?")
        assert ben.receives() == []
        ada.goes()
        stage.client().registers("cyd")

    def test_with_as_many_games_in_play_as_there_may_be_a_full_one_waits_for_its_advertiser(self) -> None:
        stage = Stage(max_table_games=1)
        ada, ben, cyd, dan = stage.clients_of("ada", "ben", "cyd", "dan")
        stage.game_of(ada, seats=2)
        game_id = ben.advertises(2)
        stage.received()
        cyd.joins(game_id)
        change = ["ben GAME_PLAYER_CHANGE", "cyd GAME_PLAYER_CHANGE"]
        assert stage.received() == ["cyd GAME_JOINED", *change, *change], "the second comment says why the game waits"
        dan.joins(game_id)
        assert dan.refused() == ("INVALID_GAME", "dan")
        ben.asks("START_GAME")
        assert ben.refused() == ("GAME_LIMIT", "ben")
        ada.asks("CANCEL_GAME")
        stage.received()
        ben.asks("START_GAME")
        assert stage.received()[:2] == ["ben GAME_STARTED", "cyd GAME_STARTED"]


class TestTheEnd:
    def test_every_client_is_told_and_running_games_end_without_a_word(self) -> None:
        stage = Stage()
        ada, ben, cyd = stage.clients_of("ada", "ben", "cyd")
        stage.game_of(ada, ben)
        cyd.advertises()
        stage.client()
        stage.received()
        stage.stops()
        assert stage.received() == [f"{name} SERVER_SHUTDOWN" for name in ("ada", "ben", "cyd", "4")]

    def test_while_games_go_on_to_their_end_nobody_new_comes_and_none_begins(self) -> None:
        stage = Stage(drain_s=60)
        ada, ben = stage.clients_of("ada", "ben")
        stage.game_of(ada, seats=2)
        ben.advertises()
        stage.received()
        stage.stops()
        assert stage.received() == []
        ben.asks("START_GAME")
        assert ben.refused() == ("GAME_LIMIT", "ben")
        new = stage.client()
        new.asks("REGISTER_PLAYER", handle="new")
        assert new.refused() == ("USER_LIMIT", "new")
        while stage.kept(ada.id).offers is not None and "SERVER_SHUTDOWN" not in ada.hears_words():
            ada.asks("OPTIMAL_MOVE")
        words = [one.split()[1] for one in stage.received() if one.startswith("ada")]
        assert words[-2:] == ["GAME_COMPLETED", "SERVER_SHUTDOWN"]

    def test_who_is_closed_by_the_server_is_told_that_it_is_registered_no_longer(self) -> None:
        stage = Stage(max_errors_per_minute=0)
        ada = stage.registered("ada")
        player = stage.kept(ada.id)
        stage.peers[player.conn].says(x.Hello(()))
        stage.settle()
        assert ada.hears_words() == ["PLAYER_UNREGISTERED"]
        assert not stage.gateway._registry.players
