"""Standing answers, and states that tell only what has changed: for those who ask for them, and nobody else notices."""

import random
from collections.abc import Sequence
from dataclasses import replace
from statistics import mean

import pytest

from game_masters.catan import FOUR, SIX
from game_masters.catan.logs.extractor import actions_of
from game_masters.catan.logs.soclog import log_of
from game_masters.catan.message.message import Message
from game_masters.catan.message.messages import EndTurn, MakeOffer, RejectOffer, RollDice
from game_masters.catan.message.standing import Standing, Subject
from game_masters.catan.notation import follow, read_move, write_move, write_view
from game_masters.catan.rules import PATIENCE, Position
from game_masters.kit import check, check_led, check_questions
from game_masters.kit.client import Send
from game_masters.kit.leading import Leading, replay
from game_masters.kit.match import play
from game_masters.kit.rules import AnyGame, RuleBroken, Table, Unreadable
from game_masters.kit.seating import Seating
from game_masters.kit.showing import Manner
from tests.game_masters.catan.scene import Scene, at, resources
from tests.profile import sized
from ugs.wire.extensions import Past, PastLeft, PastMove, Views

OFFER = MakeOffer(None, (True, True, True, False), (1, 0, 0, 0, 0, 0), (0, 1, 0, 0, 0, 0))
OFFERS, SPECIAL = frozenset({Subject.OFFERS}), frozenset({Subject.SPECIAL})
ALL_BRIEF = Standing(None, brief=True)


def trading() -> Scene:
    """The turn of p3, who has clay to offer."""
    return Scene(at(seats={3: {"hand": [3, 0, 0, 0, 0]}, 0: {"hand": [0, 1, 0, 0, 0]}}))


def rejects(seat: int) -> list[str]:
    return [f"f{seat}:SOCRejectOffer:game=test|playerNumber=0", f"all:SOCRejectOffer:game=test|playerNumber={seat}"]


def test_a_standing_no_rejects_each_offer_at_once_in_the_same_words() -> None:
    scene = trading()
    scene.play.seats[0].no = scene.play.seats[2].no = OFFERS
    scene.news()
    scene.state.apply(3, OFFER)
    said = scene.news()
    assert [line[:20] for line in said[:3]] == ["f3:SOCMakeOffer:game", "all:SOCMakeOffer:gam", "all:SOCClearTradeMsg"]
    assert said[3:] == [*rejects(0), *rejects(2)]
    assert list(scene.state.movers) == [1]
    assert scene.ask("f1:SOCRejectOffer:game=test|playerNumber=0") == rejects(1)
    assert list(scene.state.movers) == [3]
    asked = trading()
    asked.state.apply(3, OFFER)
    for seat in (0, 1, 2):
        asked.ask(f"f{seat}:SOCRejectOffer:game=test|playerNumber=0")
    assert sorted(asked.lines()) == sorted(scene.lines())
    assert actions_of([one for entry in log_of(scene.play).entries for one in [entry.event]], full=True)


def test_with_a_standing_no_nobody_is_asked_for_special_building() -> None:
    scene = Scene({"turn": 0, "state": 20, "round": 3}, {"PLB": "t"}, players=4)
    scene.play.seats[1].no = scene.play.seats[3].no = SPECIAL
    scene.state.apply(0, EndTurn())
    assert scene.state.movers == (2,)
    scene.state.apply(2, Standing(EndTurn(), SPECIAL))
    assert scene.state.view(None).current == 1
    later = Scene({"turn": 1, "state": 20, "round": 3}, {"PLB": "t"}, players=4)
    later.play.seats[2].no = SPECIAL
    later.state.apply(1, Standing(EndTurn(), frozenset()))
    assert later.state.movers == (3, 0)


def test_a_standing_no_holds_until_its_player_says_otherwise_or_leaves() -> None:
    scene = trading()
    scene.state.apply(3, OFFER)
    scene.state.apply(0, Standing(RejectOffer(None), OFFERS))
    for seat in (1, 2):
        scene.state.apply(seat, RejectOffer(None))
    scene.state.apply(3, OFFER)
    assert list(scene.state.movers) == [1, 2]
    for seat in (1, 2):
        scene.state.apply(seat, RejectOffer(None))
    scene.play.seats[0].no = frozenset()
    scene.state.apply(3, OFFER)
    assert list(scene.state.movers) == [0, 1, 2]
    scene.play.seats[1].no = OFFERS
    scene.state.leave(1)
    assert not scene.play.seats[1].no


def test_a_refused_request_changes_nothing_of_what_is_wanted() -> None:
    scene = trading()
    with pytest.raises(RuleBroken, match="no dice are rolled"):
        scene.state.apply(3, Standing(RollDice(), OFFERS, brief=True))
    assert not scene.play.seats[3].no
    assert not scene.play.seats[3].brief


