"""What spectators are told, as pictures."""

from dataclasses import replace

import pytest

from ugs.watch.pictures import GameShown, GamesShown
from ugs.wire.extensions import EventKind, GameEvent, SeatInfo, SeatKind, SeatState, Watching
from ugs.wire.messages import Choice, PlayerResult, Result

SEATS = tuple(SeatInfo(nick, SeatKind.HUMAN, SeatState.PLAYING) for nick in ("ada", "bob"))


def watching(game: str = "g1", game_type: str = "5-in-line-tic-tac-toe") -> Watching:
    return Watching(game, game_type, 0, SEATS, (Choice("width", "5"), Choice("height", "4")))


def state(x: int, *movers: str, game: str = "g1") -> GameEvent:
    payload = b'<gameState><tac x="%d" y="0"/></gameState>' % x
    return GameEvent(game, 2, 0.5, EventKind.STATE, next_players=movers, state=payload)


def over(game: str = "g1", bob: Result = Result.LOSER) -> GameEvent:
    results = (PlayerResult("ada", Result.WINNER), PlayerResult("bob", bob))
    return GameEvent(game, 3, 1, EventKind.OVER, game_over=results, state=b"<gameState/>")


def ended(game: str = "g1") -> GameEvent:
    return GameEvent(game, 4, 1, EventKind.ENDED, text="finished")


def test_a_state_is_a_picture_with_its_news() -> None:
    games = GamesShown()
    assert games.take_in(watching()).picture is None
    frame = games.take_in(state(1, "bob"))
    assert frame.line == "g1 2 0.500 s  bob to move"
    assert frame.news == ("ada puts X on 1,0",)
    assert frame.picture is not None
    assert "5 columns and 4 rows" in frame.picture.words()
    assert "To move: bob (O)." in frame.picture.words()


def test_the_end_says_who_has_won() -> None:
    games = GamesShown()
    games.take_in(watching())
    frame = games.take_in(over())
    assert frame.picture is not None
    assert "Won by ada." in frame.picture.words()
    frame = games.take_in(over(bob=Result.WINNER))
    assert frame.picture is not None
    assert "Drawn." in frame.picture.words()


def test_who_stayed_alone_has_won_though_the_leaver_is_not_listed() -> None:
    games = GamesShown()
    games.take_in(watching())
    stayed = (PlayerResult("ada", Result.WINNER),)
    frame = games.take_in(GameEvent("g1", 3, 2, EventKind.OVER, game_over=stayed, state=b"<gameState/>"))
    assert frame.picture is not None
    assert "Won by ada." in frame.picture.words()


VERDICTS = [("finished: row completed", "Won by rob."), ("draw: board full", "Drawn.")]


@pytest.mark.parametrize(("verdict", "said"), VERDICTS)
def test_the_verdict_says_whether_the_computer_has_won(verdict: str, said: str) -> None:
    ann, rob = SEATS[0], SeatInfo("rob", SeatKind.PROGRAM, SeatState.PLAYING)
    game = GameShown(Watching("g1", "5-in-line-tic-tac-toe", 0, (ann, rob), (Choice("width", "5"), Choice("row", "3"))))
    game.take_in(state(1, "ada"))
    lost = (PlayerResult("ada", Result.LOSER),)
    game.take_in(
        GameEvent("g1", 3, 1, EventKind.OVER, game_over=lost, state=b'<gameState><tac x="2" y="0"/></gameState>')
    )
    game.take_in(GameEvent("g1", 4, 1, EventKind.ENDED, text=verdict))
    assert game.picture is not None
    assert said in game.picture.words()


@pytest.mark.parametrize(
    ("verdict", "said"), [("finished: the bank is broke", "All players lost."), ("draw", "The game is drawn.")]
)
def test_where_the_master_has_played_the_seat_of_a_leaver_all_may_have_lost(verdict: str, said: str) -> None:
    game = GameShown(
        Watching("g1", "unknown", 0, (SEATS[0], SEATS[1], SeatInfo("cyd", SeatKind.HUMAN, SeatState.QUIT)))
    )
    lost = (PlayerResult("ada", Result.LOSER), PlayerResult("bob", Result.LOSER))
    sketch = b'<sketch><grid columns="3" rows="2"/></sketch>'
    game.take_in(GameEvent("g1", 8, 2, EventKind.SKETCH, sketch=sketch))
    game.take_in(GameEvent("g1", 3, 2, EventKind.OVER, game_over=lost, state=b"<gameState/>"))
    game.take_in(GameEvent("g1", 10, 2, EventKind.ENDED, text=verdict))
    assert game.picture is not None
    assert said in game.picture.words()


