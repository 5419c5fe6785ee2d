"""Hosts and guests: dialogues with one of them, and many games at a real broker with connections that are cut."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game_masters.kit.client import Finish, Level, Note, Pause, Send
from game_masters.kit.hosting import Guest, Host
from game_masters.kit.master import Master
from game_masters.kit.player import Player
from game_masters.kit.rules import AnyGame
from game_masters.kit.tables import LOOK_AGAIN_S, Place
from game_masters.tic_tac_toe import GAME
from tests.broker.house import House
from tests.game_masters.high_card import HIGH_CARD
from tests.game_masters.kit.at_tables import (
    DISCONNECTED,
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
    notes,
    said,
    seats,
)
from tests.game_masters.kit.party import Line, play
from tests.profile import sized
from ugs.wire.extensions import (
    Advertise,
    Advertised,
    Failed,
    Invitation,
    Join,
    Joined,
    ListTables,
    NewTable,
    Ok,
    Ping,
    Pong,
    RefusalReason,
    Start,
    Tables,
    Visibility,
)
from ugs.wire.messages import (
    Choice,
    Logout,
)


class TestHosts:
    def test_a_full_table_begins_by_itself(self) -> None:
        host = a_host()
        assert does(host.receives(seats(JOINED, JOINED))) == []
        assert said(host.receives(seats(JOINED, JOINED, JOINED))) == [Ping("seat 2")]
        assert does(host.receives(seats(PLAYING, PLAYING, PLAYING))) == []
        assert does(host.receives(Pong("seat 2"))) == []

    def test_a_full_table_that_stands_back_is_begun(self) -> None:
        host = a_host()
        host.receives(seats(JOINED, JOINED, JOINED))
        assert said(host.receives(Pong("seat 2"))) == [Start("seat 3")]
        assert does(host.receives(Ok("seat 3"))) == []

    def test_it_is_begun_when_enough_players_sit_there(self) -> None:
        host = a_host(start_with=2)
        assert said(host.receives(seats(JOINED, JOINED))) == [Start("seat 2")]
        assert does(host.receives(seats(JOINED, JOINED))) == [], "asked already"

    def test_it_is_begun_at_once_by_a_host_who_wants_nobody_else(self) -> None:
        host = Host(TYPE, FRIDAY, 1)
        host.sits_down()
        host.receives(Advertised(info(), "seat 1"))
        assert said(host.receives(seats(JOINED))) == [Start("seat 2")]

    def test_who_sits_there_with_a_cut_line_does_not_count(self) -> None:
        host = a_host(start_with=2)
        assert does(host.receives(seats(JOINED, DISCONNECTED))) == []

    @pytest.mark.parametrize("code", [RefusalReason.NO_MASTER, RefusalReason.GAME_LIMIT])
    def test_what_cannot_begin_yet_is_tried_again_as_long_as_enough_sit_there(self, code: RefusalReason) -> None:
        host = a_host(start_with=2)
        host.receives(seats(JOINED, JOINED))
        assert does(host.receives(Failed(code, "not now", ref="seat 2"))) == [Pause(LOOK_AGAIN_S), Send(Ping("seat 3"))]
        assert said(host.receives(Pong("seat 3"))) == [Start("seat 4")]
        host.receives(Failed(code, "not now", ref="seat 4"))
        host.receives(seats(JOINED))
        assert does(host.receives(Pong("seat 5"))) == []

    def test_what_is_tried_again_and_again_is_told_once(self) -> None:
        host = a_host(start_with=1)
        levels = []
        for number in (2, 4, 6):
            told = host.receives(Failed(RefusalReason.NO_MASTER, "nobody is here", ref=f"seat {number}"))
            levels += [note.level for note in notes(told)]
            host.receives(Pong(f"seat {number + 1}"))
        assert levels == [Level.INFO, Level.DEBUG, Level.DEBUG]

    def test_a_game_that_has_begun_meanwhile_is_not_begun_once_more(self) -> None:
        host = a_host(start_with=2)
        host.receives(seats(JOINED, JOINED))
        refusal = Failed(RefusalReason.INVALID_GAME, "game t1 has begun already", ref="seat 2")
        assert does(host.receives(refusal)) == []

    def test_a_table_that_the_server_does_not_want_is_the_end(self) -> None:
        host = Host(TYPE, FRIDAY)
        host.sits_down()
        refusal = Failed(RefusalReason.INVALID_REQUEST, "x-advertise: table seats '3': allowed are 2", ref="seat 1")
        note, *rest = host.receives(refusal) or []
        assert note == Note("the server cannot seat it so", {"reason": refusal.text}, Level.ERROR)
        assert said(rest) == [Logout()]
        assert isinstance(rest[-1], Finish)
        assert rest[-1].exit_code == 1

    def test_where_there_are_too_many_tables_it_tries_again(self) -> None:
        host = Host(TYPE, FRIDAY)
        host.sits_down()
        refusal = Failed(RefusalReason.GAME_LIMIT, "as many tables as there may be", ref="seat 1")
        again = [Pause(LOOK_AGAIN_S), Send(Advertise(FRIDAY, "seat 2"))]
        assert does(host.receives(refusal)) == again

    def test_a_table_that_is_put_away_is_set_up_again(self) -> None:
        assert said(a_host().receives(ended())) == [Advertise(FRIDAY, "seat 2")]

    def test_after_a_cut_line_it_asks_once_more_and_hears_that_it_has_a_seat(self) -> None:
        host = a_host(start_with=2)
        assert said(host.returns()) == [Advertise(FRIDAY, "seat 2")]
        assert does(host.receives(seats(JOINED, JOINED))) == [], "the answer is awaited"
        refusal = Failed(RefusalReason.ALREADY_PLAYING, "you sit at table t1", ref="seat 2")
        assert said(host.receives(refusal)) == [Start("seat 3")]

    def test_an_answer_that_was_lost_with_the_line_is_not_needed(self) -> None:
        host = Host(TYPE, FRIDAY, 1)
        host.sits_down()
        host.receives(seats(PLAYING, PLAYING, table_id="t0"))  # of the game before
        host.returns()
        host.receives(seats(JOINED, table_id="t1"))
        refusal = Failed(RefusalReason.ALREADY_PLAYING, "you sit at table t1", ref="seat 2")
        assert said(host.receives(refusal)) == [Start("seat 3")]


class TestGuests:
    def test_it_sits_down_at_the_table_of_that_name(self) -> None:
        guest = a_guest()
        tables = (info("t0", "Thursday"), info("t1"), info("t2"))
        assert said(guest.receives(Tables(tables, "seat 1"))) == [Join("t1", "seat 2")]
        (note,) = guest.receives(Joined(info(), "seat 2")) or []
        assert isinstance(note, Note)
        assert (note.event, note.fields["table"]) == ("sits at a table", "t1")

    def test_an_id_goes_before_a_name(self) -> None:
        guest = a_guest("t2")
        assert said(guest.receives(Tables((info("t1", "t2"), info("t2")), "seat 1"))) == [Join("t2", "seat 2")]

    def test_where_there_is_none_it_looks_again_and_says_once_what_there_is(self) -> None:
        guest = a_guest()
        levels = []
        for number in (1, 2, 3):
            effects = guest.receives(Tables((info("t0", "Thursday"),), f"seat {number}"))
            assert does(effects) == [Pause(LOOK_AGAIN_S), Send(ListTables(f"seat {number + 1}"))]
            (note,) = notes(effects)
            assert note.fields == {"reason": "Friday; open tables: Thursday (t0)"}
            levels.append(note.level)
        assert levels == [Level.INFO, Level.DEBUG, Level.DEBUG]

    def test_an_invitation_to_that_table_is_taken_at_once(self) -> None:
        guest = a_guest()
        assert said(guest.receives(Invitation(info()))) == [Join("t1", "seat 2")]
        assert does(guest.receives(Tables((info(),), "seat 1"))) == [], "not twice"

    def test_other_invitations_are_noted(self) -> None:
        guest = a_guest()
        (note,) = guest.receives(Invitation(info("t0", "Thursday"))) or []
        assert note == Note("invited", {"table": "t0", "name": "Thursday", "owner": "ada"})
        assert does(a_guest_who_sits().receives(Invitation(info()))) == []

    def test_a_table_that_has_filled_meanwhile_is_looked_for_again(self) -> None:
        guest = a_guest()
        guest.receives(Tables((info(),), "seat 1"))
        refusal = Failed(RefusalReason.INVALID_GAME, "no seat is free", ref="seat 2")
        again = [Pause(LOOK_AGAIN_S), Send(ListTables("seat 3"))]
        assert does(guest.receives(refusal)) == again

    def test_a_table_that_is_put_away_is_looked_for_again(self) -> None:
        again = [Pause(LOOK_AGAIN_S), Send(ListTables("seat 3"))]
        assert does(a_guest_who_sits().receives(ended())) == again

    def test_after_a_game_at_a_table_of_some_id_it_looks_for_one_of_the_same_name(self) -> None:
        guest = a_guest("t1")
        guest.receives(Tables((info(),), "seat 1"))
        guest.receives(Joined(info(), "seat 2"))
        guest.sits_down()
        assert said(guest.receives(Tables((info("t5"),), "seat 3"))) == [Join("t5", "seat 4")]

    def test_after_a_cut_line_it_asks_for_its_seat_once_more(self) -> None:
        guest = a_guest_who_sits()
        assert said(guest.returns()) == [Join("t1", "seat 3")]
        assert does(guest.receives(Failed(RefusalReason.ALREADY_PLAYING, "you sit there", ref="seat 3"))) == []

    def test_after_a_cut_line_it_looks_on_where_it_was_looking(self) -> None:
        assert said(a_guest().returns()) == [ListTables("seat 2")]

    def test_a_seat_that_was_lost_with_the_line_is_looked_for(self) -> None:
        guest = a_guest_who_sits()
        guest.returns()
        refusal = Failed(RefusalReason.INVALID_GAME, "you know no such table", ref="seat 3")
        assert said(guest.receives(refusal)) == [ListTables("seat 4")]


# --- at a real broker -----------------------------------------------------------------------------------------------


class Evening:
    """A broker, a game, a master, and the players with their numbers of games."""

    def __init__(self, game: AnyGame, games: int, *, table_games: int = 25) -> None:
        self.house = House(max_table_games=table_games)
        self.players: list[Line] = []
        self.master: Line
        self._game = game
        self._games = games

    def comes(self, nick: str, place: Place) -> None:
        """Let a bot log in."""
        rng = random.Random(nick)
        bot = self._game.bots[-1]
        options = self._game.choose_options({})
        player = Player(self._game, options, bot, nick=nick, rng=rng, games=self._games, place=place)
        self.players.append(Line(self.house, player))

    def master_comes(self, name: str = "m", **options: str) -> None:
        """Let a master log in whose games have these options unless others are chosen, and that has offered its
        options."""
        chosen = self._game.choose_options(options)
        self.master = Line(self.house, Master(self._game, chosen, id=name, chance=random.Random))
        while self.master.steps(random.Random(name)):
            pass

    def goes_on(self, seed: int, cuts: int = 0) -> None:
        """Play until all have played as much as they want."""
        play(self.house, random.Random(seed), [self.master, *self.players], self.players, cuts)
        assert [line.exit_code for line in self.players] == [0] * len(self.players)

    @property
    def verdicts(self) -> list[str]:
        """Return how the games ended."""
        return [str(result.verdict.cause) for result in self.house.results]

    @property
    def wrong(self) -> list[str]:
        """Return messages that no program should have sent."""
        return [str(note["reason"]) for note in self.house.noted("wrong message")]


@settings(max_examples=sized(quick=10, deep=100))
@given(st.integers(0, 2**32), st.integers(0, 12))
def test_friends_play_all_their_games_whatever_lines_are_cut(seed: int, cuts: int) -> None:
    evening = Evening(GAME, games=3)
    evening.master_comes(width="4", height="3", row="3")
    table = NewTable("Friday", 2, Visibility.PRIVATE, options=(Choice("width", "3"),), invited=("ben",))
    evening.comes("ada", Host(TYPE, table))
    evening.comes("ben", Guest(TYPE, "Friday"))
    evening.goes_on(seed, cuts)
    assert len(evening.verdicts) == 3
    assert set(evening.verdicts) <= {"finished", "draw"}
    assert evening.wrong == []
    assert not [note for line in evening.players for note in line.notes if note in ("unreadable state", "bot failed")]


@settings(max_examples=sized(quick=10, deep=100))
@given(st.integers(0, 2**32), st.integers(0, 12), st.sampled_from([None, 2]))
def test_a_table_with_computers_is_begun_when_it_is_full_or_has_enough(
    seed: int, cuts: int, start_with: int | None
) -> None:
    evening = Evening(HIGH_CARD, games=2)
    game_type = HIGH_CARD.game_type
    evening.comes("ada", Host(game_type, NewTable("Friday", 4, Visibility.PUBLIC, 1), start_with))
    evening.comes("ben", Guest(game_type, "Friday"))
    if start_with is None:
        evening.comes("cyd", Guest(game_type, "Friday"))
    evening.master_comes()
    evening.goes_on(seed, cuts)
    assert evening.verdicts == ["finished"] * 2
    assert {len(result.seats) for result in evening.house.results} == {start_with or 3}
    assert evening.wrong == []


def test_a_game_whose_master_is_lost_is_followed_by_another_one() -> None:
    evening = Evening(GAME, games=1)
    evening.comes("ada", Host(TYPE, NewTable("Friday", 2, Visibility.PUBLIC)))
    evening.comes("ben", Guest(TYPE, "Friday"))
    lines, rng = evening.players, random.Random(1)
    evening.master_comes("m1", width="5", height="5", row="3")
    while not evening.house.broker.games:
        evening.house.passes(0.1)
        for line in (evening.master, *lines):
            line.steps(rng)
    evening.master.is_lost()
    evening.master_comes("m2", width="3", height="3", row="3")
    evening.goes_on(seed=1)
    first, second = evening.verdicts
    assert first == "master lost"
    assert second in ("finished", "draw")


def test_games_that_stand_back_are_begun_one_after_the_other() -> None:
    evening = Evening(GAME, games=1, table_games=1)
    evening.master_comes(width="3", height="3", row="3")
    for host, guest in (("ada", "ben"), ("cyd", "dan")):
        evening.comes(host, Host(TYPE, NewTable(host, 2, Visibility.PUBLIC)))
        evening.comes(guest, Guest(TYPE, host))
    evening.goes_on(seed=3)
    assert len(evening.verdicts) == 2
