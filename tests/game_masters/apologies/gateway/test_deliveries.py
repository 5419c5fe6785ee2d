"""What clients are told while they play: how a game begins, goes on and ends, also with peers of UGS at the table."""

import itertools
import random
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from game_masters.apologies.notation import write_move
from game_masters.apologies.views import Optimal
from tests.broker.house import Peer, over, turn
from tests.game_masters.apologies.gateway.stage import Client, Heard, Stage
from ugs.wire import extensions as x
from ugs.wire.messages import BeginGame, Choice, GameState, Move, PlayerLeftGame, ThankYou

LOBBY = (x.Family.SESSION, x.Family.LOBBY, x.Family.CHAT)
SEATS = ("RED", "YELLOW", "GREEN", "BLUE")
MODES = ("STANDARD", "ADULT")


def played(stage: Stage, *clients: Client, by_chance: bool = False) -> dict[str, list[Heard]]:
    """Let the clients play to the end; return what each was told, by handle."""
    told: dict[str, list[Heard]] = {client.name: client.receives() for client in clients}
    dice = random.Random(7)
    players = [player for client in clients for player in stage.players_of(client)]
    while (player := next((one for one in players if one.offers is not None), None)) is not None:
        assert player.offers is not None
        assert player.client is not None
        client = stage.clients[player.client.number]
        if by_chance and dice.random() < 0.9:
            client.asks("EXECUTE_MOVE", player.id, move_id=dice.choice([*player.offers]))
        else:
            client.asks("OPTIMAL_MOVE", player.id)
        for one in clients:
            told[one.name] += one.receives()
    return told


