"""Replays of logs: our own come out equal, what is changed in them is found, and so are turns that a server ends.

Where the variable UGS_SOCLOGS names a folder, whole games of real servers in it come out equal as well.
"""

import os
import re
from functools import cache
from pathlib import Path

import pytest
from typer.testing import CliRunner

from game_masters.catan.logs.extractor import extract
from game_masters.catan.logs.soclog import Log, log_of, read_any, write
from game_masters.catan.replay.comparison import Comparison, compare
from game_masters.catan.replay.logged_game import CannotReplay
from game_masters.catan.tools import app
from tests.game_masters.catan.logs.as_xml import write_xml
from tests.game_masters.catan.scene import played, resources
from tests.profile import sized

BOARDS: list[tuple[int, dict[str, str]]] = [
    (4, {}),
    (3, {"PLAY_FO": "t"}),
    (4, {"SC": "SC_FOG"}),
    (4, {"SC": "SC_TTD", "PLAY_VPO": "t"}),
    (4, {"SC": "SC_CLVI"}),
    (6, {}),
    (5, {"SC": "SC_FOG"}),
]
SUMMARY = """\
55 requests; 154 of 154 lines of the server are equal, 0 only in the log, 0 only ours, in 0 places
"""


@cache
def game(players: int = 4, seed: str = "replay", **options: str) -> Log:
    """The log of a game of settlers."""
    return log_of(played(["settler"] * players, seed, options))


def put(log: Log, before: str, *lines: str) -> str:
    """The log as text with lines of the server before the first line that begins so, behind the start."""
    text = write(log).splitlines()
    start = next(number for number, line in enumerate(text) if "SOCStartGame" in line)
    place = next(number for number, line in enumerate(text) if number > start and line.startswith(before))
    return "\n".join([*text[:place], *lines, *text[place:]])


def replayed(text: str) -> Comparison:
    return compare(read_any(text))


@pytest.mark.parametrize(("players", "options"), BOARDS, ids=str)
def test_our_own_logs_come_out_equal_in_text_and_in_xml(players: int, options: dict[str, str]) -> None:
    for seed in range(sized(quick=1, deep=20)):
        log = game(players, f"replay {seed}", **options)
        found = compare(log)
        assert (found.missing, found.added, found.differences) == (0, 0, []), found.differences[0]
        assert found.equal > found.requests > 100
        assert replayed(write_xml(log)) == found


def test_a_line_that_the_rules_do_not_bring_is_found_with_its_request() -> None:
    found = replayed(put(game(), "all:SOCDiceResultResources", "all:SOCResourceCount:game=x|playerNum=1|count=77"))
    (one,) = found.differences
    assert (found.missing, found.added) == (1, 0)
    assert "SOCRollDice" in one.request
    assert "-all:SOCResourceCount:game=|playerNum=1|count=77" in one.lines
    assert str(one).startswith(f"event {one.place}: f")


def test_resources_that_a_person_with_that_right_gives_are_taken_over() -> None:
    give, get = resources(clay=12), resources(wood=3)
    traded = f"give={give}|get={get}"
    given = [
        "all:SOCPlayerElements:game=x|playerNum=0|actionType=GAIN|e1=12", f"f0:SOCBankTrade:game=x|{traded}",
        f"all:SOCBankTrade:game=x|{traded}|pn=0",
    ]  # fmt: skip
    found = replayed(put(game(), "f0:SOCEndTurn", *given))
    assert "-all:SOCPlayerElements:game=|playerNum=0|actionType=GAIN|e1=12" in found.differences[0].lines
    assert not any("SOCBankTrade" in line for one in found.differences[:1] for line in one.lines if line[0] != " ")


def test_messages_and_options_that_are_not_known_are_named() -> None:
    text = put(game(), "f0:SOCEndTurn", "all:SOCTomorrow:game=x", "all:SOCChangeFace:game=x|playerNumber=0|faceId=3")
    found = replayed(text.replace("param2=PL", "param2=UBL=t7,PL"))
    assert found.differences == []
    assert found.summary().splitlines()[1:] == [
        "options that are not known here: UBL=t7",
        "messages that are not known here: SOCTomorrow (1)",
    ]


def test_a_server_ends_the_turn_of_who_does_not_move() -> None:
    log = game(6, "replay 0")
    text = write(log)
    lines = text.splitlines()
    asked = next(number for number, line in enumerate(lines) if line.endswith("|gameState=100"))
    seat = lines[asked].partition("playerNumber=")[2][0]
    end = next(number for number, line in enumerate(lines) if number > asked and "SOCTurn" in line)
    ended = f"all:SOCPlayerElement:game=test|playerNum={seat}|actionType=SET|elementType=16|amount=0"
    forced = [*lines[: asked + 1], ended, "all:SOCClearOffer:game=test|playerNumber=-1", *lines[end : end + 2]]
    found = replayed("\n".join(forced))
    assert found.differences == []


