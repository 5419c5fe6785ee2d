"""Players who leave, in every way and in every phase of a game, and what becomes of those who stay."""

from collections.abc import Callable

import pytest

from tests.broker.house import House, Peer, move, over, thank, turn
from ugs.broker.effects import RecordResult, Send
from ugs.broker.events import Disconnected, Flooded, Garbled, Misread, Timer, TimerKind
from ugs.broker.state.connection import PeerState
from ugs.broker.state.phases import Phase
from ugs.broker.verdict import Cause, Outcome, Verdict
from ugs.wire.extensions import Family
from ugs.wire.messages import Error, GameState, LeaveGame, Logout, PlayerLeftGame, PlayerResult, Result

WON, LOST, VOID = Outcome.WON, Outcome.LOST, Outcome.VOID
GRACE = 20
NICKS = ("ann", "ben", "cat")


# Where the game stands. Each function returns the master and the players; ann is the one who will leave.


def begun(house: House, nicks: tuple[str, ...]) -> tuple[Peer, ...]:
    master = house.master(players=(len(nicks), len(nicks)))
    players = house.players(*nicks)
    master.hears()
    return master, *players


def anns_turn(house: House, nicks: tuple[str, ...]) -> tuple[Peer, ...]:
    return house.table(*nicks)


def anothers_turn(house: House, nicks: tuple[str, ...]) -> tuple[Peer, ...]:
    master, *players = house.table(*nicks)
    master.says(turn("g1", "ben"))
    for peer in players:
        peer.hears()
    return master, *players


def answer(house: House, nicks: tuple[str, ...]) -> tuple[Peer, ...]:
    master, ann, *others = house.table(*nicks)
    ann.says(move("g1"))
    master.hears()
    return master, ann, *others


def away(house: House, nicks: tuple[str, ...]) -> tuple[Peer, ...]:
    master, *players = house.table(*nicks, families=[Family.RESTORE])
    master.is_lost()
    return master, *players


# How ann leaves. Each function does it and says which cause is recorded.


def leaves_the_game(_house: House, _master: Peer, ann: Peer) -> Cause:
    ann.says(LeaveGame("g1"))
    assert ann.state is PeerState.IDLE
    assert ann.hears() == []
    return Cause.LEFT


def logs_out(_house: House, _master: Peer, ann: Peer) -> Cause:
    ann.says(Logout())
    assert ann.is_closed()
    assert ann.hears() == []
    return Cause.LOGOUT


def is_lost(_house: House, _master: Peer, ann: Peer) -> Cause:
    ann.is_lost()
    return Cause.DISCONNECTED


def sends_rubbish(house: House, _master: Peer, ann: Peer) -> Cause:
    house.happens(Garbled(ann.conn, "not well-formed at byte 7"))
    assert ann.hears() == [Error("not well-formed at byte 7")]
    assert ann.is_closed()
    return Cause.DOCUMENT_REFUSED


def does_not_read(house: House, _master: Peer, ann: Peer) -> Cause:
    house.happens(Disconnected(ann.conn, "does not read: took no byte in 30 s", unread=True))
    return Cause.NOT_READ


def says_too_much(house: House, _master: Peer, ann: Peer) -> Cause:
    house.happens(Flooded(ann.conn, "rate limit: at most 9 messages per second"))
    assert ann.is_closed()
    return Cause.FLOOD


def makes_too_many_mistakes(house: House, _master: Peer, ann: Peer) -> Cause:
    for _ in range(31):
        house.happens(Misread(ann.conn, "unknown type 'mvoe'"))
    assert ann.is_closed()
    return Cause.WRONG_MESSAGES


def is_removed(_house: House, master: Peer, ann: Peer) -> Cause:
    master.says(PlayerLeftGame("ann", "g1"))
    assert ann.hears() == [Error("removed by the game master")]
    assert ann.state is PeerState.IDLE
    return Cause.REMOVED


