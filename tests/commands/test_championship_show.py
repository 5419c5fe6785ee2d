"""A championship out of the journal, as JSON and as lines."""

from datetime import UTC, datetime
from typing import Any

import pytest

from tests.championship.tables.played import Contest
from ugs.championship.ledger import LedgerEntry, What
from ugs.championship.plan import shown_time
from ugs.commands.championship_show import as_json, as_lines, in_short, ledger_lines
from ugs.journal.reader import LoggedEntry, RecordedChampionship
from ugs.standings.standings import Standings, StandingsLine

BEGAN_US = 1_900_000_000_000_000
"""2030-03-17T17:46:40Z."""
PLAN = {"name": "spring", "game_type": "go", "format": "round-robin", "first": 3, "tie_breaks": ["wins"], "seats": 0}


HOUR = datetime.fromisoformat("2030-05-01T20:00+02:00")


def fixture(number: int, *nicks: str, **more: object) -> dict[str, Any]:
    """What entries say about a fixture."""
    return {"fixture": number, "round": number, "nicks": list(nicks), **more}


LEDGER = (
    LedgerEntry(What.PLANNED, {"plan": PLAN}, "eve"),
    LedgerEntry(What.BEGUN, {"field": ["ann", "bob", "cem", "dan"], "seats": 0}),
    LedgerEntry(What.BEGUN, {"field": ["ann", "bob", "cem", "dan"], "seats": 2}),
    LedgerEntry(What.FIXTURE, fixture(1, "ann", "bob", game="g1", label="")),
    LedgerEntry(What.FIXTURE, fixture(2, "cem", "dan", game="g2", label="final")),
    LedgerEntry(What.RESULT, {"game": "g1", "fixture": 1, "outcomes": {"ann": "won", "bob": "lost"}}),
    LedgerEntry(What.VOID, {"game": "g2", "fixture": 2, "again": True, "server": True}),
    LedgerEntry(What.PAUSED, {}, "eve", "lunch"),
    LedgerEntry(What.RESUMED, {}, "eve"),
    LedgerEntry(What.WITHDRAWN, {"nick": "dan", "struck": True}, "", "logout"),
    LedgerEntry(What.FIXTURE, fixture(3, "ann", "cem", game="g3", label="")),
    LedgerEntry(What.VOID, {"game": "g3", "fixture": 3, "again": True, "server": False}),
    LedgerEntry(What.FIXTURE, fixture(3, "ann", "cem", game="g4", label="")),
    LedgerEntry(What.WITHDRAWN, {"nick": "bob", "struck": False}, "eve", "plays with help"),
    LedgerEntry(What.FORFEIT, fixture(4, "bob", "cem", outcomes={"bob": "lost", "cem": "won"})),
    LedgerEntry(What.GIVEN_UP, fixture(5, "cem", "ann")),
)
LINES = [
    "championship spring (go): running, began 2030-03-17 17:46 UTC",
    '  plan: format = "round-robin", first = 3, tie_breaks = ["wins"]',
    "  field: ann, bob, cem, dan",
    "  out: dan (has left: logout); its results struck",
    "  out: bob (withdrawn by eve: plays with help); its results stand",
    "  games that count: 2, of these decided without being played: 1",
    "",
    "cross table",
    "     nick  1  2  3  points  games",
    "  1  ann   ·     1       1      1",
    "  2  cem      ·  1       1      1",
    "  3  bob   0  0  ·       0      2",
    "",
    "games",
    "  round 1",
    "    ann – bob  1 – 0  g1",
    "  round 2",
    "    final: cem – dan  void  g2",
    "  round 3",
    "    ann – cem  running  g4",
    "  round 4",
    "    bob – cem  0 – 1  forfeit  #4",
    "  round 5",
    "    cem – ann  given up  #5",
    "",
    "still open",
    "  given up: fixture 5: cem, ann",
    "  begun and not counted yet: fixture 3 (round 3): ann, cem, last as game g4",
    "",
    "orders",
    "  2030-03-17 17:46 UTC  announced (eve)",
    "  2030-03-17 17:46 UTC  paused (eve: lunch)",
    "  2030-03-17 17:46 UTC  goes on (eve)",
    "  2030-03-17 17:46 UTC  bob is out; its results stand (eve: plays with help)",
    "",
    "the ledger has 16 entries: --ledger shows them",
]
ENTRIES = [
    "ledger of championship spring (go): running",
    "  2030-03-17T17:46:40.000000Z  announced (eve)",
    "  2030-03-17T17:46:41.000000Z  the field: ann, bob, cem, dan",
    "  2030-03-17T17:46:42.000000Z  the field: ann, bob, cem, dan; games of 2",
    "  2030-03-17T17:46:43.000000Z  game g1 begins: fixture 1 (round 1): ann, bob",
    "  2030-03-17T17:46:44.000000Z  game g2 begins: fixture 2 (round 2, final): cem, dan",
    "  2030-03-17T17:46:45.000000Z  game g1 counts: ann won, bob lost",
    "  2030-03-17T17:46:46.000000Z  game g2 counts for no player through the server; fixture 2 is played again",
    "  2030-03-17T17:46:47.000000Z  paused (eve: lunch)",
    "  2030-03-17T17:46:48.000000Z  goes on (eve)",
    "  2030-03-17T17:46:49.000000Z  dan is out; its results are struck (logout)",
    "  2030-03-17T17:46:50.000000Z  game g3 begins: fixture 3 (round 3): ann, cem",
    "  2030-03-17T17:46:51.000000Z  game g3 counts for no player; fixture 3 is played again",
    "  2030-03-17T17:46:52.000000Z  game g4 begins: fixture 3 (round 3): ann, cem",
    "  2030-03-17T17:46:53.000000Z  bob is out; its results stand (eve: plays with help)",
    "  2030-03-17T17:46:54.000000Z  decided without a game: fixture 4 (round 4): bob, cem: bob lost, cem won",
    "  2030-03-17T17:46:55.000000Z  given up: fixture 5 (round 5): cem, ann",
]


