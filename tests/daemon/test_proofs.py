"""Secrets are checked in a thread: whose turn it is, what is remembered, what is told.

The thread takes real time, so these tests run on the real clock, and wait for what comes.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio
import trio.testing
from structlog.testing import capture_logs

from ugs import tokens
from ugs.broker.effects import Prove
from ugs.broker.events import Event, IdentitiesRead, Proved
from ugs.broker.state.identities import TRIES_AT_ONCE, Identities
from ugs.broker.values.identity import Identity, Role
from ugs.config import Config
from ugs.daemon.proofs import CANNOT, Proofs, ProofTurns
from ugs.journal.token_file import FILE
from ugs.journal.tokens import NewRow, add, rows
from ugs.token_key import key_of

PLAYER, MASTER = Role.PLAYER, Role.MASTER
BOUND_S = 120.0


class Server:
    """What the proofs of a server tell its broker."""

    def __init__(self, tasks: trio.Nursery, directory: Path | None) -> None:
        self.identities = Identities(Config.read({}))
        self.events: list[Event] = []
        self.changed = trio.Event()
        self.proofs = Proofs(directory, self.identities, self.happens, tasks)

    def happens(self, event: Event) -> None:
        self.events.append(event)
        for row in event.rows if isinstance(event, IdentitiesRead) else ():
            self.identities.take(row)
        self.changed.set()

    async def hears(self, count: int) -> list[Event]:
        """Wait for so many events; returns them."""
        with trio.fail_after(BOUND_S):
            while len(self.events) < count:
                self.changed = trio.Event()
                await self.changed.wait()
        found, self.events = self.events, []
        assert len(found) == count
        return found


@asynccontextmanager
async def server(directory: Path | None) -> AsyncIterator[Server]:
    async with trio.open_nursery() as tasks:
        yield Server(tasks, directory)


def prove(conn: int, name: str, secret: str, digest: str = "", origin: str = "192.0.2.1") -> Prove:
    return Prove(conn, PLAYER, name, origin, secret, digest)


async def test_right_and_wrong_secrets_are_told(tmp_path: Path) -> None:
    digest = tokens.digest_of("right", made_here=True)
    async with server(tmp_path) as one:
        one.proofs.prove(prove(1, "ann", "wrong", digest), 0)
        one.proofs.prove(prove(2, "ann", "right", digest), 0)
        assert await one.hears(2) == [Proved(1, ""), Proved(2, digest)]
        assert one.proofs.checked == 2


async def test_what_was_right_once_is_known_again_without_its_hash(tmp_path: Path) -> None:
    digest = tokens.digest_of("right", made_here=True)
    async with server(tmp_path) as one:
        for conn in (1, 2):  # the second waits for the first
            one.proofs.prove(prove(conn, "ann", "right", digest), 0)
        await one.hears(2)
        one.proofs.prove(prove(3, "ann", "right", digest), 0)
        one.proofs.prove(prove(4, "ann", "wrong", digest), 0)
        assert await one.hears(2) == [Proved(3, digest), Proved(4, "")]
        assert one.proofs.checked == 1


async def test_a_name_is_registered_on_disk_before_anybody_is_told(tmp_path: Path) -> None:
    async with server(tmp_path) as one:
        one.proofs.prove(prove(1, "ann", "long secret"), 0)
        one.proofs.prove(prove(2, "ANN", "other secret"), 0)
        read, proved, late = await one.hears(3)
    (row,) = rows(tmp_path)
    assert read == IdentitiesRead((row,))
    assert proved == Proved(1, row.digest)
    assert late == Proved(2, "")
    assert tokens.fits(row.digest, "long secret")


@pytest.mark.parametrize("digest", ["", "no hash"])
async def test_a_failure_is_told_and_logged_without_the_secret(tmp_path: Path, digest: str) -> None:
    (tmp_path / FILE).write_bytes(b"x" * 5000)
    with capture_logs() as lines:
        async with server(tmp_path) as one:
            one.proofs.prove(prove(1, "ann", "long secret", digest), 0)
            assert await one.hears(1) == [Proved(1, "", CANNOT)]
            one.proofs.prove(prove(2, "ann", "long secret", digest), 0)
            assert await one.hears(1) == [Proved(2, "", CANNOT)]
    assert {line["event"] for line in lines} == {"a token cannot be checked"}
    assert "long secret" not in str(lines)


async def test_without_a_data_directory_nothing_is_registered_and_nothing_read() -> None:
    async with server(None) as one:
        await one.proofs.read()
        one.proofs.prove(prove(1, "ann", "long secret"), 0)
        assert await one.hears(1) == [Proved(1, "", CANNOT)]


async def test_only_new_rows_are_read(tmp_path: Path) -> None:
    add(tmp_path, [NewRow(PLAYER, "ann", "a"), NewRow(PLAYER, "ben", "b")], "root", 0)
    async with server(tmp_path) as one:
        await one.proofs.read()
        await one.proofs.read()
        add(tmp_path, [NewRow(PLAYER, "ann", why="lost")], "root", 0)
        one.proofs.read_soon()
        first, second = await one.hears(2)
    assert isinstance(first, IdentitiesRead)
    assert [row.name for row in first.rows] == ["ann", "ben"]
    assert second == IdentitiesRead((Identity(3, PLAYER, "ann", why="lost"),))


async def test_a_list_that_cannot_be_read_is_logged(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"x" * 5000)
    with capture_logs() as lines:
        async with server(tmp_path) as one:
            await one.proofs.read()
    assert [line["event"] for line in lines] == ["tokens cannot be read"]


async def test_what_is_remembered_of_a_token_goes_with_it(tmp_path: Path) -> None:
    digest = tokens.digest_of("right", made_here=True)
    add(tmp_path, [NewRow(PLAYER, "ann", digest)], "root", 0)
    async with server(tmp_path) as one:
        await one.proofs.read()
        one.proofs.prove(prove(1, "ann", "right", digest), 0)
        await one.hears(2)
        assert len(one.proofs._right) == 1
        add(tmp_path, [NewRow(PLAYER, "ann")], "root", 0)
        await one.proofs.read()
        assert one.proofs._right == {}


def test_addresses_take_turns_and_so_do_the_names_of_one() -> None:
    turns = ProofTurns()
    assert not turns
    for number in range(3):
        turns.add(prove(number, "ann", "guess", origin="203.0.113.1"))
    turns.add(prove(3, "ben", "guess", origin="203.0.113.1"))
    turns.add(prove(4, "cat", "token", origin="192.0.2.1"))
    order = [turns.next() for _ in range(5)]
    assert [one.conn for one in order if isinstance(one, Prove)] == [0, 4, 3, 1, 2]
    assert not turns


# Whose token is this?


async def test_a_token_tells_whose_it_is(tmp_path: Path) -> None:
    token, of_master = tokens.new_token(), tokens.new_token()
    made = [
        NewRow(PLAYER, "ann", tokens.digest_of(token, made_here=True), key=key_of(token)),
        NewRow(MASTER, "m", tokens.digest_of(of_master, made_here=True), key=key_of(of_master)),
        NewRow(PLAYER, "ben", tokens.digest_of("chosen#one", made_here=True)),
        NewRow(PLAYER, "bad", "no hash"),
    ]
    add(tmp_path, made, "root", 0)
    async with server(tmp_path) as one:
        await one.proofs.read()
        for shown, name in ((token, "ann"), ("ben#chosen#one", "ben"), ("BEN#chosen#one", "ben"), (token, "ann")):
            found = await one.proofs.whose(shown, "192.0.2.1")
            assert found is not None
            assert found.name == name
        with capture_logs() as lines:
            for shown in ("", "#", of_master, token[:-1] + "?", "ben#", "ben#chosen", "eve#x", "bad#x", "x" * 300):
                assert await one.proofs.whose(shown, "192.0.2.1") is None
    assert [(line["event"], line["name"]) for line in lines] == [
        ("token refused", "ann"),
        ("token refused", "ben"),
        ("a token cannot be checked", "bad"),
    ]


async def test_an_address_that_guesses_on_the_page_is_not_heard_for_a_while(tmp_path: Path) -> None:
    add(tmp_path, [NewRow(PLAYER, "ben", tokens.digest_of("the right one", made_here=True))], "root", 0)
    async with server(tmp_path) as one:
        await one.proofs.read()
        for _ in range(2 * TRIES_AT_ONCE):
            assert await one.proofs.whose("ben#guess", "203.0.113.1") is None
        assert one.proofs.checked == TRIES_AT_ONCE
        assert await one.proofs.whose("ben#the right one", "203.0.113.1") is None
        assert await one.proofs.whose("ben#the right one", "192.0.2.1") is not None
        assert await one.proofs.whose("ben#the right one", "203.0.113.1") is None, "also where the hash is not needed"
        for _ in range(3 * TRIES_AT_ONCE):
            assert await one.proofs.whose("ben#the right one", "192.0.2.1") is not None


async def test_tokens_on_the_page_wait_for_the_same_turns_as_logins(tmp_path: Path) -> None:
    """One address that guesses on the page for many names is no more than any other that logs in."""
    names = [f"own{number}" for number in range(20)]
    add(tmp_path, [NewRow(PLAYER, name, tokens.digest_of("right one", made_here=True)) for name in names], "root", 0)
    async with server(tmp_path) as one, trio.open_nursery() as pages:
        await one.proofs.read()
        found: list[Identity | None] = []

        async def guesses(name: str) -> None:
            found.append(await one.proofs.whose(f"{name}#wrong", "203.0.113.1"))

        for name in names[1:]:
            pages.start_soon(guesses, name)
        await trio.testing.wait_all_tasks_blocked()
        digest = one.identities.of[PLAYER, names[0]].digest
        one.events.clear()
        one.proofs.prove(prove(7, names[0], "right one", digest), 0.0)
        before = len(found)
        assert await one.hears(1) == [Proved(7, digest)]
        assert len(found) - before <= 2, "its owner has waited behind one or two of them"
    assert found == [None] * 19
