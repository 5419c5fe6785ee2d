"""Yardstick (b): the broker that a good programmer writes in an afternoon, with asyncio streams and ElementTree.

It parses every message, builds every answer as a tree, writes each on its own and checks nothing.

Started as ``python -m ugs.bench.naive --ready-file FILE``; ends on SIGTERM.
"""

import asyncio
import signal
import sys
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path

from ugs.ready import ready_file

MAX_MESSAGE_BYTES = 16 * 1024 * 1024
SEATS = 2


@dataclass(eq=False)
class NaivePeer:
    """A connection, and the master of the game that it plays."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    nick: str = ""
    master: "NaivePeer | None" = None

    async def send(self, message: ET.Element) -> None:
        self.writer.write(ET.tostring(message, encoding="UTF-8", xml_declaration=True))
        await self.writer.drain()


class NaiveBroker:
    """Who leads, who waits, who plays."""

    def __init__(self) -> None:
        self.masters: list[NaivePeer] = []
        self.idle: list[NaivePeer] = []
        self.games: dict[str, list[NaivePeer]] = {}
        self.games_begun = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Handle one connection to its end."""
        peer = NaivePeer(reader, writer)
        try:
            while True:
                message = ET.fromstring(await reader.readuntil(b"</message>"))
                if message.get("type") == "logout":
                    break
                await self.handle(peer, message)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        if peer in self.idle:
            self.idle.remove(peer)
        if peer in self.masters:
            self.masters.remove(peer)
        writer.close()

    async def handle(self, peer: NaivePeer, message: ET.Element) -> None:
        kind = message.get("type")
        if kind == "playerLogin":
            peer.nick = message.find("playerLogin").attrib["nick"]  # type: ignore[union-attr]
            await self.accept(peer)
            await self.join(peer)
        elif kind == "gameMasterLogin":
            self.masters.append(peer)
            await self.accept(peer)
            await self.begin_games()
        elif kind == "move" and peer.master is not None:
            relayed = ET.Element("message", type="move")
            ET.SubElement(relayed, "gameId", id=message.find("gameId").attrib["id"])  # type: ignore[union-attr]
            relayed.append(message.find("move"))  # type: ignore[arg-type]
            await peer.master.send(relayed)
        elif kind == "gameState":
            await self.relay_state(message)
        elif kind == "thank you":
            await self.join(peer)

    async def accept(self, peer: NaivePeer) -> None:
        answer = ET.Element("message", type="loginResponse")
        ET.SubElement(answer, "response", accept="yes")
        await peer.send(answer)

    async def join(self, peer: NaivePeer) -> None:
        self.idle.append(peer)
        await self.begin_games()

    async def begin_games(self) -> None:
        while self.masters and len(self.idle) >= SEATS:
            players, self.idle = self.idle[:SEATS], self.idle[SEATS:]
            self.games_begun += 1
            master = self.masters[self.games_begun % len(self.masters)]
            self.games[str(self.games_begun)] = players
            begin = ET.Element("message", type="beginGame")
            ET.SubElement(begin, "gameId", id=str(self.games_begun))
            for player in players:
                player.master = master
                ET.SubElement(begin, "player", nick=player.nick)
            await master.send(begin)

    async def relay_state(self, message: ET.Element) -> None:
        game_id = message.find("gameId").attrib["id"]  # type: ignore[union-attr]
        next_player, game_over = message.find("nextPlayer"), message.find("gameOver")
        for player in self.games[game_id]:
            relayed = ET.Element("message", type="gameState")
            ET.SubElement(relayed, "gameId", id=game_id)
            relayed.append(next_player if next_player is not None else game_over)  # type: ignore[arg-type]
            relayed.append(message.find("gameState"))  # type: ignore[arg-type]
            await player.send(relayed)
        if game_over is not None:
            del self.games[game_id]


async def serve(ready: Path) -> None:
    """Listen on a free port of the loopback interface, write the ready file ``ready``, relay until SIGTERM."""
    server = await asyncio.start_server(NaiveBroker().serve, "127.0.0.1", 0, limit=MAX_MESSAGE_BYTES, backlog=1024)
    host, port = server.sockets[0].getsockname()
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    with ready_file(ready, f"{host}:{port}", None):
        await stop.wait()


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[sys.argv.index("--ready-file") + 1])))
