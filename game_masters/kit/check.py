"""Contract tests that every game must pass: what the kit promises about games, checked on one.

``python -m game_masters.kit.check [GAME ...]`` runs them for the installed games. A test suite takes them one by one
from :data:`CONTRACT`. All are deterministic: they play games with seeded random numbers, and find only what the
positions of those games show. The promises about games with a master are in :mod:`game_masters.kit.check_led`, those
about pictures in :mod:`game_masters.kit.check_pictures`, that about what questions reveal in
:mod:`game_masters.kit.check_questions`.
"""

import random
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from itertools import islice
from typing import Any

from game_masters.kit.check_led import LED
from game_masters.kit.check_pictures import DRAWN
from game_masters.kit.check_questions import QUESTIONS
from game_masters.kit.check_sketches import SKETCHED
from game_masters.kit.contract import (
    Check,
    ContractBroken,
    all_numbers_of_players,
    allowed,
    combinations,
    expect,
    for_all_variants,
    variants,
)
from game_masters.kit.rules import AnyGame, AnyState, BadOption, Follower, RuleBroken, Table, Unreadable
from game_masters.registry import NoSuchGame, find_games
from ugs.wire.codec import WrongMessage
from ugs.wire.schema import PayloadSchema

MAX_GAME = 20_000
"""A game of random moves with more moves than this counts as one that never ends."""
SAMPLED_EVERY = 11
"""After the first moves of a game, costly checks look at one position in this many; after :data:`LONG_GAME` moves at
one in ten times as many."""
LONG_GAME = 500
MAX_SAMPLED = MAX_GAME
"""Costly checks look at no position after this number of moves."""
RECENT = 100
"""The number of entries of the record that are looked at where all of them would only repeat themselves."""
SHOWN_EVERY = 1
"""After :data:`SHOWN_FIRST` positions, players who are not asked are shown one position in this many. (A notation that
shows nothing but the last move needs them all; its games are short.)"""
SHOWN_FIRST = 250
MAX_SHOWING = MAX_GAME
"""Showing players and bots a game is broken off after this number of moves; where that is fewer than :data:`MAX_GAME`,
it is not asked whether bots come to an end."""


@dataclass(frozen=True, slots=True)
class Step:
    """A position of a game of random moves, and the move that is about to be made in it."""

    state: AnyState
    seat: int
    move: Any
    number: int


def declares_itself_well(game: AnyGame) -> None:
    """The declared facts are ones that the command line and the wire can use."""
    expect(bool(game.name) and game.name == game.name.strip().lower(), game, "name is not a lower-case word")
    expect(bool(game.game_type.strip()) and len(game.game_type) <= 64, game, "game_type is not 1 to 64 characters")
    expect(bool(game.summary), game, "there is no summary")
    expect(game.schema.is_file(), game, f"the schema {game.schema} does not exist")
    names = [bot.name for bot in game.bots]
    expect(len(set(names)) == len(names), game, f"two bots have one name: {names}")
    names = [option.name for option in game.options]
    expect(len(set(names)) == len(names), game, f"two options have one name: {names}")
    for option in game.options:
        expect(bool(option.explanation), game, f"option {option.name} has no explanation")
        if option.type == "word":
            words = [str(word) for word in option.allowed]
            blank = [word for word in words if word.split() != [word]]
            expect(not blank, game, f"option {option.name} has words that are not one word: {blank}")
    defaults = {option.name: str(option.default) for option in game.options}
    try:
        chosen = game.choose_options(defaults)
    except BadOption as error:
        raise ContractBroken(f"{game.name}: the defaults are not allowed: {error}") from error
    expect(chosen == game.choose_options({}), game, f"the defaults {defaults} are read as {chosen}")
    hides = any(variant.hides(variant.choose_options({})) for variant in variants(game))
    expect(hides or not game.hidden_information, game, "hidden information is declared, and no options hide any")


def ends_with_a_proper_outcome(game: AnyGame) -> None:
    """Games of random moves end, for every number of players, and then no seat may act."""
    for seats in all_numbers_of_players(game):
        state, _ = _play_through(game, seats, seed=seats)
        _check_standing(game, state, set(range(seats)))
        expect(state.outcome is not None, game, f"{seats} players: no end after {MAX_GAME} moves")
        expect(len(state.labels) in (0, seats), game, f"{seats} seats, and these labels: {state.labels}")
        for seat in range(seats):
            expect(not state.legal_moves(seat), game, f"seat {seat} has legal moves after the end")


