"""Players who send anything at any time: each request is carried out or refused, a refusal changes nothing, and what is
carried out keeps all that must hold."""

import random
from collections.abc import Callable, Mapping

import pytest

from game_masters.catan import FOUR, SIX
from game_masters.catan.bots import any_move
from game_masters.catan.game.play import Play
from game_masters.catan.handlers.declining import Declined
from game_masters.catan.handlers.requests import RULES
from game_masters.catan.message.bundles import bundle
from game_masters.catan.message.message import Message
from game_masters.catan.message.messages import (
    AcceptOffer,
    BankTrade,
    BuildRequest,
    BuyDevCardRequest,
    CancelBuildRequest,
    ChoosePlayer,
    ClearOffer,
    Discard,
    EndTurn,
    MakeOffer,
    MovePiece,
    MoveRobber,
    PickResources,
    PickResourceType,
    PlayDevCardRequest,
    PutPiece,
    RejectOffer,
    RollDice,
)
from game_masters.catan.rules import Position
from game_masters.kit.rules import Table
from tests.game_masters.catan.scene import portrait
from tests.game_masters.catan.test_invariants import check
from tests.profile import sized

MOVES = sized(quick=120, deep=2500)
"""Moves of a game before which requests are tried."""
TRIED = 6
"""Requests before each move."""


def some(rng: random.Random) -> int:
    """A number that may or may not be the right one."""
    return rng.choice([-4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 9, 42, 0x67, 0x706, 10**9])


def resources(rng: random.Random, most: int = 3) -> tuple[int, int, int, int, int, int]:
    """A handful, of negative numbers or unknown ones too."""
    found = [rng.choice([0, 0, 1, rng.randint(-1, most)]) for _ in range(5)]
    return bundle(found, rng.choice([0, 0, 0, 1]))


def place(rng: random.Random, play: Play) -> int:
    """A coordinate, mostly one that the board has."""
    net = play.board.net
    return rng.choice(
        [some(rng), rng.choice(net.hexes), *(rng.choice(list(one)) for one in (net.node_edges, net.edge_nodes))]
    )


def flags(rng: random.Random, play: Play) -> tuple[bool, ...]:
    """Seats to which an offer goes, sometimes one too many."""
    return tuple(rng.random() < 0.5 for _ in range(len(play.seats) + (rng.random() < 0.1)))


ANY: Mapping[type[Message], Callable[[random.Random, Play], Message]] = {
    RollDice: lambda rng, play: RollDice(),
    EndTurn: lambda rng, play: EndTurn(),
    PutPiece: lambda rng, play: PutPiece(rng.choice([None, 0, 1]), rng.randint(-1, 5), place(rng, play)),
    BuildRequest: lambda rng, play: BuildRequest(rng.randint(-2, 5)),
    CancelBuildRequest: lambda rng, play: CancelBuildRequest(rng.randint(-3, 5)),
    MovePiece: lambda rng, play: MovePiece(None, rng.choice([3, 3, 0]), place(rng, play), place(rng, play)),
    BuyDevCardRequest: lambda rng, play: BuyDevCardRequest(),
    PlayDevCardRequest: lambda rng, play: PlayDevCardRequest(some(rng)),
    PickResources: lambda rng, play: PickResources(resources(rng)),
    PickResourceType: lambda rng, play: PickResourceType(some(rng)),
    Discard: lambda rng, play: Discard(None, resources(rng, 5)),
    ChoosePlayer: lambda rng, play: ChoosePlayer(some(rng)),
    MoveRobber: lambda rng, play: MoveRobber(None, rng.choice([1, -1]) * place(rng, play)),
    BankTrade: lambda rng, play: BankTrade(resources(rng, 4), resources(rng)),
    MakeOffer: lambda rng, play: MakeOffer(None, flags(rng, play), resources(rng), resources(rng)),
    ClearOffer: lambda rng, play: ClearOffer(rng.choice([None, 0, -1])),
    RejectOffer: lambda rng, play: RejectOffer(None),
    AcceptOffer: lambda rng, play: AcceptOffer(None, some(rng)),
}


def test_every_request_is_among_them() -> None:
    assert ANY.keys() == RULES.keys()


@pytest.mark.parametrize(
    ("players", "options"),
    [(4, {}), (3, {"SC": "SC_FOG", "BANK19": "t"}), (4, {"SC": "SC_CLVI", "PLAY_FO": "t"}), (6, {"SBL": "t"})],
    ids=str,
)
def test_any_request_at_any_time_is_carried_out_or_refused(players: int, options: dict[str, str]) -> None:
    game = SIX if players > 4 else FOUR
    names = tuple(f"p{number}" for number in range(players))
    state = Position(Table("any", names, game.choose_options(options)), random.Random(f"{options}"))
    rng = random.Random(f"{options} any")
    refused = carried = 0
    for _ in range(MOVES):
        for _ in range(TRIED):
            if state.outcome is not None:
                break
            seat = rng.randrange(players)
            request = ANY[rng.choice(list(ANY))](rng, state.play)
            before = portrait(state.play)
            entries = len(state.record)
            refusal = None
            try:
                state.apply(seat, request)
            except Declined as why:
                refusal = why
            check(state.play)
            carried += refusal is None
            if refusal is not None:
                refused += 1
                assert str(refusal)
                assert refusal.answers
                assert portrait(state.play) == before, (seat, request)
                assert len(state.record) == entries
        if state.outcome is not None:
            break
        seat = rng.choice(state.movers)
        state.apply(seat, any_move(state.view(seat, len(state.record)), rng))
    assert refused > carried > 0
