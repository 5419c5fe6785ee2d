"""The command ``ugs init``: five questions, and the folder of a contest."""

import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Final, TypeVar, get_args

import typer

from ugs.commands.demo_game import DEFAULT_GAME, NO_GAMES, NoDemo, demo_game, not_installed, playable
from ugs.commands.example import files
from ugs.commands.failure import WRONG_USAGE, failure
from ugs.commands.game_names import GROUP
from ugs.commands.game_names import games as games_named
from ugs.commands.init_folder import HTTP_PORT, PORT, SETTINGS, Auth, Contest, files_of, this_machine, write_files
from ugs.commands.option_groups import OptionGroup, with_groups
from ugs.game_collections import in_collection
from ugs.loading import entry_points
from ugs.path_faults import reason_of

UNITS: Final = ("ugs.service", "ugs-master@.service")
FORMATS: Final = ("round-robin", "swiss", "knock-out", "ladder", "gauntlet")
AUTHS: Final[tuple[Auth, ...]] = get_args(Auth)
YES_OR_NO: Final = {"yes": True, "y": True, "no": False, "n": False}
MAX_PLAYERS: Final = 1000
DRAWN_BEGINNING: Final = ("chess",)
"""Games without luck: all that chance does is to draw the first position, where an option asks for that."""
MAX_PORT: Final = 65_535

Given = TypeVar("Given")
Value = TypeVar("Value", bound=str)


class DoorOptions(OptionGroup):
    """Who may come in; None: it is asked."""

    public: Annotated[bool | None, typer.Option("--public/--local", help="Whether other machines may come in.")] = None
    auth: Annotated[
        str | None, typer.Option(metavar="|".join(AUTHS), help="Who may use a name; see [access] in the settings.")
    ] = None


class InitPorts(OptionGroup):
    """Where the server listens."""

    port: Annotated[int, typer.Option(min=1, max=MAX_PORT, help="TCP port of players and masters.")] = PORT
    http_port: Annotated[int, typer.Option(min=1, max=MAX_PORT, help="TCP port of the page.")] = HTTP_PORT


@with_groups
def init(
    *,
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", file_okay=False, help="The folder; it must be empty, or not exist yet.")
    ],
    title: Annotated[str | None, typer.Option(help="What the contest is called.")] = None,
    game: Annotated[
        str | None, typer.Option(help="What is played; `ugs games` lists those installed.", autocompletion=games_named)
    ] = None,
    doors: DoorOptions,
    players: Annotated[
        int | None, typer.Option(min=0, max=MAX_PLAYERS, help="A championship begins with this many; 0: there is none.")
    ] = None,
    format: Annotated[
        str | None, typer.Option(metavar="|".join(FORMATS), help="Who plays whom.  [default: by the number of players]")
    ] = None,
    ports: InitPorts,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Ask nothing; what is not given has its default.")] = False,
) -> None:
    """Make a folder for a contest: settings, plan, systemd units and a page with the next steps.

    Asks five questions, each with a default; what is given as an option is not asked.

    Examples:

        ugs init my-contest

        ugs init my-contest --yes --public --auth register --players 8
    """
    named = folder
    # systemd takes absolute paths only, and "." has no name to propose.
    folder = folder.absolute()
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise failure("ugs init", f"{folder}: is there already, and not empty")
    if not entry_points(group=GROUP):
        raise failure("ugs init", NO_GAMES)
    public, auth = doors.public, doors.auth
    for given, option, check in ((title, "--title", _title), (game, "--game", _game), (auth, "--auth", _auth)):
        _check_option(given, option, check)
    _check_option(format, "--format", _format)
    _check_option(players, "--players", _players)
    _check_ports(ports.port, ports.http_port)
    wanted = {"--title": title, "--game": game, "--public or --local": public, "--auth": auth, "--players": players}
    try:
        if title is None:
            title = _asked("What is the contest called?", folder.name, yes, _title)
        if game is None:
            game = _asked_game(yes)
        if public is None:
            public = YES_OR_NO[_asked("May other machines come in? (yes, no)", "no", yes, _yes_or_no)]
        if auth is None:
            auth = _asked(f"Who may use a name? ({', '.join(AUTHS)})", AUTHS[0], yes, _auth)
        if players is None:
            players = int(_asked("With how many players does a championship begin? (0: none)", "0", yes, _players))
    except typer.Abort:
        if sys.stdin.isatty():  # Ctrl-C
            raise
        typer.echo()  # the question has no answer, and stands on the line
        flags = ", ".join(flag for flag, value in wanted.items() if value is None)
        why = f"nothing is left on standard input that answers: use a terminal, or give {flags}, or --yes for defaults"
        raise failure("ugs init", why, WRONG_USAGE) from None
    if format and not players:
        why = "only a championship has one; --players says with how many it begins"
        raise typer.BadParameter(why, param_hint="--format")
    found = demo_game(game)
    game_type = found.game_type
    chance = found.chance and game not in DRAWN_BEGINNING
    at = {"port": ports.port, "http_port": ports.http_port}
    # The most who can play together would leave a small championship one game.
    seats = max(2, found.min_players)
    contest = Contest(
        title.strip(), game, game_type, public, _auth(auth), players, seats, format or "", **at, chance=chance
    )
    units = {name: path.read_text(encoding="utf-8") for name, path in files().items() if name in UNITS}
    texts = files_of(contest, folder, this_machine(units))
    try:
        write_files(folder, texts)
    except OSError as error:
        raise failure("ugs init", f"{folder}: {reason_of(error)}") from None
    for name in texts:
        typer.echo(named / name)
    enter = f"cd {shlex.quote(str(named))}, then " if folder != Path.cwd() else ""
    typer.echo(f"\nNext: {enter}`ugs doctor --config {SETTINGS}`; README.md has the next steps.")


