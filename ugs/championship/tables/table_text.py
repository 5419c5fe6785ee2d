"""Tables of a championship as lines for a terminal: cross tables, rounds by score, matches, and games by rounds."""

from collections.abc import Collection, Iterable, Sequence
from itertools import groupby
from typing import Final

from ugs.championship.tables.cross_tables import CrossTable, points_text
from ugs.championship.tables.match_trees import MatchShown, MatchTree
from ugs.championship.tables.scheduled_games import TO_COME, ScheduledGame
from ugs.championship.tables.score_groups import Paired, SwissRoundShown
from ugs.championship.tables.sections import Section
from ugs.championship.tables.stage_tables import StageTable
from ugs.championship.tables.tree_text import bracket_lines, note_text, score_text
from ugs.printable import safe
from ugs.terminal import aligned

ID: Final = 8
"""Characters of an id that are shown: commands take the beginning."""
MAX_GAMES: Final = 60
"""Games of rounds that are shown, the last ones."""
WENT_ON: Final = "went on"
SIGNS: Final = {"won": "1", "drawn": "½", "lost": "0"}


def section_lines(section: Section, width: int) -> list[str]:
    """Return one table with its head."""
    lines = []
    if section.tree is not None:
        through = [f"  went on: {', '.join(map(safe, section.through))}"] if section.through else []
        lines += [*_tree(section, section.tree, width), *through]
    if section.cross is not None:
        lines += _headed(section.label or "cross table", _cross(section.cross, width, section.through))
    if section.places is not None:
        lines += _headed(section.label or "table", placed_lines(section.places, section.through))
    if section.swiss is not None:
        lines += _headed(f"rounds of {section.label}" if section.label else "rounds", _swiss(section.swiss))
    return lines


def game_text(game: ScheduledGame) -> str:
    """A game in a line: players, score, state, id, and the organiser who decided it."""
    scores = [SIGNS.get(game.outcomes.get(nick, ""), "") for nick in game.nicks]
    result = " – ".join(scores) if game.outcomes and all(scores) else ""
    state = "" if game.state == "played" else game.state
    number = "" if game.game else f"#{game.fixture}"
    ruling = game.ruling
    ruled = ""
    if ruling is not None:
        was = f"; it was: {outcomes_text(ruling.before)}" if ruling.before else ""
        ruled = f"{'corrected' if ruling.before else 'decided'} by {safe(ruling.who)}: {safe(ruling.why)}{was}"
    parts = (" – ".join(map(safe, game.nicks)), result, state, game.game[:ID] or number, ruled)
    return "  ".join(filter(None, parts))


def outcomes_text(outcomes: Iterable[tuple[str, str]] | dict[str, str]) -> str:
    """``ann won, bob lost``."""
    return ", ".join(f"{safe(nick)} {outcome}" for nick, outcome in dict(outcomes).items())


def round_lines(games: Iterable[ScheduledGame]) -> list[str]:
    """Return games by rounds, those to come last; of many the last ones."""
    listed = sorted(games, key=lambda game: (game.state == TO_COME, game.round, game.fixture))
    shown = listed[-MAX_GAMES:]
    lines = [f"  {len(listed) - len(shown)} earlier games: --ledger shows them"] if len(listed) > len(shown) else []
    for (to_come, number), of_round in groupby(shown, key=lambda game: (game.state == TO_COME, game.round)):
        lines.append(f"  {'to come, ' if to_come else ''}round {number}" if number else "  games")
        lines += [f"    {safe(game.label) + ': ' if game.label else ''}{game_text(game)}" for game in of_round]
    return lines


def _headed(head: str, lines: Sequence[str]) -> list[str]:
    return ["", safe(head), *lines] if lines else []


def _tree(section: Section, tree: MatchTree, width: int) -> list[str]:
    drawn = _headed(section.label or "bracket", [f"  {line}" for line in bracket_lines(tree, width - 2)])
    lines = []
    for round_ in tree.rounds:
        lines.append(f"  {round_.label or f'round {round_.number}'}")
        lines += [line for match in round_.matches for line in _match(match)]
    if tree.third_place is not None:
        lines += ["  third place", *_match(tree.third_place)]
    return [*drawn, *_headed("matches", lines)]


def _match(match: MatchShown) -> list[str]:
    state = note_text(match).strip() or ("" if match.state == "over" else match.state)
    head = "  ".join(filter(None, (f"    {match.number:>2}  {score_text(match)}", state)))
    # A match of one game needs no line for the game, unless an organiser has decided it.
    alone = len(match.games) == 1 and match.games[0].ruling is None
    if alone:
        return [f"{head}  {match.games[0].game[:ID]}".rstrip()]
    return [head, *(f"        {game_text(game)}" for game in match.games)]


def placed_lines(table: StageTable, through: Collection[str] = ()) -> list[str]:
    """Who stands where, and who is out or went ``through``."""
    rows = [["", "nick", "points", "won", "lost", "drawn", *table.tie_breaks, ""]]
    for line in table.lines:
        counts = [points_text(line.points), str(line.won), str(line.lost), str(line.drawn)]
        state = line.out or (WENT_ON if line.nick in through else "")
        values = [line.tie_breaks[name] for name in table.tie_breaks]
        breaks = ["–" if value is None else points_text(value) for value in values]
        rows.append([str(line.place or "–"), line.nick, *counts, *breaks, state])
    more = [f"  and {table.more} more"] if table.more else []
    return [*(f"  {line}".rstrip() for line in aligned(rows, left={1, len(rows[0]) - 1})), *more]


def _cross(table: CrossTable, width: int, through: Collection[str] = ()) -> list[str]:
    against = len(table.columns) == len(table.lines)
    heads = ["", "nick", *(map(str, range(1, len(table.columns) + 1)) if against else table.columns)]
    rows = [[*heads, "points", "games", *([""] if through else [])]]
    for number, line in enumerate(table.lines, start=1):
        cells = ["·" if nick == line.nick else cell for nick, cell in zip(table.columns, line.cells, strict=True)]
        state = [WENT_ON if line.nick in through else ""] if through else []
        rows.append([str(number), line.nick, *cells, points_text(line.points), str(line.games), *state])
    lines = [line.rstrip() for line in aligned(rows, left={1, *([len(rows[0]) - 1] if through else [])})]
    # Wrapped lines of a table cannot be read.
    if max(map(len, lines)) + 2 > width:
        return ["  no room here for the cross table; the web page and --format json have it"]
    return [f"  {line}" for line in lines]


def _swiss(rounds: Sequence[SwissRoundShown]) -> list[str]:
    lines = []
    for round_ in rounds:
        lines.append(f"  round {round_.number}")
        for group in round_.groups:
            lines.append(f"    with {points_text(group.points)} {'point' if 0 < group.points <= 1 else 'points'}")
            lines += [f"      {game_text(paired.game)}{_floats(paired, group.points)}" for paired in group.games]
        if round_.byes:
            lines.append(f"    sits out: {', '.join(map(safe, round_.byes))}")
    return lines


def _floats(paired: Paired, points: float) -> str:
    """Who of a game comes from a lower group."""
    lower = [
        f"{safe(nick)} has {points_text(own)}"
        for nick, own in zip(paired.game.nicks, paired.points, strict=True)
        if own != points
    ]
    return f"  ({', '.join(lower)})" if lower else ""
