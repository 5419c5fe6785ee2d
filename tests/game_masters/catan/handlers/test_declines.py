"""Every refusal: to the sender alone, with its reason, and nothing changes."""

from typing import Any

import pytest

from game_masters.catan import FOUR
from game_masters.catan.rules import PATIENCE
from game_masters.kit.rules import Unreadable
from tests.game_masters.catan.scene import Scene, at, resources

DECLINE = "SOCDeclinePlayerRequest:game=test|state={state}|reason={reason}|detail1={detail}|detail2={place}|text={text}"


def decline(reason: int, text: str, *, state: int = 0, detail: int = 0, place: str = "0") -> str:
    return DECLINE.format(state=state, reason=reason, detail=detail, place=place, text=text)


@pytest.mark.parametrize(
    "request_",
    [
        "SOCPutPiece:game=test|playerNumber=1|pieceType=0|coord=22",
        "SOCMoveRobber:game=test|playerNumber=1|coord=33",
        "SOCChoosePlayer:game=test|choice=0",
        "SOCPlayDevCardRequest:game=test|devCard=9",
        f"SOCPickResources:game=test|resources={resources(ore=2)}",
        "SOCPickResourceType:game=test|resType=1",
        "SOCCancelBuildRequest:game=test|pieceType=0",
        "SOCBuildRequest:game=test|pieceType=0",
        "SOCBuyDevCardRequest:game=test",
    ],
)
def test_out_of_turn(request_: str) -> None:
    Scene(at()).refuses(f"f1:{request_}", f"un:{decline(2, 'it is the turn of p3')}")


def refused(line: str, *answers: str, state: int = 20, options: dict[str, str] | None = None, **seat: Any) -> None:
    scene = Scene(at(state=state, seats={3: seat}), options)
    scene.refuses(f"f3:{line}", *(f"p3:{answer}" if not answer.startswith("un:") else answer for answer in answers))


def test_a_piece_that_cannot_be_paid() -> None:
    text = "a road costs 1 clay, 1 wood; you have 1 clay"
    put = "SOCPutPiece:game=test|playerNumber=3|pieceType=0|coord=a6"
    refused(put, decline(3, text), hand=[1, 0, 0, 0, 0])
    refused("SOCBuildRequest:game=test|pieceType=0", decline(3, text), hand=[1, 0, 0, 0, 0])


def test_a_piece_that_is_not_left() -> None:
    scene = Scene(at(seats={3: {"hand": [5, 5, 5, 5, 5]}}))
    scene.play.seats[3].pieces.supply[2] = 0
    scene.refuses("f3:SOCBuildRequest:game=test|pieceType=2", f"p3:{decline(3, 'you have no city left')}")


def test_a_piece_without_a_place() -> None:
    text = "there is no place for a settlement"
    refused("SOCBuildRequest:game=test|pieceType=1", decline(3, text), hand=[5, 5, 5, 5, 5])


def test_a_piece_in_the_wrong_state() -> None:
    put = "SOCPutPiece:game=test|playerNumber=3|pieceType=0|coord=a6"
    text = "no road can be placed in the state ROLL_OR_CARD (15)"
    refused(put, decline(3, text), state=15, hand=[5, 5, 5, 5, 5])


def test_ships_on_a_board_without_sea() -> None:
    refused("SOCBuildRequest:game=test|pieceType=3", decline(3, "you have no ship left"), hand=[5, 5, 5, 5, 5])


@pytest.mark.parametrize(
    ("piece", "place", "text"),
    [
        (
            0, "22", "no road can be placed on 22: it does not touch what you have built, or only behind a building of "
            "others; it may stand on 94, 96, a7, b6, b8, c8, ca",
        ),
        (
            1, "94",
            "no settlement can be placed on 94: none of your roads or ships leads there; it may stand on a5",
        ),
        (2, "23", "no city can be placed on 23: you have no settlement there; it may stand on a7, c9"),
    ],
)  # fmt: skip
def test_an_illegal_place_is_named_and_nothing_is_paid(piece: int, place: str, text: str) -> None:
    answer = decline(4, text, detail=piece, place=str(int(place, 16)))
    refused(
        f"SOCPutPiece:game=test|playerNumber=3|pieceType={piece}|coord={place}", answer,
        f"SOCCancelBuildRequest:game=test|pieceType={piece}", hand=[5, 5, 5, 5, 5], roads=["a6", "a5", "c9"],
    )  # fmt: skip