Setting = Callable[[House, tuple[str, ...]], tuple[Peer, ...]]
Way = Callable[[House, Peer, Peer], Cause]

PHASES: list[tuple[Setting, Phase, Phase, Phase]] = [
    # the setting, its phase, what follows with one left, what follows with two left
    (begun, Phase.BEGUN, Phase.BEGUN, Phase.BEGUN),
    (anns_turn, Phase.TURN, Phase.ALONE, Phase.ANSWER),
    (anothers_turn, Phase.TURN, Phase.ALONE, Phase.TURN),
    (answer, Phase.ANSWER, Phase.ALONE, Phase.ANSWER),
    (away, Phase.AWAY, Phase.AWAY, Phase.AWAY),
]
WAYS: list[Way] = [
    leaves_the_game,
    logs_out,
    is_lost,
    sends_rubbish,
    makes_too_many_mistakes,
    says_too_much,
    does_not_read,
    is_removed,
]
COMBINATIONS = [
    pytest.param(way, *row, id=f"{row[0].__name__}, {way.__name__}")
    for way in WAYS
    for row in PHASES
    if not (way is is_removed and row[0] is away)  # a master that is not there removes nobody
]


@pytest.mark.parametrize("company", [2, 3])
@pytest.mark.parametrize(("way", "setting", "phase", "with_one", "with_two"), COMBINATIONS)
def test_leaving(way: Way, setting: Setting, phase: Phase, with_one: Phase, with_two: Phase, company: int) -> None:
    house = House(master_grace_s=GRACE)
    master, ann, *others = setting(house, NICKS[:company])
    game = house.game()
    assert game.phase is phase
    house.passes(3)
    clock = house.clock()
    cause = way(house, master, ann)

    # The master is told unless it knows; those who stay are not.
    assert master.hears() == ([] if way is is_removed or setting is away else [PlayerLeftGame("ann", "g1")])
    assert all(peer.hears() == [] for peer in others)
    assert game.departures == {"ann": cause}

    # The master has to say how it goes on, with time of its own, unless another player has to move anyway.
    follows = with_one if company == 2 else with_two
    assert game.phase is follows
    new_clock = follows in (Phase.ALONE, Phase.ANSWER)
    assert house.clock() == (30 if new_clock else clock)
    if setting is away:
        house.passes(GRACE)
        assert [seat.outcome for seat in house.results[0].seats] == [VOID] * company
        return

    # It goes on among those who stay, and the player who left has lost.
    if company == 3:
        master.says(turn("g1", "ben"))
        assert all(peer.hears() == [turn("g1", "ben")] for peer in others)
    master.says(over("g1", *NICKS[1:company], losers=("ann",)))
    (result,) = house.results
    assert [seat.outcome for seat in result.seats] == [LOST] + [WON] * (company - 1)
    assert [seat.departure for seat in result.seats] == [cause] + [None] * (company - 1)
    assert result.verdict == (Verdict(cause, "ann") if company == 2 else Verdict(Cause.FINISHED))
    assert house.rows()["ann"] == (0, 1, 0)


class TestNoMoveInTime:
    """The player is told, taken out and free for the next game; the master is told as for any other leaver."""

    @pytest.mark.parametrize("company", [2, 3])
    def test_the_slow_player_is_out(self, house: House, company: int) -> None:
        master, ann, *others = house.table(*NICKS[:company])
        house.passes(29.9)
        assert ann.hears() == []
        house.passes(0.1)
        assert ann.hears() == [Error("no move within 30 s: game g1 is lost")]
        assert ann.state is PeerState.IDLE
        assert master.hears() == [PlayerLeftGame("ann", "g1")]
        assert all(peer.hears() == [] for peer in others)
        assert house.game().phase is (Phase.ALONE if company == 2 else Phase.ANSWER)
        assert house.game().departures == {"ann": Cause.TIMEOUT}

    def test_a_move_in_the_last_moment_counts(self, house: House) -> None:
        master, ann, _ben = house.table("ann", "ben")
        house.passes(29.9)
        ann.says(move("g1"))
        house.passes(1)
        assert master.hears() == [move("g1")]
        assert house.game().departures == {}

    def test_the_last_player_may_be_too_slow_as_well(self, house: House) -> None:
        master, ann, ben = house.table("ann", "ben")
        ann.says(LeaveGame("g1"))
        master.says(turn("g1", "ben"))
        house.passes(30)
        assert isinstance(ben.hears()[-1], Error)
        assert house.results[0].verdict == Verdict(Cause.TIMEOUT, "ben", by_server=True)
        assert house.rows() == {"ann": (0, 1, 0), "ben": (0, 1, 0)}


