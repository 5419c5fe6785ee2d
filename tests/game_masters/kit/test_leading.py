"""Games with extensions: secrets, several movers, seats of the program, another master."""

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest

from game_masters.kit import leading
from game_masters.kit.client import Effect, Level, Note, Send
from game_masters.kit.master import Master
from game_masters.kit.rehearsal import no_chance
from game_masters.kit.rules import Bot, Conduct, Game, always
from game_masters.tic_tac_toe import GAME
from game_masters.tic_tac_toe.rules import Cell
from game_masters.tic_tac_toe.rules import View as Board
from tests.game_masters.sealed_bids import SEALED_BIDS, Rounds, View
from ugs.wire.extensions import (
    Failed,
    Hello,
    Labels,
    Moved,
    OfferedOption,
    Offers,
    Past,
    PastLeft,
    PastMove,
    PastRejoined,
    RefusalReason,
    Rejoined,
    Restore,
    SeatKind,
    Stop,
    Views,
)
from ugs.wire.messages import (
    BeginGame,
    Choice,
    GameState,
    LoginResponse,
    Message,
    Move,
    PlayerLeftGame,
    PlayerResult,
    Result,
)

SEED = "a seed"
ALL = ("table", "restore", "views", "movers")
SMALL = {"width": "5", "height": "5", "row": "3"}


def a_master(*families: str, game: Game[int, View] = SEALED_BIDS) -> Master[int, View]:
    chance = no_chance if "restore" in families else random.Random
    master = Master(game, game.choose_options({}), id="m1", chance=chance)
    master.connected()
    master.received(Hello(families))
    master.received(LoginResponse())
    return master


def a_master_of_rows(*families: str, game: Game[Cell, Board] = GAME) -> Master[Cell, Board]:
    master = Master(game, game.choose_options(SMALL), id="m1", chance=random.Random)
    master.connected()
    master.received(Hello(families))
    master.received(LoginResponse())
    return master


def sent(effects: Sequence[Effect]) -> list[Message]:
    return [effect.message for effect in effects if isinstance(effect, Send)]


def noted(effects: Sequence[Effect]) -> list[str]:
    return [effect.event for effect in effects if isinstance(effect, Note)]


def views_of(effects: Sequence[Effect]) -> Views:
    message = sent(effects)[-1]
    assert isinstance(message, Views)
    return message


def shown(message: Views) -> dict[str, View]:
    """Return what each player sees, and under ``""`` what everybody sees."""
    read = SEALED_BIDS.notation.follow(SEALED_BIDS.choose_options({}))
    return {view.nick: read(view.payload) for view in message.views}


def card(number: int) -> bytes:
    return b'<move><card value="%d"/></move>' % number


def lowest(master: Master[int, View], state: Views, nick: str) -> Views:
    """Let this player lay its lowest card."""
    return views_of(master.received(Moved("g1", nick, card(min(shown(state)[nick].hand)))))


def begin(*nicks: str, seats: int = 0, seed: str = SEED) -> BeginGame:
    return BeginGame("g1", nicks, (), seats, seed)


def test_a_login_is_followed_by_what_can_be_chosen() -> None:
    master = Master(GAME, GAME.choose_options(SMALL), id="m1", chance=random.Random)
    master.connected()
    master.received(Hello(("table",)))
    assert sent(master.received(LoginResponse())) == [
        Offers(
            (
                OfferedOption("width", "5", least=3, most=100),
                OfferedOption("height", "5", least=3, most=100),
                OfferedOption("row", "3", least=3, most=10),
                OfferedOption("puzzle", "0", least=0, most=12),
            )
        )
    ]


# --- views and movers ---------------------------------------------------------------------------------------------


def test_everybody_is_shown_its_own_hand_and_nobody_elses() -> None:
    master = a_master("views", "movers", "restore")
    state = views_of(master.received(begin("ann", "bob")))
    assert state.next_players == ("ann", "bob")
    assert [view.nick for view in state.views] == ["ann", "bob", ""]
    seen = shown(state)
    assert len(seen["ann"].hand) == len(seen["bob"].hand) == 6
    assert not set(seen["ann"].hand) & set(seen["bob"].hand)
    assert seen[""].hand == ()


