"""Clauses of the rules that are rarely met in games: what ends a game and what does not, what is allowed once, what a
turn of special building is for, who may settle where."""

from typing import Any

import pytest

from tests.game_masters.catan.scene import Scene, at, resources

NINE: dict[str, Any] = {"cities": ["23", "43", "45", "94"], "settlements": ["52"], "roads": ["52"]}
"""What is worth nine points, away from the first pieces of the others."""


def nine(turn: int = 0, state: int = 20, others: dict[int, Any] | None = None, **more: Any) -> dict[str, Any]:
    """A fixture in which seat 0 has nine points and what is in ``more``."""
    fixture = {key: more.pop(key) for key in ("deck", "dice", "army", "longest") if key in more}
    return at(turn=turn, state=state, seats={0: {**NINE, **more}, **(others or {})}, **fixture)


# --- the end ----------------------------------------------------------------------------------------------------------


def test_a_point_card_that_is_bought_wins_at_once_and_all_point_cards_are_shown() -> None:
    held = {2: {"cards": ["MARKET"]}}
    scene = Scene(nine(deck=["CHAPEL"], hand=[0, 1, 1, 1, 0], others=held))
    said = scene.ask("f0:SOCBuyDevCardRequest:game=test")
    assert said[2:] == [
        "p0:SOCDevCardAction:game=test|playerNum=0|actionType=DRAW|cardType=8",
        "!p0:SOCDevCardAction:game=test|playerNum=0|actionType=DRAW|cardType=0",
        "all:SOCSimpleAction:game=test|pn=0|actType=1|v1=23|v2=0",
        "all:SOCGameElements:game=test|e4=0",
        "all:SOCGameState:game=test|state=1000",
        "all:SOCGameServerText:game=test|text=>>> p0 has won the game with 10 points.",
        "all:SOCDevCardAction:game=test|playerNum=0|actionType=ADD_OLD|cardType=8",
        "all:SOCDevCardAction:game=test|playerNum=2|actionType=ADD_OLD|cardType=5",
        "all:SOCGameStats:game=test|10|2|3|2|false|false|false|false",
        "all:SOCGameServerText:game=test|text=This game was 2 rounds.",
        *(f"p{seat}:SOCPlayerStats:game=test|p=1|p=0|p=0|p=0|p=0|p=0" for seat in range(4)),
    ]


@pytest.mark.parametrize("option", ["PLAY_FO", "PLAY_VPO"])
def test_where_cards_are_open_they_are_not_shown_again_at_the_end(option: str) -> None:
    scene = Scene(nine(deck=["CHAPEL"], hand=[0, 1, 1, 1, 0]), {option: "t"})
    assert not any("ADD_OLD" in line for line in scene.ask("f0:SOCBuyDevCardRequest:game=test"))
    assert scene.state.outcome is not None


def test_several_point_cards_of_a_seat_are_shown_together() -> None:
    scene = Scene(nine(deck=["CHAPEL"], hand=[0, 1, 1, 1, 0], others={2: {"cards": ["MARKET", "TEMPLE"]}}))
    said = scene.ask("f0:SOCBuyDevCardRequest:game=test")
    assert "all:SOCDevCardAction:game=test|playerNum=2|actionType=ADD_OLD|cardTypes=[5, 7]" in said


def test_the_first_free_road_that_wins_ends_the_game_without_the_second() -> None:
    eight = {"cities": ["23", "43", "45"], "settlements": ["a5", "c9"], "roads": ["a5", "a6", "a7", "a8"]}
    seats = {0: {"settlements": ["27"], "roads": []}, 3: {**eight, "cards": ["ROADS"]}}
    scene = Scene(at(seats=seats))
    scene.ask("f3:SOCPlayDevCardRequest:game=test|devCard=1")
    said = scene.ask("f3:SOCPutPiece:game=test|playerNumber=3|pieceType=0|coord=a9")
    assert said[3:6] == [
        "all:SOCGameElements:game=test|e6=3",
        "all:SOCGameElements:game=test|e4=3",
        "all:SOCGameState:game=test|state=1000",
    ]


