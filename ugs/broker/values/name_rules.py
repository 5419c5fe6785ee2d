"""Which names are allowed, and which count as the same."""

import unicodedata

MAX_NAME = 64
"""Characters of a nick, a master's id or a game type."""
WATCHING = " (watching)"
"""Behind the nick of a spectator wherever it is shown. No other name ends like this."""
INVISIBLE = frozenset({"Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Categories of invisible characters, such as zero-width and bidirectional ones, and of code points that are no
characters."""
VARIANTS = (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))
"""Variation selectors, which change at most how the letter before them looks."""
BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | frozenset(map(chr, VARIANTS))
"""Characters of other categories that show nothing."""
LATIN = "Latin"
LOOK_ALIKE = frozenset({LATIN, "Cyrillic", "Greek"})
"""Scripts with letters that look the same; a name has letters of one of them at most."""


DOTLESS = str.maketrans({"\N{LATIN SMALL LETTER DOTLESS I}": "i", "\N{LATIN SMALL LETTER DOTLESS J}": "j"})
"""Letters that look like another one in most fonts."""


def unique_form(name: str) -> str:
    """Return a form that is equal for names that look alike: letters in their plain form (NFKC), case ignored, an i
    without its dot like one with it, and only single spaces between words."""
    # Twice, since folding the case can leave letters that are not in their plain form.
    plain = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return " ".join(plain.translate(DOTLESS).split())


def wrong_name(name: str | None) -> str | None:
    """What is wrong with a nick, a master's id or a game type; None when nothing is."""
    if name is None:
        return "is missing"
    if len(name) > MAX_NAME:
        return f"is longer than {MAX_NAME} characters"
    wrong = wrong_characters(name)
    if wrong is not None:
        return wrong
    scripts = {script for character in name if (script := _script(character))}
    if len(scripts) > 1:
        return f"mixes letters that look alike: {' and '.join(sorted(scripts))}"
    return None


def wrong_characters(name: str) -> str | None:
    """What is wrong with the characters of a name that others are shown; None when nothing is."""
    if not name.strip():
        return "is empty"
    if any(unicodedata.category(character) == "Cc" for character in name):
        return "holds control characters"
    if any(unicodedata.category(character) in INVISIBLE or character in BLANK for character in name):
        return "holds invisible characters"
    return None


def wrong_nick(name: str | None, longest: int = MAX_NAME) -> str | None:
    """What is wrong with the nick of a player, or of a spectator, who has ``longest`` characters; None when nothing
    is."""
    wrong = wrong_name(name)
    if wrong is None and name is not None:
        if len(name) > longest:
            return f"is longer than {longest} characters"
        if watched_nick(name) is not None:
            return f"ends with {WATCHING.strip()!r}, as the names of spectators do where they are shown"
    return wrong


def watched_nick(shown: str) -> str | None:
    """The unique form of the nick of the spectator that is shown under this name; None when no spectator is."""
    form = unique_form(shown)
    return form.removesuffix(WATCHING) if form.endswith(WATCHING) else None


def _script(character: str) -> str:
    """The script of a letter, if it is one of those whose letters look alike; else empty."""
    if character.isascii():
        return LATIN if character.isalpha() else ""
    # The standard library knows no scripts, but a letter's name begins with its own.
    script = unicodedata.name(character, "").partition(" ")[0].capitalize()
    return script if script in LOOK_ALIKE else ""
