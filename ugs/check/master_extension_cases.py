"""The cases of game masters that are about extensions and about the verdicts of installed rules."""

from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Final

from ugs.check import as_server
from ugs.check.byte_line import End
from ugs.check.case import Broken, Case, NotForThis, blames_itself
from ugs.check.led_game import TriedGame
from ugs.check.referee import position_of
from ugs.check.sentences import S
from ugs.check.tried_master import TriedMaster
from ugs.check.xml_spelling import SpelledElement, element
from ugs.wire.extensions import Failed, Family, Views
from ugs.wire.messages import GameState

GAMES: Final = 100
"""Games whose verdicts are compared."""
WRONG: Final = 0.03
"""The share of moves in them that are wrong on purpose."""
MAX_MOVES: Final = 2_000


async def hello_answered(master: TriedMaster, families: tuple[str, ...] | None) -> None:
    """These families are granted; None: those that it asks for. A master that cannot do without logs out."""
    login = await master.knock(families)
    if not master.greeted:
        raise NotForThis("the game master sends no x-hello")
    master.check_login(login)
    await master.send(as_server.accepted())
    if families is None:
        await master.offers()
        await master.plays_on()
        return
    await leads_or_leaves(master)


async def leads_or_leaves(master: TriedMaster) -> None:
    """Without a family that it needs it may log out, or give the game up; else it leads."""
    game = master.new_game()
    await master.send(game.beginning())
    message = await master.next_message()
    if isinstance(message, End) and message is End.SILENT:
        raise Broken(f"expected a gameState, or a good-bye; it {message.value}")


async def hello_unknown(master: TriedMaster) -> None:
    """A server of plain v4 takes x-hello for a mistake."""
    login = await master.knock((), answer_hello=False)
    if not master.greeted:
        raise NotForThis("the game master sends no x-hello")
    master.check_login(login)
    await master.send(as_server.error("x-hello: unknown message type"), as_server.accepted())
    await leads_or_leaves(master)


async def hello_with_more(master: TriedMaster) -> None:
    """The answer has more than is known today."""
    login = await master.knock(answer_hello=False)
    if not master.greeted:
        raise NotForThis("the game master sends no x-hello")
    master.check_login(login)
    hello = as_server.hello(sorted(master.granted))
    more = SpelledElement(
        hello.name, (*hello.attributes, ("later", "1")), (*hello.children, element("later", "more"), "text")
    )
    await master.send(more, as_server.accepted())
    await master.offers()
    await master.plays_on()


async def offers_made(master: TriedMaster) -> None:
    """Its offers come behind the login."""
    master.check_login(await master.knock())
    master.needs(Family.TABLE)
    await master.send(as_server.accepted())
    await master.offers()


async def stopped(master: TriedMaster, *, more: bool) -> None:
    """A game is ended by the server: the master sends nothing more about it."""
    master.needs(Family.TABLE)
    game = await master.begin()
    stop = as_server.stop(game.id)
    game.dropped = True
    await master.send(
        SpelledElement(stop.name, (*stop.attributes, ("later", "1")), (*stop.children, "text")) if more else stop
    )
    await master.plays_on()


async def stopped_unknown(master: TriedMaster) -> None:
    """A game ends that it does not lead."""
    master.needs(Family.TABLE)
    await master.send(as_server.stop("nothing"))
    await master.plays_on()


async def labelled(master: TriedMaster) -> None:
    """It offers options, and they are handed back as a game begins."""
    master.needs(Family.TABLE)
    if not master.options:
        raise NotForThis("the game master offers no options")
    await master.plays_on()


async def seats_of_its_own(master: TriedMaster) -> None:
    """A game with a seat more than players: the master plays that seat, or declines."""
    master.needs(Family.TABLE)
    if not master.plays_seats:
        raise NotForThis("by its x-offers it plays no seats")
    game = master.new_game(master.nicks(master.least - 1))
    beginning = game.beginning()
    seats = element("seats", total=str(master.least))
    await master.send(SpelledElement(beginning.name, beginning.attributes, (*beginning.children, seats)))
    with blames_itself():
        if await declines(master, game):
            await master.plays_on()
            return
        if game.knows_move:
            await game.turn()
    await game.drop()


async def declines(master: TriedMaster, game: TriedGame) -> bool:
    """Whether it answers with x-failed. Raises Broken where it answers with no right state either."""
    message = await master.next_message()
    if isinstance(message, Failed) and message.game_id == game.id:
        game.dropped = True
        return True
    if isinstance(message, GameState | Views) and message.game_id == game.id:
        game.takes(position_of(message))
        return False
    answer = message.value if isinstance(message, End) else f"has sent {message.TYPE}"
    raise Broken(
        f"expected x-failed, or the first state of game {game.id}, in which the seats behind those of the players are "
        f"the master's own; it {answer}"
    )


async def same_seed(master: TriedMaster) -> None:
    """Two games with one seed and the same moves are the same game."""
    master.needs(Family.RESTORE)
    one, other = await master.begin(seed="Qm3xV7"), await master.begin(seed="Qm3xV7")
    for _ in range(20):
        _compare(one, other)
        if not one.going:
            return
        payload = one.legal()
        await one.move(payload)
        await other.move(payload)
    await one.drop()
    await other.drop()


def _compare(one: TriedGame, other: TriedGame) -> None:
    a, b = one.position, other.position
    for what, left, right in (
        ("nextPlayer", a.movers, b.movers),
        ("results", a.results, b.results),
        ("the state", one.shown, other.shown),
    ):
        if left != right:
            raise Broken(f"expected the same in both games; {what}: {left!r} and {right!r}")


