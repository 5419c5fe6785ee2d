"""Templates to HTML. Everything that a template writes is escaped, and texts of others are made printable first.

``site`` is what stands around all pages, wherever it is given: :class:`Masthead`.

A page is ``NAME.html``; the parts of it that change while it is open lie in the folder ``NAME/``, so that they can be
written alone. Links are relative, since all pages lie beside each other.
"""

import re
import time as clocks
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, Final, Protocol
from urllib.parse import urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from ugs import __version__
from ugs.championship.tables.cross_tables import points_text
from ugs.durations import duration_text
from ugs.game_titles import title_of, titles_apart
from ugs.option_names import in_words, is_puzzle, true_options
from ugs.page.assets import assets
from ugs.page.contract import Masthead
from ugs.page.option_purposes import purpose
from ugs.page.pages import BY_NAME, PAGES
from ugs.printable import safe
from ugs.standings.layout import OF_TWO

_SIGNS: Final = re.compile(r"(?<=[-_:/])(?=[^-_:/])")
NO_MASTHEAD: Final = Masthead()
TEMPLATES: Final = Path(__file__).parent / "templates"


class Links(Protocol):
    """How pages refer to each other."""

    def __call__(self, page: str, **asked: object) -> str:
        """The address of a page; what is None is left out."""
        ...


def served(page: str, **asked: object) -> str:
    """Links within a server."""
    query = by_move({name: value for name, value in asked.items() if value not in (None, "")})
    path = "." + BY_NAME[page].path
    return path.removeprefix("./") + ("?" + urlencode(query) if query else "") or "."


def by_move(query: Mapping[str, Any]) -> dict[str, Any]:
    """What a link asks for, with the number of a move, as pages count them, in place of that of the position ``at``."""
    others = {name: value for name, value in query.items() if name != "at"}
    return {**others, "move": query["at"] - 1} if "at" in query else others


def page(name: str, model: Any, links: Links = served, **more: Any) -> str:
    """A whole page."""
    return _environment().get_template(f"{name}.html").render(_context(name, model, links, more))


def parts(name: str, model: Any, links: Links = served, **more: Any) -> dict[str, str]:
    """The parts of a page that change while it is open, by their names."""
    context = _context(name, model, links, more)
    return {
        path.stem: _environment().get_template(f"{name}/{path.name}").render(context)
        for path in sorted((TEMPLATES / name).glob("*.html"))
    }


def error(status: int, text: str, links: Links | None = None, site: Masthead = NO_MASTHEAD, heading: str = "") -> str:
    """What a browser is shown instead of a page of the site with that masthead. Without ``links`` it may stand
    anywhere, so its links begin at the top. ``heading``: by default that of the status."""
    own: dict[str, Any] = {"link": from_the_top, "nav": NAV, "doors": DOORS, "root": "/"}
    if links:
        own = {"link": links, "nav": [], "doors": (), "root": ""}
    context = {"status": status, "heading": heading, "text": text, "here": "", "live": "", "version": __version__}
    return _environment().get_template("error.html").render({**context, "site": site, **own})


def beside(template: str, **more: Any) -> str:
    """A page that is none of the table of pages and lies beside them, at ``here``."""
    context: dict[str, Any] = {
        "link": served,
        "nav": NAV,
        "doors": DOORS,
        "root": "",
        "live": "",
        "version": __version__,
        "site": NO_MASTHEAD,
    }
    return _environment().get_template(template).render(context | more)


def prepare() -> Iterator[None]:
    """Compile what the server itself writes before a browser asks for it: one template a step, since all together hold
    the loop for longer than a message may."""
    for template in WRITTEN_BY_SERVER:
        _environment().get_template(template)
        yield


WRITTEN_BY_SERVER: Final = ("base.html", "token.html", "error.html", "mine-enter.html", "admin-enter.html")
"""Templates of pages that need no worker, and what they are made of."""


def from_the_top(page: str, **_asked: object) -> str:
    """Links within a server, from wherever."""
    return BY_NAME[page].path


def standalone(template: str, **more: Any) -> str:
    """A page that is none of the table of pages. It may stand anywhere, so its links begin at the top."""
    context: dict[str, Any] = {"link": lambda page: BY_NAME[page].path, "nav": NAV, "root": "/", "here": "", "live": ""}
    context["doors"] = DOORS
    context["version"] = __version__
    context["site"] = NO_MASTHEAD
    return _environment().get_template(template).render(context | more)


NAV: Final = [(page.name, page.nav) for page in PAGES if page.nav]
DOORS: Final = (("play", "Play"), ("mine", "My games"))
"""Pages of a running server that are not public: their paths, and what they are called."""


