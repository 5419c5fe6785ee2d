"""Bang!: hidden roles, hidden hands, answers out of turn; for four to seven players.

cards/       the cards and the characters
messages/    what players do and what happens, in the words of the protocol
table/       who sits where, what lies where, who is asked for what
cycle/       the rules: turns, cards and what follows from them
setup/       the lobby and the deal
views/       what readers of a game know of it
rules.py     the game as the kit wants it
parser/      moves, events and snapshots as XML
notation.py  these, as the kit wants them
bots/        computer players
pictures/    the table as SVG, on the terminal and in words
puzzling.py  what puzzles ask for; they are in puzzles.toml
match.py     plays bots against each other and counts; the speed
stream.py    the omniscient log of a game as a file
"""

from game_masters.bang import notation, pictures
from game_masters.bang.bots import BOTS
from game_masters.bang.messages.moves import Move
from game_masters.bang.puzzling import BOOK
from game_masters.bang.rules import MAX_ABSENCE, OPTIONS, Position
from game_masters.bang.setup import fixture
from game_masters.bang.setup.beginning import MAX_PLAYERS, MIN_PLAYERS
from game_masters.bang.views.view import View
from game_masters.kit.rules import Conduct, Game, Players, always
from ugs.wire.schema_files import schemas_directory

GAME: Game[Move, View] = Game(
    name="bang",
    game_type="bang",
    title="Bang!",
    summary="shoot it out with hidden roles: sheriff and deputies, outlaws, a renegade; cards, characters, answers",
    players=Players(MIN_PLAYERS, MAX_PLAYERS, wanted=5, gather_s=15),
    start=Position,
    notation=notation,
    schema=schemas_directory() / "games" / "bang.xsd",
    bots=BOTS,
    pictures=pictures.follow,
    hides_with=always,
    chance=True,
    options=OPTIONS,
    fixture=fixture.read,
    puzzles=BOOK,
    conduct=Conduct(longest_absence=MAX_ABSENCE, rejoins=True),
)
