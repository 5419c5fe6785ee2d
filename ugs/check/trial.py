"""Tries cases on a program, one after another, and finds out what has come of each."""

from collections.abc import Callable, Sequence
from typing import Final

import trio

from ugs.check.byte_line import End
from ugs.check.case import Broken, Case, CaseFinding, CaseVerdict, NoProgram, NotForThis
from ugs.check.stage import TrialStage

MAX_BLOCKED: Final = 3
"""Cases that are blocked by one that is watched, before no more are tried."""
MAX_PATIENT: Final = 2
"""Cases that may wait for an answer in vain as long as it is allowed. From then on the program has the time that it has
shown to need, many times over: a program that waits for ever must not cost the time of every case."""
MIN_TIMEOUT_S, SLOWEST_FACTOR = 0.5, 10
CASE_FACTOR: Final = 12
"""A case may take this many times the time of one answer."""


class Trial:
    """A program on trial."""

    def __init__(self, cases: Sequence[Case], stage: TrialStage, show: Callable[[CaseFinding], None]) -> None:
        """``show`` is called with each finding, as soon as it is there."""
        self._cases = cases
        self._stage = stage
        self._show = show
        self._found: dict[str, CaseFinding] = {}
        self._slowest_s = 0.0
        """The longest that an answer took in a case that passed."""
        self._silences = 0
        """Cases that have failed because no answer came."""
        self._blocked: dict[str, int] = {}
        """By case: how many could not be tried because of it."""

    async def run(self) -> list[CaseFinding]:
        """Try all cases; returns what has come of them, in their order. Raises NoProgram if none could be tried."""
        try:
            for case in self._cases:
                if case.run is not None:
                    self._settle(await self._tried(case))
        finally:
            with trio.CancelScope(shield=True):
                await self._stage.leaves()
        for case in self._cases:
            # It was watched in all dialogues: passed if there was one.
            if case.run is None and case.name not in self._found:
                tried = any(one.verdict is CaseVerdict.PASSED for one in self._found.values())
                self._settle(
                    CaseFinding(
                        case, CaseVerdict.PASSED if tried else CaseVerdict.BLOCKED, "" if tried else "nothing tried"
                    )
                )
        return [self._found[case.name] for case in self._cases]

    def _settle(self, finding: CaseFinding) -> None:
        if self._found.get(finding.case.name) is None:
            self._found[finding.case.name] = finding
            self._show(finding)

    @property
    def _barrier(self) -> str:
        """The case whose failure stops the trial; empty if there is none."""
        for name, finding in self._found.items():
            if finding.verdict is CaseVerdict.FAILED and finding.case.basic:
                return name
        return next((name for name, times in self._blocked.items() if times >= MAX_BLOCKED), "")

    def _missing(self, case: Case) -> str:
        """The case that this one builds on, if that has failed."""
        below = self._found.get(case.builds_on)
        return (
            case.builds_on if below is not None and below.verdict in (CaseVerdict.FAILED, CaseVerdict.BLOCKED) else ""
        )

    async def _tried(self, case: Case) -> CaseFinding:
        barrier = self._barrier or self._missing(case)
        if barrier:
            return CaseFinding(case, CaseVerdict.BLOCKED, f"not tried, because {barrier} failed")
        began = trio.current_time()
        limit_s = CASE_FACTOR * self._stage.timeout_s * case.games
        try:
            # By hand it may take minutes until the program is started.
            with trio.fail_after(limit_s + (0 if not self._stage.visitors.by_hand else 600)):
                await self._stage.begins(fresh=case.fresh)
                assert case.run is not None
                await case.run(self._stage)
        except NotForThis as why:
            return CaseFinding(case, CaseVerdict.SKIPPED, str(why), took_s=trio.current_time() - began)
        except Broken as broken:
            return await self._failed(case, str(broken), broken.case, began)
        except trio.TooSlowError:
            return await self._failed(case, f"it has not come to an end within {limit_s:g} s", "", began)
        except NoProgram as why:
            # With nothing found yet the command line is wrong, not a case.
            if not self._found:
                raise
            return await self._failed(case, str(why), "", began)
        self._slowest_s = max(self._slowest_s, self._stage.line.slowest_s if self._stage.line is not None else 0.0)
        if case.fresh:
            await self._stage.leaves()
        return CaseFinding(case, CaseVerdict.PASSED, took_s=trio.current_time() - began)

    async def _failed(self, case: Case, text: str, watched: str, began: float) -> CaseFinding:
        """What a failure means: that of the case, or that of another one that is watched."""
        line = self._stage.line
        self._silences += line is not None and line.was_silent
        if line is not None and line.busy is not None and text.endswith(End.SILENT.value):
            # Slow is not deaf.
            waited = f", and waited for a processor for {line.busy.waited_s:.1f} s" if line.busy.waited_s >= 0.1 else ""
            text += f" (it used {line.busy.used_s:.1f} s of processor time meanwhile{waited})"
        if self._silences >= MAX_PATIENT:
            self._stage.timeout_s = min(self._stage.timeout_s, MIN_TIMEOUT_S + SLOWEST_FACTOR * self._slowest_s)
        dialogue = tuple(line.dialogue) if line is not None else ()
        if line is not None and line.closed:
            await self._stage.visitors.ends()
        await self._stage.leaves()
        # Before its last words are read: until it has ended there may be more.
        await self._stage.visitors.aclose()
        wrote = self._stage.visitors.wrote()
        took_s = trio.current_time() - began
        culprit = next((one for one in self._cases if one.name == watched), case)
        finding = CaseFinding(culprit, CaseVerdict.FAILED, text, dialogue, wrote, took_s)
        if culprit is case:
            return finding
        self._settle(finding)
        self._blocked[watched] = self._blocked.get(watched, 0) + 1
        return CaseFinding(case, CaseVerdict.BLOCKED, f"{watched} failed in it", took_s=took_s)
