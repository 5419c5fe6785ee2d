"""Promises about a game that is led by the real master: what reaches the players, and what a server may rely on."""

import random
from collections.abc import Iterator, Sequence

from game_masters.kit.acknowledgements import Listener
from game_masters.kit.contract import Check, all_numbers_of_players, allowed, combinations, expect
from game_masters.kit.rehearsal import (
    GAME_ID,
    SEED,
    Rehearsal,
    Wire,
    a_master,
    a_sitting,
    a_state,
    messages_of,
    payload_for,
    rehearse,
    wires_of,
    written,
)
from game_masters.kit.rules import AnyGame, AnyState, Table
from game_masters.kit.seating import Seating
from game_masters.kit.showing import Manner, next_seats, show
from ugs.wire.codec import encode
from ugs.wire.extensions import Because, Failed, Family, SeatKind, Views
from ugs.wire.messages import BeginGame, Choice, GameState, Move, Result

MAX_REHEARSAL = 400
"""A game with more events than this is broken off; another promise is that it ends."""
MAX_RESTORATIONS = 40


def answers_the_same_again(game: AnyGame) -> None:
    """Another master that receives the same sends the same, byte for byte, with any families granted."""
    for number, rehearsal in enumerate(_rehearsals(game)):
        again = a_master(game, rehearsal.wire)
        for event, answers in zip(rehearsal.events, rehearsal.answers, strict=True):
            now = written(messages_of(again.received(event), game))
            expect(
                now == written(answers),
                game,
                f"rehearsal {number} over {rehearsal.wire}: to {event} it answered {written(answers)}, and then {now}",
            )


