"""One target under atheris: `python -m tests.fuzz.drive TARGET [options of libFuzzer] [folders of inputs]`.

What is measured is the code of the server that the target is about; it has to be imported under the eyes of atheris.
"""

import sys
from pkgutil import resolve_name

import atheris

from tests.fuzz.targets import TARGETS


def main() -> None:
    """Feed the target named first until a bound of libFuzzer is reached, or something is found."""
    name, options = sys.argv[1], sys.argv[2:]
    target = TARGETS[name]
    with atheris.instrument_imports(include=[*target.measured]):
        feed = resolve_name(target.function)
    atheris.Setup([sys.argv[0], *options], feed)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
