"""Running games are ended by order."""

from collections.abc import Mapping

from ugs.broker.acts.answering import named
from ugs.broker.effects import RecordAct
from ugs.broker.play import intake
from ugs.broker.state.model import Game
from ugs.broker.state.server_state import ServerState
from ugs.broker.values.questions import Act
from ugs.broker.values.replies import Adjudicated, Declined, Reply, Voided
from ugs.broker.verdict import Outcome
from ugs.game_ids import NoSuchGame, id_meant

STAND = "; results that are known stand, and ugs championship puts those of a championship right"
WORDS = {"won": Outcome.WON, "lost": Outcome.LOST, "drawn": Outcome.DRAWN}
"""What a result can say of a nick."""


def void(server: ServerState, act: Act) -> Reply:
    """Let a running game count for nobody. In a championship it is played again."""
    game = _running(server, act)
    if isinstance(game, str):
        return Declined(game)
    intake.void(server, game, act.why)
    server.emit(RecordAct(str(act.kind), game.id, game.type.name, act.who, act.why))
    return Voided(game.id, game.seats)


def adjudicate(server: ServerState, act: Act) -> Reply:
    """Say who has won a running game; it counts. Who has left it has lost."""
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
    """The game that an act is about, by its id or the beginning of it; or why it cannot be ended any more."""
    try:
        game = server.games[id_meant(act.subject, server.games, " running")]
    except NoSuchGame as error:
        return f"{error}{STAND if 'no such' in str(error) else ''}"
    if game.ended:
        return f"game {game.id!r}: it has ended; results that are known stand"
    return game


def _outcomes(game: Game, results: Mapping[str, str]) -> dict[str, Outcome] | str:
    """The outcome of everybody who is still in the game; or what is wrong with the results."""
    for nick, word in results.items():
        if word not in WORDS:
            return f"result {word!r}: allowed: {', '.join(WORDS)}"
        if nick and nick not in game.seat_of:
            return f"result: {nick!r} has no seat in game {game.id}; there are: {named(game.seats)}"
        if nick in game.departures and word != "lost":
            return f"result: {nick!r} has left game {game.id}, and has lost"
    said = {nick: results.get(nick, results.get("", "")) for nick in game.present}
    missing = [nick for nick, word in said.items() if not word]
    if missing:
        return f"result: there is no result for {named(missing)}; a word without a nick holds for all others"
    outcomes = {nick: WORDS[word] for nick, word in said.items()}
    drawn = Outcome.DRAWN in outcomes.values()
    if drawn and (set(outcomes.values()) != {Outcome.DRAWN} or len(outcomes) < 2):
        return "result: a game is drawn for all who are still in it, at least two, or for nobody"
    if not drawn and Outcome.WON not in outcomes.values():
        return "result: nobody has won"
    return outcomes
