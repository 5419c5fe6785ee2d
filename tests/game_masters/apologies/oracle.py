"""The package ``apologies`` from PyPI, asked about positions of ours.

Only tests and the benchmark use it. All answers are in our terms, so that they can be compared as they are.
"""

import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from game_masters.apologies.board import COLOURS, HOME, PAWNS, SAFE, SQUARES, START, Pawns, Place
from game_masters.apologies.cards import KINDS, Card
from game_masters.apologies.plays import Play, Step


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the oracle says about a position: the plays in order, the reward of each, and which one is best."""

    plays: list[Play]
    rewards: list[float]
    best: int


class Oracle:
    """Raises ImportError where the package is not installed."""

    def __init__(self) -> None:
        game = importlib.import_module("apologies.game")
        rules = importlib.import_module("apologies.rules")
        self._game = game
        self._board_rules = rules.Rules(game.GameMode.STANDARD)
        self._moves_to_start = rules.ActionType.MOVE_TO_START
        self._source = importlib.import_module("apologies.source").RewardV1InputSource()
        self._colours = [game.PlayerColor[colour] for colour in COLOURS]
        self._cards = [game.Card(str(card), game.CardType[kind]) for card, kind in enumerate(KINDS)]

    def view(self, pawns: Pawns, seat: int, hand: Sequence[Card]) -> Any:
        """Return a position as the package's engine would show it to a player."""
        seats = len(pawns) // PAWNS
        game = self._game.Game(seats)
        for other, colour in enumerate(self._colours[:seats]):
            player = game.players[colour]
            for pawn, place in zip(player.pawns, pawns[other * PAWNS :], strict=False):
                self._put(pawn.position, place)
        view = game.create_player_view(self._colours[seat])
        view.player.hand.extend(self._cards[card] for card in hand)
        return view

    def moves(self, view: Any, drawn: Card | None) -> list[Any]:
        """Return the package's own legal moves: with the drawn card, or with the cards of the hand."""
        card = None if drawn is None else self._cards[drawn]
        moves: list[Any] = self._board_rules.construct_legal_moves(view, card)
        return moves

    def rewards(self, view: Any, moves: Sequence[Any]) -> list[tuple[Any, float]]:
        """Return each move with the worth of its outcome."""
        return [self._source.calculate(view, move, self._board_rules.evaluate_move) for move in moves]

    def verdict(self, pawns: Pawns, seat: int, cards: Sequence[Card], *, drawn: bool) -> Verdict:
        """Return all about a position; ``drawn`` means that the one card has just been drawn and is not a hand."""
        view = self.view(pawns, seat, () if drawn else cards)
        moves = self.moves(view, cards[0] if drawn else None)
        rewards = self.rewards(view, moves)
        # The package sorts with a stable sort, which keeps the order of equals.
        best = sorted(range(len(moves)), key=lambda number: -rewards[number][1])[0]
        return Verdict([self._play(move) for move in moves], [worth for _, worth in rewards], best)

    def _put(self, position: Any, place: Place) -> None:
        if place == HOME:
            position.move_to_home()
        elif SAFE <= place < HOME:
            position.move_to_safe(place - SAFE)
        elif place < SQUARES:
            position.move_to_square(place)

    def _play(self, move: Any) -> Play:
        return Play(int(move.card.id), tuple(map(self._step, move.actions)), tuple(map(self._step, move.side_effects)))

    def _step(self, action: Any) -> Step:
        pawn = action.pawn
        to_start = action.actiontype is self._moves_to_start
        number = self._colours.index(pawn.color) * PAWNS + pawn.index
        return number, _place(pawn.position), START if to_start else _place(action.position)


def _place(position: Any) -> Place:
    if position.start:
        return START
    if position.home:
        return HOME
    place: Place = position.square if position.safe is None else SAFE + position.safe
    return place
