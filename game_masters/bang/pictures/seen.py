"""What can be seen of one state: in words, as news, as offers."""

from collections.abc import Sequence
from dataclasses import dataclass

from game_masters.bang.cards.characters import CHARACTERS, SID
from game_masters.bang.cards.characters import words as character_words
from game_masters.bang.cards.playing_cards import HIDDEN, NAMES, Card
from game_masters.bang.messages.events import PlayerView
from game_masters.bang.messages.moves import (
    Ability,
    CreateGame,
    Discard,
    Draw,
    EndTurn,
    JoinGame,
    LeaveGame,
    Move,
    Pass,
    Play,
    StartGame,
)
from game_masters.bang.messages.words import ASKED, Reaction, Role, Stage
from game_masters.bang.parser.actions import write_move
from game_masters.bang.table.circle import distance, looks
from game_masters.bang.views.view import View
from ugs.pictures.contract import Offer
from ugs.pictures.lettering import clipped
from ugs.pictures.words_once import words_once

_IN_THE_AIR = frozenset({Reaction.BANG, Reaction.GATLING, Reaction.INDIANS, Reaction.DUEL})
"""What another player has played, and is to be answered."""
NAME = 20
"""Columns of a nick."""


@dataclass(frozen=True, slots=True)
class Seen:
    """One state."""

    view: View
    fresh: tuple[str, ...]
    """What has happened since the state before, oldest first."""
    recent: tuple[str, ...]
    """The last that has happened, whether it is new or not."""

    @property
    def players(self) -> tuple[PlayerView, ...]:
        """The players in the order of their seats."""
        return self.view.known.players

    def name(self, id: int) -> str:
        """The nick of a player, safe and not long."""
        found = next((player for player in self.players if player.id == id), None)
        return clipped(found.name, NAME) if found is not None else f"player {id}"

    @property
    def asked(self) -> int:
        """The id of the player who has to act; 0 if there is none."""
        known = self.view.known
        return known.context.requested if known.stage is Stage.PLAYING and known.context is not None else 0

    @property
    def standing(self) -> str:
        """Who is asked for what, or how the game ended."""
        known = self.view.known
        if known.stage is Stage.WAITING:
            return "waiting for the start"
        if known.stage is Stage.FINISHED:
            won = [self.name(player.id) for player in self.players if player.winner]
            return f"won by {', '.join(won)}" if won else "over"
        context = known.context
        if context is None:
            return "the game begins"
        turn = f"turn of {self.name(context.current)}"
        if context.reaction is None:
            return f"{turn}, to {'play' if context.phase == 'turn' else context.phase}"
        cause = f" with {self.name(context.caused_by)}" if context.reaction is Reaction.DUEL else ""
        needed = f", {context.needed} Beers are needed" if context.needed else ""
        return f"{self.name(context.requested)} is asked {ASKED[context.reaction]}{cause}{needed} ({turn})"

    @property
    def eye(self) -> int:
        """The id of the player from whom distances are measured: the viewer, for spectators whose turn it is."""
        context = self.view.known.context
        return self.view.known.you or (context.current if context is not None else 0)

    @property
    def shot(self) -> tuple[int, int] | None:
        """Who has played what another player has to answer now, and that player; None if nothing is in the air."""
        known = self.view.known
        context = known.context
        if known.stage is not Stage.PLAYING or context is None or context.reaction not in _IN_THE_AIR:
            return None
        source = context.caused_by or context.current
        return (source, context.requested) if source != context.requested else None

    @property
    def deeds(self) -> Sequence[str]:
        """After the end: who acted against whom, and what they were; the best evidence that all could see."""
        known = self.view.known
        if known.stage is not Stage.FINISHED:
            return ()
        against: dict[int, list[tuple[int, int]]] = {}
        for player, target, weight in known.deeds:
            if weight > 0:
                against.setdefault(player, []).append((weight, target))
        words = []
        for player, targets in against.items():
            aimed = ", ".join(f"{self._called(target)} {weight}" for weight, target in sorted(targets, reverse=True))
            words.append(f"{self._called(player)} acted against {aimed}")
        return words

    def _called(self, id: int) -> str:
        player = next((one for one in self.players if one.id == id), None)
        role = f" ({player.role})" if player is not None and player.role is not Role.UNKNOWN else ""
        return f"{self.name(id)}{role}"

    def distance_to(self, player: PlayerView) -> int | None:
        """How far the viewer (for spectators: whose turn it is) sees a living player; None for itself and the dead."""
        living = [one for one in self.players if one.alive]
        eye = self.eye
        origin = next((one for one in living if one.id == eye), None)
        if origin is None or not player.alive or player.id == eye or not player.character:
            return None
        seen = looks(origin.character, origin.table, player.character, player.table)
        return distance(len(living), living.index(origin), living.index(player), seen)

    # --- what a picture is --------------------------------------------------------------------------------------------

    @words_once
    def words(self) -> str:
        """Return the position in sentences."""
        known = self.view.known
        sentences = [f"Bang!, {self.standing}."]
        sentences += [self._player_words(player) for player in self.players]
        if known.top is not None:
            sentences.append(f"On top of the discard pile: {known.top.words}.")
        if known.selection:
            sentences.append(f"Selection: {cards_words(known.selection)}.")
        if known.you:
            own = "" if known.role is Role.UNKNOWN else f"You are {_article(known.role)}. "
            sentences.append(f"{own}Your hand: {cards_words(known.hand) or 'empty'}.")
        if self.deeds:
            sentences.append(f"Who acted against whom, by weight: {'; '.join(self.deeds)}.")
        return " ".join(sentences)

    def _player_words(self, player: PlayerView) -> str:
        if not player.character:
            return f"{self.name(player.id)} is there."
        role = f", {player.role}" if player.role is not Role.UNKNOWN else ""
        who = f"{self.name(player.id)} ({character_words(player.character)}{role}{controller(player)})"
        if not player.alive:
            return f"{who} is dead."
        table = f", on the table {cards_words(player.table)}" if player.table else ""
        far = self.distance_to(player)
        measured = "you" if self.eye == self.view.known.you else self.name(self.eye)
        at = f", distance {far} from {measured}" if far is not None else ""
        lives = "1 life" if player.life == 1 else f"{player.life} lives"
        return f"{who}: {lives}, {number_of_cards(player.hand)}{table}{at}."

    def news(self) -> Sequence[str]:
        """Return what has happened since the state before."""
        return self.fresh

    def moves(self, seat: int) -> Sequence[Move]:
        """Return the moves that the seat may make."""
        return self.view.legal if seat + 1 == self.view.known.you else ()

    def offers(self, seat: int) -> Sequence[Offer]:
        """Return the legal moves of the state."""
        return [Offer(self._label(move), write_move(move)) for move in self.moves(seat)]

    def _label(self, move: Move) -> str:
        match move:
            case Play(card=id, player=player, target=target):
                card = self.card(id)
                if player:
                    return f"{card.words} on {self.name(player)}"
                if target:
                    owner = next(one for one in self.players if any(card.id == target for card in one.table))
                    return f"{card.words} on {self.card(target).words} of {self.name(owner.id)}"
                if card in self.view.known.selection:
                    return f"take {card.words}"
                if any(card in one.table for one in self.players):
                    return f"draw for {card.words}"
                return f"play {card.words}"
            case Ability(player=player, cards=cards):
                own = self.view.known.player(self.view.known.you).character
                if own == SID and cards:
                    return f"discard {' and '.join(self.card(id).words for id in cards)} for a life"
                on = f" on {self.name(player)}" if player else ""
                with_cards = f" with {cards_words([self.card(id) for id in cards])}" if cards else ""
                return f"ability of {character_words(own)}{on}{with_cards}"
            case Discard(card=id):
                return f"discard {self.card(id).words}"
            case CreateGame(computers=number, shuffle=shuffle):
                order = "" if shuffle is None else (", shuffle the seats" if shuffle else ", seats as they are")
                return f"{number} computer players{order}"
            case Draw():
                return "draw"
            case Pass():
                return "pass"
            case EndTurn():
                return "end the turn"
            case StartGame():
                return "start the game"
            case JoinGame() | LeaveGame():
                return "go on"
        return "move"

    def card(self, id: int) -> Card:
        """Return a card that the viewer sees, by its id."""
        known = self.view.known
        tables = (card for player in self.players for card in player.table)
        return next((card for card in (*known.hand, *known.selection, *tables) if card.id == id), HIDDEN)


def controller(player: PlayerView) -> str:
    """Return the remark on who plays a seat."""
    return ", the computer" if player.ai else ("" if player.controlled else ", away")


def cards_words(cards: Sequence[Card]) -> str:
    """Return cards in words; hidden ones as a number."""
    seen = [card.words for card in cards if card != HIDDEN]
    hidden = sum(card == HIDDEN for card in cards)
    return ", ".join([*seen, *([number_of_cards(hidden)] if hidden else [])])


def number_of_cards(number: int) -> str:
    """Return ``1 card``, ``2 cards``."""
    return f"{number} card{'s' * (number != 1)}"


def _article(role: Role) -> str:
    return {Role.SHERIFF: "the sheriff", Role.OUTLAW: "an outlaw", Role.RENEGADE: "the renegade"}.get(role, f"a {role}")


def short(card: Card) -> str:
    """Return a card in a few letters: ``BANG! 9d``."""
    if card == HIDDEN:
        return "?"
    rank = card.rank[0].upper() if card.rank.isalpha() else card.rank
    return f"{NAMES[card.name].words} {rank}{card.suit[0]}"


def most_life(player: PlayerView) -> int:
    """Return the maximum of life points."""
    return CHARACTERS[player.character].life + player.sheriff if player.character else 0
