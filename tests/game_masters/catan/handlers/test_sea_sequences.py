"""The message sequences of boards with sea: fog, gold, ships, pirate, cloth, new land, special building."""

from dataclasses import replace
from typing import Any

import pytest

from tests.game_masters.catan.scene import Scene, resources

GOLD, SHEEP, WATER = (7, 9), (3, 4), (0, 0)


def fog(hidden: tuple[int, int] = SHEEP, *, state: int = 20, **seat: Any) -> Scene:
    """A turn of p3 on the fog islands; under the fog on 908, beside its settlement on a06, is ``hidden``."""
    seats: list[dict[str, Any]] = [{}, {}, {}, {"settlements": ["a06"], "hand": [0, 0, 1, 0, 1], **seat}]
    scene = Scene({"turn": 3, "state": state, "seats": seats}, {"SC": "SC_FOG"})
    scene.play.board.hidden[0x908] = hidden
    return scene


PUT_SHIP = """
    f3:SOCPutPiece:game=test|playerNumber=3|pieceType=3|coord=a06
    all:SOCPlayerElements:game=test|playerNum=3|actionType=LOSE|e3=1,e5=1
"""


def test_a_ship_reveals_a_hex_and_brings_its_resource() -> None:
    scene = fog()
    scene.plays(f"""{PUT_SHIP.strip()}
        all:SOCRevealFogHex:game=test|hexCoord=908|hexType=3|diceNum=4
        all:SOCGameServerText:game=test|text=p3 built a ship.
        all:SOCPutPiece:game=test|playerNumber=3|pieceType=3|coord=a06
        all:SOCPlayerElement:game=test|playerNum=3|actionType=GAIN|elementType=3|amount=1|news=Y
        all:SOCGameServerText:game=test|text=p3 gets 1 sheep by revealing the fog hex.
        all:SOCGameState:game=test|state=20
    """)
    assert scene.play.seats[3].hand == [0, 0, 1, 0, 0]


def test_a_ship_reveals_water_and_brings_nothing() -> None:
    fog(WATER).plays(f"""{PUT_SHIP.strip()}
        all:SOCRevealFogHex:game=test|hexCoord=908|hexType=0|diceNum=0
        all:SOCGameServerText:game=test|text=p3 built a ship.
        all:SOCPutPiece:game=test|playerNumber=3|pieceType=3|coord=a06
        all:SOCGameState:game=test|state=20
    """)


REVEAL_GOLD = """
        all:SOCRevealFogHex:game=test|hexCoord=908|hexType=7|diceNum=9
        all:SOCGameServerText:game=test|text=p3 built a ship.
        all:SOCPutPiece:game=test|playerNumber=3|pieceType=3|coord=a06
"""
PICK = f"""
        all:SOCGameServerText:game=test|text=p3 needs to pick resources from the gold hex.
        all:SOCPlayerElement:game=test|playerNum=3|actionType=SET|elementType=101|amount=1
        p3:SOCSimpleRequest:game=test|pn=3|reqType=1|v1=1|v2=0
        f3:SOCPickResources:game=test|resources={resources(ore=1)}
        all:SOCPickResources:game=test|resources={resources(ore=1)}|pn=3|reason=3
        all:SOCPlayerElement:game=test|playerNum=3|actionType=SET|elementType=101|amount=0
"""


def test_a_ship_reveals_gold() -> None:
    fog(GOLD).plays(f"""{PUT_SHIP.strip()}
        {REVEAL_GOLD.strip()}
        all:SOCGameState:game=test|state=56
        {PICK.strip()}
        all:SOCGameState:game=test|state=20
    """)


def test_a_paid_ship_reveals_gold() -> None:
    fog(GOLD).plays(f"""
        f3:SOCBuildRequest:game=test|pieceType=3
        all:SOCPlayerElements:game=test|playerNum=3|actionType=LOSE|e3=1,e5=1
        all:SOCGameState:game=test|state=35
        f3:SOCPutPiece:game=test|playerNumber=3|pieceType=3|coord=a06
        {REVEAL_GOLD.strip()}
        all:SOCGameState:game=test|state=56
        {PICK.strip()}
        all:SOCGameState:game=test|state=20
    """)


