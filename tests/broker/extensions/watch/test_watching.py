"""Watching: which peers may watch, what they are told of a game and when; players notice nothing."""

from typing import Any

import pytest

from tests.broker.extensions.watch.spectators import BEGIN, SEATS, body, event, numbers, play, refusal, shown, spectator
from tests.broker.house import CHESS, House, Peer, move, over, thank, turn
from ugs.broker.effects import Publish, RecordBegin, RecordEntry, RecordSession, Subscribe, Unsubscribe
from ugs.broker.events import Started, TimerKind
from ugs.broker.extensions.watch.stand import PIECE_EVENTS, STAND
from ugs.broker.past import Past, PastGame
from ugs.broker.state.connection import PeerState
from ugs.broker.state.session_tokens import digest_of
from ugs.broker.values.record import EntryKind
from ugs.wire.extensions import (
    Account,
    Advertise,
    EventKind,
    Family,
    GameEvent,
    Label,
    Labels,
    ListGames,
    NewTable,
    OfferedOption,
    Ok,
    RefusalReason,
    RunningGames,
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
    Watching,
)
from ugs.wire.messages import Choice, LeaveGame, Logout, PlayerResult, Result, ServerShutdown


class TestALostMaster:
    """A spectator saw a game stand still, and not why."""

    LOST = Account(
        "the game master has lost its line; the game waits for it, or another one, for 20 s; no clock runs", "g1"
    )

    def test_who_reads_reasons_is_sent_that_it_is_lost_and_that_the_game_goes_on(self) -> None:
        house = House(master_grace_s=20, masters_per_game=2)
        master, _ann, _ben = house.table("ann", "ben", families=(Family.RESTORE,))
        sue, tom = spectator(house, Watch("g1"), Family.REASON), spectator(house, Watch("g1"))
        all_of_type = spectator(house, Watch(game_type=CHESS, delay_s=30), Family.REASON)
        for peer in (sue, tom, all_of_type):
            peer.hears()
        master.is_lost()
        assert (sue.hears(), tom.hears(), all_of_type.hears()) == ([self.LOST], [], [self.LOST])
        for late in (Watch("g1"), Watch(game_type=CHESS)):
            assert spectator(house, late, Family.REASON).hears()[-1] == self.LOST
        other = house.leader("other", Family.RESTORE)
        other.says(turn("g1", "ann"))
        assert sue.hears() == [Account("the game goes on: other has taken it over", "g1")]
        again = spectator(house, Watch("g1"), Family.REASON)
        assert not [one for one in again.hears() if isinstance(one, Account)]


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

    def test_of_two_delays_of_a_game_the_other_stays(self, house: House) -> None:
        master, ann, ben = house.table("ann", "ben")
        sue, tom = spectator(house, Watch("g1", delay_s=5)), spectator(house, Watch("g1", delay_s=60))
        sue.says(Unwatch())
        play(house, master, ann, ben, moves=1)
        tom.hears()
        house.passes(60)
        assert numbers(tom.hears()) == [1, 2, 3, 4]

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
        assert refusal(sue) is RefusalReason.INVALID_PLAYER

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
        assert STAND.of(house.broker.server).following == {}
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
