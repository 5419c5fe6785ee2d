"""Taking a seat again that one has left: who may, when, and what becomes of the game."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.broker.diary import past_of
from tests.broker.house import House, Peer, move, over, thank, turn
from ugs.broker.effects import RecordBegin, RecordEntry
from ugs.broker.events import Started
from ugs.broker.extensions.rejoin import MAX_REJOINS
from ugs.broker.state.connection import PeerState
from ugs.broker.state.phases import Phase
from ugs.broker.values.record import EntryKind, departed
from ugs.broker.verdict import Cause, Outcome, Verdict
from ugs.wire.extensions import (
    Advertise,
    EventKind,
    Failed,
    Family,
    GameEvent,
    NewTable,
    Ok,
    PastLeft,
    PastMove,
    PastRejoined,
    RefusalReason,
    Rejoin,
    Rejoined,
    Resend,
    Restore,
    SeatState,
    View,
    Views,
    Visibility,
    Watch,
    WatchFrom,
    Watching,
)
from ugs.wire.messages import Error, LeaveGame, Logout, PlayerLeftGame

REJOIN, SESSION, RESTORE, LOBBY, STATE = (*(Family.REJOIN, Family.SESSION, Family.RESTORE, Family.LOBBY, Family.STATE),)
NICKS = ("ann", "ben", "cat")


def seated(house: House, *families: Family, nicks: tuple[str, ...] = NICKS) -> tuple[Peer, ...]:
    """A master with ``rejoin`` and a game g1 of these, who have it too and sessions; ben is to move."""
    players = [house.guest(nick, REJOIN, SESSION, STATE) for nick in nicks]
    master = house.leader("m", REJOIN, *families, players=(len(nicks), len(nicks)))
    master.says(turn("g1", "ben"))
    for peer in (master, *players):
        peer.hears()
    return master, *players


def refused(peer: Peer, game_id: str = "g1", token: str = "") -> tuple[RefusalReason, str]:
    """Why a player does not get its seat."""
    peer.says(Rejoin(game_id, token, "7"))
    failed = next(one for one in peer.hears() if isinstance(one, Failed))
    assert failed.ref == "7"
    return failed.code, failed.text.removeprefix("x-rejoin: ")


class TestTheSameLogin:
    """A player who has left and is still here."""

    def test_it_has_its_seat_again_and_hears_of_the_game_with_the_next_state(self, house: House) -> None:
        master, ann, ben, cat = seated(house)
        ann.says(LeaveGame("g1"))
        assert master.hears() == [PlayerLeftGame("ann", "g1")]
        ann.says(Rejoin("g1", ref="7"))
        assert ann.hears() == [Ok("7")]
        assert master.hears() == [Rejoined("g1", "ann")]
        assert (ben.hears(), cat.hears()) == ([], []), "ben has been asked already"
        assert house.game().phase is Phase.TURN
        ben.says(move("g1"))
        master.says(turn("g1", "ann"))
        assert ann.hears() == [turn("g1", "ann")]
        ann.says(move("g1"))
        master.hears()
        master.says(over("g1", "ann", losers=("ben", "cat")))
        thank("g1", ann, ben, cat)
        (result,) = house.results
        assert result.verdict == Verdict(Cause.FINISHED)
        assert [(seat.outcome, seat.departure) for seat in result.seats] == [
            (Outcome.WON, None), (Outcome.LOST, None), (Outcome.LOST, None),
        ]  # fmt: skip

    def test_its_first_state_is_its_own_where_hands_are_hidden(self, house: House) -> None:
        """The answer to a move that was under way crosses the return: it has no view for who was not there."""
        master, ann, ben, cat = seated(house, Family.VIEWS)
        own, public = View("ann", b"<gameState>ann's hand</gameState>"), View("", b"<gameState/>")
        master.says(Views("g1", ("ben",), (), (own, public)))
        ben.says(move("g1"))
        ann.says(LeaveGame("g1"))
        ann.says(Rejoin("g1"))
        for peer in (ann, ben, cat, master):
            peer.hears()
        master.says(Views("g1", ("cat",), (), (public,)))
        assert (ann.hears(), len(ben.hears()), len(cat.hears())) == ([], 1, 1)
        cat.says(move("g1"))
        master.says(Views("g1", ("ben",), (), (own, public)))
        assert ann.hears() == [turn("g1", "ben", own.payload)]
        ben.says(move("g1"))
        master.says(Views("g1", ("cat",), (), (public,)))
        assert ann.hears() == [turn("g1", "cat", public.payload)], "the master shows it what all see"

    @pytest.mark.parametrize("asked", [True, False])
    def test_a_state_that_asks_it_reaches_it_or_that_is_for_all(self, house: House, asked: bool) -> None:
        master, ann, ben, _cat = seated(house, Family.VIEWS)
        own, public = View("ann", b"<gameState>ann's hand</gameState>"), View("", b"<gameState/>")
        if asked:
            master.says(Views("g1", ("ben",), (), (own, public)))
        ben.says(move("g1"))
        ann.says(LeaveGame("g1"))
        ann.says(Rejoin("g1"))
        ann.hears()
        nick = "ann" if asked else "cat"
        master.says(Views("g1", (nick,), (), (public,)))
        assert ann.hears() == [turn("g1", nick, public.payload)]

    def test_until_then_there_is_nothing_to_send_again_where_hands_are_hidden(self, house: House) -> None:
        """What it was shown before it left is old and may ask it for a move; what all were shown lacks its hand."""
        master, ann, ben, _cat = seated(house, Family.VIEWS)
        own, public = View("ann", b"<gameState>ann's hand</gameState>"), View("", b"<gameState/>")
        ben.says(move("g1"))
        master.says(Views("g1", ("ann",), (), (own, public)))
        ann.says(LeaveGame("g1"))
        master.says(Views("g1", ("ben",), (), (public,)))
        ann.says(Rejoin("g1"))
        ann.hears()
        ann.says(Resend("g1", "8"))
        (failed,) = ann.hears()
        text = "x-resend: gameId id 'g1': there is no state yet for you, since you have your seat again"
        assert failed == Failed(RefusalReason.INVALID_GAME, text, ref="8")
        ben.says(move("g1"))
        master.says(Views("g1", ("ben",), (), (own, public)))
        assert ann.hears() == [turn("g1", "ben", own.payload)]
        ann.says(Resend("g1", "9"))
        assert ann.hears() == [turn("g1", "ben", own.payload)]

    def test_what_all_see_is_sent_again_at_once(self, house: House) -> None:
        master, ann, ben, _cat = seated(house, Family.VIEWS, Family.MOVERS)
        public = View("", b"<gameState/>")
        ben.says(move("g1"))
        master.says(Views("g1", ("ann", "ben"), (), (public,)))
        ann.says(LeaveGame("g1"))
        ben.says(move("g1"))
        master.says(Views("g1", ("cat",), (), (View("", b"<gameState>now</gameState>"),)))
        ann.says(Rejoin("g1"))
        ann.hears()
        ann.says(Resend("g1", "8"))
        assert ann.hears() == [turn("g1", "cat", b"<gameState>now</gameState>")]

    def test_the_end_reaches_it_whatever_it_was_shown(self, house: House) -> None:
        master, ann, ben, cat = seated(house, Family.VIEWS)
        own, public = View("ann", b"<gameState>ann's hand</gameState>"), View("", b"<gameState/>")
        ben.says(move("g1"))
        master.says(Views("g1", ("ben",), (), (own, public)))
        ann.says(LeaveGame("g1"))
        ann.says(Rejoin("g1"))
        for peer in (ann, ben, cat):
            peer.hears()
        ben.says(move("g1"))
        master.says(over("g1", "ben", losers=("ann", "cat")))
        assert [len(peer.hears()) for peer in (ann, ben, cat)] == [1, 1, 1]

    def test_that_is_written_down(self, house: House) -> None:
        _master, ann, _ben, _cat = seated(house)
        ann.says(LeaveGame("g1"))
        assert departed(house.entries()) == {0: "left"}
        ann.says(Rejoin("g1"))
        assert house.entries()[-1] == RecordEntry("g1", EntryKind.REJOINED, 0)
        assert departed(house.entries()) == {}

    def test_it_waits_for_open_play_no_more(self, house: House) -> None:
        _master, ann, _ben, _cat = seated(house)
        ann.says(LeaveGame("g1"))
        game_type = ann.player.type
        assert ann.conn in game_type.waiting
        ann.says(Rejoin("g1"))
        assert ann.state is PeerState.PLAYING
        assert ann.conn not in game_type.waiting
        assert ann.player not in game_type.idle

    def test_also_when_its_time_was_over(self) -> None:
        house = House(move_timeout_s=5)
        master, _ann, ben, _cat = seated(house)
        house.passes(6)
        assert ben.hears() == [Error("no move within 5 s: game g1 is lost")]
        ben.says(Rejoin("g1"))
        assert ben.hears() == [Ok()]
        assert master.hears() == [PlayerLeftGame("ben", "g1"), Rejoined("g1", "ben")]
        assert house.game().phase is Phase.ANSWER
        master.says(turn("g1", "ben"))
        assert ben.hears() == [turn("g1", "ben")]

    def test_it_may_leave_again_and_has_lost_then(self, house: House) -> None:
        _master, ann, ben, cat = seated(house)
        for _ in range(2):
            ann.says(LeaveGame("g1"))
            ann.says(Rejoin("g1"))
            assert Ok() in ann.hears()
        ann.says(LeaveGame("g1"))
        ben.says(LeaveGame("g1"))
        cat.says(LeaveGame("g1"))
        (result,) = house.results
        assert {seat.departure for seat in result.seats} == {Cause.LEFT}

    def test_it_may_not_come_and_go_for_ever(self) -> None:
        house = House()
        master, ann, _ben, _cat = seated(house)
        for _ in range(MAX_REJOINS):
            ann.says(LeaveGame("g1"))
            ann.says(Rejoin("g1"))
        ann.says(LeaveGame("g1"))
        assert len(master.hears()) == 2 * MAX_REJOINS + 1
        why = f"gameId id 'g1': you have come back {MAX_REJOINS} times already"
        assert refused(ann) == (RefusalReason.RATE_LIMIT, why)
        assert master.hears() == []

    def test_requests_have_an_allowance(self) -> None:
        house = House(list_burst=1)
        _master, ann, _ben, _cat = seated(house)
        ann.says(LeaveGame("g1"))
        ann.hears()
        codes = [refused(ann, "nope")[0] for _ in range(100)]
        assert (codes[0], codes[-1]) == (RefusalReason.INVALID_GAME, RefusalReason.RATE_LIMIT)
        assert codes.index(RefusalReason.RATE_LIMIT) < 30

    def test_spectators_hear_of_it(self, house: House) -> None:
        _master, ann, _ben, _cat = seated(house)
        watcher = house.greets(Family.WATCH)
        watcher.says(Watch("g1", begin=WatchFrom.NOW))
        watcher.hears()
        ann.says(LeaveGame("g1"))
        ann.says(Rejoin("g1"))
        *_, left, back = [one for one in watcher.hears() if isinstance(one, GameEvent)]
        assert (left.what, left.nick, back.what, back.nick) == (EventKind.LEFT, "ann", EventKind.REJOINED, "ann")
        late = house.greets(Family.WATCH)
        late.says(Watch("g1"))
        (watching,) = [one for one in late.hears() if isinstance(one, Watching)]
        assert {seat.state for seat in watching.seats} == {SeatState.PLAYING}


class TestAnotherLogin:
    """A nick alone proves nothing."""

    @pytest.fixture
    def house(self) -> House:
        return House(session_grace_s=10)

    def gone(self, house: House) -> tuple[Peer, Peer]:
        """A game that ann has left, whose session is over; the master, and ann as she was."""
        master, ann, _ben, _cat = seated(house)
        ann.is_lost()
        house.passes(11)
        assert master.hears() == [PlayerLeftGame("ann", "g1")]
        return master, ann

    def test_the_token_of_the_session_that_is_over_proves_it(self, house: House) -> None:
        master, ann = self.gone(house)
        again = house.guest("ann", REJOIN)
        again.says(Rejoin("g1", ann.token))
        assert again.hears() == [Ok()]
        assert master.hears() == [Rejoined("g1", "ann")]
        assert house.game().present["ann"] is again.player

    def test_without_it_somebody_else_may_have_taken_the_nick(self, house: House) -> None:
        master, _ann = self.gone(house)
        other = house.guest("ann", REJOIN, SESSION)
        why = "session token: that of the session that left this seat is needed"
        for token in ("", "guessed", other.token):
            assert refused(other, token=token) == (RefusalReason.INVALID_PLAYER, why)
        assert master.hears() == []

    def test_the_token_of_another_player_is_of_no_use(self, house: House) -> None:
        _master, _ann = self.gone(house)
        bad = house.guest("bad", REJOIN, SESSION, game_type="other")
        bad.says(Logout())
        other = house.guest("ann", REJOIN)
        assert refused(other, token=bad.token)[0] is RefusalReason.INVALID_PLAYER

    def test_a_good_bye_can_be_taken_back(self, house: House) -> None:
        master, ann, _ben, _cat = seated(house)
        ann.says(Logout())
        master.hears()
        again = house.guest("ann", REJOIN)
        again.says(Rejoin("g1", ann.token))
        assert master.hears() == [Rejoined("g1", "ann")]


class TestRefusals:
    """Each names what is wrong, and changes nothing."""

    def test_of_a_game_that_was_not_left_or_does_not_run(self, house: House) -> None:
        _master, _ann, _ben, _cat = seated(house)
        stranger = house.guest("dan", REJOIN)
        for game_id in ("g1", "g9"):
            why = f"gameId id {game_id!r}: no running game that you have left"
            assert refused(stranger, game_id) == (RefusalReason.INVALID_GAME, why)

    def test_of_a_player_of_another_game_type(self, house: House) -> None:
        _master, ann, _ben, _cat = seated(house)
        ann.says(Logout())
        other = house.guest("ann", REJOIN, game_type="other")
        assert refused(other, token=ann.token)[0] is RefusalReason.INVALID_GAME

    def test_of_a_player_in_a_game(self, house: House) -> None:
        _master, ann, _ben, _cat = seated(house)
        assert refused(ann) == (RefusalReason.INVALID_PLAYER, "you are in a game")

    def test_of_a_player_at_a_table(self, house: House) -> None:
        master, *_ = seated(house, Family.TABLE)
        dan = house.guest("dan", REJOIN, LOBBY)
        dan.says(Advertise(NewTable("Friday", 3, Visibility.PUBLIC, 0, (), ())))
        assert dan.player.table is not None
        dan.hears()
        assert refused(dan) == (RefusalReason.ALREADY_PLAYING, "you sit at a table; leave it first")
        assert master.hears() == []

    def test_of_a_player_whom_the_master_has_taken_out(self, house: House) -> None:
        master, ann, _ben, _cat = seated(house)
        master.says(PlayerLeftGame("ann", "g1"))
        ann.hears()
        assert refused(ann) == (RefusalReason.INVALID_GAME, "gameId id 'g1': you were taken out: removed")

    def test_by_a_master_that_gives_no_seat_back(self, house: House) -> None:
        ann, *_ = [house.guest(nick, REJOIN) for nick in NICKS]
        master = house.master(players=(3, 3))
        master.says(turn("g1", "ben"))
        ann.says(LeaveGame("g1"))
        ann.hears()
        assert refused(ann) == (RefusalReason.NO_MASTER, "gameId id 'g1': its game master gives no seat back")

    def test_while_the_last_player_waits_for_the_end(self, house: House) -> None:
        _master, ann, _ben = seated(house, nicks=("ann", "ben"))
        ann.says(LeaveGame("g1"))
        ann.hears()
        assert refused(ann) == (
            RefusalReason.INVALID_GAME,
            "gameId id 'g1': no player can come back now, the game is alone",
        )

    def test_while_the_master_is_away(self) -> None:
        house = House(master_grace_s=20)
        master, ann, _ben, _cat = seated(house, RESTORE)
        ann.says(LeaveGame("g1"))
        ann.hears()
        master.is_lost()
        assert refused(ann)[1].endswith("the game is away")

    def test_in_a_championship(self) -> None:
        house = House(game_types={"chess": {"mode": "championship", "championship_players": 3}})
        _master, ann, _ben, _cat = seated(house)
        ann.says(LeaveGame("g1"))
        ann.hears()
        why = "gameId id 'g1': a player who leaves a championship game has lost it"
        assert refused(ann) == (RefusalReason.INVALID_GAME, why)


class TestASuccessor:
    """Another master makes everything happen again, returns too."""

    def past(self, house: House) -> Callable[..., Restore]:
        (begin,) = [one for one in house.records if isinstance(one, RecordBegin)]

        def restored(*happened: PastMove | PastLeft | PastRejoined) -> Restore:
            return Restore("g1", NICKS, (), 0, begin.seed, happened)

        return restored

    def test_it_is_told_of_them(self) -> None:
        house = House(master_grace_s=20, masters_per_game=3)
        master, ann, _ben, _cat = seated(house, RESTORE)
        cannot = house.leader("old", RESTORE, players=(3, 3))
        can = house.leader("new", RESTORE, REJOIN, players=(3, 3))
        ann.says(LeaveGame("g1"))
        ann.says(Rejoin("g1"))
        master.is_lost()
        assert cannot.hears() == []
        assert can.hears() == [self.past(house)(PastLeft("ann", "left"), PastRejoined("ann"))]

    def test_so_is_one_after_a_restart_of_the_server(self) -> None:
        house = House(master_grace_s=20)
        _master, ann, ben, _cat = seated(house, RESTORE)
        ann.says(LeaveGame("g1"))
        ann.says(Rejoin("g1"))
        ben.says(move("g1", b"<move>1</move>"))
        again = house.again()
        assert list(again.game().present) == list(NICKS)
        assert again.game().departures == {}
        master = again.leader("new", RESTORE, REJOIN, players=(3, 3))
        happened = PastLeft("ann", "left"), PastRejoined("ann"), PastMove("ben", b"<move>1</move>")
        assert master.hears() == [self.past(house)(*happened)]
        back = again.returns(ann.token, REJOIN, SESSION)
        master.says(turn("g1", "ann"))
        assert turn("g1", "ann") in back.hears()

    def test_after_a_restart_those_are_known_to_have_left_whose_sessions_go_on(self) -> None:
        house = House(master_grace_s=20)
        _master, ann, ben, _cat = seated(house, RESTORE)
        ann.says(LeaveGame("g1"))
        ben.says(Logout())
        again = house.again()
        master = again.leader("new", RESTORE, REJOIN, players=(3, 3))
        master.says(turn("g1", "cat"))
        back = again.returns(ann.token, REJOIN, SESSION)
        back.says(Rejoin("g1"))
        assert Ok() in back.hears()
        assert Rejoined("g1", "ann") in master.hears()
        assert refused(again.guest("ben", REJOIN, SESSION))[0] is RefusalReason.INVALID_PLAYER

    def test_who_has_logged_in_since_under_that_nick_is_somebody_else_after_a_restart_too(self) -> None:
        house = House(master_grace_s=20)
        _master, ann, _ben, _cat = seated(house, RESTORE)
        ann.says(Logout())
        other = house.guest("ann", REJOIN, SESSION)
        past = past_of(house.past, [effect for step in house.diary for effect in step])
        games = tuple(replace(game, began_s_ago=1.0) for game in past.games)  # the diary knows no times
        again = House(past=replace(past, games=games), first_game=2, master_grace_s=20)
        again.happens(Started())
        again.leader("new", RESTORE, REJOIN, players=(3, 3)).says(turn("g1", "ben"))
        assert refused(again.returns(other.token, REJOIN, SESSION))[0] is RefusalReason.INVALID_PLAYER
