"""Golden games: whole games as readable text, recorded once and replayed by a test.

A golden game is a header, then what was done (lines that begin with ``>``) and what came of it: new entries of the
record, the position, the payloads, who is to move, at the end the outcome. Everything but the header and the ``>``
lines follows from them, so a replay writes the text again and compares. A line of intent, ``#`` at the top, describes
what the game is there to show.

    # The first player completes a diagonal.
    game tic-tac-toe
    seed 1
    option width 7
    player ann
    player bob

    > ann <move><tic x="3" y="3"/></move>
    > bob leaves

``python -m game_masters.kit.golden --help`` explains how a new one is recorded: from a game between bots, or from a
hand-written file with nothing but header and ``>`` lines.
"""

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from game_masters.kit.fixture import read_fixture
from game_masters.kit.rules import AnyGame, Options, RuleBroken, State, Table, Unreadable
from game_masters.registry import Registry, find_games

LEAVES = "leaves"
REJOINS = "rejoins"


@dataclass(frozen=True, slots=True)
class Script:
    """What is needed to play a golden game: the header and the actions."""

    comments: tuple[str, ...]
    game: str
    seed: str
    options: tuple[tuple[str, str], ...]
    fixture: tuple[str, ...]
    """The lines of the fixture that it begins from; none: chance decides."""
    players: tuple[str, ...]
    actions: tuple[tuple[str, str], ...]
    """Pairs of a nick, and a payload, ``leaves`` or ``rejoins``."""

    def header(self) -> list[str]:
        """Return the first lines of the text, and an empty line after them."""
        return [
            *(f"# {comment}" for comment in self.comments),
            f"game {self.game}",
            f"seed {self.seed}",
            *(f"option {name} {value}" for name, value in self.options),
            *(f"fixture {line}".rstrip() for line in self.fixture),
            *(f"player {nick}" for nick in self.players),
            "",
        ]


def read_script(text: str) -> Script:
    """Return the script in a golden game; the other lines are ignored. Raises ValueError for a header that lacks a
    line."""
    comments, options, fixture, players, actions = [], [], [], [], []
    single: dict[str, str] = {}
    in_header = True
    for line in text.splitlines():
        word, _, rest = line.partition(" ")
        if word == ">":
            nick, _, what = rest.partition(" ")
            actions.append((nick, what))
        # What follows may begin with the words of a header.
        elif not line:
            in_header = False
        elif in_header and word == "#":
            comments.append(rest)
        elif in_header and word == "option":
            name, _, value = rest.partition(" ")
            options.append((name, value))
        elif in_header and word == "fixture":
            fixture.append(rest)
        elif in_header and word == "player":
            players.append(rest)
        elif in_header and word in ("game", "seed"):
            single[word] = rest
        elif in_header:
            raise ValueError(f"not a header line of a golden game: {line!r}")
    if set(single) != {"game", "seed"}:
        raise ValueError("a golden game begins with the lines game, seed, and one player line per seat")
    return Script(
        tuple(comments), single["game"], single["seed"], tuple(options), tuple(fixture), tuple(players), tuple(actions)
    )


def replay(script: Script, game: AnyGame) -> str:
    """Play a script and return the golden text. Raises KeyError for an action of a nick that does not play, BadFixture
    for a fixture that does not fit."""
    options = game.choose_options(dict(script.options))
    start = read_fixture(game, "\n".join(script.fixture)).start(game, options) if script.fixture else None
    state = game.start(Table("golden", script.players, options, fixture=start), random.Random(script.seed))
    lines = script.header()
    shown = 0
    lines += _position(game, script.players, state, shown)
    for nick, what in script.actions:
        seat = dict(zip(script.players, range(len(script.players)), strict=True))[nick]
        shown = len(state.record)
        lines.append(f"> {nick} {what}")
        if what == LEAVES:
            state.leave(seat)
        elif what == REJOINS:
            state.rejoin(seat)
        else:
            lines += _try(game, state, seat, what)
        lines += [f"* {entry}" for entry in state.record[shown:]]
        lines += _position(game, script.players, state, shown)
    return "\n".join(lines)


def _try(game: AnyGame, state: State[Any, Any], seat: int, what: str) -> Iterator[str]:
    """Make a move. For a bad one, return a line with the reason."""
    try:
        state.apply(seat, game.notation.read_move(what.encode()))
    except (RuleBroken, Unreadable) as cause:
        state.fault(seat, cause)
        yield f"! {type(cause).__name__}: {cause}"


def _position(game: AnyGame, names: tuple[str, ...], state: State[Any, Any], shown: int) -> Iterator[str]:
    """Return the position after an action, and an empty line."""
    yield from (f"| {line}".rstrip() for line in str(state).splitlines())
    public = game.notation.write_view(state.view(None, shown)).decode()
    yield f"the public sees {public}"
    for seat, nick in enumerate(names):
        private = game.notation.write_view(state.view(seat, shown)).decode()
        # Where nothing is hidden all are shown the same, which then stands there once.
        if private != public:
            yield f"{nick} sees {private}"
    outcome = state.outcome
    if outcome is None:
        yield f"to move: {', '.join(names[seat] for seat in state.movers)}"
    else:
        winners = ", ".join(names[seat] for seat in sorted(outcome.winners)) or "no seat"
        yield f"over: {outcome.termination}; {'drawn' if outcome.drawn else f'won by {winners}'}"
    yield ""


def script_of_bots(game: AnyGame, bots: Sequence[str], seed: str, texts: dict[str, str], comment: str) -> Script:
    """Return the script of a game between bots, one per seat, each named after its seat's number."""
    options: Options = game.choose_options(texts)
    names = tuple(f"{bot}-{seat}" for seat, bot in enumerate(bots, start=1))
    # Of its own: the game's chance must be what it is in a replay, where no bot draws.
    chooser = random.Random(f"{seed} for the bots")
    state = game.start(Table("golden", names, options), random.Random(seed))
    actions: list[tuple[str, str]] = []
    while state.outcome is None:
        seat = state.movers[0]
        move = game.bot(bots[seat]).choose(state.view(seat), chooser)
        actions.append((names[seat], game.notation.write_move(move).decode()))
        state.apply(seat, move)
    return Script((comment,), game.name, seed, tuple(texts.items()), (), names, tuple(actions))


def main(arguments: Sequence[str], registry: Registry) -> str:
    """Return what ``python -m game_masters.kit.golden`` prints."""
    parser = argparse.ArgumentParser(
        prog="python -m game_masters.kit.golden",
        description="Print a golden game: either of bots, or the replay of a file (complete or header and '>' lines).",
    )
    parser.add_argument("source", help="name of an installed game, or a file")
    parser.add_argument("--bots", default="", help="names of bots, one per seat, with commas between them")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--option", action="append", default=[], metavar="K=V")
    parser.add_argument("--comment", default="A game between bots.", help="what the game is there to show")
    chosen = parser.parse_args(arguments)
    if Path(chosen.source).is_file():
        script = read_script(Path(chosen.source).read_text(encoding="utf-8"))
        return replay(script, registry.game(script.game))
    game = registry.game(chosen.source)
    bots = chosen.bots.split(",") if chosen.bots else [game.bots[0].name] * game.players.min
    options = dict(pair.split("=", 1) for pair in chosen.option)
    return replay(script_of_bots(game, bots, chosen.seed, options, chosen.comment), game)


if __name__ == "__main__":
    sys.stdout.write(main(sys.argv[1:], find_games()))
