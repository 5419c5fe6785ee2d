"""Options that belong together: the function of a command takes a group as one value, and typer sees plain options.

A group is a class whose annotated attributes are options, or groups again::

    class TlsOptions(OptionGroup):
        tls: Tls = False
        ca: Ca = None


    @with_groups
    def watch(connect: Connect, tls: TlsOptions) -> None: ...

The command has then the options ``connect``, ``tls`` and ``ca``, in this order.
"""

from collections.abc import Callable, Iterator
from inspect import Parameter, Signature, signature
from typing import Any, dataclass_transform


@dataclass_transform(kw_only_default=True, frozen_default=True)
class OptionGroup:
    """Options of the command line, and their values. A default stands in the class, behind the option."""

    # No dataclass: making one takes longer than all else here, and a shell that completes a word waits for it.
    def __init__(self, **values: object) -> None:
        """Take the values by the names of the options; without one, the default holds."""
        self.__dict__.update(values)


def with_groups(command: Callable[..., None]) -> Callable[..., None]:
    """Return the command as typer takes it: with an option for each of a group, in the place of the group.

    Raises ValueError where two options have the same name.
    """
    taken = [(one.name, one.annotation, one.default) for one in signature(command).parameters.values()]
    options = [option for one in taken for option in _options(*one)]

    def flat(**values: object) -> None:
        command(**{name: _value(name, annotation, values) for name, annotation, _ in taken})

    flat.__name__, flat.__qualname__, flat.__module__ = command.__name__, command.__qualname__, command.__module__
    flat.__doc__ = command.__doc__
    flat.__annotations__ = {option.name: option.annotation for option in options} | {"return": None}
    # inspect.signature takes this one, wherever it is asked: typer, completion, the pages of the manual.
    flat.__dict__["__signature__"] = Signature(options, return_annotation=None)
    return flat


def _options(name: str, annotation: Any, default: object) -> Iterator[Parameter]:
    """The plain options behind a parameter of a command."""
    if not _is_group(annotation):
        # By name only, as typer calls: so options without a default may follow others.
        yield Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
        return
    for field, its in annotation.__annotations__.items():
        yield from _options(field, its, annotation.__dict__.get(field, Parameter.empty))


def _value(name: str, annotation: Any, values: dict[str, object]) -> object:
    """The value of a parameter of a command."""
    if not _is_group(annotation):
        return values[name]
    return annotation(**{field: _value(field, its, values) for field, its in annotation.__annotations__.items()})


def _is_group(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, OptionGroup)
