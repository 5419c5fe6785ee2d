"""Pictures of five in line."""

import re
from collections.abc import Mapping

import pytest
from defusedxml.ElementTree import fromstring

from game_masters.tic_tac_toe.pictures import Board, BoardFollower, follow
from game_masters.tic_tac_toe.rules import Cell
from ugs.pictures.contract import MAX_OFFER, MAX_SVG, CannotDraw, Picture, Scene, Seat, Shown

SEATS = (Seat("ada"), Seat("bob"))
SMALL = {"width": "5", "height": "4", "row": "3"}


def following(viewer: int | None = None, options: Mapping[str, str] = SMALL) -> BoardFollower:
    return follow(Scene(SEATS, viewer, options))


def stone(x: int, y: int, *movers: int, won: frozenset[int] | None = None, own: bytes = b"") -> Shown:
    return Shown(b'<gameState><tac x="%d" y="%d"/></gameState>' % (x, y), movers, won, own)


def board(picture: Picture) -> str:
    """The fields of the board as text, row by row."""
    lines = ["".join(span.text for span in line) for line in picture.text(80)]
    return " ".join("".join(line[4:].split()) for line in lines if line[:4].strip().isdigit() and "·" in line)


def test_stones_are_drawn_as_they_come() -> None:
    hear = following()
    assert board(hear(Shown(b"<gameState/>", (0,)))) == "····· ····· ····· ·····"
    assert board(hear(stone(1, 0, 1))) == "·X··· ····· ····· ·····"
    picture = hear(stone(2, 3, 0))
    assert board(picture) == "·X··· ····· ····· ··O··"
    assert picture.news() == ["bob puts O on 2,3"]
    assert not hear(stone(2, 3, 0)).news()


def test_the_words_have_all_stones_however_many_there_are() -> None:
    hear = following(options={"width": "20", "height": "20", "row": "10"})
    cells = [(x, y) for y in range(5) for x in range(20)]
    for number, (x, y) in enumerate(cells):
        picture = hear(stone(x, y, (number + 1) % 2))
    assert picture.words().count(",") >= len(cells)


def test_the_row_that_wins_is_marked() -> None:
    hear = following()
    for x, y, mover in ((0, 0, 1), (0, 1, 0), (1, 0, 1), (1, 1, 0)):
        hear(stone(x, y, mover))
    picture = hear(stone(2, 0, won=frozenset({0})))
    assert "The row from column 0, row 0 to column 2, row 0 wins. Won by ada." in picture.words()
    styles = [
        span.style for line in picture.text(80) for span in line if "X" in span.text and "underline" in span.style
    ]
    assert styles == ["bold red underline"]
    assert 'd="M0.5 0.5L2.5 0.5"' in picture.svg("p")


def test_who_begins_in_the_middle_of_a_game_sees_whose_the_stones_are() -> None:
    hear = following()
    picture = hear(stone(1, 1, 0))
    assert board(picture) == "····· ·O··· ····· ·····"
    assert "1 stone is not known" in picture.words()


def test_a_stone_that_the_program_answered_at_once_is_known_to_its_player_only() -> None:
    states = (Shown(b"<gameState/>", (0,)), stone(2, 2, 0, own=b'<move><tic x="1" y="1"/></move>'))
    hear = following(viewer=0)
    own = [hear(state) for state in states][-1]
    assert board(own) == "····· ·X··· ··O·· ·····"
    assert own.news() == ["ada puts X on 1,1", "bob puts O on 2,2"]
    hear = following()
    public = [hear(Shown(state.payload, state.movers)) for state in states][-1]
    assert board(public) == "····· ····· ··O·· ·····"
    assert "1 stone is not known" in public.words()


def pair(first: Cell, second: Cell, *movers: int, won: frozenset[int] | None = None) -> Shown:
    stones = "".join(f'<tac x="{cell.x}" y="{cell.y}"/>' for cell in (first, second))
    return Shown(f"<gameState>{stones}</gameState>".encode(), movers, won)