def _asked_game(yes: bool) -> str:
    """The game, as :func:`_asked` gives it. Only those that can be played here are offered; what the others need is
    printed before."""
    known = games_named()
    if not yes:
        here, lacking = playable(known)
        known = here or known
        if lacking:
            typer.echo(not_installed(lacking))
    usual = DEFAULT_GAME if DEFAULT_GAME in known else known[0]
    return _asked(f"Which game? ({', '.join(map(_shown, known))})", usual, yes, _game)


def _shown(game: str) -> str:
    """A game among the answers; that of a collection needs a name behind its prefix."""
    return f"{game}NAME" if in_collection(game) else game


def _asked(question: str, default: str, yes: bool, check: Callable[[str], object]) -> str:
    """The default, or the first answer that passes the check; one that does not is asked for again, with the reason.
    An answer that no terminal shows, since it comes through a pipe, is written behind its question."""

    def checked(answer: str) -> str:
        if not yes and not sys.stdin.isatty():
            typer.echo(answer)
        check(answer.strip())
        return answer.strip()

    return checked(default) if yes else str(typer.prompt(question, default, value_proc=checked))


def _check_ports(port: int, http_port: int) -> None:
    """Raise typer.BadParameter where one port is given twice."""
    if port == http_port:
        raise typer.BadParameter(f"{port}: players and the page need one each", param_hint="--port and --http-port")


def _check_option(given: Given | None, option: str, check: Callable[[Given], object]) -> None:
    """Refuse an option before anything is asked. Raises typer.BadParameter, which names it."""
    if given is not None:
        try:
            check(given)
        except typer.BadParameter as refused:
            raise typer.BadParameter(refused.message, param_hint=option) from None


def _title(text: str) -> None:
    if not text.strip() or not text.isprintable() or len(text) > 64:
        raise typer.BadParameter("1 to 64 printable characters are wanted")


def _game(name: str) -> None:
    try:
        demo_game(name)
    except NoDemo as error:
        raise typer.BadParameter(str(error)) from None


def _auth(text: str) -> Auth:
    return _allowed(text, AUTHS)


def _yes_or_no(text: str) -> None:
    _allowed(text, tuple(YES_OR_NO))


def _format(text: str) -> None:
    _allowed(text, FORMATS)


def _allowed(text: str, values: tuple[Value, ...]) -> Value:
    for value in values:
        if value == text:
            return value
    raise typer.BadParameter(f"{text!r}: allowed: {', '.join(map(str, values))}")


def _players(number: int | str) -> None:
    try:
        count = int(number)
    except ValueError:
        raise typer.BadParameter(f"{number!r} is not a number") from None
    if count == 1:
        raise typer.BadParameter("1: a championship needs at least two; 0: there is none")
    if not 0 <= count <= MAX_PLAYERS:
        raise typer.BadParameter(f"{count}: 0 to {MAX_PLAYERS} are allowed")
