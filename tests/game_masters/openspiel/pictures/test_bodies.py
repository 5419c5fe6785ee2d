"""Every game is drawn, and the boards of ``games.toml`` are those that OpenSpiel prints."""

import random
import re
from typing import Final
from xml.etree.ElementTree import fromstring

import pytest

pytest.importorskip("pyspiel")

from game_masters.kit.rules import Table
from game_masters.openspiel import COLLECTION, notation
from game_masters.openspiel.games_toml import rows
from game_masters.openspiel.pictures import follow
from game_masters.openspiel.pictures.bodies import maker_of
from game_masters.openspiel.pictures.grid import GridBody
from game_masters.openspiel.pictures.picture import SpielPicture
from game_masters.openspiel.pictures.points import PointsBody
from game_masters.openspiel.pictures.text import NOTHING, TextBody
from tests.profile import sized
from ugs.pictures.contract import CannotDraw, Scene, Seat, Shown

BOARDS: Final = sorted(name for name, row in rows().items() if row.board)
DRAWN: Final = sorted(name for name in COLLECTION.names() if maker_of(name) is not None)
WITHOUT_FIELDS: Final = {"ultimate_tic_tac_toe", "crazyhouse", "go", "phantom_go"}
"""Boards whose moves are not all on fields."""


def picture_of(name: str, moves: int, viewer: int | None = None, seed: int = 4) -> SpielPicture:
    """A picture of a game after some random moves."""
    game = COLLECTION.game(name)
    names = tuple(f"player-{seat}" for seat in range(game.players.wanted or game.players.min))
    state = game.start(Table("test", names, game.choose_options({})), random.Random(seed))
    rng = random.Random(seed)
    told = 0
    for _ in range(moves):
        told = len(state.record)
        if state.movers:
            state.apply(state.movers[0], rng.choice(state.legal_moves(state.movers[0])))
    winners = None if state.outcome is None else state.outcome.winners
    if viewer is not None and state.movers:
        viewer = state.movers[0]
    shown = Shown(notation.write_view(state.view(viewer, told)), state.movers, winners)
    picture = follow(Scene(tuple(map(Seat, names)), viewer))(shown)
    assert isinstance(picture, SpielPicture)
    return picture


@pytest.mark.parametrize("name", BOARDS)
def test_a_board_is_read_and_its_moves_lie_on_fields(name: str) -> None:
    for moves in (0, 4):
        picture = picture_of(name, moves, viewer=0)
        body = picture.body
        assert isinstance(body, GridBody)
        assert body.rows >= 3 or body.columns >= 8
        assert set(body.fields.values()) - set(body.row.pieces) <= set(".-+?")
        svg = picture.svg("p", picture.asked[0])
        assert svg.count("data-offer=") > 0
        if name not in WITHOUT_FIELDS:
            assert "<g data-offer=" not in svg, "a move is not on the board"
        assert any("·" in span.text for line in picture.text(80) for span in line) or name in ("clobber", "banqi")


@pytest.mark.parametrize("name", sized(quick=("dark_hex", "kuhn_poker", "liars_dice", "oware"), deep=DRAWN))
def test_a_game_is_drawn_to_its_end(name: str) -> None:
    for viewer in (None, 0):
        picture = picture_of(name, 5000, viewer)
        assert not picture.asked
        assert not isinstance(picture.body, TextBody), picture.words()


def test_where_all_players_have_lost_the_picture_does_not_call_it_a_draw() -> None:
    game = COLLECTION.game("pig")
    state = game.start(Table("test", ("ann", "bob"), game.choose_options({})), random.Random(1))
    follower = follow(Scene((Seat("ann"), Seat("bob")), None))
    payload = notation.write_view(state.view(None, 0))
    assert "All players lost" in follower(Shown(payload, (), frozenset(), all_lost=True)).words()
    assert "Drawn" in follower(Shown(payload, (), frozenset())).words()


def test_the_last_move_is_marked() -> None:
    body = picture_of("tic_tac_toe", 1).body
    assert isinstance(body, GridBody)
    (field,) = body.last
    assert body.fields[field] == "x"


