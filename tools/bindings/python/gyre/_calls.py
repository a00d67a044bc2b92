"""Calls of C: errors, ranges on threads, and structs of plain values."""
from __future__ import annotations

import ctypes
import functools
import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Mapping, Sequence, TypeVar

from ._constants import MEANINGS, Status
from ._library import library

R = TypeVar("R", bound="Record")


class Error(ValueError):
    """A call that C refused: nothing was written. `status` says why, and `name` is "null", "range" or "value"."""

    def __init__(self, function: str, status: int) -> None:
        self.function, self.status = function, Status(status)
        self.name = library.gyre_status_name(status).decode()
        super().__init__(function, status)

    def __str__(self) -> str:
        return f"{self.function}: {self.name}: {MEANINGS[self.status]}"


def call(function: Any, *arguments: Any) -> bool:
    """Calls C. False if it could not process every element; raises Error if it refused."""
    try:
        status = function(*arguments)
    except ctypes.ArgumentError as error:
        raise TypeError(f"{function.__name__}: {error}") from None
    if status < 0:
        raise Error(function.__name__, status)
    return bool(status == Status.OK)


def run(function: Any, before: tuple[Any, ...], start: int, stop: int | None, after: tuple[Any, ...], count: int,
        threads: int = 1) -> bool:
    """Calls C for the elements start..stop-1, by default for all, in as many slices as threads."""
    stop = count if stop is None else stop
    if stop > count or start < 0 or stop < 0:
        raise Error(function.__name__, Status.ERROR_RANGE)
    if threads == 1:
        return call(function, *before, start, stop, *after)
    return all(on_threads([functools.partial(call, function, *before, begin, end, *after)
                           for begin, end in slices(start, stop, threads)]))


def slices(start: int, stop: int, threads: int) -> list[tuple[int, int]]:
    """As many slices as threads, in multiples of 64 elements, so that none shares a line of the cache or a vector."""
    if threads < 1:
        raise ValueError(f"threads is {threads} and must be at least 1")
    size = max(64, -(-(stop - start) // (64 * threads)) * 64)
    return [(begin, min(begin + size, stop)) for begin in range(start, stop, size)] or [(start, stop)]


@functools.lru_cache(maxsize=None)
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(os.cpu_count(), "gyre")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)  # a child process has none of the threads


def on_threads(calls: Sequence[Callable[[], bool]]) -> list[bool]:
    """Makes all calls, the first on this thread and the others in a pool, and returns when all have ended."""
    others = [_pool().submit(each) for each in calls[1:]]
    try:
        first = calls[0]()
    finally:
        ended = [each.exception() for each in others]
    for error in filter(None, ended):
        raise error
    return [first, *(each.result() for each in others)]


class Record(ctypes.Structure):
    """A struct of plain values."""

    __slots__ = ()
    _enumerations_: Mapping[str, Callable[[int], object]] = {}

    def _values(self) -> dict[str, Any]:
        values = {name: getattr(self, name) for name, *_ in self._fields_ if name != "unused"}
        plain = {name: tuple(value) if isinstance(value, ctypes.Array) else value for name, value in values.items()}
        return {**plain, **{name: of(plain[name]) for name, of in self._enumerations_.items()}}

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self._values().items())})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and type(self) is type(other) and self._values() == other._values()

    __hash__ = None  # type: ignore[assignment] # it may change


def copied(record: R) -> R:
    return type(record).from_buffer_copy(record)


def records(of: type[R], values: Sequence[R]) -> tuple[Any, int]:
    """An array of C and its length. `values` may be such an array already."""
    if isinstance(values, ctypes.Array) and values._type_ is of:
        return values, len(values)
    wrong = next((type(value).__name__ for value in values if not isinstance(value, of)), None)
    if wrong:
        raise TypeError(f"expected objects of {of.__name__}, got one of {wrong}")
    return (of * len(values))(*values), len(values)