@pytest.mark.parametrize(("state", "end"), [(20, ""), (15, "\nall:SOCRollDicePrompt:game=test|playerNumber=3")])
def test_gold_by_the_first_free_ship_is_picked_before_the_second(state: int, end: str) -> None:
    scene = fog(GOLD, state=state, cards=["ROADS"])
    scene.play.board.hidden[0x506] = GOLD
    scene.plays(
        f"""f3:SOCPlayDevCardRequest:game=test|devCard=1
        all:SOCDevCardAction:game=test|playerNum=3|actionType=PLAY|cardType=1
        all:SOCPlayerElement:game=test|playerNum=3|actionType=SET|elementType=19|amount=1
        all:SOCGameServerText:game=test|text=p3 played a Road Building card.
        all:SOCGameState:game=test|state=40
        p3:SOCGameServerText:game=test|text=You may place 2 roads/ships.
        f3:SOCPutPiece:game=test|playerNumber=3|pieceType=3|coord=a06
        {REVEAL_GOLD.strip()}
        all:SOCGameState:game=test|state=56
        {PICK.strip()}
        all:SOCGameState:game=test|state=41
        f3:SOCPutPiece:game=test|playerNumber=3|pieceType=0|coord=a05
        all:SOCGameServerText:game=test|text=p3 built a road.
        all:SOCPutPiece:game=test|playerNumber=3|pieceType=0|coord=a05
        all:SOCGameState:game=test|state={state}"""
        + end
    )


def test_a_roll_of_gold_lets_players_pick() -> None:
    seats: list[dict[str, Any]] = [{"settlements": ["a06"]}, {}, {"cities": ["c05"]}, {}]
    scene = Scene({"turn": 2, "state": 15, "dice": [12, 12], "seats": seats}, {"SC": "SC_FOG"})
    board = scene.play.board
    hex = 0xB05
    board.types[hex], board.numbers[hex] = 7, 12
    board.find_places()
    for other in [one for one, number in board.numbers.items() if number == 12 and one != hex]:
        board.numbers[other] = 2
    board.find_places()
    scene.plays("""
        f2:SOCRollDice:game=test
        all:SOCDiceResult:game=test|param=12
        all:SOCGameServerText:game=test|text=No player gets anything.
        all:SOCGameServerText:game=test|text=p0 and p2 need to pick resources from the gold hex.
        all:SOCPlayerElement:game=test|playerNum=0|actionType=SET|elementType=101|amount=1
        p0:SOCSimpleRequest:game=test|pn=0|reqType=1|v1=1|v2=0
        all:SOCPlayerElement:game=test|playerNum=2|actionType=SET|elementType=101|amount=2
        p2:SOCSimpleRequest:game=test|pn=2|reqType=1|v1=2|v2=0
        all:SOCGameState:game=test|state=56
    """)
    assert scene.state.movers == (0, 2)
    scene.plays(f"""
        f2:SOCPickResources:game=test|resources={resources(ore=1, clay=1)}
        all:SOCPickResources:game=test|resources={resources(ore=1, clay=1)}|pn=2|reason=3
        all:SOCPlayerElement:game=test|playerNum=2|actionType=SET|elementType=101|amount=0
        all:SOCGameState:game=test|state=56
        f0:SOCPickResources:game=test|resources={resources(wood=1)}
        all:SOCPickResources:game=test|resources={resources(wood=1)}|pn=0|reason=3
        all:SOCPlayerElement:game=test|playerNum=0|actionType=SET|elementType=101|amount=0
        all:SOCGameState:game=test|state=20
    """)


# --- the start --------------------------------------------------------------------------------------------------------


def start(hidden: tuple[int, int]) -> Scene:
    """A start of two on the fog islands: p0 has settled on a06 and is to place a road or ship."""
    scene = Scene({"first": 0}, {"SC": "SC_FOG", "PL": "4"}, players=2)
    scene.play.board.hidden[0x908] = hidden
    scene.ask("f0:SOCPutPiece:game=test|playerNumber=0|pieceType=1|coord=a06")
    return scene


