"""The manual under ``/docs``: the files of a site that ``make docs`` has built, or that an organiser names.

Files are read from the disk as they are asked for. Only the files of a site are served, even if others
lie in the folder, and scripts run only from files of the site, or if they stand in the page itself.
"""

import base64
import hashlib
import os
import re
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Final

import trio
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

from ugs.config import ConfigError

PATH: Final = "/docs"
INDEX: Final = "index.html"
_PACKAGE: Final = Path(__file__).resolve().parents[2]
PLACES: Final = (_PACKAGE / "_data" / "site", _PACKAGE.parent / "dist" / "docs")
"""Where a site is found without a setting: in an installed package, and in a checkout after ``make docs``."""
KINDS: Final = frozenset({".css", ".gif", ".html", ".ico", ".jpg", ".js", ".json", ".png", ".svg", ".webp", ".xml"})
"""What files of a site are called at their end."""
ABSENT: Final = (
    'the manual is not installed on this server. Its operator gets it with: pip install "ugs[docs]", in a checkout'
    " with: make docs, or names a folder with another site: docs in the table [site] of the settings"
)
INLINE: Final = re.compile(rb"<script>(.*?)</script>", re.DOTALL)
MAX_PAGES: Final = 1000
"""Pages whose policies are remembered."""
NOT_HERE: Final = 404
WITHOUT: Final = (b"range", b"if-range")
"""Headers of requests that are not read: no browser needs a part of a page."""


def manual_routes(setting: str) -> list[BaseRoute]:
    """The routes of the manual: from the folder of ``[site] docs``, else from where one is found. Where there is none,
    they explain how to get one. Raises ConfigError for a folder that is no site."""
    folder = site_folder(setting)
    if folder is None:
        return [Route(PATH, _absent), Route(f"{PATH}/{{path:path}}", _absent)]
    return [Route(PATH, _to_the_index), Mount(PATH, ManualFiles(folder))]


def site_folder(setting: str) -> Path | None:
    """The folder of the site; None where there is none. Raises ConfigError."""
    if setting:
        if not Path(setting, INDEX).is_file():
            raise ConfigError(f"site.docs: {setting}: has no {INDEX}, so it is not the folder of a site")
        return Path(setting)
    return next((place for place in PLACES if (place / INDEX).is_file()), None)


class ManualFiles(StaticFiles):
    """The files of a site, each with a policy of its own."""

    def __init__(self, folder: Path) -> None:
        super().__init__(directory=folder)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer; parts of files are not given."""
        wanted = [pair for pair in scope.get("headers", ()) if pair[0] not in WITHOUT]
        await super().__call__({**scope, "headers": wanted}, receive, send)

    async def get_response(self, path: str, scope: Scope) -> Response:
        """The file of a path below the folder, ``.`` for the folder itself. Raises HTTPException."""
        path = INDEX if path == "." else path
        parts = PurePosixPath(path).parts
        # A folder that was named by mistake must not give away what else is in it.
        if PurePosixPath(path).suffix not in KINDS or any(part.startswith(".") for part in parts):
            raise HTTPException(NOT_HERE)
        try:
            response = await super().get_response(path, scope)
        except HTTPException as error:
            raise error if error.status_code == 405 else HTTPException(NOT_HERE) from None
        except OSError:
            raise HTTPException(NOT_HERE) from None
        response.headers["Cache-Control"] = "no-cache"
        # It reads the page and hashes its scripts: not in the loop.
        response.headers["Content-Security-Policy"] = await trio.to_thread.run_sync(self._policy, path)
        return response

    def _policy(self, path: str) -> str:
        if not path.endswith(".html"):
            return policy_of(b"")
        file, found = self.lookup_path(path)
        return _policy_of_file(file, found.st_mtime_ns, found.st_size) if found is not None else policy_of(b"")


def policy_of(page: bytes) -> str:
    """What a page of the manual may load and run: its own site's files, and the scripts that stand in it now."""
    digests = (base64.b64encode(hashlib.sha256(script).digest()).decode() for script in INLINE.findall(page))
    scripts = " ".join(["'self'", *sorted({f"'sha256-{digest}'" for digest in digests})])
    return (
        f"default-src 'none'; style-src 'self'; script-src {scripts}; img-src 'self' data:; font-src 'self'; "
        "connect-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )


@lru_cache(MAX_PAGES)
def _policy_of_file(file: str | os.PathLike[str], _changed_ns: int, _size: int) -> str:
    return policy_of(Path(file).read_bytes())


async def _to_the_index(_request: Request) -> Response:
    """Links of the first page are relative to the folder. The client is not asked what this server is called."""
    return Response(status_code=307, headers={"Location": f"{PATH.removeprefix('/')}/"})


async def _absent(_request: Request) -> Response:
    raise HTTPException(NOT_HERE, ABSENT)
