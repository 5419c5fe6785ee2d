"""``python -m ugs`` and the command ``ugs``."""

import os
import sys

from ugs.loading import loading


def main() -> None:
    """Run the command line."""
    with loading():
        from ugs.commands.app import application

        app = application(sys.argv[1:])
    if "_UGS_COMPLETE" in os.environ:
        from ugs.commands import bash_words  # only a shell that completes waits for it

        if why := bash_words.what_lacks(os.environ):
            sys.exit(f"ugs: {why}")
        if bash_words.asks(os.environ):
            bash_words.complete(os.environ, app)
            return
    if "_TYPER_COMPLETE_ARGS" in os.environ:
        from ugs.commands import option_words

        if option_words.option_of(os.environ):
            option_words.complete(os.environ, app)
            return
    app()


if __name__ == "__main__":
    main()
