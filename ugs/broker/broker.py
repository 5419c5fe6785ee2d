"""The broker: events in, effects out.

``handle`` looks up what an event means and lets the rooms beside this one decide: ``logins`` who may enter, ``lobby``
who plays whom, ``game`` whose turn it is and who won, ``champions`` who is told about the table.
"""

from collections.abc import Callable, Sequence

from ugs.broker.champions import Champions
from ugs.broker.desk import Desk, GameType
from ugs.broker.director import Director
from ugs.broker.effects import Answer, Close, Effect, RecordLogout, Stopped
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
    Received,
    ResultKept,
    ShutdownAsked,
    Started,
    Timer,
    TimerFired,
    TimerKind,
)
from ugs.broker.game import Game
from ugs.broker.games import Games, no_such_game
from ugs.broker.link import LIFE, Link, LinkState
from ugs.broker.lobby import Lobby
from ugs.broker.logins import Logins, unique_form
from ugs.broker.past import Past
from ugs.broker.questions import Order, PlanAsked, Question, WhyAsked
from ugs.broker.scribe import Scribe
from ugs.broker.verdict import Cause, GameResult
from ugs.broker.why import explain
from ugs.championship.plan import Plan
from ugs.config import Config
from ugs.wire.messages import (
    Error,
    GameMasterLogin,
    GameState,
    LeaveGame,
    Message,
    Move,
    PlayerLeftGame,
    PlayerLogin,
    ServerShutdown,
    ThankYou,
)


