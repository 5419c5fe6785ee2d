"""Dialogues of the broker with a master."""

import random
from dataclasses import replace
from typing import Final

import pytest

from game_masters.kit.client import (
    Effect,
    Finish,
    Level,
    Note,
    Reconnect,
    Send,
)
from game_masters.kit.master import Master
from game_masters.kit.rules import Game, Options, RuleBroken, Table, Unreadable
from game_masters.tic_tac_toe import GAME
from game_masters.tic_tac_toe.rules import Cell, Position
from game_masters.tic_tac_toe.rules import View as Board
from tests.game_masters.high_card import HIGH_CARD, Deal, Decision, HighCardNotation, View
from ugs import __version__
from ugs.wire.extensions import (
    Failed,
    Hello,
    Invitation,
    Ping,
    Pong,
    RefusalReason,
    TableInfo,
    Visibility,
)
from ugs.wire.messages import (
    BeginGame,
    ChampionsList,
    Error,
    GameMasterLogin,
    GameState,
    LoginError,
    LoginResponse,
    Logout,
    Message,
    Move,
    PlayerLeftGame,
    PlayerResult,
    Result,
    ServerShutdown,
)

OPEN_HIGH_CARD = replace(HIGH_CARD, hides_with=None)
"""The test game as a master without secrets would lead it."""
NO_STONES = b'<gameState width="5" height="5" row="3"/>'
"""The first state: the board is not the usual one."""


def a_master(**facts: str) -> Master[Cell, Board]:
    options = GAME.choose_options({"width": "5", "height": "5", "row": "3"} | facts)
    master = Master(GAME, options, id="m1", chance=random.Random)
    master.connected()
    master.received(LoginResponse())
    return master


def a_master_for(game: Game[Decision, View]) -> Master[Decision, View]:
    master = Master(game, game.choose_options({}), id="m1", chance=random.Random)
    master.connected()
    master.received(LoginResponse())
    return master


def sent(effects: list[Effect]) -> list[Message]:
    return [effect.message for effect in effects if isinstance(effect, Send)]


def noted(effects: list[Effect]) -> list[str]:
    return [effect.event for effect in effects if isinstance(effect, Note)]


def tic(x: int, y: int, game: str = "g1") -> Move:
    return Move(game, f'<move><tic x="{x}" y="{y}"/></move>'.encode())


def tac(x: int, y: int, nick: str, game: str = "g1") -> GameState:
    return GameState(game, nick, None, f'<gameState><tac x="{x}" y="{y}"/></gameState>'.encode())


def over(payload: bytes, **results: str) -> GameState:
    return GameState("g1", None, tuple(PlayerResult(nick, Result(result)) for nick, result in results.items()), payload)


def test_it_logs_in_with_the_facts_of_its_game() -> None:
    master = Master(GAME, GAME.choose_options({}), id="m1", chance=random.Random)
    assert master.connected() == [
        Send(Hello(("table", "restore", "reason", "faults"), "ugs master tic-tac-toe", __version__)),
        Send(GameMasterLogin("m1", "5-in-line-tic-tac-toe", "2", "2")),
    ]
    assert not master.accepted
    assert master.received(LoginResponse()) == [Note("logged in", {"id": "m1", "game_type": "5-in-line-tic-tac-toe"})]
    assert master.accepted


def test_the_game_type_may_be_renamed() -> None:
    master = Master(GAME, GAME.choose_options({}), id="m1", chance=random.Random, game_type="small", v4=True)
    assert sent(master.connected()) == [GameMasterLogin("m1", "small", "2", "2")]


def test_a_first_login_that_is_refused_is_the_end() -> None:
    master = Master(GAME, GAME.choose_options({}), id="m1", chance=random.Random)
    master.connected()
    note, end = master.received(LoginResponse(LoginError.MASTER_ALREADY_REGISTERED))
    assert isinstance(note, Note)
    assert note.fields == {
        "reason": "a master for this game type is already registered",
        "error_id": 4,
        "advice": "stop the other master, or ask the organiser to raise masters_per_game",
    }
    assert end == Finish(1)


