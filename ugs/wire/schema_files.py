"""Where the XSDs of ``schemas/`` are. Games name their schema without reading it, and without the library for it."""

from pathlib import Path
from typing import Final

_PACKAGE: Final = Path(__file__).resolve().parent.parent


def schemas_directory() -> Path:
    """Return the directory ``schemas``: inside the package if it was installed, otherwise at the top of the checkout.

    Raises FileNotFoundError if there is neither.
    """
    return _find_schemas(_PACKAGE)


def _find_schemas(package: Path) -> Path:
    places = (package / "_data" / "schemas", package.parent / "schemas")
    for place in places:
        if (place / "messages").is_dir():
            return place
    raise FileNotFoundError(f"the directory with the schemas is neither {places[0]} nor {places[1]}")
