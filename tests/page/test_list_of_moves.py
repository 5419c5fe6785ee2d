"""The list of moves of a game: a line for each, or two in a line where a game writes them so."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType, SimpleNamespace
from xml.etree.ElementTree import Element, fromstring

from ugs.page import html
from ugs.page.played import PositionStep, ends_unmoved


def lines(written: Sequence[str], at: int = 2) -> list[Element]:
    """The list, and its lines, of a game with these moves."""
    steps = [PositionStep(1, 0.0, "", None, [])]
    steps += [
        PositionStep(number, 1.0, "ann", 0.5, [f"news {number}"], written=text)
        for number, text in enumerate(written, start=2)
    ]
    return listed(steps, at)


def listed(
    steps: Sequence[PositionStep], at: int, *, over: bool = True, options: Mapping[str, str] = MappingProxyType({})
) -> list[Element]:
    """The list, and its lines, of a game that came to its positions so."""
    page = SimpleNamespace(
        steps=steps, more_before=False, more_after=False, live=not over, over=over, at=at, viewer="", game="g1", moves=1
    )
    page.unmoved = over and ends_unmoved(steps)
    page.server, page.options = SimpleNamespace(keeps=True), options
    told = html._environment().get_template("game/told.html").render(page=page, link=html.served, root="")
    (moves,) = fromstring(f"<div>{told}</div>").iter("ol")
    return [moves, *moves.iter("li")]


def test_two_moves_make_a_line_with_its_number() -> None:
    moves, beginning, first, second, third = lines(["1. Nf3", "1... Nc6", "2. <b>"])
    assert "paired" in (moves.get("class") or "")
    assert [(one.get("data-first"), one.get("data-second")) for one in (beginning, first, second, third)] == [
        (None, None), ("1", None), (None, "1"), ("2", None),
    ]  # fmt: skip
    assert ["".join(one.itertext()) for one in (beginning, first, second, third)] == [
        "the beginning", "Nf3 0.5 s", "Nc6 0.5 s", "<b> 0.5 s",
    ]  # fmt: skip
    assert first.get("class") == "here"


def test_other_games_keep_a_line_for_each_move() -> None:
    moves, _, first = lines([""])
    assert moves.get("class") == "moves"
    assert "".join(first.itertext()) == "news 2 0.5 s"
    assert first.get("data-first") is None


def test_a_puzzle_begins_with_its_position() -> None:
    steps = [PositionStep(1, 0.0, "", None, ["ann plays"])]
    for number, text in (("9", "the position of the puzzle"), ("0", "ann plays")):
        _, first = listed(steps, at=1, options={"puzzle": number})
        assert "".join(first.itertext()) == text


def test_an_end_without_a_move_has_no_number_of_one() -> None:
    """After a time-out in a game of one move the list had "2. move 2"."""
    steps = [PositionStep(1, 0.0, "", None, []), PositionStep(2, 1.0, "ann", 0.5, ["a1"])]
    for news, text in ((["bob has not moved in time"], "bob has not moved in time"), ([], "the end")):
        _, _, moved, end = listed([*steps, PositionStep(3, 9.0, "", None, news)], at=3, over=True)
        assert "".join(end.itertext()) == text
        assert (moved.get("class"), end.get("class")) == (None, "here unmoved")
    _, _, _, state = listed([*steps, PositionStep(3, 9.0, "", None, [])], at=2, over=False)
    assert ("".join(state.itertext()), state.get("class")) == ("move 2", None)
