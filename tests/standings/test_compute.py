"""From results to standings."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.profile import sized
from tests.standings.results import DRAWN, LOST, WON, drawn, forfeit, game, played_by_strength, void, won
from ugs.broker.values.standings import LiveStandings
from ugs.broker.verdict import Cause, GameResult
from ugs.championship.ledger import LedgerEntry, What
from ugs.standings import compute
from ugs.standings.compute import ChampionshipFacts, championship_facts, standings_of
from ugs.standings.elo import MAX_PLAYERS, fit_elo
from ugs.standings.skill import skills
from ugs.standings.standings import GivenUp, LeftEntrant, Standings

CUP = ChampionshipFacts("cup", "running", ("head-to-head", "wins"), ("ann", "ben", "cat"))


def order(found: Standings) -> list[tuple[int | None, str]]:
    return [(line.place, line.nick) for line in found.players]


GAMES = st.lists(
    st.tuples(st.lists(st.sampled_from("abcde"), min_size=2, max_size=2, unique=True), st.booleans()), max_size=20
).map(lambda games: [drawn(*nicks) if even else won(*nicks) for nicks, even in games])


@given(GAMES)
def test_in_open_play_the_order_is_the_one_that_players_are_sent(results: list[GameResult]) -> None:
    table = LiveStandings()
    for result in results:
        table.count(result)
    told = [(row.nick, row.won, row.lost) for row in table.champions_list().rows]
    found = standings_of(results, "chess", ratings=False)
    assert [(line.nick, line.won, line.lost) for line in found.players] == told
    assert [line.place for line in found.players] == list(range(1, len(told) + 1))


@given(GAMES, st.permutations("abcde"))
def test_other_names_for_the_players_change_no_rating(results: list[GameResult], names: list[str]) -> None:
    name = dict(zip("abcde", names, strict=True))
    renamed = [game(*((name[seat.nick], seat.outcome) for seat in result.seats)) for result in results]
    elo = {line.nick: line.elo for line in standings_of(results, "chess").players}
    other = {line.nick: line.elo for line in standings_of(renamed, "chess").players}
    for nick, found in elo.items():
        there = other[name[nick]]
        assert found is not None
        assert there is not None
        assert (there.value, there.low) == pytest.approx((found.value, found.low), abs=1e-6)


@given(GAMES, st.randoms(use_true_random=False))
def test_the_order_of_games_changes_neither_rows_nor_elo(results: list[GameResult], chance: random.Random) -> None:
    other = list(results)
    chance.shuffle(other)
    one, two = standings_of(results, "chess"), standings_of(other, "chess")
    assert one.cross_table == two.cross_table
    for here, there in zip(one.players, two.players, strict=True):
        assert (here.nick, here.won, here.lost, here.drawn, here.points) == (
            there.nick,
            there.won,
            there.lost,
            there.drawn,
            there.points,
        )
        assert here.elo is not None
        assert there.elo is not None
        assert here.elo.value == pytest.approx(there.elo.value, abs=1e-6)


def test_ratings_are_those_of_the_games_that_were_played_in_their_order() -> None:
    results = [won("ann", "ben"), forfeit("ben", "cat"), void("ann", "cat"), drawn("ben", "cat"), won("cat", "ann")]
    played = [results[0], results[3], results[4]]
    found = standings_of(results, "chess")
    assert {line.nick: line.rating for line in found.players} == skills(played)
    fit = fit_elo({("ann", "ben"): (1, 0), ("ben", "cat"): (0.5, 0.5), ("cat", "ann"): (1, 0)}, seats=True)
    assert {line.nick: line.elo for line in found.players} == {nick: fit.elo(nick) for nick in ("ann", "ben", "cat")}
    assert (found.games, found.forfeits, found.void) == (3, 1, 1)


def test_with_more_seats_there_is_no_elo_and_neighbours_go_by_openskill() -> None:
    results = [game(("a", WON), ("b", LOST), ("c", LOST)), won("a", "b")]
    found = standings_of(results, "hearts")
    assert all(line.elo is None and line.rating is not None for line in found.players)
    assert [each.by for each in found.neighbours] == ["openskill", "openskill"]


def test_a_field_too_large_for_elo_gets_a_note_and_is_compared_by_openskill() -> None:
    nicks = [f"p{number}" for number in range(MAX_PLAYERS + 1)]
    found = standings_of([won(nicks[0], nick) for nick in nicks[1:]], "chess")
    assert all(line.elo is None for line in found.players)
    assert found.notes == (f"no Elo: {MAX_PLAYERS + 1} players, at most {MAX_PLAYERS} can be fitted",)
    assert {each.by for each in found.neighbours} == {"openskill"}


def test_without_ratings_there_are_none_and_nobody_is_compared() -> None:
    found = standings_of([won("ann", "ben")], "chess", ratings=False)
    assert all(line.elo is None and line.rating is None for line in found.players)
    assert found.neighbours == ()


def test_without_games_there_is_nothing_and_that_is_no_error() -> None:
    assert standings_of([], "chess") == Standings("chess", 0, ())


def test_in_a_championship_points_decide_then_the_tie_breaks_of_its_plan() -> None:
    # In open play ann (two won) would be first; here cat has as many points and has beaten her.
    results = [won("ann", "ben"), won("cat", "ann"), won("ann", "ben"), drawn("ben", "cat"), drawn("ben", "cat")]
    assert order(standings_of(results, "chess")) == [(1, "ann"), (2, "cat"), (3, "ben")]
    found = standings_of(results, "chess", CUP)
    assert order(found) == [(1, "cat"), (2, "ann"), (3, "ben")]
    assert [dict(line.tie_breaks) for line in found.players] == [
        {"head-to-head": 1, "wins": 1},
        {"head-to-head": 0, "wins": 2},
        {"head-to-head": None, "wins": 0},
    ]
    assert (found.championship, found.state, found.tie_breaks) == ("cup", "running", ("head-to-head", "wins"))


def test_entrants_who_have_not_played_have_a_line() -> None:
    assert order(standings_of([won("ann", "ben")], "chess", CUP)) == [(1, "ann"), (2, "ben"), (2, "cat")]


def test_a_bye_is_a_point_but_no_game() -> None:
    found = standings_of(
        [won("ann", "ben")], "chess", ChampionshipFacts("cup", "running", (), ("cat",), byes={"cat": 1})
    )
    cat = next(line for line in found.players if line.nick == "cat")
    assert (cat.place, cat.points, cat.byes, cat.games, cat.won) == (1, 1.0, 1, 0, 0)


def test_a_format_that_places_its_entrants_is_followed_and_the_rest_comes_after_by_points() -> None:
    knock_out = ChampionshipFacts("cup", "over", ("wins",), ("ann", "ben", "cat", "dan"), ("ben", "cat"))
    found = standings_of([won("ann", "dan"), won("ann", "dan"), won("ben", "cat")], "chess", knock_out)
    assert order(found) == [(1, "ben"), (2, "cat"), (3, "ann"), (4, "dan")]


CHEAT = LeftEntrant("ann", "cheated", False, "eve", disqualified=True)


def test_who_is_disqualified_stands_last_without_a_place_and_its_games_count_for_the_others() -> None:
    ill = LeftEntrant("cat", "ill", False, "eve")
    cup = ChampionshipFacts("cup", "over", (), ("ann", "ben", "cat"), left=(CHEAT, ill))
    found = standings_of([won("ann", "ben"), won("ann", "cat"), won("ben", "cat"), won("cat", "ann")], "chess", cup)
    assert order(found) == [(1, "ben"), (1, "cat"), (None, "ann")]
    assert [line.out for line in found.players] == ["", "withdrawn by eve: ill", "disqualified by eve: cheated"]
    assert [line.won for line in found.players] == [1, 1, 2]


def test_also_where_the_format_places_them() -> None:
    cup = ChampionshipFacts("cup", "over", (), ("ann", "ben", "cat"), ("ann", "ben", "cat"), left=(CHEAT,))
    found = standings_of([won("ann", "ben"), won("ann", "cat")], "chess", cup)
    assert order(found) == [(1, "ben"), (2, "cat"), (None, "ann")]


MANY_GAMES = sized(quick=20_000, deep=100_000)
PLAN = {"name": "cup", "tie_breaks": ["wins", "buchholz"]}


def ledger(*entries: tuple[What, dict[str, object]], why: str = "") -> list[LedgerEntry]:
    return [LedgerEntry(what, data, "", why) for what, data in entries]


def test_a_championship_is_read_from_its_ledger() -> None:
    begun = ledger(
        (What.PLANNED, {"plan": PLAN}),
        (What.BEGUN, {"field": ["ann", "ben", "cat"], "seats": 2}),
        (What.FIXTURE, {"game": "g1", "fixture": 1, "round": 1, "nicks": ["ann", "ben"], "label": ""}),
        (What.VOID, {"game": "g1", "fixture": 1, "again": True, "server": False}),
        (What.FIXTURE, {"game": "g2", "fixture": 1, "round": 1, "nicks": ["ann", "ben"], "label": ""}),
        (What.RESULT, {"game": "g2", "fixture": 1, "outcomes": {"ann": "won", "ben": "lost"}}),
        (What.GIVEN_UP, {"fixture": 3, "round": 1, "nicks": ["ann", "cat"]}),
    )
    gone = ledger((What.WITHDRAWN, {"nick": "cat", "struck": True}), why="asked to")
    over = ledger((What.OVER, {"placing": ["ben", "ann"]}))
    found = championship_facts(begun + gone + over, byes=[(2, "ben")])
    assert found == ChampionshipFacts(
        "cup",
        "over",
        ("wins", "buchholz"),
        ("ann", "ben"),
        ("ben", "ann"),
        {"ben": 1},
        1.0,
        (LeftEntrant("cat", "asked to", True),),
        (GivenUp(3, ("ann", "cat")),),
        {"ann": 1, "ben": 1},
        1,
    )
    standings = standings_of([won("ann", "ben")], "chess", found)
    assert [(line.nick, line.void) for line in standings.players] == [("ben", 1), ("ann", 1)]
    assert (standings.void, standings.left, standings.given_up) == (1, found.left, found.given_up)


def test_a_ledger_without_placing_leaves_the_places_to_the_points() -> None:
    over = ledger((What.PLANNED, {"plan": PLAN}), (What.OVER, {"placing": []}))
    assert championship_facts(over).placing is None
    assert championship_facts(over[:1], placing=["ann"]).placing == ("ann",)
    assert championship_facts(ledger((What.PLANNED, {"plan": PLAN}))).state == "announced"


def test_faults_are_in_the_line_of_the_player_at_fault() -> None:
    late = game(("ann", WON), ("ben", LOST), departures={"ben": Cause.TIMEOUT})
    found = standings_of([late, late, game(("ann", DRAWN), ("ben", DRAWN))], "chess", ratings=False)
    assert [dict(line.faults) for line in found.players] == [{}, {"timeout": 2}]


def test_many_games_are_counted_without_work_per_pair_of_games() -> None:
    """The fit gets one entry per pair of players, however many games there are."""
    chance = random.Random(1)
    pairings = [(chance.randrange(10), 10 + chance.randrange(10)) for _ in range(MANY_GAMES)]
    results = played_by_strength([chance.gauss(0, 1) for _ in range(20)], pairings, chance)
    scores = compute._scores(results)
    assert len(scores) == 200, "each pair in both orders"
    assert sum(map(sum, scores.values())) == MANY_GAMES
