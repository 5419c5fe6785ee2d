"""Several players may move at the same time: the master gets their moves one at a time, each with its player."""

import pytest

from tests.broker.house import House, Peer, over, turn
from tests.broker.house import move as moves
from ugs.broker.effects import RecordEntry, Send
from ugs.broker.state.connection import PeerState
from ugs.broker.state.phases import Phase
from ugs.broker.values.record import EntryKind
from ugs.broker.verdict import Cause, Outcome, Verdict
from ugs.wire.extensions import Family, Moved, View, Views
from ugs.wire.messages import BeginGame, Error, LeaveGame, Move, PlayerLeftGame

NICKS = ("ann", "ben", "cat")
MOVE = b"<move/>"
NEWS, STALE = b"<gameState>news</gameState>", b"<gameState>before</gameState>"


def asks(*nicks: str, body: bytes = b"<gameState/>") -> Views:
    """A master says who may move."""
    return Views("g1", nicks, (), (View("", body),))


def game(house: House, *asked: str, families: tuple[Family, ...] = (Family.MOVERS,)) -> tuple[Peer, ...]:
    """A game of three in which these have been asked to move."""
    players = house.players(*NICKS)
    master = house.leader("m", *families, players=(3, 3))
    master.says(asks(*asked, body=STALE))
    for peer in (master, *players):
        peer.hears()
    return master, *players


def moved(nick: str, body: bytes = MOVE) -> Moved:
    """The master hears of a move."""
    return Moved("g1", nick, body)


class TestAsking:
    """Players get a state of v4, which names one of the movers."""

    def test_each_who_may_move_is_named_to_itself_and_the_others_hear_the_first(self, house: House) -> None:
        players = house.players(*NICKS)
        house.leader("m", Family.MOVERS, players=(3, 3)).says(asks("ben", "cat", body=NEWS))
        named = ["ben", "ben", "cat"]
        assert [peer.hears() for peer in players] == [[turn("g1", nick, NEWS)] for nick in named]

    def test_all_of_them_are_recorded(self, house: House) -> None:
        game(house, "ben", "cat")
        assert house.entries()[-1] == RecordEntry("g1", EntryKind.STATE, 1, 0b111, "1 2", STALE)

    def test_one_alone_is_as_ever(self, house: House) -> None:
        master, ann, _ben, _cat = game(house, "ann")
        assert house.entries()[-1] == RecordEntry("g1", EntryKind.STATE, 0, 0b111, "", STALE)
        ann.says(moves("g1"))
        assert master.hears() == [moved("ann")]


class TestMoves:
    """The master gets moves one at a time."""

    def test_the_first_goes_to_the_master_with_the_nick(self, house: House) -> None:
        master, _ann, ben, _cat = game(house, *NICKS)
        ben.says(moves("g1", b"<move>b</move>"))
        assert master.hears() == [moved("ben", b"<move>b</move>")]
        assert house.game().phase is Phase.ANSWER

    def test_the_next_waits_until_the_master_has_answered(self, house: House) -> None:
        master, ann, ben, cat = game(house, *NICKS)
        ben.says(moves("g1"))
        cat.says(moves("g1"))
        ann.says(moves("g1"))
        assert master.hears() == [moved("ben")]
        master.says(asks(*NICKS))
        assert master.hears() == [moved("cat")]
        master.says(asks(*NICKS))
        assert master.hears() == [moved("ann")]
        assert house.game().history.moves == 3

    def test_only_then_it_is_recorded(self, house: House) -> None:
        master, _ann, ben, cat = game(house, *NICKS)
        ben.says(moves("g1"))
        cat.says(moves("g1"))
        assert [one.seat for one in house.entries() if one.kind is EntryKind.MOVE] == [1]
        master.says(asks("ann", "cat"))
        assert [one.seat for one in house.entries() if one.kind is EntryKind.MOVE] == [1, 2]

    def test_nobody_moves_twice(self, house: House) -> None:
        _master, _ann, ben, cat = game(house, *NICKS)
        for peer in (ben, cat):
            peer.says(moves("g1"))
            peer.says(moves("g1"))
            assert "not your turn" in peer.hears_error()

    def test_a_player_who_was_not_asked_cannot_move(self, house: House) -> None:
        master, ann, _ben, _cat = game(house, "ben", "cat")
        ann.says(moves("g1"))
        assert "not your turn" in ann.hears_error()
        assert master.hears() == []

    def test_a_master_that_hears_ordinary_moves_gets_those(self, house: House) -> None:
        players = house.players("ann", "ben")
        master = house.leader("m", Family.VIEWS)
        master.says(asks("ann"))
        players[0].says(moves("g1"))
        assert [type(one) for one in master.hears()] == [BeginGame, Move]


