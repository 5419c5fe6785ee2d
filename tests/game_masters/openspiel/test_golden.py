"""Recorded games of OpenSpiel end as they did: another version of the library, or of the rules around it, that plays
differently would make old records and running games worthless."""

import hashlib
import json
import random
from pathlib import Path
from typing import Final

import pytest

pytest.importorskip("pyspiel")

from game_masters.kit.rules import Table
from game_masters.openspiel import COLLECTION

RECORDED: Final = json.loads(Path(__file__).with_name("golden.json").read_text(encoding="utf-8"))
"""For each game its seats, its moves in order, a digest of all choices on the way, and how it ended."""


def play_again(name: str, seats: int, moves: list[str] | None) -> tuple[list[str], str, str]:
    """Play these moves, or random ones if there are none; returns the moves, the digest and the outcome."""
    game = COLLECTION.game(name)
    names = tuple(f"player-{seat}" for seat in range(seats))
    state = game.start(Table("test", names, game.choose_options({})), random.Random(7))
    digest, chooser = hashlib.sha256(), random.Random(7)
    played: list[str] = []
    while state.outcome is None:
        seat = state.movers[0]
        legal = list(state.legal_moves(seat))
        digest.update(repr((seat, [(one.id, one.text) for one in legal])).encode())
        text = chooser.choice(legal).text if moves is None else moves[len(played)]
        state.apply(seat, next(one for one in legal if one.text == text))
        played.append(text)
    return played, digest.hexdigest()[:16], repr(state.outcome)


@pytest.mark.parametrize("name", RECORDED)
def test_a_recorded_game_is_played_again(name: str) -> None:
    seats, moves, digest, outcome = RECORDED[name]
    assert play_again(name, seats, moves) == (moves, digest, outcome)
