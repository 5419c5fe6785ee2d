"""The message sequences of a classic board: each test is a log of which the requests are sent and all else must be
said, in this order and to this audience. What the server says to people stands there too."""

import pytest

from tests.game_masters.catan.scene import Scene, at, resources


def test_an_initial_settlement_a_road_and_the_turn_of_the_next_player() -> None:
    scene = Scene({"first": 1})
    scene.plays("""
        f1:SOCPutPiece:game=test|playerNumber=1|pieceType=1|coord=67
        all:SOCGameServerText:game=test|text=p1 built a settlement.
        all:SOCPutPiece:game=test|playerNumber=1|pieceType=1|coord=67
        all:SOCGameState:game=test|state=6
        all:SOCGameServerText:game=test|text=It's p1's turn to build a road.
        f1:SOCPutPiece:game=test|playerNumber=1|pieceType=0|coord=67
        all:SOCGameServerText:game=test|text=p1 built a road.
        all:SOCPutPiece:game=test|playerNumber=1|pieceType=0|coord=67
        all:SOCGameServerText:game=test|text=It's p2's turn to build a settlement.
        all:SOCTurn:game=test|playerNumber=2|gameState=5
    """)


def test_the_last_to_place_goes_on_and_the_first_begins_to_play() -> None:
    scene = Scene({"first": 0}, players=2)
    scene.plays("""
        f0:SOCPutPiece:game=test|playerNumber=0|pieceType=1|coord=23
        all:SOCGameServerText:game=test|text=p0 built a settlement.
        all:SOCPutPiece:game=test|playerNumber=0|pieceType=1|coord=23
        all:SOCGameState:game=test|state=6
        all:SOCGameServerText:game=test|text=It's p0's turn to build a road.
        f0:SOCPutPiece:game=test|playerNumber=0|pieceType=0|coord=23
        all:SOCGameServerText:game=test|text=p0 built a road.
        all:SOCPutPiece:game=test|playerNumber=0|pieceType=0|coord=23
        all:SOCGameServerText:game=test|text=It's p1's turn to build a settlement.
        all:SOCTurn:game=test|playerNumber=1|gameState=5
        f1:SOCPutPiece:game=test|playerNumber=1|pieceType=1|coord=89
        all:SOCGameServerText:game=test|text=p1 built a settlement.
        all:SOCPutPiece:game=test|playerNumber=1|pieceType=1|coord=89
        all:SOCGameState:game=test|state=6
        all:SOCGameServerText:game=test|text=It's p1's turn to build a road.
        f1:SOCPutPiece:game=test|playerNumber=1|pieceType=0|coord=89
        all:SOCGameServerText:game=test|text=p1 built a road.
        all:SOCPutPiece:game=test|playerNumber=1|pieceType=0|coord=89
        all:SOCGameServerText:game=test|text=It's p1's turn to build a settlement.
        all:SOCTurn:game=test|playerNumber=1|gameState=10
        f1:SOCPutPiece:game=test|playerNumber=1|pieceType=1|coord=ab
        all:SOCGameServerText:game=test|text=p1 built a settlement.
        all:SOCPutPiece:game=test|playerNumber=1|pieceType=1|coord=ab
        all:SOCGameState:game=test|state=11
        all:SOCGameServerText:game=test|text=It's p1's turn to build a road.
        f1:SOCPutPiece:game=test|playerNumber=1|pieceType=0|coord=ab
        all:SOCGameServerText:game=test|text=p1 built a road.
        all:SOCPutPiece:game=test|playerNumber=1|pieceType=0|coord=ab
        all:SOCGameServerText:game=test|text=It's p0's turn to build a settlement.
        all:SOCTurn:game=test|playerNumber=0|gameState=10
        f0:SOCPutPiece:game=test|playerNumber=0|pieceType=1|coord=45
        all:SOCGameServerText:game=test|text=p0 built a settlement.
        all:SOCPutPiece:game=test|playerNumber=0|pieceType=1|coord=45
        all:SOCGameState:game=test|state=11
        all:SOCGameServerText:game=test|text=It's p0's turn to build a road.
        f0:SOCPutPiece:game=test|playerNumber=0|pieceType=0|coord=45
        all:SOCGameServerText:game=test|text=p0 built a road.
        all:SOCPutPiece:game=test|playerNumber=0|pieceType=0|coord=45
        all:SOCTurn:game=test|playerNumber=0|gameState=15
        all:SOCRollDicePrompt:game=test|playerNumber=0
    """)


