"""The copies of one bundled bot, in a process of their own: what a bot uses is its own, and two bots think at once.

    python -m ugs.match.bundled_bots

Lines of JSON come in: first the game, its bot and the address of the server; then ``play`` with a nick, each time
a copy is to play (what goes wrong is written to ``errors``), and ``seed``, the chance of the next game of a nick. For
each copy that has ended a line goes out. The process ends with its standard input, so it does not outlive its match.
"""

import json
import os
import sys
import traceback
from functools import partial
from pathlib import Path

import trio

from ugs.match.builtin_player import Brain, Thinking, play
from ugs.match.games import bundled, find_game, options_of
from ugs.match.programs import lines_of


class Seeds:
    """The chance of each nick's next game; a game may begin before it is known."""

    def __init__(self) -> None:
        self._next: dict[str, str] = {}
        self._news = trio.lowlevel.ParkingLot()

    def comes(self, nick: str, seed: str) -> None:
        """The next game of ``nick`` has this chance."""
        self._next[nick] = seed
        self._news.unpark_all()

    async def take(self, nick: str) -> str:
        """A game of ``nick`` begins: wait for its chance."""
        while nick not in self._next:
            await self._news.park()
        return self._next.pop(nick)


async def serve(orders: trio.abc.ReceiveStream, output: trio.abc.SendStream) -> None:
    """Play what is ordered until that ends."""
    lines = lines_of(orders)
    line = await anext(lines, None)
    if line is None:
        return
    first = json.loads(line)
    game = find_game(first["game"])
    brain = Brain(game.game_type, game.notation, options_of(game, first["options"]), bundled(game, first["bot"]))
    host, port = first["address"]
    seeds, thinking, turn = Seeds(), Thinking(), trio.Lock()

    async def plays(nick: str, errors: Path) -> None:
        try:
            await play((host, port), nick, brain, partial(seeds.take, nick), thinking)
        except Exception:  # an error of a bot costs only its game
            with errors.open("a", encoding="utf-8") as file:
                traceback.print_exc(file=file)
        # One at a time: two copies that end together would mix their lines.
        async with turn:
            await output.send_all(json.dumps({"ended": nick}).encode() + b"\n")

    async with trio.open_nursery() as nursery:
        async for line in lines:
            order = json.loads(line)
            if "seed" in order:
                seeds.comes(order["nick"], order["seed"])
            else:
                nursery.start_soon(plays, order["play"], Path(order["errors"]))
        # The match has ended, or was killed.
        nursery.cancel_scope.cancel()


async def main() -> None:
    """Serve on standard input and output."""
    # Copies, since Trio closes what it is given.
    orders, output = (trio.lowlevel.FdStream(os.dup(stream.fileno())) for stream in (sys.stdin, sys.stdout))
    await serve(orders, output)


if __name__ == "__main__":
    trio.run(main)
