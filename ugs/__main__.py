"""``python -m ugs`` and the command ``ugs``."""

import sys

from ugs.loading import loading


def main() -> None:
    """Run the command line."""
    with loading():
        from ugs.commands.app import application

        app = application(sys.argv[1:])
    app()


if __name__ == "__main__":
    main()
