"""The pages of the repository where mkdocs finds them, with links that lead to each other.

Files of the source that pages link to become pages of code where they are examples or configuration; a link to any
other one becomes its text, since the site is read without a checkout.
"""

import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from posixpath import normpath, relpath
from typing import Final

from tests.manual import api, commands
from tests.manual.markdown import for_mkdocs
from tests.manual.nav import HIDDEN
from tests.sources import TOP
from tests.wheels.parts import tracked

ELSEWHERE: Final = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "schemas/README.md": "protocol.md",
    "examples/README.md": "examples.md",
    ".github/SECURITY.md": "policies/security.md",
    ".github/CODE_OF_CONDUCT.md": "policies/conduct.md",
    "LICENSE": "policies/license.md",
    "conf/ugs.toml": "settings.md",
}
"""Pages that have another name on the site than in the repository."""
AS_CODE: Final = ("examples/", "conf/", "tests/packages/ugs-nim/")
LANGUAGES: Final = {
    ".py": "python",
    ".mjs": "javascript",
    ".c": "c",
    ".h": "c",
    ".cpp": "cpp",
    ".hpp": "cpp",
    ".rs": "rust",
    ".toml": "toml",
    ".json": "json",
    ".xsd": "xml",
}
LINK: Final = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
FILE_NAME: Final = re.compile(r"`?[\w./-]+\.md`?")
"""What a link says that names its page by the file: on the site no one sees files."""
FENCED: Final = re.compile(r"(^ *```.*?^ *```[^\n]*$)", re.DOTALL | re.MULTILINE)
NOT_SOUGHT: Final = "---\nsearch:\n  exclude: true\n---\n\n"
"""Before a page that the search does not show."""
HEADINGS: Final = {"settings.md": "Every setting", "policies/license.md": "Licence"}


def places() -> dict[str, str]:
    """The files of the repository that are pages or pictures of the site, with their places there."""
    found = {}
    for path in tracked():
        if path in ELSEWHERE:
            found[path] = ELSEWHERE[path]
        elif path.startswith("docs/"):
            found[path] = path.removeprefix("docs/")
        elif path.startswith(AS_CODE) and not path.endswith((".md", "py.typed")):
            found[path] = f"files/{path}.md"
    return found


def stage(into: Path) -> list[str]:
    """Write all pages, and the pictures that they show, into a folder; returns the places of the pages."""
    where = places()
    texts = dict(_texts(where))
    shown = {source for place, text in texts.items() for source in _pictures(place, text, where)}
    for place, text in texts.items():
        path = into / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for place in sorted(shown):
        source = next(path for path, other in where.items() if other == place)
        (into / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(TOP / source, into / place)
    return sorted(texts)


def _texts(where: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for path, place in where.items():
        if path.endswith(".md"):
            text = (TOP / path).read_text(encoding="utf-8")
            yield place, for_mkdocs(linked(text, path, place, where))
        elif not path.startswith("docs/"):
            code = (TOP / path).read_text(encoding="utf-8")
            fence = "````" if "```" in code else "```"
            title = HEADINGS.get(place, path)
            head = NOT_SOUGHT if place.startswith(HIDDEN) else ""
            yield place, f"{head}# {title}\n\n{fence} {LANGUAGES.get(Path(path).suffix, 'text')}\n{code}\n{fence}\n"
    yield from ((f"commands/{name}", for_mkdocs(text)) for name, text in commands.pages())
    yield from ((f"api/{name}", text) for name, text in api.pages())


def linked(text: str, path: str, place: str, where: Mapping[str, str]) -> str:
    """A page whose links, which lead to files of the repository, lead to places of the site."""

    def instead(found: re.Match[str]) -> str:
        picture, label, target = found.groups()
        if "://" in target or target.startswith(("#", "mailto:")):
            return found[0]
        file, sign, anchor = target.partition("#")
        whole = normpath(PurePosixPath(path).parent / file)
        source = whole if whole in where else f"{whole}/README.md"
        there = where.get(source)
        if there is None:
            return label
        if FILE_NAME.fullmatch(label):
            label = title_of(source)
        return f"{picture}[{label}]({relpath(there, str(PurePosixPath(place).parent))}{sign}{anchor})"

    parts = FENCED.split(text)
    parts[::2] = [LINK.sub(instead, part) for part in parts[::2]]
    return "".join(parts)


def title_of(path: str) -> str:
    """The first heading of a page of the repository."""
    found = re.search(r"^# (.*)$", (TOP / path).read_text(encoding="utf-8"), re.MULTILINE)
    assert found is not None, path
    return found[1]


def _pictures(place: str, text: str, where: Mapping[str, str]) -> Iterator[str]:
    """The places of the pictures that a page shows."""
    known = set(where.values())
    for picture, _, target in LINK.findall(text):
        if picture and (there := normpath(PurePosixPath(place).parent / target)) in known:
            yield there
