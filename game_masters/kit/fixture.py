"""Games that begin from a fixture: a file that describes the start, in place of chance.

A fixture is a text in TOML. Three keys mean the same for all games: ``players``, the number of seats; ``seed``, from
which all chance comes that is left; ``options``, a table of the game's options. Everything else is read by the game
(:attr:`game_masters.kit.rules.Game.fixture`). The server keeps the text with the record of each game and hands it to
every master that leads the game, so a successor and a replay begin as the first master did.
"""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from json import dumps
from typing import Any

from game_masters.kit.entries import BadFixture, Entries
from game_masters.kit.rules import AnyGame, BadOption, Options
from ugs.wire.escaping import written_value
from ugs.wire.extensions import MAX_SETUP

COMMON = ("players", "seed", "options")
"""The keys that mean the same for all games."""


@dataclass(frozen=True, slots=True)
class Fixture:
    """A text that could be read, and what the kit takes from it."""

    text: str
    values: Mapping[str, Any]
    players: int
    """The number of seats."""
    seed: str
    """The source of all chance; empty: the server's."""
    options: Mapping[str, str]
    """The options it fixes."""

    def start(self, game: AnyGame, options: Options) -> Any:
        """Return what the game makes of it. Raises :class:`BadFixture` where it does not fit the game or these
        options."""
        if game.fixture is None:
            raise BadFixture(f"{game.name} takes no fixture")
        entries = Entries({key: value for key, value in self.values.items() if key not in COMMON})
        start = game.fixture(entries, self.players, options)
        entries.nothing_else()
        return start


@dataclass(frozen=True)
class StartReader:
    """Reads how a game begins, as :attr:`game_masters.kit.rules.Game.fixture`, and says which texts of a fixture may
    also be given on the command line of a master, as options are: ``--option fen=...``."""

    read: Callable[[Entries, int, Options], Any]
    words: tuple[str, ...]

    def __call__(self, entries: Entries, players: int, options: Options) -> Any:
        """Return what the game makes of a fixture. Raises BadFixture."""
        return self.read(entries, players, options)


def fixture_of(game: AnyGame, texts: Mapping[str, str]) -> Fixture:
    """Return the fixture that consists of these texts alone, for as few players as the game allows. Raises
    :class:`BadFixture`."""
    lines = [f"players = {game.players.min}", *(f"{name} = {dumps(text)}" for name, text in texts.items())]
    return read_fixture(game, "\n".join(lines))


def read_fixture(game: AnyGame, text: str) -> Fixture:
    """Return the fixture in ``text``; what only the game knows is not checked yet (:meth:`Fixture.start`). Raises
    :class:`BadFixture`."""
    if game.fixture is None:
        raise BadFixture(f"{game.name} takes no fixture")
    # A file that was written on Windows is the same fixture.
    text = text.replace("\r\n", "\n")
    if len(text) > MAX_SETUP:
        raise BadFixture(f"it has {len(text)} characters; at most {MAX_SETUP} can be kept")
    try:
        written_value(text)  # what XML cannot hold cannot be kept
        values = tomllib.loads(text)
    # Deep nesting exhausts the parser's stack.
    except (ValueError, RecursionError) as error:
        raise BadFixture(f"not TOML: {error}") from error
    entries = Entries(values)
    players = entries.integer("players", range(game.players.min, game.players.max + 1))
    seed = ""
    if entries.asks("seed"):
        value = values["seed"]
        if isinstance(value, bool) or not isinstance(value, int | str) or value == "":
            entries.refuse("seed", "is neither a whole number nor a text")
        seed = str(value)
    options = _options(game, entries.table("options")) if entries.asks("options") else {}
    return Fixture(text, values, players, seed, options)


def _options(game: AnyGame, entries: Entries) -> dict[str, str]:
    """Return the options as texts. Values that do not go together show when the game is set up."""
    known = {option.name: option for option in game.options}
    texts: dict[str, str] = {}
    for name in entries.keys:
        if name not in known:
            entries.refuse(name, f"is given to an option that does not exist; there are: {', '.join(known) or 'none'}")
        option = known[name]
        reads = {"flag": entries.flag, "integer": lambda key: entries.integer(key, range(-(10**9), 10**9))}
        value = reads.get(option.type, entries.text)(name)
        texts[name] = option.written(value)
        try:
            option.parse(texts[name])
        except BadOption:
            entries.refuse(name, f"is not allowed; allowed: {option.allowed_text}")
    return texts
