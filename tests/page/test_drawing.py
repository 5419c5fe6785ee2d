"""Running games in the worker: what was shown before, and the time that each player has used."""

from collections.abc import Sequence

from ugs.page.drawing import BoardEvents, DrawnGames
from ugs.page.html import parts
from ugs.page.model import Server
from ugs.page.played import LiveBoard
from ugs.page.worker.games import _live
from ugs.page.worker_limits import MAX_BACK, MAX_BACK_BYTES
from ugs.wire.extensions import EventKind, GameEvent, SeatInfo, SeatKind, SeatState, Watching
from ugs.wire.messages import PlayerResult, Result

SEATS = tuple(SeatInfo(nick, SeatKind.HUMAN, SeatState.PLAYING) for nick in ("ada", "bob"))
FIRST = Watching("g1", "5-in-line-tic-tac-toe", 0, SEATS)


def state(number: int, after_s: float, *movers: str, body: bytes = b"<gameState/>") -> GameEvent:
    return GameEvent("g1", number, after_s, EventKind.STATE, next_players=movers, state=body)


def moved(number: int, after_s: float, nick: str) -> GameEvent:
    return GameEvent("g1", number, after_s, EventKind.MOVE, nick)


def stone(number: int, after_s: float, mover: str, x: int) -> GameEvent:
    return state(number, after_s, mover, body=b'<gameState><tac x="%d" y="0"/></gameState>' % x)


def told(found: DrawnGames, known: int, events: Sequence[GameEvent], first: Watching | None = None) -> LiveBoard:
    (board,) = found.boards([BoardEvents("g1", known, first, events)])
    assert board is not None
    return board


OPENING = [state(1, 0.5, "ada"), moved(2, 4.5, "ada"), stone(3, 4.6, "bob", 1), moved(4, 5.6, "bob")]


def test_each_player_has_used_the_time_from_when_it_was_asked() -> None:
    board = told(DrawnGames(), 0, OPENING, FIRST)
    assert board.used == {"ada": 4.0, "bob": 1.0}
    assert board.asked_s is None, "no player is asked at this moment"
    assert told(DrawnGames(), 0, [*OPENING, stone(5, 5.7, "ada", 2)], FIRST).asked_s == 5.7


def test_a_running_game_that_is_drawn_as_a_tree_says_why() -> None:
    """The page said nothing: a reader saw a tree in place of a board."""
    server = Server("1", running=True, keeps=True, draining=False, cannot_write=False)
    board = told(DrawnGames(), 0, OPENING, FIRST)
    shown = parts("game", _live(server, board, {"tree": "its pictures take too long"}), file="")["board"]
    assert "shown as a tree of its states: its pictures take too long." in shown
    assert "its record" not in shown, "it has none yet"
    assert "as a tree of" not in parts("game", _live(server, board, {}), file="")["board"]


def test_a_step_says_who_moved_and_how_long_that_took() -> None:
    board = told(DrawnGames(), 0, OPENING, FIRST)
    assert [(step.number, step.who, step.took_s, step.news) for step in board.steps] == [
        (1, "", None, []),
        (2, "ada", 4.0, ["ada puts X on 1,0"]),
    ]


def test_that_a_player_is_out_is_told_at_the_next_position() -> None:
    left = GameEvent("g1", 4, 5.7, EventKind.LEFT, "bob", "timeout")
    results = (PlayerResult("ada", Result.WINNER),)
    over = GameEvent("g1", 5, 6.0, EventKind.OVER, game_over=results, state=b"<gameState/>")
    board = told(DrawnGames(), 0, [*OPENING[:3], left, over], FIRST)
    assert (board.steps[-1].who, board.steps[-1].news) == ("", ["bob has not moved in time"])


def test_that_a_move_was_refused_is_told_at_the_next_position() -> None:
    refused = [GameEvent("g1", 3, 4.6, EventKind.FAULT, "ada"), moved(4, 5.6, "ada"), stone(5, 5.7, "bob", 1)]
    board = told(DrawnGames(), 0, [*OPENING[:2], *refused], FIRST)
    assert board.steps[-1].news == ["a move of ada was refused", "ada puts X on 1,0"]


def test_earlier_positions_can_be_shown_while_the_game_goes_on() -> None:
    found = DrawnGames()
    told(found, 0, [*OPENING, stone(5, 5.7, "ada", 2)], FIRST)
    second, third = found.positions("g1", 2, 20)
    assert (second.number, second.next, third.number) == (2, ["bob"], 3)
    assert "has 1 cross, bob 0 rings" in second.words
    assert found.positions("g1", 2, 1) == [second]
    assert found.positions("another", 1, 20) == []


def test_what_can_be_shown_once_more_is_bounded() -> None:
    found = DrawnGames()
    events = [state(number, number, "ada") for number in range(1, 100)]
    board = told(found, 0, events, FIRST)
    assert (board.positions, len(board.steps), board.steps[0].number) == (99, MAX_BACK, 100 - MAX_BACK)


def test_large_states_are_given_back_and_the_game_is_shown_all_the_same() -> None:
    found = DrawnGames()
    wide = b"<gameState>%b</gameState>" % (b" " * (MAX_BACK_BYTES // 3))
    board = told(found, 0, [state(number, number, "ada", body=wide) for number in range(1, 6)], FIRST)
    assert found.positions("g1", 1, 20) == []
    assert (board.positions, board.steps) == (5, [])
    assert board.svg


def test_who_has_won_is_known_at_the_end() -> None:
    results = (PlayerResult("ada", Result.WINNER), PlayerResult("bob", Result.LOSER))
    over = GameEvent("g1", 5, 6.0, EventKind.OVER, game_over=results, state=b"<gameState/>")
    assert told(DrawnGames(), 0, [*OPENING, over], FIRST).won == ["ada"]
    both = (PlayerResult("ada", Result.WINNER), PlayerResult("bob", Result.WINNER))
    drawn = GameEvent("g1", 5, 6.0, EventKind.OVER, game_over=both, state=b"<gameState/>")
    assert told(DrawnGames(), 0, [*OPENING, drawn], FIRST).won == []
    stayed = GameEvent("g1", 5, 6.0, EventKind.OVER, game_over=both[:1], state=b"<gameState/>")
    assert told(DrawnGames(), 0, [*OPENING, stayed], FIRST).won == ["ada"]


def test_a_remark_is_seen_with_its_position_as_the_game_goes_on() -> None:
    found = DrawnGames()
    said = GameEvent("g1", 4, 5, EventKind.REMARK, "bob", '{"value":0.5,"plan":"wait","marks":[{"at":"1,0"}]}')
    board = told(found, 0, [*OPENING[:3], said], FIRST)
    assert board.steps[-1].remarks == ["bob: 0.5 · wait"]
    assert board.values == [(1, 2, 0.5)]
    assert "pointer-events" in board.svg
    assert not any("remark" in line for line in board.news)
    later = told(found, 4, [moved(5, 5.6, "bob"), stone(6, 5.7, "ada", 2)])
    assert "pointer-events" not in later.svg
    second, third = found.positions("g1", 2, 20)
    assert (second.remarks, third.remarks) == (["bob: 0.5 · wait"], [])
    wrong = GameEvent("g1", 7, 6, EventKind.REMARK, "ada", "[]")
    assert told(found, 6, [wrong]).values == board.values
