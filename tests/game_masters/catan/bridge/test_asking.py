"""Lines of clients: each request that there is, and what is no line at all."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game_masters.catan.bridge.asking import Asked, Request, Unreadable, Wish, read_line
from game_masters.catan.message.coding import from_text
from game_masters.catan.message.messages import as_move

REQUESTS = {
    "1009|g,3,1,103": "SOCPutPiece:game=g|playerNumber=3|pieceType=1|coord=67",
    "1031|g": "SOCRollDice:game=g",
    "1032|g": "SOCEndTurn:game=g",
    "1033|g,0,0,2,0,3,0": "SOCDiscard:game=g|resources=clay=0|ore=0|sheep=2|wheat=0|wood=3|unknown=0",
    "1034|g,3,-2316": "SOCMoveRobber:game=g|playerNumber=3|coord=-90c",
    "1035|g,-2": "SOCChoosePlayer:game=g|choice=-2",
    "1037|g,0": "SOCRejectOffer:game=g|playerNumber=0",
    "1038|g,0": "SOCClearOffer:game=g|playerNumber=0",
    "1039|g,0,3": "SOCAcceptOffer:game=g|accepting=0|offering=3",
    "1040|g,0,0,0,0,4,1,0,0,0,0": (
        "SOCBankTrade:game=g|give=clay=0|ore=0|sheep=0|wheat=0|wood=4|unknown=0|"
        "get=clay=1|ore=0|sheep=0|wheat=0|wood=0|unknown=0"
    ),
    "1041|g,3,false,true,true,false,0,0,1,0,0,0,1,0,0,0": (
        "SOCMakeOffer:game=g|from=3|to=false,true,true,false|give=clay=0|ore=0|sheep=1|wheat=0|wood=0|unknown=0|"
        "get=clay=0|ore=1|sheep=0|wheat=0|wood=0|unknown=0"
    ),
    "1043|g,-1": "SOCBuildRequest:game=g|pieceType=-1",
    "1044|g,1": "SOCCancelBuildRequest:game=g|pieceType=1",
    "1045|g": "SOCBuyDevCardRequest:game=g",
    "1049|g,9": "SOCPlayDevCardRequest:game=g|devCard=9",
    "1052|g,0,1,0,1,0": "SOCPickResources:game=g|resources=clay=0|ore=1|sheep=0|wheat=1|wood=0|unknown=0",
    "1053|g,3": "SOCPickResourceType:game=g|resType=3",
    "1093|g,3,3,3078,3846": "SOCMovePiece:game=g|pn=3|pieceType=3|fromCoord=c06|toCoord=f06",
}


@pytest.mark.parametrize(("line", "log"), REQUESTS.items())
def test_requests_are_read(line: str, log: str) -> None:
    assert read_line(line) == Request(as_move(from_text(log)[0]), "g")


def test_wishes_are_read() -> None:
    assert read_line("9998|2700,2.7.00,JX,;6pl;sb;") == Asked(Wish.SEND_VERSION, version=2700)
    assert read_line("1022|droid 1,secret,soc.robot.X") == Asked(Wish.ENTER_AS_ROBOT, "droid 1", "secret")
    assert read_line("1022|droid,soc.robot.X") == Asked(Wish.ENTER_AS_ROBOT, "droid")
    assert read_line("999|P,ann,1,\t,pw") == Asked(Wish.ENTER, "ann")
    assert read_line("1013|ann,\t,\t,Catan") == Asked(Wish.JOIN, "ann", game="Catan")
    assert read_line("1078|ann,\t,\t,Catan,PL=4,RD=f") == Asked(Wish.JOIN_NEW, "ann", game="Catan")
    assert read_line("1012|g,\t,2,true") == Asked(Wish.SIT_DOWN, game="g")
    assert read_line("1011|ann,-,g") == Asked(Wish.LEAVE, game="g")
    assert read_line("1008") == Asked(Wish.LEAVE_ALL)


@pytest.mark.parametrize("line", ["1058|g,2,-1", "1010|g\0ann\0hello", "9999|60000", "4242|x"])
def test_what_means_nothing_at_our_tables_is_passed_over(line: str) -> None:
    assert read_line(line) is None


@pytest.mark.parametrize(
    "line", ["", "hello", "1009", "1009|g,1", "1009|g,1,one,3", "1052|g,1,2", "1033|g,0,0,-2,0,3,0", "1035|g,99999999"]
)
def test_what_is_no_message_is_refused(line: str) -> None:
    with pytest.raises(Unreadable):
        read_line(line)


@given(st.sampled_from(sorted(REQUESTS)), st.integers(0, 40), st.text(max_size=5))
def test_a_broken_line_is_read_or_refused(line: str, at: int, text: str) -> None:
    with suppress(Unreadable):
        read_line(line[:at] + text + line[at + 1 :])
