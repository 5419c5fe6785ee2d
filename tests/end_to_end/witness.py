"""Peers that share no line of code with the server, and write down what they see and say.

    python witness.py player HOST:PORT GAME_TYPE NICK FILE
    python witness.py master HOST:PORT GAME_TYPE ID FILE

A player answers every state that names it with a move and every end of a game with thanks; each end is a line of its
file: the game's id, then nick and result of everybody. A master ends every game after four moves, who wins follows from
the game's id; it writes the same lines when it sends them. Where there is a file of its file's name and ``.most``, it
holds how many lines a master may write; then it waits. Both come back for ever when the connection is lost.
"""

import re
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO
from zlib import crc32

RETRY_S = 0.02
MOVES = 4
RESULTS = (("winner", "loser"), ("loser", "winner"), ("loser", "loser"))


def documents(connection: socket.socket) -> Iterator[str]:
    """The documents of this server, which puts neither comments nor nested messages into them."""
    buffer = ""
    while True:
        end = re.search(r"</message>|<message type=.\w+./>", buffer)
        if end is not None:
            yield buffer[: end.end()]
            buffer = buffer[end.end() :]
            continue
        data = connection.recv(65536)
        if not data:
            return
        buffer += data.decode()


def send(connection: socket.socket, kind: str, body: str) -> None:
    """One message."""
    connection.sendall(f'<message type="{kind}">{body}</message>'.encode())


def found(pattern: str, text: str) -> str:
    """What the one group of this pattern holds; empty when there is none."""
    match = re.search(pattern, text)
    return match[1] if match else ""


def play(connection: socket.socket, game_type: str, nick: str, seen: TextIO) -> None:
    """A player, until the connection ends."""
    send(connection, "playerLogin", f'<playerLogin nick="{nick}" gameType="{game_type}"/>')
    for document in documents(connection):
        if 'type="gameState"' not in document:
            continue
        game = found(r'<gameId id="([^"]*)"', document)
        if "<gameOver>" in document:
            results = re.findall(r'<player nick="([^"]*)" result="([^"]*)"', document)
            print(game, *(f"{who}={what}" for who, what in results), file=seen, flush=True)
            send(connection, "thank you", f'<gameId id="{game}"/>')
        elif found(r'<nextPlayer nick="([^"]*)"', document) == nick:
            send(connection, "move", f'<gameId id="{game}"/><move/>')


def lead(connection: socket.socket, game_type: str, name: str, said: TextIO) -> None:
    """A master, until the connection ends."""
    login = f'<gameMasterLogin id="{name}" gameType="{game_type}" playersMin="2" playersMax="2"/>'
    send(connection, "gameMasterLogin", login)
    games: dict[str, list[str]] = {}
    moves: dict[str, int] = {}
    for document in documents(connection):
        game = found(r'<gameId id="([^"]*)"', document)
        kind = found(r'type="([^"]*)"', document)
        if kind == "beginGame":
            games[game] = re.findall(r'<player nick="([^"]*)"', document)
            moves[game] = 0
        elif kind == "move":
            moves[game] = moves.get(game, 0) + 1
        elif kind == "playerLeftGame":
            leaver = found(r'<player nick="([^"]*)"', document)
        else:
            continue
        if game not in games:  # it has ended while this was on its way
            continue
        if kind == "playerLeftGame":
            players = games.pop(game)
            end(connection, game, [(who, "loser" if who == leaver else "winner") for who in players], said)
        elif moves[game] < MOVES:
            mover = games[game][moves[game] % 2]
            send(connection, "gameState", f'<gameId id="{game}"/><nextPlayer nick="{mover}"/><gameState/>')
        else:
            wait_until_allowed(Path(said.name))
            results = RESULTS[crc32(game.encode()) % len(RESULTS)]
            end(connection, game, list(zip(games.pop(game), results, strict=True)), said)


def wait_until_allowed(file: Path) -> None:
    """Return when one more line may be written."""
    most = file.with_name(f"{file.name}.most")
    while most.exists() and len(file.read_text(encoding="utf-8").splitlines()) >= int(most.read_text()):
        time.sleep(RETRY_S)


def end(connection: socket.socket, game: str, results: list[tuple[str, str]], said: TextIO) -> None:
    """The master says how a game has ended."""
    print(game, *(f"{who}={what}" for who, what in results), file=said, flush=True)
    listed = "".join(f'<player nick="{who}" result="{what}"/>' for who, what in results)
    send(connection, "gameState", f'<gameId id="{game}"/><gameOver>{listed}</gameOver><gameState/>')


ROLES = {"player": play, "master": lead}


def main(role: str, address: str, game_type: str, name: str, file: str) -> None:
    """Run for ever."""
    host, _, port = address.rpartition(":")
    with open(file, "a", encoding="utf-8") as written:
        while True:
            try:
                with socket.create_connection((host, int(port))) as connection:
                    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    ROLES[role](connection, game_type, name, written)
            except OSError:
                pass
            time.sleep(RETRY_S)


if __name__ == "__main__":
    main(*sys.argv[1:])
