"""The pages of the site: all of them are there, and each link leads to one."""

import re
from collections.abc import Iterator
from pathlib import Path
from posixpath import dirname, normpath

import pytest

from tests.manual.nav import HIDDEN, MORE, ROLES, navigation
from tests.manual.staging import FENCED, LINK, linked, places, stage
from tests.sources import TOP


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that mkdocs reads."""
    folder = tmp_path_factory.mktemp("manual")
    stage(folder)
    return folder


def test_each_page_of_the_manual_is_there_once(site: Path) -> None:
    pages = {path.relative_to(site).as_posix() for path in site.rglob("*.md")}
    assert {path.name for path in (TOP / "docs").glob("*.md")} <= pages
    assert {"index.md", "protocol.md", "settings.md", "commands/serve.md", "api/game_masters.kit.rules.md"} <= pages
    listed = [page for one in navigation(sorted(pages)) for own in one.values() for page in own]
    assert len(listed) == len(set(listed))
    assert set(listed) == {page for page in pages if not page.startswith(HIDDEN)}


def test_lists_have_pages_that_are_there_and_others_come_last() -> None:
    assert navigation(["index.md", "new.md"]) == [{"Begin": ["index.md"]}, {MORE: ["new.md"]}]
    assert len({page for pages in ROLES.values() for page in pages}) == sum(map(len, ROLES.values()))


def anchors_in(text: str) -> set[str]:
    """The anchors of a page's headings, as GitHub and the site make them."""
    headings = re.findall(r"^#+ (.*)$", "".join(FENCED.split(text)[::2]), re.MULTILINE)
    plain = [re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading) for heading in headings]
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in plain}


def links_of(site: Path) -> Iterator[tuple[str, str, str]]:
    """Each link within the site: the page where it stands, the file it leads to, and the anchor there."""
    for path in site.rglob("*.md"):
        page = path.relative_to(site).as_posix()
        text = "".join(FENCED.split(path.read_text(encoding="utf-8"))[::2])
        for _, _, target in LINK.findall(text):
            if "://" not in target:
                file, _, anchor = target.partition("#")
                yield page, normpath(f"{dirname(page)}/{file}".lstrip("/")) if file else page, anchor


def test_no_link_is_broken(site: Path) -> None:
    anchors = {path.relative_to(site).as_posix(): anchors_in(path.read_text("utf-8")) for path in site.rglob("*.md")}
    links = list(links_of(site))
    assert len(links) > 300
    assert [link for link in links if not (site / link[1]).is_file()] == []
    assert [link for link in links if link[2] and link[2] not in anchors.get(link[1], set())] == []


def test_a_link_to_source_becomes_its_text() -> None:
    where = places()
    text = "See [the rules](../game_masters/kit/rules.py), [bots](bot-writer.md#a-bots-life) and [all](../README.md)."
    assert linked(text, "docs/x.md", "x.md", where) == (
        "See the rules, [bots](bot-writer.md#a-bots-life) and [all](index.md)."
    )


def test_a_link_that_names_a_file_has_the_title_of_its_page() -> None:
    text = "[questions.md](questions.md#it-waits), [`schemas/README.md`](../schemas/README.md), [here](why.md)"
    assert linked(text, "docs/x.md", "x.md", places()) == (
        "[Questions and answers](questions.md#it-waits), [UGS v4, as this server speaks it](protocol.md), "
        "[here](why.md)"
    )
