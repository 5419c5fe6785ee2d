"""What a program on trial writes belongs to the case in which it was written."""

import sys
from collections.abc import Callable

import trio

from ugs.check.byte_line import End
from ugs.check.case import Broken, Case, CaseFinding
from ugs.check.stage import TrialStage
from ugs.check.trial import Trial
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


DIES = """
import os, socket, sys
with socket.create_connection((os.environ["UGS_HOST"], int(os.environ["UGS_PORT"]))) as line:
    line.recv(1)
gate = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
gate.recv(1)
raise SystemExit("no such column")
"""
"""What closes its line some time before it ends, and writes why last."""


class Gated(StartedProgram):
    """Opens the gate as soon as somebody waits for the end of the program."""

    open_gate: Callable[[], None]

    async def ends(self) -> None:
        """Let it end."""
        self.open_gate()
        await super().ends()


class Stage(TrialStage):
    """Where a program only connects."""

    def forgets(self) -> None:
        """Nothing."""

    async def enter(self) -> None:
        """Nothing is awaited of it."""


async def dead() -> list[CaseFinding]:
    """What comes of a program that closes its line, and ends with a reason somewhat later."""

    async def asked(stage: Stage) -> None:
        await stage.on.send(b"!")
        end = await stage.on.receive()
        assert isinstance(end, End)
        raise Broken(f"expected a move; it {end.value}")

    with trio.fail_after(120):
        (gate,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
        async with trio.open_nursery() as nursery:
            opened = trio.Event()

            async def at_the_gate() -> None:
                async with await gate.accept() as stream:
                    await opened.wait()
                    await stream.send_all(b"!")

            nursery.start_soon(at_the_gate)
            command = [sys.executable, "-I", "-c", DIES, str(gate.socket.getsockname()[1])]
            visitors = Gated(command, nursery, 120)
            visitors.open_gate = opened.set
            cases = [Case("move", "a move", "", asked)]
            found = await Trial(cases, Stage(visitors, 120), lambda finding: None).run()
            nursery.cancel_scope.cancel()
        await gate.aclose()
    return found


def test_a_program_that_has_closed_its_line_has_time_to_write_why() -> None:
    (finding,) = trio.run(dead)
    assert finding.text == "expected a move; it closed the connection"
    assert finding.wrote == ["the process ended with exit code 1; its last lines:", "  no such column"]
