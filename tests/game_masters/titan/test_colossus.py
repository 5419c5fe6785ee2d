"""Saved games of the program Colossus: what is taken over, what is told to be left out, and what is refused."""

import random
from collections.abc import Mapping
from pathlib import Path

import pytest

from game_masters.kit.fixture import read_fixture
from game_masters.kit.rules import Table, Unreadable
from game_masters.titan import GAME
from game_masters.titan.bots import BOTS
from game_masters.titan.colossus import MAX_LISTED, Imported, main, read
from game_masters.titan.creatures import KINDS
from game_masters.titan.position import Awaiting
from game_masters.titan.rules import Slugathon

OPTIONS = GAME.choose_options({})
LEGIONS = {
    "ann": ["Rd01 131 131 Titan,Ogre", "Rd02 3 2 Gargoyle,Gargoyle,Lion", "Rd03 20 20 Angel,Ogre"],
    "bob": ["Bu01 111 111 Titan,Ogre,Ogre", "Bu02 3 3 Lion,Lion"],
}
"""Marker, where it is, where it began the turn, and what is in it."""


def saved(
    phase: int,
    *,
    turn: int = 3,
    redo: str = "",
    more: str = "",
    history: str = '<MovementRoll playerName="bob" roll="5"/><MovementRoll playerName="ann" roll="1"/>',
    variant: str = "Default",
    colors: tuple[str, str] = ("Red", "Blue"),
    ann: str = "",
    recruits: Mapping[str, str] | None = None,
) -> bytes:
    """A save of two players, ann in tower 600 and bob in tower 300; it is ann's turn."""
    players, counts = [], dict.fromkeys(KINDS, 0)
    for number, (name, legions) in enumerate(LEGIONS.items()):
        inside = ""
        for legion in legions:
            marker, here, start, creatures = legion.split()
            for creature in creatures.split(","):
                counts[creature] += 1
            told = "".join(f'<Creature name="{one}"/>' for one in creatures.split(","))
            at = start if phase < 3 else here
            moved = "true" if at != start else "false"
            recruit = (recruits or {}).get(marker, "null")
            inside += (
                f'<Legion name="{marker}" currentHex="{at}" startingHex="{start}" moved="{moved}" entrySide="1"'
                f' parent="null" recruitName="{recruit}" battleTally="0">{told}</Legion>'
            )
        tower, score = ("600", 250) if name == "ann" else ("300", 40)
        players.append(
            f'<Player name="{name}" type="x.ai.Human" color="{colors[number]}" startingTower="{tower}" dead="false"'
            f' score="{score}" mulligansLeft="1" colorsElim="" summoned="false" {ann if name == "ann" else ""}>'
            f"{inside}</Player>"
        )
    dead = {"Troll": 2}
    stock = "".join(
        f'<Creature name="{name}" remaining="{kind.count - counts[name] - dead.get(name, 0)}"'
        f' dead="{dead.get(name, 0)}"/>'
        for name, kind in KINDS.items()
    )
    return (
        f'<ColossusSnapshot version="14"><Variant dir="{variant}" name="{variant}"/><TurnNumber>{turn}</TurnNumber>'
        f"<CurrentPlayer>0</CurrentPlayer><CurrentPhase>{phase}</CurrentPhase><Caretaker>{stock}</Caretaker>"
        f"{''.join(players)}<History>{history}</History><Redo>{redo}</Redo>{more}</ColossusSnapshot>"
    ).encode()


def started(imported: Imported) -> Slugathon:
    """The game that begins from it."""
    seats = len(imported.names)
    fixture = read_fixture(GAME, imported.fixture(b"x" * 32))
    game = Slugathon(Table("t", imported.names, OPTIONS, fixture=fixture.start(GAME, OPTIONS)), random.Random(1))
    assert len(game.position.players) == seats
    return game


def asked(game: Slugathon) -> tuple[int, Awaiting]:
    """Who is asked what."""
    found = game.position.asked
    assert found is not None
    return found.seat, found.awaiting


@pytest.mark.parametrize(
    ("phase", "awaiting"), [(1, Awaiting.SPLIT), (2, Awaiting.MOVE), (3, Awaiting.ENGAGE), (4, Awaiting.ENGAGE)]
)
def test_the_position_is_that_of_the_save_and_is_played_to_the_end(phase: int, awaiting: Awaiting) -> None:
    game = started(read(saved(phase)))
    position = game.position
    assert asked(game) == (0, awaiting)
    assert (position.turn, [player.score for player in position.players]) == (3, [250, 40])
    assert position.legions["Rd02"].creatures == ("Gargoyle", "Gargoyle", "Lion")
    assert position.legions["Rd02"].hex == ("2" if phase < 3 else "3")
    assert position.legions["Rd02"].moved == (phase > 2)
    assert position.roll == (None if phase == 1 else 1)
    assert (position.dead["Troll"], position.stock["Troll"]) == (2, KINDS["Troll"].count - 2)
    rng = random.Random(2)
    for _ in range(20_000):
        if game.outcome is not None:
            break
        (seat,) = game.movers
        game.apply(seat, BOTS[0].choose(game.view(seat, len(game.record)), rng))
    assert game.outcome is not None


