"""Pictures of Apologies: what is where, and what is said."""

import random
from collections import Counter
from dataclasses import replace
from itertools import islice

import pytest
from defusedxml.ElementTree import fromstring

from game_masters.apologies import ADULT, STANDARD
from game_masters.apologies.board import COLOURS, HOME, PAWNS, PLACES, SQUARES, START
from game_masters.apologies.cards import Kind
from game_masters.apologies.notation import write_view
from game_masters.apologies.pictures import follow, geometry
from game_masters.apologies.plays import Profile
from game_masters.apologies.views import Made, Mode, Offer, Past, Rejection, SeatView, Sitter, View
from game_masters.kit.gallery import picture_of, walk
from game_masters.kit.rules import Table
from ugs.pictures.contract import CannotDraw, Picture, Scene, Shown

NICKS = ("ada", "bob", "cyd", "dee")
HAND = (Kind.ONE, Kind.TWO, Kind.APOLOGIES, Kind.TEN, Kind.TEN)


def view(
    mode: Mode = Mode.STANDARD, *, you: int | None = None, turn: int | None = 0, plays: int = 1, **more: object
) -> View:
    seats = tuple(
        SeatView(nick, Sitter.HUMAN, 1, HAND if seat == you else (), (START, 5 + seat, 62, HOME))
        for seat, nick in enumerate(NICKS)
    )
    return View(mode, Profile.STRICT, plays, you, turn, seats, **more)  # type: ignore[arg-type]


def shown(shown_view: View, winners: frozenset[int] | None = None) -> Shown:
    return Shown(write_view(shown_view), () if shown_view.turn is None else (shown_view.turn,), winners)


def drawn(shown_view: View, winners: frozenset[int] | None = None) -> Picture:
    return follow(Scene(()))(shown(shown_view, winners))


def text(picture: Picture, width: int = 80) -> str:
    return "\n".join("".join(span.text for span in line) for line in picture.text(width))


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in fromstring(svg).iter() if element.tag.endswith("}text")]


def test_every_place_of_every_pawn_is_a_spot_of_its_own() -> None:
    spots = Counter(
        geometry.point(seat, number, place)
        for seat in range(len(COLOURS))
        for place in PLACES
        if place >= SQUARES
        for number in (range(PAWNS) if place in (START, HOME) else range(1))
    )
    spots.update(geometry.square(place) for place in range(SQUARES))
    assert len(spots) == SQUARES + 4 * (5 + 2 * PAWNS)
    assert all(0 < x < geometry.SIDE and 0 < y < geometry.SIDE for x, y in spots)
    whole = {(int(x), int(y)) for x, y in (geometry.square(place) for place in range(SQUARES))}
    edge = {0, geometry.SIDE - 1}
    assert whole == {(x, y) for x in range(16) for y in range(16) if x in edge or y in edge}


def test_the_ring_runs_clockwise_from_the_upper_left_corner() -> None:
    assert [geometry.square(place) for place in (0, 15, 30, 45, 59)] == [
        (0.5, 0.5),
        (15.5, 0.5),
        (15.5, 15.5),
        (0.5, 15.5),
        (0.5, 1.5),
    ]


def test_the_panel_tells_whose_turn_it_is_and_the_card() -> None:
    picture = drawn(view(drawn=Kind.SEVEN, history=(Past(3, Kind.EIGHT, True),)))
    assert "RED (ada) to play with a 7" in text(picture)
    assert "to play: [7]" in text(picture)
    assert "last cards: B:8-" in text(picture)
    assert {"7", "8", "to play", "ada", "dee"} <= set(texts(picture.svg("p")))
    assert "Last card: an 8." in picture.words()


def test_a_hand_is_in_the_picture_of_its_owner_only() -> None:
    own = drawn(view(Mode.ADULT, you=1))
    assert "your hand: [1] [2] [A] [10] [10]" in text(own)
    assert "Your hand: a 1, a 2, an Apologies card, a 10, a 10." in own.words()
    assert texts(own.svg("p")).count("10") == 2
    public = drawn(view(Mode.ADULT))
    assert "your hand" not in text(public)
    assert "which are hidden" in public.words()
    assert text(public).count("#####") == 4
    assert text(own).count("#####") == 3


def test_the_end_names_the_winner() -> None:
    picture = drawn(view(turn=None), frozenset({2}))
    assert "GREEN (cyd) won." in picture.words()
    assert "won" in texts(picture.svg("p"))
    assert not picture.offers(0)


