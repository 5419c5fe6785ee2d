"""What has come of a check, for people and for other programs. No I/O.

Bytes of a program are shown with escapes, so that each output is plain text.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from ugs.check.case import Case, CaseFinding, CaseVerdict, Chunk, Level
from ugs.printable import safe

MAX_CHUNKS: Final = 40
"""Chunks of a dialogue that are shown: the first and the last ones."""
MAX_BYTES: Final = 2_000
"""Bytes of a chunk that are shown."""
MAX_READABLE: Final = 120
"""Bytes of a chunk that are shown on a terminal, unless it is one of the last."""
LAST: Final = 2
"""The last chunks, as a rule what was asked and what came back: where the fault is."""
MAX_NAMES: Final = 6
"""Names of cases that are shown behind a reason."""
MARKS: Final = {
    CaseVerdict.PASSED: "ok",
    CaseVerdict.FAILED: "FAILED",
    CaseVerdict.SKIPPED: "skipped",
    CaseVerdict.BLOCKED: "blocked",
}


def written(data: bytes) -> str:
    """Bytes as text, exact: what is not printable ASCII is an escape, as in Python."""
    return "".join(map(_LETTERS.__getitem__, data))


_NAMED: Final = {9: "\\t", 10: "\\n", 13: "\\r", 92: "\\\\"}
_LETTERS: Final = [_NAMED.get(byte) or (chr(byte) if 32 <= byte < 127 else f"\\x{byte:02x}") for byte in range(256)]


def dialogue_lines(chunks: Sequence[Chunk], *, brief: bool = False) -> Iterator[str]:
    """A dialogue: what was sent to the program with ``>``, what came from it with ``<``; with ``brief`` all but the
    last chunks are cut for a terminal."""
    hint = "; --output tap shows more" if brief else ""
    half = MAX_CHUNKS // 2
    for number, chunk in enumerate(chunks):
        if half <= number < len(chunks) - half:
            if number == half:
                yield f"… {len(chunks) - MAX_CHUNKS} more …"
            continue
        most = MAX_READABLE if brief and number < len(chunks) - LAST else MAX_BYTES
        more = f" … ({len(chunk.data)} bytes{hint})" if len(chunk.data) > most else ""
        yield f"{chunk.at_s:7.3f} s {'>' if chunk.ours else '<'} {written(chunk.data[:most])}{more}"


def finding_lines(finding: CaseFinding, *, brief: bool = False) -> Iterator[str]:
    """A case that has failed, with all that is known of it; with ``brief`` all but the last messages are cut for
    a terminal."""
    case = finding.case
    yield f"{MARKS[finding.verdict]} {case.name} ({case.level}): {case.what}"
    yield f"  protocol.md: {case.sentence}"
    for line in finding.text.split("\n"):
        yield f"  {safe(line)}"
    if finding.dialogue:
        yield "  the dialogue (> to the program, < from it):"
        yield from (f"    {line}" for line in dialogue_lines(finding.dialogue, brief=brief))
    if finding.wrote:
        yield from (f"  {safe(line)}" for line in finding.wrote)


def summary(findings: Iterable[CaseFinding]) -> str:
    """How many have come to what."""
    found = list(findings)
    parts = []
    for verdict in CaseVerdict:
        number = sum(one.verdict is verdict for one in found)
        if verdict is CaseVerdict.FAILED and number:
            must = sum(one.verdict is verdict and one.case.level is Level.MUST for one in found)
            parts.append(f"{number} failed ({must} must, {number - must} should)")
        elif number or verdict in (CaseVerdict.PASSED, CaseVerdict.FAILED):
            parts.append(f"{number} {verdict}")
    return f"{len(found)} cases: {', '.join(parts)}"


def left_out(findings: Iterable[CaseFinding]) -> Iterator[str]:
    """Why cases were skipped or blocked: each reason once, with how many there are and the names of the first ones."""
    names: dict[str, list[str]] = {}
    for one in findings:
        if one.verdict in (CaseVerdict.SKIPPED, CaseVerdict.BLOCKED):
            names.setdefault(f"{one.verdict}: {one.text}", []).append(one.case.name)
    for reason, cases in names.items():
        more = f" and {len(cases) - MAX_NAMES} more" if len(cases) > MAX_NAMES else ""
        yield f"{safe(reason)} ({len(cases)}: {', '.join(cases[:MAX_NAMES])}{more})"


def as_tap(findings: Sequence[CaseFinding]) -> str:
    """Test Anything Protocol."""
    lines = ["TAP version 13", f"1..{len(findings)}"]
    for number, one in enumerate(findings, 1):
        # A # would begin a directive of TAP.
        name = f"{one.case.name}: {one.case.what}".replace("#", "\\#")
        if one.verdict in (CaseVerdict.SKIPPED, CaseVerdict.BLOCKED):
            # For TAP, what is skipped is ok.
            lines.append(f"ok {number} - {safe(name)} # SKIP {safe(one.text)}")
            continue
        lines.append(f"{'ok' if one.verdict is CaseVerdict.PASSED else 'not ok'} {number} - {safe(name)}")
        if one.verdict is CaseVerdict.FAILED:
            lines += [f"# {line}" for line in finding_lines(one)]
    return "\n".join(lines)


def as_junit(findings: Sequence[CaseFinding], suite: str) -> str:
    """JUnit XML, valid for any bytes of the program."""
    failed = sum(one.verdict is CaseVerdict.FAILED for one in findings)
    skipped = sum(one.verdict in (CaseVerdict.SKIPPED, CaseVerdict.BLOCKED) for one in findings)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>']
    counts = f'tests="{len(findings)}" failures="{failed}" errors="0" skipped="{skipped}"'
    lines.append(f"<testsuite name={_quoted(suite)} {counts}>")
    lines += [_junit_case(one) for one in findings]
    return "\n".join([*lines, "</testsuite>"])


def _junit_case(one: CaseFinding) -> str:
    group, _, word = one.case.name.partition("/")
    opening = f"  <testcase classname={_quoted(group)} name={_quoted(word)} time={_quoted(f'{one.took_s:.3f}')}"
    if one.verdict is CaseVerdict.PASSED:
        return f"{opening}/>"
    if one.verdict is CaseVerdict.FAILED:
        text = escape("\n".join(map(safe, finding_lines(one))))
        return (
            f"{opening}><failure type={_quoted(one.case.level)} message={_quoted(one.text)}>{text}</failure></testcase>"
        )
    return f"{opening}><skipped message={_quoted(one.text)}/></testcase>"


def _quoted(text: str) -> str:
    return quoteattr(safe(text))


def table_of_cases(cases: Iterable[Case]) -> str:
    """The cases as a table of Markdown."""
    lines = ["| case | level | what is tried | it stands on |", "|---|---|---|---|"]
    lines += [f"| `{one.name}` | {one.level} | {_cell(one.what)} | {_cell(one.sentence)} |" for one in cases]
    return "\n".join(lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
