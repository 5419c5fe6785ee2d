"""The rules as the kit wants them: one game from its set-up to its outcome.

A move is a message of a client. The record is the log of the game: requests and all messages, each with its audience.
Where all see everything (the option PLAY_FO), seats are asked one after another; else all from whom something
is due, at the same time.

A request that cannot be met changes nothing but the record, which has the request and its refusal; the seat is asked
again. After :data:`PATIENCE` of its requests in one turn the program decides for it. The program also plays on for a
player who leaves.
"""

import random
from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from typing import Any, Final

from game_masters.catan.bots.settler import choose
from game_masters.catan.game.may import May
from game_masters.catan.game.play import Mark, Play, Termination
from game_masters.catan.game.seat import Sitter
from game_masters.catan.handlers import legal
from game_masters.catan.handlers.declining import Declined, decline, not_your_turn
from game_masters.catan.handlers.ending import end
from game_masters.catan.handlers.requests import carry_out, check, waiting
from game_masters.catan.message.message import Message
from game_masters.catan.message.messages import (
    ChoosePlayerRequest,
    DiscardRequest,
    GameServerText,
    GameState,
    RollDicePrompt,
    SimpleRequest,
    Turn,
    as_move,
)
from game_masters.catan.message.standing import Standing
from game_masters.catan.message.vocabulary import POINT_CARDS, Phase, Reason
from game_masters.catan.setup.beginning import set_up
from game_masters.catan.views.showing import Seats, show
from game_masters.catan.views.view import BoardView, View, board_view
from game_masters.kit.rules import Outcome, RuleBroken, State, Table, Unreadable

PATIENCE: Final = 25
"""The number of requests of one turn that may be refused; then the program decides."""
MAX_TEXTS: Final = 300
PROMPTS: Final = (
    ChoosePlayerRequest, DiscardRequest, GameServerText, GameState, RollDicePrompt, SimpleRequest, Turn,
)  # fmt: skip
"""What shows who has to do what, in words or not; the texts repeat what other messages have sent."""