class TestTheNextState:
    """The next state does not go to players who were asked before and have not moved."""

    def test_those_are_left_in_peace(self, house: House) -> None:
        master, ann, ben, cat = game(house, *NICKS)
        ben.says(moves("g1"))
        effects = master.says(asks(*NICKS, body=NEWS))
        assert ben.hears() == [turn("g1", "ben", NEWS)]
        assert ann.hears() == cat.hears() == []
        assert [effect.to for effect in effects if isinstance(effect, Send)] == [(ben.conn,)]
        assert house.entries()[-1] == RecordEntry("g1", EntryKind.STATE, 0, 0b010, "0 1 2", NEWS)

    def test_players_whose_moves_are_held_back_get_no_state_either(self, house: House) -> None:
        master, ann, ben, cat = game(house, *NICKS)
        for peer in (ben, cat):
            peer.says(moves("g1"))
        master.says(asks(*NICKS, body=NEWS))
        assert (ann.hears(), cat.hears()) == ([], [])
        assert ben.hears() == [turn("g1", "ben", NEWS)]

    def test_a_player_who_need_not_move_any_more_gets_the_state_like_the_others(self, house: House) -> None:
        master, ann, ben, cat = game(house, *NICKS)
        ben.says(moves("g1"))
        master.says(asks("ann", body=NEWS))
        assert ann.hears() == [], "ann has been asked already"
        assert ben.hears() == cat.hears() == [turn("g1", "ann", NEWS)]
        cat.says(moves("g1"))
        assert (cat.hears(), master.hears()) == ([], [moved("ben")]), "it may have been on its way"
        cat.says(moves("g1"))
        assert "not your turn" in cat.hears_error(), "one, and no more"

    def test_who_is_asked_again_has_no_move_on_its_way(self, house: House) -> None:
        master, ann, ben, cat = game(house, *NICKS)
        ben.says(moves("g1"))
        master.says(asks("ann"))
        ann.says(moves("g1"))
        master.says(asks("cat"))
        cat.says(moves("g1"))
        cat.hears()
        cat.says(moves("g1"))
        assert "not your turn" in cat.hears_error()

    def test_a_held_back_move_of_a_player_not_asked_any_more_is_dropped_silently(self, house: House) -> None:
        master, _ann, ben, cat = game(house, *NICKS)
        ben.says(moves("g1"))
        cat.says(moves("g1"))
        master.hears()
        master.says(asks("ann", body=NEWS))
        assert cat.hears() == [turn("g1", "ann", NEWS)]
        assert master.hears() == []

    def test_the_end_makes_held_moves_void(self, house: House) -> None:
        master, ann, ben, cat = game(house, *NICKS)
        ben.says(moves("g1"))
        cat.says(moves("g1"))
        master.says(over("g1", "ben", losers=("ann", "cat")))
        assert all(peer.hears() == [over("g1", "ben", losers=("ann", "cat"))] for peer in (ann, ben, cat))
        assert house.results[0].moves == 1

    def test_it_may_come_without_a_move(self, house: House) -> None:
        master, ann, ben, cat = game(house, "ann", "ben")
        master.says(asks("ann", "ben", "cat", body=NEWS))
        assert (ann.hears(), ben.hears(), cat.hears()) == ([], [], [turn("g1", "cat", NEWS)])
        master.says(asks("ann", "ben", "cat", body=NEWS))
        assert [peer.hears() for peer in (ann, ben, cat)] == [[], [], []]

    def test_an_ordinary_state_of_such_a_master_spares_them_as_well(self, house: House) -> None:
        master, ann, ben, cat = game(house, "ann", "ben")
        master.says(turn("g1", "ann", NEWS))
        assert ann.hears() == []
        assert ben.hears() == cat.hears() == [turn("g1", "ann", NEWS)]


