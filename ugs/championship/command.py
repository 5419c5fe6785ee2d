"""The commands ``ugs championship …``: plan one, look at it, step in.

Looking works on the data directory alone. Orders go to the server that runs on it; who gave them and why is kept in
the ledger of the championship.
"""

import getpass
import json
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

import typer

from ugs.admin import NoAnswer, NoServer, ask
from ugs.championship.ledger import LedgerEntry, What
from ugs.championship.plan import Plan, PlanError, load_plan
from ugs.journal.reader import Championship, Reader
from ugs.journal.schema import JournalError
from ugs.record.times import written_time
from ugs.terminal import safe

WRONG_USAGE = 2
FAILED = 1


def login_name() -> str:
    """The name of whoever runs the command; a number where the system knows no name."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return f"user {os.getuid()}"


DataDir = Annotated[Path, typer.Option(envvar="UGS_DATA_DIR", help="Data directory of the server.")]
Name = Annotated[str, typer.Argument(metavar="NAME", help="Name of the championship.")]
Why = Annotated[str, typer.Option("--why", help="The reason; it is kept in the ledger.")]
Who = Annotated[
    str, typer.Option("--who", default_factory=login_name, help="Who gives the order.", show_default="your login name")
]
Form = Annotated[Literal["text", "json"], typer.Option("--format", help="text: for people; json: everything.")]

app = typer.Typer(
    name="championship",
    help="Plan championships, look at them, step in.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    rich_markup_mode="markdown",
)


def register(to: typer.Typer) -> None:
    """Adds the commands to a command line."""
    to.add_typer(app)


@app.command()
def plan(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The plan; conf/championship.toml is an example.")],
    who: Who,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only tell what the plan would come to.")] = False,
    entrants: Annotated[
        int | None, typer.Option(min=2, help="With --dry-run: how many play.  [default: as many as the plan says]")
    ] = None,
    seats: Annotated[
        int | None, typer.Option(min=2, help="With --dry-run: players of a game.  [default: those of the plan, or 2]")
    ] = None,
    game_s: Annotated[float, typer.Option(min=0, help="With --dry-run: seconds that a game takes.")] = 60.0,
    at_a_time: Annotated[
        int, typer.Option(min=0, help="With --dry-run: games at a time at most; 0: as many as can be.")
    ] = 0,
    data_dir: Annotated[
        Path | None, typer.Option(envvar="UGS_DATA_DIR", help="Data directory of the running server.")
    ] = None,
) -> None:
    """Announce a championship to the running server, or tell beforehand what it would come to.

    Examples:

        ugs championship plan spring.toml --dry-run --entrants 12 --game-s 20

        ugs championship plan spring.toml --data-dir data
    """
    try:
        planned = load_plan(file)
        if dry_run:
            typer.echo(_forecast(planned, entrants, seats, game_s, at_a_time))
            return
    except PlanError as error:
        raise _stop(str(error), WRONG_USAGE) from None
    if data_dir is None:
        raise _stop("--data-dir is missing: that of the server which is to play it (or --dry-run)", WRONG_USAGE)
    _order(data_dir, {"ask": "plan", "plan": planned.model_dump(mode="json"), "who": who})
    typer.echo(f"championship {planned.name} is announced")


@app.command("list")
def list_(data_dir: DataDir, form: Form = "text") -> None:
    """List the championships there are and were.

    Example:

        ugs championship list --data-dir data
    """
    with _reading(data_dir) as reader:
        found = _championships(reader)
    if form == "json":
        typer.echo(json.dumps([_in_short(one) for one in found], indent=2))
        return
    for one in found:
        typer.echo(safe(f"{one.name} ({one.game_type}): {_state(one)}"))
    if not found:
        typer.echo("there is none")


@app.command()
def show(name: Name, data_dir: DataDir, form: Form = "text") -> None:
    """Show a championship: who plays, what counts, what does not, and its ledger with everybody who stepped in.

    Example:

        ugs championship show spring --data-dir data
    """
    with _reading(data_dir) as reader:
        found = _championships(reader)
    one = next((one for one in found if one.name == name), None)
    if one is None:
        names = ", ".join(one.name for one in found) or "none"
        raise _stop(f"{name!r}: no such championship; there are: {names}", WRONG_USAGE)
    if form == "json":
        typer.echo(json.dumps(as_json(one), indent=2))
        return
    for line in as_lines(one):
        typer.echo(safe(line))


@app.command()
def pause(name: Name, why: Why, who: Who, data_dir: DataDir) -> None:
    """Begin no new game; those that run are played to their end.

    Example:

        ugs championship pause spring --why "fire alarm" --data-dir data
    """
    _step_in(data_dir, "pause", name, "", who, why)
    typer.echo(f"championship {name} is paused")


@app.command()
def resume(name: Name, who: Who, data_dir: DataDir, why: Why = "") -> None:
    """Begin games again.

    Example:

        ugs championship resume spring --data-dir data
    """
    _step_in(data_dir, "resume", name, "", who, why)
    typer.echo(f"championship {name} goes on")


@app.command()
def withdraw(
    name: Name,
    nick: Annotated[str, typer.Argument(metavar="NICK", help="The entrant.")],
    why: Why,
    who: Who,
    data_dir: DataDir,
) -> None:
    """Take an entrant out for good; the plan says what becomes of its results.

    Example:

        ugs championship withdraw spring ann --why "plays with help" --data-dir data
    """
    _step_in(data_dir, "withdraw", name, nick, who, why)
    typer.echo(f"{nick} is out of championship {name}")


@app.command()
def replay(
    name: Name,
    game: Annotated[str, typer.Argument(metavar="GAME", help="The id of a game that counts.")],
    why: Why,
    who: Who,
    data_dir: DataDir,
) -> None:
    """Let a game not count, and play it again.

    Example:

        ugs championship replay spring uQ3xW0dE9fT1aB5cK7mN2w --why "wrong rules" --data-dir data
    """
    _step_in(data_dir, "replay", name, game, who, why)
    typer.echo(f"game {game} does not count in championship {name} any more and is played again")


# Asking the server, reading the journal.


def _stop(text: str, code: int) -> typer.Exit:
    typer.echo(f"ugs championship: {text}", err=True)
    return typer.Exit(code)


def _step_in(data_dir: Path, kind: str, name: str, subject: str, who: str, why: str) -> None:
    if not why.strip() and kind != "resume":
        raise _stop("--why is empty: a reason is kept with the order", WRONG_USAGE)
    request = {"ask": "order", "kind": kind, "championship": name, "subject": subject, "who": who, "why": why}
    _order(data_dir, request)


def _order(data_dir: Path, request: Mapping[str, object]) -> None:
    """Let the server do this; ends the command when it does not."""
    try:
        answer = ask(data_dir, request)
    except (NoServer, NoAnswer) as error:
        raise _stop(f"{error}; an order needs a running server", FAILED) from None
    if not answer["ok"]:
        raise _stop(str(answer["error"]), FAILED)


def _reading(data_dir: Path) -> Reader:
    try:
        return Reader(data_dir)
    except JournalError as error:
        raise _stop(str(error), WRONG_USAGE) from None


def _championships(reader: Reader) -> list[Championship]:
    try:
        return reader.championships()
    except JournalError as error:
        raise _stop(str(error), FAILED) from None


def _forecast(plan: Plan, entrants: int | None, seats: int | None, game_s: float, at_a_time: int) -> str:
    from ugs.championship.forecast import forecast, report  # plays it through, which no other command needs

    if plan.entrants and entrants is not None:
        raise PlanError(f"--entrants {entrants}: the plan names its {len(plan.entrants)} entrants")
    field = plan.entrants or entrants or plan.first
    if not field:
        raise PlanError("the plan does not say how many play: give --entrants")
    return report(forecast(plan, field, seats or plan.seats or 2, game_s, at_a_time))


# A championship as JSON.


def _in_short(one: Championship) -> dict[str, Any]:
    return {
        "name": one.name,
        "game_type": one.game_type,
        "state": one.state,
        "began": None if one.began_us is None else written_time(one.began_us),
        "ended": None if one.ended_us is None else written_time(one.ended_us),
    }


def as_json(one: Championship) -> dict[str, Any]:
    """All about a championship, as it can be written as JSON."""
    ledger = one.sum()
    return {
        **_in_short(one),
        "plan": dict(ledger.plan),
        "field": list(ledger.field),
        "gone": {nick: {"why": why, "struck": nick in ledger.struck} for nick, why in ledger.gone.items()},
        "counted": len(ledger.standing()),
        "unplayed": [{**_numbered(entry), "game": game} for game, entry in _unplayed(one).items()],
        "given_up": [{"fixture": fixture, "nicks": list(nicks)} for fixture, nicks in ledger.given_up.items()],
        "ledger": [
            {
                "at": written_time(logged.wall_us),
                "what": str(logged.entry.what),
                "who": logged.entry.who,
                "why": logged.entry.why,
                "data": dict(logged.entry.data),
            }
            for logged in one.ledger
        ],
    }


def _numbered(entry: LedgerEntry) -> dict[str, Any]:
    return {key: entry.data[key] for key in ("fixture", "round", "nicks")}


def _unplayed(one: Championship) -> dict[str, LedgerEntry]:
    """The fixtures that have been begun, do not count and are not given up, each under the id of its last game."""
    ledger = one.sum()
    begun = {entry.data["fixture"]: entry for entry in _entries(one) if entry.what is What.FIXTURE}
    return {
        entry.data["game"]: entry
        for fixture, entry in begun.items()
        if fixture not in ledger.counted
        and fixture not in ledger.given_up
        and ledger.struck.isdisjoint(entry.data["nicks"])
    }


def _entries(one: Championship) -> Iterable[LedgerEntry]:
    return (logged.entry for logged in one.ledger)


# A championship for people.


def as_lines(one: Championship) -> list[str]:
    """All about a championship, line by line."""
    ledger = one.sum()
    forfeits = sum(1 for counted in ledger.standing() if not counted.game_id)
    lines = [
        f"championship {one.name} ({one.game_type}): {_state(one)}",
        f"  plan: {_plan(ledger.plan)}",
        f"  field: {', '.join(ledger.field) or 'not fixed yet'}",
    ]
    for nick, why in ledger.gone.items():
        results = "struck" if nick in ledger.struck else "stand"
        lines.append(f"  gone: {nick} ({why or 'no reason given'}); its results {results}")
    lines.append(f"  games that count: {len(ledger.standing())}, of these decided without being played: {forfeits}")
    for game, entry in _unplayed(one).items():
        lines.append(f"  begun and not counted yet: {_fixture(entry.data)}, last as game {game}")
    for fixture, nicks in ledger.given_up.items():
        lines.append(f"  given up: fixture {fixture}: {', '.join(nicks)}")
    lines.append("  ledger:")
    for logged in one.ledger:
        entry = logged.entry
        lines.append(f"    {written_time(logged.wall_us)}  {TOLD[entry.what](entry.data)}{_stepped_in(entry)}")
    return lines


def _state(one: Championship) -> str:
    began = "" if one.began_us is None else f", began {written_time(one.began_us)}"
    ended = "" if one.ended_us is None else f", over {written_time(one.ended_us)}"
    return f"{one.state}{began}{ended}"


def _plan(written: Mapping[str, Any]) -> str:
    """The keys of a plan that say something: those that are not at their defaults, and the format."""
    defaults = {key: field.default for key, field in Plan.model_fields.items()}
    said = {
        key: value
        for key, value in written.items()
        if key == "format" or (key not in ("name", "game_type") and _unlike(value, defaults.get(key)))
    }
    return ", ".join(f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in said.items())


def _unlike(value: object, default: object) -> bool:
    return (tuple(value) if isinstance(value, list) else value) != default


def _stepped_in(entry: LedgerEntry) -> str:
    """Who did it, and why, where somebody did or there is a reason."""
    said = ": ".join(filter(None, (entry.who, entry.why)))
    return f" ({said})" if said else ""


Data: TypeAlias = Mapping[str, Any]


def _fixture(data: Data) -> str:
    label = f", {data['label']}" if data.get("label") else ""
    return f"fixture {data['fixture']} (round {data['round']}{label}): {', '.join(data['nicks'])}"


def _outcomes(data: Data) -> str:
    return ", ".join(f"{nick} {outcome}" for nick, outcome in data["outcomes"].items())


def _begun(data: Data) -> str:
    games = f"; games of {data['seats']}" if data["seats"] else ""
    return f"the field: {', '.join(data['field'])}{games}"


def _void(data: Data) -> str:
    fault = " through the server" if data["server"] else ""
    again = "is played again" if data["again"] else "is not played again"
    return f"game {data['game']} counts for nobody{fault}; fixture {data['fixture']} {again}"


TOLD: dict[What, Callable[[Data], str]] = {
    What.PLANNED: lambda _: "announced",
    What.BEGUN: _begun,
    What.FIXTURE: lambda data: f"game {data['game']} begins: {_fixture(data)}",
    What.RESULT: lambda data: f"game {data['game']} counts: {_outcomes(data)}",
    What.VOID: _void,
    What.FORFEIT: lambda data: f"decided without a game: {_fixture(data)}: {_outcomes(data)}",
    What.GIVEN_UP: lambda data: f"given up: {_fixture(data)}",
    What.WITHDRAWN: lambda data: f"{data['nick']} is out; its results {'are struck' if data['struck'] else 'stand'}",
    What.REPLAYED: lambda data: (
        f"game {data['game']} does not count any more; fixture {data['fixture']} is played again"
    ),
    What.PAUSED: lambda _: "paused",
    What.RESUMED: lambda _: "goes on",
    What.OVER: lambda data: ": ".join(filter(None, ("over", ", ".join(data.get("placing", ()))))),
}
"""Each kind of entry in words."""
