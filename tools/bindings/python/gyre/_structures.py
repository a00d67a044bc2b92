"""Floats inside of structures, such as the fields of a structured array, and lists of what is awake."""
from __future__ import annotations

from ctypes import byref, c_size_t
from typing import Any, Callable, TypeVar

import numpy as np
from numpy.typing import NDArray

from ._arrays import UINT8, UINT32, Arrays, BytesIn, Floats, FloatsIn, Table, TableIn, address, checked, imported
from ._calls import run
from ._interface import DOCUMENTATION
from ._library import library

F = TypeVar("F", bound=Callable[..., Any])


def documented(name: str, more: str = "") -> Callable[[F], F]:
    """Gives a function the comment of the header, and what is different in Python."""
    def documenting(function: F) -> F:
        function.__doc__ = DOCUMENTATION[name] + (f"\n{more}\n" if more else "")
        return function
    return documenting


class Structures:
    """Floats that stand together in each structure: a view of the shape (n,), (n, components) or (n, 3, 4)."""

    def __init__(self, name: str, value: Any, written: bool) -> None:
        array = imported(name, value, written)
        inside = array[:1].reshape(-1) if array.ndim else array  # a copy if the floats of an element are not together
        if array.ndim == 0 or (array.size and address(inside) != address(array)):
            raise ValueError(f"{name} has the shape {array.shape}: pass a view of the shape (n, components), whose "
                             f"components stand together")
        checked(name, inside, np.dtype(np.float32), written)
        self.array, self.components = array, array[:1].size if len(array) else 1
        self.address = address(array)
        self.stride_bytes = array.strides[0] if len(array) > 1 else 4 * self.components
        if self.stride_bytes < 4 * self.components or self.stride_bytes % 4:
            raise ValueError(f"{name} has a stride of {self.stride_bytes} bytes, which must be a multiple of 4 and at "
                             f"least {4 * self.components}: pass numpy.ascontiguousarray({name})")


VIEW = ("`structures` is a view of the floats, such as entities['position'] of a structured array: its first stride is "
        "stride_bytes.")


@documented("gather", VIEW)
def gather(structures: FloatsIn, to: Table, start: int = 0, stop: int | None = None, threads: int = 1) -> None:
    source = Structures("structures", structures, written=False)
    arrays = Arrays(len(source.array))
    run(library.gyre_gather, (source.address, source.stride_bytes, source.components,
                              arrays.write_table("to", to, source.components)), start, stop, (), arrays.count, threads)


@documented("scatter", VIEW)
def scatter(arrays: TableIn, structures: Floats, start: int = 0, stop: int | None = None, threads: int = 1) -> None:
    target = Structures("structures", structures, written=True)
    checked_arrays = Arrays(len(target.array))
    run(library.gyre_scatter, (checked_arrays.read_table("arrays", arrays, target.components), target.components,
                               target.address, target.stride_bytes), start, stop, (), checked_arrays.count, threads)


@documented("find_awake", "Returns the part of `indices` that was written.")
def find_awake(awake: BytesIn, indices: NDArray[np.uint32], start: int = 0, stop: int | None = None) -> NDArray[np.uint32]:
    arrays = Arrays()
    flags = arrays.read("awake", awake, UINT8)
    room = checked("indices", indices, UINT32, written=True)
    wanted = (arrays.count if stop is None else stop) - start
    if len(room) < wanted:
        raise ValueError(f"indices has {len(room)} elements and must have room for {wanted}")
    found = c_size_t()
    run(library.gyre_find_awake, (flags, address(room), byref(found)), start, stop, (), arrays.count)
    return indices[:found.value]
