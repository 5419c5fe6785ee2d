"""The rules that move games along the table of ``game.py``: whose turn it is, who is out, who has won.

Whatever comes in is checked first; then the table says what it means in the phase of that game.
"""

from collections.abc import Callable, Iterable, Sequence

from ugs.broker.championship import Championship
from ugs.broker.desk import Desk, GameType
from ugs.broker.effects import RecordResult, Send
from ugs.broker.events import Timer, TimerKind
from ugs.broker.game import LIFE, Game, Happening, Phase, audience_of, seats_told
from ugs.broker.link import Link, LinkState
from ugs.broker.scribe import Scribe
from ugs.broker.verdict import FAULT_OF, Cause, Fault, GameResult, Outcome, SeatResult, Verdict
from ugs.championship.schedule import Fixture
from ugs.wire.messages import BeginGame, Error, GameState, Move, PlayerLeftGame, PlayerResult, Result

VOID_TEXT: dict[Cause, str] = {
    Cause.NO_BEGINNING: "the game master did not begin it",
    Cause.MASTER_SILENT: "the game master does not answer",
    Cause.MASTER_LOST: "the game master is gone",
    Cause.SHUTDOWN: "the server is shutting down",
    Cause.JOURNAL_LOST: "the server cannot write down what happens",
}

WORTH: dict[Result, Outcome] = {Result.WINNER: Outcome.WON, Result.LOSER: Outcome.LOST}


