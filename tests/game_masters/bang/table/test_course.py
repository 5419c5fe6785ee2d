"""Setting up, turns, hand limits, the deck, refusals, leaving, the lobby."""

import random
from collections import Counter

import pytest

from game_masters.bang import GAME
from game_masters.bang.messages.events import (
    ChatMessage,
    Event,
    Exited,
    GameUpdated,
    PlayerChanged,
    PlayerCreated,
    PlayerRemoved,
    Rejected,
    Resynced,
)
from game_masters.bang.messages.moves import (
    Chat,
    CreateGame,
    Discard,
    Draw,
    EndTurn,
    JoinGame,
    LeaveGame,
    Pass,
    Play,
    StartGame,
)
from game_masters.bang.messages.words import Phase, Reason, Stage
from game_masters.bang.parser.reading import read_view
from game_masters.bang.parser.writing import write_view
from game_masters.bang.rules import Position
from game_masters.bang.setup.beginning import ROLES, ids
from game_masters.kit.rules import Outcome, RuleBroken, Table, Unreadable
from tests.game_masters.bang.saloon import NAMES, Saloon, context_of, moved, types
from tests.profile import sized


def a_game(seats: int, seed: int = 1, **options: str) -> Position:
    chosen = GAME.choose_options({name.replace("_", "-"): value for name, value in options.items()})
    state = GAME.start(Table("g1", NAMES[:seats], chosen), random.Random(seed))
    assert isinstance(state, Position)
    return state


# --- setting up ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [4, 5, 6, 7])
def test_roles_characters_life_points_and_hands_are_dealt(seats: int) -> None:
    for seed in range(20):
        course = a_game(seats, seed).course
        assert Counter(player.role for player in course.players) == Counter(ROLES[seats])
        assert len({player.character for player in course.players}) == seats
        for player in course.players:
            assert player.life == player.most == len(player.hand)
        assert course.current.is_sheriff
        assert (course.turn.number, course.turn.phase, course.piles.graveyard) == (1, Phase.DRAW, [])


def test_the_first_events_are_those_of_the_protocol() -> None:
    startable, start, deal, turn = a_game(5).record
    assert startable == GameUpdated(startable=True)
    assert [event.type for event in (start, deal, turn) if isinstance(event, Event)] == [
        "start-game", "deal-cards", "start-turn",
    ]  # fmt: skip
    assert [event.id for event in (start, deal, turn) if isinstance(event, Event)] == [1, 2, 3]


def test_cards_are_dealt_one_at_a_time_to_those_who_have_fewer_than_their_life_points() -> None:
    state = a_game(4, seed=3)
    deal = state.record[2]
    assert isinstance(deal, Event)
    order = [getattr(command, "taker", 0) for command in deal.commands]
    most = {player.id: player.most for player in state.course.players}
    expected = [id for number in range(max(most.values())) for id in (1, 2, 3, 4) if number < most[id]]
    assert order == expected


def test_seats_are_as_the_players_came_unless_they_are_shuffled() -> None:
    assert [player.id for player in a_game(7).course.players] == [1, 2, 3, 4, 5, 6, 7]
    orders = {tuple(player.id for player in a_game(7, seed, shuffle_players="yes").course.players) for seed in range(5)}
    assert len(orders) == 5


def test_ids_of_cards_are_different_positive_and_tell_nothing() -> None:
    for secret in (b"a", b"b"):
        numbers = ids(secret, 80)
        assert len(set(numbers)) == 80
        assert min(numbers) > 0
        assert max(numbers) < 2**31
        assert ids(secret, 80) == numbers
    assert not set(ids(b"a", 80)) & set(ids(b"b", 80))


def test_labels_are_characters_and_the_sheriff() -> None:
    labels = Saloon(p1={"character": "slab-the-killer"}).state.labels
    assert labels[0] == "Slab the Killer, sheriff"
    assert labels[1] == "Jesse Jones"


# --- turns --------------------------------------------------------------------------------------------------------


