"""What was too expensive for a worker: remembered, so that it does not cost as much again.

A game whose pictures were too expensive is shown without them. If that is too expensive, too, and for records, the
answer for some time is a refusal.
"""

from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import Final

import trio

from ugs.page.contract import PLAIN, Question
from ugs.page.server.worker_duties import subject_of

MAX_REMEMBERED: Final = 1_000
REFUSED_S: Final = 600.0
"""Seconds until what could not be answered at all is tried again."""


@dataclass(slots=True)
class _Known:
    why: str
    refused_until: float = 0.0


class Dear:
    """The subjects that were too expensive, the one that was asked for last at the end."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, _Known] = OrderedDict()

    def refusal(self, question: Question) -> str:
        """Why a question is not even asked; empty if it is."""
        known = self._known.get(subject_of(question))
        return known.why if known is not None and trio.current_time() < known.refused_until else ""

    def asked(self, question: Question) -> Question:
        """The question as a worker is asked it: with the wish for no pictures where they were too expensive."""
        subject = subject_of(question)
        known = self._known.get(subject)
        if known is None:
            return question
        self._known.move_to_end(subject)
        return replace(question, facts={**question.facts, PLAIN: known.why})

    def learn(self, question: Question, why: str) -> bool:
        """A question, as a worker was asked it, was too expensive. Returns whether it is worth asking without
        pictures."""
        subject = subject_of(question)
        if not subject:
            return False
        known = self._known.setdefault(subject, _Known(why))
        while len(self._known) > MAX_REMEMBERED:
            self._known.popitem(last=False)
        # Pictures can be left out; a record cannot do without its moves.
        if PLAIN not in question.facts and subject.startswith("pictures "):
            return True
        known.why, known.refused_until = why, trio.current_time() + REFUSED_S
        return False
