"""Sketches: how positions look, in the words of their master."""

import pytest

from tests.broker.house import House, Peer, over, thank, turn
from tests.broker.house import move as moves
from ugs.broker.effects import Publish
from ugs.broker.extensions.sketches import MAX_REPORTED
from ugs.broker.values.record import EntryKind
from ugs.sketch.refusal import MAX_WHY, refused, why_refused
from ugs.wire.extensions import (
    EventKind,
    Family,
    GameEvent,
    Resend,
    Sketch,
    View,
    Views,
    Watch,
    WatchFrom,
    Watching,
)
from ugs.wire.messages import Error, LeaveGame

SKETCH = Family.SKETCH
GRID, OTHER = b'<sketch><grid columns="3" rows="3"/></sketch>', b'<sketch><grid columns="4" rows="3"/></sketch>'
SECRET = b'<sketch><grid columns="3" rows="3"/><words>the queen is mine</words></sketch>'
KINDS = frozenset({EntryKind.SKETCH, EntryKind.OWNSKETCH, EntryKind.STATE, EntryKind.OVER})


def game(house: House, *families: Family) -> tuple[Peer, Peer, Peer]:
    """A game of ann, who reads sketches, and ben, who does not, led by a master that sends them."""
    ann, ben = house.guest("ann", SKETCH, Family.STATE), house.guest("ben", Family.SESSION)
    master = house.leader("m", SKETCH, *families)
    for peer in (master, ann, ben):
        peer.hears()
    return master, ann, ben


def recorded(house: House) -> list[tuple[EntryKind, int, bytes]]:
    """What was recorded of states and how they look."""
    return [(one.kind, one.audience, one.body) for one in house.entries("g1") if one.kind in KINDS]


def told(peer: Peer) -> str:
    """The error that a peer was sent last."""
    (error,) = peer.hears()
    assert isinstance(error, Error)
    return error.text


class TestPlayers:
    """Who plays is sent a sketch right before the state that it shows."""

    def test_a_sketch_waits_for_its_state_and_reaches_those_who_can_read_it(self, house: House) -> None:
        master, ann, ben = game(house)
        master.says(Sketch("g1", GRID))
        assert ann.hears() == []
        master.says(turn("g1", "ann"))
        assert ann.hears() == [Sketch("g1", GRID), turn("g1", "ann")]
        assert ben.hears() == [turn("g1", "ann")]
        assert recorded(house) == [(EntryKind.SKETCH, 0, GRID), (EntryKind.STATE, 0b11, turn("g1", "ann").payload)]

    def test_a_state_without_a_sketch_is_as_ever(self, house: House) -> None:
        master, ann, _ben = game(house)
        master.says(Sketch("g1", GRID))
        master.says(turn("g1", "ann"))
        ann.says(moves("g1"))
        ann.hears()
        master.says(turn("g1", "ann"))
        assert ann.hears() == [turn("g1", "ann")]
        ann.says(Resend("g1"))
        assert ann.hears() == [turn("g1", "ann")]

    def test_the_sketch_of_a_player_is_for_that_player_alone(self, house: House) -> None:
        master, ann, ben = game(house)
        master.says(Sketch("g1", GRID))
        master.says(Sketch("g1", SECRET, "ann"))
        master.says(turn("g1", "ann"))
        assert ann.hears() == [Sketch("g1", SECRET, "ann"), turn("g1", "ann")]
        assert ben.hears() == [turn("g1", "ann")]
        assert [one[:2] for one in recorded(house)] == [
            (EntryKind.OWNSKETCH, 0b01),
            (EntryKind.SKETCH, 0),
            (EntryKind.STATE, 0b11),
        ]
        assert SECRET not in [entry.body for entry in house.game().history.entries]

    def test_players_for_whom_the_same_was_drawn_share_an_entry(self, house: House) -> None:
        master, _ann, _ben = game(house)
        master.says(Sketch("g1", GRID, "ann"))
        master.says(Sketch("g1", GRID, "ben"))
        master.says(turn("g1", "ann"))
        assert recorded(house)[0] == (EntryKind.OWNSKETCH, 0b11, GRID)

    def test_views_have_sketches_too(self, house: House) -> None:
        master, ann, _ben = game(house, Family.VIEWS)
        view = View("ann", b"<gameState>9 J</gameState>")
        master.says(Sketch("g1", SECRET, "ann"))
        master.says(Views("g1", ("ann",), (), (view,)))
        assert ann.hears() == [Sketch("g1", SECRET, "ann"), turn("g1", "ann", view.payload)]

    def test_who_asks_for_the_state_again_gets_the_sketch_again(self, house: House) -> None:
        master, ann, _ben = game(house)
        master.says(Sketch("g1", GRID))
        master.says(turn("g1", "ann"))
        ann.hears()
        ann.says(Resend("g1"))
        assert ann.hears() == [Sketch("g1", GRID), turn("g1", "ann")]

    def test_the_end_is_drawn_as_well_and_announced_with_it(self, house: House) -> None:
        master, ann, ben = game(house)
        master.says(turn("g1", "ann"))
        ann.hears()
        end = over("g1", "ann", losers=("ben",))
        master.says(Sketch("g1", GRID))
        master.says(end)
        assert ann.hears() == [Sketch("g1", GRID), end]
        assert [one[0] for one in recorded(house)] == [EntryKind.STATE, EntryKind.SKETCH, EntryKind.OVER]
        thank("g1", ann, ben)

    def test_what_the_server_says_in_place_of_the_master_has_no_sketch(self, house: House) -> None:
        master, ann, ben = game(house)
        master.says(turn("g1", "ann"))
        master.says(Sketch("g1", GRID))
        ben.says(LeaveGame("g1"))
        house.passes(60)
        assert EntryKind.SKETCH not in [one[0] for one in recorded(house)]
        assert all(not isinstance(one, Sketch) for one in ann.hears())

    def test_what_waits_counts_as_held(self, house: House) -> None:
        master, _ann, _ben = game(house)
        before = house.game().held_bytes
        master.says(Sketch("g1", GRID))
        assert house.game().held_bytes == before + len(GRID)


