"""Open pages: who does not read gets less, who is gone is forgotten, and the loop is never held."""

import json
import zlib
from collections.abc import Mapping

import pytest
import trio
from trio.testing import MockClock

from tests.page.asking import TestLine
from ugs.page.contract import Busy
from ugs.page.gzip_chunks import HEAD, compressed
from ugs.page.server import event_stream
from ugs.page.server.event_stream import ALIVE_S, PIECE, TAKING_S, Audience, FullHouse, Key, News

KEY: Key = ("overview", ())


class Looks:
    """What there is to see; the test changes it."""

    def __init__(self, **parts: str) -> None:
        self.parts = parts
        self.over = False
        self.busy = False
        self.squeezes = False
        self.times = 0

    async def __call__(self, keys: list[Key]) -> Mapping[Key, News]:
        await trio.lowlevel.checkpoint()
        self.times += 1
        if self.busy:
            raise Busy("too much")
        event = b"data: %b\n\n" % json.dumps({"parts": self.parts, "over": self.over}).encode()
        news = News(dict(self.parts), self.over, compressed(event) if self.squeezes else b"")
        return dict.fromkeys(keys, news)


def told(line: TestLine) -> list[dict[str, str]]:
    return [news["parts"] for news in line.news]


async def test_a_client_that_has_not_read_gets_everything_at_once_later(autojump_clock: MockClock) -> None:
    looks = Looks(a="1", b="1")
    open_pages = Audience(looks, lambda _: 1.0)
    line = TestLine()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(open_pages.run)
        open_pages.join(KEY, line)
        await trio.sleep(0.5)
        line.takes = False
        for number in "23456":
            looks.parts["a"] = number
            await trio.sleep(1)
        assert told(line) == [{"a": "1", "b": "1"}]
        line.takes = True
        await trio.sleep(1)
        assert told(line)[1:] == [{"a": "6", "b": "1"}]
        looks.parts["b"] = "2"
        await trio.sleep(1.2)
        assert told(line)[2:] == [{"b": "2"}]
        nursery.cancel_scope.cancel()


async def test_a_broken_line_is_cut_and_forgotten(autojump_clock: MockClock) -> None:
    open_pages = Audience(Looks(a="1"), lambda _: 1.0)
    line = TestLine(breaks=True)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(open_pages.run)
        open_pages.join(KEY, line)
        await trio.sleep(1)
        assert line.was_cut
        assert open_pages.open_pages == 0
        nursery.cancel_scope.cancel()


async def test_what_is_over_is_told_once_and_the_line_is_cut(autojump_clock: MockClock) -> None:
    looks = Looks(a="1")
    open_pages = Audience(looks, lambda _: 1.0)
    reads, does_not = TestLine(), TestLine()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(open_pages.run)
        open_pages.join(KEY, reads)
        open_pages.join(KEY, does_not)
        await trio.sleep(0.5)
        does_not.takes = False
        looks.over = True
        await trio.sleep(3)
        assert [news["over"] for news in reads.news] == [False, True]
        assert (reads.was_ended, does_not.was_ended) == (True, False)
        does_not.takes = True
        await trio.sleep(3)
        assert (does_not.news[-1]["over"], does_not.was_ended) == (True, True)
        nursery.cancel_scope.cancel()


async def test_a_client_hears_now_and_then_that_the_server_is_there(autojump_clock: MockClock) -> None:
    open_pages = Audience(Looks(a="1"), lambda _: 1.0)
    line = TestLine()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(open_pages.run)
        open_pages.join(KEY, line)
        await trio.sleep(3 * ALIVE_S)
        assert 2 <= line.chunks.count(b":\n\n") <= 3
        nursery.cancel_scope.cancel()


async def test_a_busy_worker_is_asked_again(autojump_clock: MockClock) -> None:
    looks = Looks(a="1")
    looks.busy = True
    open_pages = Audience(looks, lambda _: 1.0)
    line = TestLine()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(open_pages.run)
        open_pages.join(KEY, line)
        await trio.sleep(5)
        assert not line.news
        looks.busy = False
        await trio.sleep(1.5)
        assert told(line) == [{"a": "1"}]
        nursery.cancel_scope.cancel()


async def test_nobody_who_looks_costs_nothing(autojump_clock: MockClock) -> None:
    looks = Looks(a="1")
    open_pages = Audience(looks, lambda _: 1.0)
    line = TestLine()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(open_pages.run)
        open_pages.join(KEY, line)
        await trio.sleep(1.5)
        open_pages.leave(KEY, line)
        times = looks.times
        await trio.sleep(100)
        assert looks.times <= times + 1
        nursery.cancel_scope.cancel()


