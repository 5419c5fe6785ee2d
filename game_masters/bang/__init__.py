"""Bang!: hidden roles, hidden hands, answers out of turn; for four to seven players.

words.py      the words of the protocol: states, pockets, roles, reasons
cards.py      the 80 cards
characters.py the 16 characters
moves.py      what players may do
events.py     what happens, as the protocol tells it, and who may see what of it
deeds.py      who has acted against whom
circle.py     the players in their circle, and distances
piles.py      deck, discard pile, selection
requests.py   what players are asked for out of turn
course.py     a game: what is where, whose turn it is, the log
turns.py      turns begin, cards are drawn, turns end
harm.py       life points lost, last saves, eliminations, the end
checks.py     cards that are turned: Dynamite, Jail, Barrel
answers.py    what players answer when they are asked
plays.py      what cards do
legality.py   which moves are allowed, and why others are not
acting.py     legal moves carried out
setup.py      how a game is set up
fixture.py    a beginning that is fixed, in place of chance
lobby.py      a game that waits for its start
steps.py      how much may happen before a player is asked again
known.py      what a reader knows, and how it follows from events
readers.py    what all readers of a game know, and knew before
dealing.py    what a reader does not know, dealt anew
rules.py      the game as the kit wants it
views.py      what a reader is shown
actions.py    moves as XML
writing.py    events and snapshots as XML
reading.py    events and snapshots out of XML
notation.py   the three of them, as the kit wants it
suspicion.py  who is whose enemy
deputy.py     the computer player that plays its role
bots.py       computer players
match.py      plays bots against each other and counts; the speed
puzzling.py   what puzzles ask for; they are in puzzles.toml
stream.py     the omniscient log of a game as a file
pictures/     the table as SVG, on the terminal and in words
"""

from game_masters.bang import fixture, notation, pictures
from game_masters.bang.bots import BOTS
from game_masters.bang.moves import Move
from game_masters.bang.puzzling import BOOK
from game_masters.bang.rules import MAX_ABSENCE, OPTIONS, Position
from game_masters.bang.setup import LEAST, MOST
from game_masters.bang.views import View
from game_masters.kit.rules import Game
from ugs.wire.schema_files import schemas_directory

GAME: Game[Move, View] = Game(
    name="bang",
    game_type="bang",
    summary="shoot it out with hidden roles: sheriff and deputies, outlaws, a renegade; cards, characters, answers",
    players_min=LEAST,
    players_max=MOST,
    players_wanted=5,
    gather_s=15,
    start=Position,
    notation=notation,
    schema=schemas_directory() / "games" / "bang.xsd",
    bots=BOTS,
    pictures=pictures.follow,
    program_bot="deputy",
    hidden_information=True,
    longest_absence=MAX_ABSENCE,
    rejoins=True,
    chance=True,
    options=OPTIONS,
    fixture=fixture.read,
    puzzles=BOOK,
)
