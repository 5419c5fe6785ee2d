"""Who sends a request, and requests about players: registering, lists, messages."""

import pytest

from tests.game_masters.apologies.gateway.requests_in_game import ADVERTISED, IN_GAME_REQUESTS
from tests.game_masters.apologies.gateway.stage import Stage
from ugs.broker.events import AccessRead, IdentitiesRead, Proved
from ugs.broker.values.access import AccessRule
from ugs.broker.values.identity import Identity, Role
from ugs.wire import extensions as x

ALL_REQUESTS: list[tuple[str, dict[str, object]]] = [
    ("UNREGISTER_PLAYER", {}),
    ("LIST_PLAYERS", {}),
    ("ADVERTISE_GAME", ADVERTISED),
    ("LIST_AVAILABLE_GAMES", {}),
    ("JOIN_GAME", {"game_id": "g1"}),
    *IN_GAME_REQUESTS,
    ("SEND_MESSAGE", {"message": "hello", "recipient_handles": ["ada"]}),
]


class TestWhoAsks:
    @pytest.mark.parametrize(("name", "fields"), ALL_REQUESTS)
    def test_an_unknown_id_is_nobody(self, name: str, fields: dict[str, object]) -> None:
        client = Stage().client()
        client.asks(name, "nobody", **fields)
        assert client.refused() == ("INVALID_PLAYER", None)

    @pytest.mark.parametrize(("name", "fields"), ALL_REQUESTS)
    def test_a_player_of_another_connection_is_nobody_here(self, name: str, fields: dict[str, object]) -> None:
        stage = Stage()
        ada, other = stage.registered("ada"), stage.client()
        other.asks(name, ada.id, **fields)
        assert other.refused() == ("INVALID_PLAYER", None)
        assert ada.receives() == []

    def test_a_player_who_is_disconnected_has_to_register_again_first(self) -> None:
        stage = Stage()
        ada, other = stage.registered("ada"), stage.client()
        ada.goes()
        other.asks("LIST_PLAYERS", ada.id)
        assert other.refused() == ("INVALID_PLAYER", None)

    def test_what_is_no_request_is_refused_without_a_handle_and_the_connection_stays(self) -> None:
        ada = Stage().registered("ada")
        for text in ("{", "[]", '{"message": "GAME_STARTED"}', '{"message": "LIST_PLAYERS"}'):
            ada.says(text)
            assert ada.refused() == ("INVALID_REQUEST", None)
        ada.says_bytes()
        assert ada.refused() == ("INVALID_REQUEST", None)
        ada.asks("LIST_PLAYERS")
        assert ada.hears_words() == ["REGISTERED_PLAYERS"]

    def test_a_refused_request_counts_as_activity_and_one_of_nobody_does_not(self) -> None:
        stage = Stage()
        ada, other = stage.registered("ada"), stage.client()
        began = stage.now
        stage.passes(50)
        ada.asks("QUIT_GAME")
        other.asks("QUIT_GAME", ada.id)
        player, registry = stage.kept(ada.id), stage.gateway._registry
        assert player.active_at == registry.clients[ada.number].active_at == stage.now
        assert registry.clients[other.number].active_at == began


class TestRegister:
    def test_only_the_one_who_registers_hears_of_it(self) -> None:
        stage = Stage()
        ada = stage.registered("ada")
        ben = stage.client()
        ben.asks("REGISTER_PLAYER", handle="ben")
        (answer,) = ben.receives()
        assert answer["context"] == {"handle": "ben"}
        assert answer["player_id"] not in ("", ada.id)
        assert ada.receives() == []

    def test_the_limit_comes_before_the_handle(self) -> None:
        stage = Stage(gateway={"max_players": 1})
        stage.registered("ada")
        ben = stage.client()
        ben.asks("REGISTER_PLAYER", handle="ada")
        assert ben.refused() == ("USER_LIMIT", "ada")

    @pytest.mark.parametrize("handle", ["ada", "ADA"])
    def test_a_handle_is_taken_also_when_its_player_is_disconnected(self, handle: str) -> None:
        stage = Stage()
        stage.registered("ada").goes()
        ben = stage.client()
        ben.asks("REGISTER_PLAYER", handle=handle)
        assert ben.refused() == ("DUPLICATE_USER", handle)

    def test_the_nick_of_a_peer_of_the_server_is_taken_too(self) -> None:
        stage = Stage()
        stage.player("Ada")
        ben = stage.client()
        ben.asks("REGISTER_PLAYER", handle="ada")
        assert ben.refused() == ("DUPLICATE_USER", "ada")

    def test_a_full_server_takes_no_more_players(self) -> None:
        stage = Stage(max_logins=2)
        stage.registered("ada")
        ben = stage.client()
        ben.asks("REGISTER_PLAYER", handle="ben")
        assert ben.refused() == ("USER_LIMIT", "ben")
        assert len(stage.gateway_conns) == 1


