"""What clients receive: each event as a text in JSON, written by the function of its name.

The clients are strict readers: every field of an event is there, null where it has no value. Words are those of the
enumerations here, of the wire's ``Visibility`` and of the game: its modes, colours and cards.

Most of the traffic is boards, one for each play and each player, made of pieces that come up again and again. So the
texts of places, steps, players and lines of the history are cached, and a board is put together from them.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from game_masters.apologies.board import COLOURS, HOME, PAWNS, PLACES, SAFE, SQUARES, START, Pawn, Place
from game_masters.apologies.cards import Kind
from game_masters.apologies.plays import Step
from game_masters.apologies.views import Offer

# --- words ------------------------------------------------------------------------------------------------------------


class Reason(StrEnum):
    """Why a request is refused."""

    INVALID_REQUEST = "INVALID_REQUEST"
    DUPLICATE_USER = "DUPLICATE_USER"
    INVALID_AUTH = "INVALID_AUTH"
    WEBSOCKET_LIMIT = "WEBSOCKET_LIMIT"
    USER_LIMIT = "USER_LIMIT"
    GAME_LIMIT = "GAME_LIMIT"
    INVALID_PLAYER = "INVALID_PLAYER"
    INVALID_GAME = "INVALID_GAME"
    NOT_PLAYING = "NOT_PLAYING"
    NOT_ADVERTISER = "NOT_ADVERTISER"
    ALREADY_PLAYING = "ALREADY_PLAYING"
    NO_MOVE_PENDING = "NO_MOVE_PENDING"
    ILLEGAL_MOVE = "ILLEGAL_MOVE"
    ADVERTISER_MAY_NOT_QUIT = "ADVERTISER_MAY_NOT_QUIT"
    INTERNAL_ERROR = "INTERNAL_ERROR"


class CancelReason(StrEnum):
    """Why a game was not played to its end."""

    CANCELLED = "CANCELLED"
    NOT_VIABLE = "NOT_VIABLE"
    INACTIVE = "INACTIVE"
    SHUTDOWN = "SHUTDOWN"


class PlayerType(StrEnum):
    """Who plays a seat."""

    HUMAN = "HUMAN"
    """A client, either a person or a program."""
    PROGRAMMATIC = "PROGRAMMATIC"
    """The game master."""


class PlayerState(StrEnum):
    """The state of a player or of a seat. WAITING is for a player without a seat; no player who is here has QUIT."""

    WAITING = "WAITING"
    JOINED = "JOINED"
    PLAYING = "PLAYING"
    FINISHED = "FINISHED"
    QUIT = "QUIT"
    DISCONNECTED = "DISCONNECTED"


class ConnectionState(StrEnum):
    """Whether a player can be reached."""

    CONNECTED = "CONNECTED"
    DISCONNECTED = "DISCONNECTED"


class ActivityState(StrEnum):
    """Whether a player has sent requests lately."""

    ACTIVE = "ACTIVE"
    IDLE = "IDLE"
    INACTIVE = "INACTIVE"


# --- parts of events --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RegisteredPlayer:
    """One registered player. The dates have a time zone."""

    handle: str
    registration_date: datetime
    last_active_date: datetime
    connection_state: str
    activity_state: str
    player_state: str
    game_id: str | None


@dataclass(frozen=True, slots=True)
class AdvertisedGame:
    """A table. ``available`` of its seats are free."""

    game_id: str
    name: str
    mode: str
    advertiser_handle: str
    players: int
    available: int
    visibility: str
    invited_handles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GamePlayer:
    """The player of a seat. The colour is known when the game has begun."""

    handle: str
    player_color: str | None
    player_type: str
    player_state: str


class HistoryItem(NamedTuple):
    """What happened, for people. Only plays have a colour and a card. The date has a time zone."""

    action: str
    color: str | None
    card: str | None
    timestamp: datetime


class PlayerView(NamedTuple):
    """What a board shows of one seat."""

    seat: int
    turns: int
    hand: tuple[Kind, ...]
    """Empty except for the reader's own seat."""
    pawns: tuple[Place, ...]


