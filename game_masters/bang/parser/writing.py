"""Events and snapshots as XML, in the spelling of KBang's protocol 2."""

from functools import lru_cache
from xml.sax.saxutils import escape, quoteattr

from game_masters.bang.cards.playing_cards import HIDDEN, Card
from game_masters.bang.messages.events import (
    ChatMessage,
    Command,
    Context,
    Entry,
    Event,
    Exited,
    GameUpdated,
    LifePoints,
    Movement,
    PlayerChanged,
    PlayerCreated,
    PlayerRemoved,
    PlayerView,
    Rejected,
    Resynced,
    SetPlayers,
    Update,
)
from game_masters.bang.parser.actions import action_text
from game_masters.bang.views.known import Known
from game_masters.bang.views.view import View

# XML parsers read a bare carriage return as the end of a line.
_IN_TEXT = {"\r": "&#13;"}


def write_view(view: View) -> bytes:
    """Return the ``<gameState>`` element for a view."""
    id = view.known.game_id
    parts = ["<gameState>", snapshot_text(view.snapshot)]
    parts += [entry_text(entry, id) for entry in view.news]
    if view.legal:
        parts.append("<legal>")
        parts += [f"<action>{action_text(move)}</action>" for move in view.legal]
        parts.append("</legal>")
    parts.append("</gameState>")
    return "".join(parts).encode()


def entry_text(entry: Entry, game_id: str) -> str:
    """Return an event as XML; nothing for a request for a snapshot, which is no event."""
    if isinstance(entry, Event):
        return event_text(entry, game_id)
    if isinstance(entry, Resynced):
        return ""
    return f"<server-event>{_server_text(entry, quoteattr(game_id))}</server-event>"


# --- cards and players ------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def card_text(card: Card) -> str:
    """Return a card; one that may not be seen has nothing but the id 0."""
    if card == HIDDEN:
        return '<card id="0"/>'
    face = f' suit="{card.suit}" rank="{card.rank}"' if card.suit else ""
    return f'<card id="{card.id}" name="{card.name}" type="{card.type}"{face}/>'


def _flag(flag: bool) -> str:
    return "true" if flag else "false"


@lru_cache(maxsize=1024)
def player_text(player: PlayerView) -> str:
    """Return a ``public-player``."""
    cards = "".join([card_text(card) for card in player.table])
    table = f"<table>{cards}</table>" if cards else "<table/>"
    return (
        f'<public-player id="{player.id}" name={quoteattr(player.name)} has-password="false" '
        f'has-controller="{_flag(player.controlled)}" is-ai="{_flag(player.ai)}" is-alive="{_flag(player.alive)}" '
        f'is-winner="{_flag(player.winner)}" is-sheriff="{_flag(player.sheriff)}" character="{player.character}" '
        f'life-points="{player.life}" hand-size="{player.hand}" role="{player.role}">{table}</public-player>'
    )


def snapshot_text(known: Known) -> str:
    """Return an ``enter-game`` event."""
    you = f' player-id="{known.you}"' if known.you else ""
    parts = [
        f"<server-event><enter-game game-id={quoteattr(known.game_id)} game-name={quoteattr(known.game_name)} "
        f'game-state="{known.stage}"{you} last-event-id="{known.event}"><players>',
        *map(player_text, known.players),
    ]
    if known.you:
        hand = "".join(map(card_text, known.hand))
        own = f"<hand>{hand}</hand>" if hand else "<hand/>"
        parts.append(f'<private-player id="{known.you}" role="{known.role}">{own}</private-player>')
    parts.append("</players>")
    if known.context is not None:
        parts.append(_context_text(known.context))
    parts.append(f"<graveyard>{card_text(known.top)}</graveyard>" if known.top is not None else "<graveyard/>")
    selection = "".join(map(card_text, known.selection))
    parts.append(f"<selection>{selection}</selection>" if selection else "<selection/>")
    if known.deeds:
        parts.append("<deeds>")
        parts += [
            f'<deed player-id="{player}" target-player-id="{target}" weight="{weight}"/>'
            for player, target, weight in known.deeds
        ]
        parts.append("</deeds>")
    parts.append("</enter-game></server-event>")
    return "".join(parts)