class TestTheTurnOfAPlayerWhoLeft:
    """It ends at once."""

    def test_a_move_that_comes_after_leaving_is_late(self, house: House) -> None:
        master, ann, _ben, _cat = house.table(*NICKS)
        ann.says(LeaveGame("g1"))
        master.hears()
        ann.says(move("g1"))
        assert ann.hears_error() == "move: gameId id 'g1': this game is over"
        assert master.hears() == []

    def test_the_turn_of_another_player_goes_on(self, house: House) -> None:
        master, ann, _ben, cat = house.table(*NICKS)
        cat.says(LeaveGame("g1"))
        master.hears()
        ann.says(move("g1"))
        assert master.hears() == [move("g1")]

    def test_even_if_it_is_the_last_one_who_may_still_move(self, house: House) -> None:
        master, ann, ben = house.table("ann", "ben")
        ben.says(LeaveGame("g1"))
        house.passes(29)
        ann.says(move("g1"))
        assert master.hears() == [PlayerLeftGame("ben", "g1"), move("g1")]
        assert house.clock() == 1, "the master owes an answer since ben left"
        master.says(turn("g1", "ann"))
        assert ann.hears() == [turn("g1", "ann")]

    def test_a_turn_without_a_master_can_be_used_up_too(self) -> None:
        house = House(master_grace_s=GRACE)
        master, ann, ben, _cat = house.table(*NICKS, families=[Family.RESTORE])
        master.is_lost()
        ann.says(move("g1"))
        ann.says(move("g1"))
        assert "not your turn" in ann.hears_error()
        assert house.game().turn.held == {"ann": move("g1")}, "for the next master"
        ben.says(LeaveGame("g1"))
        assert house.game().phase is Phase.AWAY

    def test_it_ends_without_a_master_as_well(self) -> None:
        house = House(master_grace_s=GRACE)
        master, ann, _ben, _cat = house.table(*NICKS, families=[Family.RESTORE])
        master.is_lost()
        ann.says(LeaveGame("g1"))
        assert house.game().turn.movers == ()


class TestTheLastOne:
    """All but one have left: the master says who won, or the server does."""

    @pytest.mark.parametrize("company", [2, 3])
    def test_if_the_master_stays_silent_the_server_ends_the_game_and_who_stayed_wins(
        self, house: House, company: int
    ) -> None:
        master, *leavers, last = house.table(*NICKS[:company])
        for peer in leavers:
            peer.says(LeaveGame("g1"))
            house.passes(20)
        assert last.hears() == []
        house.passes(10)
        results = [PlayerResult(nick, Result.LOSER) for nick in NICKS[: company - 1]]
        results.append(PlayerResult(NICKS[company - 1], Result.WINNER))
        assert last.hears() == [GameState("g1", None, tuple(results))]
        assert house.results[0].verdict == Verdict(Cause.LEFT, NICKS[company - 2], by_server=True)
        assert [seat.outcome for seat in house.results[0].seats] == [LOST] * (company - 1) + [WON]
        assert last.state is PeerState.OWING
        assert master.master.silences == 1
        thank("g1", last)
        assert house.timers.keys() & {Timer(TimerKind.GAME, "g1")} == set(), "nothing more is waited for"

    def test_the_same_if_the_master_does_not_answer_the_last_ones_move(self, house: House) -> None:
        master, ann, ben = house.table("ann", "ben")
        ben.says(LeaveGame("g1"))
        master.says(turn("g1", "ann"))
        ann.says(move("g1"))
        house.passes(30)
        assert ann.hears()[-1] == over("g1", "ann", losers=("ben",))
        assert house.results[0].verdict == Verdict(Cause.LEFT, "ben", by_server=True)


