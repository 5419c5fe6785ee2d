"""Ends the turn of a player who does not move, and discards and picks for it, as a server of JSettlers does, with its
messages in the same order."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from game_masters.catan.game.play import Play
from game_masters.catan.handlers.cards import pick, picks_due
from game_masters.catan.handlers.robber import discard
from game_masters.catan.handlers.starting import next_placement
from game_masters.catan.handlers.turns import end_turn
from game_masters.catan.message.bundles import COSTS, TYPES, Bundle, bundle, covers, elements, give
from game_masters.catan.message.events import Event
from game_masters.catan.message.messages import (
    CancelBuildRequest,
    Discard,
    EndTurn,
    GameElements,
    PickResources,
    PlayerElement,
    PlayerElements,
    RollDicePrompt,
)
from game_masters.catan.message.vocabulary import (
    AFTER_START_SETTLEMENT,
    PICKED_BY_SERVER,
    PLACING,
    START_ROAD,
    Change,
    Element,
    GameElement,
    Phase,
    Piece,
    Resource,
)


def force_end(play: Play) -> None:
    """End the turn in any state: what has been paid comes back, and what is due is dropped. At the start
    the player goes without a piece."""
    if play.starting:
        _skip_placement(play)
        return
    seat = play.current
    if play.phase not in (Phase.PLAY, Phase.SPECIAL_BUILDING) and play.mover.asks_special:
        play.send(PlayerElement(seat, Change.SET, int(Element.ASKS_SPECIAL_BUILDING), 0))
    if play.phase in PLACING:
        cost = COSTS[PLACING[play.phase]]
        give(play.mover.hand, cost)
        play.send(PlayerElements(seat, Change.GAIN, elements(cost)))
    play.phase = Phase.SPECIAL_BUILDING if play.special_building.now else Phase.PLAY
    end_turn(play, seat, EndTurn())


def _skip_placement(play: Play) -> None:
    if play.phase in START_ROAD:
        play.send(CancelBuildRequest(int(Piece.SETTLEMENT)))
        play.take_back_settlement()
    if play.current in (play.rounds.first, play.around(play.rounds.first)[-1]):
        play.send(GameElements(((int(GameElement.FIRST_PLAYER), play.rounds.first),)))
    play.phase = AFTER_START_SETTLEMENT.get(play.phase, play.phase)
    next_placement(play, picked=False)
    if play.record and isinstance(play.record[-1], Event) and isinstance(play.record[-1].message, RollDicePrompt):
        play.record.pop()  # a player with a turn like this is not asked to roll


def forced_choice(play: Play, sent: Sequence[Event]) -> Discard | PickResources | None:
    """Return what the server has discarded or picked for a player of whom that is due, with its seat, according to what
    it ``sent``; None if there is nothing of that."""
    for event in sent:
        message = event.message
        match message:
            case PlayerElement(seat, Change.LOSE) if play.phase is Phase.DISCARDS and _is_seat(play, seat):
                lost, one = _lost(sent, seat), play.seats[seat]
                if one.discards and sum(lost) == one.discards and covers(one.hand, lost):
                    return Discard(seat, lost)
            case PickResources(_, int(seat), reason) if reason == PICKED_BY_SERVER and _is_seat(play, seat):
                if 0 < picks_due(play, seat) == sum(message.resources[:5]):
                    return message
    return None


def _is_seat(play: Play, seat: int) -> bool:
    return 0 <= seat < len(play.seats)


def _lost(sent: Sequence[Event], seat: int) -> Bundle:
    """The resources that a seat has lost, by what it was sent itself."""
    lost = [0] * len(TYPES)
    for event in sent:
        match event.message:
            case PlayerElement(owner, Change.LOSE, element, amount) if owner == seat and event.audience.includes(seat):
                if element - 1 in TYPES:
                    lost[element - 1] += amount
    return bundle(lost)


def choose_by_force(play: Play, choice: Discard | PickResources) -> None:
    """Discard or pick for a player, and go on."""
    first, seat = len(play.record), choice.seat
    assert seat is not None
    if isinstance(choice, Discard):
        discard(play, seat, Discard(None, choice.resources))
    else:
        pick(play, seat, PickResources(choice.resources))
    # The rules have sent what follows a player's choice; a server sends something else here.
    done, play.record[first:] = play.record[first:], []
    for entry in done:
        play.record += _as_forced(entry) if isinstance(entry, Event) else [entry]


def _as_forced(event: Event) -> Iterator[Event]:
    """What the server sends in place of the message of a player who has chosen. The first loss is news."""
    match event.message:
        case Discard(int(seat), resources):
            lost = elements(resources) or ((int(Resource.UNKNOWN), resources[-1]),)
            for number, (element, amount) in enumerate(lost):
                news = True if number == 0 else None
                yield replace(event, message=PlayerElement(seat, Change.LOSE, element, amount, news))
        case PickResources(_, int()) as picked:
            yield replace(event, message=replace(picked, reason=PICKED_BY_SERVER))
        case _:
            yield event
