"""Checks of secrets: in a thread, one at a time, while the loop serves all peers.

Addresses take turns, and so do the names of one address, so no peer waits behind all the guesses of another one. A
secret that was right once is known again without its hash: the server keeps a keyed digest of it, and the key never
leaves its memory.
"""

import hmac
import secrets
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field

import structlog
import trio

from ugs import tokens
from ugs.broker.effects import Prove
from ugs.broker.events import Event, IdentitiesRead, Proved
from ugs.broker.state.identities import Identities, Tries
from ugs.broker.values.identity import Identity, Role
from ugs.broker.values.name_rules import unique_form
from ugs.daemon.processes.supervision import Tasks
from ugs.journal.tokens import REGISTERED, IdentitiesError, NewRow, register, rows
from ugs.places import Place

CANNOT = "the server cannot check tokens at present"


@dataclass(slots=True)
class ShownSecret:
    """A secret that was shown on the page."""

    origin: str
    role: Role
    name: str
    secret: str = field(repr=False)
    digest: str
    """What it has to fit."""
    checked: trio.Event = field(default_factory=trio.Event)
    right: bool | None = None
    """None: not known yet, or it cannot be checked."""


class ProofTurns:
    """What waits to be checked: by address, then by name."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[str, OrderedDict[tuple[Role, str], deque[Prove | ShownSecret]]] = OrderedDict()

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def add(self, one: Prove | ShownSecret) -> None:
        """One more, behind those of its address and name."""
        of_origin = self._waiting.setdefault(one.origin, OrderedDict())
        of_origin.setdefault((one.role, one.name), deque()).append(one)

    def next(self) -> Prove | ShownSecret:
        """The next one; its address and its name go to the end of their lines."""
        origin, of_origin = self._waiting.popitem(last=False)
        name, of_name = of_origin.popitem(last=False)
        one = of_name.popleft()
        if of_name:
            of_origin[name] = of_name
        if of_origin:
            self._waiting[origin] = of_origin
        return one


class Proofs:
    """Performs ``Prove``. ``happens`` takes the events, ``tasks`` holds a task while there is something to check.
    Without a ``place`` no name can be registered. ``identities`` are the broker's, to be read only; ``clock`` gives its
    time."""

    def __init__(
        self,
        place: Place | None,
        identities: Identities,
        happens: Callable[[Event], None],
        tasks: Tasks,
        clock: Callable[[], float] = trio.current_time,
    ) -> None:
        self._clock = clock
        self.checked = 0
        """How many hashes were computed."""
        self._place = place
        self._identities = identities
        self._happens = happens
        self._tasks = tasks
        self._turns = ProofTurns()
        self._works = False
        self._one_at_a_time = trio.CapacityLimiter(1)
        self._reading = trio.Lock()
        self._read_up_to = 0
        self._tries = Tries()
        """Those on the page; the broker counts those of logins."""
        self._key = secrets.token_bytes(32)
        self._right: dict[str, bytes] = {}
        """By hash, the keyed digest of the secret that fits it."""
        self._log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs").bind()

    # The list.

    async def read(self) -> None:
        """Pass all new rows of the list to the broker."""
        if self._place is None:
            return
        async with self._reading:
            try:
                new = await trio.to_thread.run_sync(rows, self._place, self._read_up_to)
            except IdentitiesError as error:
                self._log.error("tokens cannot be read", reason=str(error))
                return
            if new:
                self._read_up_to = new[-1].number
                self._happens(IdentitiesRead(tuple(new)))
                # A token that was revoked must not be known again by its digest.
                holding = {known.digest for known in self._identities.of.values()}
                self._right = {digest: mark for digest, mark in self._right.items() if digest in holding}

    def read_soon(self) -> None:
        """The same, in a task of its own."""
        self._tasks.start_soon(self.read)

    # The effect.

    def prove(self, effect: Prove, _now: float) -> None:
        """Perform: a secret is going to be checked, or registered."""
        right = self._right.get(effect.digest)
        if right is not None:
            is_right = hmac.compare_digest(right, self._marked(effect.secret))
            self._happens(Proved(effect.conn, effect.digest if is_right else ""))
            return
        self._wait(effect)

    def _wait(self, one: Prove | ShownSecret) -> None:
        self._turns.add(one)
        if not self._works:
            self._works = True
            self._tasks.start_soon(self._work)

    async def _work(self) -> None:
        try:
            while self._turns:
                one = self._turns.next()
                try:
                    await (self._look(one) if isinstance(one, ShownSecret) else self._check(one))
                except Exception:  # the others wait, and so does this one
                    self._log.exception("bug in the server", during="checking a token", name=one.name)
                    if isinstance(one, Prove):
                        self._happens(Proved(one.conn, "", CANNOT))
        finally:
            self._works = False

    async def _check(self, one: Prove) -> None:
        digest = failure = ""
        try:
            if one.digest:
                digest = one.digest if await self._fits(one.digest, one.secret) else ""
            else:
                digest = await trio.to_thread.run_sync(
                    _registered, self._place, one, limiter=self._one_at_a_time, abandon_on_cancel=True
                )
                self.checked += 1
                await self.read()
        except (IdentitiesError, tokens.TokenError, MemoryError) as error:
            self._log.error("a token cannot be checked", name=one.name, reason=str(error) or type(error).__name__)
            failure = CANNOT
        self._happens(Proved(one.conn, digest, failure))

    async def _fits(self, digest: str, secret: str) -> bool:
        right = self._right.get(digest)
        if right is not None:
            return hmac.compare_digest(right, self._marked(secret))
        found = await trio.to_thread.run_sync(
            tokens.fits, digest, secret, limiter=self._one_at_a_time, abandon_on_cancel=True
        )
        self.checked += 1
        if found:
            self._right[digest] = self._marked(secret)
        return found

    def _marked(self, secret: str) -> bytes:
        return hmac.digest(self._key, secret.encode("utf-8", "surrogatepass"), "sha256")

    # For the page.

    async def whose(self, token: str, address: str) -> Identity | None:
        """The player whose token this is: one that was made here, or ``NAME#SECRET``. None when it has no owner, or
        when this address has tried too many for this name. It waits for the same turns as logins."""
        found = self._identities.shown(token)
        # The page sends any text: what is longer than a name and a token is not worth a hash.
        if found is None or len(token) > 2 * tokens.MAX_TOKEN:
            return None
        known, secret = found
        form = unique_form(known.name)
        if self._tries.wait_s(address, Role.PLAYER, form, self._clock()) != 0:
            return None
        shown = ShownSecret(address, Role.PLAYER, known.name, secret, known.digest)
        if known.digest in self._right:
            shown.right = self._is_known(shown)
        else:
            self._wait(shown)
            await shown.checked.wait()
        if shown.right:
            self._tries.was_right(address, Role.PLAYER, form)
        elif shown.right is not None:
            self._log.warning("token refused", name=known.name, why="wrong, on the page", address=address)
        # It may have been revoked while it was checked.
        return known if shown.right and self._identities.find(Role.PLAYER, known.name) == known else None

    async def _look(self, shown: ShownSecret) -> None:
        try:
            shown.right = await self._fits(shown.digest, shown.secret)
        except (tokens.TokenError, MemoryError) as error:
            self._log.error("a token cannot be checked", name=shown.name, reason=str(error) or type(error).__name__)
        finally:
            shown.checked.set()

    def _is_known(self, shown: ShownSecret) -> bool:
        return hmac.compare_digest(self._right[shown.digest], self._marked(shown.secret))


def _registered(place: Place | None, one: Prove) -> str:
    """Let a name have a secret: its hash, or the empty text when the name has got a token meanwhile. Raises
    IdentitiesError."""
    if place is None:
        raise IdentitiesError("there is no data directory, so nothing can be registered")
    digest = tokens.digest_of(one.secret)
    row = NewRow(one.role, one.name, digest)
    return digest if register(place, row, REGISTERED, time.time_ns() // 1000) else ""