def test_what_was_done_in_the_phase_is_done_again() -> None:
    redo = (
        '<Move markerId="Rd02" newHex="3" entrySide="Left" teleport="false" revealedLord="null"/>'
        '<UndoMove markerId="Rd02"/>'
        '<Move markerId="Rd03" newHex="21" entrySide="Bottom" teleport="false" revealedLord="null"/>'
    )
    position = started(read(saved(2, redo=redo))).position
    assert (position.legions["Rd02"].hex, position.legions["Rd02"].moved) == ("2", False)
    assert (position.legions["Rd03"].hex, position.legions["Rd03"].moved) == ("21", True)


def test_splits_and_merges_of_the_phase_are_done_again() -> None:
    splits = '<Split parentId="{0}" childId="{1}" turn="3"><splitoffs>{2}</splitoffs></Split>'
    lion = "<creature>Lion</creature>"
    redo = splits.format("Rd02", "Rd07", lion) + splits.format("Bu02", "Bu07", lion)
    redo += '<Merge splitoffId="Bu07" survivorId="Bu02" turn="3"/>'
    position = started(read(saved(1, redo=redo))).position
    assert position.legions["Rd07"].creatures == ("Lion",)
    assert position.legions["Bu02"].creatures == ("Lion", "Lion")


def test_musters_count_as_such() -> None:
    again = read(saved(4, recruits={"Rd02": "Gargoyle"}))
    assert again.position.legions["Rd02"].recruit == "Gargoyle"
    assert again.position.legions["Rd02"].creatures == ("Gargoyle", "Gargoyle", "Lion")
    redo = '<Recruit markerId="Rd02" recruit="Ogre" recruiter="null"/>'
    with pytest.raises(Unreadable, match="Rd02 cannot have mustered Ogre in 3"):
        read(saved(4, redo=redo))


def test_a_teleport_shows_a_lord() -> None:
    """Nothing leads from tower 600 to land 41 in six steps, but a teleport."""
    legions = LEGIONS["ann"][2]
    LEGIONS["ann"][2] = "Rd03 300 600 Angel,Ogre"
    try:
        found = read(saved(3, history='<MovementRoll playerName="ann" roll="6"/>')).position
    finally:
        LEGIONS["ann"][2] = legions
    assert found.legions["Rd03"].teleported
    assert found.players[0].teleported


def test_what_is_not_taken_over_is_told() -> None:
    dead = '<Player name="cyd" type="x.Human" color="Gold" startingTower="100" score="0" dead="true"/>'
    told = read(
        saved(
            2,
            more=f"{dead}<Battle/><DataFile/><DataFile/>",
            redo='<RelocateLegion markerId="Rd02"/><Reveal markerId="Rd02"/>',
            colors=("Silver", "Red"),
        )
    ).left_out
    assert told == (
        "the colour Silver of ann, who has Black",
        "the event RelocateLegion in the present phase",
        "cyd, who is out of the game, and the free markers of that colour",
        "what the players have seen of each other's legions (2 events of the History)",
        "the battle that is going on: its engagement begins again",
        "2 elements DataFile",
    )
    many = read(saved(2, redo="".join(f"<What{number}/>" for number in range(50)))).left_out
    assert len(many) == MAX_LISTED + 1
    assert "summoned" in read(saved(3).replace(b'summoned="false"', b'summoned="true"')).left_out[0]


def test_wrong_numbers_of_the_stock_are_told() -> None:
    told = read(saved(1).replace(b'name="Hydra" remaining="10"', b'name="Hydra" remaining="7"')).left_out
    assert told[0] == "that 7 Hydra are left; by what is on the board and dead it is 10"


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (b'name="Default"', b'name="Badlands"', "only Default is played here"),
        (b"<CurrentPlayer>0<", b"<CurrentPlayer>7<", "there are 2 players"),
        (b"<CurrentPhase>2<", b"<CurrentPhase>0<", "CurrentPhase: 0"),
        (b"<CurrentPhase>2<", b"<CurrentPhase>x<", "is not an integer"),
        (b'startingTower="300"', b'startingTower="600"', "different towers"),
        (b'name="bob"', b'name="ann"', "the same name"),
        (b'name="Rd03"', b'name="Rd02"', "used twice"),
        (b'currentHex="20"', b'currentHex="777"', "no land '777'"),
        (b'<Creature name="Angel"/>', b'<Creature name="Eagle"/>', "no creature 'Eagle'"),
        (b'playerName="ann" roll="1"', b'playerName="ann" roll="9"', "no movement roll of ann"),
        (b"<Redo>", b'<Redo><UndoMove markerId="Rd09"/>', "undoMove legion=Rd09"),
        (b"<Redo>", b'<Redo><Move markerId="Rd03" newHex="777"/>', "no land '777'"),
        (b'dead="false" score="40"', b'dead="true" score="40"', "1 players are in the game"),
        (b'dead="false" score="250"', b'dead="true" score="250"', "whose turn it is"),
        (b"<Redo></Redo>", b"", "no element Redo"),
    ],
)
def test_a_save_of_which_nothing_can_be_made_is_refused(old: bytes, new: bytes, why: str) -> None:
    save = saved(2)
    assert old in save
    with pytest.raises(Unreadable, match=why):
        read(save.replace(old, new))


def test_the_command_prints_a_fixture_or_says_why_not(tmp_path: Path) -> None:
    file = tmp_path / "snap.xml"
    file.write_bytes(saved(1))
    assert 'save = "' in main([str(file)], lambda size: b"s" * size)
    file.write_bytes(b"<!DOCTYPE x><ColossusSnapshot/>")
    with pytest.raises(SystemExit, match="not well-formed"):
        main([str(file)], bytes)
    with pytest.raises(SystemExit, match="usage"):
        main([], bytes)
