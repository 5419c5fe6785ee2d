"""What holds after every message of whole games, on every board: nothing is lost, nothing comes from nowhere, points
are what lies on the table, and nobody hears what is not for its ears."""

import random
from collections import Counter

import pytest

from game_masters.catan import FOUR, SIX
from game_masters.catan.game.options import SCENARIOS
from game_masters.catan.game.play import BANK, Play
from game_masters.catan.message.events import Event
from game_masters.catan.message.messages import DevCardAction, Discard, PlayerElements, RobberyResult
from game_masters.catan.message.vocabulary import POINT_CARDS, CardChange, Phase
from game_masters.catan.rules import Position
from game_masters.kit.rules import Table
from tests.profile import sized

GAMES = sized(quick=1, deep=300)
MORE: list[dict[str, str]] = [
    {}, {"BANK19": "t"}, {"PLAY_FO": "t"}, {"N7": "t2", "RD": "t"}, {"_SC_SANY": "t", "_SC_3IP": "t"},
]  # fmt: skip
BOARDS: list[tuple[int, dict[str, str]]] = [
    (players, options) for options in ({}, {"SBL": "t"}, *({"SC": name} for name in SCENARIOS)) for players in (3, 4, 6)
]


def check(play: Play) -> None:
    """All that must hold in any position."""
    board = play.board
    edges: Counter[int] = Counter()
    nodes: Counter[int] = Counter()
    cloth = board.cloth_trade.supply + sum(village.cloth for village in board.cloth_trade.villages.values())
    for number, seat in enumerate(play.seats):
        assert min(seat.hand) >= 0
        ships = 15 if board.net.sea else 0
        assert [
            len(seat.pieces.roads),
            len(seat.pieces.settlements),
            len(seat.pieces.cities),
            len(seat.pieces.ships),
        ] == [most - left for most, left in zip((15, 5, 4, ships), seat.pieces.supply, strict=True)]
        edges.update((*seat.pieces.roads, *seat.pieces.ships))
        nodes.update((*seat.pieces.settlements, *seat.pieces.cities))
        cloth += seat.scenario.cloth
        points = (
            len(seat.pieces.settlements)
            + 2 * len(seat.pieces.cities)
            + seat.scenario.special_points
            + seat.scenario.cloth // 2
        )
        points += (
            sum(card in POINT_CARDS for card in seat.inventory.cards)
            + 2 * (play.awards.route == number)
            + 2 * (play.awards.army == number)
        )
        assert play.points(number) == points
        assert seat.pieces.closed <= seat.pieces.ships
        if play.phase not in (Phase.OVER,) and number == play.current and not play.special_building.now:
            assert points < play.variant.to_win or play.phase in (
                Phase.PLACING_ROBBER, Phase.PLACING_PIRATE, Phase.ROBBER_OR_PIRATE, Phase.CHOOSE_VICTIM,
                Phase.CLOTH_OR_RESOURCE,
            ) or play.starting or play.phase is Phase.ROLL_OR_CARD  # fmt: skip
    assert not edges or max(edges.values()) == 1
    assert not nodes or max(nodes.values()) == 1
    assert edges.keys() == play.owners.edges.keys()
    assert nodes.keys() == play.owners.nodes.keys()
    assert not any(other in nodes for node in nodes for other in board.net.node_nodes[node])
    if board.cloth_trade.villages:
        assert cloth == 10 + 5 * len(board.cloth_trade.villages)
    soldiers = sum(seat.inventory.soldiers for seat in play.seats)
    held = sum(len(seat.inventory.cards) for seat in play.seats)
    assert len(play.chance.deck) + held + soldiers <= (34 if play.variant.six else 25)
    stock = play.stock
    if stock is not None:
        assert all(0 <= left <= BANK for left in stock)


def play_checked(players: int, options: dict[str, str], seed: str, bots: list[str]) -> Position:
    """A game of bots in which every position is checked, and what each of them hears."""
    game = SIX if players > 4 else FOUR
    table = Table("checked", tuple(f"p{number}" for number in range(players)), game.choose_options(options))
    state = Position(table, random.Random(seed))
    rng = random.Random(f"{seed} bots")
    seen = 0
    progress: int | None = None
    while state.outcome is None:
        seat = rng.choice(state.movers)
        view = state.view(seat, seen)
        state.apply(seat, game.bot(bots[seat % len(bots)]).choose(view, rng))
        check(state.play)
        before, progress = progress, state.play.rounds.progress
        assert before is None or (progress is not None and before <= progress), "what ends games never falls"
        if not state.play.variant.open:
            for number in range(seen, len(state.record)):
                check_private(state.record[number], state.play)
        seen = len(state.record)
    return state


def check_private(entry: object, play: Play) -> None:
    """What names a hidden card or resource goes to those who may know it."""
    if not isinstance(entry, Event) or entry.audience.from_client:
        return
    message, audience = entry.message, entry.audience
    may_know: set[int] | None = None
    if isinstance(message, RobberyResult) and message.resource not in (None, 6):
        may_know = {message.thief, message.victim}
    elif isinstance(message, Discard) and not message.resources[5]:
        may_know = {message.seat or 0}
    elif isinstance(message, DevCardAction) and message.action is CardChange.DRAW and message.card:
        may_know = set(range(len(play.seats))) if play.variant.cards_open else {message.seat}
    elif isinstance(message, PlayerElements) and [element for element, _ in message.elements] == [1, 2, 3, 4, 5]:
        may_know = {message.seat}
    if may_know is not None:
        assert {seat for seat in range(len(play.seats)) if audience.includes(seat)} <= may_know
        assert not audience.includes(None) or play.variant.cards_open


@pytest.mark.parametrize(("players", "options"), BOARDS, ids=str)
def test_games_on_every_board_keep_all_that_must_hold(players: int, options: dict[str, str]) -> None:
    for number in range(GAMES):
        more = [{}, {"BANK19": "t"}, {"PLAY_FO": "t"}, {"N7": "t2", "RD": "t"}, {"_SC_SANY": "t", "_SC_3IP": "t"}][
            number % 5
        ]
        bots = ["settler"] if number % 3 else ["settler", "random-legal"]
        play_checked(players, {**options, **more}, f"{players} {options} {number}", bots)


@pytest.mark.parametrize(
    "more", [{"BANK19": "t"}, {"PLAY_FO": "t"}, {"PLAY_VPO": "t"}, {"PLB": "t"}, {"NT": "t", "RD": "t"}]
)
def test_games_with_options_keep_all_that_must_hold(more: dict[str, str]) -> None:
    play_checked(3, more, "options", ["random-legal", "settler"])
