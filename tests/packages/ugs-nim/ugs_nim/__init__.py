"""Nim for two or three players."""

from pathlib import Path

from game_masters.kit.rules import Conduct, Game, Players
from ugs_nim import notation
from ugs_nim.bots import BOTS
from ugs_nim.rules import OPTIONS, Heaps, Take, View
from ugs_nim.sketch import sketch

GAME: Game[Take, View] = Game(
    name="nim",
    game_type="nim",
    summary="take any number of counters from one heap; who takes the last one wins",
    players=Players(2, 3),
    start=Heaps,
    notation=notation,
    schema=Path(__file__).with_name("nim.xsd"),
    bots=BOTS,
    conduct=Conduct(sketch=sketch),
    chance=True,
    options=OPTIONS,
)
