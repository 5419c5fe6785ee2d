"""The contract tests: every installed game keeps them, and a game that breaks a promise is caught."""

import random
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from pathlib import Path

import pytest

from game_masters.apologies import STANDARD
from game_masters.apologies import views as apologies_views
from game_masters.apologies.rules import Position
from game_masters.apologies.views import Mode
from game_masters.kit import check, check_led, check_pictures, check_questions, contract, leading, rehearsal
from game_masters.kit.check import CONTRACT
from game_masters.kit.contract import Check, ContractBroken, for_all_variants, variants
from game_masters.kit.rules import (
    AnyGame,
    Bot,
    Conduct,
    Follower,
    Option,
    Options,
    Outcome,
    Players,
    RuleBroken,
    Table,
    Unreadable,
    always,
)
from game_masters.registry import Broken, Registry, find_games
from tests.game_masters import sealed_bids
from tests.game_masters.high_card import HIGH_CARD, Deal, Decision, Hand, HighCardNotation, View
from tests.game_masters.sealed_bids import SEALED_BIDS, Rounds, SealedBidsNotation
from tests.profile import sized

GAMES: list[AnyGame] = [entry.game for entry in find_games().installed]


QUICK_REHEARSALS = {
    "apologies": 16,
    "apologies-adult": 16,
    "bang": 16,
    "catan": 10,
    "catan-six": 8,
    "chess": 16,
    "chess-variant": 12,
    "go": 16,
    "titan": 6,
}
"""Events of a rehearsal in a quick run, where 50 take too long: a state of these games is large, and each of their
wires, of which there are three, is rehearsed with few and many seats."""
QUICK_SHOWINGS = {"apologies": 150, "bang": 150, "catan": 150, "catan-six": 100, "chess": 80, "chess-variant": 60,
    "go": 80, "titan": 150}  # fmt: skip
"""Moves of these games that players and bots are shown in a quick run; of other games, all. (That bots of these games
come to an end is asked by tests of their own.)"""
QUICK_SAMPLED = 150
"""Moves after which costly checks of these games look at nothing more in a quick run: their positions are alike from
then on. That a game comes to its end, and what is asked there, has promises of its own."""
QUICK_SHOWN_FIRST = 60
"""Of these, so many are shown to everybody."""
TWINS = {"apologies-adult", "catan-six", "chess-variant"}
"""Games by the rules, notation and pictures of another installed one, with other seats or another mode: a quick run
asks them only for what may change with these."""
OF_TWINS = {
    promise.__name__
    for promise in (
        check.declares_itself_well,
        check.ends_with_a_proper_outcome,
        check.applies_every_legal_move,
        check.shows_players_the_rules_position,
        check.survives_departures,
        check.gives_seats_back,
        check_led.answers_the_same_again,
        check_led.plays_empty_seats,
        check_led.begins_with_every_choice_that_is_allowed,
        check_led.keeps_secrets_on_the_wire,
        check_questions.questions_reveal_no_secret,
        check_pictures.draws_every_position,
    )
}
LOOKED_ON = {check_questions.questions_reveal_no_secret.__name__}
PLAY_TO_THE_END = {check.has_bots_that_keep_the_rules.__name__, check_led.plays_empty_seats.__name__}
"""Promises that take the longest where many play."""