def test_a_later_login_that_is_refused_is_tried_again() -> None:
    """The server may not have noticed yet that the earlier connection is gone."""
    master = a_master()
    master.connected()
    assert master.received(LoginResponse(LoginError.MASTER_ALREADY_REGISTERED))[-1] == Reconnect()


def test_a_whole_game() -> None:
    master = a_master()
    assert sent(master.received(BeginGame("g1", ("ann", "bob")))) == [GameState("g1", "ann", None, NO_STONES)]
    assert sent(master.received(tic(0, 0))) == [tac(0, 0, "bob")]
    assert sent(master.received(tic(0, 1))) == [tac(0, 1, "ann")]
    assert sent(master.received(tic(1, 0))) == [tac(1, 0, "bob")]
    assert sent(master.received(tic(1, 1))) == [tac(1, 1, "ann")]
    effects = master.received(tic(2, 0))
    assert effects == [
        Send(over(b'<gameState><tac x="2" y="0"/></gameState>', ann="winner", bob="loser")),
        Note("game over", {"game": "g1", "reason": "row completed", "winners": ("ann",)}),
    ]
    assert master.running == 0


def test_many_games_at_once_do_not_mix() -> None:
    master = a_master()
    for number in range(50):
        master.received(BeginGame(f"g{number}", (f"a{number}", f"b{number}")))
    assert master.running == 50
    for number in range(50):
        x, y = divmod(number % 25, 5)
        assert sent(master.received(tic(x, y, f"g{number}"))) == [tac(x, y, f"b{number}", f"g{number}")]


def test_a_full_board_is_a_draw_with_one_result_for_all() -> None:
    master = a_master(width="3", height="3")
    master.received(BeginGame("g1", ("ann", "bob")))
    for x, y in [(0, 0), (1, 1), (2, 2), (0, 1), (2, 1), (2, 0), (0, 2), (1, 2)]:
        assert isinstance(sent(master.received(tic(x, y)))[0], GameState)
    effects = master.received(tic(1, 0))
    assert sent(effects) == [over(b'<gameState><tac x="1" y="0"/></gameState>', ann="loser", bob="loser")]


@pytest.mark.parametrize(
    ("payload", "note"),
    [
        (b'<move><tic x="0" y="0"/></move>', "illegal move"),
        (b'<move><tic x="5" y="0"/></move>', "illegal move"),
        (b'<move><tic x="-1" y="0"/></move>', "illegal move"),
        (b"<move/>", "unreadable move"),
        (b'<move><tic x="1" y="one"/></move>', "unreadable move"),
        (b"<!DOCTYPE move><move/>", "unreadable move"),
        (b"\x00", "unreadable move"),
    ],
)
def test_a_bad_move_loses_at_once(payload: bytes, note: str) -> None:
    master = a_master()
    master.received(BeginGame("g1", ("ann", "bob")))
    master.received(tic(0, 0))
    effects = master.received(Move("g1", payload))
    assert noted(effects) == [note, "game over"]
    assert sent(effects) == [over(b'<gameState><tac x="0" y="0"/></gameState>', ann="winner", bob="loser")]


def test_who_is_left_alone_wins() -> None:
    master = a_master()
    master.received(BeginGame("g1", ("ann", "bob")))
    effects = master.received(PlayerLeftGame("bob", "g1"))
    assert noted(effects) == ["player left", "game over"]
    assert sent(effects) == [over(NO_STONES, ann="winner", bob="loser")]
    assert noted(master.received(PlayerLeftGame("ann", "g1"))) == ["no such game running"]


