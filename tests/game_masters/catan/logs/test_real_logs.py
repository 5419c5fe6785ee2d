"""Logs as real servers write them: each line is read, none stops the reader, and each event belongs to one action.

The logs here are of our own writing and hold what was found in real ones. Where the variable UGS_SOCLOGS names a
folder, the same is claimed of every ``.soclog`` in it, but of those called ``test-…``, which are wrong on purpose.
"""

import os
import re
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

import pytest
from typer.testing import CliRunner

from game_masters.catan.logs.action import Kind
from game_masters.catan.logs.extractor import extract
from game_masters.catan.logs.soclog import Log, read, read_xml, write
from game_masters.catan.message.board_messages import BoardLayout, PotentialSettlements
from game_masters.catan.message.gain_messages import GameStats, Score
from game_masters.catan.message.message import Other, Unread
from game_masters.catan.message.messages import DeclinePlayerRequest
from game_masters.catan.tools import MAX_NAMED, app
from tests.game_masters.catan.logs.as_xml import write_xml

HEAD = """\
SOC game event log: type=F, version=2700, created_at=5, now=9, game_name=g
all:SOCVersion:2700|str=2.7.00|verBuild=X|feats=;ch;|cliLocale=(null)
all:SOCNewGame:game=g
"""
START = "all:SOCStartGame:game=g|gameState=15\nall:SOCTurn:game=g|playerNumber=2|gameState=20\n"
BOARD = """\
ob:SOCBoardLayout:game=g|hexLayout={ 6 6 }|numberLayout={ -1 -1 }|robberHex=0xffffffff
ob:SOCBoardLayout:game=g|hexLayout={ 6 6 }|numberLayout={ -1 -1 }|robberHex=0x9b
ob:SOCPotentialSettlements:game=g|playerNum=-1|list=(empty)
ob:SOCPotentialSettlements:game=g|playerNum=3|list=23 c04
ob:SOCPotentialSettlements:game=g|playerNum=0|list=802 a03 |pan=0|la1=802 a03 |la2=60d
ob:SOCPotentialSettlements:game=g|playerNum=-1|list=(fromAllLANodes)|pan=1|la1=802 |lse=1 2|3 4
"""
DECLINES = """\
p2:SOCDeclinePlayerRequest:game=g|state=0|reason=3
p2:SOCDeclinePlayerRequest:game=g|state=20|reason=4|detail1=1|detail2=3075
"""
TIMING = """\
p2:SOCGameStats:game=g|stype=2|1700000000|90|30
f2:SOCGameStats:game=g|stype=2
all:SOCGameStats:game=g|2|10|false|true
"""
STRANGE = """\
p2:SOCGameStats:game=g|stype=two|1700000000|90|30
all:SOCDiceResult:game=g|param=six
all:SOCTomorrow:anything|at=all
everybody:SOCRollDice:game=g
all:hello <&"
1:2:all:SOCRollDice:game=g
0:03.005:all:SOCBankTrade:game=g|give=clay=1
"""
OWN = {"boards": BOARD + START, "declines": START + DECLINES, "timing": TIMING + START, "strange": START + STRANGE}


def logs() -> dict[str, str]:
    """All logs by name."""
    folder = os.environ.get("UGS_SOCLOGS", "")
    files = sorted(Path(folder).rglob("*.soclog")) if folder else []
    assert bool(files) is bool(folder), f"UGS_SOCLOGS={folder}: no .soclog in it"
    real = {file.name: file.read_text("utf-8") for file in files if not file.name.startswith("test-")}
    return {**{name: HEAD + text for name, text in OWN.items()}, **real}


LOGS = logs()


@pytest.mark.parametrize("name", LOGS)
def test_every_line_comes_back_as_it_was_in_text_and_in_xml(name: str) -> None:
    log = read(LOGS[name])
    lines = [line.strip() for line in LOGS[name].splitlines() if line.strip() and not line.strip().startswith("#")]
    written = [line.rstrip() for line in write(log).splitlines()]
    assert [re.sub(", ?", ",", line) for line in written[1:]] == [re.sub(", ?", ",", line) for line in lines[1:]]
    again = read_xml(ET.fromstring(write_xml(log)))
    assert again.entries == log.entries
    assert len(again.kept) <= len(log.kept)


@pytest.mark.parametrize("name", LOGS)
def test_each_event_belongs_to_one_action_in_the_log_and_in_each_view(name: str) -> None:
    log = read(LOGS[name])
    for view in (None, *range(6)):
        heard = log.events if view is None else log.view(view).events
        assert [event for action in extract(log, view) for event in action.events] == heard


def test_nearly_all_that_real_players_do_is_an_action() -> None:
    actions = [one.kind for name in LOGS if name not in OWN for one in extract(read(LOGS[name]))]
    unknown = actions.count(Kind.UNKNOWN)
    assert unknown * 20 <= len(actions), Counter(actions)
    assert actions or not os.environ.get("UGS_SOCLOGS")


