"""The ledger of a championship in words."""

from typing import Any

import pytest

from ugs.championship.ledger import Leaver, LedgerEntry, What
from ugs.championship.ledger_text import TEXTS, entry_text, fixture_text

FIXTURE: dict[str, Any] = {"fixture": 4, "round": 2, "nicks": ["ann", "bob"]}


def test_every_kind_of_entry_has_its_words() -> None:
    assert set(TEXTS) == set(What)


@pytest.mark.parametrize(
    ("label", "words"),
    [("", "fixture 4 (round 2): ann, bob"), ("final", "fixture 4 (round 2, final): ann, bob")],
)
def test_a_fixture_has_number_round_and_players(label: str, words: str) -> None:
    assert fixture_text({**FIXTURE, "label": label}) == words


@pytest.mark.parametrize(
    ("who", "why", "words"),
    [
        ("", "", "paused"),
        ("eve", "", "paused (eve)"),
        ("", "lunch", "paused (lunch)"),
        ("eve", "lunch", "paused (eve: lunch)"),
    ],
)
def test_who_did_it_and_why_stand_behind_it(who: str, why: str, words: str) -> None:
    assert entry_text(LedgerEntry(What.PAUSED, {}, who, why)) == words


@pytest.mark.parametrize(
    ("leaver", "words"),
    [
        (Leaver("", ""), "has left"),
        (Leaver("", "logout"), "has left: logout"),
        (Leaver("eve", "ill"), "withdrawn by eve: ill"),
        (Leaver("eve", "cheated", disqualified=True), "disqualified by eve: cheated"),
    ],
)
def test_how_an_entrant_is_out_has_its_words(leaver: Leaver, words: str) -> None:
    assert leaver.text == words


def test_a_forfeit_has_its_outcomes() -> None:
    forfeit = LedgerEntry(What.FORFEIT, {**FIXTURE, "outcomes": {"ann": "won", "bob": "lost"}})
    assert entry_text(forfeit) == "decided without a game: fixture 4 (round 2): ann, bob: ann won, bob lost"


@pytest.mark.parametrize(
    ("more", "words"),
    [({}, "ann has entered"), ({"back": True}, "ann plays again"), ({"back": False}, "ann has its place again")],
)
def test_who_was_out_has_not_entered_but_plays_or_has_its_place_again(more: dict[str, bool], words: str) -> None:
    assert entry_text(LedgerEntry(What.ENTERED, {"nick": "ann", **more})) == words
