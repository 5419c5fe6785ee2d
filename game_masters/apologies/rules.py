"""Apologies: a race of four pawns each, from start round the board to home, driven by cards.

The player whose four pawns are at home first wins. The seats are RED, YELLOW, GREEN and BLUE; chance decides who
begins. In STANDARD a card is drawn for every play, in ADULT the player chooses one from a hand of five. After a 2 the
same player plays again. :mod:`game_masters.apologies.plays` finds the plays; a move names one of them, or
asks for the one that the computer player would choose. A bad move costs nothing: the player is asked again, but with
many of them in one turn it has lost.

When a player leaves or has lost, the computer player takes over the seat with its pawns and cards, and plays on within
these rules.
With one player left the game is over, and that player has won.
"""

import random
from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from enum import StrEnum
from hashlib import shake_256
from typing import Any

from game_masters.apologies.board import ALL_HOME, CIRCLE, COLOURS, PAWNS, PLACE_NAMES, START, Pawns
from game_masters.apologies.cards import HAND, KINDS, Card, Deck, Kind
from game_masters.apologies.events import Began, Drew, Left, Out, Over, Rejected
from game_masters.apologies.fixture import Start
from game_masters.apologies.plays import Play, Profile, after, legal_plays
from game_masters.apologies.reward import best
from game_masters.apologies.views import Made, Mode, Move, Offer, Optimal, Past, Pick, Rejection, SeatView, Sitter, View
from game_masters.kit.rules import Option, Options, Outcome, RuleBroken, State, Table, Unreadable

HISTORY = 10
"""The history in a view has at most this many plays, also for readers who know them."""
PATIENCE = 20
"""With this number of refused moves in a turn a player has lost: others do not wait for a program that never learns."""
ID_BYTES = 16
SECRET_BYTES = 32

MODE = Option(
    "mode",
    Mode.STANDARD.value,
    "STANDARD: a card is drawn for each play; ADULT: each is played from a hidden hand of five",
    tuple(mode.value for mode in Mode),
)
RULES = Option(
    "rules",
    Profile.STRICT.value,
    "strict: no pawn bumps itself or shares a square; upstream: as the reference engine has it",
    tuple(profile.value for profile in Profile),
)


class Termination(StrEnum):
    """Why a game ended."""

    ALL_HOME = "all pawns home"
    OTHERS_LEFT = "all others left"
    REFUSED = "too many refused moves"


