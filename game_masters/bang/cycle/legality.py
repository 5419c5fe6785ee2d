"""Which moves are allowed: the reasons for refusals, in the order of checking, and the legal moves.

A game that waits for its start is :mod:`lobby`'s. Everything here is about a game that is played.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from typing import NamedTuple

from game_masters.bang.cards.characters import CHARACTERS, JANET, PEDRO, WILLY, Call
from game_masters.bang.cards.playing_cards import NAMES, Aim, Card, Kind
from game_masters.bang.cycle.checks import PENDING
from game_masters.bang.cycle.plays import MIN_FOR_BEER
from game_masters.bang.messages.moves import Ability, Discard, Draw, EndTurn, Move, Pass, Play
from game_masters.bang.messages.words import ASKED, SELECTIONS, SHOTS, Phase, Reaction, Reason, Stage
from game_masters.bang.table.circle import Player
from game_masters.bang.table.course import Course
from game_masters.bang.table.requests import ABILITY, BARREL, LastSave

PANIC_RANGE = 1


class Refusal(NamedTuple):
    """Why a move is not allowed."""

    reason: Reason
    text: str


def refusal(course: Course, player: Player, move: Move) -> Refusal | None:
    """Return why this player may not make this move now; None if it may. Moves that are no part of the play itself
    (chat, lobby) are refused."""
    if course.stage is not Stage.PLAYING:
        return _state(f"the game is {course.stage}")
    if player is not course.requested:
        return Refusal(Reason.BAD_PLAYER, f"{course.requested.name} is asked, not {player.name}")
    return _refusal(course, player, move)


def _refusal(course: Course, player: Player, move: Move) -> Refusal | None:
    """Return why the player who is asked may not make this move."""
    match move:
        case Play():
            return _play(course, player, move)
        case Ability():
            return _ability(course, player, move)
        case Discard():
            return _discard(course, player, move)
        case Draw():
            return _draw(course, player)
        case Pass():
            return _pass(course)
        case EndTurn():
            return _end_turn(course, player)
    return _state("the game has begun")


def legal_moves(course: Course) -> list[Move]:
    """Return all moves of the player who is asked, always in the same order."""
    player = course.requested
    return [move for move in _candidates(course, player) if _refusal(course, player, move) is None]


def pending(player: Player) -> Card | None:
    """Return the card on the own table that has to be checked next before a turn begins."""
    found = (card for name in PENDING for card in player.table if card.name == name)
    return next(found, None)


# --- each kind of move ------------------------------------------------------------------------------------------------


def _state(text: str) -> Refusal:
    return Refusal(Reason.BAD_GAME_STATE, text)


def _draw(course: Course, player: Player) -> Refusal | None:
    # The order of the reasons is part of the protocol: the state first, then cards that must be checked.
    return _no_draw(course) or _predraw(player)


def _no_draw(course: Course) -> Refusal | None:
    if course.stack.top is not None or course.turn.phase is not Phase.DRAW:
        return _state(f"no player draws now: {_asked(course)}")
    return None


def _predraw(player: Player) -> Refusal | None:
    card = pending(player)
    if card is None:
        return None
    return Refusal(Reason.BAD_PREDRAW, f"first check the {NAMES[card.name].words} on your table (card {card.id})")


def _pass(course: Course) -> Refusal | None:
    top = course.stack.top
    if top is None:
        return _state(f"there is nothing to pass on: {_asked(course)}")
    if top.reaction in SELECTIONS:
        return Refusal(Reason.BAD_USAGE, "choose a card of the selection; you cannot pass")
    return None


def _discard(course: Course, player: Player, move: Discard) -> Refusal | None:
    if course.stack.top is not None or course.turn.phase is Phase.DRAW:
        return _state(f"no player discards now: {_asked(course)}")
    # Life points of now, not the maximum, are the limit.
    if len(player.hand) <= player.life:
        return _state(f"{len(player.hand)} cards are not more than {player.life} life points")
    if player.in_hand(move.card) is None:
        return Refusal(Reason.BAD_CARD, f"card {move.card} is not in your hand")
    return None


def _end_turn(course: Course, player: Player) -> Refusal | None:
    if course.stack.top is not None or course.turn.phase is Phase.DRAW:
        return _state(f"the turn cannot end now: {_asked(course)}")
    if len(player.hand) > player.life:
        surplus = len(player.hand) - player.life
        return Refusal(Reason.TOO_MANY, f"discard {surplus} of your {len(player.hand)} cards first")
    return None


def _asked(course: Course) -> str:
    """What the player is asked for, in words."""
    top = course.stack.top
    return f"the state is {course.turn.phase}" if top is None else f"you are asked {ASKED[top.reaction]}"


# --- abilities --------------------------------------------------------------------------------------------------------


def _ability(course: Course, player: Player, move: Ability) -> Refusal | None:
    call = CHARACTERS[player.character].call
    if call is Call.NONE:
        return Refusal(Reason.BAD_USAGE, f"{player.character} has no ability to be used")
    return _CALLS[call](course, player, move)


def _instead_of_draw(course: Course, player: Player, move: Ability) -> Refusal | None:
    refused = _no_draw(course)
    # He is still to draw. KBang goes on to his turn, without cards.
    if refused is None and player.character == PEDRO and not course.piles.graveyard:
        refused = _state("the discard pile is empty")
    return refused or _predraw(player) or _alone(move)


def _from_player(course: Course, player: Player, move: Ability) -> Refusal | None:
    refused = _draw(course, player)
    if refused is not None:
        return refused
    if move.cards or not move.player:
        return Refusal(Reason.BAD_USAGE, "the ability is used on a player")
    target, refused = _target(course, move.player)
    if target is player:
        return Refusal(Reason.BAD_TARGET_PLAYER, "not on yourself")
    if target is not None and not target.hand:
        return Refusal(Reason.BAD_TARGET_PLAYER, f"{target.name} has no cards")
    return refused


def _against_shot(course: Course, player: Player, move: Ability) -> Refusal | None:
    shot = course.stack.shot
    if shot is None or shot.reaction not in SHOTS:
        return _state("the ability is used against a BANG! or Gatling")
    if ABILITY in shot.tried:
        return _state("the ability has been used against this shot")
    return _alone(move)


def _with_cards(course: Course, player: Player, move: Ability) -> Refusal | None:
    top = course.stack.top
    # Not while discarding: from there no way leads back to play.
    own_turn = top is None and course.turn.phase is Phase.TURN
    if not own_turn and not isinstance(top, LastSave):
        return _state("the ability is used in the own turn after the draw, or for a last save")
    # KBang accepts the same card twice.
    if len(move.cards) != 2 or len(set(move.cards)) != 2:
        return Refusal(Reason.BAD_CARD, "two different cards are needed")
    strange = [card for card in move.cards if player.in_hand(card) is None]
    if strange:
        return Refusal(Reason.BAD_CARD, f"card {strange[0]} is not in your hand")
    return Refusal(Reason.BAD_USAGE, "the ability is not used on a player") if move.player else None


def _alone(move: Ability) -> Refusal | None:
    if move.player or move.cards:
        return Refusal(Reason.BAD_USAGE, "the ability is used without player and cards")
    return None


_CALLS: Mapping[Call, Callable[[Course, Player, Ability], Refusal | None]] = {
    Call.DRAW: _instead_of_draw,
    Call.DRAW_FROM_PLAYER: _from_player,
    Call.SHOT: _against_shot,
    Call.CARDS: _with_cards,
}


# --- cards ------------------------------------------------------------------------------------------------------------


def _play(course: Course, player: Player, move: Play) -> Refusal | None:
    if course.stack.top is not None:
        return _answer(course, player, move)
    return _PLAYS[course.turn.phase](course, player, move)


def _answer(course: Course, player: Player, move: Play) -> Refusal | None:
    top = course.stack.top
    assert top is not None
    if move.player or move.target:
        return _state("a card that answers has no target")
    if top.reaction in SELECTIONS:
        if any(card.id == move.card for card in course.piles.selection):
            return None
        return Refusal(Reason.BAD_CARD, f"card {move.card} is not in the selection")
    barrel, shot = player.on_table(move.card), course.stack.shot
    # Indians and duels are no shots: a Barrel does not help.
    if barrel is not None and barrel.name == "barrel" and top.reaction in SHOTS and shot is not None:
        if BARREL in shot.tried:
            return Refusal(Reason.BAD_CARD, "the Barrel has been tried against this shot")
        return None
    card = player.in_hand(move.card)
    if card is None:
        return Refusal(Reason.BAD_CARD, f"card {move.card} is not in your hand")
    if card.name not in fitting(top.reaction, player):
        return Refusal(Reason.BAD_CARD, f"{card.words} does not help: you are asked {ASKED[top.reaction]}")
    # The printed rule for Beers. Sid Ketchum's ability works with two as well.
    if isinstance(top, LastSave) and len(course.players.living) < MIN_FOR_BEER:
        return Refusal(Reason.BAD_CARD, "with two players alive a Beer does not help")
    return None


def fitting(reaction: Reaction, player: Player) -> frozenset[str]:
    """Return the names of the cards of the hand that a player may answer with."""
    both = frozenset({"bang", "missed"})
    if reaction is Reaction.LAST_SAVE:
        return frozenset({"beer"})
    # In duels and against Indians her Missed! is a BANG!, against shots her BANG! a Missed!.
    if player.character == JANET:
        return both
    return frozenset({"missed"}) if reaction in SHOTS else frozenset({"bang"})


def _before_draw(course: Course, player: Player, move: Play) -> Refusal | None:
    if player.in_hand(move.card) is not None:
        return _state("cards of the hand are played after the draw")
    card = player.on_table(move.card)
    if card is None or card.name not in PENDING:
        return Refusal(Reason.BAD_CARD, f"card {move.card} is no Dynamite or Jail on your table")
    # The Dynamite goes first: if it kills, the Jail is never checked.
    if card is not pending(player):
        return _predraw(player)
    if move.player or move.target:
        return Refusal(Reason.BAD_USAGE, "a check has no target")
    return None


def _in_turn(course: Course, player: Player, move: Play) -> Refusal | None:
    card = player.in_hand(move.card)
    if card is None:
        return Refusal(Reason.BAD_CARD, f"card {move.card} is not in your hand")
    name = NAMES[card.name]
    # Played as a BANG! it needs a target, and obeys range and limit.
    aim = Aim.PLAYER if card.name == "missed" and player.character == JANET else name.aim
    wrong = _wrong_aim(aim, move)
    if wrong:
        return Refusal(Reason.BAD_USAGE, f"{card.words} {wrong}")
    if move.target:
        return _on_card(course, player, card, move.target)
    if move.player:
        return _on_player(course, player, card, move.player)
    # Also for weapons: only one of another name takes the place of the old one.
    if name.kind is not Kind.BROWN and player.has(card.name):
        return _two_same(card)
    return None


def _wrong_aim(aim: Aim, move: Play) -> str:
    """Return what is wrong with the number of targets."""
    if aim is Aim.ANSWER:
        return "is played only as an answer"
    if aim is Aim.NONE:
        return "is played without a target" if move.player or move.target else ""
    if move.target and aim is Aim.PLAYER:
        return "is played on a player"
    if bool(move.player) == bool(move.target):
        return "is played on a player" + (" or on a card, one of them" if aim is Aim.PLAYER_OR_CARD else "")
    return ""


def _on_player(course: Course, player: Player, card: Card, id: int) -> Refusal | None:
    target, refused = _target(course, id)
    if target is None:
        return refused
    return _TARGETS[card.name](course, player, card, target)


def _bang(course: Course, player: Player, card: Card, target: Player) -> Refusal | None:
    # For a BANG! the protocol has the order: oneself, range, limit.
    if target is player:
        return Refusal(Reason.BAD_TARGET_PLAYER, "not on yourself")
    distance = course.players.distance(player, target)
    if distance > player.reach:
        text = f"{target.name} is at distance {distance}, and your weapon reaches {player.reach}"
        return Refusal(Reason.OUT_OF_RANGE, text)
    # Asked when it is played: a Volcanic laid after the first BANG! allows a second; one lost since does not.
    unlimited = player.character == WILLY or player.has("volcanic")
    if course.turn.bangs and not unlimited:
        return Refusal(Reason.ONE_BANG, "you have played a BANG! in this turn")
    return None


def _duel(course: Course, player: Player, card: Card, target: Player) -> Refusal | None:
    return Refusal(Reason.BAD_TARGET_PLAYER, "not on yourself") if target is player else None


def _jail(course: Course, player: Player, card: Card, target: Player) -> Refusal | None:
    if target.is_sheriff:
        return Refusal(Reason.BAD_TARGET_PLAYER, "not on the sheriff")
    return _two_same(card) if target.has(card.name) else None


def _theft(course: Course, player: Player, card: Card, target: Player) -> Refusal | None:
    # On oneself, as KBang allows since its users asked for it, the card that is played does not count.
    cards = len(target.hand) - (target is player)
    if not cards:
        return Refusal(Reason.BAD_TARGET_PLAYER, f"{target.name} has no card in hand that could be taken")
    return _panic_range(course, player, card, target)


def _panic_range(course: Course, player: Player, card: Card, target: Player) -> Refusal | None:
    distance = course.players.distance(player, target)
    # No weapon makes Panic! reach farther.
    if card.name == "panic" and distance > PANIC_RANGE:
        return Refusal(
            Reason.OUT_OF_RANGE, f"{target.name} is at distance {distance}, and Panic! reaches {PANIC_RANGE}"
        )
    return None


def _on_card(course: Course, player: Player, card: Card, id: int) -> Refusal | None:
    owner = course.players.owner(id)
    # Ids of cards in hands are no targets, not even of the own one: KBang crashes on these.
    if owner is None:
        return Refusal(Reason.BAD_TARGET_CARD, f"card {id} is not on a table")
    return _panic_range(course, player, card, owner)


def _target(course: Course, id: int) -> tuple[Player | None, Refusal | None]:
    """Return the living player with this id, or why there is none."""
    target = course.players.find(id)
    if target is not None and target.alive:
        return target, None
    return None, Refusal(Reason.BAD_TARGET_PLAYER, f"there is no living player {id}")


def _two_same(card: Card) -> Refusal:
    return Refusal(Reason.TWO_SAME, f"there is a {NAMES[card.name].words} on that table already")


_TARGETS: Mapping[str, Callable[[Course, Player, Card, Player], Refusal | None]] = {
    "bang": _bang, "missed": _bang, "duel": _duel, "jail": _jail, "panic": _theft, "cat-balou": _theft,
}  # fmt: skip

_PLAYS: Mapping[Phase, Callable[[Course, Player, Play], Refusal | None]] = {
    Phase.DRAW: _before_draw,
    Phase.TURN: _in_turn,
    # With the first discard the player has chosen to end the turn.
    Phase.DISCARD: lambda course, player, move: _state("cards are only discarded now"),
}


# --- all moves --------------------------------------------------------------------------------------------------------


def _candidates(course: Course, player: Player) -> Iterator[Move]:
    """Yield all moves that could be allowed."""
    if course.stack.top is not None:
        yield from (Play(card.id) for card in (*course.piles.selection, *player.hand, *player.table))
    elif course.turn.phase is Phase.DRAW:
        yield Draw()
        yield from (Play(card.id) for card in player.table)
    else:
        yield from _plays(course, player)
        yield from (Discard(card.id) for card in player.hand)
        yield EndTurn()
    yield from _abilities(course, player)
    yield Pass()


def _plays(course: Course, player: Player) -> Iterator[Move]:
    living = course.players.living
    for card in player.hand:
        aim = NAMES[card.name].aim
        if aim is Aim.NONE:
            yield Play(card.id)
            continue
        # Also for a Missed!: Calamity Janet may shoot with it.
        yield from (Play(card.id, other.id) for other in living)
        if aim is Aim.PLAYER_OR_CARD:
            yield from (Play(card.id, 0, lying.id) for other in living for lying in other.table)


def _abilities(course: Course, player: Player) -> Iterator[Move]:
    call = CHARACTERS[player.character].call
    if call is Call.DRAW_FROM_PLAYER:
        yield from (Ability(other.id) for other in course.players.living)
    elif call is Call.CARDS:
        yield from (Ability(0, pair) for pair in combinations([card.id for card in player.hand], 2))
    elif call is not Call.NONE:
        yield Ability()
