"""Until when a championship waits for entrants whose lines are lost."""

from ugs.broker.state.championship import Championship
from ugs.broker.state.server_state import ServerState


def away_entrants(server: ServerState, championship: Championship) -> dict[str, float]:
    """Return the entrants whose lines are lost, each with the seconds until it has left for good. The time that the
    plan gives begins when a session is over."""
    until = dict(championship.away)
    if championship.begun and not championship.ledger.over:
        for player, moment in server.absent.until.items():
            if player.type.championship is championship and championship.plays(player.name):
                until.setdefault(player.name, moment + championship.plan.return_s)
    return {nick: max(0.0, moment - server.now) for nick, moment in until.items()}
