"""What each request about tables and games does: its checks in order, then who is told what, in which order."""

import pytest

from tests.game_masters.apologies.gateway.requests_in_game import ADVERTISED, IN_GAME_REQUESTS
from tests.game_masters.apologies.gateway.stage import Stage

NEEDED_IN_PLAY = ("EXECUTE_MOVE", "OPTIMAL_MOVE", "RETRIEVE_GAME_STATE")


class TestAdvertise:
    def test_the_advertiser_sits_there_and_the_invited_are_asked(self) -> None:
        stage = Stage()
        ada, ben = stage.clients_of("ada", "ben")
        stage.received()
        ada.advertises(3, invited=["ben", "nobody", "ben", "ada"])
        joined, change, told = ada.receives()
        (invitation,) = ben.receives()
        assert stage.received() == [
            "ada GAME_JOINED",
            "ada GAME_PLAYER_CHANGE",
            "ben GAME_INVITATION",
            "ada GAME_ADVERTISED",
        ]
        assert joined["context"] == {
            "player_handle": "ada",
            "game_id": "g1",
            "name": "Friday",
            "mode": "STANDARD",
            "advertiser_handle": "ada",
        }
        assert change["context"]["players"] == [
            {"handle": "ada", "player_color": None, "player_type": "HUMAN", "player_state": "JOINED"}
        ]
        assert told["context"] == invitation["context"]
        assert told["context"]["game"] == {
            "game_id": "g1",
            "name": "Friday",
            "mode": "STANDARD",
            "advertiser_handle": "ada",
            "players": 3,
            "available": 2,
            "visibility": "PUBLIC",
            "invited_handles": ["ben", "nobody", "ada"],
        }

    def test_to_be_in_a_game_comes_before_the_limit(self) -> None:
        stage = Stage(max_tables=1)
        ada, ben = stage.clients_of("ada", "ben")
        ada.advertises()
        ada.receives()
        ada.asks("ADVERTISE_GAME", **ADVERTISED)
        assert ada.refused() == ("ALREADY_PLAYING", "ada")
        ben.asks("ADVERTISE_GAME", **ADVERTISED)
        assert ben.refused() == ("GAME_LIMIT", "ben")

    def test_games_that_are_over_do_not_count(self) -> None:
        stage = Stage(max_tables=1)
        (ada,) = stage.clients_of("ada")
        for _ in range(3):
            ada.advertises()
            ada.asks("CANCEL_GAME")
        assert ada.hears_words().count("GAME_ADVERTISED") == 3
        assert len(stage.gateway._registry.finished) == 1

    def test_without_a_game_master_it_is_possible_all_the_same(self) -> None:
        (ada,) = Stage(master=False).clients_of("ada")
        ada.advertises()
        assert ada.hears_words()[-1] == "GAME_ADVERTISED"


class TestListGames:
    def test_open_ones_and_those_one_is_invited_to_in_the_order_of_advertising(self) -> None:
        stage = Stage()
        ada, ben, cyd, dan, eve = stage.clients_of("ada", "ben", "cyd", "dan", "eve")
        own = ada.advertises(3)
        private = ben.advertises(3, private=True, invited=["ada", "later"])
        cyd.advertises(3, private=True)
        full = dan.advertises(2)
        stage.master_waits = True
        eve.joins(full)
        later = stage.registered("later")
        stage.received()
        ada.asks("LIST_AVAILABLE_GAMES")
        later.asks("LIST_AVAILABLE_GAMES")
        dan_sees = stage.registered("fay")
        dan_sees.asks("LIST_AVAILABLE_GAMES")
        assert [game["game_id"] for game in ada.told("AVAILABLE_GAMES")["games"]] == [own, private]
        assert [game["game_id"] for game in later.told("AVAILABLE_GAMES")["games"]] == [own, private]
        assert [game["game_id"] for game in dan_sees.told("AVAILABLE_GAMES")["games"]] == [own]

    def test_one_that_has_begun_is_not_there(self) -> None:
        stage = Stage()
        ada, ben = stage.clients_of("ada", "ben")
        stage.game_of(ada, seats=4)
        ben.asks("LIST_AVAILABLE_GAMES")
        assert ben.told("AVAILABLE_GAMES") == {"games": []}


