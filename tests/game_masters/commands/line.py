"""A command line, run in the process of a test."""

import typer
from typer.testing import CliRunner

from game_masters.commands.options import LineOptions
from game_masters.commands.playing import Dialled
from game_masters.kit.client import Client


class Started:
    """What would have been run."""

    client: Client
    to: Dialled
    line: LineOptions


def ugs(app: typer.Typer, *words: str) -> tuple[int, str, str]:
    result = CliRunner(env={"COLUMNS": "200", "NO_COLOR": "1", "TERM": "dumb"}).invoke(app, words)
    return result.exit_code, result.stdout, result.stderr
