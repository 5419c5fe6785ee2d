"""The protocol of the universal game server, with nothing but the standard library. Your ideas are in bot.py.

Connects, logs in, cuts what arrives into documents, thanks for games, and comes back when the server was away.
"""

import argparse
import os
import random
import re
import signal
import socket
import ssl
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Protocol
from xml.etree import ElementTree
from xml.sax.saxutils import quoteattr


class Bot(Protocol):
    """What plays one game."""

    def sees(self, state: ElementTree.Element) -> None:
        """Take in a `<gameState>`, ours to move or not."""

    def move(self) -> str:
        """Our move, as it stands between `<move>` and `</move>`; "" when we know none."""


def listed_moves(state: ElementTree.Element) -> list[ElementTree.Element]:
    """The moves that a state lists, at any depth: a `<play id="…"/>` each, or a `<forfeit id="…"/>`."""
    return [each for each in state.iter() if each.tag in ("play", "forfeit") and "id" in each.attrib]


# Everything in XML that begins with "<": a comment, a CDATA section, a processing instruction (the XML declaration is
# one), or a tag, in whose attribute values a ">" may stand.
MARKUP = re.compile(
    rb"""<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|<[^!?](?:[^"'>]|"[^"]*"|'[^']*')*>""",
    re.DOTALL,
)


def documents(connection: socket.socket) -> Iterator[bytes]:
    """The documents that arrive, each as soon as its last byte is there, until the server closes.

    TCP knows no documents: one may come in many pieces, and one piece may hold many. So we count how deep in elements
    we are, and a document ends with the tag that brings us back to zero. An empty one tells of a long silence.
    """
    buffer = b""
    position = depth = 0  # `buffer` up to `position` has been looked at
    while True:
        start = buffer.find(b"<", position)
        markup = MARKUP.match(buffer, start) if start >= 0 else None
        if markup is None:  # no complete piece of markup left: wait for more bytes
            try:
                piece = connection.recv(65536)
            except TimeoutError:
                yield b""
                continue
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


def send(connection: socket.socket, body: str) -> None:
    """Send one message, or several in one piece, which begins with the XML declaration."""
    connection.sendall(('<?xml version="1.0" encoding="UTF-8"?>' + body).encode())


REFUSALS = {
    "1": "the nick is taken, needs its token (UGS_TOKEN), or is none (1 to 64 characters, no control characters)",
    "2": "this server does not offer this game",
    "3": "there is no room: the server or the pool of the game is full, or a championship has begun",
}
"""Why a server does not let us in, by the number of its error."""


def refusal(number: str | None, explained: bool) -> str:
    """A refusal in words; without ours where the server has already said why."""
    why = "" if explained else f": {REFUSALS.get(number or '', 'the server does not say why')}"
    return f"login refused{why} (error {number or '?'})"


OUT = {"game void:": "void", "removed by the game master": "loser", "document refused": "loser"}
"""How an error begins after which no end of our game is shown to us, and what that makes of us."""
ENDS = {"lost": "loser", "won": "winner", "drawn": "a draw"}
"""What else an error says of a game that is over: won or drawn when we were away."""


def end_in(error: str, game: str) -> str:
    """What an error says that we are in this game, which is over for us then; "" if it does not."""
    begun = (result for beginning, result in OUT.items() if game and error.startswith(beginning))
    named = (result for word, result in ENDS.items() if game and f"game {game} is {word}" in error)
    return next(begun, "") or next(named, "")


SILENCE_S = 3
"""Seconds of silence without a game; then we ask what we wait for."""
MAX_UNANSWERED = 4
"""Connections that end before our login was answered; then it is no use to go on."""
NO_SERVER = "nobody answers a login there: is it the right port? It may speak TLS (--tls), or not"


START_ONE = "no server there: start one with ugs serve, or ugs demo (with bots); trying on until there is one"


MAX_REFUSED = 3
"""Documents of ours that the server refuses without a whole game in between; then the next one is no better."""
BROKEN = "the server has put us out three times in a row: it says above why"


def for_us_alone(path: str, flags: int) -> int:
    """Open a file; where it is made, nobody else can read it."""
    return os.open(path, flags, 0o600)


