"""What came of kills: pauses, and what players were told, held against the journal."""

from ugs.soak.cluster.kill_table import ClusterSummary, KeptEnd, Kill, judge, pauses, table
from ugs.soak.cluster.lasting_player import SeenEnd


def summary(*parts: str) -> ClusterSummary:
    """Kills of these parts, a second after each other."""
    return ClusterSummary(1, 2, [Kill(part, number, number * 1_000_000) for number, part in enumerate(parts)])


def kept(game_id: str, at_s: float, *outcomes: str) -> KeptEnd:
    """An end in the journal, for ann and ben."""
    return KeptEnd(game_id, dict(zip(("ann", "ben"), outcomes, strict=True)), int(at_s * 1_000_000))


def test_the_longest_time_without_a_move_is_the_pause() -> None:
    relayed = [(0.0, "a"), (1.0, "b"), (1.2, "a"), (4.2, "b"), (4.5, "a"), (5.0, "c")]
    assert pauses(relayed, 0.5, 5.5) == (3.0, 4.5 - 1.2)


def test_what_began_before_a_kill_counts_from_the_kill_on() -> None:
    together, of_one = pauses([(0.0, "a"), (6.0, "a")], 5.0, 7.0)
    assert (together, of_one) == (1.0, 1.0)


def test_without_any_move_all_of_it_was_a_pause() -> None:
    assert pauses([(0.0, "a")], 5.0, 7.0) == (2.0, 0.0)


def test_ends_as_they_were_told_are_good() -> None:
    one = summary("server", "database")
    judge(one, [SeenEnd("g", "ann", True), SeenEnd("g", "ben", True)], [kept("g", 0.5, "drawn", "drawn")])
    assert one.good
    assert one.results == 1
    assert "| server | 1 | 0 | 0 | 0 |" in table(one)


def test_a_result_that_the_journal_lacks_or_has_twice_is_wrong() -> None:
    one = summary("server", "database")
    ends = [kept("g", 0.5, "drawn", "drawn"), kept("g", 1.5, "drawn", "drawn")]
    judge(one, [SeenEnd("h", "ann", True)], ends)
    assert [len(kill.wrong) for kill in one.kills] == [0, 2]
    assert not one.good


def test_a_result_that_was_told_and_is_void_or_lost_is_wrong() -> None:
    one = summary("server", "database")
    ends = [kept("g", 0.5, "void", "void"), kept("h", 1.5, "won", "lost")]
    judge(one, [SeenEnd("g", "ann", True), SeenEnd("h", "ben", True)], ends)
    assert [(len(kill.wrong), len(kill.lost), len(kill.void)) for kill in one.kills] == [(1, 0, 1), (1, 1, 0)]
    assert "| database | 1 | 1 | 1 | 0 |" in table(one)
