"""What a master draws is judged as by a server, and its offers are known moves."""

from ugs.check.drawn_positions import Drawings
from ugs.wire.extensions import Label, Labels, SeatKind, Sketch


def sketch(inside: str, nick: str = "") -> Sketch:
    """A sketch for someone, on a board of three cells."""
    return Sketch("7", f'<sketch><grid columns="3" rows="1"/>{inside}</sketch>'.encode(), nick)


def offer(move: str, nick: str = "") -> str:
    """An offer in a sketch."""
    return f'<offer label="{move}"{f" nick={nick!r}" if nick else ""}><move><{move}/></move></offer>'


def test_offers_count_from_their_state_on_and_for_their_player_alone() -> None:
    drawings = Drawings(["ann", "bob"])
    drawings.takes(sketch(offer("roll") + offer("hold", "bob") + offer("roll")))
    assert drawings.offered("ann") == []
    drawings.shows_state()
    assert drawings.offered("ann") == [b"<move><roll/></move>"]
    assert drawings.offered("bob") == [b"<move><roll/></move>", b"<move><hold/></move>"]
    drawings.takes(sketch(offer("pass"), "bob"))
    drawings.shows_state()
    assert (drawings.offered("ann"), drawings.offered("bob")) == ([], [b"<move><pass/></move>"])


def test_who_is_drawn_plays_or_is_labelled() -> None:
    drawings = Drawings(["ann", "bob"])
    rover = sketch('<seat nick="Rover" colour="red"/>')
    drawings.takes(rover)
    assert drawings.refused == ["seat nick 'Rover': not a player in this game"]
    drawings.takes(Labels("7", (Label("Rover", "RED", SeatKind.PROGRAM),)))
    drawings.takes(rover)
    assert len(drawings.refused) == 1


def test_a_second_sketch_for_the_same_viewer_is_refused() -> None:
    drawings = Drawings(["ann", "bob"])
    for nick in ("", "", "ann", "ann", "cyd"):
        drawings.takes(sketch("", nick))
    assert drawings.refused == [
        "for all viewers: a second sketch since the last state",
        "viewer nick 'ann': a second sketch since the last state",
        "viewer nick 'cyd': not a player in this game",
    ]
    assert drawings.count == 5