def date_text(moment: datetime) -> str:
    """Return a date that has a time zone, in UTC with thousandths: ``2026-11-21T01:44:43,471+0000``."""
    text = moment.astimezone(UTC).isoformat(timespec="milliseconds")
    return text.replace(".", ",").replace("+00:00", "+0000")


# --- players and connections ------------------------------------------------------------------------------------------


def player_registered(player_id: str, handle: str) -> str:
    """To a client that has registered a player, or registered it again. This is the only event that holds an id."""
    return _write({"message": "PLAYER_REGISTERED", "player_id": player_id, "context": {"handle": handle}})


def player_unregistered(handle: str) -> str:
    """A player is gone, and its handle is free."""
    return _event("PLAYER_UNREGISTERED", handle=handle)


def player_idle(handle: str) -> str:
    """A warning to a player that has sent no request for a while."""
    return _event("PLAYER_IDLE", handle=handle)


def player_inactive(handle: str) -> str:
    """A player has sent no request for too long."""
    return _event("PLAYER_INACTIVE", handle=handle)


def registered_players(players: Iterable[RegisteredPlayer]) -> str:
    """All registered players."""
    dates = ("registration_date", "last_active_date")
    return _event(
        "REGISTERED_PLAYERS",
        players=[asdict(player) | {date: date_text(getattr(player, date)) for date in dates} for player in players],
    )


def player_message_received(sender: str, recipients: Sequence[str], text: str) -> str:
    """A chat text of a player. The recipients are as they were sent."""
    return _event("PLAYER_MESSAGE_RECEIVED", sender_handle=sender, recipient_handles=[*recipients], message=text)


def websocket_idle() -> str:
    """A warning to a connection without a registered player."""
    return _event("WEBSOCKET_IDLE")


def websocket_inactive() -> str:
    """A connection without a registered player will be closed."""
    return _event("WEBSOCKET_INACTIVE")


def server_shutdown() -> str:
    """All connections will be closed."""
    return _event("SERVER_SHUTDOWN")


def request_failed(reason: Reason, comment: str, handle: str | None = None) -> str:
    """A request is refused. ``handle`` is the sender's or the requested one, None if neither is known."""
    return _event("REQUEST_FAILED", reason=reason, comment=comment, handle=handle)


# --- tables and games -------------------------------------------------------------------------------------------------


def available_games(games: Iterable[AdvertisedGame]) -> str:
    """The tables where the sender may sit down."""
    return _event("AVAILABLE_GAMES", games=[*map(asdict, games)])


def game_advertised(game: AdvertisedGame) -> str:
    """To the player who has set up a table."""
    return _event("GAME_ADVERTISED", game=asdict(game))


def game_invitation(game: AdvertisedGame) -> str:
    """To a player who is invited to a table."""
    return _event("GAME_INVITATION", game=asdict(game))


def game_joined(handle: str, game_id: str, name: str, mode: str, advertiser: str) -> str:
    """To a player who has sat down at a table."""
    return _event(
        "GAME_JOINED", player_handle=handle, game_id=game_id, name=name, mode=mode, advertiser_handle=advertiser
    )


def game_started(game_id: str) -> str:
    """The game begins."""
    return _event("GAME_STARTED", game_id=game_id)


def game_idle(game_id: str) -> str:
    """A warning to the players of a game without activity."""
    return _event("GAME_IDLE", game_id=game_id)


def game_inactive(game_id: str) -> str:
    """A game had no activity for too long."""
    return _event("GAME_INACTIVE", game_id=game_id)


def game_player_change(game_id: str, comment: str, players: Iterable[GamePlayer]) -> str:
    """Who sits where now, in the order of the seats."""
    return _event("GAME_PLAYER_CHANGE", game_id=game_id, comment=comment, players=[*map(asdict, players)])


def game_player_quit(handle: str, game_id: str) -> str:
    """To a player who has left."""
    return _event("GAME_PLAYER_QUIT", handle=handle, game_id=game_id)


