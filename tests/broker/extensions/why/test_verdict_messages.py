"""A master says why, and players are told the verdict."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from tests.broker.house import House, Peer, move, over, thank, turn
from ugs.broker.events import Garbled
from ugs.broker.values.record import EntryKind
from ugs.broker.verdict import Cause, Outcome, Verdict
from ugs.wire.extensions import Because, Failed, Family, GameVerdict, RefusalReason, Resume, SeatVerdict, Why
from ugs.wire.messages import ChampionsList, Error, LeaveGame, Logout, Message, PlayerLeftGame

REASON = Family.REASON
ILLEGAL = Because("g1", "illegal-move", "99,18 is outside the board", "ann")


def a_game(house: House, *nicks: str, player: Sequence[Family] = (REASON,)) -> tuple[Peer, ...]:
    """A master with the family and these players in g1, the first to move."""
    master = house.leader("m", REASON, players=(len(nicks), len(nicks)))
    seated = [house.guest(nick, *player) for nick in nicks]
    master.hears()
    master.says(turn("g1", nicks[0]))
    for peer in seated:
        peer.hears()
    return master, *seated


def verdicts(peer: Peer) -> list[GameVerdict]:
    return [message for message in peer.hears() if isinstance(message, GameVerdict)]


def heard(peer: Peer) -> list[Message]:
    return [message for message in peer.hears() if not isinstance(message, ChampionsList)]


def reasons(house: House) -> list[tuple[int | None, str]]:
    return [(entry.seat, entry.text) for entry in house.entries() if entry.kind is EntryKind.REASON]


def test_a_broken_rule_that_ends_the_game_is_the_fault_of_that_seat(house: House) -> None:
    master, ann, ben = a_game(house, "ann", "ben")
    ann.says(move("g1"))
    master.says(ILLEGAL)
    assert heard(ann) == [ILLEGAL]
    assert heard(ben) == []
    master.says(over("g1", "ben", losers=("ann",)))
    told = GameVerdict(
        "g1",
        "illegal move",
        "player",
        "ann broke a rule of the game; ben won",
        (SeatVerdict("ann", "lost"), SeatVerdict("ben", "won")),
        "ann",
        "illegal-move",
        "99,18 is outside the board",
    )
    for peer in (ann, ben):
        first, second = heard(peer)
        assert first == over("g1", "ben", losers=("ann",))
        assert second == told
    (result,) = house.results
    assert result.verdict == Verdict(Cause.ILLEGAL_MOVE, "ann")
    assert reasons(house) == [(0, "illegal-move: 99,18 is outside the board")]
    assert house.entries()[-1].text == ("illegal move, fault: player of ann; illegal-move: 99,18 is outside the board")
    assert house.noted("game ended")[0]["reason"] == "illegal-move: 99,18 is outside the board"


def test_a_broken_rule_that_was_forgiven_hurts_nobody_later(house: House) -> None:
    master, ann, _ben = a_game(house, "ann", "ben")
    ann.says(move("g1"))
    master.says(ILLEGAL)
    master.says(turn("g1", "ann"))
    ann.says(move("g1"))
    master.says(over("g1", "ben", losers=("ann",)))
    (told,) = verdicts(ann)
    assert (told.cause, told.fault, told.culprit, told.words) == ("finished", "nobody", "", "")
    assert told.account == "ben won, as judged by the game master 'm'"
    assert reasons(house) == [(0, "illegal-move: 99,18 is outside the board")]


@pytest.mark.parametrize("results", [over("g1", "ann", losers=("ben",)), over("g1", losers=("ann", "ben"))])
def test_who_has_not_lost_is_not_to_blame(house: House, results: Message) -> None:
    master, ann, _ben = a_game(house, "ann", "ben")
    ann.says(move("g1"))
    master.says(ILLEGAL)
    master.says(results)
    (result,) = house.results
    assert result.verdict.culprit is None
    assert result.verdict.cause in (Cause.FINISHED, Cause.DRAW)


def test_a_player_who_is_taken_out_for_a_broken_rule_takes_the_fault_along(house: House) -> None:
    master, ann, ben, cat = a_game(house, "ann", "ben", "cat")
    ann.says(move("g1"))
    master.says(ILLEGAL)
    master.says(PlayerLeftGame("ann", "g1"))
    assert [message for message in ann.hears() if isinstance(message, Error)] == [Error("removed by the game master")]
    master.says(turn("g1", "ben"))
    ben.says(LeaveGame("g1"))
    master.says(over("g1", "cat", losers=("ann", "ben")))
    (told,) = verdicts(cat)
    assert (told.cause, told.culprit, told.words) == ("left", "ben", "")
    (result,) = house.results
    assert [seat.departure for seat in result.seats] == [Cause.ILLEGAL_MOVE, Cause.LEFT, None]


def test_the_reason_of_a_removal_is_that_of_the_verdict_it_leads_to(house: House) -> None:
    master, _ann, ben = a_game(house, "ann", "ben")
    master.says(ILLEGAL)
    master.says(PlayerLeftGame("ann", "g1"))
    master.says(over("g1", "ben", losers=("ann",)))
    (told,) = verdicts(ben)
    assert (told.cause, told.culprit, told.code) == ("illegal move", "ann", "illegal-move")
    assert told.seats[0] == SeatVerdict("ann", "lost", "illegal move")


def test_the_removal_of_another_player_is_not_explained_by_it(house: House) -> None:
    master, *_ = a_game(house, "ann", "ben", "cat")
    master.says(ILLEGAL)
    master.says(PlayerLeftGame("ben", "g1"))
    assert [entry.text for entry in house.entries() if entry.kind is EntryKind.LEFT] == ["removed"]


def test_how_a_game_was_won_is_told_in_the_words_of_the_master(house: House) -> None:
    master, ann, _ben = a_game(house, "ann", "ben")
    master.says(Because("g1", "row-completed", "five in a row"))
    master.says(over("g1", "ann", losers=("ben",)))
    (told,) = verdicts(ann)
    assert (told.account, told.code, told.words) == (
        "ann won, as judged by the game master 'm'",
        "row-completed",
        "five in a row",
    )


def test_the_computer_has_won_where_it_played_and_no_player_has(house: House) -> None:
    master, ann, _ben = a_game(house, "ann", "ben")
    game = house.broker.server.games["g1"]
    game.setting = replace(game.setting, total=3)
    master.says(Because("g1", "row-completed", "", draw=False))
    master.says(over("g1", losers=("ann", "ben")))
    (told,) = verdicts(ann)
    assert told.account == "the computer won, as judged by the game master 'm'"
    ann.says(Why("g1"))
    assert house.explaining[-1].known[0] == "the computer won, as judged by the game master 'm'"


@pytest.mark.parametrize(("draw", "outcome"), [(True, Outcome.DRAWN), (False, Outcome.LOST)])
def test_equal_results_of_those_who_stayed_are_a_draw_if_the_master_says_so(
    house: House, draw: bool, outcome: Outcome
) -> None:
    master, ann, *_ = a_game(house, "ann", "ben", "cat")
    ann.says(LeaveGame("g1"))
    master.says(Because("g1", "board-full", "", draw=draw))
    master.says(over("g1", losers=("ann", "ben", "cat")))
    (result,) = house.results
    assert [seat.outcome for seat in result.seats] == [Outcome.LOST, outcome, outcome]
    assert (result.verdict.cause is Cause.DRAW) == draw


@pytest.mark.parametrize(("draw", "outcome"), [(True, Outcome.DRAWN), (None, Outcome.DRAWN), (False, Outcome.LOST)])
def test_losers_alone_have_lost_if_the_master_says_that_it_is_no_draw(
    house: House, draw: bool | None, outcome: Outcome
) -> None:
    """A program that has no seat at the table has won."""
    master, *_ = a_game(house, "ann", "ben")
    master.says(Because("g1", "outlaws-won", "", draw=draw))
    master.says(over("g1", losers=("ann", "ben")))
    (result,) = house.results
    assert [seat.outcome for seat in result.seats] == [outcome, outcome]
    assert result.verdict.cause is (Cause.DRAW if outcome is Outcome.DRAWN else Cause.FINISHED)


def test_a_shared_victory_is_a_draw_whatever_the_master_says(house: House) -> None:
    master, *_ = a_game(house, "ann", "ben")
    master.says(Because("g1", "points", "", draw=False))
    master.says(over("g1", "ann", "ben"))
    (result,) = house.results
    assert [seat.outcome for seat in result.seats] == [Outcome.DRAWN, Outcome.DRAWN]


@pytest.mark.parametrize("alone", [True, False])
def test_only_equal_results_of_several_are_a_draw(house: House, alone: bool) -> None:
    master, ann, _ben, cat = a_game(house, "ann", "ben", "cat")
    ann.says(LeaveGame("g1"))
    if alone:
        cat.says(LeaveGame("g1"))
    master.says(Because("g1", "board-full", "", draw=True))
    master.says(over("g1", "ben", losers=("ann", "cat")))
    (result,) = house.results
    assert result.verdict.cause is not Cause.DRAW
    assert result.seats[1].outcome is Outcome.WON


def test_there_is_one_reason_for_each_thing_that_is_told(house: House) -> None:
    master, ann, _ben = a_game(house, "ann", "ben")
    master.says(ILLEGAL)
    master.says(ILLEGAL)
    assert master.hears_error() == "x-reason: gameId id 'g1': there is a reason already for what comes next"
    assert len(reasons(house)) == 1
    assert verdicts(ann) == []


def test_what_is_wrong_with_a_reason(house: House) -> None:
    master, *_ = a_game(house, "ann", "ben", "cat")
    master.says(Because("g9", "code", ""))
    assert master.hears_error() == "x-reason: gameId id 'g9': you lead no such game"
    master.says(Because("g1", "code", "", "dan"))
    assert master.hears_error() == "x-reason: cause nick 'dan': not a player in game g1"
    master.says(PlayerLeftGame("ann", "g1"))
    master.says(ILLEGAL)  # crossed
    assert master.hears() == []
    assert reasons(house) == []


def test_only_masters_have_reasons(house: House) -> None:
    _master, ann, _ben = a_game(house, "ann", "ben")
    ann.says(ILLEGAL)
    assert heard(ann) == [Failed(RefusalReason.INVALID_PLAYER, "x-reason: you are in a game")]


def test_a_text_is_one_line_that_no_terminal_obeys(house: House) -> None:
    master, ann, _ben = a_game(house, "ann", "ben")
    master.says(Because("g1", "code", " \x9b31m red\u202e\nline ", "ann"))
    assert heard(ann) == [Because("g1", "code", r"\u{9b}31m red\u{202e}\nline", "ann")]


def test_reasons_count_for_the_size_of_a_game() -> None:
    house = House(max_game_bytes=65_536)
    master, ann, _ben = a_game(house, "ann", "ben")
    for _ in range(100):
        master.says(Because("g1", "code", "x" * 1000, "ann"))
        master.says(turn("g1", "ann"))
    assert [result.verdict.cause for result in house.results] == [Cause.TOO_LARGE]
    assert verdicts(ann)[0].void


def test_players_without_the_family_are_told_nothing_new(house: House) -> None:
    master, ann, ben = a_game(house, "ann", "ben", player=(Family.CHAT,))
    master.says(ILLEGAL)
    master.says(over("g1", "ben", losers=("ann",)))
    assert [type(message).__name__ for peer in (ann, ben) for message in heard(peer)] == ["GameState", "GameState"]


def test_a_reason_that_only_repeats_the_cause_has_no_words(house: House) -> None:
    """A player that was too slow had "player left" behind that, though it was still there."""
    master, _ann, ben = a_game(house, "ann", "ben")
    house.passes(30)
    master.says(Because("g1", "player-left", "player left"))
    master.says(over("g1", "ben"))
    (told,) = verdicts(ben)
    assert (told.cause, told.code, told.words) == ("timeout", "player-left", "")


def test_who_was_too_slow_is_told_the_verdict_but_not_who_has_left(house: House) -> None:
    master, ann, ben = a_game(house, "ann", "ben")
    house.passes(30)
    assert verdicts(ann) == []
    master.says(over("g1", "ben"))
    (told,) = verdicts(ann)
    assert (told.game_id, told.cause, told.culprit) == ("g1", "timeout", "ann")
    thank("g1", ben)
    ann.says(Logout())
    cat = house.guest("cat", REASON)
    master.says(turn("g2", "cat"))
    cat.says(LeaveGame("g2"))
    master.says(over("g2", "ben"))
    assert verdicts(cat) == []


def test_who_comes_back_after_the_end_is_told_the_verdict(house: House) -> None:
    master, ann, ben = a_game(house, "ann", "ben", player=(Family.SESSION, REASON))
    ann.is_lost()
    master.says(over("g1", "ben", losers=("ann",)))
    back = house.greets(Family.SESSION, REASON)
    back.says(Resume(ann.token))
    (told,) = verdicts(back)
    assert told.game_id == "g1"
    thank("g1", back, ben)
    back.is_lost()
    again = house.greets(Family.SESSION, REASON)
    again.says(Resume(ann.token))
    assert verdicts(again) == []


def test_a_game_that_is_void_has_a_verdict_too(house: House) -> None:
    master, ann, _ben = a_game(house, "ann", "ben")
    master.says(Error("game g1: my disk is full"))
    master.is_lost()
    (told,) = verdicts(ann)
    assert (told.cause, told.fault, told.culprit, told.void) == ("master lost", "master", "m", True)
    assert (told.code, told.words) == ("error", "game g1: my disk is full")


def test_players_learn_that_the_document_of_their_master_was_refused(house: House) -> None:
    master, ann, _ben = a_game(house, "ann", "ben")
    house.happens(Garbled(master.conn, "document refused at byte 108: mismatched tag", "<mess"))
    messages = heard(ann)
    assert Error("game void: the game master is gone: the game master's document was refused") in messages
    (told,) = [message for message in messages if isinstance(message, GameVerdict)]
    assert (told.code, told.words) == ("document-refused", "the game master's document was refused")


def test_they_learn_it_too_when_no_successor_has_come() -> None:
    house = House(master_grace_s=20)
    master = house.leader("m", REASON, Family.RESTORE)
    ann, _ben = house.guest("ann", REASON), house.guest("ben", REASON)
    master.says(turn("g1", "ann"))
    ann.hears()
    house.happens(Garbled(master.conn, "document refused at byte 108: mismatched tag", "<mess"))
    assert verdicts(ann) == []
    house.passes(21)
    (told,) = verdicts(ann)
    assert (told.code, told.words) == ("document-refused", "the game master's document was refused")


class TestErrorsOfMasters:
    """The error of a master that names a running game explains what follows there, and blames nobody."""

    def test_it_is_the_reason_of_the_end(self, house: House) -> None:
        master, ann, _ben = house.table("ann", "ben")
        reader = house.guest("cat", REASON)
        ann.says(move("g1"))
        master.says(Error("game g1: ann: 99,18 is outside the board"))
        master.says(over("g1", "ben", losers=("ann",)))
        (result,) = house.results
        assert result.verdict == Verdict(Cause.FINISHED)
        assert reasons(house) == [(None, "error: game g1: ann: 99,18 is outside the board")]
        assert verdicts(reader) == []

    @pytest.mark.parametrize("text", ["something is wrong", "g9: wrong", "xg1: wrong", "g1x", "y" * 5000 + " g1"])
    def test_an_error_that_names_no_running_game_explains_nothing(self, house: House, text: str) -> None:
        master, *_ = house.table("ann", "ben")
        master.says(Error(text))
        assert reasons(house) == []

    def test_a_state_lets_it_pass(self, house: House) -> None:
        master, *_ = house.table("ann", "ben")
        master.says(Error("g1: one moment"))
        master.says(turn("g1", "ann"))
        master.says(over("g1", "ben", losers=("ann",)))
        assert house.entries()[-1].text == "finished, fault: nobody"

    def test_only_the_first_counts_and_a_reason_counts_more(self, house: House) -> None:
        master, _ann, ben = a_game(house, "ann", "ben")
        master.says(Error("g1: first"))
        master.says(Error("g1: second"))
        assert reasons(house) == [(None, "error: g1: first")]
        master.says(ILLEGAL)
        master.says(over("g1", "ben", losers=("ann",)))
        (told,) = verdicts(ben)
        assert (told.cause, told.words) == ("illegal move", "99,18 is outside the board")

    def test_of_too_many_nothing_is_kept(self) -> None:
        house = House(max_errors_per_minute=1)
        master, *_ = house.table("ann", "ben")
        for number in range(5):
            master.says(Error(f"g1: {number}"))
            master.says(turn("g1", "ann"))
        assert reasons(house) == [(None, "error: g1: 0")]


def test_a_successor_does_not_inherit_a_reason() -> None:
    house = House(master_grace_s=10)
    families = (REASON, Family.RESTORE)
    first = house.leader("m", *families)
    ann, ben = house.guest("ann", REASON), house.guest("ben", REASON)
    first.says(turn("g1", "ann"))
    ann.says(move("g1"))
    first.says(ILLEGAL)
    first.is_lost()
    second = house.leader("n", *families)
    second.says(over("g1", "ben", losers=("ann",)))
    assert verdicts(ben)[0].cause == "finished"


def test_what_closed_the_line_of_a_player_is_in_the_record(house: House) -> None:
    master, ann, _ben = a_game(house, "ann", "ben")
    house.happens(Garbled(ann.conn, "byte 57: not well-formed"))
    master.says(over("g1", "ben", losers=("ann",)))
    assert [(entry.seat, entry.text) for entry in house.entries() if entry.kind is EntryKind.REFUSED] == [
        (0, "byte 57: not well-formed")
    ]
