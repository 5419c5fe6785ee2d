"""Views: a master shows each player a state of its own, and players still hear ordinary states of v4."""

import pytest

from tests.broker.house import House, Peer, thank, turn
from tests.broker.house import move as moves
from ugs.broker.effects import RecordEntry, RecordResult, Send
from ugs.broker.state.game_state import NOTHING
from ugs.broker.values.record import EntryKind
from ugs.broker.verdict import Cause, Outcome, Verdict
from ugs.wire.extensions import Family, Resend, View, Views
from ugs.wire.messages import GameState, LeaveGame, PlayerResult, Result

NICKS = ("ann", "ben", "cat")
ANN, BEN, ALL = b"<gameState>ann's hand</gameState>", b"<gameState>ben's hand</gameState>", b"<gameState/>"
VIEW, STATE, OVER, VERDICT = EntryKind.VIEW, EntryKind.STATE, EntryKind.OVER, EntryKind.VERDICT


def shown(nick: str, *views: tuple[str, bytes], game_id: str = "g1") -> Views:
    """A master says whose turn it is, and what each sees."""
    return Views(game_id, (nick,), (), tuple(View(*view) for view in views))


def ended(winner: str, *views: tuple[str, bytes], losers: tuple[str, ...]) -> Views:
    """A master says who won, and what each sees of the end."""
    results = [PlayerResult(winner, Result.WINNER), *(PlayerResult(nick, Result.LOSER) for nick in losers)]
    return Views("g1", (), tuple(results), tuple(View(*view) for view in views))


def game(house: House, *nicks: str) -> tuple[Peer, ...]:
    """A game of these, led by a master that may show views; nothing has been told yet."""
    players = house.players(*nicks)
    master = house.leader("m", Family.VIEWS, players=(len(nicks), len(nicks)))
    for peer in (master, *players):
        peer.hears()
    return master, *players


class TestEachPlayer:
    """Each player gets its own view as an ordinary state."""

    def test_each_player_gets_its_own_view_or_the_public_one(self, house: House) -> None:
        master, ann, ben, cat = game(house, *NICKS)
        master.says(shown("ann", ("ann", ANN), ("ben", BEN), ("", ALL)))
        assert ann.hears() == [turn("g1", "ann", ANN)]
        assert ben.hears() == [turn("g1", "ann", BEN)]
        assert cat.hears() == [turn("g1", "ann", ALL)]
        assert master.hears() == []

    def test_without_a_public_view_an_empty_state(self, house: House) -> None:
        master, _ann, ben = game(house, "ann", "ben")
        master.says(shown("ann", ("ann", ANN)))
        assert ben.hears() == [turn("g1", "ann", NOTHING)]

    def test_those_who_see_the_same_get_the_same_message(self, house: House) -> None:
        master, ann, ben, cat = game(house, *NICKS)
        effects = master.says(shown("ann", ("ann", ANN), ("", ALL)))
        sent = [effect for effect in effects if isinstance(effect, Send)]
        assert sent == [Send((ann.conn,), turn("g1", "ann", ANN)), Send((ben.conn, cat.conn), turn("g1", "ann", ALL))]

    def test_moves_and_clocks_are_as_ever(self, house: House) -> None:
        master, ann, ben = game(house, "ann", "ben")
        master.says(shown("ann", ("ann", ANN)))
        assert (house.clock(), house.waits_for_writer[house.game().clock]) == (30, ann.conn)
        ben.says(moves("g1"))
        assert "not your turn" in ben.mail[-1].text  # type: ignore[union-attr]
        ann.says(moves("g1"))
        assert master.hears() == [moves("g1")]
        assert house.clock() == 30

    def test_the_end_may_be_shown_to_each_as_well(self, house: House) -> None:
        master, ann, ben, cat = game(house, *NICKS)
        end = ended("ann", ("ann", ANN), ("", ALL), losers=("ben", "cat"))
        master.says(end)
        assert ann.hears() == [GameState("g1", None, end.game_over, ANN)]
        assert ben.hears() == cat.hears() == [GameState("g1", None, end.game_over, ALL)]
        thank("g1", ann, ben, cat)
        (result,) = house.results
        assert result.verdict == Verdict(Cause.FINISHED)
        assert [seat.outcome for seat in result.seats] == [Outcome.WON, Outcome.LOST, Outcome.LOST]

    def test_ordinary_states_may_come_in_between(self, house: House) -> None:
        master, ann, ben = game(house, "ann", "ben")
        for state in (turn("g1", "ben", ALL), turn("g1", "ann", ALL)):
            master.says(shown("ann", ("ann", ANN), ("ben", BEN)))
            assert (ann.hears(), ben.hears()) == ([turn("g1", "ann", ANN)], [turn("g1", "ann", BEN)])
            master.says(state)
            assert ann.hears() == ben.hears() == [state]

    def test_the_last_one_is_sent_again_on_request(self, house: House) -> None:
        ann, ben = house.guest("ann", Family.STATE), house.guest("ben", Family.STATE)
        master = house.leader("m", Family.VIEWS)
        master.says(shown("ann", ("ann", ANN), ("", ALL)))
        for peer, body in ((ann, ANN), (ben, ALL)):
            peer.hears()
            peer.says(Resend("g1"))
            assert peer.hears() == [turn("g1", "ann", body)]
        master.says(turn("g1", "ben", ALL))
        ann.hears()
        ann.says(Resend("g1"))
        assert ann.hears() == [turn("g1", "ben", ALL)]


