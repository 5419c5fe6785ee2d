"""Logs: what is written is read back, as text and as XML; views leave out what others heard; bad logs are named."""

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from typer.testing import CliRunner

from game_masters.catan.game.options import SCENARIOS
from game_masters.catan.logs.action import Kind
from game_masters.catan.logs.extractor import NoStart, extract
from game_masters.catan.logs.soclog import BadLog, Log, log_of, read, read_xml, summary_of, write
from game_masters.catan.tools import app
from tests.game_masters.catan.logs.as_xml import write_xml
from tests.game_masters.catan.scene import Scene, at, played, resources
from tests.profile import sized

HEAD = "SOC game event log: type=F, version=2500, created_at=5, now=9, game_name=g"
START = "all:SOCVersion:2500|str=2.5.00|verBuild=X|feats=;ch;|cliLocale=(null)\nall:SOCNewGame:game=g\n"


def a_game(**options: str) -> Log:
    game = played(["settler"] * 3 + ["random-legal"], "a log", options)
    return log_of(game, [7 * number for number in range(len(game.record))], 1_700_000_000, 1_700_000_090)


@pytest.mark.parametrize("options", [{}, {"SC": "SC_CLVI"}, {"PLAY_FO": "t", "SC": "SC_FOG"}])
def test_a_log_is_read_as_it_was_written_as_text_and_as_xml(options: dict[str, str]) -> None:
    log = a_game(**options)
    text = write(log, ["End of log."])
    assert read(text) == log
    assert write(read(text)) == write(log)
    assert read_xml(ET.fromstring(write_xml(log))) == log


def test_comments_blank_lines_and_times_are_optional_and_all_prefixes_are_read() -> None:
    lines = (
        "p2:null", "!p2:SOCRollDicePrompt:game=g|playerNumber=1", "!p[3,2]:SOCClearTradeMsg:game=g|playerNumber=-1",
        "ob:SOCGameState:game=g|state=20", "un:SOCGameState:game=other|state=20",
        "f3:SOCRollDice:game=g", "fo:SOCRollDice:game=g",
        "all:SOCJoinGame:nickname=\t|host=-|game=g", "71:04.090:all:SOCGameServerText:game=g|text=a|b = c",
    )  # fmt: skip
    log = read(f"{HEAD}\n\n  # a comment\n{START}" + "\n".join(lines) + "\n")
    assert [str(entry) for entry in log.entries[2:]] == [line.replace("[3,2]", "[3, 2]") for line in lines]
    assert log.entries[-1].at == 71 * 60_000 + 4_090


def test_a_view_has_what_one_player_heard() -> None:
    log = read(f"{HEAD}\n{START}f1:SOCRollDice:game=g\np1:SOCDiscardRequest:game=g|numDiscards=4\nob:null\nun:null\n"
               "!p1:SOCClearOffer:game=g|playerNumber=-1\n!p[0, 2]:SOCClearOffer:game=g|playerNumber=-1\n")  # fmt: skip
    assert [str(entry.event.audience) for entry in log.view(1).entries[2:]] == ["p1", "!p[0, 2]"]
    assert [str(entry.event.audience) for entry in log.view(2).entries[2:]] == ["!p1"]
    assert [str(entry.event.audience) for entry in log.clients().entries[2:]] == [
        "p1", "ob", "un", "!p1", "!p[0, 2]",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no header"),
        (START, "header is missing"),
        (HEAD.replace("type=F", "type=X"), "type comes first"),
        (HEAD.replace("type=F", "type=FC"), "type comes first"),
        (HEAD.replace("type=F, ", ""), "type comes first"),
        (HEAD.replace("version=2500, ", ""), "version comes second"),
        (HEAD.replace("2500", "2499"), "version comes second"),
        (HEAD.replace("2500", "new"), "version comes second"),
        (HEAD.replace("game_name=g", "game_name="), "name comes last"),
        (HEAD.replace(", game_name=g", ""), "name comes last"),
        (HEAD.replace("game_name=g", "game_name=a\x07"), "name comes last"),
        (f"{HEAD}\n", "first event is not SOCVersion"),
        (f"{HEAD}\nall:SOCNewGame:game=g\n", "first event is not SOCVersion"),
        (f"{HEAD}\n{START.replace('2500', '2600')}", "has version 2500, SOCVersion has 2600"),
        (f"{HEAD}\n{START.splitlines()[0]}\n", "second event"),
        (f"{HEAD}\n{START.replace('game=g', 'game=h')}", "has game 'g', the second event has 'h'"),
    ],
)
def test_a_bad_log_is_refused_with_its_line(text: str, why: str) -> None:
    with pytest.raises(BadLog, match=why.replace("(", r"\(")):
        read(text)