def test_who_comes_to_ten_points_in_the_turn_of_another_has_not_won_yet() -> None:
    cut = {"settlements": ["da"], "roads": ["c9", "b8"], "hand": [1, 0, 1, 1, 1]}
    holder = {"settlements": ["a5"], "roads": ["a5", "a6", "a7", "a8", "a9"]}
    second = {"cities": ["23", "43", "27", "47"], "roads": ["23", "24", "25", "26", "27"], "settlements": []}
    seats = {0: holder, 1: second, 2: {"settlements": ["38"], "roads": []}, 3: cut}
    scene = Scene(at(seats=seats, longest=0))
    said = scene.ask("f3:SOCPutPiece:game=test|playerNumber=3|pieceType=1|coord=b8")
    assert "all:SOCGameElements:game=test|e6=1" in said
    assert scene.play.points(1) == 10
    assert scene.state.movers == (3,)
    scene.ask("f3:SOCEndTurn:game=test")
    scene.play.chance.script = scene.play.chance.script.__class__(dice=(2, 2, 2))
    scene.ask("f0:SOCRollDice:game=test")
    said = scene.ask("f0:SOCEndTurn:game=test")
    assert "all:SOCTurn:game=test|playerNumber=1|gameState=1000" in said
    assert scene.state.outcome is not None
    assert scene.state.outcome.winners == {1}


# --- before the roll --------------------------------------------------------------------------------------------------


def test_a_soldier_before_the_roll_returns_to_it() -> None:
    scene = Scene(at(state=15, seats={3: {"cards": ["SOLDIER"]}}))
    scene.ask("f3:SOCPlayDevCardRequest:game=test|devCard=9")
    said = scene.ask("f3:SOCMoveRobber:game=test|playerNumber=3|coord=33")
    assert said[-2:] == ["all:SOCGameState:game=test|state=15", "all:SOCRollDicePrompt:game=test|playerNumber=3"]


def test_a_theft_by_a_soldier_before_the_roll_returns_to_it() -> None:
    scene = Scene(at(state=15, seats={3: {"cards": ["SOLDIER"]}, 1: {"hand": [1, 0, 0, 0, 0]}}))
    scene.ask("f3:SOCPlayDevCardRequest:game=test|devCard=9")
    said = scene.ask("f3:SOCMoveRobber:game=test|playerNumber=3|coord=59")
    assert said[-3:] == [
        "!p[3, 1]:SOCRobberyResult:game=test|perp=3|victim=1|resType=6|amount=1|isGainLose=true",
        "all:SOCGameState:game=test|state=15",
        "all:SOCRollDicePrompt:game=test|playerNumber=3",
    ]


def test_monopoly_before_the_roll_returns_to_it() -> None:
    scene = Scene(at(state=15, seats={3: {"cards": ["MONOPOLY"]}, 1: {"hand": [2, 0, 0, 0, 0]}}))
    scene.ask("f3:SOCPlayDevCardRequest:game=test|devCard=3")
    said = scene.ask("f3:SOCPickResourceType:game=test|resType=1")
    assert said[-2:] == ["all:SOCGameState:game=test|state=15", "all:SOCRollDicePrompt:game=test|playerNumber=3"]
    assert scene.play.seats[3].hand == [2, 0, 0, 0, 0]


def test_a_card_played_before_the_roll_is_the_one_of_the_turn() -> None:
    scene = Scene(at(state=15, dice=[2], seats={3: {"cards": ["MONOPOLY", "DISCOVERY"]}}))
    scene.ask("f3:SOCPlayDevCardRequest:game=test|devCard=3")
    scene.ask("f3:SOCPickResourceType:game=test|resType=1")
    scene.ask("f3:SOCRollDice:game=test")
    assert "reason=3" in scene.ask("f3:SOCPlayDevCardRequest:game=test|devCard=2")[1]


# --- the bank and offers ----------------------------------------------------------------------------------------------


def bank(give: dict[str, int], get: dict[str, int]) -> str:
    return f"f3:SOCBankTrade:game=test|give={resources(**give)}|get={resources(**get)}"


NO = "p3:SOCRejectOffer:game=test|playerNumber=-1|reasonCode=1"