def test_all_of_several_movers_are_asked_and_move_in_any_order() -> None:
    master = a_master(*ALL)
    state = views_of(master.received(begin("ann", "bob", "cyd")))
    second = lowest(master, state, "cyd")
    assert second.next_players == ("ann", "bob")
    assert [seat for seat, chosen in enumerate(shown(second)["ann"].chosen) if chosen] == [2]
    third = lowest(master, state, "ann")
    assert third.next_players == ("bob",)
    assert lowest(master, state, "bob").next_players == ("ann", "bob", "cyd"), "the next round"


def test_without_movers_they_are_asked_one_by_one_and_a_move_needs_no_name() -> None:
    master = a_master("views", "restore")
    state = views_of(master.received(begin("ann", "bob")))
    assert state.next_players == ("ann",)
    state = views_of(master.received(Move("g1", card(min(shown(state)["ann"].hand)))))
    assert state.next_players == ("bob",)


@pytest.mark.parametrize(("together", "told"), [(True, ["ann", ""]), (False, ["ann", "bob", ""])])
def test_one_state_serves_all_who_wait_and_see_what_everybody_sees_if_the_game_wants_that(
    together: bool, told: list[str]
) -> None:
    secretive = replace(GAME, hides_with=always, conduct=Conduct(waits_together=together))
    state = views_of(a_master_of_rows("views", game=secretive).received(begin("ann", "bob", seed="")))
    assert state.next_players == ("ann",)
    assert [view.nick for view in state.views] == told


def test_who_waits_and_sees_more_than_everybody_has_a_state_of_its_own() -> None:
    master = a_master(
        "views", "restore", game=replace(SEALED_BIDS, conduct=replace(SEALED_BIDS.conduct, waits_together=True))
    )
    state = views_of(master.received(begin("ann", "bob", "cyd")))
    assert [view.nick for view in state.views] == ["ann", "bob", "cyd", ""]


def test_several_movers_without_secrets_get_one_view_for_all() -> None:
    master = a_master("movers", game=replace(SEALED_BIDS, hides_with=None))
    state = views_of(master.received(begin("ann", "bob", seed="")))
    assert state.next_players == ("ann", "bob")
    assert [view.nick for view in state.views] == [""]


def test_news_are_told_until_their_player_has_certainly_heard_them() -> None:
    """bob is asked, and asked again before it has moved: the server does not hand it the second state."""
    master = a_master(*ALL)
    first = views_of(master.received(begin("ann", "bob", "cyd")))
    lowest(master, first, "ann")
    lowest(master, first, "cyd")
    last = lowest(master, first, "bob")
    news = {nick: [entry.what for entry in view.news] for nick, view in shown(last).items()}
    whole_round = ["laid", "laid", "laid", "shown", "shown", "shown"]
    for nick in ("ann", "bob", "cyd"):
        assert news[nick][:6] == whole_round
    assert news[""][:4] == ["laid", "shown", "shown", "shown"], "who only watches has got every state"


def test_the_cards_in_the_news_are_hidden_while_they_lie_face_down() -> None:
    master = a_master(*ALL)
    first = views_of(master.received(begin("ann", "bob")))
    state = lowest(master, first, "ann")
    laid = {nick: [one.card for one in view.news if one.what == "laid"] for nick, view in shown(state).items()}
    assert laid == {"ann": [min(shown(first)["ann"].hand)], "bob": [0], "": [0]}