async def restored(master: TriedMaster, moves: int) -> None:
    """A game is handed over after ``moves``: the state names the same players to move."""
    master.needs(Family.RESTORE)
    game = await master.begin(seed="Qm3xV7")
    past: list[SpelledElement] = []
    for _ in range(moves):
        if not game.going:
            raise NotForThis("the game is over already")
        payload = game.legal()
        past.append(element("moved", payload, nick=game.position.movers[0]))
        await game.move(payload)
    again = master.new_game(game.nicks)
    await master.send(_restore(again, past))
    await again.answered()
    if (again.position.movers, again.position.results) != (game.position.movers, game.position.results):
        raise Broken(
            f"expected nextPlayer {game.position.movers} and results {game.position.results} in the game that was "
            f"handed over; they were {again.position.movers} and {again.position.results}"
        )
    await game.drop()
    if again.going:
        # The notation of some games follows each state, and has missed what was handed over.
        payload = again.legal() if not moves else b"<move/>"
        await again.move(payload)
    await again.drop()


def _restore(game: TriedGame, past: list[SpelledElement]) -> SpelledElement:
    beginning = game.beginning("Qm3xV7")
    return SpelledElement("message", (("type", "x-restore"),), (*beginning.children, *past))


async def restored_with_leaver(master: TriedMaster) -> None:
    """A game is handed over after its first player has left."""
    master.needs(Family.RESTORE)
    if master.most < 3:
        raise NotForThis("its games have two players")
    game = master.new_game(master.nicks(max(3, master.least)))
    game.present.remove(game.nicks[2])
    await master.send(_restore(game, [element("left", nick=game.nicks[2], cause="timeout")]))
    await game.answered()
    await game.drop()


async def several_movers(master: TriedMaster) -> None:
    """Where several may act, each may be first."""
    master.needs(Family.MOVERS)
    rules = master.needs_rules()
    game = await master.begin(master.nicks(min(4, master.most)), seed="check")
    for _ in range(60):
        if not game.going:
            break
        movers = game.position.movers
        last = movers[-1]
        payload = rules.opponents.move(game.id, last, game.position)
        game.owed = True
        await master.send(as_server.moved(game.id, last, payload))
        await game.answered()
    await game.drop()


async def agrees(master: TriedMaster) -> None:
    """Its verdicts are those of the installed rules, move by move, wrong moves included."""
    rules = master.needs_rules()
    if rules.chance:
        raise NotForThis("the game has chance, which every program makes in its own way")
    rng = Random("check")
    for number in range(GAMES):
        await _agrees_in(master, rng, number)


async def _agrees_in(master: TriedMaster, rng: Random, number: int) -> None:
    rules = master.needs_rules()
    nicks = master.nicks(rng.randint(master.least, min(master.most, master.least + 2)))
    game = await master.begin(nicks)
    ours = await rules.referee.begin(f"R{number}", nicks)
    played: list[bytes] = []
    for _ in range(MAX_MOVES):
        if (game.position.movers, game.position.results) != (ours.movers, ours.results):
            raise Broken(
                f"expected in game {number + 1} of {GAMES}, after {len(played)} moves (the last: {played[-1:]}): "
                f"nextPlayer {ours.movers}, results {ours.results}; "
                f"they were {game.position.movers} and {game.position.results}"
            )
        if ours.results is not None:
            break
        wrong = rng.random() < WRONG
        # A move from before is well-formed, but seldom legal any more.
        payload = (
            rng.choice([b"<move/>", *played]) if wrong else rules.opponents.move(game.id, ours.movers[0], game.position)
        )
        played.append(payload)
        ours = await rules.referee.moved(f"R{number}", ours.movers[0], payload)
        await game.move(payload)
    await rules.referee.drop(f"R{number}")
    await game.drop()


def extension_cases() -> Iterator[Case]:
    """All of them."""
    yield Case("hello/all", "the families that it asks for are granted", S.HELLO,
               partial(hello_answered, families=None), fresh=True)  # fmt: skip
    yield Case("hello/none", "no family is granted", S.NOT_KNOWN, partial(hello_answered, families=()), fresh=True)
    yield Case("hello/error", "x-hello is answered with an error, as by plain v4", S.ERROR, hello_unknown, fresh=True)
    yield Case("hello/more", "the answer to x-hello has more than is known today", S.MORE, hello_with_more, fresh=True)
    yield Case("table/offers", "its offers come behind the login", S.OFFERS, offers_made, fresh=True)
    yield Case("table/options", "its options are handed back as a game begins", S.OPTIONS, labelled)
    what = "a game with more seats than players: it plays them, or declines"
    yield Case("table/seats", what, S.SEATS_OF_MASTER, seats_of_its_own)
    yield Case("table/stop", "the server has ended a game", S.UNFINISHED, partial(stopped, more=False))
    yield Case("table/stop-more", "the same, with more than is known today", S.MORE, partial(stopped, more=True))
    yield Case("table/stop-unknown", "a game has ended that it does not lead", S.UNFINISHED, stopped_unknown)
    yield Case("restore/seed", "two games with one seed and the same moves", S.SEED, same_seed)
    for moves in (0, 1, 3):
        what = f"a game is handed over after {moves} moves"
        yield Case(f"restore/moves-{moves}", what, S.RESTORE, partial(restored, moves=moves))
    yield Case("restore/left", "a game is handed over that one has left", S.RESTORE, restored_with_leaver)
    yield Case("movers/last-first", "of several who may act the last one is first", S.MOVED, several_movers)
    what = f"the verdicts of {GAMES} games are those of the installed rules"
    yield Case("rules/verdicts", what, S.RULES, agrees, games=GAMES)
