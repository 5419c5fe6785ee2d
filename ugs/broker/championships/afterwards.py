"""What follows a championship: open play, or a pause of its game type (``pause_after``)."""

from ugs.broker.effects import RecordAct
from ugs.broker.state.championship import Championship
from ugs.broker.state.model import GameType
from ugs.broker.state.server_state import ServerState
from ugs.broker.values.questions import ActKind


def pause(server: ServerState, game_type: GameType, championship: Championship) -> None:
    """A championship is over: pause its game type, if its plan wants that and no other championship comes next. It is a
    pause of the organiser's, recorded and ended like any other."""
    if not championship.plan.pause_after or not championship.begun or game_type.championship is not None:
        return
    if game_type.name not in server.condition.paused:
        _record(server, ActKind.PAUSE, championship)
        server.condition.paused[game_type.name] = _why(championship)
        server.note("paused after its championship", game_type=game_type.name, championship=championship.name)


def resume(server: ServerState, game_type: str) -> None:
    """Another championship of this type is announced: end the pause that followed an earlier one; any other stays."""
    reason = server.condition.paused.get(game_type)
    for earlier in server.championships.values():
        if earlier.plan.game_type == game_type and earlier.plan.pause_after and reason == _why(earlier):
            del server.condition.paused[game_type]
            _record(server, ActKind.RESUME, earlier)
            return


def _why(championship: Championship) -> str:
    return f"championship {championship.name} is over"


def _record(server: ServerState, kind: ActKind, championship: Championship) -> None:
    plan = championship.plan
    server.emit(RecordAct(str(kind), "", plan.game_type, "", _why(championship)))