class Position(State[Message, View]):
    """A game."""

    def __init__(self, table: Table, rng: random.Random) -> None:
        """Set the board up, and let the first player place a settlement; or do as the table's fixture has it."""
        self._play = set_up(table, rng)
        # Numbers of its own: what the program draws for players who have left does not move dice and deck.
        self._program_rng = random.Random(rng.getrandbits(64))
        self._board: tuple[int, BoardView] | None = None
        """The board, and how many hexes were under fog when it was looked at."""
        self._may: dict[int, May | None] = {}
        self._seats: Seats = {}
        """What has been found out of the seats since the last change."""
        self._public_views: dict[int, tuple[View, ...]] = {}
        """The last two states of seats that receive only what has changed: the later one may be sent again."""

    @property
    def play(self) -> Play:
        """The game as data; who changes it is the rules."""
        return self._play

    # --- the interface of the kit -------------------------------------------------------------------------------------

    @property
    def movers(self) -> tuple[int, ...]:
        """The seats that have to do something; where all see everything, the first of them."""
        asked = tuple(waiting(self._play))
        return asked[:1] if self._play.variant.open else asked

    @property
    def outcome(self) -> Outcome | None:
        """Who has won."""
        play = self._play
        if play.phase is not Phase.OVER:
            return None
        assert play.ending is not None
        return Outcome(play.ending.termination, frozenset(play.ending.winners))

    @property
    def record(self) -> Sequence[object]:
        """The log of the game."""
        return self._play.record

    def legal_moves(self, seat: int) -> Sequence[Message]:
        """Return the moves that are listed; see :mod:`game_masters.catan.handlers.legal`."""
        what = self._asked_of(seat)
        if what is None:
            return ()
        play = self._play
        return legal.moves(what, play.seats[seat].hand, play.stock, len(play.seats))

    def is_open(self, move: Message) -> bool:
        """Return whether only examples of such moves are listed."""
        return legal.is_open(move)

    def apply(self, seat: int, move: Message) -> None:
        """Meet a request. Raises Declined."""
        wants = move if isinstance(move, Standing) else Standing(move)
        if seat not in self.movers:
            raise self._out_of_turn(seat, wants.request)
        if wants.request is None:
            self._notes(seat, wants)
            return
        check(self._play, seat, wants.request)
        # After the check: a refused request changes nothing, standing answers included.
        self._wants(seat, wants)
        self._carry_out(seat, as_move(wants.request))
        self._play_for_absent()

    def fault(self, seat: int, cause: RuleBroken | Unreadable) -> None:
        """Record the refusal; when patience is at its end, let the program decide."""
        play = self._play
        play.seats[seat].refused += 1
        if play.seats[seat].refused > PATIENCE:
            play.answer(seat, GameServerText("Too many requests were refused: the program decides."))
            self._decide(seat)
            self._play_for_absent()
            return
        if not isinstance(cause, Declined):
            cause = decline(str(cause)[:MAX_TEXTS].replace("\n", " "), Reason.OTHER, unknown=seat != play.current)
        if cause.request is not None:
            play.asked(seat, cause.request)
        for answer in cause.answers:
            play.answer(seat, answer, unknown=cause.unknown)

    def leave(self, seat: int) -> None:
        """Let the program play on. The last player to stay wins."""
        play = self._play
        play.seats[seat].sitter = Sitter.LEFT
        # They were the player's: the program is asked again, and needs no changes.
        play.seats[seat].no, play.seats[seat].brief = frozenset(), False
        play.announce(f"{play.name(seat)} has left; the program plays on.")
        staying = [number for number in play.occupied if play.seats[number].sitter is not Sitter.LEFT]
        if len(staying) == 1:
            end(play, staying, Termination.OTHERS_LEFT)
        self._play_for_absent()

    def view(self, seat: int | None, since: int = 0) -> View:
        """Return what a seat may see."""
        play = self._play
        if play.variant.open:
            # Here all seats are shown the same, so that one text serves all.
            seat = None
            asked = [self._asked_of(number) for number in self.movers]
        else:
            asked = [self._asked_of(seat)] if seat is not None and seat in self.movers else []
        may = [one for one in asked if one]
        if seat is None or not play.seats[seat].brief:
            return show(play, self._seen_board(), self._seats, seat, since, may)
        number = len(play.record)
        # The same state may be asked for twice; its base is then not itself, but the one before.
        known = [one for one in self._public_views.get(seat, ()) if one.number != number][-1:]
        base = known[0] if known else None
        since = since if base is None or base.number is None else base.number
        shown = replace(show(play, self._seen_board(), self._seats, seat, since, may), number=number)
        self._public_views[seat] = (*known, shown)
        return replace(shown, base=base)

    def received(self, seat: int | None, since: int = 0) -> Sequence[object]:
        """Return the events that the seat receives, without those that only ask a player for something."""
        events = self._play.received(None if self._play.variant.open else seat, since)
        return [event for _, event in events if not isinstance(event.message, PROMPTS)]

    def resampled(self, seat: int, rng: random.Random) -> "Position":
        """Return a state with other cards in the deck and in the hands of others, and other resources there."""
        other = self.__deepcopy__({})
        play = other._play
        others = [number for number in range(len(play.seats)) if number != seat]
        if not play.variant.cards_open:
            _deal_cards(play, others, rng)
        # With open hands only the order of the deck is hidden.
        elif play.chance.deck:
            rng.shuffle(play.chance.deck)
        # Before the first roll all know what each player has: resources of the first settlements.
        if not play.variant.open and play.phase > Phase.START_GOLD:
            _deal_resources(play, others, rng)
        other._forget()
        return other

    def __deepcopy__(self, memo: dict[int, Any]) -> "Position":
        """Entries of the record are immutable, so a copy shares them."""
        other = copy(self)
        other._play = self._play.copy()
        other._program_rng = random.Random()
        other._program_rng.setstate(self._program_rng.getstate())
        other._may, other._seats, other._public_views = dict(self._may), dict(self._seats), dict(self._public_views)
        return other

    def __str__(self) -> str:
        """Return everything, including what no player may know."""
        play = self._play
        lines = [
            f"{play.variant.text}; round {play.rounds.number}, state {play.phase.name}, "
            f"{play.name(play.current)}'s turn, robber {_place(play.board.robber)}, pirate {_place(play.board.pirate)}",
        ]
        for number, one in enumerate(play.seats):
            hand = " ".join(map(str, one.hand))
            pieces, cards, scenario = one.pieces, one.inventory, one.scenario
            lines.append(
                f"{number} {one.nick} ({one.sitter}): {play.points(number)} points, hand {hand}, cards "
                f"{_numbers(cards.old)} new {_numbers(cards.fresh)}, soldiers {cards.soldiers}, route {pieces.route}, "
                f"cloth {scenario.cloth}, special points {scenario.special_points}"
            )
            lines.append(
                f"  settlements {_places(pieces.settlements)}; cities {_places(pieces.cities)}; "
                f"roads {_places(pieces.roads)}; ships {_places(pieces.ships)}"
            )
        lines.append(f"deck {' '.join(str(int(card)) for card in play.chance.deck)}")
        return "\n".join(lines)

    # --- inside -------------------------------------------------------------------------------------------------------

    def _asked_of(self, seat: int) -> May | None:
        if seat not in self._may:
            self._may[seat] = legal.may(self._play, seat) if seat in self.movers else None
        return self._may[seat]

    def _wants(self, seat: int, wants: Standing) -> None:
        """Keep what a player wants from now on."""
        one = self._play.seats[seat]
        if wants.no is not None:
            one.no = wants.no
        if wants.brief is not None:
            one.brief = wants.brief
            self._public_views.pop(seat, None)

    def _notes(self, seat: int, wants: Standing) -> None:
        """Keep what a player wants that makes no move with it; as often as it may be refused."""
        play = self._play
        self._forget()
        self._wants(seat, wants)
        play.record.append(Mark(f"{play.name(seat)} sets what it wants from now on"))
        play.seats[seat].refused += 1
        if play.seats[seat].refused > PATIENCE:
            self._decide(seat)
            self._play_for_absent()

    def _out_of_turn(self, seat: int, move: Message | None) -> Declined:
        """Return the refusal of a request of a seat that has nothing to do."""
        play = self._play
        try:
            if move is not None:
                check(play, seat, move)
        except Declined as known:
            return known
        refusal = decline("the others are asked first") if seat == play.current else not_your_turn(play)
        refusal.request = move
        return refusal

    def _seen_board(self) -> BoardView:
        fog = len(self._play.board.hidden)
        if self._board is None or self._board[0] != fog:
            self._board = fog, board_view(self._play)
        return self._board[1]

    def _forget(self) -> None:
        """Forget what has been found out before a change."""
        self._may, self._seats = {}, {}

    def _carry_out(self, seat: int, move: Message) -> None:
        self._forget()
        carry_out(self._play, seat, move)

    def _play_for_absent(self) -> None:
        """Let the program move for seats whose players have left, as long as one of them may."""
        self._forget()
        play = self._play
        while play.phase is not Phase.OVER:
            absent = [seat for seat in waiting(play) if play.seats[seat].sitter is Sitter.LEFT]
            if not absent:
                return
            self._decide(absent[0])

    def _decide(self, seat: int) -> None:
        """Let the program make a move of a seat."""
        what = legal.may(self._play, seat)
        assert what is not None
        view = show(self._play, self._seen_board(), {}, seat, len(self._play.record), [what])
        self._carry_out(seat, as_move(choose(view, self._program_rng)))