def test_ids_and_nicks_it_does_not_know_are_noted_and_nothing_is_sent() -> None:
    master = a_master()
    master.received(BeginGame("g1", ("ann", "bob")))
    strange: list[tuple[Message, str]] = [
        (tic(0, 0, "other"), "no such game running"),
        (PlayerLeftGame("ann", "other"), "no such game running"),
        (PlayerLeftGame("eve", "g1"), "a stranger left"),
        (Error("not a word of yours was understood"), "error from the server"),
        (ChampionsList(()), "unexpected message"),
        (GameState("g1", "ann", None), "unexpected message"),
    ]
    for message, note in strange:
        effects = master.received(message)
        assert (noted(effects), sent(effects)) == ([note], [])
    assert master.running == 1


@pytest.mark.parametrize(
    ("players", "why"),
    [
        (("ann",), "1 players; 2 to 2 can play"),
        (("ann", "bob", "cyd"), "3 players; 2 to 2 can play"),
        (("ann", "ann"), "the same nick twice"),
    ],
)
def test_an_impossible_game_is_declined(players: tuple[str, ...], why: str) -> None:
    master = a_master()
    effects = master.received(BeginGame("g1", players))
    assert sent(effects) == [Error(f"beginGame g1: {why}")]
    assert master.running == 0


def test_a_game_that_begins_twice_goes_on_as_it_was() -> None:
    master = a_master()
    master.received(BeginGame("g1", ("ann", "bob")))
    master.received(tic(0, 0))
    assert sent(master.received(BeginGame("g1", ("ann", "bob")))) == [Error("beginGame g1: is running already")]
    assert sent(master.received(tic(1, 1))) == [tac(1, 1, "ann")]


def test_a_new_connection_knows_no_games_of_the_old_one() -> None:
    master = a_master()
    master.received(BeginGame("g1", ("ann", "bob")))
    master.connected()
    assert master.running == 0


def test_it_is_satisfied_once_the_server_has_said_that_it_stops() -> None:
    master = a_master()
    satisfied = [master.satisfied]
    assert noted(master.received(ServerShutdown())) == ["server shuts down"]
    satisfied.append(master.satisfied)
    master.connected()
    satisfied.append(master.satisfied)
    assert satisfied == [False, True, False]


def test_a_game_with_secrets_is_not_led_where_all_see_the_same() -> None:
    for receives in ([], [Error("x-hello: unknown")], [Hello(("table", "restore"))]):
        master = Master(HIGH_CARD, HIGH_CARD.choose_options({}), id="m1", chance=random.Random)
        master.connected()
        for message in receives:
            master.received(message)
        note, logout, end = master.received(LoginResponse())
        assert isinstance(note, Note)
        assert (note.level, note.fields) == (Level.ERROR, {"needed": ["views"]})
        assert logout == Send(Logout())
        assert isinstance(end, Finish)
        assert end.exit_code == 1
        assert not master.accepted


def state_of(effects: list[Effect]) -> GameState:
    (message,) = sent(effects)
    assert isinstance(message, GameState)
    return message


def test_several_movers_are_asked_one_after_another() -> None:
    master = a_master_for(OPEN_HIGH_CARD)
    keep = Move("g1", b"<move><keep/></move>")
    assert state_of(master.received(BeginGame("g1", ("ann", "bob", "cyd")))).next_player == "ann"
    assert state_of(master.received(keep)).next_player == "bob"
    assert state_of(master.received(keep)).next_player == "cyd"
    assert state_of(master.received(keep)).game_over is not None


def test_after_a_bad_move_the_rules_may_ask_the_same_player_again() -> None:
    master = a_master_for(OPEN_HIGH_CARD)
    master.received(BeginGame("g1", ("ann", "bob")))
    effects = master.received(Move("g1", b"<move><peek/></move>"))
    assert noted(effects) == ["unreadable move"]
    assert state_of(effects).next_player == "ann"


def test_when_another_player_leaves_the_one_whose_turn_it_is_is_not_asked_twice() -> None:
    """Its move may be under way; naming it again would allow it a second move."""
    master = a_master_for(OPEN_HIGH_CARD)
    master.received(BeginGame("g1", ("ann", "bob", "cyd")))
    assert sent(master.received(PlayerLeftGame("bob", "g1"))) == []
    assert state_of(master.received(Move("g1", b"<move><keep/></move>"))).next_player == "cyd"