def decided(name: str) -> GridBody:
    """The board of a game that one seat has won."""
    bodies = (picture_of(name, 5000, seed=seed) for seed in range(40))
    body = next(picture.body for picture in bodies if len(picture.winners or ()) == 1)
    assert isinstance(body, GridBody)
    return body


@pytest.mark.parametrize(
    ("name", "length"),
    [
        ("connect_four", 4),
        ("connect_four(x_in_row=3)", 3),
        ("tic_tac_toe", 3),
        ("mnk", 5),
        ("gomoku", 5),
        ("pentago", 5),
    ],
)
def test_the_row_that_has_won_is_marked(name: str, length: int) -> None:
    body = decided(name)
    assert len(body.won) >= length
    assert len({body.fields[field] for field in body.won}) == 1
    assert "What has won lies on" in body.words()


def test_fields_of_columns_are_counted_from_below() -> None:
    """It read "lies on 6, 6, 6, 6"."""
    assert re.search(r"lies on column \d \(\d from below\), column \d \(", decided("connect_four").words())


def test_the_chain_that_has_won_is_marked() -> None:
    body = decided("hex")
    assert len(body.won) >= 11
    assert len({body.row.pieces[body.fields[field]].seat for field in body.won}) == 1
    assert not picture_of("hex", 5).body.won  # type: ignore[attr-defined]


def test_a_move_that_names_a_column_is_marked_where_the_piece_lies() -> None:
    picture = picture_of("connect_four", 1)
    assert isinstance(picture.body, GridBody)
    (field,) = picture.body.last
    assert picture.body.fields[field] == "x"
    assert field.row == picture.body.rows - 1
    assert list(picture.news()) == [f"player-0 plays column {field.column}"]


def test_a_plain_victory_has_no_number() -> None:
    svg = picture_of("connect_four", 5000).svg("p")
    assert ">won<" in svg
    assert ">-1<" not in svg


def test_a_board_that_is_printed_otherwise_is_shown_as_text() -> None:
    game = b'<gameState game="hex()" seats="2" turn="0"><board>who knows</board></gameState>'
    picture = follow(Scene((Seat("ann"), Seat("bob"))))(Shown(game, (0,)))
    assert isinstance(picture, SpielPicture)
    assert isinstance(picture.body, TextBody)
    assert "who knows" in picture.svg("p")


def test_moves_that_are_not_on_the_board_are_below_it() -> None:
    svg = picture_of("matrix_rps", 0).svg("p", 0)
    assert [word in svg for word in ("Rock", "Paper", "Scissors")] == [True] * 3
    assert svg.count("<g data-offer=") == 3


def test_spectators_of_a_hidden_game_see_that_nothing_is_open() -> None:
    picture = picture_of("liars_dice_ir", 1)
    assert picture.words().endswith(NOTHING)
    assert list(picture.news()) == ["player-0 has moved"]
    assert picture.offers(0) == picture.offers(1) == []


def test_points_are_shown_when_the_game_is_over() -> None:
    picture = picture_of("matrix_pd", 2)
    assert "Points: player-0" in picture.words()
    assert len(picture.news()) == 2


def test_seats_that_cannot_be_are_not_drawn() -> None:
    with pytest.raises(CannotDraw):
        follow(Scene(()))(Shown(b'<gameState game="hex()" seats="2" turn="7"/>'))
    assert maker_of("matrix_rps") is None


def drawn_of(name: str, moves: int, viewer: int | None = None, seed: int = 4) -> str:
    """What a picture says: its words, and the text for a terminal."""
    picture = picture_of(name, moves, viewer, seed)
    assert not isinstance(picture.body, TextBody)
    lines = "\n".join("".join(span.text for span in line) for line in picture.text(80))
    return f"{lines}\n{picture.words()}"


def test_a_seat_sees_its_own_card_and_a_back() -> None:
    said = drawn_of("kuhn_poker", 1, viewer=0)
    assert said.count("something hidden") == 1
    assert "said: pass" in said or "said: bet" in said
    assert "something hidden" not in drawn_of("kuhn_poker", 3)


