"""What can be seen of one state: in words, with news, and with the moves on offer."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from game_masters.catan.message.bundles import in_words
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
from game_masters.catan.message.vocabulary import (
    ASK_SPECIAL_BUILDING,
    CARD_NAMES,
    MOVE_PIRATE,
    MOVE_ROBBER,
    PIECE_NAMES,
    RESOURCE_NAMES,
    Card,
    Phase,
    Piece,
)
from game_masters.catan.notation import follow as reader_of
from game_masters.catan.notation import write_move
from game_masters.catan.pictures import drawing, lines
from game_masters.catan.pictures.places import edge_words, hex_words, node_words
from game_masters.catan.pictures.telling import news_of
from game_masters.catan.views.view import SeatView, View
from game_masters.kit.rules import Options, Unreadable
from ugs.pictures.contract import CannotDraw, Follower, Line, Offer, Picture, Scene, Shown
from ugs.pictures.lettering import clipped
from ugs.pictures.words_once import words_once

STATES: Final[Mapping[int, str]] = {
    Phase.START1A: "places the first settlement",
    Phase.START1B: "places the first road or ship",
    Phase.START2A: "places the second settlement",
    Phase.START2B: "places the second road or ship",
    Phase.START3A: "places the third settlement",
    Phase.START3B: "places the third road or ship",
    Phase.START_GOLD: "picks from gold",
    Phase.ROLL_OR_CARD: "is to roll, or to play a card",
    Phase.PLAY: "builds and trades",
    Phase.PLACING_ROAD: "places a road",
    Phase.PLACING_SETTLEMENT: "places a settlement",
    Phase.PLACING_CITY: "places a city",
    Phase.PLACING_SHIP: "places a ship",
    Phase.PLACING_ROBBER: "moves the robber",
    Phase.PLACING_PIRATE: "moves the pirate",
    Phase.FREE_ROAD1: "places the first of two free roads",
    Phase.FREE_ROAD2: "places a free road",
    Phase.DISCARDS: "waits for others to discard",
    Phase.CHOOSE_VICTIM: "chooses whom to rob",
    Phase.DISCOVERY: "picks two resources",
    Phase.MONOPOLY: "names a resource",
    Phase.ROBBER_OR_PIRATE: "chooses between robber and pirate",
    Phase.CLOTH_OR_RESOURCE: "chooses between cloth and a resource",
    Phase.GOLD: "waits until all have picked from gold",
    Phase.SPECIAL_BUILDING: "builds between turns",
    Phase.OVER: "has the last word",
}
MAX_NICKS: Final = 24


def follow(scene: Scene) -> Follower:
    """Return what draws one game."""
    since_event = [0]
    read = reader_of(Options())

    def shown(state: Shown) -> Picture:
        try:
            view = read(state.payload)
        except Unreadable as why:
            raise CannotDraw(str(why)) from why
        if view.lost:
            raise CannotDraw("the state holds the changes since one that was not shown")
        since = since_event[0]
        # Each event is news once, even if a later state holds it again.
        since_event[0] = max([since, *(number + 1 for number, _ in view.events)])
        return Position(view, since, state.winners)

    return shown


class Position:
    """One state, as its viewer sees it."""

    def __init__(self, view: View, since: int, winners: frozenset[int] | None) -> None:
        self._view = view
        self._since = since
        self._winners = winners
        self._offers: dict[int, list[tuple[Message, Offer]]] = {}

    def svg(self, prefix: str, seat: int | None = None) -> str:
        """Return the board, the seats, and what ``seat`` may do."""
        moves = [] if seat is None else [(move, offer.label) for move, offer in self._moves(seat)]
        return drawing.draw(prefix, self._view, self._headline(), self.words(), self._name, moves)

    def text(self, width: int) -> Sequence[Line]:
        """Return the board and the seats for a terminal."""
        return lines.lines(self._view, self._headline(), self._name, width)

    @words_once
    def words(self) -> str:
        """Return the position in sentences."""
        view = self._view
        parts = [self._headline()]
        if view.table.dice:
            parts.append(f"The dice show {view.table.dice}.")
        if view.table.robber is not None:
            parts.append(f"The robber stands on {hex_words(view.table.board, view.table.robber)}.")
        if view.table.pirate is not None:
            parts.append(f"The pirate lies on {view.table.pirate:x}.")
        parts += [
            self._seat_in_words(number, seat) for number, seat in enumerate(view.table.seats) if seat.sitter != "vacant"
        ]
        parts += [
            f"{self._name(offer.seat)} offers {in_words(offer.give)} for {in_words(offer.get)}."
            for offer in view.table.offers
        ]
        return " ".join(parts)

    def news(self) -> Sequence[str]:
        """Return what has happened since the state before."""
        return [clipped(line, 200) for line in news_of(self._view, self._since, self._name)]

    def offers(self, seat: int) -> Sequence[Offer]:
        """Return the moves that a seat may make, as far as they are listed."""
        return [offer for _, offer in self._moves(seat)]

    def _moves(self, seat: int) -> list[tuple[Message, Offer]]:
        if seat not in self._offers:
            mine = [may for may in self._view.may if may.seat == seat]
            self._offers[seat] = [
                (move, Offer(clipped(self._label(move), 60), write_move(move)))
                for may in mine
                for move in self._view.moves(may)
            ]
        return self._offers[seat]

    def _label(self, move: Message) -> str:
        if isinstance(move, ChoosePlayer) and self._view.state == Phase.CLOTH_OR_RESOURCE:
            return "take a resource" if move.choice >= 0 else "take cloth"
        if isinstance(move, PutPiece):
            where = edge_words if move.piece in (Piece.ROAD, Piece.SHIP) else node_words
            return f"{PIECE_NAMES[Piece(move.piece)]} at {where(self._view.table.board, move.place)} ({move.place:x})"
        if isinstance(move, MoveRobber):
            who = "pirate" if move.place < 0 else "robber"
            return f"{who} to {hex_words(self._view.table.board, abs(move.place))}"
        return _LABELS[type(move)](move, self._name)

    def _name(self, seat: int | None) -> str:
        if seat is None or not 0 <= seat < len(self._view.table.seats):
            return "no player"
        return clipped(self._view.table.seats[seat].nick, MAX_NICKS)

    def _headline(self) -> str:
        view = self._view
        if view.table.winners or self._winners is not None:
            winners = sorted(self._winners if self._winners is not None else view.table.winners)
            names = " and ".join(map(self._name, winners)) or "no player"
            return f"The game is over: {names} {'have' if len(winners) > 1 else 'has'} won."
        doing = STATES.get(view.state, "plays")
        others = [self._name(seat) for seat in view.waiting if seat != view.current]
        names = " and ".join([*([", ".join(others[:-1])] if others[1:] else []), *others[-1:]])
        asked = f" {names} {'is' if len(others) == 1 else 'are'} asked." if others else ""
        return f"Round {view.table.round}: {self._name(view.current)} {doing}.{asked}"

    def _seat_in_words(self, number: int, seat: SeatView) -> str:
        marks = [counted(seat.points, "point"), counted(seat.resources, "resource")]
        marks.append(counted(seat.cards, "development card"))
        if seat.hand is not None:
            marks[1] = in_words(seat.hand)
        if seat.soldiers:
            marks.append(counted(seat.soldiers, "soldier"))
        if seat.cloth:
            marks.append(f"{seat.cloth} cloth")
        marks += ["the longest route"] if self._view.table.longest == number else []
        marks += ["the largest army"] if self._view.table.army == number else []
        pieces = ", ".join(
            counted(len(places), piece, pieces)
            for places, piece, pieces in (
                (seat.pieces.settlements, "settlement", "settlements"), (seat.pieces.cities, "city", "cities"),
                (seat.pieces.roads, "road", "roads"), (seat.pieces.ships, "ship", "ships"),
            )
            if places
        ) or "no pieces"  # fmt: skip
        left = ", played by the program" if seat.sitter in ("left", "program") else ""
        return f"{self._name(number)}{left}: {', '.join(marks)}; {pieces}."


def counted(count: int, one: str, many: str = "") -> str:
    """Return a number of things in words."""
    return f"{count} {one if count == 1 else many or f'{one}s'}"


def _choice(move: ChoosePlayer, name: Callable[[int | None], str]) -> str:
    special = {MOVE_ROBBER: "move the robber", MOVE_PIRATE: "move the pirate"}
    return special.get(move.choice, f"rob {name(move.choice)}")


def _request(move: BuildRequest, name: Callable[[int | None], str]) -> str:
    if move.piece == ASK_SPECIAL_BUILDING:
        return "ask for special building"
    return f"pay for a {PIECE_NAMES[Piece(move.piece)]}"


_LABELS: Final[Mapping[type[Message], Callable[[Any, Callable[[int | None], str]], str]]] = {
    RollDice: lambda move, name: "roll the dice",
    EndTurn: lambda move, name: "end the turn",
    BuildRequest: _request,
    CancelBuildRequest: lambda move, name: f"take the {PIECE_NAMES[Piece(move.piece)]} back",
    MovePiece: lambda move, name: f"ship from {move.origin:x} to {move.target:x}",
    BuyDevCardRequest: lambda move, name: "buy a development card",
    PlayDevCardRequest: lambda move, name: f"play {CARD_NAMES[Card(move.card)]}",
    PickResources: lambda move, name: f"pick {in_words(move.resources)}",
    PickResourceType: lambda move, name: f"take all {RESOURCE_NAMES[move.resource - 1]}",
    Discard: lambda move, name: f"discard {in_words(move.resources)}",
    ChoosePlayer: _choice,
    BankTrade: lambda move, name: f"give the bank {in_words(move.give)} for {in_words(move.get)}",
    MakeOffer: lambda move, name: f"offer {in_words(move.give)} for {in_words(move.get)}",
    AcceptOffer: lambda move, name: f"accept the offer of {name(move.offering)}",
    RejectOffer: lambda move, name: "reject",
    ClearOffer: lambda move, name: "withdraw the offer",
}
