"""Catan in the message sequences of JSettlers, as two games: for two to four players, and for five and six.

message/     the messages, their numbers and their text
board/       hexes, nodes and edges, and routes
game/        one game as data
handlers/    requests of players: what is allowed, what it does
setup/       how a game begins: boards, fixtures, seats
views/       what a seat is shown
rules.py     the game as the kit wants it
notation.py  the game on the wire: events and a snapshot of the table
bots/        computer players
pictures/    the table as SVG, on the terminal and in words
puzzling.py  what puzzles ask for; they are in puzzles.toml
logs/        logs of games, and the actions in them
recorded.py  recorded games as such logs
replay/      games of real servers once more, and what differs
bridge/      robots and clients of JSettlers at our tables
tools.py     ``ugs catan``
"""

from dataclasses import replace
from operator import attrgetter

from game_masters.catan import notation, pictures
from game_masters.catan.bots import BOTS
from game_masters.catan.game.options import OPTIONS, OPTIONS_OF_SIX, check, hides
from game_masters.catan.message.message import Message
from game_masters.catan.puzzling import BOOK
from game_masters.catan.rules import Position
from game_masters.catan.setup.beginning import read_fixture
from game_masters.catan.views.view import View
from game_masters.kit.rules import Conduct, Game, Players
from ugs.wire.schema_files import schemas_directory

FOUR: Game[Message, View] = Game(
    name="catan",
    game_type="settlers",
    title="Catan",
    also_called=("settlers of catan", "the settlers of catan"),
    summary="settle an island: roads, settlements and cities, a robber, cards and trade; with ships on boards with sea",
    players=Players(2, 4, gather_s=15),
    start=Position,
    notation=notation,
    schema=schemas_directory() / "games" / "catan.xsd",
    bots=BOTS,
    pictures=pictures.follow,
    hides_with=hides,
    chance=True,
    options=OPTIONS,
    check_options=check,
    fixture=read_fixture,
    puzzles=BOOK,
    conduct=Conduct(simultaneous=True, lost=attrgetter("lost")),
)

SIX: Game[Message, View] = replace(
    FOUR,
    name="catan-six",
    game_type="settlers6",
    title="Catan for five and six",
    summary="the same for five and six, with special building between turns",
    players=Players(5, 6, gather_s=15),
    options=OPTIONS_OF_SIX,
    puzzles=None,
)