class TestReregister:
    def test_an_unknown_id_is_an_ordinary_registration(self) -> None:
        stage = Stage(gateway={"max_players": 2})
        ada, ben = stage.registered("ada"), stage.client()
        ben.asks("REREGISTER_PLAYER", "nobody", handle="ada")
        assert ben.refused() == ("DUPLICATE_USER", "ada")
        ben.asks("REREGISTER_PLAYER", "nobody", handle="ben")
        (answer,) = ben.receives()
        assert answer["context"] == {"handle": "ben"}
        assert answer["player_id"] not in ("nobody", ada.id)
        ben.asks("REREGISTER_PLAYER", "nobody", handle="ada")
        assert ben.refused() == ("USER_LIMIT", "ada")

    def test_a_known_id_moves_to_this_connection_and_the_handle_in_the_request_means_nothing(self) -> None:
        stage = Stage()
        ada, new = stage.registered("ada"), stage.client()
        new.asks("REREGISTER_PLAYER", ada.id, handle="zoe")
        assert new.receives() == [{"message": "PLAYER_REGISTERED", "player_id": ada.id, "context": {"handle": "ada"}}]
        assert ada.receives() == []
        ada.asks("LIST_PLAYERS")
        assert ada.refused() == ("INVALID_PLAYER", None)

    def test_on_the_same_connection_it_changes_nothing(self) -> None:
        stage = Stage()
        ada, ben = stage.clients_of("ada", "ben")
        stage.game_of(ada, ben)
        stage.received()
        ada.asks("REREGISTER_PLAYER", handle="ada")
        assert stage.received() == ["ada PLAYER_REGISTERED"]
        assert stage.kept(ada.id).match is not None

    def test_while_the_old_connection_is_open_the_seat_is_kept_and_state_and_turn_come_again(self) -> None:
        stage = Stage()
        clients = stage.clients_of("ada", "ben")
        stage.game_of(*clients)
        mover, (other,) = stage.to_move(*clients)
        last_state, last_turn = mover.receives()[-2:]
        new, other_new = stage.client(), stage.client()
        stage.received()
        new.asks("REREGISTER_PLAYER", mover.id, handle="x")
        assert new.receives()[1:] == [last_state, last_turn]
        other_new.asks("REREGISTER_PLAYER", other.id, handle="x")
        assert other_new.hears_words() == ["PLAYER_REGISTERED", "GAME_STATE_CHANGE"]
        mover.goes()
        new.asks("OPTIMAL_MOVE", mover.id)
        assert new.hears_words()[0] == "GAME_STATE_CHANGE"

    def test_after_the_old_connection_was_closed_the_handle_is_kept_and_the_game_lost(self) -> None:
        stage = Stage()
        ada, ben, cyd = stage.clients_of("ada", "ben", "cyd")
        stage.game_of(ada, ben, cyd)
        cyd.goes()
        new = stage.client()
        new.asks("REREGISTER_PLAYER", cyd.id, handle="x")
        assert new.receives() == [{"message": "PLAYER_REGISTERED", "player_id": cyd.id, "context": {"handle": "cyd"}}]
        new.asks("QUIT_GAME", cyd.id)
        assert new.refused() == ("NOT_PLAYING", "cyd")
        new.asks("LIST_PLAYERS", cyd.id)
        one = new.told("REGISTERED_PLAYERS")["players"][-1]
        assert (one["handle"], one["connection_state"], one["activity_state"]) == ("cyd", "CONNECTED", "ACTIVE")


class TestListPlayers:
    def test_all_are_there_in_the_order_in_which_they_registered(self) -> None:
        stage = Stage()
        ada, ben = stage.clients_of("ada", "ben")
        stage.passes(1)
        stage.guest("eve", x.Family.LOBBY, game_type="apologies")
        stage.passes(1)
        cyd = stage.registered("cyd")
        game_id = ada.advertises(2)
        ben.goes()
        cyd.asks("LIST_PLAYERS")
        players = cyd.told("REGISTERED_PLAYERS")["players"]
        words = [
            tuple(one[key] for key in ("handle", "connection_state", "activity_state", "player_state", "game_id"))
            for one in players
        ]
        assert words == [
            ("ada", "CONNECTED", "ACTIVE", "JOINED", game_id),
            ("ben", "DISCONNECTED", "IDLE", "WAITING", None),
            ("eve", "CONNECTED", "ACTIVE", "WAITING", None),
            ("cyd", "CONNECTED", "ACTIVE", "WAITING", None),
        ]
        assert players[2]["registration_date"] == "2030-05-01T12:00:01,000+0000"

    def test_what_a_player_is_told_is_no_activity_of_it(self) -> None:
        stage = Stage()
        ada, ben = stage.clients_of("ada", "ben")
        stage.passes(10)
        ada.asks("SEND_MESSAGE", message="hello", recipient_handles=["ben"])
        ben.receives()
        ada.asks("LIST_PLAYERS")
        dates = [one["last_active_date"] for one in ada.told("REGISTERED_PLAYERS")["players"]]
        assert dates == ["2030-05-01T12:00:10,000+0000", "2030-05-01T12:00:00,000+0000"]

    def test_players_of_other_games_are_nobody(self) -> None:
        stage = Stage()
        stage.player("carl", game_type="chess")
        ada = stage.registered("ada")
        ada.asks("LIST_PLAYERS")
        assert [one["handle"] for one in ada.told("REGISTERED_PLAYERS")["players"]] == ["ada"]