def test_several_resources_are_traded_at_once_if_one_ratio_holds_for_all() -> None:
    scene = Scene(at(seats={3: {"hand": [4, 4, 0, 3, 3]}}))
    scene.refuses(bank({"clay": 4, "wheat": 3}, {"sheep": 2}), NO)
    scene.refuses(bank({"clay": 2, "ore": 2}, {"sheep": 1}), NO)
    scene.refuses(bank({"clay": 4, "ore": 4}, {"sheep": 1}), NO)
    assert len(scene.ask(bank({"clay": 4, "ore": 4}, {"sheep": 1, "wood": 1}))) == 2
    assert scene.play.seats[3].hand == [0, 0, 1, 3, 4]


@pytest.mark.parametrize(
    "between",
    [
        "f3:SOCPutPiece:game=test|playerNumber=3|pieceType=0|coord=a6",
        "f3:SOCBuyDevCardRequest:game=test",
        f"f3:SOCBankTrade:game=test|give={resources(ore=4)}|get={resources(sheep=1)}",
    ],
)
def test_after_anything_else_a_trade_with_the_bank_cannot_be_undone(between: str) -> None:
    scene = Scene(at(seats={3: {"hand": [9, 9, 9, 9, 9]}}))
    scene.ask(bank({"wheat": 4}, {"wood": 1}))
    assert len(scene.ask(between)) > 1
    scene.refuses(bank({"wood": 1}, {"wheat": 4}), NO)


def test_an_undone_trade_is_not_undone_again() -> None:
    scene = Scene(at(seats={3: {"hand": [0, 4, 0, 0, 0]}}))
    scene.ask(bank({"ore": 4}, {"wood": 1}))
    scene.ask(bank({"wood": 1}, {"ore": 4}))
    scene.refuses(bank({"wood": 1}, {"ore": 4}), NO)
    assert scene.play.seats[3].hand == [0, 4, 0, 0, 0]


def test_the_end_of_a_turn_clears_offers() -> None:
    scene = Scene(at(seats={3: {"hand": [0, 1, 0, 0, 0]}, 0: {"hand": [0, 0, 0, 0, 1]}}))
    trade = f"give={resources(ore=1)}|get={resources(wood=1)}"
    scene.ask(f"f3:SOCMakeOffer:game=test|from=3|to=true,false,false,false|{trade}")
    scene.ask("f0:SOCRejectOffer:game=test|playerNumber=0")
    scene.ask("f3:SOCEndTurn:game=test")
    assert not scene.play.trading.offers
    scene.refuses(
        "f0:SOCAcceptOffer:game=test|accepting=0|offering=3",
        "p0:SOCRejectOffer:game=test|playerNumber=0|reasonCode=1",
    )


def test_a_new_offer_replaces_the_old_one() -> None:
    scene = Scene(at(seats={3: {"hand": [0, 1, 1, 0, 0]}, 0: {"hand": [0, 0, 0, 0, 1]}}))
    for give in ("ore", "sheep"):
        trade = f"give={resources(**{give: 1})}|get={resources(wood=1)}"
        scene.ask(f"f3:SOCMakeOffer:game=test|from=3|to=true,false,false,false|{trade}")
        if give == "ore":
            scene.ask("f0:SOCRejectOffer:game=test|playerNumber=0")
    scene.ask("f0:SOCAcceptOffer:game=test|accepting=0|offering=3")
    assert scene.play.seats[0].hand == [0, 0, 1, 0, 0]


def test_an_acceptance_that_says_what_it_saw_is_refused_when_another_offer_stands() -> None:
    scene = Scene(at(seats={3: {"hand": [0, 1, 1, 0, 0]}, 0: {"hand": [0, 0, 0, 0, 1]}}))
    wood = resources(wood=1)
    for give in ("ore", "sheep"):
        offer = f"give={resources(**{give: 1})}|get={wood}"
        scene.ask(f"f3:SOCMakeOffer:game=test|from=3|to=true,false,false,false|{offer}")
        if give == "ore":
            scene.ask("f0:SOCRejectOffer:game=test|playerNumber=0")
    accept = "f0:SOCAcceptOffer:game=test|accepting=0|offering=3"
    scene.refuses(
        f"{accept}|toAccepting={resources(ore=1)}|toOffering={wood}",
        "p0:SOCRejectOffer:game=test|playerNumber=0|reasonCode=1",
    )
    scene.ask(f"{accept}|toAccepting={resources(sheep=1)}|toOffering={wood}")
    assert scene.play.seats[0].hand == [0, 0, 1, 0, 0]


