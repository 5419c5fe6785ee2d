"""What follows a championship: open play, or a pause of its game type (``pause_after``)."""

from ugs.broker.effects import RecordAct
from ugs.broker.state.championship import Championship
from ugs.broker.state.model import GameType
from ugs.broker.state.server_state import ServerState
from ugs.broker.values.questions import ActKind
from ugs.championship.plan import Plan


def pause(server: ServerState, game_type: GameType, championship: Championship) -> None:
    """A championship is over: pause its game type, if its plan wants that and no other championship comes next. It is a
    pause of the organiser's, recorded and ended like any other."""
    if not championship.plan.pause_after or not championship.begun or game_type.championship is not None:
        return
    if game_type.name not in server.condition.paused:
        why = server.condition.paused[game_type.name] = _why(championship)
        server.emit(RecordAct(str(ActKind.PAUSE), "", game_type.name, "", why))
        server.note("paused after its championship", game_type=game_type.name, championship=championship.name)


def resume(server: ServerState, announced: Plan) -> None:
    """This championship is announced: end the pause that followed an earlier one of its game type; any other stays."""
    game_type = announced.game_type
    reason = server.condition.paused.get(game_type)
    for earlier in server.championships.values():
        if earlier.plan.game_type == game_type and earlier.plan.pause_after and reason == _why(earlier):
            del server.condition.paused[game_type]
            why = f"championship {announced.name} is announced"
            server.emit(RecordAct(str(ActKind.RESUME), "", game_type, "", why))
            return


def _why(championship: Championship) -> str:
    return f"championship {championship.name} is over"
