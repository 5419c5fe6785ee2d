"""How games end: what is recorded, what is announced, and when.

A result that counts is recorded, and announced when it is on file for good; a void or cancelled one counts for nobody
and is announced at once.
"""

from collections.abc import Callable, Iterable, Sequence

from ugs.broker.desk import Desk
from ugs.broker.effects import RecordEntry, RecordResult
from ugs.broker.game import Game, Phase, Shown
from ugs.broker.link import Link, LinkState
from ugs.broker.onlookers import Onlookers
from ugs.broker.scribe import Scribe
from ugs.broker.showing import Showing
from ugs.broker.verdict import FAULT_OF, Cause, Fault, GameResult, Outcome, SeatResult, Verdict
from ugs.wire.messages import Error, GameState, PlayerResult, Result

VOID_TEXT: dict[Cause, str] = {
    Cause.NO_BEGINNING: "the game master did not begin it",
    Cause.MASTER_SILENT: "the game master does not answer",
    Cause.MASTER_LOST: "the game master is gone",
    Cause.SHUTDOWN: "the server is shutting down",
    Cause.SERVER_LOST: "the server was lost and came back without it",
    Cause.JOURNAL_LOST: "the server cannot write down what happens",
}

WORTH: dict[Result, Outcome] = {Result.WINNER: Outcome.WON, Result.LOSER: Outcome.LOST}


class Ending:
    """Ends games. ``idle`` is called with players who are free again, ``ended`` when a verdict has been announced,
    ``forget`` when nothing more is to come of a game."""

    def __init__(
        self,
        desk: Desk,
        scribe: Scribe,
        showing: Showing,
        onlookers: Onlookers,
        idle: Callable[[Sequence[Link]], None],
        ended: Callable[[Game, GameResult], None],
        forget: Callable[[Game], None],
    ) -> None:
        self._desk = desk
        self._scribe = scribe
        self._showing = showing
        self._onlookers = onlookers
        self._idle = idle
        self._ended = ended
        self._forget = forget
        self._unreleased: dict[str, tuple[RecordEntry, ...]] = {}
        """By game: what has been recorded and may not be known before it is announced."""

    def finish(self, game: Game, message: Shown) -> None:
        """The master has said who won."""
        assert message.game_over is not None
        said = {entry.nick: entry.result for entry in message.game_over}
        still_playing = [nick for nick in said if nick not in game.departures]
        if len(still_playing) > 1 and len({said[nick] for nick in still_playing}) == 1:
            still_in, cause = dict.fromkeys(game.present, Outcome.DRAWN), Cause.DRAW
        else:
            still_in = {nick: WORTH[said[nick]] for nick in game.present}
            cause = Cause.FINISHED
        if game.departures and len(game.present) == 1 and not game.programs:
            leaver, cause = next(reversed(game.departures.items()))
            verdict = Verdict(cause, leaver)
        else:
            verdict = Verdict(cause)
        self.conclude(game, still_in, verdict, message)

    def for_master(self, game: Game) -> None:
        """The server says how the game ended: whoever is still there wins (several share it, a draw)."""
        leaver, cause = next(reversed(game.departures.items()))
        outcome = Outcome.WON if len(game.present) == 1 else Outcome.DRAWN
        results = tuple(
            PlayerResult(nick, Result.WINNER if nick in game.present else Result.LOSER) for nick in game.seats
        )
        message = GameState(game.id, None, results)
        verdict = Verdict(cause, leaver, by_server=True)
        self.conclude(game, dict.fromkeys(game.present, outcome), verdict, message)

    def conclude(self, game: Game, still_in: dict[str, Outcome], verdict: Verdict, message: Shown | None) -> None:
        """Record a game that counts; it is announced as soon as that is on file."""
        entries = []
        if message is not None:
            entries.append(self._showing.written_over(game, message, by_server=verdict.by_server))
        outcomes = {nick: still_in.get(nick, Outcome.LOST) for nick in game.seats}
        game.ending = (self._record(game, outcomes, verdict, entries), message)
        game.phase, game.movers = Phase.CLOSING, ()
        game.held.clear()
        self._desk.stop(game.clock)

    def announce(self, game: Game) -> None:
        """The result is on file: tell everybody who is still there, and wait for their thanks."""
        assert game.ending is not None
        result, message = game.ending
        self._tell_end(game, result, message)
        self._is_over(game, result)

    def cancel(self, game: Game, cause: Cause, culprit: str | None = None) -> None:
        """A game at a table ends and counts for nobody. On the wire of v4 that is a gameOver in which all lose."""
        results = tuple(PlayerResult(nick, Result.LOSER) for nick in game.seats)
        message = GameState(game.id, None, results)
        entry = self._showing.written_over(game, message, by_server=True)
        void = dict.fromkeys(game.seats, Outcome.VOID)
        result = self._record(game, void, Verdict(cause, culprit, by_server=True), [entry])
        self._desk.stop(game.clock)
        self._tell_end(game, result, message)
        self._is_over(game, result)

    def void(self, game: Game, cause: Cause) -> None:
        """Record a game that counts for nobody and set its players free, without thanks."""
        culprit = game.master.name if FAULT_OF[cause] is Fault.MASTER else None
        result = self._record(game, dict.fromkeys(game.seats, Outcome.VOID), Verdict(cause, culprit), [])
        players = list(game.present.values())
        game.phase, game.movers = Phase.OVER, ()
        game.held.clear()
        for tell in self._onlookers.ending:
            tell(game, result, players)
        self._forget(game)
        self._desk.send_all(players, Error(f"game void: {VOID_TEXT[cause]}"))
        self._release(game)
        for link in players:
            link.game, link.last_game = None, game.id
        for over in self._onlookers.over:
            over(game)
        self._is_over(game, result)
        self._idle(players)

    def _tell_end(self, game: Game, result: GameResult, message: Shown | None) -> None:
        players = list(game.present.values())
        game.phase, game.movers = Phase.OVER, ()
        game.held.clear()
        for tell in self._onlookers.ending:
            tell(game, result, players)
        if message is not None:
            self._showing.over(game, message)
        self._release(game)
        for link in players:
            link.state = LinkState.OWING
            game.owing[link.conn] = link
        if players:
            self._desk.start(game.clock, game.type.settings.thank_you_timeout_s)
        else:
            self._forget(game)
        for over in self._onlookers.over:
            over(game)

    def _is_over(self, game: Game, result: GameResult) -> None:
        game.type.running -= 1
        self._ended(game, result)

    def _release(self, game: Game) -> None:
        self._scribe.released(game, *self._unreleased.pop(game.id, ()))

    def _record(
        self, game: Game, outcomes: dict[str, Outcome], verdict: Verdict, entries: Sequence[RecordEntry]
    ) -> GameResult:
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
        self._unreleased[game.id] = (*entries, self._scribe.verdict(game, verdict))
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


def wrong_results(game: Game, results: Iterable[PlayerResult], kind: str) -> str | None:
    """What is wrong with a ``gameOver`` of a message of this type: everybody still in the game is listed once, nobody
    else but leavers and the seats that the master plays is."""
    seen: set[str] = set()
    programs = game.programs if game.labels else ()
    for entry in results:
        if entry.nick in seen:
            return f"{kind}: gameOver player nick {entry.nick!r}: listed twice"
        if entry.nick not in game.present and entry.nick not in game.departures and entry.nick not in programs:
            return f"{kind}: gameOver player nick {entry.nick!r}: not a player in game {game.id}"
        seen.add(entry.nick)
    missing = [nick for nick in game.present if nick not in seen]
    return f"{kind}: gameOver: no result for player nick {missing[0]!r}" if missing else None