def test_a_turn_is_drawn_for_first() -> None:
    saloon = Saloon(draw=False, deck=["bang", "beer"], p1={"hand": ["missed"]})
    assert saloon.refuses(EndTurn()) is Reason.BAD_GAME_STATE
    assert saloon.refuses(Pass()) is Reason.BAD_GAME_STATE
    assert saloon.refuses(Discard(saloon.card("missed").id)) is Reason.BAD_GAME_STATE
    assert saloon.cannot_play("missed") is Reason.BAD_GAME_STATE
    assert saloon.refuses(Play(77)) is Reason.BAD_CARD
    (event,) = saloon.draws()
    context = context_of(event)
    assert context is not None
    assert (moved(event), context.phase) == (["bang deck hand1", "beer deck hand1"], Phase.TURN)
    assert saloon.refuses(Draw()) is Reason.BAD_GAME_STATE
    assert saloon.refuses(Play(77)) is Reason.BAD_CARD


def test_the_next_living_player_follows_and_the_sheriff_counts_the_turns() -> None:
    saloon = Saloon(p3={"alive": False})
    (event,) = saloon.does(EndTurn())
    assert types([event]) == ["start-turn 2"]
    saloon.draws()
    saloon.ends()
    assert saloon.asked == 4
    saloon.draws()
    saloon.ends()
    assert (saloon.asked, saloon.context.turn) == (1, 2)


def test_the_hand_limit_is_the_life_points() -> None:
    saloon = Saloon(p1={"hand": ["bang", "missed", "missed"], "life": 3})
    assert saloon.refuses(EndTurn()) is Reason.TOO_MANY
    assert saloon.refuses(Discard(1)) is Reason.BAD_CARD
    (first,) = saloon.does(Discard(saloon.card("bang").id))
    context = context_of(first)
    assert context is not None
    assert (types([first]), context.phase) == (["discard-card 1"], Phase.DISCARD)
    assert saloon.cannot_play("diligenza") is Reason.BAD_GAME_STATE
    assert saloon.refuses(EndTurn()) is Reason.TOO_MANY
    last, begun = saloon.does(Discard(saloon.card("missed").id))
    assert (types([last, begun]), context_of(last)) == (["discard-card 1", "start-turn 2"], None)


def test_nobody_discards_within_the_limit() -> None:
    saloon = Saloon()
    assert saloon.refuses(Discard(saloon.card("diligenza").id)) is Reason.BAD_GAME_STATE


def test_only_who_is_asked_may_move() -> None:
    saloon = Saloon(p1={"hand": ["bang"]}, p2={"hand": ["missed"]})
    assert saloon.refuses(Draw(), seat=1) is Reason.BAD_PLAYER
    saloon.plays("bang", on=2)
    assert saloon.refuses(EndTurn(), seat=0) is Reason.BAD_PLAYER
    assert saloon.refuses(EndTurn()) is Reason.BAD_GAME_STATE
    assert saloon.refuses(Draw()) is Reason.BAD_GAME_STATE
    assert saloon.refuses(Discard(saloon.card("missed").id)) is Reason.BAD_GAME_STATE
    assert saloon.refuses(Play(saloon.card("missed").id, 1)) is Reason.BAD_GAME_STATE
    assert saloon.refuses(StartGame()) is Reason.BAD_GAME_STATE


# --- the deck -----------------------------------------------------------------------------------------------------


def few(saloon: Saloon, left: int) -> None:
    """Leave so many cards in the deck; the others are player 3's."""
    piles = saloon.state.course.piles
    cut = len(piles.deck) - left
    piles.deck, rest = piles.deck[cut:], piles.deck[:cut]
    saloon.player(3).hand += rest


def test_all_discards_but_the_top_are_shuffled_before_the_step_that_needs_them() -> None:
    saloon = Saloon(draw=False, deck=["bang"], discard=["beer", "duel", "jail"])
    few(saloon, 1)
    shuffled, drawn = saloon.draws()
    assert (types([shuffled]), shuffled.cards, shuffled.commands) == (["shuffle-deck"], 2, ())
    assert moved(drawn)[0] == "bang deck hand1", "the shuffled cards go beneath what is left"
    assert (saloon.top, len(saloon.state.course.piles.deck)) == ("jail", 1)