@pytest.mark.parametrize(
    "request_", ["SOCPutPiece:game=test|playerNumber=3|pieceType={}|coord=a6", "SOCBuildRequest:game=test|pieceType={}",
                 "SOCCancelBuildRequest:game=test|pieceType={}"],
)  # fmt: skip
@pytest.mark.parametrize("piece", [4, 5, 77])
def test_an_unknown_piece(request_: str, piece: int) -> None:
    refused(request_.format(piece), decline(5, f"{piece} is no piece that can be built"), hand=[5, 5, 5, 5, 5])


def test_a_card_of_an_empty_deck() -> None:
    scene = Scene(at(seats={3: {"hand": [0, 1, 1, 1, 0]}}))
    scene.play.chance.deck.clear()
    scene.refuses("f3:SOCBuyDevCardRequest:game=test", f"p3:{decline(1, 'there are no development cards left')}")


def test_a_card_that_cannot_be_paid() -> None:
    text = "a card costs 1 ore, 1 sheep, 1 wheat; you have nothing"
    refused("SOCBuyDevCardRequest:game=test", decline(3, text))


@pytest.mark.parametrize(
    ("card", "seat", "text"),
    [
        (9, {}, "you have no Soldier card"),
        (9, {"fresh": ["SOLDIER"]}, "you have drawn the Soldier card in this turn"),
        (5, {"cards": ["MARKET"]}, "5 is no card that can be played"),
        (0, {}, "0 is no card that can be played"),
        (44, {}, "44 is no card that can be played"),
    ],
)
def test_a_card_that_cannot_be_played(card: int, seat: dict[str, Any], text: str) -> None:
    refused(f"SOCPlayDevCardRequest:game=test|devCard={card}", f"un:{decline(3, text)}", **seat)


def test_one_card_a_turn() -> None:
    scene = Scene(at(seats={3: {"cards": ["MONOPOLY", "DISCOVERY"]}}))
    scene.ask("f3:SOCPlayDevCardRequest:game=test|devCard=3")
    scene.ask("f3:SOCPickResourceType:game=test|resType=1")
    answer = f"un:{decline(3, 'you have played a card in this turn')}"
    scene.refuses("f3:SOCPlayDevCardRequest:game=test|devCard=2", answer)


def test_road_building_without_roads() -> None:
    scene = Scene(at(seats={3: {"cards": ["ROADS"]}}))
    scene.play.seats[3].pieces.supply[0] = 0
    scene.refuses("f3:SOCPlayDevCardRequest:game=test|devCard=1", f"un:{decline(3, 'you have no roads left')}")


@pytest.mark.parametrize(
    ("place", "why"),
    [
        ("77", "it stands there already"),
        ("1", "there is no such hex on the board"),
        ("-55", "the robber is to be moved; hexes of the pirate are negative numbers"),
    ],
)
def test_the_robber_to_where_it_stands_or_nowhere(place: str, why: str) -> None:
    scene = Scene(at(15, dice=[7]) | {"turn": 3, "state": 15})
    scene.ask("f3:SOCRollDice:game=test")
    who = "pirate" if place.startswith("-") else "robber"
    text = f"the {who} cannot be moved to {place.lstrip('-')}: {why}; allowed: 33, 35, 37, 53, "
    text += "55, 57, 59, 73, 75, 79, 7b, 95 and 6 more"
    line = f"f3:SOCMoveRobber:game=test|playerNumber=3|coord={place}"
    scene.refuses(line, f"p3:{decline(3, text, state=33)}")


