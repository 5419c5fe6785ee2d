"""The command line, run in the process of a test."""

from pathlib import Path

from typer.testing import CliRunner, Result

from ugs.commands.app import application

ENVIRONMENT = {"COLUMNS": "200", "TERM": "dumb", "NO_COLOR": "1", "UGS_DATA_DIR": ""}
"""Wide enough for every table, without colours, and without a data directory from the environment."""


def ugs(*arguments: str | Path, stdin: str | None = None, environment: dict[str, str] | None = None) -> Result:
    """Run ``ugs`` with these arguments."""
    env = {**ENVIRONMENT, **(environment or {})}
    return CliRunner().invoke(application(), [str(argument) for argument in arguments], input=stdin, env=env)
