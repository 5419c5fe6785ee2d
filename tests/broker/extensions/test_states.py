"""A player sees its game again: the last state, or all of them."""

import pytest

from tests.broker.extensions.in_session import BODY, SESSION, STATE, seated
from tests.broker.house import House, Peer, move, over, thank, turn
from ugs.broker.extensions.states import MAX_READ_BYTES, WANTED
from ugs.broker.state.history import MAX_RECENT_ENTRIES
from ugs.broker.values.recollection import MAX_LISTED_BYTES, Use
from ugs.wire.extensions import Failed, ListStates, PastState, RefusalReason, Resend, Resume, States
from ugs.wire.messages import GameState, Message

PLAIN = b"<gameState/>"


def body(number: int) -> bytes:
    """A state that holds only what is new."""
    return b'<gameState><tac x="%d"/></gameState>' % number


def goes_on(house: House, master: Peer, players: tuple[Peer, ...], states: int) -> None:
    """So many more states, after a move each."""
    for number in range(states):
        mover = next(peer for peer in players if peer.player in house.game("g1").turn.movers)
        mover.says(move("g1"))
        other = next(peer for peer in players if peer is not mover)
        master.says(turn("g1", other.name, body(number)))
    for peer in (master, *players):
        peer.hears()


def answers(peer: Peer) -> list[Message]:
    """What it gets for a list of states."""
    peer.says(ListStates("g1", "7"))
    return [*peer.hears()]


class TestResend:
    """``x-resend``: the last state once more, on the same connection."""

    def test_it_comes_byte_for_byte(self, house: House) -> None:
        _master, ann, _ben = seated(house, "ann", "ben")
        ann.says(Resend("g1", "7"))
        assert ann.hears() == [turn("g1", "ann", BODY)]

    def test_also_the_end_as_long_as_thanks_are_owed(self, house: House) -> None:
        master, ann, _ben = seated(house, "ann", "ben")
        master.says(over("g1", "ann", losers=("ben",)))
        ann.hears()
        ann.says(Resend("g1"))
        assert ann.hears() == [over("g1", "ann", losers=("ben",))]

    def test_a_player_in_no_game_has_no_state_to_ask_for(self, house: House) -> None:
        ann = house.guest("ann", STATE)
        ann.says(Resend("g1", "7"))
        assert ann.hears() == [Failed(RefusalReason.NOT_PLAYING, "x-resend: you are in no game", ref="7")]

    def test_one_is_told_ones_own_game_only(self, house: House) -> None:
        _master, ann, _ben = seated(house, "ann", "ben")
        ann.says(Resend("g2", "7"))
        text = "x-resend: gameId id 'g2': you are not in this game"
        assert ann.hears() == [Failed(RefusalReason.INVALID_GAME, text, ref="7")]

    def test_before_the_first_state_there_is_none(self, house: House) -> None:
        house.master()
        ann, _ben = house.guest("ann", STATE), house.player("ben")
        ann.says(Resend("g1"))
        assert ann.hears() == [Failed(RefusalReason.INVALID_GAME, "x-resend: gameId id 'g1': there is no state yet")]


