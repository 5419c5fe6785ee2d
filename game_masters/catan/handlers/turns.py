"""The end of a turn, special building, and the next turn."""

from game_masters.catan.game.play import Mark, Play, Termination
from game_masters.catan.game.turn import Doings
from game_masters.catan.handlers.declining import cannot_end, decline, not_your_turn
from game_masters.catan.handlers.ending import count_round, end_before_turn, leaders, leads_nowhere
from game_masters.catan.message.messages import (
    ClearOffer,
    DevCardAction,
    EndTurn,
    PlayerElement,
    RollDicePrompt,
    Turn,
)
from game_masters.catan.message.standing import Subject
from game_masters.catan.message.vocabulary import FREE_ROADS, Card, CardChange, Change, Element, Phase, Reason

SEATS_FOR_SPECIAL_BUILDING = 5
"""The number of seats that must be taken with the option PLP."""


def begin_turn(play: Play, seat: int) -> None:
    """Begin a normal turn, unless the game ends here: who has the points to win by now has won."""
    if play.special_building.interrupted:
        # It was counted when it began.
        play.special_building.interrupted = False  # the turn that special building has interrupted goes on
    else:
        play.rounds.turns += 1
        for one in play.seats:
            one.special_built = False
        # Rounds are counted at the seat that began the game.
        if seat == play.rounds.first:
            count_round(play)
    play.special_building.now = False
    _refresh(play, seat)
    # Points that came in another's turn count now, such as a route that another has lost.
    if play.has_won(seat):
        end_before_turn(play, [seat], Termination.POINTS)
        return
    if seat == play.rounds.first and (why := leads_nowhere(play)) is not None:
        play.rounds.number -= 1  # this one is not played
        end_before_turn(play, leaders(play), why)
        return
    play.phase = Phase.ROLL_OR_CARD
    play.send(Turn(seat, int(Phase.ROLL_OR_CARD)))
    play.send(RollDicePrompt(seat))


def begin_special_turn(play: Play, seat: int) -> None:
    """Begin a turn of special building."""
    play.special_building.now = True
    _refresh(play, seat)
    play.phase = Phase.SPECIAL_BUILDING
    play.send(Turn(seat, int(Phase.SPECIAL_BUILDING)))


def _refresh(play: Play, seat: int) -> None:
    """Forget what was done in the turn before; the cards of the player whose turn it is may be played."""
    play.current = seat
    play.chance.dice = 0
    play.doings = Doings()
    for other in play.seats:
        other.refused = 0
    # Cards drawn in the turn before may be played; a turn of special building counts as one.
    play.mover.inventory.age()


def calms_down(play: Play) -> None:
    """Go back to the state where the current player may do what it likes."""
    play.goes_on(play.calm)
    if play.phase is Phase.ROLL_OR_CARD:
        # The prompt belongs to this state only.
        play.send(RollDicePrompt(play.current))


# --- ending a turn ----------------------------------------------------------------------------------------------------


def check_end(play: Play, seat: int, move: EndTurn) -> None:
    """Check that a player may end its turn, or decline special building."""
    if seat in play.special_building.polled:
        return
    if seat != play.current:
        raise cannot_end(play, f"it is the turn of {play.name(play.current)}")
    # Road Building before the roll: the turn cannot end without one.
    if play.phase in FREE_ROADS and not play.doings.rolled:
        raise cannot_end(play, "roll the dice before you end your turn")
    if play.phase not in (Phase.PLAY, Phase.SPECIAL_BUILDING, *FREE_ROADS):
        raise cannot_end(play, f"a turn cannot end in the state {play.phase.name} ({int(play.phase)})")


def end_turn(play: Play, seat: int, move: EndTurn) -> None:
    """End a turn; on a board for six, when all others have been asked whether they want special building."""
    if seat in play.special_building.polled:
        play.special_building.polled.remove(seat)
        play.record.append(Mark(f"{play.name(seat)} wants no special building"))
    else:
        play.special_building.polled = [other for other in play.around(seat) if _is_asked(play, other)]
        if play.special_building.polled:
            play.record.append(Mark(f"{play.name(seat)} ends the turn, when the others have been asked"))
    if not play.special_building.polled:
        _ends(play)


