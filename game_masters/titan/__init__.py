"""Titan, the monster slugathon, for two to six players, game type ``titan``.

rules.py       a game: its messages, what each seat knows of it
referee.py     which requests are accepted when, and what follows without a question
turns.py       requests on the masterboard: colours, splits, moves, musters
engaging.py    requests about engagements: flight, talks, gains
battles.py     requests in a battle
endings.py     points, eliminations, the next turn
play.py        one request being carried out
asking.py      who is asked what, and what is left to decide: from what all know
legal.py       all that may be asked for in a position
beginning.py   how a game begins where that is fixed
fixture.py     a beginning read from a fixture
puzzling.py    what puzzles ask for; they are in puzzles.toml
saves.py       savegames
packing.py     what is in a savegame
agreeing.py    who agrees to go on another time
suspending.py  games that their players go on with another time
colossus.py    saved games of the program Colossus
patience.py    how long a game waits for seats that do not play
defaults.py    what is played for a player who only sends requests that are refused
movement.py    where a legion may go on the masterboard
mustering.py   what a legion can muster
maneuvers.py   where a creature may go in a battle
strikes.py     dice, strike numbers, carries, targets
sight.py       lines of sight
history.py     what each message does to the position
clash.py       the same for the messages of a battle
newcomers.py   the same for points and new creatures
position.py    everything on the table, as a value
replacing.py   values with some fields changed, made quickly
messages.py    what happens
requests.py    what players ask for
views.py       what a reader is shown
secrecy.py     whose the secrets of a message are
notation.py    requests and views as XML
forms.py       the form of all messages and requests in XML
snapshots.py   a whole position as XML
pictures/      the game as SVG, on the terminal and in words
bots/          computer players
lands.py       the masterboard
battlelands.py the maps of battles
creatures.py   the creatures, and the chains of mustering
tables.py      reads the tables in data/
"""

from game_masters.kit.rules import Conduct, Game, Players
from game_masters.titan import fixture, notation, pictures, suspending
from game_masters.titan.bots import BOTS
from game_masters.titan.puzzling import BOOK
from game_masters.titan.requests import Requests
from game_masters.titan.rules import MAX_ABSENCE, OPTIONS, PLAYERS, Slugathon, hides
from game_masters.titan.views import View
from ugs.wire.schema_files import schemas_directory

GAME: Game[Requests, View] = Game(
    name="titan",
    game_type="titan",
    summary="lead legions of monsters over a board of 96 lands; the last Titan standing wins",
    players=Players(PLAYERS[0], PLAYERS[-1], wanted=4, gather_s=20),
    start=Slugathon,
    notation=notation,
    schema=schemas_directory() / "games" / "titan.xsd",
    bots=BOTS,
    hides_with=hides,
    chance=True,
    pictures=pictures.follow,
    options=OPTIONS,
    fixture=fixture.read,
    puzzles=BOOK,
    conduct=Conduct(longest_absence=MAX_ABSENCE, waits_together=True, kept=suspending.kept),
)
