"""A bot without I/O: takes in the broker's messages and returns what to do.

After a cut connection it comes back with the token that the server gave it, and finds its game unchanged: the last
state comes once more, and the bot answers it only if the server reports that it waits for a move. The answer to a state
that it has answered already is the same move again, so that a cut connection does not change how a bot plays.
"""

import random
from dataclasses import replace
from functools import partial, singledispatchmethod
from typing import Generic

from game_masters.kit.choosing import Chooser
from game_masters.kit.client import Effect, Finish, Keep, Level, Note, Send
from game_masters.kit.comeback import BACK, Comeback
from game_masters.kit.entry import FAREWELL_S, Caller, Entry
from game_masters.kit.memory import NOTHING, KeepGame, KeepStep, KeepToken, Memory, News
from game_masters.kit.rules import Bot, Game, M, NoMove, Options, Unreadable, V
from game_masters.kit.sitting import Sitting, verdict
from game_masters.kit.tables import Place
from ugs import __version__
from ugs.wire.extensions import (
    Account,
    Because,
    Clock,
    Failed,
    Family,
    GameVerdict,
    Hello,
    ListStates,
    Ok,
    Ping,
    Pong,
    Resend,
    Session,
    States,
    Warn,
    WarningScope,
    WarningState,
    Why,
)
from ugs.wire.messages import (
    ChampionsList,
    Error,
    Extension,
    GameState,
    LeaveGame,
    LoginResponse,
    Logout,
    Message,
    PlayerLogin,
    ServerShutdown,
    ThankYou,
)

WAITING = "waiting"
"""The reference of the question what the bot waits for."""
BEFORE = "before"
"""The reference of a request for all states of a game."""
ONCE_MORE = "once more"
"""The reference of a request for a state that could not be read."""
REMOVED = "removed by the game master"
"""The beginning of an error to a player that the game master has taken out of its game."""
OVER = ("game {} is lost", "game {} is won", "game {} is drawn")
"""What an error has in it where no end of this game is shown: the player is out of it, such as for the time of its
move, or it has ended while the player was away."""
NO_STATE = b"<gameState/>"
"""The payload of the last state of a game that the server has ended by itself: it knows no notation."""


