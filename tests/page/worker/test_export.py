"""Names of files of the site: readable, and each query has its own."""

from itertools import product

from ugs.page.worker.export import DIGITS, file_name

COLLIDING = ("plumless", "buckeroo")
"""The best known words with the same CRC-32."""


def test_nicks_with_one_checksum_have_two_files() -> None:
    first, second = (file_name("player", {"nick": nick}) for nick in COLLIDING)
    assert first != second
    assert first.startswith("player-plumless-")


def test_nobody_chooses_a_nick_for_the_page_of_another_one() -> None:
    names = {file_name("player", {"nick": "!" * (1 + number)}) for number in range(5000)}
    assert len(names) == 5000
    assert all(len(name) == len("player-x-.html") + DIGITS for name in names)


def test_a_name_minds_no_file_system() -> None:
    for page, nick in product(("player", "games"), ("../..", "a/b", "\x00", "CON", "ann " * 100, "\ud800", "ZOË")):
        name = file_name(page, {"nick": nick})
        assert len(name) < 100
        assert set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-.")
        assert name.count(".") == 1