class TestJoin:
    def test_the_joiner_hears_of_it_first_and_then_all_see_it(self) -> None:
        stage = Stage()
        ada, ben = stage.clients_of("ada", "ben")
        game_id = ada.advertises(3, mode="ADULT")
        stage.received()
        ben.joins(game_id)
        joined, change = ben.receives()
        assert joined["context"] == {
            "player_handle": "ben",
            "game_id": game_id,
            "name": "Friday",
            "mode": "ADULT",
            "advertiser_handle": "ada",
        }
        assert [one["handle"] for one in change["context"]["players"]] == ["ada", "ben"]
        assert stage.received() == ["ben GAME_JOINED", "ada GAME_PLAYER_CHANGE", "ben GAME_PLAYER_CHANGE"]

    def test_to_be_in_a_game_comes_before_what_is_wrong_with_the_other(self) -> None:
        stage = Stage()
        ada, ben = stage.clients_of("ada", "ben")
        ada.advertises()
        ada.receives()
        ada.joins("nowhere")
        assert ada.refused() == ("ALREADY_PLAYING", "ada")
        ben.joins("nowhere")
        assert ben.refused() == ("INVALID_GAME", "ben")

    def test_private_begun_and_finished_games_cannot_be_joined(self) -> None:
        stage = Stage()
        ada, ben = stage.clients_of("ada", "ben")
        ben.joins(ada.advertises(private=True))
        assert ben.refused() == ("INVALID_GAME", "ben")
        ada.asks("START_GAME")
        ben.joins("g1")
        assert ben.refused() == ("INVALID_GAME", "ben")
        ada.asks("CANCEL_GAME")
        ben.joins("g1")
        (event,) = ben.receives()
        assert event["context"]["comment"] == "this game is over"

    def test_who_is_invited_joins_a_private_one(self) -> None:
        stage = Stage()
        ada, ben = stage.clients_of("ada", "ben")
        ben.joins(ada.advertises(3, private=True, invited=["ben"]))
        assert ben.hears_words() == ["GAME_INVITATION", "GAME_JOINED", "GAME_PLAYER_CHANGE"]

    def test_a_full_one_begins_by_itself(self) -> None:
        stage = Stage()
        ada, ben = stage.clients_of("ada", "ben")
        game_id = ada.advertises(2)
        stage.received()
        stage.master_waits = True
        ben.joins(game_id)
        assert stage.received() == [
            "ben GAME_JOINED",
            "ada GAME_PLAYER_CHANGE",
            "ben GAME_PLAYER_CHANGE",
            "ada GAME_STARTED",
            "ben GAME_STARTED",
        ]


class TestWithoutAGame:
    @pytest.mark.parametrize(("name", "fields"), IN_GAME_REQUESTS)
    def test_who_is_in_none_can_do_nothing_in_it(self, name: str, fields: dict[str, object]) -> None:
        ada = Stage().registered("ada")
        ada.asks(name, **fields)
        assert ada.refused() == ("NOT_PLAYING", "ada")

    @pytest.mark.parametrize("name", NEEDED_IN_PLAY)
    def test_what_needs_a_game_in_play_is_refused_at_a_table(self, name: str) -> None:
        ada = Stage().registered("ada")
        ada.advertises()
        ada.receives()
        ada.asks(name, **({"move_id": "x"} if name == "EXECUTE_MOVE" else {}))
        assert ada.refused() == ("INVALID_GAME", "ada")


class TestStart:
    def test_that_it_has_begun_comes_before_who_asks(self) -> None:
        stage = Stage()
        ada, ben = stage.clients_of("ada", "ben")
        ben.joins(ada.advertises(3))
        ben.receives()
        ben.asks("START_GAME")
        assert ben.refused() == ("NOT_ADVERTISER", "ben")
        ada.asks("START_GAME")
        stage.received()
        for client, handle in ((ada, "ada"), (ben, "ben")):
            client.asks("START_GAME")
            assert client.refused() == ("INVALID_GAME", handle)

    def test_who_asks_comes_before_the_limit(self) -> None:
        stage = Stage(max_table_games=1)
        ada, ben, cyd = stage.clients_of("ada", "ben", "cyd")
        stage.game_of(ada, seats=2)
        cyd.joins(ben.advertises(3))
        stage.received()
        cyd.asks("START_GAME")
        assert cyd.refused() == ("NOT_ADVERTISER", "cyd")
        ben.asks("START_GAME")
        assert ben.refused() == ("GAME_LIMIT", "ben")

    def test_only_games_in_play_count_for_that_limit(self) -> None:
        stage = Stage(max_table_games=1)
        ada, ben = stage.clients_of("ada", "ben")
        ada.advertises()
        ben.advertises()
        ben.receives()
        ben.asks("START_GAME")
        assert ben.hears_words()[0] == "GAME_STARTED"

    def test_without_a_game_master_it_says_so(self) -> None:
        (ada,) = Stage(master=False).clients_of("ada")
        ada.advertises()
        ada.receives()
        ada.asks("START_GAME")
        (event,) = ada.receives()
        assert event["context"] == {
            "reason": "GAME_LIMIT",
            "comment": "no game master that could lead this game is here and has room for it",
            "handle": "ada",
        }