def test_a_ship_of_the_start_reveals_a_hex() -> None:
    start(SHEEP).plays("""
        f0:SOCPutPiece:game=test|playerNumber=0|pieceType=3|coord=a06
        all:SOCRevealFogHex:game=test|hexCoord=908|hexType=3|diceNum=4
        all:SOCGameServerText:game=test|text=p0 built a ship.
        all:SOCPutPiece:game=test|playerNumber=0|pieceType=3|coord=a06
        all:SOCPlayerElement:game=test|playerNum=0|actionType=GAIN|elementType=3|amount=1|news=Y
        all:SOCGameServerText:game=test|text=p0 gets 1 sheep by revealing the fog hex.
        all:SOCGameServerText:game=test|text=It's p1's turn to build a settlement.
        all:SOCTurn:game=test|playerNumber=1|gameState=5
    """)


def of_p0(log: str) -> str:
    """The same log, about p0."""
    for three in ("p3", "f3", "playerNum=3", "pn=3"):
        log = log.replace(three, f"{three[:-1]}0")
    return log


def test_a_ship_of_the_start_reveals_gold() -> None:
    start(GOLD).plays(f"""
        f0:SOCPutPiece:game=test|playerNumber=0|pieceType=3|coord=a06
        all:SOCRevealFogHex:game=test|hexCoord=908|hexType=7|diceNum=9
        all:SOCGameServerText:game=test|text=p0 built a ship.
        all:SOCPutPiece:game=test|playerNumber=0|pieceType=3|coord=a06
        all:SOCGameState:game=test|state=14
        {of_p0(PICK.strip())}
        all:SOCGameServerText:game=test|text=It's p1's turn to build a settlement.
        all:SOCTurn:game=test|playerNumber=1|gameState=5
    """)


def test_gold_at_the_turning_point_ends_with_the_state_since_the_player_stays() -> None:
    scene = start(SHEEP)
    scene.ask("f0:SOCPutPiece:game=test|playerNumber=0|pieceType=0|coord=a05")
    scene.ask("f1:SOCPutPiece:game=test|playerNumber=1|pieceType=1|coord=805")
    scene.play.board.hidden[0x707] = GOLD
    scene.ask("f1:SOCPutPiece:game=test|playerNumber=1|pieceType=3|coord=805")
    scene.plays(f"""
        f1:SOCPickResources:game=test|resources={resources(wood=1)}
        all:SOCPickResources:game=test|resources={resources(wood=1)}|pn=1|reason=3
        all:SOCPlayerElement:game=test|playerNum=1|actionType=SET|elementType=101|amount=0
        all:SOCGameState:game=test|state=10
        all:SOCGameServerText:game=test|text=It's p1's turn to build a settlement.
    """)


def test_a_settlement_of_the_start_reveals_all_hexes_at_its_node_and_keeps_them_when_taken_back() -> None:
    scene = Scene({"first": 0}, {"SC": "SC_FOG", "PL": "4"}, players=2)
    board = scene.play.board
    node, hexes = 0xC05, [0xB05, 0xD04, 0xD06]
    for hex in hexes:
        board.types[hex] = 8
        board.hidden[hex] = SHEEP
    said = scene.ask(f"f0:SOCPutPiece:game=test|playerNumber=0|pieceType=1|coord={node:x}")
    assert said[1:4] == [f"all:SOCRevealFogHex:game=test|hexCoord={hex:x}|hexType=3|diceNum=4" for hex in hexes]
    assert scene.play.seats[0].hand == [0, 0, len(hexes), 0, 0]
    scene.ask("f0:SOCCancelBuildRequest:game=test|pieceType=1")
    assert scene.play.seats[0].hand == [0, 0, 0, 0, 0]
    assert all(board.types[hex] == 3 for hex in hexes)


# --- ships ------------------------------------------------------------------------------------------------------------


def test_a_ship_moves_without_a_state_at_the_end() -> None:
    scene = fog(SHEEP, ships=["a06"])
    scene.play.board.hidden.clear()
    scene.play.board.types[0x908] = 0
    scene.play.board.find_places()
    target = scene.state.legal_moves(3)
    moves = [move for move in target if type(move).__name__ == "MovePiece"]
    assert moves
    to = next(move.target for move in moves)  # type: ignore[attr-defined]
    scene.plays(f"""
        f3:SOCMovePiece:game=test|pn=3|pieceType=3|fromCoord=a06|toCoord={to:x}
        all:SOCMovePiece:game=test|pn=3|pieceType=3|fromCoord=a06|toCoord={to:x}
    """)
    assert not [move for move in scene.state.legal_moves(3) if type(move).__name__ == "MovePiece"]