def championship(*entries: LedgerEntry, state: str = "running") -> RecordedChampionship:
    """A championship of these entries, one a second."""
    ledger = tuple(LoggedEntry(BEGAN_US + number * 1_000_000, entry) for number, entry in enumerate(entries))
    return RecordedChampionship("spring", "go", state, ledger)


def test_all_of_it_is_told_line_by_line() -> None:
    assert as_lines(championship(*LEDGER)) == LINES


def test_the_whole_ledger_is_told_on_demand() -> None:
    assert ledger_lines(championship(*LEDGER)) == ENTRIES


def test_without_orders_there_is_no_heading_for_them() -> None:
    lines = as_lines(championship(LedgerEntry(What.PLANNED, {"plan": PLAN})))
    assert "orders" not in lines
    assert lines[-1] == "the ledger has 1 entry: --ledger shows it"


@pytest.mark.parametrize(
    ("here", "says"),
    [
        (set(), ["  0 of 3 players are here: waits for 3 more"]),
        ({"ada"}, ["  1 of 3 players are here: waits for 2 more", "  here: ada"]),
        ({"ada", "bob", "cem"}, ["  3 of 3 players are here", "  here: ada, bob, cem"]),
        (None, []),
    ],
)
def test_before_the_begin_it_is_counted_who_is_here(here: set[str] | None, says: list[str]) -> None:
    lines = as_lines(championship(LedgerEntry(What.PLANNED, {"plan": PLAN})), here)
    assert [line for line in lines if "here" in line] == says


def test_who_is_out_is_not_among_those_who_are_here() -> None:
    assert "  here: ann; missing: cem" in as_lines(championship(*LEDGER), {"ann", "bob", "dan"})


def test_until_when_an_entrant_whose_line_is_lost_is_awaited_is_told() -> None:
    until = {"bob": datetime(2030, 5, 1, 18, 3, 20, tzinfo=UTC)}
    lines = as_lines(championship(*LEDGER[:4]), {"ann", "cem"}, until=until)
    assert "  here: ann, cem; missing: bob (awaited until 18:03:20 UTC), dan" in lines
    assert as_json(championship(*LEDGER[:4]), {"ann"}, until)["awaited_until"] == {"bob": "2030-05-01T18:03:20+00:00"}


