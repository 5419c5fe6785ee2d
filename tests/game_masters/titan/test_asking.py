"""What questions tell: who is asked what follows from what everybody knows, for master and readers alike."""

import random
from collections.abc import Sequence

import pytest

from game_masters.kit.rules import Table
from game_masters.titan import GAME
from game_masters.titan.bots import BOTS
from game_masters.titan.notation import follow, write_view
from game_masters.titan.position import Awaiting
from game_masters.titan.rules import Slugathon
from game_masters.titan.views import Status
from tests.game_masters.titan.table import NAMES, House, legion
from tests.profile import sized

CYD = 2
"""Takes no part in the engagements here."""


def statuses(requests: Sequence[str], *, giver: str = "Lion Ogre", defender: str = "Lion Lion") -> list[Status]:
    """What cyd is told of an engagement of the other two, request by request; but for the stock, which everybody knows
    and which is not that of a game that began with other creatures."""
    house = House(
        legion(0, 1, "131", "Titan Ogre"), legion(0, 2, "2", "Ogre Ogre"), legion(0, 3, "20", giver),
        legion(1, 1, "111", "Titan Ogre"), legion(1, 2, "3", defender), legion(2, 1, "25", "Titan Ogre"),
        players=3, dice=[1],
    )  # fmt: skip
    told = []
    for request in ("<roll/>", '<move legion="Rd02" hex="3"/>', '<engage hex="3"/>', *requests):
        house.does(request)
        assert house.game.view(CYD).status == house.game.view(None).status
        told.append(house.game.view(CYD).status)
    return [Status(**{name: getattr(one, name) for name in Status.__slots__ if name != "stock"}) for one in told]


def test_no_question_tells_whether_there_is_an_angel_to_summon() -> None:
    requests = ('<doNotFlee legion="Bu02"/>', '<doNotConcede legion="Rd02"/>', '<concede legion="Bu02"/>')
    with_angel, without = statuses(requests, giver="Angel Ogre"), statuses(requests, giver="Lion Ogre")
    assert with_angel == without
    assert without[-1].awaiting is Awaiting.SUMMON


def test_no_question_tells_whether_there_is_a_lord_that_does_not_flee() -> None:
    requests = ('<doNotFlee legion="Bu02"/>', '<doNotConcede legion="Rd02"/>')
    assert statuses(requests, defender="Lion Angel") == statuses(requests, defender="Lion Lion")


def test_no_question_tells_what_a_survivor_can_muster() -> None:
    """In brush a Gargoyle brings something, and an Ogre nothing."""
    told = {}
    for inside in ("Ogre Ogre Ogre", "Gargoyle Gargoyle Ogre"):
        kept = inside.split()[:2]
        creatures = "".join(f'<creature name="{one}"/>' for one in kept)
        offer = f'<negotiate hex="3" survivor="Bu02"><creatures>{creatures}</creatures></negotiate>'
        told[inside] = statuses((offer, '<accept hex="3" survivor="Bu02"/>'), defender=inside)
    one, other = told.values()
    assert one == other
    assert one[-1].awaiting is Awaiting.REINFORCE


@pytest.mark.parametrize("players", [2, 3, 6])
def test_what_a_reader_knows_agrees_with_its_status(players: int) -> None:
    """Phase, engagement and question are in the position what they are in the status, for everybody, at any time."""
    options = GAME.choose_options({})
    for seed in range(sized(quick=1, deep=30)):
        game = Slugathon(Table("g", NAMES[:players], options), random.Random(f"{players} {seed}"))
        rng = random.Random(seed)
        readers = {seat: follow(options) for seat in (None, *range(players))}
        told = dict.fromkeys(readers, 0)
        for _ in range(sized(quick=300, deep=5000)):
            if game.outcome is not None:
                break
            for seat, receives in readers.items():
                view = receives(write_view(game.view(seat, told[seat])))
                told[seat] = len(game.record)
                status, known = view.status, view.position
                assert (known.phase, known.turn, known.asked) == (status.phase, status.turn, game.position.asked)
                assert (known.engagement is None) == (status.hex is None) == (game.position.engagement is None)
                if known.engagement is not None:
                    assert (known.engagement.attacker, known.engagement.defender) == (status.attacker, status.defender)
                assert set(known.legions) == set(game.position.legions)
                if seat == game.movers[0]:
                    asked = view
            bot = BOTS[seed % 2]
            game.apply(game.movers[0], bot.choose(asked, rng))
