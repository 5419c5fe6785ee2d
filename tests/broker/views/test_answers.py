"""The JSON of every answer, letter for letter: programs read it, and compare what they have kept."""

import json
from collections.abc import Iterator
from pathlib import Path

from tests.broker.cup import comes
from tests.broker.house import CHESS, House
from ugs.broker.values.questions import (
    Act,
    ActKind,
    Order,
    OrderKind,
    OwnerAsked,
    PublicAsked,
    PublicWhyAsked,
    Question,
    ServerAsked,
    WhyAsked,
)
from ugs.wire.extensions import Advertise, Family, NewTable, Visibility
from ugs.wire.messages import PlayerLogin

KEPT = Path(__file__).parent / "answers.txt"
GO = "go"


def act(kind: ActKind, subject: str = "", game_type: str = "", **more: object) -> Act:
    return Act(kind, subject, "root", "because", game_type, **more)  # type: ignore[arg-type]


def order(kind: OrderKind, subject: str = "", **more: object) -> Order:
    return Order(kind, "cup", "ada", "why", subject, **more)  # type: ignore[arg-type]


def asked(house: House) -> Iterator[tuple[str, Question]]:
    """Questions and orders, as things happen."""
    everything: list[Question] = [ServerAsked(), PublicAsked()]
    for question in everything:
        yield "a new server", question
    house.master("m", (2, 4))
    ann, ben = house.player("ann"), house.player("ben")
    for _ in range(2):
        house.connects().says(PlayerLogin("ann", CHESS))
    zoe = house.guest("zoe", Family.LOBBY, Family.SESSION)
    zoe.says(Advertise(NewTable("Friday", 3, Visibility.PUBLIC, 0, (), ("cat",))))
    guest = house.guest("gus", Family.SESSION)
    house.passes(11)
    yield from (("a game and a table", question) for question in everything)
    for name in ("ann", "m", "g1", "g", "zoe", "gus", "nobody"):
        yield "a game and a table", WhyAsked(name)
    for name in ("ann", "m", "zoe", "nobody"):
        yield "a game and a table", PublicWhyAsked(name)
    yield "a session", OwnerAsked(guest.token)
    yield "a session", OwnerAsked("no token")
    guest.is_lost()
    yield "a cut line", WhyAsked("gus")
    yield "a cut line", PublicAsked()
    yield "acts", act(ActKind.PAUSE, game_type=CHESS)
    yield "acts", act(ActKind.PAUSE, game_type=CHESS)
    yield "acts", act(ActKind.PAUSE, game_type="chass")
    yield "acts", act(ActKind.RESUME, game_type=CHESS)
    yield "acts", act(ActKind.BROADCAST, "hello", to_all=True)
    yield "acts", act(ActKind.BAN, "eve", seconds=60.0)
    yield "acts", act(ActKind.BAN_ADDRESS, "192.0.2.99")
    yield "acts", act(ActKind.UNBAN, "mallory")
    yield "acts", act(ActKind.ADJUDICATE, "g1", results={"ann": "won", "": "lost"})
    yield "acts", act(ActKind.VOID, "g1")
    for peer in (ann, ben):
        peer.is_lost()
    yield "acts", act(ActKind.FORGET, "ann")
    yield "acts", act(ActKind.FORGET_ADDRESS, "192.0.2.7")
    yield "acts", act(ActKind.REMOVE, "zoe")
    comes(house, "dan", "fay")
    game = next(iter(house.broker.games))
    yield "acts", act(ActKind.VOID, game.id)
    yield "acts", act(ActKind.PAUSE, game_type=CHESS)
    comes(house, "hal", "ida")
    yield "acts", act(ActKind.PAIR, game_type=CHESS, seats=("ida", "hal"))
    yield "orders", order(OrderKind.PAUSE)
    house.plans(name="cup", game_type=GO, first=3)
    yield "orders", order(OrderKind.PAUSE)
    yield "orders", order(OrderKind.RESUME)
    house.master("n", game_type=GO)
    for nick in ("amy", "bob", "cyn"):
        house.player(nick, GO)
    house.passes(5)
    yield from (("a championship", question) for question in everything)
    yield "a championship", WhyAsked("cyn")
    yield "a championship", PublicWhyAsked("amy")
    yield "a championship", order(OrderKind.WITHDRAW, "cyn")
    yield "a plan", act(ActKind.DRAIN, seconds=30.0)


def test_each_answer_is_written_as_it_always_was() -> None:
    house = House(login_attempts=9)
    lines = []
    for when, question in asked(house):
        lines.append(f"{when}: {type(question).__name__}: {json.dumps(house.is_asked(question), ensure_ascii=False)}\n")
    assert "".join(lines) == KEPT.read_text(encoding="utf-8")
