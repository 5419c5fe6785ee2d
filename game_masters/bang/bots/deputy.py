"""The computer player that plays its role: it looks for its enemies, keeps what saves its life, and uses its character.

It gives each legal move a worth and makes the best one. It knows only its view.
"""

import random
from collections.abc import Callable, Mapping

from game_masters.bang.bots.suspicion import enmity
from game_masters.bang.cards.characters import CHARACTERS, JANET, SLAB, WILLY
from game_masters.bang.cards.playing_cards import EXPLODES, HEARTS, NAMES, Card, is_weapon
from game_masters.bang.messages.events import Event, PlayerView
from game_masters.bang.messages.moves import Ability, Discard, Draw, EndTurn, Move, Pass, Play
from game_masters.bang.messages.words import SELECTIONS, SHOTS, Phase, Reaction, Type
from game_masters.bang.views.view import View

KEEP: Mapping[str, float] = {
    "beer": 9, "missed": 7, "bang": 6, "wells-fargo": 9, "diligenza": 8, "gatling": 6, "panic": 6, "cat-balou": 6,
    "barrel": 8, "mustang": 7, "appaloosa": 5, "volcanic": 6, "winchester": 6, "carabine": 5, "remington": 5,
    "schofield": 4, "duel": 5, "indians": 4, "jail": 4, "general-store": 3, "saloon": 2, "dynamite": 1,
}  # fmt: skip
"""How gladly a card is taken and kept."""
EQUIPMENT = 20.0
DRAWS = 30.0
DANGER = 2
"""With so few life points a Beer is drunk at once."""


class Mind:
    """What a view means to its reader."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.known = view.known
        self.me = view.known.player(view.known.you)
        self.enmity = enmity(view.known)
        self.living = [player for player in view.known.players if player.alive]
        on_tables = [card for player in self.living for card in player.table]
        self.cards = {card.id: card for card in (*self.known.hand, *on_tables, *self.known.selection)}

    @property
    def most(self) -> int:
        """The reader's maximum of life points."""
        return CHARACTERS[self.me.character].life + self.me.sheriff

    @property
    def surplus(self) -> int:
        """How many cards will have to be discarded."""
        return len(self.known.hand) - self.me.life

    def count(self, *names: str) -> int:
        """Return how many cards of these names are in the own hand."""
        return sum(card.name in names for card in self.known.hand)

    def frailty(self, player: PlayerView) -> float:
        """Return how near a player is to its end."""
        return 3.0 / max(1, player.life)


def choose(view: View, rng: random.Random) -> Move:
    """Return the best move; the first of equals."""
    mind = Mind(view)
    context = view.known.context
    reaction = context.reaction if context is not None else None
    if reaction is not None:
        return max(view.legal, key=lambda move: _answer_worth(mind, reaction, move))
    if context is not None and context.phase is Phase.DRAW:
        return max(view.legal, key=lambda move: _draw_worth(mind, move))
    return max(view.legal, key=lambda move: _turn_worth(mind, move))


# --- draws and answers ------------------------------------------------------------------------------------------------


def _draw_worth(mind: Mind, move: Move) -> float:
    match move:
        case Ability(player=0):
            top = mind.known.top
            pedro = mind.me.character == "pedro-ramirez"
            # Pedro Ramirez knows what lies there; only a good card is better than one from the deck.
            return KEEP[top.name] - 5 if pedro and top is not None else 10
        case Ability(player=player):
            return 1 + mind.enmity[player]
        case Draw():
            return 1
    return 5  # a check; nothing else is legal then


def _answer_worth(mind: Mind, reaction: Reaction, move: Move) -> float:
    match move:
        case Play(card=id):
            card = mind.cards[id]
            if reaction in SELECTIONS:
                return _choice_worth(mind, reaction, card)
            # A Barrel costs no card, so it is tried first.
            if card.name == "barrel":
                return 20
            # Passing is worth 0: better than a card that does not help.
            if reaction in SHOTS and _is_hopeless(mind, reaction):
                return -1
            usual = "missed" if reaction in SHOTS else "bang"
            return 10 + (card.name == usual)
        case Ability(cards=()):
            return 30
        case Ability(cards=pair):
            return 8 - sum(KEEP[mind.cards[id].name] for id in pair) / 10
    return 0


def _is_hopeless(mind: Mind, reaction: Reaction) -> bool:
    """Whether two successes are needed and there is only one card: then it is better kept, unless one has been made."""
    context = mind.known.context
    assert context is not None
    cause = next((player for player in mind.known.players if player.id == context.caused_by), None)
    if reaction is not Reaction.BANG or cause is None or cause.character != SLAB:
        return False
    answers = mind.count("missed", "bang") if mind.me.character == JANET else mind.count("missed")
    made = any(
        isinstance(entry, Event)
        and entry.player == mind.known.you
        and (entry.type is Type.REACTION_PLAY or (entry.type is Type.CHECK_DECK and bool(entry.success)))
        for entry in mind.view.news[-3:]
    )
    return answers < 2 and not made


def _choice_worth(mind: Mind, reaction: Reaction, card: Card) -> float:
    if reaction is not Reaction.LUCKY_DUKE:
        return KEEP[card.name] - mind.count(card.name)
    causes = [
        dict(entry.meaning)["cause"].name
        for entry in mind.view.news
        if isinstance(entry, Event) and entry.type is Type.DRAW_INTO_SELECTION
    ]
    if causes and causes[-1] == "dynamite":
        return float((card.suit, card.rank) not in EXPLODES)
    return float(card.suit == HEARTS)