def test_the_robber_back_to_the_desert() -> None:
    scene = Scene(at(state=15, dice=[7], robber="33"), {"RD": "t"})
    scene.ask("f3:SOCRollDice:game=test")
    text = "the robber cannot be moved to 77: with the option RD it stays out of the desert; "
    text += "allowed: 35, 37, 53, 55, 57, 59, 73, 75, "
    text += "79, 7b, 95, 97 and 5 more"
    scene.refuses("f3:SOCMoveRobber:game=test|playerNumber=3|coord=77", f"p3:{decline(3, text, state=33)}")


def test_a_victim_that_is_none() -> None:
    seats: dict[int, dict[str, Any]] = {
        0: {"settlements": ["89"], "hand": [1, 0, 0, 0, 0], "roads": []},
        2: {"settlements": ["8b"], "hand": [0, 1, 0, 0, 0], "roads": []},
    }
    scene = Scene(at(state=15, dice=[7], seats=seats))
    scene.ask("f3:SOCRollDice:game=test")
    scene.ask("f3:SOCMoveRobber:game=test|playerNumber=3|coord=79")
    scene.refuses(
        "f3:SOCChoosePlayer:game=test|choice=1",
        "p3:SOCGameServerText:game=test|text=1 cannot be chosen; it may be 0, 2",
        "p3:SOCChoosePlayerRequest:game=test|choices=[true, false, true, false]",
    )


def test_a_choice_without_a_question() -> None:
    refused("SOCChoosePlayer:game=test|choice=0", decline(3, "0 cannot be chosen; it may be nothing"))


@pytest.mark.parametrize(
    "picked", [resources(ore=1), resources(ore=3), resources(ore=1, unknown=1), resources(clay=3, ore=-1)]
)
def test_a_wrong_pick_for_discovery(picked: str) -> None:
    scene = Scene(at(seats={3: {"cards": ["DISCOVERY"]}}))
    scene.ask("f3:SOCPlayDevCardRequest:game=test|devCard=2")
    said = scene.ask(f"f3:SOCPickResources:game=test|resources={picked}")
    assert said[1].startswith("p3:SOCGameServerText:game=test|text=you must pick 2, not ")
    assert said[2:] == ["p3:SOCSimpleRequest:game=test|pn=3|reqType=1|v1=2|v2=0"]


def test_a_monopoly_on_nothing() -> None:
    scene = Scene(at(seats={3: {"cards": ["MONOPOLY"]}}))
    scene.ask("f3:SOCPlayDevCardRequest:game=test|devCard=3")
    scene.refuses("f3:SOCPickResourceType:game=test|resType=6", f"p3:{decline(5, '6 is no resource')}")


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (resources(sheep=3), "you must discard 4, not 3 sheep"),
        (resources(ore=4), "you cannot discard 4 ore; you have 8 sheep"),
        (resources(sheep=5, ore=-1), "you must discard 4, not -1 ore, 5 sheep"),
        (resources(unknown=4), "you must discard 4, not 4 cards"),
    ],
)
def test_a_wrong_discard(given: str, text: str) -> None:
    scene = Scene(at(state=15, dice=[7], seats={2: {"hand": [0, 0, 8, 0, 0]}}))
    scene.ask("f3:SOCRollDice:game=test")
    scene.refuses(
        f"f2:SOCDiscard:game=test|resources={given}",
        f"p2:SOCGameServerText:game=test|text={text}",
        "p2:SOCDiscardRequest:game=test|numDiscards=4",
    )


def test_a_ship_that_cannot_move() -> None:
    refused(
        "SOCMovePiece:game=test|pn=3|pieceType=3|fromCoord=22|toCoord=23",
        "un:SOCGameServerText:game=test|text=you have no ship on 22; ships that may move: none",
        "un:SOCCancelBuildRequest:game=test|pieceType=3",
    )


