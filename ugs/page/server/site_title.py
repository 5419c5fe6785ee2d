"""What the organiser calls the site: handed to the pages that the server writes itself."""

from starlette.applications import Starlette
from starlette.requests import Request


def name_site(app: Starlette, title: str) -> None:
    """Let all routes of the application know the title of the site; empty: it has none."""
    app.state.site_title = title


def title_of(request: Request) -> str:
    """The title of the site that is asked; empty: it has none."""
    return str(getattr(request.app.state, "site_title", ""))
