"""Chains of bones: where each level begins, and arrays of bones beside arrays of chains."""
from __future__ import annotations

from typing import Any, Sequence

import numpy as np
from numpy.typing import NDArray

from . import _interface
from ._arrays import Pointers
from ._batches import Array

OF_BONES = {"orientation", "velocity", "tail", "local", "bone", "rest"}  # the other arrays are of chains


def level_begin(bones: Sequence[int]) -> NDArray[np.uintp]:
    """Where the bones of each level begin, and where the last end, from the number of bones of each chain, those with
    most bones first."""
    counts = np.asarray(bones, np.int64).reshape(-1)
    if np.any(counts < 0) or np.any(np.diff(counts) > 0):
        raise ValueError("chains must be sorted, those with most bones first: sort them, and their arrays")
    of_level = [np.count_nonzero(counts > level) for level in range(int(counts.max(initial=0)))]
    return np.cumsum([0, *of_level]).astype(np.uintp)


class BoneChains(_interface.BoneChains):
    __doc__ = f"{_interface.BoneChains.__doc__}\n\nWithout level_begin, every chain has as many bones as `bones`."
    __slots__ = ()

    def _completed(self, members: dict[str, Any]) -> dict[str, Any]:
        if members["level_begin"] is None:
            members["level_begin"] = level_begin([len(members["bones"])] * self._count)
        return members

    def _length_of(self, name: str) -> int | None:
        if name == "level_begin":
            return None
        return int(self._values["level_begin"][-1]) if name in OF_BONES else self._count

    def _point(self, member: Array[Any], found: Pointers) -> None:
        if member.name == "level_begin":
            begins = found.kept.astype(np.int64)
            of_level = np.diff(begins)
            grows = np.any(np.diff(of_level, prepend=self._count) > 0)
            if not len(begins) or begins[0] or grows or np.any(of_level < 0):
                raise ValueError("level_begin must begin with 0, and no level have more bones than the one before: make it "
                                 "by gyre.level_begin")
            if "level_begin" in self._values and not np.array_equal(begins, self._values["level_begin"]):
                raise ValueError("level_begin says how long the arrays are: make another BoneChains for other chains")
            self._struct.levels = len(begins) - 1
        super()._point(member, found)
