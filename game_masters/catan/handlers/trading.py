"""Trades with the bank and among players."""

from game_masters.catan.game.play import Play
from game_masters.catan.game.turn import Offer
from game_masters.catan.handlers.building import MAX_TAKEN_BACK
from game_masters.catan.handlers.declining import Declined, no_trade
from game_masters.catan.message.bundles import NOTHING, TYPES, Bundle, covers, give, in_words, take
from game_masters.catan.message.messages import (
    AcceptOffer,
    BankTrade,
    ClearOffer,
    ClearTradeMsg,
    MakeOffer,
    RejectOffer,
)
from game_masters.catan.message.standing import Subject
from game_masters.catan.message.vocabulary import NoTrade, Phase

MAX_OFFERS = 10
"""The number of offers that the current player may make in one turn."""
MAX_AT_ONCE = 999
"""A bundle with more of a resource is not offered."""
BANK_RATIO, PORT_RATIO, OWN_PORT_RATIO = 4, 3, 2

# --- with the bank ----------------------------------------------------------------------------------------------------


def port_types(play: Play, seat: int) -> set[int]:
    """Return the ports of a seat: resources, and 0 for three to one."""
    one, ports = play.seats[seat], play.board.port_at
    return {ports[node] for node in (*one.pieces.settlements, *one.pieces.cities) if node in ports}


def check_bank(play: Play, seat: int, move: BankTrade) -> None:
    """Check a trade with the bank, or that it undoes the last one."""
    if seat != play.current:
        raise no_trade(f"it is the turn of {play.name(play.current)}", -1, NoTrade.NOT_YOUR_TURN, unknown=True)
    why = None
    if play.phase is not Phase.PLAY:
        why = f"the bank does not trade in the state {play.phase.name} ({int(play.phase)})"
    # Index 5 stands for unknown resources, which cannot be traded.
    elif min(*move.give, *move.get) < 0 or move.give[5] or move.get[5]:
        why = "a trade is of known resources"
    elif not covers(play.mover.hand, move.give):
        why = f"you have not {in_words(move.give)}"
    # The reverse of the last trade is allowed at a ratio that the bank would refuse.
    elif undoes(play, move.give, move.get):
        if play.doings.taken_back >= MAX_TAKEN_BACK:
            why = "you have taken back too much in this turn"
    elif not _fits(move.give, move.get, port_types(play, seat)):
        why = f"the bank does not give {in_words(move.get)} for {in_words(move.give)}"
    elif play.stock is not None and not covers(play.stock, move.get):
        why = f"the bank has {in_words(play.stock)}"
    if why is not None:
        raise no_trade(why, -1, NoTrade.CANNOT_TRADE)


def undoes(play: Play, give: Bundle, get: Bundle) -> bool:
    """Whether a trade is the exact reverse of the trade with the bank that was the last thing done."""
    return play.doings.bank_trade == (get, give)


def _fits(give: Bundle, get: Bundle, ports: set[int]) -> bool:
    """Whether the bank, through these ports, gives the one for the other."""
    given, got = sum(give), sum(get)
    if given < OWN_PORT_RATIO or got < 1:
        return False
    # The ratio decides which ports are needed; groups of several resources may be mixed.
    ratio = given // got
    if ratio == OWN_PORT_RATIO:
        # At two to one each resource needs its own port.
        if any(give[type] and type + 1 not in ports for type in TYPES):
            return False
    elif ratio not in (BANK_RATIO, PORT_RATIO) or (ratio == PORT_RATIO and 0 not in ports):
        return False
    return all(give[type] % ratio == 0 for type in TYPES) and given == got * ratio


def trade_with_bank(play: Play, seat: int, move: BankTrade) -> None:
    """Trade with the bank."""
    play.asked(seat, BankTrade(move.give, move.get))
    if undoes(play, move.give, move.get):
        play.doings.bank_trade = None
        # Trading to and fro could go on for ever.
        play.doings.taken_back += 1
    else:
        play.doings.bank_trade = (move.give, move.get)
    take(play.mover.hand, move.give)
    give(play.mover.hand, move.get)
    play.send(BankTrade(move.give, move.get, seat))


# --- among players ----------------------------------------------------------------------------------------------------


def check_offer(play: Play, seat: int, move: MakeOffer) -> None:
    """Check an offer of the current player, or a counteroffer to it."""
    why = None
    to = [number for number, flag in enumerate(move.to) if flag]
    if "NT" in play.variant.on:
        why = "players do not trade in this game"
    # Without polls, as at JSettlers, offers are made at any time.
    elif play.variant.polls and play.phase is not Phase.PLAY:
        why = f"players do not trade in the state {play.phase.name} ({int(play.phase)})"
    elif play.variant.polls and seat != play.current and seat not in play.trading.polled:
        why = "the current player makes offers first"
    # Each offer asks all others: the limit keeps a turn from being all talk.
    elif play.variant.polls and seat == play.current and play.doings.offers >= MAX_OFFERS:
        why = f"you have made {MAX_OFFERS} offers in this turn"
    elif len(move.to) != len(play.seats):
        why = f"an offer has a flag for each of {len(play.seats)} seats, not {len(move.to)}"
    elif not to or any(number == seat or number not in play.occupied for number in to):
        why = "an offer is to other seats that are taken"
    # Others trade with the current player only.
    elif seat != play.current and to != [play.current]:
        why = f"a counteroffer is to {play.name(play.current)} only"
    elif min(*move.give, *move.get) < 0 or max(*move.give, *move.get) > MAX_AT_ONCE or move.give[5] or move.get[5]:
        why = "an offer is of known resources"
    elif NOTHING in (move.give, move.get):
        why = "an offer gives something and wants something"
    elif not covers(play.seats[seat].hand, move.give):
        why = f"you have not {in_words(move.give)}"
    if why is not None:
        raise no_trade(why, seat, NoTrade.CANNOT_OFFER)