class TestErrors:
    """What is wrong is named, and nothing else changes."""

    @pytest.mark.parametrize(
        ("message", "named"),
        [
            (Sketch("g9", GRID), "x-sketch: gameId id 'g9'"),
            (Sketch("g1", GRID, "zoe"), "x-sketch: viewer nick 'zoe': not a player"),
            (Sketch("g1", b'<sketch><grid columns="100" rows="100"/></sketch>'), "x-sketch: grid columns '100': "),
            (
                Sketch("g1", b'<sketch><grid columns="3" rows="3"/><counter nick="zoe" name="n" value="1"/></sketch>'),
                "x-sketch: counter nick 'zoe': not a player",
            ),
        ],
    )  # fmt: skip
    def test_it_names_message_field_and_value(self, house: House, message: Sketch, named: str) -> None:
        master, ann, _ben = game(house)
        master.says(message)
        assert named in told(master)
        master.says(turn("g1", "ann"))
        assert ann.hears()[-1] == turn("g1", "ann")

    def test_its_viewers_get_the_reason_in_its_place(self, house: House) -> None:
        master, ann, ben = game(house)
        master.says(Sketch("g1", b'<sketch><grid columns="100" rows="3"/></sketch>'))
        master.says(turn("g1", "ann"))
        sketch, _ = ann.hears()
        assert isinstance(sketch, Sketch)
        assert why_refused(sketch.sketch) == "grid columns '100': expected a whole number from 1 to 50"
        assert ben.hears() == [turn("g1", "ann")]
        assert recorded(house)[0] == (EntryKind.SKETCH, 0, sketch.sketch)

    def test_what_was_wrong_for_one_player_is_for_that_player_alone(self, house: House) -> None:
        master, ann, _ben = game(house)
        spectator = house.greets(Family.WATCH, SKETCH)
        spectator.says(Watch("g1", begin=WatchFrom.BEGIN))
        master.says(Sketch("g1", b'<sketch><grid columns="3" rows="3"/><label at="queen of spades"/></sketch>', "ann"))
        master.says(turn("g1", "ann"))
        assert "queen of spades" in repr(ann.hears())
        assert "queen of spades" not in repr(spectator.hears())
        assert "queen of spades" not in repr(house.game().history.entries)

    def test_it_may_be_mended_before_the_state(self, house: House) -> None:
        master, ann, _ben = game(house)
        master.says(Sketch("g1", b'<sketch><grid columns="100" rows="3"/></sketch>'))
        master.says(Sketch("g1", GRID))
        master.says(turn("g1", "ann"))
        assert ann.hears() == [Sketch("g1", GRID), turn("g1", "ann")]

    def test_no_master_writes_the_servers_word(self, house: House) -> None:
        master, _ann, _ben = game(house)
        master.says(Sketch("g1", refused("the server is down")))
        assert "refused: there is no such element" in told(master)

    def test_the_reason_is_short_whatever_was_wrong(self) -> None:
        assert why_refused(refused("<&>")) == "<&>"
        assert len(why_refused(refused("&" * 10_000))) == MAX_WHY + 1
        assert why_refused(GRID) == why_refused(b"") == ""

    def test_a_second_one_for_the_same_viewer_is_refused(self, house: House) -> None:
        master, ann, _ben = game(house)
        master.says(Sketch("g1", GRID))
        master.says(Sketch("g1", OTHER))
        assert "x-sketch: for all viewers: a second sketch since the last state" in told(master)
        master.says(Sketch("g1", SECRET, "ann"))
        master.says(Sketch("g1", SECRET, "ann"))
        assert "x-sketch: viewer nick 'ann': a second sketch since the last state" in told(master)
        master.says(turn("g1", "ann"))
        assert ann.hears()[0] == Sketch("g1", SECRET, "ann")

    def test_seats_of_the_master_may_be_named_once_they_are_labelled(self, house: House) -> None:
        sketch = b'<sketch><grid columns="3" rows="3"/><seat nick="Rover" colour="red"/></sketch>'
        master, _ann, _ben = game(house, Family.TABLE)
        master.says(Sketch("g1", sketch))
        assert "seat nick 'Rover'" in told(master)

    def test_sketches_count_for_the_size_of_a_game(self) -> None:
        house = House(max_game_bytes=70_000)
        master, ann, _ben = game(house)
        large = b'<sketch><grid columns="3" rows="3"/>%b</sketch>' % (b" " * 60_000)
        master.says(Sketch("g1", large))
        master.says(turn("g1", "ann"))
        master.says(Sketch("g1", large))
        assert "game void" in ann.hears()[-1].text  # type: ignore[union-attr]


