"""An element of an envelope, as the general road of the codec reads it."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class Element:
    """An element of an envelope that has kept its shape; of a payload, ``raw``, its exact bytes,
    is all that was looked at."""

    name: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list["Element"] = field(default_factory=list)
    text: str = ""
    raw: bytes = b""

    def all(self, name: str) -> list["Element"]:
        """Return the children of that name in their order."""
        return [child for child in self.children if child.name == name]

    def first(self, name: str) -> "Element | None":
        """Return the first child of that name, or None."""
        return next(iter(self.all(name)), None)

    def __getitem__(self, name: str) -> "Element":
        """Return the child of that name, which its shape says is there."""
        return self.all(name)[0]
