"""The broker: events in, effects out.

:meth:`Broker.handle` looks up what an event means: :data:`EVENTS` names the function for each, :data:`TIMERS` for each
kind of timer. From there on two tables say what follows: ``life.py`` what a message means to a peer and
a happening to a game, ``hooks.py`` which rules hear of a fact, in which order.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ugs.broker import life
from ugs.broker.acts import holding, removing, revoking
from ugs.broker.acts.dispatch import carry_out
from ugs.broker.championships import announcing, champions_list, orders, playing
from ugs.broker.effects import Answer, Close, Effect
from ugs.broker.entrance import after_game, departures, logins, pool, proofs, shutdown, standings_rows
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
    IdentitiesRead,
    JournalBack,
    JournalLost,
    Misread,
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
from ugs.broker.extensions.request import Extension
from ugs.broker.facts import DoorsOpened, PastRecalled
from ugs.broker.hooks import all_hooks
from ugs.broker.past import Past, kept
from ugs.broker.play import answers, budgets, intake, revival
from ugs.broker.state import session_tokens
from ugs.broker.state.connection import Connection
from ugs.broker.state.desk import Desk
from ugs.broker.state.model import Game, Player
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
from ugs.broker.values.replies import Declined, Done, Planned, Reply, TokenOwner
from ugs.broker.views.awaited import awaited
from ugs.broker.views.overview import overview
from ugs.broker.views.public import public, public_why
from ugs.broker.views.why import explain, no_master_for
from ugs.championship.plan import Plan
from ugs.config import Config
from ugs.wire import messages
from ugs.wire.extensions import Account, Failed

CONNECTION_LIFE = {state: {kind: cell.rule for kind, cell in row.items()} for state, row in life.CONNECTION.items()}


class Broker:
    """The state machine of a whole server.

    ``new_game_id`` gives an id that nobody can guess and that was never used, at most 32 ASCII characters;
    ``new_secret`` a text of at least 32 ASCII characters that nobody can guess; ``past`` is what the journal knows of
    earlier lives; ``extensions`` are those of the protocol (by default all there are). The owner carries out the
    effects of one event before it handles the next.
    """

    def __init__(
        self,
        config: Config,
        new_game_id: Callable[[], str],
        new_secret: Callable[[], str],
        past: Past | None = None,
        extensions: Sequence[Extension] | None = None,
    ) -> None:
        found = switchboard.installed() if extensions is None else extensions
        hooks = all_hooks([one.hooks for one in found])
        self.desk = Desk(config, new_game_id, new_secret, life.LIFE, hooks)
        """The registries, to be read only: by tests and by all that shows the server to people."""
        self._switchboard = switchboard.Switchboard(found)
        self._timers = {**TIMERS, **{kind: timer for one in found for kind, timer in one.timers.items()}}
        self._past = past or Past()
        self._own: Mapping[type[Event], Callable[..., None]] = {
            Received: self._received,
            Misread: self._misread,
            TimerFired: self._timer_fired,
            Started: self._started,
        }
        _remember(self.desk, self._past)

    def handle(self, event: Event, now: float) -> list[Effect]:
        """Take in what happened at ``now`` (seconds of a clock that never goes back); return what is to be done.

        Events about connections that the broker has closed or never knew are ignored. After ``Stopped`` nothing is
        done any more, except that a peer that still connects is closed. Never raises on anything a peer can cause.
        """
        desk = self.desk
        if desk.stopped:
            return [Close(event.conn)] if isinstance(event, Connected) else []
        desk.now = now
        handler = self._own.get(type(event))
        if handler is not None:
            handler(event)
        else:
            EVENTS[type(event)](desk, event)
        if desk.draining:
            shutdown.good_bye_if_done(desk)
        return desk.taken()

    @property
    def games(self) -> list[Game]:
        """The games whose end has not been announced yet, to look at."""
        return self.desk.running

    @property
    def lists(self) -> frozenset[type[messages.Message]]:
        """The requests that ask for a list, and change nothing."""
        return frozenset(kind for kind, request in self._switchboard.requests.items() if request.is_list)

    def awaited(self, timer: Timer) -> list[int]:
        """The connections of the peers whose silence this timer judges, to be heard out first."""
        return awaited(self.desk, timer)

    def _received(self, event: Received) -> None:
        desk = self.desk
        connection = desk.connections.get(event.conn)
        if connection is None:
            return
        peer, message = connection.peer, event.message
        connection.is_active(desk.now)
        rule = CONNECTION_LIFE[peer.state].get(type(message))
        if rule is not None:
            wrong = rule(desk, peer, message)
        elif isinstance(message, messages.Extension):
            self._switchboard.received(desk, peer, message)
            wrong = None
        else:
            wrong = f"{message.TYPE}: not a message for the server while you are {peer.state}"
        connection.was_heard()
        if wrong is not None:
            answers.complain(desk, peer, wrong, getattr(message, "game_id", ""))

    def _misread(self, event: Misread) -> None:
        connection = self.desk.connections.get(event.conn)
        if connection is None:
            return
        connection.is_active(self.desk.now)
        connection.was_heard()
        if event.kind.startswith("x-"):
            switchboard.misread(self.desk, connection.peer, event.reason, event)
        else:
            answers.complain(self.desk, connection.peer, event.reason)

    def _timer_fired(self, event: TimerFired) -> None:
        self._timers[event.timer.kind](self.desk, event.timer.subject)

    def _started(self, event: Started) -> None:
        """Go on with the sessions, championships and games of an earlier life; then announce the plans of this one."""
        desk, past = self.desk, self._past
        desk.paused.update(past.paused)
        for ban in past.bans:
            removing.restore(desk, ban)
        desk.tell_of(DoorsOpened(past))
        games = revival.made_again(desk, past.games)
        announcing.go_on(desk, [game.id for game in games if game.present])
        revival.revive(desk, games)
        after_game.look_at_all_types(desk)
        announcing.announce_configured_types(desk)
        remembered = set(desk.championships)
        for plan in event.plans:
            if not announcing.is_known(desk, plan.name):
                wrong = _plan(desk, plan, None, date_s=event.date_s)
                if wrong is not None:
                    desk.note("championship not announced", warning=True, reason=wrong)
        if event.date_s is not None:
            announcing.set_hours(desk, event.date_s, remembered)


# Events.


def _connected(desk: Desk, event: Connected) -> None:
    connection = Connection(event.conn, event.address, event.by_gateway)
    desk.connections[event.conn] = connection
    desk.note("connected", connection.peer, address=event.address)
    shut_out = desk.access.of_host(connection.host, desk.now)
    if shut_out:
        answers.dismiss(desk, connection.peer, shut_out)
    else:
        desk.start(Timer(TimerKind.LOGIN, event.conn), desk.config.login_timeout_s)


def _garbled(desk: Desk, event: Garbled) -> None:
    connection = desk.connections.get(event.conn)
    if connection is not None:
        answers.garbled(desk, connection.peer, event.reason, event.said)


def _flooded(desk: Desk, event: Flooded) -> None:
    connection = desk.connections.get(event.conn)
    if connection is not None:
        answers.flooded(desk, connection.peer, event.reason)


def _disconnected(desk: Desk, event: Disconnected) -> None:
    connection = desk.connections.pop(event.conn, None)
    if connection is not None:
        desk.note("disconnected", connection.peer, reason=event.reason)
        departures.disconnected(desk, connection.peer, event)


def _presence(desk: Desk, event: Presence) -> None:
    connection = desk.connections.get(event.conn)
    if connection is not None and isinstance(connection.peer, Player):
        departures.reachable(desk, connection.peer, there=event.there)


def _timer_begun(desk: Desk, event: TimerBegun) -> None:
    budgets.handed(desk, str(event.timer.subject))


def _result_kept(desk: Desk, event: ResultKept) -> None:
    intake.result_kept(desk, event.game_id)


def _drawn(desk: Desk, event: Drawn) -> None:
    known = playing.drawn(desk, event)
    if known is not None:
        pool.match(desk, known)


def _why_answered(desk: Desk, event: WhyAnswered) -> None:
    """The account of a game has been read for a peer, which may be gone."""
    connection = desk.connections.get(event.conn)
    if connection is None:
        return
    if event.refused is None:
        message: messages.Extension = Account(event.text, event.game_id, event.ref)
    else:
        message = Failed(event.refused, event.text, event.game_id, event.ref, event.wait_s)
    desk.tell([connection.peer], message)


def _recalled(desk: Desk, event: Recalled) -> None:
    desk.tell_of(PastRecalled(event.wish, event.found))


def _proved(desk: Desk, event: Proved) -> None:
    proofs.proved(desk, event)


def _identities_read(desk: Desk, event: IdentitiesRead) -> None:
    revoking.take(desk, event.rows)


def _access_read(desk: Desk, event: AccessRead) -> None:
    removing.heed_file(desk, event.rules)


def _clock_set(desk: Desk, event: ClockSet) -> None:
    for championship in announcing.set_clock(desk, event.date_s):
        pool.match(desk, desk.type_named(championship.plan.game_type))


def _journal_lost(desk: Desk, event: JournalLost) -> None:
    desk.note("journal lost", warning=True, reason=event.reason, games=len(desk.running))
    desk.journal_lost = event.reason
    intake.journal_lost(desk)


def _journal_back(desk: Desk, _event: JournalBack) -> None:
    desk.note("journal back")
    desk.journal_lost = ""
    after_game.look_at_all_types(desk)


def _room_needed(desk: Desk, event: RoomNeeded) -> None:
    intake.room_needed(desk, event)


def _asked(desk: Desk, event: Asked) -> None:
    desk.do(Answer(event.ticket, QUESTIONS[type(event.question)](desk, event.question)))


def _shutdown_asked(desk: Desk, _event: ShutdownAsked) -> None:
    shutdown.drain(desk)


EVENTS: dict[type[Event], Callable[[Desk, Any], None]] = {
    Connected: _connected,
    Garbled: _garbled,
    Flooded: _flooded,
    Disconnected: _disconnected,
    Presence: _presence,
    TimerBegun: _timer_begun,
    ResultKept: _result_kept,
    Drawn: _drawn,
    WhyAnswered: _why_answered,
    Recalled: _recalled,
    Proved: _proved,
    IdentitiesRead: _identities_read,
    AccessRead: _access_read,
    ClockSet: _clock_set,
    JournalLost: _journal_lost,
    JournalBack: _journal_back,
    RoomNeeded: _room_needed,
    Asked: _asked,
    ShutdownAsked: _shutdown_asked,
}
"""The other events need more than the desk; they are methods of the broker."""


# Timers.


def _championship_hour(desk: Desk, name: str) -> None:
    known = playing.hour(desk, name)
    if known is not None:
        pool.match(desk, known)


def _round_date(desk: Desk, name: str) -> None:
    championship = desk.championships[name]
    announcing.open_rounds(desk, championship)
    pool.match(desk, desk.type_named(championship.plan.game_type))


def _more_games(desk: Desk, name: str) -> None:
    pool.match(desk, playing.more_games(desk, name))


def _lost_games(desk: Desk, name: str) -> None:
    game_type = desk.types[name]
    intake.lose_games(desk, game_type)
    pool.match(desk, game_type)
    desk.release(game_type)


def _entrants_overdue(desk: Desk, name: str) -> None:
    known = playing.overdue(desk, name)
    if known is not None:
        pool.match(desk, known)


TIMERS: dict[TimerKind, Callable[[Desk, Any], None]] = {
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


def _why(desk: Desk, question: WhyAsked) -> Reply:
    return explain(desk, question.name)


def _server(desk: Desk, _question: ServerAsked) -> Reply:
    return overview(desk)


def _public(desk: Desk, _question: PublicAsked) -> Reply:
    return public(desk)


def _public_why(desk: Desk, question: PublicWhyAsked) -> Reply:
    return public_why(desk, question.name)


def _owner(desk: Desk, question: OwnerAsked) -> Reply:
    holder = session_tokens.holder(desk, question.token)
    if holder is None:
        return Declined("nobody has this token, or it is long over")
    game = holder.player.game if holder.player is not None else None
    return TokenOwner(
        holder.nick,
        since_ago_s=desk.now - holder.since,
        until_ago_s=None if holder.player is not None else desk.now - holder.until,
        game=game.id if game is not None and not game.ended else "",
    )


def _order(desk: Desk, order: Order) -> Reply:
    wrong, game_type = orders.carry_out(desk, order)
    if game_type is not None:
        pool.match(desk, game_type)
    return done_or(wrong)


def _plan_asked(desk: Desk, question: PlanAsked) -> Reply:
    wrong = _plan(desk, question.plan, question.begins_in_s, question.who, question.date_s)
    return _warned(desk, question.plan, wrong)


def _edit_asked(desk: Desk, question: EditAsked) -> Reply:
    known = desk.championships.get(question.plan.name)
    types = {question.plan.game_type, known.plan.game_type if known is not None else question.plan.game_type}
    wrong = announcing.edit(desk, question)
    if wrong is None:
        for name in sorted(types):
            pool.match(desk, desk.type_named(name))
    return _warned(desk, question.plan, wrong)


def _warned(desk: Desk, plan: Plan, wrong: str | None) -> Reply:
    """The answer about a plan, with a warning when no master could lead its games."""
    if wrong is not None:
        return Declined(wrong)
    known = desk.types.get(plan.game_type)
    if known is not None and known.masters:
        return Planned()
    return Planned(f"game_type = {plan.game_type!r}: {no_master_for(desk, plan.game_type)}")


QUESTIONS: dict[type[Question], Callable[[Desk, Any], Reply]] = {
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


def _plan(desk: Desk, plan: Plan, begins_in_s: float | None, who: str = "", date_s: float | None = None) -> str | None:
    wrong = announcing.plan(desk, plan, begins_in_s, who)
    if wrong is None:
        if date_s is not None:
            announcing.set_dates(desk, desk.championships[plan.name], date_s)
        pool.match(desk, desk.type_named(plan.game_type))
    return wrong


def done_or(wrong: str | None) -> Reply:
    """The answer to an order: done, or what is wrong with it."""
    return Done() if wrong is None else Declined(wrong)


def _remember(desk: Desk, past: Past) -> None:
    """Take over standings, seats and championships of earlier lives; players may come back when the doors open."""
    for name, rows in kept(past.standings, desk.config.standings_rows).items():
        game_type = desk.type_named(name)
        game_type.standings.restore(rows)
        seats = past.seats.get(name, {})
        game_type.seating.restore({row.nick: seats.get(row.nick, {}) for row in rows})
        standings_rows.count(desk, game_type)
    for championship in past.championships:
        announcing.remember(desk, championship)