class TestMistakesInEverySketch:
    """A master that makes the same mistake in each sketch leads its games on, and is told it once a game."""

    @staticmethod
    def wrong(colour: str = "crimson") -> bytes:
        return b'<sketch><grid columns="3" rows="3"/><pieces at="0,0" colour="%b"/></sketch>' % colour.encode()

    def test_it_is_told_once_and_the_master_stays(self, house: House) -> None:
        master, ann, ben = game(house)
        told_texts = []
        for turns in range(30):
            for viewer in ("", "ann", "ben"):
                master.says(Sketch("g1", self.wrong(), viewer))
            mover = (ann, ben)[turns % 2]
            master.says(turn("g1", mover.name))
            told_texts += [one.text for one in master.hears() if isinstance(one, Error)]
            assert any(isinstance(one, Sketch) and why_refused(one.sketch) for one in ann.hears())
            mover.says(moves("g1"))
        assert len(told_texts) == 1
        assert "x-sketch: pieces colour 'crimson'" in told_texts[0]

    def test_each_mistake_is_told_up_to_a_few(self, house: House) -> None:
        master, _ann, _ben = game(house)
        for number in range(2 * MAX_REPORTED):
            master.says(Sketch("g1", self.wrong(f"crimson{number}")))
            master.says(turn("g1", "ann"))
        errors = [one.text for one in master.hears() if isinstance(one, Error)]
        assert len(errors) == MAX_REPORTED
        assert errors[-1].endswith("; no more of this game's sketches are reported")

    def test_more_than_one_per_viewer_and_state_are_wrong_messages(self, house: House) -> None:
        master, _ann, _ben = game(house)
        for _ in range(3 + house.config.max_errors_per_minute):
            master.says(Sketch("g1", self.wrong()))
        assert not master.is_closed()
        master.says(Sketch("g1", self.wrong()))
        assert master.is_closed()

    def test_its_bytes_count_as_those_of_a_right_one(self) -> None:
        house = House(max_game_bytes=70_000)
        master, ann, _ben = game(house)
        for _ in range(2):
            master.says(Sketch("g1", b"<sketch>%b</sketch>" % (b" " * 60_000)))
            master.says(turn("g1", "ann"))
        assert "game void" in next(one.text for one in ann.hears() if isinstance(one, Error))

    def test_a_successor_is_told_its_own(self) -> None:
        house = House(master_grace_s=60)
        house.guest("ann", SKETCH)
        house.guest("ben", SKETCH)
        for name in "mn":
            master = house.leader(name, SKETCH, Family.RESTORE)
            master.hears()
            master.says(Sketch("g1", self.wrong()))
            assert "x-sketch: pieces colour 'crimson'" in told(master)
            master.says(turn("g1", "ann"))
            master.is_lost()


