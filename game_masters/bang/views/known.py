"""What a reader knows of a game, and how it follows from the events that it receives.

:class:`Known` is a snapshot, ``enter-game``. :class:`Replica` applies commands to one, as every client does; what it
then knows is equal to a snapshot of that moment, for every reader.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from game_masters.bang.cards.playing_cards import HIDDEN, Card
from game_masters.bang.messages.events import (
    Context,
    Dealt,
    Entry,
    Event,
    GameUpdated,
    LifePoints,
    Movement,
    PlayerChanged,
    PlayerCreated,
    PlayerRemoved,
    PlayerView,
    SetPlayers,
    Update,
    Viewer,
    view_of,
)
from game_masters.bang.messages.words import Pocket, Role, Stage, Type
from game_masters.bang.table.course import Course
from game_masters.bang.table.deeds import Deed, Deeds, deed_of


@dataclass(frozen=True, slots=True)
class Known:
    """A snapshot for one reader."""

    game_id: str
    game_name: str
    stage: Stage
    event: int
    """The id of the last event that is contained in it."""
    players: tuple[PlayerView, ...]
    """In the order of the seats."""
    context: Context | None
    top: Card | None
    """The top of the discard pile."""
    selection: tuple[Card, ...]
    you: int
    """The id of the reader; 0 for spectators."""
    role: Role
    """The reader's own."""
    hand: tuple[Card, ...]
    deeds: tuple[Deed, ...]
    """Who has acted against whom so far; the best evidence of hidden roles."""

    def player(self, id: int) -> PlayerView:
        """Return a player. Raises KeyError."""
        for player in self.players:
            if player.id == id:
                return player
        raise KeyError(id)


def known_by(course: Course, viewer: int, game_id: str, game_name: str) -> Known:
    """Return what this reader knows now."""
    over = course.stage is Stage.FINISHED
    own = course.players.find(viewer)
    piles = course.piles
    # Kit Carlson's three cards are for him alone; KBang shows them in every snapshot.
    seen = piles.owner in (0, viewer)
    return Known(
        game_id,
        game_name,
        course.stage,
        course.log.events,
        tuple([player.view(role_known=over) for player in course.players]),
        course.log.context if course.stage is not Stage.WAITING else None,
        piles.graveyard[-1] if piles.graveyard else None,
        tuple(piles.selection) if seen else (HIDDEN,) * len(piles.selection),
        viewer if own is not None else 0,
        own.role if own is not None else Role.UNKNOWN,
        tuple(own.hand) if own is not None else (),
        course.log.deeds.all_deeds(),
    )