def test_the_second_settlement_brings_resources_that_nobody_announces_and_goes_back_with_them() -> None:
    scene = Scene({"first": 0, "hexes": at()["hexes"]}, players=2)
    for line in (
        "0|pieceType=1|coord=23",
        "0|pieceType=0|coord=23",
        "1|pieceType=1|coord=89",
        "1|pieceType=0|coord=89",
    ):
        scene.ask(f"f{line[0]}:SOCPutPiece:game=test|playerNumber={line}")
    scene.plays("""
        f1:SOCPutPiece:game=test|playerNumber=1|pieceType=1|coord=45
        all:SOCGameServerText:game=test|text=p1 built a settlement.
        all:SOCPutPiece:game=test|playerNumber=1|pieceType=1|coord=45
        all:SOCGameState:game=test|state=11
        all:SOCGameServerText:game=test|text=It's p1's turn to build a road.
    """)
    assert scene.play.seats[1].hand == [1, 0, 0, 1, 1]
    scene.plays("""
        f1:SOCCancelBuildRequest:game=test|pieceType=1
        all:SOCCancelBuildRequest:game=test|pieceType=1
        all:SOCGameServerText:game=test|text=p1 cancelled this settlement placement.
        all:SOCGameState:game=test|state=10
        all:SOCGameServerText:game=test|text=It's p1's turn to build a settlement.
    """)
    assert scene.play.seats[1].hand == [0, 0, 0, 0, 0]
    assert scene.play.seats[1].pieces.supply == [14, 4, 4, 0]


def test_a_roll_that_yields() -> None:
    scene = Scene(at(state=15, dice=[9], seats={2: {"hand": [1, 0, 0, 0, 0]}}))
    scene.plays("""
        f3:SOCRollDice:game=test
        all:SOCDiceResult:game=test|param=9
        all:SOCDiceResultResources:game=test|p=2|p=1|p=1|p=1|p=5|p=0|p=3|p=1|p=1|p=3
        p1:SOCPlayerElements:game=test|playerNum=1|actionType=SET|e1=0,e2=0,e3=0,e4=0,e5=1
        p3:SOCPlayerElements:game=test|playerNum=3|actionType=SET|e1=0,e2=0,e3=1,e4=0,e5=0
        all:SOCGameState:game=test|state=20
    """)


def test_a_roll_that_yields_nothing() -> None:
    scene = Scene(at(state=15, dice=[12], seats={0: {"settlements": ["23"]}}))
    scene.plays("""
        f3:SOCRollDice:game=test
        all:SOCDiceResult:game=test|param=12
        all:SOCGameServerText:game=test|text=No player gets anything.
        all:SOCGameState:game=test|state=20
    """)


def test_a_city_yields_two_and_the_robber_stops_its_hex() -> None:
    scene = Scene(at(state=15, dice=[8, 8], robber="7b", seats={0: {"settlements": [], "cities": ["45"]}}))
    scene.ask("f3:SOCRollDice:game=test")
    assert scene.play.seats[0].hand == [0, 0, 0, 2, 0]
    assert scene.play.seats[1].hand == [0, 0, 0, 0, 0]


def test_a_seven_makes_those_with_many_cards_discard_at_the_same_time() -> None:
    scene = Scene(at(state=15, dice=[7], seats={2: {"hand": [0, 0, 4, 0, 4]}, 3: {"hand": [0, 0, 15, 0, 0]}}))
    scene.plays(f"""
        f3:SOCRollDice:game=test
        all:SOCDiceResult:game=test|param=7
        all:SOCGameState:game=test|state=50
        all:SOCGameServerText:game=test|text=p2 and p3 need to discard.
        p2:SOCDiscardRequest:game=test|numDiscards=4
        p3:SOCDiscardRequest:game=test|numDiscards=7
        f3:SOCDiscard:game=test|resources={resources(sheep=7)}
        p3:SOCDiscard:game=test|playerNum=3|resources={resources(sheep=7)}
        !p3:SOCDiscard:game=test|playerNum=3|resources={resources(unknown=7)}
        all:SOCGameState:game=test|state=50
        all:SOCGameServerText:game=test|text=p2 needs to discard.
        f2:SOCDiscard:game=test|resources={resources(sheep=2, wood=2)}
        p2:SOCDiscard:game=test|playerNum=2|resources={resources(sheep=2, wood=2)}
        !p2:SOCDiscard:game=test|playerNum=2|resources={resources(unknown=4)}
        all:SOCGameState:game=test|state=33
        all:SOCGameServerText:game=test|text=p3 will move the robber.
    """)


