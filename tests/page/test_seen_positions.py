"""Positions as those see them who play them, and what has happened before."""

from collections.abc import Sequence

from ugs.page.seen_positions import MAX_PAST, Hands, MovablePosition
from ugs.pictures.contract import Scene, Seat, Shown
from ugs.sketch.refusal import refused

GAME = "g1", "5-in-line-tic-tac-toe", Scene((Seat("ann"), Seat("bob")), 0)


def shown(number: int) -> Shown:
    """The position with so many stones."""
    last = b'<tac x="%d" y="%d"/>' % divmod(number, 20) if number else b""
    return Shown(b"<gameState>%s</gameState>" % last)


def looks(hands: Hands, number: int, before: Sequence[Shown], *, past: bool) -> MovablePosition:
    return hands.show(*GAME, shown(number), lambda _: before, past=past)


def test_who_comes_back_is_told_what_has_happened_before() -> None:
    hands = Hands()
    began = looks(hands, 1, (), past=True)
    assert not began.past
    second = looks(hands, 2, (), past=False)
    assert second.news
    assert not second.past, "nobody has asked"
    before = [shown(number) for number in (1, 2)]
    back = looks(hands, 2, before, past=True)
    assert (back.past, back.news) == (began.news, second.news)
    assert looks(hands, 3, before, past=True).news


def test_what_comes_while_a_position_is_drawn_is_none_of_what_came_before_it() -> None:
    """The journal had the second position already: its line was among what had happened, and came once more with it."""
    hands = Hands()
    began = looks(hands, 1, [shown(1), shown(2)], past=True)
    assert (began.past, began.news) == ((), looks(Hands(), 1, (), past=True).news)
    assert looks(hands, 2, (), past=False).news == looks(Hands(), 2, [shown(1)], past=False).news


def test_where_a_sketch_is_refused_it_says_why_there_are_no_moves() -> None:
    """Its player read that it was to move, saw no board, and was not told what to do."""
    scene = Scene((Seat("ann"), Seat("bob")), 0)
    drawn = Shown(b"<gameState/>", (0,), sketch=refused("grid columns '0': at least 1"))
    position = Hands().show("g2", "unknown to this server", scene, drawn, lambda _: ())
    assert (position.offers, position.unshown) == ((), "grid columns '0': at least 1")
    assert not looks(Hands(), 1, (), past=False).unshown


def test_a_game_that_is_remembered_is_not_read_again() -> None:
    """Each time that the page was loaded cost the whole game once more, and others waited for their boards."""
    hands, read = Hands(), []

    def before(_: str) -> Sequence[Shown]:
        read.append(1)
        return [shown(1)]

    first = hands.show(*GAME, shown(2), before, past=True)
    again = [hands.show(*GAME, shown(2), before, past=True) for _ in range(3)]
    assert [(one.past, one.news) for one in again] == [(first.past, first.news)] * 3
    assert first.past
    assert len(read) == 1


def test_without_a_journal_a_game_goes_on_as_it_is_remembered() -> None:
    hands = Hands()
    looks(hands, 1, (), past=True)
    assert looks(hands, 2, (), past=True).news == looks(Hands(), 2, [shown(1)], past=False).news


def test_of_what_has_happened_the_last_lines_are_kept() -> None:
    before = [shown(number) for number in range(3 * MAX_PAST)]
    assert len(looks(Hands(), 3 * MAX_PAST, before, past=True).past) == MAX_PAST
