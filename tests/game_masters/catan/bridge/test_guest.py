"""Clients of the bridge: how they come in, whole games that they play, and what the clumsy ones get."""

import random
from collections.abc import Sequence
from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game_masters.catan import FOUR, SIX
from game_masters.catan.bots.settler import choose
from game_masters.catan.bridge.guest import (
    MAX_AT_ONCE,
    PING_S,
    Close,
    Dial,
    Effect,
    Guest,
    HangUp,
    House,
    Line,
)
from game_masters.catan.message import messages as asked
from game_masters.catan.message.message import Message
from game_masters.catan.notation import read_move, write_view
from game_masters.catan.rules import Position
from game_masters.kit.client import Send
from game_masters.kit.rules import RuleBroken, Table
from ugs.wire.messages import (
    Error,
    GameState,
    LeaveGame,
    LoginError,
    LoginResponse,
    Logout,
    Move,
    PlayerLogin,
    PlayerResult,
    Result,
    ServerShutdown,
    ThankYou,
)

GAME = "game1"
HOUSE = House(cookie="secret")
VERSION = "9998|2700,2.7.00,JX,;6pl;sb;"
_NUMBERS = {
    asked.RollDice: 1031, asked.EndTurn: 1032, asked.Discard: 1033, asked.PutPiece: 1009, asked.BuildRequest: 1043,
    asked.CancelBuildRequest: 1044, asked.MovePiece: 1093, asked.PickResources: 1052, asked.PickResourceType: 1053,
    asked.BuyDevCardRequest: 1045, asked.PlayDevCardRequest: 1049, asked.MoveRobber: 1034, asked.ChoosePlayer: 1035,
    asked.BankTrade: 1040, asked.MakeOffer: 1041, asked.ClearOffer: 1038, asked.RejectOffer: 1037,
    asked.AcceptOffer: 1039,
}  # fmt: skip


def line_for(move: Message) -> str:
    """The line of a client for a request: its values in order, 0 for its own seat."""
    values = [GAME]
    for one in fields(move):
        value = getattr(move, one.name)
        if one.name in ("seat", "accepting") and not isinstance(
            move, asked.BankTrade | asked.PickResources | asked.Discard
        ):
            values.append("0")
        elif isinstance(value, tuple):
            most = 6 if isinstance(move, asked.Discard) or isinstance(value[0], bool) else 5
            values += [str(item).lower() for item in value[:most]]
        elif value is not None:
            values.append(str(int(value)))
    return f"{_NUMBERS[type(move)]}|{','.join(values)}"


class Robot:
    """A robot that says at once what ``settler`` would do; it looks at the table, not at its lines."""

    def __init__(self, nick: str) -> None:
        self.nick = nick
        self.guest = Guest(HOUSE, 0.0)
        self.takes: list[str] = []
        self.moves: list[bytes] = []
        self.msg: list[object] = []

    def enters(self) -> None:
        self.does(self.guest.msg(VERSION, 0))
        assert self.does(self.guest.msg(f"1022|{self.nick},secret,soc.robot.X", 0)) == [Dial()]
        assert self.does(self.guest.dialled()) == [Send(PlayerLogin(self.nick, "settlers"))]
        self.does(self.guest.takes(LoginResponse(), 0))

    def does(self, effects: Sequence[Effect]) -> list[Effect]:
        """Note what happens, and answer what a robot answers by itself. Returns what is left."""
        left: list[Effect] = []
        for effect in effects:
            if isinstance(effect, Line):
                self.takes.append(effect.text)
                number, _, rest = effect.text.partition("|")
                name, _, _ = rest.partition(",")
                if number == "1023":
                    self.does(self.guest.msg(f"1013|{self.nick},pw,\t,{name}", 0))
                if number == "1017":
                    self.does(self.guest.msg(f"1012|{name},\t,0,true", 0))
            elif isinstance(effect, Send) and isinstance(effect.message, Move):
                self.moves.append(effect.message.payload)
            else:
                left.append(effect)
                self.msg.append(effect)
        return left

    def numbers(self) -> list[str]:
        return [line.partition("|")[0] for line in self.takes]