def _is_asked(play: Play, seat: int) -> bool:
    """Whether a seat is asked for special building before the turn of another ends."""
    return play.variant.polls and Subject.SPECIAL not in play.seats[seat].no and may_ask(play, seat) is None


def _ends(play: Play) -> None:
    # The request is recorded only now: while others were polled the turn had not ended.
    play.asked(play.current, EndTurn())
    if play.phase in FREE_ROADS:
        return_card(play, "cancelled")
    if play.special_building.now:
        # One turn of special building for each turn of another.
        play.mover.asks_special = False
        play.mover.special_built = True
        play.send(PlayerElement(play.current, Change.SET, int(Element.ASKS_SPECIAL_BUILDING), 0))
    else:
        play.special_building.next_normal = play.after(play.current)
    play.trading.offers.clear()
    play.send(ClearOffer(-1))
    # The player whose turn ended comes last.
    asker = next(
        (other for other in (*play.around(play.current), play.current) if play.seats[other].asks_special), None
    )
    if asker is None:
        begin_turn(play, play.special_building.next_normal)
    else:
        begin_special_turn(play, asker)


def return_card(play: Play, how: str) -> None:
    """End Road Building early. The card goes back if nothing was placed."""
    # With one road placed the card is used up.
    if play.doings.free_road_placed:
        play.announce(f"{play.name(play.current)} skipped placing the second road.")
        return
    play.announce(f"{play.name(play.current)} {how} the Road Building card.")
    # It may be played in this turn once more: it was never used.
    play.mover.inventory.old.append(int(Card.ROADS))
    play.doings.card_played = False
    play.send(DevCardAction(play.current, CardChange.ADD_OLD, int(Card.ROADS)))
    play.send(PlayerElement(play.current, Change.SET, int(Element.HAS_PLAYED_CARD), 0))


# --- special building -------------------------------------------------------------------------------------------------


def may_ask(play: Play, seat: int) -> str | None:
    """Return why a seat may not ask for special building now; None if it may."""
    one = play.seats[seat]
    if not play.variant.six:
        return "there is special building on the board for six only"
    if "PLP" in play.variant.on and len(play.occupied) < SEATS_FOR_SPECIAL_BUILDING:
        return f"special building takes {SEATS_FOR_SPECIAL_BUILDING} players in this game"
    if play.starting or play.phase is Phase.OVER:
        return "there is no special building before the first turn and after the last"
    if one.asks_special:
        return "you have asked already"
    if one.special_built:
        return "you have built already"
    if seat == play.current and play.phase is not Phase.ROLL_OR_CARD:
        return "in your own turn you may ask before you roll"
    if seat == play.current and play.doings.card_played:
        return "you have played a card"
    # Nor does JSettlers allow it in the very first turn of a game.
    if seat == play.current and play.rounds.turns == 1:
        return "this is the very first turn"
    return None


def check_ask(play: Play, seat: int) -> None:
    """Check that a seat may ask for special building."""
    why = may_ask(play, seat)
    if why is None and (seat == play.current or seat in play.special_building.polled or not play.variant.polls):
        return
    if not play.variant.six and seat != play.current:
        raise not_your_turn(play)
    plp = "PLP" in play.variant.on and len(play.occupied) < SEATS_FOR_SPECIAL_BUILDING
    raise decline(why or "you will be asked at the end of the turn", Reason.NOT_IN_THIS_GAME if plp else Reason.NOT_NOW)


def ask(play: Play, seat: int) -> None:
    """Let a seat build when the turn is over; in its own turn at once."""
    play.seats[seat].asks_special = True
    play.send(PlayerElement(seat, Change.SET, int(Element.ASKS_SPECIAL_BUILDING), 1))
    if seat == play.current:
        play.trading.offers.clear()
        play.send(ClearOffer(-1))
        play.special_building.next_normal = seat
        # The normal turn follows when special building is over.
        play.special_building.interrupted = True
        begin_special_turn(play, seat)
        return
    if not play.variant.polls:
        return
    play.special_building.polled.remove(seat)
    if not play.special_building.polled:
        _ends(play)