class TestMessages:
    def test_each_connection_with_a_recipient_hears_it_once(self) -> None:
        stage = Stage()
        ada, ben, cyd, dan = stage.clients_of("ada", "ben", "cyd", "dan")
        ben.registers("bob")
        cyd.goes()
        stage.received()
        handles = ["bob", "ben", "ben", "cyd", "nobody"]
        ada.asks("SEND_MESSAGE", message="hello", recipient_handles=handles)
        received = {"sender_handle": "ada", "recipient_handles": handles, "message": "hello"}
        assert ben.receives() == [{"message": "PLAYER_MESSAGE_RECEIVED", "context": received}]
        assert dan.receives() == ada.receives() == []

    def test_the_sender_hears_it_if_it_is_listed(self) -> None:
        ada = Stage().registered("ada")
        ada.asks("SEND_MESSAGE", message="hello", recipient_handles=["ada"])
        assert ada.hears_words() == ["PLAYER_MESSAGE_RECEIVED"]

    def test_too_much_of_it_is_refused(self) -> None:
        ada = Stage(chat_per_minute=1).registered("ada")
        for _ in range(2):
            ada.asks("SEND_MESSAGE", message="hello", recipient_handles=["nobody"])
        assert ada.refused() == ("INVALID_REQUEST", None)

    def test_there_is_a_most_of_characters(self) -> None:
        ada = Stage(max_chat_characters=5).registered("ada")
        ada.asks("SEND_MESSAGE", message="hello!", recipient_handles=["ada"])
        assert ada.refused() == ("INVALID_REQUEST", None)


class TestUnregister:
    def test_id_and_handle_are_free_and_the_connection_stays(self) -> None:
        ada = Stage().registered("ada")
        old = ada.id
        ada.asks("UNREGISTER_PLAYER")
        assert ada.receives() == [{"message": "PLAYER_UNREGISTERED", "context": {"handle": "ada"}}]
        assert ada.closed_with is None
        ada.asks("LIST_PLAYERS")
        assert ada.refused() == ("INVALID_PLAYER", None)
        assert ada.registers("ada") != old


class TestTokens:
    """Where names have to be proven, a handle brings its token along, and its client waits for the answer."""

    @staticmethod
    def stage() -> Stage:
        stage = Stage(auth="tokens", auth_masters="none", master=False)
        stage.happens(IdentitiesRead((Identity(1, Role.PLAYER, "ada", "a hash"),)))
        return stage

    @staticmethod
    def checks(stage: Stage, *, right: bool) -> None:
        (asked,) = stage.proving
        stage.proving.clear()
        assert (asked.name, asked.secret) == ("ada", "token")
        stage.happens(Proved(asked.conn, asked.digest if right else ""))

    def test_a_right_token_registers_and_is_not_shown_again(self) -> None:
        stage = self.stage()
        ada, other = stage.client(), stage.client()
        ada.asks("REGISTER_PLAYER", handle="ada#token")
        ada.asks("REGISTER_PLAYER", handle="bob#x")
        other.asks("LIST_PLAYERS", "nobody")
        assert (ada.receives(), other.refused()[0]) == ([], "INVALID_PLAYER")
        self.checks(stage, right=True)
        (answer,) = ada.receives()
        assert (answer["message"], answer["context"]) == ("PLAYER_REGISTERED", {"handle": "ada"})
        stage.passes(5)
        assert ada.refused() == ("DUPLICATE_USER", "bob")

    def test_a_wrong_one_is_refused_with_a_hint(self) -> None:
        stage = self.stage()
        ada = stage.client()
        ada.asks("REGISTER_PLAYER", handle="ada#token")
        self.checks(stage, right=False)
        assert ada.receives() == []
        stage.passes(5)
        (answer,) = ada.receives()
        assert answer["context"]["comment"] == "the handle ada is taken, or needs its token: HANDLE#TOKEN"
        assert stage.broker.server.connections == {}

    def test_a_client_that_goes_meanwhile_leaves_nothing(self) -> None:
        stage = self.stage()
        ada = stage.client()
        ada.asks("REGISTER_PLAYER", handle="ada#token")
        ada.asks("REGISTER_PLAYER", handle="bob")
        ada.goes()
        self.checks(stage, right=True)
        assert stage.broker.server.connections == {}

    def test_a_server_that_hangs_up_meanwhile_takes_no_more_players(self) -> None:
        stage = self.stage()
        ada = stage.client()
        ada.asks("REGISTER_PLAYER", handle="ada#token")
        stage.happens(AccessRead((AccessRule("0.0.0.0/8", True, "no", allows=True),)))
        assert ada.refused() == ("USER_LIMIT", "ada")
        later = stage.client()
        later.asks("REGISTER_PLAYER", handle="ada#token")
        assert later.refused() == ("USER_LIMIT", "ada")
