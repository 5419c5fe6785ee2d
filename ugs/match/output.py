"""A match for other programs: JSON, CSV, JUnit XML, TAP. No I/O."""

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import asdict
from math import isinf
from typing import Final
from xml.sax.saxutils import quoteattr

from ugs.match.elo_difference import Estimate
from ugs.match.runner import Match
from ugs.match.score import FAULTS, MatchScore
from ugs.match.sprt import Decision
from ugs.match.terminal import best_first
from ugs.printable import safe


def as_json(match: Match) -> str:
    """Everything, with every game that counts."""
    score, compared = match.score, match.score.comparison
    found: dict[str, object] = {
        "match": match.wanted.plain(),
        "bots": [
            {
                "bot": one.bot,
                "games": one.games,
                "won": one.won,
                "drawn": one.drawn,
                "lost": one.lost,
                "points": one.points,
                **{fault: one.faults[fault] for fault in FAULTS},
            }
            for one in best_first(score)
        ],
        "counts": score.counts,
        "in_pairs": score.in_pairs,
        "stopped": score.stopped,
        "games": [
            {
                "number": one.planned.number,
                "game": one.game_id,
                "bots": one.planned.bots,
                "group": one.planned.group,
                "opening": one.planned.opening,
                "outcomes": one.outcomes,
                "cause": one.cause,
                "culprit": one.culprit,
                "reason": one.reason,
                "faults": one.faults,
                "moves": one.moves,
            }
            for one in score.counted
        ],
    }
    if match.planner.places:
        found["places"] = list(match.planner.places)
    if match.packets:
        found["packets"] = [asdict(one) for one in match.packets]
    if compared is not None:
        found |= {"elo": _finite(compared.elo), "normalised_elo": _finite(compared.normalised)}
        found["likelihood_of_superiority"] = compared.superiority
    if score.sprt is not None:
        low, high = score.sprt.bounds
        found["sprt"] = {"llr": score.ratio, "low": low, "high": high}
    return json.dumps(found, indent=2)


def _finite(one: Estimate) -> dict[str, float | None]:
    """An estimate; JSON has no infinite numbers."""
    return {
        name: None if isinf(value) else value for name, value in zip(ENDS, (one.value, one.low, one.high), strict=True)
    }


ENDS: Final = ("value", "low", "high")


def as_csv(match: Match) -> str:
    """A row for each bot."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("bot", "games", "won", "drawn", "lost", "points", *FAULTS))
    for one in best_first(match.score):
        row = (one.bot, one.games, one.won, one.drawn, one.lost, one.points, *(one.faults[fault] for fault in FAULTS))
        writer.writerow(row)
    return text.getvalue().rstrip("\n")


def checks(score: MatchScore) -> Iterator[tuple[str, str]]:
    """What a build asks of a match, each with what is wrong; empty where it holds."""
    if score.sprt is not None:
        wrong = "" if score.stopped == Decision.ELO1.value else score.stopped or "not decided"
        yield f"SPRT elo0={score.sprt.elo0:g} elo1={score.sprt.elo1:g}", wrong
    for one in score.lines.values():
        for fault in FAULTS:
            yield f"{one.bot}: no {fault}", f"{one.faults[fault]} in {one.games} games" if one.faults[fault] else ""


def as_tap(match: Match) -> str:
    """Test Anything Protocol: a line for each check."""
    found = list(checks(match.score))
    lines = [f"{'not ok' if wrong else 'ok'} {number} - {name}" + (f" # {wrong}" if wrong else "")
             for number, (name, wrong) in enumerate(found, 1)]  # fmt: skip
    return "\n".join([f"1..{len(found)}", *map(safe, lines)])


def as_junit(match: Match) -> str:
    """JUnit XML: a case for each check."""
    found = list(checks(match.score))
    failed = sum(bool(wrong) for _, wrong in found)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>']
    lines.append(f'<testsuite name="ugs match" tests="{len(found)}" failures="{failed}" errors="0">')
    for name, wrong in found:
        case = f"  <testcase classname={_quoted(match.wanted.game)} name={_quoted(name)}"
        lines.append(f"{case}><failure message={_quoted(wrong)}/></testcase>" if wrong else f"{case}/>")
    return "\n".join([*lines, "</testsuite>"])


def _quoted(text: str) -> str:
    return quoteattr(safe(text))


WRITERS: Final = {"json": as_json, "csv": as_csv, "junit": as_junit, "tap": as_tap}
"""By the word of --output."""
