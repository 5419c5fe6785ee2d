"""Where bots play: dialogues about seats with one of them."""

import random
from dataclasses import replace

import pytest

from game_masters.kit.client import Finish, Note, Send
from game_masters.kit.hosting import Guest, Host
from game_masters.kit.player import Player
from game_masters.kit.rules import AnyGame
from game_masters.kit.tables import AtTables, Place
from game_masters.tic_tac_toe import GAME
from tests.game_masters.kit.at_tables import (
    FRIDAY,
    JOINED,
    PLAYING,
    TYPE,
    a_guest,
    a_guest_who_sits,
    a_host,
    does,
    ended,
    info,
    said,
    seats,
)
from ugs import __version__
from ugs.wire.extensions import (
    Advertise,
    EndResult,
    Failed,
    GameTypeInfo,
    GameTypes,
    Hello,
    ListGameTypes,
    ListTables,
    NewTable,
    OfferedOption,
    Pong,
    RefusalReason,
    Session,
    Tables,
    Visibility,
)
from ugs.wire.messages import (
    Choice,
    Error,
    Extension,
    GameState,
    LoginResponse,
    Logout,
    Move,
    PlayerLogin,
    PlayerResult,
    Result,
    ThankYou,
)


class TestPool:
    def test_in_the_pool_there_is_nothing_to_ask_for(self) -> None:
        place = Place()
        assert (place.needs, place.sits_down(), place.returns()) == ((), [], [])
        assert place.receives(seats(JOINED)) is None
        assert place.receives(Error("game void: the game master is gone")) is None
        own = GAME.choose_options({"width": "7"})
        assert place.options(GAME, own) is own


class TestBoth:
    @pytest.mark.parametrize("place", [a_host(), a_guest_who_sits()], ids=["host", "guest"])
    def test_the_end_of_a_game_that_has_begun_is_told_by_its_result(self, place: AtTables) -> None:
        place.receives(seats(PLAYING, PLAYING, programs=1))
        assert does(place.receives(ended())) == []
        assert does(place.receives(ended(EndResult.COMPLETED))) == []

    @pytest.mark.parametrize("place", [a_host(), a_guest_who_sits()], ids=["host", "guest"])
    def test_what_happens_at_other_tables_is_nothing_to_it(self, place: AtTables) -> None:
        assert place.receives(seats(JOINED, JOINED, JOINED, table_id="t9")) == []
        assert does(place.receives(ended(table_id="t9"))) == []

    def test_after_a_void_game_it_sits_down_again(self) -> None:
        void = Error("game void: the game master is gone")
        assert said(a_guest_who_sits().receives(void)) == [ListTables("seat 3")]
        assert a_guest_who_sits().receives(Error("not your turn")) is None

    @pytest.mark.parametrize(
        "message", [Pong(), Failed(RefusalReason.NOT_PLAYING, "no"), Failed(RefusalReason.NOT_PLAYING, "no", ref="7")]
    )
    def test_answers_to_others_are_none_of_its_business(self, message: Pong | Failed) -> None:
        assert a_host().receives(message) is None


class TestOptions:
    OWN = GAME.choose_options({"height": "12"})
    OFFERED = (OfferedOption("width", "9", least=3, most=100), OfferedOption("colour", "red", "red blue"))
    OTHER = GameTypeInfo("chess", 2, 2, True, False, (OfferedOption("row", "4"),))
    TYPES = GameTypes((OTHER, GameTypeInfo(TYPE, 2, 2, True, False, OFFERED)))

    def values(self, place: AtTables) -> dict[str, object]:
        return dict(place.options(GAME, self.OWN).values)

    def a_guest_at(self, *choices: Choice) -> Guest:
        guest = a_guest()
        guest.receives(Tables((info("t1", "Friday", *choices),), "seat 1"))
        return guest

    def test_what_was_chosen_goes_before_what_is_offered_and_that_before_its_own(self) -> None:
        guest = self.a_guest_at()
        assert self.values(guest) == {"width": 20, "height": 12, "row": 5}
        guest.receives(self.TYPES)
        assert self.values(guest) == {"width": 9, "height": 12, "row": 5}
        guest = self.a_guest_at(Choice("width", "7"))
        guest.receives(self.TYPES)
        assert self.values(guest) == {"width": 7, "height": 12, "row": 5}

    def test_what_the_game_does_not_allow_is_not_believed(self) -> None:
        assert self.values(self.a_guest_at(Choice("width", "wide"))) == {"width": 20, "height": 12, "row": 5}

    def test_a_host_knows_what_it_has_chosen_even_if_the_answer_was_lost(self) -> None:
        host = Host(TYPE, NewTable("Friday", 2, Visibility.PUBLIC, options=(Choice("row", "4"),)))
        assert self.values(host) == {"width": 20, "height": 12, "row": 4}

    def test_states_wait_until_it_is_known_how_the_game_is_played(self) -> None:
        guest = self.a_guest_at(Choice("width", "7"))
        first, second = GameState("t1", "ada", None), GameState("t1", "ben", None)
        assert guest.holds(first, GAME) == [Send(ListGameTypes())]
        assert guest.holds(second, GAME) == []
        assert guest.released() == []
        assert guest.receives(self.TYPES) == []
        assert guest.released() == [first, second]
        assert guest.holds(second, GAME) is None
        assert guest.released() == []

    def test_where_everything_was_chosen_or_nothing_can_be_no_state_waits(self) -> None:
        choices = [Choice(option.name, str(option.default)) for option in GAME.options]
        assert self.a_guest_at(*choices).holds(GameState("t1", "ada", None), GAME) is None
        assert self.a_guest_at().holds(GameState("t1", "ada", None), replace(GAME, options=())) is None

    def test_what_another_master_offered_before_is_not_believed_in_the_next_game(self) -> None:
        guest = self.a_guest_at()
        guest.receives(self.TYPES)
        guest.sits_down()
        assert guest.holds(GameState("t2", "ada", None), GAME) == [Send(ListGameTypes())]

    def test_after_a_cut_line_it_asks_again(self) -> None:
        guest = self.a_guest_at()
        state = GameState("t1", "ada", None)
        guest.holds(state, GAME)
        guest.returns()
        assert guest.holds(state, GAME) == [Send(ListGameTypes())]
        guest.receives(self.TYPES)
        assert guest.released() == [state]


