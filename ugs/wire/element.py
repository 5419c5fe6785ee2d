"""An element of an envelope, as the codec's general reader returns it."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class Element:
    """An element of an envelope, checked against its shape. A payload has only ``raw``, its exact bytes."""

    name: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list["Element"] = field(default_factory=list)
    text: str = ""
    raw: bytes = b""

    def all(self, name: str) -> list["Element"]:
        """Return the children called ``name``, in order."""
        return [child for child in self.children if child.name == name]

    def first(self, name: str) -> "Element | None":
        """Return the first child called ``name``, or None."""
        return next(iter(self.all(name)), None)

    def __getitem__(self, name: str) -> "Element":
        """Return the child called ``name``, which the shape guarantees to be there."""
        return self.all(name)[0]
