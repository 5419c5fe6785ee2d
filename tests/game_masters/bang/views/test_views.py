"""Who may see what, and that what is told is enough: whatever a reader is told gives it what it may know, after every
event; the omniscient log gives the whole game."""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game_masters.bang import GAME
from game_masters.bang.bots import BOTS
from game_masters.bang.cards.characters import CHARACTERS
from game_masters.bang.cards.playing_cards import HIDDEN
from game_masters.bang.cycle.legality import legal_moves
from game_masters.bang.messages.events import SPECTATOR, Event, Movement, SetPlayers, seen_by
from game_masters.bang.messages.moves import JoinGame, LeaveGame, Play
from game_masters.bang.messages.words import Phase, Role, Stage
from game_masters.bang.notation import follow, write_view
from game_masters.bang.rules import MAX_NEWS, MAX_PUBLIC_NEWS, Position
from game_masters.bang.table import steps
from game_masters.bang.table.steps import MAX_STEP
from game_masters.bang.views.known import Known, Replica, known_by
from game_masters.kit.rules import Table
from tests.game_masters.bang.saloon import NAMES, Saloon
from tests.profile import sized


def played(seats: int, seed: int, bot: int = 1) -> Iterator[Position]:
    """A game, after every move; it is one state that changes."""
    rng = random.Random(f"bots {seed}")
    state = Position(Table("g1", NAMES[:seats], GAME.choose_options({})), random.Random(seed))
    yield state
    while state.outcome is None:
        seat = state.movers[0]
        state.apply(seat, BOTS[bot].choose(state.view(seat, len(state.record)), rng))
        yield state


class Watcher:
    """Follows a game as all its readers do, and as the omniscient log does."""

    def __init__(self, state: Position) -> None:
        self.seats = len(list(state.course.players))
        self.done = 0
        self.replicas = {viewer: Replica(origin(state, viewer), viewer) for viewer in range(self.seats + 1)}
        self.all = Replica(state.origin, None)
        self.ids: list[int] = []

    def look(self, state: Position) -> None:
        """Take what is new; everybody must know what it may know."""
        for entry in state.course.log.entries[self.done :]:
            for viewer, replica in self.replicas.items():
                seen = seen_by(entry, viewer)
                if seen is not None:
                    replica.take(seen)
            self.all.take(entry)
            if isinstance(entry, Event):
                self.ids.append(entry.id)
                check_log(self.all)
        self.done = len(state.course.log.entries)
        course = state.course
        for viewer, replica in self.replicas.items():
            assert replica.known() == known_by(course, viewer, "g1", "Bang!")
        assert {player.id: player.hand for player in course.players} == dict(self.all.hands)
        assert course.piles.graveyard == self.all.graveyard
        everything = self.all.known()
        assert [list(player.table) for player in everything.players] == [player.table for player in course.players]
        assert list(everything.selection) == course.piles.selection
        assert self.ids == [*range(1, course.log.events + 1)], "event ids have no gaps"


def origin(state: Position, viewer: int) -> Known:
    """What a reader knew before anything happened."""
    return replace(state.origin, you=viewer)


def check_log(log: Replica) -> None:
    """The invariants of what the omniscient log tells, after every event."""
    known = log.known()
    cards = [card.id for hand in log.hands.values() for card in hand]
    cards += [card.id for player in known.players for card in player.table]
    cards += [card.id for card in (*log.graveyard, *known.selection)]
    assert len(cards) == len(set(cards)) <= 80
    for player in known.players:
        names = [card.name for card in player.table]
        assert len(set(names)) == len(names)
        assert player.alive or not (player.table or log.hands[player.id])
        assert not (player.sheriff and "jail" in names)
        assert player.life <= (CHARACTERS[player.character].life + player.sheriff if player.character else 0)
    if known.context is not None and known.stage is Stage.PLAYING and known.context.phase is not Phase.REACTION:
        assert known.selection == ()


def check(state: Position) -> None:
    """The invariants of a game."""
    course = state.course
    players, piles = list(course.players), course.piles
    cards = [card for player in players for card in (*player.hand, *player.table)]
    cards += [*piles.deck, *piles.graveyard, *piles.selection]
    assert len(cards) == len({card.id for card in cards}) == 80
    assert HIDDEN not in cards
    for player in players:
        names = [card.name for card in player.table]
        assert len(set(names)) == len(names)
        assert sum(name in ("volcanic", "schofield", "remington", "carabine", "winchester") for name in names) <= 1
        assert not (player.is_sheriff and "jail" in names)
        assert player.life <= player.most
        assert player.alive or not cards_of(player)
    if state.outcome is not None:
        assert course.stage is Stage.FINISHED
        return
    assert course.requested.alive
    assert legal_moves(course)
    assert course.context == course.log.context
    if course.stack.top is None:
        assert all(player.life > 0 for player in course.players.living)
        assert piles.selection == []
        assert course.turn.phase is not Phase.REACTION


