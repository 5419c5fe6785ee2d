"""Our game for a log: its seats, board and chance are those of the log, and players speak up by themselves."""

import random
from collections.abc import Sequence
from dataclasses import replace

from game_masters.catan.game.chance import Chance
from game_masters.catan.game.play import Play
from game_masters.catan.game.seat import Sitter
from game_masters.catan.handlers import starting
from game_masters.catan.handlers.declining import Declined
from game_masters.catan.handlers.requests import RULES, carry_out, check
from game_masters.catan.message.bundles import TYPES
from game_masters.catan.message.events import Event
from game_masters.catan.message.message import Message
from game_masters.catan.message.messages import (
    BuildRequest,
    BuyDevCardRequest,
    CancelBuildRequest,
    DevCardAction,
    PlayDevCardRequest,
    PlayerElement,
    PlayerElements,
    as_move,
)
from game_masters.catan.message.vocabulary import ASK_SPECIAL_BUILDING, CardChange, Change, Phase
from game_masters.catan.replay.forcing import choose_by_force, force_end, forced_choice
from game_masters.catan.replay.logged_game import CannotReplay, LoggedGame
from game_masters.catan.setup.beginning import lay_out, new_seat

_BUYING = -2
"""In the place of a piece: the card that cannot be bought."""


class Engine:
    """A game that answers requests. What it sends is returned, request by request."""

    def __init__(self, logged: LoggedGame) -> None:
        """Set the game up. Raises CannotReplay."""
        chosen = logged.variant
        seats = []
        for number in range(chosen.seats):
            sitter = Sitter.PROGRAM if number in logged.robots else Sitter.HUMAN
            sitter = sitter if number in logged.names else Sitter.VACANT
            seats.append(new_seat(chosen, logged.names.get(number, ""), sitter))
        try:
            script = replace(logged.script, deck=())
            # No polls: in a log players speak up by themselves where our master asks.
            self._play = lay_out(logged.game, replace(chosen, polls=False), seats, Chance.of(random.Random(0), script))
        except (KeyError, ValueError, IndexError) as why:
            raise CannotReplay(f"the board cannot be laid: {type(why).__name__}: {why}") from why
        self._play.chance.deck[: len(logged.script.deck)] = logged.script.deck
        self._answered = 0
        starting.begin(self._play)

    @property
    def play(self) -> Play:
        """The data of the game."""
        return self._play

    def news(self) -> list[Event]:
        """Return what the server has sent since the last call."""
        events = [one for one in self._play.record[self._answered :] if isinstance(one, Event)]
        self._answered = len(self._play.record)
        return [one for one in events if not one.audience.from_client]

    def answer(self, seat: int, request: Message) -> None:
        """Meet a request, or refuse it."""
        play = self._play
        try:
            check(play, seat, request)
            carry_out(play, seat, as_move(request))
        except Declined as refusal:
            for answer in self._answers(seat, request, refusal):
                play.answer(seat, answer, unknown=refusal.unknown)

    def _answers(self, seat: int, request: Message, refusal: Declined) -> list[Message]:
        """The answers of a refusal; robots get a few of their own."""
        if self._play.seats[seat].sitter is not Sitter.PROGRAM:
            return list(refusal.answers)
        match request:
            case PlayDevCardRequest(card):
                return [DevCardAction(-1, CardChange.CANNOT_PLAY, card)]
            case BuildRequest(piece) if piece != ASK_SPECIAL_BUILDING:
                return [*refusal.answers, CancelBuildRequest(piece)]
            case BuyDevCardRequest():
                return [*refusal.answers, CancelBuildRequest(_BUYING)]
        return list(refusal.answers)

    def knows(self, request: Message) -> bool:
        """Whether the rules know such a request."""
        return type(request) in RULES

    def force_end(self) -> None:
        """End the turn, as the server has done."""
        if self._play.phase is not Phase.OVER:
            force_end(self._play)

    def force_choice(self, sent: Sequence[Event]) -> bool:
        """Discard or pick for a player, if the server has done so according to what it sent; return whether it has."""
        choice = forced_choice(self._play, sent)
        if choice is not None:
            choose_by_force(self._play, choice)
        return choice is not None

    def adopt(self, message: Message) -> None:
        """Take over resources that the log has and our game does not: a person with that right has given
        them."""
        changes: tuple[tuple[int, int], ...] = ()
        if isinstance(message, PlayerElements):
            changes = message.elements
        elif isinstance(message, PlayerElement):
            changes = ((message.element, message.amount),)
        else:
            return
        if not 0 <= message.seat < len(self._play.seats):
            return
        hand = self._play.seats[message.seat].hand
        for element, amount in changes:
            if element - 1 in TYPES:
                before = hand[element - 1]
                new = {Change.SET: amount, Change.GAIN: before + amount, Change.LOSE: before - amount}
                hand[element - 1] = max(new[message.change], 0)