def of(kind: type, log: Log) -> list[object]:
    """The messages of a kind."""
    return [event.message for event in log.events if isinstance(event.message, kind)]


def test_boards_that_are_not_laid_yet_and_lists_without_nodes_are_understood() -> None:
    log = read(HEAD + BOARD + START)
    assert not log.kept
    assert [dict(board.parts)["robberHex"] for board in of(BoardLayout, log)] == [-1, 0x9B]  # type: ignore[attr-defined]
    assert of(PotentialSettlements, log) == [
        PotentialSettlements(-1, ()),
        PotentialSettlements(3, (0x23, 0xC04)),
        PotentialSettlements(0, (0x802, 0xA03), (0, ((0x802, 0xA03), (0x60D,)))),
        PotentialSettlements(-1, "(fromAllLANodes)", (1, ((0x802,),)), "1 2|3 4"),
    ]


def test_when_a_game_was_created_is_understood_beside_the_points_at_its_end() -> None:
    log = read(HEAD + TIMING + START)
    assert not log.kept
    assert of(GameStats, log) == [
        GameStats((), (2, 1700000000, 90, 30)), GameStats((), (2,)), GameStats((Score(2, False), Score(10, True))),
    ]  # fmt: skip


def test_a_place_in_a_decline_is_decimal_and_may_be_missing() -> None:
    log = read(HEAD + START + DECLINES)
    assert not log.kept
    assert of(DeclinePlayerRequest, log) == [
        DeclinePlayerRequest(0, 3),
        DeclinePlayerRequest(20, 4, 1, 0xC03),
    ]


def test_what_is_not_understood_stands_as_it_is_and_is_named() -> None:
    log = read(HEAD + START + STRANGE)
    assert [one.place for one in log.kept] == [f"line {number}" for number in (6, 7, 9, 10, 11, 12)]
    assert [str(one) for one in log.kept][1:4] == [
        "line 7: SOCDiceResult: param: 'six' is no decimal number",
        "line 9: 'everybody' is no audience",
        "line 10: 'hello <&\"' is no message",
    ]
    assert len(of(Other, log)) == 4
    assert len(of(Unread, log)) == 3
    assert log.entries[-1].at == 3005


def test_the_command_names_what_it_did_not_understand_and_lists_the_actions(tmp_path: Path) -> None:
    file = tmp_path / "game.soclog"
    file.write_text(HEAD + START + "all:SOCDiceResult:game=g|param=six\n" * (MAX_NAMED + 2), "utf-8")
    shown = CliRunner().invoke(app, ["extract", str(file)])
    assert shown.exit_code == 0
    assert "TURN_BEGINS 2 0 0" in shown.stdout
    said = shown.stderr.splitlines()
    assert said[0] == f"ugs catan: {file}: 22 not understood, kept as they stand:"
    assert said[1] == "  line 6: SOCDiceResult: param: 'six' is no decimal number"
    assert (len(said), said[-1]) == (MAX_NAMED + 2, "  and 2 more")


BUILD = """\
f2:SOCBuildRequest:game=g|pieceType=0
all:SOCPlayerElements:game=g|playerNum=2|actionType=LOSE|e1=1,e5=1
all:SOCGameState:game=g|state=30
"""
PUT = """\
f2:SOCPutPiece:game=g|playerNumber=2|pieceType=0|coord=a6
all:SOCGameServerText:game=g|text=p2 built a road.
all:SOCPutPiece:game=g|playerNumber=2|pieceType=0|coord=a6
all:SOCGameState:game=g|state=20
"""
REJECTED = "all:SOCRejectOffer:game=g|playerNumber=1\n"
BOUGHT = """\
f2:SOCBuyDevCardRequest:game=g
all:SOCPlayerElements:game=g|playerNum=2|actionType=LOSE|e2=1,e3=1,e4=1
all:SOCGameElements:game=g|e2=24
p2:SOCDevCardAction:game=g|playerNum=2|actionType=DRAW|cardType=5
!p2:SOCDevCardAction:game=g|playerNum=2|actionType=DRAW|cardType=0
all:SOCSimpleAction:game=g|pn=2|actType=1|v1=24|v2=0
all:SOCGameState:game=g|state=20
"""


def kinds(text: str, view: int | None) -> list[str]:
    """The actions behind the beginning of the turn."""
    return [f"{one.kind.name} {one.found.p1} {one.found.p2}" for one in extract(read(HEAD + START + text), view)[2:]]


@pytest.mark.parametrize("view", [0, 2])
def test_in_a_view_others_speak_between_the_cost_and_the_piece(view: int) -> None:
    assert kinds(BUILD + REJECTED + PUT, view) == ["BUILD_PIECE 0 166"]
    assert kinds(BUILD + PUT, view) == ["BUILD_PIECE 0 166"]


