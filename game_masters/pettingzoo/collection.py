"""Which environments of PettingZoo there are, and making a game of one.

The rest of a name is a module with a function ``env`` (or ``parallel_env``), as PettingZoo wants it, with parameters in
brackets: ``connect_four_v3``, ``mypackage.mygame``, ``go_v5(board_size=9)``. A name without dots is looked for
among the classic games of PettingZoo first.
"""

import random
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from game_masters.kit.rules import Conduct, Game, Option, Options, Players, Table
from game_masters.pettingzoo import notation
from game_masters.pettingzoo.bots import BOTS
from game_masters.pettingzoo.sketching import sketch
from game_masters.pettingzoo.view import Play, View
from ugs.game_collections import NotInCollection
from ugs.printable import meant
from ugs.wire.schema_files import schemas_directory

if TYPE_CHECKING:
    from game_masters.pettingzoo.environment import Parameter
    from game_masters.pettingzoo.rules import Zoo

PREFIX: Final = "pettingzoo:"
NEEDS: Final = 'it needs the package pettingzoo: pip install "ugs[env]"'
CLASSIC: Final = "pettingzoo.classic"
DRAWN_WITH: Final = "pygame"
"""All classic games of PettingZoo import it, whether they draw or not."""
ALSO_NEEDED: Final[Mapping[str, str]] = {"chess": "chess", "hanabi": "shimmy", "leduc": "rlcard", "texas": "rlcard"}
"""What those need besides whose names begin so."""
MAX_NAME: Final = 64
"""Characters of a game type on the wire, and so of a name."""
MAX_NUMBER: Final = 1000
"""The largest number in a name: environments set up boards of any size."""
_NAME: Final = re.compile(r"([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)(?:\(([\w=.,\-]*)\))?", re.ASCII)
_PARAMETER: Final = re.compile(r"([A-Za-z_]\w*)=(-?\d{1,9}(?:\.\d{1,9})?|[A-Za-z]\w*)", re.ASCII)
_WORDS: Final[Mapping[str, bool]] = {"yes": True, "true": True, "no": False, "false": False}

OPEN: Final = Option(
    "open",
    False,
    "all see the position and all moves; for games that hide nothing: the interface does not say which do",
)


class PettingZoo:
    """The collection of the environments of PettingZoo."""

    def missing(self) -> str:
        """Why no game can be made here; empty if games can."""
        return "" if find_spec("pettingzoo") is not None else NEEDS

    def names(self) -> Sequence[str]:
        """The classic games that can be made here; nothing is imported for it."""
        found = find_spec("pettingzoo")
        places = found.submodule_search_locations if found is not None else None
        if not places or find_spec(DRAWN_WITH) is None:
            return ()
        files = (file.stem for place in places for file in Path(place, "classic").glob("*_v[0-9]*.py"))
        return sorted(name for name in files if _has_all(name))

    def game(self, rest: str) -> Game[Play, View]:
        """Make the game of this module. Raises NotInCollection."""
        if why := self.missing():
            raise NotInCollection(f"{PREFIX}{rest[:MAX_NAME]}: {why}")
        return _game(rest)

    def pictures(self, rest: str) -> None:
        """There is no renderer: masters send sketches."""


def _has_all(name: str) -> bool:
    also = next((package for begin, package in ALSO_NEEDED.items() if name.startswith(begin)), None)
    return also is None or find_spec(also) is not None


@lru_cache(maxsize=64)
def _game(rest: str) -> Game[Play, View]:
    from game_masters.pettingzoo.environment import Environment, NotPlayable

    module, parameters = _asked(rest)
    try:
        first = Environment(module, parameters)
        first.check()
        first.reset(1)
        if first.turn is not None:
            first.legal()
    except NotPlayable as error:
        # A name with dots is a module of another package, which no classic game is meant by.
        near = meant(PREFIX + rest, [PREFIX + one for one in PettingZoo().names()]) if "." not in rest else ""
        raise NotInCollection(f"{PREFIX}{rest}: {error}{near}") from error
    except Exception as error:  # the module is foreign and may do anything
        raise NotInCollection(f"{PREFIX}{rest}: {type(error).__name__}: {error}") from error
    return Game(
        name=f"{PREFIX}{rest}",
        game_type=f"{PREFIX}{rest}",
        summary=f"{module.removeprefix(f'{CLASSIC}.')}, as its PettingZoo environment plays it",
        players=Players(first.seats, first.seats),
        start=_Beginner(rest, module, parameters),
        notation=notation,
        schema=schemas_directory() / "games" / "pettingzoo.xsd",
        bots=BOTS,
        conduct=Conduct(sketch=sketch),
        hides_with=_hides,
        options=(OPEN,),
        chance=True,
    )


def _hides(options: Options) -> bool:
    return not options.flag("open")


class _Beginner:
    """Sets up the games of one name."""

    def __init__(self, rest: str, module: str, parameters: "Mapping[str, Parameter]") -> None:
        self._rest = rest
        self._module = module
        self._parameters = parameters

    def __call__(self, table: Table, rng: random.Random) -> "Zoo":
        from game_masters.pettingzoo.environment import Environment
        from game_masters.pettingzoo.rules import Zoo

        is_open = table.options.flag("open")
        return Zoo(self._rest, Environment(self._module, self._parameters, board=is_open), rng, is_open=is_open)


def _asked(rest: str) -> "tuple[str, Mapping[str, Parameter]]":
    """The module and the parameters in a name. Raises NotInCollection."""
    if len(PREFIX + rest) > MAX_NAME:
        raise NotInCollection(f"{PREFIX}{rest[:MAX_NAME]}…: a name has at most {MAX_NAME} characters")
    found = _NAME.fullmatch(rest)
    if found is None:
        raise NotInCollection(f"{PREFIX}{rest}: expected a module, perhaps with parameters: go_v5(board_size=9)")
    module, inside = found[1], found[2]
    parameters = dict(_parameter(rest, word) for word in inside.split(",")) if inside else {}
    classic = find_spec("pettingzoo")
    places = classic.submodule_search_locations if classic is not None else None
    if places and any(Path(place, "classic", f"{module}.py").is_file() for place in places):
        module = f"{CLASSIC}.{module}"
    return module, parameters


def _parameter(rest: str, word: str) -> "tuple[str, Any]":
    found = _PARAMETER.fullmatch(word)
    if found is None:
        raise NotInCollection(f"{PREFIX}{rest}: parameter {word!r}: expected NAME=VALUE, a number, yes, no or a word")
    name, text = found[1], found[2]
    if text.lower() in _WORDS:
        return name, _WORDS[text.lower()]
    if text[0].isalpha():
        return name, text
    number = float(text) if "." in text else int(text)
    if abs(number) > MAX_NUMBER:
        raise NotInCollection(f"{PREFIX}{rest}: {name} must be from {-MAX_NUMBER} to {MAX_NUMBER}")
    return name, number
