"""docs/titan.md: every example is what it claims to be, and no request, message or option is missing.
docs/titan-rules.md: the numbers in its tables are those of the rules."""

import re
from collections.abc import Mapping
from pathlib import Path
from xml.etree.ElementTree import Element, tostring

from defusedxml.ElementTree import fromstring

from game_masters.kit.fixture import read_fixture
from game_masters.titan import GAME
from game_masters.titan.battlelands import BATTLELANDS, ENTRIES, HEXES, NEIGHBOURS, PLACES, STEPS, Battleland, Hex
from game_masters.titan.creatures import CHAINS, KINDS, Kind
from game_masters.titan.maneuvers import landing_cost, may_fly_over, step_cost
from game_masters.titan.messages import MESSAGES
from game_masters.titan.notation import message_text, read_message, read_move, read_state, write_move
from game_masters.titan.position import Awaiting, Settings
from game_masters.titan.referee import RULES
from game_masters.titan.requests import REQUESTS
from game_masters.titan.strikes import EVEN, HARDEST, melee
from ugs.wire.schema import PayloadSchema

PAGE = (Path(__file__).parents[3] / "docs" / "titan.md").read_text(encoding="utf-8")
RULES_PAGE = (Path(__file__).parents[3] / "docs" / "titan-rules.md").read_text(encoding="utf-8")
SCHEMA = PayloadSchema(GAME.schema)


