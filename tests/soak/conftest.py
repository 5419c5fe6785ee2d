"""Attacks on memory streams use the fixtures of the shell."""

import pytest

from tests.daemon.conftest import opens, turns_as_long_as_they_take
from ugs.daemon.fairness import service_turns

__all__ = ["opens", "turns_as_long_as_they_take"]


@pytest.fixture(autouse=True)
def one_turn_a_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """All tasks run after each turn, however slow this machine is."""
    monkeypatch.setattr(service_turns, "PASS_S", 1e-9)
