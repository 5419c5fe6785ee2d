"""Games of a type that run already when they are first watched."""

from dataclasses import replace

from trio.testing import memory_stream_pair

from ugs.peer import Peer
from ugs.watch.following import follow
from ugs.watch.joining import MAX_PAST_EVENTS, MAX_PASTS, JoinedGames
from ugs.wire.extensions import (
    EventKind,
    Failed,
    GameEvent,
    Hello,
    Ok,
    RefusalReason,
    Watch,
    WatchFrom,
    Watching,
)
from ugs.wire.messages import Message, ServerShutdown

TYPE = "5-in-line-tic-tac-toe"
SHOWN = Watching("g1", TYPE, 2, (), state=b"<gameState/>")
BEGUN = Watching("g1", TYPE, 0, (), ref="earlier g1")
BEGIN = GameEvent("g1", 1, 0, EventKind.BEGIN)
STATE = GameEvent("g1", 2, 0, EventKind.STATE, state=b"<gameState/>")
MOVED = GameEvent("g1", 3, 1, EventKind.MOVE, "ann")
ENDED = GameEvent("g1", 4, 2, EventKind.ENDED, text="finished")
REFUSED = Failed(RefusalReason.INVALID_GAME, "no such game is running", ref="earlier g1")
WISH = Watch("g1", begin=WatchFrom.BEGIN, delay_s=3, nick="eve", ref="earlier g1")


class Seen:
    """What a spectator of a type sees."""

    def __init__(self, game_type: str = TYPE) -> None:
        self.past = list[object]()
        self.present = list[object]()
        watch = Watch(game_type=game_type, delay_s=3, nick="eve")
        self.joining = JoinedGames(watch, lambda message, last: self.past.append((message, last)), self.present.append)

    def reports(self, *messages: Watching | GameEvent) -> list[Watch]:
        """Report these; return what is asked of the server then."""
        for message in messages:
            self.joining.report(message)
        return list(self.joining.wishes())


def test_what_was_before_is_asked_for_and_kept_apart() -> None:
    seen = Seen()
    assert seen.reports(SHOWN, MOVED) == [WISH]
    assert not seen.reports(BEGUN, BEGIN, STATE, MOVED, ENDED)
    assert seen.past == [(BEGUN, False), (BEGIN, False), (STATE, False), (MOVED, True)]
    assert seen.present == [ENDED]


def test_a_game_that_is_over_meanwhile_is_shown_as_it_was_sent() -> None:
    seen = Seen()
    seen.reports(SHOWN, MOVED, ENDED)
    assert not seen.present
    assert seen.joining.takes(REFUSED)
    assert seen.present == [SHOWN, MOVED, ENDED]
    assert not seen.joining.takes(replace(REFUSED, ref=""))
    assert not seen.joining.takes(Ok("earlier g1"))


def test_what_needs_no_past_is_not_asked_for() -> None:
    at_the_beginning, sketched = replace(SHOWN, number=0), replace(SHOWN, sketch=b"<sketch/>")
    for shown in (at_the_beginning, sketched):
        seen = Seen()
        assert not seen.reports(shown)
        assert seen.present == [shown]
    assert not Seen("a-game-that-is-not-drawn").reports(SHOWN), "a tree shows each state as it is"


def test_of_many_games_only_some_are_asked_for() -> None:
    seen = Seen()
    games = [replace(SHOWN, game_id=f"g{number}") for number in range(MAX_PASTS + 1)]
    assert [wish.game_id for wish in seen.reports(*games)] == [game.game_id for game in games[:-1]]
    assert seen.present == games[-1:]


def test_of_long_games_only_some_are_asked_for() -> None:
    seen = Seen()
    longest, short = replace(SHOWN, number=MAX_PAST_EVENTS), replace(SHOWN, game_id="g2")
    assert seen.reports(short, longest) == [replace(WISH, game_id="g2", ref="earlier g2")]
    assert seen.present == [longest]


async def test_the_dialogue_of_a_type_asks_for_pasts() -> None:
    ours, theirs = memory_stream_pair()
    server, past, present, heard = Peer(theirs), list[object](), list[object](), list[Message]()
    over = replace(SHOWN, game_id="g2")
    refused = replace(REFUSED, ref="earlier g2")
    for one in (Hello(("watch",)), SHOWN, over, MOVED, BEGUN, BEGIN, STATE, MOVED, refused, ENDED, ServerShutdown()):
        await server.send(one)
    await theirs.send_eof()
    async with Peer(ours) as peer:
        await follow(peer, Watch(game_type=TYPE), present.append, lambda message, last: past.append((message, last)))
    while (message := await server.receive()) is not None:
        heard.append(message)
    wishes = [Watch(game, begin=WatchFrom.BEGIN, ref=f"earlier {game}") for game in ("g1", "g2")]
    assert heard[1:] == [Watch(game_type=TYPE), *wishes]
    assert past == [(BEGUN, False), (BEGIN, False), (STATE, False), (MOVED, True)]
    assert present == [over, ENDED]