@pytest.mark.parametrize("viewer", [None, 0])
def test_against_the_program_everybody_sees_both_stones_and_the_row_of_who_wins(viewer: int | None) -> None:
    hear = following(viewer)
    hear(Shown(b"<gameState/>", (0,)))
    first = hear(pair(Cell(0, 0), Cell(0, 1), 0))
    assert first.news() == ["ada puts X on 0,0", "bob puts O on 0,1"]
    hear(pair(Cell(1, 0), Cell(1, 1), 0))
    lost = hear(pair(Cell(4, 3), Cell(2, 1), won=frozenset({1})))
    assert board(lost) == "XX··· OOO·· ····· ····X"
    assert "The row from column 0, row 1 to column 2, row 1 wins. Won by bob." in lost.words()
    assert "not known" not in lost.words()


def test_everybody_sees_the_stone_with_which_a_player_wins_against_the_program() -> None:
    hear = following()
    for first, second in ((Cell(0, 0), Cell(0, 1)), (Cell(1, 0), Cell(1, 1))):
        hear(pair(first, second, 0))
    won = hear(pair(Cell(1, 1), Cell(2, 0), won=frozenset({0})))
    assert won.news() == ["ada puts X on 2,0"]
    assert "The row from column 0, row 0 to column 2, row 0 wins. Won by ada." in won.words()


def test_who_begins_in_the_middle_of_a_game_against_the_program_sees_whose_the_stones_are() -> None:
    assert board(following()(pair(Cell(1, 1), Cell(2, 2), 0))) == "····· ·X··· ··O·· ·····"


def test_a_draw_and_a_departure_end_without_a_row() -> None:
    hear = following()
    hear(stone(0, 0, 1))
    assert "Drawn." in hear(stone(0, 0, won=frozenset())).words()
    left = hear(stone(0, 0, won=frozenset({1})))
    assert "Won by bob." in left.words()
    assert "wins" not in left.words()


def test_without_options_the_board_grows_with_its_stones() -> None:
    hear = following(options={})
    assert "20 columns and 20 rows" in hear(stone(0, 0, 1)).words()
    assert "31 columns and 41 rows" in hear(stone(30, 40, 0)).words()
    assert "5 in a row" in following(options={"row": "many"})(stone(0, 0, 1)).words()


def test_a_stone_that_is_on_no_board_is_refused() -> None:
    hear = following()
    for x, y in ((100, 0), (0, 100), (-1, 0)):
        with pytest.raises(CannotDraw, match="is on no board"):
            hear(stone(x, y, 1))
    assert board(hear(stone(0, 0, 1))) == "X···· ····· ····· ·····"


def test_free_fields_are_offered_to_who_is_asked_and_can_be_clicked() -> None:
    picture = following()(stone(0, 0, 1))
    offers = picture.offers(1)
    assert len(offers) == 19
    assert (offers[0].label, offers[0].move) == ("O on 0,1", b'<move><tic x="0" y="1"/></move>')
    assert not picture.offers(0)
    marked = {
        element.get("data-offer"): (element.get("x"), element.get("y"))
        for element in fromstring(picture.svg("p", 1)).iter()
        if "data-offer" in element.attrib
    }
    assert marked == {str(at): tuple(re.findall(r"\d+", offer.label)) for at, offer in enumerate(offers)}


def test_a_board_that_is_wider_than_the_terminal_shows_what_is_about_the_last_stone() -> None:
    hear = following(options={"width": "100", "height": "3", "row": "3"})
    hear(stone(0, 0, 1))
    lines = ["".join(span.text for span in line) for line in hear(stone(97, 1, 0)).text(40)]
    assert max(map(len, lines)) == 40
    assert "O" in lines[-2]
    assert not any("X" in line for line in lines[3:])