@pytest.mark.parametrize(
    ("hidden", "end"),
    [
        (
            SHEEP,
            """all:SOCPlayerElement:game=test|playerNum=3|actionType=GAIN|elementType=3|amount=1|news=Y
            all:SOCGameServerText:game=test|text=p3 gets 1 sheep by revealing the fog hex.""",
        ),
        (
            GOLD,
            """all:SOCGameState:game=test|state=56
            all:SOCGameServerText:game=test|text=p3 needs to pick resources from the gold hex.
            all:SOCPlayerElement:game=test|playerNum=3|actionType=SET|elementType=101|amount=1
            p3:SOCSimpleRequest:game=test|pn=3|reqType=1|v1=1|v2=0""",
        ),
        (WATER, ""),
    ],
)
def test_a_ship_that_moves_reveals_a_hex(hidden: tuple[int, int], end: str) -> None:
    scene = fog(hidden, ships=["b06"])
    type, number = hidden
    scene.plays(f"""
        f3:SOCMovePiece:game=test|pn=3|pieceType=3|fromCoord=b06|toCoord=a06
        all:SOCRevealFogHex:game=test|hexCoord=908|hexType={type}|diceNum={number}
        all:SOCMovePiece:game=test|pn=3|pieceType=3|fromCoord=b06|toCoord=a06
        {end}
    """)


# --- the pirate -------------------------------------------------------------------------------------------------------


def test_a_seven_lets_choose_between_robber_and_pirate_and_the_pirate_robs_at_sea() -> None:
    seats: list[dict[str, Any]] = [{"settlements": ["a06"], "ships": ["a06"], "hand": [0, 0, 0, 1, 0]}, {}, {}, {}]
    scene = Scene({"turn": 3, "dice": [7], "seats": seats}, {"SC": "SC_FOG"})
    board = scene.play.board
    sea = next(hex for hex in board.net.edge_hexes[0xA06] if board.types[hex] == 0)
    scene.plays(f"""
        f3:SOCRollDice:game=test
        all:SOCDiceResult:game=test|param=7
        all:SOCGameState:game=test|state=54
        all:SOCGameServerText:game=test|text=p3 must choose to move the robber or the pirate.
        f3:SOCChoosePlayer:game=test|choice=-3
        all:SOCGameState:game=test|state=34
        all:SOCGameServerText:game=test|text=p3 will move the pirate.
        f3:SOCMoveRobber:game=test|playerNumber=3|coord=-{sea:x}
        all:SOCMoveRobber:game=test|playerNumber=3|coord=-{sea:x}
        all:SOCGameServerText:game=test|text=p3 moved the pirate.
        p3:SOCRobberyResult:game=test|perp=3|victim=0|resType=4|amount=1|isGainLose=true
        p0:SOCRobberyResult:game=test|perp=3|victim=0|resType=4|amount=1|isGainLose=true
        !p[3, 0]:SOCRobberyResult:game=test|perp=3|victim=0|resType=6|amount=1|isGainLose=true
        all:SOCGameState:game=test|state=20
    """)
    assert board.robber != sea


# --- cloth ------------------------------------------------------------------------------------------------------------


def cloth(state: int = 20, turn: int = 3, dice: tuple[int, ...] = (), **seat: Any) -> Scene:
    """A turn on the cloth islands; p3 has settled on 606, from where 706 leads to the village on 806."""
    seats: list[dict[str, Any]] = [
        {},
        {},
        {"settlements": ["c06"]},
        {"settlements": ["606"], "hand": [0, 0, 1, 0, 1], **seat},
    ]
    return Scene({"turn": turn, "state": state, "dice": list(dice), "seats": seats}, {"SC": "SC_CLVI"})