# --- the extractor ----------------------------------------------------------------------------------------------------


def kinds(log: Log, view: int | None = None) -> list[str]:
    """The actions after the beginning."""
    found = extract(log, view)
    number = next(place for place, one in enumerate(found) if one.kind is Kind.LOG_START_TO_STARTGAME)
    return [f"{one.kind.name} {one.found.p1} {one.found.p2} {one.found.p3}" for one in found[number + 1 :]]


def test_the_actions_of_a_scripted_turn_and_what_others_know_of_them() -> None:
    seats = {3: {"hand": [0, 4, 8, 4, 0], "cards": ["SOLDIER"]}, 2: {"hand": [1, 0, 0, 0, 0]}}
    scene = Scene(at(state=15, dice=[7], deck=["MARKET"], thefts=["clay"], seats=seats))
    ore, wood = resources(ore=4), resources(wood=1)
    for line in (
        "f3:SOCRollDice:game=test",
        f"f3:SOCDiscard:game=test|resources={resources(sheep=8)}",
        "f3:SOCMoveRobber:game=test|playerNumber=3|coord=79",
        f"f3:SOCBankTrade:game=test|give={ore}|get={wood}",
        "f3:SOCPutPiece:game=test|playerNumber=3|pieceType=0|coord=a6",
        "f3:SOCEndTurn:game=test",
    ):  # fmt: skip
        scene.ask(line)
    log = log_of(scene.play)
    assert kinds(log)[-9:] == [
        "TURN_BEGINS 3 0 0", "ROLL_DICE 7 0 0", "DISCARD 3 0 0", "MOVE_ROBBER_OR_PIRATE 1 121 0", "ROB_PLAYER 2 0 0",
        "TRADE_BANK 0 0 0", "BUILD_PIECE 0 166 3", "END_TURN 0 0 0", "TURN_BEGINS 0 0 0",
    ]  # fmt: skip
    own, other = extract(log, 3), extract(log, 1)
    assert [one.found.first for one in own if one.kind is Kind.DISCARD] == [(0, 0, 8, 0, 0, 0)]
    assert [one.found.first for one in other if one.kind is Kind.DISCARD] == [(0, 0, 0, 0, 0, 8)]
    assert [one.found.first for one in own if one.kind is Kind.ROB_PLAYER] == [(1, 0, 0, 0, 0, 0)]
    assert [one.found.first for one in other if one.kind is Kind.ROB_PLAYER] == [(0, 0, 0, 0, 0, 1)]
    assert kinds(log, 1)[-9:] == kinds(log)[-9:]


ROADS = ["f3:SOCPlayDevCardRequest:game=test|devCard=1", "f3:SOCPutPiece:game=test|playerNumber=3|pieceType=0|coord=a6"]
CANCEL, END = "f3:SOCCancelBuildRequest:game=test|pieceType=0", "f3:SOCEndTurn:game=test"


@pytest.mark.parametrize("view", [None, 3, 0])
@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ([*ROADS, "f3:SOCPutPiece:game=test|playerNumber=3|pieceType=0|coord=a5"], ["PLAY_DEV_CARD 1 166 165"]),
        ([*ROADS, CANCEL], ["PLAY_DEV_CARD 1 166 2147483647"]),
        ([ROADS[0], CANCEL], ["PLAY_DEV_CARD 1 2147483647 2147483647"]),
        ([*ROADS, END], ["PLAY_DEV_CARD 1 166 2147483647", "END_TURN 0 0 0", "TURN_BEGINS 0 0 0"]),
        ([ROADS[0], END], ["PLAY_DEV_CARD 1 2147483647 2147483647", "END_TURN 0 0 0", "TURN_BEGINS 0 0 0"]),
    ],
)
def test_road_building_in_all_its_forms(view: int | None, lines: list[str], found: list[str]) -> None:
    scene = Scene(at(seats={3: {"cards": ["ROADS"]}}))
    for line in lines:
        scene.ask(line)
    assert kinds(log_of(scene.play), view)[-len(found) :] == found


@pytest.mark.parametrize("view", [None, 3, 0])
def test_before_a_turn_ends_in_road_building_others_may_ask_for_special_building(view: int | None) -> None:
    scene = Scene(
        {"turn": 3, "state": 20, "seats": [{}, {}, {}, {"settlements": ["36"], "cards": ["ROADS"]}]}, players=5
    )
    for line in (
        ROADS[0],
        END,
        "f4:SOCBuildRequest:game=test|pieceType=-1",
        *(f"f{seat}:SOCEndTurn:game=test" for seat in (0, 1, 2)),
    ):
        scene.ask(line)
    assert kinds(log_of(scene.play), view)[-4:] == [
        "PLAY_DEV_CARD 1 2147483647 2147483647",
        "ASK_SPECIAL_BUILDING 4 0 0",
        "END_TURN 0 0 0",
        "TURN_BEGINS 4 0 0",
    ]