def test_the_end_is_shown_to_each_as_well_and_a_leaver_has_no_view_any_more() -> None:
    master = a_master("views", "movers")
    state = views_of(master.received(begin("ann", "bob", "cyd", seed="")))
    assert sent(master.received(PlayerLeftGame("bob", "g1"))) == [], "ann and cyd have been asked"
    state = lowest(master, state, "ann")
    assert [view.nick for view in state.views] == ["ann", "cyd", ""]
    effects = master.received(PlayerLeftGame("ann", "g1"))
    assert noted(effects) == ["player left", "game over"]
    over = views_of(effects)
    assert over.next_players == ()
    results = {result.nick: result.result for result in over.game_over}
    assert results == {"ann": Result.LOSER, "bob": Result.LOSER, "cyd": Result.WINNER}
    assert [view.nick for view in over.views] == ["cyd", ""]
    assert master.running == 0


def test_when_the_last_one_who_was_asked_leaves_the_game_goes_on() -> None:
    master = a_master("views", "movers")
    state = views_of(master.received(begin("ann", "bob", "cyd", seed="")))
    for nick in ("ann", "bob"):
        state = lowest(master, state, nick)
    assert state.next_players == ("cyd",)
    assert views_of(master.received(PlayerLeftGame("cyd", "g1"))).next_players == ("ann", "bob")


def test_who_was_not_asked_is_not_listened_to_and_the_server_gets_its_answer() -> None:
    master = a_master(*ALL)
    first = views_of(master.received(begin("ann", "bob")))
    second = lowest(master, first, "ann")
    for nick in ("ann", "eve"):
        effects = master.received(Moved("g1", nick, card(10)))
        assert noted(effects) == ["move of a player who is not to move"]
        assert sent(effects) == [second]
    assert noted(master.received(Moved("g2", "ann", card(10)))) == ["no such game running"]


def test_a_bad_move_is_judged_by_the_rules_and_seen_by_whom_it_concerns() -> None:
    master = a_master(*ALL)
    master.received(begin("ann", "bob"))
    effects = master.received(Moved("g1", "ann", b"<move/>"))
    assert noted(effects) == ["unreadable move"]
    state = views_of(effects)
    assert state.next_players == ("ann", "bob")
    assert {nick: view.refused for nick, view in shown(state).items()} == {"ann": "Unreadable", "bob": "", "": ""}


# --- the seats of the program -------------------------------------------------------------------------------------


def test_who_plays_what_is_told_before_the_first_state() -> None:
    master = a_master(*ALL)
    labels, state = sent(master.received(begin("ann", seats=3)))
    assert isinstance(labels, Labels)
    names = [label.nick for label in labels.seats]
    assert names[0] == "ann"
    assert [(label.label, label.kind) for label in labels.seats] == [
        ("red", SeatKind.HUMAN),
        ("blue", SeatKind.PROGRAM),
        ("green", SeatKind.PROGRAM),
    ]
    assert isinstance(state, Views)
    assert state.next_players == ("ann",), "the program has laid its cards already"
    assert shown(state)["ann"].chosen == (False, True, True)
    assert [view.nick for view in state.views] == ["ann", ""]


def test_a_game_against_the_program_goes_to_its_end_and_lists_it() -> None:
    master = a_master(*ALL)
    labels, state = sent(master.received(begin("ann", seats=4)))
    assert isinstance(labels, Labels)
    assert isinstance(state, Views)
    for _ in range(4):
        state = lowest(master, state, "ann")
    assert [result.nick for result in state.game_over] == [label.nick for label in labels.seats]
    assert master.running == 0


def test_the_program_may_have_the_first_word_in_a_later_turn_and_the_last() -> None:
    master = a_master_of_rows("table")
    labels, state = sent(master.received(begin("ann", seats=2, seed="")))
    assert isinstance(labels, Labels)
    assert state == GameState("g1", "ann", None, b'<gameState width="5" height="5" row="3"/>')
    effects = master.received(Move("g1", b'<move><tic x="9" y="9"/></move>'))
    assert noted(effects) == ["illegal move", "game over"]
    (over,) = sent(effects)
    assert isinstance(over, GameState)
    program = labels.seats[1].nick
    assert over.game_over == (PlayerResult("ann", Result.LOSER), PlayerResult(program, Result.WINNER))


