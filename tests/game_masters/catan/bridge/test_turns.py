"""Which request answers which question: what comes too early waits, what is too old is forgotten."""

from game_masters.catan.bridge.turns import MAX_WAITING, Turns
from game_masters.catan.game.may import May, Places, Trades
from game_masters.catan.message.messages import (
    AcceptOffer,
    BuildRequest,
    ClearOffer,
    EndTurn,
    MakeOffer,
    PutPiece,
    RejectOffer,
    RollDice,
    Turn,
)

ME = 1
OFFER = MakeOffer(0, (False, True, True, False), (1, 0, 0, 0, 0, 0), (0, 1, 0, 0, 0, 0))
POLLED = May(ME, trades=Trades(reject=True, accept=(0,), offer=(0,)))
SPECIAL = May(ME, end=True, requests=(-1,))
ASKS = BuildRequest(-1)


def turns() -> Turns:
    return Turns(answer_s=8)


def test_a_request_answers_one_question() -> None:
    one = turns()
    assert one.is_asked(May(ME, roll=True), 0, own=True) is None
    assert one.wants(RollDice()) == RollDice()
    assert one.wants(EndTurn()) is None
    assert one.is_asked(May(ME, end=True), 1, own=True) == EndTurn()
    assert one.is_asked(May(ME, roll=True), 2, own=True) is None


def test_what_no_longer_fits_is_forgotten() -> None:
    one = turns()
    for early in (ClearOffer(None), PutPiece(None, 0, 0x66), PutPiece(None, 0, 0x67)):
        assert one.wants(early) is None
    assert one.is_asked(May(ME, end=True, places=Places(roads=(0x67,))), 0, own=True) == PutPiece(None, 0, 0x67)


def test_a_new_turn_forgets_what_has_waited() -> None:
    one = turns()
    assert one.wants(EndTurn()) is None
    one.takes(Turn(0, 15), ME)
    assert one.is_asked(May(ME, end=True), 0, own=True) is None


def test_only_so_much_waits() -> None:
    one = turns()
    for _ in range(MAX_WAITING + 5):
        assert one.wants(EndTurn()) is None
    answered = 0
    while one.is_asked(May(ME, end=True), 0, own=True):
        answered += 1
    assert answered == MAX_WAITING


def test_an_offer_is_answered_once_and_silence_is_a_no() -> None:
    one = turns()
    one.takes(OFFER, ME)
    assert one.is_asked(POLLED, 10, own=False) is None
    assert one.overdue(17.9) is None
    assert one.overdue(18) == RejectOffer(None)
    assert one.overdue(30) is None
    assert one.wants(AcceptOffer(None, 0)) is None  # too late
    one.is_not_asked()
    one.takes(OFFER, ME)
    assert one.is_asked(POLLED, 40, own=False) is None
    assert one.wants(AcceptOffer(None, 0)) == AcceptOffer(None, 0)


def test_an_answer_that_comes_before_the_question_waits_for_it() -> None:
    one = turns()
    one.takes(OFFER, ME)
    assert one.wants(RejectOffer(None)) is None
    assert one.is_asked(POLLED, 0, own=False) == RejectOffer(None)


def test_in_its_own_turn_a_client_may_be_silent_for_long() -> None:
    one = turns()
    one.is_asked(May(ME, end=True, trades=Trades(reject=True)), 0, own=True)
    assert one.overdue(1000) is None


def test_special_building_is_asked_for_before_the_question_comes() -> None:
    one = turns()
    assert one.is_asked(SPECIAL, 0, own=False, turn=1) == EndTurn()
    assert one.is_asked(SPECIAL, 0, own=False, turn=1) is None  # others have answered before it
    assert one.wants(ASKS) is None
    assert one.is_asked(SPECIAL, 0, own=False, turn=2) == ASKS
    assert one.is_asked(SPECIAL, 0, own=False, turn=3) == EndTurn()
    assert one.is_asked(May(ME, roll=True, requests=(-1,)), 0, own=True) is None
    assert one.wants(ASKS) == ASKS
