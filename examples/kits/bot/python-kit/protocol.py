"""From the command line to a bot on the kit of ugs, which speaks the protocol. Your ideas are in bot.py.

With the kit a bot sees states as values, plays on with its game after a cut line, and needs no XML.
"""

import argparse
import os
import random
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import structlog
import trio

from game_masters.kit.player import Player
from game_masters.kit.rules import Bot, NoMove
from game_masters.kit.run import run_until_signal
from game_masters.registry import NoSuchGame, find_game
from ugs.log import configure_logging
from ugs.peer import connect
from ugs.tls import TlsError, client_context
from ugs.tokens import TokenError, read_token

__all__ = ["NoMove", "run"]

Choose = Callable[[Any, random.Random], Any]


def run(choose: Choose, game: str, name: str, version: str) -> int:
    """Do what the command line says; the exit code. `choose` gives a move in a view of the game, or raises NoMove; the
    name and the version are what the server shows."""
    parser = argparse.ArgumentParser(description="Play games on a universal game server.")
    parser.add_argument("host")
    parser.add_argument("port", type=int)
    parser.add_argument("nick")
    parser.add_argument(
        "--game", default=game, help="name of an installed game, see `ugs games` (default: %(default)s)"
    )
    parser.add_argument("--games", type=int, help="log out after this many games (default: play on)")
    parser.add_argument("--token-file", type=Path, help="the token of the nick is there (default: in UGS_TOKEN)")
    parser.add_argument("--tls", action="store_true", help="speak TLS, and trust the right server only")
    parser.add_argument("--ca", type=Path, help="with --tls: file of the authorities to trust")
    words = parser.parse_args()
    if words.games is not None and words.games < 1:
        parser.error("--games: at least 1")
    try:
        found = find_game(words.game)
        tls = client_context(words.ca) if words.tls else None
        # Where nicks have tokens: ours; not on the command line, which all can see.
        token = os.environ.get("UGS_TOKEN", "") if words.token_file is None else read_token(words.token_file)
    except (NoSuchGame, TlsError, TokenError) as error:
        print(error, file=sys.stderr)
        return 2
    bot = Player(
        found,
        found.choose_options({}),
        Bot("mine", "my own idea", choose),
        nick=words.nick,
        rng=random.Random(),
        games=words.games,
        token=token,
        program=(name, version),
    )
    configure_logging("info")
    log = structlog.get_logger().bind(nick=words.nick.partition("#")[0])  # what stands behind it may be a token
    dial = partial(connect, words.host, words.port, tls=tls)
    return trio.run(partial(run_until_signal, bot, dial, once=False, rng=random.Random(), log=log))
