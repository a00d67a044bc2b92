"""Batches: structs of the caller's arrays."""
from __future__ import annotations

import ctypes
from typing import Any, ClassVar, Generic, Sequence, TypeVar, cast, overload

import numpy as np

from ._arrays import Pointers, pointers
from ._calls import records

T = TypeVar("T")


class Member(Generic[T]):
    """A property of a batch that is a member of its struct in C."""

    def __init__(self, doc: str) -> None:
        self.__doc__ = doc

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, batch: None, owner: type) -> Member[T]: ...
    @overload
    def __get__(self, batch: Batch, owner: type) -> T: ...

    def __get__(self, batch: Batch | None, owner: type) -> Member[T] | T:
        return self if batch is None else self.value_in(batch)

    def value_in(self, batch: Batch) -> T:
        value: Any = batch._values.get(self.name)
        return cast(T, value)


class Value(Member[T]):
    """A number, a constant or a struct."""

    def __init__(self, of: type[T], doc: str) -> None:
        super().__init__(doc)
        self.of: Any = of

    def value_in(self, batch: Batch) -> T:
        value = getattr(batch._struct, self.name)
        return cast(T, value if isinstance(value, self.of) else self.of(value))

    def __set__(self, batch: Batch, value: T) -> None:
        setattr(batch._struct, self.name, value)


class Array(Member[T]):
    """An array of the caller, or one for each component."""

    def __init__(self, dtype: np.dtype[Any], components: int, written: bool, optional: bool, doc: str) -> None:
        super().__init__(doc)
        self.dtype, self.components, self.written, self.optional = dtype, components, written, optional

    def __set__(self, batch: Batch, value: T) -> None:
        found = Pointers([], 0, None)
        if value is not None:
            found = pointers(self.name, value, self.dtype, self.components or None, self.written)
            wanted = batch._length_of(self.name)
            if wanted is not None and found.length != wanted:
                raise ValueError(f"{self.name} has {found.length} elements and must have {wanted}")
        elif not self.optional:
            raise TypeError(f"{self.name} is None: {type(batch).__name__} needs it")
        batch._point(self, found)
        batch._values[self.name] = found.kept


class Records(Member[Sequence[T]]):
    """A palette of structs, copied to where C reads them; a change of one of them needs the palette to be set again."""

    def __init__(self, of: type[ctypes.Structure], doc: str) -> None:
        super().__init__(doc)
        self.of: Any = of

    def __set__(self, batch: Batch, value: Sequence[T] | None) -> None:
        items = () if value is None else tuple(value)
        if any(isinstance(item, Batch) and len(item) != len(batch) for item in items):
            raise ValueError(f"{self.name}: their arrays must have {len(batch)} elements each")
        block, count = records(self.of, [getattr(item, "_struct", item) for item in items])
        setattr(batch._struct, self.name, ctypes.addressof(block) if items else None)
        setattr(batch._struct, f"{self.name.rstrip('s')}_count", count)
        batch._values[self.name] = items
        batch._palettes[self.name] = block


class Batch:
    """Elements in the caller's arrays, which steps change in place."""

    __slots__ = ("_struct", "_count", "_values", "_spans", "_palettes", "__weakref__")
    _Struct: ClassVar[type[ctypes.Structure]]
    _counted: ClassVar[str]  # the array that has an element for each of the batch

    def __init__(self, **members: Any) -> None:
        self._struct: Any = self._Struct()
        self._values: dict[str, Any] = {}
        self._spans: dict[str, tuple[bool, list[tuple[int, int]]]] = {}  # whether C writes, and from where to where
        self._palettes: dict[str, Any] = {}
        self._count = self._count_of(members[self._counted])
        if any(name == "count" for name, *_ in self._Struct._fields_):
            self._struct.count = self._count
        for name, value in self._completed(members).items():
            setattr(self, name, value)

    def _count_of(self, value: Any) -> int:
        member: Any = getattr(type(self), self._counted)
        return pointers(self._counted, value, member.dtype, member.components or None, member.written).length

    def _completed(self, members: dict[str, Any]) -> dict[str, Any]:
        return members

    def _length_of(self, name: str) -> int | None:
        """How long an array must be; None: any length."""
        return self._count

    def _point(self, member: Array[Any], found: Pointers) -> None:
        """Lets the struct point to the arrays, unless one that C writes overlaps another."""
        spans = [(begin, begin + found.length * member.dtype.itemsize) for begin in found.addresses]
        others = [(member.name, member.written, [span]) for span in spans]
        others += [(name, *found) for name, found in self._spans.items() if name != member.name]
        for k, (begin, end) in enumerate(spans):
            for name, written, places in others[k + 1:]:
                if (written or member.written) and any(begin < b and a < end for a, b in places):
                    raise ValueError(f"{member.name} and {name} share memory, and Gyre writes to it: pass arrays apart")
        if member.components:
            setattr(self._struct, member.name, (ctypes.c_void_p * member.components)(*found.addresses))
        else:
            setattr(self._struct, member.name, found.addresses[0] if spans else None)
        self._spans[member.name] = (member.written, spans)

    def __len__(self) -> int:
        return self._count

    def __repr__(self) -> str:
        def numbers(array: Any) -> str:
            shown = [f"{value:g}" for value in array[:3]]
            return f"[{' '.join(shown)}{' ...' if len(array) > 3 else ''}]"

        shown = [f"{name} {numbers(value) if np.ndim(value[0]) == 0 else ' '.join(map(numbers, value))}"
                 for name, value in self._values.items() if value is not None and self._is_state(name) and len(self)]
        return f"<gyre.{type(self).__name__} of {len(self)}{': ' if shown else ''}{', '.join(shown)}>"

    def _is_state(self, name: str) -> bool:
        member = getattr(type(self), name)
        return isinstance(member, Array) and member.written and not member.optional
