"""Running games are ended by order."""

from collections.abc import Mapping

from ugs.broker.acts.answering import named
from ugs.broker.championships import fixtures
from ugs.broker.effects import RecordAct
from ugs.broker.play import intake
from ugs.broker.state.model import Game
from ugs.broker.state.server_state import ServerState
from ugs.broker.values.questions import Act
from ugs.broker.values.replies import Adjudicated, Declined, Reply, Voided
from ugs.broker.verdict import Outcome
from ugs.game_ids import NoSuchGame, id_meant

STAND = "; known results stand; `ugs championship replay` and `correct` change those of a championship"
WORDS = {"won": Outcome.WON, "lost": Outcome.LOST, "drawn": Outcome.DRAWN}
"""The words for outcomes in an act."""


def void(server: ServerState, act: Act) -> Reply:
    """Declare a running game void. In a championship it is played again."""
    game = _running(server, act)
    if isinstance(game, str):
        return Declined(game)
    if game.setting.championship is not None:
        # First: its ledger has who did it and why, which a verdict has not.
        fixtures.voided(game.setting.championship, game.id, act.who, act.why)
    intake.void(server, game, act.why)
    server.emit(RecordAct(str(act.kind), game.id, game.type.name, act.who, act.why))
    return Voided(game.id, game.seats)


def adjudicate(server: ServerState, act: Act) -> Reply:
    """End a running game with these outcomes; it counts. Players who left it have lost."""
    game = _running(server, act)
    if isinstance(game, str):
        return Declined(game)
    outcomes = _outcomes(game, act.results)
    if isinstance(outcomes, str):
        return Declined(outcomes)
    server.emit(RecordAct(str(act.kind), game.id, game.type.name, act.who, act.why))
    intake.adjudicate(server, game, outcomes)
    return Adjudicated(game.id, {nick: str(outcomes.get(nick, Outcome.LOST)) for nick in game.seats})


def _running(server: ServerState, act: Act) -> Game | str:
    """Return the game of an act, by its id or the beginning of it; or why it cannot be ended."""
    try:
        game = server.games[id_meant(act.subject, server.games, " running")]
    except NoSuchGame as error:
        return f"{error}{STAND if 'no such' in str(error) else ''}"
    if game.ended:
        return f"game {game.id!r}: it has ended; results that are known stand"
    return game


def _outcomes(game: Game, results: Mapping[str, str]) -> dict[str, Outcome] | str:
    """Return the outcomes of all players who are still in the game; or what is wrong with the results."""
    for nick, word in results.items():
        if word not in WORDS:
            return f"result {word!r}: allowed: {', '.join(WORDS)}"
        if nick and nick not in game.seat_of:
            return f"result: {nick!r} has no seat in game {game.id}; there are: {named(game.seats)}"
        # D14: those who left have lost either way.
        if nick in game.departures and word != "lost":
            return f"result: {nick!r} has left game {game.id}, and has lost"
    words = {nick: results.get(nick, results.get("", "")) for nick in game.present}
    missing = [nick for nick, word in words.items() if not word]
    if missing:
        return f"result: there is no result for {named(missing)}; a word without a nick holds for all others"
    outcomes = {nick: WORDS[word] for nick, word in words.items()}
    drawn = Outcome.DRAWN in outcomes.values()
    # D15: on the wire a draw is the same result for all.
    if drawn and (set(outcomes.values()) != {Outcome.DRAWN} or len(outcomes) < 2):
        return "result: a game is drawn for all who are still in it, at least two, or for none"
    if not drawn and Outcome.WON not in outcomes.values():
        return "result: no player has won"
    return outcomes
