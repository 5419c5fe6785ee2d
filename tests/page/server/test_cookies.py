"""Cookies: how long they last, whose give way, and what is left of them."""

import trio
from trio.testing import MockClock

from ugs.page.server.cookies import Cookies


async def test_a_cookie_brings_its_value_back_until_it_is_over(autojump_clock: MockClock) -> None:
    cookies: Cookies[str] = Cookies(10, 5)
    one, other = cookies.make("one"), cookies.make("other")
    assert (cookies.find(one), cookies.find(other)) == ("one", "other")
    assert cookies.find(one + "x") is None
    assert cookies.find("\ud800") is None
    cookies.forget(other)
    cookies.forget(other)
    assert cookies.find(other) is None
    await trio.sleep(10)
    assert cookies.find(one) is None
    assert len(cookies) == 0
    assert cookies._of == {}


async def test_what_is_over_is_forgotten_when_somebody_comes(autojump_clock: MockClock) -> None:
    cookies: Cookies[int] = Cookies(10, 100)
    for number in range(5):
        cookies.make(number)
    await trio.sleep(10)
    cookies.make(5)
    assert len(cookies) == 1


async def test_the_oldest_of_who_has_most_gives_way() -> None:
    cookies: Cookies[int] = Cookies(10, 5)
    quiet = cookies.make(0, "quiet")
    many = [cookies.make(number, "many") for number in range(10)]
    late = cookies.make(0, "late")
    assert len(cookies) == 5
    assert cookies.find(quiet) is not None
    assert cookies.find(late) is not None
    assert [cookies.find(one) for one in many] == [None] * 7 + [7, 8, 9]


async def test_of_a_cookie_only_a_hash_is_kept() -> None:
    cookies: Cookies[int] = Cookies(10, 5)
    cookie = cookies.make(1)
    assert cookie not in repr(vars(cookies))
