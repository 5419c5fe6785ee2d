"""Rehearsals, with which the promises about games that are led are checked."""

import pytest

from game_masters.kit.contract import ContractBroken
from game_masters.kit.rehearsal import Wire, no_chance, rehearse, wires_of, written
from game_masters.tic_tac_toe import GAME
from tests.game_masters.high_card import HIGH_CARD
from tests.game_masters.sealed_bids import SEALED_BIDS
from ugs.wire.extensions import Family, PastLeft, Views
from ugs.wire.messages import GameState, PlayerLeftGame


def test_a_game_is_rehearsed_over_every_wire_that_can_carry_it() -> None:
    assert [str(wire) for wire in wires_of(GAME)] == ["plain v4", "restore+table"]
    assert [str(wire) for wire in wires_of(HIGH_CARD)] == ["restore+table+views"]
    assert [str(wire) for wire in wires_of(SEALED_BIDS)] == [
        "restore+table+views",
        "movers+views",
        "movers+restore+table+views",
    ]


@pytest.mark.parametrize("wire", wires_of(SEALED_BIDS), ids=str)
def test_a_rehearsal_goes_to_the_end_and_is_the_same_every_time(wire: Wire) -> None:
    first, second = (rehearse(SEALED_BIDS, wire, 3, 3, seed=4, trouble=0.2) for _ in range(2))
    assert first.results
    assert [written(answers) for answers in first.answers] == [written(answers) for answers in second.answers]
    assert all(isinstance(message, Views) for answers in first.answers for message in answers[-1:])


def test_what_has_happened_is_what_the_server_would_hand_over() -> None:
    wire = wires_of(SEALED_BIDS)[-1]
    rehearsal = rehearse(SEALED_BIDS, wire, 4, 4, seed=1, trouble=0.5)
    leaver = next(number for number, event in enumerate(rehearsal.events) if isinstance(event, PlayerLeftGame))
    restore = rehearsal.restore(leaver)
    assert len(restore.happened) == leaver
    assert restore.happened[-1] == PastLeft(rehearsal.movers[leaver], "left")
    assert rehearsal.restore(0).happened == ()


def test_in_plain_v4_all_players_get_the_same() -> None:
    rehearsal = rehearse(GAME, wires_of(GAME)[0], 2, 2, seed=3)
    first, second = ([state.payload for state in shown] for shown in rehearsal.shown.values())
    assert first == second
    assert isinstance(rehearsal.answers[-1][-1], GameState)


def test_a_master_that_does_not_begin_is_found() -> None:
    with pytest.raises(ContractBroken, match="sealed-bids: its master answers beginGame with Failed"):
        rehearse(SEALED_BIDS, wires_of(SEALED_BIDS)[0], 5, 5, seed=1)


def test_chance_of_its_own_is_none_of_a_master_that_has_a_seed() -> None:
    assert Family.RESTORE in wires_of(GAME)[1].families
    with pytest.raises(LookupError, match="though the server gave a seed"):
        no_chance("rules")
