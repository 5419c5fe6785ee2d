"""What is tied to a match ends with it."""

import signal
import subprocess
import sys


def test_it_ends_when_its_standard_input_does() -> None:
    program = "import ugs.match.tied_process as tied; import threading; "
    program += "threading.Thread(target=tied.watch, daemon=True).start(); "
    program += "print('runs', flush=True); threading.Event().wait()"
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        assert process.stdout.readline() == "runs\n"
        assert process.poll() is None
        process.stdin.close()
        assert process.wait(60) == -signal.SIGTERM
