"""The result of a replay, in words."""

from ugs.replay.comparison import Similarity
from ugs.replay.master import MasterReport
from ugs.replay.player import Compared, PlayerReport
from ugs.replay.report import master_lines, player_lines


def test_all_states_are_equal() -> None:
    assert list(master_lines(MasterReport(7, 7), ["the process ended"])) == ["all 7 states are equal"]
    assert list(master_lines(MasterReport(1, 1), [])) == ["the only state is equal"]


def test_a_state_differs() -> None:
    report = MasterReport(3, 7, ("event 9: state 4 differs", "now: \x1b[2J"), notes=("a\nb",))
    assert list(master_lines(report, ["the process ended"])) == [
        r"note: a\nb",
        "3 of 7 states are equal, then:",
        "event 9: state 4 differs",
        r"now: \u{1b}[2J",
    ]


def test_how_the_process_ended_is_told_when_it_did_not_answer() -> None:
    report = MasterReport(0, 7, ("event 2: state 1 is missing",), failed=True)
    assert list(master_lines(report, ["the process ended"]))[-1] == "the process ended"


def test_a_table_of_moves() -> None:
    report = PlayerReport(
        (
            Compared(1, Similarity.SAME, "<move/>", 100_000, "<move/>", 2_000),
            Compared(3, Similarity.WRITING, "<move/>", 100_000, "<move></move>", 2_000),
            Compared(0, Similarity.DIFFERENT, "out: timeout", 30_000_000, "said nothing", None),
        ),
        "it failed",
        ("odd",),
    )
    assert list(player_lines(report, ["the process ended"])) == [
        "note: odd",
        " move        then         now  result",
        "    1     0.100 s     0.002 s  same",
        "    3     0.100 s     0.002 s  equal except for the writing",
        "       recorded: <move/>",
        "       now:      <move></move>",
        "  end    30.000 s              differs",
        "       recorded: out: timeout",
        "       now:      said nothing",
        "same: 1, equal except for the writing: 1, differs: 1",
        "a program that chooses by chance answers otherwise each time, unless it gets the seed that it had in the game",
        "(ugs bot --seed N, then and now); with --position it only has to answer legally",
        "it failed",
        "the process ended",
    ]


def test_without_moves_there_is_no_table() -> None:
    assert list(player_lines(PlayerReport(()), ["ended"])) == ["same: 0, equal except for the writing: 0, differs: 0"]


def test_of_chance_nothing_is_said_where_all_moves_are_as_they_were() -> None:
    same = Compared(1, Similarity.SAME, "<move/>", 100_000, "<move/>", 2_000)
    assert not any("chance" in line for line in player_lines(PlayerReport((same,)), []))


def test_backslashes_of_others_are_left_alone() -> None:
    first, *_ = player_lines(PlayerReport((), "", ('\\n "a" \t',)), [])
    assert first == 'note: \\n "a" \\t'
