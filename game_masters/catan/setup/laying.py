"""Lays a board out: shuffles hexes, numbers and ports of a plan until no rule about clumps is broken."""

from collections.abc import Mapping, Sequence

from game_masters.catan.board.board import Board, ClothTrade, LandAreas, Port, Village, ground_of, ports_at
from game_masters.catan.board.geometry import Net, classic_net, sea_net
from game_masters.catan.game.chance import Chance
from game_masters.catan.message.vocabulary import Hex
from game_masters.catan.setup.plans import ClassicPlan, GroupPlan, PortPlan, SeaPlan

PORT_TRIALS = 100
GROUP_TRIALS = 20
SWAPS = 200
"""Swaps of neighbouring sixes and eights, before they may stay."""
CLOTH_PER_VILLAGE = 5
GENERAL_SUPPLY = 10
HOT = (6, 8)


def lay_classic(plan: ClassicPlan, seats: int, clump: int, chance: Chance) -> Board:
    """Return a classic board. ``clump`` is the number of like neighbours that is too many; 0: any number will do."""
    net = classic_net(plan.paths[0])
    types: dict[int, int] = {}
    numbers: dict[int, int] = {}
    robber: int | None = None
    if chance.script.hexes:
        types, numbers = _scripted(chance)
        # Two deserts, and the fixture leaves open on which: the first that it lists.
        robber = next((hex for hex, type in types.items() if type == Hex.DESERT), None)
    # With BC a clump starts it all again, with another path too.
    while not types or (not chance.script.hexes and clump and _clumped(net, types, clump)):
        types, numbers = {}, {}
        # The numbers keep their order, as the letters of the printed game's chips do; only the path is drawn.
        rest = iter(plan.numbers)
        for hex, type in zip(chance.one_of(plan.paths), chance.shuffled(plan.types), strict=True):
            types[hex] = type
            if type == Hex.DESERT:
                # Of two deserts the one met last has the robber.
                robber = hex
            else:
                numbers[hex] = next(rest)
    ports = _ports([plan.ports], clump, chance)
    areas = LandAreas(dict.fromkeys(net.node_edges, 1), dict.fromkeys(net.hexes, 1))
    ground = ground_of(net, types, numbers, areas)
    return Board(
        net, seats, types, numbers, ports, ports_at(net, ports), areas, ground, robber=robber, layout=plan.layout
    )


def lay_sea(plan: SeaPlan, seats: int, clump: int, chance: Chance, *, fog: bool, villages: bool) -> Board:
    """Return a sea board, with hexes under ``fog`` and with ``villages`` if it has any and they are wanted."""
    net = sea_net(plan.height, plan.width)
    types: dict[int, int] = dict.fromkeys(net.hexes, int(Hex.WATER))
    numbers: dict[int, int] = {}
    areas: dict[int, int] = {}
    hex_areas: dict[int, int] = {}
    robber = plan.robber
    scripted, scripted_numbers = _scripted(chance)
    for place, group in enumerate(plan.groups):
        if scripted:
            # The board of a log does not list water.
            laid = {hex: scripted.get(hex, int(Hex.WATER)) for hex in group.hexes}
            numbered = {hex: scripted_numbers[hex] for hex in group.hexes if hex in scripted_numbers}
        else:
            gold_area = plan.gold_area if place == 0 else None
            laid, numbered = _lay_group(net, group, clump, chance, gold_area, numbers)
        types.update(laid)
        numbers.update(numbered)
        if group.desert_robber:
            robber = next((hex for hex in reversed(group.hexes) if laid[hex] == Hex.DESERT), robber)
        for hex, area in _areas_of(group).items():
            hex_areas[hex] = area
            if types[hex] == Hex.WATER:
                continue  # under fog
            for node in net.hex_nodes[hex]:
                if not (group.infill and node in areas):
                    areas[node] = area
    covered = chance.script.fog or (plan.fog if fog else ())
    # The number is taken too: with it, seats would know what to expect under the fog.
    hidden = {hex: (types[hex], numbers.pop(hex, 0)) for hex in covered}
    types.update(dict.fromkeys(hidden, int(Hex.FOG)))
    places = [
        *chance.script.village_numbers,
        *(number for _, number in plan.villages[len(chance.script.village_numbers) :]),
    ]
    ports = _ports(plan.ports, clump, chance)
    barred = tuple(sorted(plan.no_robber))
    land_areas = LandAreas(areas, hex_areas, plan.start, plan.no_points, plan.no_robber, barred)
    trade = _cloth_trade(plan, places) if villages and plan.villages else ClothTrade()
    return Board(
        net, seats, types, numbers, ports, ports_at(net, ports), land_areas,
        ground_of(net, types, numbers, land_areas), robber, plan.pirate, hidden, trade, plan.height, plan.width,
    )  # fmt: skip


def _cloth_trade(plan: SeaPlan, numbers: Sequence[int]) -> ClothTrade:
    """Return the villages of a plan with these numbers, and the supply."""
    villages = {
        node: Village(node, number, CLOTH_PER_VILLAGE) for (node, _), number in zip(plan.villages, numbers, strict=True)
    }
    return ClothTrade(villages, GENERAL_SUPPLY)


def _scripted(chance: Chance) -> tuple[dict[int, int], dict[int, int]]:
    hexes = chance.script.hexes
    return {hex: type for hex, type, _ in hexes}, {hex: number for hex, _, number in hexes if number}