class TestTheRecord:
    """The record has every view before a player gets it."""

    def test_views_come_before_the_state_for_the_others(self, house: House) -> None:
        master, *_players = game(house, *NICKS)
        effects = master.says(shown("ben", ("ann", ANN), ("ben", BEN), ("", ALL)))
        assert house.entries()[1:] == [
            RecordEntry("g1", VIEW, None, 0b001, "", ANN),
            RecordEntry("g1", VIEW, None, 0b010, "", BEN),
            RecordEntry("g1", STATE, 1, 0b100, "", ALL),
        ]
        kinds = [type(effect) for effect in effects if isinstance(effect, RecordEntry | Send)]
        assert kinds == [RecordEntry] * 3 + [Send] * 3

    def test_equal_views_are_one(self, house: House) -> None:
        master, *_players = game(house, *NICKS)
        master.says(shown("ben", ("ann", ANN), ("cat", ANN)))
        assert house.entries()[1:] == [
            RecordEntry("g1", VIEW, None, 0b101, "", ANN),
            RecordEntry("g1", STATE, 1, 0b010, "", NOTHING),
        ]

    def test_also_those_of_the_end(self, house: House) -> None:
        master, *_players = game(house, "ann", "ben")
        effects = master.says(ended("ann", ("ben", BEN), ("", ALL), losers=("ben",)))
        view, over, verdict = house.entries()[1:]
        assert view == RecordEntry("g1", VIEW, None, 0b10, "", BEN)
        assert over == RecordEntry("g1", OVER, None, 0b01, "0:winner 1:loser", ALL)
        assert verdict.kind is VERDICT
        kinds = [type(effect) for effect in effects if isinstance(effect, RecordResult | RecordEntry)]
        assert kinds == [RecordEntry] * 3 + [RecordResult]

    def test_the_public_history_has_no_views(self, house: House) -> None:
        master, *_players = game(house, "ann", "ben")
        master.says(shown("ben", ("ann", ANN), ("ben", BEN), ("", ALL)))
        game_of_two = house.game()
        master.says(ended("ann", ("ben", BEN), losers=("ben",)))
        kinds = [(entry.kind, entry.body) for entry in game_of_two.history.entries]
        assert kinds == [(EntryKind.BEGIN, b""), (STATE, ALL), (OVER, NOTHING), (VERDICT, b"")]


