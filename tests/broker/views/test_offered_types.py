"""Game types as lists of the lobby show them."""

from tests.broker.house import CHESS, House
from ugs.broker.views.offered_types import led_types
from ugs.wire.extensions import Family, GameTypeInfo, OfferedOption, Offers

MODE = OfferedOption("mode", "STANDARD", "STANDARD ADULT")
RULES = OfferedOption("rules", "strict", "strict loose")


def test_led_types_have_the_options_of_all_their_masters_once() -> None:
    house = House(masters_per_game=2)
    house.leader("m", Family.TABLE, players=(2, 2), options=(MODE,))
    house.leader("n", Family.TABLE, players=(3, 4), options=(RULES, OfferedOption("mode", "ADULT", "ADULT")))
    house.player("ann", "go")
    known = GameTypeInfo(CHESS, 2, 4, True, True, (MODE, RULES))
    assert led_types(house.broker.server, 9) == (known,), "nobody leads go"
    assert led_types(house.broker.server, 1) == (GameTypeInfo(CHESS, 2, 4, True, True, (MODE,)),)
    assert led_types(house.broker.server, 0) == ()


def test_no_programs_are_promised_where_no_master_plays_seats() -> None:
    house = House(masters_per_game=2)
    master = house.leader("m", Family.TABLE, options=(MODE,))
    master.says(Offers((MODE,), plays_seats=False))
    assert led_types(house.broker.server, 1) == (GameTypeInfo(CHESS, 2, 2, True, False, (MODE,)),)
    house.leader("n", Family.TABLE)
    assert led_types(house.broker.server, 1) == (GameTypeInfo(CHESS, 2, 2, True, True, (MODE,)),)