def _areas_of(group: GroupPlan) -> dict[int, int]:
    areas = [area for area, count in group.areas for _ in range(count)]
    return dict(zip(group.hexes, areas, strict=True))


def _lay_group(
    net: Net, group: GroupPlan, clump: int, chance: Chance, gold_area: int | None, others: Mapping[int, int]
) -> tuple[dict[int, int], dict[int, int]]:
    """Return types and numbers of the hexes of a group."""
    types: dict[int, int] = {}
    # As in the original the last deal stands, clump or not.
    for _ in range(GROUP_TRIALS):
        dealt = chance.shuffled(group.types) if group.types_shuffled else group.types
        types = dict(zip(group.hexes, dealt, strict=True))
        if group.types_shuffled:
            _part_gold(net, types, chance)
            if gold_area is not None:
                _move_gold(types, _areas_of(group), gold_area, chance)
        if not (clump and group.clumps and _clumped(net, types, clump)):
            break
    numbered = [hex for hex in group.hexes if types[hex] not in (Hex.DESERT, Hex.WATER)]
    dealt = chance.shuffled(group.numbers) if group.numbers_shuffled else group.numbers
    numbers = dict(zip(numbered, dealt, strict=False))
    if group.numbers_shuffled:
        _cool(net, types, numbers, others, chance)
    return types, numbers


def _part_gold(net: Net, types: dict[int, int], chance: Chance) -> None:
    """Swap gold hexes that lie side by side with others, as far as there are any."""
    for _ in range(SWAPS):
        golden = [hex for hex, type in types.items() if type == Hex.GOLD]
        beside = [hex for hex in golden if any(types.get(other) == Hex.GOLD for other in net.hex_neighbours[hex])]
        free = [
            hex
            for hex, type in types.items()
            if type not in (Hex.GOLD, Hex.WATER)
            and not any(types.get(other) == Hex.GOLD for other in net.hex_neighbours[hex])
        ]
        if not beside or not free:
            return
        other = chance.one_of(free)
        types[beside[0]], types[other] = types[other], types[beside[0]]


def _move_gold(types: dict[int, int], areas: Mapping[int, int], area: int, chance: Chance) -> None:
    """Put the only gold hex into a land area."""
    golden = next((hex for hex, type in types.items() if type == Hex.GOLD), None)
    if golden is not None and areas[golden] != area:
        other = chance.one_of([hex for hex in types if areas[hex] == area])
        types[golden], types[other] = types[other], types[golden]


def _cool(
    net: Net, types: Mapping[int, int], numbers: dict[int, int], others: Mapping[int, int], chance: Chance
) -> None:
    """Swap numbers until no gold hex has a 6 or 8 and no two such hexes lie side by side, or it is no use."""

    def hot(hex: int) -> bool:
        if numbers[hex] not in HOT:
            return False
        around = (numbers.get(other, others.get(other, 0)) for other in net.hex_neighbours[hex])
        return types[hex] == Hex.GOLD or any(number in HOT for number in around)

    for _ in range(SWAPS):
        wrong = [hex for hex in numbers if hot(hex)]
        cold = [hex for hex, number in numbers.items() if number not in HOT and types[hex] != Hex.GOLD]
        if not wrong or not cold:
            return
        other = chance.one_of(cold)
        numbers[wrong[0]], numbers[other] = numbers[other], numbers[wrong[0]]


def _clumped(net: Net, types: Mapping[int, int], most: int) -> bool:
    """Whether ``most`` or more hexes of one type lie together."""
    seen: set[int] = set()
    for hex in types:
        if hex in seen:
            continue
        clump, waiting = 0, [hex]
        seen.add(hex)
        while waiting:
            one = waiting.pop()
            clump += 1
            for other in net.hex_neighbours[one]:
                if other not in seen and types.get(other) == types[hex]:
                    seen.add(other)
                    waiting.append(other)
        if clump >= most and types[hex] != Hex.WATER:
            return True
    return False


def _ports(plans: Sequence[PortPlan], clump: int, chance: Chance) -> tuple[Port, ...]:
    ports: list[Port] = []
    scripted = list(chance.script.ports)
    for plan in plans:
        types = list(plan.types)
        if scripted:
            types, scripted = scripted[: len(types)], scripted[len(types) :]
        elif plan.shuffled:
            # The same, after a hundred deals.
            for _ in range(PORT_TRIALS):
                types = chance.shuffled(plan.types)
                if not (clump and plan.clumps and _ports_clumped(types, clump)):
                    break
        ports += [Port(type, edge, facing) for type, (edge, facing) in zip(types, plan.places, strict=True)]
    return tuple(ports)


def _ports_clumped(types: Sequence[int], most: int) -> bool:
    """Whether ``most`` or more neighbours, round the board, are all three to one or all not."""
    kinds = [type == 0 for type in types]
    if len(set(kinds)) == 1:
        return len(kinds) >= most
    # Begun where the kind changes, so that a run over the end of the list is not counted as two.
    begin = next(place for place in range(len(kinds)) if kinds[place] != kinds[place - 1])
    run, before = 0, kinds[begin - 1]
    for kind in kinds[begin:] + kinds[:begin]:
        run = run + 1 if kind == before else 1
        before = kind
        if run >= most:
            return True
    return False