def test_the_first_ship_to_a_village_opens_trade() -> None:
    scene = cloth()
    scene.plays("""
        f3:SOCPutPiece:game=test|playerNumber=3|pieceType=3|coord=706
        all:SOCPlayerElements:game=test|playerNum=3|actionType=LOSE|e3=1,e5=1
        all:SOCGameServerText:game=test|text=p3 built a ship.
        all:SOCPieceValue:game=test|pieceType=5|coord=806|pv1=4|pv2=0
        all:SOCPlayerElement:game=test|playerNum=3|actionType=SET|elementType=106|amount=1
        all:SOCPutPiece:game=test|playerNumber=3|pieceType=3|coord=706
        all:SOCPlayerElement:game=test|playerNum=3|actionType=SET|elementType=103|amount=4
        all:SOCGameState:game=test|state=20
    """)
    assert scene.play.seats[3].pieces.closed == {0x706}


def test_behind_a_village_the_route_leads_on_to_the_next() -> None:
    scene = cloth(ships=["706", "805", "905"], trades=["806"], cloth=1)
    scene.plays("""
        f3:SOCPutPiece:game=test|playerNumber=3|pieceType=3|coord=a05
        all:SOCPlayerElements:game=test|playerNum=3|actionType=LOSE|e3=1,e5=1
        all:SOCGameServerText:game=test|text=p3 built a ship.
        all:SOCPieceValue:game=test|pieceType=5|coord=a06|pv1=4|pv2=0
        all:SOCPlayerElement:game=test|playerNum=3|actionType=SET|elementType=106|amount=2
        all:SOCPutPiece:game=test|playerNumber=3|pieceType=3|coord=a05
        all:SOCGameState:game=test|state=20
    """)
    assert scene.play.seats[3].pieces.closed == {0x706, 0x805, 0x905, 0xA05}


def test_a_settlement_that_links_ships_to_a_village_opens_trade() -> None:
    scene = cloth(settlements=[], ships=["706"], hand=[1, 0, 1, 1, 1])
    said = scene.ask("f3:SOCPutPiece:game=test|playerNumber=3|pieceType=1|coord=606")
    assert said[3:] == [
        "all:SOCPieceValue:game=test|pieceType=5|coord=806|pv1=4|pv2=0",
        "all:SOCPlayerElement:game=test|playerNum=3|actionType=SET|elementType=106|amount=1",
        "all:SOCPutPiece:game=test|playerNumber=3|pieceType=1|coord=606",
        "all:SOCPlayerElement:game=test|playerNum=3|actionType=SET|elementType=103|amount=4",
        "all:SOCGameState:game=test|state=20",
    ]


def test_a_village_pays_its_traders() -> None:
    scene = cloth(15, dice=(10,), ships=["706"], trades=["806"], cloth=4)
    ground = scene.play.board.ground
    scene.play.board.ground = replace(ground, by_number={**ground.by_number, 10: []})
    scene.plays("""
        f3:SOCRollDice:game=test
        all:SOCDiceResult:game=test|param=10
        all:SOCGameServerText:game=test|text=No player gets anything.
        all:SOCPieceValue:game=test|pieceType=5|coord=806|pv1=4|pv2=0
        all:SOCPlayerElement:game=test|playerNum=3|actionType=SET|elementType=106|amount=5
        all:SOCGameServerText:game=test|text=p3 received cloth from the villages.
        all:SOCGameState:game=test|state=20
    """)


def test_a_village_with_too_little_is_helped_by_the_general_supply_the_current_player_first() -> None:
    scene = cloth(15, turn=3, dice=(10,), ships=["706"], trades=["806"])
    village = scene.play.board.cloth_trade.villages[0x806]
    village.cloth, village.traders = 1, (2, 3)
    said = scene.ask("f3:SOCRollDice:game=test")
    assert "all:SOCPieceValue:game=test|pieceType=5|coord=806|pv1=0|pv2=0" in said
    assert "all:SOCPlayerElement:game=test|playerNum=-1|actionType=SET|elementType=106|amount=9" in said
    assert [scene.play.seats[seat].scenario.cloth for seat in (2, 3)] == [1, 1]
    scene.play.board.cloth_trade.supply = 0
    village.cloth = 1
    scene.play.chance.script = scene.play.chance.script.__class__(dice=(0, 10))
    scene.ask("f3:SOCEndTurn:game=test")
    scene.ask("f0:SOCRollDice:game=test")
    assert [scene.play.seats[seat].scenario.cloth for seat in (2, 3)] == [2, 1], "the first to trade comes first"