def make_offer(play: Play, seat: int, move: MakeOffer) -> None:
    """Make an offer; those to whom the current player makes one are asked. A counteroffer is an answer."""
    play.asked(seat, move)
    to = frozenset(number for number, flag in enumerate(move.to) if flag)
    play.trading.offers[seat] = Offer(to, move.to, move.give, move.get)
    play.send(MakeOffer(seat, move.to, move.give, move.get))
    # The marks of earlier answers go, since the offer is a new one.
    play.send(ClearTradeMsg(-1))
    if seat == play.current:
        play.doings.offers += 1
        asked = [number for number in play.around(seat) if number in to and play.variant.polls]
        play.trading.polled = [number for number in asked if Subject.OFFERS not in play.seats[number].no]
        for number in asked:
            if number not in play.trading.polled:
                # Seats that want no offers answer at once, with the same message as if asked.
                reject_offer(play, number, RejectOffer(None))
    elif play.variant.polls:
        # A counteroffer is the answer to the poll.
        play.trading.polled.remove(seat)


def check_clear(play: Play, seat: int, move: ClearOffer) -> None:
    """Check that there is an offer to withdraw."""
    if not play.variant.polls:
        return
    if seat not in play.trading.offers or seat != play.current or play.phase is not Phase.PLAY:
        raise no_trade("you have no offer to withdraw now", seat, NoTrade.CANNOT_OFFER)


def clear_offer(play: Play, seat: int, move: ClearOffer) -> None:
    """Withdraw an offer."""
    play.asked(seat, move)
    play.trading.offers.pop(seat, None)
    play.send(ClearOffer(seat))
    play.send(ClearTradeMsg(-1))


def offers_to(play: Play, seat: int) -> list[int]:
    """Return the seats that have made offers to this one which it may still answer."""
    return sorted(other for other, offer in play.trading.offers.items() if seat in offer.to)


def check_reject(play: Play, seat: int, move: RejectOffer) -> None:
    """Check that there is an offer to reject."""
    if play.variant.polls and (play.phase is not Phase.PLAY or not offers_to(play, seat)):
        raise no_trade("there is no offer to you", seat, NoTrade.CANNOT_TRADE)


def reject_offer(play: Play, seat: int, move: RejectOffer) -> None:
    """Reject all offers to a seat."""
    play.asked(seat, move)
    for other in offers_to(play, seat):
        offer = play.trading.offers[other]
        # The offer stays for the others.
        play.trading.offers[other] = offer._replace(to=offer.to - {seat})
    play.send(RejectOffer(seat))
    if seat in play.trading.polled:
        play.trading.polled.remove(seat)


def cannot_accept(play: Play, seat: int, offering: int) -> str | None:
    """Return why a seat cannot accept an offer; None if it can."""
    if "NT" in play.variant.on:
        return "players do not trade in this game"
    if play.phase is not Phase.PLAY:
        return f"players do not trade in the state {play.phase.name} ({int(play.phase)})"
    offer = play.trading.offers.get(offering)
    # JSettlers lets any seat accept; with polls, only those that were addressed.
    if offer is None or (play.variant.polls and seat not in offer.to):
        return f"there is no offer of seat {offering} to you"
    if not covers(play.seats[seat].hand, offer.get):
        return f"you have not {in_words(offer.get)}"
    # The offerer may have paid with it meanwhile.
    if not covers(play.seats[offering].hand, offer.give):
        return f"{play.name(offering)} has not {in_words(offer.give)} any more"
    return None


def check_accept(play: Play, seat: int, move: AcceptOffer) -> None:
    """Check that an offer may be accepted, and that it is still the one that was seen, where the move names it."""
    why = cannot_accept(play, seat, move.offering) or _is_another(play, move)
    if why is not None:
        raise _refused(play, seat, why)


def _is_another(play: Play, move: AcceptOffer) -> str | None:
    """Return what an offer is by now; None if it is the one that the move repeats, or the move repeats none."""
    offer = play.trading.offers[move.offering]
    # Clients of JSettlers do not repeat the offer.
    seen = move.to_accepting or offer.give, move.to_offering or offer.get
    if seen == (offer.give, offer.get):
        return None
    return f"seat {move.offering} offers something else now: {in_words(offer.give)} for {in_words(offer.get)}"


def _refused(play: Play, seat: int, why: str) -> Declined:
    return no_trade(why, seat, NoTrade.CANNOT_TRADE)


def accept_offer(play: Play, seat: int, move: AcceptOffer) -> None:
    """Carry a trade out; all other offers are gone."""
    play.asked(seat, AcceptOffer(None, move.offering))
    offer = play.trading.offers[move.offering]
    accepting, offering = play.seats[seat], play.seats[move.offering]
    take(accepting.hand, offer.get)
    give(accepting.hand, offer.give)
    take(offering.hand, offer.give)
    give(offering.hand, offer.get)
    # The last trade with the bank can no longer be taken back.
    play.doings.bank_trade = None
    # Hands have changed, so no offer is certain any more.
    play.trading.offers.clear()
    play.trading.polled = []
    play.send(AcceptOffer(seat, move.offering, offer.give, offer.get))
    play.send(ClearOffer(-1))