class TestLeavers:
    """A player who has left is shown nothing more."""

    def test_a_view_for_one_is_ignored(self, house: House) -> None:
        master, ann, ben, cat = game(house, *NICKS)
        cat.says(LeaveGame("g1"))
        master.hears()
        master.says(shown("ann", ("cat", BEN), ("ann", ANN), ("", ALL)))
        assert master.hears() == cat.hears() == []
        assert (ann.hears(), ben.hears()) == ([turn("g1", "ann", ANN)], [turn("g1", "ann", ALL)])
        assert all(entry.body != BEN for entry in house.entries())

    def test_at_the_end_as_well(self, house: House) -> None:
        master, ann, _ben, cat = game(house, *NICKS)
        cat.says(LeaveGame("g1"))
        end = ended("ann", ("cat", BEN), losers=("ben", "cat"))
        master.says(end)
        assert ann.hears() == [GameState("g1", None, end.game_over, NOTHING)]
        assert cat.hears() == []
        assert all(entry.body != BEN for entry in house.entries())


WRONG: dict[str, tuple[Views, str]] = {
    "a stranger": (shown("ann", ("eve", ANN)), "x-views: view nick 'eve': not a player in game g1"),
    "the nick in other letters": (shown("ann", ("Ann", ANN)), "x-views: view nick 'Ann': not a player in game g1"),
    "two views for one": (shown("ann", ("ann", ANN), ("ann", ALL)), "x-views: view nick 'ann': there twice"),
    "two public ones": (shown("ann", ("", ANN), ("", ALL)), "x-views: view nick '': there twice"),
    "a stranger to move": (shown("eve"), "x-views: nextPlayer nick 'eve': not a player in game g1"),
    "a leaver to move": (shown("cat"), "x-views: nextPlayer nick 'cat': not a player in game g1"),
    "one twice to move": (
        Views("g1", ("ann", "ann"), (), ()),
        "x-views: nextPlayer nick 'ann': there twice",
    ),
    "several to move": (
        Views("g1", ("ann", "ben"), (), ()),
        "x-views: several nextPlayer, and the family movers was not granted",
    ),
    "a result missing": (ended("ann", losers=()), "x-views: gameOver: no result for player nick 'ben'"),
    "a result for a stranger": (
        ended("ann", losers=("ben", "eve")),
        "x-views: gameOver player nick 'eve': not a player in game g1",
    ),
    "no game of its own": (shown("ann", game_id="g7"), "x-views: gameId id 'g7': you lead no such game"),
}


@pytest.mark.parametrize(("views", "wrong"), WRONG.values(), ids=WRONG)
def test_wrong_views_are_answered_and_nobody_sees_any(house: House, views: Views, wrong: str) -> None:
    master, ann, ben, cat = game(house, *NICKS)
    cat.says(LeaveGame("g1"))
    master.hears()
    master.says(views)
    assert master.hears_error() == wrong
    assert ann.hears() == ben.hears() == cat.hears() == []
    master.says(shown("ann", ("ann", ANN)))
    assert ann.hears() == [turn("g1", "ann", ANN)]


def test_what_crosses_with_the_end_of_the_game_is_ignored(house: House) -> None:
    master, ann, ben = game(house, "ann", "ben")
    master.says(ended("ann", losers=("ben",)))
    thank("g1", ann, ben)
    master.hears()
    master.says(shown("ann", ("ann", ANN)))
    assert master.hears() == []


def test_named_views_take_the_family(house: House) -> None:
    house.players("ann", "ben")
    master = house.leader("m", Family.MOVERS)
    master.hears()
    master.says(shown("ann", ("ann", ANN)))
    assert master.hears_error() == "x-views: a view with a nick, and the family views was not granted"
    master.says(shown("ann", ("", ALL)))
    assert master.hears() == []