def test_a_seven_without_discards() -> None:
    Scene(at(state=15, dice=[7], seats={3: {"hand": [0, 0, 7, 0, 0]}})).plays("""
        f3:SOCRollDice:game=test
        all:SOCDiceResult:game=test|param=7
        all:SOCGameState:game=test|state=33
        all:SOCGameServerText:game=test|text=p3 will move the robber.
    """)


def test_where_all_see_everything_discards_and_thefts_are_told_to_all() -> None:
    fixture = at(state=15, dice=[7], seats={2: {"hand": [0, 0, 8, 0, 0]}}, robber="77")
    scene = Scene(fixture, {"PLAY_FO": "t"})
    scene.plays(f"""
        f3:SOCRollDice:game=test
        all:SOCDiceResult:game=test|param=7
        all:SOCGameState:game=test|state=50
        all:SOCGameServerText:game=test|text=p2 needs to discard.
        p2:SOCDiscardRequest:game=test|numDiscards=4
        f2:SOCDiscard:game=test|resources={resources(sheep=4)}
        all:SOCDiscard:game=test|playerNum=2|resources={resources(sheep=4)}
        all:SOCGameState:game=test|state=33
        all:SOCGameServerText:game=test|text=p3 will move the robber.
        f3:SOCMoveRobber:game=test|playerNumber=3|coord=79
        all:SOCMoveRobber:game=test|playerNumber=3|coord=79
        all:SOCGameServerText:game=test|text=p3 moved the robber.
        all:SOCRobberyResult:game=test|perp=3|victim=2|resType=3|amount=1|isGainLose=true
        all:SOCGameState:game=test|state=20
    """)


COSTS = {0: "e1=1,e5=1", 1: "e1=1,e3=1,e4=1,e5=1", 2: "e2=3,e4=2"}
PLACED = {0: ("b6", "road", 30), 1: ("a5", "settlement", 31), 2: ("a7", "city", 32)}


@pytest.mark.parametrize("piece", [0, 1, 2])
def test_a_piece_is_built_at_once(piece: int) -> None:
    place, name, _ = PLACED[piece]
    Scene(at(seats={3: {"hand": [3, 3, 3, 3, 3], "roads": ["a6", "a5", "c9"]}})).plays(f"""
        f3:SOCPutPiece:game=test|playerNumber=3|pieceType={piece}|coord={place}
        all:SOCPlayerElements:game=test|playerNum=3|actionType=LOSE|{COSTS[piece]}
        all:SOCGameServerText:game=test|text=p3 built a {name}.
        all:SOCPutPiece:game=test|playerNumber=3|pieceType={piece}|coord={place}
        all:SOCGameState:game=test|state=20
    """)


@pytest.mark.parametrize("piece", [0, 1, 2])
def test_a_piece_is_paid_and_then_built_or_cancelled(piece: int) -> None:
    place, name, state = PLACED[piece]
    Scene(at(seats={3: {"hand": [3, 3, 3, 3, 3], "roads": ["a6", "a5", "c9"]}})).plays(f"""
        f3:SOCBuildRequest:game=test|pieceType={piece}
        all:SOCPlayerElements:game=test|playerNum=3|actionType=LOSE|{COSTS[piece]}
        all:SOCGameState:game=test|state={state}
        f3:SOCCancelBuildRequest:game=test|pieceType={piece}
        all:SOCPlayerElements:game=test|playerNum=3|actionType=GAIN|{COSTS[piece]}
        all:SOCGameState:game=test|state=20
        f3:SOCBuildRequest:game=test|pieceType={piece}
        all:SOCPlayerElements:game=test|playerNum=3|actionType=LOSE|{COSTS[piece]}
        all:SOCGameState:game=test|state={state}
        f3:SOCPutPiece:game=test|playerNumber=3|pieceType={piece}|coord={place}
        all:SOCGameServerText:game=test|text=p3 built a {name}.
        all:SOCPutPiece:game=test|playerNumber=3|pieceType={piece}|coord={place}
        all:SOCGameState:game=test|state=20
    """)


