"""A knock-out as a bracket on a terminal.

Each player has a row of its own where it enters the tree; a match stands between the rows of its two players, and its
winner one column further to the right, half-way between them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from ugs.championship.tables.cross_tables import points_text
from ugs.championship.tables.match_trees import NO_PLAYER, WALKOVER, MatchShown, MatchSide, MatchTree
from ugs.printable import safe
from ugs.terminal import fitted

MAX_NICK, MIN_NICK = 20, 6
"""Columns of a nick: longer ones are cut."""
MAX_LEAVES: Final = 64
"""A bracket begins with at most this many players; earlier rounds are left out of it."""
SCORE: Final = 4
LINKS: Final = 5
"""Columns of a score, and of the lines between two rounds."""
UNKNOWN: Final = "…"
EMPTY: Final = "–"


@dataclass(slots=True)
class _Canvas:
    """What stands where: by row and round."""

    first_round: int
    names: dict[tuple[int, int], tuple[str, str]] = field(default_factory=dict)
    """Nick and score."""
    links: dict[tuple[int, int], str] = field(default_factory=dict)
    leaves: int = 0


def bracket_lines(tree: MatchTree, width: int) -> list[str]:
    """Return the bracket, its rounds as heads above it; empty where it does not fit into ``width`` columns. Early
    rounds of a large field are left out."""
    if not tree.is_bracket or not tree.rounds:
        return []
    by_number = {match.number: match for round_ in tree.rounds for match in round_.matches}
    for at, round_ in enumerate(tree.rounds):
        columns = len(tree.rounds) - at + 1
        room = width // columns - SCORE - LINKS
        # Later rounds need fewer columns and rows: the first that fits is the most that can be shown.
        if room >= MIN_NICK and 2 * len(round_.matches) <= MAX_LEAVES:
            return _drawn(tree, by_number, round_.number, min(room, MAX_NICK))
    return []


def _drawn(tree: MatchTree, by_number: Mapping[int, MatchShown], first_round: int, room: int) -> list[str]:
    canvas = _Canvas(first_round)
    final = tree.rounds[-1].matches[-1]
    row = _place(canvas, by_number, final)
    winner = EMPTY if final.state == "over" else UNKNOWN  # all who played it are disqualified
    canvas.names[row, final.round + 1] = (tree.champion or winner, "")
    rounds = range(first_round, final.round + 2)
    nicks = max(len(name) for name, _ in canvas.names.values())
    labels = {round_.number: round_.label or f"round {round_.number}" for round_ in tree.rounds}
    room = max(MIN_NICK, min(room, nicks, MAX_NICK))
    wide = max(room + SCORE + LINKS, 2 + max(map(len, labels.values())))
    heads = [labels.get(number, "winner") for number in rounds]
    lines = ["".join(fitted(head, wide) for head in heads).rstrip()]
    for at in range(2 * canvas.leaves - 1):
        lines.append("".join(_cell(canvas, (at, number), wide) for number in rounds).rstrip())
    if tree.third_place is not None:
        lines += ["", f"third place: {score_text(tree.third_place)}{note_text(tree.third_place)}"]
    return lines


def _cell(canvas: _Canvas, place: tuple[int, int], wide: int) -> str:
    name, score = canvas.names.get(place, ("", ""))
    link = canvas.links.get(place, " " * LINKS)
    return fitted(name, wide - SCORE - LINKS) + f"{score:>{SCORE}}" + link


def _place(canvas: _Canvas, by_number: Mapping[int, MatchShown], match: MatchShown) -> int:
    """Draw a match and all that lead to it; returns the row of its winner."""
    rows = []
    for side, feeder in zip(match.sides, match.feeders, strict=True):
        before = by_number.get(feeder)
        if before is not None and before.round >= canvas.first_round:
            row = _place(canvas, by_number, before)
        else:
            row, canvas.leaves = 2 * canvas.leaves, canvas.leaves + 1
        canvas.names[row, match.round] = (safe(side.nick) or _missing(side), side_score(match, side))
        rows.append(row)
    first, last = rows[0], rows[-1]
    middle = (first + last) // 2
    canvas.links |= {(row, match.round): "  │  " for row in range(first + 1, last)}
    canvas.links |= {(first, match.round): " ─┐  ", (last, match.round): " ─┘  ", (middle, match.round): "  ├─ "}
    return middle


def _missing(side: MatchSide) -> str:
    return EMPTY if side.origin == NO_PLAYER else UNKNOWN


def side_score(match: MatchShown, side: MatchSide) -> str:
    """The score of one side; empty as long as there is none."""
    if not side.nick or match.state == "to come":
        return ""
    if match.note == WALKOVER and not any(one.score for one in match.sides):
        return "w/o" if side.state == "on" else ""
    return points_text(side.score)


def score_text(match: MatchShown) -> str:
    """A match in a line: players and scores."""
    names = [safe(side.nick) or side.origin for side in match.sides]
    scores = [side_score(match, side) for side in match.sides]
    if len(names) == 2 and all(scores):
        return f"{names[0]} {scores[0]} – {scores[1]} {names[1]}"
    return " – ".join(_with(name, score) for name, score in zip(names, scores, strict=True))


def note_text(match: MatchShown) -> str:
    """How a match was decided without being played out, and for whom where no score shows it; begins with a gap. Empty
    where scores say all."""
    if not match.note:
        return ""
    winner = next((safe(side.nick) for side in match.sides if side.state == "on"), "")
    return f"  {match.note}{f' for {winner}' if match.note == WALKOVER and winner else ''}"


def _with(name: str, score: str) -> str:
    return f"{name} {score}" if score and score != "w/o" else name
