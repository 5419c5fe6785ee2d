"""The 16 characters: life points, and which abilities a player calls for. Source: the base game of Bang!"""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple


class Call(StrEnum):
    """How ``use-ability`` is used; most abilities work by themselves."""

    NONE = "none"
    DRAW = "instead of the normal draw"
    DRAW_FROM_PLAYER = "instead of the normal draw, on a player"
    SHOT = "against a shot"
    CARDS = "with two cards"


class Character(NamedTuple):
    """What is printed on the card."""

    life: int
    ability: str
    """For people."""
    call: Call = Call.NONE


BART, BLACK_JACK, JANET, GRINGO = "bart-cassidy", "black-jack", "calamity-janet", "el-gringo"
JESSE, JOURDONNAIS, KIT, LUCKY = "jesse-jones", "jourdonnais", "kit-carlson", "lucky-duke"
PAUL, PEDRO, ROSE, SID = "paul-regret", "pedro-ramirez", "rose-doolan", "sid-ketchum"
SLAB, SUZY, SAM, WILLY = "slab-the-killer", "suzy-lafayette", "vulture-sam", "willy-the-kid"

CHARACTERS: Mapping[str, Character] = {
    BART: Character(4, "draws a card for each life point lost"),
    BLACK_JACK: Character(4, "shows the second card drawn; if it is red, draws a third"),
    JANET: Character(4, "plays BANG! as Missed! and Missed! as BANG!"),
    GRINGO: Character(3, "takes a card from the player who wounds him"),
    JESSE: Character(4, "may draw the first card from another hand", Call.DRAW_FROM_PLAYER),
    JOURDONNAIS: Character(4, "has a Barrel at all times", Call.SHOT),
    KIT: Character(4, "may look at three cards and keep two", Call.DRAW),
    LUCKY: Character(4, "turns two cards for each check, and chooses"),
    PAUL: Character(3, "others see him one farther away"),
    PEDRO: Character(4, "may draw the first card from the discard pile", Call.DRAW),
    ROSE: Character(4, "sees others one nearer"),
    SID: Character(4, "discards two cards for a life point", Call.CARDS),
    SLAB: Character(4, "two Missed! are needed against his BANG!"),
    SUZY: Character(4, "draws a card when her hand is empty"),
    SAM: Character(4, "takes all cards of an eliminated player"),
    WILLY: Character(4, "plays any number of BANG!"),
}


def words(character: str) -> str:
    """Return the name of a character for people."""
    return character.replace("-", " ").title().replace("The", "the")
