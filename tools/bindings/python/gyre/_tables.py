"""Which instruction set computes."""
from __future__ import annotations

from typing import Any, NamedTuple

from ._calls import call
from ._constants import Isa, Rounding
from ._library import library


class Kernels(NamedTuple):
    """A table of kernels: its instruction set, and how it rounds."""

    isa: str
    rounding: str


def _kernels(table: Any) -> Kernels:
    return Kernels(library.gyre_isa_name(library.gyre_kernels_isa(table)).decode(),
                   library.gyre_rounding_name(library.gyre_kernels_rounding(table)).decode())


def available() -> list[Kernels]:
    """The tables that the library has and this machine can run."""
    tables = [library.gyre_kernels_for(isa, rounding) for rounding in Rounding for isa in Isa]
    return [_kernels(table) for table in tables if table]


def in_use() -> Kernels:
    """The table that computes: the last one given to `use`, or else the best portable one."""
    return _kernels(library.gyre_in_use())


def use(isa: str | None = None, rounding: str = "portable") -> Kernels:
    """Chooses the table that computes from now on, in every thread, and returns it.

    isa       "scalar", "sse2", "sse41", "avx2", "avx512" or "neon"; None: the best that this machine has
    rounding  "portable": the same bits on every machine; "fused": faster, and the same bits on every machine with fused
              multiply-add
    """
    try:
        which = Rounding[rounding.upper()]
        table = library.gyre_kernels_best(which) if isa is None else library.gyre_kernels_for(Isa[isa.upper()], which)
    except KeyError:
        table = None
    if not table:
        has = ", ".join(f"{isa} {rounding}" for isa, rounding in available())
        raise ValueError(f"there is no table {isa or 'best'} {rounding} here; gyre.available() has {has}")
    call(library.gyre_use, table)
    return _kernels(table)
