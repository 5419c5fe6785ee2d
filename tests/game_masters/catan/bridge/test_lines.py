"""What the master says, as JSettlers writes it: each line was compared with what its own classes write."""

import pytest

from game_masters.catan.bridge.lines import line_of, name_of, text_of
from game_masters.catan.message.coding import from_text

# What a log says, and the line that clients of JSettlers read.
WRITTEN = {
    "SOCDiceResult:game=g|param=9": "1028|g,9",
    "SOCPutPiece:game=g|playerNumber=3|pieceType=1|coord=67": "1009|g,3,1,103",
    "SOCMovePiece:game=g|pn=3|pieceType=3|fromCoord=c06|toCoord=f06": "1093|g,3,3,3078,3846",
    "SOCTurn:game=g|playerNumber=2|gameState=15": "1026|g,2,15",
    "SOCGameState:game=g|state=20": "1025|g,20",
    "SOCStartGame:game=g|gameState=5": "1018|g,5",
    "SOCRollDicePrompt:game=g|playerNumber=2": "1072|g,2",
    "SOCSitDown:game=g|nickname=ann|playerNumber=0|robotFlag=false": "1012|g,ann,0,false",
    "SOCPlayerElements:game=g|playerNum=2|actionType=GAIN|e1=2,e5=1": "1086|g|2|101|1|2|5|1",
    "SOCPlayerElement:game=g|playerNum=3|actionType=GAIN|elementType=3|amount=1|news=Y": "1024|g,3,101,3,1,Y",
    "SOCPlayerElement:game=g|playerNum=3|actionType=SET|elementType=19|amount=0": "1024|g,3,100,19,0",
    "SOCGameElements:game=g|e6=3": "1096|g|6|3",
    "SOCDiceResultResources:game=g|p=2|p=2|p=4|p=1|p=4|p=0|p=3|p=7|p=1|p=4": "1092|g|2|2|4|1|4|0|3|7|1|4",
    "SOCDiscardRequest:game=g|numDiscards=4": "1029|g,4",
    "SOCDiscard:game=g|playerNum=2|resources=clay=0|ore=0|sheep=0|wheat=3|wood=1|unknown=0": "1033|g,p2,0,0,0,3,1,0",
    "SOCPickResources:game=g|resources=clay=0|ore=1|sheep=0|wheat=1|wood=0|unknown=0|pn=3|reason=2": (
        "1052|g,0,1,0,1,0,3,2"
    ),
    "SOCMoveRobber:game=g|playerNumber=3|coord=-90c": "1034|g,3,-2316",
    "SOCChoosePlayerRequest:game=g|choices=[true, false, true, false]": "1036|g,true,false,true,false",
    "SOCRobberyResult:game=g|perp=3|victim=2|resType=6|amount=1|isGainLose=true": "1102|g,3,2,R,6,1,T",
    "SOCRobberyResult:game=g|perp=3|victim=2|peType=SCENARIO_CLOTH_COUNT|amount=4|isGainLose=false|victimAmount=3": (
        "1102|g,3,2,E,106,4,F,3"
    ),
    "SOCDevCardAction:game=g|playerNum=3|actionType=DRAW|cardType=5": "1046|g,3,0,5",
    "SOCDevCardAction:game=g|playerNum=2|actionType=ADD_OLD|cardTypes=[5, 4]": "1046|g,2,3,5,4",
    "SOCSimpleAction:game=g|pn=3|actType=1|v1=22|v2=0": "1090|g,3,1,22,0",
    "SOCMakeOffer:game=g|from=3|to=false,false,true,false|give=clay=0|ore=0|sheep=1|wheat=0|wood=1|unknown=0|"
    "get=clay=0|ore=1|sheep=0|wheat=0|wood=0|unknown=0": "1041|g,3,false,false,true,false,0,0,1,0,1,0,1,0,0,0",
    "SOCBankTrade:game=g|give=clay=0|ore=0|sheep=0|wheat=0|wood=4|unknown=0|get=clay=1|ore=0|sheep=0|wheat=0|wood=0|"
    "unknown=0|pn=3": "1040|g,0,0,0,0,4,1,0,0,0,0,3",
    "SOCAcceptOffer:game=g|accepting=2|offering=3": "1039|g,2,3",
    "SOCRejectOffer:game=g|playerNumber=2|reasonCode=1": "1037|g,2,1",
    "SOCClearOffer:game=g|playerNumber=-1": "1038|g,-1",
    "SOCRevealFogHex:game=g|hexCoord=908|hexType=3|diceNum=4": "10001|g,2312,3,4",
    "SOCPieceValue:game=g|pieceType=5|coord=806|pv1=4|pv2=0": "1095|g,5,2054,4,0",
    "SOCDeclinePlayerRequest:game=g|state=0|reason=4|detail1=0|detail2=102|text=no road there": (
        "1104|g,0,4,0,102,no road there"
    ),
    "SOCGameStats:game=g|2|10|3|0|false|false|true|false": "1061|g,2,10,3,0,false,false,true,false",
    "SOCPlayerStats:game=g|p=1|p=2|p=6|p=0|p=5|p=1": "1085|g|1|2|6|0|5|1",
    "SOCBoardLayout2:game=g|bef=3|RH=1795|LH={ 305 1 5 }": "1084|g,3,RH,1795,LH,[3,773,1,5",
    "SOCPotentialSettlements:game=g|playerNum=-1|list=(null)|pan=1|la1=23 25 |la2=90 ": (
        "1057|g,-1,NA,2,PAN,1,LA1,35,37,LA2,144"
    ),
    "SOCGameServerText:game=g|text=a, b": "1091|g\x01a; b",
}


@pytest.mark.parametrize(("log", "line"), WRITTEN.items())
def test_lines_are_as_jsettlers_writes_them(log: str, line: str) -> None:
    assert line_of(from_text(log)[0], "g") == line


def test_there_is_no_line_for_what_only_clients_say() -> None:
    assert line_of(from_text("SOCRollDice:game=g")[0], "g") is None


def test_no_text_can_pretend_to_be_a_value() -> None:
    assert text_of("a|b,c\0d\x01e\n", 99) == "a/b;c d e "
    assert text_of("", 9) == " "
    assert name_of("two words, and more|" + "x" * 99) == ("two_words;_and_more/" + "x" * 99)[:64]
