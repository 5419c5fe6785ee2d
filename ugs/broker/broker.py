"""The broker: events in, effects out.

``handle`` looks up what an event means and lets the rooms beside this one decide: ``rules`` what each message of v4
means, ``extensions`` what those beyond v4 do, ``games`` whose turn it is and who won.
"""

from collections.abc import Callable

from ugs.broker.desk import Desk
from ugs.broker.effects import Answer, Close, Effect
from ugs.broker.events import (
    Asked,
    Connected,
    Disconnected,
    Event,
    Garbled,
    JournalBack,
    JournalLost,
    Misread,
    Planned,
    Presence,
    Received,
    ResultKept,
    ShutdownAsked,
    Started,
    Timer,
    TimerBegun,
    TimerFired,
    TimerKind,
)
from ugs.broker.extensions.revival import Revival
from ugs.broker.extensions.switchboard import Switchboard
from ugs.broker.game import Game
from ugs.broker.link import LIFE, Link, LinkState
from ugs.broker.onlookers import Onlookers
from ugs.broker.past import Past
from ugs.broker.questions import Order, PlanAsked, Question, WhyAsked
from ugs.broker.rules import Rules
from ugs.broker.verdict import Cause
from ugs.broker.why import explain
from ugs.championship.plan import Plan
from ugs.config import Config
from ugs.wire.messages import Extension, Message