def test_nothing_is_shuffled_while_the_deck_has_enough() -> None:
    saloon = Saloon(draw=False, deck=["bang", "beer"], discard=["duel", "jail"])
    few(saloon, 2)
    assert types(saloon.draws()) == ["draw-card 1"]


@pytest.mark.parametrize(("left", "discard"), [(1, []), (1, ["duel"]), (0, ["duel"])])
def test_if_there_are_still_too_few_all_there_are_are_drawn(left: int, discard: list[str]) -> None:
    saloon = Saloon(draw=False, discard=discard)
    few(saloon, left)
    (drawn,) = saloon.draws()
    assert (len(moved(drawn)), saloon.phase) == (left, Phase.TURN)


# --- what is no part of the game ----------------------------------------------------------------------------------


def test_a_refused_move_is_told_to_nobody_else() -> None:
    state = a_game(4)
    seat = state.movers[0]
    state.fault(seat, Unreadable("no action\x07"))
    rejected = state.record[-1]
    assert rejected == Rejected(seat + 1, "", "malformed", "no action?")
    assert rejected in state.view(seat).news
    assert all(rejected not in state.view(other).news for other in (None, *range(4)) if other != seat)


def test_a_refusal_names_action_and_reason() -> None:
    state = a_game(4)
    seat = state.movers[0]
    try:
        state.apply(seat, EndTurn())
    except RuleBroken as refused:
        state.fault(seat, refused)
    rejected = state.record[-1]
    assert isinstance(rejected, Rejected)
    assert (rejected.action, rejected.reason) == ("end-turn", "bad-game-state")
    assert rejected.text == "the turn cannot end now: the state is draw"


def test_everybody_hears_a_chat_and_the_same_player_is_asked_again() -> None:
    state = a_game(4)
    seat = state.movers[0]
    state.apply(seat, Chat("Howdy"))
    said = ChatMessage(seat + 1, NAMES[seat], "Howdy")
    assert all(state.view(reader).news[-1] == said for reader in (None, 0, 1, 2, 3))
    assert state.movers == (seat,)
    for text in ("", "x" * 501):
        with pytest.raises(RuleBroken, match="bad-usage"):
            state.apply(seat, Chat(text))


def test_after_too_many_moves_that_lead_nowhere_the_computer_makes_one() -> None:
    state = a_game(4, patience="3")
    seat = state.movers[0]
    events = state.course.log.events
    state.apply(seat, Chat("one"))
    state.fault(seat, Unreadable("two"))
    assert state.course.log.events == events
    state.fault(seat, Unreadable("three"))
    assert state.course.log.events > events
    assert state.course.turn.phase is not Phase.DRAW


def test_a_player_may_ask_for_a_snapshot_of_its_own_seat_only() -> None:
    state = a_game(4)
    seat = state.movers[0]
    before = state.view(seat).known
    state.apply(seat, JoinGame(seat + 1))
    assert state.record[-1] == Resynced(seat + 1)
    assert state.view(seat).known == before
    with pytest.raises(RuleBroken, match="bad-player"):
        state.apply(seat, JoinGame((seat + 1) % 4 + 1))


def test_a_seat_that_is_left_is_detached_and_played_by_the_computer_at_once() -> None:
    state = a_game(5)
    seat = state.movers[0]
    before = len(state.record)
    state.leave(seat)
    changes = [entry.player for entry in state.record[before:] if isinstance(entry, PlayerChanged)]
    assert [(one.controlled, one.ai) for one in changes] == [(False, False), (True, True)]
    assert all(seat != mover for mover in state.movers)
    assert state.course.players[seat + 1].alive