def test_of_many_games_that_are_open_three_are_named() -> None:
    def still_open(*, whole: bool) -> list[str]:
        lines = as_lines(championship(*LEDGER[:5]), whole=whole)
        at = lines.index("still open") + 1
        return lines[at : lines.index("", at)]

    every = still_open(whole=True)
    assert len(every) == 6
    assert still_open(whole=False) == [*every[:3], "  and 3 more: --all shows them"]


def test_what_holds_a_fixture_up_is_behind_it() -> None:
    held = {2: "cem plays game g9"}
    begun = championship(*LEDGER[:4])
    lines = [line for line in as_lines(begun, held=held) if line.startswith("  next: ")]
    assert lines[:2] == [
        "  next: fixture 2 (round 1): bob, cem; cem plays game g9",
        "  next: fixture 3 (round 2): ann, bob",
    ]
    assert [one["waits_for"] for one in as_json(begun, held=held)["next"]][:2] == ["cem plays game g9", ""]


def test_where_nobody_is_here_all_who_are_awaited_are_named() -> None:
    plan = {**PLAN, "entrants": ["ann", "bob"], "first": 0}
    lines = as_lines(championship(LedgerEntry(What.PLANNED, {"plan": plan})), set())
    assert "  here: no player; missing: ann, bob" in lines


def test_who_is_here_what_comes_next_and_what_was_corrected_are_told() -> None:
    corrected = {"game": "g1", "fixture": 1, "outcomes": {"ann": "lost", "bob": "won"}}
    entry = LedgerEntry(What.CORRECTED, {**corrected, "before": {"ann": "won", "bob": "lost"}}, "eve", "wrong clock")
    shown = championship(*LEDGER[:4], LEDGER[5], entry)
    lines = as_lines(shown, {"ann", "zoe"})
    assert "  here: ann, zoe; missing: bob, cem, dan" in lines
    assert "  next: fixture 2 (round 1): bob, cem" in lines
    words = "game g1 is corrected: ann lost, bob won; it was: ann won, bob lost (eve: wrong clock)"
    assert any(line.endswith(words) for line in lines[lines.index("orders") :])
    told_of_it = "corrected by eve: wrong clock; it was: ann won, bob lost"
    assert f"    ann – bob  0 – 1  g1  {told_of_it}" in lines
    told = as_json(shown, {"ann"})
    assert (told["here"], told["missing"], told["next"][0]["fixture"]) == (["ann"], ["bob", "cem", "dan"], 2)


def test_before_it_begins_its_hour_is_told_with_its_zone() -> None:
    plan = {**PLAN, "begins_at": "2030-05-01T20:00+02:00"}
    shown = championship(LedgerEntry(What.PLANNED, {"plan": plan}), state="announced")
    assert as_lines(shown)[0] == f"championship spring (go): announced, begins {shown_time(HOUR)}"
    assert datetime.fromisoformat(as_json(shown)["begins_at"]) == HOUR


def test_as_json_it_begins_as_it_does_in_short() -> None:
    shown = championship(*LEDGER)
    assert as_json(shown).items() >= in_short(shown).items()
    assert len(as_json(shown)["ledger"]) == len(LEDGER)


def test_one_that_is_over_is_told_with_its_placing() -> None:
    over = LedgerEntry(What.OVER, {"placing": ["ann", "bob"]})
    shown = championship(*LEDGER[:2], over, state="over")
    assert as_lines(shown)[0].endswith(": over, began 2030-03-17 17:46 UTC, over 2030-03-17 17:46 UTC")
    assert ledger_lines(shown)[-1].endswith("over: ann, bob")
    assert as_json(shown)["ended"] == "2030-03-17T17:46:42.000000Z"


def test_one_that_has_not_begun_has_no_field() -> None:
    assert "  field: not fixed yet" in as_lines(championship(LEDGER[0], state="announced"))


