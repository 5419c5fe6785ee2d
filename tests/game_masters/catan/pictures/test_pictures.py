"""What pictures of Catan show of a fixed position, beyond what is promised for every game."""

import re
from collections import Counter
from xml.etree.ElementTree import Element

import pytest
from defusedxml.ElementTree import fromstring

from game_masters.catan.message.standing import Standing
from game_masters.catan.notation import read_move, write_view
from game_masters.catan.pictures import follow
from game_masters.catan.pictures.drawing import LETTERS
from game_masters.catan.pictures.layout import layout_of, middle
from game_masters.catan.pictures.places import edge_words, hex_words, node_words
from tests.game_masters.catan.scene import HEXES, Scene, at
from ugs.pictures import contract
from ugs.pictures.contract import CannotDraw, Picture, Shown

SVG = "{http://www.w3.org/2000/svg}"
LETTER_OF = {"clay": "C", "ore": "O", "sheep": "S", "wheat": "W", "wood": "T", "desert": "D"}
FIXTURE = at(
    turn=0,
    seats={
        0: {"hand": [1, 2, 1, 2, 1], "cards": ["MONOPOLY"], "settlements": ["43"], "cities": ["23"]},
        1: {"hand": [0, 0, 4, 0, 0], "cards": ["DISCOVERY"]},
    },
    robber="35",
)


def picture(scene: Scene, viewer: int | None) -> Picture:
    seats = tuple(contract.Seat(f"p{number}") for number in range(4))
    view = scene.state.view(viewer)
    return follow(contract.Scene(seats, viewer))(Shown(write_view(view), tuple(scene.state.movers)))


def text(shown: Picture, width: int = 80) -> str:
    return "\n".join("".join(span.text for span in line).rstrip() for line in shown.text(width))


def everything(scene: Scene, viewer: int | None) -> str:
    """All that can be read in a picture."""
    shown = picture(scene, viewer)
    return "\n".join([text(shown), shown.words(), *shown.news(), shown.svg("it", viewer)])


def svg(scene: Scene, viewer: int | None = None) -> Element:
    root: Element = fromstring(picture(scene, viewer).svg("it", viewer))
    return root


def texts_at(root: Element, x: float, y: float) -> set[str]:
    """The texts within some units of a point of the board."""
    board = next(one for one in root if one.tag == f"{SVG}g" and one.get("transform"))
    near = (
        one for one in board.iter(f"{SVG}text")
        if abs(float(one.get("x", "")) - x) < 8 and abs(float(one.get("y", "")) - y) < 9.5
    )  # fmt: skip
    return {one.text or "" for one in near}


def test_each_hex_is_drawn_in_its_place_with_its_name_and_number() -> None:
    scene = Scene(FIXTURE)
    root = svg(scene)
    layout = layout_of(scene.state.view(None).table.board)
    for line in HEXES:
        hex, kind, *dice = line.split()
        assert {kind, *dice} <= texts_at(root, *layout.hexes[int(hex, 16)]), line


def test_pieces_stand_on_their_places_with_the_number_of_their_seat() -> None:
    scene = Scene(FIXTURE)
    root = svg(scene)
    layout = layout_of(scene.state.view(None).table.board)
    for number, seat in enumerate(scene.state.view(None).table.seats):
        places = [layout.nodes[node] for node in (*seat.pieces.settlements, *seat.pieces.cities)]
        places += [middle(layout.edges[edge]) for edge in seat.pieces.roads]
        assert len(places) == 4
        for place in places:
            assert str(number) in texts_at(root, *place)


def test_settlements_are_round_and_cities_square() -> None:
    scene = Scene(FIXTURE)
    layout = layout_of(scene.state.view(None).table.board)
    root = svg(scene)
    round = {(float(one.get("cx", "")), float(one.get("cy", ""))) for one in root.iter(f"{SVG}circle")}
    square = {
        (float(one.get("x", "")) + 8.5, float(one.get("y", "")) + 8.5)
        for one in root.iter(f"{SVG}rect") if one.get("width") == "17"
    }  # fmt: skip
    assert list(square) == [pytest.approx(layout.nodes[0x23], abs=0.02)]
    assert any(place == pytest.approx(layout.nodes[0x43], abs=0.02) for place in round)