class Guarded:
    """A bot that ends the program with the place of each error of its own: one of a file looks as a cut line does."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot

    def sees(self, state: ElementTree.Element) -> None:
        """As the bot does it."""
        with self.guarded():
            self.bot.sees(state)

    def move(self) -> str:
        """As the bot does it."""
        with self.guarded():
            return self.bot.move()

    @contextmanager
    def guarded(self) -> Iterator[None]:
        """Ends the program at an error."""
        try:
            yield
        except Exception:
            traceback.print_exc()
            raise SystemExit(1) from None


class Memory:
    """What has to be remembered from one connection to the next."""

    def __init__(self, bot: Callable[[], Bot], game_type: str, session_file: str | None) -> None:
        """`bot` makes one for each game of this type; the token of our session is kept in `session_file`, and a session
        of which the token is there goes on."""
        self.bot, self.game_type, self.session_file = lambda: Guarded(bot()), game_type, session_file
        self.playing = self.bot()
        if session_file is not None and os.path.exists(session_file):
            with open(session_file) as file:
                self.token = file.read().strip()

    program = ""  # the name and version of this bot, as an element
    nick_token = os.environ.get("UGS_TOKEN", "")  # where nicks have tokens; not on the command line, which all can see
    called = ""  # the nick that the server knows us by: of "NAME#TOKEN" it is the name
    played = 0
    welcome = False  # we were let in before, so a refusal means that the server has not missed us yet
    broken = 0  # how often the server has put us out since the last whole game
    unanswered = 0  # connections in a row that ended before our login was answered
    token = ""  # of our session: who shows it goes on with the game after a cut line; "" without a session
    asking = ""  # how the server is asked about us and our games, where the token of our session is kept
    hinted = False  # we have said how a server is started
    in_session = False  # the server has told us of a session of ours, in this run
    kept_s = 0.0  # the server keeps the nick for so long, perhaps for an earlier start of ours
    waited = False  # for that; we do so once
    current_game = ""  # its id
    at_a_loss = False  # we have logged out, for want of a move
    counted = ""  # the game that was counted last: after a cut line we may hear of its end once more
    answered = False  # we have just come back, and the server waits for no move of ours
    back = False  # we have just come back into a game: what we know of it may be old, or nothing
    held: ElementTree.Element | None = None  # the last state, as long as we wait for those before it
    pause = 1.0  # seconds before the next connection, at most; twice as many each time, until we are let in

    def keeps_token(self) -> None:
        """Write the token of our session down, for us alone: who has it can take our seat."""
        if self.session_file is None:
            return
        try:
            with open(self.session_file, "w", opener=for_us_alone) as file:
                file.write(self.token + "\n")
        except OSError as error:
            print(f"cannot write {self.session_file}: {error.strerror}; playing on without it")
            self.session_file = None

    def counts(self, games: int | None) -> None:
        """Count the present game as played, once, and none after the last one of `games`: what was under way when we
        logged out may yet come."""
        self.played += self.current_game != self.counted and self.played != games
        self.counted = self.current_game

    def waits(self) -> None:
        """Wait before the next connection; not all bots at once."""
        if self.kept_s:
            self.waited, kept_s, self.kept_s = True, self.kept_s, 0.0
            time.sleep(kept_s)
            return
        time.sleep(random.uniform(0.2, 1) * self.pause)
        self.pause = min(2 * self.pause, 30)


def play(connection: socket.socket, nick: str, games: int | None, memory: Memory) -> bool:
    """Log in and play until the server closes. False if there is no point in coming back: refused, or all played."""
    login = f"<playerLogin nick={quoteattr(nick)} gameType={quoteattr(memory.game_type)}/>"
    login = f'<message type="playerLogin">{login}</message>'
    # First we say what we know beyond the protocol: sessions, earlier states, reasons. A server that knows none says so
    # in an error.
    identity = f"<identity token={quoteattr(memory.nick_token)}/>" if memory.nick_token else ""
    families = '<ext name="session"/><ext name="state"/><ext name="reason"/>'
    hello = f'<message type="x-hello">{families}{memory.program}{identity}</message>'
    resume = f'<message type="x-resume"><session token={quoteattr(memory.token)}/></message>'
    send(connection, hello + (resume if memory.token else login))
    if not memory.token:
        memory.current_game = ""

    memory.unanswered += 1
    explained = False  # the server has said why it refuses our login
    explains = asks = False  # the server says what we wait for when it is asked; we shall ask
    lists = False  # it shows all states of our game when it is asked
    memory.back, memory.held = False, None
    connection.settimeout(SILENCE_S)
    for document in documents(connection):
        if not document:
            if asks:
                send(connection, '<message type="x-why" ref="waiting"/>')
                asks = False
            continue
        message = ElementTree.fromstring(document)
        kind = message.get("type")
        if kind == "x-failed" and message.get("ref") == "states" and memory.held is not None:
            kind, message, memory.held = "gameState", memory.held, None  # then we go on with what we know

        if kind == "loginResponse":
            memory.unanswered = 0
            response = message.find("response")
            if response is None or response.get("accept") != "yes":
                if memory.kept_s:
                    return True
                error = message.find("error")
                number = error.get("id") if error is not None else None
                print(refusal(number, explained))
                return memory.welcome and number != "2"
            memory.welcome, memory.waited, memory.pause, asks = True, False, 1.0, explains
            name = nick.partition("#")[0]  # what stands behind it may be a token
            print(f"logged in as {name}{memory.asking}")

        elif kind == "x-hello":  # what the server knows beyond the protocol
            explains = message.find("ext[@name='reason']") is not None
            lists = message.find("ext[@name='state']") is not None

        elif kind == "x-account" and message.get("ref") == "waiting":
            print("waiting:", (message.findtext("account") or "").replace("\n", "; "))

        elif kind == "x-failed" and message.get("ref") in ("waiting", "states"):
            pass  # it does not tell now

        elif kind == "x-session":
            session = message.find("session")
            assert session is not None
            memory.token, memory.in_session = session.get("token", ""), True
            memory.called = session.get("nick") or memory.called
            memory.keeps_token()
            memory.answered = session.get("turn") == "no"
            memory.back = session.get("resumed") == "yes" and "turn" in session.attrib
            if session.get("resumed") == "yes":
                print("back again" if memory.back else "back again: no game of yours goes on")

        elif kind == "x-ping":  # the server asks whether we are there
            ref = f" ref={quoteattr(message.get('ref', ''))}" if message.get("ref") else ""
            send(connection, f'<message type="x-pong"{ref}/>')

        elif kind in ("x-failed", "error") and memory.token and memory.unanswered:
            if memory.in_session:  # else the token is of an earlier start, which may have ended well
                print("the session is over:", message.findtext("reason") or message.text)
            memory.token = memory.current_game = ""
            send(connection, login)

        elif kind == "gameState":
            game, asks = message.find("gameId"), False
            assert game is not None
            game_id = f"<gameId id={quoteattr(game.get('id', ''))}/>"
            if game.get("id") != memory.current_game:  # we hear of a new game by its first state
                memory.current_game = game.get("id", "")
                print("in game", memory.current_game)
                memory.playing, memory.held = memory.bot(), None

            state = message.find("gameState")
            if state is not None:
                memory.playing.sees(state)
            if memory.back and lists:
                memory.back, memory.held = False, message
                send(connection, f'<message type="x-listStates" ref="states">{game_id}</message>')
                continue
            if memory.held is not None:  # it is among those that come, or comes once more behind them
                memory.answered, memory.held = False, message
                continue
            next_player = message.find("nextPlayer")
            if next_player is not None and next_player.get("nick") == memory.called and not memory.answered:
                move = memory.playing.move()
                if not move:
                    print("this state lists no moves that I know how to choose")
                    memory.at_a_loss = True
                send(
                    connection,
                    f'<message type="move">{game_id}<move>{move}</move></message>'
                    if move
                    else '<message type="logout"/>',
                )
            memory.answered = False

            if message.find("gameOver") is not None:
                players = message.findall("gameOver/player")
                drawn = len(players) > 1 and len({player.get("result") for player in players}) == 1
                for player in players:
                    if player.get("nick") == memory.called:
                        print("game over:", "a draw" if drawn else player.get("result"), "in", game.get("id"))
                memory.broken = 0
                memory.counts(games)
                if memory.played == games:
                    # A "thank you" would make us ready for a next game, so good-bye takes its place. The server closes
                    # now; reading on until then makes sure that it got our last word.
                    send(connection, '<message type="logout"/>')
                    continue
                send(connection, f'<message type="thank you">{game_id}</message>')
                asks = explains

        elif kind == "x-states" and memory.held is not None:  # all before the last one, which comes once more now
            memory.playing, memory.held = memory.bot(), None
            for state in message.findall("shown/gameState"):
                memory.playing.sees(state)

        elif kind == "x-verdict":
            print("why:", "; ".join(filter(None, [message.findtext("account"), message.findtext("said")])))

        elif kind == "x-reason":
            print("the game master says that we broke a rule:", message.findtext("cause"))

        elif kind == "x-failed":  # why a login is refused comes before its answer
            reason = message.find("reason")
            assert reason is not None
            wait = reason.get("waitSec", "") if reason.get("code") == "DUPLICATE_USER" else ""
            if wait and not memory.waited:
                memory.kept_s = float(wait)
                print(f"the nick is kept for {wait} s more: waiting")
            else:
                print("the server says:", reason.text)
                if "has a token" in (reason.text or "") and not memory.nick_token:
                    print("where a nick has a token: --token-file FILE, or UGS_TOKEN in the environment")
                explained = True

        elif kind == "error":
            text = (message.text or "").strip()
            print("the server says:", text)
            memory.broken += text.startswith(("document refused", "this session continues"))
            result = end_in(text, memory.current_game) if memory.current_game != memory.counted else ""
            if result:
                print("game over:", result, "in", memory.current_game)
                memory.counts(games)
                memory.held, asks = None, explains
                if memory.played == games:
                    send(connection, '<message type="logout"/>')

        elif kind == "serverShutdown":
            print("the server shuts down")
            memory.token = ""  # sessions end with a server that says good-bye

        # Anything else, such as championsList, is good to know but asks nothing of us.

    if memory.at_a_loss or memory.played == games:
        return False
    print("the server has closed the connection")
    if memory.unanswered == 1 and not memory.welcome:
        print(NO_SERVER)
    return True


def connect(host: str, port: int, tls: ssl.SSLContext | None) -> socket.socket:
    """A line to the server; with `tls` an encrypted one, on which the server has proved that it is this host."""
    connection = socket.create_connection((host, port))
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # moves are small and must not wait
    return tls.wrap_socket(connection, server_hostname=host) if tls is not None else connection


def log_out(connection: socket.socket) -> None:
    """Our last word when somebody stops us, or the server would keep the nick for us. It closes then."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # who presses Ctrl-C once more does not wait
    with suppress(OSError):
        connection.settimeout(2)
        send(connection, '<message type="logout"/>')
        while connection.recv(65536):
            pass