def test_a_game_stays_in_front_until_it_has_ended_and_another_one_has_something_to_show() -> None:
    games = GamesShown()
    front = []
    for message in (
        watching("g1"),
        watching("g2"),
        state(1, "bob", game="g2"),
        ended("g1"),
        watching("g3"),
        state(1, "bob", game="g3"),
        state(2, "ada", game="g2"),
    ):
        games.take_in(message)
        front.append(games.front)
    assert front == ["g1", "g1", "g1", "g1", "g1", "g3", "g3"]
    assert games.running == 2
    assert games.game is not None
    assert list(games.game.lines)[-1] == "ada puts X on 1,0"


def test_what_pictures_cannot_say_is_told_in_lines() -> None:
    games = GamesShown()
    games.take_in(watching())
    games.take_in(GameEvent("g1", 2, 1, EventKind.MOVE, "ada"))
    games.take_in(GameEvent("g1", 3, 1, EventKind.LEFT, "ada", "timeout"))
    assert games.game is not None
    assert list(games.game.lines)[1:] == ["g1 3 1.000 s  ada is out: timeout"]


def test_a_game_that_was_never_announced_is_a_line() -> None:
    frame = GamesShown().take_in(state(1, "bob"))
    assert frame.picture is None
    assert frame.line == "g1 2 0.500 s  bob to move"


def test_a_game_without_renderer_is_a_tree() -> None:
    games = GamesShown()
    games.take_in(watching(game_type="unheard-of"))
    frame = games.take_in(state(1, "bob"))
    assert frame.picture is not None
    assert "tac" in frame.picture.words()


def test_who_begins_in_the_middle_sees_the_sketch_of_the_position() -> None:
    sketch = b'<sketch><grid columns="3" rows="3"/><words>the middle is mine</words></sketch>'
    shown = GamesShown({}).take_in(
        replace(watching(game_type="unknown"), number=3, state=b"<gameState/>", sketch=sketch)
    )
    assert shown.picture is not None
    assert "the middle is mine" in shown.picture.words()


def test_a_sketch_is_how_the_state_behind_it_looks_and_no_later_one() -> None:
    games = GamesShown({})
    games.take_in(watching(game_type="unknown"))
    sketch = b'<sketch><grid columns="3" rows="2"/><news>ada sits down</news></sketch>'
    frame = games.take_in(GameEvent("g1", 2, 0.5, EventKind.SKETCH, sketch=sketch))
    assert (frame.picture, frame.line) == (None, "g1 2 0.500 s  a picture of the position")
    frame = games.take_in(state(1, "bob"))
    assert frame.picture is not None
    assert frame.picture.words() == "bob to move. 3 columns and 2 rows, counted from 0."
    assert frame.news == ("ada sits down",)
    frame = games.take_in(state(2, "ada"))
    assert frame.picture is not None
    assert "The state as a tree" in frame.picture.words()


def test_no_board_is_drawn_of_a_game_whose_beginning_is_not_known() -> None:
    games = GamesShown()
    first = replace(watching(), number=220, state=b'<gameState><tac x="1" y="0"/></gameState>')
    frame = games.take_in(first)
    assert frame.picture is None
    assert frame.missing.startswith("what was before is not known, so the board is not drawn: ugs watch --game g1 ")
    later = games.take_in(replace(state(2, "bob"), number=222))
    assert later.picture is None
    assert not later.missing, "once is enough"
    assert later.news == ("ada puts X on 2,0",)
    assert games.game is not None
    assert games.game.missing == frame.missing


def test_no_board_is_drawn_where_the_server_has_not_kept_the_beginning() -> None:
    games = GamesShown()
    games.take_in(watching())
    assert games.take_in(replace(state(2, "bob"), number=222)).missing


def test_what_shows_a_whole_position_is_drawn_without_what_was_before() -> None:
    sketch = b'<sketch version="1" columns="2" rows="1"><cell x="0" y="0" text="O"/></sketch>'
    sketched, tree = GamesShown(), GamesShown({})
    frame = sketched.take_in(replace(watching(), number=220, state=b"<gameState/>", sketch=sketch))
    assert frame.picture is not None
    assert not frame.missing
    frame = tree.take_in(replace(watching(), number=220, state=b"<gameState/>"))
    assert frame.picture is not None
    assert not frame.missing