class TestNobodyLeft:
    """If all leave, each has lost and the master has been told of each."""

    @pytest.mark.parametrize("setting", [begun, anns_turn, answer])
    @pytest.mark.parametrize("company", [2, 3])
    def test_all_have_lost(self, house: House, setting: Setting, company: int) -> None:
        master, *players = setting(house, NICKS[:company])
        for peer in players:
            peer.says(Logout())
        assert master.hears() == [PlayerLeftGame(nick, "g1") for nick in NICKS[:company]]
        (result,) = house.results
        assert result.verdict == Verdict(Cause.LOGOUT, NICKS[company - 1], by_server=True)
        assert set(house.rows().values()) == {(0, 1, 0)}
        assert house.broker.games == []

    def test_the_master_is_told_before_the_record(self, house: House) -> None:
        master, ann, ben = house.table("ann", "ben")
        ann.says(LeaveGame("g1"))
        effects = ben.says(LeaveGame("g1"))
        told = effects.index(Send((master.conn,), PlayerLeftGame("ben", "g1")))
        assert told < [type(effect) for effect in effects].index(RecordResult)


class TestRemoval:
    """A master may take a player out."""

    def test_an_echo_of_what_the_server_said_is_ignored(self, house: House) -> None:
        master, ann, _ben, _cat = house.table(*NICKS)
        ann.says(LeaveGame("g1"))
        master.hears()
        master.says(PlayerLeftGame("ann", "g1"))
        assert master.hears() == []
        assert house.noted("ignored: player had left already")[0]["nick"] == "ann"
        assert house.game().departures == {"ann": Cause.LEFT}

    @pytest.mark.parametrize("nick", ["eve", "ANN", ""])
    def test_a_stranger_cannot_be_removed(self, house: House, nick: str) -> None:
        master, *_players = house.table("ann", "ben")
        master.says(PlayerLeftGame(nick, "g1"))
        assert master.hears_error() == f"playerLeftGame: player nick {nick!r}: not a player in game g1"

    def test_a_master_may_remove_everybody(self, house: House) -> None:
        master, ann, ben = house.table("ann", "ben")
        master.says(PlayerLeftGame("ann", "g1"))
        master.says(PlayerLeftGame("ben", "g1"))
        assert house.results[0].verdict == Verdict(Cause.REMOVED, "ben", by_server=True)
        house.passes(1)
        assert house.game("g2").present.keys() == {"ann", "ben"}, "both were free and met again"
        assert [peer.state for peer in (ann, ben)] == [PeerState.PLAYING] * 2


def test_a_player_who_has_left_may_play_again_while_the_old_game_goes_on(house: House) -> None:
    master, ann, _ben, _cat = house.table(*NICKS)
    ann.says(LeaveGame("g1"))
    house.players("dan", "eve")
    assert house.game("g2").present.keys() == {"ann", "dan", "eve"}
    master.says(over("g1", "ben", losers=("cat",)))
    assert ann.hears() == [], "ann is told no more of g1"


def test_another_player_may_take_the_nick_of_one_who_has_gone(house: House) -> None:
    master, ann, _ben, _cat = house.table(*NICKS)
    ann.says(Logout())
    new = house.player("ann")
    new.says(LeaveGame("g1"))
    assert new.hears_error() == "leaveGame: gameId id 'g1': you are in no such game"
    master.says(over("g1", "ben", losers=("cat",)))
    assert new.hears() == []
    assert house.rows()["ann"] == (0, 1, 0)