class Broker:
    """The state machine of a whole server.

    ``new_game_id`` gives an id that nobody can guess and that was never used, at most 32 ASCII characters; ``past`` is
    what the journal knows of earlier lives. The owner carries out the effects of one event before it handles the next.
    """

    def __init__(self, config: Config, new_game_id: Callable[[], str], past: Past | None = None) -> None:
        self._desk = Desk(config, new_game_id)
        self._stopped = False
        self._patient = False
        """Whether there is still time for what is under way."""
        self._scribe = Scribe(self._desk)
        self._champions = Champions(self._desk)
        self._games = Games(self._desk, self._idle, self._ended, self._dismiss)
        self._director = Director(self._desk, self._champions, self._games.begin)
        self._logins = Logins(self._desk, self._director.may_enter)
        self._lobby = Lobby(self._desk, self._champions, self._director, self._games.begin)
        self._handlers: dict[type[Event], Callable[..., None]] = {
            Connected: self._connected,
            Received: self._received,
            Misread: self._misread,
            Garbled: self._garbled,
            Disconnected: self._disconnected,
            TimerFired: self._timer_fired,
            Started: self._started,
            ResultKept: self._result_kept,
            JournalLost: self._journal_lost,
            JournalBack: self._journal_back,
            Planned: self._planned,
            Asked: self._asked,
            ShutdownAsked: self._shutdown_asked,
        }
        self._rules: dict[LinkState, dict[type[Message], Callable[..., str | None]]] = {
            state: {kind: getattr(self, rule.value) for kind, rule in row.items()} for state, row in LIFE.items()
        }
        self._timers: dict[TimerKind, Callable[..., None]] = {
            TimerKind.LOGIN: self._login_too_late,
            TimerKind.GAME: self._games.clock,
            TimerKind.GATHER: self._gathered,
            TimerKind.CHAMPIONS: self._announce,
            TimerKind.CHAMPIONSHIP: self._championship_hour,
            TimerKind.RETURN: self._overdue,
            TimerKind.DRAIN: self._drained,
        }
        self._questions: dict[type[Question], Callable[..., dict[str, object]]] = {
            WhyAsked: self._why,
            Order: self._order,
            PlanAsked: self._plan_asked,
        }
        self._remember(past or Past())

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
        link = Link(event.conn, event.address)
        self._desk.links[event.conn] = link
        self._desk.note("connected", link, address=event.address)
        self._desk.start(Timer(TimerKind.LOGIN, event.conn), self._desk.config.login_timeout_s)

    def _received(self, event: Received) -> None:
        link = self._desk.links.get(event.conn)
        if link is None:
            return
        message = event.message
        rule = self._rules[link.state].get(type(message))
        if rule is None:
            wrong: str | None = f"{message.TYPE}: not a message for the server while you are {link.state}"
        else:
            wrong = rule(link, message)
        if wrong is not None:
            self._complain(link, wrong, getattr(message, "game_id", ""))

    def _misread(self, event: Misread) -> None:
        link = self._desk.links.get(event.conn)
        if link is not None:
            self._complain(link, event.reason)

    def _garbled(self, event: Garbled) -> None:
        link = self._desk.links.get(event.conn)
        if link is not None:
            self._dismiss(link, event.reason)

    def _disconnected(self, event: Disconnected) -> None:
        link = self._desk.links.pop(event.conn, None)
        if link is not None:
            self._desk.note("disconnected", link, reason=event.reason)
            self._depart(link, Cause.DISCONNECTED)

    def _timer_fired(self, event: TimerFired) -> None:
        self._timers[event.timer.kind](event.timer.subject)

    def _started(self, _event: Started) -> None:
        self._director.start()
        self._look_at_all_types()

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
        self._look_at_all_types()

    def _remember(self, past: Past) -> None:
        """Go on where an earlier life of this server was cut off."""
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
        self._look_at_all_types()  # nobody can come back any more, so nobody is waited for
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
            self._dismiss(link, f"no login within {self._desk.config.login_timeout_s:g} s")

    def _gathered(self, game_type: str) -> None:
        self._desk.types[game_type].gathering = False
        self._lobby.match(self._desk.types[game_type])

    def _announce(self, game_type: str) -> None:
        self._champions.announce(self._desk.types[game_type])

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

    # The rules that LIFE of link.py names: each returns what is wrong with the message, or None.

    def player_login(self, link: Link, message: PlayerLogin) -> str | None:
        """A new connection says it is a player."""
        if self._desk.draining:
            return "playerLogin: the server is shutting down"
        if self._logins.player(link, message):
            assert link.type is not None
            self._director.came(link)
            self._lobby.idle([link])
            self._champions.changed(link.type)
        else:
            self._count_refusal(link)
        return None

    def master_login(self, link: Link, message: GameMasterLogin) -> str | None:
        """A new connection says it is a game master."""
        if self._desk.draining:
            return "gameMasterLogin: the server is shutting down"
        if self._logins.master(link, message):
            assert link.type is not None
            self._lobby.match(link.type)
        else:
            self._count_refusal(link)
        return None

    def second_login(self, link: Link, message: PlayerLogin | GameMasterLogin) -> str | None:
        """One login per connection."""
        return f"{message.TYPE}: you are logged in already, as {link.name!r}"

    def logout(self, link: Link, _message: Message) -> str | None:
        """The peer says good-bye."""
        self._desk.note("logged out", link)
        self._desk.close(link)
        self._depart(link, Cause.LOGOUT)
        return None

    def peer_error(self, link: Link, message: Error) -> str | None:
        """The peer tells us of an error: people may want to know, but not without end."""
        if self._desk.heed(link):
            game = link.game.id if link.game is not None else None
            self._scribe.error(link, message.text)
            self._desk.note("peer reports an error", link, warning=True, text=message.text, game=game)
        return None

    def error_as_thanks(self, link: Link, message: Error) -> str | None:
        """After a game an error is as good as a thank you."""
        self.peer_error(link, message)
        self._thanked(link)
        return None

    def thank_you(self, link: Link, message: ThankYou) -> str | None:
        """The player has seen the end of its game."""
        assert link.game is not None
        if message.game_id != link.game.id:
            return f"thank you: gameId id {message.game_id!r}: you owe it for game {link.game.id}"
        self._thanked(link)
        return None

    def no_game(self, link: Link, message: Move | LeaveGame | ThankYou) -> str | None:
        """A message about a game from a player for whom no game runs, or for whom one does and it is too early."""
        if link.state is LinkState.PLAYING and link.game is not None and message.game_id == link.game.id:
            why = "this game is not over"
        elif link.state is LinkState.OWING and link.game is not None and message.game_id == link.game.id:
            why = "this game is over"
        else:
            why = no_such_game(link, message.game_id)
        return f"{message.TYPE}: gameId id {message.game_id!r}: {why}"

    def move(self, link: Link, message: Move) -> str | None:
        """A player in a game moves."""
        return self._games.move(link, message)

    def leave_game(self, link: Link, message: LeaveGame) -> str | None:
        """A player gives its game up."""
        assert link.game is not None
        if message.game_id != link.game.id:
            return f"leaveGame: gameId id {message.game_id!r}: {no_such_game(link, message.game_id)}"
        self._games.leave(link, Cause.LEFT)
        self._idle([link])
        return None

    def game_state(self, link: Link, message: GameState) -> str | None:
        """A master tells a state."""
        return self._games.state(link, message)

    def player_out(self, link: Link, message: PlayerLeftGame) -> str | None:
        """A master takes a player out."""
        return self._games.player_out(link, message)

    # Steps.

    def _look_at_all_types(self) -> None:
        for game_type in list(self._desk.types.values()):
            self._lobby.match(game_type)

    def _idle(self, links: Sequence[Link]) -> None:
        self._lobby.idle(links)

    def _ended(self, game: Game, result: GameResult) -> None:
        """A game has its verdict: into the table with it; its master may have room for another one."""
        game_type = game.type
        if game.championship is None:
            game_type.open_table.count(result)
        else:
            game.championship.count(result)
        self._champions.changed(game_type)
        self._lobby.match(game_type)

    def _thanked(self, link: Link) -> None:
        self._games.thanks(link)
        self._idle([link])

    def _count_refusal(self, link: Link) -> None:
        if link.refusals >= self._desk.config.login_attempts:
            self._desk.note("too many refused logins", link, warning=True)
            self._desk.stop(Timer(TimerKind.LOGIN, link.conn))
            self._desk.close(link)

    def _complain(self, link: Link, text: str, game_id: str = "") -> None:
        self._scribe.refused(link, text, game_id)
        if not self._desk.complain(link, text):
            self._dismiss(link, f"more than {self._desk.config.max_errors_per_minute} wrong messages in a minute")

    def _dismiss(self, link: Link, text: str) -> None:
        """Tell a peer why it has to go, and let it go."""
        self._desk.note("dismissed", link, warning=True, reason=text)
        self._desk.error(link, text)
        self._desk.close(link)
        self._depart(link, Cause.DISCONNECTED)

    def _depart(self, link: Link, cause: Cause) -> None:
        """A connection is gone, whatever it was: give back all it held."""
        if link.state is not LinkState.NEW:
            self._desk.do(RecordLogout(link.conn, str(cause)))
        if link.state is LinkState.NEW:
            self._desk.stop(Timer(TimerKind.LOGIN, link.conn))
        elif link.state is LinkState.MASTER:
            self._master_departs(link)
        else:
            self._player_departs(link, cause)

    def _master_departs(self, link: Link) -> None:
        game_type = link.type
        assert game_type is not None
        game_type.masters.pop(link.conn, None)
        del self._desk.master_ids[unique_form(link.name)]
        self._games.lose_master(link)
        self._lobby.match(game_type)  # whoever waited for this master may do for another one
        self._desk.release(game_type)

    def _player_departs(self, link: Link, cause: Cause) -> None:
        game_type = link.type
        assert game_type is not None
        game_type.waiting.pop(link.conn, None)
        game_type.players.pop(link.conn, None)
        del self._desk.nicks[unique_form(link.name)]
        # Before the game it leaves is counted: a game that is given up is none that was played.
        self._director.left(link, cause)
        if link.state is LinkState.PLAYING:
            self._games.leave(link, cause)
        elif link.state is LinkState.OWING:
            self._games.thanks(link)
        self._forget_unplayed(link, game_type)
        self._champions.changed(game_type)
        self._lobby.match(game_type)
        self._desk.release(game_type)

    def _forget_unplayed(self, link: Link, game_type: GameType) -> None:
        """Of a player that is gone and has no game to its account nothing is kept."""
        game_type.open_table.leave(link.name)
        if link.name not in game_type.open_table:
            game_type.seating.forget(link.name)

    def _good_bye(self) -> None:
        """All games have ended: tell everybody, close, and stop."""
        desk = self._desk
        self._stopped = True
        everybody = list(desk.links.values())
        told = [
            link
            for link in everybody
            if link.type is not None and not (link.state is LinkState.MASTER and link.type.settings.quiet_master)
        ]
        desk.note("shutting down", peers=len(told))
        for link in everybody:
            if link.state is not LinkState.NEW:
                desk.do(RecordLogout(link.conn, str(Cause.SHUTDOWN)))
        desk.send_all(told, ServerShutdown())
        for link in everybody:
            desk.close(link)
        desk.do(Stopped())


def done_or(wrong: str | None) -> dict[str, object]:
    """The answer to an order: done, or what is wrong with it."""
    return {"ok": True} if wrong is None else {"ok": False, "error": wrong}
