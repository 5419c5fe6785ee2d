"""What a program on trial writes belongs to the case in which it was written."""

import sys

import trio

from ugs.check.visitors import StartedProgram

SAYS = """
import os, socket
with socket.create_connection((os.environ["UGS_HOST"], int(os.environ["UGS_PORT"]))) as line:
    while piece := line.recv(1):
        print(piece.decode(), flush=True)
        if piece == b"!":
            raise SystemExit(3)
"""


async def told(visitors: StartedProgram, end: str) -> list[str]:
    """What it has written, as soon as this is at the end."""
    while not (lines := visitors.wrote())[-1].endswith(end):  # noqa: ASYNC110  (nothing tells of a line)
        await trio.sleep(0.01)
    return lines


async def accounts() -> list[list[str]]:
    """What is told in a case, at the beginning and at the end of the next one, and after the program has ended."""
    with trio.fail_after(120):
        async with trio.open_nursery() as nursery:
            visitors = StartedProgram([sys.executable, "-I", "-c", SAYS], nursery, 120)
            line = await visitors.fresh()
            await line.send_all(b"a")
            found = [await told(visitors, "a")]
            visitors.begins_case()
            found.append(visitors.wrote())
            await line.send_all(b"b")
            found.append(await told(visitors, "b"))
            await line.send_all(b"!")
            await told(visitors, "!")
            while "exit code 3" not in visitors.wrote()[0]:  # noqa: ASYNC110  (nothing tells that it is known)
                await trio.sleep(0.01)
            await visitors.aclose()
            found.append(visitors.wrote())
            await line.aclose()
    return found


def test_lines_of_earlier_cases_are_shown_only_where_the_program_has_ended_by_itself() -> None:
    runs = "the process was still running"
    assert trio.run(accounts) == [
        [f"{runs}; its last lines:", "  a"],
        [f"{runs}; it wrote nothing meanwhile"],
        [f"{runs}; its last lines:", "  b"],
        ["the process ended with exit code 3; its last lines:", "  a", "  b", "  !"],
    ]
