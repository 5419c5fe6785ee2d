"""Bots that are broken on purpose, each with the cases in which it has to fail, and no other."""

from collections.abc import Iterator
from typing import Final
from xml.etree.ElementTree import Element

from tests.check.bots import Bot


class Deaf(Bot):
    """Looks for ``</message>`` alone, so a document without children never ends."""

    rest = b""

    def cut(self, data: bytes) -> Iterator[bytes]:
        self.rest += data
        while (end := self.rest.find(b"</message>")) >= 0:
            document, self.rest = self.rest[: end + 10], self.rest[end + 10 :]
            yield document


class SwallowsSingleTags(Bot):
    """Drops a document that is a single tag where another one stands before it."""

    def cut(self, data: bytes) -> Iterator[bytes]:
        for number, document in enumerate(super().cut(data)):
            if number == 0 or not document.endswith(b"/>"):
                yield document


class OneReadOneDocument(Bot):
    """Takes what one read brings for a document."""

    def cut(self, data: bytes) -> Iterator[bytes]:
        yield data


class MovesTwice(Bot):
    """Sends each move twice."""

    def move(self, number: int) -> str:
        return super().move(number) * 2


class MovesOutOfTurn(Bot):
    """Moves whoever is asked."""

    async def on_gameState(self, message: Element) -> None:
        named = message.find("nextPlayer")
        if named is not None:
            named.set("nick", self.nick)
        await super().on_gameState(message)


class OldGame(Bot):
    """Keeps the id of its first game."""

    first = ""

    def move(self, number: int) -> str:
        self.first = self.first or self.game
        return super().move(number).replace(self.game, self.first)


class Unescaped(Bot):
    """Writes the id of the game without escaping it."""

    def move(self, number: int) -> str:
        return super().move(number).replace("&amp;", "&")


class NoThanks(Bot):
    """Never thanks."""

    async def over(self, message: Element) -> None:
        return


class ThanksTwice(Bot):
    """Thanks twice."""

    def thanks(self) -> str:
        return super().thanks() * 2


class ThanksForVoid(Bot):
    """Thanks for games that are void."""

    async def on_error(self, message: Element) -> None:
        if (message.text or "").startswith("game void:"):
            await self.send(self.thanks())


class Babbler(Bot):
    """Sends a message that there is not."""

    async def moves(self, message: Element) -> None:
        await self.send('<message type="hurry"/>')
        await super().moves(message)


class Garbler(Bot):
    """Ends each move with a NUL, as C strings do."""

    def move(self, number: int) -> str:
        return super().move(number) + "\0"


class ShortBuffer(Bot):
    """Has room for 30,000 bytes."""

    async def receives(self, document: bytes) -> None:
        assert len(document) < 30_000
        await super().receives(document)


class Beginning(Bot):
    """Compares the beginning of nicks."""

    async def on_gameState(self, message: Element) -> None:
        named = message.find("nextPlayer")
        if named is not None and named.get("nick", "").startswith(self.nick):
            named.set("nick", self.nick)
        await super().on_gameState(message)


class NeedsRows(Bot):
    """Fails at an empty table."""

    async def on_championsList(self, message: Element) -> None:
        assert len(message) > 0


class NoDraws(Bot):
    """Fails when all have won."""

    async def over(self, message: Element) -> None:
        assert {one.get("result") for one in message.iter("player")} != {"winner"} or len(
            message.findall("gameOver/player")
        ) < 2
        await super().over(message)


class AnswersTwice(Bot):
    """Moves again after a cut, whether its move has arrived or not."""

    async def on_x_session(self, message: Element) -> None:
        await super().on_x_session(message)
        self.answered = ""


class GivesUp(Bot):
    """Does not log in when its session is over."""

    async def on_x_failed(self, message: Element) -> None:
        return


class Forgetful(Bot):
    """Logs in after a cut as if it had never been there."""

    def first_words(self) -> list[str]:
        self.token = ""
        return super().first_words()


