"""The broker: events in, effects out.

:meth:`Broker.handle` looks up what an event means: :data:`EVENTS` names the function for each, :data:`TIMERS` for each
kind of timer. Two tables decide what follows: ``life.py`` what a message does to a peer and an event to a game,
``hooks.py`` the rules that follow from a fact, in order.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ugs.broker import life
from ugs.broker.acts import holding, moving, removing, revoking
from ugs.broker.acts.dispatch import carry_out
from ugs.broker.championships import announcing, champions_list, orders, playing
from ugs.broker.effects import Answer, Close, Effect
from ugs.broker.entrance import after_game, departed_rows, departures, logins, pool, proofs, shared_nicks, shutdown
from ugs.broker.events import (
    AccessRead,
    Asked,
    ClockSet,
    Connected,
    Disconnected,
    Drawn,
    Event,
    Flooded,
    Garbled,
    HomeMoved,
    IdentitiesRead,
    JournalBack,
    JournalLost,
    Misread,
    NickClaimed,
    NickLost,
    NodesSeen,
    Presence,
    Proved,
    Recalled,
    Received,
    ResultKept,
    RoomNeeded,
    ShutdownAsked,
    Started,
    Timer,
    TimerBegun,
    TimerFired,
    TimerKind,
    WhyAnswered,
)
from ugs.broker.extensions import switchboard
from ugs.broker.extensions.request import ExtensionModule
from ugs.broker.facts import DoorsOpened, PastRecalled
from ugs.broker.hooks import all_hooks
from ugs.broker.past import Past, kept
from ugs.broker.play import budgets, dismissals, intake, server_restart, wrong_messages
from ugs.broker.state import rests, session_tokens
from ugs.broker.state.connection import Connection
from ugs.broker.state.model import Game, Player
from ugs.broker.state.server_state import Rules, ServerState
from ugs.broker.values.questions import (
    Act,
    EditAsked,
    Order,
    OwnerAsked,
    PlanAsked,
    PublicAsked,
    PublicWhyAsked,
    Question,
    ServerAsked,
    WhyAsked,
)
from ugs.broker.values.replies import ABSENT, Declined, Done, Planned, Reply, TokenOwner
from ugs.broker.views.awaited import awaited
from ugs.broker.views.overview import overview
from ugs.broker.views.public import public
from ugs.broker.views.whole import whole, whole_why
from ugs.broker.views.why import explain, not_led
from ugs.championship.plan import Plan
from ugs.config import Config
from ugs.wire import messages
from ugs.wire.extensions import Account, Failed

CONNECTION_LIFE = {state: {kind: cell.rule for kind, cell in row.items()} for state, row in life.CONNECTION.items()}


class Broker:
    """The state machine of a whole server.

    ``new_game_id`` returns an unguessable id that was never used, at most 32 ASCII characters; ``new_secret`` an
    unguessable text of at least 32 ASCII characters; ``past`` is what the journal knows of earlier lives;
    ``extensions`` are those of the protocol (default: all). The owner carries out the effects of one event before it
    handles the next.
    """

    def __init__(
        self,
        config: Config,
        new_game_id: Callable[[], str],
        new_secret: Callable[[], str],
        past: Past | None = None,
        extensions: Sequence[ExtensionModule] | None = None,
    ) -> None:
        found = switchboard.installed() if extensions is None else extensions
        hooks = all_hooks([one.hooks for one in found])
        self.server = ServerState(config, new_game_id, new_secret, Rules(life.LIFE, hooks))
        """The registries, read-only for tests and views."""
        self._switchboard = switchboard.Switchboard(found)
        self._timers = {**TIMERS, **{kind: timer for one in found for kind, timer in one.timers.items()}}
        self._questions = self.lists | rests.QUESTIONS
        self._past = past or Past()
        self._own: Mapping[type[Event], Callable[..., None]] = {
            Received: self._received,
            Misread: self._misread,
            TimerFired: self._timer_fired,
            Started: self._started,
        }
        _remember(self.server, self._past)

    def handle(self, event: Event, now: float) -> list[Effect]:
        """Handle an event at ``now`` (seconds of a clock that never goes back); return the effects to carry out.

        Events about connections that the broker has closed or never knew are ignored. After ``Stopped`` nothing happens
        any more, except that new connections are closed. Never raises on anything a peer can cause.
        """
        server = self.server
        if server.condition.stopped:
            return [Close(event.conn)] if isinstance(event, Connected) else []
        server.now = now
        handler = self._own.get(type(event))
        if handler is not None:
            handler(event)
        else:
            EVENTS[type(event)](server, event)
        if server.condition.draining:
            shutdown.good_bye_if_done(server)
        return server.taken()

    @property
    def games(self) -> list[Game]:
        """Return the games whose end has not been announced yet."""
        return self.server.running

    @property
    def lists(self) -> frozenset[type[messages.Message]]:
        """Return the requests that ask for a list and change nothing."""
        return frozenset(kind for kind, request in self._switchboard.requests.items() if request.is_list)

    def awaited(self, timer: Timer) -> list[int]:
        """Return the connections of the peers whose silence this timer judges: what they have sent is read first."""
        return awaited(self.server, timer)

    def _received(self, event: Received) -> None:
        server = self.server
        connection = server.connections.get(event.conn)
        if connection is None:
            return
        peer, message = connection.peer, event.message
        if isinstance(peer, Player) and type(message) in self._questions:
            rests.asks(server, peer)
        # Before it is judged: a wrong message shows as well that the peer is alive.
        connection.is_active(server.now)
        rule = CONNECTION_LIFE[peer.state].get(type(message))
        if rule is not None:
            wrong = rule(server, peer, message)
        elif isinstance(message, messages.Extension):
            self._switchboard.received(server, peer, message)
            wrong = None
        else:
            wrong = f"{message.TYPE}: not a message for the server while you are {peer.state}"
        if not connection.answered:
            connection.is_answered()
        if wrong is not None:
            wrong_messages.complain(server, peer, wrong, getattr(message, "game_id", ""))

    def _misread(self, event: Misread) -> None:
        connection = self.server.connections.get(event.conn)
        if connection is None:
            return
        connection.is_active(self.server.now)
        connection.is_answered()
        if event.kind.startswith("x-"):
            switchboard.misread(self.server, connection.peer, event.reason, event)
        else:
            wrong_messages.complain(self.server, connection.peer, event.reason)

    def _timer_fired(self, event: TimerFired) -> None:
        self._timers[event.timer.kind](self.server, event.timer.subject)

    def _started(self, event: Started) -> None:
        """Continue the sessions, championships and games of earlier lives; then announce the plans of this one."""
        server, past = self.server, self._past.aged(event.past_age_s)
        server.condition.paused.update(past.paused)
        for ban in past.bans:
            removing.restore(server, ban)
        # Sessions first: a revived game is seated with the players who may come back.
        server.report(DoorsOpened(past))
        games = server_restart.made_again(server, past.games)
        # Before the games run: one that is void at once is to be played again by its championship.
        announcing.go_on(server, [game.id for game in games if game.present])
        server_restart.revive(server, games)
        after_game.look_at_all_types(server)
        announcing.announce_configured_types(server)
        remembered = set(server.championships)
        for plan in event.plans:
            if not announcing.is_known(server, plan.name):
                wrong = _plan(server, plan, None, date_s=event.date_s)
                if wrong is not None:
                    server.note("championship not announced", warning=True, reason=wrong)
        if event.date_s is not None:
            announcing.set_hours(server, event.date_s, remembered)


# Events.


def _connected(server: ServerState, event: Connected) -> None:
    connection = Connection(event.conn, event.address, event.by_gateway)
    server.connections[event.conn] = connection
    server.note("connected", connection.peer, address=event.address)
    shut_out = server.entry.access.of_host(connection.host, server.now)
    if shut_out:
        dismissals.dismiss(server, connection.peer, shut_out)
    else:
        server.start(Timer(TimerKind.LOGIN, event.conn), server.config.login_timeout_s)


def _garbled(server: ServerState, event: Garbled) -> None:
    connection = server.connections.get(event.conn)
    if connection is not None:
        dismissals.garbled(server, connection.peer, event.reason, event.excerpt, event.around)


def _flooded(server: ServerState, event: Flooded) -> None:
    connection = server.connections.get(event.conn)
    if connection is not None:
        dismissals.flooded(server, connection.peer, event.reason)


def _disconnected(server: ServerState, event: Disconnected) -> None:
    # None when the broker closed it itself: its peer has departed already.
    connection = server.connections.pop(event.conn, None)
    if connection is not None:
        server.note("disconnected", connection.peer, reason=event.reason)
        departures.disconnected(server, connection.peer, event)


def _presence(server: ServerState, event: Presence) -> None:
    connection = server.connections.get(event.conn)
    if connection is not None and isinstance(connection.peer, Player):
        departures.reachable(server, connection.peer, there=event.there)


def _timer_begun(server: ServerState, event: TimerBegun) -> None:
    budgets.handed(server, str(event.timer.subject))


def _result_kept(server: ServerState, event: ResultKept) -> None:
    intake.result_kept(server, event.game_id)


def _drawn(server: ServerState, event: Drawn) -> None:
    known = playing.drawn(server, event)
    if known is not None:
        pool.match(server, known)


def _why_answered(server: ServerState, event: WhyAnswered) -> None:
    """Pass on the account of a game to the peer that asked, which may be gone."""
    connection = server.connections.get(event.conn)
    if connection is None:
        return
    if event.refused is None:
        message: messages.Extension = Account(event.text, event.game_id, event.ref)
    else:
        message = Failed(event.refused, event.text, event.game_id, event.ref, event.wait_s)
    server.send_extension([connection.peer], message)


def _recalled(server: ServerState, event: Recalled) -> None:
    server.report(PastRecalled(event.wish, event.found))


def _proved(server: ServerState, event: Proved) -> None:
    proofs.proved(server, event)


def _identities_read(server: ServerState, event: IdentitiesRead) -> None:
    revoking.take(server, event.rows)


def _access_read(server: ServerState, event: AccessRead) -> None:
    removing.heed_file(server, event.rules)


def _clock_set(server: ServerState, event: ClockSet) -> None:
    for championship in announcing.set_clock(server, event.date_s):
        pool.match(server, server.type_named(championship.plan.game_type))


def _journal_lost(server: ServerState, event: JournalLost) -> None:
    server.note("journal lost", warning=True, reason=event.reason, games=len(server.running))
    server.condition.loses_journal(event.reason)
    intake.journal_lost(server)


def _journal_back(server: ServerState, _event: JournalBack) -> None:
    server.note("journal back")
    server.condition.has_journal()
    after_game.look_at_all_types(server)


def _room_needed(server: ServerState, event: RoomNeeded) -> None:
    intake.room_needed(server, event)


def _asked(server: ServerState, event: Asked) -> None:
    server.emit(Answer(event.ticket, QUESTIONS[type(event.question)](server, event.question)))


def _shutdown_asked(server: ServerState, _event: ShutdownAsked) -> None:
    shutdown.drain(server)


EVENTS: dict[type[Event], Callable[[ServerState, Any], None]] = {
    Connected: _connected,
    Garbled: _garbled,
    Flooded: _flooded,
    Disconnected: _disconnected,
    Presence: _presence,
    HomeMoved: moving.home_moved,
    NodesSeen: moving.nodes_seen,
    TimerBegun: _timer_begun,
    ResultKept: _result_kept,
    Drawn: _drawn,
    WhyAnswered: _why_answered,
    Recalled: _recalled,
    Proved: _proved,
    NickClaimed: shared_nicks.claimed,
    NickLost: moving.nick_lost,
    IdentitiesRead: _identities_read,
    AccessRead: _access_read,
    ClockSet: _clock_set,
    JournalLost: _journal_lost,
    JournalBack: _journal_back,
    RoomNeeded: _room_needed,
    Asked: _asked,
    ShutdownAsked: _shutdown_asked,
}
"""The other events need more than the server; they are methods of the broker."""


# Timers.


def _championship_hour(server: ServerState, name: str) -> None:
    known = playing.hour(server, name)
    if known is not None:
        pool.match(server, known)


def _round_date(server: ServerState, name: str) -> None:
    championship = server.championships[name]
    announcing.open_rounds(server, championship)
    pool.match(server, server.type_named(championship.plan.game_type))


def _more_games(server: ServerState, name: str) -> None:
    pool.match(server, playing.more_games(server, name))


def _lost_games(server: ServerState, name: str) -> None:
    game_type = server.types[name]
    intake.lose_games(server, game_type)
    pool.match(server, game_type)
    server.release(game_type)


def _entrants_overdue(server: ServerState, name: str) -> None:
    known = playing.overdue(server, name)
    if known is not None:
        pool.match(server, known)


TIMERS: dict[TimerKind, Callable[[ServerState, Any], None]] = {
    TimerKind.LOGIN: logins.login_too_late,
    TimerKind.PROOF: proofs.due,
    TimerKind.GAME: intake.clock,
    TimerKind.GATHER: pool.gathered,
    TimerKind.CHAMPIONS: champions_list.announcement_due,
    TimerKind.CHAMPIONSHIP: _championship_hour,
    TimerKind.ROUND: _round_date,
    TimerKind.MORE_GAMES: _more_games,
    TimerKind.LOST_GAMES: _lost_games,
    TimerKind.RETURN: _entrants_overdue,
    TimerKind.REMOVAL: removing.go_on,
    TimerKind.STOP: holding.stop,
    TimerKind.DRAIN: shutdown.time_is_up,
}
"""The other kinds belong to extensions."""


# Questions and orders.


def _why(server: ServerState, question: WhyAsked) -> Reply:
    return explain(server, question.name)


def _server(server: ServerState, _question: ServerAsked) -> Reply:
    return overview(server)


def _public(server: ServerState, question: PublicAsked) -> Reply:
    return whole(server) if question.whole else public(server)


def _public_why(server: ServerState, question: PublicWhyAsked) -> Reply:
    return whole_why(server, question.name)


def _owner(server: ServerState, question: OwnerAsked) -> Reply:
    holder = session_tokens.holder(server, question.token)
    if holder is None:
        return Declined("this token is unknown, or it expired long ago")
    game = holder.player.game if holder.player is not None else None
    return TokenOwner(
        holder.nick,
        since_ago_s=server.now - holder.since,
        until_ago_s=None if holder.player is not None else server.now - holder.until,
        game=game.id if game is not None and not game.ended else "",
    )


def _order(server: ServerState, order: Order) -> Reply:
    wrong, game_type = orders.carry_out(server, order)
    if game_type is not None:
        pool.match(server, game_type)
    return done_or(wrong)


def _plan_asked(server: ServerState, question: PlanAsked) -> Reply:
    wrong = _plan(server, question.plan, question.begins_in_s, question.who, question.date_s)
    return _warned(server, question.plan, wrong)


def _edit_asked(server: ServerState, question: EditAsked) -> Reply:
    known = server.championships.get(question.plan.name)
    types = {question.plan.game_type, known.plan.game_type if known is not None else question.plan.game_type}
    wrong = announcing.edit(server, question)
    if wrong is None:
        for name in sorted(types):
            pool.match(server, server.type_named(name))
    return _warned(server, question.plan, wrong)


def _warned(server: ServerState, plan: Plan, wrong: str | None) -> Reply:
    """Return the answer about a plan, with a warning when no master could lead its games."""
    if wrong is not None:
        return Declined(wrong)
    return Planned(not_led(server, server.championships[plan.name]) or ABSENT)


QUESTIONS: dict[type[Question], Callable[[ServerState, Any], Reply]] = {
    WhyAsked: _why,
    ServerAsked: _server,
    PublicAsked: _public,
    PublicWhyAsked: _public_why,
    OwnerAsked: _owner,
    Order: _order,
    PlanAsked: _plan_asked,
    EditAsked: _edit_asked,
    Act: carry_out,
}


def _plan(
    server: ServerState, plan: Plan, begins_in_s: float | None, who: str = "", date_s: float | None = None
) -> str | None:
    wrong = announcing.plan(server, plan, begins_in_s, who)
    if wrong is None:
        if date_s is not None:
            announcing.set_dates(server, server.championships[plan.name], date_s)
        pool.match(server, server.type_named(plan.game_type))
    return wrong


def done_or(wrong: str | None) -> Reply:
    """Return the answer to an order: done, or what is wrong with it."""
    return Done() if wrong is None else Declined(wrong)


def _remember(server: ServerState, past: Past) -> None:
    """Take over standings, seats and championships of earlier lives; players may come back once the server listens."""
    for name, rows in kept(past.standings, server.config.standings_rows).items():
        game_type = server.type_named(name)
        game_type.standings.restore(rows)
        seats = past.seats.get(name, {})
        game_type.seating.restore({row.nick: seats.get(row.nick, {}) for row in rows})
        departed_rows.count(server, game_type)
    for championship in past.championships:
        announcing.remember(server, championship)
