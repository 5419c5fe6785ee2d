"""Each game of a ledger as far as it has come."""

from tests.championship.tables.played import Contest
from ugs.championship.tables.scheduled_games import Ruling, scheduled_games

FIELD = ("ann", "bob", "cem")


def test_a_corrected_game_has_its_new_result_and_who_corrected_it_and_why() -> None:
    contest = Contest(FIELD, format="round-robin").play(1)
    (before,) = scheduled_games(contest.entries).values()
    contest.correct(before.game, {before.nicks[1]: "won"}, "wrong clock")
    (after,) = scheduled_games(contest.entries).values()
    assert (after.state, after.game) == ("played", before.game)
    assert after.outcomes == {before.nicks[0]: "lost", before.nicks[1]: "won"} != before.outcomes
    assert after.ruling == Ruling("eve", "wrong clock", before.outcomes)


def test_of_two_corrections_the_last_one_counts() -> None:
    contest = Contest(FIELD, format="round-robin").play(1)
    (game,) = scheduled_games(contest.entries).values()
    for word in ("drawn", "lost"):
        contest.correct(game.game, {game.nicks[0]: word, game.nicks[1]: "drawn" if word == "drawn" else "won"}, word)
    (after,) = scheduled_games(contest.entries).values()
    assert after.ruling is not None
    assert (after.outcomes[game.nicks[0]], after.ruling.why) == ("lost", "lost")


def test_an_adjudicated_game_says_who_decided_it() -> None:
    contest = Contest(FIELD, format="round-robin")
    fixture = contest.begin()
    assert fixture is not None
    contest.adjudicate(f"g{fixture.number}", {"": "drawn"}, "power cut")
    (after,) = scheduled_games(contest.entries).values()
    assert (after.state, after.ruling) == ("adjudicated", Ruling("eve", "power cut", {}))
    assert set(after.outcomes.values()) == {"drawn"}


def test_a_forfeit_that_was_never_begun_is_known_by_its_entry() -> None:
    contest = Contest(FIELD, format="round-robin").play(1)
    contest.withdraw("bob")
    states = {game.state for game in scheduled_games(contest.entries).values()}
    assert states == {"played", "forfeit"}
