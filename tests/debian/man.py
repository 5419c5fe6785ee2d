"""Manual pages of section 1, one for each command of the first level, from what ``--help`` is made of."""

from collections.abc import Iterator
from typing import Final

from tests.manual.commands import CommandHelp, every_command
from ugs import __version__

SECTION: Final = "1"


def pages() -> dict[str, str]:
    """The pages by their file names."""
    top = every_command()
    names = ", ".join(f"ugs-{one.words[1]}(1)" for one in top.below)
    made = {"ugs.1": "\n".join([*_head(top), *_described(top), ".SH SEE ALSO", _text(names), ""])}
    for one in top.below:
        lines = [*_head(one), *_described(one)]
        for below in _all_below(one):
            lines += [f'.SH "{_text(" ".join(below.words)).upper()}"', *_body(below)]
        made[f"ugs-{one.words[1]}.1"] = "\n".join([*lines, ".SH SEE ALSO", "ugs(1)", ""])
    return made


def _head(one: CommandHelp) -> Iterator[str]:
    name = "-".join(one.words[:2])
    yield f'.TH "{name.upper()}" "{SECTION}" "" "ugs {__version__}" "ugs"'
    yield ".SH NAME"
    yield f"{_text(name)} \\- {_text(' '.join(one.text.partition(chr(10) * 2)[0].split()).rstrip('.'))}"
    yield ".SH SYNOPSIS"
    more = "COMMAND" if one.below else " ".join(name for name, _ in one.arguments)
    yield f".B {_text(' '.join(one.words))}\n[\\fIoptions\\fR] {_text(more)}".rstrip()


def _described(one: CommandHelp) -> Iterator[str]:
    yield ".SH DESCRIPTION"
    yield from _body(one)


def _body(one: CommandHelp) -> Iterator[str]:
    """What a command says of itself, then its arguments, options and the commands below it."""
    for paragraph in one.text.split("\n\n"):
        if paragraph.startswith("    "):
            yield from (".PP", ".RS 4", ".nf", _text(paragraph.strip()), ".fi", ".RE")
        else:
            yield from (".PP", _text(" ".join(paragraph.split())))
    for name, text in (*one.arguments, *one.options):
        yield from (".TP", f"\\fB{_text(name)}\\fR", _text(text))
    for below in one.below:
        yield from (".TP", f"\\fB{_text(below.words[-1])}\\fR", _text(below.text.partition("\n\n")[0]))


def _all_below(one: CommandHelp) -> Iterator[CommandHelp]:
    for below in one.below:
        yield below
        yield from _all_below(below)


def _text(text: str) -> str:
    """A text in which roff finds no orders."""
    safe = text.replace("\\", "\\e").replace("-", "\\-").replace("`", "")
    return "\n".join(f"\\&{line}" if line.startswith((".", "'")) else line for line in safe.split("\n"))
