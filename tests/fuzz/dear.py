"""A message of each kind, in a scene (tests/fuzz/scenes.py), and how dear it may be.

A line is one of a conversation (tests/fuzz/crowds.py): who says what. What stands in braces is filled in from the
stage: ids of games (``g0``) and tables (``t0``), nicks of players in a game (``g0p1``), and texts that grow with the
scene.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tests.fuzz.scenes import ACCOUNT, AT_ONE_TABLE, FAMILIES, TIMER, Cost, Scene, Stage, hello, leads, login, type_name
from tests.fuzz.work import TooMuch
from ugs.sketch.decoding import MAX_OFFERS
from ugs.wire.messages import BeginGame

MAX_WORK: Final = 1_000_000
"""Bytecodes of one turn: some 10 ms."""
MAX_IN_THREAD: Final = 4_000_000
"""Bytecodes of what a thread does for one request; the loop runs meanwhile, but slower."""
MAX_SENT: Final = 6_291_456
"""Bytes that are written for all whom they go to, in one turn."""
MAX_HELD: Final = 8_388_608
"""Bytes of memory in which they wait."""
MAX_SEATS: Final = 64
"""To how many what somebody says may go as it is."""
MAX_RECIPIENTS: Final = 128
"""Of one text of the chat."""
MAX_INVITED: Final = 100
"""To one table."""
_OFFER: Final = '<offer label="{0}" at="0,0"><move n="{0}"/></offer>'


@dataclass(frozen=True, slots=True)
class Dear:
    """A message: its kind, and what is said. What has to be said before does not count."""

    kind: str
    line: str
    before: str = ""


DEAR: Final = (
    Dear("PublicAsked", "? public"),
    Dear("PublicWhyAsked", "? public-why"),
    Dear("WhyAsked", "? why"),
    Dear("ServerAsked", "? server"),
    Dear("OwnerAsked", "? owner"),
    Dear("Act", "? broadcast"),
    Dear("x-hello", "new0 {hello}"),
    Dear("playerLogin", "new1 {login}"),
    Dear("x-resume", 'new2 <message type="x-resume"><session token="{token}"/></message>', "new2 {hello}"),
    Dear("x-ping", 'idle0 <message type="x-ping"/>'),
    Dear("x-pong", 'idle0 <message type="x-pong"/>'),
    Dear(
        "x-failed",
        'm0 <message type="x-failed"><gameId id="{begun}"/><reason code="INVALID_GAME">no</reason></message>',
    ),
    Dear("error", '{g0p1} <message type="error">what?</message>'),
    Dear("x-listPlayers", 'idle0 <message type="x-listPlayers"/>'),
    Dear("x-listGameTypes", 'idle0 <message type="x-listGameTypes"/>'),
    Dear("x-listTables", 'idle0 <message type="x-listTables"/>'),
    Dear("x-listGames", 'w0 <message type="x-listGames"/>'),
    Dear("x-say", 'idle0 <message type="x-say">{to}<text>hear me</text></message>'),
    Dear("x-say", 'o0 <message type="x-say"><table id="{t0}"/><text>hear me</text></message>'),
    Dear(
        "x-advertise", 'idle0 <message type="x-advertise"><table name="t" seats="{seats}">{invited}</table></message>'
    ),
    Dear("x-join", 'idle1 <message type="x-join"><table id="{t0}"/></message>'),
    Dear("x-quit", 'o2m0 <message type="x-quit"/>'),
    Dear("x-wait", 'o2m0 <message type="x-wait"/>'),
    Dear("x-start", 'o1 <message type="x-start"/>'),
    Dear("x-cancel", 'o3 <message type="x-cancel"/>'),
    Dear("x-resend", '{g0p1} <message type="x-resend"><gameId id="{g0}"/></message>'),
    Dear("x-listStates", '{g0p1} <message type="x-listStates"><gameId id="{g0}"/></message>'),
    Dear("x-showClock", '{g0p1} <message type="x-showClock"/>'),
    Dear("x-why", '{g0p1} <message type="x-why"><gameId id="{g0}"/></message>'),
    Dear("x-why", 'w0 <message type="x-why"><game gameType="{strange}"/></message>'),
    Dear("x-watch", 'new3 <message type="x-watch"><watch gameId="{g0}" from="begin"/></message>', "new3 {hello}"),
    Dear("x-unwatch", 'new3 <message type="x-unwatch"/>'),
    Dear("x-offers", 'm0 <message type="x-offers"><option name="a" value="b"/></message>'),
    Dear("x-labels", 'm0 <message type="x-labels"><gameId id="{g1}"/>{labels}</message>'),
    Dear("x-sketch", 'm0 <message type="x-sketch"><gameId id="{g1}"/>{sketch}</message>'),
    Dear(
        "x-remark",
        '{mover} <message type="x-remark"><gameId id="{g0}"/><worth value="1"/><mark at="1,1"/></message>',
    ),
    Dear("move", '{mover} <message type="move"><gameId id="{g0}"/><move>{payload}</move></message>'),
    Dear("x-fault", 'm0 <message type="x-fault"><gameId id="{g0}"/><cause code="c" nick="{mover}"/></message>'),
    Dear(
        "gameState",
        'm0 <message type="gameState"><gameId id="{g0}"/><nextPlayer nick="{g0p0}"/>'
        "<gameState>{payload}</gameState></message>",
    ),
    Dear(
        "x-views",
        'm0 <message type="x-views"><gameId id="{g1}"/>{movers}{views}<gameState/></message>',
        '{g1p0} <message type="move"><gameId id="{g1}"/><move/></message>',
    ),
    Dear("x-reason", 'm0 <message type="x-reason"><gameId id="{g2}"/><cause code="rule">so</cause></message>'),
    Dear("leaveGame", '{g1p1} <message type="leaveGame"><gameId id="{g1}"/></message>'),
    Dear("x-rejoin", '{g1p1} <message type="x-rejoin"><gameId id="{g1}"/></message>'),
    Dear("playerLeftGame", 'm0 <message type="playerLeftGame"><player nick="{g3p1}"/><gameId id="{g3}"/></message>'),
    Dear(
        "gameState",
        'm0 <message type="gameState"><gameId id="{g2}"/><gameOver>{results2}</gameOver><gameState/></message>',
    ),
    Dear("thank you", '{g2p0} <message type="thank you"><gameId id="{g2}"/></message>'),
    Dear(
        "x-why of the past",
        '{g0p1} <message type="x-why"><gameId id="{g0}"/></message>',
        'm0 <message type="gameState"><gameId id="{g0}"/><gameOver>{results0}</gameOver><gameState/></message>',
    ),
    Dear("player lost", "- {g3p2}"),
    Dear("host lost", "- o2"),
    Dear("spectator lost", "- w0"),
    Dear("logout", '{g3p0} <message type="logout"/>'),
    Dear("gameMasterLogin", "new4 {leads}"),
    Dear("master lost", "- m0"),
    Dear("time", "~ 400"),
    Dear("time", "~ 999"),
    Dear("time", "~ 999"),
)
"""In the order in which they are said: what changes least comes first."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What a message of so many bytes costs."""

    cost: Cost
    heard: int
    in_thread: bool = False

    @property
    def may_cost(self) -> Cost:
        """How dear it may be."""
        work = MAX_IN_THREAD if self.in_thread else MAX_WORK
        return Cost(work + self.heard, MAX_SENT + MAX_SEATS * self.heard, MAX_HELD + 4 * self.heard)

    @property
    def share(self) -> float:
        """How dear it is, in parts of that."""
        cost, may = self.cost, self.may_cost
        return max(cost.work / may.work, cost.sent / may.sent, cost.held / may.held)

    def __str__(self) -> str:
        cost, may = self.cost, self.may_cost
        return (
            f"{cost.work} bytecodes of {may.work}, {cost.sent} bytes sent of {may.sent}, {cost.held} held of {may.held}"
        )