def run(bot: Callable[[], Bot], game_type: str, name: str, version: str) -> int:
    """Do what the command line says; the exit code. `bot` makes one for each game, `game_type` is what it plays; the
    name and the version are what the server shows."""
    parser = argparse.ArgumentParser(description="Play games on a universal game server.")
    parser.add_argument("host")
    parser.add_argument("port", type=int)
    parser.add_argument("nick")
    parser.add_argument("--game", metavar="TYPE", default=game_type, help="the game type (default: %(default)s)")
    parser.add_argument("--games", type=int, metavar="N", help="log out after this many games (default: play on)")
    parser.add_argument("--token-file", metavar="FILE", help="the token of the nick is there (default: in UGS_TOKEN)")
    parser.add_argument(
        "--session-file", metavar="FILE", help="keep the token of the session there: it shows our games"
    )
    parser.add_argument("--tls", action="store_true", help="speak TLS, and trust the right server only")
    parser.add_argument("--ca", help="with --tls: file of the authorities to trust (default: those of the system)")
    arguments = parser.parse_args()
    if arguments.games is not None and arguments.games < 1:
        parser.error("--games: at least 1")
    tls = ssl.create_default_context(cafile=arguments.ca) if arguments.tls else None
    if arguments.session_file is not None:
        try:  # before there is a session: else each login would be lost
            open(arguments.session_file, "a", opener=for_us_alone).close()
        except OSError as error:
            print(f"cannot write {arguments.session_file}: {error.strerror}")
            return 1
    memory = Memory(bot, arguments.game, arguments.session_file)
    memory.called = arguments.nick
    memory.program = f"<program name={quoteattr(name)} version={quoteattr(version)}/>"
    if arguments.session_file is not None:
        where = f"--connect {arguments.host}:{arguments.port} --session-file {arguments.session_file}"
        ca = f" --ca {arguments.ca}" if arguments.ca else ""
        memory.asking = f" (why? ugs why {where}{f' --tls{ca}' if arguments.tls else ''})"
    if arguments.token_file is not None:
        try:
            with open(arguments.token_file) as file:
                memory.nick_token = file.read().strip()
        except OSError as error:
            print(error, file=sys.stderr)
            return 2
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C
    try:
        return play_on(arguments, tls, memory)
    except KeyboardInterrupt:
        print("stopped")
        return 0


