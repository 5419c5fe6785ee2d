"""Engines on the command line: protocol, start, and options."""

import typer

from game_masters.kit.engine import EngineOrders, EngineProtocol, PlayingEngine, find_protocol
from game_masters.kit.engine_process import EngineFailed
from game_masters.kit.rules import AnyGame, Options


def protocol_named(name: str) -> EngineProtocol | None:
    """The protocol of engines of this name; None if it is none. Raises typer.BadParameter where it cannot be used."""
    try:
        return find_protocol(name)
    except EngineFailed as error:
        raise typer.BadParameter(str(error), param_hint="GAME") from error


def orders_of(command: list[str] | None, pairs: list[str] | None, go: str) -> EngineOrders:
    """What an engine is started with. Raises typer.BadParameter."""
    options: dict[str, str] = {}
    for pair in pairs or []:
        name, equals, value = pair.partition("=")
        if not equals:
            raise typer.BadParameter(f"{pair!r} is not of the form K=V", param_hint="--engine-option")
        options[name] = value
    return EngineOrders(tuple(command or ()), options, go)


def check_played(protocol: EngineProtocol, game: AnyGame) -> None:
    """Raise typer.BadParameter for a game that engines of this protocol do not play."""
    if game.name not in protocol.games:
        raise typer.BadParameter(
            f"{game.name} is not played by {protocol.name}; allowed: {', '.join(protocol.games)}", param_hint="--game"
        )


def engine_started(protocol: EngineProtocol, orders: EngineOrders, options: Options) -> PlayingEngine:
    """The engine, started; who starts it closes it. Raises typer.BadParameter."""
    try:
        return protocol.start(orders, options)
    except EngineFailed as error:
        raise typer.BadParameter(str(error), param_hint="COMMAND") from error
