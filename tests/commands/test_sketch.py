"""Whoever writes a master sees a sketch without a server and a game."""

from pathlib import Path
from time import perf_counter
from xml.etree.ElementTree import fromstring

import pytest

from tests.commands.line import ugs
from ugs.text_files import MAX_BYTES

BOARD = """<grid columns="3" rows="2"/><seat nick="ada" colour="red" shape="cross"/>
<pieces at="1,1" colour="red" shape="cross"/><offer label="ring on 0,0" at="0,0"><move/></offer>"""


@pytest.mark.parametrize(
    "text",
    [
        f"<sketch>{BOARD}</sketch>",
        f'<?xml version="1.0"?>\n<message type="x-sketch"><gameId id="g1"/><sketch>{BOARD}</sketch></message>\n',
    ],
)
def test_it_is_shown_on_the_terminal_and_written_as_a_picture(tmp_path: Path, text: str) -> None:
    file, svg = tmp_path / "board.xml", tmp_path / "board.svg"
    file.write_text(text)
    shown = ugs("sketch", str(file))
    assert shown.exit_code == 0
    assert "  ✕ ada" in shown.stdout
    assert "in words: 3 columns and 2 rows, counted from 0. red cross on 1,1." in shown.stdout
    assert "1 offer, each with the cells to be clicked for it:\n  ring on 0,0: 0,0\n" in shown.stdout
    assert "  1 · ✕ ·" in shown.stdout
    written = ugs("sketch", str(file), "--output", str(svg))
    assert (written.exit_code, written.stdout) == (0, f"{svg}\n")
    assert fromstring(svg.read_text()).tag.endswith("svg")


def test_it_reads_standard_input() -> None:
    shown = ugs("sketch", "-", stdin=f"<sketch>{BOARD}</sketch>")
    assert (shown.exit_code, "  ✕ ada" in shown.stdout) == (0, True)
    long = ugs("sketch", "-", stdin="x" * (MAX_BYTES + 1))
    assert (long.exit_code, long.stderr) == (2, f"ugs sketch: standard input: longer than {MAX_BYTES} bytes\n")


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ('<sketch><grid columns="3" rows="2"/><cells at="0,0" colour="#f00"/></sketch>', 1, "cells colour '#f00'"),
        ("<sketch></sketch>", 1, "ugs sketch: "),
        ("<message/>", 2, "there is no <sketch>"),
        ("", 2, "there is no <sketch>"),
    ],
)
def test_what_a_server_would_refuse_is_one_line(tmp_path: Path, text: str, code: int, said: str) -> None:
    file = tmp_path / "board.xml"
    file.write_text(text)
    done = ugs("sketch", str(file))
    assert (done.exit_code, done.stderr.count("\n")) == (code, 1)
    assert said in done.stderr
    assert str(file) in done.stderr


def test_whose_turn_it_is_is_shown_where_the_sketch_says_so(tmp_path: Path) -> None:
    """It was always the first player's, whatever the sketch had."""
    file = tmp_path / "board.xml"
    offers = "".join(f'<offer label="to {place}" at="{place % 3},0" nick="bea"><move/></offer>' for place in range(30))
    seats = '<seat nick="ada" colour="red"/><seat nick="bea" colour="blue"/><news>ada has moved</news>'
    file.write_text(f'<sketch><grid columns="3" rows="2"/>{seats}{offers}</sketch>')
    shown = ugs("sketch", str(file)).stdout
    assert "> ● bea" in shown
    assert "> ● ada" not in shown
    assert "\nnews: ada has moved\n30 offers" in shown
    assert shown.endswith("  to 19 (bea): 1,0\n  and 10 more\n")


def test_a_picture_is_svg(tmp_path: Path) -> None:
    file = tmp_path / "board.xml"
    file.write_text(f"<sketch>{BOARD}</sketch>")
    done = ugs("sketch", str(file), "--output", str(tmp_path / "board.png"))
    assert (done.exit_code, (tmp_path / "board.png").exists()) == (2, False)
    assert "name a file that ends in .svg" in done.stderr


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    file = tmp_path / "board.xml"
    file.write_text(f"<sketch>{BOARD}</sketch>")
    done = ugs("sketch", str(file), "--output", str(tmp_path / "nowhere" / "board.svg"))
    assert (done.exit_code, done.stderr.count("\n")) == (1, 1)


@pytest.mark.parametrize(
    "text", ["<sketch " * 200_000, "<sketch>" + "</sketch " * 100_000, "</sketch> " + "<sketch " * 100_000]
)
def test_a_file_of_beginnings_without_an_end_is_refused_at_once(tmp_path: Path, text: str) -> None:
    file = tmp_path / "board.xml"
    file.write_text(text)
    begun = perf_counter()
    assert ugs("sketch", str(file)).exit_code == 2
    assert perf_counter() - begun < 5


@pytest.mark.parametrize("sign", ["\0", "&#27;", "&nbsp;", "\x1b"])
def test_what_is_no_xml_is_refused_as_by_a_server(tmp_path: Path, sign: str) -> None:
    file = tmp_path / "board.xml"
    file.write_text(f'<sketch>{BOARD}<label at="0,0">a{sign}</label></sketch>')
    done = ugs("sketch", str(file))
    assert (done.exit_code, done.stderr.count("\n")) == (1, 1)
    assert "not well-formed XML" in done.stderr


def test_counters_that_pictures_cut_are_named(tmp_path: Path) -> None:
    """Only who looked at the picture saw it."""
    file = tmp_path / "board.xml"
    whole = '<counter nick="ada" name="in hand" value="9"/><counter name="round" value="3"/>'
    long = "".join(f'<counter nick="ada" name="resource number {one}" value="{one}"/>' for one in range(4))
    wide = f'<counter name="what the whole bank still has" value="3"/>{long.replace("ada", "")}'
    said = []
    for inside in (whole, whole + long + wide):
        file.write_text(f"<sketch>{BOARD}{inside}</sketch>")
        done = ugs("sketch", str(file))
        assert done.exit_code == 0
        said.append(done.stderr.replace(f"ugs sketch: {file}: counter: ", "").splitlines())
    assert said == [
        [],
        [
            "'what the whole bank still has' is cut in pictures after 20 columns",
            "those of ada are cut in pictures after 2 lines of 42 columns",
            "those of the game are cut in pictures after 2 lines of 42 columns",
        ],
    ]
