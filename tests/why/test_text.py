"""Accounts for people."""

from dataclasses import replace

import pytest

from tests.why.records import BEGAN_US, RUNNING, STATE, entry, over
from tests.why.test_answer import GONE, HERE, NOW_US, PLAYED, TURN, WAITING
from ugs.broker.values.record import EntryKind
from ugs.why.answer import game_account, live_account, person_account
from ugs.why.text import MAX_DOCUMENT, as_text


def test_a_finished_game() -> None:
    assert as_text(game_account(replace(over(), championship="spring"), 2, NOW_US)).splitlines() == [
        "game g1 (chess, spring)",
        "  bob did not move in time; ann won",
        "  the fault of the player bob: it counts as lost for it",
        "  judged by the game master 'm'",
        "  began 2030-03-17 17:46:40 UTC, ended 2030-03-17 17:47:10 UTC; 1 move; master m",
        "  first seat: ann won",
        "  second seat: bob lost (timeout)",
        "  last move (ann, move 1) took 7 ms from state to state: network 0.4 ms, bot 3.5 ms, broker 0.4 ms, "
        "master and its network 2.7 ms",
        "  missed move (bob, move 2): none had come 30.00 s after the state",
        "  last exchanges:",
        "    #5 17:47:10 +30.008 s  server -> master m (if the master can read it and is there)",
        '      <message type="playerLeftGame"><player nick="bob"/><gameId id="g1"/></message>',
        "    #6 17:47:10 +30.010 s  master m -> ann",
        '      <message type="gameState"><gameId id="g1"/><gameOver><player nick="ann" result="winner"/>'
        '<player nick="bob" result="loser"/></gameOver><gameState/></message>',
    ]


def test_a_long_document_is_cut_where_it_is_not_wanted_whole() -> None:
    body = b"<move>" + b"x" * 4000 + b"</move>"
    account = game_account(replace(RUNNING, entries=(entry(EntryKind.MOVE, 1, seat=0, body=body),)), 6, NOW_US)
    whole = max(as_text(account).splitlines(), key=len)
    cut = max(as_text(account, whole=False).splitlines(), key=len)
    assert whole.endswith("</message>")
    assert cut == f"{whole[: len('      ') + MAX_DOCUMENT]}… ({len(whole.strip())} bytes; --format json shows all)"


def test_of_a_sketch_its_size_is_enough() -> None:
    body = b'<sketch version="1" columns="2" rows="1"><cell x="0" y="0" text="' + b"O" * 400 + b'"/></sketch>'
    entries = (STATE, entry(EntryKind.SKETCH, 1, body=body))
    account = game_account(replace(RUNNING, entries=entries), 6, NOW_US)
    document = account["exchanges"][-1]["document"]
    assert as_text(account, whole=False).endswith(f"      sketch, {len(document)} bytes (--format json shows it)")
    assert "<message type=" in as_text(account, whole=False), "other documents are there"
    assert as_text(account).endswith(document)


def test_a_game_that_does_not_count_is_said_not_to() -> None:
    lines = as_text(game_account(replace(over(), counts=False), 0, NOW_US)).splitlines()
    assert lines[0] == "game g1 (chess, does not count)"
    assert "  it does not count for standings or ratings" in lines
    alone = person_account("player", "ann", [], [replace(PLAYED, counts=False)], 6, NOW_US)
    assert as_text(alone).splitlines()[-1].endswith("; finished, does not count, 9 moves")


def test_of_a_game_with_the_computer_it_is_said_whose_moves_are_counted() -> None:
    """The page and the command counted five where two programs make ten, without a word."""
    game = over()
    assert game.result is not None
    alone = replace(game, seats=("ann",), seats_total=2, result=replace(game.result, seats=game.result.seats[:1]))
    text = as_text(game_account(replace(alone, entries=()), 0, NOW_US))
    assert " of ann (the computer's are not counted); " in text
    assert "not counted" not in as_text(game_account(game, 0, NOW_US))
    listed = as_text(person_account("player", "ann", [], [replace(PLAYED, seats=PLAYED.seats[:1])], 6, NOW_US))
    assert listed.endswith(", 9 moves of ann (the computer's are not counted)")


def test_a_running_game_without_round_trips() -> None:
    text = as_text(game_account(RUNNING, 0, NOW_US))
    assert "bot and network 3.9 ms, broker 0.4 ms" in text
    assert "last exchanges" not in text
    assert "  first seat: ann\n" in text


def test_times_that_are_not_known_are_said_to_be_so() -> None:
    alone = replace(RUNNING, entries=(entry(EntryKind.MOVE, 1, seat=0, body=b"<move/>"),))
    assert "last move (ann, move 1): nothing is known about its time" in as_text(game_account(alone, 0, NOW_US))


