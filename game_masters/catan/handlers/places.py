"""Where pieces may stand, and where robber and pirate may go."""

from collections.abc import Collection

from game_masters.catan.game.play import Play
from game_masters.catan.game.seat import Seat
from game_masters.catan.message.vocabulary import Hex, Phase, Piece


def road_places(play: Play, seat: int) -> list[int]:
    """Return the edges where a seat may build a road."""
    one = play.seats[seat]
    return _edges(play, seat, one.pieces.roads, play.board.ground.road_edges)


def ship_places(play: Play, seat: int, without: int | None = None) -> list[int]:
    """Return the edges where a seat may place a ship; ``without`` a ship that moves."""
    one = play.seats[seat]
    ships = one.pieces.ships if without is None else one.pieces.ships - {without}
    found = _edges(play, seat, ships, play.board.ground.ship_edges)
    pirate = play.board.pirate
    if pirate is None:
        return found
    # No new ship beside the pirate, and none moves there.
    guarded = play.edges_beside(pirate)
    return [edge for edge in found if edge not in guarded]


def _edges(play: Play, seat: int, network: Collection[int], allowed: Collection[int]) -> list[int]:
    net, taken, buildings = play.board.net, play.owners.edges, play.owners.nodes
    one = play.seats[seat]
    nodes = one.pieces.settlements | one.pieces.cities
    for edge in network:
        for node in net.edge_nodes[edge]:
            # Through a node with another player's building a network does not go on.
            if node not in buildings:
                nodes.add(node)
    # Roads and ships are separate networks: one goes on from the other only at an own building.
    found = {edge for node in nodes for edge in net.node_edges[node] if edge not in taken and edge in allowed}
    return sorted(found)


def settlement_places(play: Play, seat: int) -> list[int]:
    """Return the nodes where a seat may build a settlement in its turn."""
    net = play.board.net
    one = play.seats[seat]
    nodes = {node for edge in (*one.pieces.roads, *one.pieces.ships) for node in net.edge_nodes[edge]}
    return sorted(node for node in nodes if node in play.board.ground.sites and _has_room(play, node))


def city_places(play: Play, seat: int) -> list[int]:
    """Return the settlements of a seat."""
    return sorted(play.seats[seat].pieces.settlements)


def start_places(play: Play, seat: int) -> list[int]:
    """Return the nodes where a seat may place a settlement at the start."""
    board = play.board
    areas = board.land_areas.to_start_in(play.seats[seat].scenario.start_areas)
    known = board.land_areas.of_node
    # At the start no road is needed.
    return sorted(node for node in board.ground.sites if known[node] in areas and _has_room(play, node))


def start_edges(play: Play, seat: int, piece: int) -> list[int]:
    """Return the edges where a seat may place the road or ship of a settlement at the start."""
    # The piece must leave the settlement just placed; JSettlers would also take one at the first.
    board, node = play.board, play.seats[seat].pieces.last_settlement
    allowed = board.ground.road_edges if piece == Piece.ROAD else board.ground.ship_edges
    guarded = play.edges_beside(board.pirate) if piece == Piece.SHIP and board.pirate is not None else ()
    return sorted(
        edge
        for edge in board.net.node_edges[node]
        if edge in allowed and edge not in play.owners.edges and edge not in guarded
    )


def _has_room(play: Play, node: int) -> bool:
    return play.owners.has_room(node, play.board.net.node_nodes[node])


def piece_places(play: Play, seat: int, piece: int) -> list[int]:
    """Return where a seat may place a piece now; none if it has none left."""
    if play.seats[seat].pieces.supply[piece] <= 0:
        return []
    if play.phase in (Phase.START1A, Phase.START2A, Phase.START3A):
        return start_places(play, seat) if piece == Piece.SETTLEMENT else []
    if play.starting:
        return start_edges(play, seat, piece) if piece in (Piece.ROAD, Piece.SHIP) else []
    return (road_places, settlement_places, city_places, ship_places)[piece](play, seat)


def movable_ships(play: Play, seat: int) -> list[int]:
    """Return the ships of a seat that may move: open at one end, not closed in, not beside the pirate, not new."""
    one, net = play.seats[seat], play.board.net
    guarded = play.edges_beside(play.board.pirate) if play.board.pirate is not None else ()
    return sorted(
        edge
        for edge in one.pieces.ships
        if edge not in one.pieces.closed
        and edge not in play.doings.ships
        and edge not in guarded
        and any(_is_open(play, one, edge, node) for node in net.edge_nodes[edge])
    )


def _is_open(play: Play, seat: Seat, edge: int, node: int) -> bool:
    # An own building at the end holds the ship there.
    if node in seat.pieces.settlements or node in seat.pieces.cities:
        return False
    return not any(other != edge and other in seat.pieces.ships for other in play.board.net.node_edges[node])


def ship_targets(play: Play, seat: int, edge: int) -> list[int]:
    """Return the edges that a ship of a seat may move to."""
    return [target for target in ship_places(play, seat, without=edge) if target != edge]


def robber_places(play: Play) -> list[int]:
    """Return the hexes that the robber may move to."""
    board = play.board
    # Fog is no land yet, and the desert is barred by option RD only.
    barred = {Hex.WATER, Hex.FOG} | ({Hex.DESERT} if "RD" in play.variant.on else set())
    return sorted(
        hex
        for hex, type in board.types.items()
        if type not in barred and hex != board.robber and board.land_areas.admits_robber(hex)
    )


def pirate_places(play: Play) -> list[int]:
    """Return the hexes that the pirate may move to."""
    board = play.board
    return sorted(hex for hex, type in board.types.items() if type == Hex.WATER and hex != board.pirate)


def victims_of_robber(play: Play, hex: int) -> list[int]:
    """Return whom the current player can rob at a hex."""
    owners = {play.owners.nodes[node] for node in play.board.net.hex_nodes[hex] if node in play.owners.nodes}
    # A player without resources cannot be robbed, and is no choice.
    return sorted(seat for seat in owners if seat != play.current and play.seats[seat].total)


def victims_of_pirate(play: Play, hex: int) -> list[int]:
    """Return whom the current player can rob at sea."""
    owners = {play.owners.edges[edge] for edge in play.edges_beside(hex) if edge in play.owners.edges}
    # Roads at the coast are no ships.
    afloat = (seat for seat in owners if any(edge in play.seats[seat].pieces.ships for edge in play.edges_beside(hex)))
    return sorted(
        seat for seat in afloat if seat != play.current and (play.seats[seat].total or play.seats[seat].scenario.cloth)
    )
