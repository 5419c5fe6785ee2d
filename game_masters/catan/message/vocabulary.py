"""The numbers of the wire: resources, pieces, hexes, cards, elements, states of a game and reasons.

The values are those of JSettlers 2.5, whose message sequences this game speaks.
"""

from enum import IntEnum, StrEnum
from typing import Final


class Resource(IntEnum):
    """What hexes yield and pieces cost."""

    CLAY = 1
    ORE = 2
    SHEEP = 3
    WHEAT = 4
    WOOD = 5
    UNKNOWN = 6


class Piece(IntEnum):
    """What stands on the board."""

    ROAD = 0
    SETTLEMENT = 1
    CITY = 2
    SHIP = 3
    VILLAGE = 5


ASK_SPECIAL_BUILDING: Final = -1
"""In the place of a piece: a request for special building."""


class Hex(IntEnum):
    """What a hex is; 1 to 5 are the resources."""

    WATER = 0
    CLAY = 1
    ORE = 2
    SHEEP = 3
    WHEAT = 4
    WOOD = 5
    DESERT = 6
    GOLD = 7
    FOG = 8


class Card(IntEnum):
    """Development cards. From CAPITOL to CHAPEL each is worth a point."""

    UNKNOWN = 0
    ROADS = 1
    DISCOVERY = 2
    MONOPOLY = 3
    CAPITOL = 4
    MARKET = 5
    UNIVERSITY = 6
    TEMPLE = 7
    CHAPEL = 8
    SOLDIER = 9


POINT_CARDS: Final = frozenset({Card.CAPITOL, Card.MARKET, Card.UNIVERSITY, Card.TEMPLE, Card.CHAPEL})
CARD_NAMES: Final = {
    Card.UNKNOWN: "unknown card",
    Card.ROADS: "Road Building",
    Card.DISCOVERY: "Year of Plenty",
    Card.MONOPOLY: "Monopoly",
    Card.CAPITOL: "Capitol",
    Card.MARKET: "Market",
    Card.UNIVERSITY: "University",
    Card.TEMPLE: "Temple",
    Card.CHAPEL: "Chapel",
    Card.SOLDIER: "Soldier",
}
PIECE_NAMES: Final = {Piece.ROAD: "road", Piece.SETTLEMENT: "settlement", Piece.CITY: "city", Piece.SHIP: "ship"}
RESOURCE_NAMES: Final = ("clay", "ore", "sheep", "wheat", "wood")


class Element(IntEnum):
    """What a player has, in SOCPlayerElement and SOCPlayerElements; 1 to 5 are the resources."""

    UNKNOWN_RESOURCE = 6
    ROADS = 10
    SETTLEMENTS = 11
    CITIES = 12
    SHIPS = 13
    SOLDIERS = 15
    ASKS_SPECIAL_BUILDING = 16
    RESOURCE_TOTAL = 17
    HAS_PLAYED_CARD = 19
    GOLD_PICKS = 101
    SPECIAL_POINTS = 102
    EVENTS = 103
    SPECIAL_AREAS = 104
    STARTING_AREAS = 105
    CLOTH = 106


class GameElement(IntEnum):
    """What a game has, in SOCGameElements."""

    ROUND = 1
    CARDS_LEFT = 2
    FIRST_PLAYER = 3
    CURRENT_PLAYER = 4
    LARGEST_ARMY = 5
    LONGEST_ROUTE = 6


class Change(StrEnum):
    """What happens to an element."""

    SET = "SET"
    GAIN = "GAIN"
    LOSE = "LOSE"


class CardChange(StrEnum):
    """What happens to a development card."""

    DRAW = "DRAW"
    PLAY = "PLAY"
    ADD_NEW = "ADD_NEW"
    ADD_OLD = "ADD_OLD"
    CANNOT_PLAY = "CANNOT_PLAY"


class Phase(IntEnum):
    """The state of a game, in SOCGameState and SOCTurn."""

    START1A = 5
    START1B = 6
    START2A = 10
    START2B = 11
    START3A = 12
    START3B = 13
    START_GOLD = 14
    ROLL_OR_CARD = 15
    PLAY = 20
    PLACING_ROAD = 30
    PLACING_SETTLEMENT = 31
    PLACING_CITY = 32
    PLACING_ROBBER = 33
    PLACING_PIRATE = 34
    PLACING_SHIP = 35
    FREE_ROAD1 = 40
    FREE_ROAD2 = 41
    DISCARDS = 50
    CHOOSE_VICTIM = 51
    DISCOVERY = 52
    MONOPOLY = 53
    ROBBER_OR_PIRATE = 54
    CLOTH_OR_RESOURCE = 55
    GOLD = 56
    SPECIAL_BUILDING = 100
    OVER = 1000


PLACING: Final = {
    Phase.PLACING_ROAD: Piece.ROAD,
    Phase.PLACING_SETTLEMENT: Piece.SETTLEMENT,
    Phase.PLACING_CITY: Piece.CITY,
    Phase.PLACING_SHIP: Piece.SHIP,
}
"""The piece that has been paid and is to be placed."""
PLACES: Final = {piece: phase for phase, piece in PLACING.items()}
START_SETTLEMENT: Final = frozenset({Phase.START1A, Phase.START2A, Phase.START3A})
START_ROAD: Final = {
    Phase.START1B: Phase.START1A,
    Phase.START2B: Phase.START2A,
    Phase.START3B: Phase.START3A,
}
"""The states where the road of a start is due, each with the state of its settlement."""
AFTER_START_SETTLEMENT: Final = {settlement: road for road, settlement in START_ROAD.items()}
FREE_ROADS: Final = frozenset({Phase.FREE_ROAD1, Phase.FREE_ROAD2})


class Reason(IntEnum):
    """Why SOCDeclinePlayerRequest declines."""

    OTHER = 0
    NOT_IN_THIS_GAME = 1
    NOT_YOUR_TURN = 2
    NOT_NOW = 3
    LOCATION = 4
    SPECIFICS = 5


class NoTrade(IntEnum):
    """Why SOCRejectOffer refuses what its receiver asked for."""

    CANNOT_TRADE = 1
    NOT_YOUR_TURN = 2
    CANNOT_OFFER = 3


MOVE_ROBBER: Final = -2
MOVE_PIRATE: Final = -3
"""Choices of SOCChoosePlayer in the state ROBBER_OR_PIRATE."""
BOUGHT_CARD: Final = 1
MONOPOLIZED: Final = 3
"""Actions of SOCSimpleAction."""
PICK_RESOURCES: Final = 1
"""The request of SOCSimpleRequest."""
PICKED_BY_SERVER: Final = 1
PICKED_BY_CARD: Final = 2
PICKED_FROM_GOLD: Final = 3
"""Reasons of SOCPickResources."""
TRADE_ESTABLISHED: Final = 4
"""The event bit of a player that trades with a village."""


def cloth_of(seat: int) -> int:
    """Return the choice of SOCChoosePlayer that takes cloth from ``seat``."""
    return -(seat + 1)
