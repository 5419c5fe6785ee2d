"""Chess and Chess960 (game type ``chess``) and thirty variants (``chess-variant``).

boards.py    positions of chess, and what a position of any variant is
fairy.py     positions of variants
rules.py     turns, moves, draws
notation.py  moves and views as XML
long_algebraic.py   moves as books write them in full
short_algebraic.py  and in short
fixture.py   positions and openings that games begin from
bots.py      computer players
pgn.py       openings from EPD and PGN
pgn_files.py  finished games in PGN files
pieces.py    the pieces as outlines
uci.py       engines that speak UCI as players
uci_front_end.py  chess interfaces that speak UCI as players
pictures.py  the board as SVG, on the terminal and in words
"""

from importlib.util import find_spec

from ugs.distributions import NotInstalled, install_for

try:
    import chess  # noqa: F401
except ImportError as error:
    raise NotInstalled(f"its library is not installed: {install_for('chess')}") from error

from game_masters.chess import fixture, notation, pictures
from game_masters.chess.bots import BOTS, VARIANT_BOTS
from game_masters.chess.rules import OPTIONS, VARIANT_OPTIONS, ChessMove, View, start
from game_masters.kit.fixture import StartReader
from game_masters.kit.rules import Game, Players
from ugs.wire.schema_files import schemas_directory

GAME: Game[ChessMove, View] = Game(
    name="chess",
    game_type="chess",
    summary="chess by the rules of FIDE, with claims and offers of draws; Chess960 as an option",
    players=Players(2, 2),
    start=start,
    notation=notation,
    schema=schemas_directory() / "games" / "chess.xsd",
    bots=BOTS,
    pictures=pictures.follow,
    chance=True,
    options=OPTIONS,
    fixture=StartReader(fixture.read, fixture.WORDS),
)


_VARIANT: Game[ChessMove, View] = Game(
    name="chess-variant",
    game_type="chess-variant",
    title="Chess variants",
    also_called=("crazyhouse", "xiangqi", "chinese chess", "shogi", "japanese chess"),
    summary="variants of chess: crazyhouse, atomic, xiangqi, shogi and more, by the option",
    players=Players(2, 2),
    start=start,
    notation=notation,
    schema=schemas_directory() / "games" / "chess-variant.xsd",
    bots=VARIANT_BOTS,
    pictures=pictures.follow_variant,
    options=VARIANT_OPTIONS,
    fixture=StartReader(fixture.read, fixture.WORDS),
)


def __getattr__(name: str) -> Game[ChessMove, View]:
    """The game of variants; it is there where its library is."""
    if name != "VARIANT":
        raise AttributeError(name)
    if find_spec("pyffish") is None:
        raise NotInstalled(f"its library is not installed: {install_for('pyffish')}")
    return _VARIANT
