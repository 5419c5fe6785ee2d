"""Which games of OpenSpiel there are, and making one of them.

The name of a game is that of OpenSpiel, with parameters in brackets where they are not the usual ones:
``hex(board_size=5)``. It is the game type on the wire too, so a game with parameters of its own has a pool and a
table of its own. Parameters that can be chosen at a table are options as well.
"""

import random
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from game_masters.kit.rules import BadOption, Game, Options, Players, Table
from game_masters.openspiel import notation
from game_masters.openspiel.bots import BOTS
from game_masters.openspiel.pictures import follow
from game_masters.openspiel.view import Play, View
from ugs.game_collections import NotInCollection
from ugs.game_titles import called_hint
from ugs.pictures.contract import Renderer
from ugs.printable import meant
from ugs.wire.schema_files import schemas_directory

if TYPE_CHECKING:
    from game_masters.openspiel.library import GameFacts, Parameter
    from game_masters.openspiel.progress import Setup
    from game_masters.openspiel.rules import Spiel

PREFIX: Final = "openspiel:"
NEEDS: Final = 'it needs the package open_spiel: pip install "ugs[openspiel]"'
MAX_NAME: Final = 64
"""Characters of a game type on the wire, and so of a name."""


class OpenSpiel:
    """The collection of the games of OpenSpiel."""

    also_called: Final[Mapping[str, tuple[str, ...]]] = {
        "checkers": ("draughts",),
        "connect_four": ("four in a row", "four in line"),
        "gomoku": ("gomoku", "gobang"),
        "mancala": ("kalah",),
        "othello": ("reversi",),
        "oware": ("awari",),
        "tic_tac_toe": ("noughts and crosses", "three in a row"),
    }
    """Other names that people know games by, by the names of these."""

    def missing(self) -> str:
        """Why no game can be made here; empty if games can."""
        return "" if find_spec("pyspiel") is not None else NEEDS

    def names(self) -> Sequence[str]:
        """The games that need no parameters, in order."""
        if self.missing():
            return ()
        from game_masters.openspiel import library

        return library.names()

    def game(self, rest: str) -> Game[Play, View]:
        """Make the game of this name, with parameters in brackets. Raises NotInCollection."""
        if why := self.missing():
            raise NotInCollection(f"{PREFIX}{rest}: {why}")
        return _game(rest)

    def pictures(self, rest: str) -> Renderer | None:
        """The renderer of all games: it reads from a state which game it is."""
        return follow


@lru_cache(maxsize=256)
def _game(rest: str) -> Game[Play, View]:
    from game_masters.openspiel import library
    from game_masters.openspiel.games_toml import row
    from game_masters.openspiel.parameters import NotAllowed, check_given, options_of

    name, asked = _asked(rest)
    own = row(name)
    given = {**own.fixed, **asked}
    try:
        check_given(library.facts(name, own.fixed).parameters, own, asked)
        facts = library.facts(name, given)
    except NotAllowed as error:
        raise NotInCollection(f"{PREFIX}{rest}: {error}") from error
    except library.NotLoaded as error:
        raise NotInCollection(f"{PREFIX}{rest}: OpenSpiel refuses it: {error}") from error
    players = own.players or facts.players
    if facts.usual < 2:
        raise NotInCollection(f"{PREFIX}{rest}: it is a game for one")
    maker = _Maker(facts, given, own.open_plays)
    return Game(
        name=f"{PREFIX}{rest}",
        game_type=f"{PREFIX}{rest}",
        summary=f"{facts.title}, as OpenSpiel plays it",
        players=Players(players[0], players[-1], facts.usual if facts.usual in players else 0),
        start=maker.start,
        notation=notation,
        schema=schemas_directory() / "games" / "openspiel.xsd",
        bots=BOTS,
        pictures=follow,
        options=options_of(facts, own, given),
        check_options=maker.check,
        hides_with=maker.hides if maker.may_hide else None,
        chance=facts.chance,
    )


def _asked(rest: str) -> "tuple[str, Mapping[str, Parameter]]":
    """The name and the parameters in a name. Raises NotInCollection."""
    from game_masters.openspiel import library
    from game_masters.openspiel.parameters import NotAllowed, check_digits

    if len(PREFIX + rest) > MAX_NAME or not rest.isprintable():
        raise NotInCollection(f"{PREFIX}{rest[:MAX_NAME]}: a name has at most {MAX_NAME} characters; use options")
    known = library.names()
    try:
        check_digits(rest)
        name, given = library.read_parameters(rest)
    except (NotAllowed, library.NotLoaded) as error:
        raise NotInCollection(f"{PREFIX}{rest}: {error}") from error
    if name not in known:
        all_known = [PREFIX + one for one in known]
        near = called_hint(name) or meant(PREFIX + name, all_known)
        raise NotInCollection(f"there is no game {PREFIX + name!r}{near}; `ugs games --all` lists those there are")
    return name, given


class _Maker:
    """Sets up the games of one name."""

    def __init__(self, facts: "GameFacts", given: "Mapping[str, Parameter]", open_plays: bool) -> None:
        self._facts = facts
        self._given = given
        self._open_plays = open_plays

    def start(self, table: Table, rng: random.Random) -> "Spiel":
        from game_masters.openspiel.rules import Spiel

        return Spiel(self._setup(table.options, len(table.names)), rng)

    def _setup(self, options: Options, seats: int) -> "Setup":
        from game_masters.openspiel.progress import Setup

        facts = self._facts_with(options, seats)
        return Setup(
            facts.name,
            self._parameters(options, seats),
            seats,
            facts.hidden,
            self._open_plays or not facts.hidden,
            not facts.hidden,
            facts.samples,
        )

    def _parameters(self, options: Options, seats: int | None) -> "Mapping[str, Parameter]":
        from game_masters.openspiel.parameters import parameters

        return parameters(self._facts, options, self._given, seats)

    def _facts_with(self, options: Options, seats: int | None) -> "GameFacts":
        from game_masters.openspiel import library

        return library.facts(self._facts.name, self._parameters(options, seats))

    def check(self, options: Options) -> None:
        """Raise BadOption unless OpenSpiel takes these options together."""
        from game_masters.openspiel import library

        try:
            self._facts_with(options, None)
            # Some refuse their parameters only now.
            library.load(self._facts.name, self._parameters(options, None)).new_initial_state()
        except (library.NotLoaded, RuntimeError) as error:
            raise BadOption(f"OpenSpiel refuses these options: {error}") from error

    def hides(self, options: Options) -> bool:
        """Return whether a game with these options hides something."""
        return self._facts_with(options, None).hidden

    @property
    def may_hide(self) -> bool:
        """Whether some options make the game hide something."""
        return self._facts.hidden or self._facts.name in _HIDE_WITH_OPTIONS


_HIDE_WITH_OPTIONS: Final = frozenset({"goofspiel", "laser_tag"})
"""Games that are open as they are, and hide something with an option."""
