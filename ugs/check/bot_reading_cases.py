"""The cases of bots that are about what they read: most are rows of tables, of where documents are cut, how they are
written, and what nicks and texts they hold."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

from ugs.check import as_server
from ugs.check.bot_extension_cases import ponged
from ugs.check.case import Case, NotForThis, Run, blames_itself
from ugs.check.referee import NOTHING
from ugs.check.sentences import S
from ugs.check.shared_cases import spelled
from ugs.check.tried_bot import TriedBot
from ugs.check.unusual_names import GAME_IDS, NICKS, TEXTS
from ugs.check.xml_spelling import DECLARATION, PLAIN, WHOLE, Cut, Style
from ugs.wire.extensions import Family

UMLAUT: Final = "Jürgen"
"""A nick with a letter of two bytes."""


# Reading.


async def state_read(bot: TriedBot, style: Style = PLAIN, cut: Cut = WHOLE) -> None:
    """A state that asks it for its move."""
    # The cut in the middle of a letter needs one of two bytes.
    game = await bot.begin(opponent=UMLAUT, second=True)
    await game.turn(style, cut)
    await game.ends()


async def others_state_read(bot: TriedBot, style: Style = PLAIN, cut: Cut = WHOLE) -> None:
    """A state that asks another player, then one that asks the bot."""
    game = await bot.begin(opponent=UMLAUT)
    await game.turn()
    if game.position.results is None and bot.nick not in game.position.movers:
        await bot.send(game.state(), style=style, cut=cut)
        await game.others_move()
    await game.turn()
    await game.ends()


async def end_read(bot: TriedBot, style: Style = PLAIN, cut: Cut = WHOLE) -> None:
    """The end of a game."""
    game = await bot.begin(opponent=UMLAUT)
    await game.turn()
    await game.ends(style, cut)


async def table_read(bot: TriedBot, style: Style = PLAIN, cut: Cut = WHOLE) -> None:
    """A table between two games."""
    rows = [(UMLAUT, 2, 0), (bot.nick, 1, 1), ("Opponent", 0, 2)]
    await bot.send(as_server.champions(rows), style=style, cut=cut)
    await bot.plays_on()


async def error_read(bot: TriedBot, style: Style = PLAIN, cut: Cut = WHOLE) -> None:
    """A text for people."""
    await bot.send(as_server.error(f"{UMLAUT} has won a prize"), style=style, cut=cut)
    await bot.plays_on()


READ: Final[dict[str, tuple[str, str, Callable[..., Any]]]] = {
    "state": ("a state that asks for a move", "turn/second-seat", state_read),
    "other-state": ("a state that asks another player", "turn/second-seat", others_state_read),
    "end": ("the end of a game", "over/won", end_read),
    "table": ("a table", "table/three", table_read),
    "error": ("an error", "error/turn", error_read),
}
"""What a bot reads, by name: in words, the case that it builds on, how it is tried."""


async def state_with_next_table(bot: TriedBot) -> None:
    """Table and state in one piece."""
    game = await bot.begin(second=False)
    if not await game.until_turn():
        raise NotForThis("the game has ended at once")
    bot.asks(game.id)
    await bot.send(bot.table(), game.state())
    await game.answered()
    await game.ends()


async def two_states(bot: TriedBot) -> None:
    """The opponent's turn and its own in one piece."""
    game = await bot.begin()
    await game.turn()
    if game.position.results is not None or bot.nick in game.position.movers:
        raise NotForThis("no other player moves in between")
    before = game.state()
    await game.others_move()
    if bot.nick not in game.position.movers:
        raise NotForThis("it is not asked after one move of the others")
    bot.asks(game.id)
    await bot.send(before, game.state())
    await game.answered()
    await game.ends()


async def error_before_state(bot: TriedBot) -> None:
    """An error and a state in one piece."""
    game = await bot.begin()
    if not await game.until_turn():
        raise NotForThis("the game has ended at once")
    bot.asks(game.id)
    await bot.send(as_server.error("be quick"), game.state())
    await game.answered()
    await game.ends()


async def three_and_a_half(bot: TriedBot) -> None:
    """Three documents and half of a fourth, then the rest."""
    game = await bot.begin()
    if not await game.until_turn():
        raise NotForThis("the game has ended at once")
    bot.asks(game.id)
    await bot.send(bot.table(), bot.table(), bot.table(), game.state(), cut=Cut(before_end=20))
    await game.answered()
    await game.ends()


async def cut_at_a_seam(bot: TriedBot) -> None:
    """A document with the first bytes of the next one, then the rest."""
    game = await bot.begin()
    if not await game.until_turn():
        raise NotForThis("the game has ended at once")
    bot.asks(game.id)
    await bot.send(bot.table(), game.state(), cut=Cut(behind=(b"</message><",)))
    await game.answered()
    await game.ends()