def test_nothing_to_cancel() -> None:
    text = "no road is being placed in the state PLAY (20)"
    refused("SOCCancelBuildRequest:game=test|pieceType=0", decline(3, text, state=20))


BAD_TRADES = [
    (resources(ore=3), resources(sheep=1), [0, 4, 0, 0, 0]),
    (resources(ore=4), resources(sheep=2), [0, 4, 0, 0, 0]),
    (resources(ore=2), resources(sheep=1), [0, 4, 0, 0, 0]),
    (resources(ore=5), resources(sheep=1), [0, 5, 0, 0, 0]),
    (resources(ore=4), resources(sheep=1), [0, 3, 0, 0, 0]),
    (resources(), resources(sheep=1), [0, 3, 0, 0, 0]),
    (resources(ore=4), resources(), [0, 4, 0, 0, 0]),
    (resources(ore=2, clay=2), resources(sheep=1), [2, 4, 0, 0, 0]),
    (resources(unknown=4), resources(sheep=1), [4, 4, 0, 0, 0]),
    (resources(ore=8, clay=-4), resources(sheep=1), [4, 8, 0, 0, 0]),
]


@pytest.mark.parametrize(("give", "get", "hand"), BAD_TRADES)
def test_what_the_bank_does_not_do(give: str, get: str, hand: list[int]) -> None:
    trade = f"SOCBankTrade:game=test|give={give}|get={get}"
    refused(trade, "SOCRejectOffer:game=test|playerNumber=-1|reasonCode=1", hand=hand)


def test_a_bank_trade_out_of_turn() -> None:
    trade = f"f1:SOCBankTrade:game=test|give={resources(ore=4)}|get={resources(sheep=1)}"
    scene = Scene(at(seats={1: {"hand": [0, 4, 0, 0, 0]}}))
    scene.refuses(trade, "un:SOCRejectOffer:game=test|playerNumber=-1|reasonCode=2")


@pytest.mark.parametrize(
    ("to", "give", "get"),
    [
        ("true,false,false,false", resources(ore=2), resources(wood=1)),
        ("false,false,false,true", resources(ore=1), resources(wood=1)),
        ("false,false,false,false", resources(ore=1), resources(wood=1)),
        ("true,false,false", resources(ore=1), resources(wood=1)),
        ("true,false,false,false", resources(), resources(wood=1)),
        ("true,false,false,false", resources(ore=1), resources()),
        ("true,false,false,false", resources(ore=1), resources(unknown=1)),
    ],
)
def test_an_offer_that_cannot_be_made(to: str, give: str, get: str) -> None:
    offer = f"SOCMakeOffer:game=test|from=3|to={to}|give={give}|get={get}"
    refused(offer, "SOCRejectOffer:game=test|playerNumber=3|reasonCode=3", hand=[0, 1, 0, 0, 0])


def test_offers_where_players_do_not_trade() -> None:
    offer = f"SOCMakeOffer:game=test|from=3|to=true,true,true,false|give={resources(ore=1)}|get={resources(wood=1)}"
    answer = "SOCRejectOffer:game=test|playerNumber=3|reasonCode=3"
    refused(offer, answer, options={"NT": "t"}, hand=[0, 1, 0, 0, 0])


def test_a_counteroffer_to_others() -> None:
    scene = Scene(at(seats={3: {"hand": [0, 1, 0, 0, 0]}, 0: {"hand": [1, 0, 0, 0, 0]}}))
    trade = f"give={resources(ore=1)}|get={resources(wood=1)}"
    scene.ask(f"f3:SOCMakeOffer:game=test|from=3|to=true,true,true,false|{trade}")
    line = (
        f"f0:SOCMakeOffer:game=test|from=0|to=false,true,false,false|give={resources(clay=1)}|get={resources(wood=1)}"
    )
    scene.refuses(line, "p0:SOCRejectOffer:game=test|playerNumber=0|reasonCode=3")