def cards_of(player: object) -> list[object]:
    return [*getattr(player, "hand", ()), *getattr(player, "table", ())]


@pytest.mark.parametrize("seats", sized(quick=[4, 7], deep=[4, 5, 6, 7]))
@pytest.mark.parametrize("bot", [0, 1])
def test_the_invariants_hold_after_every_move_and_everybody_knows_what_it_may(seats: int, bot: int) -> None:
    longest = 0
    for seed in range(sized(quick=2, deep=500)):
        watcher: Watcher | None = None
        for number, state in enumerate(played(seats, seed, bot)):
            watcher = watcher or Watcher(state)
            watcher.look(state)
            check(state)
            longest = max(longest, number)
            assert number < 10_000, "a game that does not end"
    assert longest > 50


def secrets(state: Position, viewer: int) -> tuple[set[int], set[int]]:
    """The ids of the cards that a reader may not know, and of the players whose roles it may not know."""
    course = state.course
    hidden = {card.id for card in course.piles.deck}
    for player in course.players:
        if player.id != viewer:
            hidden |= {card.id for card in player.hand}
    if course.piles.owner not in (0, viewer):
        hidden |= {card.id for card in course.piles.selection}
    roles = {one.id for one in course.players if one.alive and not one.is_sheriff and one.id != viewer}
    return hidden, roles if state.outcome is None else set()


@settings(max_examples=sized(quick=8, deep=150))
@given(st.integers(4, 7), st.integers(0, 10**6))
def test_no_stream_of_any_seat_holds_an_id_or_a_role_that_it_may_not_know(seats: int, seed: int) -> None:
    """Snapshots are held against where the cards are now, events against who may see them when they happen: an id that
    a reader has seen before may be in a hidden place later."""
    told = 0
    for state in played(seats, seed):
        for viewer in range(seats + 1):
            seat = viewer - 1 if viewer else None
            hidden, roles = secrets(state, viewer)
            view = state.view(seat, told)
            known = view.known
            shown = {card.id for card in (*known.hand, *known.selection)}
            shown |= {card.id for player in known.players for card in player.table}
            assert not shown & hidden
            assert all(player.role is Role.UNKNOWN for player in known.players if player.id in roles)
            for entry in state.course.log.entries[told:]:
                check_event(entry, viewer)
        told = len(state.record)


def check_event(entry: object, viewer: int) -> None:
    """The reader's version of an event shows what the table of who sees what allows."""
    if not isinstance(entry, Event):
        return
    seen = seen_by(entry, viewer)
    assert isinstance(seen, Event)
    assert (seen.id, seen.type, len(seen.commands)) == (entry.id, entry.type, len(entry.commands))
    for whole, part in zip(entry.commands, seen.commands, strict=True):
        if isinstance(whole, Movement) and isinstance(part, Movement):
            assert part.seen is None
            allowed = whole.seen is None or viewer in whole.seen
            assert part.card == (whole.card if allowed else HIDDEN)
            if whole.seen is not None:
                assert whole.seen <= {whole.giver, whole.taker, *whole.seen} - {0}
                assert viewer != SPECTATOR or part.card == HIDDEN
        elif isinstance(part, SetPlayers):
            open_roles = [one.id for one in part.players if one.role not in (Role.UNKNOWN, Role.SHERIFF)]
            assert open_roles in ([], [viewer])
        else:
            assert whole == part


@pytest.mark.parametrize("seats", [4, 7])
def test_ids_that_are_hidden_are_not_in_the_bytes(seats: int) -> None:
    """Cards that have never been seen by anybody but their owner: their ids are in no payload of anybody else."""
    for state in played(seats, 5):
        unseen: Counter[int] = Counter()
        for player in state.course.players:
            for card in player.hand:
                if not was_open(state, card.id, player.id):
                    unseen[card.id] = player.id
        for viewer in range(seats + 1):
            payload = write_view(state.view(viewer - 1 if viewer else None)).decode()
            for id, owner in unseen.items():
                assert owner == viewer or f'"{id}"' not in payload


def was_open(state: Position, id: int, owner: int) -> bool:
    """Whether somebody else has seen this card at any time."""
    for entry in state.course.log.entries:
        if isinstance(entry, Event):
            for command in entry.commands:
                if isinstance(command, Movement) and command.card.id == id and command.seen != frozenset({owner}):
                    return True
                if isinstance(command, Movement) and command.second is not None and command.second.id == id:
                    return True
            if any(card.id == id for _, card in entry.meaning):
                return True
    return False