def test_a_fifth_road_in_a_row_gains_the_longest_route() -> None:
    roads = ["a6", "a5", "a7", "a8", "c9"]
    Scene(at(seats={3: {"hand": [1, 0, 0, 0, 1], "roads": roads}})).plays("""
        f3:SOCPutPiece:game=test|playerNumber=3|pieceType=0|coord=94
        all:SOCPlayerElements:game=test|playerNum=3|actionType=LOSE|e1=1,e5=1
        all:SOCGameServerText:game=test|text=p3 built a road.
        all:SOCPutPiece:game=test|playerNumber=3|pieceType=0|coord=94
        all:SOCGameElements:game=test|e6=3
        all:SOCGameState:game=test|state=20
    """)


def test_a_card_is_bought_in_secret() -> None:
    Scene(at(deck=["MARKET"], seats={3: {"hand": [0, 1, 1, 1, 0]}})).plays("""
        f3:SOCBuyDevCardRequest:game=test
        all:SOCPlayerElements:game=test|playerNum=3|actionType=LOSE|e2=1,e3=1,e4=1
        p3:SOCDevCardAction:game=test|playerNum=3|actionType=DRAW|cardType=5
        !p3:SOCDevCardAction:game=test|playerNum=3|actionType=DRAW|cardType=0
        all:SOCSimpleAction:game=test|pn=3|actType=1|v1=24|v2=0
        all:SOCGameState:game=test|state=20
    """)


@pytest.mark.parametrize("option", ["PLAY_FO", "PLAY_VPO"])
def test_a_card_is_bought_in_the_open(option: str) -> None:
    Scene(at(deck=["MARKET"], seats={3: {"hand": [0, 1, 1, 1, 0]}}), {option: "t"}).plays("""
        f3:SOCBuyDevCardRequest:game=test
        all:SOCPlayerElements:game=test|playerNum=3|actionType=LOSE|e2=1,e3=1,e4=1
        p3:SOCDevCardAction:game=test|playerNum=3|actionType=DRAW|cardType=5
        !p3:SOCDevCardAction:game=test|playerNum=3|actionType=DRAW|cardType=5
        all:SOCSimpleAction:game=test|pn=3|actType=1|v1=24|v2=0
        all:SOCGameState:game=test|state=20
    """)


ROADS = """
        f3:SOCPlayDevCardRequest:game=test|devCard=1
        all:SOCDevCardAction:game=test|playerNum=3|actionType=PLAY|cardType=1
        all:SOCPlayerElement:game=test|playerNum=3|actionType=SET|elementType=19|amount=1
        all:SOCGameServerText:game=test|text=p3 played a Road Building card.
        all:SOCGameState:game=test|state=40
        p3:SOCGameServerText:game=test|text=You may place 2 roads.
"""
FIRST = """
        f3:SOCPutPiece:game=test|playerNumber=3|pieceType=0|coord=a6
        all:SOCGameServerText:game=test|text=p3 built a road.
        all:SOCPutPiece:game=test|playerNumber=3|pieceType=0|coord=a6
        all:SOCGameState:game=test|state=41
"""
SECOND = """
        f3:SOCPutPiece:game=test|playerNumber=3|pieceType=0|coord=a5
        all:SOCGameServerText:game=test|text=p3 built a road.
        all:SOCPutPiece:game=test|playerNumber=3|pieceType=0|coord=a5
"""
CARD = {3: {"cards": ["ROADS"]}}


def test_road_building() -> None:
    Scene(at(seats=CARD)).plays(
        f"{ROADS.strip()}\n{FIRST.strip()}\n{SECOND.strip()}\nall:SOCGameState:game=test|state=20"
    )


def test_road_building_before_the_roll_returns_to_it() -> None:
    end = "all:SOCGameState:game=test|state=15\nall:SOCRollDicePrompt:game=test|playerNumber=3"
    Scene(at(state=15, seats=CARD)).plays(f"{ROADS.strip()}\n{FIRST.strip()}\n{SECOND.strip()}\n{end}")


