"""Acts in dialogues."""

from collections.abc import Mapping

from tests.broker.house import House
from ugs.broker.effects import RecordAct
from ugs.broker.values.questions import Act, ActKind


def acts(house: House, kind: ActKind, subject: str = "", game_type: str = "", **more: object) -> Mapping[str, object]:
    """An organiser does something, which is recorded; returns the answer."""
    before = len(recorded(house))
    answer = house.is_asked(Act(kind, subject, "root", "because", game_type, **more))  # type: ignore[arg-type]
    assert answer["ok"], answer
    assert len(recorded(house)) == before + 1
    assert (recorded(house)[-1].who, recorded(house)[-1].why) == ("root", "because")
    return answer


def refused(house: House, kind: ActKind, subject: str = "", game_type: str = "", **more: object) -> str:
    """Why it cannot be done; nothing is recorded, and nobody hears anything."""
    records = list(house.records)
    for peer in house.peers.values():
        peer.hears()
    answer = house.is_asked(Act(kind, subject, "root", "because", game_type, **more))  # type: ignore[arg-type]
    assert (answer["ok"], house.records) == (False, records)
    assert not any(peer.mail for peer in house.peers.values())
    return str(answer["error"])


def recorded(house: House) -> list[RecordAct]:
    """What was to be written down of acts."""
    return [one for one in house.records if isinstance(one, RecordAct)]