def test_an_offer_that_cannot_be_accepted() -> None:
    scene = Scene(at(seats={3: {"hand": [0, 1, 0, 0, 0]}}))
    trade = f"give={resources(ore=1)}|get={resources(wood=1)}"
    scene.ask(f"f3:SOCMakeOffer:game=test|from=3|to=true,false,false,false|{trade}")
    answer = "p0:SOCRejectOffer:game=test|playerNumber=0|reasonCode=1"
    scene.refuses("f0:SOCAcceptOffer:game=test|accepting=0|offering=3", answer)
    scene.refuses("f0:SOCAcceptOffer:game=test|accepting=0|offering=2", answer)


def test_while_others_answer_an_offer_the_current_player_waits() -> None:
    scene = Scene(at(seats={3: {"hand": [0, 1, 0, 0, 0]}}))
    trade = f"give={resources(ore=1)}|get={resources(wood=1)}"
    scene.ask(f"f3:SOCMakeOffer:game=test|from=3|to=true,false,false,false|{trade}")
    scene.refuses("f3:SOCEndTurn:game=test", f"p3:{decline(3, 'the others are asked first')}")
    answer = "p3:SOCRejectOffer:game=test|playerNumber=3|reasonCode=1"
    scene.refuses("f3:SOCRejectOffer:game=test|playerNumber=0", answer)


def test_who_is_asked_about_an_offer_hears_of_another_request_what_it_would_hear_at_any_time() -> None:
    scene = Scene(at(seats={3: {"hand": [0, 1, 0, 0, 0]}, 0: {"hand": [4, 0, 0, 0, 0]}}))
    trade = f"give={resources(ore=1)}|get={resources(wood=1)}"
    scene.ask(f"f3:SOCMakeOffer:game=test|from=3|to=true,false,false,false|{trade}")
    turn = "it is the turn of p3"
    scene.refuses("f0:SOCRollDice:game=test", f"p0:SOCGameServerText:game=test|text={turn}")
    bank = f"f0:SOCBankTrade:game=test|give={resources(clay=4)}|get={resources(ore=1)}"
    scene.refuses(bank, "un:SOCRejectOffer:game=test|playerNumber=-1|reasonCode=2")
    scene.refuses(
        "f0:SOCEndTurn:game=test",
        f"p0:SOCGameServerText:game=test|text={turn}",
        "p0:SOCGameState:game=test|state=20",
    )
    scene.refuses("f0:SOCBuyDevCardRequest:game=test", f"un:{decline(2, turn)}")
    scene.refuses(
        "f0:SOCMovePiece:game=test|pn=0|pieceType=3|fromCoord=23|toCoord=24",
        f"un:SOCGameServerText:game=test|text={turn}",
        "un:SOCCancelBuildRequest:game=test|pieceType=3",
    )


@pytest.mark.parametrize("request_", ["SOCBuyDevCardRequest:game=test", "SOCBuildRequest:game=test|pieceType=2"])
def test_building_and_buying_out_of_turn_on_the_board_for_six(request_: str) -> None:
    scene = Scene({"turn": 3, "state": 20}, players=6)
    scene.refuses(f"f0:{request_}", f"p0:{decline(3, 'you will be asked at the end of the turn')}")


def test_an_eleventh_offer_in_one_turn() -> None:
    scene = Scene(at(seats={3: {"hand": [0, 1, 0, 0, 0]}}))
    trade = f"give={resources(ore=1)}|get={resources(wood=1)}"
    offer = f"f3:SOCMakeOffer:game=test|from=3|to=true,false,false,false|{trade}"
    for _ in range(10):
        assert len(scene.ask(offer)) == 3
        scene.ask("f0:SOCRejectOffer:game=test|playerNumber=0")
    scene.refuses(offer, "p3:SOCRejectOffer:game=test|playerNumber=3|reasonCode=3")
    assert not any(type(move).__name__ == "MakeOffer" for move in scene.state.legal_moves(3))


