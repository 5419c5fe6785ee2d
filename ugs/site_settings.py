"""An organiser's texts on the first page and the manual, a table of :class:`ugs.config.Config`."""

from typing import Final

from ugs.declared import Declared, declared

MAX_TITLE: Final = 80
MAX_TEXT: Final = 4000


class SiteTable(Declared):
    """The table ``[site]``: the title of the server's page, the text of its first page, and the manual beside it."""

    title: str = declared(
        "",
        max_length=MAX_TITLE,
        description="what the page is called, at its top and in the titles of all pages; empty: Universal game server",
    )
    text: str = declared(
        "",
        max_length=MAX_TEXT,
        description="the text of the first page below that: plain text, an empty line begins a paragraph, addresses"
        " (https://…) become links",
    )
    docs: str = declared(
        "",
        description="the folder of a site that is shown under /docs; empty: the manual, if it is installed or built",
    )
