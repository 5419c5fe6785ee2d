"""What must hold whenever nothing is under way: the gateway and the broker agree about who is here and who sits where.

It reads the state of both, and states once more in other words what the gateway promises.
"""

from collections.abc import Collection

from game_masters.apologies.gateway.gateway import ApologiesGateway
from game_masters.apologies.gateway.registry import Client, Match, Player, Registry
from ugs.broker.broker import Broker
from ugs.broker.state.connection import Connection
from ugs.broker.state.model import Game
from ugs.broker.state.model import Player as Seated
from ugs.broker.state.phases import Phase


def check_agreement(gateway: ApologiesGateway, broker: Broker, conns: Collection[int]) -> None:
    """Raise AssertionError if gateway and broker disagree; ``conns`` are the connections of the gateway's players."""
    registry = gateway._registry
    if gateway._stopping:
        return
    assert registry.by_conn == {player.conn: player for player in registry.players.values()}
    assert set(conns) == {*registry.by_conn, *registry.entering}, "the gateway has players of whom it does not know"
    for id, player in registry.players.items():
        assert id == player.id
        _check_player(registry, player, broker.server.connections[player.conn])
    for client in registry.clients.values():
        _check_client(registry, client)
    for match in registry.matches.values():
        assert match.players, "a match of nobody"
        assert all(player.match is match for player in match.players)
        assert not match.coming, "a state that was never shown"
        game = next((game for game in broker.games if game.id == match.id), None)
        assert match.playing is (game is not None)
        if game is not None:
            _check_match(match, game)


def _check_player(registry: Registry, player: Player, connection: Connection) -> None:
    link = connection.peer
    assert isinstance(link, Seated)
    assert connection.by_gateway
    assert link.name == player.handle
    assert link.away is (player.client is None)
    assert player.client is None or registry.clients[player.client.number] is player.client
    if player.match is None:
        assert link.table is None, f"{player.handle} sits at a table and does not know it"
        assert link.game is None, f"{player.handle} sits in a game and does not know it"
        assert player.view is None
        assert player.offers is None
        assert not player.history
        return
    assert player.client is not None, f"{player.handle} is not here and sits somewhere"
    assert registry.matches[player.match.id] is player.match
    assert player in player.match.players
    where = link.game if player.match.playing else link.table
    assert where is not None
    assert where.id == player.match.id


def _check_client(registry: Registry, client: Client) -> None:
    assert len({player.id for player in client.players}) == len(client.players)
    assert all(player.client is client and registry.players[player.id] is player for player in client.players)
    if client.held and client.entering is None:
        first = registry.players.get(getattr(client.held[0], "player_id", ""))
        assert first is not None, "a request is held for nobody"
        assert first.match is not None, "a request is held for nothing"
        assert first.match.busy, "a request is held for nothing"


def _check_match(match: Match, game: Game) -> None:
    if match.busy:
        assert game.phase is not Phase.TURN, "the gateway waits, and the game master owes nothing"
    else:  # a move of a peer of UGS, or its leaving, does not concern the gateway
        assert game.phase is not Phase.BEGUN, "the game master owes the beginning"
        assert game.phase is not Phase.ANSWER or match.mover not in [player.handle for player in match.players]
    for player in match.players:
        to_move = any(link.conn == player.conn for link in game.turn.movers)
        assert (player.offers is not None) is to_move, f"{player.handle} does not know whose turn it is"
