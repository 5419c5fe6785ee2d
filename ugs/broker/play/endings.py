"""How games end: what is recorded, what is announced, and when.

A result that counts is recorded, and announced when it is on disk. A void or cancelled one does not count and is
announced at once. Functions above the line "Steps" that return a phase are rules of ``broker/life.py``; other rules may
return what these return.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

from ugs.broker.effects import RecordEntry, RecordResult
from ugs.broker.facts import FixtureEnded, GameEnding, GameOver, PlayersFree
from ugs.broker.play import faults, reasons, record_entries, showing
from ugs.broker.state.extras import Key
from ugs.broker.state.game_state import MasterState
from ugs.broker.state.model import MAX_LISTED_SEATS, Game, Player
from ugs.broker.state.move_faults import refused_of
from ugs.broker.state.phases import Phase
from ugs.broker.state.server_state import ServerState
from ugs.broker.state.unannounced_end import Closing
from ugs.broker.values.record import reason_text
from ugs.broker.verdict import (
    CAUSES,
    MASTER_CLOSED,
    MASTER_GONE,
    Cause,
    Fault,
    GameResult,
    Outcome,
    SeatResult,
    Verdict,
)
from ugs.value import state
from ugs.wire.messages import Error, GameState, PlayerResult, Result


@state(eq=True)
class LineOfMaster:
    """With a master that is gone."""

    closed: Cause | None = None
    """Why the server has closed its connection; None if it has not, or players need not know."""


LINE_OF_MASTER: Key[LineOfMaster] = Key("line of master", LineOfMaster)
WORTH: dict[Result, Outcome] = {Result.WINNER: Outcome.WON, Result.LOSER: Outcome.LOST}


def finish(server: ServerState, game: Game, result: MasterState) -> Phase:
    """The master has sent the result. It decides whether equal results are a draw. If it does not, they are a draw if
    no player has left; otherwise they stand as given, since the seat of a leaver may have won. If all but one had left,
    the last leaver is the culprit; otherwise the losing player who broke a rule, according to the master."""
    assert result.game_over is not None
    results = {entry.nick: entry.result for entry in result.game_over}
    if _is_draw(game, results):
        still_in, cause = dict.fromkeys(game.present, Outcome.DRAWN), Cause.DRAW
    else:
        still_in = {nick: WORTH[results[nick]] for nick in game.present}
        cause = Cause.FINISHED
    # With seats of the master the last player has not won by being the last: the program plays on.
    if game.departures and len(game.present) == 1 and not game.shown.programs:
        leaver, cause = next(reversed(game.departures.items()))
        verdict = Verdict(cause, leaver)
    elif (culprit := reasons.culprit(game, still_in)) is not None:
        verdict = Verdict(Cause.ILLEGAL_MOVE, culprit)
    else:
        verdict = Verdict(cause)
    return conclude(server, game, still_in, verdict, result)


def conclude_for_master(server: ServerState, game: Game) -> Phase:
    """The server ends the game in place of the master: the one player who is still there wins; several have drawn."""
    leaver, cause = next(reversed(game.departures.items()))
    outcome = Outcome.WON if len(game.present) == 1 else Outcome.DRAWN
    # v4 has no word for a draw (D15): several who are still there are all winners.
    results = tuple(PlayerResult(nick, Result.WINNER if nick in game.present else Result.LOSER) for nick in game.seats)
    verdict = Verdict(cause, leaver, by_server=True)
    return conclude(server, game, dict.fromkeys(game.present, outcome), verdict, GameState(game.id, None, results))


def adjudicate(server: ServerState, game: Game, outcomes: Mapping[str, Outcome]) -> Phase:
    """An organiser decides the game, with an outcome for each player who is still in it."""
    results = tuple(
        PlayerResult(nick, Result.WINNER if outcomes.get(nick) is Outcome.WON else Result.LOSER) for nick in game.seats
    )
    verdict = Verdict(Cause.ADJUDICATED, by_server=True)
    return conclude(server, game, outcomes, verdict, GameState(game.id, None, results))


def conclude(
    server: ServerState, game: Game, still_in: Mapping[str, Outcome], verdict: Verdict, result: MasterState | None
) -> Phase:
    """Record a game that counts; :func:`kept` follows when the result is on disk. ``still_in`` are the outcomes of
    the players who are there, by nick; all others have lost."""
    entries = showing.write_over(server, game, result, by_server=verdict.by_server) if result is not None else ()
    outcomes = {nick: still_in.get(nick, Outcome.LOST) for nick in game.seats}
    _record(server, game, outcomes, verdict, result, entries)
    _clear_movers(game)
    server.stop(game.clock)
    return Phase.CLOSING


def kept(_server: ServerState, _game: Game) -> Phase:
    """The result is on disk, so it is announced."""
    return Phase.OVER


def cancel(server: ServerState, game: Game, cause: Cause, culprit: str | None = None) -> Phase:
    """End a game at a table without a result that counts. In v4 that is a gameOver where all lose."""
    result = GameState(game.id, None, tuple(PlayerResult(nick, Result.LOSER) for nick in game.seats))
    entries = showing.write_over(server, game, result, by_server=True)
    outcomes = dict.fromkeys(game.seats, Outcome.VOID)
    _record(server, game, outcomes, Verdict(cause, culprit, by_server=True), result, entries)
    server.stop(game.clock)
    return Phase.OVER


def void(server: ServerState, game: Game, cause: Cause, why: str = "") -> Phase:
    """Record a game as void, even if it was closing; its players will get ``why``, if given."""
    culprit = game.master.name if CAUSES[cause].fault is Fault.MASTER else None
    closed = LINE_OF_MASTER.of(game.master).closed if cause in MASTER_GONE and not why else None
    why = MASTER_CLOSED[closed] if closed is not None else why
    text = f"game void: {CAUSES[cause].notice}{f': {why}' if why else ''}"
    _record(server, game, dict.fromkeys(game.seats, Outcome.VOID), Verdict(cause, culprit), None, [], text, closed)
    return Phase.OVER


def announce(server: ServerState, game: Game) -> None:
    """Announce the end of a game whose result is on disk or void, in the order of these lines.

    Players of a void game get an ``error`` and are free; others get ``gameOver`` and owe a thank you.
    """
    closing = game.closing
    assert closing is not None
    players = list(game.present.values())
    _clear_movers(game)
    server.report(GameEnding(game, closing.result, players))
    if closing.void_text:
        # No thank you is due for a void game.
        forget(server, game)
        server.send_all([player for player in players if faults.reads_errors(player)], Error(closing.void_text))
    elif closing.last_state is not None:
        showing.over(server, game, closing.last_state)
    record_entries.release(server, game, closing.entries)
    if closing.void_text:
        _let_go(game, players)
    else:
        _await_thanks(server, game, players)
    game.type.game_ends()
    server.report(GameOver(game, closing.result))
    # Free last: they may be seated again at once, when nothing refers to this game any more.
    if closing.void_text:
        for player in players:
            faults.settles(server, player)
        server.report(PlayersFree(players))


# Steps.


def _is_draw(game: Game, results: Mapping[str, Result]) -> bool:
    """Return whether equal results of several players are a draw: by the master's word, or without one if no player has
    left. If the master denies it, players who are all losers have lost."""
    reason = game.reasons.latest
    called = reason.draw if reason is not None else None
    present = {results[nick] for nick in game.present}
    if called is False and present == {Result.LOSER}:
        return False
    if not game.departures:
        return len(results) > 1 and len(set(results.values())) == 1
    return called is True and len(game.present) > 1 and len(present) == 1


def forget(server: ServerState, game: Game) -> None:
    """Forget a game that is over and has all its thank yous."""
    server.stop(game.clock)
    del server.games[game.id]


def _clear_movers(game: Game) -> None:
    for player in game.turn.movers:
        # D17: a move of each may have crossed the end.
        player.need_not_move(game.id)
    game.turn.clear()


def _let_go(game: Game, players: Sequence[Player]) -> None:
    for player in players:
        player.has_left(game)


def _await_thanks(server: ServerState, game: Game, players: Sequence[Player]) -> None:
    for player in players:
        player.owes_thanks()
        game.owing[player.conn] = player
    if players:
        server.start(game.clock, game.type.settings.thank_you_timeout_s)
    else:
        forget(server, game)


def _seat_results(game: Game, outcomes: Mapping[str, Outcome]) -> tuple[SeatResult, ...]:
    departures = game.departures
    return tuple(SeatResult(nick, outcomes[nick], departures.get(nick), refused_of(game, nick)) for nick in game.seats)


def _record(
    server: ServerState,
    game: Game,
    outcomes: Mapping[str, Outcome],
    verdict: Verdict,
    final: MasterState | None,
    entries: Sequence[RecordEntry],
    void_text: str = "",
    master_closed: Cause | None = None,
) -> None:
    """Record result and verdict, and take the game from its master; it is closing from now on."""
    setting, master = game.setting, game.master
    result = GameResult(
        game.id,
        game.type.name,
        master.name,
        _seat_results(game, outcomes),
        verdict,
        game.history.moves,
        game.history.began_at,
        server.now,
        setting.championship.name if setting.championship is not None else "",
        setting.fixture.number if setting.fixture is not None else 0,
    )
    reason = reasons.of_end(game, verdict)
    entries = (*entries, record_entries.verdict(server, game, verdict, reason))
    # 0 keeps the places: round trips are matched to seats by their order.
    conns = [game.present[nick].conn if nick in game.present else 0 for nick in game.seats]
    server.emit(RecordResult(result, (master.conn, *conns)))
    if setting.championship is not None:
        server.report(FixtureEnded(setting.championship, result))
    server.note(
        "game ended",
        game=game.id,
        game_type=game.type.name,
        verdict=str(verdict.cause),
        fault=str(verdict.fault),
        culprit=verdict.culprit,
        # A line of the log, not the record: games may have thousands of seats.
        outcomes={nick: str(outcome) for nick, outcome in islice(outcomes.items(), MAX_LISTED_SEATS)},
        moves=game.history.moves,
        reason=reason_text(reason.code, reason.text) if reason is not None else "",
    )
    game.is_closing(Closing(result, final, entries, reason, void_text, master_closed))


def wrong_results(game: Game, results: Iterable[PlayerResult], kind: str) -> str | None:
    """Return what is wrong with the ``gameOver`` in a message of type ``kind``: it must list every player still in the
    game once, and otherwise only leavers and the seats that the master plays."""
    seen: set[str] = set()
    programs = game.shown.programs if game.shown.labels else ()
    for entry in results:
        if entry.nick in seen:
            return f"{kind}: gameOver player nick {entry.nick!r}: listed twice"
        if entry.nick not in game.present and entry.nick not in game.departures and entry.nick not in programs:
            return f"{kind}: gameOver player nick {entry.nick!r}: not a player in game {game.id}"
        seen.add(entry.nick)
    missing = [nick for nick in game.present if nick not in seen]
    return f"{kind}: gameOver: no result for player nick {missing[0]!r}" if missing else None
