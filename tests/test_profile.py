"""The two profiles of the suite."""

import pytest
from hypothesis import settings

from tests.profile import DEEP, EXAMPLES, QUICK, VARIABLE, chosen, sized


@pytest.mark.parametrize(("named", "amount"), [(QUICK, 3), ("", 3), (DEEP, 100)])
def test_the_environment_chooses_the_amount(monkeypatch: pytest.MonkeyPatch, named: str, amount: int) -> None:
    monkeypatch.setenv(VARIABLE, named)
    assert sized(quick=3, deep=100) == amount


def test_quick_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert chosen() == QUICK


def test_an_unknown_profile_is_refused_with_those_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "fast")
    with pytest.raises(ValueError, match="UGS_TESTS='fast': allowed: quick, deep"):
        chosen()


@pytest.mark.parametrize("name", [QUICK, DEEP])
def test_property_tests_are_repeatable_and_have_no_deadline(name: str) -> None:
    profile = settings.get_profile(name)
    assert (profile.derandomize, profile.deadline, profile.database) == (True, None, None)
    assert profile.max_examples == EXAMPLES[name]
