"""The words of the protocol: states, pockets, roles, reasons. Each member is written on the wire as it stands here."""

from enum import StrEnum


class Stage(StrEnum):
    """``game-state``."""

    WAITING = "waiting-for-players"
    PLAYING = "playing"
    FINISHED = "finished"


class Phase(StrEnum):
    """``game-play-state``."""

    DRAW = "draw"
    TURN = "turn"
    REACTION = "reaction"
    DISCARD = "discard"


class Reaction(StrEnum):
    """``reaction-type``: what a player is asked for."""

    BANG = "bang"
    GATLING = "gatling"
    INDIANS = "indians"
    DUEL = "duel"
    GENERAL_STORE = "general-store"
    LAST_SAVE = "last-save"
    LUCKY_DUKE = "lucky-duke"
    KIT_CARLSON = "kit-carlson"


ASKED = {
    Reaction.BANG: "to answer a BANG!",
    Reaction.GATLING: "to answer a Gatling",
    Reaction.INDIANS: "to fight off Indians",
    Reaction.DUEL: "to shoot in a duel",
    Reaction.GENERAL_STORE: "to choose from the General Store",
    Reaction.LAST_SAVE: "for a last save",
    Reaction.LUCKY_DUKE: "to choose the card that counts",
    Reaction.KIT_CARLSON: "to choose from three cards",
}
"""What a player is asked for, for people."""
SELECTIONS = frozenset({Reaction.GENERAL_STORE, Reaction.LUCKY_DUKE, Reaction.KIT_CARLSON})
"""Reactions that are answered by a card of the selection, and by nothing else."""
SHOTS = frozenset({Reaction.BANG, Reaction.GATLING})
"""Reactions that a Missed answers, and where a Barrel may be tried."""


class Pocket(StrEnum):
    """Where a card may be."""

    DECK = "deck"
    GRAVEYARD = "graveyard"
    HAND = "hand"
    TABLE = "table"
    SELECTION = "selection"


class Role(StrEnum):
    """Who a player is. UNKNOWN is what others are shown."""

    UNKNOWN = "unknown"
    SHERIFF = "sheriff"
    DEPUTY = "deputy"
    OUTLAW = "outlaw"
    RENEGADE = "renegade"


class Type(StrEnum):
    """``type`` of a game event."""

    START_GAME = "start-game"
    DEAL_CARDS = "deal-cards"
    START_TURN = "start-turn"
    DRAW_CARD = "draw-card"
    DRAW_INTO_SELECTION = "draw-into-selection"
    CHECK_DECK = "check-deck"
    PLAY_CARD = "play-card"
    PLAY_ON_TABLE = "play-card-on-table"
    PLAY_ON_PLAYER = "play-card-on-player"
    PLAY_ON_CARD = "play-card-on-card"
    REACTION_PLAY = "reaction-play-card"
    REACTION_PASS = "reaction-pass"
    DISCARD_CARD = "discard-card"
    KILL_PLAYER = "kill-player"
    SHUFFLE_DECK = "shuffle-deck"
    FINISH_GAME = "finish-game"


class Reason(StrEnum):
    """Why a move is refused, in the order of checking."""

    BAD_PLAYER = "bad-player"
    BAD_GAME_STATE = "bad-game-state"
    BAD_PREDRAW = "bad-predraw"
    BAD_CARD = "bad-card"
    BAD_USAGE = "bad-usage"
    BAD_TARGET_PLAYER = "bad-target-player"
    BAD_TARGET_CARD = "bad-target-card"
    OUT_OF_RANGE = "player-out-of-range"
    ONE_BANG = "one-bang-per-turn"
    TWO_SAME = "two-same-on-table"
    TOO_MANY = "too-many-cards-in-hand"
    MALFORMED = "malformed"


class Termination(StrEnum):
    """Why a game ended."""

    LAW_WON = "all outlaws and renegades dead"
    OUTLAWS_WON = "sheriff dead"
    RENEGADE_WON = "renegade the last one alive"
    OTHERS_LEFT = "all others left"
    ROUNDS = "the last round is over"