def test_road_building_with_one_road_left_begins_with_the_second() -> None:
    scene = Scene(at(seats=CARD))
    scene.play.seats[3].pieces.supply[0] = 1
    scene.plays(f"""
        f3:SOCPlayDevCardRequest:game=test|devCard=1
        all:SOCDevCardAction:game=test|playerNum=3|actionType=PLAY|cardType=1
        all:SOCPlayerElement:game=test|playerNum=3|actionType=SET|elementType=19|amount=1
        all:SOCGameServerText:game=test|text=p3 played a Road Building card.
        all:SOCGameState:game=test|state=41
        p3:SOCGameServerText:game=test|text=You may place your 1 remaining road.
        {FIRST.strip().replace("state=41", "state=20")}
    """)


@pytest.mark.parametrize(("state", "end"), [(20, ""), (15, "\nall:SOCRollDicePrompt:game=test|playerNumber=3")])
def test_road_building_is_cancelled_before_the_first_road_and_the_card_returns(state: int, end: str) -> None:
    scene = Scene(at(state=state, seats=CARD))
    scene.plays(
        f"""{ROADS.strip()}
        f3:SOCCancelBuildRequest:game=test|pieceType=0
        all:SOCGameServerText:game=test|text=p3 cancelled the Road Building card.
        all:SOCDevCardAction:game=test|playerNum=3|actionType=ADD_OLD|cardType=1
        all:SOCPlayerElement:game=test|playerNum=3|actionType=SET|elementType=19|amount=0
        all:SOCGameState:game=test|state={state}"""
        + end
    )
    scene.plays(ROADS)


def test_road_building_is_cancelled_after_the_first_road_and_the_card_is_gone() -> None:
    scene = Scene(at(seats=CARD))
    scene.plays(f"""{ROADS.strip()}
        {FIRST.strip()}
        f3:SOCCancelBuildRequest:game=test|pieceType=0
        all:SOCGameServerText:game=test|text=p3 skipped placing the second road.
        all:SOCGameState:game=test|state=20
    """)
    assert scene.play.seats[3].inventory.cards == []
    assert scene.play.doings.card_played


def test_road_building_ends_with_the_turn_before_the_first_road() -> None:
    Scene(at(seats=CARD)).plays(f"""{ROADS.strip()}
        f3:SOCEndTurn:game=test
        all:SOCGameServerText:game=test|text=p3 cancelled the Road Building card.
        all:SOCDevCardAction:game=test|playerNum=3|actionType=ADD_OLD|cardType=1
        all:SOCPlayerElement:game=test|playerNum=3|actionType=SET|elementType=19|amount=0
        all:SOCClearOffer:game=test|playerNumber=-1
        all:SOCTurn:game=test|playerNumber=0|gameState=15
        all:SOCRollDicePrompt:game=test|playerNumber=0
    """)


def test_road_building_ends_with_the_turn_after_the_first_road() -> None:
    Scene(at(seats=CARD)).plays(f"""{ROADS.strip()}
        {FIRST.strip()}
        f3:SOCEndTurn:game=test
        all:SOCGameServerText:game=test|text=p3 skipped placing the second road.
        all:SOCClearOffer:game=test|playerNumber=-1
        all:SOCTurn:game=test|playerNumber=0|gameState=15
        all:SOCRollDicePrompt:game=test|playerNumber=0
    """)


@pytest.mark.parametrize(("state", "end"), [(20, ""), (15, "\nall:SOCRollDicePrompt:game=test|playerNumber=3")])
def test_discovery(state: int, end: str) -> None:
    Scene(at(state=state, seats={3: {"cards": ["DISCOVERY"]}})).plays(
        f"""f3:SOCPlayDevCardRequest:game=test|devCard=2
        all:SOCDevCardAction:game=test|playerNum=3|actionType=PLAY|cardType=2
        all:SOCPlayerElement:game=test|playerNum=3|actionType=SET|elementType=19|amount=1
        all:SOCGameServerText:game=test|text=p3 played a Year of Plenty card.
        all:SOCGameState:game=test|state=52
        f3:SOCPickResources:game=test|resources={resources(ore=1, wheat=1)}
        all:SOCPickResources:game=test|resources={resources(ore=1, wheat=1)}|pn=3|reason=2
        all:SOCGameState:game=test|state={state}"""
        + end
    )


