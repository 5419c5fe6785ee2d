"""Which losses have a fault, and what else must agree."""

import pytest

from ugs.broker.verdict import Cause, Outcome, Verdict
from ugs.journal.row_reader import GameSummary, SeatRow
from ugs.soak.churn_invariants import EARLY_US, EXPLAINS, Deed, DoneDeed, in_two, slope, tallied, unexplained, untold

BEGAN, ENDED = 10_000_000, 20_000_000


def game(
    *seats: SeatRow, cause: Cause | None = Cause.FINISHED, by_server: bool = False, counts: bool = True
) -> GameSummary:
    """A game of these, ended so."""
    verdict = Verdict(cause, by_server=by_server) if cause is not None else None
    return GameSummary("g", "t", "m", seats, verdict, 5, BEGAN, ENDED if cause else None, counts=counts)


def lost(departure: Cause | None = None) -> GameSummary:
    """A game that ann has lost, and left for this reason."""
    return game(SeatRow("ann", Outcome.LOST, departure), SeatRow("bob", Outcome.WON))


def test_who_was_there_to_the_end_has_lost_by_the_rules() -> None:
    assert unexplained([lost()], []) == []


@pytest.mark.parametrize(
    ("cause", "deed"), [(cause, deed) for cause, deeds in EXPLAINS.items() for deed in sorted(deeds)]
)
def test_a_loss_is_explained_by_a_deed_in_its_time(cause: Cause, deed: Deed) -> None:
    for at_us in (BEGAN - EARLY_US, ENDED):
        assert unexplained([lost(cause)], [DoneDeed("ann", deed, at_us)]) == []
    for nick, at_us in (("ann", BEGAN - EARLY_US - 1), ("ann", ENDED + 1), ("bob", ENDED)):
        assert len(unexplained([lost(cause)], [DoneDeed(nick, deed, at_us)])) == 1


@pytest.mark.parametrize("cause", list(EXPLAINS))
def test_to_blink_explains_nothing(cause: Cause) -> None:
    ((game_id, what),) = unexplained([lost(cause)], [DoneDeed("ann", Deed.BLINKS, ENDED)])
    assert game_id == "g"
    assert what == f"ann has lost ({cause}); its deeds: blinks"


def test_nothing_explains_that_a_master_has_removed_a_player() -> None:
    everything = [DoneDeed("ann", deed, ENDED) for deed in Deed]
    assert len(unexplained([lost(Cause.REMOVED)], everything)) == 1


def test_a_loss_that_the_server_has_made_up_needs_a_fault() -> None:
    made_up = game(SeatRow("ann", Outcome.LOST), SeatRow("bob", Outcome.WON), by_server=True)
    assert len(unexplained([made_up], [])) == 1


def test_void_and_running_games_are_nobodys_loss() -> None:
    void = game(SeatRow("ann", Outcome.VOID, Cause.DISCONNECTED), cause=Cause.MASTER_LOST)
    assert unexplained([void, game(SeatRow("ann"), cause=None)], []) == []


def test_what_was_told_is_kept() -> None:
    assert untold([lost()], [("g", "ann", False), ("g", "bob", True)]) == []
    assert untold([lost()], [("g", "ann", True)]) == [
        ("g", "ann was sent that it has won; the journal holds lost"),
    ]
    for game_id, nick in (("other", "ann"), ("g", "cyd")):
        assert len(untold([lost()], [(game_id, nick, False)])) == 1
    assert len(untold([game(SeatRow("ann"), cause=None)], [("g", "ann", False)])) == 1


def event_of(game_id: str, *seats: str, phase: str = "turn", gone: tuple[str, ...] = ()) -> dict[str, object]:
    """A game as the server describes it."""
    return {"game": game_id, "phase": phase, "seats": seats, "departures": dict.fromkeys(gone, "left")}


def test_nobody_is_in_two_games() -> None:
    assert in_two([event_of("g", "ann", "bob"), event_of("h", "cyd", "dan")]) == []
    assert in_two([event_of("g", "ann", "bob"), event_of("h", "ann", "cyd")]) == [("ann", "g", "h")]


def test_a_game_that_is_over_or_left_is_none() -> None:
    assert in_two([event_of("g", "ann", "bob", phase="over"), event_of("h", "ann", "cyd")]) == []
    assert in_two([event_of("g", "ann", "bob", gone=("ann",)), event_of("h", "ann", "cyd")]) == []


def test_games_are_tallied_as_in_a_list_of_champions() -> None:
    drawn = game(SeatRow("ann", Outcome.DRAWN), SeatRow("cyd", Outcome.DRAWN), cause=Cause.DRAW)
    friendly = game(SeatRow("ann", Outcome.WON), SeatRow("bob", Outcome.LOST), counts=False)
    assert tallied([lost(), lost(), drawn, friendly]) == {"ann": (0, 2), "bob": (2, 0)}


def test_the_slope_is_that_of_least_squares() -> None:
    assert slope([5.0, 7.0, 9.0]) == 2
    assert slope([4.0, 4.0, 4.0, 4.0]) == 0
    assert slope([0.0, 3.0, 0.0]) == 0
    assert slope([1.0]) == slope([]) == 0