def _place(place: int | None) -> str:
    return "none" if place is None else f"{place:x}"


def _numbers(numbers: Sequence[int]) -> str:
    return " ".join(str(int(number)) for number in numbers) or "none"


def _places(places: set[int]) -> str:
    return " ".join(f"{place:x}" for place in sorted(places)) or "none"


def _deal_cards(play: Play, others: Sequence[int], rng: random.Random) -> None:
    """Deal the development cards again that the others hold and that are left, so that no seat has won by them."""
    hidden = play.chance.deck + [card for number in others for card in play.seats[number].inventory.cards]
    rng.shuffle(hidden)
    for number in others:
        one = play.seats[number]
        for cards in (one.inventory.old, one.inventory.fresh):
            for place in range(len(cards)):
                cards[place] = hidden.pop()
        one.inventory.old.sort(key=lambda card: card not in POINT_CARDS)
    play.chance.deck = hidden


def _deal_resources(play: Play, others: Sequence[int], rng: random.Random) -> None:
    """Deal the resources of the others again among them. Each keeps as many as it had, and what it has offered."""
    kept = {number: list(play.seats[number].hand) for number in others}
    pool: list[int] = []
    counts: dict[int, int] = {}
    for number in others:
        offer = play.trading.offers.get(number)
        fixed = list(offer.give[:5]) if offer is not None else [0] * 5
        # It has lost cards since its offer: what is left of them is not certain, so this hand is not dealt again.
        if any(fixed[type] > kept[number][type] for type in range(5)):
            fixed = list(kept[number])
        free = [type for type in range(5) for _ in range(kept[number][type] - fixed[type])]
        pool += free
        counts[number] = len(free)
        play.seats[number].hand = fixed
    rng.shuffle(pool)
    for number, count in counts.items():
        for _ in range(count):
            play.seats[number].hand[pool.pop()] += 1