def plays(robots: Sequence[Robot], options: dict[str, str], seed: int, longest: int = 4000) -> Position:
    """Let robots play a whole game; what comes out of the bridge is what they have said."""
    game = SIX if len(robots) > 4 else FOUR
    names = tuple(robot.nick for robot in robots)
    state = Position(Table(GAME, names, game.choose_options(options)), random.Random(seed))
    rng = random.Random(seed)
    told = [0] * len(robots)
    for _ in range(longest):
        asked_now = state.movers
        for seat, robot in enumerate(robots):
            payload = write_view(state.view(seat, told[seat]))
            told[seat] = len(state.record)
            over = state.outcome is not None
            results = tuple(PlayerResult(name, Result.WINNER) for name in names) if over else None
            nxt = None if over else robot.nick if seat in asked_now else names[asked_now[0]]
            robot.does(robot.guest.takes(GameState(GAME, nxt, results, payload), 0))
        if state.outcome is not None:
            return state
        for seat in asked_now:
            robot = robots[seat]
            if seat not in state.movers:
                robot.moves.clear()
                continue
            if not robot.moves:
                choice = choose(state.view(seat), rng)
                robot.does(robot.guest.msg(line_for(choice), 1e9))
                assert robot.moves, line_for(choice)
                assert asked.as_move(read_move(robot.moves[0])) == asked.as_move(choice)
            (payload,) = robot.moves
            robot.moves.clear()
            move = read_move(payload)
            try:
                state.apply(seat, move)
            except RuleBroken as why:
                state.fault(seat, why)
            if seat not in asked_now[:1]:
                break
    raise AssertionError("the game does not end")


@pytest.mark.parametrize(
    ("players", "options"),
    [(4, {}), (3, {"SC": "SC_CLVI"}), (5, {})],
)
def test_robots_play_whole_games(players: int, options: dict[str, str]) -> None:
    robots = [Robot(f"droid{number}") for number in range(players)]
    for robot in robots:
        robot.enters()
    plays(robots, options, seed=players)
    for robot in robots:
        numbers = robot.numbers()
        assert numbers[:3] == ["9998", "1071", "1023"]
        assert numbers[3:5] == ["1021", "1017"]
        assert numbers[5 : 5 + players] == ["1012"] * players
        assert numbers[-1] == "1015"
        assert "1061" in numbers  # the points at the end
        assert Send(ThankYou(GAME)) in robot.msg
        assert f"1028|{GAME}" in "\n".join(robot.takes)
        assert not any("\n" in line for line in robot.takes)


def entered() -> Robot:
    robot = Robot("droid")
    robot.enters()
    return robot


def begun(game_id: str = GAME) -> GameState:
    state = Position(Table(game_id, ("droid", "bob"), FOUR.choose_options({})), random.Random(2))
    return GameState(game_id, "bob", None, write_view(state.view(0)))


def test_a_robot_hears_only_its_own_version_and_its_parameters() -> None:
    robot = entered()
    assert robot.takes[0].startswith("9998|2700,2.7,")
    assert robot.takes[1].startswith("1071|120,35,")


def test_a_robot_is_asked_to_its_game_with_the_options_that_it_knows() -> None:
    robot = entered()
    robot.does(robot.guest.takes(begun(), 0))
    (invitation,) = [line for line in robot.takes if line.startswith("1023|")]
    assert invitation == f"1023|{GAME},0,PL=4,N7=f7,BC=t4,VP=f10"


def test_nothing_of_the_game_is_said_before_the_robot_sits() -> None:
    guest = Guest(HOUSE, 0)
    for line in (VERSION, "1022|droid,secret,soc.robot.X"):
        guest.msg(line, 0)
    guest.dialled()
    assert [type(one) for one in guest.takes(begun(), 0)] == [Line]
    assert [str(one) for one in guest.msg(f"1013|droid,pw,\t,{GAME}", 0)] == [
        str(Line(f"1021|{GAME}")), str(Line(f"1017|{GAME},droid")),
    ]  # fmt: skip
    msg = guest.msg(f"1012|{GAME},\t,0,true", 0)
    assert msg[0] == Line(f"1012|{GAME},droid,0,false")
    assert guest.msg(f"1012|{GAME},\t,0,true", 0) == []