def test_news_are_told_once() -> None:
    played = Made(3, Kind.FIVE, ((12, START, 19),), ((0, 19, START),))
    forfeited = Made(0, Kind.TWO)
    hear = follow(Scene(()))
    assert hear(shown(view(plays=1, since=(played,)))).news() == [
        "BLUE (dee) plays a 5: BLUE0 leaves start for 19, RED0 goes back to start"
    ]
    again = hear(shown(view(plays=2, since=(played, forfeited))))
    assert again.news() == ["RED (ada) discards a 2"]
    assert hear(shown(view(plays=2, since=(played, forfeited)))).news() == []


def test_offers_have_their_parts_on_the_board() -> None:
    offers = (
        Offer("aa", Kind.SEVEN, ((1, 5, 12),), ()),
        Offer("bb", Kind.SEVEN, ((1, 5, 8), (2, 62, 65)), ((5, 8, START),)),
    )
    picture = drawn(view(drawn=Kind.SEVEN, offers=offers))
    assert [offer.label for offer in picture.offers(0)] == [
        "7: RED1 5 → 12",
        "7: RED1 5 → 8, RED2 safe 2 → home, YELLOW1 → start",
        "let the computer choose",
    ]
    assert picture.offers(0)[0].move == b'<move><play id="aa"/></move>'
    parts = sorted(
        one.attrib["data-offer"] for one in fromstring(picture.svg("p", 0)).iter() if "data-offer" in one.attrib
    )
    # The drawn card and a pawn for both, a pawn and its target for the second, targets of each.
    assert parts == ["0", "0 1", "0 1", "1", "1", "1"]
    assert "data-offer" not in picture.svg("p")
    assert not picture.offers(1)


def test_each_card_of_the_hand_stands_for_its_plays() -> None:
    offers = tuple(Offer(f"a{at}", kind, (), ()) for at, kind in enumerate((Kind.ONE, Kind.TEN, Kind.TEN)))
    picture = drawn(view(Mode.ADULT, you=0, offers=offers))
    parts = [one.attrib["data-offer"] for one in fromstring(picture.svg("p", 0)).iter() if "data-offer" in one.attrib]
    assert parts == ["0", "1 2", "1 2"]
    assert picture.offers(0)[1].label == "10: discard it"


def test_a_move_that_was_refused_is_told() -> None:
    assert "The last move was not allowed." in drawn(view(rejected=Rejection.ILLEGAL)).words()


def test_a_narrow_terminal_has_the_panel_below() -> None:
    assert len(text(drawn(view()), 80).splitlines()) == geometry.SIDE
    assert len(text(drawn(view()), 60).splitlines()) > geometry.SIDE + 5


def test_another_version_is_not_drawn() -> None:
    with pytest.raises(CannotDraw, match="version"):
        follow(Scene(()))(Shown(write_view(view()).replace(b'v="1"', b'v="2"')))


@pytest.mark.parametrize("game", [STANDARD, ADULT], ids=lambda game: game.name)
def test_all_pawns_are_drawn_with_their_numbers(game: object) -> None:
    for moves in (0, 40, 90):
        played = STANDARD if game is STANDARD else ADULT
        table = Table("gallery", NICKS, played.choose_options({}))
        steps = islice(walk(played, NICKS, random.Random(3).random(), {}), moves + 1)
        picture, _ = picture_of(played, follow, table, steps, None)
        said = text(picture)
        for colour in COLOURS:
            for number in range(PAWNS):
                assert f"{colour[0]}{number}" in said


def test_a_pawn_that_slides_back_to_where_it_was_is_said_to() -> None:
    back = Made(0, Kind.FOUR, ((0, 58, 58),))
    assert drawn(view(since=(back,))).news() == ["RED (ada) plays a 4: RED0 moves and slides back to 58"]
    offered = drawn(view(offers=(Offer("x1", Kind.FOUR, ((0, 58, 58),), ()),)))
    assert offered.offers(0)[0].label == "4: RED0 moves and slides back to 58"


def test_a_seat_says_once_that_the_computer_plays_it_in_one_text_with_its_name() -> None:
    seats = tuple(
        SeatView(nick, Sitter.PROGRAM, 1, (), (START, 5, 62, HOME))
        for nick in ("Larch (computer)", "Weeping Willow (computer)", "cyd", "dee")
    )
    svg = drawn(replace(view(), seats=seats)).svg("p")
    for name in (">Larch (computer)<", ">Weeping Wil… (computer)<", ">cyd (computer)<"):
        assert name in svg
    assert ">(computer)<" not in svg