def game_completed(game_id: str, winner: str, comment: str) -> str:
    """The game is over, and the player ``handle`` has won."""
    return _event("GAME_COMPLETED", game_id=game_id, winner=winner, comment=comment)


def game_cancelled(game_id: str, reason: CancelReason, comment: str | None = None) -> str:
    """The game, or the table, no longer exists."""
    return _event("GAME_CANCELLED", game_id=game_id, reason=reason, comment=comment)


def game_state_change(
    game_id: str, history: Iterable[HistoryItem], player: PlayerView, opponents: Iterable[PlayerView]
) -> str:
    """A board as one player sees it: history oldest first, opponents in the order of the seats."""
    return (
        f'{{"message":"GAME_STATE_CHANGE","context":{{"game_id":{_write(game_id)},'
        f'"recent_history":[{",".join(map(_history_text, history))}],"player":{_player_text(player)},'
        f'"opponents":[{",".join(map(_player_text, opponents))}]}}}}'
    )


def game_player_turn(handle: str, game_id: str, drawn: Kind | None, offers: Iterable[Offer]) -> str:
    """To the player whose turn it is, with all its possible plays. ``drawn`` is the one card that it may play."""
    return (
        f'{{"message":"GAME_PLAYER_TURN","context":{{"handle":{_write(handle)},"game_id":{_write(game_id)},'
        f'"drawn_card":{_write(drawn)},"moves":{{{",".join(map(_offer_text, offers))}}}}}}}'
    )


# --- texts ------------------------------------------------------------------------------------------------------------

_write = json.JSONEncoder(separators=(",", ":")).encode


def _event(word: str, /, **context: object) -> str:
    return _write({"message": word, "context": context} if context else {"message": word})


@lru_cache(maxsize=1024)  # the last lines go to every player, and are repeated for ten plays
def _history_text(item: HistoryItem) -> str:
    return (
        f'{{"action":{_write(item.action)},"color":{_write(item.color)},"card":{_write(item.card)},'
        f'"timestamp":"{date_text(item.timestamp)}"}}'
    )


@lru_cache(maxsize=1024)  # a play changes one or two players, and all opponents see the same of them
def _player_text(player: PlayerView) -> str:
    first = player.seat * PAWNS
    pawns = ",".join([_PAWN_TEXTS[first + number][place] for number, place in enumerate(player.pawns)])
    hand = ",".join([f'"{kind}"' for kind in player.hand])
    return f'{{"color":"{COLOURS[player.seat]}","turns":{player.turns},"hand":[{hand}],"pawns":[{pawns}]}}'


def _offer_text(offer: Offer) -> str:
    id = _write(offer.id)
    return f'{id}:{{"move_id":{id},"card":"{offer.kind}",{_steps_text(offer.actions, offer.effects)}}}'


@lru_cache(maxsize=1024)  # a hand has equal cards, and most of them are still there at the next turn
def _steps_text(actions: tuple[Step, ...], effects: tuple[Step, ...]) -> str:
    did, followed = ",".join(map(_step_text, actions)), ",".join(map(_step_text, effects))
    return f'"actions":[{did}],"side_effects":[{followed}]'


def _step_text(step: Step) -> str:
    pawn, origin, target = step
    texts = _PAWN_TEXTS[pawn]
    return f'{{"start":{texts[origin]},"end":{texts[target]}}}'


def _pawn_text(pawn: Pawn, place: Place) -> str:
    seat, number = divmod(pawn, PAWNS)
    where: Mapping[str, object] = {
        "start": place == START,
        "home": place == HOME,
        "safe": place - SAFE if SAFE <= place < HOME else None,
        "square": place if place < SQUARES else None,
    }
    return _write({"color": COLOURS[seat], "id": str(number), **where})


_PAWN_TEXTS: Sequence[Sequence[str]] = tuple(
    tuple(_pawn_text(pawn, place) for place in PLACES) for pawn in range(PAWNS * len(COLOURS))
)
"""Every pawn at every place: about a thousand texts, a board of four uses sixteen of them."""
