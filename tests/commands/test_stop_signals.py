"""Every signal that asks a command to end lets it end in order."""

import signal
import socket
import subprocess
import sys

import pytest

from ugs.commands.stop_signals import STOP_SIGNALS


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
def test_a_command_ends_in_order(number: signal.Signals) -> None:
    assert number in STOP_SIGNALS
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        command = [sys.executable, "-m", "ugs", "watch", "--connect", address, "--type", "five"]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as watching:
            line, _ = silent.accept()
            with line:
                watching.send_signal(number)  # it has listened to signals before it connected
                _, said = watching.communicate(timeout=60)
    assert (watching.returncode, said) == (0, "")
