"""SVG that may stand on any page."""

import pickle

import pytest
from defusedxml.ElementTree import fromstring

from ugs.pictures.svg import DrawnParts, Svg, looks, number

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "</text><script>alert(1)</script>\"'&]]>\x00\x1b[31m\u202e\ud800"


def test_texts_of_others_stay_texts() -> None:
    drawn = Svg("p", 10, 10, HOSTILE, HOSTILE)
    drawn.open(title=HOSTILE)
    drawn.text(1, 1, HOSTILE, 3, most=200)
    drawn.close()
    root = fromstring(str(drawn))
    assert {element.tag.removeprefix(SVG) for element in root.iter()} == {"svg", "title", "desc", "g", "text"}
    text = root.findtext(f"{SVG}g/{SVG}text")
    assert text is not None
    assert text.startswith("</text><script>")
    assert text.isprintable()


def test_ids_begin_with_the_prefix_and_name_the_picture() -> None:
    root = fromstring(str(Svg("game-7", 10, 10, "a title", "all in words")))
    ids = {element.get("id"): element.text for element in root.iter() if element.get("id")}
    assert ids == {"game-7-title": "a title", "game-7-words": "all in words"}
    assert root.get("aria-labelledby") == "game-7-title game-7-words"
    assert (root.get("role"), root.get("viewBox")) == ("img", "0 0 10 10")


@pytest.mark.parametrize("prefix", ["", "7", 'a"', "a b", "a" * 41, "é"])
def test_a_prefix_that_could_break_out_is_refused(prefix: str) -> None:
    with pytest.raises(ValueError, match="prefix"):
        Svg(prefix, 1, 1, "", "")


def test_paints_are_classes_and_attributes() -> None:
    assert looks({"fill": "red", "stroke": "none"}) == ' class="f-red" fill="#d55e00" stroke="none"'
    assert looks({"stroke_width": 0.5, "opacity": None}) == ' stroke-width="0.5"'


@pytest.mark.parametrize(("value", "text"), [(1.0, "1"), (-0.001, "0"), (0.126, "0.13"), (100, "100"), (-2.5, "-2.5")])
def test_numbers_are_short(value: float, text: str) -> None:
    assert number(value) == text


def test_parts_carry_the_numbers_of_their_offers() -> None:
    drawn = Svg("p", 10, 10, "t", "w")
    drawn.open(offers=(0, 3))
    drawn.offer_rect(1, 2, 3, 4, 5)
    drawn.close()
    drawn.open(offers=())
    drawn.close()
    assert [
        element.get("data-offer") for element in fromstring(str(drawn)).iter() if "data-offer" in element.attrib
    ] == [
        "0 3",
        "5",
    ]


def _frame(drawn: Svg, width: float) -> None:
    _CALLS.append(width)
    drawn.rect(0, 0, width, 1, fill="field")


_CALLS: list[float] = []


def test_what_is_always_the_same_is_drawn_once() -> None:
    pictures = []
    for _ in range(2):
        drawn = Svg("a", 9, 9, "a", "b")
        drawn.always(_frame, 3.25)
        drawn.always(_frame, 4.25)
        pictures.append(str(drawn))
    plain = Svg("a", 9, 9, "a", "b")
    _frame(plain, 3.25)
    _frame(plain, 4.25)
    assert pictures == [str(plain)] * 2
    assert _CALLS == [3.25, 4.25] * 2


def fields(drawn: Svg, places: tuple[int, ...]) -> None:
    for place in places:
        drawn.piece(field, place)


def field(drawn: Svg, place: int) -> None:
    drawn.rect(place, 0, 1, 1)


def test_a_picture_knows_its_parts() -> None:
    def board(number: int) -> DrawnParts:
        drawn = Svg("p", 10, 10, "title", "words")
        drawn.pieces(fields, (1, 2, number))
        return drawn.drawn()

    one, other = board(3), board(4)
    assert one == "".join(one.parts)
    assert one.endswith(
        '<rect x="1" y="0" width="1" height="1"/><rect x="2" y="0" width="1" height="1"/>'
        '<rect x="3" y="0" width="1" height="1"/></svg>'
    )
    assert one.parts[-4] is other.parts[-4], "most pieces stay the same when one has changed"
    assert one.parts[-2] != other.parts[-2]


def test_a_picture_travels_as_plain_text() -> None:
    drawn = Svg("p", 10, 10, "title", "words").drawn()
    sent = pickle.loads(pickle.dumps(drawn))
    assert (type(sent), sent) == (str, drawn)
