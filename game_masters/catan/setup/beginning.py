"""Sets a game up and sends it: options, seats, board, deck, and who begins."""

import random
from collections.abc import Iterator

from game_masters.catan.board.board import Board
from game_masters.catan.board.geometry import Net
from game_masters.catan.game.chance import Chance, Script
from game_masters.catan.game.options import Variant, variant
from game_masters.catan.game.pieces import SUPPLY, Pieces
from game_masters.catan.game.play import Play
from game_masters.catan.game.seat import Seat, Sitter
from game_masters.catan.handlers import starting
from game_masters.catan.message.board_messages import BoardLayout, BoardLayout2, Part, PotentialSettlements, Version
from game_masters.catan.message.messages import (
    GameElements,
    NewGame,
    NewGameWithOptions,
    PlayerElement,
    PlayerElements,
    SitDown,
    StartGame,
)
from game_masters.catan.message.vocabulary import Card, Change, Element, GameElement, Hex, Phase
from game_masters.catan.setup.fixture import Fixture, place, read
from game_masters.catan.setup.laying import lay_classic, lay_sea
from game_masters.catan.setup.plans import classic_plan, sea_plan
from game_masters.kit.rules import Entries, Options, Table

DECK = {False: (14, 2), True: (20, 3)}
"""Soldiers, and each of the three other cards that are played; True for six seats."""
VERSION = 2500
SEA_VERSION = 2000
"""The least version of clients for sea boards."""


def set_up(table: Table, rng: random.Random) -> Play:
    """Return a game that waits for its first move."""
    fixture: Fixture | None = table.fixture
    chosen = variant(table.options, len(table.names))
    chance = Chance.of(rng, fixture.script if fixture is not None else Script())
    seats = [new_seat(chosen, nick, _sitter(table, number)) for number, nick in enumerate(table.names)]
    # A board always has four or six seats; those without a player are passed over in play.
    seats += [new_seat(chosen, "", Sitter.VACANT) for _ in range(chosen.seats - len(seats))]
    play = lay_out(table.game_id, chosen, seats, chance)
    if fixture is not None and fixture.placed:
        place(play, fixture)
    else:
        starting.begin(play)
    return play


def lay_out(game: str, chosen: Variant, seats: list[Seat], chance: Chance) -> Play:
    """Return a game up to its start: board and deck lie there, and all messages about it are sent."""
    play = Play(game, chosen, _board(chosen, chance), seats, chance)
    if chance.script.robber is not None:
        play.board.robber = chance.script.robber
    # Chance is drawn in this order: board, deck, first player. Another order would change the games of all seeds.
    play.chance.deck = _deck(chosen, chance)
    first = chance.script.first
    # Drawn even where the fixture names it, so that what chance brings later is the same.
    drawn = chance.one_of(play.occupied)
    play.rounds.first = drawn if first is None else first
    play.special_building.next_normal = play.rounds.first
    _announce(play)
    return play


def new_seat(chosen: Variant, nick: str, sitter: Sitter) -> Seat:
    """Return a seat with all its pieces."""
    return Seat(nick, sitter, Pieces(_supply(chosen)))


def read_fixture(entries: Entries, players: int, options: Options) -> Fixture:
    """Return a fixture of a game for ``players`` players, after a trial. Raises BadFixture."""
    fixture = read(entries, players, options)
    set_up(Table("trial", ("",) * players, options, fixture=fixture), random.Random(0))
    return fixture


def _sitter(table: Table, number: int) -> Sitter:
    return Sitter.PROGRAM if number in table.programs else Sitter.HUMAN


def _supply(chosen: Variant) -> list[int]:
    roads, settlements, cities, ships = SUPPLY
    return [roads, settlements, cities, ships if chosen.sea else 0]


def _board(chosen: Variant, chance: Chance) -> Board:
    if not chosen.sea:
        boards = 6 if chosen.six else 4
        return lay_classic(classic_plan(boards), boards, chosen.clump, chance)
    fog, villages = "_SC_FOG" in chosen.on, "_SC_CLVI" in chosen.on
    plan = sea_plan(chosen.scenario, chosen.players)
    return lay_sea(plan, chosen.seats, chosen.clump, chance, fog=fog, villages=villages)


def _deck(chosen: Variant, chance: Chance) -> list[int]:
    """Return the cards, the first to be drawn first; what the script leaves open is shuffled."""
    # By the seats of the board, not by how many players sit there: three players on the board for six have 34 cards.
    soldiers, others = DECK[chosen.six]
    cards = [Card.SOLDIER] * soldiers + [Card.ROADS, Card.DISCOVERY, Card.MONOPOLY] * others
    cards += [Card.CAPITOL, Card.MARKET, Card.UNIVERSITY, Card.TEMPLE, Card.CHAPEL]
    first = list(chance.script.deck)
    rest = [int(card) for card in cards]
    for card in first:
        rest.remove(card)
    return first + chance.shuffled(rest)