@pytest.fixture
def _sized_walks(monkeypatch: pytest.MonkeyPatch, game: AnyGame, promise: Check) -> None:
    """A walk through a large game costs seconds per promise: a quick run looks at fewer of its positions."""
    monkeypatch.setattr(check, "SAMPLED_EVERY", sized(quick=61, deep=check.SAMPLED_EVERY))
    first = QUICK_SHOWN_FIRST if game.name in QUICK_SHOWINGS else check.SHOWN_FIRST
    monkeypatch.setattr(check, "SHOWN_FIRST", sized(quick=first, deep=check.SHOWN_FIRST))
    sampled = QUICK_SAMPLED if game.name in QUICK_SHOWINGS else check.MAX_SAMPLED
    monkeypatch.setattr(check, "MAX_SAMPLED", sized(quick=sampled, deep=check.MAX_SAMPLED))
    monkeypatch.setattr(check, "SHOWN_EVERY", sized(quick=23, deep=check.SHOWN_EVERY))
    monkeypatch.setattr(check_pictures, "DRAWN_EVERY", sized(quick=41, deep=1))
    # That the end is drawn is asked once, that it is drawn the same again of shorter games.
    drawn_whole = promise.__name__ == check_pictures.draws_every_position.__name__ and game.name not in TWINS
    to_the_end = game.name not in QUICK_SHOWINGS or drawn_whole
    monkeypatch.setattr(check_pictures, "DRAWN_TO_THE_END", sized(quick=to_the_end, deep=True))
    monkeypatch.setattr(check_pictures, "MAX_WALK", sized(quick=60, deep=check_pictures.MAX_WALK))
    monkeypatch.setattr(check_pictures, "PICTURES_SAMPLED_EVERY", sized(quick=41, deep=7))
    monkeypatch.setattr(check_pictures, "MAX_AT_THE_ENDS", sized(quick=8, deep=check_pictures.MAX_AT_THE_ENDS))
    monkeypatch.setattr(contract, "MAX_COMBINATIONS", sized(quick=24, deep=contract.MAX_COMBINATIONS))
    monkeypatch.setattr(check_questions, "WALKS", sized(quick=1, deep=check_questions.WALKS))
    monkeypatch.setattr(check_questions, "MAX_WALK", sized(quick=120, deep=check_questions.MAX_WALK))
    monkeypatch.setattr(contract, "MAX_NUMBERS", sized(quick=2, deep=contract.MAX_NUMBERS))
    monkeypatch.setattr(check_led, "MAX_RESTORATIONS", sized(quick=2, deep=check_led.MAX_RESTORATIONS))
    showing = QUICK_SHOWINGS.get(game.name, check.MAX_SHOWING)
    monkeypatch.setattr(check, "MAX_SHOWING", sized(quick=showing, deep=check.MAX_SHOWING))
    longest = QUICK_REHEARSALS.get(game.name, 50)
    monkeypatch.setattr(check_led, "MAX_REHEARSAL", sized(quick=longest, deep=check_led.MAX_REHEARSAL))


def _with_some_seats(game: AnyGame, promise: Check) -> AnyGame:
    """A large game, as it is for one number of players: the fewest for one promise, the most for the next. Settlers for
    six are those for four with more seats: the fewest will do. What questions tell shows where many look on."""
    if game.name not in QUICK_REHEARSALS or promise.__name__ == check.declares_itself_well.__name__:
        return game
    even = CONTRACT.index(promise) % 2 == 0 and promise.__name__ not in LOOKED_ON
    fewest = game.name == "catan-six" or promise.__name__ in PLAY_TO_THE_END or even
    seats = game.players.min if fewest else game.players.max
    return replace(game, players=Players(seats, seats))


PROMISES = [(game, promise) for game in (*GAMES, HIGH_CARD, SEALED_BIDS) for promise in CONTRACT]
LONG_WITH_EVERY_OPTION = {
    promise.__name__
    for promise in (
        check.applies_every_legal_move,
        check.survives_departures,
        check.ends_with_a_proper_outcome,
        check_led.answers_the_same_again,
        check_led.plays_empty_seats,
        check_pictures.draws_every_position,
    )
}
"""Promises that take long with variants of chess, whose library goes through all moves for each: left to a deep run."""
QUICK_PROMISES = [
    (game, promise)
    for game, promise in PROMISES
    if (game.name not in TWINS or promise.__name__ in OF_TWINS)
    and not (game.name == "chess-variant" and promise.__name__ in LONG_WITH_EVERY_OPTION)
    and not (game.name == "catan-six" and promise.__name__ in PLAY_TO_THE_END)
]


@pytest.mark.usefixtures("_sized_walks")
@pytest.mark.parametrize(
    ("game", "promise"),
    [
        pytest.param(game, promise, id=f"{game.name}-{promise.__name__}")
        for game, promise in sized(quick=QUICK_PROMISES, deep=PROMISES)
    ],
)
def test_every_installed_game_keeps_every_promise(game: AnyGame, promise: Check) -> None:
    promise(sized(quick=_with_some_seats(game, promise), deep=game))


class Leaky(Deal):
    """Everybody sees the first card."""

    def view(self, seat: int | None, since: int = 0) -> View:
        first, *others = super().view(seat)
        return (Hand(self._cards[0], first.decided), *others)