def test_what_is_being_drawn_is_said() -> None:
    entries = [*LEDGER[:3], LedgerEntry(What.DRAWING, {"what": "all games for 4 players"})]
    drawing = championship(*entries)
    state = "running, drawing all games for 4 players since 2030-03-17 17:46 UTC, began"
    assert as_lines(drawing)[0].startswith(f"championship spring (go): {state}")
    assert as_json(drawing)["drawing"] == "all games for 4 players"
    assert ledger_lines(drawing)[-1].endswith("  drawing all games for 4 players")
    drawn = championship(*entries, LedgerEntry(What.DRAWN))
    assert as_json(drawn)["drawing"] == ""


def test_a_game_that_was_taken_back_is_begun_and_not_counted() -> None:
    replayed = LedgerEntry(What.REPLAYED, {"game": "g1", "fixture": 1}, "eve", "wrong rules")
    shown = championship(*LEDGER[:4], LEDGER[5], replayed)
    lines = as_lines(shown)
    assert "  begun and not counted yet: fixture 1 (round 1): ann, bob, last as game g1" in lines
    assert ledger_lines(shown)[-1].endswith(
        "game g1 does not count any more; fixture 1 is played again (eve: wrong rules)"
    )


def test_a_void_game_that_is_not_played_again_is_told_so() -> None:
    void = LedgerEntry(What.VOID, {"game": "g1", "fixture": 1, "again": False, "server": False})
    assert ledger_lines(championship(*LEDGER[:4], void))[-1].endswith("fixture 1 is not played again")


def test_tie_breaks_are_shown_where_they_decide() -> None:
    """Two with the same points and different places would puzzle without them."""

    def lines(places: tuple[int, int]) -> list[str]:
        players = [
            StandingsLine(place, nick, 1, 1, 0, 1.0, 2, tie_breaks={"buchholz": breaks, "wins": None})
            for place, nick, breaks in zip(places, ("ann", "cem"), (2.5, 1.0), strict=True)
        ]
        table = Standings("go", 2, tuple(players), "spring", tie_breaks=("buchholz", "wins"))
        shown = as_lines(championship(*LEDGER), standings=table)
        at = shown.index("standings")
        return shown[at + 1 : at + 4]

    assert lines((1, 2)) == [
        "     nick  points  won  lost  drawn  buchholz  wins",
        "  1  ann        1    1     1      0        2½     –",
        "  2  cem        1    1     1      0         1     –",
    ]
    assert lines((1, 1))[0] == "     nick  points  won  lost  drawn"


def test_stages_are_named_and_have_no_defaults() -> None:
    contest = Contest(("ann", "bob", "cem"), format="stages", stages=({"format": "swiss", "go_on": 2}, {}))
    entries = tuple(LoggedEntry(BEGAN_US, one) for one in contest.entries)
    _, form, plan, *_ = as_lines(RecordedChampionship("spring", "chess", "running", entries))
    assert form == "  format: Swiss, then round robin of 2"
    stages = '[{"format": "swiss", "go_on": 2}, {"format": "round-robin"}]'
    assert plan == f'  plan: format = "stages", first = 2, stages = {stages}'


def test_each_stage_has_its_tables_and_its_games_below_its_name() -> None:
    stages = ({"groups": 2, "go_on": 1}, {"format": "knock-out"})
    contest = Contest(("ann", "bob", "cem", "dan"), format="stages", stages=stages).play().over()
    entries = tuple(LoggedEntry(BEGAN_US, one) for one in contest.entries)
    lines = as_lines(RecordedChampionship("spring", "chess", "over", entries))
    heads = [line for line in lines if line and not line.startswith(" ")]
    assert heads[1:] == [
        "stage 1: 2 groups; the first of each group goes on",
        "group A",
        "group B",
        "games",
        "stage 2: knock-out of 2",
        "bracket",
        "matches",
        "the ledger has 10 entries: --ledger shows them",
    ]


def test_tie_breaks_are_left_out_where_stages_decide_the_places() -> None:
    players = tuple(StandingsLine(place, nick, 1, 1, 0, 1.0, 2) for place, nick in enumerate(("ann", "cem"), start=1))
    table = Standings("go", 2, players, "spring", tie_breaks=("buchholz",))
    entries = LedgerEntry(What.PLANNED, {"plan": {**PLAN, "format": "stages"}})
    shown = as_lines(championship(entries), standings=table)
    assert "     nick  points  won  lost  drawn" in shown
