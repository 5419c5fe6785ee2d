"""The door to environments for learners: ugs knows their names from entry points alone."""

import subprocess
import sys

import pytest

import ugs.env

WITHOUT_LIBRARIES = """
import sys
for library in ("gymnasium", "numpy", "pettingzoo", "mcp", "pyspiel"):
    sys.modules[library] = None
import ugs.daemon.serve, game_masters.registry, game_masters.kit.encoding, ugs.env
assert game_masters.registry.find_game("tic-tac-toe") is not None
assert game_masters.kit.encoding.encoding_of("tic-tac-toe") is not None
try:
    ugs.env.aec_env
except ModuleNotFoundError as error:
    print(error)
"""


def test_the_names_of_installed_packages_are_offered() -> None:
    assert {"aec_env", "seat_env"} <= set(dir(ugs.env))
    assert callable(ugs.env.aec_env)


def test_an_unknown_name_is_refused_with_the_known_ones() -> None:
    with pytest.raises(AttributeError, match="it has: aec_env, seat_env"):
        _ = ugs.env.parallel


def test_server_and_games_need_no_library_and_the_door_names_the_extra() -> None:
    run = subprocess.run([sys.executable, "-c", WITHOUT_LIBRARIES], capture_output=True, text=True, check=True)
    assert 'pip install "ugs[env]"' in run.stdout
