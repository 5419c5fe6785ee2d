"""Games from fixtures, and saves."""

import random
from dataclasses import replace

import pytest

from game_masters.kit.fixture import read_fixture
from game_masters.kit.rules import BadFixture, Entries, Table, Unreadable
from game_masters.titan import GAME, saves
from game_masters.titan.bots import BOTS
from game_masters.titan.packing import packed
from game_masters.titan.position import Awaiting
from game_masters.titan.rules import Slugathon
from tests.game_masters.titan.table import NAMES, House, legion
from tests.profile import sized
from ugs.wire.extensions import MAX_SETUP

START = "Titan Angel Angel Ogre Ogre Ogre Ogre Lion"
TWO = (legion(0, 1, "41", "Titan Ogre Ogre"), legion(1, 1, "35", "Titan Lion Lion"))


def test_a_position_is_as_the_fixture_says() -> None:
    house = House(*TWO, scores=[120, 0], lost={"Troll": 3}, active=1, turn=4, dice=[2])
    assert house.asked == ("bob", "split")
    assert house.inside("Rd01") == "Ogre Ogre Titan"
    assert (house.position.turn, house.score(0)) == (4, 120)
    assert (house.position.stock["Troll"], house.position.dead["Troll"], house.position.stock["Ogre"]) == (25, 3, 23)
    assert house.does("<roll/>") == ['<roll die="2"/>']
    assert house.position.players[0].markers[0] == "Rd02"


def test_requests_lead_on_from_there() -> None:
    two = (legion(0, 1, "2", "Titan Ogre Ogre"), legion(1, 1, "35", "Titan Lion Lion"))
    house = House(*two, dice=[1], requests=["<roll/>", '<move legion="Rd01" hex="3"/>'])
    assert house.asked == ("ann", "move")
    assert house.position.legions["Rd01"].hex == "3"


def test_others_do_not_see_what_is_placed() -> None:
    game = House(*TWO).game
    assert game.view(1).position.legions["Rd01"].creatures == ("?", "?", "?")
    assert game.view(0).position.legions["Rd01"].creatures == ("Ogre", "Ogre", "Titan")
    assert game.view(1).position.stock == game.position.stock


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"towers": ["600", "600"]}, "towers: .* are not 2 different ones"),
        ({"colors": ["Red"]}, "colors: .* are not 2 different ones"),
        ({"scores": [1]}, "scores: .* are not 2"),
        ({"lost": {"Titan": 1}}, "lost.Titan: 1 names no creature that can be lost"),
        ({"legions": [legion(0, 1, "1", "Titan")], "turn": 2}, "legions: .* do not have one Titan for each player"),
        ({"legions": [*TWO, legion(0, 1, "2", "Ogre")], "turn": 2}, "marker: 'Rd01' is used twice"),
        ({"legions": [*TWO, legion(0, 2, "41", "Ogre")], "turn": 2}, "hex: '41' has Rd01 of the same player in it"),
        ({"legions": [*TWO, legion(0, 2, "1", "Archangel " * 7)], "turn": 2}, "7 Archangel, and there are 6"),
        ({"legions": list(TWO)}, "need colors and turn"),
        (
            {"legions": [*TWO, legion(0, 2, "2", "Ogre " * 9)], "turn": 2},
            "creatures: .* are not 1 to 7 creatures, or 8",
        ),
        ({"legions": [*TWO, legion(0, 2, "2", "Ogre " * 8)], "turn": 1}, "have Rd02 with 8 creatures: only on turn 1"),
        ({"legions": [TWO[1], legion(0, 1, "41", START)], "turn": 2}, "have Rd01 with 8 creatures: only on turn 1"),
        ({"requests": ["<roll"]}, "requests: .* not well-formed"),
        ({"requests": ["<nextTurn/>"]}, "requests: .* refused: nextTurn: not now"),
        ({"save": "<titan/>"}, "save: .* a save ends with the elements dice and digest"),
    ],
)
def test_what_does_not_fit_is_refused_by_its_key(values: dict[str, object], why: str) -> None:
    given = {"towers": ["600", "300"], "colors": ["Red", "Blue"], **values}
    assert GAME.fixture is not None
    with pytest.raises(BadFixture, match=why):
        GAME.fixture(Entries(given), 2, GAME.choose_options({}))


def test_only_whose_turn_it_is_stands_in_a_land_with_an_opponent() -> None:
    three = [legion(seat, 1, hex, "Titan Ogre") for seat, hex in enumerate(("41", "35", "35"))]
    assert House(*three, players=3, active=1).asked == ("bob", "split")
    for legions, active in ((three, 0), ([*three, legion(0, 2, "35", "Ogre Ogre")], 1)):
        with pytest.raises(BadFixture, match="stand together in 35: only one opponent can be in a land"):
            House(*legions, players=3, active=active)


