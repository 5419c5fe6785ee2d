"""What plays in ``make demo-all`` besides programs of others: bundled masters and bots, a learner, a scripted agent.

    python -m tests.demo_peers bundled ADDRESS GAME=BOTS[@SECONDS] ...
    python -m tests.demo_peers learner ADDRESS TABLE
    python -m tests.demo_peers agent URL GAME NICK

Each is one process with one loop, however many masters and bots are in it: thirty games in as many processes would need
three gigabytes, and as many starts of an interpreter. They run until they are stopped. BOTS is a number or names,
``ann+bob``; SECONDS is how long they wait before each move.
"""

import importlib.util
import logging
import random
import secrets
import sys
from functools import partial
from pathlib import Path
from typing import Any, Final

import structlog
import trio

from game_masters.kit.bot import Bot
from game_masters.kit.client import Client
from game_masters.kit.master import Master
from game_masters.kit.player import Player
from game_masters.kit.rules import AnyGame
from game_masters.kit.run import run
from game_masters.registry import find_game
from ugs.peer import connect

LEARNER: Final = Path(__file__).parents[1] / "examples" / "table_learner.py"
LEARNED: Final = "3-in-line-tic-tac-toe"
"""The type of the learner's game, which is five in line with other options."""
THINK_S: Final = 1.0
"""How long bundled bots wait before each move: people look on, and thirty games share two processors."""
LONG_THINK_S: Final = 0.1
LONG: Final = ("titan", "catan", "go", "chess", "openspiel:go", "openspiel:backgammon", "openspiel:quoridor")
"""Games of some hundred moves."""
APART_S: Final = 0.4
"""Between two starts, so that the first moves do not all fall into one moment."""
AGENT_THINK_S: Final = 0.5


async def stays(client: Client, address: str) -> None:
    """Run a master or a bot."""
    host, _, port = address.rpartition(":")
    log = structlog.get_logger("demo")
    await run(client, partial(connect, host, int(port)), once=False, rng=random.Random(), log=log)


def master_of(game: AnyGame, game_type: str, texts: dict[str, str]) -> Client:
    """A master for games with these options, whose chance players cannot guess."""
    secret = secrets.token_hex(16)
    master: Master[Any, Any] = Master(
        game,
        game.choose_options(texts),
        id=f"master-{game_type}"[:64],
        chance=lambda game_id: random.Random(f"{secret} {game_id}"),
        game_type=game_type,
    )
    return master


def nick_of(game: str, number: int) -> str:
    """What a bundled bot is called, such as openspiel-go-1: there is a go beside it."""
    return f"{game.replace(':', '-').replace('_', '-')}-{number}"


async def bundled(address: str, *words: str) -> None:
    """Lead games, and play them with the bots of each word."""
    async with trio.open_nursery() as nursery:
        for word in words:
            name, _, cast = word.rpartition("=")
            bots, _, seconds = cast.partition("@")
            think_s = float(seconds) if seconds else LONG_THINK_S if name in LONG else THINK_S
            game = find_game(name)
            nursery.start_soon(stays, master_of(game, game.game_type, {}), address)
            nicks = [nick_of(name, number) for number in range(1, int(bots) + 1)] if bots.isdigit() else bots.split("+")
            for nick in nicks:
                bot: Player[Any, Any] = Player(
                    game,
                    game.choose_options({}),
                    game.bot(None),
                    nick=nick,
                    rng=random.Random(),
                    think_s=think_s,
                )
                nursery.start_soon(stays, bot, address)
                await trio.sleep(APART_S)


async def learner(address: str, table: str) -> None:
    """Lead tic-tac-toe on 3 x 3, and let the learner play it with its saved table, against the bot at random."""
    spec = importlib.util.spec_from_file_location("table_learner", LEARNER)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    learned = module.load(Path(table))
    module.__dict__["load"] = lambda: learned
    game = find_game(module.GAME)
    texts = {name: str(value) for name, value in module.OPTIONS.items()}
    learnt: Bot[Any, Any] = Bot("table", "What a table has learned.", module.choose)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(stays, master_of(game, LEARNED, texts), address)
        for nick, bot in (("learner", learnt), ("no-learner", game.bot("random"))):
            one: Player[Any, Any] = Player(
                game,
                game.choose_options(texts),
                bot,
                nick=nick,
                rng=random.Random(),
                game_type=LEARNED,
                think_s=THINK_S,
            )
            nursery.start_soon(stays, one, address)


async def agent(url: str, game: str, nick: str) -> None:
    """Play by calling the tools of the server's page, with any listed move each time."""
    from mcp.client.client import Client as Caller  # the others do without the package

    async with Caller(url) as caller:

        async def call(tool: str, **arguments: Any) -> dict[str, Any]:
            answer = await caller.call_tool(tool, arguments)
            if answer.is_error or answer.structured_content is None:
                raise RuntimeError(f"{tool}: {answer.content}")
            return dict(answer.structured_content)

        seat = (await call("join", game=game, nick=nick))["seat"]
        while True:
            seen = await call("wait_turn", seat=seat)
            if seen.get("your_turn"):
                await trio.sleep(AGENT_THINK_S)
                await call("act", seat=seat, move=random.choice(list(seen["moves"])))


PARTS: Final[dict[str, Any]] = {"bundled": bundled, "learner": learner, "agent": agent}


if __name__ == "__main__":
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    trio.run(PARTS[sys.argv[1]], *sys.argv[2:])
