"""The cases of bots that are about extensions. Each is for bots that ask for the family."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Final

from ugs.check import as_server
from ugs.check.bot_game import BotGame
from ugs.check.byte_line import ByteLine, End
from ugs.check.case import Broken, Case, Level, NotForThis, blames_itself
from ugs.check.referee import NOTHING
from ugs.check.sentences import S
from ugs.check.tried_bot import TOKEN, TriedBot
from ugs.check.xml_spelling import CUTS, PLAIN, STYLES, WHOLE, Content, Cut, SpelledElement, Style, element
from ugs.wire import extensions as x
from ugs.wire.extensions import Family
from ugs.wire.messages import PlayerLogin

VOID: Final = "game void: the game master is gone"

# 128 letters are the longest that the protocol allows.
REFS: Final = {"none": "", "number": "1", "signs": "a&b<c>\"d'", "longest": "r" * 128, "letters": "響き"}


# x-hello.


async def hello_answered(bot: TriedBot, families: tuple[str, ...] | None) -> None:
    """These families are granted; None: those that it asks for."""
    login = await bot.knock(families)
    if not bot.greeted:
        raise NotForThis("the bot sends no x-hello")
    bot.check_login(login)
    await bot.send(*bot.welcome(), bot.table())
    await bot.plays_on()


async def hello_unknown(bot: TriedBot) -> None:
    """A server of plain v4 takes x-hello for a mistake."""
    login = await bot.knock((), answer_hello=False)
    if not bot.greeted:
        raise NotForThis("the bot sends no x-hello")
    bot.check_login(login)
    await bot.send(as_server.error("x-hello: unknown message type"), as_server.accepted(), bot.table())
    await bot.plays_on()


async def hello_with_more(bot: TriedBot) -> None:
    """The answer has more than is known today."""
    login = await bot.knock(answer_hello=False)
    if not bot.greeted:
        raise NotForThis("the bot sends no x-hello")
    bot.check_login(login)
    await bot.send(with_more(as_server.hello(sorted(bot.granted))), *bot.welcome(), bot.table())
    await bot.plays_on()


async def refused_with_why(bot: TriedBot) -> None:
    """Why the login is refused comes before the answer."""
    login = await bot.knock()
    if not bot.greeted:
        raise NotForThis("the bot sends no x-hello")
    bot.check_login(login)
    why = as_server.failed("INVALID_PLAYER", "playerLogin: this is not the token of this name")
    await bot.send(why, as_server.refused("1"))
    await bot.on.half_close()
    while not isinstance(message := await bot.next_message(1.0), End):
        if not isinstance(message, PlayerLogin) and message.TYPE != "logout":
            raise Broken(f"expected another login or a good-bye; it has sent {message.TYPE}")


# What comes at any time.


async def pinged(bot: TriedBot, ref: str) -> None:
    """A ping is answered at once, with its ref."""
    bot.needs(Family.SESSION, Family.CLOCK)
    await bot.send(as_server.ping(ref))
    await ponged(bot, ref)
    await bot.plays_on()


async def ponged(bot: TriedBot, ref: str) -> None:
    """Take the answer to a ping. Raises Broken."""
    while not isinstance(message := await bot.next_message(), x.Pong):
        if isinstance(message, End):
            raise Broken(f"expected x-pong with ref {ref!r}; it {message.value}")
    if message.ref != ref:
        raise Broken(f"expected x-pong with ref {ref!r}; its ref was {message.ref!r}")


async def ping_written(bot: TriedBot, style: Style = PLAIN, cut: Cut = WHOLE) -> None:
    """A ping in this spelling and these pieces."""
    bot.needs(Family.SESSION, Family.CLOCK)
    await bot.send(as_server.ping("9"), style=style, cut=cut)
    await ponged(bot, "9")


async def pinged_in_turn(bot: TriedBot) -> None:
    """A ping right behind the state that asks for a move."""
    bot.needs(Family.SESSION, Family.CLOCK)
    game = await bot.begin()
    await game.until_turn()
    await bot.send(game.state(), as_server.ping("7"))
    bot.asks(game.id)
    await bot.move()
    await bot.send(as_server.ping("8"))
    while not isinstance(message := await bot.next_message(), x.Pong) or message.ref != "8":
        if isinstance(message, End):
            raise Broken(f"expected x-pong with ref '8'; it {message.value}")
    await bot.send(game.over(payload=NOTHING))
    await game.thanked()


def _warn(scope: str, state: str, game: BotGame) -> SpelledElement:
    return as_server.warning(scope, state, "900", "" if scope == "player" else game.id)


def _verdict(game: BotGame) -> SpelledElement:
    return as_server.verdict(game.id, game.nicks)


NOTICES: Final[dict[str, tuple[str, tuple[Family, ...], str, Callable[[BotGame], SpelledElement]]]] = {
    "warning-idle": ("a warning: silent for long", (Family.SESSION,), S.WARNING, partial(_warn, "player", "IDLE")),
    "warning-table": ("a warning about a table", (Family.SESSION,), S.WARNING, partial(_warn, "game", "IDLE")),
    "warning-clock": ("a warning: short of time", (Family.CLOCK,), S.WARNING, partial(_warn, "clock", "LOW")),
    "clock": ("the clocks", (Family.CLOCK,), S.CLOCK, lambda game: as_server.clock(game.id, game.nicks)),
    "seats": ("who sits where", (Family.LOBBY,), S.SEATS, lambda game: as_server.seats(game.id, game.nicks)),
    "said": (
        "a text of another player", (Family.CHAT,), S.SAID,
        lambda game: as_server.chat_text(game.opponent, game.bot.nick, "Good luck! </message>"),
    ),
    "reason": (
        "the rule that it broke", (Family.REASON,), S.REASON,
        lambda game: as_server.reason(game.id, "illegal-move", "99,18 is outside the board", game.bot.nick),
    ),
}  # fmt: skip
"""What may come before a state, by name: what it is, for whom, the sentence, the message."""


def with_more(message: SpelledElement) -> SpelledElement:
    """The message with an attribute, an element and text that are not known today."""
    more: tuple[Content, ...] = (element("later", "more of it", since="5"), "and text")
    first, *others = message.children or (element("later2"),)
    if isinstance(first, SpelledElement):
        first = replace(first, attributes=(*first.attributes, ("later", "yes")))
    return SpelledElement(message.name, (*message.attributes, ("later", "1")), (first, *others, *more))


async def sent_in_turn(bot: TriedBot, name: str, *, more: bool) -> None:
    """It comes right before the state that asks for a move, and once more behind the move."""
    _, families, _, written = NOTICES[name]
    bot.needs(*families)
    game = await bot.begin()
    if not await game.until_turn():
        raise NotForThis("the game has ended at once")
    message = with_more(written(game)) if more else written(game)
    bot.asks(game.id)
    await bot.send(message, game.state())
    await game.answered()
    await bot.send(message)
    await game.ends()


async def verdict_sent(bot: TriedBot, cause: str, fault: str, *, more: bool) -> None:
    """The verdict comes behind the end of the game."""
    bot.needs(Family.REASON)
    game = await bot.begin()
    await game.turn()
    message = as_server.verdict(game.id, game.nicks, cause, fault)
    await bot.send(game.over(payload=NOTHING), with_more(message) if more else message)
    await game.thanked()
    await bot.plays_on()


async def game_ended_sent(bot: TriedBot, result: str, why: str, *, more: bool) -> None:
    """The reason of the end comes before the end."""
    bot.needs(Family.LOBBY)
    game = await bot.begin()
    await game.turn()
    message = as_server.game_ended(game.id, result, why)
    await bot.send(with_more(message) if more else message, game.over(payload=NOTHING))
    await game.thanked()


async def invited(bot: TriedBot) -> None:
    """Another player asks it to a table."""
    bot.needs(Family.LOBBY)
    attributes = {"seats": "2", "free": "1", "computers": "0", "visibility": "PRIVATE"}
    table = element("table", id="T1", name="Friday", gameType=bot.game_type, owner="Opponent", **attributes)
    await bot.send(as_server.message("x-invitation", table))
    await bot.plays_on()


async def unknown_type(bot: TriedBot) -> None:
    """A message of a later version."""
    if not bot.greeted:
        raise NotForThis("the bot sends no x-hello")
    await bot.send(as_server.message("x-later", element("news", what="more")))
    await bot.plays_on()


# A cut line.


async def cut_and_back(bot: TriedBot, *, turn: bool) -> BotGame:
    """The line is cut after its move; ``turn`` is whether that has arrived. Returns its game, once it is back."""
    await bot.enter()
    bot.needs(Family.SESSION)
    game = await bot.begin()
    await game.asks()
    sent = await bot.move()
    old = bot.on
    await old.close()
    await comes_back(bot)
    bot.game = game
    if turn:
        bot.asks(game.id)
        await bot.send(*bot.welcome(resumed=True, turn=True), game.state())
        # The first one is lost with the line, so it has to come again.
        again = await bot.move()
        await game.takes(again)
        return game
    await bot.send(*bot.welcome(resumed=True, turn=False), game.state())
    # It had arrived, so the bot must not send it again.
    await game.takes(sent)
    return game


async def comes_back(bot: TriedBot) -> None:
    """Take its next connection up to x-resume. Raises Broken."""
    nick, granted = bot.nick, bot.granted
    # Programs wait a moment before they connect again.
    stream = await bot.visitors.again(3 * bot.timeout_s)
    if stream is None:
        raise Broken(f"expected a new connection after the line was cut; none has come in {3 * bot.timeout_s:g} s")
    bot.line = ByteLine(stream, bot.timeout_s, bot.visitors.processor_use)
    login = await bot.knock([str(family) for family in granted], back=True)
    if not isinstance(login, x.Resume):
        raise Broken(f"expected x-resume after the line was cut; it has sent {login.TYPE}")
    if login.token != TOKEN:
        raise Broken(f"expected x-resume with the token {TOKEN!r}; it was {login.token!r}")
    bot.nick = nick


async def resumed(bot: TriedBot, *, turn: bool) -> None:
    """It goes on with its game."""
    game = await cut_and_back(bot, turn=turn)
    with blames_itself():
        await game.turn()
        await game.ends()


async def resumed_while_waiting(bot: TriedBot) -> None:
    """The line is cut while it plays no game."""
    await bot.enter()
    bot.needs(Family.SESSION)
    await bot.on.close()
    await comes_back(bot)
    await bot.send(*bot.welcome(resumed=True), bot.table())
    await bot.plays_on()


async def resumed_after_a_void_game(bot: TriedBot) -> None:
    """Its game is void when it comes back: no state follows, and the next game is a new one."""
    await bot.enter()
    bot.needs(Family.SESSION)
    game = await bot.begin()
    if not await game.asks():
        raise NotForThis("its game has ended before its turn")
    await bot.move()
    await bot.on.close()
    await comes_back(bot)
    await bot.send(*bot.welcome(resumed=True), as_server.error(VOID), bot.table())
    await game.forgotten()
    with blames_itself():
        await bot.plays_on()


async def resume_refused(bot: TriedBot) -> None:
    """Its session is over: it logs in as if there had been none."""
    await bot.enter()
    bot.needs(Family.SESSION)
    await bot.on.close()
    await comes_back(bot)
    await bot.send(as_server.failed("INVALID_PLAYER", "x-resume: there is no such session"))
    while not isinstance(message := await bot.next_message(), PlayerLogin):
        if isinstance(message, End):
            raise Broken(f"expected a playerLogin after its session was refused; it {message.value}")
    bot.check_login(message)
    await bot.send(*bot.welcome(), bot.table())
    await bot.plays_on()


def extension_cases() -> Iterator[Case]:
    """All of them, fresh ones first."""
    for name, what, families in (
        ("all", "the families that it asks for are granted", None),
        ("none", "no family is granted", ()),
    ):
        yield Case(f"hello/{name}", what, S.HELLO, partial(hello_answered, families=families), fresh=True)
    yield Case("hello/error", "x-hello is answered with an error, as by plain v4", S.ERROR, hello_unknown, fresh=True)
    yield Case("hello/more", "the answer to x-hello has more than is known today", S.MORE, hello_with_more, fresh=True)
    what = "why a login is refused comes before the answer"
    yield Case("hello/refused", what, S.GRANTED, refused_with_why, fresh=True)
    yield Case("session/waiting", "the line is cut while it waits", S.RESUME, resumed_while_waiting, fresh=True)
    for word, turn in (("arrived", False), ("lost", True)):
        what = f"the line is cut after its move, which has {'not ' if turn else ''}arrived"
        yield Case(f"session/move-{word}", what, S.RESUMED_TURN, partial(resumed, turn=turn), fresh=True,
                   builds_on="session/waiting")  # fmt: skip
    yield Case("session/void", "its game has become void meanwhile", S.MISSED, resumed_after_a_void_game, fresh=True,
               builds_on="session/waiting")  # fmt: skip
    yield Case(
        "session/over", "its session is over", S.RESUME_REFUSED, resume_refused, fresh=True, builds_on="session/waiting"
    )
    for name, ref in REFS.items():
        yield Case(f"ping/{name}", f"a ping, ref: {name}", S.PONG if not ref else S.REF, partial(pinged, ref=ref),
                   builds_on="" if not ref else "ping/none")  # fmt: skip
    yield Case("ping/in-turn", "a ping behind the state that asks it", S.PONG, pinged_in_turn, builds_on="ping/number")
    for name, (what, _, sentence, _) in NOTICES.items():
        yield Case(f"told/{name}", what, sentence, partial(sent_in_turn, name=name, more=False))
        yield Case(f"told/{name}-more", f"{what}, with more than is known today", S.MORE,
                   partial(sent_in_turn, name=name, more=True), builds_on=f"told/{name}")  # fmt: skip
    for name, cause, fault in (
        ("finished", "finished", "none"),
        ("illegal", "illegal move", "player"),
        ("later", "a cause of later", "chance"),
    ):
        run = partial(verdict_sent, cause=cause, fault=fault)
        below = f"verdict/{name}"
        yield Case(below, f"the verdict of a game: {cause}", S.VERDICT, partial(run, more=False))
        what = f"the verdict of a game: {cause}, with more than is known today"
        yield Case(f"verdict/{name}-more", what, S.MORE, partial(run, more=True), builds_on=below)
    for name, result, why in (("finished", "COMPLETED", "FINISHED"), ("later", "CANCELLED", "LATER_WORD")):
        run = partial(game_ended_sent, result=result, why=why)
        below = f"ended/{name}"
        yield Case(below, f"the end of a game at a table: {why}", S.WORDS, partial(run, more=False))
        what = f"the end of a game at a table: {why}, with more than is known today"
        yield Case(f"ended/{name}-more", what, S.MORE, partial(run, more=True), builds_on=below)
    yield Case("told/invitation", "an invitation to a table", S.INVITED, invited)
    yield Case("told/unknown", "a message of a later version", S.MORE, unknown_type, Level.SHOULD)
    for name in ("in-the-type", "byte-by-byte"):
        yield Case(f"ping/cut-{name}", "a ping in pieces", S.PIECES, partial(ping_written, cut=CUTS[name]),
                   builds_on="ping/number")  # fmt: skip
    for name in ("empty-as-pair", "single-quotes", "wide-tags", "references"):
        run = partial(ping_written, style=STYLES[name])
        yield Case(
            f"ping/written-{name}",
            f"a ping, {name}",
            S.XML,
            run,
            Level.SHOULD,
            builds_on="ping/number",
        )
