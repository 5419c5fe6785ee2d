"""Standings as JSON, CSV, Markdown and HTML."""

import csv
import io
import json
from xml.etree import ElementTree

from markdown_it import MarkdownIt

from tests.standings.results import drawn, won
from ugs.standings.compute import ChampionshipFacts, standings_of
from ugs.standings.render import CROSS_TABLE_PLAYERS, as_csv, as_html, as_json_text, as_markdown
from ugs.standings.standings import LeftEntrant, read_json

NASTY = '<script>"a"|*b*_c_`d`[e](f)\\&amp;'
"""A nick that means something in every format."""
OPEN = standings_of([won(NASTY, "ben"), drawn("ben", "=1+1")], "chess")
CUP = standings_of(
    [won("ann", "ben")],
    "chess",
    ChampionshipFacts("cup <1>", "over", ("wins",), left=(LeftEntrant(NASTY, "<b>", True),)),
)


def texts(page: str, path: str) -> list[str]:
    """The texts of all elements of a page; it is written so that an XML parser can read it."""
    body = page[page.index("<body>") : page.index("</html>")]
    return ["".join(element.itertext()) for element in ElementTree.fromstring(body).iterfind(path)]


def test_json_is_read_back() -> None:
    assert read_json(as_json_text([OPEN])) == [OPEN]
    assert read_json(as_json_text([OPEN, CUP])) == [OPEN, CUP]
    assert json.loads(as_json_text([])) == {"standings": []}


def test_csv_is_read_back_whatever_the_nicks_and_none_is_a_formula() -> None:
    rows = list(csv.DictReader(io.StringIO(as_csv([OPEN, CUP]))))
    assert [row["nick"] for row in rows] == [NASTY, "'=1+1", "ben", "ann", "ben"]
    assert [row["championship"] for row in rows] == ["", "", "", "cup <1>", "cup <1>"]
    assert [float(row["points"]) for row in rows] == [1, 0.5, 0.5, 1, 0]


def test_markdown_shows_every_text_as_it_is() -> None:
    page = MarkdownIt("commonmark").enable("table").render(as_markdown([OPEN, CUP]))
    assert "<script>" not in page
    assert "<em>" not in page
    assert "<a " not in page
    cells = texts(f"<body>{page}</body></html>", ".//td")
    assert NASTY in cells
    assert "=1+1" in cells
    assert texts(f"<body>{page}</body></html>", ".//h2") == ["chess: 2 games", "cup <1> (chess), over: 1 game"]
    assert any(NASTY in item and "(has left: <b>)" in item for item in texts(f"<body>{page}</body></html>", ".//li"))


def test_a_page_of_html_is_complete_and_shows_every_text_as_it_is() -> None:
    page = as_html([OPEN, CUP])
    assert page.startswith("<!doctype html>")
    assert page.endswith("</html>\n")
    assert '<meta charset="utf-8">' in page
    assert "<title>chess · cup &lt;1&gt; (chess)</title>" in page
    assert "<script" not in page
    assert "http" not in page, "nothing is loaded from elsewhere"
    assert NASTY in texts(page, ".//td")
    assert texts(page, ".//h1") == ["chess: 2 games", "cup <1> (chess), over: 1 game"]
    assert any(NASTY in item for item in texts(page, ".//li"))


def test_the_rows_of_a_table_have_as_many_cells_as_its_head() -> None:
    page = as_html([OPEN, CUP])
    tables = ElementTree.fromstring(page[page.index("<body>") : page.index("</html>")]).iterfind(".//table")
    for table in tables:
        sizes = {len(row) for row in table.iterfind(".//tr")}
        assert len(sizes) == 1


def test_without_standings_the_page_is_empty() -> None:
    assert "<title>Standings</title>" in as_html([])
    assert as_markdown([]) == ""
    assert as_csv([]).startswith("game_type,")


def test_the_cross_table_of_a_large_field_is_left_out() -> None:
    def page(players: int) -> str:
        return as_html([standings_of([won("p0", f"p{number}") for number in range(1, players)], "x", ratings=False)])

    assert "against each other" in page(CROSS_TABLE_PLAYERS)
    assert "against each other" not in page(CROSS_TABLE_PLAYERS + 1)
