"""A small terminal: what it shows after it was sent these bytes.

It knows what ``rich`` sends: colours, bold, cursor up and to the left edge, erasing lines. Everything else that begins
with an escape is left out.
"""

import re
from typing import Final, NamedTuple

SEQUENCE: Final = re.compile(r"\x1b\[([?0-9;]*)([A-Za-z])|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[=>78()]B?")
UNFINISHED: Final = re.compile(r"\x1b(?:\[[?0-9;]*|\][^\x07\x1b]*)?\Z")
COLOURS: Final = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")


class Style(NamedTuple):
    """How a character looks."""

    colour: str = ""
    bold: bool = False
    faint: bool = False


class Cell(NamedTuple):
    """A character in its place."""

    text: str
    style: Style


BLANK: Final = Cell(" ", Style())


class Screen:
    """Rows of cells, the last ``height`` of all that were written."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._rows: list[list[Cell]] = [[]]
        self._row = self._column = 0
        self._style = Style()
        self._held = ""

    def feed(self, text: str) -> None:
        """Take what a program has written."""
        text, position = self._held + text, 0
        begun = UNFINISHED.search(text)  # a program's writes may be cut anywhere
        self._held = begun[0] if begun is not None else ""
        text = text[: len(text) - len(self._held)]
        for found in SEQUENCE.finditer(text):
            self._write(text[position : found.start()])
            if found[2] is not None:
                self._obey(found[1], found[2])
            position = found.end()
        self._write(text[position:])

    def rows(self) -> list[list[Cell]]:
        """What is on the screen."""
        return self._rows[-self.height :]

    def _write(self, text: str) -> None:
        for letter in text:
            if letter == "\n":
                self._down()
            elif letter == "\r":
                self._column = 0
            elif letter.isprintable():
                if self._column >= self.width:
                    self._column = 0
                    self._down()
                row = self._rows[self._row]
                row += [BLANK] * (self._column + 1 - len(row))
                row[self._column] = Cell(letter, self._style)
                self._column += 1

    def _down(self) -> None:
        self._row += 1
        if self._row == len(self._rows):
            self._rows.append([])

    def _obey(self, numbers: str, order: str) -> None:
        first = int(numbers) if numbers.isdecimal() else 0
        if order == "A":
            self._row = max(0, self._row - max(first, 1))
        elif order == "K":
            row = self._rows[self._row]
            del row[0 if first == 2 else self._column :]
        elif order == "J":
            del self._rows[self._row + 1 :], self._rows[self._row][self._column :]
        elif order == "m":
            for number in [int(one) for one in numbers.split(";") if one.isdecimal()] or [0]:
                self._style = self._styled(number)

    def _styled(self, number: int) -> Style:
        if number == 0:
            return Style()
        if number in (1, 2):
            return self._style._replace(bold=self._style.bold or number == 1, faint=self._style.faint or number == 2)
        if number == 39:
            return self._style._replace(colour="")
        for begin in (30, 90):
            if begin <= number < begin + len(COLOURS):
                return self._style._replace(colour=COLOURS[number - begin])
        return self._style