def test_only_so_many_different_things_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_stream, "MAX_GROUPS", 2)

    async def run() -> None:
        open_pages = Audience(Looks(a="1"), lambda _: 1.0)
        for number in range(2):
            open_pages.join(("game", (("id", number),)), TestLine())
        with pytest.raises(FullHouse):
            open_pages.join(("game", (("id", 3),)), TestLine())
        open_pages.join(("game", (("id", 1),)), TestLine())
        assert open_pages.open_pages == 3

    trio.run(run)


def test_one_address_does_not_take_all_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_stream, "MAX_GROUPS_OF_ADDRESS", 2)

    async def run() -> None:
        open_pages = Audience(Looks(a="1"), lambda _: 1.0)
        for number in range(2):
            open_pages.join(("player", (("nick", number),)), TestLine(), "greedy")
        with pytest.raises(FullHouse):
            open_pages.join(("player", (("nick", 3),)), TestLine(), "greedy")
        open_pages.join(("player", (("nick", 3),)), TestLine(), "modest")
        open_pages.join(("player", (("nick", 3),)), TestLine(), "greedy")

    trio.run(run)


async def test_what_is_long_goes_out_in_pieces_each_when_the_one_before_has_been_taken(
    autojump_clock: MockClock,
) -> None:
    looks = Looks(a="x" * (3 * PIECE), b="1")
    open_pages = Audience(looks, lambda _: 1.0)
    line = TestLine()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(open_pages.run)
        open_pages.join(KEY, line)
        await trio.sleep(0.9)
        assert told(line) == [{"a": "x" * (3 * PIECE), "b": "1"}]
        assert [len(chunk) for chunk in line.chunks[:3]] == [PIECE] * 3
        looks.parts = {"a": "y" * (3 * PIECE), "b": "2"}
        while line.chunks[-1] != b"y" * PIECE:  # noqa: ASYNC110
            await trio.sleep(0.01)
        line.takes = False
        looks.parts = {"a": "z", "b": "3"}
        await trio.sleep(3)
        assert len(told(line)) == 1
        line.takes = True
        await trio.sleep(3)
        assert told(line)[1:] == [{"a": "y" * (3 * PIECE), "b": "2"}, {"a": "z", "b": "3"}]
        nursery.cancel_scope.cancel()


async def test_who_takes_too_long_for_what_is_kept_for_it_is_given_up(autojump_clock: MockClock) -> None:
    open_pages = Audience(Looks(a="x" * PIECE), lambda _: 1.0)
    line, other = TestLine(), TestLine()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(open_pages.run)
        for one in (line, other):
            open_pages.join(KEY, one)
        while not line.chunks:  # noqa: ASYNC110
            await trio.sleep(0.01)
        line.takes = False
        await trio.sleep(TAKING_S - 1)
        assert not line.was_cut
        await trio.sleep(2)
        assert (line.was_cut, other.was_cut) == (True, False)
        assert open_pages.open_pages == 1
        nursery.cancel_scope.cancel()


async def test_who_takes_gzip_gets_the_shorter_of_all_compressed_and_what_has_changed(
    autojump_clock: MockClock,
) -> None:
    looks = Looks(a="x" * 1000, b="1")
    looks.squeezes = True
    open_pages = Audience(looks, lambda _: 1.0)
    zips, plain = TestLine(), TestLine()
    reader = zlib.decompressobj(16 + zlib.MAX_WBITS)
    reader.decompress(HEAD)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(open_pages.run)
        open_pages.join(KEY, zips, zips=True)
        open_pages.join(KEY, plain)
        await trio.sleep(0.5)
        looks.parts["b"] = "2"
        await trio.sleep(1)
        looks.parts["a"] = "y" * 1000
        await trio.sleep(1)
        assert [list(parts) for parts in told(plain)] == [["a", "b"], ["b"], ["a"]]
        everything = TestLine(chunks=[reader.decompress(chunk) for chunk in zips.chunks])
        assert [list(parts) for parts in told(everything)] == [["a", "b"], ["b"], ["a", "b"]]
        assert told(everything)[-1] == {"a": "y" * 1000, "b": "2"}
        assert max(map(len, zips.chunks)) < 150
        await trio.sleep(2 * ALIVE_S)
        assert reader.decompress(zips.chunks[-1]) == b":\n\n"
        nursery.cancel_scope.cancel()