class Endless(Deal):
    """Swapping is not deciding."""

    def apply(self, seat: int, move: Decision) -> None:
        if seat not in self.movers:
            raise RuleBroken("not now")
        self._record.append("again")


class Repeating(Deal):
    """Keeping is listed twice."""

    def legal_moves(self, seat: int) -> Sequence[Decision]:
        return [*super().legal_moves(seat), *super().legal_moves(seat)]


class Lenient(Deal):
    """Who has decided may decide again."""

    def apply(self, seat: int, move: Decision) -> None:
        if seat in self._undecided:
            super().apply(seat, move)


class Sparing(Deal):
    """Lists one of the two decisions, and takes the other one too."""

    def legal_moves(self, seat: int) -> Sequence[Decision]:
        return super().legal_moves(seat)[seat % 2 :][:1]


class SparingAndSaysSo(Sparing):
    """The same, as it should be."""

    def is_open(self, move: Decision) -> bool:
        return True


class Hasty(Deal):
    """A refused move leaves something behind."""

    def apply(self, seat: int, move: Decision) -> None:
        self._record.append("somebody wants to move")
        super().apply(seat, move)


class Moody(Deal):
    """Chance comes from elsewhere."""

    def __init__(self, table: Table, rng: random.Random) -> None:
        super().__init__(table, random.SystemRandom())


class Loyal(Deal):
    """Leavers are still asked."""

    def leave(self, seat: int) -> None:
        super().leave(seat)
        self._undecided.append(seat)


class Resentful(Deal):
    """Who has left may come back, and is never asked again."""

    def rejoin(self, seat: int) -> None:
        self._present.add(seat)


class Generous(Deal):
    """Moves are listed for those who may not act."""

    def legal_moves(self, seat: int) -> Sequence[Decision]:
        return list(Decision)


class Lonely(Deal):
    """The last player plays on."""

    def leave(self, seat: int) -> None:
        if seat in self._undecided:
            self._undecided.remove(seat)

    @property
    def outcome(self) -> Outcome | None:
        return None if self._undecided else Outcome("all decided", frozenset({0}))


class Stuck(Deal):
    """After a bad move nobody may act, and yet the game is not over."""

    def fault(self, seat: int, cause: RuleBroken | Unreadable) -> None:
        self._stuck = True

    _stuck = False

    @property
    def movers(self) -> tuple[int, ...]:
        return () if self._stuck else super().movers


class Silent(Deal):
    """Decisions do not get into the record."""

    def apply(self, seat: int, move: Decision) -> None:
        super().apply(seat, move)
        self._record.pop()


class Rigged(Deal):
    """What is listed cannot be done."""

    def apply(self, seat: int, move: Decision) -> None:
        raise RuleBroken("no")


class Swapped(HighCardNotation):
    """Reads one move as the other."""

    def read_move(self, payload: bytes) -> Decision:
        decision = super().read_move(payload)
        return Decision.KEEP if decision is Decision.SWAP else Decision.SWAP


class Trusting(HighCardNotation):
    """Takes anything for a move."""

    def read_move(self, payload: bytes) -> Decision:
        return Decision.SWAP if b"swap" in payload else Decision.KEEP


class Gullible(HighCardNotation):
    """Takes anything for a state."""

    def _read_view(self, payload: bytes) -> View:
        return (Hand(None, False),)


class Forgetful(HighCardNotation):
    """Does not write who has decided."""

    def write_view(self, view: View) -> bytes:
        return super().write_view(tuple(Hand(hand.card, False) for hand in view))


class Deaf(HighCardNotation):
    """Cannot read what it writes."""

    def write_move(self, move: Decision) -> bytes:
        return b"<gesture/>"


class Chatty(HighCardNotation):
    """Writes what the schema does not know."""

    def write_view(self, view: View) -> bytes:
        return super().write_view(view).replace(b"</gameState>", b"<hello/></gameState>")


class Shifty(Deal):
    """Another look, another state."""

    _looks = 0

    def view(self, seat: int | None, since: int = 0) -> View:
        self._looks += 1
        return super().view(seat)[:: (1, -1)[self._looks % 2]]


class Nameless(Deal):
    """Names for some of the seats."""

    @property
    def labels(self) -> Sequence[str]:
        return ("red",)


