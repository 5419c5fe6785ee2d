"""Catan in the message sequences of JSettlers, as two games: for two to four players, and for five and six.

rules.py           one game as the kit wants it
requests.py        which request is checked and carried out by what
legal.py           what a seat may do, and the moves that this stands for
beginning.py       setting a game up
fixture.py         what a fixture says of that
starting.py        the first settlements and roads
turns.py           the end of a turn, special building, the next turn
rolling.py         what hexes and villages yield, and what a seven brings
building.py        paying for pieces, placing and moving them
discoveries.py     what a placed piece brings: fog, gold, new land, villages
robber.py          discards, robber and pirate
cards.py           development cards, and picking resources
trading.py         trades with the bank and among players
ending.py          points, and the end of a game
declining.py       refusals
reasons.py         why a piece may not stand somewhere, and where it may
places.py          where pieces may stand
routes.py          the longest route, and ships that are closed in
play.py            the data of a game, and what is said in it
board.py           the board of one game
laying.py          shuffles a board
plans.py           what boards.toml says of boards
geometry.py        hexes, nodes and edges
options.py         options and scenarios
chance.py          dice, deck and thefts, or a script
vocabulary.py      the numbers of the wire
bundles.py         resources by the handful
messages.py        the messages
gain_messages.py   those that list something for each seat
board_messages.py  those that describe the board
message.py         what a message is
standing.py        what a player wants from now on
forms.py           how values in messages are written
element.py         what that needs of XML
coding.py          messages as text and as XML
events.py          messages with their audience
views.py           what a seat is shown
showing.py         makes that out of the game
notation.py        writes it as XML
writing.py         the parts of a table as XML
changes.py         writes what has changed of it, and puts it into what is known
bots.py            computer players
settler.py         the one that plays well
wishes.py          what it wants, of pieces and resources
sites.py           what it knows of places
puzzling.py        what puzzles ask for; they are in puzzles.toml
soclog.py          logs of games, as text and as XML
recorded.py        recorded games as such logs
extractor.py       finds the actions in a log
sequences.py       the sequence of each action
piece_sequences.py those of pieces
card_sequences.py  those of development cards
steps.py           what several of them take from a log
matching.py        a place in a log, and what may come next there
actions.py         what is found
bridge/            robots and clients of JSettlers at our tables
replay/            games of real servers once more, and what differs
tools.py           ``ugs catan``
pictures/          the board as SVG, on the terminal and in words
"""

from game_masters.catan import notation, pictures
from game_masters.catan.beginning import read_fixture
from game_masters.catan.bots import BOTS
from game_masters.catan.message import Message
from game_masters.catan.options import OPTIONS, OPTIONS_OF_SIX, check, hides
from game_masters.catan.puzzling import BOOK
from game_masters.catan.rules import Position
from game_masters.catan.views import View
from game_masters.kit.rules import Game
from ugs.wire.schema_files import schemas_directory

FOUR: Game[Message, View] = Game(
    name="catan",
    game_type="settlers",
    summary="settle an island: roads, settlements and cities, a robber, cards and trade; with ships on boards with sea",
    players_min=2,
    players_max=4,
    gather_s=15,
    start=Position,
    notation=notation,
    schema=schemas_directory() / "games" / "catan.xsd",
    bots=BOTS,
    pictures=pictures.follow,
    hidden_information=True,
    hides_with=hides,
    simultaneous=True,
    chance=True,
    options=OPTIONS,
    check_options=check,
    fixture=read_fixture,
    puzzles=BOOK,
)

SIX: Game[Message, View] = Game(
    name="catan-six",
    game_type="settlers6",
    summary="the same for five and six, with special building between turns",
    players_min=5,
    players_max=6,
    gather_s=15,
    start=Position,
    notation=notation,
    schema=schemas_directory() / "games" / "catan.xsd",
    bots=BOTS,
    pictures=pictures.follow,
    hidden_information=True,
    hides_with=hides,
    simultaneous=True,
    chance=True,
    options=OPTIONS_OF_SIX,
    check_options=check,
    fixture=read_fixture,
)