def applies_every_legal_move(game: AnyGame) -> None:
    """Every move listed as legal can be made, and the record grows."""
    rng = random.Random(1)
    for step in _sampled_steps(game, seed=1):
        for seat in step.state.movers:
            moves = step.state.legal_moves(seat)
            expect(bool(moves), game, f"after {step.number} moves seat {seat} is to act and has no legal move")
            expect(len(set(moves)) == len(moves), game, f"after {step.number} moves a legal move is listed twice")
            for move in rng.sample(list(moves), min(3, len(moves))):
                trial = deepcopy(step.state)
                before = len(trial.record)
                try:
                    trial.apply(seat, move)
                except RuleBroken as error:
                    raise ContractBroken(f"{game.name}: the listed move {move} is refused: {error}") from error
                expect(len(trial.record) > before, game, f"move {move} left nothing in the record")


def refuses_illegal_moves(game: AnyGame) -> None:
    """Moves that are legal elsewhere or for another seat raise RuleBroken and change nothing."""
    rng = random.Random(2)
    seen: list[Any] = []
    for step in _sampled_steps(game, seed=2):
        state = step.state
        for seat in range(game.players.max):
            legal = set(state.legal_moves(seat))
            expect(bool(legal) == (seat in state.movers), game, f"movers {state.movers}, but moves for seat {seat}")
            # Of open kinds, moves that are not listed may be legal.
            illegal = [move for move in seen if move not in legal and not (legal and state.is_open(move))]
            for move in rng.sample(illegal, min(3, len(illegal))):
                _check_refusal(game, state, seat, move)
        seen.append(step.move)
    state, _ = _play_through(game, game.players.max, seed=2)
    # After the end no move is legal any more.
    _check_refusal(game, state, 0, seen[0])


def repeats_itself(game: AnyGame) -> None:
    """The same seed and moves give the same game; without chance, so does another seed."""
    seats = game.players.max
    first, moves = _play_through(game, seats, seed=3)
    second = _start(game, seats, 3)
    other_seed = _start(game, seats, 4)
    for seat, move in moves:
        second.apply(seat, move)
        if not game.chance:
            other_seed.apply(seat, move)
    for again, why in [(second, "the same seed"), *([] if game.chance else [(other_seed, "no chance declared")])]:
        expect(_portrait(again, seats) == _portrait(first, seats), game, f"{why} and moves, but another game")


def writes_moves_that_it_reads(game: AnyGame) -> None:
    """A move goes through its payload unchanged."""
    for step in _steps(game, game.players.max, seed=5):
        payload = game.notation.write_move(step.move)
        read = _read(game, game.notation.read_move, payload)
        expect(read == step.move, game, f"{step.move} was written as {payload!r} and read as {read}")


def refuses_unreadable_payloads(game: AnyGame) -> None:
    """Payloads that are no moves or no states raise Unreadable, and nothing else."""
    written = game.notation.write_move(next(_steps(game, game.players.min, seed=6)).move)
    strange = [
        b"", b"text", b"<move/", b"<move>\xff</move>", b"<gameState/>", b"<move>&#0;</move>", b"<move>&what;</move>",
        b"<move><unknown-element/></move>", b"<!DOCTYPE move>" + written, written[:-1], written + written,
    ]  # fmt: skip
    for payload in strange:
        with suppress(Unreadable):
            move = game.notation.read_move(payload)
            raise ContractBroken(f"{game.name}: {payload!r} was read as {move}")
    read = game.notation.follow(game.choose_options({}))
    for payload in (b"", b"text", b"<gameState", b"<move/>", b"<!DOCTYPE gameState><gameState/>"):
        with suppress(Unreadable):
            view = read(payload)
            raise ContractBroken(f"{game.name}: {payload!r} was read as {view}")


