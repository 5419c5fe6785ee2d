"""What the stages of bots and of game masters have in common: the connection of the program on trial, from one case
to the next, and the bytes that it is sent.
"""

from abc import ABC, abstractmethod

from ugs.check.byte_line import ByteLine
from ugs.check.visitors import Visitors
from ugs.check.xml_spelling import PLAIN, WHOLE, Cut, SpelledElement, Style, write


class TrialStage(ABC):
    """A program, from its connection on. One case plays with it at a time."""

    def __init__(self, visitors: Visitors, timeout_s: float) -> None:
        self.visitors = visitors
        self.timeout_s = timeout_s
        self.line: ByteLine | None = None
        self.greeted = False
        """Whether it has sent x-hello."""
        self.granted: frozenset[str] = frozenset()
        """Families that it has asked for and may use."""

    async def begins(self, *, fresh: bool) -> None:
        """A case begins; with ``fresh`` on a new, unused connection. Raises Broken,
        NoProgram."""
        if self.line is not None and not fresh:
            self.visitors.begins_case()
        if self.line is None or fresh:
            await self.leaves()
            self.line = ByteLine(await self.visitors.fresh(), self.timeout_s, self.visitors.processor_use)
            if not fresh:
                await self.enter()
        if not fresh:
            self.line.begins()

    async def leaves(self) -> None:
        """A case has failed, or needs a new connection: end this one."""
        if self.line is not None:
            await self.line.close()
        self.line = None
        self.forgets()

    @abstractmethod
    def forgets(self) -> None:
        """The connection has ended, and with it all that belongs to it."""

    @abstractmethod
    async def enter(self) -> None:
        """Let it log in as most servers do. Raises Broken."""

    @property
    def on(self) -> ByteLine:
        """The connection."""
        assert self.line is not None
        return self.line

    async def send(self, *messages: SpelledElement, style: Style = PLAIN, cut: Cut = WHOLE) -> None:
        """Send messages glued to each other, in this spelling and these pieces."""
        declared = self.declares()
        data = b"".join(write(one, style, declared=declared) for one in messages)
        await self.on.send(*cut.pieces(data))

    def declares(self) -> bool:
        """Whether a document to it begins with a declaration."""
        # Mirrored, as by a server; with one where nothing has come from the program yet.
        return self.on.declared is not False
