"""Formats in words."""

from typing import Any

import pytest

from tests.championship.playing import plan
from ugs.championship.format_words import format_words

CUP: dict[str, Any] = {"format": "knock-out"}


@pytest.mark.parametrize(
    ("stages", "words"),
    [
        (({"format": "swiss", "go_on": 4}, CUP), "Swiss, then knock-out of 4"),
        (({"groups": 4, "go_on": 2}, CUP), "4 groups, then knock-out of 8"),
        (
            ({"format": "swiss", "groups": 2, "go_on": 2}, {"groups": 2}, CUP),
            "2 groups (Swiss), then 2 groups of 2, then knock-out of 2",
        ),
        (({"format": "swiss", "play_off": True},), "Swiss with play-off"),
        (({"format": "swiss"},), "Swiss"),
    ],
)
def test_stages_are_named_one_after_the_other(stages: tuple[dict[str, Any], ...], words: str) -> None:
    assert format_words(plan(format="stages", stages=stages).plain()) == words


@pytest.mark.parametrize(
    ("form", "words"), [("round-robin", "round robin"), ("swiss", "Swiss"), ("knock-out", "knock-out"), ("", "")]
)
def test_other_formats_are_a_word(form: str, words: str) -> None:
    """Old ledgers may have no format."""
    assert format_words({"format": form}) == words


def test_a_ledger_without_stages_has_its_word() -> None:
    assert format_words({"format": "stages", "stages": []}) == "stages"