class TestSpectators:
    """Spectators see the common sketch, if they can read it."""

    def watching(self, house: House, *families: Family) -> Peer:
        """A spectator of g1 from its begin."""
        spectator = house.greets(Family.WATCH, *families)
        spectator.says(Watch("g1", begin=WatchFrom.BEGIN))
        return spectator

    def test_the_past_and_the_present(self, house: House) -> None:
        master, ann, _ben = game(house)
        master.says(Sketch("g1", GRID))
        master.says(Sketch("g1", SECRET, "ann"))
        master.says(turn("g1", "ann"))
        reader, other = self.watching(house, SKETCH), self.watching(house)
        heard = reader.hears()
        assert isinstance(heard[0], Watching)
        assert [one.what for one in heard[1:]] == [EventKind.BEGIN, EventKind.SKETCH, EventKind.STATE]  # type: ignore[union-attr]
        assert [one.number for one in other.hears()[1:]] == [1, 3]  # type: ignore[union-attr]
        ann.says(moves("g1"))
        effects = [*master.says(Sketch("g1", OTHER)), *master.says(turn("g1", "ben"))]
        assert GameEvent("g1", 5, 0.0, EventKind.SKETCH, sketch=OTHER) in reader.hears()
        assert all(one.message.what is not EventKind.SKETCH for one in effects if isinstance(one, Publish))  # type: ignore[union-attr]

    @pytest.mark.parametrize("families", [(SKETCH,), ()])
    def test_who_begins_now_gets_the_sketch_of_the_position(self, house: House, families: tuple[Family, ...]) -> None:
        master, ann, _ben = game(house)
        master.says(Sketch("g1", GRID))
        master.says(turn("g1", "ann"))
        ann.says(moves("g1"))
        late = house.greets(Family.WATCH, *families)
        late.says(Watch("g1"))
        (shown,) = late.hears()
        assert isinstance(shown, Watching)
        assert (shown.state, shown.sketch) == (turn("g1", "ann").payload, GRID if families else b"")

    def test_a_later_state_without_one_has_none(self, house: House) -> None:
        master, ann, _ben = game(house)
        master.says(Sketch("g1", GRID))
        master.says(turn("g1", "ann"))
        ann.says(moves("g1"))
        master.says(turn("g1", "ben"))
        late = house.greets(Family.WATCH, SKETCH)
        late.says(Watch("g1"))
        (shown,) = late.hears()
        assert isinstance(shown, Watching)
        assert shown.sketch == b""


class TestTakeover:
    """A sketch that was not shown is forgotten with its master."""

    def test_the_successor_draws_anew(self) -> None:
        house = House(master_grace_s=60)
        ann, _ben = house.guest("ann", SKETCH), house.guest("ben", SKETCH)
        master = house.leader("m", SKETCH, Family.RESTORE)
        master.says(Sketch("g1", GRID))
        master.says(turn("g1", "ann"))
        master.says(Sketch("g1", OTHER))
        master.is_lost()
        successor = house.leader("n", SKETCH, Family.RESTORE)
        ann.hears()
        successor.says(Sketch("g1", GRID))
        successor.says(turn("g1", "ann"))
        successor.says(Sketch("g1", OTHER))
        ann.says(moves("g1"))
        successor.says(turn("g1", "ben"))
        assert ann.hears() == [Sketch("g1", OTHER), turn("g1", "ben")]

    def test_what_was_shown_is_known_after_a_restart(self) -> None:
        house = House(master_grace_s=60)
        ann, _ben = house.guest("ann", SKETCH, Family.SESSION), house.guest("ben", Family.SESSION)
        master = house.leader("m", SKETCH, Family.RESTORE)
        master.says(Sketch("g1", GRID))
        master.says(Sketch("g1", SECRET, "ann"))
        master.says(turn("g1", "ann"))
        again = house.again()
        assert again.game().shown.sketches == {"": GRID, "ann": SECRET}
        assert Sketch("g1", SECRET, "ann") in again.returns(ann.token, Family.SESSION, SKETCH).hears()
