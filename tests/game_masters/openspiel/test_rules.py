"""What the server decides where OpenSpiel leaves it open."""

import ast
import importlib.util
import random
from pathlib import Path

import pytest

pytest.importorskip("pyspiel")

from game_masters.kit.rules import BadOption, Outcome, RuleBroken, Table, Unreadable
from game_masters.openspiel import COLLECTION, collection, library, notation
from game_masters.openspiel.games_toml import row
from game_masters.openspiel.parameters import check_given
from game_masters.openspiel.rules import Spiel
from game_masters.openspiel.view import EventKind, Play, printed
from game_masters.registry import find_game
from ugs.game_collections import NotInCollection

TOP = Path(__file__).parents[3]


def a_game(name: str, seats: int = 2, seed: int = 1, **options: str) -> Spiel:
    game = COLLECTION.game(name)
    names = tuple(f"player-{seat}" for seat in range(seats))
    state = game.start(Table("test", names, game.choose_options(options)), random.Random(seed))
    assert isinstance(state, Spiel)
    return state


def outcome_of(state: Spiel) -> Outcome:
    assert state.outcome is not None
    return state.outcome


def play(state: Spiel, *texts: str) -> None:
    for text in texts:
        (seat,) = state.movers
        (move,) = [one for one in state.legal_moves(seat) if one.text == text]
        state.apply(seat, move)


def test_usual_parameters_are_within_the_bounds_of_a_name() -> None:
    for name in ("hex", "nim", "universal_poker", "mnk", "capture_the_flag", "chess", "goofspiel"):
        own = row(name)
        facts = library.facts(name, own.fixed)
        check_given(facts.parameters, own, facts.parameters)


def test_what_openspiel_warns_of_is_written_when_that_game_is_played_and_once(
    capfd: pytest.CaptureFixture[str],
) -> None:
    library._load.cache_clear()
    library.warn.cache_clear()
    library.facts("quoridor", {})
    a_game("hex")
    assert capfd.readouterr().err == ""
    a_game("quoridor")
    assert "'quoridor' has known issues" in capfd.readouterr().err
    a_game("quoridor")
    assert capfd.readouterr().err == ""


def test_a_game_is_found_by_its_name_with_and_without_parameters() -> None:
    assert find_game("openspiel:hex").game_type == "openspiel:hex"
    small = find_game("openspiel:hex(board_size=3)")
    assert small.game_type == "openspiel:hex(board_size=3)"
    assert "board_size" in [option.name for option in find_game("openspiel:hex").options]
    assert "board_size" not in [option.name for option in small.options]
    assert len(a_game("hex(board_size=3)").legal_moves(0)) == len(a_game("hex", board_size="3").legal_moves(0)) == 9


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("hexx", r"there is no game 'openspiel:hexx' \(did you mean 'openspiel:hex'\?\)"),
        ("reversi", r"'openspiel:reversi' \('reversi' is also a name of 'openspiel:othello'\)"),
        ("catch", "there is no game 'openspiel:catch'"),
        ("hex(bord_size=3)", "OpenSpiel refuses it"),
        ("hex(board_size=3", "Missing closing bracket"),
        ("hex(board_size=1000000)", "board_size must be from 2 to 19"),
        ("hex(board_size=-5)", "board_size must be from 2 to 19"),
        ("hex(num_cols=40000)", "num_cols must be from 0 to 110"),
        ("go(board_size=99999999999999)", "the number of board_size has more than 9 digits"),
        ("nim(pile_sizes=2;4;999999)", "pile_sizes must be from 0 to 100"),
        ('hex(board_size=__import__("os"))', "the parameter board_size"),
        ("nim(pile_sizes=" + "1;" * 60 + "1)", "at most 64 characters"),
    ],
)
def test_what_is_no_game_is_refused_with_the_reason(name: str, why: str) -> None:
    with pytest.raises(NotInCollection, match=why):
        COLLECTION.game(name)


def test_without_the_library_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collection, "find_spec", lambda name: None)
    assert COLLECTION.names() == ()
    with pytest.raises(NotInCollection, match=r'openspiel:go: .* pip install "ugs\[openspiel\]"'):
        COLLECTION.game("go")