def test_legions_that_stand_together_from_the_beginning_fight_as_if_entered_from_below() -> None:
    together = (legion(0, 1, "3", "Titan Ogre"), legion(0, 2, "41", "Ogre Ogre"), legion(1, 1, "3", "Titan Lion"))
    house = House(*together, dice=[1])
    house.does("<roll/>", '<move legion="Rd02" hex="42"/>', '<engage hex="3"/>')
    house.fights()
    house.does('<enter creature="Titan" hex="F4"/>', '<enter creature="Lion" hex="E5"/>', "<doneManeuvering/>")
    assert "enter creature=Titan hex=A1" in house.lists("enter")


def loaded(game: Slugathon, players: int) -> Slugathon:
    """The game that begins from the fixture that a game makes of itself, as a server would keep it."""
    kept = read_fixture(GAME, saves.fixture(game))
    options = GAME.choose_options(kept.options)
    start = kept.start(GAME, options)
    return Slugathon(Table("again", NAMES[:players], options, fixture=start), random.Random(99))


def played(players: int, seed: int) -> Slugathon:
    options = GAME.choose_options({})
    return Slugathon(Table("save", NAMES[:players], options), random.Random(seed))


@pytest.mark.parametrize("seed", range(sized(quick=1, deep=40)))
def test_a_save_in_any_state_goes_on_as_the_game_itself(seed: int) -> None:
    """The save of every kind of question is loaded, and both games go on alike, dice included."""
    captain, rng = BOTS[0], random.Random(seed)
    game = played(2 + seed % 3, seed)
    seats = len(game.position.players)
    saved: set[tuple[Awaiting, bool]] = set()
    while game.outcome is None and len(game.messages) < 2500:
        asked = game.position.asked
        assert asked is not None
        kind = (asked.awaiting, game.position.battle is not None)
        move = captain.choose(game.view(asked.seat, len(game.record)), rng)
        if kind not in saved:
            saved.add(kind)
            again = loaded(game, seats)
            assert again.position == game.position
            assert again.view(asked.seat).position == game.view(asked.seat).position
            again.apply(asked.seat, move)
            game.apply(asked.seat, move)
            assert (again.position, again.messages[-1]) == (game.position, game.messages[-1])
        else:
            game.apply(asked.seat, move)
    assert len(saved) > 6


def test_an_open_carry_is_saved() -> None:
    captain, rng = BOTS[0], random.Random(4)
    game = played(2, 4)
    while game.position.asked is not None and game.position.asked.awaiting is not Awaiting.CARRY:
        (seat,) = game.movers
        game.apply(seat, captain.choose(game.view(seat, len(game.record)), rng))
    again = loaded(game, 2)
    assert again.position == game.position
    assert again.position.battle is not None
    assert again.position.battle.carry is not None


def test_a_damaged_save_is_refused() -> None:
    save = saves.write(played(2, 5))
    with pytest.raises(Unreadable, match="another position"):
        saves.read(
            save.replace(b'hex="600"', b'hex="100"', 1) if b'hex="600"' in save else save.replace(b"ann", b"amy")
        )
    with pytest.raises(Unreadable, match="there is no element 'nobody'"):
        saves.read(save.replace(b"<join", b"<nobody/><join", 1))
    assert saves.read(save.replace(b"<join", b'<join extra="1"', 1)) == saves.read(save)
    with pytest.raises(Unreadable, match="cannot come there"):
        saves.read(save.replace(b"<join", b"<doneStriking/><join", 1))


def test_a_long_game_still_fits_into_a_fixture() -> None:
    captain, rng = BOTS[0], random.Random(1)
    game = played(6, 1)
    while len(game.messages) < sized(quick=1200, deep=2000):
        (seat,) = game.movers
        game.apply(seat, captain.choose(game.view(seat, len(game.record)), rng))
    assert len(saves.write(game)) > MAX_SETUP
    assert loaded(game, 6).position == game.position


def test_a_save_as_it_is_can_be_loaded_as_well_as_a_packed_one() -> None:
    game = played(2, 5)
    assert saves.read(saves.unpacked(saves.write(game).decode())) == saves.read(saves.write(game))
    assert saves.unpacked(packed(saves.write(game))) == saves.write(game)


def test_a_save_is_only_loaded_with_the_options_of_its_game() -> None:
    """Else legions that were hidden would be shown, or the other way round."""
    house = House(options={"allStacksVisible": "yes"})
    text = saves.fixture(house.game)
    kept = read_fixture(GAME, text)
    assert kept.options["allStacksVisible"] == "yes"
    assert kept.start(GAME, GAME.choose_options(kept.options)).saved is not None
    with pytest.raises(BadFixture, match="with allStacksVisible = true, here it is false; give it in options"):
        kept.start(GAME, GAME.choose_options({}))


@pytest.mark.parametrize("text", ["nonsense", "QUJD", packed(b"x" * (saves.MAX_SAVE + 1)), ""])
def test_what_is_no_save_in_either_form_is_refused(text: str) -> None:
    with pytest.raises(Unreadable, match=r"neither XML nor a packed save|is cut, or has more than"):
        saves.read(saves.unpacked(text))


def test_the_dice_of_a_save_go_on() -> None:
    game = played(2, 8)
    assert loaded(game, 2).dice == replace(game.dice)
