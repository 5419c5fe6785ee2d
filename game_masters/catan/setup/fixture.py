"""Fixtures of games of Catan: chance by lists, and with ``turn`` a position in place of the start.

    players = 3
    seed = "puzzle 7"
    first = 0
    dice = [8, 7]                       # sums, used one after another; then chance
    deck = ["SOLDIER", "ROADS"]         # the first cards
    thefts = ["ore"]
    hexes = ["33 wood 5", "35 desert"]  # all land hexes of the board, or none
    robber = "35"                       # without turn: one of the deserts among these hexes; with it: any hex
    ports = [0, 1, 2, 3, 4, 5, 0, 0, 0]
    turn = 0                            # whose turn it is; without it the game starts with settlements
    round = 7                           # which round it is
    idle = 3                            # rounds in a row without progress before this one
    state = 20                          # 15 (the default) before the roll, 20 after it, 100 special building
    village_cloth = [5, 5, 1, 0]        # what the first villages have; the others have 5
    cloth_supply = 10                   # what is in the general supply
    longest = 1                         # who holds it where several are equal
    army = 1

    [[seats]]                           # from seat 0 on
    settlements = ["43"]
    cities = ["65"]
    roads = ["43", "54"]
    hand = [1, 0, 2, 0, 0]              # clay, ore, sheep, wheat, wood
    cards = ["SOLDIER"]                 # may be played
    fresh = ["MONOPOLY"]                # drawn in this turn
    soldiers = 2

Seats may also have ``ships``, ``cloth``, ``trades`` (villages), ``areas`` (land areas where they have started) and
``asks`` (for special building).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from game_masters.catan.board.board import Board
from game_masters.catan.game.chance import Script
from game_masters.catan.game.options import variant
from game_masters.catan.game.play import Awards, Play
from game_masters.catan.game.seat import ScenarioState
from game_masters.catan.handlers.discoveries import close_routes
from game_masters.catan.handlers.ending import MIN_ARMY, progress, update_route
from game_masters.catan.message.messages import (
    DevCardAction,
    GameElements,
    PlayerElement,
    PlayerElements,
    PutPiece,
    ResourceCount,
    RollDicePrompt,
    Turn,
)
from game_masters.catan.message.vocabulary import (
    POINT_CARDS,
    RESOURCE_NAMES,
    TRADE_ESTABLISHED,
    Card,
    CardChange,
    Change,
    Element,
    GameElement,
    Hex,
    Phase,
    Piece,
)
from game_masters.catan.setup.laying import CLOTH_PER_VILLAGE, GENERAL_SUPPLY
from game_masters.catan.setup.plans import classic_plan, sea_plan
from game_masters.kit.rules import BadFixture, Entries, Options

_STATES: Final = (Phase.ROLL_OR_CARD, Phase.PLAY, Phase.SPECIAL_BUILDING)
_CARDS: Final = {card.name: int(card) for card in Card if card is not Card.UNKNOWN}
_TYPES: Final = {type.name.lower(): int(type) for type in Hex if type is not Hex.FOG}
_HAND: Final = range(200)


@dataclass(frozen=True)
class Placed:
    """What a seat has from the beginning."""

    roads: tuple[int, ...] = ()
    settlements: tuple[int, ...] = ()
    cities: tuple[int, ...] = ()
    ships: tuple[int, ...] = ()
    hand: tuple[int, ...] = (0, 0, 0, 0, 0)
    cards: tuple[int, ...] = ()
    fresh: tuple[int, ...] = ()
    soldiers: int = 0
    cloth: int = 0
    trades: tuple[int, ...] = ()
    areas: tuple[int, ...] = (1,)
    asks: bool = False


@dataclass(frozen=True)
class Fixture:
    """The content of a fixture."""

    script: Script = field(default_factory=Script)
    turn: int | None = None
    state: int = int(Phase.ROLL_OR_CARD)
    round: int = 2
    idle: int = 0
    robber: int | None = None
    pirate: int | None = None
    longest: int = -1
    army: int = -1
    seats: tuple[Placed, ...] = ()
    village_cloth: tuple[int, ...] = ()
    cloth_supply: int | None = None

    @property
    def placed(self) -> bool:
        """Whether it has a position."""
        return self.turn is not None


def read(entries: Entries, players: int, options: Options) -> Fixture:
    """Return a fixture of a game for ``players`` players. Raises BadFixture."""
    chosen = variant(options, players)
    seats = range(chosen.seats)
    script = _script(entries, players, options)
    if not entries.asks("turn"):
        return Fixture(script)
    turn = entries.integer("turn", range(players))
    state = entries.integer("state", range(101)) if entries.asks("state") else int(Phase.ROLL_OR_CARD)
    if state not in _STATES:
        entries.refuse("state", f"is none of {', '.join(str(int(one)) for one in _STATES)}")
    if state == Phase.SPECIAL_BUILDING and not chosen.six:
        entries.refuse("state", "is special building, which there is on the board for six only")
    fixture = Fixture(
        script,
        turn,
        state,
        entries.integer("round", range(1, chosen.rounds + 1)) if entries.asks("round") else 2,
        entries.integer("idle", range(chosen.idle)) if entries.asks("idle") else 0,
        _coordinate(entries, "robber"),
        _coordinate(entries, "pirate"),
        entries.integer("longest", seats) if entries.asks("longest") else -1,
        entries.integer("army", seats) if entries.asks("army") else -1,
        tuple(map(_placed, entries.tables("seats"))) if entries.asks("seats") else (),
        entries.integers("village_cloth", range(CLOTH_PER_VILLAGE + 1)) if entries.asks("village_cloth") else (),
        entries.integer("cloth_supply", range(GENERAL_SUPPLY + 1)) if entries.asks("cloth_supply") else None,
    )
    if len(fixture.seats) > players:
        entries.refuse("seats", f"are more than {players}")
    _check(fixture, entries, options, players)
    return fixture


def _script(entries: Entries, players: int, options: Options) -> Script:
    chosen = variant(options, players)
    resources = {name: number for number, name in enumerate(RESOURCE_NAMES, start=1)}
    hexes = _hexes(entries) if entries.asks("hexes") else ()
    plan_hexes: set[int]
    if chosen.sea:
        plan = sea_plan(chosen.scenario, chosen.players)
        plan_hexes = {hex for group in plan.groups for hex in group.hexes}
        ports, villages = sum(len(one.places) for one in plan.ports), len(plan.villages)
    else:
        classic = classic_plan(6 if chosen.six else 4)
        plan_hexes, ports, villages = set(classic.paths[0]), len(classic.ports.places), 0
    if hexes and {hex for hex, _, _ in hexes} != plan_hexes:
        entries.refuse("hexes", f"are not the {len(plan_hexes)} land hexes of the board, each once")
    types = entries.integers("ports", range(6)) if entries.asks("ports") else ()
    if types and len(types) != ports:
        entries.refuse("ports", f"are not {ports}, as many as the board has")
    numbers = entries.integers("villages", range(2, 13)) if entries.asks("villages") else ()
    if len(numbers) > villages:
        entries.refuse("villages", f"are more than {villages}")
    deck = tuple(_CARDS[word] for word in entries.words("deck", _CARDS)) if entries.asks("deck") else ()
    _check_cards(deck, chosen.six, entries, "deck")
    return Script(
        hexes,
        types,
        entries.integer("first", range(players)) if entries.asks("first") else None,
        entries.integers("dice", range(2, 13)) if entries.asks("dice") else (),
        deck,
        tuple(resources[word] for word in entries.words("thefts", resources)) if entries.asks("thefts") else (),
        numbers,
        robber=_first_robber(entries, hexes) if entries.asks("robber") and not entries.asks("turn") else None,
    )


def _first_robber(entries: Entries, hexes: Sequence[tuple[int, int, int]]) -> int:
    """The desert where the robber begins, if the hexes are known."""
    chosen = _read_coordinate(entries, "robber", entries.text("robber"))
    if not any(hex == chosen and type == Hex.DESERT for hex, type, _ in hexes):
        entries.refuse("robber", "is no desert among the hexes; without turn it begins on one")
    return chosen


def _check_cards(cards: Sequence[int], six: bool, entries: Entries, key: str) -> None:
    most = Counter({int(card): 1 for card in POINT_CARDS})
    most.update({int(Card.SOLDIER): 20 if six else 14})
    most.update({int(card): 3 if six else 2 for card in (Card.ROADS, Card.DISCOVERY, Card.MONOPOLY)})
    for card, count in Counter(cards).items():
        if count > most[card]:
            entries.refuse(key, f"has {count} cards {Card(card).name}; there are {most[card]}")


def _hexes(entries: Entries) -> tuple[tuple[int, int, int], ...]:
    found = []
    for text in entries.words("hexes"):
        parts = text.split()
        hex = _read_coordinate(entries, "hexes", parts[0] if parts else "")
        type = _TYPES.get(parts[1]) if len(parts) > 1 else None
        number = parts[2] if len(parts) == 3 else "0"
        if type is None or len(parts) > 3 or not number.isdigit() or int(number) not in range(13):
            entries.refuse("hexes", f"has {text!r}; expected HEX TYPE NUMBER, the type one of {', '.join(_TYPES)}")
        found.append((hex, type, int(number)))
    return tuple(found)


def _coordinate(entries: Entries, key: str) -> int | None:
    return _read_coordinate(entries, key, entries.text(key)) if entries.asks(key) else None


def _read_coordinate(entries: Entries, key: str, text: str) -> int:
    if not text or len(text) > 4 or not set(text.lower()) <= set("0123456789abcdef"):
        entries.refuse(key, f"has {text[:20]!r}, which is no coordinate")
    return int(text, 16)


def _coordinates(entries: Entries, key: str) -> tuple[int, ...]:
    if not entries.asks(key):
        return ()
    return tuple(_read_coordinate(entries, key, text) for text in entries.words(key))


def _placed(entries: Entries) -> Placed:
    hand = entries.integers("hand", _HAND) if entries.asks("hand") else (0, 0, 0, 0, 0)
    if len(hand) != 5:
        entries.refuse("hand", "is not five numbers: clay, ore, sheep, wheat, wood")
    cards, fresh = (
        tuple(_CARDS[word] for word in entries.words(key, _CARDS)) if entries.asks(key) else ()
        for key in ("cards", "fresh")
    )
    placed = Placed(
        _coordinates(entries, "roads"), _coordinates(entries, "settlements"), _coordinates(entries, "cities"),
        _coordinates(entries, "ships"), hand, cards, fresh,
        entries.integer("soldiers", range(21)) if entries.asks("soldiers") else 0,
        entries.integer("cloth", range(100)) if entries.asks("cloth") else 0,
        _coordinates(entries, "trades"),
        entries.integers("areas", range(16)) if entries.asks("areas") else (1,),
        entries.flag("asks") if entries.asks("asks") else False,
    )  # fmt: skip
    entries.nothing_else()
    return placed


def _check(fixture: Fixture, entries: Entries, options: Options, players: int) -> None:
    """Check that pieces and cards are not more than there are, and no place is taken twice."""
    chosen = variant(options, players)
    edges: set[int] = set()
    nodes: set[int] = set()
    cards = list(fixture.script.deck)
    for number, seat in enumerate(fixture.seats):
        key = f"seats[{number}]"
        for name, places, most in (
            ("roads", seat.roads, 15), ("settlements", seat.settlements, 5), ("cities", seat.cities, 4),
            ("ships", seat.ships, 15 if chosen.sea else 0),
        ):  # fmt: skip
            taken = edges if name in ("roads", "ships") else nodes
            if len(places) > most or len(set(places)) < len(places) or taken & set(places):
                raise BadFixture(f"{key}.{name}: more than {most}, or one is taken twice")
            taken.update(places)
        # Soldiers that were played came out of the same deck.
        cards += [*seat.cards, *seat.fresh, *[int(Card.SOLDIER)] * seat.soldiers]
    if cards:
        _check_cards(cards, chosen.six, entries, "turn" if "seats" not in entries else "seats")
    if fixture.army >= 0 and (fixture.army >= len(fixture.seats) or fixture.seats[fixture.army].soldiers < MIN_ARMY):
        entries.refuse("army", f"is a seat with fewer than {MIN_ARMY} soldiers")


# --- putting it on the table ------------------------------------------------------------------------------------------


def place(play: Play, fixture: Fixture) -> None:
    """Put the position of a fixture on the table and send it. Raises BadFixture for places that the board does
    not have, or a position where a player has won."""
    assert fixture.turn is not None
    board = play.board
    board.robber = board.robber if fixture.robber is None else fixture.robber
    board.pirate = board.pirate if fixture.pirate is None else fixture.pirate
    for name, at in (("robber", board.robber), ("pirate", board.pirate)):
        if at is not None and at not in board.net.hex_nodes:
            raise BadFixture(f"{name}: the board has no hex {at:x}")
    _place_cloth(board, fixture)
    for number, seat in enumerate(fixture.seats):
        _place_seat(play, board, number, seat)
    play.current = fixture.turn
    play.rounds.number = fixture.round
    play.rounds.turns = fixture.round * len(play.occupied)
    play.rounds.idle, play.rounds.progress = fixture.idle, progress(play)
    play.phase = Phase(fixture.state)
    play.special_building.now = play.phase is Phase.SPECIAL_BUILDING
    play.special_building.next_normal = play.after(play.current)
    play.doings.rolled = play.phase is Phase.PLAY
    if play.special_building.now:
        play.mover.asks_special = True
    play.awards = Awards(fixture.longest, fixture.army)
    for number in play.occupied:
        close_routes(play, number)
    update_route(play, *play.occupied)
    if fixture.army >= 0:
        play.send(GameElements(((int(GameElement.LARGEST_ARMY), fixture.army),)))
    if play.has_won(play.current):
        raise BadFixture(f"turn: seat {play.current} has won already, with {play.points(play.current)} points")
    play.send(Turn(play.current, int(play.phase)))
    if play.phase is Phase.ROLL_OR_CARD:
        play.send(RollDicePrompt(play.current))


def _place_cloth(board: Board, fixture: Fixture) -> None:
    for key, given, possible in (
        ("village_cloth", len(fixture.village_cloth), len(board.cloth_trade.villages)),
        ("cloth_supply", fixture.cloth_supply or 0, board.cloth_trade.supply),
    ):
        if given > possible:
            raise BadFixture(f"{key}: the board has {possible}, not {given}")
    for village, cloth in zip(board.cloth_trade.villages.values(), fixture.village_cloth, strict=False):
        village.cloth = cloth
    if fixture.cloth_supply is not None:
        board.cloth_trade.supply = fixture.cloth_supply


def _place_seat(play: Play, board: Board, number: int, placed: Placed) -> None:
    one = play.seats[number]
    at = f"seats[{number}]"
    for piece, name, places, known in (
        (Piece.SETTLEMENT, "settlements", placed.settlements, board.ground.land_nodes),
        (Piece.SETTLEMENT, "cities", placed.cities, board.ground.land_nodes),
        (Piece.ROAD, "roads", placed.roads, board.ground.road_edges),
        (Piece.SHIP, "ships", placed.ships, board.ground.ship_edges),
    ):
        for where in places:
            if where not in known:
                raise BadFixture(f"{at}.{name}: nothing can stand on {where:x}")
            play.put(number, int(piece), where)
            play.send(PutPiece(number, int(piece), where))
            # As in play, a city stands where a settlement stood: that piece goes back to the supply, also at the
            # clients.
            if name == "cities":
                play.put(number, int(Piece.CITY), where)
                play.send(PutPiece(number, int(Piece.CITY), where))
    one.hand[:] = placed.hand
    one.scenario = ScenarioState(start_areas=frozenset(placed.areas), cloth=placed.cloth)
    one.inventory.soldiers, one.asks_special = placed.soldiers, placed.asks
    # Only its owner learns what a hand has; the others receive how many it has.
    play.send_one(number, PlayerElements(number, Change.SET, tuple(enumerate(placed.hand, start=1))))
    play.send(ResourceCount(number, one.total))
    for card in (*placed.cards, *placed.fresh, *[int(Card.SOLDIER)] * placed.soldiers):
        play.chance.deck.remove(card)
    for cards, own, change in (
        (placed.cards, one.inventory.old, CardChange.ADD_OLD), (placed.fresh, one.inventory.fresh, CardChange.ADD_NEW),
    ):  # fmt: skip
        for card in cards:
            # Point cards count from the moment they are drawn, so they are never fresh.
            (one.inventory.old if card in POINT_CARDS else own).append(card)
            play.send_one(number, DevCardAction(number, change, card))
            play.send_but(DevCardAction(number, change, int(Card.UNKNOWN)), number)
    if placed.soldiers:
        play.send(PlayerElement(number, Change.SET, int(Element.SOLDIERS), placed.soldiers))
    if placed.cloth:
        play.send(PlayerElement(number, Change.SET, int(Element.CLOTH), placed.cloth))
    for node in placed.trades:
        if node not in board.cloth_trade.villages:
            raise BadFixture(f"{at}.trades: there is no village on {node:x}")
        board.cloth_trade.villages[node].traders += (number,)
        one.scenario = one.scenario.with_event(TRADE_ESTABLISHED)
