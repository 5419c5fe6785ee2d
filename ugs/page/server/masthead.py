"""What stands around all pages of a site: handed to the pages that the server writes itself."""

from starlette.applications import Starlette
from starlette.requests import Request

from ugs.page.contract import Masthead


def name_site(app: Starlette, masthead: Masthead) -> None:
    """Let all routes of the application know the masthead of the site."""
    app.state.masthead = masthead


def masthead_of(request: Request) -> Masthead:
    """The masthead of the site that is asked; an empty one if it has none."""
    found: Masthead = getattr(request.app.state, "masthead", Masthead())
    return found