def play_on(arguments: argparse.Namespace, tls: ssl.SSLContext | None, memory: Memory) -> int:
    """Play until it is no use to come back; the exit code."""
    again = True
    while again:
        try:
            with connect(arguments.host, arguments.port, tls) as connection:
                try:
                    again = play(connection, arguments.nick, arguments.games, memory)
                except KeyboardInterrupt:
                    log_out(connection)
                    raise
        except ssl.SSLCertVerificationError as error:  # trying again does not help
            print("this is not the server, or --ca is missing:", error)
            return 1
        except (ssl.SSLEOFError, ssl.SSLZeroReturnError) as error:  # it may only be busy
            print("no connection:", error)
        except (ssl.SSLError, ElementTree.ParseError) as error:
            print("no connection:", error)
            memory.unanswered = MAX_UNANSWERED
        except OSError as error:
            print("no connection:", error)
            if not (memory.welcome or memory.unanswered or memory.hinted):
                memory.hinted = True
                print(START_ONE)
        if memory.played == arguments.games:
            return 0
        if memory.broken >= MAX_REFUSED:
            print(BROKEN)
            return 1
        if memory.unanswered >= MAX_UNANSWERED and not memory.welcome:
            print(NO_SERVER)
            return 1
        if again:
            memory.waits()
    return 1
