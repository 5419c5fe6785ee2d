"""What is wrong with an answer in the last position, before any rules are asked."""

from tests.record.samples import tic_tac_toe
from ugs.replay.comparison import Similarity
from ugs.replay.player import Compared, PlayerReport
from ugs.replay.position import judged, strayed, strays

SAME = Compared(1, Similarity.SAME, "<move/>", 9, "<move/>", 9)
OTHER = Compared(1, Similarity.DIFFERENT, "<move/>", 9, "<move n='2'/>", 9)
GONE = Compared(3, Similarity.DIFFERENT, "<move/>", 9, "sent leaveGame", None)


def test_a_program_that_strayed_from_the_record_and_gives_up_is_told_so() -> None:
    record = tic_tac_toe()
    wrong = judged(PlayerReport((OTHER, GONE), "event 8: it sent leaveGame"), record, "ann")
    assert wrong.startswith("event 8: it sent leaveGame; its move 1 was not that of the record")
    assert (
        judged(PlayerReport((SAME, GONE), "event 8: it sent leaveGame"), record, "ann") == "event 8: it sent leaveGame"
    )
    assert judged(PlayerReport((SAME, GONE)), record, "ann") == "no move: the player sent leaveGame"
    assert judged(PlayerReport((OTHER, SAME)), record, "ann") == ""
    assert "its move 1 was not that of the record" in strayed(PlayerReport((OTHER, SAME)))
    assert strayed(PlayerReport((SAME, SAME))) == ""
    assert strays(PlayerReport((SAME, OTHER, GONE, SAME))) == {1: OTHER}
    assert judged(PlayerReport(()), record, "ann") == "ann was never asked in this game"