def test_only_its_player_sees_what_it_is_not_asked() -> None:
    scene = trading()
    scene.play.seats[3].no = frozenset(Subject)
    assert b' no="offers special"' in write_view(scene.state.view(3))
    for reader in (None, 0, 1, 2):
        shown = write_view(scene.state.view(reader))
        assert b" no=" not in shown
        scene.play.seats[3].no = frozenset()
        assert write_view(scene.state.view(reader)) == shown
        scene.play.seats[3].no = frozenset(Subject)


@pytest.mark.parametrize(
    ("move", "payload"),
    [
        (
            Standing(EndTurn(), frozenset(Subject), True),
            b'<move no="offers special" states="changes"><SOCEndTurn/></move>',
        ),
        (Standing(EndTurn(), frozenset()), b'<move no=""><SOCEndTurn/></move>'),
        (Standing(RollDice(), None, False), b'<move states="whole"><SOCRollDice/></move>'),
        (ALL_BRIEF, b'<move states="changes"></move>'),
    ],
)
def test_what_is_wanted_stands_at_the_move(move: Message, payload: bytes) -> None:
    assert write_move(move) == payload
    assert read_move(payload) == move


@pytest.mark.parametrize(
    ("payload", "why"),
    [
        (b'<move no="robber"><SOCEndTurn/></move>', "attribute no: 'robber' is not"),
        (b'<move states="some"><SOCEndTurn/></move>', "attribute states: 'some' is none of changes, whole"),
        (b'<move yes="offers"><SOCEndTurn/></move>', "attributes yes; expected none"),
        (b'<move no=""><SOCEndTurn/><SOCEndTurn/></move>', "2 elements inside"),
        (b"<move/>", "0 elements inside"),
    ],
)
def test_what_cannot_be_read_is_named(payload: bytes, why: str) -> None:
    with pytest.raises(Unreadable, match=why):
        read_move(payload)


# --- states that tell what has changed --------------------------------------------------------------------------------


def test_the_first_state_is_whole_and_the_next_tells_what_has_changed() -> None:
    scene = trading()
    before = write_view(scene.state.view(3))
    scene.state.apply(3, ALL_BRIEF)
    whole = write_view(scene.state.view(3))
    assert whole.count(b"<seat ") == before.count(b"<seat ") == 4
    bank = f"give={resources(clay=4)}|get={resources(ore=1)}"
    scene.ask(f"f3:SOCBankTrade:game=test|{bank}")
    changed = write_view(scene.state.view(3))
    assert b"<changes>" in changed
    assert b"<seat " not in changed
    assert len(changed) * 2 < len(whole)
    assert changed == write_view(scene.state.view(3)), "once more it is the same"
    hear = follow(FOUR.choose_options({}))
    hear(whole)
    assert hear(changed) == scene.state.view(3)
    assert hear(changed) == scene.state.view(3)
    scene.state.apply(3, Standing(EndTurn(), brief=False))
    assert b"<table " in write_view(scene.state.view(3))


def test_who_does_not_know_the_state_before_is_told_so_and_asks_for_a_whole_one() -> None:
    scene = trading()
    scene.state.apply(3, ALL_BRIEF)
    scene.state.view(3)
    scene.ask("f3:SOCRollDice:game=test")
    hear = follow(FOUR.choose_options({}))
    lost = hear(write_view(scene.state.view(3)))
    assert lost.lost
    assert (lost.waiting, lost.may) == ((3,), ())
    asks = FOUR.bot("settler-brief").choose(lost, random.Random(0))
    assert asks == ALL_BRIEF
    scene.state.apply(3, asks)
    found = hear(write_view(scene.state.view(3)))
    assert not found.lost
    assert found == scene.state.view(3)


def test_saying_nothing_but_what_is_wanted_wears_out_patience() -> None:
    scene = trading()
    others = [write_view(scene.state.view(reader, len(scene.play.record))) for reader in (None, 0)]
    for _ in range(PATIENCE):
        scene.state.apply(3, ALL_BRIEF)
    now = [write_view(scene.state.view(reader, len(scene.play.record))) for reader in (None, 0)]
    assert [shown.partition(b"state=")[2] for shown in now] == [shown.partition(b"state=")[2] for shown in others]
    before = len(scene.lines())
    scene.state.apply(3, ALL_BRIEF)
    assert len(scene.lines()) > before, "the program has decided"
    idle = next(seat for seat in range(4) if seat not in scene.state.movers)
    with pytest.raises(RuleBroken):
        scene.state.apply(idle, ALL_BRIEF)


class Wishing(Position):
    """A game of players who want this and that from now on."""

    def legal_moves(self, seat: int) -> Sequence[Message]:
        wants: list[tuple[frozenset[Subject] | None, bool | None]] = [
            (None, True), (OFFERS, None), (SPECIAL, None), (frozenset(Subject), True), (frozenset(), False),
        ]  # fmt: skip
        listed = super().legal_moves(seat)
        rng = random.Random(f"{len(self.record)} {seat}")
        return [Standing(move, *rng.choice(wants)) if rng.random() < 0.5 else move for move in listed]

    def apply(self, seat: int, move: Message) -> None:
        """Move, and show the state to all, as a master does after each move."""
        super().apply(seat, move)
        for reader in range(len(self.play.occupied)):
            self.view(reader, len(self.record))


