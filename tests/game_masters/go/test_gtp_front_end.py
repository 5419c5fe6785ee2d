"""A Go interface plays with a seat of a server, to which we are a program."""

import random

from game_masters.go import GAME
from game_masters.go.gtp_front_end import GtpDialogue
from game_masters.go.rules import GoMove, Match, View
from game_masters.kit.rules import Table

OPTIONS = GAME.choose_options({})


def a_view(*moves: str) -> View:
    match = Match(Table("g1", ("ann", "bob"), OPTIONS), random.Random(0))
    for move in moves:
        match.apply(match.movers[0], GoMove(move))
    return match.view(None)


def receives(dialogue: GtpDialogue, *lines: str) -> list[str]:
    return [said for line in lines for said in dialogue.receives(line) if said]


def begun(*lines: str) -> GtpDialogue:
    dialogue = GtpDialogue(OPTIONS)
    receives(dialogue, "boardsize 9", "clear_board", "komi 7.5", *lines)
    assert dialogue.wants_game
    dialogue.joins()
    return dialogue


def turn(dialogue: GtpDialogue, *moves: str) -> list[str]:
    view = a_view(*moves)
    return [said for said in (*dialogue.shown(view), *dialogue.asks(view)) if said]


def test_its_moves_go_to_the_server_and_the_opponents_come_back() -> None:
    dialogue = begun("play B e5", "7 genmove w")
    assert turn(dialogue) == []
    assert dialogue.move == GoMove("E5")
    dialogue.has_moved()
    assert turn(dialogue, "E5", "D4") == ["=7 D4"]
    assert receives(dialogue, "play b E5", "play b pass") == ["? illegal move", "="]
    assert dialogue.move == GoMove("pass")


def test_with_white_on_the_server_the_program_moves_first() -> None:
    dialogue = begun("genmove B")
    dialogue.shown(a_view())
    assert turn(dialogue, "C3") == ["= C3"]


def test_what_does_not_fit_is_refused() -> None:
    dialogue = begun("genmove b")
    assert turn(dialogue) == ["? on the server you have black, and it is your turn"]
    assert receives(dialogue, "boardsize 19", "komi 0.5", "komi", "undo", "play w d4", "play b", "fly") == [
        "? unacceptable size: the server plays on 9",
        "? the komi on the server is 7.5",
        "? syntax error",
        "? cannot undo: nothing is taken back on a server",
        "? illegal move: colours take turns on the server, and Black begins",
        "? syntax error",
        "? unknown command",
    ]
    assert receives(dialogue, "known_command genmove", "4 protocol_version", "# nothing", "name") == [
        "= true",
        "=4 2",
        "= ugs opponent",
    ]


def test_what_is_no_point_is_refused_before_there_is_a_game_that_it_could_lose() -> None:
    dialogue = begun("play b e5")
    for vertex in ("Z99", "I5", "E0", "E10", "K1", "E\u0665", "E", ""):
        assert receives(dialogue, f"play w {vertex}")[0].startswith("?"), vertex
    turn(dialogue)
    assert dialogue.move == GoMove("E5")


def test_a_move_that_the_server_does_not_take_is_not_sent() -> None:
    dialogue = begun("play b e5", "play w d4", "play b d4", "3 genmove w")
    assert turn(dialogue, "E5", "D4") == ["?3 the moves are not those of the game on the server"]
    assert dialogue.move is None


def test_each_genmove_is_answered() -> None:
    dialogue = begun("play b e5", "1 genmove w")
    assert receives(dialogue, "2 genmove w", "3 name") == [
        "?2 the opponent has not moved yet, and one genmove waits for it already",
        "=3 ugs opponent",
    ]
    assert receives(dialogue, "4 clear_board") == ["?1 clear_board has ended the wait", "=4"]
    assert receives(dialogue, "5 genmove b", "6 quit") == ["?5 quit has ended the wait", "=6"]


def test_the_end_of_a_game() -> None:
    dialogue = begun("play b e5", "genmove w")
    turn(dialogue)
    dialogue.has_moved()
    assert dialogue.ends("won") == ["= resign", ""]
    dialogue.gone()
    assert receives(dialogue, "play w d4") == ["? illegal move: the game on the server is over: won"]
    assert receives(dialogue, "clear_board", "play b d4") == ["=", "="]
    assert dialogue.wants_game
    dialogue.joins()
    turn(dialogue)
    dialogue.has_moved()
    turn(dialogue, "D4", "E5")
    assert receives(dialogue, "quit") == ["="]
    assert (dialogue.move, dialogue.leaves) == (GoMove("resign"), False)
    dialogue.ends("lost")
    assert [dialogue.leaves] == [True]


def test_another_game_gives_up_the_one_that_runs() -> None:
    dialogue = begun("play b e5")
    turn(dialogue)
    dialogue.has_moved()
    dialogue.shown(a_view("E5", "D4"))
    receives(dialogue, "clear_board", "play b c3")
    assert not dialogue.wants_game
    turn(dialogue, "E5", "D4")
    assert dialogue.move == GoMove("resign")
    dialogue.ends("lost")
    dialogue.gone()
    assert [dialogue.wants_game] == [True]
