"""Tables as lines for a terminal."""

from tests.championship.playing import names
from tests.championship.tables.played import Contest
from ugs.championship.tables.scheduled_games import scheduled_games
from ugs.championship.tables.table_text import MAX_GAMES, round_lines, section_lines

SIX = ("ann", "bob", "cem", "dan", "eve", "fay")


def lines_of(contest: Contest, width: int = 100) -> list[str]:
    return [line for section in contest.tables for line in section_lines(section, width)]


def test_a_bracket_leads_from_the_first_round_to_the_winner() -> None:
    contest = Contest(SIX, format="knock-out", third_place=True)
    contest.withdraw("fay")
    assert lines_of(contest.play())[1:] == [
        "bracket",
        "  quarter-final  semi-final     final          winner",
        "                 ann      1 ─┐",
        "                             ├─ ann      1 ─┐",
        "  dan      1 ─┐              │              │",
        "              ├─ dan      0 ─┘              │",
        "  eve      0 ─┘                             ├─ ann",
        "                                            │",
        "                 bob      1 ─┐              │",
        "                             ├─ bob      0 ─┘",
        "  cem    w/o ─┐              │",
        "              ├─ cem      0 ─┘",
        "  fay        ─┘",
        "  ",
        "  third place: dan 0 – 1 cem",
        "",
        "matches",
        "  quarter-final",
        "     2  dan 1 – 0 eve  g2",
        "     1  cem – fay  walkover for cem",
        "  semi-final",
        "     3  ann 1 – 0 dan  g3",
        "     4  bob 1 – 0 cem  g4",
        "  final",
        "     5  ann 1 – 0 bob  g5",
        "  third place",
        "     6  dan 0 – 1 cem  g6",
    ]


def test_a_narrow_terminal_gets_the_last_rounds_and_a_very_narrow_one_the_matches() -> None:
    contest = Contest(SIX, format="knock-out").play()
    assert lines_of(contest, 52)[2].split() == ["semi-final", "final", "winner"]
    assert lines_of(contest, 20)[1] == "matches"


def test_nicks_are_cut_where_columns_are_narrow_and_are_harmless() -> None:
    contest = Contest(["a" * 40, "\x1b[2J"], format="knock-out").play()
    lines = lines_of(contest)
    assert any(line.startswith("  " + "a" * 19 + "…") for line in lines)
    assert "\x1b" not in "".join(lines)


def test_wide_characters_take_two_columns() -> None:
    lines = lines_of(Contest(["試合", "ab"], format="round-robin").play())
    assert lines[2:] == [
        "     nick  1  2  points  games",
        "  1  ab    ·  1       1      1",
        "  2  試合  0  ·       0      1",
    ]


def test_a_cross_table_without_room_says_where_it_is() -> None:
    contest = Contest(names(12), format="round-robin").play()
    assert lines_of(contest, 40)[-1].startswith("  no room here")


def test_rounds_of_a_swiss_say_who_comes_from_another_group() -> None:
    lines = lines_of(Contest((*SIX, "gus"), format="swiss", rounds=2).play())
    assert "      gus – cem  0 – 1  g5  (gus has ½)" in lines
    assert lines[2:4] == ["  round 1", "    with 0 points"]
    assert "    sits out: gus" in lines


def test_a_corrected_game_says_by_whom_why_and_what_it_was() -> None:
    contest = Contest(SIX[:2], format="round-robin").play()
    contest.correct("g1", {"bob": "won"}, "wrong clock")
    lines = round_lines(scheduled_games(contest.entries).values())
    assert lines == ["  round 1", "    ann – bob  0 – 1  g1  corrected by eve: wrong clock; it was: ann won, bob lost"]


def test_of_many_games_the_last_ones_are_shown() -> None:
    contest = Contest(names(12), format="round-robin").play()
    lines = round_lines(scheduled_games(contest.entries).values())
    assert lines[0] == f"  {66 - MAX_GAMES} earlier games: --ledger shows them"


def test_a_bracket_whose_players_are_all_disqualified_has_no_winner_to_come() -> None:
    contest = Contest(("ann", "bob"), format="knock-out").play().over()
    for nick in ("ann", "bob"):
        contest.disqualify(nick)
    assert lines_of(contest)[2:5] == ["  final          winner", "  ann      1 ─┐", "              ├─ –"]


def test_a_swiss_stage_has_a_table_with_who_went_on() -> None:
    stages = ({"format": "swiss", "rounds": 1, "go_on": 2}, {"format": "round-robin"})
    lines = lines_of(Contest(SIX[:4], format="stages", stages=stages).play())
    assert lines[:6] == [
        "",
        "table",
        "     nick  points  won  lost  drawn",
        "  1  ann        1    1     0      0  went on",
        "  2  bob        1    1     0      0  went on",
        "  3  cem        0    0     1      0",
    ]
    assert lines[7:9] == ["", "rounds"]


def test_groups_and_knock_outs_have_who_went_on() -> None:
    stages = ({"groups": 2, "go_on": 2}, {"format": "knock-out", "go_on": 2}, {"format": "round-robin"})
    lines = lines_of(Contest(SIX, format="stages", stages=stages).play())
    assert lines[1:5] == [
        "group A",
        "     nick  1  2  3  points  games",
        "  1  ann   ·  1  1       2      2  went on",
        "  2  dan   0  ·  1       1      2  went on",
    ]
    assert "  went on: ann, bob" in lines


def test_tie_breaks_of_a_stage_are_columns() -> None:
    stage = {"format": "swiss", "rounds": 1, "tie_breaks": ["buchholz", "head-to-head"]}
    lines = lines_of(Contest(SIX[:4], format="stages", stages=(stage,)).play())
    assert lines[2:4] == [
        "     nick  points  won  lost  drawn  buchholz  head-to-head",
        "  1  ann        1    1     0      0         0             –",
    ]