MONOPOLY = """
        f3:SOCPlayDevCardRequest:game=test|devCard=3
        all:SOCDevCardAction:game=test|playerNum=3|actionType=PLAY|cardType=3
        all:SOCPlayerElement:game=test|playerNum=3|actionType=SET|elementType=19|amount=1
        all:SOCGameServerText:game=test|text=p3 played a Monopoly card.
        all:SOCGameState:game=test|state=53
        f3:SOCPickResourceType:game=test|resType=3
"""


def test_monopoly() -> None:
    seats = {3: {"cards": ["MONOPOLY"]}, 1: {"hand": [0, 7, 5, 0, 0]}, 2: {"hand": [2, 0, 1, 0, 0]}}
    Scene(at(seats=seats)).plays(f"""{MONOPOLY.strip()}
        all:SOCPlayerElement:game=test|playerNum=1|actionType=SET|elementType=3|amount=0|news=Y
        all:SOCResourceCount:game=test|playerNum=1|count=7
        all:SOCPlayerElement:game=test|playerNum=2|actionType=SET|elementType=3|amount=0|news=Y
        all:SOCResourceCount:game=test|playerNum=2|count=2
        all:SOCPlayerElement:game=test|playerNum=3|actionType=GAIN|elementType=3|amount=6
        all:SOCSimpleAction:game=test|pn=3|actType=3|v1=6|v2=3
        p1:SOCGameServerText:game=test|text=p3's Monopoly took your 5 sheep.
        p2:SOCGameServerText:game=test|text=p3's Monopoly took your 1 sheep.
        all:SOCGameState:game=test|state=20
    """)


def test_monopoly_without_victims() -> None:
    Scene(at(seats={3: {"cards": ["MONOPOLY"]}})).plays(f"""{MONOPOLY.strip()}
        all:SOCPlayerElement:game=test|playerNum=3|actionType=GAIN|elementType=3|amount=0
        all:SOCSimpleAction:game=test|pn=3|actType=3|v1=0|v2=3
        all:SOCGameState:game=test|state=20
    """)


def test_a_soldier_takes_the_largest_army_and_robs_the_only_victim() -> None:
    seats = {3: {"cards": ["SOLDIER"], "soldiers": 2}, 2: {"hand": [0, 0, 0, 0, 1]}}
    Scene(at(state=15, seats=seats, robber="33")).plays("""
        f3:SOCPlayDevCardRequest:game=test|devCard=9
        all:SOCGameServerText:game=test|text=p3 played a Soldier card.
        all:SOCDevCardAction:game=test|playerNum=3|actionType=PLAY|cardType=9
        all:SOCPlayerElement:game=test|playerNum=3|actionType=SET|elementType=19|amount=1
        all:SOCPlayerElement:game=test|playerNum=3|actionType=GAIN|elementType=15|amount=1
        all:SOCGameElements:game=test|e5=3
        all:SOCGameState:game=test|state=33
        all:SOCGameServerText:game=test|text=p3 will move the robber.
        f3:SOCMoveRobber:game=test|playerNumber=3|coord=79
        all:SOCMoveRobber:game=test|playerNumber=3|coord=79
        all:SOCGameServerText:game=test|text=p3 moved the robber.
        p3:SOCRobberyResult:game=test|perp=3|victim=2|resType=5|amount=1|isGainLose=true
        p2:SOCRobberyResult:game=test|perp=3|victim=2|resType=5|amount=1|isGainLose=true
        !p[3, 2]:SOCRobberyResult:game=test|perp=3|victim=2|resType=6|amount=1|isGainLose=true
        all:SOCGameState:game=test|state=15
        all:SOCRollDicePrompt:game=test|playerNumber=3
    """)