def test_when_the_player_whose_turn_it_is_leaves_the_next_is_asked() -> None:
    master = a_master_for(OPEN_HIGH_CARD)
    master.received(BeginGame("g1", ("ann", "bob", "cyd")))
    assert state_of(master.received(PlayerLeftGame("ann", "g1"))).next_player == "bob"


def test_a_leaver_is_listed_among_the_losers_even_if_its_seat_won() -> None:
    class FirstSeatWins(Deal):
        def __init__(self, table: Table, rng: random.Random) -> None:
            super().__init__(table, rng)
            self._cards[0] = 99

    master = a_master_for(replace(OPEN_HIGH_CARD, start=FirstSeatWins))
    master.received(BeginGame("g1", ("ann", "bob", "cyd")))
    master.received(Move("g1", b"<move><keep/></move>"))
    master.received(PlayerLeftGame("ann", "g1"))
    master.received(Move("g1", b"<move><keep/></move>"))
    effects = master.received(Move("g1", b"<move><keep/></move>"))
    assert state_of(effects).game_over == tuple(PlayerResult(nick, Result.LOSER) for nick in ("ann", "bob", "cyd"))
    fields = {"game": "g1", "reason": "all decided", "winners": (), "winners_who_had_left": ("ann",)}
    assert effects[-1] == Note("game over", fields)


def test_a_game_that_all_have_left_is_forgotten_without_a_word() -> None:
    class PlaysOn(Deal):
        @property
        def outcome(self) -> None:
            return None

    master = a_master_for(replace(OPEN_HIGH_CARD, start=PlaysOn))
    master.received(BeginGame("g1", ("ann", "bob")))
    master.received(PlayerLeftGame("ann", "g1"))
    effects = master.received(PlayerLeftGame("bob", "g1"))
    assert sent(effects) == []
    assert master.running == 0


def test_news_that_may_not_have_arrived_are_told_again() -> None:
    """Only a player who has moved has surely read the state before, and a state for all tells what any of them may
    need."""

    class Diary(Deal):
        def view(self, seat: int | None, since: int = 0) -> View:
            asked.append(since)
            return super().view(seat)

    asked: list[int] = []
    master = a_master_for(replace(OPEN_HIGH_CARD, start=Diary))
    master.received(BeginGame("g1", ("ann", "bob", "cyd")))  # record: 1 entry, the deal
    master.received(Move("g1", b"<move><keep/></move>"))  # ann has read of the deal; 2 entries
    master.received(PlayerLeftGame("bob", "g1"))  # bob was asked; cyd has not moved yet, and may have read nothing; 3
    master.received(Move("g1", b"<move><keep/></move>"))  # cyd has read of the leaving, ann surely only of the deal
    assert asked == [0, 0, 0, 1]


GIVEN_UP: Final = Failed(RefusalReason.INVALID_REQUEST, "its program has failed", "g1")


@pytest.mark.parametrize("family", ["table", "restore", "reason"])
def test_a_game_that_fails_is_given_up_where_the_server_has_a_word_for_it(family: str) -> None:
    class Buggy(Position):
        def apply(self, seat: int, move: Cell) -> None:
            raise ZeroDivisionError("oops")

    game = replace(GAME, start=Buggy)
    master = Master(game, game.choose_options({}), id="m1", chance=random.Random)
    master.connected()
    master.received(Hello((family,)))
    master.received(LoginResponse())
    master.received(BeginGame("g1", ("ann", "bob")))
    assert sent(master.received(tic(4, 4))) == [GIVEN_UP]
    assert master.running == 0