def test_a_seat_is_given_back_to_its_player() -> None:
    state = a_game(5)
    other = (state.movers[0] + 2) % 5
    state.leave(other)
    state.rejoin(other)
    change = state.record[-1]
    assert isinstance(change, PlayerChanged)
    assert (change.player.controlled, change.player.ai) == (True, False)
    assert state.view(other).known.hand == tuple(state.course.players[other + 1].hand)
    while state.outcome is None and state.movers[0] != other:
        seat = state.movers[0]
        state.apply(seat, state.legal_moves(seat)[0])
    assert state.outcome is not None or state.movers == (other,)


def test_leaving_by_a_move_ends_what_the_leaver_is_told_and_gives_its_seat_to_the_computer() -> None:
    state = a_game(5)
    seat = state.movers[0]
    state.apply(seat, LeaveGame())
    exited = Exited(seat + 1)
    assert exited in state.view(seat).news
    assert read_view(write_view(state.view(seat))) == state.view(seat)
    assert exited not in state.view(None).news
    assert seat not in state.movers
    if state.outcome is None:
        state.apply(seat, JoinGame())
        assert not state.course.players[seat + 1].ai


@pytest.mark.parametrize("seats", [4, 7])
def test_the_last_player_to_stay_wins(seats: int) -> None:
    state = a_game(seats)
    for seat in range(seats - 1):
        if state.outcome is None:
            state.leave(seat)
    assert state.outcome is not None
    if state.outcome.termination == "all others left":
        assert state.outcome.winners == {seats - 1}


@pytest.mark.parametrize("seats", [4, 7])
def test_after_the_last_round_nobody_has_won(seats: int) -> None:
    state = a_game(seats, rounds="10")
    while state.outcome is None:
        legal = state.legal_moves(state.movers[0])
        passive = [move for move in legal if isinstance(move, (EndTurn, Pass, Draw, Discard))]
        state.apply(state.movers[0], (passive or legal)[0])
    assert state.outcome == Outcome("the last round is over", frozenset(), drawn=True)
    assert (state.course.turn.number, state.movers) == (11, ())
    assert not [player.id for player in state.course.players if player.winner]
    assert isinstance(state.record[-1], Event)
    assert state.record[-1].type == "finish-game"


def test_computer_players_do_not_play_on_after_the_last_round() -> None:
    state = a_game(4, rounds="10")
    state.course.turn.number = 11
    state.leave(1)
    assert state.outcome is not None
    assert state.outcome.termination == "the last round is over"


# --- the lobby ----------------------------------------------------------------------------------------------------


def lobby(seats: int) -> Position:
    return a_game(seats, auto_start="no")


def test_the_creator_starts_the_game() -> None:
    state = lobby(4)
    assert (state.movers, state.labels, state.course.stage) == ((0,), (), Stage.WAITING)
    with pytest.raises(RuleBroken, match="bad-player"):
        state.apply(1, StartGame())
    with pytest.raises(RuleBroken, match="bad-game-state: the game has not started"):
        state.apply(0, Draw())
    state.apply(0, StartGame())
    assert state.course.stage is Stage.PLAYING
    with pytest.raises(RuleBroken, match="bad-game-state"):
        state.apply(state.movers[0], StartGame())


def test_computer_players_can_be_asked_for_and_sent_away() -> None:
    state = lobby(5)
    state.apply(0, CreateGame("High noon", 2))
    created = [entry for entry in state.record if isinstance(entry, PlayerCreated)]
    assert [(one.player.id, one.player.name, one.player.ai) for one in created] == [
        (6, "Computer 1", True), (7, "Computer 2", True),
    ]  # fmt: skip
    assert state.record[-1] == GameUpdated(startable=True, name="High noon")
    assert state.view(None).known.game_name == "High noon"
    with pytest.raises(RuleBroken, match="bad-usage: 3 computer players; at most 7 can play"):
        state.apply(0, CreateGame("", 3))
    state.apply(0, CreateGame("", 1, shuffle=True))
    assert PlayerRemoved(7) in state.record
    state.apply(0, StartGame())
    assert len(state.course.players.players) == 6
    assert 5 not in state.movers
    while state.outcome is None:
        seat = state.movers[0]
        assert seat < 5
        state.apply(seat, state.legal_moves(seat)[0])


