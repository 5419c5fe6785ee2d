"""Each file travels in one wheel, and nothing that belongs to developers in any."""

import re
from pathlib import Path

from tests.sources import module_name
from tests.wheels.parts import CODE, GAMES, MANUAL, SERVER, SITE, TOOLS, TOP, contents, contents_of_site, tracked
from tests.wheels.project import project_of, version
from ugs.page.server.manual import PLACES

FILES = tracked()
PARTS = contents(FILES)
SOURCES_OF = {part: {source for source in files.values() if source.endswith(".py")} for part, files in PARTS.items()}


def test_no_place_is_in_two_wheels_and_no_file_twice() -> None:
    places = [place for files in PARTS.values() for place in files]
    sources = [source for files in PARTS.values() for source in files.values()]
    assert len(places) == len(set(places))
    assert len(sources) == len(set(sources))


def test_all_code_travels_and_no_tests_or_pictures_do() -> None:
    sources = {source for files in PARTS.values() for source in files.values()}
    assert {path for path in FILES if path.startswith(("ugs/", "game_masters/", "schemas/"))} <= sources
    assert not [path for path in sources if path.startswith("tests/") and not path.startswith("tests/packages/")]
    assert not [path for path in sources if re.search(r"\.(png|gif|ugsg)$|(^|/)test_", path)]


def test_each_wheel_says_that_it_has_types() -> None:
    assert {"ugs/py.typed", "game_masters/py.typed"} <= set(PARTS[SERVER])


def test_no_wheel_needs_one_that_it_does_not_name() -> None:
    allowed = {SERVER: {SERVER}, GAMES: {SERVER, GAMES}, TOOLS: {SERVER, GAMES, TOOLS}}
    code = {part: {source for source in sources if source.startswith(CODE)} for part, sources in SOURCES_OF.items()}
    owner = {module_name(TOP / source): part for part, sources in code.items() for source in sources}
    wrong = [
        f"{source} -> {name}"
        for part, sources in code.items()
        for source in sources
        for name in named_in((TOP / source).read_text(encoding="utf-8"))
        if owner.get(name, part) not in allowed[part]
    ]
    assert len(owner) > 500
    assert wrong == []


def named_in(text: str) -> set[str]:
    """The modules that a source imports; of ``from a import b`` both a and a.b."""
    found = re.findall(r"^ *(?:from|import) ([\w.]+)(?: import \(?([\w, ]*))?", text, re.MULTILINE)
    inside = {f"{module}.{one.strip()}" for module, names in found for one in names.split(",")}
    return inside | {module for module, _ in found}


def test_a_page_about_a_game_travels_with_it() -> None:
    assert {"docs/titan.md", "docs/titan-rules.md", "docs/bang.md"} <= set(PARTS[GAMES].values())
    assert "docs/organiser.md" in PARTS[SERVER].values()
    assert "schemas/games/tic-tac-toe.xsd" in PARTS[GAMES].values()


def test_the_site_of_the_manual_travels_to_where_a_server_looks_for_it(tmp_path: Path) -> None:
    (tmp_path / "api").mkdir()
    for name in ("index.html", "api/kit.html", "sitemap.xml", "sitemap.xml.gz", "bundle.js", "bundle.js.map"):
        (tmp_path / name).write_text("text")
    files = contents_of_site(tmp_path)
    assert sorted(files) == [f"{SITE}{name}" for name in ("api/kit.html", "bundle.js", "index.html")]
    assert PLACES[0] / "" == TOP / SITE
    assert project_of(MANUAL, files)["dependencies"] == [f"{SERVER}=={version()}"]
