"""The scripted master and player in direct dialogue, and the cutter that feeds them."""

import random
import time
import xml.etree.ElementTree as ET
from collections import Counter, deque
from zlib import crc32

import pytest

from ugs.bench.load import Load
from ugs.bench.message_counts import MessageTally
from ugs.bench.message_script import Cutter, PacedPlayer, Script, ScriptedMaster, ScriptedPlayer, UnexpectedMessage
from ugs.bench.payload import MOVE, STATE, PayloadBoard
from ugs.wire.codec import decode
from ugs.wire.framing import Framer, Limits
from ugs.wire.messages import (
    GameMasterLogin,
    GameState,
    Logout,
    Move,
    PlayerLogin,
    PlayerResult,
    Result,
    ThankYou,
)

ACCEPTED = b'<message type="loginResponse"><response accept="yes"/>'
BEGIN = b'<message type="beginGame"><gameId id="g1"/><player nick="ann"/><player nick="bob"/>'


def state(after: str, game: str = "g1") -> bytes:
    return f'<message type="gameState"><gameId id="{game}"/>{after}<gameState/>'.encode()


OVER = '<gameOver><player nick="ann" result="winner"/><player nick="bob" result="loser"/></gameOver>'


def turn_of(answer: bytes) -> str:
    """Return the nick that a state of the scripted master names, or "over"."""
    message = ET.fromstring(answer)
    turn = message.find("nextPlayer")
    return "over" if turn is None else turn.attrib["nick"]


def player(games: int | None = None, payload_bytes: int = 0) -> tuple[ScriptedPlayer, MessageTally]:
    tally = MessageTally()
    return ScriptedPlayer(b"ann", Load(payload_bytes=payload_bytes), tally, games), tally


def test_documents_are_cut_behind_their_end_tag_however_they_arrive() -> None:
    documents = [b"<message>%d" % number for number in range(50)]
    stream = b"".join(document + b"</message>" for document in documents)
    chance = random.Random(4)
    for _ in range(50):
        cutter, cut, at = Cutter(), [], 0
        while at < len(stream):
            step = chance.choice([1, 2, 9, 40, 400])
            cut += cutter.feed(stream[at : at + step])
            at += step
        assert cut == documents


def test_a_document_is_there_with_its_last_byte_and_not_before() -> None:
    cutter = Cutter()
    assert cutter.feed(b"<message/></message") == []
    assert cutter.feed(b">") == [b"<message/>"]


def test_a_player_moves_when_it_is_named() -> None:
    ann, tally = player(payload_bytes=200)
    answer = ET.fromstring(ann.answer_to(state('<nextPlayer nick="ann"/>')))
    assert answer.attrib == {"type": "move"}
    assert [child.tag for child in answer] == ["gameId", "move"]
    assert answer[0].attrib == {"id": "g1"}
    assert tally.states == 1


@pytest.mark.parametrize("nick", ["bob", "ann2", "an"])
def test_a_player_waits_when_another_player_is_named(nick: str) -> None:
    ann, tally = player()
    assert ann.answer_to(state(f'<nextPlayer nick="{nick}"/>')) == b""
    assert tally.states == 1


def test_the_state_after_a_move_ends_its_round_trip_and_later_ones_do_not() -> None:
    ann, tally = player()
    ann.answer_to(state('<nextPlayer nick="ann"/>'))
    assert tally.round_trips == []
    ann.answer_to(state('<nextPlayer nick="bob"/>'))
    ann.answer_to(state('<nextPlayer nick="bob"/>'))
    assert len(tally.round_trips) == 1
    assert tally.round_trips[0] >= 0


def test_a_player_says_thank_you_for_the_game_that_is_over() -> None:
    ann, _ = player()
    answer = ET.fromstring(ann.answer_to(state(OVER)))
    assert answer.attrib == {"type": "thank you"}
    assert answer[0].attrib == {"id": "g1"}
    assert not ann.finished


