"""After the end of a game: standings, and games that may begin now."""

from ugs.broker.championships import champions_list, fixtures
from ugs.broker.entrance import departed_rows
from ugs.broker.facts import GameOver, MasterReady
from ugs.broker.state.server_state import ServerState


def count(server: ServerState, fact: GameOver) -> None:
    """Count the result of an ended game; its master may have room for another one."""
    result, game_type = fact.result, fact.game.type
    championship = fact.game.setting.championship
    if championship is not None:
        fixtures.count(championship, result)
    # One player beside the computer has no opponent to be ranked against.
    elif len(result.seats) > 1:
        game_type.open_standings.count(result)
    champions_list.changed(server, game_type)
    server.report(MasterReady(game_type))
    server.release(game_type)
    departed_rows.count(server, game_type)


def look_at_all_types(server: ServerState) -> None:
    """Begin all games that can begin, of any type."""
    for game_type in list(server.types.values()):
        server.report(MasterReady(game_type))
