"""Looks for scenes (tests/fuzz/scenes.py) in which one message is too dear (tests/fuzz/dear.py).

It begins with the least scene, makes one size after the other larger, as large as it may be, and doubles what has made
some message dearer. A find is a message that costs more than one may; it is shown in the least scene in which it does.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tests.fuzz.dear import Measured, Measuring
from tests.fuzz.scenes import ACCOUNT, SIZES, NotLetIn, Scene

MAX_DOCUMENTS: Final = 8000
"""With which a scene is set up: some seconds."""
MAX_BYTES: Final = 67_108_864
FIRST: Final = 16
"""How many times as much there is of each, alone, at first."""
DEAREST: Final = 4
"""Of the kinds of messages, so many are made dearer more often than others."""


@dataclass(frozen=True, slots=True)
class TooDear:
    """A message that is too dear, and where."""

    kind: str
    scene: Scene
    measured: Measured
    less: Measured
    """What it costs in the least scene."""

    def __str__(self) -> str:
        return f"{self.kind}: {self.measured} ({self.less.cost.work} in the least scene) with {self.scene}"


class Growth:
    """Looks for dear messages; ``tried`` counts scenes. Behind a find it goes on, for other messages."""

    def __init__(self, seed: int = 0, most_documents: int = MAX_DOCUMENTS) -> None:
        self.tried = 0
        self._chance = random.Random(seed)
        self._most_documents = most_documents
        self._measuring = Measuring()
        self._least: dict[str, Measured] = {}
        self._dearest: dict[str, tuple[float, Scene]] = {}
        """By kind: the scene in which it was dearest, and how dear."""
        self._seen: set[Scene] = set()

    def run(self) -> Iterator[TooDear | None]:
        """Try one scene after the other, for ever; each is a find, or None."""
        least = Scene()
        self._least = self._measuring.measured(least)
        for name in SIZES:
            yield self._try(least.times(name, FIRST))
        most = [self._most(least, name) for name in SIZES]
        while True:
            yield self._try(self._changed())
            if most:
                yield self._try(most.pop(0))

    def _try(self, scene: Scene) -> TooDear | None:
        if scene in self._seen or not self._is_feasible(scene):
            return None
        self._seen.add(scene)
        self.tried += 1
        try:
            found = self._measuring.measured(scene)
        except NotLetIn:
            return None
        measured = {kind: one for kind, one in found.items() if kind not in self._measuring.known}
        for kind, one in measured.items():
            if one.share > self._dearest.get(kind, (0.0, scene))[0]:
                self._dearest[kind] = one.share, scene
        kind = max(measured, key=lambda kind: measured[kind].share)
        return self._found(kind, scene, measured[kind]) if measured[kind].share > 1 else None

    def _most(self, scene: Scene, name: str) -> Scene:
        """The same with as many of these as there may be."""
        while (larger := scene.times(name, 2)) != scene and self._is_feasible(larger):
            scene = larger
        return scene

    def _is_feasible(self, scene: Scene) -> bool:
        return scene.documents <= self._most_documents and scene.bytes <= MAX_BYTES

    def _found(self, kind: str, scene: Scene, measured: Measured) -> TooDear:
        """The find in the least scene that is as bad, and from now on it is known."""
        for name in SIZES:
            while (smaller := scene.times(name, 0.5)) != scene:
                again = self._measuring.measured(smaller, kind).get(kind)
                if again is None or again.share <= 1:
                    break
                scene, measured = smaller, again
        self._measuring.known |= {kind, kind.removesuffix(ACCOUNT)}
        self._dearest.pop(kind, None)
        return TooDear(kind, scene, measured, self._least.get(kind, measured))

    def _changed(self) -> Scene:
        """The scene in which something was dear, with more of one or two of its sizes."""
        ranked = sorted(self._dearest, key=lambda kind: -self._dearest[kind][0])
        _, scene = self._dearest[self._chance.choice(ranked[: self._chance.choice((DEAREST, len(ranked)))])]
        for name in self._chance.sample(SIZES, self._chance.choice((1, 1, 2))):
            scene = scene.times(name, self._chance.choice((2, 4, 8)))
        for name in self._chance.sample(SIZES, self._chance.choice((0, 1, 2))) if not self._is_feasible(scene) else ():
            scene = scene.times(name, 1 / 16)
        return scene
