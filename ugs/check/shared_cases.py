"""Cases that bots and game masters have in common, each with runs of its own: what is read however it is cut, glued and
written, and how a connection ends."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, TypeAlias

from ugs.check.case import Case, Level, Run
from ugs.check.sentences import S
from ugs.check.xml_spelling import CUTS, STYLES, in_words

Reads: TypeAlias = Mapping[str, tuple[str, str, Callable[..., Any]]]
"""By name: what is read, the case that it builds on, and the run, which takes a ``cut`` or a ``style``."""


def spelled(reads: Reads, glued: Mapping[str, tuple[str, Run]]) -> Iterator[Case]:
    """Each of these is read in pieces, in one piece with others, and written otherwise."""
    for kind, (what, below, run) in reads.items():
        for name, cut in CUTS.items():
            how = f"{what}, cut {in_words(name)}"
            yield Case(f"cut/{kind}-{name}", how, S.PIECES, partial(run, cut=cut), builds_on=below)
    for name, (what, together) in glued.items():
        yield Case(f"glued/{name}", what, S.PIECES, together)
    for kind, (what, below, run) in reads.items():
        for name, style in STYLES.items():
            how = f"{what}, written otherwise: {in_words(name)}"
            yield Case(f"written/{kind}-{name}", how, S.XML, partial(run, style=style), Level.SHOULD, builds_on=below)


def ends(who: str, shuts_down: Callable[..., Any], line_closed: Callable[..., Any], closed: str) -> Iterator[Case]:
    """The server stops or closes while ``who`` waits or plays; ``closed`` is the sentence for the latter."""
    for name, playing in (("waiting", False), ("playing", True)):
        run = partial(shuts_down, playing=playing)
        yield Case(f"end/shutdown-{name}", f"the server stops while {who} is {name}", S.SHUTDOWN, run, fresh=True)
        closes = partial(line_closed, playing=playing)
        what = f"the server closes while {who} is {name}"
        yield Case(f"end/closed-{name}", what, closed, closes, Level.SHOULD, fresh=True)
    cut = partial(shuts_down, playing=False, cut=CUTS["in-the-type"])
    yield Case("end/shutdown-cut", "serverShutdown in two pieces", S.NO_CHILDREN, cut, fresh=True)
