"""Apologies in two modes, as two games.

The game type ``apologies`` has the mode STANDARD unless the option ``mode`` is ADULT. The game type
``apologies-adult`` always has the mode ADULT, for players who can choose a game but no options.

rules.py     the course of a game: turns, cards, departures, the end
plays.py     which plays a position allows, and what they do
board.py     the squares, and how far a pawn is from home
cards.py     the cards, the draw pile and the discards
events.py    what the record holds besides plays
fixture.py   a beginning that is fixed, in place of chance
puzzling.py  what puzzles ask for; they are in puzzles.toml
views.py     what players send and what they are shown
notation.py  moves and views as XML
reward.py    the play that the computer player chooses
bots.py      computer players
match.py     plays bots against each other and counts
pictures/    the board as SVG, on the terminal and in words
gateway/     the original clients of Apologies: JSON over WebSockets
"""

from dataclasses import replace
from functools import partial

from game_masters.apologies import fixture, notation, pictures
from game_masters.apologies.bots import BOTS
from game_masters.apologies.puzzling import BOOK
from game_masters.apologies.rules import MODE, RULES, Position, in_chosen_mode, is_adult
from game_masters.apologies.views import Mode, Move, View
from game_masters.kit.rules import Game, Players, always
from ugs.wire.schema_files import schemas_directory

STANDARD: Game[Move, View] = Game(
    name="apologies",
    game_type="apologies",
    summary="race four pawns round the board, by cards drawn or of a hidden hand; bump, slide, swap and take places",
    players=Players(2, 4, gather_s=5),
    start=in_chosen_mode,
    notation=notation,
    schema=schemas_directory() / "games" / "apologies.xsd",
    bots=BOTS,
    pictures=pictures.follow,
    hides_with=is_adult,
    chance=True,
    options=(MODE, RULES),
    fixture=lambda entries, seats, options: fixture.read(entries, seats, adult=is_adult(options)),
    puzzles=BOOK,
)

ADULT: Game[Move, View] = replace(
    STANDARD,
    name="apologies-adult",
    game_type="apologies-adult",
    title="Apologies for adults",
    summary="race four pawns round the board, each play with a card of a hidden hand of five",
    start=partial(Position, Mode.ADULT),
    hides_with=always,
    options=(RULES,),
    fixture=lambda entries, seats, options: fixture.read(entries, seats, adult=True),
    puzzles=None,
)
