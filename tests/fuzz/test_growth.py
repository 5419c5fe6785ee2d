"""The short profile of the search for dear messages: each message is one, small scenes are cheap, a square is found."""

from collections.abc import Iterator
from dataclasses import replace
from difflib import get_close_matches

import pytest

from tests.fuzz import dear
from tests.fuzz.dear import DEAR, MAX_SENT, MAX_WORK, Measured, Measuring
from tests.fuzz.growth import Growth
from tests.fuzz.scenes import TIMER, Cost, Scene
from tests.profile import sized
from ugs.broker.state.model import GameType
from ugs.broker.state.server_state import ServerState
from ugs.broker.views import public
from ugs.soak.costs.table import COSTS

SCENES = sized(quick=4, deep=60)
DOCUMENTS = sized(quick=250, deep=8000)
TOLD_BY_ERROR = ("Act", "master lost", "playerLeftGame", "time", "x-failed")
"""What v4 has no other word for than ``error``."""


def first(growth: Growth, scenes: int) -> Iterator[object]:
    """What is found in so many scenes."""
    for found in growth.run():
        if found is not None:
            yield found
        if growth.tried >= scenes:
            return


def test_there_is_a_message_of_each_kind_that_has_a_cost() -> None:
    kinds = {kind for cost in COSTS.values() for kind in cost.covers}
    assert kinds <= {one.kind for one in DEAR}


def test_each_message_does_what_it_is_for() -> None:
    measuring = Measuring()
    measured = measuring.measured(Scene())
    assert [told for told in measuring.refused if not told.startswith(TOLD_BY_ERROR)] == []
    assert {one.kind for one in DEAR} <= measured.keys()
    assert {f"{TIMER}{kind}" for kind in ("game", "silence", "champions", "grace")} <= measured.keys()
    assert all(one.cost.work > 50 for kind, one in measured.items() if kind != "time")
    assert measured["gameState"].cost.held > 0


def test_costs_are_the_same_each_time() -> None:
    first, second, third = (Measuring().measured(Scene()) for _ in range(3))
    assert second == third
    assert first.keys() == second.keys(), "what is remembered makes only bytecodes less"


def test_one_message_is_cheap_however_many_others_there_are() -> None:
    assert list(map(str, first(Growth(most_documents=DOCUMENTS), SCENES))) == []


def test_what_compares_all_with_all_is_found_and_shown_in_a_smaller_scene(monkeypatch: pytest.MonkeyPatch) -> None:
    def compares(server: ServerState, one: GameType) -> list[str]:
        return get_close_matches(one.name, [other.name for other in server.types.values()])

    monkeypatch.setattr(public, "_why_nothing_begins", compares)
    monkeypatch.setattr(dear, "MAX_WORK", 100_000)
    scene = Scene(strange=8, letters=16, absent=4)
    growth = Growth()
    found = growth._try(scene)
    assert found is not None
    assert (found.kind, found.scene.absent, found.measured.share > 1) == ("PublicAsked", 1, True)
    assert found.scene.documents < scene.documents
    assert str(found).startswith("PublicAsked: ")
    assert growth._try(replace(scene, absent=8)) is None, "it is known"


def test_a_message_is_as_dear_as_the_worst_of_its_costs() -> None:
    assert Measured(Cost(MAX_WORK, MAX_SENT * 2, 0), 0).share == 2
    assert Measured(Cost(MAX_WORK + 10, 0, 0), 10).share == 1
    assert Measured(Cost(MAX_WORK, 0, 0), 0, in_thread=True).share < 1