def shows_players_the_rules_position(game: AnyGame) -> None:
    """A player who reads the payloads of a game one after another sees what the rules let it see.

    That also holds when every payload comes twice, as may happen after a departure.
    """
    for seats in all_numbers_of_players(game):
        followers: list[Follower[Any]] = [game.notation.follow(game.choose_options({})) for _ in range(seats)]
        shown = [0] * seats
        for number, state in enumerate(islice(_positions(game, seats, seed=7), MAX_SHOWING)):
            for seat, reader in enumerate(followers):
                if not _is_shown(number) and state.outcome is None:
                    continue
                view = state.view(seat, shown[seat])
                shown[seat] = len(state.record)
                payload = game.notation.write_view(view)
                for _ in range(2):
                    read = _read(game, reader, payload)
                    expect(read == view, game, f"the view {view} was written as {payload!r} and read as {read}")


def _is_shown(number: int) -> bool:
    """Return whether all players are shown the position of this number."""
    return number < SHOWN_FIRST or number % SHOWN_EVERY == 0


def fits_its_schema(game: AnyGame) -> None:
    """The schema accepts every payload that the notation writes, and refuses others."""
    schema = PayloadSchema(game.schema)
    payloads: set[bytes] = set()
    for step in _sampled_steps(game, seed=8):
        payloads.add(game.notation.write_move(step.move))
        since = max(0, len(step.state.record) - RECENT)
        payloads.update(game.notation.write_view(step.state.view(seat, since)) for seat in (None, step.seat))
    last, _ = _play_through(game, game.players.max, seed=8)
    payloads.add(game.notation.write_view(last.view(None, max(0, len(last.record) - RECENT))))
    for payload in sorted(payloads):
        try:
            schema.check(payload)
        except WrongMessage as error:
            raise ContractBroken(f"{game.name}: the schema refuses {payload!r}: {error}") from error
    for payload in (b"<move><unknown-element/></move>", b"<gameState><unknown-element/></gameState>"):
        with suppress(WrongMessage):
            schema.check(payload)
            raise ContractBroken(f"{game.name}: the schema accepts {payload!r}")


def survives_departures(game: AnyGame) -> None:
    """Seats leave one after another, at any point. A seat that has left is never asked, and a last seat plays no
    more."""
    rng = random.Random(9)
    for seats in all_numbers_of_players(game):
        for step in _sampled_steps(game, seed=9, seats=seats):
            state = deepcopy(step.state)
            present = set(range(seats))
            for seat in rng.sample(range(seats), seats):
                if state.outcome is not None:
                    break
                state.leave(seat)
                present.remove(seat)
                _check_standing(game, state, present)
                expect(
                    len(present) > 1 or state.outcome is not None,
                    game,
                    f"all but seats {present} have left, and the game goes on",
                )
                if state.outcome is None:
                    mover = state.movers[0]
                    state.apply(mover, rng.choice(state.legal_moves(mover)))
                    _check_standing(game, state, present)


def gives_seats_back(game: AnyGame) -> None:
    """A seat that is given back is asked again, as if it had never been left, and can be left again."""
    if not game.conduct.rejoins:
        return
    rng = random.Random(11)
    asked = 0
    for seats in all_numbers_of_players(game):
        for step in _sampled_steps(game, seed=11, seats=seats):
            state = deepcopy(step.state)
            seat = rng.randrange(seats)
            state.leave(seat)
            present = set(range(seats)) - {seat}
            _check_standing(game, state, present)
            if state.outcome is None:
                state.rejoin(seat)
                _check_standing(game, state, present | {seat})
            for _ in range(RECENT):
                if state.outcome is not None or state.movers[0] == seat:
                    break
                state.apply(state.movers[0], rng.choice(state.legal_moves(state.movers[0])))
            asked += seat in state.movers
            if state.outcome is None:
                state.leave(seat)
                _check_standing(game, state, present)
    expect(asked > 0, game, "seats were given back, and none of them was ever asked again")


def survives_bad_moves(game: AnyGame) -> None:
    """After a bad move the game is over or goes on; it is never stuck."""
    for step in _sampled_steps(game, seed=10):
        for cause in (RuleBroken("a trial"), Unreadable("a trial")):
            state = deepcopy(step.state)
            state.fault(step.seat, cause)
            _check_standing(game, state, set(range(game.players.max)))
            game.notation.write_view(state.view(step.seat))


