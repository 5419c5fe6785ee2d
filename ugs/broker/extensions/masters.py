"""Messages of game masters beyond v4: a state for each player and several movers (families ``views``, ``movers``),
labels of seats and options (``table``), and failures to begin, lead on or take over a game (``table``, ``restore``,
``reason``).

Each function for a message returns what is wrong with it, or None. The consequences are in the core:
``play/showing.py`` shows a game, ``play/takeover.py`` hands it over.
"""

from collections import Counter
from collections.abc import Iterator

from ugs.broker.extensions.request import MASTERS, ExtensionModule, Request
from ugs.broker.facts import MasterReady, SeatsChanged
from ugs.broker.play import intake, reasons, record_entries
from ugs.broker.play.endings import wrong_results
from ugs.broker.state.game_state import NOTHING, StateMessages
from ugs.broker.state.model import Game, Master
from ugs.broker.state.phases import Happening, Phase
from ugs.broker.state.server_state import ServerState
from ugs.broker.verdict import Cause
from ugs.wire.extensions import Failed, Family, Labels, Offers, RefusalReason, SeatKind, Views

MAX_GATHER_S = 600.0
"""Seconds that a master may let players wait for more players; after a longer wait the first ones are gone."""


def views(server: ServerState, master: Master, message: Views) -> str | None:
    """A master has sent ``x-views``: a state, or a result, with payloads for single players."""
    if not master.may(Family.VIEWS) and any(view.nick for view in message.views):
        return "x-views: a view with a nick, and the family views was not granted"
    game = master.games.get(message.game_id)
    if game is None:
        return intake.not_running(server, master, "x-views", message.game_id)
    # A player that has just left may still be named: the messages crossed, and the master is not to blame.
    next_players = _without_leavers(game, message.next_players)
    wrong = next(_wrong_views(game, message, next_players), None)
    if wrong is None and len(next_players) > 1 and not master.may(Family.MOVERS):
        wrong = "x-views: several nextPlayer, and the family movers was not granted"
    if wrong is None and message.game_over:
        wrong = wrong_results(game, message.game_over, "x-views")
    if wrong is not None:
        return wrong
    private = {view.nick: view.payload for view in message.views}
    # The view without a nick is for all others; where it is missing they get an empty state, never another's hand.
    public = private.pop("", NOTHING)
    state_messages = StateMessages(game.id, next_players, message.game_over or None, public, private)
    intake.master_shows(server, master, game, state_messages)
    return None


def labels(server: ServerState, master: Master, message: Labels) -> str | None:
    """A master has sent ``x-labels``: the labels of the seats of a game."""
    game = master.games.get(message.game_id)
    if game is None:
        return intake.not_running(server, master, "x-labels", message.game_id)
    wrong = next(_wrong_labels(game, message), None)
    if wrong is not None:
        return wrong
    # A master may repeat its labels with every state: they are recorded and counted when they change.
    if message.seats != game.shown.labels and intake.labels_counted(server, game, message.seats):
        game.shown.has_labels(message.seats)
        record_entries.labels(server, game, message.seats)
        server.report(SeatsChanged(game, ""))
    return None


def offers(server: ServerState, master: Master, message: Offers) -> str | None:
    """A master has sent ``x-offers``: the options of its games. It gets no games before that; running games keep their
    options."""
    numbers = Counter(option.name for option in message.options)
    twice = next((name for name, number in numbers.items() if number > 1), None)
    if twice is not None:
        return f"x-offers: option name {twice!r}: there twice"
    wanted = message.players_wanted
    if wanted and not master.takes(wanted):
        return f"x-offers: wanted of <gather> is {wanted}, not from {master.players_min} to {master.players_max}"
    if message.gather_s > MAX_GATHER_S:
        return f"x-offers: forSec of <gather> is {message.gather_s:.12g}, more than {MAX_GATHER_S:.0f}"
    master.offers_games(message)
    server.report(MasterReady(master.type))
    return None


def failed(server: ServerState, master: Master, message: Failed) -> str | None:
    """A master has sent ``x-failed``: it cannot begin a game, or take it over, or lead it to its end."""
    game = master.games.get(message.game_id)
    if game is None:
        return intake.not_running(server, master, "x-failed", message.game_id)
    begun = game.phase not in (Phase.BEGUN, Phase.TAKING)
    server.note("game given up" if begun else "game declined", master, warning=True, game=game.id, reason=message.text)
    code = str(message.code)
    if message.code is RefusalReason.INVALID_REQUEST:  # what kits send for any reason: no peer has asked for anything
        code = "given-up" if begun else "declined"
    reasons.decline(server, game, code, message.text)
    if begun:
        # It may void what a player has lost, so it is the fault of the master, and no one else's, as silence is.
        server.step(game, Happening.GIVEN_UP)
        return None
    if game.phase is Phase.TAKING:
        server.step(game, Happening.VOIDED, Cause.MASTER_LOST, reasons.printable(message.text))
    elif game.setting.table is not None:
        server.step(game, Happening.CANCELLED, Cause.DECLINED, master.name)
    else:  # players asked only for what the master itself offers: treated like a missing answer
        server.step(game, Happening.CLOCK)
    return None


def _without_leavers(game: Game, nicks: tuple[str, ...]) -> tuple[str, ...]:
    """Return the nicks that may move, without players who have just left; all of them if none would remain."""
    return tuple([nick for nick in nicks if nick not in game.departures]) or nicks


def _wrong_views(game: Game, message: Views, next_players: tuple[str, ...]) -> Iterator[str]:
    """Yield mistakes in the views and the next players of a message, not in its results."""
    seen: set[str] = set()
    for view in message.views:
        if view.nick in seen:
            yield f"x-views: view nick {view.nick!r}: there twice"
        seen.add(view.nick)
        if view.nick and view.nick not in game.seat_of:
            yield f"x-views: view nick {view.nick!r}: not a player in game {game.id}"
    named: set[str] = set()
    for nick in next_players:
        if nick not in game.present:
            yield f"x-views: nextPlayer nick {nick!r}: not a player in game {game.id}"
        elif nick in named:
            yield f"x-views: nextPlayer nick {nick!r}: there twice"
        named.add(nick)


def _wrong_labels(game: Game, message: Labels) -> Iterator[str]:
    """Yield mistakes in the labels of seats."""
    nicks: set[str] = set()
    for seat in message.seats:
        if seat.nick in nicks:
            yield f"x-labels: seat nick {seat.nick!r}: there twice"
        nicks.add(seat.nick)
        if seat.kind is SeatKind.HUMAN and seat.nick not in game.seat_of:
            yield f"x-labels: seat nick {seat.nick!r}: not a player in game {game.id}"
        if seat.kind is SeatKind.PROGRAM and seat.nick in game.present:
            yield f"x-labels: seat nick {seat.nick!r}: a player in game {game.id}, not a program"


EXTENSION = ExtensionModule(
    requests={
        Views: Request(frozenset({Family.VIEWS, Family.MOVERS}), MASTERS, views),
        Labels: Request(frozenset({Family.TABLE}), MASTERS, labels),
        Offers: Request(frozenset({Family.TABLE}), MASTERS, offers),
        Failed: Request(frozenset({Family.TABLE, Family.RESTORE, Family.REASON}), MASTERS, failed),
    }
)