def test_robots_get_a_ping_each_second_of_a_game() -> None:
    robot = entered()
    assert robot.guest.passed(1) == []
    robot.does(robot.guest.takes(begun(), 1))
    assert robot.guest.passed(2) == [Line(f"1088|{GAME}")]
    assert Line(f"9999|{PING_S * 1000}") in robot.guest.passed(PING_S + 2)


def test_a_robot_that_leaves_gives_its_game_up() -> None:
    robot = entered()
    robot.does(robot.guest.takes(begun(), 0))
    assert robot.does(robot.guest.msg(f"1011|droid,-,{GAME}", 0)) == [Send(LeaveGame(GAME))]
    assert robot.guest.msg(f"1031|{GAME}", 0) == []


def test_a_game_that_ended_without_a_word_makes_room_for_the_next() -> None:
    robot = entered()
    robot.does(robot.guest.takes(begun(), 0))
    robot.does(robot.guest.takes(Error("no move within 30 s"), 0))
    robot.does(robot.guest.takes(begun("game2"), 0))
    assert "1091|game1\x01no move within 30 s" in robot.takes
    assert "1015|game1" in robot.takes
    assert any(line.startswith("1023|game2,") for line in robot.takes)


def test_a_game_without_its_beginning_is_left() -> None:
    robot = entered()
    state = Position(Table(GAME, ("droid", "bob"), FOUR.choose_options({})), random.Random(2))
    late = GameState(GAME, "bob", None, write_view(state.view(0, 5)))
    assert robot.does(robot.guest.takes(late, 0)) == [Send(LeaveGame(GAME))]


def test_a_player_who_is_no_robot_waits_after_joining_and_logs_out_after_the_game() -> None:
    guest = Guest(House(), 0)
    guest.msg(VERSION, 0)
    assert guest.passed(1) == [Line("1003|Catan"), Line("1083|Catan|-")]
    assert guest.passed(2) == []
    assert guest.msg("999|P,droid,1,\t,pw", 2) == [Line("1069|Welcome. Join Catan to wait for other players.")]
    assert guest.msg("1013|droid,\t,\t,Catan", 2) == [Dial()]
    assert guest.dialled() == [Send(PlayerLogin("droid", "settlers"))]
    shown = guest.takes(begun(), 3)
    assert shown[:2] == [Line("1021|Catan"), Line("1017|Catan,droid")]
    assert Line("1012|Catan,droid,0,false") in shown
    assert guest.passed(4) == []
    assert guest.msg("1011|droid,-,Catan", 5) == [Send(LeaveGame(GAME)), Send(Logout()), HangUp()]
    assert guest.msg("1013|droid,\t,\t,Catan", 6) == [Dial()]


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (["1022|droid,wrong,X"], "cookie"),
        (["1022|a b,secret,X"], "a name has"),
        (["999|P,,1,\t,pw"], "a name has"),
        (["999|P,ann,1,\t,pw", "999|P,bob,1,\t,pw"], "another name"),
        (["1058|x"] * (MAX_AT_ONCE + 1), "too many lines"),
    ],
)
def test_who_does_not_fit_is_turned_away(lines: Sequence[str], why: str) -> None:
    guest = Guest(HOUSE, 0)
    effects: list[Effect] = []
    for line in lines:
        effects = guest.msg(line, 0)
    msg, close = effects
    assert isinstance(msg, Line)
    assert isinstance(close, Close)
    assert msg.text.startswith("1059|")
    assert why in close.why


def test_who_is_silent_or_refused_is_turned_away() -> None:
    assert isinstance(Guest(HOUSE, 0).passed(21)[-1], Close)
    refused = entered().guest.takes(LoginResponse(LoginError.WRONG_NICK), 0)
    assert refused[-1] == Close("the server does not let you in: wrong nick")
    assert entered().guest.takes(ServerShutdown(), 0)[-1] == Close("the server stops")
    assert entered().guest.lost("no server")[-1] == Close("no server")


@given(
    st.lists(st.tuples(st.sampled_from([*map(str, [*_NUMBERS.values(), 1012, 1011, 1013, 999])]), st.text(max_size=12)))
)
def test_no_line_breaks_a_guest(lines: list[tuple[str, str]]) -> None:
    robot = entered()
    robot.does(robot.guest.takes(begun(), 0))
    for number, rest in lines:
        robot.does(robot.guest.msg(f"{number}|{GAME},{rest}", 0))
