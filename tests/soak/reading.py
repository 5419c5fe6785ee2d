"""Reads hostile files one after the other, in a process with the memory that one command may have: all of them with the
profile ``deep``, with ``quick`` those that are read in about a second.

Prints a line of JSON: what is wrong with how they were dealt with.
"""

import json
import resource
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.commands.line import ugs
from tests.profile import sized
from ugs.soak.hostile_files import FILES, MAX_BYTES, MAX_OUTPUT, REFUSED

LEFT_OUT = sized(quick=frozenset({"events", "tags", "escapes", "long-text", "unknown-keys"}), deep=frozenset[str]())


def main() -> None:
    """Read them."""
    resource.setrlimit(resource.RLIMIT_AS, (MAX_BYTES, MAX_BYTES))
    wrong = {}
    assert {file.name for file in FILES} >= LEFT_OUT
    for file in FILES:
        if file.name in LEFT_OUT:
            continue
        with TemporaryDirectory() as directory:
            result = ugs(*file.written(Path(directory)))
        if result.exit_code not in REFUSED or not isinstance(result.exception, SystemExit):
            wrong[file.name] = repr(result.exception)[:200]
        elif not 0 < len(result.output) <= MAX_OUTPUT:
            wrong[file.name] = f"{len(result.output)} characters"
    print(json.dumps(wrong))


if __name__ == "__main__":
    main()