def test_an_empty_village_gives_nothing_though_there_is_a_general_supply() -> None:
    scene = cloth(15, dice=(10,), ships=["706"], trades=["806"])
    scene.play.board.cloth_trade.villages[0x806].cloth = 0
    scene.ask("f3:SOCRollDice:game=test")
    assert scene.play.seats[3].scenario.cloth == 0
    assert scene.play.board.cloth_trade.supply == 10


@pytest.mark.parametrize("traded", [False, True])
def test_the_pirate_moves_only_for_those_who_trade(traded: bool) -> None:
    more: dict[str, Any] = {"ships": ["706"], "trades": ["806"]} if traded else {}
    scene = cloth(15, dice=(7,), **more)
    assert scene.ask("f3:SOCRollDice:game=test")[2] == f"all:SOCGameState:game=test|state={54 if traded else 33}"


def test_the_pirate_may_take_cloth_or_a_resource() -> None:
    scene = cloth(15, turn=2, dice=(7,), ships=["706"], trades=["806"], cloth=4)
    scene.play.seats[2].scenario = scene.play.seats[2].scenario.with_event(4)
    sea = next(hex for hex in scene.play.board.net.edge_hexes[0x706] if scene.play.board.types[hex] == 0)
    scene.ask("f2:SOCRollDice:game=test")
    scene.ask("f2:SOCChoosePlayer:game=test|choice=-3")
    scene.plays(f"""
        f2:SOCMoveRobber:game=test|playerNumber=2|coord=-{sea:x}
        all:SOCMoveRobber:game=test|playerNumber=2|coord=-{sea:x}
        all:SOCGameServerText:game=test|text=p2 moved the pirate.
        all:SOCGameState:game=test|state=55
        p2:SOCChoosePlayer:game=test|choice=3
        f2:SOCChoosePlayer:game=test|choice=-4
        all:SOCRobberyResult:game=test|perp=2|victim=3|peType=SCENARIO_CLOTH_COUNT|amount=1|isGainLose=false|victimAmount=3
        all:SOCGameState:game=test|state=20
    """)


def test_the_game_ends_when_fewer_than_four_villages_have_cloth() -> None:
    scene = cloth(15, turn=2, dice=(10,), ships=["706"], trades=["806"], cloth=2)
    villages = scene.play.board.cloth_trade.villages
    for node in list(villages)[1:5]:
        villages[node].cloth = 0
    villages[0x806].cloth = 1
    said = scene.ask("f2:SOCRollDice:game=test")
    assert "all:SOCGameElements:game=test|e4=3" in said
    assert "all:SOCGameState:game=test|state=1000" in said
    assert scene.state.outcome is not None
    assert scene.state.outcome.winners == {3}
    assert scene.state.view(None).current == 3


def test_the_robber_stays_out_of_the_village_islands() -> None:
    scene = cloth(15, dice=(7,))
    scene.ask("f3:SOCRollDice:game=test")
    places = {move.place for move in scene.state.legal_moves(3)}  # type: ignore[attr-defined]
    assert places
    assert not places & {0x906, 0x709, 0xB09, 0x90C}


# --- new land ---------------------------------------------------------------------------------------------------------


