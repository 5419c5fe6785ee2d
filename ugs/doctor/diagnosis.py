"""What a check has found."""

from dataclasses import dataclass
from enum import StrEnum


class Grade(StrEnum):
    """How much it matters."""

    GOOD = "good"
    NOTE = "note"
    """Nothing hinders the server; something more could be had."""
    WARNING = "warning"
    """The server starts; sooner or later there will be trouble."""
    BAD = "bad"
    """The server does not start, or not as it is meant to."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One thing that was looked at."""

    subject: str
    """What, in a word or two."""
    grade: Grade
    text: str
    """What was found."""
    advice: str = ""
    """What to do about it; empty where nothing is to be done."""


def good(subject: str, text: str) -> Diagnosis:
    """Nothing is to be done."""
    return Diagnosis(subject, Grade.GOOD, text)


def note(subject: str, text: str, advice: str) -> Diagnosis:
    """Something may be done."""
    return Diagnosis(subject, Grade.NOTE, text, advice)


def warning(subject: str, text: str, advice: str) -> Diagnosis:
    """Something should be done."""
    return Diagnosis(subject, Grade.WARNING, text, advice)


def bad(subject: str, text: str, advice: str) -> Diagnosis:
    """Something must be done first."""
    return Diagnosis(subject, Grade.BAD, text, advice)