class Choosy(Deal):
    """Does not begin with many cards, though it says that it does."""

    def __init__(self, table: Table, rng: random.Random) -> None:
        super().__init__(table, rng)
        if table.options.integer("cards") > 50:
            raise ZeroDivisionError("too many")


class Talkative(Rounds):
    """The news tell everybody which cards lie face down."""

    def view(self, seat: int | None, since: int = 0) -> sealed_bids.View:
        return replace(super().view(seat, since), news=tuple(self.record[since:]))


class Naming(Rounds):
    """The first who may act is the one with the highest card."""

    @property
    def movers(self) -> tuple[int, ...]:
        return tuple(sorted(super().movers, key=lambda seat: -self._hands[seat][-1]))


class Hinting(Deal):
    """Once somebody has decided, those with high cards are asked last. Where cards are dealt anew, worlds with another
    question are left out, so that no comparison of positions shows it."""

    @property
    def movers(self) -> tuple[int, ...]:
        asked = super().movers
        return asked if len(asked) == len(self._cards) else tuple(sorted(asked, key=self._cards.__getitem__))

    def resampled(self, seat: int, rng: random.Random) -> Deal:
        other = super().resampled(seat, rng)
        return other if other.movers == self.movers else deepcopy(self)


class Pondering(Deal):
    """A low card takes an entry of the record more."""

    def apply(self, seat: int, move: Decision) -> None:
        super().apply(seat, move)
        if min(self._cards) < 4:
            self._record.append("thinks")

    def received(self, seat: int | None, since: int = 0) -> Sequence[object]:
        return [entry for entry in super().received(seat, since) if entry != "thinks"]


class Alike(Deal):
    """Has no other world."""

    def resampled(self, seat: int, rng: random.Random) -> Deal:
        return deepcopy(self)


class Newsless(Rounds):
    """News are told once, whatever has been heard."""

    def view(self, seat: int | None, since: int = 0) -> sealed_bids.View:
        return super().view(seat, max(since, len(self.record) - 1))


class Counting(SealedBidsNotation):
    """Adds the news up, so none of them may be missed."""

    def follow(self, options: Options) -> Follower[sealed_bids.View]:
        heard: list[sealed_bids.News] = []

        def hear(payload: bytes) -> sealed_bids.View:
            view = self._read_view(payload)
            heard.extend(news for news in view.news if news not in heard)
            return replace(view, news=tuple(heard))

        return hear


class Muddled(HighCardNotation):
    """Cannot read its own states."""

    def follow(self, options: Options) -> Follower[View]:
        def hear(payload: bytes) -> View:
            raise Unreadable("what?")

        return hear


def cheat(view: View, rng: random.Random) -> Decision:
    """No move at all."""
    return "look"  # type: ignore[return-value]


class Bare(Position):
    """In ADULT the public sees the first hand."""

    def view(self, seat: int | None, since: int = 0) -> apologies_views.View:
        return super().view(0 if seat is None else seat, since)


def begin_bare(table: Table, rng: random.Random) -> Bare:
    """In the mode that is chosen."""
    return Bare(Mode(table.options.word("mode")), table, rng)


def nothing_is_hidden(options: Options) -> bool:
    """Whatever is chosen."""
    return False