# --- snapshots ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("viewer", [None, 0, 2])
def test_a_snapshot_and_the_events_behind_it_are_the_whole_log(viewer: int | None) -> None:
    """At any moment a newcomer who reads one state knows what somebody knows who has read them all."""
    told = 0
    events: list[int] = []
    for state in played(5, 2):
        view = state.view(viewer, told)
        read = follow(GAME.choose_options({}))(write_view(view))
        assert read == view
        assert read.known == state.view(viewer, 0).known == state.view(viewer, len(state.record)).known
        ids = [entry.id for entry in view.news if isinstance(entry, Event)]
        assert view.snapshot.event + 1 == (ids[0] if ids else view.known.event + 1)
        events += [id for id in ids if not events or id > events[-1]]
        told = len(state.record)
    assert events == [*range(1, state.course.log.events + 1)]


def test_a_state_tells_a_seat_at_most_so_much_and_its_snapshot_the_rest() -> None:
    state = list(played(7, 1))[-1]
    assert len(state.record) > MAX_NEWS
    view = state.view(0, 0)
    assert len(view.news) <= MAX_NEWS
    assert view.snapshot.event > 0


@pytest.mark.parametrize("leaves", [False, True])
def test_what_everybody_is_told_has_no_gap_however_long_the_program_plays_alone(
    leaves: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Six seats are the program's. When the only player is dead, or has left the table and looks on, the rest of the
    game is told in parts, between which it is asked to go on."""
    monkeypatch.setattr(steps, "MAX_STEP", most := MAX_NEWS + 32)
    longest = parts = 0
    for seed in range(sized(quick=2, deep=60)):
        state = Position(Table("g1", NAMES, GAME.choose_options({}), players=1), random.Random(seed))
        rng, told, ids = random.Random(seed), 0, list[int]()
        while told < len(state.record):
            while state.outcome is None and state.movers != (0,):
                state.apply(state.movers[0], BOTS[0].choose(state.view(state.movers[0], len(state.record)), rng))
            payload = write_view(state.view(None, told))
            longest, told = max(longest, len(state.record) - told), len(state.record)
            ids += [entry.id for entry in follow(GAME.choose_options({}))(payload).news if isinstance(entry, Event)]
            if state.outcome is None:
                asked = state.view(0, told)
                parts += asked.legal in ((JoinGame(),), (LeaveGame(),))
                state.apply(0, LeaveGame() if leaves else BOTS[1].choose(asked, rng))
        assert ids == [*range(1, state.course.log.events + 1)]
    assert MAX_NEWS < longest < most + 50
    assert parts > 0
    assert MAX_STEP + 50 < MAX_PUBLIC_NEWS


def test_spectators_have_no_hand_and_no_moves() -> None:
    saloon = Saloon(p1={"hand": ["bang"]})
    view = saloon.state.view(None)
    assert (view.known.you, view.known.hand, view.known.role, view.legal) == (0, (), Role.UNKNOWN, ())
    own = saloon.state.view(0)
    assert (own.known.you, len(own.known.hand), own.known.role) == (1, 3, Role.SHERIFF)
    assert own.legal == tuple(saloon.state.legal_moves(0))


def test_kit_carlsons_selection_is_his_alone_and_a_general_store_is_everybodys() -> None:
    kit = Saloon(begins=4, draw=False, p4={"character": "kit-carlson"})
    kit.uses()
    assert HIDDEN not in kit.state.view(3).known.selection
    for reader in (None, 0, 1, 2):
        assert kit.state.view(reader).known.selection == (HIDDEN,) * 3
    store = Saloon(p1={"hand": ["general-store"]})
    store.plays("general-store")
    for reader in (None, 0, 1, 2, 3):
        assert HIDDEN not in store.state.view(reader).known.selection


def test_all_roles_are_shown_at_the_end() -> None:
    state = list(played(5, 3))[-1]
    assert Role.UNKNOWN not in [player.role for player in state.view(None).known.players]
    assert {player.id for player in state.view(None).known.players if player.winner}


def test_the_selection_is_what_the_events_say_when_a_choice_is_open() -> None:
    lucky = {"character": "lucky-duke", "table": ["jail"]}
    saloon = Saloon(begins=2, draw=False, deck=["bang 2 clubs", "beer 7 hearts"], p2=lucky)
    saloon.plays("jail")
    watcher = Watcher(saloon.state)
    watcher.look(saloon.state)
    check(saloon.state)
    saloon.does(Play(saloon.card("beer").id))
    watcher.look(saloon.state)