def test_the_first_settlement_in_new_land_brings_special_points() -> None:
    scene = Scene({"turn": 3, "state": 20, "seats": [{}, {}, {}, {"hand": [2, 0, 2, 2, 2]}]}, {"SC": "SC_TTD"})
    board, one = scene.play.board, scene.play.seats[3]
    node = next(node for node in sorted(board.ground.sites) if board.land_areas.of_node[node] == 4)
    edge = next(edge for edge in board.net.node_edges[node] if edge in board.ground.road_edges)
    scene.play.put(3, 0, edge)
    points = scene.play.points(3)
    scene.plays(f"""
        f3:SOCPutPiece:game=test|playerNumber=3|pieceType=1|coord={node:x}
        all:SOCPlayerElements:game=test|playerNum=3|actionType=LOSE|e1=1,e3=1,e4=1,e5=1
        all:SOCGameServerText:game=test|text=p3 built a settlement.
        all:SOCSVPTextMessage:game=test|pn=3|svp=2|desc=settling a new area
        all:SOCPlayerElement:game=test|playerNum=3|actionType=SET|elementType=104|amount=8
        all:SOCPlayerElement:game=test|playerNum=3|actionType=SET|elementType=102|amount=2
        all:SOCPutPiece:game=test|playerNumber=3|pieceType=1|coord={node:x}
        all:SOCGameState:game=test|state=20
    """)
    assert scene.play.points(3) == points + 3
    second = next(
        other for other in sorted(board.ground.sites)
        if board.land_areas.of_node[other] == 4 and other != node and other not in board.net.node_nodes[node]
    )  # fmt: skip
    scene.play.put(3, 0, next(edge for edge in board.net.node_edges[second] if edge not in one.pieces.roads))
    said = scene.ask(f"f3:SOCPutPiece:game=test|playerNumber=3|pieceType=1|coord={second:x}")
    assert not [line for line in said if "SVP" in line]


def test_the_interior_of_the_desert_brings_no_points() -> None:
    scene = Scene({"turn": 3, "state": 20, "seats": [{}, {}, {}, {"hand": [1, 0, 1, 1, 1]}]}, {"SC": "SC_TTD"})
    board = scene.play.board
    nodes = [node for node in sorted(board.ground.sites) if board.land_areas.of_node[node] == 3]
    scene.play.put(3, 0, board.net.node_edges[nodes[0]][0])
    said = scene.ask(f"f3:SOCPutPiece:game=test|playerNumber=3|pieceType=1|coord={nodes[0]:x}")
    assert any("SOCPutPiece" in line for line in said[1:])
    assert not [line for line in said if "SVP" in line]


# --- special building -------------------------------------------------------------------------------------------------


def six(state: int = 20, **more: Any) -> Scene:
    """A turn of p4 of five on the board for six."""
    seats: list[dict[str, Any]] = [{"settlements": [node]} for node in ("23", "56", "a7", "c9", "69")]
    seats[1]["hand"] = [0, 3, 0, 2, 0]
    return Scene({"turn": 4, "state": state, "seats": seats, **more}, players=5)


def test_special_building_comes_between_two_turns() -> None:
    scene = six()
    assert scene.ask("f4:SOCEndTurn:game=test") == []
    assert scene.state.movers == (0, 1, 2, 3)
    assert scene.ask("f0:SOCEndTurn:game=test") == []
    scene.plays("""
        f1:SOCBuildRequest:game=test|pieceType=-1
        all:SOCPlayerElement:game=test|playerNum=1|actionType=SET|elementType=16|amount=1
    """)
    scene.ask("f2:SOCEndTurn:game=test")
    assert scene.ask("f3:SOCEndTurn:game=test") == [
        "f4:SOCEndTurn:game=test",
        "all:SOCClearOffer:game=test|playerNumber=-1",
        "all:SOCTurn:game=test|playerNumber=1|gameState=100",
    ]
    scene.plays("""
        f1:SOCPutPiece:game=test|playerNumber=1|pieceType=2|coord=56
        all:SOCPlayerElements:game=test|playerNum=1|actionType=LOSE|e2=3,e4=2
        all:SOCGameServerText:game=test|text=p1 built a city.
        all:SOCPutPiece:game=test|playerNumber=1|pieceType=2|coord=56
        all:SOCGameState:game=test|state=100
    """)
    scene.ask("f1:SOCEndTurn:game=test")
    assert scene.state.movers == (2, 3, 4, 0)
    for seat in (2, 3, 4):
        scene.ask(f"f{seat}:SOCEndTurn:game=test")
    assert scene.ask("f0:SOCEndTurn:game=test") == [
        "f1:SOCEndTurn:game=test",
        "all:SOCPlayerElement:game=test|playerNum=1|actionType=SET|elementType=16|amount=0",
        "all:SOCClearOffer:game=test|playerNumber=-1",
        "all:SOCTurn:game=test|playerNumber=0|gameState=15",
        "all:SOCRollDicePrompt:game=test|playerNumber=0",
    ]


