"""The cases of game masters that are about v4: how a master comes in, leads games, and judges moves."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from ugs.check import as_server
from ugs.check.byte_line import End
from ugs.check.case import Broken, Case, Level, NotForThis
from ugs.check.led_game import check_judged
from ugs.check.master_reading_cases import reading_cases
from ugs.check.master_wrong_cases import wrong_cases
from ugs.check.referee import FAMILIES
from ugs.check.sentences import S
from ugs.check.shared_cases import ends
from ugs.check.tried_master import TriedMaster
from ugs.check.unusual_names import GAME_IDS, NICKS
from ugs.check.xml_spelling import CUTS, PLAIN, STYLES, WHOLE, Cut, Style, in_words
from ugs.wire.extensions import Family
from ugs.wire.messages import GameMasterLogin, Logout

FULL_GAMES: Final = 3
MAX_MOVES: Final = 20_000
"""Moves of a game that does not come to an end."""


# Coming in.


async def logs_in(master: TriedMaster) -> None:
    """It logs in and names its game type."""
    master.check_login(await master.knock())
    await master.send(as_server.accepted())
    await master.offers()
    await master.plays_on()


async def login_answered(master: TriedMaster, style: Style = PLAIN, cut: Cut = WHOLE) -> None:
    """The answer to its login comes in this spelling and these pieces."""
    master.check_login(await master.knock())
    await master.send(as_server.accepted(), style=style, cut=cut)
    await master.offers()
    await master.plays_on()


async def login_glued(master: TriedMaster) -> None:
    """Answer and first game come in one piece."""
    families = [str(one) for one in FAMILIES if one is not Family.TABLE]  # a game comes only behind its offers
    master.check_login(await master.knock(families))
    game = master.new_game()
    await master.send(as_server.accepted(), game.beginning())
    await game.answered()


async def login_refused(master: TriedMaster, number: str) -> None:
    """After a refusal it may try again, end, or wait; it does not lead."""
    master.check_login(await master.knock())
    await master.send(as_server.refused(number))
    await master.on.half_close()
    while not isinstance(message := await master.next_message(1.0), End):
        if not isinstance(message, GameMasterLogin | Logout):
            raise Broken(f"expected another login or a good-bye after error {number}; it has sent {message.TYPE}")


async def declared_always(master: TriedMaster) -> None:
    """Every document of the master has a declaration."""
    master.check_login(await master.knock())
    master.on.declared = True
    await master.send(as_server.accepted())
    await master.offers()
    await master.plays_on()


# Games.


async def first_state(master: TriedMaster) -> None:
    """A game begins."""
    game = await master.begin()
    await game.drop()


async def players(master: TriedMaster, number: Callable[[TriedMaster], int]) -> None:
    """A game of this number of players."""
    game = await master.begin(master.nicks(number(master)))
    if game.knows_move:
        await game.turn()
    await game.drop()


PLAYERS: Final[dict[str, tuple[str, Callable[[TriedMaster], int]]]] = {
    "least": ("a game of as few as it takes", lambda master: master.least),
    "most": ("a game of as many as it takes", lambda master: min(master.most, 64)),
    "between": ("a game of a number between", lambda master: min(64, (master.least + master.most) // 2)),
}


async def nick_of_player(master: TriedMaster, nick: str) -> None:
    """A player with an unusual nick, in each seat."""
    others = [one for one in master.nicks() if one != nick][: master.least - 1]
    for nicks in ([nick, *others], [*others, nick]):
        game = await master.begin(nicks)
        for _ in range(2):
            if game.knows_move:
                await game.turn()
        await game.drop()


async def id_of_game(master: TriedMaster, id: str) -> None:
    """A game with an unusual id."""
    game = await master.begin(id=id)
    if game.knows_move:
        await game.turn()
    await game.drop()


async def plays_to_the_end(master: TriedMaster, number: int) -> None:
    """A whole game by the rules."""
    game = await master.begin(master.nicks()[::-1] if number % 2 else (), seed=f"check {number}")
    for _ in range(MAX_MOVES):
        if not game.going:
            return
        await game.turn()
        check_judged(game)
    raise NotForThis(f"the game has not ended after {MAX_MOVES} moves")


async def after_the_end(master: TriedMaster) -> None:
    """A move for a game that is over."""
    await plays_to_the_end(master, 0)
    game = list(master.games.values())[-1]
    game.dropped = True
    await master.send(as_server.move(game.id, b"<move/>"), as_server.left(game.nicks[0], game.id))
    await master.plays_on()


# Leaving.


async def mover_left(master: TriedMaster, moves: int) -> None:
    """The player who is asked leaves, after ``moves``."""
    game = await master.begin()
    for _ in range(moves):
        if game.going:
            await game.turn()
    if not game.going:
        raise NotForThis("the game is over already")
    await game.leave(game.position.movers[0])
    await game.answered()
    await master.plays_on()


async def other_left(master: TriedMaster) -> None:
    """A player who is not asked leaves; then the one who is asked moves or has won."""
    game = await master.begin()
    other = next((nick for nick in game.nicks if nick not in game.position.movers), None)
    if other is None or not game.going:
        raise NotForThis("all are asked")
    await game.leave(other)
    if len(game.present) > 1:
        game.owed = False  # it may wait for the move of who is asked
    await game.answered()
    await game.drop()
    await master.plays_on()


async def all_left(master: TriedMaster) -> None:
    """All leave at once."""
    game = await master.begin()
    game.dropped = True
    await master.send(*(as_server.left(nick, game.id) for nick in game.nicks))
    await master.plays_on()


async def left_behind_move(master: TriedMaster) -> None:
    """A move, and its player leaves, in one piece."""
    game = await master.begin()
    mover = game.position.movers[0] if game.going else ""
    move = game.moving(game.legal())
    game.dropped = True
    await master.send(move, as_server.left(mover, game.id))
    await master.plays_on()


# The end of the line.


async def shuts_down(master: TriedMaster, *, playing: bool, cut: Cut = WHOLE) -> None:
    """The server stops: the master ends its side."""
    await master.enter()
    if playing:
        await master.begin()
    await master.send(as_server.shutdown(), cut=cut)
    await ended(master)


async def line_closed(master: TriedMaster, *, playing: bool) -> None:
    """The server closes without a word."""
    await master.enter()
    if playing:
        await master.begin()
    await ended(master)


async def ended(master: TriedMaster) -> None:
    """Take the end of its side. Raises Broken."""
    await master.on.half_close()
    while not isinstance(message := await master.next_message(), End):
        pass
    if message is End.SILENT:
        raise Broken(f"expected the end of its side of the connection; it {message.value} for {master.timeout_s:g} s")


def _entry() -> Iterator[Case]:
    yield Case("entry/login", "it logs in, and leads a game", S.MASTER_LOGIN, logs_in, fresh=True, basic=True)
    for number, level in [*((str(one), Level.MUST) for one in range(1, 6)), ("9", Level.SHOULD)]:
        what = f"the login is refused with error {number}"
        yield Case(f"entry/refused-{number}", what, S.REFUSED, partial(login_refused, number=number), level, fresh=True)
    # Not all cuts and spellings: each of these cases starts the master once more.
    for name in ("in-the-type", "before-the-last-byte", "byte-by-byte"):
        run = partial(login_answered, cut=CUTS[name])
        yield Case(f"entry/cut-{name}", f"the answer to the login, cut {in_words(name)}", S.PIECES, run, fresh=True)
    for name in ("empty-as-pair", "single-quotes", "indented"):
        run = partial(login_answered, style=STYLES[name])
        what = f"the answer to the login, written otherwise: {in_words(name)}"
        yield Case(f"entry/written-{name}", what, S.XML, run, Level.SHOULD, fresh=True)
    yield Case("entry/glued", "answer and game in one piece", S.PIECES, login_glued, fresh=True)
    what = "all documents have a declaration"
    yield Case("entry/declared", what, S.DECLARED, declared_always, Level.SHOULD, fresh=True)


def _games() -> Iterator[Case]:
    yield Case("state/first", "a game begins", S.FIRST_STATE, first_state, basic=True)
    for name, (what, number) in PLAYERS.items():
        yield Case(f"players/{name}", what, S.FIRST_STATE, partial(players, number=number))
    for name, (what, nick) in NICKS.items():
        yield Case(f"nick/{name}", f"a nick {what}", S.REFERENCES, partial(nick_of_player, nick=nick))
    for name, (what, id) in GAME_IDS.items():
        yield Case(f"game-id/{name}", f"a game's id {what}", S.REFERENCES, partial(id_of_game, id=id))
    for place in range(FULL_GAMES):
        what = f"a whole game, number {place + 1}"
        yield Case(f"over/whole-{place + 1}", what, S.NAMED, partial(plays_to_the_end, number=place))
    yield Case("over/late", "a move and a leaver of a game that is over", S.LATE_FOR_MASTER, after_the_end)


def _leaving() -> Iterator[Case]:
    for moves in (0, 1, 2):
        what = f"who is asked leaves after {moves} moves"
        yield Case(f"left/asked-{moves}", what, S.LEFT, partial(mover_left, moves=moves))
    yield Case("left/not-asked", "a player leaves who is not asked", S.LEFT, other_left)
    yield Case("left/all", "all leave at once", S.LEFT, all_left)
    yield Case("left/behind-move", "a move, and its player leaves, in one piece", S.LEFT, left_behind_move)


WATCHED: Final = (
    Case("bytes/documents", "all that it sends can be cut into documents", S.DOCUMENTS),
    Case("bytes/messages", "each document is a right message of a game master", S.STRICT),
    Case("bytes/no-flood", "it does not send thousands of documents for one answer", S.FLOOD),
    Case("entry/login-first", "its first words are a login, with x-hello before it at most", S.FIRST),
    Case("state/own-game", "its states are of games that it was given", S.LATE_FOR_MASTER),
    Case("state/one-answer", "one state answers a begin or a move", S.ANSWERS),
    Case("state/next-player", "who has to move is a player who is still there", S.NAMED),
    Case("over/all-listed", "the results name each player who is still there, and no stranger", S.ALL_LISTED),
    Case("ext/granted-only", "it uses no extension that was not granted", S.GRANTED),
)
"""Watched in all dialogues."""


def v4_cases() -> list[Case]:
    """All of them."""
    last = ends("it", shuts_down, line_closed, S.SHUTDOWN)
    return [*WATCHED, *_entry(), *_games(), *_leaving(), *wrong_cases(), *reading_cases(), *last]
