"""Moves that a master refuses: what follows is the setting's, the same for every player."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.broker.house import House, Peer, over, turn
from tests.broker.house import move as moves
from ugs.broker.play.refused_moves import ruling_of
from ugs.broker.values.record import EntryKind, places_of_refused
from ugs.broker.verdict import Cause, Outcome
from ugs.broker.verdict_sentences import refused_in_words
from ugs.config import ConfigError, parse
from ugs.wire.extensions import (
    Because,
    EventKind,
    Family,
    GameEvent,
    MoveRuling,
    RefusedMove,
    Ruled,
    View,
    Views,
    Watch,
    WatchFrom,
)
from ugs.wire.messages import BeginGame, Error, GameState, LeaveGame, Message, PlayerLeftGame

AGAIN, OUT, RULES = MoveRuling.AGAIN, MoveRuling.OUT, MoveRuling.RULES


def fault(nick: str = "ann", game: str = "g1") -> RefusedMove:
    return RefusedMove(game, nick, "illegal-move", "9,9 is taken")


def game(house: House, *families: Family) -> tuple[Peer, Peer, Peer]:
    """A game of ann, who reads reasons, and ben, who knows v4 only; ann is to move."""
    ann, ben = house.guest("ann", Family.REASON), house.player("ben")
    master = house.leader("m", Family.FAULTS, Family.REASON, *families)
    master.says(turn("g1", "ann"))
    for peer in (master, ann, ben):
        peer.hears()
    return master, ann, ben


def all_may_move(house: House) -> tuple[Peer, list[Peer]]:
    """A master that reports, and ann, ben and cleo, all of whom may move."""
    players = [house.guest(nick, Family.REASON) for nick in ("ann", "ben", "cleo")]
    master = house.leader("m", Family.FAULTS, Family.MOVERS, Family.VIEWS, players=(3, 3))
    master.says(Views("g1", ("ann", "ben", "cleo"), (), (View("", b"<gameState/>"),)))
    master.hears()
    return master, players


def plain(messages: list[Message]) -> list[Message]:
    """Without lists of champions."""
    return [one for one in messages if one.TYPE != "championsList"]


@pytest.mark.parametrize(
    ("setting", "refused", "ruling"),
    [
        ("rules", 1, RULES),
        ("rules", 9, RULES),
        ("strict", 1, OUT),
        ("retry 1", 1, AGAIN),
        ("retry 1", 2, OUT),
        ("retry 99", 99, AGAIN),
        ("retry 99", 100, OUT),
    ],
)
def test_the_table_of_rulings(setting: str, refused: int, ruling: MoveRuling) -> None:
    assert ruling_of(parse({"faults": setting}, "test").game_type("chess"), refused) is ruling


@pytest.mark.parametrize("wrong", ["", "retry", "retry 0", "retry 100", "lenient", "strict 3"])
def test_other_settings_are_refused(wrong: str) -> None:
    with pytest.raises(ConfigError, match="faults"):
        parse({"faults": wrong}, "test")


class TestRules:
    """By default the rules of the game decide, as ever."""

    def test_the_master_is_told_so_and_nobody_else_hears_of_it(self, house: House) -> None:
        master, ann, ben = game(house)
        ann.says(moves("g1"))
        master.hears()
        master.says(fault())
        assert master.hears() == [Ruled("g1", "ann", RULES)]
        assert (ann.hears(), ben.hears()) == ([], [])
        assert EntryKind.FAULT not in [one.kind for one in house.entries("g1")]

    def test_what_was_forgiven_counts_in_the_result(self, house: House) -> None:
        master, ann, ben = game(house)
        for _ in range(2):
            ann.says(moves("g1"))
            master.says(fault())
            master.says(Because("g1", "illegal-move", "9,9 is taken", "ann"))
            master.says(turn("g1", "ann"))
        ann.says(moves("g1"))
        master.says(over("g1", "ann", losers=("ben",)))
        assert [seat.refused for seat in house.results[-1].seats] == [2, 0]
        assert refused_in_words(house.results[-1]) == ["refused moves: ann 2"]
        assert ben.hears()

    def test_a_master_without_the_family_may_not_report(self, house: House) -> None:
        house.player("ann"), house.player("ben")
        master = house.leader("m", Family.REASON)
        master.says(turn("g1", "ann"))
        master.hears()
        master.says(fault())
        (failed,) = master.hears()
        assert "faults was not granted" in failed.text  # type: ignore[union-attr]


class TestRetry:
    """The player is asked again, with the state that it has, within the same clock."""

    def test_players_of_any_kind_are_asked_again_and_nobody_else_is(self) -> None:
        house = House(faults="retry 2")
        master, ann, ben = game(house)
        ann.says(moves("g1"))
        master.hears()
        master.says(fault())
        assert master.hears() == [Ruled("g1", "ann", AGAIN)]
        assert ann.hears() == [Because("g1", "illegal-move", "9,9 is taken", "ann"), turn("g1", "ann")]
        assert ben.hears() == []
        ann.says(moves("g1"))
        assert master.hears() == [moves("g1")]
        master.says(turn("g1", "ben"))
        ann.hears(), ben.hears()
        ben.says(moves("g1"))
        master.hears()
        master.says(fault("ben"))
        assert ben.hears() == [
            Error("your move is refused: 9,9 is taken; move again, 1 more may be refused in this turn"),
            turn("g1", "ben"),
        ]
        assert ann.hears() == []

    def test_tries_begin_anew_with_each_turn_and_one_more_loses(self) -> None:
        house = House(faults="retry 2")
        master, ann, ben = game(house)
        for tries in (2, 2, 3):
            for _ in range(tries):
                ann.says(moves("g1"))
                master.says(fault())
            if tries == 2:
                ann.says(moves("g1"))
                master.says(turn("g1", "ann"))
        told = ann.hears()
        assert told[-1] == Error("your move is refused: 9,9 is taken; game g1 is lost")
        assert master.hears()[-2:] == [Ruled("g1", "ann", OUT), PlayerLeftGame("ann", "g1")]
        master.says(over("g1", "ben"))
        result = house.results[-1]
        assert (result.verdict.cause, result.verdict.culprit) == (Cause.ILLEGAL_MOVE, "ann")
        assert [(seat.outcome, seat.departure, seat.refused) for seat in result.seats] == [
            (Outcome.LOST, Cause.ILLEGAL_MOVE, 7),
            (Outcome.WON, None, 0),
        ]
        assert ben.hears()

    def test_the_clock_runs_on(self) -> None:
        house = House(faults="retry 9", move_timeout_s=30, master_timeout_s=100)
        master, ann, ben = game(house)
        for _ in range(2):
            house.passes(10)
            ann.says(moves("g1"))
            house.passes(50)  # the master's time is not the player's
            master.says(fault())
        ann.hears()
        house.passes(9)
        assert ann.hears() == []
        house.passes(2)
        assert any(isinstance(one, Error) and "no move within" in one.text for one in ann.hears())
        assert ben.hears() == []

    def test_budgets_run_on_without_another_increment(self) -> None:
        house = House(faults="retry 9", time_s=20, increment_s=5)
        master, ann, _ben = game(house)
        house.passes(8)
        ann.says(moves("g1"))
        master.says(fault())
        house.passes(11)
        ann.hears()
        house.passes(2)
        assert any(isinstance(one, Error) and "no time left" in one.text for one in ann.hears())

    def test_spectators_see_that_it_was_refused_but_not_why(self) -> None:
        house = House(faults="retry 2")
        master, ann, _ben = game(house)
        spectator = house.greets(Family.WATCH)
        spectator.says(Watch("g1", begin=WatchFrom.BEGIN))
        ann.says(moves("g1"))
        master.says(fault())
        events = [one for one in spectator.hears() if isinstance(one, GameEvent)]
        assert events[-1] == GameEvent("g1", 4, 0.0, EventKind.FAULT, "ann")
        assert "taken" not in repr(events)
        late = house.greets(Family.WATCH)
        late.says(Watch("g1"))
        (shown,) = late.hears()
        assert shown.next_players == ("ann",)  # type: ignore[union-attr]

    def test_others_who_may_move_at_the_same_time_go_on(self) -> None:
        house = House(faults="retry 1")
        ann, ben = house.guest("ann", Family.REASON), house.guest("ben", Family.REASON)
        master = house.leader("m", Family.FAULTS, Family.MOVERS, Family.VIEWS)
        master.says(Views("g1", ("ann", "ben"), (), (View("", b"<gameState/>"),)))
        ann.says(moves("g1"))
        ben.says(moves("g1"))
        master.hears()
        master.says(fault())  # ben's move was held back
        assert [one.TYPE for one in master.hears()] == ["x-ruling", "x-moved"]
        master.says(fault("ben"))
        ann.says(moves("g1"))
        master.hears()
        master.says(fault())
        heard = master.hears()
        assert heard == [Ruled("g1", "ann", OUT), PlayerLeftGame("ann", "g1")]
        assert house.game().turn.movers == () or [one.name for one in house.game().turn.movers] == ["ben"]

    def test_the_turn_of_others_goes_on_without_the_one_that_is_out(self) -> None:
        house = House(faults="strict")
        master, (ann, ben, _cleo) = all_may_move(house)
        ann.says(moves("g1"))
        master.hears()
        master.says(fault())
        assert master.hears() == [Ruled("g1", "ann", OUT), PlayerLeftGame("ann", "g1")]
        ben.says(moves("g1"))
        assert [one.TYPE for one in master.hears()] == ["x-moved"]

    def test_a_move_of_another_that_was_held_back_comes_next(self) -> None:
        house = House(faults="strict")
        master, (ann, ben, _cleo) = all_may_move(house)
        ann.says(moves("g1"))
        ben.says(moves("g1"))
        master.hears()
        master.says(fault())
        assert [one.TYPE for one in master.hears()] == ["x-ruling", "playerLeftGame", "x-moved"]

    def test_the_master_has_to_answer_where_only_the_one_that_is_out_was_asked(self) -> None:
        house = House(faults="strict", master_timeout_s=5, master_strikes=9)
        master = house.leader("m", Family.FAULTS, players=(3, 3))
        ann, *_ = house.players("ann", "ben", "cleo")
        master.says(turn("g1", "ann"))
        ann.says(moves("g1"))
        master.says(fault())
        master.says(turn("g1", "ben"))
        assert [one.name for one in house.game().turn.movers] == ["ben"]

    def test_the_move_of_a_player_that_has_left_may_be_refused_while_others_are_asked(self) -> None:
        house = House(faults="retry 2")
        master, (ann, ben, _cleo) = all_may_move(house)
        ann.says(moves("g1"))
        ann.says(LeaveGame("g1"))
        master.hears()
        master.says(fault())
        assert master.hears() == [Ruled("g1", "ann", OUT)]
        ben.says(moves("g1"))
        assert [one.TYPE for one in master.hears()] == ["x-moved"]

    def test_who_leaves_while_its_move_is_judged_is_gone(self) -> None:
        house = House(faults="retry 1")
        master, ann, ben = game(house)
        ann.says(moves("g1"))
        ann.says(LeaveGame("g1"))
        master.hears()
        master.says(fault())
        assert [one.TYPE for one in master.hears()] == ["error"]
        master.says(over("g1", "ben"))
        assert house.results[-1].verdict.cause is Cause.LEFT
        assert ben.hears()


def test_a_report_is_an_answer_of_a_master_that_was_silent_in_another_game() -> None:
    house = House(master_timeout_s=30, master_strikes=2)
    master = house.leader("m", Family.FAULTS)
    players = dict(zip(("ann", "ben", "cleo", "dan"), house.players("ann", "ben", "cleo", "dan"), strict=True))
    first, second = (one for one in master.hears() if isinstance(one, BeginGame))
    mover = second.players[0]
    master.says(turn(first.game_id, first.players[0]))
    master.says(turn(second.game_id, mover))
    players[first.players[0]].says(moves(first.game_id))
    house.passes(20)
    players[mover].says(moves(second.game_id))
    house.passes(10)
    assert house.results[-1].verdict.cause is Cause.MASTER_SILENT
    master.says(fault(mover, second.game_id))
    house.passes(20)  # it is silent about the second game, too: that is the first time in a row again
    assert not master.is_closed()


class TestStrict:
    """The first refused move loses."""

    def test_it_loses_at_once_whatever_the_rules_would_say(self) -> None:
        house = House(faults="strict")
        master, ann, ben = game(house)
        ann.says(moves("g1"))
        master.hears()
        master.says(fault())
        assert master.hears() == [Ruled("g1", "ann", OUT), PlayerLeftGame("ann", "g1")]
        master.says(over("g1", "ben"))
        assert house.results[-1].verdict.cause is Cause.ILLEGAL_MOVE
        assert any(isinstance(one, GameState) for one in ben.hears())


class TestErrors:
    """What is no answer to the last move changes nothing."""

    @pytest.mark.parametrize(
        ("message", "named"),
        [
            (fault(game="g9"), "gameId id 'g9'"),
            (fault("ben"), "no move of that player"),
            (fault("zoe"), "no move of that player"),
            (RefusedMove("g1", "ann", "an illegal", ""), "cause code 'an illegal'"),
        ],
    )
    def test_it_is_named(self, message: RefusedMove, named: str) -> None:
        house = House(faults="strict")
        master, ann, _ben = game(house)
        ann.says(moves("g1"))
        master.hears()
        master.says(message)
        (told,) = master.hears()
        assert named in told.text  # type: ignore[union-attr]
        assert ann.hears() == []

    @pytest.mark.parametrize("setting", ["rules", "retry 2"])
    def test_no_move_is_refused_twice(self, setting: str) -> None:
        house = House(faults=setting)
        master, ann, _ben = game(house)
        ann.says(moves("g1"))
        master.says(fault())
        master.hears()
        master.says(fault())
        (told,) = master.hears()
        assert isinstance(told, Error)


class TestMastersThatAreLost:
    """A successor is not given what was refused; what had not been judged it judges itself."""

    def at(self, **settings: Any) -> tuple[House, Peer, Peer, Peer]:
        house = House(master_grace_s=60, faults="retry 2", **settings)
        ann = house.guest("ann", Family.REASON, Family.SESSION)
        ben = house.guest("ben", Family.REASON, Family.SESSION)
        master = house.leader("m", Family.FAULTS, Family.RESTORE)
        master.says(turn("g1", "ann"))
        ann.says(moves("g1"))
        master.says(fault())
        for peer in (master, ann, ben):
            peer.hears()
        return house, master, ann, ben

    def test_a_refused_move_is_not_handed_on(self) -> None:
        house, master, ann, _ben = self.at()
        master.is_lost()
        successor = house.leader("n", Family.FAULTS, Family.RESTORE)
        assert successor.hears()[-1].happened == ()  # type: ignore[union-attr]
        successor.says(turn("g1", "ann"))
        ann.says(moves("g1"))
        successor.hears()
        successor.says(fault())
        assert successor.hears() == [Ruled("g1", "ann", AGAIN)]
        ann.says(moves("g1"))
        successor.says(fault())
        assert successor.hears()[1:] == [Ruled("g1", "ann", OUT), PlayerLeftGame("ann", "g1")]

    def test_a_successor_may_refuse_what_the_lost_one_had_not_answered(self) -> None:
        house, master, ann, _ben = self.at()
        ann.says(moves("g1"))
        master.is_lost()
        successor = house.leader("n", Family.FAULTS, Family.RESTORE)
        assert len(successor.hears()[-1].happened) == 1  # type: ignore[union-attr]
        successor.says(fault())
        assert successor.hears() == [Ruled("g1", "ann", AGAIN)]
        assert ann.hears()[-1] == turn("g1", "ann")
        ann.says(moves("g1"))
        assert successor.hears() == [moves("g1")]

    @pytest.mark.parametrize("how", ["retry 1", "strict", "rules", "state"])
    def test_the_time_without_a_master_counts_for_nobody_who_may_move_beside_the_one_that_moved(self, how: str) -> None:
        setting = "rules" if how == "state" else how
        house = House(master_grace_s=60, faults=setting, move_timeout_s=30, master_timeout_s=30)
        families = (Family.FAULTS, Family.MOVERS, Family.VIEWS, Family.RESTORE)
        ann, ben, cleo = (house.guest(nick) for nick in ("ann", "ben", "cleo"))
        master = house.leader("m", *families, players=(3, 3))
        state = Views("g1", ("ann", "ben", "cleo"), (), (View("", b"<gameState/>"),))
        master.says(state)
        ann.says(moves("g1"))
        master.is_lost()
        house.passes(50)
        successor = house.leader("n", *families, players=(3, 3))
        ben.hears(), cleo.hears()
        if how != "state":
            successor.says(fault())
        if how in ("rules", "state"):
            successor.says(state)
        house.passes(29)
        assert (ben.hears(), cleo.hears()) == ([], [])
        house.passes(2)
        assert any(isinstance(one, Error) and "no move within" in one.text for one in ben.hears())

    @pytest.mark.parametrize("back_first", [True, False])
    def test_who_is_refused_after_a_restart_has_the_time_of_a_move_from_its_return_on(self, back_first: bool) -> None:
        house, _master, ann, _ben = self.at(move_timeout_s=30)
        ann.says(moves("g1"))
        again = house.again()
        if back_first:
            back = again.returns(ann.token, Family.SESSION)
        successor = again.leader("n", Family.FAULTS, Family.RESTORE)
        successor.says(fault())
        if not back_first:
            again.passes(20)
            back = again.returns(ann.token, Family.SESSION)
            assert back.hears()[-1] == turn("g1", "ann")
        again.passes(28)
        back.says(moves("g1"))
        assert successor.hears()[-2:] == [Ruled("g1", "ann", AGAIN), moves("g1")]

    def test_the_tries_of_a_turn_are_known_after_a_restart(self) -> None:
        house, _master, ann, _ben = self.at()
        again = house.again()
        back = again.returns(ann.token, Family.SESSION, Family.REASON)
        successor = again.leader("n", Family.FAULTS, Family.RESTORE)
        successor.says(turn("g1", "ann"))
        for ruling in (AGAIN, OUT):
            back.says(moves("g1"))
            successor.hears()
            successor.says(fault())
            assert successor.hears()[0] == Ruled("g1", "ann", ruling)


@given(st.integers(0, 3), st.lists(st.booleans(), max_size=30))
def test_nobody_has_more_tries_in_a_turn_than_are_set_and_all_are_counted(tries: int, good: list[bool]) -> None:
    """``good``: whether a move is taken; ann and ben take turns."""
    house = House(faults=f"retry {tries}" if tries else "strict")
    master, ann, ben = game(house)
    mover, other, in_turn, refused = ann, ben, 0, Counter[str]()
    names = {ann: "ann", ben: "ben"}
    out = ""
    for taken in good:
        mover.says(moves("g1"))
        if taken:
            mover, other, in_turn = other, mover, 0
            master.says(turn("g1", names[mover]))
            continue
        master.says(fault(names[mover]))
        refused[names[mover]] += 1
        in_turn += 1
        if in_turn > tries:
            out = names[mover]
            break
        assert [one.name for one in house.game().turn.movers] == [names[mover]]
    if out:
        master.says(over("g1", names[other]))
    else:
        master.says(over("g1", "ann", losers=("ben",)))
    result = house.results[-1]
    assert {seat.nick: seat.refused for seat in result.seats} == {"ann": refused["ann"], "ben": refused["ben"]}
    assert (result.verdict.cause is Cause.ILLEGAL_MOVE) is bool(out)
    assert result.verdict.culprit == (out or None)
    entries = house.entries("g1")
    assert len(places_of_refused(entries)) == sum(refused.values())