def test_in_the_own_turn_special_building_comes_first_and_the_turn_follows() -> None:
    scene = six(15, dice=[6])
    scene.plays("""
        f4:SOCBuildRequest:game=test|pieceType=-1
        all:SOCPlayerElement:game=test|playerNum=4|actionType=SET|elementType=16|amount=1
        all:SOCClearOffer:game=test|playerNumber=-1
        all:SOCTurn:game=test|playerNumber=4|gameState=100
    """)
    scene.ask("f4:SOCEndTurn:game=test")
    for seat in (0, 1, 2):
        scene.ask(f"f{seat}:SOCEndTurn:game=test")
    assert scene.ask("f3:SOCEndTurn:game=test")[-2:] == [
        "all:SOCTurn:game=test|playerNumber=4|gameState=15",
        "all:SOCRollDicePrompt:game=test|playerNumber=4",
    ]
    assert not [move for move in scene.state.legal_moves(4) if type(move).__name__ == "BuildRequest"], "only once"


def test_nobody_wins_in_special_building_but_at_the_start_of_the_own_turn() -> None:
    scene = Scene(
        {
            "turn": 0, "state": 100,
            "seats": [
                {"settlements": ["23"], "cities": ["56", "a7", "c9", "69"], "hand": [1, 1, 1, 1, 1], "roads": ["85"]},
                *[{}] * 4,
            ],
        },
        players=5,
    )  # fmt: skip
    scene.ask("f0:SOCPutPiece:game=test|playerNumber=0|pieceType=1|coord=85")
    assert scene.play.points(0) == 10
    assert scene.state.outcome is None
    scene.ask("f0:SOCEndTurn:game=test")
    for seat in (1, 2, 3, 4):
        scene.ask(f"f{seat}:SOCEndTurn:game=test")
    assert scene.play.current == 1, "the normal turn after seat 0's"


# --- land areas -------------------------------------------------------------------------------------------------------


def test_land_without_special_points_counts_as_a_place_of_the_start() -> None:
    for players, key in ((4, "SC_TTD"), (3, "SC_TTD")):
        scene = Scene({"first": 0}, {"SC": key}, players=players)
        while scene.play.starting:
            scene.state.apply(scene.play.current, scene.state.legal_moves(scene.play.current)[0])
        told = [line for line in scene.lines() if "elementType=105" in line]
        assert told == [
            f"all:SOCPlayerElement:game=test|playerNum={seat}|actionType=SET|elementType=105|amount=769"
            for seat in range(players)
        ]
        after = [line for line in scene.lines()[scene.lines().index(told[-1]) + 1 :] if "Text" not in line]
        assert after[0].startswith("all:SOCTurn:game=test|playerNumber=0|gameState=15")


def test_a_settlement_that_ships_have_reached_stands_on_an_island_and_one_of_roads_in_an_area() -> None:
    for piece, name in ((3, "island"), (0, "area")):
        scene = Scene({"turn": 3, "state": 20, "seats": [{}, {}, {}, {"hand": [1, 0, 1, 1, 1]}]}, {"SC": "SC_NSHO"})
        board = scene.play.board
        legal = board.ground.ship_edges if piece else board.ground.road_edges
        node, edge = next(
            (node, edge)
            for node in sorted(board.ground.sites) if board.land_areas.of_node[node] > 1
            for edge in board.net.node_edges[node] if edge in legal
        )  # fmt: skip
        scene.play.put(3, piece, edge)
        said = scene.ask(f"f3:SOCPutPiece:game=test|playerNumber=3|pieceType=1|coord={node:x}")
        assert f"all:SOCSVPTextMessage:game=test|pn=3|svp=2|desc=settling a new {name}" in said


def test_hidden_water_belongs_to_no_land_area() -> None:
    for seed in range(5):
        scene = Scene(None, {"SC": "SC_FOG"}, players=6, seed=seed)
        board = scene.play.board
        types = {**board.types, **{hex: type for hex, (type, _) in board.hidden.items()}}
        assert 0 in {type for type, _ in board.hidden.values()}
        for node in board.land_areas.of_node:
            assert any(types[hex] for hex in board.net.node_hexes[node]), f"{node:x}"