def test_a_bug_in_the_rules_costs_one_game_and_not_the_master() -> None:
    class Buggy(Position):
        def apply(self, seat: int, move: Cell) -> None:
            if move == Cell(4, 4):
                raise ZeroDivisionError("oops")
            super().apply(seat, move)

    game = replace(GAME, start=Buggy)
    master = Master(game, game.choose_options({}), id="m1", chance=random.Random)
    master.received(BeginGame("g1", ("ann", "bob")))
    master.received(BeginGame("g2", ("cyd", "dan")))
    note, error = master.received(tic(4, 4))
    assert isinstance(note, Note)
    assert (note.event, note.level, type(note.bug)) == ("game given up", Level.ERROR, ZeroDivisionError)
    assert error == Send(Error("game g1: the game master failed and gives this game up"))
    assert master.running == 1
    assert sent(master.received(tic(0, 0, "g2"))) == [tac(0, 0, "dan", "g2")]


def test_each_game_has_its_own_chance_made_from_its_id() -> None:
    seeds: list[str] = []

    def chance(game_id: str) -> random.Random:
        seeds.append(game_id)
        return random.Random(game_id)

    options: Options = OPEN_HIGH_CARD.choose_options({})
    for _ in range(2):
        master = Master(OPEN_HIGH_CARD, options, id="m1", chance=chance)
        first = state_of(master.received(BeginGame("g1", ("ann", "bob"))))
        assert first == state_of(
            Master(OPEN_HIGH_CARD, options, id="m2", chance=chance).received(BeginGame("g1", ("ann", "bob")))
        )
    assert set(seeds) == {"g1"}


def test_with_a_check_payloads_that_do_not_fit_are_bad_moves_and_own_ones_are_noted() -> None:
    def check(payload: bytes) -> None:
        if b'x="1"' in payload:
            raise Unreadable("x is 1")

    master = Master(GAME, GAME.choose_options({}), id="m1", chance=random.Random, check=check)
    master.received(BeginGame("g1", ("ann", "bob")))
    assert noted(master.received(tic(0, 0))) == []
    assert noted(master.received(tic(1, 0))) == ["unreadable move", "game over"]

    def refuse_states(payload: bytes) -> None:
        if payload.startswith(b"<gameState"):
            raise Unreadable("no states please")

    master = Master(GAME, GAME.choose_options({}), id="m1", chance=random.Random, check=refuse_states)
    effects = master.received(BeginGame("g1", ("ann", "bob")))
    assert noted(effects) == ["game begun", "own payload does not fit the schema"]
    assert sent(effects) == [GameState("g1", "ann", None)]


def test_a_move_that_cannot_be_read_is_refused_in_the_same_words_with_a_check_and_without() -> None:
    def check(payload: bytes) -> None:
        raise Unreadable("not in these words")

    refused = []
    for each in (None, check):
        master = Master(GAME, GAME.choose_options({}), id="m1", chance=random.Random, check=each)
        master.received(BeginGame("g1", ("ann", "bob")))
        effects = master.received(Move("g1", b"<move><nonsense/></move>"))
        refused.append(next(effect.fields["reason"] for effect in effects if isinstance(effect, Note)))
    assert refused[0] == refused[1]


def test_faults_reach_the_rules_with_their_cause() -> None:
    class Curious(Position):
        def fault(self, seat: int, cause: RuleBroken | Unreadable) -> None:
            causes.append(cause)
            super().fault(seat, cause)

    causes: list[Exception] = []
    game = replace(GAME, start=Curious)
    master = Master(game, game.choose_options({}), id="m1", chance=random.Random)
    for number, payload in enumerate([b"<move/>", b'<move><tic x="20" y="0"/></move>']):
        master.received(BeginGame(f"g{number}", ("ann", "bob")))
        master.received(Move(f"g{number}", payload))
    assert [type(cause) for cause in causes] == [Unreadable, RuleBroken]


def test_a_signal_closes_without_a_word() -> None:
    assert sent(a_master().interrupted()) == []


def test_it_answers_a_ping_and_passes_over_what_it_did_not_ask_for() -> None:
    master = a_master()
    assert master.received(Ping("7")) == [Send(Pong("7"))]
    table = TableInfo("t1", "Friday", "chess", "ann", 2, 1, 0, Visibility.PUBLIC)
    (note,) = master.received(Invitation(table))
    assert isinstance(note, Note)
    assert note.level is Level.DEBUG


