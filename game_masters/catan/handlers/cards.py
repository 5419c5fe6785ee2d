"""Development cards: buying and playing them, and picking resources, for a card or from gold."""

from game_masters.catan.game.play import Play
from game_masters.catan.handlers.building import MAX_TAKEN_BACK
from game_masters.catan.handlers.declining import decline, not_your_turn, text_only, wait_for_special_building
from game_masters.catan.handlers.ending import ends_by_points, update_army
from game_masters.catan.handlers.robber import begin_robbery
from game_masters.catan.handlers.starting import after_start_gold
from game_masters.catan.handlers.turns import calms_down
from game_masters.catan.message.bundles import CARD_COST, TYPES, covers, elements, give, in_words, take
from game_masters.catan.message.messages import (
    BuyDevCardRequest,
    DevCardAction,
    GameServerText,
    PickResources,
    PickResourceType,
    PlayDevCardRequest,
    PlayerElement,
    PlayerElements,
    ResourceCount,
    SimpleAction,
    SimpleRequest,
)
from game_masters.catan.message.vocabulary import (
    BOUGHT_CARD,
    CARD_NAMES,
    MONOPOLIZED,
    PICK_RESOURCES,
    PICKED_BY_CARD,
    PICKED_FROM_GOLD,
    POINT_CARDS,
    RESOURCE_NAMES,
    Card,
    CardChange,
    Change,
    Element,
    Phase,
    Piece,
    Reason,
)

PICKS_OF_DISCOVERY = 2

# --- buying -----------------------------------------------------------------------------------------------------------


def check_buy(play: Play, seat: int, move: BuyDevCardRequest) -> None:
    """Check that a player may buy a card."""
    if seat != play.current:
        raise wait_for_special_building(play)
    if play.phase not in (Phase.PLAY, Phase.SPECIAL_BUILDING):
        raise decline(f"no card can be bought in the state {play.phase.name} ({int(play.phase)})")
    if not play.chance.deck:
        raise decline("there are no development cards left", Reason.NOT_IN_THIS_GAME)
    if not covers(play.mover.hand, CARD_COST):
        raise decline(f"a card costs {in_words(CARD_COST)}; you have {in_words(play.mover.hand)}")


def buy(play: Play, seat: int, move: BuyDevCardRequest) -> None:
    """Draw a card."""
    play.asked(seat, move)
    play.doings.bank_trade = None
    take(play.mover.hand, CARD_COST)
    play.send(PlayerElements(seat, Change.LOSE, elements(CARD_COST)))
    card = play.chance.deck.pop(0)
    # Cards for points count at once, and there is no waiting for a turn to play them.
    (play.mover.inventory.old if card in POINT_CARDS else play.mover.inventory.fresh).append(card)
    play.send_one(seat, DevCardAction(seat, CardChange.DRAW, card))
    # Others learn that a card was drawn; with open cards also which.
    seen = card if play.variant.cards_open else int(Card.UNKNOWN)
    play.send_but(DevCardAction(seat, CardChange.DRAW, seen), seat)
    play.send(SimpleAction(seat, BOUGHT_CARD, len(play.chance.deck), 0))
    if not ends_by_points(play):
        play.goes_on(play.calm)


# --- playing ----------------------------------------------------------------------------------------------------------


def cannot_play(play: Play, seat: int, card: int) -> str | None:
    """Return why the current player cannot play a card now; None if it can."""
    one = play.seats[seat]
    if card in POINT_CARDS or card not in CARD_NAMES or card == Card.UNKNOWN:
        return f"{card} is no card that can be played"
    name = CARD_NAMES[Card(card)]
    if play.phase not in (Phase.ROLL_OR_CARD, Phase.PLAY):
        return f"no card can be played in the state {play.phase.name} ({int(play.phase)})"
    if play.doings.card_played:
        return "you have played a card in this turn"
    if card not in one.inventory.old:
        return (
            f"you have drawn the {name} card in this turn"
            if card in one.inventory.fresh
            else f"you have no {name} card"
        )
    # On a board without sea the supply of ships is 0.
    if card == Card.ROADS and not one.pieces.supply[Piece.ROAD] + one.pieces.supply[Piece.SHIP]:
        return "you have no roads left"
    # A card taken back with no road placed may be played once more; that has the same limit.
    if card == Card.ROADS and play.doings.taken_back >= MAX_TAKEN_BACK:
        return "you have taken back too much in this turn"
    if card == Card.DISCOVERY and play.stock is not None and sum(play.stock) < PICKS_OF_DISCOVERY:
        # Two resources are due: with fewer in the bank the card would never come to an end.
        return "the bank has too little"
    return None


def check_card(play: Play, seat: int, move: PlayDevCardRequest) -> None:
    """Check that a card may be played."""
    if seat != play.current:
        raise not_your_turn(play)
    why = cannot_play(play, seat, move.card)
    if why is not None:
        raise decline(why, unknown=True)


