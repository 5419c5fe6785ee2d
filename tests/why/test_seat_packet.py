"""The packet of one seat: it explains, it replays, and it tells nothing of others."""

import io
import os
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from tests.record.samples import card_game, tic_tac_toe
from tests.why.test_player_account import NOW_US, illegal
from ugs.broker.values.record import EntryKind
from ugs.broker.verdict import Cause, Verdict
from ugs.record.game import GameRecord
from ugs.why.seat_packet import MAX_ERRORS, seat_packet
from ugs.wire.codec import encode
from ugs.wire.messages import ThankYou

TOP = Path(__file__).parents[2]
SEED, TOKEN = "S33d-of-all-chance", "hX2nV8rTq0aLw7cJ4mZs"


def files_of(record: GameRecord, nick: str, errors: bytes = b"") -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(seat_packet(record, nick, NOW_US, errors))) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def test_it_says_which_rule_was_broken_and_how_long_each_move_took() -> None:
    files = files_of(illegal(), "bob", b"Traceback: \x1b[31mno\tidea\n\tin move")
    assert set(files) == {"README.txt", "account.txt", "times.csv", "game.ugsg", "replay.sh", "errors.txt"}
    manual = (Path(__file__).parents[2] / "docs" / "why.md").read_text(encoding="utf-8")
    assert [file for file in files if f"| `{file}` |" not in manual] == []
    assert b"99,18 is outside the board of 20 x 20" in files["account.txt"]
    assert files["times.csv"].startswith(b"move,waited_for_server_us,thought_us,network_us\n")
    assert b"no\tidea\n\tin move" in files["errors.txt"]
    assert b"to standard output and error" in files["README.txt"]
    assert b"\x1b" not in files["errors.txt"]


def test_of_what_the_program_wrote_the_end_is_kept() -> None:
    errors = files_of(illegal(), "bob", b"a" * MAX_ERRORS + b"the end")["errors.txt"]
    assert errors.endswith(b"the end")
    assert len(errors) == MAX_ERRORS
    assert "errors.txt" not in files_of(illegal(), "bob")


def test_the_same_game_gives_the_same_bytes() -> None:
    assert seat_packet(card_game(), "ann", NOW_US) == seat_packet(card_game(), "ann", NOW_US)


@pytest.mark.parametrize("nick", ["ann", "bob"])
def test_no_secret_of_another_seat_no_seed_and_no_token_is_inside(nick: str) -> None:
    """Every payload that only others were shown or said, the seed, the set-up, and a token that stood anywhere."""
    record = replace(card_game(), seed=SEED)
    seat = record.seats.index(nick)
    secrets = {
        entry.body
        for entry in record.entries
        if entry.body
        and (
            (entry.kind is EntryKind.VIEW and not entry.audience >> seat & 1)
            or (entry.kind is EntryKind.MOVE and entry.seat != seat)
        )
    }
    own = {
        entry.body
        for entry in record.entries
        if (entry.kind in (EntryKind.VIEW, EntryKind.STATE, EntryKind.OVER) and entry.audience >> seat & 1)
        or (entry.kind is EntryKind.MOVE and entry.seat == seat)
    }
    secrets -= own
    assert secrets
    content = b"\n".join(files_of(record, nick).values())
    assert [one for one in secrets if one in content] == []
    assert SEED.encode() not in content
    assert b"token" not in content.lower()
    assert TOKEN.encode() not in content


def test_names_are_quoted_for_the_shell() -> None:
    record = replace(tic_tac_toe(), seats=("a'; rm -rf ~; '", "bob"))
    assert record.result is not None
    seats = tuple(replace(one, nick=nick) for one, nick in zip(record.result.seats, record.seats, strict=True))
    script = files_of(replace(record, result=replace(record.result, seats=seats)), record.seats[0])["replay.sh"]
    checked = subprocess.run(["sh", "-n"], input=script, capture_output=True, check=False)
    assert checked.returncode == 0, checked.stderr
    line, environment = ["sh", "-c", script.decode(), "replay.sh", "true"], {**os.environ, "UGS": "echo"}
    said = subprocess.run(line, capture_output=True, text=True, check=False, env=environment)
    assert "--as a'; rm -rf ~; ' --position" in said.stdout


def run(folder: Path, *command: str | Path) -> subprocess.CompletedProcess[str]:
    """What the script of an unpacked packet says of a program."""
    environment = {**os.environ, "UGS": f"{sys.executable} -m ugs", "TIMEOUT": "60", "PYTHONPATH": str(TOP)}
    line = ["sh", str(folder / "replay.sh"), *map(str, command)]
    return subprocess.run(line, capture_output=True, text=True, env=environment, check=False)


def unpack(record: GameRecord, nick: str, folder: Path) -> None:
    for name, content in files_of(record, nick).items():
        (folder / name).write_bytes(content)


