"""Watching: which peers may watch, what they are told of a game and when; players notice nothing."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.broker.house import CHESS, House, Peer, move, over, thank, turn
from ugs.broker.effects import Publish, RecordBegin, RecordEntry, RecordSession, Subscribe, Unsubscribe
from ugs.broker.events import Started, Timer, TimerFired, TimerKind
from ugs.broker.extensions.watch.asking import LONGEST_DELAY_S, MOST_DELAYS, MOST_WATCHED
from ugs.broker.extensions.watch.channels import PIECE_EVENTS, STAND
from ugs.broker.past import Past, PastGame
from ugs.broker.record import EntryKind
from ugs.broker.state.connection import PeerState
from ugs.broker.state.tokens import digest_of
from ugs.wire.extensions import (
    Advertise,
    EventKind,
    Failed,
    Family,
    GameEvent,
    Label,
    Labels,
    ListGames,
    NewTable,
    OfferedOption,
    Ok,
    Reason,
    RunningGame,
    RunningGames,
    Said,
    Say,
    SeatInfo,
    SeatKind,
    SeatState,
    Start,
    Unwatch,
    View,
    Views,
    Visibility,
    Watch,
    WatchFrom,
    Watching,
)
from ugs.wire.messages import (
    Choice,
    Error,
    LeaveGame,
    LoginResponse,
    Logout,
    Message,
    PlayerLogin,
    PlayerResult,
    Result,
    ServerShutdown,
)

BEGIN = WatchFrom.BEGIN
SEATS = (SeatInfo("ann", SeatKind.HUMAN, SeatState.PLAYING), SeatInfo("ben", SeatKind.HUMAN, SeatState.PLAYING))


def body(number: int) -> bytes:
    """A state that is like no other one."""
    return b'<gameState n="%d"/>' % number


def spectator(house: House, message: Watch | None = None) -> Peer:
    """A peer with watch; with a message, one who has said it."""
    peer = house.greets(Family.WATCH)
    if message is not None:
        peer.says(message)
    return peer


def shown(number: int, *next_players: str, state: bytes = b"", seats: Sequence[SeatInfo] = SEATS) -> Watching:
    """Game g1 as it is shown to who begins to watch."""
    return Watching("g1", CHESS, number, tuple(seats), (), next_players, state)


def event(number: int, after_s: float, what: EventKind, **more: Any) -> GameEvent:
    """An event of game g1."""
    return GameEvent("g1", number, after_s, what, **more)


def refusal(peer: Peer) -> Reason:
    """Why the one request was refused."""
    (heard,) = peer.hears()
    assert isinstance(heard, Failed)
    return heard.code


def numbers(heard: Sequence[Message]) -> list[int]:
    """Those of the events."""
    return [one.number for one in heard if isinstance(one, GameEvent)]


def play(house: House, master: Peer, *players: Peer, moves: int, first: int = 0) -> None:
    """``moves`` moves by turns, one second each, each answered with a state of its own."""
    nicks = [player.name for player in players]
    for number in range(first, first + moves):
        house.passes(1)
        players[number % len(players)].says(move("g1"))
        master.says(turn("g1", nicks[(number + 1) % len(players)], body(number + 1)))


class TestFromNow:
    def test_the_game_is_shown_as_it_is_and_every_event_follows(self, house: House) -> None:
        master, ann, ben = house.table("ann", "ben")
        sue = spectator(house, Watch("g1", ref="5"))
        assert sue.hears() == [Watching("g1", CHESS, 2, SEATS, (), ("ann",), b"<gameState/>", "5")]
        house.passes(3)
        ann.says(move("g1", b"<move secret='yes'/>"))
        master.says(turn("g1", "ben", body(1)))
        ben.says(LeaveGame("g1"))
        master.says(over("g1", "ann", losers=("ben",)))
        results = (PlayerResult("ann", Result.WINNER), PlayerResult("ben", Result.LOSER))
        assert sue.hears() == [
            event(3, 3, EventKind.MOVE, nick="ann"),
            event(4, 3, EventKind.STATE, next_players=("ben",), state=body(1)),
            event(5, 3, EventKind.LEFT, nick="ben", text="left"),
            event(6, 3, EventKind.OVER, game_over=results, state=b"<gameState/>"),
            event(7, 3, EventKind.ENDED, text="left, fault: player of ben"),
        ]

    def test_a_player_who_has_moved_or_left_is_no_longer_next(self, house: House) -> None:
        _, ann, _ = house.table("ann", "ben")
        ann.says(move("g1"))
        assert spectator(house, Watch("g1")).hears() == [shown(3, state=b"<gameState/>")]
        ann.says(LeaveGame("g1"))
        gone = (SeatInfo("ann", SeatKind.HUMAN, SeatState.QUIT), SEATS[1])
        assert spectator(house, Watch("g1")).hears() == [shown(4, state=b"<gameState/>", seats=gone)]

    def test_before_the_first_state_there_is_none(self, house: House) -> None:
        house.master()
        house.players("ann", "ben")
        assert spectator(house, Watch("g1")).hears() == [shown(1)]

    def test_a_verdict_of_the_server_ends_it_too(self, house: House) -> None:
        master, *_ = house.table("ann", "ben")
        sue = spectator(house, Watch("g1"))
        sue.hears()
        master.is_lost()
        assert sue.hears() == [event(3, 0, EventKind.ENDED, text="master lost, fault: master of m")]

    def test_the_result_is_told_when_it_is_on_file(self, house: House) -> None:
        master, *_ = house.table("ann", "ben")
        sue = spectator(house, Watch("g1"))
        sue.hears()
        house.disk_is_slow = True
        master.says(over("g1", "ann", losers=("ben",)))
        assert sue.hears() == []
        late = spectator(house, Watch("g1"))
        assert late.hears() == [shown(2, "ann", state=b"<gameState/>")]
        house.disk_catches_up()
        assert numbers(sue.hears()) == numbers(late.hears()) == [3, 4]

    def test_options_and_labels_are_shown_and_the_seed_is_not(self, house: House) -> None:
        families = (Family.TABLE, Family.RESTORE)
        ada = house.guest("ada", Family.LOBBY)
        master = house.leader("m", *families, options=(OfferedOption("size", "9"),))
        ada.says(Advertise(NewTable("Friday", 2, Visibility.PUBLIC, computers=1)))
        ada.says(Start())
        labels = (Label("ada", "RED", SeatKind.HUMAN), Label("Rover", "BLUE", SeatKind.PROGRAM))
        master.says(Labels("g1", labels))
        (heard,) = spectator(house, Watch("g1")).hears()
        assert isinstance(heard, Watching)
        assert heard.options == (Choice("size", "9"),)
        assert heard.seats == (
            SeatInfo("ada", SeatKind.HUMAN, SeatState.PLAYING, "RED"),
            SeatInfo("Rover", SeatKind.PROGRAM, SeatState.PLAYING, "BLUE"),
        )
        seed = house.game().setting.seed
        assert seed
        assert seed not in repr(heard)


class TestFromTheBegin:
    def test_all_that_has_happened_follows_at_once_and_then_what_happens(self, house: House) -> None:
        master, ann, ben = house.table("ann", "ben")
        play(house, master, ann, ben, moves=2)
        sue = spectator(house, Watch("g1", begin=BEGIN))
        assert sue.hears() == [
            shown(0),
            event(1, 0, EventKind.BEGIN),
            event(2, 0, EventKind.STATE, next_players=("ann",), state=b"<gameState/>"),
            event(3, 1, EventKind.MOVE, nick="ann"),
            event(4, 1, EventKind.STATE, next_players=("ben",), state=body(1)),
            event(5, 2, EventKind.MOVE, nick="ben"),
            event(6, 2, EventKind.STATE, next_players=("ann",), state=body(2)),
        ]
        ann.says(move("g1"))
        assert sue.hears() == [event(7, 2, EventKind.MOVE, nick="ann")]

    def test_states_for_which_there_was_no_room_are_missing(self) -> None:
        house = House(watch_history_bytes=len(body(1)) * 2)
        master, ann, ben = house.table("ann", "ben")
        play(house, master, ann, ben, moves=4)
        heard = spectator(house, Watch("g1", begin=BEGIN)).hears()
        states = [one.state for one in heard if isinstance(one, GameEvent) and one.what is EventKind.STATE]
        assert states == [b"", b"", b"", body(3), body(4)]

    def test_a_long_past_is_told_piece_by_piece_as_the_network_takes_it_and_without_a_gap(self, house: House) -> None:
        master, ann, ben = house.table("ann", "ben")
        play(house, master, ann, ben, moves=PIECE_EVENTS)
        sue = spectator(house, Watch("g1", begin=BEGIN))
        heard = sue.hears()
        assert numbers(heard) == list(range(1, PIECE_EVENTS + 1))
        (timer,) = [timer for timer in house.timers if timer.kind is TimerKind.SPECTATORS]
        assert house.waits_for_writer[timer] == sue.conn
        play(house, master, ann, ben, moves=1, first=PIECE_EVENTS)  # while it waits
        house.passes(0)
        play(house, master, ann, ben, moves=1, first=PIECE_EVENTS + 1)
        heard += sue.hears()
        assert numbers(heard) == list(range(1, 2 * PIECE_EVENTS + 7))
        assert not [timer for timer in house.timers if timer.kind is TimerKind.SPECTATORS]

    def test_a_spectator_who_is_still_told_the_past_when_the_game_ends_hears_the_end(self, house: House) -> None:
        master, ann, ben = house.table("ann", "ben")
        play(house, master, ann, ben, moves=PIECE_EVENTS)
        sue = spectator(house, Watch("g1", begin=BEGIN))
        master.says(over("g1", "ann", losers=("ben",)))
        house.passes(0)
        house.passes(0)
        heard = sue.hears()
        assert numbers(heard) == list(range(1, 2 * PIECE_EVENTS + 5))
        assert isinstance(heard[-1], GameEvent)
        assert heard[-1].what is EventKind.ENDED
        thank("g1", ann, ben)
        sue.says(Unwatch())
        assert sue.hears() == [Ok()]

    def test_a_spectator_who_leaves_in_the_middle_of_the_past_is_told_no_more(self, house: House) -> None:
        master, ann, ben = house.table("ann", "ben")
        play(house, master, ann, ben, moves=PIECE_EVENTS)
        sue, tom = (spectator(house, Watch("g1", begin=BEGIN)) for _ in range(2))
        sue.is_lost()
        tom.says(Unwatch("g1"))
        assert not [timer for timer in house.timers if timer.kind is TimerKind.SPECTATORS]
        assert not house.game().history.watchers


class TestLater:
    def test_everything_is_told_when_it_is_old_enough(self, house: House) -> None:
        master, ann, ben = house.table("ann", "ben")
        sue = spectator(house, Watch("g1", delay_s=5))
        assert sue.hears() == [shown(0)]
        play(house, master, ann, ben, moves=3)  # in seconds 1, 2, 3
        house.passes(1.9)
        assert sue.hears() == []
        house.passes(0.2)
        assert numbers(sue.hears()) == [1, 2]
        house.passes(1)
        assert numbers(sue.hears()) == [3, 4]
        house.passes(10)
        assert numbers(sue.hears()) == [5, 6, 7, 8]

    def test_the_game_is_shown_as_it_was_then(self, house: House) -> None:
        master, ann, ben = house.table("ann", "ben")
        play(house, master, ann, ben, moves=3)
        ben.says(LeaveGame("g1"))
        house.passes(4)
        sue, tom = spectator(house, Watch("g1", delay_s=5)), spectator(house, Watch("g1", begin=BEGIN, delay_s=5))
        assert sue.hears() == [shown(6, "ann", state=body(2))]
        heard = tom.hears()
        assert heard[0] == shown(0)
        assert numbers(heard) == [1, 2, 3, 4, 5, 6]
        house.passes(5)
        assert numbers(sue.hears()) == numbers(tom.hears())[:3] == [7, 8, 9]

    def test_the_end_is_told_late_too_and_then_nothing_is_left(self, house: House) -> None:
        master, ann, ben = house.table("ann", "ben")
        game = house.game()
        sue = spectator(house, Watch("g1", delay_s=60))
        master.says(over("g1", "ann", losers=("ben",)))
        thank("g1", ann, ben)
        house.passes(59)
        sue.hears()
        house.passes(1)
        heard = sue.hears()
        assert isinstance(heard[-1], GameEvent)
        assert (heard[-1].number, heard[-1].what) == (4, EventKind.ENDED)
        assert not game.history.watchers

    def test_a_game_type_may_demand_a_delay(self) -> None:
        house = House(game_types={CHESS: {"watch_delay_s": 10.0}})
        master, ann, ben = house.table("ann", "ben")
        play(house, master, ann, ben, moves=2)
        eager, patient = spectator(house, Watch("g1", delay_s=3)), spectator(house, Watch("g1", delay_s=20))
        assert eager.hears() == patient.hears() == [shown(0)]
        house.passes(9)
        assert numbers(eager.hears()) == [1, 2, 3, 4]
        assert patient.hears() == []
        house.passes(9)
        assert numbers(patient.hears()) == [1, 2]

    def test_the_list_of_games_gives_nothing_away_that_is_too_new(self) -> None:
        house = House(game_types={CHESS: {"watch_delay_s": 10.0}})
        master, ann, ben = house.table("ann", "ben")
        play(house, master, ann, ben, moves=3)
        house.passes(8)
        sue = spectator(house)
        sue.says(ListGames())
        (heard,) = sue.hears()
        assert isinstance(heard, RunningGames)
        assert heard.games[0].moves == 1


class TestGameTypes:
    def test_with_no_game_running_it_is_ok_and_each_game_is_told_from_its_begin(self, house: House) -> None:
        sue = spectator(house, Watch(game_type=CHESS, ref="9"))
        assert sue.hears() == [Ok("9")]
        master, ann, ben = house.table("ann", "ben")
        assert sue.hears() == [
            shown(0),
            event(1, 0, EventKind.BEGIN),
            event(2, 0, EventKind.STATE, next_players=("ann",), state=b"<gameState/>"),
        ]
        master.says(over("g1", "ann", losers=("ben",)))
        assert numbers(sue.hears()) == [3, 4]
        thank("g1", ann, ben)
        heard = sue.hears()
        assert [type(one) for one in heard] == [Watching, GameEvent]
        assert {one.game_id for one in heard if isinstance(one, Watching | GameEvent)} == {"g2"}

    def test_every_running_game_is_shown_and_games_of_other_types_are_not(self, house: House) -> None:
        house.table("ann", "ben")
        house.players("cat", "dan")
        house.master("n", game_type="go")
        house.players("eve", "fay", game_type="go")
        sue = spectator(house, Watch(game_type=CHESS, ref="1"))
        heard = sue.hears()
        assert [(one.game_id, one.ref) for one in heard if isinstance(one, Watching)] == [("g1", "1"), ("g2", "1")]

    def test_all_with_the_same_delay_share_what_is_published(self, house: House) -> None:
        everybody = [spectator(house, Watch(game_type=CHESS)) for _ in range(10)]
        for one in everybody:
            one.hears()
        house.master()
        house.player("ann")
        ben = house.connects()
        effects = ben.says(PlayerLogin("ben", CHESS))
        assert len([effect for effect in effects if isinstance(effect, Publish)]) == 2
        assert len([effect for effect in effects if isinstance(effect, Subscribe)]) == 10
        assert all([type(message) for message in one.hears()] == [Watching, GameEvent] for one in everybody)

    def test_with_a_delay_the_begin_is_shown_at_once_and_what_happens_later(self, house: House) -> None:
        sue = spectator(house, Watch(game_type=CHESS, delay_s=5))
        sue.hears()
        house.table("ann", "ben")
        assert sue.hears() == [shown(0)]
        house.passes(5)
        assert numbers(sue.hears()) == [1, 2]

    def test_games_at_private_tables_are_for_those_who_know_them(self, house: House) -> None:
        sue = spectator(house, Watch(game_type=CHESS))
        sue.hears()
        house.leader("m", Family.TABLE)
        ada = house.guest("ada", Family.LOBBY)
        ada.says(Advertise(NewTable("Friday", 2, Visibility.PRIVATE, computers=1)))
        ada.says(Start())
        assert house.game().id == "g1"
        tom = spectator(house, Watch(game_type=CHESS))
        tom.says(ListGames())
        assert tom.hears() == [Ok(), RunningGames(())]
        assert sue.hears() == []
        assert isinstance(spectator(house, Watch("g1")).hears()[0], Watching)


class TestStopping:
    def test_a_spectator_who_has_seen_enough_of_a_game_hears_no_more_of_it(self, house: House) -> None:
        _, ann, _ = house.table("ann", "ben")
        sue = spectator(house, Watch("g1"))
        sue.hears()
        sue.says(Unwatch("g1", ref="4"))
        ann.says(move("g1"))
        assert sue.hears() == [Ok("4")]
        assert sue.state is PeerState.WATCHING
        assert not house.game().history.watchers

    def test_a_type_goes_with_all_its_games(self, house: House) -> None:
        master, ann, ben = house.table("ann", "ben")
        sue = spectator(house, Watch(game_type=CHESS))
        sue.hears()
        sue.says(Unwatch(game_type=CHESS))
        master.says(over("g1", "ann", losers=("ben",)))
        thank("g1", ann, ben)
        assert sue.hears() == [Ok()]

    @pytest.mark.parametrize("nothing", [Unwatch("g7"), Unwatch(game_type="go"), Unwatch()])
    def test_to_stop_watching_what_was_not_watched_is_no_error(self, house: House, nothing: Unwatch) -> None:
        sue = spectator(house, Watch(game_type=CHESS))
        sue.hears()
        sue.says(nothing)
        assert sue.hears() == [Ok()]

    def test_a_spectator_who_has_never_watched_cannot_stop(self, house: House) -> None:
        sue = spectator(house)
        sue.says(Unwatch())
        assert refusal(sue) is Reason.INVALID_PLAYER

    def test_after_the_end_another_game_can_be_watched(self, house: House) -> None:
        master, ann, ben = house.table("ann", "ben")
        sue = spectator(house, Watch("g1"))
        master.says(over("g1", "ann", losers=("ben",)))
        thank("g1", ann, ben)
        house.passes(9)
        sue.hears()
        sue.says(Watch("g2"))
        assert isinstance(sue.hears()[0], Watching)

    @pytest.mark.parametrize("goes", [Peer.is_lost, lambda peer: peer.says(Logout())])
    def test_a_spectator_who_goes_is_forgotten_everywhere(self, house: House, goes: Any) -> None:
        _, ann, _ = house.table("ann", "ben")
        sue = spectator(house, Watch("g1", delay_s=3, nick="Sue"))
        sue.says(Watch(game_type=CHESS))
        sue.says(Watch(game_type="go"))
        goes(sue)
        assert STAND.of(house.broker.desk).following == {}
        assert not house.game().history.watchers
        assert not [timer for timer in house.timers if timer.kind is TimerKind.SPECTATORS]
        ann.says(move("g1"))
        assert spectator(house, Watch("g1", nick="sue")).hears(), "the nick is free again"

    def test_watching_again_begins_anew(self, house: House) -> None:
        _, ann, _ = house.table("ann", "ben")
        sue = spectator(house, Watch("g1", delay_s=60))
        sue.says(Watch("g1", begin=BEGIN))
        ann.says(move("g1"))
        house.passes(60)
        assert [type(one) for one in sue.hears()] == [Watching, Watching, *[GameEvent] * 4]

    def test_spectators_are_told_that_the_server_stops(self, house: House) -> None:
        house.table("ann", "ben")
        sue = spectator(house, Watch("g1"))
        sue.hears()
        house.is_asked_to_stop()
        heard = sue.hears()
        assert isinstance(heard[0], GameEvent)
        assert heard[0].text.startswith("server shutdown")
        assert heard[1] == ServerShutdown()
        assert sue.is_closed()


class TestWhoMay:
    @pytest.mark.parametrize(
        ("message", "reason", "words"),
        [
            (Watch(), Reason.INVALID_REQUEST, "both missing"),
            (Watch("g1", CHESS), Reason.INVALID_REQUEST, "both there"),
            (Watch("g7"), Reason.INVALID_GAME, "gameId 'g7'"),
            (Watch(game_type=" "), Reason.INVALID_REQUEST, "gameType is empty"),
            (Watch("g1", nick="\n"), Reason.INVALID_REQUEST, "nick is empty"),
            (Watch("g1", nick="x" * 65), Reason.INVALID_REQUEST, "nick is longer than 64"),
            (Watch("g1", nick="ANN"), Reason.DUPLICATE_USER, "in use"),
            (Watch("g1", nick="SUE"), Reason.DUPLICATE_USER, "in use"),
            (Watch("g1", delay_s=LONGEST_DELAY_S + 1), Reason.INVALID_REQUEST, "at most 900"),
        ],
    )
    def test_what_is_wrong_is_named(self, house: House, message: Watch, reason: Reason, words: str) -> None:
        house.table("ann", "ben")
        spectator(house, Watch("g1", nick="Sue"))
        tom = spectator(house, message)
        (heard,) = tom.hears()
        assert isinstance(heard, Failed)
        assert heard.code is reason
        assert words in heard.text
        assert tom.state is PeerState.NEW

    def test_only_game_types_that_are_allowed_can_be_watched(self) -> None:
        house = House(allowed_game_types=["go"])
        assert refusal(spectator(house, Watch(game_type=CHESS))) is Reason.INVALID_GAME
        assert spectator(house, Watch(game_type="go")).hears() == [Ok()]

    def test_the_number_of_spectators_is_limited(self) -> None:
        house = House(max_spectators=2)
        first, _ = (spectator(house, Watch(game_type=CHESS)) for _ in range(2))
        late = spectator(house, Watch(game_type=CHESS))
        assert refusal(late) is Reason.USER_LIMIT
        first.hears()
        first.says(Watch(game_type="go"))
        assert first.hears() == [Ok()], "who is in may watch more"
        first.is_lost()
        late.says(Watch(game_type=CHESS))
        assert late.hears() == [Ok()]

    def test_after_three_refusals_the_connection_is_closed(self, house: House) -> None:
        sue = spectator(house)
        for _ in range(3):
            assert not sue.is_closed()
            sue.says(Watch("g7"))
        assert sue.is_closed()

    def test_a_spectator_may_be_refused_as_often_as_it_likes(self, house: House) -> None:
        sue = spectator(house, Watch(game_type=CHESS))
        for _ in range(5):
            sue.says(Watch("g7"))
        assert not sue.is_closed()

    def test_nobody_is_let_in_while_the_server_stops(self) -> None:
        house = House(drain_s=60)
        house.table("ann", "ben")
        inside = spectator(house, Watch(game_type=CHESS))
        house.is_asked_to_stop()
        assert refusal(spectator(house, Watch("g1"))) is Reason.INVALID_PLAYER
        inside.hears()
        inside.says(Watch("g1"))
        assert isinstance(inside.hears()[0], Watching)

    def test_a_player_cannot_watch_and_a_spectator_cannot_play(self, house: House) -> None:
        ann = house.guest("ann", Family.WATCH)
        ann.says(Watch(game_type=CHESS))
        assert refusal(ann) is Reason.INVALID_PLAYER
        sue = spectator(house, Watch(game_type=CHESS))
        sue.hears()
        sue.says(PlayerLogin("sue", CHESS))
        assert isinstance(sue.hears()[0], Error)
        sue.says(move("g1"))
        assert isinstance(sue.hears()[0], Error)

    def test_a_spectator_who_watches_need_not_log_in(self, house: House) -> None:
        sue = spectator(house, Watch(game_type=CHESS))
        house.passes(1000)
        assert not sue.is_closed()
        assert sue.admitted

    def test_a_nick_can_be_told_later_but_not_changed(self, house: House) -> None:
        sue = spectator(house, Watch(game_type=CHESS))
        sue.says(Watch(game_type=CHESS, nick="Sue"))
        sue.says(Watch(game_type=CHESS, nick="Sue"))
        assert sue.hears() == [Ok(), Ok(), Ok()]
        sue.says(Watch(game_type=CHESS, nick="Tom"))
        assert refusal(sue) is Reason.INVALID_REQUEST
        assert sue.name == "Sue"

    def test_the_number_of_games_of_one_spectator_is_limited(self) -> None:
        house = House(list_burst=1000)
        sue = spectator(house)
        for number in range(MOST_WATCHED):
            sue.says(Watch(game_type=f"t{number}"))
        sue.hears()
        sue.says(Watch(game_type="one more"))
        assert refusal(sue) is Reason.GAME_LIMIT
        sue.says(Watch(game_type="t5", delay_s=1))
        assert sue.hears() == [Ok()], "it is there already"

    @pytest.mark.parametrize("what", [Watch("g1"), Watch(game_type=CHESS)])
    def test_the_number_of_different_delays_is_limited(self, house: House, what: Watch) -> None:
        house.table("ann", "ben")
        for number in range(MOST_DELAYS):
            spectator(house, replace(what, delay_s=number))
        odd = spectator(house, replace(what, delay_s=0.5))
        (heard,) = odd.hears()
        assert isinstance(heard, Failed)
        assert heard.code is Reason.USER_LIMIT
        assert "0, 1, 2, 3" in heard.text
        odd.says(replace(what, delay_s=7))
        assert isinstance(odd.hears()[0], Watching)


class TestTheList:
    def test_running_games_are_told_in_the_order_of_their_begin(self, house: House) -> None:
        master, ann, ben = house.table("ann", "ben")
        play(house, master, ann, ben, moves=2)
        house.master("n", game_type="go")
        house.players("cat", "dan", game_type="go")
        sue = spectator(house, Watch("g1"))
        spectator(house, Watch("g1", delay_s=5))
        sue.hears()
        sue.says(ListGames(ref="3"))
        chess, go = RunningGame("g1", CHESS, "ann, ben", 2, 2), RunningGame("g2", "go", "cat, dan", 0, 0)
        assert sue.hears() == [RunningGames((chess, go), "3")]
        sue.says(ListGames("go"))
        assert sue.hears() == [RunningGames((go,))]

    def test_it_can_be_read_before_anything_is_watched(self, house: House) -> None:
        sue = spectator(house)
        sue.says(ListGames())
        assert sue.hears() == [RunningGames(())]


class TestCost:
    def test_one_event_is_one_publication_however_many_watch(self, house: House) -> None:
        _, ann, _ = house.table("ann", "ben")
        for _ in range(50):
            spectator(house, Watch("g1"))
        effects = ann.says(move("g1"))
        assert len([effect for effect in effects if isinstance(effect, Publish)]) == 1

    def test_a_game_that_nobody_watches_publishes_nothing(self, house: House) -> None:
        _, ann, _ = house.table("ann", "ben")
        spectator(house, Watch(game_type="go"))
        assert not house.game().history.watchers
        assert not any(isinstance(effect, Publish | Subscribe | Unsubscribe) for effect in ann.says(move("g1")))

    def test_the_channel_is_closed_after_the_last_event(self, house: House) -> None:
        master, *_ = house.table("ann", "ben")
        spectator(house, Watch("g1"))
        effects = master.says(over("g1", "ann", losers=("ben",)))
        last = [effect for effect in effects if isinstance(effect, Publish | Unsubscribe)][-2:]
        assert isinstance(last[0], Publish)
        assert last[1] == Unsubscribe("g1/0")


class TestSecrets:
    def test_no_spectator_sees_what_only_one_player_may_see(self, house: House) -> None:
        master = house.leader("m", Family.VIEWS)
        house.players("ann", "ben")
        sue, tom = spectator(house, Watch("g1")), spectator(house, Watch(game_type=CHESS))
        views = (View("ann", b"<gameState>secret of ann</gameState>"), View("", b"<gameState>public</gameState>"))
        master.says(Views("g1", ("ann",), (), views))
        late = spectator(house, Watch("g1", begin=BEGIN))
        results = (PlayerResult("ann", Result.WINNER), PlayerResult("ben", Result.LOSER))
        master.says(Views("g1", (), results, views))
        for peer in (sue, tom, late):
            heard = repr(peer.hears())
            assert "secret" not in heard
            assert "public" in heard

    def test_without_a_public_view_nothing_is_seen(self, house: House) -> None:
        master = house.leader("m", Family.VIEWS)
        house.players("ann", "ben")
        sue = spectator(house, Watch("g1"))
        sue.hears()
        master.says(Views("g1", ("ann",), (), (View("ann", b"<gameState>secret</gameState>"),)))
        assert sue.hears() == [event(2, 0, EventKind.STATE, next_players=("ann",), state=b"<gameState/>")]


class TestOthers:
    def test_spectators_with_a_nick_talk_at_the_table_that_they_watch(self, house: House) -> None:
        ann, _ = house.guest("ann", Family.CHAT), house.player("ben")
        house.master()
        sue = house.greets(Family.WATCH, Family.CHAT)
        sue.says(Watch("g1", nick="Sue"))
        sue.hears()
        ann.hears()
        sue.says(Say((), "g1", "bravo"))
        assert "bravo" in repr(ann.hears())
        assert sue.hears() == [Ok()]

    def test_a_game_of_an_earlier_life_can_be_watched_from_its_begin(self) -> None:
        sessions = [RecordSession(nick, digest_of(nick), nick, CHESS, ("session",), True) for nick in ("ann", "ben")]
        entries = [
            (0.0, RecordEntry("g1", EntryKind.BEGIN)),
            (1.0, RecordEntry("g1", EntryKind.STATE, 0, 3, "", body(1))),
            (3.0, RecordEntry("g1", EntryKind.MOVE, 0, 0, "", b"<move/>")),
        ]
        begin = RecordBegin("g1", CHESS, "m", ("ann", "ben"), seed="42")
        house = House(past=Past(sessions=sessions, games=[PastGame(begin, 10.0, entries)]), master_grace_s=30.0)
        house.happens(Started())
        assert spectator(house, Watch("g1", begin=BEGIN)).hears() == [
            shown(0),
            event(1, 0, EventKind.BEGIN),
            event(2, 1, EventKind.STATE, next_players=("ann",), state=body(1)),
            event(3, 3, EventKind.MOVE, nick="ann"),
        ]
        assert spectator(house, Watch("g1", delay_s=8)).hears() == [shown(2, "ann", state=body(1))]

    def test_a_server_that_has_just_begun_has_nothing_to_show(self, house: House) -> None:
        house.happens(Started())
        assert spectator(house, Watch(game_type=CHESS)).hears() == [Ok()]


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("passes"), st.sampled_from([0.0, 0.4, 1.0, 2.5])),
        st.tuples(st.just("plays"), st.just(0.0)),
        st.tuples(st.sampled_from(["watches", "watches type", "stops", "goes"]), st.sampled_from([0.0, 1.0, 2.5])),
        st.tuples(st.just("ends"), st.just(0.0)),
    ),
    max_size=40,
)


@given(steps=STEPS, from_begin=st.booleans())
def test_every_spectator_gets_every_event_once_in_order_and_not_too_early(
    steps: list[tuple[str, float]], from_begin: bool
) -> None:
    house = House()
    master, ann, ben = house.table("ann", "ben")
    began_at, ended, peers, moves = house.now, False, [], 0
    for step, value in steps:
        if step == "passes":
            house.passes(value)
        elif step == "plays" and not ended:
            (ann, ben)[moves % 2].says(move("g1"))
            moves += 1
            master.says(turn("g1", ("ann", "ben")[moves % 2]))
        elif step == "ends" and not ended:
            ended = True
            master.says(over("g1", "ann", losers=("ben",)))
        elif step.startswith("watches"):
            watch = Watch("g1") if step == "watches" else Watch(game_type=CHESS)
            begin = BEGIN if from_begin else WatchFrom.NOW
            peer = spectator(house, Watch(watch.game_id, watch.game_type, begin, value))
            peers.append((peer, value))
        elif peers and step == "stops":
            peers[0][0].says(Unwatch())
            peers.pop(0)
        elif peers:
            peers.pop()[0].is_lost()
        for peer, delay in peers:
            for one in peer.mail:
                if isinstance(one, GameEvent):
                    assert one.after_s + began_at + delay <= house.now + 1e-5
    house.passes(10)
    for peer, _ in peers:
        heard = peer.hears()
        snapshots = [one for one in heard if isinstance(one, Watching)]
        if snapshots:
            first = snapshots[0].number
            last = 2 + 2 * moves + 2 * ended
            assert numbers(heard) == list(range(first + 1, last + 1))


class TestOneOfSeveral:
    """A spectator of several games stops watching one of them."""

    def games(self, house: House) -> tuple[Peer, Peer, Peer]:
        """Two games, g1 and g2, of one master; the first two of their players."""
        master = house.master(players=(2, 2))
        ann, ben, *_ = house.players("ann", "ben", "cat", "dan")
        master.hears()
        for game_id, nick in (("g1", "ann"), ("g2", "cat")):
            master.says(turn(game_id, nick, body(0)))
        return master, ann, ben

    def test_a_spectator_who_has_seen_enough_of_one_goes_on_with_the_other(self, house: House) -> None:
        master, *_ = self.games(house)
        sue = spectator(house, Watch("g1"))
        sue.says(Watch("g2"))
        sue.says(Unwatch("g1"))
        sue.hears()
        master.says(turn("g1", "ben", body(1)))
        master.says(turn("g2", "dan", body(2)))
        (heard,) = sue.hears()
        assert isinstance(heard, GameEvent)
        assert heard.game_id == "g2"

    def test_a_spectator_who_is_told_the_past_of_two_may_leave_one(self) -> None:
        house = House(move_timeout_s=1000)
        master, ann, ben = self.games(house)
        play(house, master, ann, ben, moves=PIECE_EVENTS)
        sue = spectator(house, Watch(game_type=CHESS, begin=BEGIN))
        sue.hears()
        sue.says(Unwatch("g1"))
        house.passes(0)
        heard = [one for one in sue.hears() if isinstance(one, GameEvent)]
        assert {one.game_id for one in heard} == {"g2"}
        assert heard

    def test_a_timer_of_a_spectator_who_has_gone_is_ignored(self, house: House) -> None:
        assert house.happens(TimerFired(Timer(TimerKind.SPECTATORS, "past 99"))) == []
        assert house.happens(TimerFired(Timer(TimerKind.SPECTATORS, "g1/0"))) == []


class TestManyGames:
    """The games of a type are shown a piece at a time, as the network of the spectator takes it."""

    LARGE = b"<gameState>" + b"x" * 200_000 + b"</gameState>"

    def games(self, house: House, number: int) -> Peer:
        """A master that leads so many games with large states."""
        master = house.master()
        for game in range(1, number + 1):
            house.players(f"a{game}", f"b{game}")
            master.says(turn(f"g{game}", f"a{game}", self.LARGE))
        return master

    def shown(self, peer: Peer) -> list[str]:
        return [one.game_id for one in peer.hears() if isinstance(one, Watching)]

    def test_they_come_in_pieces(self, house: House) -> None:
        self.games(house, 5)
        sue = spectator(house, Watch(game_type=CHESS))
        assert self.shown(sue) == ["g1", "g2"]
        house.passes(0)
        assert self.shown(sue) == ["g3", "g4", "g5"]
        assert set(house.channels) == {"g1/0", "g2/0", "g3/0", "g4/0", "g5/0"}

    def test_one_that_is_over_meanwhile_is_not_shown(self, house: House) -> None:
        master = self.games(house, 3)
        sue = spectator(house, Watch(game_type=CHESS))
        assert self.shown(sue) == ["g1", "g2"]
        master.says(over("g3", "a3", losers=("b3",)))
        house.passes(0)
        assert self.shown(sue) == []

    def test_one_that_is_asked_for_meanwhile_is_shown_once(self, house: House) -> None:
        self.games(house, 3)
        sue = spectator(house, Watch(game_type=CHESS))
        sue.says(Watch("g3"))
        house.passes(0)
        assert self.shown(sue) == ["g1", "g2", "g3"]

    @pytest.mark.parametrize("message", [Unwatch(), Unwatch(game_type=CHESS), Unwatch("g3"), Logout()])
    def test_who_has_seen_enough_is_shown_no_more(self, house: House, message: Message) -> None:
        self.games(house, 3)
        sue = spectator(house, Watch(game_type=CHESS))
        sue.says(message)
        assert self.shown(sue) == ["g1", "g2"]
        house.passes(0)
        assert self.shown(sue) == []

    def test_many_players_are_named_in_part(self, house: House) -> None:
        house.master(players=(10, 10))
        house.players(*"abcdefghij")
        sue = spectator(house)
        sue.says(ListGames())
        (games,) = sue.hears()
        assert isinstance(games, RunningGames)
        assert games.games[0].players == "a, b, c, d, e, f, g, h and 2 more"


class TestNicksOfSpectators:
    """The nicks of players and spectators are unique together, and players come first."""

    def test_a_player_takes_one_from_its_spectator(self, house: House) -> None:
        house.table("ann", "ben")
        sue = spectator(house, Watch("g1", nick="Sue"))
        sue.hears()
        peer = house.connects()
        peer.says(PlayerLogin("sue", CHESS))
        assert peer.hears() == [LoginResponse()]
        text = "nick 'sue' is that of a player now; choose another one with x-watch"
        assert sue.hears() == [Failed(Reason.DUPLICATE_USER, text)]
        assert house.broker.desk.names.spectators == {}
        sue.says(Watch("g1", nick="Sue"))
        assert [one.code for one in sue.hears() if isinstance(one, Failed)] == [Reason.DUPLICATE_USER]
        sue.says(Watch("g1", nick="susan"))
        assert sue.connection.peer.name == "susan"

    def test_a_spectator_takes_none_from_a_player_who_is_absent(self, house: House) -> None:
        house.table("ann", "ben")
        house.guest("sue", Family.SESSION).is_lost()
        sue = spectator(house)
        sue.says(Watch("g1", nick="sue"))
        (refused,) = sue.hears()
        assert isinstance(refused, Failed)
        assert refused.code is Reason.DUPLICATE_USER

    def test_players_can_talk_to_spectators_by_their_nicks(self, house: House) -> None:
        house.table("ann", "ben")
        sue = house.greets(Family.WATCH, Family.CHAT)
        sue.says(Watch("g1", nick="sue"))
        sue.hears()
        tom = house.guest("tom", Family.CHAT)
        tom.says(Say(("sue",), "", "hello"))
        assert sue.hears() == [Said("tom", ("sue",), "", "hello")]
        assert tom.hears() == [Ok()]