def test_a_counteroffer_can_no_longer_be_met_when_what_it_wants_is_gone() -> None:
    scene = Scene(at(seats={3: {"hand": [0, 4, 0, 0, 0]}, 0: {"hand": [1, 0, 0, 0, 0]}}))
    trade = f"give={resources(ore=1)}|get={resources(wood=1)}"
    scene.ask(f"f3:SOCMakeOffer:game=test|from=3|to=true,false,false,false|{trade}")
    counter = f"give={resources(clay=1)}|get={resources(ore=1)}"
    scene.ask(f"f0:SOCMakeOffer:game=test|from=0|to=false,false,false,true|{counter}")
    scene.ask(bank({"ore": 4}, {"wood": 1}))
    scene.refuses(
        "f3:SOCAcceptOffer:game=test|accepting=0|offering=0",
        "p3:SOCRejectOffer:game=test|playerNumber=3|reasonCode=1",
    )


# --- special building -------------------------------------------------------------------------------------------------


def six(turn: int = 0, state: int = 20, **seats: Any) -> Scene:
    """A game for six in which seats have what is given for ``p0`` to ``p5``, each with a settlement of its own."""
    homes = ["11", "33", "27", "a7", "c9", "69"]
    placed = [{"settlements": [home], **seats.get(f"p{seat}", {})} for seat, home in enumerate(homes)]
    for one in placed:
        one["settlements"] = [node for node in one["settlements"] if node not in ("11", "33")]
    return Scene({"turn": turn, "state": state, "seats": placed, "dice": [2] * 9}, players=6)


def says(scene: Scene, seat: int, asks: bool) -> list[str]:
    line = "SOCBuildRequest:game=test|pieceType=-1" if asks else "SOCEndTurn:game=test"
    return scene.ask(f"f{seat}:{line}")


def test_askers_build_in_turn_after_the_current_player_and_then_the_next_turn_begins() -> None:
    scene = six(turn=3)
    assert scene.ask("f3:SOCEndTurn:game=test") == []
    for seat, asks in ((4, False), (5, True), (0, False), (1, True)):
        says(scene, seat, asks)
    assert says(scene, 2, False)[-1] == "all:SOCTurn:game=test|playerNumber=5|gameState=100"
    assert scene.state.movers == (5,)
    scene.ask("f5:SOCEndTurn:game=test")
    # those who have not built yet may join while the phase goes on
    assert set(scene.state.movers) == {0, 2, 3, 4}
    for seat, asks in ((0, False), (2, True), (3, False)):
        says(scene, seat, asks)
    said = says(scene, 4, False)
    assert said[-3:] == [
        "all:SOCPlayerElement:game=test|playerNum=5|actionType=SET|elementType=16|amount=0",
        "all:SOCClearOffer:game=test|playerNumber=-1",
        "all:SOCTurn:game=test|playerNumber=1|gameState=100",
    ]


def test_in_special_building_nobody_trades_plays_cards_or_moves_ships() -> None:
    scene = six(turn=3, state=100, p3={"hand": [4, 4, 4, 4, 4], "cards": ["MONOPOLY"]})
    why = "SPECIAL_BUILDING (100)"
    scene.refuses(bank({"clay": 4}, {"ore": 1}), NO)
    offer = f"give={resources(ore=1)}|get={resources(wood=1)}"
    scene.refuses(
        f"f3:SOCMakeOffer:game=test|from=3|to=true,false,false,false,false,false|{offer}",
        "p3:SOCRejectOffer:game=test|playerNumber=3|reasonCode=3",
    )
    assert f"no card can be played in the state {why}" in scene.ask("f3:SOCPlayDevCardRequest:game=test|devCard=3")[1]
    assert (
        f"no ship can move in the state {why}"
        in scene.ask("f3:SOCMovePiece:game=test|pn=3|pieceType=3|fromCoord=22|toCoord=23")[1]
    )
    assert f"no dice are rolled in the state {why}" in scene.ask("f3:SOCRollDice:game=test")[1]