@pytest.mark.parametrize(
    ("spoilt", "why"),
    [
        (b"<gameState><!--%b--></gameState>" % (b" " * 1_120_000), "longer than"),
        (b"<gameState>%b</gameState>" % (b"<!-- -->" * 140_000), "max_markup"),
        (b"<gameState>" + b"<a>" * 63 + b"</a>" * 63 + b"</gameState>", "deeper than"),
        (b"<gameState><hand></gameState>", "mismatched tag"),
        (b"", "does not begin with"),
        (b"<gameState/></message><message type='logout'/>", "not"),
    ],
)
def test_a_state_that_would_cost_the_connection_costs_one_game(spoilt: bytes, why: str) -> None:
    class Spoils(HighCardNotation):
        def write_view(self, view: View) -> bytes:
            return spoilt if all(hand.decided for hand in view) else super().write_view(view)

    master = a_master_for(replace(OPEN_HIGH_CARD, notation=Spoils()))
    for game_id in ("g1", "g2"):
        master.received(BeginGame(game_id, ("ann", "bob")))
        master.received(Move(game_id, b"<move><keep/></move>"))
    note, error = master.received(Move("g1", b"<move><keep/></move>"))
    assert isinstance(note, Note)
    assert (note.event, note.level) == ("game given up", Level.ERROR)
    assert why in str(note.bug)
    assert error == Send(Error("game g1: the game master failed and gives this game up"))
    assert master.running == 1, "the other game goes on"


def test_a_server_that_takes_longer_messages_gets_them() -> None:
    class Wordy(HighCardNotation):
        def write_view(self, view: View) -> bytes:
            return super().write_view(view).replace(b"<gameState>", b"<gameState><!--%b-->" % (b"x" * 2_000_000))

    game = replace(OPEN_HIGH_CARD, notation=Wordy())
    begun = []
    for max_message_bytes in (1_048_576, 4_194_304):
        options = game.choose_options({})
        master = Master(game, options, id="m1", chance=random.Random, max_message_bytes=max_message_bytes)
        master.connected()
        master.received(LoginResponse())
        master.received(BeginGame("g1", ("ann", "bob")))
        begun.append(master.running)
    assert begun == [0, 1]


def test_when_the_login_is_not_answered_it_connects_again() -> None:
    master = Master(GAME, GAME.choose_options({}), id="m1", chance=random.Random)
    master.connected()
    assert master.awaiting
    assert master.overdue()[-1] == Reconnect(0)
    assert sent(master.connected()) == [GameMasterLogin("m1", "5-in-line-tic-tac-toe", "2", "2")], "in plain v4"


def test_a_game_that_fails_at_its_beginning_is_declined_at_once() -> None:
    class Fails(Deal):
        def __init__(self, table: Table, rng: random.Random) -> None:
            raise ZeroDivisionError("oops")

    game = replace(OPEN_HIGH_CARD, start=Fails)
    master = Master(game, game.choose_options({}), id="m1", chance=random.Random)
    master.connected()
    master.received(Hello(("table",)))
    master.received(LoginResponse())
    assert sent(master.received(BeginGame("g1", ("ann", "bob")))) == [GIVEN_UP]


def test_a_master_whose_token_is_wrong_ends_with_the_reason() -> None:
    master = Master(GAME, GAME.choose_options({}), id="m1", chance=random.Random, token="s3cret")
    hello, _login = sent(master.connected())
    assert isinstance(hello, Hello)
    assert hello.token == "s3cret"
    assert noted(master.received(Failed(RefusalReason.INVALID_GAME, "something else"))) == ["login is refused"]
    assert noted(master.received(Failed(RefusalReason.INVALID_PLAYER, "gameMasterLogin: a token is needed"))) == [
        "name is not proven"
    ]
    effects = master.received(LoginResponse(LoginError.WRONG_NICK))
    assert Finish(1) in effects
    assert "a token is needed" in str(effects)