# --- game events ------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)  # many readers receive the same, in several states
def event_text(event: Event, game_id: str) -> str:
    """Return a ``game-event``."""
    attributes = [f'<game-event game-id={quoteattr(game_id)} event-id="{event.id}" type="{event.type}"']
    if event.player:
        attributes.append(f' player-id="{event.player}"')
    if event.target:
        attributes.append(f' target-player-id="{event.target}"')
    if event.caused_by:
        attributes.append(f' caused-by="{event.caused_by}"')
    if event.success is not None:
        attributes.append(f' success="{_flag(event.success)}"')
    if event.ability:
        attributes.append(' use-ability="true"')
    if event.cards is not None:
        attributes.append(f' cards="{event.cards}"')
    content = "".join([f"<{what}>{card_text(card)}</{what}>" for what, card in event.meaning])
    content += "".join([_command_text(command) for command in event.commands])
    head = "".join(attributes)
    return f"{head}>{content}</game-event>" if content else f"{head}/>"


def _command_text(command: Command) -> str:
    match command:
        case Movement():
            second = f"<second-card>{card_text(command.second)}</second-card>" if command.second is not None else ""
            return (
                f'<card-movement pocket-type-from="{command.source}" pocket-type-to="{command.target}" '
                f'player-from="{command.giver}" player-to="{command.taker}">{card_text(command.card)}{second}'
                "</card-movement>"
            )
        case LifePoints():
            return f'<life-points player-id="{command.player}" life-points="{command.points}"/>'
        case Update():
            return _update_text(command)
        case SetPlayers():
            players = [
                f'<player id="{one.id}" name={quoteattr(one.name)} character="{one.character}" role="{one.role}" '
                f'life-points="{one.life}"/>'
                for one in command.players
            ]
            return f"<set-players>{''.join(players)}</set-players>"
        case Context():
            return _context_text(command)


def _update_text(update: Update) -> str:
    role = f' role="{update.role}"' if update.role is not None else ""
    alive = f' is-alive="{_flag(update.alive)}"' if update.alive is not None else ""
    winner = f' is-winner="{_flag(update.winner)}"' if update.winner is not None else ""
    return f'<update-player id="{update.player}"{role}{alive}{winner}/>'


def _context_text(context: Context) -> str:
    reaction = f' reaction-type="{context.reaction}"' if context.reaction is not None else ""
    cause = f' caused-by="{context.caused_by}"' if context.caused_by else ""
    needed = f' needed="{context.needed}"' if context.needed else ""
    return (
        f'<game-context current-player-id="{context.current}" requested-player-id="{context.requested}" '
        f'turn-number="{context.turn}" game-play-state="{context.phase}"{reaction}{cause}{needed}/>'
    )


# --- server events ----------------------------------------------------------------------------------------------------


def _server_text(entry: Entry, id: str) -> str:
    match entry:
        case PlayerCreated():
            return f"<create-player game-id={id}>{player_text(entry.player)}</create-player>"
        case PlayerRemoved():
            return f'<remove-player game-id={id} player-id="{entry.player}"/>'
        case PlayerChanged():
            return f"<player-update game-id={id}>{player_text(entry.player)}</player-update>"
        case ChatMessage():
            # KBang numbers clients; here a client is its player.
            head = f'game-id={id} client-id="{entry.player}" player-id="{entry.player}" '
            head += f"sender-name={quoteattr(entry.name)}"
            return f"<chat-message {head}>{escape(entry.text, _IN_TEXT)}</chat-message>"
        case GameUpdated():
            name = f" game-name={quoteattr(entry.name)}" if entry.name else ""
            return f'<game-update game-id={id} is-startable="{_flag(entry.startable)}"{name}/>'
        case Exited():
            return f"<exit-game game-id={id}/>"
        case Rejected():
            head = f'game-id={id} player-id="{entry.player}" action="{entry.action}" reason="{entry.reason}"'
            return f"<action-rejected {head}>{escape(entry.text, _IN_TEXT)}</action-rejected>"
    raise TypeError(f"not an event: {entry!r}")