def examples() -> list[Element]:
    """All examples in XML that stand alone."""
    blocks = re.findall(r"^```xml\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    return [element for block in blocks for element in fromstring(f"<all>{block}</all>")]


def written(element: Element) -> str:
    element.tail = None
    return tostring(element, encoding="unicode").replace(" />", "/>")


def test_every_example_of_a_move_is_one_and_no_request_is_missing() -> None:
    seen: set[str] = set()
    for element in examples():
        if element.tag == "move" and "legion" not in element.attrib:
            payload = written(element).encode()
            SCHEMA.check(payload)
            move = read_move(payload)
            assert write_move(move) == payload
            seen |= {request.TAG for request in move}
    assert seen == set(REQUESTS)


def test_every_example_of_a_message_is_one_and_none_is_missing() -> None:
    status = next(element.find("status") for element in examples() if element.tag == "gameState")
    assert status is not None
    seen: set[str] = set()
    for element in examples():
        if element.tag == "gameState":
            SCHEMA.check(written(element).encode())
            news, *_ = read_state(written(element).encode())
            seen |= {message.TAG for message in news}
        elif element.tag != "move" or "legion" in element.attrib:
            message = read_message(element)
            assert message_text(message) == written(element)
            SCHEMA.check(f"<gameState>{written(element)}{written(status)}</gameState>".encode())
            seen.add(message.TAG)
    assert seen == set(MESSAGES)


def test_the_table_of_requests_says_what_is_accepted() -> None:
    for asked in Awaiting:
        (row,) = re.findall(rf"^\| `{asked}` \| (.*) \|$", PAGE, re.MULTILINE)
        assert set(re.findall(r"`(\w+)`", row)) >= {kind.TAG for kind in RULES[asked]}


def test_the_table_of_terrains_is_that_of_the_rules() -> None:
    for terrain, chain in CHAINS.items():
        first, *others = chain
        row = ", ".join([first.creature, *(f"{link.needed}: {link.creature}" for link in others)])
        assert f"| {terrain} | {row} |" in PAGE


def test_every_option_and_bot_is_named() -> None:
    for option in GAME.options:
        assert f"`{option.name}`" in PAGE
    for bot in GAME.bots:
        assert f"| `{bot.name}` |" in PAGE


def test_the_fixture_begins_a_game() -> None:
    (text,) = re.findall(r"^```toml\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    assert read_fixture(GAME, text).start(GAME, GAME.choose_options({})).turn == 3


# --- titan-rules.md ---------------------------------------------------------------------------------------------------


def table_after(heading: str) -> dict[str, list[str]]:
    """The rows of the first table behind some words, by their first cell."""
    rows: dict[str, list[str]] = {}
    for line in RULES_PAGE[RULES_PAGE.index(heading) :].splitlines():
        if line.startswith("|"):
            first, *others = (cell.strip() for cell in line.strip("|").split("|"))
            rows[first] = others
        elif rows:
            break
    return rows


def test_a_bot_is_told_what_each_message_changes_but_for_those_that_only_talk() -> None:
    told = {word for row in table_after("## What to keep") for word in re.findall(r"`(\w+)`", row)}
    in_battle = set(re.findall(r"`(\w+)`", RULES_PAGE[RULES_PAGE.index("## Battles") :]))
    talk = {"formGame", "join", "tower", "roll", "mulligan", "doneMoving", "points", "reveal", "gameOver", "engage"}
    talk |= {"doNotFlee", "doNotConcede", "negotiate", "enter", "maneuver", "undoManeuver", "strike", "carry"}
    assert told | in_battle >= set(MESSAGES) - talk


def test_where_legions_come_in_and_how_hexes_lie() -> None:
    told = table_after("whoever leaves over it goes down")
    assert {side: told[f"`{side}`"] for side in ENTRIES} == {
        side: [" ".join(hexes[who]) for who in ("attacker", "defender")] for side, hexes in ENTRIES.items()
    }
    steps = table_after("over each side is")["x, y"]
    assert [tuple(map(int, one.split(","))) for one in steps] == list(STEPS)
    base = dict.fromkeys("ABCD", 5) | {"E": 4, "F": 3}
    assert {hex: ("ABCDEF".index(hex[0]), base[hex[0]] - int(hex[1])) for hex in HEXES} == PLACES


def told_cost(cell: str, kind: Kind, surface: str) -> int | None:
    """What a cell of the table of maneuvers says: points, or that the way is closed."""
    native = surface in kind.native
    if cell == "closed":
        return None
    found = re.fullmatch(r"(\d)(?: for natives, (?:else )?(\w+))?", cell)
    assert found is not None
    if native or found[2] is None:
        return int(found[1])
    return None if found[2] == "closed" else int(found[2])


def test_what_maneuvers_cost() -> None:
    told = table_after("### Maneuvers")
    rows = {surface: cells for first, cells in told.items() for surface in first.split(", ")}
    checked = set()
    for land in BATTLELANDS.values():
        for origin, hex in ((one, other) for one in HEXES for other in NEIGHBOURS[one].values()):
            surface, up, down = land.surface(hex), land.going_up(origin, hex), land.going_down(origin, hex)
            checked |= {surface, up, down}
            for kind in KINDS.values():
                on_foot, landing, over = (told_cost(cell, kind, surface) for cell in rows[surface])
                assert landing_cost(land, kind, hex) == landing
                assert may_fly_over(land, kind, hex) == (over is not None)
                if on_foot is not None:
                    on_foot += (up == "Wall") + (up == "Slope" and "Slope" not in kind.native)
                on_foot = None if "Cliff" in (up, down) else on_foot
                assert step_cost(land, kind, origin, hex, Settings()) == on_foot
    assert checked == {*rows} - {"step into", "---", "up a Slope", "up a Wall", "a Cliff", "up or down",
        "a Dune; down a Slope or Wall"} | {"Slope", "Wall", "Cliff", "Dune", None}  # fmt: skip


def holds(row: str, land: Battleland, origin: Hex, hex: Hex, striker: Kind, target: Kind) -> bool:
    """Whether a row of the table of strikes is about this strike."""
    where, *who = row.split(", ")
    down, up = land.going_down(origin, hex), land.going_up(origin, hex)
    places: Mapping[str, tuple[bool, str]] = {
        "A is Volcano": (land.surface(origin) == "Volcano", "Volcano"),
        "A is Bramble": (land.surface(origin) == "Bramble", "Bramble"),
        "B is Bramble": (land.surface(hex) == "Bramble", "Bramble"),
        **{f"down a {one}": (down == one, one) for one in ("Dune", "Slope", "Wall")},
        **{f"up a {one}": (up == one, one) for one in ("Dune", "Slope", "Wall")},
    }
    here, hazard = places[where]
    at_home = hazard in striker.native
    conditions = {
        "striker native": at_home,
        "striker not native": not at_home,
        "target native": hazard in target.native,
        "striker not": not at_home,
    }
    return here and all(conditions[one] for one in who)


def kinds_of_steps(land: Battleland) -> list[tuple[Hex, Hex]]:
    """One pair of neighbours for each kind of step that there is on a map."""
    found = {
        (land.surface(one), land.surface(other), land.going_down(one, other), land.going_up(one, other)): (one, other)
        for one in HEXES
        for other in NEIGHBOURS[one].values()
        if not land.cliff(one, other)
    }
    return list(found.values())


def test_what_terrain_does_to_strikes() -> None:
    rows = {row: cells for row, cells in table_after("### Strikes").items() if row not in ("", "---")}
    assert len(rows) == 9
    steps = [(land, *step) for land in BATTLELANDS.values() for step in kinds_of_steps(land)]
    for land, origin, hex in steps:
        for striker in KINDS.values():
            for target in (KINDS["Ogre"], KINDS["Gorgon"], KINDS["Angel"]):
                dice, number = striker.power, EVEN - striker.skill + target.skill
                for row, (more, harder) in rows.items():
                    if holds(row, land, origin, hex, striker, target):
                        dice, number = dice + int(more or 0), number + int(harder or 0)
                found = melee(land, striker.power, striker.name, origin, target.name, hex)
                assert found == (dice, min(HARDEST, number)), (land.terrain, origin, hex, striker.name)