class Broker:
    """The state machine of a whole server.

    ``new_game_id`` gives an id that nobody can guess and that was never used, at most 32 ASCII characters;
    ``new_secret`` a text of at least 32 ASCII characters that nobody can guess; ``past`` is what the journal knows of
    earlier lives. The owner carries out the effects of one event before it handles the next.
    """

    def __init__(
        self,
        config: Config,
        new_game_id: Callable[[], str],
        new_secret: Callable[[], str],
        past: Past | None = None,
    ) -> None:
        self._desk = Desk(config, new_game_id, new_secret)
        self._stopped = False
        self._patient = False
        """Whether there is still time for what is under way."""
        onlookers = Onlookers()
        self._rules = Rules(self._desk, onlookers)
        self._games, self._director, self._lobby = self._rules.games, self._rules.director, self._rules.lobby
        self._switchboard = Switchboard(self._desk, self._rules, onlookers)
        self._past = past or Past()
        self._handlers: dict[type[Event], Callable[..., None]] = {
            Connected: self._connected,
            Received: self._received,
            Misread: self._misread,
            Garbled: self._garbled,
            Disconnected: self._disconnected,
            Presence: self._presence,
            TimerFired: self._timer_fired,
            TimerBegun: self._timer_begun,
            Started: self._started,
            ResultKept: self._result_kept,
            JournalLost: self._journal_lost,
            JournalBack: self._journal_back,
            Planned: self._planned,
            Asked: self._asked,
            ShutdownAsked: self._shutdown_asked,
        }
        self._life: dict[LinkState, dict[type[Message], Callable[..., str | None]]] = {
            state: {kind: getattr(self._rules, rule.value) for kind, rule in row.items()} for state, row in LIFE.items()
        }
        self._timers: dict[TimerKind, Callable[..., None]] = {
            TimerKind.LOGIN: self._login_too_late,
            TimerKind.GAME: self._games.clock,
            TimerKind.GATHER: self._gathered,
            TimerKind.CHAMPIONS: self._rules.announce,
            TimerKind.CHAMPIONSHIP: self._championship_hour,
            TimerKind.RETURN: self._overdue,
            TimerKind.GRACE: self._rules.sessions.expired,
            TimerKind.SILENCE: self._switchboard.silence.look,
            TimerKind.SPECTATORS: self._switchboard.watching.due,
            TimerKind.LOW_TIME: self._switchboard.clocks.low,
            TimerKind.DRAIN: self._drained,
        }
        self._questions: dict[type[Question], Callable[..., dict[str, object]]] = {
            WhyAsked: self._why,
            Order: self._order,
            PlanAsked: self._plan_asked,
        }
        self._remember(self._past)

    def handle(self, event: Event, now: float) -> list[Effect]:
        """Take in what happened at ``now`` (seconds of a clock that never goes back); return what is to be done.

        Events about connections that the broker has closed or never knew are ignored. After ``Stopped`` nothing is
        done any more, except that whoever still connects is closed. Never raises on anything a peer can cause.
        """
        if self._stopped:
            return [Close(event.conn)] if isinstance(event, Connected) else []
        desk = self._desk
        desk.now = now
        self._handlers[type(event)](event)
        if desk.draining and not self._under_way and not self._stopped:
            self._good_bye()
        return desk.taken()

    @property
    def desk(self) -> Desk:
        """The registries, to look at: for tests and for those who show the server to people."""
        return self._desk

    @property
    def games(self) -> list[Game]:
        """The games that have no verdict yet, to look at."""
        return self._games.running

    @property
    def _under_way(self) -> bool:
        """Whether good-bye has to wait: for games, and as long as there is time for the prizes of a championship."""
        return bool(self._games.running) or (self._patient and self._director.prize_giving)

    # Events.

    def _connected(self, event: Connected) -> None:
        link = Link(event.conn, event.address, by_gateway=event.by_gateway)
        self._desk.links[event.conn] = link
        self._desk.note("connected", link, address=event.address)
        self._desk.start(Timer(TimerKind.LOGIN, event.conn), self._desk.config.login_timeout_s)

    def _received(self, event: Received) -> None:
        link = self._desk.links.get(event.conn)
        if link is None:
            return
        message = event.message
        link.active_at = self._desk.now
        rule = self._life[link.state].get(type(message))
        if rule is not None:
            wrong = rule(link, message)
        elif isinstance(message, Extension):
            self._switchboard.received(link, message)
            wrong = None
        else:
            wrong = f"{message.TYPE}: not a message for the server while you are {link.state}"
        link.heard = True
        if wrong is not None:
            self._rules.complain(link, wrong, getattr(message, "game_id", ""))

    def _misread(self, event: Misread) -> None:
        link = self._desk.links.get(event.conn)
        if link is None:
            return
        link.active_at, link.heard = self._desk.now, True
        if link.greeted and event.kind.startswith("x-"):
            self._switchboard.misread(link, event.reason, event.ref)
        else:
            self._rules.complain(link, event.reason)

    def _garbled(self, event: Garbled) -> None:
        link = self._desk.links.get(event.conn)
        if link is not None:
            self._rules.dismiss(link, event.reason)

    def _disconnected(self, event: Disconnected) -> None:
        link = self._desk.links.pop(event.conn, None)
        if link is None:
            return
        self._desk.note("disconnected", link, reason=event.reason)
        if not self._rules.sessions.cut(link):
            self._rules.depart(link, Cause.DISCONNECTED)

    def _presence(self, event: Presence) -> None:
        link = self._desk.links.get(event.conn)
        if link is not None:
            self._rules.reachable(link, there=event.there)

    def _timer_fired(self, event: TimerFired) -> None:
        self._timers[event.timer.kind](event.timer.subject)

    def _timer_begun(self, event: TimerBegun) -> None:
        self._switchboard.clocks.begun(str(event.timer.subject))

    def _started(self, _event: Started) -> None:
        past = self._past
        for session in past.sessions:
            self._rules.sessions.remember(session)
        revival = Revival(self._desk)
        games = [revival.revived(one) for one in reversed(past.games)]  # nobody sits in two: the later one is right
        games.reverse()
        self._director.start([game.id for game in games if game.present])
        for game in games:
            self._games.revive(game)
            if game.present:
                self._switchboard.clocks.revived(game)
        if self._desk.tables:
            self._switchboard.silence.watch()
        self._rules.look_at_all_types()

    def _result_kept(self, event: ResultKept) -> None:
        self._games.kept(event.game_id)

    def _journal_lost(self, event: JournalLost) -> None:
        desk = self._desk
        desk.note("journal lost", warning=True, reason=event.reason, games=len(self._games.running))
        desk.journal_lost = event.reason
        self._games.journal_lost()

    def _journal_back(self, _event: JournalBack) -> None:
        self._desk.note("journal back")
        self._desk.journal_lost = ""
        self._rules.look_at_all_types()

    def _remember(self, past: Past) -> None:
        """Go on where an earlier life of this server was cut off; who may come back is known when the doors open."""
        for name, rows in past.tables.items():
            self._desk.type_named(name).table.restore(rows)
            seats = past.seats.get(name, {})
            self._desk.type_named(name).seating.restore({row.nick: seats.get(row.nick, ()) for row in rows})
        for championship in past.championships:
            self._director.remember(championship)

    def _planned(self, event: Planned) -> None:
        wrong = self._plan(event.plan, event.begins_in_s)
        if wrong is not None:
            self._desk.note("championship not announced", warning=True, reason=wrong)

    def _asked(self, event: Asked) -> None:
        answer = self._questions[type(event.question)](event.question)
        self._desk.do(Answer(event.ticket, answer))

    def _shutdown_asked(self, _event: ShutdownAsked) -> None:
        desk = self._desk
        if desk.draining:
            self._drained()
            self._good_bye()  # results that are not on file by now are not announced
            return
        desk.draining = True
        self._rules.look_at_all_types()  # nobody can come back any more, so nobody is waited for
        if desk.config.drain_s == 0:
            self._drained()
        else:
            self._patient = True
            desk.note("draining", games=len(self._games.running), seconds=desk.config.drain_s)
            desk.start(Timer(TimerKind.DRAIN, ""), desk.config.drain_s)

    # Questions and orders.

    def _why(self, question: WhyAsked) -> dict[str, object]:
        return explain(self._desk, self._games.running, question.name)

    def _order(self, order: Order) -> dict[str, object]:
        wrong, game_type = self._director.order(order)
        if game_type is not None:
            self._lobby.match(game_type)
        return done_or(wrong)

    def _plan_asked(self, question: PlanAsked) -> dict[str, object]:
        wrong = self._plan(question.plan, question.begins_in_s, question.who)
        return done_or(wrong)

    def _plan(self, plan: Plan, begins_in_s: float | None, who: str = "") -> str | None:
        wrong = self._director.plan(plan, begins_in_s, who)
        if wrong is None:
            self._lobby.match(self._desk.type_named(plan.game_type))
        return wrong

    # Timers.

    def _login_too_late(self, conn: int) -> None:
        link = self._desk.links.get(conn)
        if link is not None and link.state is LinkState.NEW:
            self._rules.dismiss(link, f"no login within {self._desk.config.login_timeout_s:g} s")

    def _gathered(self, game_type: str) -> None:
        self._desk.types[game_type].gathering = False
        self._lobby.match(self._desk.types[game_type])

    def _championship_hour(self, name: str) -> None:
        known = self._director.hour(name)
        if known is not None:
            self._lobby.match(known)

    def _overdue(self, name: str) -> None:
        known = self._director.overdue(name)
        if known is not None:
            self._lobby.match(known)

    def _drained(self, _subject: str = "") -> None:
        self._patient = False
        self._games.shut_down()

    def _good_bye(self) -> None:
        self._stopped = True
        self._rules.good_bye()


def done_or(wrong: str | None) -> dict[str, object]:
    """The answer to an order: done, or what is wrong with it."""
    return {"ok": True} if wrong is None else {"ok": False, "error": wrong}