def test_what_only_added_computer_players_win_is_no_draw() -> None:
    """They have no seat at the table, so no seat has won: the players have lost."""
    rng = random.Random(1)
    ends = []
    for number in range(sized(quick=12, deep=200)):
        state = a_game(4, number, auto_start="no")
        state.apply(0, CreateGame("", 3))
        state.apply(0, StartGame())
        while state.outcome is None:
            state.apply(state.movers[0], rng.choice(state.legal_moves(state.movers[0])))
        added = [player for player in state.course.players if player.winner and player.id > 4]
        ends.append((bool(state.outcome.winners), bool(added), state.outcome.drawn))
    assert (False, True, False) in ends
    assert not [end for end in ends if end[2]]


def test_who_leaves_the_lobby_is_removed_and_the_next_one_is_the_creator() -> None:
    state = lobby(4)
    state.leave(0)
    assert state.record[-2:] == [PlayerRemoved(1), GameUpdated(startable=False)]
    assert state.movers == (1,)
    with pytest.raises(RuleBroken, match="bad-game-state: 3 players; 4 to 7 can play"):
        state.apply(1, StartGame())
    state.apply(1, CreateGame("", 1))
    state.apply(1, StartGame())
    assert state.course.stage is Stage.PLAYING


def test_a_computer_player_never_gets_the_id_of_a_seat_that_was_left() -> None:
    """The seat of a player who has left must not be asked: here the last one, whose id would be the next one."""
    state = lobby(5)
    state.leave(4)
    state.apply(0, CreateGame("", 1))
    assert [player.id for player in state.course.players] == [1, 2, 3, 4, 6]
    state.apply(0, StartGame())
    while state.outcome is None:
        seat = state.movers[0]
        assert seat < 4
        state.apply(seat, state.legal_moves(seat)[0])


def test_who_has_left_the_lobby_and_returns_sits_down_again() -> None:
    state = lobby(4)
    state.leave(1)
    state.rejoin(1)
    assert state.record[-2:] == [PlayerCreated(state.course.players[2].view()), GameUpdated(startable=True)]
    assert [player.id for player in state.course.players] == [1, 3, 4, 2]
    assert state.course.players[2].name == NAMES[1]
    state.apply(0, StartGame())
    assert state.course.stage is Stage.PLAYING


def test_who_returns_to_a_full_lobby_takes_the_place_of_a_computer_player() -> None:
    state = lobby(7)
    for seat in (6, 2):
        state.leave(seat)
    state.apply(0, CreateGame("", 2))
    state.rejoin(2)
    assert [player.id for player in state.course.players] == [1, 2, 4, 5, 6, 8, 3]
    state.apply(0, CreateGame("", 0))
    assert [player.id for player in state.course.players] == [1, 2, 4, 5, 6, 3], "only computer players are sent away"


def test_who_returns_after_the_start_without_its_seat_looks_on() -> None:
    state = lobby(5)
    state.leave(3)
    state.apply(0, StartGame())
    state.rejoin(3)
    view = state.view(3)
    assert (view.known.you, view.known.hand, view.legal) == (0, (), ())
    while state.outcome is None:
        seat = state.movers[0]
        assert seat != 3
        state.apply(seat, state.legal_moves(seat)[0])
    assert 3 not in state.outcome.winners


def test_the_last_one_in_the_lobby_has_won() -> None:
    state = lobby(4)
    for seat in (3, 0, 1):
        state.leave(seat)
    assert state.outcome is not None
    assert state.outcome.winners == {2}


def test_a_lobby_in_which_nobody_starts_is_started_by_the_computer() -> None:
    state = a_game(4, auto_start="no", patience="2")
    state.leave(3)
    state.apply(0, Chat("hm"))
    state.apply(0, Chat("hm"))
    assert state.course.stage is Stage.PLAYING
    assert len(state.course.players.players) == 4
