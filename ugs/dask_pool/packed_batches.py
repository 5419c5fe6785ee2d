"""Batches and their results as bytes, and the short way of small results.

Dask looks into what is submitted and what comes back, in the scheduler, too: bytes cost it nothing. The job, which is
the same for all batches of a match, is packed once. A result that is small comes with the news of the worker that the
scheduler passes on anyway: fetching it from the worker would take a connection, a call and an answer.
"""

import pickle
from collections.abc import Callable
from functools import lru_cache
from typing import Final, TypeAlias

from distributed import get_worker

from ugs.match.batches import BatchJob, MatchBatch, PlayedBatch

Play: TypeAlias = Callable[[BatchJob, MatchBatch, str], PlayedBatch]
"""What a worker runs; the text is the key of the task."""

MAX_NEWS: Final = 16_384
"""Bytes of a result that comes with the news; the scheduler keeps a thousand of these."""


def pack(what: object) -> bytes:
    """Return it as bytes, for a machine of the same cluster."""
    return pickle.dumps(what, pickle.HIGHEST_PROTOCOL)


def play_packed(play: Play, topic: str, job: bytes, batch: bytes, key: str) -> bytes:
    """On a worker: play a packed batch. Returns the packed result; nothing when it was sent as news of ``topic``, with
    the key."""
    played = pack(play(_job(job), pickle.loads(batch), key))
    if len(played) > MAX_NEWS:
        return played
    get_worker().log_event(topic, (key, played))
    return b""


def unpack(played: bytes) -> PlayedBatch:
    """Return a result."""
    found: PlayedBatch = pickle.loads(played)
    return found


# Unpacked once in each process: all batches of a match have the same.
@lru_cache(maxsize=4)
def _job(job: bytes) -> BatchJob:
    found: BatchJob = pickle.loads(job)
    return found
