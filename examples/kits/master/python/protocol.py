"""The protocol of the universal game server for a game master, with nothing but the standard library.

Connects, logs in, cuts what arrives into documents, and leads any number of games over its one connection. Your game is
in master.py.
"""

import argparse
import re
import socket
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from typing import Protocol
from xml.etree import ElementTree
from xml.sax.saxutils import escape, quoteattr


class Game(Protocol):
    """What is led: one game of two players."""

    nicks: list[str]
    turn: int

    def play(self, move: ElementTree.Element) -> str:
        """Play the move in a `<move>` for the seat that is to move; what is wrong with it, or nothing."""

    def results(self) -> dict[str, str] | None:
        """The result of each player, "winner" or "loser", once the game is over."""

    def state(self) -> str:
        """What every player reads: a `<gameState>`."""

    def sketch(self) -> str:
        """What people see: a `<sketch>`."""


# Everything in XML that begins with "<": a comment, a CDATA section, a processing instruction (the XML declaration is
# one), or a tag, in whose attribute values a ">" may stand.
MARKUP = re.compile(
    rb"""<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|<[^!?](?:[^"'>]|"[^"]*"|'[^']*')*>""",
    re.DOTALL,
)


# A comment or a processing instruction, which may stand around an element, like these signs.
ASIDE = re.compile(r"(?:<!--.*?-->|<\?.*?\?>)[ \t\r\n]*", re.DOTALL)
BLANKS = " \t\r\n"


def documents(connection: socket.socket) -> Iterator[bytes]:
    """The documents that arrive, each as soon as its last byte is there, until the server closes.

    TCP knows no documents: one may come in many pieces, and one piece may hold many. So we count how deep in elements
    we are, and a document ends with the tag that brings us back to zero.
    """
    buffer = b""
    position = depth = 0  # `buffer` up to `position` has been looked at
    while True:
        start = buffer.find(b"<", position)
        markup = MARKUP.match(buffer, start) if start >= 0 else None
        if markup is None:  # no complete piece of markup left: wait for more bytes
            piece = connection.recv(65536)
            if not piece:
                return
            buffer += piece
            continue
        position = markup.end()
        if markup[0].startswith((b"<!", b"<?")):
            continue  # a comment, CDATA or <?...?> changes no depth
        if markup[0].startswith(b"</"):
            depth -= 1
        elif not markup[0].endswith(b"/>"):
            depth += 1
        if depth == 0:
            yield buffer[:position].lstrip()
            buffer = buffer[position:]
            position = 0


def checked(results: dict[str, str] | None, nicks: list[str]) -> dict[str, str] | None:
    """How a game says that it has ended. Raises ValueError for what the server does not take."""
    if results and (sorted(results) != sorted(nicks) or not {*results.values()} <= {"winner", "loser"}):
        raise ValueError(f"results() gave {results}; expected 'winner' or 'loser' for each of {nicks}")
    return results


def written(where: str, name: str, text: str) -> str:
    """What a game has written, which has to be one element of this name. Raises ValueError where that is not so: the
    server would close the connection for it, and all games would be lost."""
    text = text.strip()
    begin, end = f"<{name}.>", f"</{name}.>"
    try:
        outer = ElementTree.fromstring(f"{begin}{text}{end}")
    except ElementTree.ParseError as error:
        line, column = error.position
        place = sum(len(one) + 1 for one in text.split("\n")[: line - 1]) + column - (len(begin) if line == 1 else 0)
        behind = text[max(0, place - 80) : place]
        raise ValueError(f"{where} is no XML to be sent: {error.msg.partition(':')[0]}, behind {behind!r}") from None
    inner = [element.tag.rpartition("}")[2] for element in outer]
    around = [outer.text or "", *(element.tail or "" for element in outer)]
    at = 0
    while aside := ASIDE.match(text, at):
        at = aside.end()
    # A name counts as it is written: one with a prefix is another one.
    if inner != [name] or "".join(around).strip(BLANKS) or not text.startswith(f"<{name}", at):
        raise ValueError(f"{where} is no XML to be sent: expected one <{name}>, not {text[:80]!r}")
    return text


def plain(text: str) -> str:
    """A line for people, of texts that may be a player's: short, and without what a terminal obeys."""
    return "".join(sign if sign.isprintable() else " " for sign in text[:1000])


