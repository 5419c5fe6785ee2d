"""``python -m ugs`` and the command ``ugs``."""

from ugs.commands.app import application


def main() -> None:
    """Run the command line."""
    application()()


if __name__ == "__main__":
    main()