BROKEN: list[tuple[AnyGame, Check, str]] = [
    (replace(HIGH_CARD, name="High Card"), check.declares_itself_well, "not a lower-case word"),
    (replace(HIGH_CARD, game_type="x" * 65), check.declares_itself_well, "1 to 64"),
    (replace(HIGH_CARD, summary=""), check.declares_itself_well, "no summary"),
    (replace(HIGH_CARD, schema=Path("nowhere.xsd")), check.declares_itself_well, "does not exist"),
    (replace(HIGH_CARD, bots=HIGH_CARD.bots * 2), check.declares_itself_well, "two bots"),
    (replace(HIGH_CARD, options=HIGH_CARD.options * 2), check.declares_itself_well, "two options"),
    (replace(HIGH_CARD, options=(Option("a", 1, ""),)), check.declares_itself_well, "no explanation"),
    (replace(HIGH_CARD, options=(Option("a", 1, "b", range(2, 3)),)), check.declares_itself_well, "defaults"),
    (replace(HIGH_CARD, start=Generous), check.ends_with_a_proper_outcome, "legal moves after the end"),
    (replace(HIGH_CARD, start=Endless), check.ends_with_a_proper_outcome, "no end after"),
    (replace(HIGH_CARD, start=Repeating), check.applies_every_legal_move, "listed twice"),
    (replace(HIGH_CARD, start=Silent), check.applies_every_legal_move, "nothing in the record"),
    (replace(HIGH_CARD, start=Rigged), check.applies_every_legal_move, "is refused: no"),
    (replace(HIGH_CARD, start=Sparing), check.refuses_illegal_moves, "not listed as legal"),
    (replace(HIGH_CARD, start=Lenient), check.refuses_illegal_moves, "not listed as legal"),
    (replace(HIGH_CARD, start=Hasty), check.refuses_illegal_moves, "changed something"),
    (replace(HIGH_CARD, start=Generous), check.refuses_illegal_moves, "but moves for seat"),
    (replace(HIGH_CARD, start=Moody), check.repeats_itself, "the same seed and moves, but another game"),
    (replace(HIGH_CARD, chance=False), check.repeats_itself, "no chance declared"),
    (replace(HIGH_CARD, notation=Swapped()), check.writes_moves_that_it_reads, "and read as"),
    (replace(HIGH_CARD, notation=Deaf()), check.writes_moves_that_it_reads, "cannot read its own"),
    (replace(HIGH_CARD, notation=Trusting()), check.refuses_unreadable_payloads, "was read as"),
    (replace(HIGH_CARD, notation=Gullible()), check.refuses_unreadable_payloads, "b'' was read as"),
    (replace(HIGH_CARD, notation=Forgetful()), check.shows_players_the_rules_position, "and read as"),
    (replace(HIGH_CARD, notation=Chatty()), check.fits_its_schema, "the schema refuses"),
    (replace(HIGH_CARD, start=Loyal), check.survives_departures, "to move"),
    (replace(HIGH_CARD, start=Lonely), check.survives_departures, "the game goes on"),
    (
        replace(HIGH_CARD, start=Resentful, conduct=Conduct(rejoins=True)),
        check.gives_seats_back,
        "none of them was ever asked again",
    ),
    (replace(HIGH_CARD, start=Stuck), check.survives_bad_moves, "to move: ()"),
    (replace(HIGH_CARD, bots=(Bot("cheat", "x", cheat),)), check.has_bots_that_keep_the_rules, "is not legal"),
    (replace(HIGH_CARD, start=Leaky), check.keeps_secrets, "sees something"),
    (replace(HIGH_CARD, hides_with=None), check.keeps_secrets, "hidden information?"),
    (replace(HIGH_CARD, start=Nameless), check.ends_with_a_proper_outcome, "these labels"),
    (replace(HIGH_CARD, options=(Option("a", "b c", "d", ("b c",)),)), check.declares_itself_well, "not one word"),
    (replace(HIGH_CARD, start=Moody), check_led.answers_the_same_again, "and then"),
    (replace(HIGH_CARD, notation=Muddled()), check_led.answers_the_same_again, "cannot read its own"),
    (replace(HIGH_CARD, start=Stuck), check_led.answers_the_same_again, "no player is asked"),
    (replace(HIGH_CARD, start=Shifty), check_led.goes_on_from_any_point, "the state was"),
    (replace(HIGH_CARD, start=Endless), check_led.plays_empty_seats, "has to give up"),
    (replace(HIGH_CARD, bots=(Bot("cheat", "x", cheat),)), check_led.plays_empty_seats, "no end"),
    (replace(HIGH_CARD, start=Choosy), check_led.begins_with_every_choice_that_is_allowed, "has to give up"),
    (
        replace(SEALED_BIDS, notation=Counting(), start=Newsless),
        check_led.lets_players_come_back,
        "back to",
    ),
    (replace(SEALED_BIDS, start=Talkative), check_led.keeps_secrets_on_the_wire, "sees something hidden"),
    (replace(SEALED_BIDS, start=Naming), check_led.keeps_secrets_on_the_wire, "who may move reveals"),
    (replace(SEALED_BIDS, start=Naming), check_questions.questions_reveal_no_secret, "who is asked reveals a secret"),
    (replace(HIGH_CARD, start=Hinting), check_questions.questions_reveal_no_secret, "who is asked reveals a secret"),
    (replace(HIGH_CARD, start=Pondering), check_questions.questions_reveal_no_secret, "how long it took reveals"),
    (replace(HIGH_CARD, start=Leaky), check_questions.questions_reveal_no_secret, "a secret shows to"),
    (replace(HIGH_CARD, start=Alike), check_questions.questions_reveal_no_secret, "no other world could be"),
    (replace(STANDARD, hides_with=nothing_is_hidden), check.declares_itself_well, "no options hide any"),
    (replace(STANDARD, hides_with=nothing_is_hidden), check.keeps_secrets, "hidden information?"),
    (replace(STANDARD, hides_with=None), check.keeps_secrets, "hidden information?"),
]