class Games:
    """The games that are led over one connection, by their ids."""

    def __init__(self, connection: socket.socket, game: Callable[[list[str]], Game]) -> None:
        """`game` makes one of the nicks of its players, in the order of their seats."""
        self.connection, self.game = connection, game
        self.running: dict[str, Game] = {}
        self.nicks: dict[str, list[str]] = {}  # of each game that runs
        self.last: dict[str, ElementTree.Element] = {}  # its last move
        self.draws = False  # whether the server takes sketches
        self.explains = False  # whether it takes reasons

    def send(self, *messages: str) -> None:
        """Send messages in one piece: two small ones would wait for each other."""
        self.connection.sendall("".join(messages).encode())

    def begin(self, message: ElementTree.Element) -> None:
        """Begin a game."""
        nicks = [player.get("nick", "") for player in message.findall("player")]
        game_id = id_of(message)
        self.nicks[game_id] = list(nicks)
        self.running[game_id] = self.game(nicks)
        self.show(game_id)

    def move(self, message: ElementTree.Element) -> None:
        """Play a move. One that breaks a rule loses the game, and the reason says so."""
        game_id, move = id_of(message), message.find("move")
        game = self.running.get(game_id)
        if game is None or move is None:
            return  # the game has ended meanwhile
        self.last[game_id] = move
        wrong = game.play(move)
        if wrong:
            print(f"{game_id}: {game.nicks[game.turn]}: {wrong}")
            mover = game.nicks[game.turn]
            self.show(game_id, {nick: "loser" if nick == mover else "winner" for nick in game.nicks}, wrong)
        else:
            self.show(game_id)

    def left(self, message: ElementTree.Element) -> None:
        """A player is gone: the others win."""
        game_id, leaver = id_of(message), message.find("player")
        game = self.running.get(game_id)
        if game is not None and leaver is not None:
            self.show(game_id, {nick: "winner" for nick in game.nicks if nick != leaver.get("nick")})

    def show(self, game_id: str, results: dict[str, str] | None = None, wrong: str = "") -> None:
        """Send how a game stands: first what it looks like and which rule was broken, then the state itself."""
        game, about = self.running[game_id], f"<gameId id={quoteattr(game_id)}/>"
        results = results or checked(game.results(), self.nicks[game_id])
        following = f"<nextPlayer nick={quoteattr(game.nicks[game.turn])}/>"
        if results:
            players = (f'<player nick={quoteattr(nick)} result="{result}"/>' for nick, result in results.items())
            following = f"<gameOver>{''.join(players)}</gameOver>"
        sketch = reason = ""
        if self.draws:
            sketch = f'<message type="x-sketch">{about}{written("sketch()", "sketch", game.sketch())}</message>'
        if wrong and self.explains:
            cause = f'<cause code="illegal-move" nick={quoteattr(game.nicks[game.turn])}>{escape(wrong[:1000])}</cause>'
            reason = f'<message type="x-reason">{about}{written("the reason", "cause", cause)}</message>'
        state = written("state()", "gameState", game.state())
        if results:
            self.forget(game_id)
        self.send(sketch, reason, f'<message type="gameState">{about}{following}{state}</message>')

    def forget(self, game_id: str) -> None:
        """A game is over."""
        for known in (self.running, self.nicks, self.last):
            known.pop(game_id, None)

    def give_up(self, message: ElementTree.Element) -> None:
        """The code of a game has failed: that costs this game, and the others go on. No one waits for our answer then;
        an old server has no word for that."""
        game_id = id_of(message)
        print(f"{game_id}: given up after {message.get('type')}")
        print(f"  players: {plain(', '.join(self.nicks.get(game_id, ())))}")
        if game_id in self.last:
            print(f"  last move: {plain(ElementTree.tostring(self.last[game_id], encoding='unicode'))}")
        again = f"ugs replay {game_id} --data-dir DIR --master"
        print(f'  once more: {again} "python3 {sys.argv[0]} {{host}} {{port}}"', flush=True)
        self.forget(game_id)
        about = f'<gameId id={quoteattr(game_id)}/><reason code="INVALID_REQUEST">its program has failed</reason>'
        text = f"game {game_id}: the game master failed and gives this game up"
        if self.explains:
            self.send(f'<message type="x-failed">{about}</message>')
        else:
            self.send(f'<message type="error">{escape(text)}</message>')


def id_of(message: ElementTree.Element) -> str:
    """The id of the game that a message is about."""
    game_id = message.find("gameId")
    return game_id.get("id", "") if game_id is not None else ""


def lead(games: Games, game_type: str, id: str) -> int:
    """Log in and lead games until the server closes; the exit code."""
    login = f'<gameMasterLogin id={quoteattr(id)} gameType={quoteattr(game_type)} playersMin="2" playersMax="2"/>'
    games.send(
        '<message type="x-hello"><ext name="sketch"/><ext name="reason"/>'
        '<program name="master.py" version="1"/></message>',
        f'<message type="gameMasterLogin">{login}</message>',
    )
    answers = {"beginGame": games.begin, "move": games.move, "playerLeftGame": games.left}
    why = "the server does not say why"
    for document in documents(games.connection):
        message = ElementTree.fromstring(document)
        kind = message.get("type", "")
        if kind in answers:
            try:
                answers[kind](message)
            except OSError:  # the connection, not the game
                raise
            except Exception:
                sys.stderr.write(time.strftime("%Y-%m-%dT%H:%M:%SZ ", time.gmtime()))
                traceback.print_exc()
                games.give_up(message)

        elif kind == "x-hello":
            granted = {each.get("name") for each in message.findall("ext")}
            games.draws, games.explains = "sketch" in granted, "reason" in granted

        elif kind == "x-failed":  # why a login is refused comes before its answer
            why = message.findtext("reason") or why

        elif kind == "loginResponse":
            response, error = message.find("response"), message.find("error")
            if response is None or response.get("accept") != "yes":
                print(f"login refused: {why} (error {error.get('id') if error is not None else '?'})")
                return 1
            print(f"leading {game_type} as {id}", flush=True)

        elif kind == "error":
            print("the server says:", (message.text or "").strip(), flush=True)

        elif kind == "serverShutdown":
            return 0

        # Anything else is good to know but asks nothing of us.

    print("the server has closed the connection")
    return 0


def run(game: Callable[[list[str]], Game], game_type: str, id: str) -> int:
    """Do what the command line says; the exit code. `game` makes a game of this type of the nicks of its players."""
    parser = argparse.ArgumentParser(description=f"Lead {game_type} on a universal game server.")
    parser.add_argument("host")
    parser.add_argument("port", type=int)
    parser.add_argument("id", nargs="?", default=id, help="the id of the master (default: %(default)s)")
    arguments = parser.parse_args()
    try:
        with socket.create_connection((arguments.host, arguments.port)) as connection:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # states are small and must not wait
            return lead(Games(connection, game), game_type, arguments.id)
    except OSError as error:
        print("no connection:", error)
        return 1