def test_the_script_exits_with_0_for_a_program_that_answers(tmp_path: Path) -> None:
    record = tic_tac_toe()
    unpack(record, record.seats[0], tmp_path)
    bot = TOP / "examples" / "kits" / "bot" / "python" / "bot.py"
    done = run(tmp_path, sys.executable, bot, "{host}", "{port}", record.seats[0])
    assert done.returncode == 0, done.stdout + done.stderr
    assert "it answers legally and in time: <move>" in done.stdout


def always(record: GameRecord, nick: str, x: int) -> str:
    """A program that answers each position with the stone at ``x``,0."""
    return f"""
import os, socket
line = socket.create_connection((os.environ["UGS_HOST"], int(os.environ["UGS_PORT"])))
line.sendall(b'<message type="playerLogin"><playerLogin nick="{nick}" gameType="5-in-line-tic-tac-toe"/></message>')
data = b""
while piece := line.recv(9999):
    data += piece
    while b"</message>" in data:
        document, _, data = data.partition(b"</message>")
        if b'nextPlayer nick="{nick}"' in document:
            move = b'<gameId id="{record.game_id}"/><move><tic x="{x}" y="0"/></move>'
            line.sendall(b'<message type="move">' + move + b"</message>")
        elif b"gameOver" in document:
            line.sendall(b'<message type="thank you"><gameId id="{record.game_id}"/></message>')
"""


def test_the_script_asks_the_rules_whether_an_answer_is_legal(tmp_path: Path) -> None:
    record = tic_tac_toe()
    nick = record.seats[0]
    unpack(record, nick, tmp_path)
    done = run(tmp_path, sys.executable, "-c", always(record, nick, 20))
    assert done.returncode == 1, done.stdout + done.stderr
    assert (
        'its move 1 is illegal: <move><tic x="20" y="0"/></move>: 20,0 is outside the board of 20 x 20' in done.stdout
    )


def test_an_illegal_answer_in_the_last_position_alone_is_named_so(tmp_path: Path) -> None:
    """The program is shown its one position, so there is no earlier answer."""
    record = tic_tac_toe()
    nick = record.seats[0]
    first = next(at for at, entry in enumerate(record.entries) if entry.kind is EntryKind.MOVE and entry.seat == 0)
    entries = (*record.entries[: first + 1], replace(record.entries[-1], body=b""))
    unpack(replace(record, entries=entries), nick, tmp_path)
    done = run(tmp_path, sys.executable, "-c", always(record, nick, 20))
    assert done.returncode == 1, done.stdout + done.stderr
    assert 'not legal: <move><tic x="20" y="0"/></move>: 20,0 is outside the board of 20 x 20' in done.stdout


def test_the_script_exits_with_1_for_a_program_that_repeats_a_refused_move_or_says_nothing(tmp_path: Path) -> None:
    record = tic_tac_toe()
    assert record.result is not None
    nick = record.seats[0]
    moves = [entry.body for entry in record.entries if entry.kind is EntryKind.MOVE and entry.seat == 0]
    refused = replace(record, result=replace(record.result, verdict=Verdict(Cause.ILLEGAL_MOVE, nick)))
    unpack(refused, nick, tmp_path)
    source = f"""
import os, socket
line = socket.create_connection((os.environ["UGS_HOST"], int(os.environ["UGS_PORT"])))
line.sendall(b'<message type="playerLogin"><playerLogin nick="{nick}" gameType="5-in-line-tic-tac-toe"/></message>')
moves, data = {moves!r}, b""
while piece := line.recv(9999):
    data += piece
    while b"</message>" in data:
        document, _, data = data.partition(b"</message>")
        if b'nextPlayer nick="{nick}"' in document and moves:
            game = b'<gameId id="{record.game_id}"/>'
            line.sendall(b'<message type="move">' + game + moves.pop(0) + b"</message>")
        elif not moves:
            raise SystemExit  # without a thank-you, for which the script would wait
"""
    done = run(tmp_path, sys.executable, "-c", source)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "the move that was refused, again" in done.stdout
    thanks = f'if b"gameOver" in document: line.sendall({encode(ThankYou(record.game_id))!r})'
    source = source.replace("raise SystemExit", thanks) + 'print("the server shuts down")\n'
    played_on = run(tmp_path, sys.executable, "-c", source).stdout
    assert (
        0 < played_on.index("here the replay ends, as a server that shuts down") < played_on.index("  the server shuts")
    )
    silent = run(tmp_path, sys.executable, "-c", "")
    assert silent.returncode == 1


def test_without_a_program_the_script_says_how_it_is_used(tmp_path: Path) -> None:
    unpack(tic_tac_toe(), tic_tac_toe().seats[0], tmp_path)
    done = run(tmp_path)
    assert done.returncode == 2
    assert "sh replay.sh python3 mybot.py {host} {port}" in done.stdout
