"""The words of a picture, which are asked for twice, are worked out once."""

from ugs.pictures.words_once import words_once


class Sight:
    """A position that counts how often its words are worked out."""

    def __init__(self, words: str) -> None:
        self.is_worded = 0
        self._words = words

    @words_once
    def words(self) -> str:
        """In words."""
        self.is_worded += 1
        return self._words


def test_words_are_worked_out_once_for_each_picture() -> None:
    one, other = Sight("one"), Sight("other")
    assert [one.words(), one.words(), other.words(), other.words(), one.words()] == [
        "one",
        "one",
        "other",
        "other",
        "one",
    ]
    assert (one.is_worded, other.is_worded) == (2, 1)
