"""The roll: what hexes and villages yield, and what a seven brings."""

from game_masters.catan.game.play import Play
from game_masters.catan.handlers.declining import text_only
from game_masters.catan.handlers.discoveries import send_gold
from game_masters.catan.handlers.ending import ends_by_points
from game_masters.catan.handlers.robber import begin_robbery
from game_masters.catan.message.bundles import TYPES
from game_masters.catan.message.gain_messages import DiceResultResources, Gain
from game_masters.catan.message.messages import (
    DiceResult,
    DiscardRequest,
    GameState,
    PieceValue,
    PlayerElement,
    PlayerElements,
    RollDice,
)
from game_masters.catan.message.vocabulary import Change, Element, Hex, Phase, Piece

MAX_CARDS = 7
"""With more resources than this a seven makes a player discard half of them."""


def check_roll(play: Play, seat: int, move: RollDice) -> None:
    """Check that the dice may be rolled now."""
    if seat != play.current:
        raise text_only(f"it is the turn of {play.name(play.current)}")
    if play.phase is not Phase.ROLL_OR_CARD:
        raise text_only(f"no dice are rolled in the state {play.phase.name} ({int(play.phase)})")


def roll(play: Play, seat: int, move: RollDice) -> None:
    """Roll the dice and hand out what they yield."""
    play.asked(seat, move)
    on = play.variant.on
    # N7: no 7 in the first rounds; N7C: none until the first city of any player.
    early = play.rounds.number <= play.variant.no_seven or (
        "N7C" in on and not any(one.pieces.cities for one in play.seats)
    )
    play.chance.roll(no_seven=early)
    play.doings.rolled = True
    play.send(DiceResult(play.chance.dice))
    if play.chance.dice == 7:
        _seven(play)
    else:
        _yields(play)


def _seven(play: Play) -> None:
    owing = []
    for number in [play.current, *play.around(play.current)]:
        one = play.seats[number]
        if one.total > MAX_CARDS:
            # Rounded down: nine cards cost four.
            one.discards = one.total // 2
            owing.append(number)
    if not owing:
        begin_robbery(play)
        return
    play.goes_on(Phase.DISCARDS)
    send_discards(play)
    # The requests go by seats.
    for number in sorted(owing):
        play.send_one(number, DiscardRequest(play.seats[number].discards))


def send_discards(play: Play) -> None:
    """Send who has to discard."""
    names = [one.nick for one in play.seats if one.discards]
    play.announce(f"{' and '.join(names)} {'needs' if len(names) == 1 else 'need'} to discard.")


def _yields(play: Play) -> None:
    gains, gold = _production(play)
    if gains:
        messages = []
        for seat, got in sorted(gains.items()):
            one = play.seats[seat]
            for type in TYPES:
                one.hand[type] += got[type]
                one.gained[type] += got[type]
            messages.append(Gain(seat, one.total, tuple((type + 1, got[type]) for type in TYPES if got[type])))
        play.send(DiceResultResources(tuple(messages)))
        for seat in sorted(gains):
            # What a seat has in all goes to itself only; gains are public, hands are not.
            counts = tuple((type + 1, play.seats[seat].hand[type]) for type in TYPES)
            play.send_one(seat, PlayerElements(seat, Change.SET, counts))
    else:
        play.announce("No player gets anything.")
    _cloth(play)
    # The last village without cloth ends the game in the middle of a roll.
    if ends_by_points(play):
        return
    stock = play.stock
    if stock is not None:
        left = sum(stock)
        # The bank may run out: picks are given out by seats until it is empty.
        for seat in sorted(gold):
            gold[seat] = min(gold[seat], left)
            left -= gold[seat]
        gold = {seat: amount for seat, amount in gold.items() if amount}
    if gold:
        play.after_gold = Phase.PLAY
        play.phase = Phase.GOLD
        send_gold(play, dict(sorted(gold.items())))
        # The state comes last, behind the prompts: JSettlers closes a roll with it.
        play.send(GameState(int(Phase.GOLD)))
    else:
        play.goes_on(Phase.PLAY)


def _production(play: Play) -> tuple[dict[int, list[int]], dict[int, int]]:
    """Return what each seat gets of the resources, and how many picks from gold."""
    board = play.board
    gains: dict[int, list[int]] = {}
    gold: dict[int, int] = {}
    for hex in board.ground.by_number.get(play.chance.dice, ()):
        type = board.types[hex]
        # The robber's hex yields nothing, gold included.
        if hex == board.robber:
            continue
        for node in board.net.hex_nodes[hex]:
            seat = play.owners.nodes.get(node)
            if seat is None:
                continue
            amount = 2 if node in play.seats[seat].pieces.cities else 1
            if type == Hex.GOLD:
                gold[seat] = gold.get(seat, 0) + amount
            elif 1 <= type <= 5:
                gains.setdefault(seat, [0] * 5)[type - 1] += amount
    if play.stock is not None:
        _ration(play.stock, gains)
    return {seat: got for seat, got in gains.items() if any(got)}, gold


def _ration(stock: list[int], gains: dict[int, list[int]]) -> None:
    """If the bank has not enough of a resource, no seat gets any, unless it is owed to one seat only."""
    for type in TYPES:
        owed = [seat for seat, got in gains.items() if got[type]]
        if sum(gains[seat][type] for seat in owed) <= stock[type]:
            continue
        for seat in owed:
            gains[seat][type] = stock[type] if len(owed) == 1 else 0


def _cloth(play: Play) -> None:
    """Hand out the cloth of the villages with the number rolled: the village's own first, then the general supply."""
    trade = play.board.cloth_trade
    before = trade.supply
    got: dict[int, int] = {}
    for village in trade.villages.values():
        # An empty village gives nothing, even if the general supply has cloth left.
        if village.number != play.chance.dice or not village.cloth or not village.traders:
            continue
        # The current player first; among the others the order in which they opened trade.
        for seat in sorted(village.traders, key=lambda seat: seat != play.current):
            if not trade.draw_for(village):
                break
            trader = play.seats[seat]
            trader.scenario = trader.scenario.with_cloth(1)
            got[seat] = got.get(seat, 0) + 1
        play.send(PieceValue(int(Piece.VILLAGE), village.node, village.cloth, 0))
    if trade.supply != before:
        play.send(PlayerElement(-1, Change.SET, int(Element.CLOTH), trade.supply))
    for seat in sorted(got):
        play.send(PlayerElement(seat, Change.SET, int(Element.CLOTH), play.seats[seat].scenario.cloth))
    if got:
        names = " and ".join(play.name(seat) for seat in sorted(got))
        play.announce(f"{names} {'each ' if len(got) > 1 else ''}received cloth from the villages.")