class Position(State[Move, View]):
    """A game: pawns, cards, and the plays on offer."""

    def __init__(self, mode: Mode, table: Table, rng: random.Random) -> None:
        """Set up pawns and cards as the mode wants them before the first turn, and draw the first player."""
        seats = len(table.names)
        self._mode = mode
        self._profile = Profile(table.options.word("rules"))
        self._names = table.names
        self._programs = table.programs
        # Ids are made from a secret and not from the random numbers that shuffle the cards: someone who sees enough
        # numbers of a generator can predict the next ones.
        self._secret = rng.randbytes(SECRET_BYTES)
        self._deck = Deck.shuffled(rng)
        self._pawns: Pawns = (START,) * (PAWNS * seats)
        self._hands: list[list[Card]] = [[] for _ in range(seats)]
        self._drawn: Card | None = None
        self._turns = [0] * seats
        start: Start = table.fixture or Start()
        self._turn = rng.randrange(seats) if start.begins is None else start.begins
        self._present = set(range(seats))
        self._made: list[Past] = []
        self._record: list[object] = [Began(mode, self._profile, self._turn)]
        self._rejections: tuple[Rejection, ...] = ()  # of this turn
        self._outcome: Outcome | None = None
        self._plays: list[Play] = []
        self._ids: list[str] = []
        if mode is Mode.ADULT:
            # ADULT: one pawn of each colour is on its circle from the beginning.
            self._pawns = tuple(place for circle in CIRCLE[:seats] for place in (circle, *[START] * (PAWNS - 1)))
        self._pawns = _places(self._pawns, start)
        self._deck.arrange(start.pile, [card for hand in start.hands for card in hand or ()])
        if mode is Mode.ADULT:
            # One card at a time in the order of the seats, as people deal.
            for number in range(HAND):
                for seat in range(seats):
                    self._deal(seat, start.hands[seat] if start.hands else None, number)
        self._begin_play()

    # --- the interface of the kit ---------------------------------------------------------------------------------

    @property
    def movers(self) -> tuple[int, ...]:
        """The seat whose turn it is."""
        return (self._turn,) if self._outcome is None else ()

    @property
    def outcome(self) -> Outcome | None:
        """The outcome, decided by the last call that changed the state."""
        return self._outcome

    @property
    def record(self) -> Sequence[object]:
        """Plays, cards drawn, bad moves and departures."""
        return self._record

    @property
    def labels(self) -> Sequence[str]:
        """The colours."""
        return COLOURS[: len(self._names)]

    def legal_moves(self, seat: int) -> Sequence[Move]:
        """Return each play on offer, in order, and then the optimal one without saying which it is."""
        return (*map(Pick, self._ids), Optimal()) if seat in self.movers else ()

    def apply(self, seat: int, move: Move) -> None:
        """Make a play, and those of seats that players have left. Raises RuleBroken out of turn and for an id not on
        offer."""
        if seat not in self.movers:
            raise RuleBroken(f"it is not the turn of seat {seat}")
        self._make(self._plays[self._number_of(move)])
        self._play_for_absent()

    def fault(self, seat: int, cause: RuleBroken | Unreadable) -> None:
        """Record the rejection for the player's view. When patience is at its end, the seat has lost, and the computer
        player plays on."""
        rejection = Rejection.ILLEGAL if isinstance(cause, RuleBroken) else Rejection.UNREADABLE
        self._rejections = (*self._rejections, rejection)
        self._record.append(Rejected(seat, rejection))
        if len(self._rejections) == PATIENCE:
            self._record.append(Out(seat, PATIENCE))
            self._absent(seat, Termination.REFUSED, f"{PATIENCE} moves of {self._names[seat]} were refused in one turn")

    def leave(self, seat: int) -> None:
        """Let the computer player take over. The last player to stay wins."""
        self._record.append(Left(seat))
        if seat in self._present:
            self._absent(seat, Termination.OTHERS_LEFT)

    def view(self, seat: int | None, since: int = 0) -> View:
        """Return the view. In STANDARD all see everything. In ADULT only its owner sees a hand and its possible
        plays."""
        private = self._mode is Mode.ADULT
        asked = self._outcome is None and (seat == self._turn or not private)
        return View(
            self._mode,
            self._profile,
            len(self._made),
            # In STANDARD all get the same view, so it has no owner.
            seat if private else None,
            self._turn if self._outcome is None else None,
            tuple(
                SeatView(
                    name,
                    self._sitter(number),
                    self._turns[number],
                    tuple(KINDS[card] for card in self._hands[number]) if number == seat else (),
                    self._pawns[number * PAWNS : number * PAWNS + PAWNS],
                )
                for number, name in enumerate(self._names)
            ),
            KINDS[self._drawn] if self._drawn is not None and self._outcome is None else None,
            tuple(
                Offer(id, KINDS[card], actions, effects)
                for id, (card, actions, effects) in zip(self._ids, self._plays, strict=True)
            )
            if asked
            else (),
            tuple(entry for entry in self._record[since:] if isinstance(entry, Made)),
            tuple(self._made[-HISTORY:]),
            # Only the player who is asked once more learns why.
            self._rejections[-1] if asked and self._rejections else None,
        )

    def received(self, seat: int | None, since: int = 0) -> Sequence[object]:
        """Return the plays of ``record[since:]`` and who has left; of cards drawn, only those of this seat."""
        return [
            f"seat {entry.seat} draws" if isinstance(entry, Drew) and entry.seat != seat else entry
            for entry in self._record[since:]
            if not isinstance(entry, Rejected) or entry.seat == seat
        ]

    def resampled(self, seat: int, rng: random.Random) -> "Position":
        """Return a state with another order of the draw pile, and in ADULT other hands of all other seats."""
        other = self.__deepcopy__({})
        hidden = [card for owner, hand in enumerate(self._hands) if owner != seat for card in hand] + self._deck.pile
        dealt = dict(zip(hidden, rng.sample(hidden, len(hidden)), strict=True))
        other._deck = self._deck.copy(random.Random(rng.getrandbits(64)))
        other._deck.pile = [dealt[card] for card in self._deck.pile]
        for owner, hand in enumerate(self._hands):
            if owner != seat:
                other._hands[owner] = [dealt[card] for card in hand]
                other._rewrite(owner, hand, dealt)
        # What can be played follows from the hand that was dealt again.
        if self._mode is Mode.ADULT and self._outcome is None and seat != self._turn:
            other._offer()
        return other

    def __str__(self) -> str:
        """Return everything, including what no player may know."""
        whose = "over" if self._outcome is not None else f"{COLOURS[self._turn]} to play"
        drawn = "" if self._drawn is None else f" a {KINDS[self._drawn].short}"
        lines = [f"{self._mode}, {self._profile}, {len(self._made)} plays, {whose}{drawn}"]
        for seat, turns in enumerate(self._turns):
            places = " ".join(f"{PLACE_NAMES[place]:>2}" for place in self._pawns[seat * PAWNS : seat * PAWNS + PAWNS])
            hand = f", hand {_short(self._hands[seat])}" if self._hands[seat] else ""
            left = "" if seat in self._present else ", left"
            lines.append(f"{COLOURS[seat]:6} {places}, {turns} turns{hand}{left}")
        lines.append(f"draw pile, last first: {_short(self._deck.pile)}")
        lines.append(f"discards: {_short(self._deck.discards)}")
        return "\n".join(lines)

    def __deepcopy__(self, memo: dict[int, Any]) -> "Position":
        """Entries of the record and plays are immutable, so a copy shares them."""
        other = copy(self)
        other._deck = self._deck.copy()
        other._hands = [list(hand) for hand in self._hands]
        other._turns = list(self._turns)
        other._present = set(self._present)
        other._made = list(self._made)
        other._record = list(self._record)
        return other

    # --- the course of the game -----------------------------------------------------------------------------------

    @property
    def pawns(self) -> Pawns:
        """Where all pawns are."""
        return self._pawns

    @property
    def turns(self) -> Sequence[int]:
        """The number of plays of each seat."""
        return self._turns

    @property
    def piles(self) -> Sequence[Sequence[Card]]:
        """All cards: draw pile, discards, the drawn card if there is one, and the hands in the order of the seats."""
        return (self._deck.pile, self._deck.discards, () if self._drawn is None else (self._drawn,), *self._hands)

    def _sitter(self, seat: int) -> Sitter:
        if seat not in self._present:
            return Sitter.LEFT
        return Sitter.PROGRAM if seat in self._programs else Sitter.HUMAN

    def _draws(self, seat: int) -> Card:
        card = self._deck.draw()
        self._record.append(Drew(seat, card))
        return card

    def _deal(self, seat: int, hand: Sequence[Card] | None, number: int) -> None:
        """Deal the card of this number: from the draw pile, unless the hand is fixed."""
        if hand is None:
            self._hands[seat].append(self._draws(seat))
        else:
            self._record.append(Drew(seat, hand[number]))
            self._hands[seat].append(hand[number])

    def _begin_play(self) -> None:
        if self._mode is Mode.STANDARD:
            self._drawn = self._draws(self._turn)
        self._offer()

    def _offer(self) -> None:
        """Offer what can be played, under unpredictable ids."""
        cards = self._hands[self._turn] if self._drawn is None else (self._drawn,)
        # A secret for each decision: an id of an earlier one is never valid.
        self._plays = legal_plays(self._pawns, self._turn, cards, self._profile)
        self._ids = fresh_ids(self._secret + len(self._made).to_bytes(8), len(self._plays))

    def _number_of(self, move: Move) -> int:
        """Return the number of the play on offer that a move stands for."""
        if isinstance(move, Optimal):
            return best(self._pawns, self._turn, self._plays)
        if move.id not in self._ids:
            raise RuleBroken(f"{move.id} is no play that is on offer now")
        return self._ids.index(move.id)

    def _make(self, play: Play) -> None:
        seat, kind = self._turn, KINDS[play.card]
        self._rejections = ()
        self._pawns = after(self._pawns, play)
        # A 2 and the play after it are two turns.
        self._turns[seat] += 1
        self._made.append(Past(seat, kind, play.forfeit))
        self._record.append(Made(seat, kind, play.actions, play.effects))
        if self._drawn is None:
            self._hands[seat].remove(play.card)
        self._drawn = None
        # The card lies on the discards before the hand is filled up, so with an empty draw pile it may come back.
        self._deck.discard(play.card)
        # Only the pawns of the player whose turn it is can come home.
        if self._pawns[seat * PAWNS : seat * PAWNS + PAWNS] == ALL_HOME:
            self._end(seat, Termination.ALL_HOME)
            return
        if self._mode is Mode.ADULT:
            self._hands[seat].append(self._draws(seat))
        # A 2 that is forfeited ends the turn like any other card.
        if play.forfeit or kind is not Kind.TWO:
            self._turn = (seat + 1) % len(self._names)
        self._begin_play()

    def _absent(self, seat: int, why: Termination, words: str = "") -> None:
        self._present.remove(seat)
        if len(self._present) == 1:
            (winner,) = self._present
            self._end(winner, why, words)
        self._play_for_absent()

    def _play_for_absent(self) -> None:
        while self._outcome is None and self._turn not in self._present:
            self._make(self._plays[self._number_of(Optimal())])

    def _end(self, winner: int, why: Termination, words: str = "") -> None:
        # What the computer player wins for a seat that has lost counts for no player.
        out = {entry.seat for entry in self._record if isinstance(entry, Out)}
        self._outcome = Outcome(why, frozenset({winner}) - out, words=words)
        self._record.append(Over(winner, self._turns[winner]))
        self._plays, self._ids = [], []

    def _rewrite(self, owner: int, hand: Sequence[Card], dealt: dict[Card, Card]) -> None:
        """Change the record: where it has cards drawn for a hand that was dealt again, put the new
        cards."""
        wanted = set(hand)
        for number in range(len(self._record) - 1, -1, -1):
            entry = self._record[number]
            if not wanted:
                return
            if isinstance(entry, Drew) and entry.seat == owner and entry.card in wanted:
                wanted.remove(entry.card)
                self._record[number] = replace(entry, card=dealt[entry.card])


def is_adult(options: Options) -> bool:
    """Return whether :data:`MODE` is ADULT, where hands are hidden."""
    return options.word(MODE.name) == Mode.ADULT


def in_chosen_mode(table: Table, rng: random.Random) -> Position:
    """Return a game in the mode of the table's options."""
    return Position(Mode(table.options.word(MODE.name)), table, rng)


def fresh_ids(secret: bytes, number: int) -> list[str]:
    """Return ``number`` ids of 32 hexadecimal digits, unpredictable without ``secret``."""
    digits = shake_256(secret).hexdigest(ID_BYTES * number)
    return [digits[first : first + 2 * ID_BYTES] for first in range(0, len(digits), 2 * ID_BYTES)]


def _places(usual: Pawns, start: Start) -> Pawns:
    """Return where the pawns stand at the beginning: as usual, except for seats whose pawns are fixed."""
    fixed = dict(enumerate(start.pawns))
    seats = range(len(usual) // PAWNS)
    by_seat = (fixed.get(seat) or usual[seat * PAWNS : seat * PAWNS + PAWNS] for seat in seats)
    return tuple(place for places in by_seat for place in places)


def _short(cards: Sequence[Card]) -> str:
    return " ".join(KINDS[card].short for card in cards) or "none"