def goes_on_from_any_point(game: AnyGame) -> None:
    """A master that takes a game over sends from then on what the first one sent."""
    for rehearsal in _rehearsals(game):
        if Family.RESTORE in rehearsal.wire.families:
            every = max(1, len(rehearsal.events) // MAX_RESTORATIONS)
            for happened in range(0, len(rehearsal.events), every):
                _take_over(game, rehearsal, happened)


def _take_over(game: AnyGame, rehearsal: Rehearsal, happened: int) -> None:
    master = a_master(game, rehearsal.wire)
    over = happened == len(rehearsal.events) - 1 and bool(rehearsal.results)
    where = f"taken over after {happened} events over {rehearsal.wire}"
    answer = messages_of(master.received(rehearsal.restore(happened)), game)
    state = answer[-1]
    expect(isinstance(state, GameState | Views), game, f"{where}: answered with {written(answer)}")
    if rehearsal.answers[happened]:
        first = rehearsal.answers[happened][-1]
        expect(state == first, game, f"{where}: the state was {encode(first)!r} and is {encode(state)!r}")
    expect((master.running == 0) == over, game, f"{where}: games that are led now: {master.running}")
    for number, event in enumerate(rehearsal.events[happened + 1 :], start=happened + 1):
        then, now = written(rehearsal.answers[number]), written(messages_of(master.received(event), game))
        expect(now == then, game, f"{where}: to event {number}, {event}, the answer was {then} and is {now}")


def plays_empty_seats(game: AnyGame) -> None:
    """With players on some seats and the program on the others the game ends, and every player gets its result.

    The master reports whether it is a draw. If not, the listed losers have lost, even if only to a program.
    """
    for seats in all_numbers_of_players(game):
        for players in sorted({1, seats - 1}):
            wire = next(wire for wire in reversed(wires_of(game)) if Family.TABLE in wire.families)
            played = rehearse(game, Wire(wire.families | {Family.REASON}), players, seats, seed=seats)
            expect(bool(played.results), game, f"{players} players on {seats} seats: no end")
            draws = [message.draw for message in played.answers[-1] if isinstance(message, Because)]
            won = [result.nick for result in played.results if result.result is Result.WINNER]
            # Without a winner it is only a draw if the game calls it one.
            right = [[False]] if won else [[False], [True]]
            expect(draws in right, game, f"{players} players on {seats} seats, won by {won}: a draw? It is {draws}")
            labels = played.labels.seats if played.labels is not None else ()
            expect(len(labels) == seats, game, f"{seats} seats, and these labels: {labels}")
            names = [label.nick for label in labels]
            expect(len(set(names)) == seats, game, f"two seats have one name: {names}")
            kinds = [label.kind for label in labels]
            expected = [SeatKind.HUMAN] * players + [SeatKind.PROGRAM] * (seats - players)
            expect(kinds == expected, game, f"{players} players on {seats} seats, and these kinds: {kinds}")
            listed = [result.nick for result in played.results]
            expect(listed == names, game, f"on the seats were {names}, results are there for {listed}")


def begins_with_every_choice_that_is_allowed(game: AnyGame) -> None:
    """Options at the ends of what is allowed make a game that can begin, or are refused before it does.

    Where they hide information, each player is shown a state of its own, or there is no such game. Only where seats
    wait together, some may need none.
    """
    players = tuple(f"player-{number}" for number in range(game.players.max))
    wires = {wire.families for wire in wires_of(game) if Family.TABLE in wire.families}
    if not game.hides(game.choose_options({})):
        # A game that hides nothing must do without states of their own for players, too.
        wires |= {families - {Family.VIEWS} for families in wires}
    for wire in map(Wire, sorted(wires, key=sorted)):
        several = Family.MOVERS in wire.families
        for texts in combinations(game):
            options = allowed(game, texts)
            hides = options is not None and game.hides(options)
            right: type[GameState | Views | Failed] = Views if hides or several else GameState
            if options is None or (hides and Family.VIEWS not in wire.families):
                right = Failed
            choices = tuple(Choice(name, value) for name, value in texts.items())
            begin = BeginGame(GAME_ID, players, choices, 0, SEED if Family.RESTORE in wire.families else "")
            answer = messages_of(a_master(game, wire).received(begin), game)[-1]
            what = f"with {texts}, {'not ' if options is None else ''}allowed, over {wire}"
            expect(isinstance(answer, right), game, f"{what}, it answers {answer}")
            if isinstance(answer, Views):
                shown = len(answer.views) - 1
                most = len(players) if hides else 0
                least = 0 if game.conduct.waits_together else most
                expect(least <= shown <= most, game, f"{what}, it shows {shown} states of their own")


def lets_players_come_back(game: AnyGame) -> None:
    """A player who was away between its move and the next time it is asked, or the end, knows then as much as one who
    was there.

    It gets the last of the states that it did not receive. A player that has chosen changes may have to ask for a whole
    state first.
    """
    lost = game.conduct.lost
    for rehearsal in _rehearsals(game, troubles=[0.0]):
        for nick, shown in rehearsal.shown.items():
            there, back = a_sitting(game), a_sitting(game)
            away = False
            moves = 0
            for number, state in enumerate(shown):
                view = there.receives(a_state(state.payload))
                over = bool(rehearsal.results) and number == len(shown) - 1
                away = away and state.move is None and not over
                if not away:
                    seen = back.receives(a_state(state.payload))
                    asks = lost is not None and lost(seen)
                    expect(asks or seen == view, game, f"{nick}, back to {state.payload!r}, sees {seen}, not {view}")
                if state.move is not None:
                    for sitting in (there, back):
                        sitting.answers(Move(GAME_ID, state.move))
                    moves += 1
                    away = moves % 2 == 1


def keeps_secrets_on_the_wire(game: AnyGame) -> None:
    """What a message shows to one seat, and to all, does not depend on what is hidden from that seat."""
    if not game.hides(game.choose_options({})):
        return
    rng = random.Random(14)
    manner = Manner(views=True, movers=game.conduct.simultaneous)
    for seats in all_numbers_of_players(game):
        options = game.choose_options({})
        seating = Seating(Table(GAME_ID, tuple(f"player-{seat}" for seat in range(seats)), options))
        state: AnyState = game.start(seating.table, random.Random(seats))
        shown = [0]
        while state.outcome is None and len(shown) < MAX_REHEARSAL:
            # From one of the last states on, as for a reader who has missed some.
            since = rng.choice(shown[-5:])
            for seat in range(seats):
                hidden = state.resampled(seat, rng)
                expect(
                    len(hidden.record) == len(state.record),
                    game,
                    "the record, dealt again, is longer or shorter",
                )
                one, other = (_message(game, seating, each, manner, since) for each in (state, hidden))
                expect(one.next_players == other.next_players, game, f"who may move reveals something to seat {seat}")
                for nick in (seating.table.names[seat], ""):  # its own view, and the one for all others
                    seen, also = payload_for(one, nick), payload_for(other, nick)
                    expect(seen == also, game, f"seat {seat} sees something hidden: {seen!r} against {also!r}")
            shown.append(len(state.record))
            mover = rng.choice(state.movers)
            state.apply(mover, rng.choice(state.legal_moves(mover)))


def _message(game: AnyGame, seating: Seating, state: AnyState, manner: Manner, since: int) -> Views:
    def from_there(listener: Listener) -> int:
        return since

    message = show(game, seating, state, manner, next_seats(state, manner), seating.table.seats, from_there)
    assert isinstance(message, Views)
    return message


def _rehearsals(game: AnyGame, troubles: Sequence[float] = (0.0, 0.1, 0.3)) -> Iterator[Rehearsal]:
    """Yield games over every wire, with few and many seats, of players alone and with the program, with and without
    trouble."""
    for wire in wires_of(game):
        for seats in sorted({game.players.min, game.players.max}):
            for players in sorted({1, seats}) if Family.TABLE in wire.families else [seats]:
                for trouble in troubles:
                    yield rehearse(game, wire, players, seats, seed=seats, trouble=trouble, longest=MAX_REHEARSAL)


LED: tuple[Check, ...] = (
    answers_the_same_again,
    goes_on_from_any_point,
    plays_empty_seats,
    begins_with_every_choice_that_is_allowed,
    lets_players_come_back,
    keeps_secrets_on_the_wire,
)
"""Every promise about games that are led."""