def play_card(play: Play, seat: int, move: PlayDevCardRequest) -> None:
    """Play a card."""
    play.asked(seat, move)
    one, card = play.seats[seat], Card(move.card)
    one.inventory.old.remove(card)
    play.doings.card_played = True
    play.doings.bank_trade = None
    played = DevCardAction(seat, CardChange.PLAY, int(card))
    flag = PlayerElement(seat, Change.SET, int(Element.HAS_PLAYED_CARD), 1)
    text = f"{play.name(seat)} played a {CARD_NAMES[card]} card."
    if card is Card.SOLDIER:
        # For a Soldier JSettlers announces first; for the other cards the text comes last.
        play.announce(text)
        play.send(played)
        play.send(flag)
        one.inventory.soldiers += 1
        play.send(PlayerElement(seat, Change.GAIN, int(Element.SOLDIERS), 1))
        update_army(play, seat)
        # Points for an army win only when the robbery is done.
        begin_robbery(play)
        return
    play.send(played)
    play.send(flag)
    play.announce(text)
    if card is Card.ROADS:
        _free_roads(play, seat)
    else:
        play.goes_on(Phase.DISCOVERY if card is Card.DISCOVERY else Phase.MONOPOLY)


def _free_roads(play: Play, seat: int) -> None:
    supply = play.seats[seat].pieces.supply
    left = supply[Piece.ROAD] + supply[Piece.SHIP]
    what = "road{0}/ship{0}" if play.board.net.sea else "road{0}"
    play.doings.free_road_placed = False
    # With one piece left JSettlers skips the first of the two placements.
    if left > 1:
        play.goes_on(Phase.FREE_ROAD1)
        play.send_one(seat, GameServerText(f"You may place 2 {what.format('s')}."))
    else:
        play.goes_on(Phase.FREE_ROAD2)
        play.send_one(seat, GameServerText(f"You may place your 1 remaining {what.format('')}."))


# --- picking ----------------------------------------------------------------------------------------------------------


def picks_due(play: Play, seat: int) -> int:
    """Return how many resources a seat is to pick now."""
    if play.phase is Phase.DISCOVERY:
        return PICKS_OF_DISCOVERY if seat == play.current else 0
    return play.seats[seat].gold if play.phase in (Phase.GOLD, Phase.START_GOLD) else 0


def check_pick(play: Play, seat: int, move: PickResources) -> None:
    """Check that a player picks as many as it may, and the bank has them."""
    due = picks_due(play, seat)
    if not due:
        raise decline("you may not pick resources now") if seat == play.current else not_your_turn(play)
    again = SimpleRequest(seat, PICK_RESOURCES, due, 0)
    # Index 5 counts unknown resources: a wish must be definite.
    if sum(move.resources[:5]) != due or min(move.resources) < 0 or move.resources[5]:
        raise text_only(f"you must pick {due}, not {in_words(move.resources)}", again)
    if play.stock is not None and not covers(play.stock, move.resources):
        raise text_only(f"the bank has {in_words(play.stock)}", again)


def pick(play: Play, seat: int, move: PickResources) -> None:
    """Give a player what it picks, and go on when no other player has to pick."""
    play.asked(seat, PickResources(move.resources))
    one = play.seats[seat]
    give(one.hand, move.resources)
    if play.phase is Phase.DISCOVERY:
        play.send(PickResources(move.resources, seat, PICKED_BY_CARD))
        calms_down(play)
        return
    one.gained[5] += one.gold
    one.gold = 0
    play.send(PickResources(move.resources, seat, PICKED_FROM_GOLD))
    play.send(PlayerElement(seat, Change.SET, int(Element.GOLD_PICKS), 0))
    if play.phase is Phase.START_GOLD:
        if play.awaits_road:
            # A settlement taken back gives back what was picked for it.
            gains = tuple(play.placement.gains[type] + move.resources[type] for type in TYPES)
            play.placement = play.placement._replace(gains=gains)
        after_start_gold(play)
    elif any(other.gold for other in play.seats):
        play.goes_on(Phase.GOLD)
    elif play.after_gold is Phase.FREE_ROAD2:
        play.goes_on(Phase.FREE_ROAD2)
    else:
        calms_down(play)


def check_monopoly(play: Play, seat: int, move: PickResourceType) -> None:
    """Check that a resource may be named now."""
    if seat != play.current:
        raise not_your_turn(play)
    if play.phase is not Phase.MONOPOLY:
        raise decline(f"no resource is named in the state {play.phase.name} ({int(play.phase)})")
    if not 1 <= move.resource <= 5:
        raise decline(f"{move.resource} is no resource", Reason.SPECIFICS)


def monopolize(play: Play, seat: int, move: PickResourceType) -> None:
    """Take all of a resource from all others."""
    play.asked(seat, move)
    type = move.resource - 1
    lost: dict[int, int] = {}
    # The messages go by seats, not by turns, as in JSettlers.
    for victim in sorted(play.around(seat)):
        one = play.seats[victim]
        if one.hand[type]:
            lost[victim], one.hand[type] = one.hand[type], 0
            play.send(PlayerElement(victim, Change.SET, move.resource, 0, True))
            play.send(ResourceCount(victim, one.total))
    gained = sum(lost.values())
    play.mover.hand[type] += gained
    # Also when no player had any: then with amount 0.
    play.send(PlayerElement(seat, Change.GAIN, move.resource, gained))
    play.send(SimpleAction(seat, MONOPOLIZED, gained, move.resource))
    for victim, amount in lost.items():
        text = f"{play.name(seat)}'s Monopoly took your {amount} {RESOURCE_NAMES[type]}."
        play.send_one(victim, GameServerText(text))
    calms_down(play)
