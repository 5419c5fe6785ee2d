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
        from ugs.commands import bash_completion  # only a shell that completes waits for it

        if why := bash_completion.what_lacks(os.environ):
            sys.exit(f"ugs: {why}")
        if bash_completion.asks(os.environ):
            bash_completion.complete(os.environ, app)
            return
    if "_TYPER_COMPLETE_ARGS" in os.environ:
        from ugs.commands import option_completion

        if option_completion.option_of(os.environ):
            option_completion.complete(os.environ, app)
            return
    app()


if __name__ == "__main__":
    main()
