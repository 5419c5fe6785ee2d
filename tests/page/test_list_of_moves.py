"""The list of moves of a game: a line for each, or two in a line where a game writes them so."""

from collections.abc import Sequence
from types import SimpleNamespace
from xml.etree.ElementTree import Element, fromstring

from ugs.page import html
from ugs.page.played import PositionStep


def lines(written: Sequence[str], at: int = 2) -> list[Element]:
    """The list, and its lines, of a game with these moves."""
    steps = [PositionStep(1, 0.0, "", None, [])]
    steps += [
        PositionStep(number, 1.0, "ann", 0.5, [f"news {number}"], written=text)
        for number, text in enumerate(written, start=2)
    ]
    page = SimpleNamespace(steps=steps, more_before=False, more_after=False, live=False, at=at, viewer="", game="g1")
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