# --- the own turn -----------------------------------------------------------------------------------------------------


def _turn_worth(mind: Mind, move: Move) -> float:
    """The worth of a move; to end the turn is worth 0."""
    match move:
        case Play(card=id, player=player, target=target):
            card = mind.cards[id]
            if player:
                return _ON_PLAYER[card.name](mind, card, player)
            if target:
                return _on_card(mind, card, mind.cards[target])
            return _ALONE.get(card.name, _equip)(mind, card)
        case Ability(cards=pair):
            loses = sum(KEEP[mind.cards[id].name] for id in pair)
            wounded = mind.me.life < mind.most
            # With too many cards the pair would be discarded anyway.
            return 14 - loses / 2 if wounded and (mind.surplus >= 2 or mind.me.life <= DANGER) else -5
        case Discard(card=id):
            card = mind.cards[id]
            # Below the worth of ending the turn: discards are made only when the turn cannot end.
            return -1 - KEEP[card.name] - (3 if card.name == "beer" else 0) + max(0, mind.count(card.name) - 2)
        case EndTurn() | Pass():
            return 0
    return -100


def _equip(mind: Mind, card: Card) -> float:
    """A blue card or a weapon for oneself."""
    if card.name == "dynamite":
        enemies = sum(1 for worth in mind.enmity.values() if worth > 0)
        # It may come round to its owner, who has to survive it.
        return 1 if enemies >= 2 and mind.me.life > 3 else -1
    if not is_weapon(card):
        return EQUIPMENT
    old = next((one for one in mind.me.table if is_weapon(one)), None)
    return EQUIPMENT - 5 if _weapon_worth(mind, card) > (_weapon_worth(mind, old) if old is not None else 1) else -1


def _weapon_worth(mind: Mind, card: Card) -> float:
    shoots_often = mind.me.character == WILLY
    rapid = 1.5 + mind.count("bang") if card.name == "volcanic" and not shoots_often else 0
    return NAMES[card.name].reach + rapid


def _beer(mind: Mind, card: Card) -> float:
    if mind.me.life >= mind.most or len(mind.living) < 3:
        return -3
    # A Beer waits in the hand for a last save, unless it would have to be discarded.
    return 12 if mind.me.life <= DANGER or mind.surplus > 0 else -1


def _saloon(mind: Mind, card: Card) -> float:
    own = 4.0 if mind.me.life < mind.most else 0.0
    return own - sum(worth for worth in mind.enmity.values()) / 4 - 0.5


def _all_others(mind: Mind, card: Card) -> float:
    """Gatling and Indians: good if more enemies than friends suffer. No life of a friend is risked."""
    worth = 0.0
    for player in mind.living:
        if player.id != mind.known.you:
            dear = mind.enmity[player.id] < 0 and player.life <= 1
            worth += -20 if dear else max(-4.0, min(4.0, mind.enmity[player.id])) * mind.frailty(player)
    return 3 + worth


def _general_store(mind: Mind, card: Card) -> float:
    return 2


def _bang(mind: Mind, card: Card, id: int) -> float:
    target = mind.known.player(id)
    worth = mind.enmity[id]
    if worth <= 0:
        return -10
    # Calamity Janet keeps her last Missed! for herself.
    spare = card.name != "missed" or mind.count("missed") > 1
    return 8 + worth + mind.frailty(target) if spare else -1


def _duel(mind: Mind, card: Card, id: int) -> float:
    target = mind.known.player(id)
    worth = mind.enmity[id]
    own = mind.count("bang", "missed") if mind.me.character == JANET else mind.count("bang")
    # About one card in three is a BANG!, and the target is taken to have that share.
    enough = own * 3 >= target.hand or (own >= 1 and target.life <= 1)
    return 6 + worth + mind.frailty(target) if worth > 0 and enough else -10


def _jail(mind: Mind, card: Card, id: int) -> float:
    return 5 + mind.enmity[id] if id != mind.known.you and mind.enmity[id] > 0 else -10


def _theft(mind: Mind, card: Card, id: int) -> float:
    """Panic! and Cat Balou on a hand."""
    if id == mind.known.you or mind.enmity[id] <= 0:
        return -10
    return 7 + mind.enmity[id] / 2 + (1 if card.name == "panic" else 0)


def _on_card(mind: Mind, card: Card, aim: Card) -> float:
    """Panic! and Cat Balou on a card of a table: from enemies what helps them, from oneself and friends what hurts."""
    owner = next(player for player in mind.living if aim in player.table)
    hurts = aim.name in ("jail", "dynamite")
    if owner.id == mind.known.you:
        # In the own turn an own Jail has been checked; a Dynamite will come up again.
        return 9 if aim.name == "dynamite" else -10
    worth = mind.enmity[owner.id]
    if hurts:
        return 6 if worth < -2 else -10
    return 8 + worth / 2 + (KEEP[aim.name] - 6) / 2 if worth > 0 else -10


_ON_PLAYER: Mapping[str, Callable[[Mind, Card, int], float]] = {
    "bang": _bang, "missed": _bang, "duel": _duel, "jail": _jail, "panic": _theft, "cat-balou": _theft,
}  # fmt: skip
_ALONE: Mapping[str, Callable[[Mind, Card], float]] = {
    "beer": _beer,
    "saloon": _saloon,
    "diligenza": lambda mind, card: DRAWS,
    "wells-fargo": lambda mind, card: DRAWS,
    "general-store": _general_store,
    "gatling": _all_others,
    "indians": _all_others,
}