class TestCancel:
    def test_only_the_advertiser_may_before_and_in_the_game(self) -> None:
        stage = Stage()
        ada, ben = stage.clients_of("ada", "ben")
        ben.joins(ada.advertises(3))
        stage.received()
        ben.asks("CANCEL_GAME")
        assert ben.refused() == ("NOT_ADVERTISER", "ben")
        ada.asks("START_GAME")
        stage.received()
        ben.asks("CANCEL_GAME")
        assert ben.refused() == ("NOT_ADVERTISER", "ben")

    @pytest.mark.parametrize("begun", [False, True])
    def test_all_in_it_hear_of_it_without_a_comment_and_are_free(self, *, begun: bool) -> None:
        stage = Stage()
        ada, ben = stage.clients_of("ada", "ben")
        ben.joins(ada.advertises(3))
        if begun:
            ada.asks("START_GAME")
        stage.received()
        ada.asks("CANCEL_GAME")
        cancelled = {"message": "GAME_CANCELLED", "context": {"game_id": "g1", "reason": "CANCELLED", "comment": None}}
        assert ada.receives() == ben.receives() == [cancelled]
        assert ben.advertises() == "g2"
        ada.asks("CANCEL_GAME")
        assert ada.refused() == ("NOT_PLAYING", "ada")


class TestQuit:
    def test_the_advertiser_may_not(self) -> None:
        stage = Stage()
        ada, ben = stage.clients_of("ada", "ben")
        stage.game_of(ada, ben)
        for client in (ada, ben):
            client.receives()
        ada.asks("QUIT_GAME")
        assert ada.refused() == ("ADVERTISER_MAY_NOT_QUIT", "ada")
        assert ben.receives() == []

    def test_nor_before_the_game(self) -> None:
        ada = Stage().registered("ada")
        ada.advertises()
        ada.receives()
        ada.asks("QUIT_GAME")
        assert ada.refused() == ("ADVERTISER_MAY_NOT_QUIT", "ada")


class TestMoves:
    def test_whose_turn_it_is_comes_before_which_move(self) -> None:
        stage = Stage()
        clients = stage.clients_of("ada", "ben")
        stage.game_of(*clients)
        mover, (other,) = stage.to_move(*clients)
        stage.received()
        other.asks("EXECUTE_MOVE", move_id="0" * 32)
        assert other.refused() == ("NO_MOVE_PENDING", other.name)
        other.asks("OPTIMAL_MOVE")
        assert other.refused() == ("NO_MOVE_PENDING", other.name)
        mover.asks("EXECUTE_MOVE", move_id="0" * 32)
        assert mover.refused() == ("ILLEGAL_MOVE", mover.name)
        assert other.receives() == []

    def test_the_id_of_a_move_is_good_for_one_turn(self) -> None:
        stage = Stage()
        (ada,) = stage.clients_of("ada")
        stage.game_of(ada, seats=2)
        turn = ada.turn()
        assert turn is not None
        (first, *_) = turn["moves"]
        ada.asks("EXECUTE_MOVE", move_id=first)
        ada.receives()
        ada.asks("EXECUTE_MOVE", move_id=first)
        assert ada.refused() == ("ILLEGAL_MOVE", "ada")

    def test_the_state_comes_again_to_the_one_who_asks_with_the_turn_if_it_is_its(self) -> None:
        stage = Stage()
        clients = stage.clients_of("ada", "ben")
        stage.game_of(*clients)
        mover, (other,) = stage.to_move(*clients)
        state, turn = mover.receives()[-2:]
        stage.received()
        mover.asks("RETRIEVE_GAME_STATE")
        assert mover.receives() == [state, turn]
        other.asks("RETRIEVE_GAME_STATE")
        assert other.hears_words() == ["GAME_STATE_CHANGE"]
        assert len(stage.received()) == 3
