"""A recording as a picture."""

import json
from xml.etree import ElementTree

from tests.cast.film import film
from tests.end_to_end.processes import TOP

SVG = "{http://www.w3.org/2000/svg}"
CAST = "".join(
    json.dumps(line) + "\n"
    for line in (
        {"version": 2, "width": 20, "height": 3},
        [0.1, "o", "$ ugs <demo>\r\n"],
        [1.0, "o", "one\r\ntwo"],
        [1.1, "o", "\r\x1b[2Kthree"],
        [3.0, "o", ""],
    )
)


def test_frames_are_what_was_to_be_seen() -> None:
    root = ElementTree.fromstring(film(CAST, "a <demo>"))
    texts = {text.get("id"): "".join(text.itertext()) for text in root.iter(f"{SVG}text")}
    assert sorted(texts.values()) == ["$ ugs <demo>", "one", "three"]
    uses = [use.get("href", "")[1:] for use in root.iter(f"{SVG}use")]
    assert [texts[use] for use in uses] == ["$ ugs <demo>", "$ ugs <demo>", "one", "three"]
    assert root.findtext(f"{SVG}title") == "a <demo>"


def test_the_picture_of_the_readme_is_small_and_runs_nothing() -> None:
    text = (TOP / "docs" / "pictures" / "demo.svg").read_text(encoding="utf-8")
    assert len(text) < 200_000
    assert "<script" not in text
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "").replace("http://127.0.0.1", "")
    shown = {"".join(one.itertext()) for one in ElementTree.fromstring(text).iter(f"{SVG}text")}
    assert "$ ugs demo" in shown
    assert any("threats-1" in row for row in shown)
