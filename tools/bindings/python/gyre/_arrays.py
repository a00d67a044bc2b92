"""Checks of numpy arrays, which C reads and writes in place. Nothing here copies an array."""
from __future__ import annotations

import ctypes
from typing import Any, NamedTuple, Protocol, Sequence, Union

import numpy as np
from numpy.typing import NDArray


class SupportsDLPack(Protocol):
    """An array of another library in the memory of the CPU."""

    def __dlpack__(self) -> Any: ...
    def __dlpack_device__(self) -> Any: ...


FLOAT, UINT8, UINT16, UINT32, UINTP = (np.dtype(name) for name in ("f4", "u1", "u2", "u4", "uintp"))
Floats = NDArray[np.float32]
Bytes = Union[NDArray[np.uint8], NDArray[np.bool_]]
FloatsIn = Union[Floats, SupportsDLPack]
BytesIn = Union[Bytes, SupportsDLPack]
IndicesIn = Union[NDArray[np.uint16], SupportsDLPack]
OffsetsIn = Union[NDArray[np.uintp], SupportsDLPack]
Table = Union[Floats, Sequence[Floats]]  # one array for each component: an array of rows, or several arrays
TableIn = Union[Floats, Sequence[FloatsIn]]


def imported(name: str, value: Any, written: bool) -> NDArray[Any]:
    """`value` as a numpy array of the same memory."""
    if isinstance(value, np.ndarray):
        return value
    kind = type(value).__name__
    if hasattr(value, "__dlpack__") and not written:
        try:
            return np.from_dlpack(value)
        except (RuntimeError, BufferError, TypeError) as error:
            raise TypeError(f"{name}: {error}: pass an array in the memory of the CPU") from None
    if hasattr(value, "__dlpack__"):
        raise TypeError(f"{name} is a {kind}, and Gyre writes into it: pass a numpy array that shares its memory, as by "
                        f"{name}.numpy()")
    raise TypeError(f"{name} is a {kind}: pass numpy.array({name}, dtype), and keep that array")


def checked(name: str, value: Any, dtype: np.dtype[Any], written: bool, dimensions: int = 1) -> NDArray[Any]:
    """`value` as an array that C can use: of `dtype`, contiguous along the last dimension, and writable if C writes."""
    array = imported(name, value, written)
    if array.dtype != dtype and not (dtype == UINT8 and array.dtype == np.bool_):
        raise TypeError(f"{name} has the dtype {array.dtype} and must have {dtype}: pass {name}.astype(numpy.{dtype}), "
                        f"and keep that array")
    if array.ndim != dimensions:
        wanted = f"1 dimension: pass {name}.reshape(-1)" if dimensions == 1 else "a row for each component"
        raise ValueError(f"{name} has the shape {array.shape} and must have {wanted}")
    if array.shape[-1] > 1 and array.strides[-1] != dtype.itemsize:
        after = ", and copy the results back" if written else ""
        raise ValueError(f"{name} has a stride of {array.strides[-1]} bytes and must be contiguous: "
                         f"pass numpy.ascontiguousarray({name}){after}")
    if written and not array.flags.writeable:
        raise TypeError(f"{name} is read-only, and Gyre writes into it: pass {name}.copy(), and keep that array")
    if not array.flags.aligned:
        raise ValueError(f"{name} is not aligned to its elements: pass {name}.copy(), and keep that array")
    return array


def address(array: NDArray[Any]) -> int:
    return int(array.__array_interface__["data"][0])


class Pointers(NamedTuple):
    addresses: list[int]
    length: int
    kept: Any  # the array, or the arrays


def pointers(name: str, value: Any, dtype: np.dtype[Any], components: int | None, written: bool) -> Pointers:
    """Of an array, or of one for each component; 0 components: any number."""
    if components is None:
        array = checked(name, value, dtype, written)
        return Pointers([address(array)], len(array), array)
    if isinstance(value, np.ndarray):
        if components and value.ndim == 2 and value.shape[0] != components:
            more = f": pass numpy.ascontiguousarray({name}.T)" if value.shape[1] == components else ""
            raise ValueError(f"{name} has the shape {value.shape} and must have ({components}, n), a row for each "
                             f"component{more}")
        array = checked(name, value, dtype, written, dimensions=2)
        first, stride = address(array), array.strides[0]
        return Pointers([first + k * stride for k in range(array.shape[0])], array.shape[1], array)
    if not isinstance(value, Sequence) or (components and len(value) != components):
        what = f"{components} arrays" if components else "arrays"
        raise TypeError(f"{name} must be {what}, one for each component: an array of rows, or a list of arrays")
    arrays = [checked(f"{name}[{k}]", each, dtype, written) for k, each in enumerate(value)]
    for k, array in enumerate(arrays):
        if len(array) != len(arrays[0]):
            raise ValueError(f"{name}[{k}] has {len(array)} elements and must have {len(arrays[0])}, as {name}[0] has")
    return Pointers([address(array) for array in arrays], len(arrays[0]) if arrays else 0, arrays)


class Arrays:
    """The arrays of one call, which all have one length. It keeps what it imported until the call has ended."""

    def __init__(self, count: int | None = None) -> None:
        self._count, self._first = count, "the batch"
        self.components = 0  # of the first array of arrays
        self._kept: list[Any] = []

    @property
    def count(self) -> int:
        return self._count or 0

    def _taken(self, name: str, found: Pointers) -> list[int]:
        if self._count is None:
            self._count, self._first = found.length, name
        elif found.length != self._count:
            raise ValueError(f"{name} has {found.length} elements and must have {self._count}, as {self._first} has")
        self._kept.append(found.kept)
        return found.addresses

    def read(self, name: str, value: Any, dtype: np.dtype[Any] = FLOAT) -> int:
        return self._taken(name, pointers(name, value, dtype, None, written=False))[0]

    def write(self, name: str, value: Any, dtype: np.dtype[Any] = FLOAT) -> int:
        return self._taken(name, pointers(name, value, dtype, None, written=True))[0]

    def optional(self, name: str, value: Any) -> int | None:
        return None if value is None else self.read(name, value)

    def read_table(self, name: str, value: Any, components: int) -> Any:
        return self._table(name, pointers(name, value, FLOAT, components or self.components, written=False))

    def write_table(self, name: str, value: Any, components: int) -> Any:
        return self._table(name, pointers(name, value, FLOAT, components or self.components, written=True))

    def _table(self, name: str, found: Pointers) -> Any:
        addresses = self._taken(name, found)
        self.components = self.components or len(addresses)
        return (ctypes.c_void_p * len(addresses))(*addresses)


def numbers(name: str, values: Sequence[float], count: int) -> Any:
    """A few numbers, which are copied."""
    if len(values) != count:
        raise ValueError(f"{name} has {len(values)} numbers and must have {count}")
    return (ctypes.c_float * count)(*values)


def floats(values: Any) -> Floats:
    return np.array(values, np.float32)
