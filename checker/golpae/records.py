"""Frozen dataclasses that are made quickly.

Input: a class, as `dataclasses.dataclass(frozen=True, slots=True)` takes it. Output: the same class as that gives.
Guarantee: such an object is made, compared, hashed, copied, matched and pickled like that of a frozen dataclass with
slots.

Python writes six functions for each such class as text and compiles them whenever golpae starts, which took a quarter
of the time of a small `golpae check`. Here only `__init__` is compiled. Classes that this call loads are made so.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NoReturn

__all__ = ["dataclass"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(*, frozen: bool, slots: bool) -> Callable[[type], type]:
        """Return a function that makes a frozen dataclass with slots of a class."""
        assert frozen
        assert slots
        return _made


def _made(cls: type) -> Any:
    cls.__doc__ = cls.__doc__ or cls.__name__
    own: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=True)(cls)
    fields = dataclasses.fields(own)
    own.__init__ = _init(own, fields)
    compared = [f.name for f in fields if f.compare]
    key: Callable[[Any], Any] = attrgetter(*compared) if compared else lambda self: ()

    def equal(self: Any, other: object) -> bool:
        return key(self) == key(other) if other.__class__ is self.__class__ else NotImplemented

    def hashed(self: Any) -> int:
        return hash(key(self))

    own.__eq__, own.__hash__, own.__repr__ = equal, hashed, _shown
    own.__setattr__ = own.__delattr__ = _frozen
    own.__getstate__, own.__setstate__ = _state, _set_state
    return own


def _init(cls: Any, fields: tuple[dataclasses.Field[Any], ...]) -> Callable[..., None]:
    """Return `__init__`, which sets the slots one after the other."""
    space: dict[str, Any] = {"__name__": cls.__module__}
    params, lines = ["self"], []
    for number, field in enumerate(fields):
        value = field.name
        if field.default is not dataclasses.MISSING:
            space[f"default_{number}"] = field.default
            params.append(f"{field.name}=default_{number}")
        elif field.default_factory is not dataclasses.MISSING:
            space[f"made_{number}"], space["missing"] = field.default_factory, dataclasses.MISSING
            params.append(f"{field.name}=missing")
            value = f"made_{number}() if {field.name} is missing else {field.name}"
        else:
            params.append(field.name)
        space[f"set_{number}"] = cls.__dict__[field.name].__set__
        lines.append(f"set_{number}(self, {value})")
    exec(f"def __init__({', '.join(params)}):\n " + "\n ".join(lines or ["pass"]), space)
    init: Callable[..., None] = space["__init__"]
    return init


def _frozen(self: object, name: str, value: object = None) -> NoReturn:
    raise dataclasses.FrozenInstanceError(f"cannot change `{name}`")


def _shown(self: Any) -> str:
    values = (f"{f.name}={getattr(self, f.name)!r}" for f in dataclasses.fields(self) if f.repr)
    return f"{type(self).__qualname__}({', '.join(values)})"


def _state(self: Any) -> list[Any]:
    return [getattr(self, f.name) for f in dataclasses.fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)