class TestListStates:
    """``x-listStates``: all states from the first one, and the last one as it was sent."""

    def test_they_come_in_order_and_the_last_one_is_to_be_answered(self, house: House) -> None:
        master, ann, ben = seated(house, "ann", "ben")
        assert answers(ann) == [States("g1", (), "7"), turn("g1", "ann", BODY)], "there is only one"
        goes_on(house, master, (ann, ben), 3)
        past = tuple(map(PastState, (BODY, body(0), body(1))))
        assert answers(ann) == [States("g1", past, "7"), turn("g1", "ben", body(2))]
        ben.says(move("g1"))
        master.says(over("g1", "ann", losers=("ben",)))
        ann.hears()
        listed, last = answers(ann)
        assert listed == States("g1", (*past, PastState(body(2))), "7"), "the result is not one of them"
        assert isinstance(last, GameState)
        assert last.game_over is not None

    def test_what_is_no_longer_in_memory_is_read_again(self, house: House) -> None:
        master, ann, ben = seated(house, "ann", "ben")
        goes_on(house, master, (ann, ben), MAX_RECENT_ENTRIES)
        assert house.game("g1").history.earlier.events > 0
        house.reads_slowly = True
        ann.says(ListStates("g1", "7"))
        assert ann.hears() == []
        ann.says(ListStates("g1", "8"))
        text = "x-listStates: gameId id 'g1': your last request has not been answered yet"
        assert ann.hears() == [Failed(RefusalReason.INVALID_REQUEST, text, ref="8")]
        assert [one.wish.use for one in house.recalling] == [Use.PLAYER]
        goes_on(house, master, (ann, ben), MAX_RECENT_ENTRIES)  # meanwhile more has left the memory
        house.reads()
        listed, last = ann.hears()
        numbers = [*range(MAX_RECENT_ENTRIES), *range(MAX_RECENT_ENTRIES - 1)]
        assert listed == States("g1", (PastState(BODY), *(PastState(body(one)) for one in numbers)), "7")
        assert last == turn("g1", "ann", body(MAX_RECENT_ENTRIES - 1))

    @pytest.mark.parametrize("gone", ["line", "line and back", "game"])
    def test_who_is_gone_meanwhile_gets_nothing_and_may_ask_again(self, house: House, gone: str) -> None:
        master, ann, ben = seated(house, "ann", "ben")
        goes_on(house, master, (ann, ben), MAX_RECENT_ENTRIES)
        house.reads_slowly = True
        ann.says(ListStates("g1"))
        if gone == "game":
            master.says(over("g1", "ann", losers=("ben",)))
            thank("g1", ann)
        else:
            ann.is_lost()
        peer = ann
        if gone == "line and back":
            peer = house.greets(SESSION, STATE)
            peer.says(Resume(ann.token))
        peer.hears()
        house.reads()
        if gone == "game":
            text = "x-listStates: gameId id 'g1': you are no longer in this game"
            assert peer.hears() == [Failed(RefusalReason.INVALID_GAME, text)]
        assert peer.hears() == []
        assert WANTED.of(house.broker.server) == {}
        if gone == "line and back":
            peer.says(ListStates("g1"))
            house.reads()
            assert [type(one) for one in peer.hears()] == [States, GameState]

    def test_what_cannot_be_read_again_is_refused(self, house: House) -> None:
        master, ann, ben = seated(house, "ann", "ben")
        goes_on(house, master, (ann, ben), MAX_RECENT_ENTRIES)
        house.reads_slowly = True
        ann.says(ListStates("g1", "7"))
        house.reads(forgotten=True)
        text = "x-listStates: gameId id 'g1': its first states cannot be read again"
        assert ann.hears() == [Failed(RefusalReason.INVALID_GAME, text, ref="7")]

    def test_games_that_hide_something_and_long_ones_are_refused(self, house: House) -> None:
        large = b"<gameState>" + b"x" * (MAX_LISTED_BYTES - 23) + b"</gameState>"
        master, ann, ben = seated(house, "ann", "ben", body=large)
        goes_on(house, master, (ann, ben), 1)
        assert answers(ann)[0] == States("g1", (PastState(large),), "7")
        goes_on(house, master, (ann, ben), 1)
        text = f"x-listStates: gameId id 'g1': its states have more than {MAX_LISTED_BYTES} bytes"
        assert answers(ann) == [Failed(RefusalReason.INVALID_GAME, text, ref="7")]
        house.game("g1").history.receives(MAX_READ_BYTES)
        text = f"x-listStates: gameId id 'g1': the game is too long, with more than {MAX_READ_BYTES} bytes"
        assert answers(ann) == [Failed(RefusalReason.INVALID_GAME, text, ref="7")]
        house.game("g1").shown.to_most(turn("g1", "ann", PLAIN), private=True)
        text = "x-listStates: gameId id 'g1': its players are not shown the same; x-resend is for the last state"
        assert answers(ann) == [Failed(RefusalReason.INVALID_GAME, text, ref="7")]

    def test_one_is_told_ones_own_game_only(self, house: House) -> None:
        seated(house, "ann", "ben")
        eve = house.guest("eve", STATE)
        assert answers(eve) == [Failed(RefusalReason.NOT_PLAYING, "x-listStates: you are in no game", ref="7")]
