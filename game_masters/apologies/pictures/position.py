"""What can be seen of one state: in words, as offers; the drawings are next door."""

from collections.abc import Sequence
from dataclasses import dataclass

from game_masters.apologies.board import COLOURS, HOME, PAWN_NAMES, PLACE_WORDS, START
from game_masters.apologies.cards import HAND, Kind
from game_masters.apologies.notation import read_view, write_move
from game_masters.apologies.pictures import drawing, lines
from game_masters.apologies.plays import Step
from game_masters.apologies.views import Made, Mode, Optimal, Pick, Rejection, Sitter, View
from game_masters.apologies.views import Offer as Play
from game_masters.kit.rules import Unreadable
from ugs.pictures.contract import CannotDraw, Line, Offer, Picture, Scene, Shown
from ugs.pictures.lettering import clipped
from ugs.pictures.words_once import words_once

_REJECTED = {
    Rejection.ILLEGAL: "the last move was not allowed",
    Rejection.UNREADABLE: "the last move could not be read",
}
_SITTERS = {Sitter.HUMAN: "", Sitter.PROGRAM: ", the computer", Sitter.LEFT: ", left, the computer plays on"}


@dataclass(frozen=True, slots=True)
class Position:
    """One state."""

    view: View
    new: tuple[Made, ...]
    """The plays since the state before, oldest first."""
    movers: tuple[int, ...]
    winners: frozenset[int] | None

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.winners is not None or self.view.turn is None

    def name(self, seat: int) -> str:
        """The nick of a seat, safe and not long."""
        return clipped(self.view.seats[seat].nick, 28)

    @property
    def standing(self) -> str:
        """Whose turn it is, or how the game ended."""
        if self.over:
            won = " and ".join(f"{COLOURS[seat]} ({self.name(seat)})" for seat in self._won())
            return f"{won} won" if won else "over"
        seat = self.view.mover
        card = f" with {card_words(self.view.drawn)}" if self.view.drawn is not None else ""
        return f"{COLOURS[seat]} ({self.name(seat)}) to play{card}"

    def _won(self) -> list[int]:
        return [seat for seat in sorted(self.winners or ()) if seat < len(self.view.seats)]

    # --- what a picture is --------------------------------------------------------------------------------------------

    @words_once
    def words(self) -> str:
        """Return the position in sentences."""
        view = self.view
        sentences = [f"Apologies, {view.mode}, {view.plays} plays made.", f"{self.standing}."]
        if view.rejected is not None:
            sentences.append(f"{_REJECTED[view.rejected].capitalize()}.")
        for seat, sitter in enumerate(view.seats):
            places = ", ".join(f"{pawn} {PLACE_WORDS[place]}" for pawn, place in enumerate(sitter.pawns))
            sentences.append(f"{COLOURS[seat]} ({self.name(seat)}{_SITTERS[sitter.kind]}): pawns {places}.")
        if view.mode is Mode.ADULT and view.you is None:
            sentences.append(f"All players hold {HAND} cards, which are hidden.")
        elif view.you is not None:
            sentences.append(f"Your hand: {', '.join(map(card_words, view.seats[view.you].hand)) or 'empty'}.")
        if view.history:
            sentences.append(f"Last card: {card_words(view.history[-1].kind)}.")
        return " ".join(sentences)

    def news(self) -> Sequence[str]:
        """Return the plays since the state before."""
        return [f"{COLOURS[made.seat]} ({self.name(made.seat)}) {_deed(made)}" for made in self.new]

    def offers(self, seat: int) -> Sequence[Offer]:
        """Return the plays of the state, and the choice of the computer player."""
        if self.over or seat != self.view.turn or not self.view.offers:
            return ()
        plays = [Offer(_label(play), write_move(Pick(play.id))) for play in self.view.offers]
        return [*plays, Offer("let the computer choose", write_move(Optimal()))]

    def svg(self, prefix: str, seat: int | None = None) -> str:
        """Return the board with a panel below."""
        offered = self.view.offers if seat is not None and self.offers(seat) else ()
        return drawing.draw(self.view, self.new, self.winners, prefix, self.standing, self.words(), offered)

    def text(self, width: int) -> Sequence[Line]:
        """Return the board with a panel beside or below it."""
        return lines.write(self.view, self.new, self.winners, width, self.standing)


def card_words(kind: Kind) -> str:
    """Return a card in words."""
    if kind is Kind.APOLOGIES:
        return "an Apologies card"
    return f"{'an' if kind in (Kind.EIGHT, Kind.ELEVEN) else 'a'} {kind.short}"


def follow(scene: Scene) -> "PositionFollower":
    """Return a follower for one game: the renderer."""
    return PositionFollower()


class PositionFollower:
    """Knows which plays it has shown already: a state may hold a play again."""

    def __init__(self) -> None:
        self._plays = 0

    def __call__(self, shown: Shown) -> Picture:
        """Take a state. Raises CannotDraw if it is not one of this game."""
        try:
            view = read_view(shown.payload)
        except Unreadable as error:
            raise CannotDraw(str(error)) from error
        fresh = max(0, min(view.plays - self._plays, len(view.since)))
        self._plays = view.plays
        return Position(view, view.since[len(view.since) - fresh :], shown.movers, shown.winners)


def _label(play: Play) -> str:
    """A play for a button: ``7: RED0 32 → 37, BLUE2 → start``."""
    if not play.actions:
        return f"{play.kind.short}: discard it"
    return f"{play.kind.short}: {', '.join([*map(_step, play.actions), *map(_effect, play.effects)])}"


def _step(step: Step) -> str:
    pawn, origin, target = step
    if origin == target:
        return f"{PAWN_NAMES[pawn]} moves and slides back to {PLACE_WORDS[target]}"
    return f"{PAWN_NAMES[pawn]} {PLACE_WORDS[origin]} → {PLACE_WORDS[target]}"


def _effect(step: Step) -> str:
    return f"{PAWN_NAMES[step[0]]} → {PLACE_WORDS[step[2]]}"


def _deed(made: Made) -> str:
    """A play that was made."""
    if not made.actions:
        return f"discards {card_words(made.kind)}"
    words = [_moved(step) for step in made.actions]
    words += [f"{PAWN_NAMES[pawn]} goes back to {PLACE_WORDS[target]}" for pawn, _, target in made.effects]
    return f"plays {card_words(made.kind)}: {', '.join(words)}"


def _moved(step: Step) -> str:
    pawn, origin, target = step
    if origin == START:
        return f"{PAWN_NAMES[pawn]} leaves start for {PLACE_WORDS[target]}"
    if target == HOME:
        return f"{PAWN_NAMES[pawn]} comes home from {PLACE_WORDS[origin]}"
    if origin == target:
        return f"{PAWN_NAMES[pawn]} moves and slides back to {PLACE_WORDS[target]}"
    return f"{PAWN_NAMES[pawn]} from {PLACE_WORDS[origin]} to {PLACE_WORDS[target]}"
