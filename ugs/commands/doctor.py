"""The command ``ugs doctor``: what is in the way of a server on this machine."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Final

import typer

from ugs.commands.failure import FAILED
from ugs.printable import safe

FILE_HERE: Final = Path("ugs.toml")
"""The settings of a folder that `ugs init` has made."""


def doctor(
    config: Annotated[
        Path | None,
        typer.Option("--config", "-c", help="The settings of the server.  [default: ugs.toml, if there is one]"),
    ] = None,
    data_dir: Annotated[
        Path | None, typer.Option(envvar="UGS_DATA_DIR", file_okay=False, help="Directory of everything that is kept.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")] = False,
) -> None:
    """Look at this machine and at a configuration, and advise what to do before a server starts.

    Ports, limits of open files, clock, disk, TLS, tokens, games, packages and settings. Nothing is changed. The exit
    code is 1 where the server would not start, or not as it is meant to; warnings alone are 0.

    Examples:

        ugs doctor

        ugs doctor --config ugs.toml --data-dir data
    """
    from ugs.doctor.diagnosis import Grade  # a shell that asks for the options does not wait for these
    from ugs.doctor.examination import examine, worst

    path = config if config is not None else FILE_HERE if FILE_HERE.is_file() else None
    found = examine(path, {"data_dir": str(data_dir)} if data_dir is not None else {})
    if as_json:
        typer.echo(json.dumps([asdict(one) for one in found], indent=2))
    else:
        width = max(len(one.subject) for one in found)
        for one in found:
            typer.echo(f"{one.grade:7}  {one.subject:{width}}  {safe(one.text)}")
            if one.advice:
                typer.echo(f"{'':7}  {'':{width}}  -> {safe(one.advice)}")
        counts = {grade: sum(one.grade is grade for one in found) for grade in Grade}
        warnings = counts[Grade.WARNING]
        noted = counts[Grade.NOTE]
        notes = f", {noted} note{'' if noted == 1 else 's'}" if noted else ""
        plural = "" if warnings == 1 else "s"
        typer.echo(f"\n{counts[Grade.BAD]} bad, {warnings} warning{plural}, {counts[Grade.GOOD]} good{notes}")
    if worst(found) is Grade.BAD:
        raise typer.Exit(FAILED)