def board_of(state: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Return the places of the pawns by colour."""
    return {one["color"]: one["pawns"] for one in [state["player"], *state["opponents"]]}


def winner_of(state: Mapping[str, Any]) -> str | None:
    """Return the colour whose pawns are all at home."""
    boards = board_of(state)
    return next((color for color, pawns in boards.items() if all(pawn["home"] for pawn in pawns)), None)


def check_course(states: Sequence[Mapping[str, Any]]) -> None:
    """Check that every board follows from the one before by the last play of its history: one card, one turn more, and
    no pawn moves that the text of the play does not name."""
    for before, after in itertools.pairwise(states):
        (play,) = [one for one in after["recent_history"] if one["color"]][-1:]
        turns_before = {one["color"]: one["turns"] for one in [before["player"], *before["opponents"]]}
        turns_after = {one["color"]: one["turns"] for one in [after["player"], *after["opponents"]]}
        assert turns_after == turns_before | {play["color"]: turns_before[play["color"]] + 1}
        old, new = board_of(before), board_of(after)
        moved = [(color, n) for color in old for n in range(4) if old[color][n] != new[color][n]]
        for color, number in moved:
            place = new[color][number]
            where = "start" if place["start"] else "home" if place["home"] else ""
            where = where or (f"safe {place['safe']}" if place["safe"] is not None else str(place["square"]))
            assert f"{color}{number} to" in play["action"], play
            assert where.split()[-1] in play["action"]
        assert not (moved and play["action"].startswith("forfeits"))
        plays = [one for one in before["recent_history"] if one["color"]] + [play]
        assert [one for one in after["recent_history"] if one["color"]][-5:] == plays[-5:]


def only(events: Sequence[Heard], *names: str) -> list[Heard]:
    """Return the events of these names."""
    return [event for event in events if event["message"] in names]


def states_of(events: Sequence[Heard], color: str) -> list[Mapping[str, Any]]:
    """Return the states that show the game to the player of this colour."""
    states = [event["context"] for event in only(events, "GAME_STATE_CHANGE")]
    return [state for state in states if state["player"]["color"] == color]


class TestBeginning:
    @pytest.mark.parametrize("mode", MODES)
    def test_first_that_it_begins_then_who_plays_what_then_the_board_then_whose_turn_it_is(self, mode: str) -> None:
        stage = Stage()
        clients = stage.clients_of("ada", "ben", "cyd")
        stage.game_of(*clients, mode=mode)
        mover, _ = stage.to_move(*clients)
        handles = ("ada", "ben", "cyd")
        expected = [
            f"{handle} {name}"
            for name in ("GAME_STARTED", "GAME_PLAYER_CHANGE", "GAME_STATE_CHANGE")
            for handle in handles
        ]
        assert stage.received()[-10:] == [*expected, f"{mover.name} GAME_PLAYER_TURN"]

    @pytest.mark.parametrize("mode", MODES)
    def test_on_one_connection_each_is_told_once_and_the_boards_once_for_each_player(self, mode: str) -> None:
        stage = Stage()
        (ada,) = stage.clients_of("ada")
        first = ada.id
        others = [ada.registers(handle) for handle in ("ben", "cyd", "dan")]
        game_id = ada.advertises(4, mode=mode, player_id=first)
        for other in others:
            ada.joins(game_id, other)
        events = ada.receives()[-7:]
        assert [event["message"] for event in events] == [
            "GAME_STARTED",
            "GAME_PLAYER_CHANGE",
            *["GAME_STATE_CHANGE"] * 4,
            "GAME_PLAYER_TURN",
        ]
        assert [event["context"]["player"]["color"] for event in events[2:6]] == [*SEATS]
        seats = events[1]["context"]["players"]
        assert [(one["handle"], one["player_color"], one["player_state"]) for one in seats] == [
            (handle, color, "PLAYING") for handle, color in zip(("ada", "ben", "cyd", "dan"), SEATS, strict=True)
        ]

    def test_the_master_fills_the_free_seats(self) -> None:
        stage = Stage()
        ada, ben = stage.clients_of("ada", "ben")
        stage.game_of(ada, ben, seats=4)
        (change,) = only(ada.receives(), "GAME_PLAYER_CHANGE")[-1:]
        players = change["context"]["players"]
        assert [one["player_color"] for one in players] == [*SEATS]
        assert [one["player_type"] for one in players] == ["HUMAN", "HUMAN", "PROGRAMMATIC", "PROGRAMMATIC"]
        assert len({one["handle"] for one in players}) == 4

    def test_in_standard_the_mover_is_told_its_card_and_in_adult_it_sees_its_hand(self) -> None:
        stage = Stage()
        for mode in MODES:
            (ada,) = stage.clients_of(mode)
            stage.game_of(ada, seats=2, mode=mode)
            events = ada.receives()
            (asked,) = only(events, "GAME_PLAYER_TURN")
            (state, *_) = only(events, "GAME_STATE_CHANGE")
            cards = {one["card"] for one in asked["context"]["moves"].values()}
            if mode == "ADULT":
                assert asked["context"]["drawn_card"] is None
                assert cards <= {*state["context"]["player"]["hand"]}
                assert state["context"]["recent_history"][0]["action"] == "game started (ADULT)"
            else:
                assert {asked["context"]["drawn_card"]} == cards


class TestWholeGames:
    @pytest.mark.parametrize("by_chance", [False, True])
    @pytest.mark.parametrize("mode", MODES)
    @pytest.mark.parametrize(("humans", "seats"), [(1, 4), (2, 2), (3, 4)])
    def test_each_has_a_connection(self, mode: str, humans: int, seats: int, *, by_chance: bool) -> None:
        stage = Stage(luck=humans + seats)
        clients = stage.clients_of(*("ada", "ben", "cyd")[:humans])
        stage.game_of(*clients, seats=seats, mode=mode)
        told = played(stage, *clients, by_chance=by_chance)
        for seat, client in enumerate(clients):
            events = told[client.name]
            states = states_of(events, SEATS[seat])
            assert len(only(events, "GAME_STATE_CHANGE")) == len(states)
            check_course(states)
            (change, *_) = only(events, "GAME_PLAYER_CHANGE")[-1:]
            handle_of = {one["player_color"]: one["handle"] for one in change["context"]["players"]}
            color = winner_of(states[-1])
            assert color is not None
            assert [event["message"] for event in events[-2:]] == ["GAME_STATE_CHANGE", "GAME_COMPLETED"]
            assert events[-1]["context"]["winner"] == handle_of[color]
            assert states[-1]["recent_history"][-1]["action"].startswith(f"game over, {color} wins")
            for state in states:
                assert all(opponent["hand"] == [] for opponent in state["opponents"]), "a foreign card"
                last_of_winner = state is states[-1] and color == SEATS[seat]  # a winner draws no more cards
                assert len(state["player"]["hand"]) == (0 if mode == "STANDARD" else 4 if last_of_winner else 5)
            assert {one["context"]["handle"] for one in only(events, "GAME_PLAYER_TURN")} == {client.name}
        assert not stage.gateway._registry.matches
        clients[0].advertises()

    @pytest.mark.parametrize("mode", MODES)
    def test_four_on_one_connection(self, mode: str) -> None:
        stage = Stage()
        (ada,) = stage.clients_of("ada")
        first = ada.id
        game_id = ada.advertises(4, mode=mode, player_id=first)
        for handle in ("ben", "cyd", "dan"):
            ada.asks("REGISTER_PLAYER", handle=handle)
            ada.joins(game_id, ada.receives()[-1]["player_id"])
        events = played(stage, ada)["ada"]
        for color in SEATS:
            check_course(states_of(events, color))
        assert [event["message"] for event in events[-5:]] == ["GAME_STATE_CHANGE"] * 4 + ["GAME_COMPLETED"]
        for names, times in (("GAME_STARTED", 1), ("GAME_COMPLETED", 1)):
            assert len(only(events, names)) == times
        # One player after the other gets the boards of a play, and only then those of the next play.
        colors = [event["context"]["player"]["color"] for event in only(events, "GAME_STATE_CHANGE")]
        assert colors == [*SEATS] * (len(colors) // 4)

    @pytest.mark.parametrize("mode", MODES)
    def test_the_seat_of_a_player_who_has_left_may_win(self, mode: str) -> None:
        for luck in range(20):
            stage = Stage(luck=luck)
            ada, ben = stage.clients_of("ada", "ben")
            stage.game_of(ada, ben, seats=3, mode=mode)
            ben.asks("QUIT_GAME")
            events = played(stage, ada)["ada"]
            assert events[-1]["message"] == "GAME_COMPLETED"
            color = winner_of(states_of(events, "RED")[-1])
            if color == "YELLOW":
                assert events[-1]["context"]["winner"] == "ben"
                return
        pytest.fail("nobody who has left has won in twenty games")

    def test_several_plays_at_once_are_told_one_by_one_to_all_and_the_turn_after_them(self) -> None:
        stage = Stage()
        ada, ben = stage.clients_of("ada", "ben")
        stage.game_of(ada, ben, seats=4, mode="ADULT")
        for _ in range(10):
            stage.received()
            stage.to_move(ada, ben)[0].asks("OPTIMAL_MOVE")
            told = stage.received()
            mover, _ = stage.to_move(ada, ben)
            assert told == ["ada GAME_STATE_CHANGE", "ben GAME_STATE_CHANGE"] * (len(told) // 2) + [
                f"{mover.name} GAME_PLAYER_TURN"
            ]


def move_of(peer: Peer) -> None:
    """Let a peer of UGS whose turn it is play as the computer player would."""
    game = peer.player.game
    assert game is not None
    peer.says(Move(game.id, write_move(Optimal())))


def ends_well(stage: Stage, client: Client, peer: Peer) -> list[Heard]:
    """Let both play until the game is over; return what the client was told."""
    events: list[Heard] = []
    while (game := peer.player.game) is not None:
        for message in peer.hears():
            if isinstance(message, GameState) and message.game_over is not None:
                peer.says(ThankYou(message.game_id))
        if stage.kept(client.id).offers is not None:
            client.asks("OPTIMAL_MOVE")
        elif peer.player in game.turn.movers:
            move_of(peer)
            stage.settle()
        events += client.receives()
    return events


class TestMixedTables:
    @pytest.mark.parametrize("mode", MODES)
    def test_a_peer_with_a_lobby_sits_down_at_a_table_of_a_client(self, mode: str) -> None:
        stage = Stage()
        ada, ben = stage.registered("ada"), stage.guest("ben", *LOBBY, game_type="apologies")
        game_id = ada.advertises(2, mode=mode, invited=["ben"])
        assert [type(one) for one in ben.hears()] == [x.Invitation]
        stage.received()
        ben.says(x.Join(game_id))
        assert stage.received() == ["ada GAME_PLAYER_CHANGE", "ada GAME_STARTED"]
        stage.settle()
        assert ends_well(stage, ada, ben)[-1]["message"] == "GAME_COMPLETED"

    @pytest.mark.parametrize("mode", MODES)
    def test_a_client_joins_the_table_of_a_peer_who_starts_and_cancels_it(self, mode: str) -> None:
        stage = Stage()
        ada, ben = stage.registered("ada"), stage.guest("ben", *LOBBY, game_type="apologies")
        table = x.NewTable("theirs", 3, x.Visibility.PUBLIC, options=(Choice("mode", mode),), invited=("ada",))
        ben.says(x.Advertise(table))
        (invitation,) = ada.receives()
        assert invitation["context"]["game"]["mode"] == mode
        ada.asks("LIST_AVAILABLE_GAMES")
        (listed,) = ada.receives()
        assert listed["context"]["games"] == [invitation["context"]["game"]]
        ada.joins("g1")
        assert ada.receives()[0]["context"]["advertiser_handle"] == "ben"
        ada.asks("START_GAME")
        assert ada.refused() == ("NOT_ADVERTISER", "ada")
        ben.says(x.Start())
        stage.settle()
        assert ada.hears_words()[:3] == ["GAME_STARTED", "GAME_PLAYER_CHANGE", "GAME_STATE_CHANGE"]
        ben.says(x.Cancel())
        (cancelled,) = ada.receives()
        assert cancelled["context"] == {"game_id": "g1", "reason": "CANCELLED", "comment": "ben has cancelled it"}

    def test_a_player_without_a_lobby_who_is_invited_is_seated_when_it_begins(self) -> None:
        stage = Stage()
        ada, ben = stage.registered("ada"), stage.player("ben", game_type="apologies")
        ada.advertises(2, invited=["ben"])
        ada.asks("START_GAME")
        (change,) = only(ada.receives(), "GAME_PLAYER_CHANGE")[-1:]
        assert [one["handle"] for one in change["context"]["players"]] == ["ada", "ben"]
        assert [type(one) for one in ben.hears()] == [GameState]
        assert ends_well(stage, ada, ben)[-1]["message"] == "GAME_COMPLETED"

    def test_both_worlds_talk_to_each_other(self) -> None:
        stage = Stage()
        ada, ben = stage.registered("ada"), stage.guest("ben", *LOBBY, game_type="apologies")
        ada.asks("SEND_MESSAGE", message="hello", recipient_handles=["ben"])
        assert ben.hears() == [x.Said("ada", ("ben",), "", "hello")]
        ben.says(x.Say(("ada", "nobody"), "", "good evening"))
        (received,) = ada.receives()
        assert received["context"] == {
            "sender_handle": "ben",
            "recipient_handles": ["ada", "nobody"],
            "message": "good evening",
        }

    def test_what_is_said_at_a_table_has_all_clients_who_hear_it_as_recipients(self) -> None:
        stage = Stage()
        ada, ben = stage.registered("ada"), stage.guest("ben", *LOBBY, game_type="apologies")
        ben.says(x.Join(ada.advertises(3)))
        ada.receives()
        ben.says(x.Say((), "g1", "hello"))
        (received,) = ada.receives()
        assert received["context"]["recipient_handles"] == ["ada"]

    def test_both_worlds_see_each_other(self) -> None:
        stage = Stage()
        ada, ben = stage.registered("ada"), stage.guest("ben", *LOBBY, game_type="apologies")
        ben.says(x.ListPlayers())
        (answer,) = ben.hears()
        assert isinstance(answer, x.Players)
        assert [one.nick for one in answer.players] == ["ada", "ben"]
        ada.asks("LIST_PLAYERS")
        (listed,) = ada.receives()
        assert [one["handle"] for one in listed["context"]["players"]] == ["ada", "ben"]

    def test_tables_of_other_games_are_not_told(self) -> None:
        stage = Stage()
        ada, ben = stage.registered("ada"), stage.guest("ben", *LOBBY, game_type="chess")
        ben.says(x.Advertise(x.NewTable("theirs", 2, x.Visibility.PUBLIC, invited=("ada",))))
        assert ada.receives() == []
        ada.asks("LIST_AVAILABLE_GAMES")
        assert ada.receives()[0]["context"] == {"games": []}

    def test_when_a_peer_leaves_at_its_turn_requests_wait_for_the_play_of_its_seat(self) -> None:
        stage = Stage()
        ada, ben = stage.registered("ada"), stage.guest("ben", *LOBBY, game_type="apologies")
        ada.advertises(3)
        ben.says(x.Join("g1"))
        ada.asks("START_GAME")
        while stage.kept(ada.id).offers is not None:
            ada.asks("OPTIMAL_MOVE")
        stage.received()
        stage.master_waits = True
        ben.says(x.Quit())
        ada.asks("OPTIMAL_MOVE")
        assert stage.received() == ["ada GAME_PLAYER_CHANGE"]
        stage.master_waits = False
        stage.settle()
        assert "ada REQUEST_FAILED" not in stage.received()


def led_by_hand(stage: Stage, *families: x.Family) -> Peer:
    """Return a game master of this game type whose every message the test chooses."""
    offer = x.OfferedOption("mode", "STANDARD", "STANDARD ADULT")
    return stage.leader("other", *families, players=(2, 4), game_type="apologies", options=(offer,))


class TestMasters:
    def test_when_it_is_lost_its_games_are_cancelled_and_say_why(self) -> None:
        stage = Stage()
        clients = stage.clients_of("ada", "ben")
        stage.game_of(*clients)
        stage.received()
        stage.master_goes()
        for client in clients:
            (event,) = client.receives()
            assert event["message"] == "GAME_CANCELLED"
            assert event["context"]["reason"] == "NOT_VIABLE"
            assert event["context"]["comment"] == "the game master is gone"
            client.asks("QUIT_GAME")
            assert client.refused()[0] == "NOT_PLAYING"

    def test_with_a_grace_another_one_goes_on_with_it(self) -> None:
        stage = Stage(master_grace_s=10)
        clients = stage.clients_of("ada", "ben")
        stage.game_of(*clients)
        mover, _ = stage.to_move(*clients)
        stage.received()
        stage.master_goes()
        mover.asks("OPTIMAL_MOVE")
        assert stage.received() == []
        stage.master_comes()
        assert stage.received()[:2] == ["ada GAME_STATE_CHANGE", "ben GAME_STATE_CHANGE"]
        assert played(stage, *clients)["ada"][-1]["message"] == "GAME_COMPLETED"

    def test_a_full_table_begins_when_one_comes(self) -> None:
        stage = Stage(master=False)
        clients = stage.clients_of("ada", "ben")
        stage.game_of(*clients)
        assert stage.received()[-1] == "ben GAME_PLAYER_CHANGE"
        stage.master_comes()
        assert stage.received()[:2] == ["ada GAME_STARTED", "ben GAME_STARTED"]

    def test_one_that_declines_ends_the_game(self) -> None:
        stage = Stage(master=False)
        master = led_by_hand(stage, x.Family.TABLE)
        clients = stage.clients_of("ada", "ben")
        game_id = stage.game_of(*clients)
        stage.received()
        master.says(x.Failed(x.RefusalReason.INVALID_REQUEST, "not today", game_id))
        assert stage.received() == ["ada GAME_CANCELLED", "ben GAME_CANCELLED"]

    def test_what_cannot_be_told_in_json_ends_the_game_for_those_who_would_have_to_see_it(self) -> None:
        stage = Stage(master=False)
        master = led_by_hand(stage, x.Family.TABLE)
        clients = stage.clients_of("ada", "ben")
        game_id = stage.game_of(*clients)
        stage.received()
        master.says(turn(game_id, "ada"))
        for client in clients:
            (event,) = client.receives()
            assert (event["message"], event["context"]["reason"]) == ("GAME_CANCELLED", "NOT_VIABLE")
            client.advertises()
        assert stage.noted_by_gateway == ["state cannot be written as JSON"]
        stage.settle()

    def test_what_others_can_see_does_not_end_the_game_for_them(self) -> None:
        stage = Stage(master=False)
        master = led_by_hand(stage, x.Family.TABLE)
        ada, ben = stage.registered("ada"), stage.guest("ben", *LOBBY, game_type="apologies")
        cyd = stage.guest("cyd", *LOBBY, game_type="apologies")
        ben.says(x.Advertise(x.NewTable("theirs", 3, x.Visibility.PUBLIC)))
        ada.joins("g1")
        cyd.says(x.Join("g1"))
        ada.receives()
        master.says(turn("g1", "ben"))
        assert ada.hears_words() == ["GAME_CANCELLED"]
        assert [game.present.keys() for game in stage.broker.games] == [{"ben", "cyd"}]
        stage.settle()

    def test_a_state_in_which_a_player_has_no_seat_cannot_be_told_to_it(self) -> None:
        other, stage = Stage(), Stage(master=False)
        strangers = other.clients_of("eve", "fay")
        other.game_of(*strangers)
        foreign = other.broker.games[0].shown.latest
        assert foreign is not None
        master = led_by_hand(stage, x.Family.TABLE)
        clients = stage.clients_of("ada", "ben")
        game_id = stage.game_of(*clients)
        stage.received()
        master.says(turn(game_id, "ada", foreign.payload))
        assert stage.received() == ["ada GAME_CANCELLED", "ben GAME_CANCELLED"]
        stage.settle()

    def test_an_end_that_cannot_be_told_says_at_least_who_has_won(self) -> None:
        stage = Stage(master=False)
        master = led_by_hand(stage, x.Family.TABLE)
        clients = stage.clients_of("ada", "ben")
        game_id = stage.game_of(*clients)
        stage.received()
        master.says(over(game_id, "ben", losers=("ada",)))
        (event,) = clients[0].receives()
        assert event["context"] == {"game_id": game_id, "winner": "ben", "comment": "ben has won"}
        assert stage.received() == ["ada GAME_COMPLETED", "ben GAME_COMPLETED"]

    def test_names_of_seats_that_are_no_colours_are_not_told(self) -> None:
        other, stage = Stage(), Stage(master=False)
        other.game_of(*other.clients_of("ada", "ben"))
        state = other.broker.games[0].shown.latest
        assert state is not None
        master = led_by_hand(stage, x.Family.TABLE)
        clients = stage.clients_of("ada", "ben")
        game_id = stage.game_of(*clients)
        stage.received()
        labels = [x.Label(nick, "white", x.SeatKind.HUMAN) for nick in ("ada", "ben")]
        master.says(x.Labels(game_id, tuple(labels)))
        master.says(turn(game_id, "ada", state.payload))
        (change,) = only(clients[0].receives(), "GAME_PLAYER_CHANGE")
        assert [one["player_color"] for one in change["context"]["players"]] == [None, None]

    def test_a_game_that_nobody_wins_is_cancelled(self) -> None:
        stage = Stage(master=False)
        master = led_by_hand(stage, x.Family.TABLE)
        clients = stage.clients_of("ada", "ben")
        game_id = stage.game_of(*clients)
        stage.received()
        master.says(over(game_id, losers=("ada", "ben")))
        assert stage.received() == ["ada GAME_CANCELLED", "ben GAME_CANCELLED"]

    def test_whom_it_takes_out_is_told(self) -> None:
        stage = Stage()
        clients = stage.clients_of("ada", "ben", "cyd")
        game_id = stage.game_of(*clients)
        stage.received()
        assert stage.led_by is not None
        stage.led_by.says(PlayerLeftGame("ben", game_id))
        stage.settle()
        ben = clients[1]
        assert [event["message"] for event in ben.receives()] == ["GAME_CANCELLED"]
        assert "ada GAME_PLAYER_CHANGE" in stage.received()

    def test_no_options_and_no_games_of_the_pool_are_for_clients(self) -> None:
        stage = Stage(master=False)
        master = led_by_hand(stage)
        stage.clients_of("ada", "ben")
        assert not [one for one in master.hears() if isinstance(one, BeginGame)]
