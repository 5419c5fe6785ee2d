"""A knock-out as matches: scores, walkovers, a third place of its own, rounds in order."""

from tests.championship.tables.played import Contest
from ugs.championship.tables.match_trees import LEVEL, WALKOVER, MatchTree

SIX = ("ann", "bob", "cem", "dan", "eve", "fay")


def tree_of(contest: Contest) -> MatchTree:
    (section,) = contest.tables
    assert section.tree is not None
    return section.tree


def labels(tree: MatchTree) -> list[str]:
    return [round_.label for round_ in tree.rounds]


def test_a_disqualified_winner_of_the_final_has_not_won_it() -> None:
    contest = Contest(SIX, format="knock-out", third_place=True).play().over()
    winner, second = tree_of(contest).champion, contest.one.placing[1] if contest.one.placing else ""
    contest.disqualify(winner)
    tree = tree_of(contest)
    final = tree.rounds[-1].matches[-1]
    assert tree.champion == second != winner
    assert {side.nick: side.state for side in final.sides} == {winner: "out", second: "on"}
    assert final.note == "its winner is disqualified"
    assert contest.entries[-1].data["placing"][0] == second
    assert winner not in contest.entries[-1].data["placing"]


def test_rounds_stand_in_order_and_the_third_place_apart() -> None:
    tree = tree_of(Contest(SIX, format="knock-out", third_place=True).play())
    assert labels(tree) == ["quarter-final", "semi-final", "final"]
    assert tree.champion == "ann"
    assert tree.third_place is not None
    assert {side.nick for side in tree.third_place.sides} == {"cem", "dan"}
    assert tree.third_place not in [match for round_ in tree.rounds for match in round_.matches]


def test_the_score_of_a_match_is_that_of_its_games() -> None:
    tree = tree_of(Contest(SIX, format="knock-out", best_of=3).play(wins=lambda fixture: min(fixture.nicks)))
    final = tree.rounds[-1].matches[0]
    assert [(side.nick, side.score, side.state) for side in final.sides] == [("ann", 2.0, "on"), ("bob", 0.0, "out")]
    assert len(final.games) == 2


def test_who_goes_on_without_playing_has_a_walkover() -> None:
    contest = Contest(SIX, format="knock-out")
    contest.withdraw("dan")
    tree = tree_of(contest)
    match = next(one for one in tree.rounds[0].matches if "dan" in [side.nick for side in one.sides])
    assert (match.note, match.state) == (WALKOVER, "over")
    assert [(side.nick, side.state) for side in match.sides] == [("dan", "out"), ("eve", "on")]


def test_a_match_without_a_winner_is_decided_by_the_seeding_and_says_so() -> None:
    tree = tree_of(Contest(SIX[:2], format="knock-out").play(wins=lambda _: ""))
    assert tree.rounds[0].matches[0].note == LEVEL
    assert tree.champion == "ann"


def test_a_match_that_a_correction_after_the_end_makes_level_is_decided_by_the_seeding() -> None:
    """Nothing more is played, so no third game follows."""
    contest = Contest(SIX[:2], format="knock-out", best_of=3).play(wins=lambda _: "bob").over()
    first = tree_of(contest).rounds[0].matches[0].games[0]
    contest.correct(first.game, {"ann": "won"})
    match = tree_of(contest).rounds[0].matches[0]
    assert (match.state, match.note) == ("over", LEVEL)
    assert [(side.nick, side.score, side.state) for side in match.sides] == [("ann", 1.0, "on"), ("bob", 1.0, "out")]
    assert tree_of(contest).champion == "ann"


def test_also_in_the_last_of_several_stages() -> None:
    stages = ({"groups": 1, "go_on": 2}, {"format": "knock-out", "best_of": 3})
    contest = Contest(SIX[:3], format="stages", stages=stages).play().over()
    *_, last = contest.tables
    assert last.tree is not None
    game = last.tree.rounds[0].matches[0].games[0]
    contest.correct(game.game, {"bob": "won"})
    *_, last = contest.tables
    assert last.tree is not None
    assert last.tree.rounds[0].matches[0].note == LEVEL


def test_a_player_who_is_not_known_yet_is_the_winner_of_its_match() -> None:
    tree = tree_of(Contest(SIX, format="knock-out", third_place=True))
    assert [side.origin for side in tree.rounds[-1].matches[0].sides] == ["winner of match 3", "winner of match 4"]
    assert tree.third_place is not None
    assert [side.origin for side in tree.third_place.sides] == ["loser of match 3", "loser of match 4"]


def test_a_match_that_is_played_says_so() -> None:
    contest = Contest(SIX, format="knock-out", best_of=3).play(1)
    assert sorted(match.state for match in tree_of(contest).rounds[0].matches) == ["running", "to come"]


def test_larger_games_are_matches_too_and_no_bracket() -> None:
    tree = tree_of(Contest((*SIX, "gus", "hal"), format="knock-out", seats=4).play())
    assert not tree.is_bracket
    assert [len(match.sides) for round_ in tree.rounds for match in round_.matches] == [4, 4, 4]
    assert sum(side.state == "on" for side in tree.rounds[0].matches[0].sides) == 2