async def table_and_single_tag(bot: TriedBot) -> None:
    """A table, whose message has children, and right behind it a message that is a single tag, both with a declaration:
    a ping that wants its answer, or else an empty table. Who cuts at end tags alone takes it for the beginning of the
    state that comes next."""
    game = await bot.begin()
    if not await game.until_turn():
        raise NotForThis("the game has ended at once")
    pings = bool(bot.granted & {Family.SESSION, Family.CLOCK})
    tag = as_server.ping("10") if pings else as_server.champions([])
    await bot.send(bot.table(), tag, style=Style(declaration=DECLARATION))
    if pings:
        await ponged(bot, "10")
    bot.asks(game.id)
    await bot.send(game.state())
    await game.answered()
    await game.ends()


async def end_with_table(bot: TriedBot) -> None:
    """The end of a game, and an error for people right behind it."""
    game = await bot.begin()
    await game.turn()
    await bot.send(game.over(payload=NOTHING), as_server.error("the hall closes at ten"))
    await game.thanked()


GLUED: Final[dict[str, tuple[str, Run]]] = {
    "table-and-state": ("a table and a state in one piece", state_with_next_table),
    "two-states": ("the state of the opponent's turn and that of its own in one piece", two_states),
    "error-and-state": ("an error and a state in one piece", error_before_state),
    "end-and-error": ("the end of a game and an error in one piece", end_with_table),
    "three-and-a-half": ("three and a half documents in one piece, then the rest", three_and_a_half),
    "single-tag": ("a message with children and one that is a single tag in one piece", table_and_single_tag),
    "cut-at-a-seam": ("a document with the first byte of the next one, then the rest", cut_at_a_seam),
}


# Names.


async def nick_of_opponent(bot: TriedBot, nick: str) -> None:
    """An opponent with an unusual nick, in states, results and tables."""
    if nick == bot.nick:
        raise NotForThis("it is the nick of the bot")
    await bot.send(as_server.champions([(nick, 1, 0), (bot.nick, 0, 1)]))
    game = await bot.begin(opponent=nick)
    await game.turn()
    await game.turn()
    await bot.send(game.over(game.results(nick), NOTHING))
    await game.thanked()


async def nick_like_its_own(bot: TriedBot, change: Callable[[str], str]) -> None:
    """An opponent whose nick is nearly its own moves first."""
    nick = change(bot.nick)
    # Servers refuse longer ones at the login.
    if not 0 < len(nick) <= 64:
        raise NotForThis("no such nick")
    game = await bot.begin(opponent=nick, second=True)
    with blames_itself():
        await game.turn()
        await game.ends()


ALIKE: Final[dict[str, tuple[str, Callable[[str], str]]]] = {
    "longer": ("the nick of the opponent begins with that of the bot", lambda nick: nick + "2"),
    "shorter": ("the nick of the opponent is the beginning of that of the bot", lambda nick: nick[:-1]),
    "inside": ("the nick of the opponent has that of the bot inside", lambda nick: f"x{nick}x"),
}


async def id_of_game(bot: TriedBot, id: str) -> None:
    """A game with an unusual id."""
    game = await bot.begin(id=id)
    with blames_itself():
        await game.turn()
        await game.ends()


# Tables.


async def table_of(bot: TriedBot, rows: Callable[[str], list[tuple[str, int, int]]]) -> None:
    """A table like this."""
    await bot.send(as_server.champions(rows(bot.nick)))
    await bot.plays_on()


TABLES: Final[dict[str, tuple[str, Callable[[str], list[tuple[str, int, int]]]]]] = {
    "empty": ("an empty table", lambda nick: []),
    "without-it": ("a table without the bot", lambda nick: [("Opponent", 1, 0)]),
    "long": ("a table of 2,000 rows", lambda nick: [(f"Player {place}", 5, place) for place in range(2000)]),
    "large-numbers": ("numbers of 18 digits", lambda nick: [(nick, 10**18 - 1, 10**18 - 1)]),
}


async def tables_in_a_row(bot: TriedBot) -> None:
    """Three tables in a row."""
    for _ in range(3):
        await bot.send(bot.table())
    await bot.plays_on()


async def error_with(bot: TriedBot, text: str) -> None:
    """An error with this text."""
    await bot.send(as_server.error(text))
    await bot.plays_on()


def _texts() -> Iterator[Case]:
    for name, (what, rows) in TABLES.items():
        yield Case(f"table/{name}", what, S.TABLE, partial(table_of, rows=rows))
    yield Case("table/three", "three tables in a row", S.TABLE_WHEN_IDLE, tables_in_a_row)
    for name, (what, text) in TEXTS.items():
        yield Case(f"error/{name}", f"an error with a text {what}", S.ERROR, partial(error_with, text=text))


def _names() -> Iterator[Case]:
    for name, (what, nick) in NICKS.items():
        yield Case(f"nick/{name}", f"an opponent's nick {what}", S.REFERENCES, partial(nick_of_opponent, nick=nick))
    for name, (what, change) in ALIKE.items():
        yield Case(f"nick/{name}", what, S.REFERENCES, partial(nick_like_its_own, change=change))
    for name, (what, id) in GAME_IDS.items():
        yield Case(f"game-id/{name}", f"a game's id {what}", S.REFERENCES, partial(id_of_game, id=id))


def reading_cases() -> Iterator[Case]:
    """All of them."""
    yield from _texts()
    yield from spelled(READ, GLUED)
    yield from _names()