def by_force(log: Log, request: str) -> str:
    """The log as if the server had met the first request of this kind itself: a discard, or a pick from gold."""
    lines = write(log).splitlines()
    asked = next(
        number
        for number, line in enumerate(lines)
        if re.match(rf"f\d:{request}:", line) and "reason=2" not in lines[number + 1]
    )
    seat = lines[asked][1]
    done, rest = [], lines[asked + 1 :]
    while request in rest[0]:
        audience, kind = rest.pop(0).split(":", 1)
        counts = [int(count) for count in re.findall(r"=(\d+)", kind.partition("resources=")[2])][:6]
        lost = [(element, count) for element, count in enumerate(counts, 1) if count]
        for number, (element, count) in enumerate(lost if request == "SOCDiscard" else ()):
            news = "|news=Y" if number == 0 else ""
            what = f"playerNum={seat}|actionType=LOSE|elementType={element}|amount={count}{news}"
            done.append(f"{audience}:SOCPlayerElement:game=test|{what}")
        if request == "SOCPickResources":
            done.append(f"{audience}:{kind.replace('reason=3', 'reason=1')}")
    return "\n".join([*lines[:asked], *done, *rest])


@pytest.mark.parametrize("open_cards", [{}, {"PLAY_FO": "t"}], ids=["hidden", "open"])
def test_a_server_discards_for_who_does_not_answer(open_cards: dict[str, str]) -> None:
    log = game(4, "replay 0", **open_cards)
    found = replayed(by_force(log, "SOCDiscard"))
    assert found.differences == [], found.differences[0]
    assert found.requests == compare(log).requests - 1


def test_a_server_picks_from_gold_for_who_does_not_answer() -> None:
    log = game(4, "replay 0", SC="SC_TTD")
    found = replayed(by_force(log, "SOCPickResources"))
    assert found.differences == [], found.differences[0]
    assert found.requests == compare(log).requests - 1


def test_what_is_lost_without_a_discard_being_due_is_a_difference() -> None:
    lost = "playerNum=1|actionType=LOSE|elementType=1|amount=5|news=Y"
    found = replayed(put(game(), "f0:SOCEndTurn", f"p1:SOCPlayerElement:game=x|{lost}"))
    assert found.missing >= 1


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda text: text.replace("type=F", "type=C"), "no requests"),
        (lambda text: text.replace("all:SOCStartGame", "all:SOCTomorrow"), "no SOCStartGame"),
        (lambda text: text.replace("all:SOCSitDown", "all:SOCTomorrow"), "no player sits down"),
        (lambda text: text.replace("all:SOCBoardLayout", "ob:SOCBoardLayout"), "no board is described"),
        (lambda text: text.replace("param2=PL=4", "param2=SC=SC_WOND"), "option SC: 'SC_WOND' is not allowed"),
        (lambda text: text.replace("hexLayout={ ", "hexLayout={ 6 6 "), "the board is not one of ours"),
    ],
)
def test_what_cannot_be_replayed_says_why(change: object, why: str) -> None:
    assert callable(change)
    with pytest.raises(CannotReplay, match=why):
        replayed(change(write(game())))


def test_the_command_says_what_is_equal_and_shows_the_first_differences(tmp_path: Path) -> None:
    file = tmp_path / "game.soclog"

    def run(text: str, *options: str) -> tuple[int, str]:
        file.write_text(text, "utf-8")
        shown = CliRunner().invoke(app, ["replay", str(file), *options])
        return shown.exit_code, shown.output

    text = write(game())
    code, said = run(text)
    assert (code, said.count("\n")) == (0, 1)
    assert "requests; " in said
    assert " 0 only in the log, 0 only ours, in 0 places" in said
    wrong = text.replace("SOCDiceResultResources", "SOCResourcesOfDice")
    code, said = run(wrong, "--first", "2")
    assert code == 1
    assert said.count("\nevent ") == 2
    assert "+all:SOCDiceResultResources" in said
    assert "\nand " in said
    code, said = run(text.replace("type=F", "type=C"))
    assert (code, said) == (2, f"ugs catan: {file}: the log has only messages of the server, no requests\n")
    assert run("hello")[0] == 2
    assert run("<soclog")[0] == 2


def test_the_log_of_a_few_turns_replays_with_nothing_else_than_itself() -> None:
    file = Path(__file__).with_name("small.soclog")
    shown = CliRunner().invoke(app, ["replay", str(file)])
    assert (shown.exit_code, shown.output) == (0, SUMMARY)


def whole_games() -> list[Path]:
    """Logs of real servers with all of a game in which nobody has used the commands of a debugger."""
    folder = os.environ.get("UGS_SOCLOGS", "")
    found = []
    for file in sorted(Path(folder).rglob("*.soclog")) if folder else []:
        text = file.read_text("utf-8")
        if not file.name.startswith("test-") and "text=### " not in text and "type=F" in text[:60]:
            found.append(file)
    return found


def test_games_of_real_servers_come_out_equal() -> None:
    files = whole_games()
    assert bool(files) is bool(os.environ.get("UGS_SOCLOGS"))
    equal = lines = added = 0
    for file in files:
        log = read_any(file.read_text("utf-8"))
        found = compare(log)
        equal, lines, added = equal + found.equal, lines + found.lines, added + found.added
        assert extract(log)
        assert found.equal
    assert 1000 * (lines - equal + added) <= lines, f"{equal} of {lines} lines are equal, {added} are only ours"