class Replica:
    """A game as a reader has followed it."""

    def __init__(self, known: Known, viewer: Viewer) -> None:
        """Begin with a snapshot. ``viewer`` None keeps all hands; then the snapshot is one of a game without cards."""
        self._viewer = viewer
        self._base = known
        self._name = known.game_name
        self._players = [_Seen(player) for player in known.players]
        self._hands = {player.id: [HIDDEN] * player.hand for player in known.players}
        if known.you in self._hands:
            self._hands[known.you] = list(known.hand)
        self._graveyard = [known.top] if known.top is not None else []
        self._selection = list(known.selection)
        self._deeds = Deeds.of(known.deeds)
        self._stage, self._context, self._role, self.event = known.stage, known.context, known.role, known.event

    def copy(self) -> "Replica":
        """Return a copy that shares nothing that can change."""
        return Replica(self.known(), self._viewer)

    @property
    def hands(self) -> Mapping[int, list[Card]]:
        """All hands, with hidden cards for those that the reader may not see."""
        return self._hands

    @property
    def graveyard(self) -> list[Card]:
        """The discard pile, as far as it is known; the top is the last."""
        return self._graveyard

    def take(self, entry: Entry) -> None:
        """Apply an entry, in the reader's version. An event that has been applied is passed over."""
        match entry:
            case Event():
                if entry.id > self.event:
                    self._event(entry)
            case GameUpdated():
                self._name = entry.name or self._name
            case PlayerCreated():
                if entry.player.id not in self._hands:
                    self._players.append(_Seen(entry.player))
                    self._hands[entry.player.id] = []
            case PlayerRemoved():
                self._players = [player for player in self._players if player.id != entry.player]
                self._hands.pop(entry.player, None)
            case PlayerChanged():
                player = self._player(entry.player.id)
                player.controlled, player.ai = entry.player.controlled, entry.player.ai

    def known(self) -> Known:
        """Return what the reader knows now."""
        you = self._base.you if self._base.you in self._hands else 0
        return Known(
            self._base.game_id,
            self._name,
            self._stage,
            self.event,
            tuple([player.view(len(self._hands[player.id])) for player in self._players]),
            self._context,
            self._graveyard[-1] if self._graveyard else None,
            tuple(self._selection),
            you,
            self._role if you else Role.UNKNOWN,
            tuple(self._hands[you]) if you else (),
            self._deeds.all_deeds(),
        )

    def _event(self, event: Event) -> None:
        self.event = event.id
        if event.type is Type.START_GAME:
            self._stage = Stage.PLAYING
        elif event.type is Type.FINISH_GAME:
            self._stage = Stage.FINISHED
        elif event.type is Type.SHUFFLE_DECK:
            # A shuffle leaves the top where it is.
            self._graveyard = self._graveyard[-1:]
        for command in event.commands:
            match command:
                case Movement():
                    self._move(command)
                case LifePoints():
                    self._player(command.player).life = command.points
                case Update():
                    self._update(command)
                case SetPlayers():
                    self._set(command)
                case Context():
                    self._context = command
        deed = deed_of(event)
        if deed is not None:
            self._deeds.count(deed)

    def _player(self, id: int) -> "_Seen":
        for player in self._players:
            if player.id == id:
                return player
        raise KeyError(id)

    def _update(self, update: Update) -> None:
        player = self._player(update.player)
        player.role = player.role if update.role is None else update.role
        player.alive = player.alive if update.alive is None else update.alive
        player.winner = player.winner if update.winner is None else update.winner

    def _set(self, command: SetPlayers) -> None:
        before = {player.id: player for player in self._players}
        self._players = [_begun(before.get(one.id), one) for one in command.players]
        self._hands = {one.id: [] for one in command.players}
        self._role = next((one.role for one in command.players if one.id == self._base.you), self._role)

    def _move(self, moved: Movement) -> None:
        match moved.source:
            case Pocket.HAND:
                _remove(self._hands[moved.giver], moved.card)
            case Pocket.TABLE:
                _remove(self._player(moved.giver).table, moved.card)
            case Pocket.SELECTION:
                _remove(self._selection, moved.card)
            case Pocket.GRAVEYARD:
                rest = self._graveyard[:-1]
                if moved.second is None:
                    # A snapshot has only the top, so the card below may be known from this movement alone.
                    rest = []
                elif rest[-1:] != [moved.second]:
                    rest = [moved.second]
                self._graveyard = rest
        match moved.target:
            case Pocket.HAND:
                # Of other hands only the number is known, even of a card that all saw coming.
                keeps = self._viewer in (None, moved.taker)
                self._hands[moved.taker].append(moved.card if keeps else HIDDEN)
            case Pocket.TABLE:
                self._player(moved.taker).table.append(moved.card)
            case Pocket.SELECTION:
                self._selection.append(moved.card)
            case Pocket.GRAVEYARD:
                self._graveyard.append(moved.card)


class _Seen:
    """What is known of a player, while it changes."""

    __slots__ = ("ai", "alive", "character", "controlled", "id", "life", "name", "role", "sheriff", "table", "winner")

    def __init__(self, player: PlayerView) -> None:
        self.id, self.name, self.character = player.id, player.name, player.character
        self.controlled, self.ai = player.controlled, player.ai
        self.alive, self.winner, self.sheriff = player.alive, player.winner, player.sheriff
        self.life, self.role, self.table = player.life, player.role, list(player.table)

    def view(self, hand: int) -> PlayerView:
        """Return it as a value."""
        return view_of(self, sheriff=self.sheriff, life=self.life, hand=hand, role=self.role)


def _begun(before: _Seen | None, dealt: Dealt) -> _Seen:
    """A player at the start of the game."""
    player = before or _Seen(PlayerView(dealt.id, dealt.name))
    player.name, player.character, player.life = dealt.name, dealt.character, dealt.life
    player.sheriff = dealt.role is Role.SHERIFF
    # What a player is shown of itself in public is no more than others are shown; its role stands apart.
    player.role = dealt.role if player.sheriff else Role.UNKNOWN
    player.table = []
    return player


def _remove(cards: list[Card], card: Card) -> None:
    """Remove a card, or a hidden one if the reader has not known that this was it."""
    if card in cards:
        cards.remove(card)
    elif HIDDEN in cards:
        cards.remove(HIDDEN)