def test_the_program_plays_by_the_bot_that_the_game_names_with_its_own_chance() -> None:
    asked: list[tuple[View, float]] = []

    def watch(view: View, rng: random.Random) -> int:
        asked.append((view, rng.random()))
        return view.hand[0]

    game = replace(SEALED_BIDS, bots=(Bot("watch", "watches", watch, fills_seats=True), *SEALED_BIDS.bots))
    for _ in range(2):
        a_master(*ALL, game=game).received(begin("ann", "bob", seats=4))
    assert asked[:2] == asked[2:], "the same seed, the same chance"
    assert asked[0][1] != asked[1][1], "and another one for each seat"
    assert [len(view.hand) for view, _ in asked] == [6] * 4


def test_a_bug_in_the_bot_of_the_program_costs_one_game() -> None:
    def cheat(view: View, rng: random.Random) -> int:
        return 99

    game = replace(SEALED_BIDS, bots=(Bot("cheat", "cheats", cheat),))
    effects = a_master(*ALL, game=game).received(begin("ann", seats=2))
    assert noted(effects) == ["game given up"]
    (declined,) = sent(effects)
    assert isinstance(declined, Failed)
    assert declined.game_id == "g1"


def test_a_program_that_plays_with_itself_for_ever_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leading, "MAX_PROGRAM_MOVES", 1)
    assert noted(a_master(*ALL).received(begin("ann", seats=4))) == ["game given up"]


def test_when_all_players_have_left_the_program_does_not_play_on() -> None:
    master = a_master(*ALL)
    master.received(begin("ann", seats=4))
    effects = master.received(PlayerLeftGame("ann", "g1"))
    assert (sent(effects), noted(effects)) == ([], ["player left", "game over"])
    assert master.running == 0


@pytest.mark.parametrize(
    ("message", "why"),
    [
        (BeginGame("g1", ("ann", "bob"), (Choice("row", "9"),)), "option row: 9 does not fit on the board"),
        (BeginGame("g1", ("ann", "bob"), (), 3), "3 seats; 2 to 2 can play"),
        (BeginGame("g1", ("ann",)), "1 players; 2 to 2 can play"),
    ],
)
def test_a_game_that_cannot_be_begun_is_declined_by_its_id(message: BeginGame, why: str) -> None:
    (failed,) = sent(a_master_of_rows("table").received(message))
    assert isinstance(failed, Failed)
    assert (failed.code, failed.game_id) == (RefusalReason.INVALID_REQUEST, "g1")
    assert why in failed.text


def test_options_of_a_table_are_played() -> None:
    master = a_master_of_rows("table")
    master.received(BeginGame("g1", ("ann", "bob"), (Choice("width", "3"), Choice("height", "3"))))
    assert noted(master.received(Move("g1", b'<move><tic x="3" y="0"/></move>'))) == ["illegal move", "game over"]


def test_a_game_that_is_stopped_is_forgotten() -> None:
    master = a_master(*ALL)
    master.received(begin("ann", "bob"))
    (note,) = master.received(Stop("g1", "NOT_VIABLE"))
    assert isinstance(note, Note)
    assert note.fields["reason"] == "stopped: too few players were left at its table"
    assert master.running == 0
    assert noted(master.received(Stop("g1", "CANCELLED"))) == ["no such game running"]


# --- going on where another one was lost --------------------------------------------------------------------------


def restore(*happened: Past, seats: int = 0, seed: str = SEED) -> Restore:
    return Restore("g1", ("ann", "bob"), (), seats, seed, happened)


def test_another_master_tells_how_the_game_stands_and_goes_on() -> None:
    first = a_master(*ALL)
    labels, state = sent(first.received(begin("ann", "bob", seats=3)))
    assert isinstance(labels, Labels)
    assert isinstance(state, Views)
    bad = PastMove("bob", b"<move/>")
    good = PastMove("ann", card(min(shown(state)["ann"].hand)))
    first.received(Moved("g1", bad.nick, bad.payload))
    stands = sent(first.received(Moved("g1", good.nick, good.payload)))

    second = a_master(*ALL)
    effects = second.received(restore(bad, good, seats=3))
    assert noted(effects) == ["game restored"]
    assert sent(effects) == [labels, *stands]
    more = Moved("g1", "bob", card(min(shown(state)["bob"].hand)))
    assert sent(second.received(more)) == sent(first.received(more))