def test_a_player_with_a_number_of_games_says_good_bye_after_the_last() -> None:
    ann, _ = player(games=2)
    assert b"thank you" in ann.answer_to(state(OVER))
    assert ET.fromstring(ann.answer_to(state(OVER, "g2"))).attrib == {"type": "logout"}
    assert ann.finished


def test_a_player_counts_and_skips_the_table() -> None:
    ann, tally = player()
    assert ann.answer_to(b'<message type="championsList"><player nick="ann" won="1" lost="0"/>') == b""
    assert tally.champions_lists == 1
    assert tally.deliveries() == 0


@pytest.mark.parametrize(
    "expected", [["ann", "over"], ["ann", "bob", "over"], ["ann", "bob", "ann", "over"]], ids=["1", "2", "3"]
)
def test_a_master_leads_a_game_in_turn_to_its_end(expected: list[str]) -> None:
    tally = MessageTally()
    moves = len(expected) - 1
    master = ScriptedMaster(b"m", Load(games=1, moves=moves), tally, even=True)
    turns = [turn_of(master.answer_to(BEGIN))]
    while turns[-1] != "over":
        turns.append(turn_of(master.answer_to(b'<message type="move"><gameId id="g1"/><move/>')))
    assert turns == expected
    assert (tally.begins, tally.moves, tally.games_over) == (1, moves, 1)


def test_the_last_state_lists_both_players() -> None:
    master = ScriptedMaster(b"m", Load(games=1, moves=1, payload_bytes=100), MessageTally(), even=True)
    master.answer_to(BEGIN)
    over = ET.fromstring(master.answer_to(b'<message type="move"><gameId id="g1"/><move/>'))
    assert [child.tag for child in over] == ["gameId", "gameOver", "gameState"]
    assert [each.attrib["nick"] for each in over[1]] == ["ann", "bob"]


def lengths_of(master: ScriptedMaster, games: int) -> list[int]:
    """How many moves its first games have."""
    lengths = []
    for number in range(games):
        game = b"g%d" % number
        answer = master.answer_to(BEGIN.replace(b"g1", game))
        length = 0
        while turn_of(answer) != "over":
            answer = master.answer_to(b'<message type="move"><gameId id="%b"/><move/>' % game)
            length += 1
        lengths.append(length)
    return lengths


def test_the_first_games_differ_in_length_and_the_later_ones_do_not() -> None:
    assert lengths_of(ScriptedMaster(b"m", Load(games=4, moves=8), MessageTally()), 6) == [1, 5, 2, 7, 8, 8]


def test_uneven_games_differ_by_a_quarter_and_have_the_same_mean() -> None:
    lengths = lengths_of(ScriptedMaster(b"m", Load(games=10, moves=60, uneven=True), MessageTally()), 1010)[10:]
    assert (min(lengths), max(lengths)) == (45, 75)
    assert sum(lengths) / len(lengths) == pytest.approx(60, abs=0.1)


def test_games_that_begin_one_after_the_other_do_not_end_so() -> None:
    """In each round of the games, one of fifty neighbours ends, or two: what an end costs falls on few moves."""
    lengths = lengths_of(ScriptedMaster(b"m", Load(games=1000, moves=60), MessageTally()), 1000)
    ends = [Counter(lengths[begin : begin + 50]) for begin in range(950)]
    assert max(each for neighbours in ends for each in neighbours.values()) <= 2
    assert set(Counter(lengths).values()) <= {16, 17, 18}, "and as many games have one length as another"


def peers() -> list[Script]:
    return [ScriptedPlayer(b"ann", Load(), MessageTally()), ScriptedMaster(b"m", Load(), MessageTally())]


@pytest.mark.parametrize("peer", peers(), ids=["player", "master"])
def test_everything_a_peer_says_declares_its_encoding(peer: Script) -> None:
    assert peer.login().startswith(b'<?xml version="1.0" encoding="UTF-8"?><message type="')
    ET.fromstring(peer.login())


