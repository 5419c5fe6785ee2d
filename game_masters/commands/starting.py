"""What ``ugs master`` begins games with: a fixture, the folder of kept games, and the check of payloads."""

from collections.abc import Mapping
from pathlib import Path

import typer

from game_masters.commands.playing import options_of
from game_masters.kit.fixture import Fixture, StartReader, fixture_of, read_fixture
from game_masters.kit.leading import PayloadCheck
from game_masters.kit.rules import AnyGame, BadFixture, Options, Unreadable
from game_masters.kit.suspended_games import Folder
from ugs.text_files import TextFileError, read_text
from ugs.wire.codec import WrongMessage


def beginning(
    game: AnyGame, pairs: list[str] | None, fixture: Path | None, *, v4: bool
) -> tuple[Options, Fixture | None]:
    """What ``--option`` and ``--fixture`` ask of each game: its options, and the position in which it begins, if not in
    the usual one. Raises typer.BadParameter, also for what plain v4 cannot carry."""
    pairs, words = split_words(game, pairs)
    if words and fixture is not None:
        raise typer.BadParameter(
            f"{min(words)} stands in a fixture, too; leave out this or --fixture", param_hint="--option"
        )
    start = fixture_in(game, fixture) if fixture is not None else None
    start = fixture_of_words(game, words) if words else start
    options = options_of(game, with_fixed(pairs, start))
    if start is not None:
        if v4:
            raise typer.BadParameter(
                "a fixture is kept by the server, which plain v4 has no word for", param_hint="--v4"
            )
        check_start(game, start, options, "--option" if words else "--fixture")
    if v4 and game.hides(options):
        always = game.hides(game.choose_options({}))
        what = game.name if always else f"{game.name} with {', '.join(pairs)}"
        raise typer.BadParameter(
            f"{what} has hidden information, and plain v4 shows every state to all players", param_hint="--v4"
        )
    return options, start


def fixture_in(game: AnyGame, path: Path) -> Fixture:
    """The fixture in a file. Raises typer.BadParameter."""
    try:
        return read_fixture(game, read_text(path))
    except TextFileError as error:
        raise typer.BadParameter(str(error), param_hint="--fixture") from error
    except BadFixture as error:
        raise typer.BadParameter(f"{path}: {error}", param_hint="--fixture") from error


def split_words(game: AnyGame, pairs: list[str] | None) -> tuple[list[str], dict[str, str]]:
    """The options of the command line, and those among them that say how each game begins, as a fixture does."""
    known = game.fixture.words if isinstance(game.fixture, StartReader) else ()
    words = {
        name: value for name, equals, value in (pair.partition("=") for pair in pairs or []) if equals and name in known
    }
    return [pair for pair in pairs or [] if pair.partition("=")[0] not in words], words


def fixture_of_words(game: AnyGame, words: Mapping[str, str]) -> Fixture:
    """The fixture that options of the command line describe. Raises typer.BadParameter."""
    try:
        return fixture_of(game, words)
    except BadFixture as error:
        raise typer.BadParameter(str(error), param_hint="--option") from error


def with_fixed(pairs: list[str] | None, fixture: Fixture | None) -> list[str] | None:
    """The options of the command line and those of the fixture. Raises typer.BadParameter where they differ."""
    fixed = fixture.options if fixture is not None else {}
    for pair in pairs or []:
        name, _, value = pair.partition("=")
        if fixed.get(name, value) != value:
            raise typer.BadParameter(f"{pair}; the fixture has {fixed[name]!r}", param_hint="--option")
    return [*(pairs or []), *(f"{name}={value}" for name, value in fixed.items())]


def check_start(game: AnyGame, fixture: Fixture, options: Options, param_hint: str = "--fixture") -> None:
    """Raise typer.BadParameter unless the game can begin from the fixture, which ``param_hint`` gave."""
    try:
        fixture.start(game, options)
    except BadFixture as error:
        raise typer.BadParameter(str(error), param_hint=param_hint) from error


def shelf_in(game: AnyGame, path: Path) -> Folder:
    """The folder of the games that go on another time. Raises typer.BadParameter."""
    if game.conduct.kept is None:
        raise typer.BadParameter(f"{game.name} has no games that go on another time", param_hint="--saves")
    return Folder(path)


def payload_check(game: AnyGame) -> PayloadCheck:
    """The game's schema as the master wants it."""
    # Reading schemas takes a library that is slow to load, and most masters run without it.
    from ugs.wire.schema import PayloadSchema

    schema = PayloadSchema(game.schema)

    def check(payload: bytes) -> None:
        try:
            schema.check(payload)
        except WrongMessage as error:
            raise Unreadable(str(error)) from error

    return check