def test_a_departure_that_has_not_been_told_yet_does_not_ask_anybody_again() -> None:
    """The state names a player who was asked, so the server need not ask anybody."""
    master = a_master("restore", "views")
    game = Restore("g1", ("ann", "bob", "cyd"), (), 0, SEED, (PastLeft("bob", "left"),))
    assert views_of(master.received(game)).next_players == ("ann",)


def test_a_game_that_was_over_already_is_told_to_be_over() -> None:
    master = a_master(*ALL)
    effects = master.received(restore(PastLeft("bob", "left"), PastLeft("ann", "left")))
    assert noted(effects) == ["game restored", "game over"]
    assert [result.result for result in views_of(effects).game_over] == [Result.WINNER, Result.LOSER]
    assert master.running == 0


@pytest.mark.parametrize(
    ("message", "why"),
    [
        (restore(seed=""), "there is no seed"),
        (restore(seats=9), "9 seats; 2 to 4 can play"),
        (restore(PastMove("eve", card(10))), "event 1: 'eve' does not play, or has left"),
        (restore(PastLeft("bob", "left"), PastMove("ann", card(10))), "event 2: a move of 'ann' after the end"),
        (Restore("g1", ("ann",), (), 2, SEED, (PastLeft("ann", "left"),)), "all players have left"),
    ],
)
def test_what_cannot_be_restored_is_declined(message: Restore, why: str) -> None:
    (failed,) = sent(a_master(*ALL).received(message))
    assert isinstance(failed, Failed)
    assert (failed.code, failed.game_id) == (RefusalReason.INVALID_REQUEST, "g1")
    assert why in failed.text


def test_a_move_of_a_player_who_was_not_to_move_shows_that_it_is_not_this_game() -> None:
    (failed,) = sent(a_master("restore", "views").received(restore(PastMove("bob", card(10)))))
    assert isinstance(failed, Failed)
    assert failed.text == "event 1: 'bob' moves out of turn"


def test_a_bug_that_comes_up_in_restoring_is_told_as_a_failure() -> None:
    class Buggy(Rounds):
        def leave(self, seat: int) -> None:
            raise ZeroDivisionError("oops")

    master = a_master(*ALL, game=replace(SEALED_BIDS, start=Buggy))
    effects = master.received(restore(PastLeft("bob", "left")))
    assert noted(effects) == ["game given up"]
    (failed,) = sent(effects)
    assert isinstance(failed, Failed)
    assert failed.game_id == "g1"


def test_bugs_and_faults_are_noted_loudly_enough() -> None:
    effects = a_master(*ALL).received(restore(seed=""))
    assert [effect.level for effect in effects if isinstance(effect, Note)] == [Level.WARNING]


# --- seats that are given back ------------------------------------------------------------------------------------


def test_a_game_that_gives_no_seat_back_ignores_who_returns() -> None:
    master = a_master(*ALL)
    master.received(begin("ann", "bob", "cat"))
    master.received(PlayerLeftGame("cat", "g1"))
    effects = master.received(Rejoined("g1", "cat"))
    assert (noted(effects), sent(effects)) == (["a stranger comes back"], [])
    assert noted(master.received(Rejoined("g9", "cat"))) == ["no such game running"]
    happened = PastLeft("bob", "left"), PastRejoined("bob")
    whys = []
    for nicks in (("ann", "bob", "cat"), ("ann", "bob")):
        (failed,) = sent(a_master(*ALL).received(Restore("g1", nicks, (), 0, SEED, happened)))
        assert isinstance(failed, Failed)
        whys.append(failed.text)
    assert whys == [
        "event 2: 'bob' comes back, but has not left or may not",
        "event 2: the return of 'bob' after the end of the game",
    ]