def test_pieces_and_cards_of_special_building_return_to_it() -> None:
    scene = six(turn=3, state=100, p3={"hand": [2, 9, 2, 9, 2]})
    assert scene.ask("f3:SOCBuyDevCardRequest:game=test")[-1] == "all:SOCGameState:game=test|state=100"
    assert scene.ask("f3:SOCBuildRequest:game=test|pieceType=2")[-1] == "all:SOCGameState:game=test|state=32"
    assert scene.ask("f3:SOCCancelBuildRequest:game=test|pieceType=2")[-1] == "all:SOCGameState:game=test|state=100"
    said = scene.ask("f3:SOCPutPiece:game=test|playerNumber=3|pieceType=2|coord=a7")
    assert said[-1] == "all:SOCGameState:game=test|state=100"


def test_a_card_bought_in_the_own_turn_may_be_played_after_a_turn_of_special_building() -> None:
    scene = six(turn=3, p3={"hand": [0, 1, 1, 1, 0], "fresh": ["SOLDIER"]})
    scene.ask("f3:SOCEndTurn:game=test")
    for seat in (4, 5, 0, 1, 2):
        says(scene, seat, seat == 4)
    assert scene.play.seats[3].inventory.fresh == [9]
    says(scene, 4, False)  # the end of its special building: the others are asked again
    for seat in (5, 0, 1, 2):
        says(scene, seat, False)
    said = says(scene, 3, True)
    assert said[-1] == "all:SOCTurn:game=test|playerNumber=3|gameState=100"
    assert (scene.play.seats[3].inventory.old, scene.play.seats[3].inventory.fresh) == ([9], [])


# --- who may settle where ---------------------------------------------------------------------------------------------


def test_on_the_islands_a_player_starts_on_at_most_two_and_both_bring_no_special_points() -> None:
    scene = Scene({"first": 0}, {"SC": "SC_4ISL", "_SC_3IP": "t"}, players=2)
    board = scene.play.board
    areas = {
        area: [node for node in sorted(board.ground.sites) if board.land_areas.of_node[node] == area]
        for area in (1, 2, 3)
    }

    def settles(area: int) -> list[str]:
        taken = scene.play.owners.nodes.keys()
        node = next(node for node in areas[area] if not taken & {node, *board.net.node_nodes[node]})
        said = scene.ask(
            f"f{scene.play.current}:SOCPutPiece:game=test|playerNumber={scene.play.current}|pieceType=1|coord={node:x}"
        )
        if said[-1].startswith("all:"):
            move = next(
                move for move in scene.state.legal_moves(scene.play.current) if type(move).__name__ == "PutPiece"
            )
            scene.state.apply(scene.play.current, move)
        return said

    for seat, area in ((0, 1), (1, 3), (1, 3), (0, 2)):
        assert scene.play.current == seat
        assert settles(area)[-1].startswith("all:")
    assert scene.play.seats[0].scenario.start_areas == {1, 2}
    assert scene.play.current == 0
    assert "SOCDeclinePlayerRequest:game=test|state=0|reason=4" in settles(3)[1]
    assert settles(2)[-1].startswith("all:")
    assert settles(1)[-1].startswith("all:"), "who has started on one island may still choose a second"


def test_one_special_point_for_the_first_settlement_in_any_new_land() -> None:
    seat = {"settlements": ["c06"], "hand": [2, 0, 2, 2, 2]}
    scene = Scene({"turn": 3, "state": 20, "seats": [{}, {}, {}, seat]}, {"SBL": "t", "_SC_SANY": "t"})
    board, one = scene.play.board, scene.play.seats[3]
    others = [node for node in sorted(board.ground.sites) if board.land_areas.of_node[node] > 1]
    first = others[0]
    second = next(
        node for node in others
        if board.land_areas.of_node[node] != board.land_areas.of_node[first] and node not in board.net.node_nodes[first]
    )  # fmt: skip
    for node in (first, second):
        one.pieces.ships.add(next(edge for edge in board.net.node_edges[node] if edge in board.ground.ship_edges))
    said = scene.ask(f"f3:SOCPutPiece:game=test|playerNumber=3|pieceType=1|coord={first:x}")
    assert any(line.startswith("all:SOCSVPTextMessage:game=test|pn=3|svp=1|") for line in said)
    said = scene.ask(f"f3:SOCPutPiece:game=test|playerNumber=3|pieceType=1|coord={second:x}")
    assert said[-1] == "all:SOCGameState:game=test|state=20"
    assert not any("SVP" in line for line in said)
    assert one.scenario.special_points == 1