def has_bots_that_keep_the_rules(game: AnyGame) -> None:
    """Every bot, in every seat, chooses a legal move and sees no more than a player does."""
    for bot in game.bots:
        for seats in all_numbers_of_players(game):
            rng = random.Random(11)
            state = _start(game, seats, 11)
            followers = [game.notation.follow(game.choose_options({})) for _ in range(seats)]
            seen: list[Any] = [None] * seats
            shown = [0] * seats
            for number in range(min(MAX_SHOWING, MAX_GAME)):
                if state.outcome is not None:
                    break
                mover = state.movers[0]
                for seat, read in enumerate(followers):
                    if seat == mover or _is_shown(number):
                        seen[seat] = read(game.notation.write_view(state.view(seat, shown[seat])))
                        shown[seat] = len(state.record)
                seat = mover
                move = bot.choose(seen[seat], rng)
                expect(
                    move in state.legal_moves(seat) or state.is_open(move),
                    game,
                    f"bot {bot.name} chose {move} in seat {seat} after {number} moves, which is not legal",
                )
                state.apply(seat, move)
            ended = state.outcome is not None or MAX_SHOWING < MAX_GAME
            expect(ended, game, f"bot {bot.name}: no end after {MAX_GAME} moves")


def keeps_secrets(game: AnyGame) -> None:
    """No view shows what its seat may not know.

    Without hidden information all views are equal, also with options that leave the game without it. With hidden
    information, what is hidden from a seat is dealt again, and the seat must not see any difference; another seat must
    see one, or nothing was dealt again.
    """
    for options in (allowed(game, texts) for texts in combinations(game)):
        if options is not None and not game.hides(options):
            names = tuple(f"player-{seat}" for seat in range(game.players.max))
            state = game.start(Table("contract", names, options), random.Random(12))
            _check_openness(game, state)
    hides = game.hides(game.choose_options({}))
    differs = False
    rng = random.Random(12)
    for step in _sampled_steps(game, seed=12):
        if not hides:
            _check_openness(game, step.state)
            continue
        since = 0 if step.number < LONG_GAME else max(0, len(step.state.record) - RECENT)
        public = game.notation.write_view(step.state.view(None, since))
        for seat in range(game.players.max):
            own = game.notation.write_view(step.state.view(seat, since))
            other = step.state.resampled(seat, rng)
            dealt_again = game.notation.write_view(other.view(seat, since))
            expect(own == dealt_again, game, f"seat {seat} sees something hidden: {own!r} against {dealt_again!r}")
            expect(
                game.notation.write_view(other.view(None, since)) == public,
                game,
                f"the public state shows something that is hidden from seat {seat}",
            )
            differs = differs or str(other) != str(step.state)
    expect(differs == hides, game, "hidden information is declared but nothing is ever hidden")


def _check_openness(game: AnyGame, state: AnyState) -> None:
    """All views are equal."""
    public = game.notation.write_view(state.view(None))
    for seat in range(game.players.max):
        own = game.notation.write_view(state.view(seat))
        expect(own == public, game, f"seat {seat} sees {own!r}, the public {public!r}: hidden information?")


CONTRACT: tuple[Check, ...] = tuple(
    for_all_variants(check)
    for check in (
        declares_itself_well,
        ends_with_a_proper_outcome,
        applies_every_legal_move,
        refuses_illegal_moves,
        repeats_itself,
        writes_moves_that_it_reads,
        refuses_unreadable_payloads,
        shows_players_the_rules_position,
        fits_its_schema,
        survives_departures,
        gives_seats_back,
        survives_bad_moves,
        has_bots_that_keep_the_rules,
        keeps_secrets,
        *DRAWN,
        *SKETCHED,
        *LED,
        *QUESTIONS,
    )
)
"""Every promise, each a function that takes a game. A game that hides information only with some options is checked
with and without them."""


def _start(game: AnyGame, seats: int, seed: int) -> AnyState:
    table = Table("contract", tuple(f"player-{seat}" for seat in range(seats)), game.choose_options({}))
    return game.start(table, random.Random(seed))