@pytest.mark.parametrize("game", [FOUR, SIX], ids=["four", "six"])
def test_no_standing_answer_tells_a_secret(game: AnyGame, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_questions, "WALKS", sized(quick=1, deep=check_questions.WALKS))
    monkeypatch.setattr(check_questions, "MAX_WALK", sized(quick=60, deep=check_questions.MAX_WALK))
    monkeypatch.setattr(check_led, "MAX_REHEARSAL", sized(quick=25, deep=check_led.MAX_REHEARSAL))
    wishing = replace(game, start=Wishing)
    check_questions.questions_reveal_no_secret(wishing)
    check_led.keeps_secrets_on_the_wire(wishing)


def test_readers_of_changes_see_what_the_rules_let_them_see(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "MAX_SHOWING", sized(quick=25, deep=check.MAX_SHOWING))
    for scenario in ("SC_FOG", "SC_CLVI")[: sized(quick=1, deep=2)]:
        options = tuple(replace(one, default=scenario) if one.name == "SC" else one for one in FOUR.options)
        check.shows_players_the_rules_position(replace(FOUR, start=Wishing, options=options))
    if sized(quick=0, deep=1):
        check.fits_its_schema(replace(SIX, start=Wishing))


def test_a_successor_goes_on_from_the_states_that_players_have() -> None:
    """A departure while others are asked brings no state, so its players do not get the first one of the successor."""

    def a_game() -> Leading:  # type: ignore[type-arg]
        seating = Seating(Table("taken", ("p0", "p1", "p2", "p3"), FOUR.choose_options({})))
        return Leading(FOUR, seating, lambda purpose: random.Random(f"taken {purpose}"), Manner(True, True), None)

    first, second, happened = a_game(), a_game(), list[Past]()
    first.begin()
    for _ in range(6):
        (seat,) = first.asked
        payload = write_move(Standing(next(iter(first._state.legal_moves(seat))), brief=True))
        happened.append(PastMove(f"p{seat}", payload))
        first.moved(seat, payload)
    (asked,) = first.asked
    gone = (asked + 1) % 4
    assert not first.left(gone)
    replay(second, [*happened, PastLeft(f"p{gone}", "left")])
    assert second.resumed()
    payload = write_move(next(iter(first._state.legal_moves(asked))))
    assert second.moved(asked, payload) == first.moved(asked, payload)


BOTS = ("settler", "settler-brief")


# --- what it saves ----------------------------------------------------------------------------------------------------


def led(bot: str, seed: str, most_moves: int) -> tuple[int, int]:
    """The moves of a game of six such bots, and the bytes of all its states: for each seat, and for everybody."""
    names = tuple(f"p{seat}" for seat in range(6))
    seating = Seating(Table("costs", names, SIX.choose_options({})))

    def chance(purpose: str) -> random.Random:
        return random.Random(f"{seed} {purpose}")

    leading = Leading(SIX, seating, chance, Manner(views=True, movers=True), None)
    readers = {name: follow(SIX.choose_options({})) for name in names}
    seen = {}
    effects, moves, written = leading.begin(), 0, 0
    while True:
        for effect in effects:
            if isinstance(effect, Send) and isinstance(effect.message, Views):
                for view in effect.message.views:
                    written += len(view.payload)
                    if view.nick:
                        seen[view.nick] = readers[view.nick](view.payload)
        if leading.over or moves == most_moves:
            return moves, written
        seat = min(leading.asked)
        move = SIX.bot(bot).choose(seen[names[seat]], random.Random(moves))
        effects = leading.moved(seat, write_move(move))
        moves += 1


def test_at_the_rate_of_the_first_moves_400_have_at_most_3_mb_of_states() -> None:
    first = 160
    assert led("settler-brief", "costs", first)[1] * 400 / first <= 3e6


def test_a_game_of_six_takes_at_most_400_moves_and_3_mb_of_states(capsys: pytest.CaptureFixture[str]) -> None:
    """In the mean: games are of different lengths."""
    games = sized(quick=6, deep=20)
    moves = mean(play(SIX, ["settler-brief"] * 6, f"c{seed}", SIX.choose_options({}))[1] for seed in range(games))
    assert moves <= 400
    found = {bot: [led(bot, f"costs {game}", 10_000) for game in range(sized(quick=0, deep=3))] for bot in BOTS}
    for bot, each in found.items():
        if each:
            taken, written = (mean(one[part] for one in each) for part in (0, 1))
            with capsys.disabled():
                print(f"\n{bot}: {taken:.0f} moves, {written / 1e6:.1f} MB of states a game, of {len(each)}", end="")
            assert (written * moves / taken <= 3e6) is (bot == "settler-brief")
