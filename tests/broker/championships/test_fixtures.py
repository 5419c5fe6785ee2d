"""The bookkeeping of a championship, where a story through the door would be long: withdrawals and walkovers, and how
it is made again from its ledger."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.profile import sized
from ugs.broker.championships import corrections, entering, fixtures, ledger_entries, progress
from ugs.broker.state.championship import Championship
from ugs.broker.values.standings import LiveStandings
from ugs.broker.verdict import Cause, GameResult, Outcome, SeatResult, Verdict
from ugs.championship.due_draws import Request
from ugs.championship.formats.format_contract import Fixture
from ugs.championship.ledger import LedgerEntry, What
from ugs.championship.pairing.swiss_round import SwissRound
from ugs.championship.plan import Plan
from ugs.championship.used_keys import STRIKING_FORMATS


def result(
    nicks: Sequence[str], *, void: bool = False, cause: Cause = Cause.MASTER_LOST, draw: bool = False, game_id: str = ""
) -> GameResult:
    """The first of these has won, or the game is void, or all share it; it is called like them unless it has an id."""
    outcomes = [Outcome.WON] + [Outcome.LOST] * (len(nicks) - 1)
    if void or draw:
        outcomes = [Outcome.VOID if void else Outcome.DRAWN] * len(nicks)
    verdict = Verdict(cause, "m") if void else Verdict(Cause.DRAW if draw else Cause.FINISHED)
    seats = tuple(map(SeatResult, nicks, outcomes))
    return GameResult(game_id or "".join(nicks), "chess", "m", seats, verdict, 0, 0.0, 0.0, championship="cup")


def ends(one: Championship, game: GameResult) -> None:
    """A game has its verdict, and that is on file."""
    fixtures.record(one, game)
    fixtures.count(one, game)


def begins(one: Championship, nicks: str, size: int = 2, game_id: str = "") -> None:
    """The fixture of these players is being played; the game is called like them unless it has an id."""
    fixture = fixtures.next_fixture(one, nicks, size, size)
    assert fixture is not None
    assert set(fixture.nicks) == set(nicks)
    fixtures.begun(one, game_id or nicks, fixture)


def plays(one: Championship, nicks: str) -> None:
    """These have met and the first has won."""
    begins(one, nicks)
    ends(one, result(nicks))


def rows(one: Championship) -> dict[str, tuple[int, int]]:
    """The table as nick -> (won, lost)."""
    return {row.nick: (row.won, row.lost) for row in one.standings.rows()}


def entrants_of(request: Request) -> int:
    """For how many it is drawn."""
    return len(request.order) if isinstance(request, SwissRound) else request.entrants


class Story:
    """A championship and the ledger it has told; it can be made again from it at any point."""

    def __init__(self, nicks: Sequence[str], **plan: object) -> None:
        values = {"name": "cup", "game_type": "chess", "first": 2, "void_replays": 1, **plan}
        self.nicks = nicks
        self.plan = Plan.read(values)
        self.told: list[LedgerEntry] = []
        self.one = Championship(self.plan, self.hears)
        entering.fix_field(self.one, nicks, LiveStandings())

    def hears(self, _championship: Championship, entry: LedgerEntry) -> None:
        """One more entry; what is written down is JSON."""
        json.dumps(dict(entry.data))
        self.told.append(entry)

    def again(self) -> "Story":
        """As it is after a restart of the server, before anything has been decided about games that ran."""
        story = Story.__new__(Story)
        story.nicks, story.plan, story.told = self.nicks, self.plan, list(self.told)
        story.one = progress.from_ledger(self.plan, self.told, story.hears)
        assert story.told == self.told, "what was read is not told once more"
        return story

    def is_the_same_again(self) -> None:
        """Made again from its ledger it stands as it did."""
        again = self.again().one
        assert rows(again) == rows(self.one)
        assert again.unplayed == self.one.unplayed
        assert (again.finished or again.ledger.over) == (self.one.finished or self.one.ledger.over)
        assert again.remaining == self.one.remaining
        assert again.paused == self.one.paused
        assert again.ledger.standing() == self.one.ledger.standing()


class Course:
    """A championship and all that may happen to it, chosen by numbers that a test draws."""

    def __init__(self, story: Story, seats: int, first_game: int = 1) -> None:
        self.story = story
        self.one = story.one
        self.seats = seats
        self.running: dict[str, Fixture] = {}
        self.closing: list[GameResult] = []
        self._next_game = first_game

    def begins(self, number: int) -> bool:
        """Of the players who are free, all but some try to play; whether they can."""
        busy = {nick for fixture in self.running.values() for nick in fixture.nicks}
        free = [nick for nick in self.story.nicks if nick not in busy and self.one.plays(nick)]
        fixture = fixtures.next_fixture(self.one, free[number % 3 :], self.seats, self.seats)
        if fixture is not None:
            self.running[f"g{self._next_game}"] = fixture
            fixtures.begun(self.one, f"g{self._next_game}", fixture)
            self._next_game += 1
        return fixture is not None

    def ends(self, number: int) -> None:
        """The nick that sorts first wins, mostly; that is on its way to the disk."""
        if self.running:
            game_id = list(self.running)[number % len(self.running)]
            nicks = sorted(self.running.pop(game_id).nicks)
            ended = result(nicks, draw=number % 7 == 6, game_id=game_id)
            fixtures.record(self.one, ended)
            self.closing.append(ended)

    def counts(self, _number: int = 0) -> None:
        """The oldest of these results is on file."""
        if self.closing:
            fixtures.count(self.one, self.closing.pop(0))

    def is_void(self, number: int) -> None:
        """Through the fault of the master, or of the server."""
        if self.running:
            game_id = list(self.running)[number % len(self.running)]
            cause = Cause.MASTER_LOST if number % 2 else Cause.SHUTDOWN
            ends(self.one, result(self.running.pop(game_id).nicks, void=True, cause=cause, game_id=game_id))

    def loses_the_journal(self, _number: int) -> None:
        """What is closing is void after all."""
        for lost in self.closing:
            nicks = [seat.nick for seat in lost.seats]
            ends(self.one, result(nicks, void=True, cause=Cause.JOURNAL_LOST, game_id=lost.game_id))
        self.closing.clear()

    def loses_an_entrant(self, number: int) -> None:
        """An entrant withdraws."""
        nick = self.story.nicks[number % len(self.story.nicks)]
        if self.one.plays(nick):
            entering.withdraw(self.one, nick, "ada", "because")

    def disqualifies(self, number: int) -> None:
        """An entrant loses its place, rather seldom."""
        nick = self.story.nicks[number % len(self.story.nicks)]
        if number % 3 == 0 and nick not in self.one.ledger.disqualified:
            entering.disqualify(self.one, nick, "ada", "because")

    def takes_back(self, number: int) -> None:
        """That an entrant is out was a mistake."""
        gone = [*self.one.ledger.gone]
        if gone:
            entering.take_back(self.one, gone[number % len(gone)], "ada", "because")

    def replays(self, number: int) -> None:
        """A game that counts is to be played again."""
        counted = list(self.one.ledger.counted.values())
        if counted:
            corrections.replay(self.one, counted[number % len(counted)].game_id, "ada", "because")

    def corrects(self, number: int) -> None:
        """Another player has won a game that counts."""
        counted = list(self.one.ledger.counted.values())
        if counted:
            one = counted[number % len(counted)]
            corrections.correct(
                self.one, f"#{one.fixture}", {self._one_of(one.outcomes, number): "won"}, "ada", "because"
            )

    def adjudicates(self, number: int) -> None:
        """A game is decided that runs, was given up or has not begun."""
        known = {fixture.number: fixture.nicks for fixture in [*self.running.values(), *self.one.open_fixtures(4)]}
        known |= {number: tuple(nicks) for number, nicks in self.one.ledger.given_up.items()}
        if known:
            fixture = sorted(known)[number % len(known)]
            corrections.adjudicate(
                self.one, f"#{fixture}", {self._one_of(known[fixture], number): "won"}, "ada", "because"
            )

    def lets_enter(self, number: int) -> None:
        """Somebody comes late, where games are of as many players as the game masters here take."""
        nick = "uvwxyz"[number % 6]
        fits = self.one.schedule is not None and self.one.schedule.seats == self.seats
        if fits and len(self.story.nicks) < MAX_ENTRANTS and entering.enter(self.one, nick, "ada", "because") is None:
            self.story.nicks = [*self.story.nicks, nick]

    def lets_sit_out(self, number: int) -> None:
        """An entrant sits out a round that is not drawn yet."""
        nick = self.story.nicks[number % len(self.story.nicks)]
        if self.one.plays(nick):
            entering.sit_out(self.one, nick, number % 4 + 1, "ada", "because")

    def edits(self, number: int) -> None:
        """The plan is changed in what is harmless."""
        ledger_entries.edit(self.one, self.one.plan.but(void_replays=number % 3), "ada", "because")

    @staticmethod
    def _one_of(nicks: Iterable[str], number: int) -> str:
        every = sorted(nicks)
        return every[number // 7 % len(every)]

    def draws(self, number: int) -> None:
        """What is wanted is asked for, or what was asked for has been drawn."""
        if self.one.asked is not None and number % 2:
            fixtures.take(self.one, self.one.asked.draw())
        elif self.one.asked is None and self.one.wanted is not None:
            fixtures.ask(self.one)

    def pauses(self, _number: int) -> None:
        """Or goes on."""
        if self.one.paused:
            ledger_entries.resume(self.one, "ada", "because")
        else:
            ledger_entries.pause(self.one, "ada", "because")

    def finishes(self) -> None:
        """Play everything there is, one game at a time."""
        if self.one.paused:
            ledger_entries.resume(self.one, "ada", "because")
        assert not self.running
        while self.begins(0) or self.one.wanted is not None:
            self.draws(1)
            self.ends(0)
            self.counts()
        if not self.one.finished:
            assert self.one.remaining < self.seats, "whatever can be played has been played"
            fixtures.give_up(self.one)
        assert self.one.finished
        ledger_entries.end(self.one)


MAX_ENTRANTS = 9

HAPPENINGS = (
    *[Course.begins, Course.begins, Course.begins, Course.begins, Course.ends, Course.ends, Course.ends],
    *[Course.counts, Course.counts, Course.counts, Course.is_void, Course.loses_an_entrant, Course.replays],
    *[Course.pauses, Course.loses_the_journal, Course.draws, Course.draws],
    *[Course.disqualifies, Course.takes_back, Course.takes_back],
    *[Course.corrects, Course.adjudicates, Course.lets_enter, Course.lets_sit_out, Course.edits],
)
"""What may happen, the likelier more often."""

PLANS: tuple[tuple[int, dict[str, object]], ...] = (
    (2, {}),
    (2, {"seats": 2, "repeats": 2}),
    (3, {"seats": 3}),
    (2, {"format": "swiss", "rounds": 3}),
    (3, {"format": "swiss", "rounds": 2}),
    (2, {"format": "knock-out", "third_place": True}),
    (2, {"format": "knock-out", "best_of": 3}),
    (2, {"format": "ladder", "rounds": 3}),
    (2, {"format": "gauntlet", "repeats": 2, "champion": "c"}),
    (2, {"format": "stages", "stages": ({"groups": 2, "go_on": 1}, {"format": "knock-out"})}),
    (
        2,
        {"format": "stages", "stages": ({"groups": 2, "go_on": 2, "play_off": True}, {"format": "swiss", "rounds": 2})},
    ),
    (
        2,
        {
            "format": "stages",
            "stages": (
                {"format": "swiss", "rounds": 3, "go_on": 2, "tie_breaks": ["buchholz", "head-to-head"]},
                {"format": "knock-out", "best_of": 3},
            ),
        },
    ),
    (3, {"format": "stages", "seats": 3, "stages": ({"go_on": 3}, {"format": "round-robin", "play_off": True})}),
    (2, {"format": "league", "seats": 2, "divisions": 2, "promoted": 1, "rounds": 2}),
)
"""Seats and what else is in the plan, for every format."""


@pytest.fixture
def story() -> Iterator[Story]:
    """A championship of a, b, c and d, who meet two by two; in the end it must be the same when it is made again."""
    story = Story("abcd")
    yield story
    story.is_the_same_again()


def test_a_walkover_is_taken_back_when_its_winner_is_struck(story: Story) -> None:
    one = story.one
    plays(one, "ab")
    plays(one, "ac")
    assert entering.withdraw(one, "a") is False
    assert rows(one) == {"a": (2, 1), "d": (1, 0), "b": (0, 1), "c": (0, 1)}
    assert entering.withdraw(one, "d") is True
    assert rows(one) == {"a": (2, 0), "b": (0, 1), "c": (0, 1)}


def test_a_walkover_is_no_game_that_was_played() -> None:
    story = Story("abc")
    one = story.one
    plays(one, "ab")
    assert entering.withdraw(one, "a") is False
    assert rows(one) == {"a": (1, 1), "c": (1, 0), "b": (0, 1)}
    assert entering.withdraw(one, "c") is True
    story.is_the_same_again()


def test_a_void_game_of_one_who_has_gone_is_lost_by_it_and_won_by_the_other(story: Story) -> None:
    one = story.one
    plays(one, "ab")
    plays(one, "ac")
    begins(one, "ad")
    entering.withdraw(one, "a")
    ends(one, result("ad", void=True))
    assert rows(one) == {"a": (2, 1), "d": (1, 0), "b": (0, 1), "c": (0, 1)}


def test_a_void_game_of_one_who_is_struck_is_forgotten(story: Story) -> None:
    one = story.one
    begins(one, "ab")
    entering.withdraw(one, "a")
    ends(one, result("ab", void=True))
    assert rows(one) == {"b": (0, 0), "c": (0, 0), "d": (0, 0)}
    assert one.unplayed == []


def test_two_who_have_gone_both_lose_their_game(story: Story) -> None:
    one = story.one
    for pair in ("ab", "ac", "cd", "bd"):
        plays(one, pair)
    entering.withdraw(one, "a")
    entering.withdraw(one, "d")
    begun_with_both = rows(one)
    assert begun_with_both["a"] == (2, 1)
    assert begun_with_both["d"] == (1, 2), "won by walkover over a, lost to c and b"


def test_in_games_of_three_too() -> None:
    story = Story("abc")
    one = story.one
    begins(one, "abc", size=3)
    ends(one, result("abc", void=True))
    begins(one, "abc", size=3, game_id="another")
    assert entering.withdraw(one, "b") is True
    ends(one, result("abc", game_id="another"))
    assert rows(one) == {"a": (0, 0), "c": (0, 0)}, "who has played nothing is struck, also from what still runs"
    story.is_the_same_again()


def test_in_games_of_three_only_the_leaver_loses_the_games_that_are_left() -> None:
    story = Story("abcd")
    one = story.one
    drawn = []
    while (fixture := fixtures.next_fixture(one, "abcd", 3, 3)) is not None:
        drawn.append("".join(fixture.nicks))
        fixtures.begun(one, drawn[-1], fixture)
    last = next(nicks for nicks in reversed(drawn) if "a" in nicks)
    for nicks in drawn:
        if nicks != last:
            ends(one, result(nicks))
    before = rows(one)
    assert entering.withdraw(one, "a") is False
    ends(one, result(last, void=True))
    won, lost = before["a"]
    assert rows(one) == before | {"a": (won, lost + 1)}
    story.is_the_same_again()


def test_a_game_of_another_time_does_not_count(story: Story) -> None:
    one = story.one
    ends(one, result("ab"))
    assert set(rows(one).values()) == {(0, 0)}


def test_a_game_that_is_not_played_here_is_not_voided_either(story: Story) -> None:
    told = list(story.told)
    fixtures.voided(story.one, "other", "root", "wrong table")
    assert story.told == told


def test_what_is_voided_once_too_often_is_reported_also_after_a_restart(story: Story) -> None:
    for number in range(2):
        begins(story.one, "ab", game_id=f"g{number}")
        ends(story.one, result("ab", void=True, game_id=f"g{number}"))
    assert [sorted(nicks) for nicks in story.one.unplayed] == [["a", "b"]]


def test_a_replay_that_was_given_up_is_not_played_after_a_restart() -> None:
    story = Story("ab")
    begins(story.one, "ab")
    ends(story.one, result("ab", void=True))
    fixtures.give_up(story.one)
    fixtures.give_up(story.one)
    ledger_entries.end(story.one)
    assert [sorted(nicks) for nicks in story.one.unplayed] == [["a", "b"]]
    story.is_the_same_again()


def test_a_game_that_ends_void_after_all_was_given_up_is_given_up_too(story: Story) -> None:
    begins(story.one, "ab")
    fixtures.give_up(story.one)
    ends(story.one, result("ab", void=True))
    assert story.one.finished
    assert len(story.one.unplayed) == 6
    assert fixtures.next_fixture(story.one, "abcd", 2, 2) is None


def test_a_void_game_of_one_who_has_gone_is_lost_by_it_however_often_it_was_void(story: Story) -> None:
    one = story.one
    for pair in ("ab", "ac"):
        plays(one, pair)
    begins(one, "ad", game_id="g1")
    ends(one, result("ad", void=True, game_id="g1"))
    begins(one, "ad", game_id="g2")
    assert entering.withdraw(one, "a") is False
    ends(one, result("ad", void=True, game_id="g2"))
    assert one.unplayed == []
    assert rows(one)["d"] == (1, 0)


def test_an_entrant_who_goes_while_its_only_game_is_closing_has_played_it() -> None:
    story = Story("ab")
    begins(story.one, "ab")
    fixtures.record(story.one, result("ab"))
    assert entering.withdraw(story.one, "a") is False
    fixtures.count(story.one, result("ab"))
    assert rows(story.one) == {"a": (1, 0), "b": (0, 1)}
    story.is_the_same_again()


def test_a_result_that_was_never_announced_since_the_journal_was_lost_does_not_count(story: Story) -> None:
    one = story.one
    begins(one, "ab")
    fixtures.record(one, result("ab"))
    fixtures.record(one, result("ab", void=True, cause=Cause.JOURNAL_LOST))
    assert set(rows(one).values()) == {(0, 0)}
    story.is_the_same_again()
    begins(one, "ab", game_id="another")


def test_a_game_whose_beginning_was_lost_with_the_journal_is_still_to_be_played(story: Story) -> None:
    begins(story.one, "ab")
    beginning = story.told.pop()
    assert beginning.what is What.FIXTURE
    fixtures.record(story.one, result("ab", void=True, cause=Cause.JOURNAL_LOST))
    plays(story.again().one, "ab")


def test_a_championship_without_a_schedule_is_over_and_says_why() -> None:
    story = Story("abcd", seats=2, repeats=1000)
    assert story.one.impossible == ""
    nicks = [f"n{number}" for number in range(33)]
    story = Story(nicks, seats=2, repeats=1000)
    assert story.one.finished
    assert story.one.impossible == "repeats = 1000: that is 528000 games or more; allowed: 500000 games in all"
    story.is_the_same_again()
    without_seats = Story(nicks, repeats=1000)
    assert fixtures.next_fixture(without_seats.one, nicks, 2, 2) is None
    assert without_seats.one.finished


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize(("seats", "plan"), PLANS, ids=str)
@given(
    nicks=st.integers(4, 7).map(lambda number: "abcdefg"[:number]),
    leavers=st.sampled_from(["half", "lose", "strike"]),
    happenings=st.lists(st.tuples(st.sampled_from(HAPPENINGS), st.integers(0, 60)), max_size=40),
)
@settings(max_examples=sized(quick=12, deep=120), deadline=None, derandomize=True)
def test_made_again_at_any_point_it_is_played_to_the_same_end(
    seats: int,
    plan: dict[str, object],
    nicks: str,
    leavers: str,
    happenings: list[tuple[Callable[[Course, int], object], int]],
    large: bool,
) -> None:
    if plan.get("format", "round-robin") not in STRIKING_FORMATS:
        leavers = leavers.replace("strike", "lose")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(progress, "is_large", lambda request: large and entrants_of(request) > 3)
        is_played_to_the_same_end(Story(nicks, leavers=leavers, **plan), seats, happenings)


def test_groups_of_which_only_some_are_large_are_drawn_alike_after_each_of_two_restarts() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(progress, "is_large", lambda request: entrants_of(request) > 3)
        story = Story("abcdefg", format="stages", stages=({"groups": 2, "go_on": 1}, {"format": "knock-out"}))
        is_played_to_the_same_end(story, 2, [(Course.begins, 0)])


def is_played_to_the_same_end(
    story: Story, seats: int, happenings: Sequence[tuple[Callable[[Course, int], object], int]]
) -> None:
    """The same story, told to the end with and without a restart."""
    course = Course(story, seats)
    for happens, number in happenings:
        happens(course, number)
    again = story.again()
    while course.closing:  # what the ledger says already
        course.counts()
    story.is_the_same_again()
    fixtures.go_on(again.one)
    for game_id, fixture in course.running.items():  # what becomes of games that the server was lost in
        ends(story.one, result(fixture.nicks, void=True, cause=Cause.SERVER_LOST, game_id=game_id))
    course.running.clear()
    assert rows(again.one) == rows(story.one)
    assert again.one.unplayed == story.one.unplayed
    assert again.one.finished == story.one.finished
    again.is_the_same_again()
    course.finishes()
    Course(again, seats, first_game=1000).finishes()
    story.is_the_same_again()
    again.is_the_same_again()
    if story.plan.format != "ladder":  # which pairs those who happen to be free
        assert rows(again.one) == rows(story.one)
        assert {*map(tuple, again.one.unplayed)} == {*map(tuple, story.one.unplayed)}


def test_places_and_byes_are_those_of_the_format() -> None:
    one = Story("abcde", format="swiss", seats=2).one
    assert len(one.byes) == 1
    assert one.placing is None
    one = Story("abcd", format="knock-out").one
    assert (one.byes, one.placing) == ((), None), "nothing is drawn up before a game master says how many play a game"
    begins(one, "ad")
    assert one.placing is not None
    assert sorted(one.placing) == [*"abcd"]
