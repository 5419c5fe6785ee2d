"""What pictures of Titan show, beyond what is promised for every game."""

from xml.etree import ElementTree

from game_masters.titan.notation import write_view
from game_masters.titan.pictures import follow
from tests.game_masters.titan.table import NAMES, House, legion
from ugs.pictures.contract import Picture, Scene, Seat, Shown


def picture(house: House, viewer: int | None) -> Picture:
    """What a viewer sees who has come just now."""
    scene = Scene(tuple(Seat(name) for name in NAMES[:2]), viewer)
    return follow(scene)(Shown(write_view(house.game.view(viewer, 0))))


def text(house: House, viewer: int | None) -> str:
    return "\n".join("".join(span.text for span in line) for line in picture(house, viewer).text(100))


def two_legions() -> House:
    return House(legion(0, 1, "41", "Titan Ogre Gargoyle"), legion(1, 1, "11", "Titan Cyclops"))


def test_legions_stand_where_they_are() -> None:
    drawn = picture(two_legions(), 0).svg("p", 0)
    ElementTree.fromstring(drawn)
    assert "Rd01" in drawn
    assert "Bu01" in drawn
    shown = text(two_legions(), None)
    assert "Rd01" in shown
    assert "Bu01" in shown
    (row,) = [line for line in shown.splitlines() if "Rd01" in line and " 40 " in line]
    assert row.index(" 40 ") < row.index("Rd01") < row.index(" 100 "), "in the place of land 41"


def test_what_is_in_a_legion_is_for_its_owner() -> None:
    assert "Gargoyle" in text(two_legions(), 0)
    for viewer in (1, None):
        assert "Gargoyle" not in text(two_legions(), viewer)
        assert "Gargoyle" not in picture(two_legions(), viewer).svg("p", viewer)
    assert "Cyclops" not in text(two_legions(), 0)


def test_what_can_be_clicked_is_legal() -> None:
    house = two_legions()
    asked = house.position.asked
    assert asked is not None
    offers = list(picture(house, asked.seat).offers(asked.seat))
    assert offers
    assert len({offer.label for offer in offers}) == len(offers)
    other = 1 - asked.seat
    assert not list(picture(house, other).offers(other)), "who is not asked has nothing to click"


def test_words_tell_who_is_asked() -> None:
    house = two_legions()
    asked = house.position.asked
    assert asked is not None
    assert NAMES[asked.seat] in picture(house, None).words()


def battle() -> House:
    """Ann attacks in the Tower at 100, and both sides have brought a creature on; the defender's Ogre waits."""
    house = House(
        legion(0, 1, "101", "Titan Archangel"), legion(1, 1, "100", "Titan Ogre"), dice=[1]
    )  # fmt: skip
    house.does("<roll/>", '<move legion="Rd01" hex="100"/>', '<engage hex="100"/>')
    house.fights()
    house.does('<enter creature="Titan" hex="D4"/>')
    return house


def test_a_battle_shows_without_colours_who_is_whose_and_who_is_off_the_board() -> None:
    shown = text(battle(), None)
    assert "d Titan 0" in shown
    assert "a = attacker Rd01; off the board: Archangel, Titan" in shown
    assert "d = defender Bu01; off the board: Ogre" in shown


def test_a_drawn_battle_has_whole_names_and_tells_what_the_lines_of_its_hexes_are() -> None:
    drawn = picture(battle(), None).svg("p")
    for words in (">Archangel<", "attacker Rd01: round", "defender Bu01: square", "Wall, on its high side"):
        assert words in drawn
    assert "Cliff" not in drawn


def test_who_is_out_of_the_game_is_shown_as_out() -> None:
    house = House(*(legion(seat, 1, hex, "Titan Ogre") for seat, hex in enumerate(("41", "11", "20"))), players=3)
    house.game.leave(1)
    scene = Scene(tuple(Seat(name) for name in NAMES[:3]), None)
    lines = follow(scene)(Shown(write_view(house.game.view(None, 0)))).text(100)
    assert "bob  out in turn 3" in ["".join(span.text for span in line) for line in lines]


def test_who_fell_says_when_and_by_whom() -> None:
    house = House(legion(0, 1, "41", "Titan Ogre"), legion(1, 1, "11", "Titan Ogre"))
    scene = Scene(tuple(Seat(name) for name in NAMES[:2]), None)
    follower = follow(scene)
    follower(Shown(write_view(house.game.view(None, 0))))
    house.game.leave(1)
    end = follower(Shown(write_view(house.game.view(None, 0)), (), frozenset({0})))
    assert "out in turn 3" in end.svg("p")
    assert "bob (Blue, tower 300): 0 points, Titan power 6, out in turn 3." in end.words()


def test_where_all_players_have_lost_the_picture_does_not_call_it_a_draw() -> None:
    house = House(legion(0, 1, "41", "Titan Ogre"), legion(1, 1, "11", "Titan Ogre"))
    follower = follow(Scene(tuple(Seat(name) for name in NAMES[:2]), None))
    state = write_view(house.game.view(None, 0))
    assert "all players lost" in follower(Shown(state, (), frozenset(), all_lost=True)).words().lower()
    assert "drawn" in follower(Shown(state, (), frozenset())).words().lower()


def moving() -> House:
    """Ann has rolled one, and her Ogres stand beside a hill and a plain."""
    house = House(legion(0, 1, "41", "Titan Ogre Ogre"), legion(1, 1, "11", "Titan Ogre"), dice=[1])
    house.does("<roll/>")
    return house


def test_lands_within_reach_say_what_they_bring_to_their_owner_only() -> None:
    drawn, labels = picture(moving(), 0), [offer.label for offer in picture(moving(), 0).offers(0)]
    told = [label for label in labels if "may muster" in label]
    assert told
    assert all(label.startswith("Rd01 to ") for label in told)
    assert ">Warlock<" in drawn.svg("p", 0)
    for viewer in (1, None):
        assert ">Warlock<" not in picture(moving(), viewer).svg("p", viewer)


def test_the_way_of_a_legion_and_its_entry_side_are_drawn_when_it_has_gone() -> None:
    house = moving()
    before = picture(house, None).svg("p")
    house.does('<move legion="Rd01" hex="42"/>')
    after = picture(house, None).svg("p")
    assert "stroke-dasharray" not in before
    assert 'stroke-dasharray="7 3"' in after


def test_what_has_no_place_on_the_map_is_a_button_with_its_label() -> None:
    house = moving()
    house.does('<move legion="Rd01" hex="42"/>')
    drawn = picture(house, 0)
    ends = [number for number, offer in enumerate(drawn.offers(0)) if offer.label == "end the moves"]
    svg = drawn.svg("p", 0)
    assert ">end the moves<" in svg
    assert f'data-offer="{ends[0]}"' in svg
