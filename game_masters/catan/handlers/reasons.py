"""Why a piece may not stand somewhere, and where it may: for the text of a refusal. It names only what the player can
see."""

from collections.abc import Sequence
from typing import Final

from game_masters.catan.game.play import Play
from game_masters.catan.message.vocabulary import PIECE_NAMES, Hex, Piece

MAX_PLACES: Final = 12
"""Places that a text names; of a board there may be eighty."""


def listed(places: Sequence[int]) -> str:
    """Return places in words: in hexadecimal, as they are written in moves, and how many more there are."""
    if not places:
        return "none"
    named = ", ".join(f"{place:x}" for place in places[:MAX_PLACES])
    more = len(places) - MAX_PLACES
    return f"{named} and {more} more" if more > 0 else named


def why_not(play: Play, seat: int, piece: Piece, place: int, legal: Sequence[int]) -> str:
    """Return why a piece may not be placed there, and where it may: ``legal``."""
    on_node = piece in (Piece.SETTLEMENT, Piece.CITY)
    net = play.board.net
    if place not in (net.node_edges if on_node else net.edge_nodes):
        why = f"there is no such {'node' if on_node else 'edge'} on the board"
    elif on_node:
        why = _why_not_on_node(play, seat, piece, place)
    else:
        why = _why_not_on_edge(play, seat, piece, place)
    return f"no {PIECE_NAMES[piece]} can be placed on {place:x}: {why}; it may stand on {listed(legal)}"


def why_not_ship(play: Play, seat: int, target: int, legal: Sequence[int]) -> str:
    """Return why a ship of a seat may not move there, and where it may: ``legal``."""
    known = target in play.board.net.edge_nodes
    why = _why_not_on_edge(play, seat, Piece.SHIP, target) if known else "there is no such edge on the board"
    return f"the ship cannot move to {target:x}: {why}; it may go to {listed(legal)}"


def why_not_robber(play: Play, place: int, legal: Sequence[int]) -> str:
    """Return why robber or pirate, whose hexes are negative numbers, may not be moved there, and where they may:
    ``legal``, empty if neither is to be moved."""
    who, hex = ("pirate", -place) if place < 0 else ("robber", place)
    if not legal:
        return f"the {who} is not to be moved in the state {play.phase.name} ({int(play.phase)})"
    if (place < 0) is not (legal[0] < 0):
        why = f"the {'robber' if place < 0 else 'pirate'} is to be moved; hexes of the pirate are negative numbers"
    else:
        why = _why_not_on_hex(play, hex, pirate=place < 0)
    return f"the {who} cannot be moved to {hex:x}: {why}; allowed: {listed(legal)}"


def _why_not_on_hex(play: Play, hex: int, *, pirate: bool) -> str:
    board = play.board
    type = board.types.get(hex)
    if type is None:
        return "there is no such hex on the board"
    if hex == (board.pirate if pirate else board.robber):
        return "it stands there already"
    if type == Hex.FOG:
        return "fog lies on it"
    if pirate:
        return "that is land"
    if type == Hex.WATER:
        return "that is sea"
    if type == Hex.DESERT and "RD" in play.variant.on:
        return "with the option RD it stays out of the desert"
    return "it stays out of this land"


def _why_not_on_node(play: Play, seat: int, piece: Piece, node: int) -> str:
    owner = play.owners.nodes.get(node)
    if piece is Piece.CITY:
        return "it is a city already" if node in play.seats[seat].pieces.cities else "you have no settlement there"
    if owner is not None:
        return f"{_whose(play, seat, owner)} building stands there"
    beside = next((other for other in play.board.net.node_nodes[node] if other in play.owners.nodes), None)
    if beside is not None:
        return f"{_whose(play, seat, play.owners.nodes[beside])} building on {beside:x} is too near"
    if node not in play.board.ground.sites:
        return "no player may settle there"
    return "it is not where the game starts" if play.starting else "none of your roads or ships leads there"


def _why_not_on_edge(play: Play, seat: int, piece: Piece, edge: int) -> str:
    board = play.board
    owner = play.owners.edges.get(edge)
    if owner is not None:
        return f"{_whose(play, seat, owner)} piece lies there"
    if edge not in (board.ground.road_edges if piece is Piece.ROAD else board.ground.ship_edges):
        return "there is no land beside it" if piece is Piece.ROAD else "there is no known sea beside it"
    if piece is Piece.SHIP and board.pirate is not None and edge in play.edges_beside(board.pirate):
        return "the pirate is beside it"
    if play.starting:
        return "it does not touch the settlement that you have just placed"
    return "it does not touch what you have built, or only behind a building of others"


def _whose(play: Play, seat: int, owner: int) -> str:
    return "your own" if owner == seat else f"{play.name(owner)}'s"
