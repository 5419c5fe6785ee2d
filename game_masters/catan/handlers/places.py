"""Where pieces may stand, and where robber and pirate may go."""

from collections.abc import Collection

from game_masters.catan.game.play import Play, Seat
from game_masters.catan.message.vocabulary import Hex, Phase, Piece


def road_places(play: Play, seat: int) -> list[int]:
    """Return the edges on which a seat may build a road."""
    one = play.seats[seat]
    return _edges(play, seat, one.roads, play.board.road_edges)


def ship_places(play: Play, seat: int, without: int | None = None) -> list[int]:
    """Return the edges on which a seat may place a ship; ``without`` a ship that moves."""
    one = play.seats[seat]
    ships = one.ships if without is None else one.ships - {without}
    found = _edges(play, seat, ships, play.board.ship_edges)
    pirate = play.board.pirate
    if pirate is None:
        return found
    guarded = play.edges_beside(pirate)
    return [edge for edge in found if edge not in guarded]


def _edges(play: Play, seat: int, network: Collection[int], allowed: Collection[int]) -> list[int]:
    net, taken, buildings = play.board.net, play.pieces_at, play.buildings
    one = play.seats[seat]
    nodes = one.settlements | one.cities
    for edge in network:
        for node in net.edge_nodes[edge]:
            if node not in buildings:
                nodes.add(node)
    found = {edge for node in nodes for edge in net.node_edges[node] if edge not in taken and edge in allowed}
    return sorted(found)


def settlement_places(play: Play, seat: int) -> list[int]:
    """Return the nodes on which a seat may build a settlement in its turn."""
    net = play.board.net
    one = play.seats[seat]
    nodes = {node for edge in (*one.roads, *one.ships) for node in net.edge_nodes[edge]}
    return sorted(node for node in nodes if node in play.board.sites and _has_room(play, node))


def city_places(play: Play, seat: int) -> list[int]:
    """Return the settlements of a seat."""
    return sorted(play.seats[seat].settlements)


def start_places(play: Play, seat: int) -> list[int]:
    """Return the nodes on which a seat may place a settlement at the start."""
    board = play.board
    known = play.seats[seat].start_areas
    areas = {board.start} if board.start else known if len(known) > 1 else frozenset(board.areas.values())
    return sorted(node for node in board.sites if board.areas[node] in areas and _has_room(play, node))


def start_edges(play: Play, seat: int, piece: int) -> list[int]:
    """Return the edges on which a seat may place the road or ship of a settlement at the start."""
    board, node = play.board, play.seats[seat].last_settlement
    allowed = board.road_edges if piece == Piece.ROAD else board.ship_edges
    guarded = play.edges_beside(board.pirate) if piece == Piece.SHIP and board.pirate is not None else ()
    return sorted(
        edge
        for edge in board.net.node_edges[node]
        if edge in allowed and edge not in play.pieces_at and edge not in guarded
    )


def _has_room(play: Play, node: int) -> bool:
    return node not in play.buildings and not any(other in play.buildings for other in play.board.net.node_nodes[node])


def piece_places(play: Play, seat: int, piece: int) -> list[int]:
    """Return where a seat may place a piece now; none if it has none left."""
    if play.seats[seat].supply[piece] <= 0:
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
        for edge in one.ships
        if edge not in one.closed
        and edge not in play.doings.ships
        and edge not in guarded
        and any(_is_open(play, one, edge, node) for node in net.edge_nodes[edge])
    )


def _is_open(play: Play, seat: Seat, edge: int, node: int) -> bool:
    if node in seat.settlements or node in seat.cities:
        return False
    return not any(other != edge and other in seat.ships for other in play.board.net.node_edges[node])


def ship_targets(play: Play, seat: int, edge: int) -> list[int]:
    """Return the edges to which a ship of a seat may move."""
    return [target for target in ship_places(play, seat, without=edge) if target != edge]


def robber_places(play: Play) -> list[int]:
    """Return the hexes to which the robber may move."""
    board = play.board
    barred = {Hex.WATER, Hex.FOG} | ({Hex.DESERT} if "RD" in play.variant.on else set())
    return sorted(
        hex
        for hex, type in board.types.items()
        if type not in barred and hex != board.robber and board.hex_areas.get(hex, 1) not in board.no_robber
    )


def pirate_places(play: Play) -> list[int]:
    """Return the hexes to which the pirate may move."""
    board = play.board
    return sorted(hex for hex, type in board.types.items() if type == Hex.WATER and hex != board.pirate)


def victims_of_robber(play: Play, hex: int) -> list[int]:
    """Return whom the current player can rob at a hex."""
    owners = {play.buildings[node] for node in play.board.net.hex_nodes[hex] if node in play.buildings}
    return sorted(seat for seat in owners if seat != play.current and play.seats[seat].total)


def victims_of_pirate(play: Play, hex: int) -> list[int]:
    """Return whom the current player can rob at sea."""
    owners = {play.pieces_at[edge] for edge in play.edges_beside(hex) if edge in play.pieces_at}
    afloat = (seat for seat in owners if any(edge in play.seats[seat].ships for edge in play.edges_beside(hex)))
    return sorted(
        seat for seat in afloat if seat != play.current and (play.seats[seat].total or play.seats[seat].cloth)
    )
