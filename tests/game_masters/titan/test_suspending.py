"""Games that their players agree to go on with another time."""

import random

import pytest

from game_masters.kit.fixture import read_fixture
from game_masters.kit.rules import Kept, RuleBroken, Table
from game_masters.titan import GAME, pictures
from game_masters.titan.agreeing import MAX_TIMES
from game_masters.titan.bots import BOTS
from game_masters.titan.notation import follow, read_move, write_view
from game_masters.titan.patience import PATIENCE
from game_masters.titan.play import Refused
from game_masters.titan.position import Awaiting
from game_masters.titan.rules import Slugathon
from game_masters.titan.suspending import kept as kept_of
from tests.game_masters.titan.table import NAMES, House, legion
from ugs.pictures.contract import Scene, Seat, Shown

OPTIONS = GAME.choose_options({})


def says(game: Slugathon, request: str) -> None:
    """Whoever is asked makes a request."""
    game.apply(game.movers[0], read_move(f"<move>{request}</move>".encode()))


def played(players: int, moves: int, *, seed: int = 1, programs: int = 0) -> Slugathon:
    """A game of captains, after so many requests."""
    table = Table("g", NAMES[:players], OPTIONS, players - programs if programs else None)
    game, rng = Slugathon(table, random.Random(seed)), random.Random(seed)
    for _ in range(moves):
        plays_on(game, rng)
    return game


def plays_on(game: Slugathon, rng: random.Random) -> None:
    """Make one request of a captain."""
    (seat,) = game.movers
    game.apply(seat, BOTS[0].choose(game.view(seat, len(game.record)), rng))


def agreed(game: Slugathon) -> Kept:
    """The game as it is kept, after all have agreed as soon as they were asked."""
    rng = random.Random(3)
    plays_on(game, rng)
    for _ in range(5000):
        if game.position.players[game.movers[0]].name not in game.view(None).status.willing:
            says(game, "<suspend/>")
        found = kept_of(game)
        if found is not None:
            return found
        plays_on(game, rng)
    raise AssertionError("no agreement")


def resumed(kept: Kept, names: tuple[str, ...]) -> Slugathon:
    """The game that goes on, with these names in its seats."""
    fixture = read_fixture(GAME, kept.fixture)
    options = GAME.choose_options(dict(fixture.options))
    return Slugathon(Table("h", names, options, fixture=fixture.start(GAME, options)), random.Random(9))


def test_when_all_have_agreed_the_game_is_kept_and_all_are_told_its_code() -> None:
    game = played(3, 40)
    first = game.position.players[game.movers[0]].name
    says(game, "<suspend/>")
    assert kept_of(game) is None
    assert game.view(None).status.willing == (first,)
    before = game.position
    kept = agreed(game)
    assert before.turn <= game.position.turn
    for seat in (None, 0, 1, 2):
        status = follow(OPTIONS)(write_view(game.view(seat, 0))).status
        assert (status.kept, status.willing) == (kept.code, ())
    assert set(kept.seats) == set(NAMES[:3])
    assert kept.needed == 3
    plays_on(game, random.Random(1))
    assert kept_of(game) is None, "what follows is not in what was kept"
    assert game.view(None).status.kept is None


def test_the_game_goes_on_where_it_was_with_other_dice() -> None:
    game = played(2, 150)
    kept = agreed(game)
    again = resumed(kept, kept.seats)
    for name in kept.seats:
        here, there = game.position.seat_of(name), again.position.seat_of(name)
        old, new = game.position.players[here], again.position.players[there]
        assert old == new
        assert [one.creatures for one in game.position.legions_of(here)] == [
            one.creatures for one in again.position.legions_of(there)
        ]
    asked, still = game.position.asked, again.position.asked
    assert asked is not None
    assert still is not None
    assert asked.awaiting == still.awaiting
    assert game.position.players[asked.seat].name == again.position.players[still.seat].name
    rolled = [[game.dice.throw()[0]], [again.dice.throw()[0]]]
    for one, shown in zip((game, again), rolled, strict=True):
        dice = one.dice
        for _ in range(30):
            die, dice = dice.throw()
            shown.append(die)
    assert rolled[0] != rolled[1], "nobody knows them, also who has looked how the game would have gone on"
    rng = random.Random(5)
    while again.outcome is None:
        plays_on(again, rng)


def test_the_options_are_those_of_the_game() -> None:
    options = GAME.choose_options({"rounds": "77", "balancedTowers": "no"})
    game = Slugathon(Table("g", NAMES[:2], options), random.Random(4))
    kept = agreed(game)
    assert dict(read_fixture(GAME, kept.fixture).options)["rounds"] == "77"
    assert resumed(kept, kept.seats).options == options


def test_a_word_can_be_taken_back() -> None:
    game = played(2, 20)
    says(game, "<suspend/>")
    says(game, '<suspend agree="false"/>')
    assert game.view(None).status.willing == ()
    says(game, '<suspend agree="true"/>')
    assert len(game.view(None).status.willing) == 1


def test_who_is_out_and_programs_need_not_agree_and_sit_last() -> None:
    house = House(
        legion(0, 1, "131", "Titan Ogre"), legion(1, 1, "111", "Titan Ogre"), legion(2, 1, "25", "Titan Ogre"),
        players=3, active=1,
    )  # fmt: skip
    house.game.leave(0)
    kept = agreed(house.game)
    assert kept.seats == ("bob", "cyd", "ann")
    assert kept.needed == 2
    again = resumed(kept, ("bob", "cyd", "Rowan (computer)"))
    assert [player.alive for player in again.position.players] == [True, True, False]
    with_program = played(3, 30, programs=1)
    assert agreed(with_program).needed == 2
    assert agreed(with_program).seats[-1] == "cyd"


def test_nobody_holds_the_others_up_by_agreeing_over_and_over() -> None:
    game = played(2, 20)
    seat, event = game.movers[0], len(game.messages)
    for _ in range(PATIENCE):
        says(game, "<suspend/>")
    assert len(game.messages) > event, "the default has been played"
    assert seat in range(2)


def test_a_game_is_kept_a_few_times_only() -> None:
    game = played(2, 20)
    codes = {agreed(game).code for _ in range(MAX_TIMES)}
    assert len(codes) == MAX_TIMES
    with pytest.raises(Refused, match="has been kept 3 times"):
        says(game, "<suspend/>")


def test_a_game_that_could_not_be_kept_is_not_told_to_be() -> None:
    game = played(2, 30)
    assert agreed(game).code
    game.fault(game.movers[0], RuleBroken("the disk is full"))
    assert kept_of(game) is None
    view = game.view(game.movers[0], len(game.record))
    assert view.status.kept is None
    assert view.nak is not None
    assert view.nak.reason == "the disk is full"
    assert view.status.awaiting in set(Awaiting)


def test_who_looks_is_told_in_words_who_agrees_and_the_code() -> None:
    game = played(2, 20)
    name = game.position.players[game.movers[0]].name
    says(game, "<suspend/>")
    assert f"{name} agrees to go on another time." in words(game)
    code = agreed(game).code
    assert f"the game is kept as it is, its code is {code}." in words(game)


def words(game: Slugathon) -> str:
    """What a spectator is told in words."""
    scene = Scene(tuple(Seat(one) for one in NAMES[:2]))
    return pictures.follow(scene)(Shown(write_view(game.view(None, 0)), game.movers)).words()