def test_the_broker_reads_in_every_document_what_the_scripts_mean() -> None:
    """Mistakes in byte templates are easily made, and only the real codec notices them."""
    load = Load(games=1, moves=1, payload_bytes=500)
    ann, master = ScriptedPlayer(b"ann", load, MessageTally(), 2), ScriptedMaster(b"m", load, MessageTally(), even=True)
    said = [ann.login(), master.login(), master.answer_to(BEGIN), ann.answer_to(state('<nextPlayer nick="ann"/>'))]
    said += [master.answer_to(b'<message type="move"><gameId id="g1"/><move/>'), ann.answer_to(state(OVER))]
    said += [ann.answer_to(state(OVER, "g2"))]
    documents = Framer(Limits(100_000, 64, 64)).feed(b"".join(said))
    states, moves = PayloadBoard(STATE, 500, seed=1), PayloadBoard(MOVE, 500, crc32(b"ann"))
    assert [decode(document.raw) for document in documents] == [
        PlayerLogin("ann", "bench"),
        GameMasterLogin("m", "bench", "2", "2"),
        GameState("g1", "ann", None, states.turn()),
        Move("g1", moves.turn()),
        GameState(
            "g1",
            None,
            (PlayerResult("ann", Result.WINNER), PlayerResult("bob", Result.LOSER)),
            states.turn(),
        ),
        ThankYou("g1"),
        Logout(),
    ]


@pytest.mark.parametrize("peer", peers(), ids=["player", "master"])
def test_a_peer_is_admitted_by_the_answer_to_its_login(peer: Script) -> None:
    assert not peer.admitted
    assert peer.answer_to(ACCEPTED) == b""
    assert peer.admitted


@pytest.mark.parametrize("peer", peers(), ids=["player", "master"])
@pytest.mark.parametrize(
    ("document", "complaint"),
    [
        (b'<message type="loginResponse"><response accept="no"/><error id="3"/>', "refused.*id=.3"),
        (b'<message type="error">not your turn', "not your turn"),
        (b"garbage", "garbage"),
    ],
)
def test_what_should_never_be_heard_ends_the_measurement(peer: Script, document: bytes, complaint: str) -> None:
    with pytest.raises(UnexpectedMessage, match=complaint):
        peer.answer_to(document)


def test_a_paced_player_moves_when_it_is_told_to_and_its_round_trip_counts_from_when_that_was_due() -> None:
    tally, ready = MessageTally(), deque[PacedPlayer]()
    ann = PacedPlayer(b"ann", Load(), tally, ready)
    assert ann.answer_to(state('<nextPlayer nick="ann"/>')) == b""
    assert list(ready) == [ann]
    due = time.monotonic_ns() - 5_000_000_000
    assert decode(ann.move(due)) == Move("g1", b"<move/>")
    ann.answer_to(state('<nextPlayer nick="bob"/>'))
    (trip,) = tally.round_trips
    assert trip > 5_000_000_000
    assert list(ready) == [ann], "whoever tells it to move takes it out"
    assert decode(ann.answer_to(state(OVER))) == ThankYou("g1")


def test_peers_of_other_game_types_say_so() -> None:
    ann = ScriptedPlayer(b"ann", Load(), MessageTally(), game_type=b"go")
    assert decode(ann.login()) == PlayerLogin("ann", "go")
    master = ScriptedMaster(b"m", Load(), MessageTally(), game_type=b"go")
    assert decode(master.login()) == GameMasterLogin("m", "go", "2", "2")


def test_equal_results_are_a_draw() -> None:
    master = ScriptedMaster(b"m", Load(moves=1), MessageTally(), even=True, drawn=True)
    master.answer_to(BEGIN)
    over = decode(master.answer_to(b'<message type="move"><gameId id="g1"/><move/>'))
    assert isinstance(over, GameState)
    assert [each.result for each in over.game_over or ()] == [Result.WINNER, Result.WINNER]