def test_a_win_by_the_largest_army_is_announced_after_the_robbery() -> None:
    seats = {
        3: {
            "cards": ["SOLDIER", "CHAPEL", "TEMPLE"], "soldiers": 2,
            "settlements": ["c9", "52"], "cities": ["a7", "27"],
        },
        2: {"hand": [0, 0, 0, 0, 1], "cards": ["MARKET"]},
    }  # fmt: skip
    scene = Scene(at(seats=seats, robber="33"))
    for line in ("SOCPlayDevCardRequest:game=test|devCard=9", "SOCMoveRobber:game=test|playerNumber=3|coord=79"):
        said = scene.ask(f"f3:{line}")
    assert said[3:] == [
        "p3:SOCRobberyResult:game=test|perp=3|victim=2|resType=5|amount=1|isGainLose=true",
        "p2:SOCRobberyResult:game=test|perp=3|victim=2|resType=5|amount=1|isGainLose=true",
        "!p[3, 2]:SOCRobberyResult:game=test|perp=3|victim=2|resType=6|amount=1|isGainLose=true",
        "all:SOCGameElements:game=test|e4=3",
        "all:SOCGameState:game=test|state=1000",
        "all:SOCGameServerText:game=test|text=>>> p3 has won the game with 10 points.",
        "all:SOCDevCardAction:game=test|playerNum=2|actionType=ADD_OLD|cardType=5",
        "all:SOCDevCardAction:game=test|playerNum=3|actionType=ADD_OLD|cardTypes=[8, 7]",
        "all:SOCGameStats:game=test|2|2|3|10|false|false|false|false",
        "all:SOCGameServerText:game=test|text=This game was 2 rounds.",
        *(f"p{seat}:SOCPlayerStats:game=test|p=1|p=0|p=0|p=0|p=0|p=0" for seat in range(4)),
    ]


def test_the_robber_without_a_victim() -> None:
    scene = Scene(at(state=15, dice=[7]))
    scene.ask("f3:SOCRollDice:game=test")
    scene.plays("""
        f3:SOCMoveRobber:game=test|playerNumber=3|coord=75
        all:SOCMoveRobber:game=test|playerNumber=3|coord=75
        all:SOCGameServerText:game=test|text=p3 moved the robber.
        all:SOCGameState:game=test|state=20
    """)


def test_one_of_several_victims_is_chosen() -> None:
    seats = {0: {"settlements": ["89"], "hand": [1, 0, 0, 0, 0]}, 2: {"settlements": ["8b"], "hand": [0, 1, 0, 0, 0]}}
    seats[0]["roads"] = seats[2]["roads"] = []
    scene = Scene(at(state=15, dice=[7], seats=seats))
    scene.ask("f3:SOCRollDice:game=test")
    scene.plays("""
        f3:SOCMoveRobber:game=test|playerNumber=3|coord=79
        all:SOCMoveRobber:game=test|playerNumber=3|coord=79
        all:SOCGameServerText:game=test|text=p3 moved the robber.
        all:SOCGameState:game=test|state=51
        p3:SOCChoosePlayerRequest:game=test|choices=[true, false, true, false]
        f3:SOCChoosePlayer:game=test|choice=2
        p3:SOCRobberyResult:game=test|perp=3|victim=2|resType=2|amount=1|isGainLose=true
        p2:SOCRobberyResult:game=test|perp=3|victim=2|resType=2|amount=1|isGainLose=true
        !p[3, 2]:SOCRobberyResult:game=test|perp=3|victim=2|resType=6|amount=1|isGainLose=true
        all:SOCGameState:game=test|state=20
    """)


def test_a_trade_with_the_bank_and_its_undoing() -> None:
    scene = Scene(at(seats={3: {"hand": [0, 4, 0, 0, 0]}}))
    four, one = resources(ore=4), resources(sheep=1)
    scene.plays(f"""
        f3:SOCBankTrade:game=test|give={four}|get={one}
        all:SOCBankTrade:game=test|give={four}|get={one}|pn=3
        f3:SOCBankTrade:game=test|give={one}|get={four}
        all:SOCBankTrade:game=test|give={one}|get={four}|pn=3
    """)
    assert scene.play.seats[3].hand == [0, 4, 0, 0, 0]


