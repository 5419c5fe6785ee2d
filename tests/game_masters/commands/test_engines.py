"""Engines on the command line."""

import typer

from tests.game_masters.commands.line import Started, ugs


def refused(app: typer.Typer, *words: str) -> str:
    exit_code, _, error = ugs(app, "bot", *words, "--nick", "ann", "--no-state")
    assert exit_code == 2
    return " ".join(error.replace("│", " ").split())


def test_an_engine_that_is_not_there_is_named(app: typer.Typer, started: Started) -> None:
    assert "no engine is named" in refused(app, "uci")
    assert "/nowhere/fish: No such file" in " ".join(refused(app, "uci", "/nowhere/fish").split())


def test_a_game_that_the_protocol_does_not_play_is_refused(app: typer.Typer, started: Started) -> None:
    assert "tic-tac-toe is not played by uci; allowed: chess" in refused(app, "uci", "--game", "tic-tac-toe")


def test_orders_for_engines_need_an_engine(app: typer.Typer, started: Started) -> None:
    assert "tic-tac-toe is no protocol of engines" in refused(app, "tic-tac-toe", "--go", "nodes 5")
    assert "'Hash' is not of the form K=V" in refused(app, "uci", "--engine-option", "Hash")
