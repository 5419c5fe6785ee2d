"""``python -m ugs`` and the command ``ugs``."""

from ugs.cli import app


def main() -> None:
    """Run the command line."""
    app()


if __name__ == "__main__":
    main()