@pytest.mark.parametrize(
    "own", [lambda x, y: (x + y) % 2, lambda x, y: x // 3 % 2, lambda x, y: (x * 7 + y * 3) % 5 % 2]
)
def test_the_largest_board_stays_within_the_bounds(own: object) -> None:
    assert callable(own)
    stones = {Cell(x, y): own(x, y) for x in range(100) for y in range(100)}
    full = Board(Scene(SEATS), 100, 100, 5, stones, Cell(3, 3), (), 0, (0,), None)
    svg = full.svg("p")
    assert len(svg.encode()) < MAX_SVG
    empty = Board(Scene(SEATS), 100, 100, 5, {}, None, (), 0, (0,), None)
    assert len(empty.svg("p", 0).encode()) < MAX_SVG + 10_000 * MAX_OFFER


def test_every_stone_of_a_large_board_is_drawn_where_it_is() -> None:
    stones = {Cell(x, y): (x * y) % 2 for x in range(0, 40, 3) for y in range(30)}
    svg = Board(Scene(SEATS), 40, 30, 5, stones, None, (), 0, (0,), None).svg("p")
    found: dict[Cell, int] = {}
    for owner, cap in enumerate(("square", "round")):
        (path,) = (
            one for one in fromstring(svg).iter() if one.get("stroke-linecap") == cap and "z" in one.get("d", "")
        )
        x = y = 0
        for command, first, second in re.findall(r"([Mm])(\d+) (\d+)z", path.get("d", "")):
            x, y = (int(first), int(second)) if command == "M" else (x + int(first), y)
            found[Cell(x, y)] = owner
    assert found == stones


def test_positions_share_their_stones_and_each_shows_its_own() -> None:
    hear = following(options={"width": "100", "height": "100", "row": "5"})
    pictures = [hear(stone(x, y, (x + 1) % 2)) for y in range(4) for x in range(100)]
    for count in (400, 1, 250, 400):
        picture = pictures[count - 1]
        assert isinstance(picture, Board)
        assert len(picture.stones) == count
        assert dict(picture.stones) == {Cell(place % 100, place // 100): place % 2 for place in range(count)}
    kept = [vars(picture.stones) for picture in pictures if isinstance(picture, Board)]
    assert len({id(one["_laid"]) for one in kept}) == 1
    assert all(set(one) == {"_laid", "_count"} for one in kept)


TRIED = b'<move><tic x="%d" y="%d"/></move>'


def against_the_program(viewer: int | None) -> BoardFollower:
    """A game on a board of 5 x 4 after two stones of each side, where three in a row win."""
    hear = following(viewer)
    hear(Shown(b"<gameState/>", (0,)))
    for own, answer in ((0, 3), (1, 4)):
        hear(stone(answer, 3, 0, own=TRIED % (own, own) if viewer == 0 else b""))
    return hear


def test_the_stone_with_which_the_program_wins_is_the_programs() -> None:
    hear = against_the_program(0)
    end = hear(stone(2, 3, won=frozenset({1}), own=TRIED % (0, 2)))
    assert board(end) == "X···· ·X··· X···· ··OOO"
    assert end.news() == ["ada puts X on 0,2", "bob puts O on 2,3"]
    assert "The row from column 2, row 3 to column 4, row 3 wins. Won by bob." in end.words()
    assert "not known" not in end.words()
    public = against_the_program(None)(stone(2, 3, won=frozenset({1})))
    assert board(public) == "····· ····· ····· ··OOO"
    assert public.news() == ["bob puts O on 2,3"]
    assert "wins. 3 stones are not known. Won by bob." in public.words()


def test_the_stone_with_which_a_player_wins_against_the_program_is_its_own() -> None:
    end = against_the_program(0)(stone(2, 2, won=frozenset({0}), own=TRIED % (2, 2)))
    assert board(end) == "X···· ·X··· ··X·· ···OO"
    assert "wins. Won by ada." in end.words()


def test_a_full_board_gives_the_last_stone_to_who_has_its_parity() -> None:
    hear = following(0, {"width": "3", "height": "3", "row": "3"})
    hear(Shown(b"<gameState/>", (0,)))
    for own, answer in (((0, 0), (1, 0)), ((2, 0), (0, 1)), ((2, 1), (1, 1)), ((0, 2), (2, 2))):
        hear(stone(*answer, 0, own=TRIED % own))
    end = hear(stone(1, 2, won=frozenset(), own=TRIED % (1, 2)))
    assert end.news() == ["ada puts X on 1,2"]
    assert "Drawn." in end.words()
    even = following(None, {"width": "4", "height": "3", "row": "3"})
    even(stone(0, 0, 1))
    assert even(stone(1, 0, won=frozenset())).news() == ["bob puts O on 1,0"]


@pytest.mark.parametrize("tried", [TRIED % (3, 3), TRIED % (77, 1), TRIED % (0, 0), b"<move><nonsense/></move>"])
def test_a_bad_move_that_loses_puts_no_stone(tried: bytes) -> None:
    end = against_the_program(0)(stone(4, 3, won=frozenset({1}), own=tried))
    assert board(end) == "X···· ·X··· ····· ···OO"
    assert not end.news()
    assert end.words().endswith("Won by bob. X: 0,0 1,1. O: 3,3 4,3.")