class Player(Caller, Generic[M, V]):
    """One bot under one nick. Give its methods to :func:`game_masters.kit.run.run`.

    ``games`` is the number of games it plays before it logs out (None: no end); void games do not count. ``think_s`` is
    a pause before each move, ``place`` where it plays (None: in the pool). With ``v4`` it asks for no extension, so
    that a cut connection costs it its game. ``memory`` is what an earlier start of the same bot has kept; with None
    nothing is kept. ``token`` is that of its nick, if it has one. ``program`` is its own name and version, which the
    server shows (None: those of `ugs bot`).
    """

    def __init__(
        self,
        game: Game[M, V],
        options: Options,
        bot: Bot[M, V],
        *,
        nick: str,
        rng: random.Random,
        game_type: str | None = None,
        games: int | None = None,
        think_s: float = 0.0,
        place: Place | None = None,
        v4: bool = False,
        memory: Memory | None = None,
        token: str = "",
        program: tuple[str, str] | None = None,
    ) -> None:
        self._game = game
        self._options = options
        self._chooser = Chooser(game, bot, rng, think_s, keeps=memory is not None)
        self._nick = nick
        """What the server calls the player: of a login as ``NAME#TOKEN`` it is the name."""
        self._shown_name = nick.partition("#")[0]
        """For logs: what stands behind the mark may be a token."""
        self._login = PlayerLogin(nick, game_type or game.game_type)
        self._games = games
        self._place = place or Place()
        families = (Family.SESSION, Family.STATE, Family.REASON, *self._place.needs)
        # What a bot makes no use of is not asked for: it would be sent for nothing.
        if bot.clock is not None:
            families = (*families, Family.CLOCK)
        if game.conduct.rejoins:
            families = (*families, Family.REJOIN)
        if bot.remark is not None:
            families = (*families, Family.REMARK)
        needed = frozenset(self._place.needs)
        name, version = program or (f"ugs bot {game.name}", __version__)
        super().__init__(Entry(name, self._shown_name, families, needed=needed, v4=v4, token=token, version=version))
        self._played = 0
        self._sitting: Sitting[V] | None = None
        self._done = ""
        """The id of the last game that the bot thanked for or left."""
        self._memory = memory or NOTHING
        self._keeps = memory is not None
        self._comeback = Comeback(self._memory.token if self._memory.resumes and not v4 else None)
        self._shutdown = False

    @property
    def satisfied(self) -> bool:
        """Whether the server has announced that it stops. Always False for a bot with a number of games to play."""
        return self._shutdown and self._games is None

    @property
    def played(self) -> int:
        """The number of games that were played to an end, or left."""
        return self._played

    def connected(self) -> list[Effect]:
        """Come back, or log in if there is no session to come back to."""
        self._shutdown = False
        if (resume := self._comeback.request()) is not None:
            return self._entry.calls(resume)
        self._sitting = None
        return self._entry.calls(self._login)

    def interrupted(self) -> list[Effect]:
        """Log out. The server takes that as leaving a running game."""
        note = Note("stopped", {"games": self._played})
        return [note, Send(Logout()), *self._ends_session(), Finish(0, FAREWELL_S)] if self.accepted else [note]

    def nudged(self) -> list[Effect]:
        """Ask what it waits for, if it is in no game."""
        if not self.accepted or self._sitting is not None:
            return []
        if not self._entry.may(Family.REASON):
            return [Note("waiting for a game")]
        return [Send(Why(ref=WAITING))]

    def received(self, message: Message) -> list[Effect]:
        """Handle a message. Never raises: a bug in the bot costs the game where it occurs."""
        return self._answer(message)

    @singledispatchmethod
    def _answer(self, message: Message) -> list[Effect]:
        return [Note("unexpected message", {"type": message.TYPE}, Level.WARNING)]

    @_answer.register
    def _extension(self, message: Extension) -> list[Effect]:
        effects = self._place.receives(message)
        if isinstance(message, Ok) and message.ref == BACK:
            return [Note("has its seat again")]
        if effects is None:
            return [Note("unexpected message", {"type": message.TYPE}, Level.DEBUG)]
        return effects + [effect for state in self._place.released() for effect in self._state(state)]

    # --- getting in, and in again ---------------------------------------------------------------------------------

    @_answer.register
    def _greeted(self, message: Hello) -> list[Effect]:
        note = self._entry.greeted(message)
        return [note] if self._entry.may(Family.SESSION) else [note, *self._log_in_again()]

    @_answer.register
    def _login_answered(self, message: LoginResponse) -> list[Effect]:
        effects = self._entry.answered(message)
        if not self._entry.accepted:
            return effects
        fields = {"nick": self._shown_name, "game_type": self._login.game_type, "bot": self._chooser.bot.name}
        resumed = self._comeback.admitted()
        note = Note("session resumed" if resumed else "logged in", fields)
        if self._played == self._games:
            return [note, *self._farewell()]  # sent before, but it may have been lost with the connection
        lost = self._comeback.lost_seat()
        if lost is not None and self._entry.may(Family.REJOIN):
            return [note, Send(lost)]
        return [note, *(self._place.returns() if resumed else self._place.sits_down())]

    @_answer.register
    def _session(self, message: Session) -> list[Effect]:
        self._nick = message.nick
        return [self._comeback.has_session(message), *self._keep(KeepToken(message.token))]

    @_answer.register
    def _rule_broken(self, message: Because) -> list[Effect]:
        fields = {"game": message.game_id, "code": message.code, "text": message.text}
        return [Note("the game master reports that a rule was broken", fields, Level.WARNING)]

    @_answer.register
    def _verdict(self, message: GameVerdict) -> list[Effect]:
        fields = {"game": message.game_id, "cause": message.cause, "why": message.account}
        fields |= {"said": message.words} if message.words else {}
        own = message.culprit == self._nick
        over = self._sitting is not None and self._sitting.game_id == message.game_id
        return [Note("verdict", fields, Level.WARNING if own else Level.INFO), *(self._chooser.stops() if over else [])]

    @_answer.register
    def _account(self, message: Account) -> list[Effect]:
        if message.ref != WAITING or self._sitting is not None:
            return []
        return [Note("waiting", {"why": message.text})]

    @_answer.register
    def _failed(self, message: Failed) -> list[Effect]:
        if self._comeback.tried:
            return self._log_in_again()
        if (note := self._entry.explained(message)) is not None:
            return [note]
        if message.ref == WAITING:
            return []
        if message.ref == BEFORE:  # as in games that hide something: it goes on with the last state alone
            held, back = self._comeback.releases(), self._comeback.first_state()
            return self._shown(held, back) if held is not None else []
        if message.ref == BACK:
            return [Note("seat is lost", {"reason": message.text}), *self._place.sits_down()]
        if (effects := self._place.receives(message)) is not None:
            return effects
        note = Note("request failed", {"code": message.code.value, "text": message.text}, Level.WARNING)
        if message.ref == ONCE_MORE and self._sitting is not None and self._sitting.doubted:
            return [note, *self._leave(self._sitting.game_id)]
        return [note]

    @_answer.register
    def _error(self, message: Error) -> list[Effect]:
        note = self._entry.complained(message)
        if self._entry.unanswered:
            return [note, *self._log_in_again()]
        sitting = self._sitting
        if sitting is not None and _ends(sitting.game_id, message.text):
            return [note, *self._chooser.stops(), *self._is_out(sitting.game_id)]
        return [note, *(self._place.receives(message) or ())]

    def _log_in_again(self) -> list[Effect]:
        """Log in without a session: none can be resumed, the nick is free, and the game is lost, unless the seat can be
        had again."""
        if not self._comeback.tried:
            return []
        game_id = self._sitting.game_id if self._sitting is not None else self._memory.game_id
        self._comeback.is_over(game_id if game_id != self._done else "")
        self._sitting = None
        return [Note("session is over"), Send(self._login)]

    # --- games ----------------------------------------------------------------------------------------------------

    @_answer.register
    def _state(self, message: GameState) -> list[Effect]:
        held, back = self._comeback.releases(), self._comeback.first_state()
        if message.game_id == self._done:
            return self._last_word_again(message, back)
        if held is not None and held.game_id == message.game_id and message.game_over is None:
            self._comeback.holds(message, None)  # one of those that come, and what was sent before it is out of date
            return []
        if held is None and self._lacks_states(message, back):
            self._comeback.holds(message, back)
            return [Send(ListStates(message.game_id, BEFORE))]
        return self._shown(message, back)

    def _lacks_states(self, message: GameState, back: Session | None) -> bool:
        """Whether the bot has come back into a game and knows of none, such as after a start without what it has kept:
        one state alone may not show how the game stands."""
        if back is None or back.turn is None or message.game_over is not None or not self._entry.may(Family.STATE):
            return False
        return self._sitting is None and not self._memory.received and self._memory.game_id != message.game_id

    @_answer.register
    def _states_before(self, message: States) -> list[Effect]:
        """Remember all states before the last one, which comes once more now."""
        held = self._comeback.releases()
        if held is None or held.game_id != message.game_id:
            return []
        received = tuple([GameState(message.game_id, "", None, one.payload) for one in message.states])
        self._memory = replace(self._memory, game_id=message.game_id, received=received)
        return self._keep(KeepGame(message.game_id), *map(KeepStep, received))

    def _shown(self, message: GameState, back: Session | None) -> list[Effect]:
        """Handle a state of a game that is not done."""
        if message.game_over is None:
            self._place.plays()
        is_back = back is not None and back.turn is not None and message.game_over is None
        notes: list[Effect] = [Note("back in a game", {"game": message.game_id})] if is_back else []
        sitting, kept = self._sitting, self._keep()
        if sitting is None or sitting.game_id != message.game_id:
            if (effects := self._place.holds(message, self._game)) is not None:
                return effects
            options = self._place.options(self._game, self._options)
            sitting = self._sitting = Sitting(message.game_id, lambda: self._game.notation.follow(options))
            if message.game_id == self._memory.game_id:
                sitting.recalls(self._memory.received)
            else:
                # What was sent about the session may be older than this game.
                back, kept = None, self._keep(KeepGame(message.game_id))
        asked = message.next_player == self._nick and (back is None or bool(back.turn))
        if sitting.has_answered(message) and (back is not None or sitting.awaited):
            sitting.got_it_again()
            again = sitting.answer if asked and back is not None else None
            return [*notes, *([Send(again)] if again is not None else [])]
        if message.game_over is None:
            kept = [*kept, *self._keep(KeepStep(message))]
        return [*notes, *kept, *self._play(sitting, message, asked=asked)]

    def _play(self, sitting: Sitting[V], message: GameState, *, asked: bool) -> list[Effect]:
        """Read a new state and do what it asks for."""
        stops = self._chooser.stops()
        fails = partial(self._fails, message)
        try:
            view = sitting.receives(message)
            self._chooser.is_shown(view)
        except Unreadable as error:
            return [*stops, *self._at_a_loss(sitting, message, str(error))]
        except Exception as bug:
            return [*stops, *fails(bug)]
        if asked:
            return [*stops, *self._chooser.begins(view, partial(self._moves, sitting, message, view), fails)]
        return [*stops, *(self._thank(message) if message.game_over is not None else [])]

    def _moves(self, sitting: Sitting[V], message: GameState, view: V, chosen: M) -> list[Effect]:
        """Send the move that was chosen for a state."""
        try:
            move = self._chooser.written(message.game_id, chosen)
        except Exception as bug:
            return self._fails(message, bug)
        sitting.answers(move)
        return self._chooser.sends(move, view, chosen, remarks=self._entry.may(Family.REMARK))

    def _fails(self, message: GameState, bug: Exception) -> list[Effect]:
        if isinstance(bug, NoMove):
            # Nothing is wrong in its code, so no traceback; it would know no move in a next game, either.
            note = Note("giving up", {"game": message.game_id, "reason": str(bug)}, Level.ERROR)
            return [Send(Logout()), *self._ends_session(), note, Finish(1, FAREWELL_S)]
        note = Note("bot failed", {"game": message.game_id}, Level.ERROR, bug)
        return [note, *(self._leave(message.game_id) if message.game_over is None else self._thank(message))]

    def _keep(self, *news: News) -> list[Effect]:
        return [Keep(one) for one in news] if self._keeps else []

    def _at_a_loss(self, sitting: Sitting[V], message: GameState, reason: str) -> list[Effect]:
        """Handle a state that cannot be read. Without the position the bot cannot play: it asks for the state again,
        and if that does not help, leaves. For a game that is over it needs no position."""
        note = Note("unreadable state", {"game": message.game_id, "reason": reason}, Level.ERROR)
        if message.game_over is not None:
            return [*([] if message.payload == NO_STATE else [note]), *self._thank(message)]
        if sitting.doubted or not self._entry.may(Family.STATE):
            return [note, *self._leave(message.game_id)]
        sitting.doubts(message)
        return [note, Send(Resend(message.game_id, ONCE_MORE))]

    def _thank(self, message: GameState) -> list[Effect]:
        results = {entry.nick: entry.result for entry in message.game_over or ()}
        own = results.get(self._nick)
        fields = {"game": message.game_id, "result": verdict(own, set(results.values()), len(results))}
        self._chooser.is_over(fields["result"])
        return [Note("game over", fields), *self._finish_with(ThankYou(message.game_id))]

    def _leave(self, game_id: str) -> list[Effect]:
        return self._finish_with(LeaveGame(game_id))

    def _finish_with(self, last_word: ThankYou | LeaveGame) -> list[Effect]:
        """Count a game as done. After the last one, ``logout`` replaces ``word``.

        Either message makes the player idle, and the server may seat it in a next game before it has read the logout,
        which would then lose that game.
        """
        self._count(last_word.game_id)
        return self._farewell() if self._played == self._games else [Send(last_word), *self._place.sits_down()]

    def _is_out(self, game_id: str) -> list[Effect]:
        """The server has taken the bot out of a game, which is lost for it: no end of it is shown, and nothing is to be
        sent about it."""
        self._count(game_id)
        return self._farewell() if self._played == self._games else self._place.sits_down()

    def _count(self, game_id: str) -> None:
        self._sitting = None
        self._done = game_id
        self._played += 1

    def _farewell(self) -> list[Effect]:
        note = Note("all games played", {"games": self._played})
        return [Send(Logout()), *self._ends_session(), note, Finish(0, FAREWELL_S)]

    def _ends_session(self) -> list[Effect]:
        """The session ends with the logout; its token still serves to ask about its games."""
        token = self._comeback.token
        return self._keep(KeepToken(token, over=True)) if token else []

    def _last_word_again(self, message: GameState, back: Session | None) -> list[Effect]:
        """Handle a state of a game that is done: after a cut the bot's last message about it may not have arrived."""
        if back is None:
            return []
        last_word = LeaveGame(message.game_id) if message.game_over is None else ThankYou(message.game_id)
        return [Send(last_word), *self._place.sits_down()]

    # --- other messages -------------------------------------------------------------------------------------------

    @_answer.register
    def _ping(self, message: Ping) -> list[Effect]:
        return [Send(Pong(message.ref))]

    @_answer.register
    def _clock_shown(self, message: Clock) -> list[Effect]:
        left = {clock.nick: clock.left_s for clock in message.clocks if clock.left_s is not None}
        own = left.pop(self._nick, None)
        if own is not None:
            # Of several others, the one with the least time left.
            self._chooser.is_shown_clock(own, min(left.values(), default=own))
        return []

    @_answer.register
    def _warned(self, message: Warn) -> list[Effect]:
        fields = {"scope": message.scope.value, "state": message.state.value, "left_s": message.left_s}
        note = Note("warning from the server", fields, Level.DEBUG)
        # Any message shows the server that the bot is there.
        silent = message.scope is WarningScope.PLAYER and message.state is WarningState.IDLE
        return [note, Send(Ping())] if silent else [note]

    @_answer.register
    def _champions(self, message: ChampionsList) -> list[Effect]:
        for rank, row in enumerate(message.rows, start=1):
            if row.nick == self._nick:
                return [Note("champions", {"rank": rank, "won": row.won, "lost": row.lost}, Level.DEBUG)]
        return [Note("champions", {"rows": len(message.rows)}, Level.DEBUG)]

    @_answer.register
    def _server_stops(self, message: ServerShutdown) -> list[Effect]:
        self._shutdown = True
        over = self._ends_session()
        self._comeback.token = self._sitting = None
        return [Note("server shuts down"), *self._chooser.stops(), *over]


def _ends(game_id: str, error: str) -> bool:
    """Whether this game is over for the bot by the text of an error."""
    return error.startswith(REMOVED) or any(over.format(game_id) in error for over in OVER)