# --- messages ---------------------------------------------------------------------------------------------------------


def _announce(play: Play) -> None:
    """Send everything up to the start of the game."""
    chosen, board = play.variant, play.board
    play.send(Version((VERSION, "str=2.5.00|verBuild=ugs|feats=;ch;|cliLocale=(null)")))
    play.send(NewGameWithOptions(SEA_VERSION if chosen.sea else -1, chosen.text) if chosen.text else NewGame())
    for number in play.occupied:
        one = play.seats[number]
        # Nicks may have this character, but the text form of the messages puts it between fields.
        play.send(SitDown(one.nick.replace("|", " "), number, one.sitter is Sitter.PROGRAM))
    if chosen.sea:
        play.send(BoardLayout2(tuple(_sea_parts(board))))
        play.send(_areas(board))
    elif chosen.six:
        play.send(BoardLayout2(tuple(_six_parts(board))))
    else:
        play.send(BoardLayout(tuple(_classic_parts(board))))
    names = (Element.ROADS, Element.SETTLEMENTS, Element.CITIES, Element.SHIPS)
    for number in play.occupied:
        supply = zip(map(int, names), play.seats[number].pieces.supply, strict=True)
        counts = tuple((name, count) for name, count in supply if count)
        play.send(PlayerElements(number, Change.SET, counts))
    # Seat -1 stands for all.
    play.send(PlayerElement(-1, Change.SET, int(Element.HAS_PLAYED_CARD), 0))
    play.send(GameElements(((int(GameElement.CARDS_LEFT), len(play.chance.deck)),)))
    play.announce("The game begins.")
    play.send(StartGame(int(Phase.START1A)))


_CODED_PORT = 6


def _classic_parts(board: Board) -> Iterator[Part]:
    net = board.net
    at_sea = {_water_of(net, port.edge, port.facing): port for port in board.ports}
    types, numbers = [], []
    for hex in board.layout:
        port = at_sea.get(hex)
        if hex in board.types:
            # The message writes 0 for a desert, which as a type has 6, the number that water has here.
            types.append(board.types[hex] % Hex.DESERT)
        elif port is not None:
            # A port stands on a water hex: 3 to 1 as 6 and the facing, 2 to 1 as 16 times the facing and the resource.
            types.append(port.facing * 16 + port.type if port.type else _CODED_PORT + port.facing)
        else:
            types.append(6)
        number = board.numbers.get(hex, 0)
        # Numbers are coded without the 7: 0 to 4 for 2 to 6, 5 to 9 for 8 to 12.
        numbers.append(number - 2 if 2 <= number <= 6 else number - 3 if number else -1)
    yield "hexLayout", tuple(types)
    yield "numberLayout", tuple(numbers)
    yield "robberHex", board.robber or 0


def _water_of(net: Net, edge: int, facing: int) -> int:
    """Return the water hex where a port stands: the land hex beside its edge lies in the direction it faces."""
    (land,) = net.edge_hexes[edge]
    opposite = (facing + 2) % 6 + 1
    return net.neighbour(land, opposite)


def _six_parts(board: Board) -> Iterator[Part]:
    yield "bef", 2
    yield "HL", tuple(board.types[hex] % Hex.DESERT if hex in board.types else 6 for hex in board.layout)
    yield "RH", board.robber or 0
    yield "PL", tuple(port.type for port in board.ports)
    # Only this message has the numbers of the dice as they are, and ports as a list of their own.
    yield "NL", tuple(board.numbers.get(hex, -1) for hex in board.layout)


def _sea_parts(board: Board) -> Iterator[Part]:
    yield "bef", 3
    if board.robber is not None:
        yield "RH", board.robber
    if board.pirate is not None:
        yield "PH", board.pirate
    # What it does not name is water.
    land = [hex for hex in board.net.hexes if board.types[hex] != Hex.WATER]
    yield "LH", tuple(part for hex in land for part in (hex, int(board.types[hex]), board.numbers.get(hex, 0)))
    ports = board.ports
    yield "PL", tuple([one.type for one in ports] + [one.edge for one in ports] + [one.facing for one in ports])
    if board.cloth_trade.villages:
        villages = [part for one in board.cloth_trade.villages.values() for part in (one.node, one.number)]
        # All villages begin with the same cloth, which therefore stands there once.
        yield "CV", (board.cloth_trade.supply, next(iter(board.cloth_trade.villages.values())).cloth, *villages)
    if board.land_areas.barred:
        yield "RX", board.land_areas.barred


def _areas(board: Board) -> PotentialSettlements:
    most = max(board.land_areas.of_node.values())
    nodes = tuple(
        tuple(sorted(node for node, area in board.land_areas.of_node.items() if area == number))
        for number in range(1, most + 1)
    )
    return PotentialSettlements(areas=(board.land_areas.start, nodes))