class NoRef(Bot):
    """Answers pings without their ref."""

    async def on_x_ping(self, message: Element) -> None:
        await self.send('<message type="x-pong"/>')


class Chatty(Bot):
    """Talks, though it has not asked for that."""

    families = ("reason",)

    async def on_loginResponse(self, message: Element) -> None:
        await super().on_loginResponse(message)
        await self.send('<message type="x-say"><to nick="ann"/><text>Hi</text></message>')


class Strict(Bot):
    """Fails at attributes that it does not know."""

    async def on_x_verdict(self, message: Element) -> None:
        assert set(message.keys()) == {"type"}


class Greedy(Bot):
    """Takes three stones when fewer are left."""

    def number(self, message: Element) -> int:
        left = int(message.findall("gameState/stones")[0].get("v", ""))
        return 3 if left < 3 else 1


class WaitsForTable(Bot):
    """Plays a game only after a table."""

    ready = False

    async def on_championsList(self, message: Element) -> None:
        self.ready = True

    async def over(self, message: Element) -> None:
        self.ready = False
        await super().over(message)

    async def moves(self, message: Element) -> None:
        if self.ready:
            await super().moves(message)


class NoDeclarations(Bot):
    """Sends no declaration, and cannot read one."""

    declares = False

    async def receives(self, document: bytes) -> None:
        assert not document.startswith(b"<?")
        await super().receives(document)


class DoubleQuotes(Bot):
    """Reads attributes in double quotes only."""

    async def receives(self, document: bytes) -> None:
        if b"type='" not in document:
            await super().receives(document)


class LogsInAgain(Bot):
    """Logs in again after its first game."""

    async def over(self, message: Element) -> None:
        await super().over(message)
        await self.send(self.login())


class Flood(Bot):
    """Asks for its clock thousands of times."""

    async def moves(self, message: Element) -> None:
        if "clock" in self.families and message.get("type") == "gameState":
            for _ in range(60):
                await self.send('<message type="x-ping"/>' * 100)
        await super().moves(message)


BROKEN: Final[dict[type[Bot], tuple[str, ...]]] = {
    Deaf: (
        "ping/none",
        "table/empty",
        "hello/none",
        "written/*-wide-tags",
        "written/*-lines-in-tags",
        "written/*-comments",
        "glued/single-tag",
    ),
    SwallowsSingleTags: ("glued/single-tag",),
    OneReadOneDocument: ("turn/first-move",),
    MovesTwice: ("turn/only-when-asked",),
    MovesOutOfTurn: ("turn/only-when-asked",),
    OldGame: ("turn/own-game",),
    Unescaped: ("game-id/ampersand",),
    NoThanks: ("over/thanks",),
    ThanksTwice: ("over/thanks-once",),
    ThanksForVoid: ("void/*",),
    Babbler: ("bytes/messages",),
    Garbler: ("bytes/documents",),
    ShortBuffer: ("error/long", "table/long"),
    Beginning: ("nick/longer",),
    NeedsRows: ("table/empty",),
    NoDraws: ("over/all-winners",),
    AnswersTwice: ("session/move-arrived",),
    GivesUp: ("session/over",),
    Forgetful: ("session/waiting",),
    NoRef: ("ping/number", "ping/signs", "ping/longest", "ping/letters"),
    Chatty: ("ext/granted-only",),
    Strict: ("verdict/*-more",),
    Greedy: ("turn/legal-*",),
    WaitsForTable: ("over/next-at-once", "entry/no-table", "entry/cut-*", "entry/written-*", "session/move-*"),
    NoDeclarations: ("entry/declared", "written/*-declaration*"),
    DoubleQuotes: ("written/*-single-quotes", "ping/written-single-quotes"),
    LogsInAgain: ("entry/one-login",),
    Flood: ("bytes/no-flood",),
}
"""With patterns of the cases that have to fail, each of which fails for at least one case."""
