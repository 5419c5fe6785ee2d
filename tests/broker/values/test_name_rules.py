"""Which names are allowed."""

import pytest

from ugs.broker.values.name_rules import unique_form, wrong_name


@pytest.mark.parametrize("name", ["ann", "Zoë", "名人", "Анна", "Ωμέγα", "bot-7 (v2)", "🤖", "Ann 名人", "Анна 7"])
def test_names_of_all_languages_are_fine(name: str) -> None:
    assert wrong_name(name) is None


@pytest.mark.parametrize(
    "name",
    [
        "a\u200bnn",
        "a\u202ennn",
        "ann\ufeff",
        "\u3164",
        "an\u2800n",
        "\ue000",
        "a\u2028b",
        "ann\ufe0f",
        "a\U000e0100",
        "a\u0378",
        "a\ufdd0",
    ],
)
def test_characters_that_nobody_sees_are_refused(name: str) -> None:
    assert wrong_name(name) == "holds invisible characters"


@pytest.mark.parametrize("name", ["аnn", "Αnn", "paypаl", "Αлфа"])
def test_letters_of_several_scripts_that_look_alike_are_refused(name: str) -> None:
    wrong = wrong_name(name)
    assert wrong is not None
    assert wrong.startswith("mixes letters that look alike: ")


@pytest.mark.parametrize("name", ["w-a", "W-A", "w-a ", " w-a", "w-a\u00a0", "ｗ-ａ", "𝐰-𝐚"])
def test_names_that_look_the_same_are_the_same(name: str) -> None:
    assert unique_form(name) == "w-a"


def test_spaces_between_words_count_as_one() -> None:
    assert unique_form("ann  of\u2003x") == unique_form("Ann of X")
    assert unique_form("an n") != unique_form("ann")


def test_an_i_without_its_dot_looks_like_one_with_it() -> None:
    assert unique_form("v\N{LATIN SMALL LETTER DOTLESS I}c") == unique_form("vic") == unique_form("VIC")
