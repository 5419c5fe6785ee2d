"""Reasons of masters (``x-reason``), and verdicts for players."""

from ugs.broker import facts
from ugs.broker.play import intake, reasons
from ugs.broker.state.history import ENTRY_BYTES
from ugs.broker.state.model import MAX_LISTED_SEATS, Game, Master, Player
from ugs.broker.state.phases import Phase
from ugs.broker.state.server_state import ServerState
from ugs.broker.state.session_tokens import PLACE
from ugs.broker.state.unannounced_end import Closing
from ugs.broker.verdict import MASTER_CLOSED, Cause, Reason
from ugs.broker.verdict_sentences import repeats, sentence
from ugs.wire.extensions import Because, GameVerdict, SeatVerdict


def because(server: ServerState, master: Master, message: Because) -> str | None:
    """A master has sent ``x-reason``: the reason of its next message about a game."""
    game = master.games.get(message.game_id)
    if game is None:
        return intake.not_running(server, master, "x-reason", message.game_id)
    if message.nick and message.nick not in game.present:
        if message.nick in game.departures:  # it has just left, and the two crossed
            server.note("ignored: player had left already", master, game=game.id, nick=message.nick)
            return None
        return f"x-reason: cause nick {message.nick!r}: not a player in game {game.id}"
    reason = game.reasons.latest
    # An error was only taken for a reason; x-reason is one, and replaces it.
    if reason is not None and reason.code != reasons.ERROR:
        return f"x-reason: gameId id {game.id!r}: there is a reason already for what comes next"
    game.history.receives(len(message.text) + ENTRY_BYTES)
    text = reasons.printable(message.text)
    reasons.give(server, game, Reason(message.code, text, message.nick, message.draw))
    return None


# Facts.


def rule_broken(server: ServerState, fact: facts.RuleBroken) -> None:
    """Send a player the rule that it has broken, according to the master; no other peer gets it."""
    reason = fact.reason
    server.send_extension([fact.player], Because(fact.game.id, reason.code, reason.text, reason.nick))


def over(server: ServerState, fact: facts.GameOver) -> None:
    """Send the verdict to the players who have just got the end of their game, and to the one who was put out and had
    to lose it."""
    in_it = [*fact.game.present.values(), *_put_out(server, fact.game)]
    players = [player for player in in_it if server.reads(player, GameVerdict)]
    if players:  # usually there are none
        server.send_extension(players, _verdict_of(fact.game))


def back(server: ServerState, fact: facts.PlayerBack) -> None:
    """Send the verdict to a player who is back in a game that is over, after its last state; or of a game that ended
    while it was away, after the error."""
    game, missed = fact.player.game, PLACE.of(fact.player).missed
    if game is not None and game.phase is Phase.OVER:
        server.send_extension([fact.player], _verdict_of(game))
    elif game is None and missed is not None and missed.closing is not None:
        server.send_extension([fact.player], verdict_message(missed.closing, with_program=missed.with_program))


def _put_out(server: ServerState, game: Game) -> list[Player]:
    """The player by whose fault a game has ended, if it was taken out and has begun no other one since."""
    assert game.closing is not None
    culprit = game.closing.result.verdict.culprit or ""
    if game.departures.get(culprit, Cause.LEFT) is Cause.LEFT:  # who leaves knows why
        return []
    player = server.names.player(culprit)
    return [player] if player is not None and player.game is None and player.last_game == game.id else []


def _verdict_of(game: Game) -> GameVerdict:
    assert game.closing is not None
    return verdict_message(game.closing, with_program=game.setting.computers)


def verdict_message(closing: Closing, *, with_program: bool) -> GameVerdict:
    """Return the verdict of a game that is over, as its players get it. ``with_program``: the master had seats of its
    own."""
    result, reason = closing.result, closing.reason
    verdict, closed = result.verdict, closing.master_closed
    if reason is None and closed is not None:
        reason = Reason(closed.replace(" ", "-"), MASTER_CLOSED[closed])
    words = "" if reason is None or repeats(verdict.cause, reason.code, reason.text) else reason.text
    seats = [
        SeatVerdict(seat.nick, str(seat.outcome), str(seat.departure or "")) for seat in result.seats[:MAX_LISTED_SEATS]
    ]
    return GameVerdict(
        result.game_id,
        str(verdict.cause),
        str(verdict.fault),
        sentence(result, with_program=with_program),
        tuple(seats),
        culprit=verdict.culprit or "",
        code=reason.code if reason is not None else "",
        words=words,
        by_server=verdict.by_server,
        void=verdict.void,
    )
