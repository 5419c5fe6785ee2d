"""What pictures of chess say about moves."""

from collections.abc import Iterator

from game_masters.chess.pictures import ChessFollower, follow, follow_variant
from ugs.pictures.contract import Scene, Seat, Shown, written_by

SCENE = Scene((Seat("ann"), Seat("bob")))
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
AFTER = {
    "g1f3": "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1",
    "b8c6": "r1bqkbnr/pppppppp/2n5/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 2 2",
    "f3e5": "r1bqkbnr/pppppppp/2n5/4N3/8/8/PPPPPPPP/RNBQKB1R b KQkq - 3 2",
}


def state(fen: str, before: int, *moves: str) -> Shown:
    """A state with what was moved since the one before."""
    inner = f"<moves>{' '.join(moves)}</moves>" if moves else ""
    return Shown(f'<gameState fen="{fen}" ply="{before}">{inner}</gameState>'.encode())


def seen(follower: ChessFollower) -> Iterator[tuple[str, tuple[str, ...]]]:
    """How each move is written: with its number, and as news."""
    follower(state(START, 0))
    for before, (move, fen) in enumerate(AFTER.items()):
        picture = follower(state(fen, before, move))
        yield written_by(picture), tuple(picture.news())


def test_moves_are_short_and_have_the_number_of_their_line() -> None:
    assert list(seen(follow(SCENE))) == [
        ("1. Nf3", ("white: Nf3",)),
        ("1... Nc6", ("black: Nc6",)),
        ("2. Ne5", ("white: Ne5",)),
    ]


def test_moves_of_variants_are_in_full_since_their_pieces_may_go_otherwise() -> None:
    assert [line for line, _ in seen(follow_variant(SCENE))] == ["1. Ng1-f3", "1... Nb8-c6", "2. Nf3-e5"]


def test_several_moves_at_once_and_those_of_an_unknown_position_have_no_line() -> None:
    follower = follow(SCENE)
    follower(state(START, 0))
    both = follower(state(AFTER["b8c6"], 0, "g1f3", "b8c6"))
    assert (written_by(both), both.news()) == ("", ("white: Nf3", "black: Nc6"))
    late = follow(SCENE)(state(AFTER["f3e5"], 2, "f3e5"))
    assert (written_by(late), late.news()) == ("", ("white: f3 to e5",))
    assert written_by(follower(state(AFTER["b8c6"], 2))) == "", "nothing was moved"
