"""A bot of 5-in-a-row that is broken on purpose: ``python -m tests.match.crashing HOW HOST PORT NICK``.

HOW: ``well`` plays on, field by field; ``crash``, ``illegal`` and ``sleep`` do that at their second move.
"""

import os
import sys

import trio

from ugs.peer import connect
from ugs.wire.messages import GameState, Move, PlayerLogin, ThankYou

GAME_TYPE = "5-in-line-tic-tac-toe"


async def play(how: str, host: str, port: int, nick: str) -> None:
    """Play until the server hangs up."""
    async with await connect(host, port) as peer:
        await peer.send(PlayerLogin(nick, GAME_TYPE))
        game, moves, row = "", 0, 0
        while (message := await peer.receive()) is not None:
            if not isinstance(message, GameState):
                continue
            if message.game_id != game:
                game, moves, row = message.game_id, 0, 1 if b"<tic" in message.payload else 0
            if message.game_over is not None:
                await peer.send(ThankYou(game))
            elif message.next_player == nick:
                moves += 1
                if moves == 2 and how == "crash":
                    print(f"{nick} is going to crash", file=sys.stderr, flush=True)
                    os._exit(3)
                if moves == 2 and how == "sleep":
                    await trio.sleep(5)
                column = moves if moves != 2 or how != "illegal" else 1
                await peer.send(Move(game, b'<move><tic x="%d" y="%d"/></move>' % (2 * column, 3 * row)))


if __name__ == "__main__":
    trio.run(play, sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4])