def _context(name: str, model: Any, links: Links, more: Mapping[str, Any]) -> dict[str, Any]:
    asked = more.get("asked", {})
    # Of a game that runs the present position is followed, whichever was asked for.
    followed = {key: value for key, value in asked.items() if key != "at" or not getattr(model, "live", False)}
    if name == "standings" and not asked.get("championship") and model.game_type:
        # Without a choice it is the type played last, which may be another one when the news come.
        followed["game_type"] = model.game_type
    live = "live?" + urlencode({"page": name, **followed}) if links is served and BY_NAME[name].changes else ""
    return {
        "page": model,
        "link": links,
        "links_served": links is served,
        "nav": NAV,
        "doors": DOORS if links is served else (),
        "here": name,
        "root": "",
        # Nothing changes any more, so the page listens to nothing.
        "live": "" if getattr(model, "over", False) else live,
        "version": __version__,
        "site": NO_MASTHEAD,
        "asked": asked,
        "replay_script": "",
        "account": "",
        "positions": "api/v1/positions?" + urlencode(_named(asked, "id", "viewer")) if links is served else "",
        "file": "game.ugsg?" + urlencode({"id": asked.get("id", "")}),
        **more,
    }


def _named(asked: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: asked[name] for name in names if asked.get(name)}


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,  # a misspelt name fails, instead of showing nothing
        auto_reload=False,  # else each page asks the system for the time of each of its files
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["of_two"] = OF_TWO
    environment.tests["puzzle"] = is_puzzle
    environment.globals["asset"] = lambda name: assets()[name].url
    environment.filters |= {
        "shown": lambda text: safe(str(text)),
        "titled": title_of,
        "titled_apart": titles_apart,
        "nick": nick,
        "breakable": breakable,
        "points": points,
        "score": points_text,
        "time": time,
        "lasted": lasted,
        "countdown": countdown,
        "clock": clock,
        "in_words": in_words,
        "true_options": true_options,
        "purpose": purpose,
        "query": lambda asked: urlencode({name: value for name, value in asked.items() if value not in (None, "")}),
        "feeding": lambda number, tree: tree.match(number),
        "paragraphs": paragraphs,
        "drawn": Markup,  # only for pictures, which ugs/pictures/svg.py has escaped
    }
    return environment


def nick(text: object) -> Markup:
    """A player's nick, in a text direction of its own."""
    return Markup("<bdi>{}</bdi>").format(safe(str(text)))


def breakable(text: object) -> Markup:
    """The name of a program or game type, which has no blanks: a narrow line breaks it behind its signs."""
    parts = _SIGNS.split(safe(str(text)))
    return Markup("<wbr>").join(part for part in parts if part)


def points(value: float | None) -> str:
    """A number without trailing zeros."""
    return "–" if value is None else f"{value:.2f}".rstrip("0").rstrip(".")


def time(seconds: float) -> Markup:
    """A moment, which a script writes in the time zone of the reader."""
    moment = datetime.fromtimestamp(seconds, UTC)
    return Markup('<time datetime="{}">{} UTC</time>').format(
        moment.isoformat(timespec="seconds"), moment.strftime("%Y-%m-%d %H:%M")
    )


def countdown(seconds: float, now: float | None = None) -> Markup:
    """How long it takes until a moment, which a script counts down; in minutes, so that a page does not change more
    often without it. ``now``: another time than the present."""
    left = seconds - (clocks.time() if now is None else now)
    moment = datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
    return Markup('<strong class="countdown" role="timer" data-until="{}">{}</strong>').format(moment, until(left))


def until(seconds: float) -> str:
    """A length of time that is left, in minutes: ``in 2 days 3 h``."""
    minutes = int(seconds // 60)
    if minutes < 1:
        return "any moment now" if seconds <= 0 else "in less than a minute"
    days, hours, minutes = minutes // 1440, minutes // 60 % 24, minutes % 60
    parts = (
        (f"{days} day{'s' if days > 1 else ''}", days),
        (f"{hours} h", hours),
        (f"{minutes} min", minutes and not days),
    )
    return "in " + " ".join(text for text, number in parts if number)


def paragraphs(text: str) -> list[str]:
    """The paragraphs of a text, which empty lines part."""
    return [found for part in re.split(r"\n\s*\n", text.strip()) if (found := safe(" ".join(part.split())))]


def clock(seconds: float) -> str:
    """Time used, as clocks of games show it."""
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}:{rest:02}"


def lasted(seconds: float) -> str:
    """A length of time for people."""
    if seconds < 0.1:
        return f"{seconds * 1000:.1f} ms" if seconds < 0.01 else f"{seconds * 1000:.0f} ms"
    if seconds < 60:
        return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:.0f} s"
    return duration_text(round(seconds))
