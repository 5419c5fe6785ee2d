"""Inputs without a fuzzer: those of the corpus, changed a little by a seeded source of chance."""

import random
from collections.abc import Iterator, Sequence


def changed(corpus: Sequence[bytes], words: Sequence[bytes], number: int, longest: int) -> Iterator[bytes]:
    """So many inputs, each one of the corpus with one to four changes. The same arguments give the same inputs."""
    chance = random.Random(0)
    for _ in range(number):
        data = chance.choice(corpus)
        for _ in range(chance.randint(1, 4)):
            data = _once(chance, data, corpus, words)
        yield data[:longest]


def _once(chance: random.Random, data: bytes, corpus: Sequence[bytes], words: Sequence[bytes]) -> bytes:
    at = chance.randint(0, len(data))
    to = min(len(data), at + chance.choice([1, 2, 8, 40]))
    other = chance.choice(corpus)
    start = chance.randint(0, len(other))
    new = [
        b"",
        chance.randbytes(1),
        data[at:to] * 2,
        other[start : start + chance.choice([4, 40, 400])],
        chance.choice(words) if words else chance.randbytes(4),
    ]
    return data[:at] + chance.choice(new) + data[to:]