class Games:
    """All running games and the rules that move them along ``LIFE``.

    ``idle`` is called with players who are free again, ``ended`` when the verdict of a game has been announced,
    ``dismiss`` with a peer that has to go and the reason it is told.
    """

    def __init__(
        self,
        desk: Desk,
        idle: Callable[[Sequence[Link]], None],
        ended: Callable[[Game, GameResult], None],
        dismiss: Callable[[Link, str], None],
    ) -> None:
        self._desk = desk
        self._scribe = Scribe(desk)
        self._idle = idle
        self._ended = ended
        self._dismiss = dismiss
        self._games: dict[str, Game] = {}
        self._life: dict[Phase, dict[Happening, Callable[..., None]]] = {
            phase: {happening: getattr(self, rule) for happening, rule in row.items()} for phase, row in LIFE.items()
        }

    @property
    def running(self) -> list[Game]:
        """The games whose end has not been announced yet."""
        return [game for game in self._games.values() if game.phase is not Phase.OVER]

    # What comes in. Each of these checks, then lets `_happens` look up what it means.

    def begin(
        self,
        game_type: GameType,
        master: Link,
        players: Sequence[Link],
        championship: Championship | None = None,
        fixture: Fixture | None = None,
    ) -> Game:
        """Seat these idle players (a fixture says where; else the seats are dealt) and ask the master to lead them."""
        desk = self._desk
        by_nick = {link.name: link for link in players}
        game_id = desk.new_game_id()
        seats = fixture.nicks if fixture is not None else game_type.seating.deal(list(by_nick))
        seat_of = {nick: seat for seat, nick in enumerate(seats)}
        clock = Timer(TimerKind.GAME, game_id)
        present = {nick: by_nick[nick] for nick in seats}
        told = seats_told(seat_of, present)
        game = Game(
            game_id,
            game_type,
            master,
            seats,
            present,
            seat_of,
            desk.now,
            championship,
            fixture,
            clock,
            audience_of(present),
            told,
        )
        for link in players:
            del game_type.waiting[link.conn]
            link.state, link.game = LinkState.PLAYING, game
        assert master.master is not None
        master.master.games[game_id] = game
        self._games[game_id] = game
        self._scribe.begin(game)
        if championship is not None and fixture is not None:
            championship.playing(game_id, fixture)
        desk.note("game begun", game=game_id, game_type=game_type.name, master=master.name, seats=list(seats))
        desk.send(master, BeginGame(game_id, seats))
        desk.start(game.clock, game_type.settings.begin_timeout_s)
        return game

    def state(self, master: Link, message: GameState) -> str | None:
        """A ``gameState`` from a master; returns what is wrong with it, or None."""
        assert master.master is not None
        game = master.master.games.get(message.game_id)
        if game is None:
            return self._not_running(master, "gameState", message.game_id)
        if message.game_over is not None:
            wrong = wrong_results(game, message.game_over)
        elif message.next_player not in game.present:
            wrong = f"gameState: nextPlayer nick {message.next_player!r}: not a player in game {game.id}"
        else:
            wrong = None
        if wrong is not None:
            return wrong
        master.master.silences = 0
        if message.game_over is None:
            self._happens(game, Happening.STATE, message)
        else:
            self._happens(game, Happening.GAME_OVER, message)
        return None

    def move(self, player: Link, message: Move) -> str | None:
        """A ``move`` from a player in a game; returns what is wrong with it, or None."""
        game = player.game
        assert game is not None
        if message.game_id != game.id:
            return f"move: gameId id {message.game_id!r}: {no_such_game(player, message.game_id)}"
        if game.mover is not player:
            return f"move: gameId id {message.game_id!r}: it is not your turn"
        self._happens(game, Happening.MOVE, message)
        return None

    def leave(self, player: Link, cause: Cause) -> None:
        """A player goes out of its running game: tell the master. The player itself is the caller's business."""
        game = player.game
        assert game is not None
        if game.phase is Phase.CLOSING:  # the result stands, and the master has done with the game
            self._remove(game, player)
            return
        self._scribe.left(game, player, cause)
        if not game.type.settings.quiet_master and game.phase is not Phase.AWAY:
            self._desk.send(game.master, PlayerLeftGame(player.name, game.id))
        self._out(game, player, cause)

    def player_out(self, master: Link, message: PlayerLeftGame) -> str | None:
        """A ``playerLeftGame`` from a master; returns what is wrong with it, or None."""
        assert master.master is not None
        game = master.master.games.get(message.game_id)
        if game is None:
            return self._not_running(master, "playerLeftGame", message.game_id)
        player = game.present.get(message.nick)
        if player is None:
            if message.nick in game.departures:  # an echo of our own message, or both said it at the same time
                self._desk.note("ignored: player had left already", master, game=game.id, nick=message.nick)
                return None
            return f"playerLeftGame: player nick {message.nick!r}: not a player in game {game.id}"
        self._scribe.left(game, player, Cause.REMOVED)
        self._desk.send(player, Error("removed by the game master"))
        self._out(game, player, Cause.REMOVED)
        self._idle([player])
        return None

    def thanks(self, player: Link) -> None:
        """A player has answered the end of its game (or is gone, and will not)."""
        game = player.game
        assert game is not None
        del game.owing[player.conn]
        player.game, player.last_game = None, game.id
        if not game.owing:
            self._desk.stop(game.clock)
            del self._games[game.id]

    def lose_master(self, master: Link) -> None:
        """The connection of a master is gone: what becomes of its games."""
        assert master.master is not None
        for game in list(master.master.games.values()):
            self._happens(game, Happening.MASTER_GONE)

    def kept(self, game_id: str) -> None:
        """The result of a game is on file; it may have been voided meanwhile."""
        game = self._games.get(game_id)
        if game is not None and game.phase is Phase.CLOSING:
            self._happens(game, Happening.KEPT)

    def clock(self, game_id: str) -> None:
        """The clock of a game has run out."""
        game = self._games.get(game_id)
        if game is not None:
            self._happens(game, Happening.CLOCK)

    def shut_down(self) -> None:
        """End whatever still runs, to the fault of the server. What has a result already waits for the disk."""
        for game in self.running:
            if game.phase is not Phase.CLOSING:
                self._void(game, Cause.SHUTDOWN)

    def journal_lost(self) -> None:
        """Nothing can be written down: end everything, also what had a result that is not on file."""
        for game in self.running:
            self._void(game, Cause.JOURNAL_LOST)

    def _happens(self, game: Game, happening: Happening, subject: object = None) -> None:
        self._life[game.phase][happening](game, subject)

    # The rules that LIFE names. Their arguments are the game and the message or link it is about.

    def next_turn(self, game: Game, message: GameState) -> None:
        """Everybody gets the state; the player it names has to move."""
        assert message.next_player is not None
        mover = game.present[message.next_player]
        self._scribe.state(game, message)
        self._desk.do(Send(game.audience, message))
        game.phase, game.mover = Phase.TURN, mover
        self._desk.start(game.clock, game.type.settings.move_timeout_s, after=mover)

    def relay_move(self, game: Game, message: Move) -> None:
        """The master gets the move and has to answer."""
        game.phase = Phase.ANSWER
        self.pass_move_on(game, message)
        self._desk.start(game.clock, game.type.settings.master_timeout_s)

    def pass_move_on(self, game: Game, message: Move) -> None:
        """The master gets the move; the clock that runs for it is not touched."""
        self._spend_turn(game, message)
        self._desk.send(game.master, message)

    def keep_move(self, game: Game, message: Move) -> None:
        """There is no master to get the move: the turn is spent, and counts should the master not come back."""
        self._spend_turn(game, message)

    def finish(self, game: Game, message: GameState) -> None:
        """The master has said who won."""
        assert message.game_over is not None
        said = {entry.nick: entry.result for entry in message.game_over}
        results = {said[nick] for nick in game.present}
        if len(game.present) > 1 and len(results) == 1:
            still_in, cause = dict.fromkeys(game.present, Outcome.DRAWN), Cause.DRAW
        else:
            still_in = {nick: WORTH[said[nick]] for nick in game.present}
            cause = Cause.FINISHED
        if game.departures and len(game.present) == 1:
            leaver, cause = next(reversed(game.departures.items()))
            verdict = Verdict(cause, leaver)
        else:
            verdict = Verdict(cause)
        self._conclude(game, still_in, verdict, message)

    def one_less(self, game: Game, player: Link) -> None:
        """A player has just been taken out of ``present``."""
        if not game.present:
            if game.phase is Phase.AWAY:
                self._void(game, Cause.MASTER_LOST)
            else:
                self._conclude(game, {}, Verdict(game.departures[player.name], player.name, by_server=True), None)
        elif game.phase is Phase.AWAY:
            game.mover = None if game.mover is player else game.mover
        elif game.type.settings.quiet_master:
            self._conclude_for_master(game)
        elif game.phase is not Phase.BEGUN:
            self._master_must_answer(game, player)

    def no_beginning(self, game: Game, _: object) -> None:
        """The master did not answer ``beginGame``."""
        self._silent(game, lambda: self._void(game, Cause.NO_BEGINNING))

    def master_silent(self, game: Game, _: object) -> None:
        """The master did not answer a move or a leave; a last player left by all others need not suffer for it."""
        if len(game.present) == 1:
            self.last_one_wins(game, None)
        else:
            self._silent(game, lambda: self._void(game, Cause.MASTER_SILENT))

    def last_one_wins(self, game: Game, _: object) -> None:
        """The master did not say who won when only one player was left: the server does."""
        self._silent(game, lambda: self._conclude_for_master(game))

    def player_too_slow(self, game: Game, _: object) -> None:
        """The player whose turn it is did not move: it is taken out."""
        player = game.mover
        assert player is not None
        self._desk.note("no move in time", player, warning=True, game=game.id)
        self.leave(player, Cause.TIMEOUT)
        self._desk.send(
            player, Error(f"no move within {game.type.settings.move_timeout_s:g} s: game {game.id} is lost")
        )
        self._idle([player])

    def master_gone(self, game: Game, _: object) -> None:
        """The master's connection is lost: the game is void, or waits for it."""
        grace = game.type.settings.master_grace_s
        if grace > 0:
            self._scribe.away(game)
            game.phase = Phase.AWAY
            self._desk.start(game.clock, grace)
        else:
            self._void(game, Cause.MASTER_LOST)

    def master_lost(self, game: Game, _: object) -> None:
        """The master has not come back."""
        self._void(game, Cause.MASTER_LOST)

    def no_thanks(self, game: Game, _: object) -> None:
        """Whoever still owes a thank you has to go."""
        seconds = game.type.settings.thank_you_timeout_s
        for player in list(game.owing.values()):
            self._dismiss(player, f"no thank you within {seconds:g} s after game {game.id}")

    def announce(self, game: Game, _: object) -> None:
        """The result is on file: tell everybody who is still there, and wait for their thanks."""
        assert game.ending is not None
        result, message = game.ending
        players = list(game.present.values())
        game.phase = Phase.OVER
        if message is not None:
            self._desk.send_all(players, message)
        for link in players:
            link.state = LinkState.OWING
            game.owing[link.conn] = link
        if players:
            self._desk.start(game.clock, game.type.settings.thank_you_timeout_s)
        else:
            self._forget(game)
        self._ended(game, result)

    # The steps that rules are made of.

    def _spend_turn(self, game: Game, message: Move) -> None:
        assert game.mover is not None
        self._scribe.move(game, game.mover, message)
        game.mover = None
        game.moves += 1

    def _not_running(self, master: Link, message_type: str, game_id: str) -> str | None:
        """A master speaks of a game that it does not lead: it may have crossed with the end of that game."""
        assert master.master is not None
        if game_id in master.master.ended:
            self._desk.note("ignored: game has ended already", master, game=game_id, message=message_type)
            return None
        return f"{message_type}: gameId id {game_id!r}: you lead no such game"

    def _remove(self, game: Game, player: Link) -> None:
        del game.present[player.name]
        game.audience = audience_of(game.present)
        game.told = seats_told(game.seat_of, game.present)
        player.game, player.last_game = None, game.id

    def _out(self, game: Game, player: Link, cause: Cause) -> None:
        self._remove(game, player)
        game.departures[player.name] = cause
        self._desk.note("player left game", player, game=game.id, cause=str(cause))
        self._happens(game, Happening.LEFT, player)

    def _master_must_answer(self, game: Game, leaver: Link) -> None:
        """After a departure: the master says how the game goes on, unless somebody else's turn goes on anyway."""
        if game.mover is leaver:
            game.mover = None
        if len(game.present) == 1:
            game.phase = Phase.ALONE
        elif game.mover is None:
            game.phase = Phase.ANSWER
        else:
            return
        self._desk.start(game.clock, game.type.settings.master_timeout_s)

    def _silent(self, game: Game, end: Callable[[], None]) -> None:
        """Count a silence of the master and end the game; after too many the master goes, and gets no game before."""
        master, strikes = game.master, game.type.settings.master_strikes
        assert master.master is not None
        master.master.silences += 1
        self._desk.note("master silent", master, warning=True, game=game.id, times=master.master.silences)
        struck_out = master.master.silences >= strikes
        if struck_out:
            del game.type.masters[master.conn]
        end()
        if struck_out:
            self._dismiss(master, f"silent {strikes} times in a row")

    def _conclude_for_master(self, game: Game) -> None:
        """The server says how the game ended: whoever is still there wins (several share it, a draw)."""
        leaver, cause = next(reversed(game.departures.items()))
        outcome = Outcome.WON if len(game.present) == 1 else Outcome.DRAWN
        results = tuple(
            PlayerResult(nick, Result.WINNER if nick in game.present else Result.LOSER) for nick in game.seats
        )
        message = GameState(game.id, None, results)
        verdict = Verdict(cause, leaver, by_server=True)
        self._conclude(game, dict.fromkeys(game.present, outcome), verdict, message)

    def _conclude(self, game: Game, still_in: dict[str, Outcome], verdict: Verdict, message: GameState | None) -> None:
        """Record a game that counts; it is announced as soon as that is on file."""
        if message is not None:
            self._scribe.over(game, message, by_server=verdict.by_server)
        outcomes = {nick: still_in.get(nick, Outcome.LOST) for nick in game.seats}
        game.ending = (self._record(game, outcomes, verdict), message)
        game.phase, game.mover = Phase.CLOSING, None
        self._desk.stop(game.clock)

    def _void(self, game: Game, cause: Cause) -> None:
        """Record a game that counts for nobody and set its players free, without thanks."""
        culprit = game.master.name if FAULT_OF[cause] is Fault.MASTER else None
        result = self._record(game, dict.fromkeys(game.seats, Outcome.VOID), Verdict(cause, culprit))
        players = list(game.present.values())
        game.phase, game.mover = Phase.OVER, None
        self._forget(game)
        self._desk.send_all(players, Error(f"game void: {VOID_TEXT[cause]}"))
        for link in players:
            link.game, link.last_game = None, game.id
        self._ended(game, result)
        self._idle(players)

    def _record(self, game: Game, outcomes: dict[str, Outcome], verdict: Verdict) -> GameResult:
        desk = self._desk
        seats = tuple(SeatResult(nick, outcomes[nick], game.departures.get(nick)) for nick in game.seats)
        result = GameResult(
            game.id,
            game.type.name,
            game.master.name,
            seats,
            verdict,
            game.moves,
            game.began_at,
            desk.now,
            game.championship.name if game.championship is not None else "",
            game.fixture.number if game.fixture is not None else 0,
        )
        self._scribe.verdict(game, verdict)
        conns = [game.present[nick].conn if nick in game.present else 0 for nick in game.seats]
        desk.do(RecordResult(result, (game.master.conn, *conns)))
        if game.championship is not None:
            game.championship.record(result)
        desk.note(
            "game ended",
            game=game.id,
            game_type=game.type.name,
            verdict=str(verdict.cause),
            fault=str(verdict.fault),
            culprit=verdict.culprit,
            outcomes={nick: str(outcome) for nick, outcome in outcomes.items()},
            moves=game.moves,
        )
        desk_of_master = game.master.master
        assert desk_of_master is not None
        desk_of_master.games.pop(game.id, None)
        desk_of_master.ended.append(game.id)
        return result

    def _forget(self, game: Game) -> None:
        self._desk.stop(game.clock)
        del self._games[game.id]


def wrong_results(game: Game, results: Iterable[PlayerResult]) -> str | None:
    """What is wrong with a ``gameOver``: everybody still in the game is listed once, nobody else but leavers is."""
    seen: set[str] = set()
    for entry in results:
        if entry.nick in seen:
            return f"gameState: gameOver player nick {entry.nick!r}: listed twice"
        if entry.nick not in game.present and entry.nick not in game.departures:
            return f"gameState: gameOver player nick {entry.nick!r}: not a player in game {game.id}"
        seen.add(entry.nick)
    missing = [nick for nick in game.present if nick not in seen]
    return f"gameState: gameOver: no result for player nick {missing[0]!r}" if missing else None


def no_such_game(player: Link, game_id: str) -> str:
    """Why a player may not speak of this game."""
    return "this game is over" if game_id and game_id == player.last_game else "you are in no such game"
