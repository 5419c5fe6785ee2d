"""Apologies in two modes: ``apologies``, STANDARD unless the option ``mode`` says ADULT, and ``apologies-adult``, which
is always ADULT, for who can choose a game but no options."""

from functools import partial

from game_masters.apologies import notation
from game_masters.apologies.bots import BOTS
from game_masters.apologies.rules import MODE, RULES, Position, in_chosen_mode, is_adult
from game_masters.apologies.views import Mode, Move, View
from game_masters.kit.rules import Game
from ugs.wire.schema import schemas_directory

STANDARD: Game[Move, View] = Game(
    name="apologies",
    game_type="apologies",
    summary="race four pawns round the board, by cards drawn or of a hidden hand; bump, slide, swap and take places",
    players_min=2,
    players_max=4,
    start=in_chosen_mode,
    notation=notation,
    schema=schemas_directory() / "games" / "apologies.xsd",
    bots=BOTS,
    program_bot="reward",
    hidden_information=True,
    hides_with=is_adult,
    chance=True,
    options=(MODE, RULES),
)

ADULT: Game[Move, View] = Game(
    name="apologies-adult",
    game_type="apologies-adult",
    summary="race four pawns round the board, each play with a card of a hidden hand of five",
    players_min=2,
    players_max=4,
    start=partial(Position, Mode.ADULT),
    notation=notation,
    schema=schemas_directory() / "games" / "apologies.xsd",
    bots=BOTS,
    program_bot="reward",
    hidden_information=True,
    chance=True,
    options=(RULES,),
)