def _steps(game: AnyGame, seats: int, seed: int) -> Iterator[Step]:
    """Yield the positions of one game of random moves, made by any seat that may act. It is one state that changes."""
    rng = random.Random(seed)
    state = _start(game, seats, seed)
    for number in range(MAX_GAME):
        if state.outcome is not None:
            return
        seat = rng.choice(state.movers)
        move = rng.choice(state.legal_moves(seat))
        yield Step(state, seat, move, number)
        state.apply(seat, move)
    raise ContractBroken(f"{game.name}: {seats} players: no end after {MAX_GAME} moves")


def _sampled_steps(game: AnyGame, seed: int, seats: int | None = None) -> Iterator[Step]:
    """Yield the first steps of a game and then a sample of the others, for costly checks."""
    for step in _steps(game, seats or game.players.max, seed):
        if step.number > MAX_SAMPLED:
            return
        every = SAMPLED_EVERY if step.number < LONG_GAME else 10 * SAMPLED_EVERY
        if step.number < 8 or step.number % every == 0:
            yield step


def _positions(game: AnyGame, seats: int, seed: int) -> Iterator[AnyState]:
    """Yield every position of a game of random moves, including the last."""
    step = None
    for step in _steps(game, seats, seed):
        yield step.state
    if step is not None:
        yield step.state


def _play_through(game: AnyGame, seats: int, seed: int) -> tuple[AnyState, list[tuple[int, Any]]]:
    """Return a game of random moves at its end, and its moves."""
    steps = list(_steps(game, seats, seed))
    return steps[-1].state, [(step.seat, step.move) for step in steps]


def _portrait(state: AnyState, seats: int, since: int = 0) -> tuple[object, ...]:
    """Return everything that a state shows, and of the record what follows entry ``since``."""
    views = [state.view(seat, since) for seat in (None, *range(seats))]
    moves = [list(state.legal_moves(seat)) for seat in range(seats)]
    return str(state), state.movers, state.outcome, list(state.record), views, moves


def _check_standing(game: AnyGame, state: AnyState, present: set[int]) -> None:
    """The game is over or goes on, not both; if it goes on, a seat that has not left can act."""
    outcome = state.outcome
    expect((outcome is None) == bool(state.movers), game, f"outcome {outcome}, but to move: {state.movers}")
    expect(set(state.movers) <= present, game, f"to move: {state.movers}, but in the game are {present}")
    for seat in state.movers:
        expect(bool(state.legal_moves(seat)), game, f"seat {seat} is to move and has no legal move")
    if outcome is not None:
        expect(bool(outcome.termination), game, "the outcome does not give the reason of the end")
        expect(all(seat >= 0 for seat in outcome.winners), game, f"no such seats: {outcome.winners}")


def _check_refusal(game: AnyGame, state: AnyState, seat: int, move: Any) -> None:
    seats = game.players.max
    since = max(0, len(state.record) - RECENT)
    before = _portrait(state, seats, since)
    try:
        state.apply(seat, move)
    except RuleBroken:
        expect(_portrait(state, seats, since) == before, game, f"the refused move {move} changed something")
    else:
        raise ContractBroken(f"{game.name}: seat {seat} made the move {move}, which is not listed as legal")


def _read(game: AnyGame, reader: Callable[[bytes], Any], payload: bytes) -> Any:
    try:
        return reader(payload)
    except Unreadable as error:
        raise ContractBroken(f"{game.name}: cannot read its own payload {payload!r}: {error}") from error


def main(names: Sequence[str]) -> int:
    """Check the installed games of these names (none: all) and print a line per promise. Return the exit code.

    Of packages of games that were not asked for nothing is reported, and a library that is not installed fails nothing.
    """
    registry = find_games()
    broken = [] if names else registry.broken
    for one in broken:
        print(one, file=sys.stderr)
    try:
        games = [registry.game(name) for name in names] or [entry.game for entry in registry.installed]
    except NoSuchGame as error:
        print(error, file=sys.stderr)
        return 2
    failures = sum(not one.lacks_library for one in broken)
    for game in games:
        for check in CONTRACT:
            try:
                check(game)
            except ContractBroken as error:
                failures += 1
                print(f"{game.name}: {check.__name__}: FAILED: {error}")
            else:
                print(f"{game.name}: {check.__name__}: kept")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