def test_cards_of_leduc_poker_have_ranks_and_suits() -> None:
    said = drawn_of("leduc_poker", 1, viewer=0)
    assert any(f"Seat 1 holds {card}" in said for card in ("J♠", "Q♠", "K♠", "J♥", "Q♥", "K♥"))
    assert "Seat 0 holds something hidden (paid 1, has 99)" in said
    assert drawn_of("leduc_poker", 2).count("something hidden") == 2


def test_dice_of_others_are_hidden_until_the_end() -> None:
    assert "something hidden" in drawn_of("liars_dice", 1, viewer=0)
    over = drawn_of("liars_dice", 40)
    assert "something hidden" not in over
    assert "Liar" in over


def test_a_spectator_of_liars_dice_sees_text() -> None:
    assert isinstance(picture_of("liars_dice", 1).body, TextBody)


def test_pits_are_clicked_where_they_are() -> None:
    for name in ("mancala", "oware"):
        picture = picture_of(name, 3)
        assert "<g data-offer=" not in picture.svg("p", picture.asked[0])
    assert "has 0 in its store and these pits: 1: 4" in drawn_of("mancala", 0)


def test_walls_and_pawns_are_clicked_where_they_are() -> None:
    picture = picture_of("quoridor", 0)
    assert "<g data-offer=" not in picture.svg("p", 0)
    assert "seat 0 on e9, seat 1 on e1. Walls to the right of none" in drawn_of("quoridor", 0)
    later = drawn_of("quoridor", 30)
    assert "right of none" not in later or "below none" not in later


def test_checkers_of_backgammon_are_counted() -> None:
    said = drawn_of("backgammon", 0)
    assert "Points above, 13: 5 o" in said
    assert "Points below, 12: 5 x" in said
    assert picture_of("backgammon", 0).body.paints == ("white", "black")
    for moves in range(0, 90, 9):
        body = picture_of("backgammon", moves).body
        assert isinstance(body, PointsBody)
        for seat in (0, 1):
            on = sum(count for owner, count in (*body.above, *body.below) if owner == seat)
            assert on + body.bar[seat] + body.scores[seat] == 15


def test_what_was_borne_off_in_backgammon_lies_in_trays() -> None:
    for moves in (0, 100, 5000):
        picture = picture_of("backgammon", moves)
        assert isinstance(picture.body, PointsBody)
        slabs = [
            one for one in fromstring(picture.svg("p")).iter("{http://www.w3.org/2000/svg}rect") if one.get("rx") == "1"
        ]
        scores = [*picture.body.scores]
        assert [sum(one.get("class") == f"f-{paint} s-ink" for one in slabs) for paint in ("white", "black")] == scores
    assert max(scores) == 15, "all of them fit"
    assert all(float(one.get("y", "")) > 0 for one in slabs)


@pytest.mark.parametrize("size", [2, 5, 11])
def test_hex_has_as_many_columns_as_rows(size: int) -> None:
    body = picture_of(f"hex(board_size={size})", 3).body
    assert isinstance(body, GridBody)
    assert (body.rows, body.columns, len(body.fields)) == (size, size, size**2)


def test_each_move_is_news_once() -> None:
    game = COLLECTION.game("hex")
    state = game.start(Table("test", ("ann", "bob"), game.choose_options({})), random.Random(1))
    following = follow(Scene((Seat("ann"), Seat("bob")), None))
    news: list[str] = []
    for moves in range(7):
        shown = Shown(notation.write_view(state.view(None, max(0, moves - 2))), state.movers, None)
        news += following(shown).news()
        state.apply(state.movers[0], state.legal_moves(state.movers[0])[0])
    assert len(news) == len(set(news)) == 6


def test_a_move_is_read_without_the_number_that_openspiel_gives_it() -> None:
    texts = [line for moves in range(8) for line in picture_of("backgammon", moves).news()]
    assert any(line.startswith("chance: roll: ") for line in texts)
    assert any(" plays " in line and "/" in line for line in texts)
    assert not any(" - " in line or "outcome" in line for line in texts)


def test_the_edges_of_hex_have_the_paints_of_those_who_join_them() -> None:
    svg = picture_of("hex", 0).svg("p")
    assert svg.count('stroke-width="0.16"') == 2
    assert 'stroke-width="0.16"' not in picture_of("havannah", 0).svg("p")
