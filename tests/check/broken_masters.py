"""Game masters that are broken on purpose, each with the cases in which it has to fail, and no other."""

import re
from typing import Final
from xml.etree.ElementTree import Element
from xml.sax.saxutils import quoteattr

from tests.check.counting import Count, take
from tests.check.masters import Draws, Master


class LastLoses(Master):
    """Lets the one lose who takes the last stone."""

    def turn(self, game: str) -> str:
        count = self.games[game]
        if count.winner and not count.left:
            count.winner = next(nick for nick in count.nicks if nick != count.winner)
        return super().turn(game)


class TakesAnything(Master):
    """Takes a move that it cannot read for one stone."""

    def judges(self, count: Count, move: Element) -> None:
        if len(move) == 0 and not move.text and not move.attrib:
            count.moves(take(1))
        else:
            super().judges(count, move)


class NoRoom(Master):
    """Fails at moves of more than 90,000 bytes."""

    async def on_move(self, message: Element, document: bytes) -> None:
        assert len(document) < 90_000
        await super().on_move(message, document)


class Unready(Master):
    """Fails at moves that it cannot read."""

    def judges(self, count: Count, move: Element) -> None:
        int(move[0].attrib["v"])
        super().judges(count, move)


class TenGames(Master):
    """Leads ten games at most."""

    async def on_beginGame(self, message: Element, document: bytes) -> None:
        if len(self.games) < 10:
            await super().on_beginGame(message, document)


class WrongGame(Master):
    """Sends states under another id."""

    def state(self, game: str) -> str:
        return super().state(game).replace('<gameId id="', '<gameId id="x', 1)


class TwoStates(Master):
    """Sends each state twice."""

    def state(self, game: str) -> str:
        return super().state(game) * 2


class Stranger(Master):
    """Names somebody who does not play."""

    def turn(self, game: str) -> str:
        turn = super().turn(game)
        return turn if "gameOver" in turn else '<nextPlayer nick="referee"/>'


class ForgetsLoser(Master):
    """Leaves out who has lost."""

    def results(self, results: dict[str, str]) -> str:
        return super().results({nick: one for nick, one in results.items() if one == "winner"})


class OnePlayer(Master):
    """Says that one player is enough."""

    least = "1"


class NoOffers(Master):
    """Asks for ``table`` and offers nothing."""

    async def offers(self) -> None:
        return


class ForgetsPast(Master):
    """Takes a game over from its beginning."""

    async def on_x_restore(self, message: Element, document: bytes) -> None:
        for moved in message.findall("moved"):
            message.remove(moved)
        await super().on_x_restore(message, document)


class StopsHard(Master):
    """Fails when a game is stopped that it does not lead."""

    async def on_x_stop(self, message: Element, document: bytes) -> None:
        del self.games[self.game_of(message)]


class LateMoves(Master):
    """Fails at a move of a game that it does not lead."""

    async def on_move(self, message: Element, document: bytes) -> None:
        assert self.game_of(message) in self.games
        await super().on_move(message, document)


class Strangers(Master):
    """Fails when somebody leaves who is not there."""

    async def on_playerLeftGame(self, message: Element, document: bytes) -> None:
        game, player = self.game_of(message), message.find("player")
        assert player is not None
        assert game not in self.games or player.get("nick") in self.games[game].nicks
        await super().on_playerLeftGame(message, document)


class Reasons(Master):
    """Gives reasons, whether they were granted or not."""

    families = ("table", "restore")

    def because(self, game: str) -> list[str]:
        self.granted = (*self.granted, "reason")
        return super().because(game)


class ByPattern(Master):
    """Reads moves with a pattern."""

    async def on_move(self, message: Element, document: bytes) -> None:
        found = re.search(rb'<take v="(\d+)"/>', document)
        move = message.find("move")
        assert move is not None
        if found is None:
            move.clear()
        await super().on_move(message, document)


class Stays(Master):
    """Does not answer when somebody leaves."""

    async def on_playerLeftGame(self, message: Element, document: bytes) -> None:
        return


class Latin(Master):
    """Takes nicks for Latin-1."""

    def turn(self, game: str) -> str:
        count = self.games[game]
        nicks = count.nicks
        count.nicks = [nick.encode().decode("latin-1") for nick in nicks]
        turn = super().turn(game)
        count.nicks = nicks
        return turn


class Cdata(Master):
    """Stops listening in the middle of CDATA."""

    async def receives(self, document: bytes) -> None:
        assert b"<![CDATA[" not in document
        await super().receives(document)


class Crimson(Draws):
    """Draws with a colour that there is not."""

    colour = "crimson"


class DrawsStrangers(Draws):
    """Draws for someone who does not play."""

    def state(self, game: str) -> str:
        return super().state(game).replace("<sketch>", '<viewer nick="nobody"/><sketch>', 1)


class DrawsTwice(Draws):
    """Draws each position twice."""

    def state(self, game: str) -> str:
        drawn = f'<message type="x-sketch"><gameId id={quoteattr(game)}/>{self.sketch(game)}</message>'
        return (drawn if "sketch" in self.granted else "") + super().state(game)


class OffersAtFirst(Draws):
    """Offers moves in the first positions only."""

    def sketch(self, game: str) -> str:
        drawn = super().sketch(game)
        return drawn if self.games[game].left > 6 else re.sub("<offer.*</offer>", "", drawn)


class SilentAboutSeats(Master):
    """Neither plays seats nor says so."""

    async def declines(self, game: str) -> None:
        pass


class AsksItself(Master):
    """Waits for a move of the seat that it should play."""

    async def declines(self, game: str) -> None:
        turn = '<nextPlayer nick="me"/><gameState/>'
        await self.send(f'<message type="gameState"><gameId id={quoteattr(game)}/>{turn}</message>')


BROKEN: Final[dict[type[Master], tuple[str, ...]]] = {
    LastLoses: ("rules/verdicts",),
    TakesAnything: ("rules/verdicts",),
    NoRoom: ("illegal/long", "illegal/long-attribute"),
    Unready: ("illegal/*", "restore/moves-*", "rules/verdicts"),
    TenGames: ("games/twenty",),
    WrongGame: ("state/own-game",),
    TwoStates: ("state/one-answer",),
    Stranger: ("state/next-player",),
    ForgetsLoser: ("over/all-listed",),
    OnePlayer: ("entry/login",),
    NoOffers: ("entry/login",),
    ForgetsPast: ("restore/moves-1", "restore/moves-3"),
    StopsHard: ("table/stop-unknown",),
    LateMoves: ("late/move-of-no-game", "over/late"),
    Strangers: ("late/stranger-left",),
    Reasons: ("ext/granted-only",),
    ByPattern: ("payload/*",),
    Stays: ("left/asked-*", "left/not-asked"),
    Latin: ("state/next-player",),
    Cdata: ("illegal/cdata",),
    SilentAboutSeats: ("table/seats",),
    AsksItself: ("table/seats",),
    Crimson: ("sketch/accepted",),
    DrawsStrangers: ("sketch/accepted",),
    DrawsTwice: ("sketch/accepted",),
    OffersAtFirst: ("sketch/offers",),
}
"""With patterns of the cases that have to fail, each of which fails for at least one case."""