@pytest.mark.parametrize("view", [None, 3, 0])
def test_ships_that_reach_a_village_are_placed_and_moved(view: int | None) -> None:
    seat = {"settlements": ["606"], "ships": ["606"], "hand": [0, 0, 1, 0, 1]}
    scene = Scene({"turn": 3, "state": 20, "seats": [{}, {}, {}, seat]}, {"SC": "SC_CLVI"})
    scene.ask("f3:SOCMovePiece:game=test|pn=3|pieceType=3|fromCoord=606|toCoord=706")
    assert kinds(log_of(scene.play), view)[-1:] == [f"MOVE_PIECE 3 {0x606} {0x706}"]
    start = Scene({"first": 3}, {"SC": "SC_CLVI"})
    start.ask("f3:SOCPutPiece:game=test|playerNumber=3|pieceType=1|coord=606")
    start.ask("f3:SOCPutPiece:game=test|playerNumber=3|pieceType=3|coord=706")
    assert kinds(log_of(start.play), view)[-2:] == [f"BUILD_PIECE 3 {0x706} 3", "TURN_BEGINS 0 0 0"]


def test_a_refused_request_is_unknown() -> None:
    scene = Scene(at(state=15))
    scene.ask("f3:SOCEndTurn:game=test")
    scene.ask("f3:SOCRollDice:game=test")
    assert [line.split()[0] for line in kinds(log_of(scene.play))[-3:]] == ["TURN_BEGINS", "UNKNOWN", "ROLL_DICE"]


HIDDEN = {Kind.CHOOSE_ROBBERY_VICTIM, Kind.CHOOSE_ROB_CLOTH_OR_RESOURCE}
"""Actions of which others hear nothing."""
GAMES: list[tuple[int, dict[str, str]]] = [
    (players, options) for options in ({}, {"SBL": "t"}, *({"SC": name} for name in SCENARIOS)) for players in (4, 6)
]


@pytest.mark.parametrize(("players", "options"), sized(quick=[GAMES[-1], GAMES[4]], deep=GAMES), ids=str)
def test_each_view_has_the_actions_of_the_full_log_but_for_what_it_did_not_hear(
    players: int, options: dict[str, str]
) -> None:
    bots = ["random-legal", "settler"] * (players // 2)
    log = log_of(played(bots, "views", options))

    def actions(view: int | None) -> list[tuple[object, ...]]:
        told = [one for one in extract(log, view)[1:] if one.kind not in HIDDEN]
        return [(one.kind, one.found.p1 if one.kind is not Kind.BUY_DEV_CARD else 0, one.found.p3) for one in told]

    everything = actions(None)
    assert Kind.UNKNOWN not in {kind for kind, *_ in everything}
    for view in range(players):
        assert actions(view) == everything


@pytest.mark.parametrize("options", [{}, {"SC": "SC_CLVI"}, {"SC": "SC_FOG", "PLAY_FO": "t"}])
def test_each_event_of_a_game_belongs_to_one_action_and_none_is_unknown(options: dict[str, str]) -> None:
    log = a_game(**options)
    for view in (None, 0, 3):
        found = extract(log, view)
        heard = log.events if view is None else log.view(view).events
        assert [event for one in found for event in one.events] == heard
        assert not [one for one in found if one.kind is Kind.UNKNOWN]
        assert found[-1].kind is Kind.GAME_OVER


def test_a_log_without_a_start_has_no_actions() -> None:
    with pytest.raises(NoStart):
        extract(read(f"{HEAD}\n{START}"))


def test_the_command_lists_actions_and_says_what_is_wrong(tmp_path: Path) -> None:
    log = a_game()
    game = played(["settler"] * 4, "x", {})
    (tmp_path / "game.soclog").write_text(write(log, summary_of(game)), encoding="utf-8")
    shown = CliRunner().invoke(app, ["extract", str(tmp_path / "game.soclog"), "--view", "1"])
    assert shown.exit_code == 0
    assert len(shown.stdout.splitlines()) == len(extract(log, 1))
    (tmp_path / "bad.soclog").write_text("hello", encoding="utf-8")
    failed = CliRunner().invoke(app, ["extract", str(tmp_path / "bad.soclog")])
    assert failed.exit_code == 1
    assert "header is missing" in failed.stderr