@pytest.mark.parametrize(
    ("took_us", "shown"),
    [
        (2, "below 0.1 ms"),
        (99, "below 0.1 ms"),
        (100, "0.1 ms"),
        (420, "0.42 ms"),
        (42_300, "42 ms"),
        (421_000, "0.42 s"),
        (12_300_000, "12.30 s"),
        (125_000_000, "2 min 5 s"),
    ],
)
def test_times_are_short_enough_to_be_read(took_us: int, shown: str) -> None:
    move = entry(EntryKind.MOVE, 1_000 + took_us, handed_us=1_000, seat=0, body=b"<move/>")
    assert f"bot and network {shown}" in as_text(game_account(replace(RUNNING, entries=(move,)), 0, NOW_US))


def test_a_state_with_a_view_for_each_player_is_shown_once_as_the_one_saw_it_who_is_asked() -> None:
    views = (
        entry(EntryKind.VIEW, 1, audience=0b01, body=b"<gameState>ann</gameState>"),
        entry(EntryKind.VIEW, 1, audience=0b10, body=b"<gameState>bob</gameState>"),
    )
    state = replace(STATE, seat=1, audience=0)
    text = as_text(game_account(replace(RUNNING, entries=(*views, state)), 1, NOW_US))
    (head, document) = text.splitlines()[-2:]
    assert head.endswith("master m -> ann, bob (as bob saw it; --format json has each view)")
    assert "<gameState>bob</gameState>" in document
    assert text.count("<gameState>") == 1


def test_whatever_a_terminal_would_not_show_is_escaped() -> None:
    body = "<move>\x9b31m\n\u202e</move>".encode()
    wild = replace(RUNNING, seats=("an\u202en", "bob"), entries=(entry(EntryKind.MOVE, 1, seat=0, body=body),))
    text = as_text(game_account(wild, 6, NOW_US))
    assert r"<move>\u{9b}31m\n\u{202e}</move>" in text
    assert r"an\u{202e}n" in text
    assert all(line.isprintable() for line in text.splitlines())


def test_a_document_in_hex_is_shown_with_its_bytes() -> None:
    broken = replace(RUNNING, entries=(entry(EntryKind.MOVE, 1, seat=0, body=b"<\xff"),))
    assert r"      <\xff" in as_text(game_account(broken, 6, NOW_US))


def test_a_player_that_waits() -> None:
    live = {
        **WAITING,
        "state": "waiting for a game",
        "peers": [{"role": "player", "name": "ann", "conn": 1, "address": "192.0.2.1:9", "round_trip_us": 1234}],
    }
    login = replace(HERE, version="2.0")
    assert as_text(person_account("player", "ann", [GONE, login], [PLAYED], 6, NOW_US, live)).splitlines() == [
        "player ann: waiting for a game",
        "  1 player waits",
        "  has been waiting for 1.0 s",
        "  connected from 192.0.2.1:9, round trip 1.2 ms",
        "  login 2030-03-17 17:46:40 UTC from 192.0.2.1:9 for chess, version 2.0; still here",
        "  login 2030-03-17 17:46:40 UTC from 192.0.2.1:9 for chess; until 2030-03-17 17:46:45 UTC: connection lost",
        "  game g1 2030-03-17 17:46:40 UTC chess: ann won, bob lost; finished, 9 moves",
    ]


def test_a_master_and_its_games() -> None:
    live = {
        "kind": "master",
        "name": "m",
        "why": ["m leads 1 game"],
        "games": [{"game": "g1", "why": "game g1: it is the turn of ann within 30 s"}],
        "peers": [{"role": "master", "name": "m", "conn": 1, "address": "192.0.2.1:9"}],
    }
    login = replace(HERE, name="m", role="master", players="2 to 4")
    text = as_text(person_account("master", "m", [login], [], 6, NOW_US, live))
    assert "master m\n  m leads 1 game\n" in text
    assert "  connected from 192.0.2.1:9\n  game g1: it is the turn of ann within 30 s\n" in text
    assert "for chess, 2 to 4 players; still here" in text


def test_what_only_the_server_knows() -> None:
    assert as_text(live_account(TURN)) == "game g1\n  game g1: it is the turn of bob within 30 s"


def test_a_player_that_is_gone_and_whose_game_runs() -> None:
    running = replace(PLAYED, verdict=None, ended_us=None, began_us=BEGAN_US)
    text = as_text(person_account("player", "ann", [], [running], 6, NOW_US))
    assert text.splitlines()[0] == "player ann"
    assert "running, 9 moves" in text
