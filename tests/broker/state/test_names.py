"""Which names are allowed."""

import pytest

from ugs.broker.state.names import wrong_name


@pytest.mark.parametrize("name", ["ann", "Zoë", "名人", "Анна", "Ωμέγα", "bot-7 (v2)", "🤖", "Ann 名人", "Анна 7"])
def test_names_of_all_languages_are_fine(name: str) -> None:
    assert wrong_name(name) is None


@pytest.mark.parametrize("name", ["a\u200bnn", "a\u202ennn", "ann\ufeff", "\u3164", "an\u2800n", "\ue000", "a\u2028b"])
def test_characters_that_nobody_sees_are_refused(name: str) -> None:
    assert wrong_name(name) == "holds invisible characters"


@pytest.mark.parametrize("name", ["аnn", "Αnn", "paypаl", "Αлфа"])
def test_letters_of_several_scripts_that_look_alike_are_refused(name: str) -> None:
    wrong = wrong_name(name)
    assert wrong is not None
    assert wrong.startswith("mixes letters that look alike: ")
