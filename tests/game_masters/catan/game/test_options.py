"""Options by the keys of JSettlers, what goes together, and what they do."""

import random

import pytest

from game_masters.catan import FOUR, SIX
from game_masters.catan.game.options import variant
from game_masters.catan.rules import Position
from game_masters.kit.rules import BadOption, Table
from tests.game_masters.catan.scene import Scene, at, resources


@pytest.mark.parametrize(
    ("texts", "why"),
    [
        ({"UB": "t"}, "option UB: catan has no such option"),
        ({"_SC_PIRI": "t"}, "no such option"),
        ({"SC": "SC_WOND"}, "option SC: 'SC_WOND' is not allowed"),
        ({"SC": "SC_PIRI"}, "is not allowed"),
        ({"SC": "SC_FTRI"}, "is not allowed"),
        ({"BC": "t2"}, "allowed: 0 for off, or 3 to 9"),
        ({"VP": "t9"}, "allowed: 0 for off, or 10 to 20"),
        ({"VP": "21"}, "allowed: 0 for off, or 10 to 20"),
        ({"N7": "t1000"}, "allowed: 0 for off, or 1 to 999"),
        ({"N7": "tt"}, "option N7: 'tt' is not allowed"),
        ({"PL": "7"}, "option PL: '7' is not allowed; allowed: 2 to 6"),
        ({"RD": "perhaps"}, "option RD: 'perhaps' is not allowed"),
        ({"SC": "SC_FOG", "SBL": "f"}, "a scenario is played on a board with sea"),
        ({"_SC_FOG": "t"}, "only the board of SC_FOG"),
        ({"_SC_CLVI": "t", "SC": "SC_TTD"}, "only the board of SC_CLVI"),
    ],
)
def test_what_is_refused(texts: dict[str, str], why: str) -> None:
    with pytest.raises(BadOption, match=why):
        FOUR.choose_options(texts)


@pytest.mark.parametrize(
    ("texts", "to_win"),
    [
        ({}, 10),
        ({"VP": "t12"}, 12),
        ({"VP": "f12"}, 10),
        ({"SC": "SC_NSHO"}, 13),
        ({"SC": "SC_NSHO", "VP": "10"}, 13),
        ({"SC": "SC_NSHO", "VP": "15"}, 15),
        ({"SC": "SC_NSHO", "VP": "10", "_VP_ALL": "t"}, 10),
        ({"SC": "SC_CLVI"}, 14),
    ],
)
def test_points_to_win(texts: dict[str, str], to_win: int) -> None:
    assert variant(FOUR.choose_options(texts), 4).to_win == to_win


def test_a_scenario_brings_its_options_unless_they_are_given() -> None:
    on = variant(FOUR.choose_options({"SC": "SC_CLVI"}), 4).on
    assert {"SBL", "_SC_CLVI", "_SC_3IP", "_SC_0RVP"} <= on
    assert "_SC_3IP" not in variant(FOUR.choose_options({"SC": "SC_CLVI", "_SC_3IP": "f"}), 4).on


@pytest.mark.parametrize(
    ("game", "texts", "players", "seats", "six"),
    [
        (FOUR, {}, 3, 4, False),
        (FOUR, {"PL": "2"}, 3, 4, False),
        (FOUR, {"PL": "5"}, 3, 6, True),
        (FOUR, {"PLB": "t"}, 2, 6, True),
        (SIX, {}, 5, 6, True),
    ],
)
def test_seats_and_boards(game: object, texts: dict[str, str], players: int, seats: int, six: bool) -> None:
    chosen = variant(game.choose_options(texts), players)  # type: ignore[attr-defined]
    assert (chosen.seats, chosen.six) == (seats, six)


def test_the_board_for_three_is_taken_with_three_players_of_four_seats() -> None:
    three = Scene({}, {"SC": "SC_NSHO", "PL": "3"}, players=3).play
    four = Scene({}, {"SC": "SC_NSHO"}, players=3).play
    assert (len(three.seats), len(four.seats)) == (4, 4)
    assert len(three.board.ground.land) < len(four.board.ground.land)
    assert three.variant.text.startswith("PL=3,")


def test_no_seven_in_the_first_rounds_and_until_there_is_a_city() -> None:
    for options, rounds in (({"N7": "t3"}, 3), ({"N7C": "t"}, 5)):
        for seed in range(8):
            scene = Scene(at(turn=0, state=15, round=1), options, seed=seed)
            scene.play.rounds.first = 0
            while scene.play.rounds.number <= rounds:
                seat = scene.play.current
                scene.ask(f"f{seat}:SOCRollDice:game=test")
                assert scene.play.chance.dice != 7
                scene.ask(f"f{seat}:SOCEndTurn:game=test")


def test_a_bank_that_has_not_enough_gives_nobody_any_unless_one_is_owed() -> None:
    seats = {1: {"hand": [0, 0, 0, 0, 18]}, 0: {"settlements": ["23"]}}
    scene = Scene(at(state=15, dice=[9], seats=seats), {"BANK19": "t"})
    scene.ask("f3:SOCRollDice:game=test")
    assert scene.play.seats[1].hand[4] == 19, "one is owed one wood, and there is one"
    scene = Scene(
        at(state=15, dice=[8], seats={0: {"settlements": ["45"]}, 2: {"hand": [0, 0, 0, 18, 0]}}), {"BANK19": "t"}
    )
    scene.ask("f3:SOCRollDice:game=test")
    assert [scene.play.seats[seat].hand[3] for seat in (0, 1)] == [0, 0], "two are owed one each, and there is one"


def test_a_bank_trades_what_it_has() -> None:
    seats = {3: {"hand": [4, 0, 0, 0, 0]}, 2: {"hand": [0, 19, 0, 0, 0]}}
    scene = Scene(at(seats=seats), {"BANK19": "t"})
    trade = f"f3:SOCBankTrade:game=test|give={resources(clay=4)}|get={resources(ore=1)}"
    scene.refuses(trade, "p3:SOCRejectOffer:game=test|playerNumber=-1|reasonCode=1")


@pytest.mark.parametrize("seed", range(12))
def test_no_clumps_of_four_on_classic_boards_unless_they_are_allowed(seed: int) -> None:
    names = ("a", "b", "c", "d")
    board = Position(Table("x", names, FOUR.choose_options({})), random.Random(seed)).play.board
    for hex, type in board.types.items():
        together, waiting = {hex}, [hex]
        while waiting:
            for other in board.net.hex_neighbours[waiting.pop()]:
                if other not in together and board.types[other] == type:
                    together.add(other)
                    waiting.append(other)
        assert len(together) < 4


def test_gold_does_not_lie_beside_gold_nor_has_it_hot_numbers() -> None:
    for seed in range(20):
        table = Table("x", ("a", "b", "c", "d"), FOUR.choose_options({"SC": "SC_NSHO"}))
        board = Position(table, random.Random(seed)).play.board
        golden = [hex for hex, type in board.types.items() if type == 7]
        assert golden
        assert not any(other in golden for hex in golden for other in board.net.hex_neighbours[hex])
        assert not any(board.numbers[hex] in (6, 8) for hex in golden)