def test_an_offer_is_rejected_countered_and_the_counteroffer_accepted() -> None:
    scene = Scene(at(seats={3: {"hand": [0, 1, 1, 0, 0]}, 0: {"hand": [1, 0, 0, 0, 0]}}))
    wood, ore, sheep, clay = (resources(**{name: 1}) for name in ("wood", "ore", "sheep", "clay"))
    scene.plays(f"""
        f3:SOCMakeOffer:game=test|from=3|to=true,false,true,false|give={ore}|get={wood}
        all:SOCMakeOffer:game=test|from=3|to=true,false,true,false|give={ore}|get={wood}
        all:SOCClearTradeMsg:game=test|playerNumber=-1
    """)
    assert list(scene.state.movers) == [0, 2]
    scene.plays(f"""
        f2:SOCRejectOffer:game=test|playerNumber=0
        all:SOCRejectOffer:game=test|playerNumber=2
        f0:SOCMakeOffer:game=test|from=0|to=false,false,false,true|give={clay}|get={sheep}
        all:SOCMakeOffer:game=test|from=0|to=false,false,false,true|give={clay}|get={sheep}
        all:SOCClearTradeMsg:game=test|playerNumber=-1
    """)
    assert list(scene.state.movers) == [3]
    scene.plays(f"""
        f3:SOCAcceptOffer:game=test|accepting=0|offering=0
        all:SOCAcceptOffer:game=test|accepting=3|offering=0|toAccepting={clay}|toOffering={sheep}
        all:SOCClearOffer:game=test|playerNumber=-1
    """)
    assert scene.play.seats[3].hand == [1, 1, 0, 0, 0]
    assert scene.play.seats[0].hand == [0, 0, 1, 0, 0]


def test_an_offer_is_accepted_and_the_others_need_not_answer() -> None:
    scene = Scene(at(seats={3: {"hand": [0, 1, 0, 0, 0]}, 0: {"hand": [0, 0, 0, 0, 1]}}))
    wood, ore = resources(wood=1), resources(ore=1)
    scene.ask(f"f3:SOCMakeOffer:game=test|from=3|to=true,true,true,false|give={ore}|get={wood}")
    scene.plays(f"""
        f0:SOCAcceptOffer:game=test|accepting=0|offering=3
        all:SOCAcceptOffer:game=test|accepting=0|offering=3|toAccepting={ore}|toOffering={wood}
        all:SOCClearOffer:game=test|playerNumber=-1
    """)
    assert list(scene.state.movers) == [3]


def test_an_offer_is_withdrawn() -> None:
    scene = Scene(at(seats={3: {"hand": [0, 1, 0, 0, 0]}}))
    scene.ask(
        f"f3:SOCMakeOffer:game=test|from=3|to=true,false,false,false|give={resources(ore=1)}|get={resources(wood=1)}"
    )
    scene.ask("f0:SOCRejectOffer:game=test|playerNumber=0")
    scene.plays("""
        f3:SOCClearOffer:game=test|playerNumber=0
        all:SOCClearOffer:game=test|playerNumber=3
        all:SOCClearTradeMsg:game=test|playerNumber=-1
    """)


def test_a_turn_ends_and_the_next_begins() -> None:
    Scene(at()).plays("""
        f3:SOCEndTurn:game=test
        all:SOCClearOffer:game=test|playerNumber=-1
        all:SOCTurn:game=test|playerNumber=0|gameState=15
        all:SOCRollDicePrompt:game=test|playerNumber=0
    """)


def test_who_has_enough_points_when_its_turn_begins_has_won() -> None:
    winner = {"cities": ["23", "43", "45", "94"], "settlements": ["52", "c7"], "roads": []}
    Scene(at(seats={0: winner})).plays("""
        f3:SOCEndTurn:game=test
        all:SOCClearOffer:game=test|playerNumber=-1
        all:SOCTurn:game=test|playerNumber=0|gameState=1000
        all:SOCGameServerText:game=test|text=>>> p0 has won the game with 10 points.
        all:SOCGameStats:game=test|10|2|2|2|false|false|false|false
        all:SOCGameServerText:game=test|text=This game was 3 rounds.
        p0:SOCPlayerStats:game=test|p=1|p=0|p=0|p=0|p=0|p=0
        p1:SOCPlayerStats:game=test|p=1|p=0|p=0|p=0|p=0|p=0
        p2:SOCPlayerStats:game=test|p=1|p=0|p=0|p=0|p=0|p=0
        p3:SOCPlayerStats:game=test|p=1|p=0|p=0|p=0|p=0|p=0
    """)
