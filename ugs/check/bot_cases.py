"""The cases of bots that are about v4: how a bot comes in, moves, thanks and ends."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from ugs.check import as_server
from ugs.check.bot_game import BotGame
from ugs.check.bot_reading_cases import reading_cases
from ugs.check.byte_line import End
from ugs.check.case import Broken, Case, Level, blames_itself
from ugs.check.referee import NOTHING
from ugs.check.sentences import S
from ugs.check.shared_cases import ends
from ugs.check.tried_bot import TriedBot
from ugs.check.xml_spelling import CUTS, PLAIN, STYLES, WHOLE, Cut, Style, in_words
from ugs.wire.messages import Logout, PlayerLogin, ThankYou

MAX_REFUSED: Final = 100
"""Moves in a row that a game master refuses, where it asks again."""
FULL_GAMES: Final = 3


# Coming in.


async def logs_in(bot: TriedBot) -> None:
    """It sends its login."""
    await bot.enter()


async def login_answered(bot: TriedBot, style: Style = PLAIN, cut: Cut = WHOLE) -> None:
    """The answer to its login comes in this spelling and these pieces."""
    bot.check_login(await bot.knock())
    await bot.send(*bot.welcome(), style=style, cut=cut)
    await bot.plays_on()


async def login_glued(bot: TriedBot) -> None:
    """Answer, table and first state come in one piece."""
    bot.check_login(await bot.knock())
    game = await bot.begin()
    asked = bot.nick in game.position.movers
    if asked:
        bot.asks(game.id)
    await bot.send(*bot.welcome(), bot.table(), game.state())
    if asked:
        await game.answered()
    else:
        await game.others_move()
        await game.turn()
    await game.ends()


async def login_without_table(bot: TriedBot) -> None:
    """A game begins before a table could be sent."""
    bot.check_login(await bot.knock())
    await bot.send(*bot.welcome())
    await bot.plays_on()


async def login_refused(bot: TriedBot, number: str) -> None:
    """After a refusal it may try again, end, or wait; it does not play."""
    bot.check_login(await bot.knock())
    await bot.send(as_server.refused(number))
    # With our side closed a bot that only waits comes to its end, too.
    await bot.on.half_close()
    while not isinstance(message := await bot.next_message(1.0), End):
        if not isinstance(message, PlayerLogin | Logout):
            raise Broken(f"expected another login or a good-bye after error {number}; it has sent {message.TYPE}")


async def declared_always(bot: TriedBot) -> None:
    """Every document of the bot has a declaration."""
    bot.check_login(await bot.knock())
    bot.on.declared = True
    await bot.send(*bot.welcome(), bot.table())
    await bot.plays_on()


# Playing.


async def moves(bot: TriedBot) -> None:
    """It is asked, and moves."""
    game = await bot.begin()
    await game.turn()
    await game.forgotten()
    await bot.leaves()  # whether it thanks is another case


async def thanks(bot: TriedBot) -> None:
    """A game ends, and it thanks."""
    await bot.plays_on()


async def sits_second(bot: TriedBot) -> None:
    """It does not have the first seat."""
    game = await bot.begin(second=True)
    await game.turn()
    await game.turn()
    await game.ends()


async def plays_to_the_end(bot: TriedBot, number: int) -> None:
    """A whole game by the rules; all its moves are legal."""
    game, refused = await bot.begin(second=bool(number % 2), seed=f"check {number}"), 0
    while await game.turn() is not None:
        # In some games a move may be refused, and the same player is asked again: such a guess is no fault.
        asked_again = game.position.results is None and bot.nick in game.position.movers
        refused = refused + 1 if game.position.culprit == bot.nick and asked_again else 0
        if (game.position.culprit == bot.nick and not asked_again) or refused > MAX_REFUSED:
            raise Broken(f"expected a legal move; the game master answers: {game.position.why}")
    await game.ends()


async def error_in_its_turn(bot: TriedBot) -> None:
    """An error while it is asked."""
    game = await bot.begin()
    await game.asks()
    await bot.send(as_server.error("move: this is for your log"))
    await game.answered()
    await game.turn()
    await game.ends()


async def many_games(bot: TriedBot) -> None:
    """Five games, one after the other."""
    for number in range(5):
        game = await bot.begin(second=bool(number % 2))
        await game.turn()
        await game.ends()


async def next_game_at_once(bot: TriedBot) -> None:
    """The next game begins without a table in between."""
    game = await bot.begin()
    await game.turn()
    await bot.send(game.over(payload=NOTHING))
    await bot.thanks()
    await game.forgotten()
    await bot.plays_on()


# Ends.


async def end_with(bot: TriedBot, results: Callable[[BotGame], dict[str, str]]) -> None:
    """A game ends with these results."""
    game = await bot.begin()
    await game.turn()
    await bot.send(game.over(results(game), NOTHING))
    await game.thanked()


RESULTS: Final[dict[str, tuple[str, Callable[[BotGame], dict[str, str]]]]] = {
    "won": ("the bot has won", lambda game: game.results()),
    "lost": ("the bot has lost", lambda game: game.results(game.opponent)),
    "all-winners": ("all are winners: a draw", lambda game: dict.fromkeys(game.nicks, "winner")),
    "all-losers": ("all are losers: a draw", lambda game: dict.fromkeys(game.nicks, "loser")),
    "other-order": ("the results come in another order", lambda game: dict(reversed(game.results().items()))),
    "leaver-not-listed": ("who left is not listed", lambda game: {game.bot.nick: "winner"}),
}


async def end_at_first_state(bot: TriedBot) -> None:
    """The first thing that it learns of a game is its end."""
    game = await bot.begin()
    await bot.send(game.over(payload=NOTHING))
    await game.thanked()
    await bot.plays_on()


async def end_in_its_turn(bot: TriedBot) -> None:
    """The game ends while it thinks; its move may be on its way."""
    game = await bot.begin()
    await game.asks()
    bot.asks_no_more(game.id)
    await bot.send(game.over(payload=NOTHING))
    await game.thanked()
    await bot.plays_on()


async def end_with_last_state(bot: TriedBot) -> None:
    """The end shows the last state once more."""
    game = await bot.begin()
    await game.turn()
    await bot.send(game.over())
    await game.thanked()


async def void(bot: TriedBot, text: str, *, asked: bool) -> None:
    """A game is void: no thanks are due, and the next one begins."""
    game = await bot.begin()
    if asked:
        await game.asks()
        bot.asks_no_more(game.id)
    else:
        await game.turn()
    await bot.send(as_server.error(text))
    await game.forgotten()
    with blames_itself():
        await bot.plays_on()


async def only_one_thanks(bot: TriedBot) -> None:
    """Between two games the bot sends nothing about the first one."""
    game = await bot.begin()
    await game.turn()
    await game.ends()
    await bot.plays_on()


# The end of the line.


async def shuts_down(bot: TriedBot, *, playing: bool, cut: Cut = WHOLE) -> None:
    """The server stops: the bot ends its side, and sends nothing more about games."""
    await bot.enter()
    if playing:
        game = await bot.begin()
        await game.turn()
    await bot.send(as_server.shutdown(), cut=cut)
    await bot.on.half_close()
    while not isinstance(message := await bot.next_message(), End):
        if isinstance(message, ThankYou):
            raise Broken("expected nothing more about games after serverShutdown; it has sent a thank you")
    if message is End.SILENT:
        raise Broken(f"expected the end of its side of the connection; it {message.value} for {bot.timeout_s:g} s")


async def line_closed(bot: TriedBot, *, playing: bool) -> None:
    """The server closes without a word."""
    await bot.enter()
    if playing:
        await (await bot.begin()).asks()
    await bot.on.half_close()
    while not isinstance(message := await bot.next_message(), End):
        pass
    if message is End.SILENT:
        raise Broken(f"expected the end of its side of the connection; it {message.value} for {bot.timeout_s:g} s")


def _entry() -> Iterator[Case]:
    yield Case("entry/login", "it logs in, with a nick and its game type", S.LOGIN, logs_in, fresh=True, basic=True)
    for number, level in [*((str(one), Level.MUST) for one in range(1, 6)), ("9", Level.SHOULD)]:
        what = f"the login is refused with error {number}"
        yield Case(f"entry/refused-{number}", what, S.REFUSED, partial(login_refused, number=number), level, fresh=True)
    # Not all cuts and spellings: each of these cases starts the bot once more.
    for name in ("in-the-type", "before-the-last-byte", "byte-by-byte"):
        run = partial(login_answered, cut=CUTS[name])
        yield Case(f"entry/cut-{name}", f"the answer to the login, cut {in_words(name)}", S.PIECES, run, fresh=True)
    for name in ("empty-as-pair", "single-quotes", "indented"):
        run = partial(login_answered, style=STYLES[name])
        what = f"the answer to the login, written otherwise: {in_words(name)}"
        yield Case(f"entry/written-{name}", what, S.XML, run, Level.SHOULD, fresh=True)
    yield Case("entry/glued", "answer, table and state in one piece", S.PIECES, login_glued, fresh=True)
    what = "a game begins, and no table came before"
    yield Case("entry/no-table", what, S.TABLE_WHEN_IDLE, login_without_table, fresh=True)
    what = "all documents have a declaration"
    yield Case("entry/declared", what, S.DECLARED, declared_always, Level.SHOULD, fresh=True)


def _playing() -> Iterator[Case]:
    yield Case("turn/first-move", "it moves when it is asked", S.TURN, moves, basic=True)
    yield Case("over/thanks", "it thanks when a game is over", S.READY, thanks, basic=True)
    yield Case("turn/second-seat", "it does not have the first seat", S.TURN, sits_second)
    yield Case("turn/error", "an error while it is asked", S.ERROR, error_in_its_turn)
    for number in range(FULL_GAMES):
        what = f"a whole game, number {number + 1}: all its moves are legal"
        yield Case(f"turn/legal-{number + 1}", what, S.LEGAL, partial(plays_to_the_end, number=number))
    yield Case("over/five-games", "five games, one after another", S.READY, many_games)
    yield Case("over/next-at-once", "the next game begins without a table", S.READY, next_game_at_once)
    for name, (what, results) in RESULTS.items():
        yield Case(f"over/{name}", what, S.OVER, partial(end_with, results=results))
    what = "the first that it learns of a game is its end"
    yield Case("over/at-first", what, S.OVER, end_at_first_state)
    yield Case("over/in-its-turn", "the game ends while it is asked", S.LATE, end_in_its_turn)
    yield Case("over/last-state", "the end shows the last state once more", S.OVER, end_with_last_state)
    yield Case("over/nothing-more", "after its thanks it sends nothing about that game", S.READY, only_one_thanks)
    for name, asked in (("asked", True), ("waiting", False)):
        for number, text in enumerate(("game void: the game master does not answer", "game void: 雨"), 1):
            run = partial(void, text=text, asked=asked)
            what = f"a game is void while the bot is {name}, text {number}"
            yield Case(f"void/{name}-{number}", what, S.VOID, run)


WATCHED: Final = (
    Case("bytes/documents", "all that it sends can be cut into documents", S.DOCUMENTS),
    Case("bytes/messages", "each document is a right message of a player", S.STRICT),
    Case("bytes/no-flood", "it does not send thousands of documents for one answer", S.FLOOD),
    Case("entry/login-first", "its first words are a login, with x-hello before it at most", S.FIRST),
    Case("entry/one-login", "it logs in once on a connection", S.ONE_LOGIN),
    Case("turn/only-when-asked", "it moves only when it is asked, and once", S.ONCE),
    Case("turn/own-game", "its moves have the id of the game", S.OWN_GAME),
    Case("over/thanks-once", "it thanks once for each game, with its id", S.THANKS),
    Case("ext/granted-only", "it uses no extension that was not granted", S.GRANTED),
)
"""Watched in all dialogues."""


def v4_cases() -> list[Case]:
    """All of them, in the order of the trials: what all else stands on first, fresh ones together."""
    last = ends("the bot", shuts_down, line_closed, S.CLOSES)
    return [*WATCHED, *_entry(), *_playing(), *reading_cases(), *last]