def test_one_module_imports_the_library() -> None:
    importers = []
    for path in [*(TOP / "ugs").rglob("*.py"), *(TOP / "game_masters").rglob("*.py")]:
        text = path.read_text(encoding="utf-8")
        if "pyspiel" in text:
            tree = ast.walk(ast.parse(text))
            names = [alias.name for node in tree if isinstance(node, ast.Import) for alias in node.names]
            importers += [path.name] if "pyspiel" in names else []
    assert importers == ["library.py"]
    assert importlib.util.find_spec("pyspiel") is not None


def test_choices_at_one_time_are_sealed_until_all_have_chosen() -> None:
    views = []
    for choice in ("Rock", "Paper"):
        state = a_game("matrix_rps")
        assert state.movers == (0,)
        play(state, choice)
        assert state.movers == (1,)
        views.append(notation.write_view(state.view(None)))
    assert views[0] == views[1]
    play(state, "Rock")
    assert outcome_of(state).winners == {0}
    assert state.view(None).events[-1].text == "0: Paper, 1: Rock"
    assert state.view(None).points == (1.0, -1.0)


def test_who_has_most_points_wins_and_equal_points_are_a_draw() -> None:
    state = a_game("matrix_bos")
    play(state, *[state.legal_moves(0)[0].text] * 2)
    assert state.view(0).points == (3.0, 2.0)
    assert outcome_of(state).winners == {0}
    state = a_game("matrix_coordination")
    play(state, state.legal_moves(0)[0].text, state.legal_moves(0)[0].text)
    assert outcome_of(state).drawn


def test_a_move_is_its_number_and_a_wrong_text_is_refused() -> None:
    state = a_game("tic_tac_toe")
    for wrong in (Play(0, "x(1,1)"), Play(9), Play(99)):
        with pytest.raises(RuleBroken):
            state.apply(0, wrong)
    state.apply(0, notation.read_move(b'<move><play id="0"/></move>'))
    assert str(state.record[-1]) == "seat 0 play: x(0,0)"


def test_who_is_out_has_lost_and_chance_plays_on_for_more_than_one() -> None:
    state = a_game("hearts", seats=4)
    state.leave(0)
    state.fault(state.movers[0], Unreadable("nonsense"))
    out = {entry.seat for entry in state.record if entry.kind is EventKind.OUT}
    assert 0 in out
    assert len(out) == 2
    while state.movers:
        assert not out & set(state.movers)
        state.apply(state.movers[0], state.legal_moves(state.movers[0])[0])
    assert not out & outcome_of(state).winners
    duel = a_game("tic_tac_toe")
    duel.fault(0, RuleBroken("no"))
    assert outcome_of(duel).winners == {1}


def test_a_seat_sees_its_own_card_and_no_other_before_the_end() -> None:
    state = a_game("kuhn_poker", seed=3)
    cards = [entry.text for entry in state.record]
    assert len(set(cards)) == 2
    assert [event.text for event in state.view(0).events] == ["", ""]
    assert state.view(0).information != state.view(1).information
    assert state.view(1).plays == state.view(None).plays == ()
    play(state, "Pass")
    assert state.view(1, 2).events[0].text == "Pass"
    play(state, "Pass")
    assert [event.text for event in state.view(None).events][:2] == cards


def test_seeds_of_the_library_come_from_the_kit_and_do_not_travel() -> None:
    one, same, other = (a_game("tarok", seats=3, seed=seed) for seed in (5, 5, 6))
    assert str(one) == str(same) != str(other)
    assert one.view(0).game == "tarok()"


def test_options_that_do_not_go_together_are_refused() -> None:
    game = COLLECTION.game("go")
    with pytest.raises(BadOption):
        game.choose_options({"board_size": "30"})
    assert COLLECTION.game("goofspiel").hides(COLLECTION.game("goofspiel").choose_options({"imp_info": "yes"}))


def test_texts_of_the_library_are_made_fit_for_xml() -> None:
    assert printed("\x1b[31mred\x1b[0m\n\x00♥") == "red\n ♥"
