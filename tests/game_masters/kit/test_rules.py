"""Options, outcomes and the declaration of a game."""

import ast
from dataclasses import replace
from pathlib import Path

import pytest

from game_masters.kit.rules import BadOption, Option, Options, OptionValue, Outcome
from tests.game_masters.high_card import HIGH_CARD

SIZE = Option("size", 20, "size of the board", range(3, 101))
LEVEL = Option("level", "easy", "how hard", ("easy", "hard"))
OPEN = Option("open", False, "cards on the table")


@pytest.mark.parametrize(
    ("option", "text", "value"),
    [
        (SIZE, "3", 3),
        (SIZE, " 100 ", 100),
        (LEVEL, "hard", "hard"),
        (OPEN, "yes", True),
        (OPEN, "Off", False),
        (OPEN, "1", True),
    ],
)
def test_an_allowed_text_becomes_a_value(option: Option, text: str, value: OptionValue) -> None:
    assert option.parse(text) == value
    assert type(option.parse(text)) is type(value)


@pytest.mark.parametrize(
    ("option", "text", "allowed"),
    [
        (SIZE, "2", "3 to 100"),
        (SIZE, "101", "3 to 100"),
        (SIZE, "-5", "3 to 100"),
        (SIZE, "ten", "3 to 100"),
        (SIZE, "1_0", "3 to 100"),
        (SIZE, "٢٠", "3 to 100"),
        (SIZE, "", "3 to 100"),
        (SIZE, "9" * 5000, "3 to 100"),
        (LEVEL, "Hard", "easy, hard"),
        (OPEN, "perhaps", "yes or no"),
    ],
)
def test_another_text_is_refused_with_option_value_and_allowed_values(option: Option, text: str, allowed: str) -> None:
    with pytest.raises(BadOption) as refusal:
        option.parse(text)
    assert str(refusal.value) == f"option {option.name}: {text!r} is not allowed; allowed: {allowed}"


def test_a_game_hides_something_if_it_says_so_and_its_options_do() -> None:
    def many(options: Options) -> bool:
        return options.integer("cards") > 20

    few, more = HIGH_CARD.choose_options({}), HIGH_CARD.choose_options({"cards": "21"})
    game = replace(HIGH_CARD, hides_with=many)
    assert [game.hides(few), game.hides(more)] == [False, True]
    assert [HIGH_CARD.hides(few), HIGH_CARD.hides(more)] == [True, True]
    assert not replace(game, hides_with=None).hides(more)


def test_options_not_given_have_their_default() -> None:
    assert HIGH_CARD.choose_options({}).integer("cards") == 13
    assert HIGH_CARD.choose_options({"cards": "20"}).integer("cards") == 20


def test_an_unknown_option_is_refused_with_those_there_are() -> None:
    with pytest.raises(BadOption, match="option colour: high-card has no such option; it has: cards"):
        HIGH_CARD.choose_options({"colour": "red"})


def test_the_game_itself_may_refuse_a_combination() -> None:
    def refuse(options: Options) -> None:
        raise BadOption(f"never {options.integer('cards')}")

    with pytest.raises(BadOption, match="never 9"):
        replace(HIGH_CARD, check_options=refuse).choose_options({"cards": "9"})


def test_asking_for_the_wrong_type_of_an_option_is_a_bug() -> None:
    options = Options({"number": 1, "flag": True, "word": "x"})
    assert (options.integer("number"), options.flag("flag"), options.word("word")) == (1, True, "x")
    for wrong in (lambda: options.integer("flag"), lambda: options.flag("number"), lambda: options.word("number")):
        with pytest.raises(TypeError, match=r"option (flag|number) is not a"):
            wrong()


def test_a_game_nobody_won_is_drawn() -> None:
    assert Outcome("board full", frozenset(), drawn=True).drawn
    assert not Outcome("somebody without a seat has won", frozenset()).drawn
    with pytest.raises(ValueError, match=r"board full: a draw with winners: \[1\]"):
        Outcome("board full", frozenset({1}), drawn=True)
    assert not Outcome("row completed", frozenset({1})).drawn


def test_impossible_declarations_are_refused() -> None:
    with pytest.raises(ValueError, match="players 1 to 4"):
        replace(HIGH_CARD.players, min=1)
    with pytest.raises(ValueError, match="players 5 to 4"):
        replace(HIGH_CARD.players, min=5)
    with pytest.raises(ValueError, match="at least one bot"):
        replace(HIGH_CARD, bots=())


def test_the_first_bot_plays_unless_another_is_named() -> None:
    assert HIGH_CARD.bot(None).name == "careful"
    assert HIGH_CARD.bot("careful").name == "careful"
    with pytest.raises(KeyError, match="high-card has no bot 'bold'; it has: careful"):
        HIGH_CARD.bot("bold")


def imported_by(node: ast.stmt, root: Path) -> list[str]:
    """The modules that a statement imports, also those that it takes out of a package."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if not isinstance(node, ast.ImportFrom) or node.module is None:
        return []
    if root.joinpath(*node.module.split(".")).is_dir():
        return [f"{node.module}.{alias.name}" for alias in node.names]
    return [node.module]


def test_rules_know_neither_wire_nor_io() -> None:
    """A game's rules, and the modules they use, import only the standard library and the interface."""
    root = Path(__file__).parents[3]
    waiting = list(root.glob("game_masters/*/rules.py"))
    for module in waiting:
        text = module.read_text(encoding="utf-8")
        imported = [name for node in ast.parse(text).body for name in imported_by(node, root)]
        imported = [name for name in imported if name != "ugs.pictures.contract"]  # values and protocols, as pure
        strangers = {name.split(".")[0] for name in imported} & {"ugs", "trio", "structlog", "socket", "xml"}
        assert not strangers, f"{module} imports {strangers}"
        own = {name for name in imported if name.startswith("game_masters")} - {"game_masters.kit.rules"}
        parts = {root.joinpath(*name.split(".")).with_suffix(".py") for name in own}
        game = root.joinpath(*module.relative_to(root).parts[:2])
        assert all(part.is_relative_to(game) for part in parts), f"{module} imports {own}"
        waiting += parts - set(waiting)


@pytest.mark.parametrize(("option", "value"), [(SIZE, 20), (LEVEL, "hard"), (OPEN, True), (OPEN, False)])
def test_a_written_value_is_read_again(option: Option, value: OptionValue) -> None:
    assert option.parse(option.written(value)) == value


def test_seats_without_a_player_are_played_by_the_bot_that_fills_them_or_the_first() -> None:
    first = HIGH_CARD.bots[0]
    assert HIGH_CARD.program_bot is first
    filling = replace(first, name="filler", fills_seats=True)
    assert replace(HIGH_CARD, bots=(first, filling)).program_bot is filling