def test_a_turn_that_cannot_end() -> None:
    text = "a turn cannot end in the state ROLL_OR_CARD (15)"
    refused(
        "SOCEndTurn:game=test", f"SOCGameServerText:game=test|text={text}", "SOCGameState:game=test|state=15", state=15
    )


def test_road_building_before_the_roll_cannot_end_the_turn() -> None:
    scene = Scene(at(state=15, seats={3: {"cards": ["ROADS"]}}))
    scene.ask("f3:SOCPlayDevCardRequest:game=test|devCard=1")
    text = "p3:SOCGameServerText:game=test|text=roll the dice before you end your turn"
    scene.refuses("f3:SOCEndTurn:game=test", text, "p3:SOCGameState:game=test|state=40")


def test_a_second_roll() -> None:
    refused("SOCRollDice:game=test", "SOCGameServerText:game=test|text=no dice are rolled in the state PLAY (20)")


@pytest.mark.parametrize(
    ("state", "reason", "text"),
    [
        (15, 3, "there is special building on the board for six only"),
        (20, 5, "you ask for special building before you roll"),
    ],
)
def test_special_building_on_the_board_for_four(state: int, reason: int, text: str) -> None:
    refused("SOCBuildRequest:game=test|pieceType=-1", decline(reason, text), state=state)


@pytest.mark.parametrize("state", [20, 100])
def test_special_building_is_no_piece_to_be_built_in_the_own_turn(state: int) -> None:
    scene = Scene({"turn": 2, "state": state, "round": 3}, {"PLB": "t"}, players=3)
    text = "you ask for special building before you roll"
    scene.refuses("f2:SOCBuildRequest:game=test|pieceType=-1", f"p2:{decline(5, text)}")


def test_special_building_with_too_few_players() -> None:
    seats = [{"settlements": [node]} for node in ("23", "56", "a7")]
    fixture = {"turn": 2, "state": 15, "seats": seats, "round": 3}
    scene = Scene(fixture, {"PLB": "t", "PLP": "t"}, players=3)
    text = "special building takes 5 players in this game"
    scene.refuses("f2:SOCBuildRequest:game=test|pieceType=-1", f"p2:{decline(1, text)}")


def test_a_move_that_names_another_sender() -> None:
    put = "SOCPutPiece:game=test|playerNumber=2|pieceType=0|coord=a6"
    scene = Scene(at(seats={3: {"hand": [1, 0, 0, 0, 1]}}))
    said = scene.ask(f"f3:{put}")
    assert said[1:] == [f"p3:{decline(3, 'you have seat 3, not 2')}"]


def test_an_unreadable_move_is_answered_and_asked_again() -> None:
    scene = Scene(at())
    scene.news()
    with pytest.raises(Unreadable) as caught:
        FOUR.notation.read_move(b"<move><SOCDiceResult param='7'/></move>")
    scene.state.fault(3, caught.value)
    assert scene.news() == [f"p3:{decline(0, 'element SOCDiceResult is no message of a client')}"]
    assert scene.state.movers == (3,)


def test_after_many_refusals_the_program_decides() -> None:
    scene = Scene(at(state=15, dice=[12]))
    for _ in range(PATIENCE):
        scene.ask("f3:SOCEndTurn:game=test")
    assert scene.play.phase == 15
    scene.ask("f3:SOCEndTurn:game=test")
    assert scene.play.phase != 15


def test_the_refusals_of_one_do_not_use_up_the_patience_with_another() -> None:
    scene = Scene(at(seats={3: {"hand": [0, 1, 0, 0, 0]}}))
    trade = f"give={resources(ore=1)}|get={resources(wood=1)}"
    scene.ask(f"f3:SOCMakeOffer:game=test|from=3|to=true,false,false,false|{trade}")
    for _ in range(PATIENCE + 1):
        scene.ask("f0:SOCAcceptOffer:game=test|accepting=0|offering=2")
    assert list(scene.state.movers) == [3], "the program has answered for p0"
    scene.ask("f3:SOCRollDice:game=test")
    assert scene.play.phase == 20
