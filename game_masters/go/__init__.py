"""Go by area rules with positional superko, game type ``go``.

rules.py     stones, captures, superko, area
notation.py  moves and views as XML
fixture.py   stones and moves that games begin from
bots.py      computer players
gtp.py       programs that speak GTP as players
gtp_front_end.py  Go interfaces that speak GTP as players
sgf_files.py  finished games in SGF files
pictures.py  the board as SVG, on the terminal and in words
"""

from game_masters.go import fixture, notation, pictures
from game_masters.go.bots import BOTS
from game_masters.go.rules import OPTIONS, GoMove, Match, View
from game_masters.kit.rules import Game, Players
from ugs.wire.schema_files import schemas_directory

GAME: Game[GoMove, View] = Game(
    name="go",
    also_called=("baduk", "weiqi"),
    game_type="go",
    summary="surround more points than the other side: area scoring, komi, no position twice",
    players=Players(2, 2),
    start=Match,
    notation=notation,
    schema=schemas_directory() / "games" / "go.xsd",
    bots=BOTS,
    pictures=pictures.follow,
    options=OPTIONS,
    fixture=fixture.read,
)