def test_the_robber_is_shown_where_it_stands_and_moves_with_it() -> None:
    for robber, cell, named in (("35", "T2*", "wood 2"), ("9b", "O5*", "ore 5")):
        scene = Scene({**FIXTURE, "robber": robber})
        x, y = layout_of(scene.state.view(None).table.board).hexes[int(robber, 16)]
        assert "R" in texts_at(svg(scene), x - 12, y + 5)
        shown = picture(scene, None)
        assert f"The robber stands on {named}." in shown.words()
        assert re.findall(r"\S+\d\*", text(shown)) == [cell]


def test_the_terminal_has_all_hexes_also_where_it_is_narrow() -> None:
    wanted = Counter(f"{LETTER_OF[kind]}{dice[0] if dice else ''}" for _, kind, *dice in map(str.split, HEXES))
    for width in (40, 80):
        board = text(picture(Scene(FIXTURE), None), width).split("\n\n")[1]
        cells = Counter(re.findall(rf"[{''.join(LETTERS)}]\d*", board.replace("*", "")))
        assert cells == wanted


def test_letters_and_ports_are_explained() -> None:
    shown = text(picture(Scene(FIXTURE), None))
    assert "C clay, O ore, S sheep, W wheat, T wood, D desert, * robber\n" in shown
    assert "Ports: 3:1 " in shown
    assert " 27-38 " in shown
    assert "; C 5a-6b; O 9c-ad;" in shown
    assert "R robber, ports: 3:1 any, 2:1 C clay O ore S sheep W wheat T wood" in "".join(
        svg(Scene(FIXTURE)).itertext()
    )


def test_refused_trades_are_told_in_words_to_who_asked() -> None:
    scene = Scene(FIXTURE)
    scene.ask("f0:SOCMakeOffer:game=test|from=0|to=false,true,false,false|give=clay=9|ore=0|sheep=0|wheat=0|wood=0|"
              "unknown=0|get=clay=0|ore=1|sheep=0|wheat=0|wood=0|unknown=0")  # fmt: skip
    assert "Refused: this offer is not possible." in picture(scene, 0).news()
    assert not any("Refused" in line for line in picture(scene, 1).news())


def test_what_can_be_chosen_is_named_by_the_question() -> None:
    seats = {3: {"settlements": ["606"], "ships": ["706"], "trades": ["806"], "cloth": 4, "hand": [0, 0, 1, 0, 1]}}
    placed = [{}, {}, {"settlements": ["c06"], "trades": ["a06"]}, seats[3]]
    scene = Scene({"turn": 2, "dice": [7], "seats": placed}, {"SC": "SC_CLVI"})

    def labels() -> list[str]:
        return [offer.label for offer in picture(scene, 2).offers(2)]

    scene.ask("f2:SOCRollDice:game=test")
    assert labels() == ["move the robber", "move the pirate"]
    scene.ask("f2:SOCChoosePlayer:game=test|choice=-3")
    sea = next(hex for hex in scene.play.board.net.edge_hexes[0x706] if scene.play.board.types[hex] == 0)
    scene.ask(f"f2:SOCMoveRobber:game=test|playerNumber=2|coord=-{sea:x}")
    assert labels() == ["take a resource", "take cloth"]


def test_own_hand_is_shown_by_kind_and_others_are_counts() -> None:
    scene = Scene(FIXTURE)
    assert "7 resources (1 clay, 2 ore, 1 sheep, 2 wheat, 1 wood)" in text(picture(scene, 0))
    for viewer in (1, None):
        assert "7 resources, " in text(picture(scene, viewer))
        assert "7 resources, 1 development card;" in picture(scene, viewer).words()
        assert "1 clay, 2 ore" not in everything(scene, viewer)
    assert "4 resources (4 sheep)" in text(picture(scene, 1))
    assert "4 sheep" not in everything(scene, 0)


def test_pictures_of_another_seat_do_not_depend_on_hidden_cards() -> None:
    changed = {0: {**FIXTURE["seats"][0]}, 1: {**FIXTURE["seats"][1], "hand": [4, 0, 0, 0, 0], "cards": ["ROADS"]}}
    one, other = Scene(FIXTURE), Scene({**FIXTURE, "seats": [changed[0], changed[1], *FIXTURE["seats"][2:]]})
    for viewer in (None, 0, 2, 3):
        assert everything(one, viewer) == everything(other, viewer)
    assert everything(one, 1) != everything(other, 1)


