"""An effect and the event that answers it are a pair, which stands with the effect."""

from typing import Any, get_args

import pytest

from ugs.broker import effects as e
from ugs.broker import events as v
from ugs.broker.broker import EVENTS

EFFECTS: set[Any] = {kind for one in get_args(e.Effect) for kind in (get_args(one) or (one,))}
ANSWERED = {kind for kind in EFFECTS if issubclass(kind, e.AnsweredBy)}
WITHOUT_ANSWER = {
    *(e.Send, e.Admit, e.Close, e.StopTimer, e.Subscribe, e.Unsubscribe, e.Publish, e.Note, e.Answer, e.Stopped),
    *(e.RecordLogin, e.RecordLogout, e.RecordSession, e.RecordSessionOver, e.RecordBegin, e.RecordEntry),
    *(e.RecordChampionship, e.RecordAct, e.KeepPast, e.ReleaseNick),
}
FROM_OUTSIDE = {
    *(v.Connected, v.Received, v.Misread, v.Garbled, v.Flooded, v.Disconnected, v.Presence, v.Started, v.ClockSet),
    *(v.IdentitiesRead, v.AccessRead, v.JournalLost, v.JournalBack, v.RoomNeeded, v.Asked, v.ShutdownAsked),
    *(v.HomeMoved, v.NickLost, v.NodesSeen),
}
REPORTS = {v.TimerBegun}
"""Events that an effect can ask for beside its answer."""


def answer_to(kind: Any) -> Any:
    """The event that answers an effect of this kind."""
    (base,) = [one for one in vars(kind)["__orig_bases__"] if getattr(one, "__origin__", None) is e.AnsweredBy]
    (event,) = get_args(base)
    return event


def test_each_effect_has_its_event_or_needs_none() -> None:
    assert EFFECTS == ANSWERED | WITHOUT_ANSWER
    assert not ANSWERED & WITHOUT_ANSWER


def test_each_event_comes_from_outside_or_answers_one_effect() -> None:
    answers = [answer_to(kind) for kind in ANSWERED]
    assert len(set(answers)) == len(answers)
    assert set(get_args(v.Event)) == FROM_OUTSIDE | set(answers) | REPORTS
    assert not FROM_OUTSIDE & set(answers)


@pytest.mark.parametrize("kind", sorted(EFFECTS, key=str))
def test_an_effect_that_says_that_an_event_comes_names_the_same_one_by_type(kind: Any) -> None:
    said = {
        one.__name__ for one in get_args(v.Event) if f"the event ``{one.__name__}``" in " ".join(kind.__doc__.split())
    }
    assert said <= ({answer_to(kind).__name__} if kind in ANSWERED else set())


def test_the_broker_takes_in_every_answer() -> None:
    own = {v.TimerFired}  # one of those that the broker handles itself
    assert {answer_to(kind) for kind in ANSWERED} - own <= set(EVENTS)