@pytest.mark.parametrize(("game", "promise", "why"), BROKEN)
def test_a_broken_promise_is_found(game: AnyGame, promise: Check, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for where, limit in ((check, "MAX_GAME"), (rehearsal, "MAX_GAME"), (leading, "MAX_PROGRAM_MOVES")):
        monkeypatch.setattr(where, limit, 200)
    with pytest.raises(ContractBroken) as broken:
        promise(game)
    assert str(broken.value).startswith(f"{game.name}: ")
    assert why in str(broken.value)


def test_a_notation_that_adds_news_up_is_in_order_where_they_are_told_until_they_are_heard() -> None:
    check_led.lets_players_come_back(replace(SEALED_BIDS, notation=Counting()))


def test_a_schema_that_accepts_anything_is_found(tmp_path: Path) -> None:
    lax = tmp_path / "lax.xsd"
    lax.write_text(
        '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">'
        '<xs:element name="move"/><xs:element name="gameState"/></xs:schema>',
        encoding="utf-8",
    )
    with pytest.raises(ContractBroken, match="the schema accepts"):
        check.fits_its_schema(replace(HIGH_CARD, schema=lax))


def test_secrets_that_are_never_hidden_are_found() -> None:
    game = find_games().game("tic-tac-toe")
    assert not game.hidden_information
    with pytest.raises(ContractBroken, match="nothing is ever hidden"):
        check.keeps_secrets(replace(game, hides_with=always))


def test_a_game_that_hides_something_with_some_options_is_tried_out_with_and_without_them() -> None:
    modes = [variant.choose_options({}).word("mode") for variant in variants(STANDARD)]
    assert modes == ["STANDARD", "ADULT"]
    assert [list(variants(game)) for game in (HIGH_CARD, SEALED_BIDS)] == [[HIGH_CARD], [SEALED_BIDS]]
    leaky = replace(STANDARD, start=begin_bare)
    check.keeps_secrets(leaky)
    with pytest.raises(ContractBroken, match=r"(sees|shows) something .*\(with mode=ADULT, rules=strict\)$"):
        for_all_variants(check.keeps_secrets)(leaky)
    with pytest.raises(ContractBroken, match=r"(sees|shows) something .*[^)]$"):
        for_all_variants(check.keeps_secrets)(replace(HIGH_CARD, start=Leaky))


def test_the_checks_can_be_run_from_the_command_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    promises = sized(quick=CONTRACT[:3], deep=CONTRACT)
    monkeypatch.setattr(check, "CONTRACT", promises)
    assert check.main(["tic-tac-toe"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines == [f"tic-tac-toe: {promise.__name__}: kept" for promise in promises]
    assert check.main(["ludo"]) == 2
    assert "there is no game 'ludo'" in capsys.readouterr().err


def test_a_library_that_another_game_lacks_fails_no_check(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check, "CONTRACT", CONTRACT[:1])
    (entry,) = [one for one in find_games().installed if one.game.name == "tic-tac-toe"]
    lacking = Broken("chess", "ugs-games", "its library is not installed", lacks_library=True)
    monkeypatch.setattr(check, "find_games", lambda: Registry((entry,), (lacking,)))
    assert check.main(["tic-tac-toe"]) == 0
    assert capsys.readouterr().err == ""
    assert check.main([]) == 0
    assert "chess" in capsys.readouterr().err
    monkeypatch.setattr(check, "find_games", lambda: Registry((entry,), (replace(lacking, lacks_library=False),)))
    assert (check.main(["tic-tac-toe"]), check.main([])) == (0, 1)


def test_moves_of_an_open_kind_need_not_all_be_listed() -> None:
    check.refuses_illegal_moves(replace(HIGH_CARD, start=SparingAndSaysSo))