def test_every_offer_is_a_legal_move_and_is_named_apart() -> None:
    scene = Scene(FIXTURE)
    offers = picture(scene, 0).offers(0)
    moves = [read_move(offer.move) for offer in offers]
    assert moves == list(scene.state.legal_moves(0))
    labels = [offer.label for offer in offers]
    assert len(set(labels)) == len(labels)
    assert {"end the turn", "buy a development card"} <= set(labels)
    for move in moves:
        Scene(FIXTURE).state.apply(0, move)


def test_offers_of_a_seat_are_shown_to_it_alone() -> None:
    scene = Scene(FIXTURE)
    for viewer in (None, 1):
        assert not picture(scene, viewer).offers(0)
    assert "data-offer" not in picture(scene, 0).svg("it")


def test_offers_on_the_board_can_be_clicked_where_their_place_is() -> None:
    scene = Scene(FIXTURE)
    shown = picture(scene, 0)
    marks = {
        int(number): one.find(f"{SVG}circle")
        for one in svg(scene, 0).iter(f"{SVG}g") for number in one.get("data-offer", "").split()
    }  # fmt: skip
    layout = layout_of(scene.state.view(0).table.board)
    clicked = 0
    for number, offer in enumerate(shown.offers(0)):
        named = re.fullmatch(r"(road|settlement|city) at .* \((\w+)\)", offer.label)
        if named:
            place = int(named[2], 16)
            x, y = middle(layout.edges[place]) if named[1] == "road" else layout.nodes[place]
            circle = marks[number]
            assert circle is not None
            assert (float(circle.get("cx", "")), float(circle.get("cy", ""))) == pytest.approx((x, y), abs=0.02)
            clicked += 1
    assert clicked


def test_news_say_what_was_rolled() -> None:
    scene = Scene(at(turn=0, state=15, dice=[9]))
    scene.ask("f0:SOCRollDice:game=test")
    assert "The dice show 9." in picture(scene, None).news()
    assert "The dice show 9." in picture(scene, None).words()


def test_what_is_no_state_is_not_drawn() -> None:
    with pytest.raises(CannotDraw):
        follow(contract.Scene(()))(Shown(b"<gameState/>"))


def test_states_that_tell_what_has_changed_are_drawn_as_whole_ones() -> None:
    scene = Scene(at(turn=0, state=15, dice=[9]))
    scene.state.apply(0, Standing(None, brief=True))
    draw = follow(contract.Scene((), 0))
    draw(Shown(write_view(scene.state.view(0))))
    scene.ask("f0:SOCRollDice:game=test")
    changes = write_view(scene.state.view(0))
    assert b"<changes" in changes
    assert "The dice show 9." in draw(Shown(changes)).words()
    assert "The dice show 9." in draw(Shown(changes)).words()
    with pytest.raises(CannotDraw, match="not shown"):
        follow(contract.Scene((), 0))(Shown(changes))


def test_places_are_named_by_the_land_about_them() -> None:
    board = Scene(FIXTURE).state.view(None).table.board
    assert hex_words(board, 0x35) == "wood 2"
    assert hex_words(board, 0xFFF) == "sea"
    assert edge_words(board, 0xFFF) == "fff"
    inner = next(node for node, hexes in board.net.node_hexes.items() if 0x35 in hexes and 0x55 in hexes)
    assert {"wood 2", "wheat 8"} <= set(node_words(board, inner).split(", "))


def test_the_island_fills_the_picture_and_empty_seats_have_no_row() -> None:
    scene = Scene(FIXTURE)
    layout = layout_of(scene.state.view(None).table.board)
    root = svg(scene)
    width, height = (float(one) for one in (root.get("viewBox") or "").split()[2:])
    moved = next(one.get("transform") for one in root if one.tag == f"{SVG}g")
    scale = float((moved or "").partition("scale(")[2].rstrip(")"))
    assert 0.95 * width <= scale * layout.width <= width + 1
    assert scale * layout.height > 0.6 * height
    assert "vacant" not in everything(scene, None)