ALL_CHOSEN = replace(FRIDAY, options=tuple(Choice(option.name, str(option.default)) for option in GAME.options))
"""A table for which no question is left."""


class TestPlayers:
    def a_bot(self, place: Place, games: int = 2) -> Player[object, object]:
        game: AnyGame = GAME
        return Player(
            game,
            game.choose_options({}),
            game.bot("random"),
            nick="ada",
            rng=random.Random(1),
            games=games,
            place=place,
        )

    def logged_in(self, *, games: int = 2, table: NewTable = ALL_CHOSEN) -> Player[object, object]:
        player = self.a_bot(Host(TYPE, table), games)
        player.connected()
        for message in (
            Hello(("session", "state", "reason", "lobby")),
            LoginResponse(),
            Session("token", "ada", False, 60.0),
        ):
            player.received(message)
        return player

    def over(self, game_id: str) -> GameState:
        return GameState(game_id, None, (PlayerResult("ada", Result.WINNER), PlayerResult("ben", Result.LOSER)))

    def test_it_asks_for_a_lobby_and_then_for_a_seat(self) -> None:
        player = self.a_bot(Host(TYPE, ALL_CHOSEN))
        hello = Hello(("session", "state", "reason", "lobby"), "ugs bot tic-tac-toe", __version__)
        assert said(player.connected()) == [hello, PlayerLogin("ada", TYPE)]
        player.received(hello)
        assert said(player.received(LoginResponse())) == [Advertise(ALL_CHOSEN, "seat 1")]

    def test_where_there_is_no_lobby_it_goes(self) -> None:
        player = self.a_bot(Host(TYPE, ALL_CHOSEN))
        player.connected()
        player.received(Error("x-hello: no such type"))
        effects = player.received(LoginResponse())
        assert said(effects) == [Logout()]
        assert isinstance(effects[-1], Finish)
        assert effects[-1].exit_code == 1

    def test_after_each_game_but_the_last_it_asks_for_another_seat(self) -> None:
        player = self.logged_in()
        assert said(player.received(self.over("g1"))) == [ThankYou("g1"), Advertise(ALL_CHOSEN, "seat 2")]
        assert said(player.received(self.over("g2"))) == [Logout()]

    def test_a_thank_you_that_was_lost_is_said_before_another_seat_is_asked_for(self) -> None:
        player = self.logged_in()
        player.received(self.over("g1"))
        player.connected()
        for message in (Hello(("session", "lobby")), LoginResponse(), Session("token", "ada", True, 60.0)):
            player.received(message)
        assert said(player.received(self.over("g1"))) == [ThankYou("g1"), Advertise(ALL_CHOSEN, "seat 4")]

    def test_it_reads_its_first_state_when_it_knows_the_options(self) -> None:
        player = self.logged_in(table=FRIDAY)
        assert player.received(GameState("g1", "ada", None)) == [Send(ListGameTypes())]
        small = tuple(OfferedOption(option.name, "3") for option in GAME.options)
        (move,) = said(player.received(GameTypes((GameTypeInfo(TYPE, 2, 2, True, True, small),))))
        assert isinstance(move, Move)
        cell = GAME.notation.read_move(move.payload)
        assert max(cell.x, cell.y) < 3

    def test_a_good_bye_that_was_lost_is_said_again(self) -> None:
        player = self.logged_in(games=1)
        player.received(self.over("g1"))
        player.connected()
        player.received(Hello(("session", "lobby")))
        effects = player.received(LoginResponse())
        assert said(effects) == [Logout()]
        assert isinstance(effects[-1], Finish)

    def test_a_void_game_makes_it_ask_for_another_seat(self) -> None:
        effects = self.logged_in().received(Error("game void: the game master is gone"))
        assert said(effects) == [Advertise(ALL_CHOSEN, "seat 2")]

    def test_a_refusal_that_comes_too_late_is_no_reason_to_worry(self) -> None:
        player = self.logged_in()
        player.received(self.over("g1"))
        assert player.received(Failed(RefusalReason.ALREADY_PLAYING, "you owe a thank you", ref="seat 1")) == []

    def test_messages_that_need_no_answer_are_noted(self) -> None:
        player = self.logged_in()
        messages: list[Extension] = [Pong(), Failed(RefusalReason.NOT_PLAYING, "no", ref="7")]
        for message in messages:
            (note,) = player.received(message)
            assert isinstance(note, Note)