@pytest.mark.parametrize("view", [None, 0, 2])
def test_money_that_is_given_back_is_no_piece(view: int | None) -> None:
    back = """\
f2:SOCCancelBuildRequest:game=g|pieceType=0
all:SOCPlayerElements:game=g|playerNum=2|actionType=GAIN|e1=1,e5=1
all:SOCGameState:game=g|state=20
"""
    assert kinds(BUILD + back, view) == ["CANCEL_BUILT_PIECE 0 0"]


@pytest.mark.parametrize(("view", "card"), [(None, 5), (2, 5), (0, 0)])
def test_a_card_may_be_bought_with_the_number_of_those_left(view: int | None, card: int) -> None:
    assert kinds(BOUGHT, view) == [f"BUY_DEV_CARD {card} 24"]


def test_texts_belong_to_the_next_action_and_the_last_ones_to_the_last() -> None:
    said = "all:SOCGameServerText:game=g|text=hello\n"
    log = read(HEAD + said + START.replace("\nall:SOCTurn", f"\n{said}all:SOCTurn") + said + BUILD + PUT + said)
    assert [(one.kind.name, len(one.events)) for one in extract(log)] == [
        ("LOG_START_TO_STARTGAME", 4), ("TURN_BEGINS", 2), ("BUILD_PIECE", 9),
    ]  # fmt: skip


REFUSED = """\
f2:SOCPutPiece:game=g|playerNumber=2|pieceType=0|coord=b6
p2:SOCDeclinePlayerRequest:game=g|state=0|reason=4|detail1=0|detail2=182|text=You can't build a road there.
p2:SOCCancelBuildRequest:game=g|pieceType=0
"""
BACK = """\
f2:SOCCancelBuildRequest:game=g|pieceType=0
all:SOCPlayerElements:game=g|playerNum=2|actionType=GAIN|e1=1,e5=1
all:SOCGameState:game=g|state=20
"""


@pytest.mark.parametrize("view", [0, 2])
def test_a_refused_place_stands_between_the_cost_and_the_piece_or_the_money_back(view: int) -> None:
    assert kinds(BUILD + REFUSED + PUT, view) == ["BUILD_PIECE 0 166"]
    assert kinds(BUILD + REFUSED + REJECTED + BACK, view) == ["CANCEL_BUILT_PIECE 0 0"]


OWN_SPECIAL = """\
all:SOCTurn:game=g|playerNumber=2|gameState=15
f2:SOCBuildRequest:game=g|pieceType=-1
all:SOCPlayerElement:game=g|playerNum=2|actionType=SET|elementType=16|amount=1
all:SOCClearOffer:game=g|playerNumber=-1
all:SOCTurn:game=g|playerNumber=2|gameState=100
f2:SOCEndTurn:game=g
all:SOCPlayerElement:game=g|playerNum=2|actionType=SET|elementType=16|amount=0
all:SOCClearOffer:game=g|playerNumber=-1
all:SOCTurn:game=g|playerNumber=2|gameState=15
"""


@pytest.mark.parametrize("view", [None, 0, 2])
def test_who_asks_for_special_building_in_the_own_turn_ends_that_turn_twice(view: int | None) -> None:
    assert kinds(OWN_SPECIAL, view) == [
        "TURN_BEGINS 2 0", "ASK_SPECIAL_BUILDING 2 0", "END_TURN 0 0", "TURN_BEGINS 2 0", "END_TURN 0 0",
        "TURN_BEGINS 2 0",
    ]  # fmt: skip


def test_texts_after_what_is_unknown_belong_to_the_next_action() -> None:
    unknown = "all:SOCResourceCount:game=g|playerNum=1|count=7\n"
    said = "all:SOCGameServerText:game=g|text=hello\n"
    log = read(HEAD + START + unknown + said + unknown + said + BUILD + PUT)
    assert [(one.kind.name, len(one.events)) for one in extract(log)[2:]] == [("UNKNOWN", 3), ("BUILD_PIECE", 8)]


@pytest.mark.parametrize("view", [0, 2])
def test_a_payment_comes_back_as_the_server_ends_a_turn(view: int) -> None:
    special = START.replace("gameState=20", "gameState=100")
    asked_no_more = "all:SOCPlayerElement:game=g|playerNum=2|actionType=SET|elementType=16|amount=0\n"
    forced = asked_no_more + BACK.splitlines()[1] + "\n" + asked_no_more
    forced += "all:SOCClearOffer:game=g|playerNumber=-1\nall:SOCTurn:game=g|playerNumber=3|gameState=100\n"
    found = extract(read(HEAD + special + BUILD + forced), view)
    assert [one.kind.name for one in found[2:]] == ["CANCEL_BUILT_PIECE", "END_TURN", "TURN_BEGINS"]