class Measuring:
    """Measures one scene after the other. What is ``known`` to be dear is not said."""

    def __init__(self) -> None:
        self.known: set[str] = set()
        self.refused: list[str] = []
        """What was wrong with messages in the last scene."""

    def measured(self, scene: Scene, only: str = "") -> dict[str, Measured]:
        """What each kind of message costs in this scene, or this one only; up to one that is far too dear. Raises
        NotLetIn."""
        stage = Stage(scene, 2 * MAX_IN_THREAD)
        heard: dict[str, int] = {}
        for one in DEAR:
            if one.kind in self.known:
                continue
            words = filled(stage)
            line = one.line.format_map(words)
            if one.before:
                stage.hears(one.before.format_map(words).encode())
            if only and not only.startswith((one.kind, TIMER)):
                stage.hears(line.encode())
                continue
            try:
                stage.counts(one.kind, line)
            except TooMuch:
                break
            finally:
                heard.update(dict.fromkeys(stage.costs.keys() - heard.keys(), len(line)))
        self.refused = stage.refused
        return {name: Measured(cost, heard[name], name.endswith(ACCOUNT)) for name, cost in stage.costs.items()}


def filled(stage: Stage) -> Mapping[str, str]:
    """What stands for the words in braces."""
    scene, games = stage.scene, stage.games[b"m0"]
    everybody = [nick for game in games for nick in game.players][:MAX_RECIPIENTS]
    numbered = list(enumerate(games[:4]))
    return {
        "hello": hello(FAMILIES),
        "login": login("new1", type_name(scene, "l0")),
        "leads": leads("new4", type_name(scene, "s0"), scene.seats, scene.seats),
        "strange": type_name(scene, "s0"),
        "token": stage.tokens[-1],
        "begun": games[-1].game_id,
        "seats": str(min(scene.seats, AT_ONE_TABLE)),
        "payload": "s" * scene.size,
        "to": _each(everybody, '<to nick="{}"/>'),
        "invited": _each(everybody[:MAX_INVITED], '<invite nick="{}"/>'),
        "sketch": _sketch(scene.size),
        "labels": _each(games[1].players, '<seat nick="{}" label="one" kind="human"/>'),
        "movers": _each(games[1].players, '<nextPlayer nick="{}"/>'),
        "views": _each(games[1].players, '<view nick="{}"><gameState>yours</gameState></view>'),
        "results0": _results(games[0]),
        "results2": _results(games[2]),
        "mover": games[0].players[scene.entries % len(games[0].players)],
        **{f"g{number}": game.game_id for number, game in numbered},
        **{f"g{number}p{seat}": game.players[seat] for number, game in numbered for seat in range(3)},
        **{f"t{number}": table for number, table in enumerate(stage.tables[:4])},
    }


def _each(nicks: Sequence[str], element: str) -> str:
    return "".join(element.format(nick) for nick in nicks)


def _sketch(size: int) -> str:
    """A row with so many offers, but no more than there may be."""
    offers = min(max(1, size // 100), MAX_OFFERS)
    return f'<sketch><grid columns="1" rows="1"/>{"".join(map(_OFFER.format, range(offers)))}</sketch>'


def _results(game: BeginGame) -> str:
    rest = _each(game.players[1:], '<player nick="{}" result="loser"/>')
    return f'<player nick="{game.players[0]}" result="winner"/>{rest}'