class TestClocks:
    """Each mover has its own deadline."""

    def test_the_game_waits_for_the_first(self, house: House) -> None:
        master, ann, _ben, cat = game(house, "ann", "ben")
        house.passes(10)
        ann.says(moves("g1"))
        assert house.clock() == 30, "now the master has to answer"
        master.says(asks("ann", "ben"))
        assert house.clock() == 20, "ben was asked ten seconds ago"
        assert cat.state is PeerState.PLAYING

    def test_a_player_who_is_too_slow_is_out_and_the_others_go_on(self, house: House) -> None:
        master, ann, ben, _cat = game(house, "ann", "ben")
        house.passes(10)
        ann.says(moves("g1"))
        master.says(asks("ann", "ben"))
        master.hears()
        house.passes(20)
        assert ben.hears() == [Error("no move within 30 s: game g1 is lost")]
        assert master.hears() == [PlayerLeftGame("ben", "g1")]
        assert house.game().departures == {"ben": Cause.TIMEOUT}
        assert house.clock() == 10
        ann.says(moves("g1"))
        assert master.hears() == [moved("ann")]

    def test_all_who_are_too_slow_are_out_at_once(self, house: House) -> None:
        master, *players = game(house, "ann", "ben")
        house.passes(30)
        assert master.hears() == [PlayerLeftGame("ann", "g1"), PlayerLeftGame("ben", "g1")]
        assert [peer.state for peer in players] == [PeerState.IDLE, PeerState.IDLE, PeerState.PLAYING]
        assert house.game().phase is Phase.ALONE

    def test_even_if_they_are_all_there_are(self, house: House) -> None:
        game(house, *NICKS)
        house.passes(30)
        (result,) = house.results
        assert result.verdict == Verdict(Cause.TIMEOUT, "cat", by_server=True)
        assert [seat.outcome for seat in result.seats] == [Outcome.LOST] * 3

    def test_when_the_server_ends_a_game_after_a_departure_the_others_are_not_too_slow(self) -> None:
        house = House(quiet_master=True)
        game(house, *NICKS)
        house.passes(30)
        assert [seat.departure for seat in house.results[0].seats] == [Cause.TIMEOUT, None, None]

    def test_while_the_master_owes_an_answer_nobody_is_too_slow(self, house: House) -> None:
        master, ann, ben, _cat = game(house, "ann", "ben")
        house.passes(25)
        ann.says(moves("g1"))
        house.passes(20)
        assert ben.state is PeerState.PLAYING
        ben.says(moves("g1"))
        master.says(asks("ann", "ben"))
        assert master.hears() == [moved("ann"), moved("ben")]

    def test_but_when_it_has_answered(self, house: House) -> None:
        master, ann, ben, _cat = game(house, "ann", "ben")
        house.passes(25)
        ann.says(moves("g1"))
        house.passes(20)
        master.says(asks("ann", "ben"))
        house.passes(0)
        assert house.game().departures == {"ben": Cause.TIMEOUT}
        assert isinstance(ben.hears()[-1], Error)

    def test_a_player_who_was_asked_alone_and_then_with_others_has_its_time(self, house: House) -> None:
        players = house.players(*NICKS)
        master = house.leader("m", Family.MOVERS, players=(3, 3))
        master.says(turn("g1", "ann"))
        house.passes(10)
        master.says(asks("ann", "ben"))
        assert house.clock() == 20
        house.passes(20)
        assert house.game().departures == {"ann": Cause.TIMEOUT}
        assert house.clock() == 10
        assert players[1].state is PeerState.PLAYING


class TestLeaving:
    """One of several movers leaves."""

    def test_the_others_go_on(self, house: House) -> None:
        master, ann, ben, _cat = game(house, "ann", "ben")
        ben.says(LeaveGame("g1"))
        assert house.game().phase is Phase.TURN
        ann.says(moves("g1"))
        assert master.hears() == [PlayerLeftGame("ben", "g1"), moved("ann")]

    def test_the_last_who_may_move_leaves_it_to_the_master(self, house: House) -> None:
        master, ann, ben, _cat = game(house, "ann", "ben")
        ben.says(LeaveGame("g1"))
        ann.says(LeaveGame("g1"))
        assert house.game().phase is Phase.ALONE
        master.says(over("g1", "cat"))
        assert house.rows()["cat"] == (1, 0, 0)

    def test_a_move_that_is_held_back_goes_with_its_player(self, house: House) -> None:
        master, ann, ben, _cat = game(house, *NICKS)
        ann.says(moves("g1"))
        ben.says(moves("g1"))
        ben.says(LeaveGame("g1"))
        master.says(asks("cat"))
        assert master.hears() == [moved("ann"), PlayerLeftGame("ben", "g1")]

    def test_a_held_back_move_of_the_last_player_left_still_counts(self, house: House) -> None:
        master, ann, ben, cat = game(house, "ann", "ben")
        ann.says(moves("g1"))
        ben.says(moves("g1"))
        for peer in (ann, cat):
            peer.says(LeaveGame("g1"))
        assert house.game().phase is Phase.ALONE
        master.hears()
        master.says(asks("ben"))
        assert master.hears() == [moved("ben")]

    @pytest.mark.parametrize("leaver", [1, 2])
    def test_while_the_master_owes_an_answer_it_still_does(self, house: House, leaver: int) -> None:
        master, *players = game(house, "ann", "ben")
        players[0].says(moves("g1"))
        house.passes(10)
        players[leaver].says(LeaveGame("g1"))
        assert house.game().phase is Phase.ANSWER
        master.says(asks("ann"))
        assert players[0].hears() == [turn("g1", "ann")]
