"""Rigid bodies: steps that report, and matrices for drawing."""
from __future__ import annotations

from functools import partial
from typing import Any

from . import _interface
from ._arrays import Arrays, Floats, TableIn
from ._calls import on_threads, run, slices
from ._interface import BodyReport, BodySolver
from ._library import library
from ._structures import Structures, documented


def _add(to: BodyReport, report: BodyReport) -> None:
    for name in ("substeps", "iterations", "unconverged", "lost_turns"):
        setattr(to, name, getattr(to, name) + getattr(report, name))
    to.worst_residual = max(to.worst_residual, report.worst_residual)


class Bodies(_interface.Bodies):
    __doc__ = _interface.Bodies.__doc__
    __slots__ = ()

    @documented("Bodies.step")
    def step(self, dt_s: float, solver: BodySolver | None = None, report: BodyReport | None = None, start: int = 0,
             stop: int | None = None, threads: int = 1) -> bool:
        return self._step(self._struct, dt_s, solver, report, start, stop, threads)

    def drift(self, dt_s: float, solver: BodySolver | None = None, report: BodyReport | None = None, start: int = 0,
              stop: int | None = None, threads: int = 1) -> bool:
        """A step without the torque, for between two kicks: kick by dt / 2, drift by dt, compute the new torque, and kick
        by dt / 2 again."""
        without = self._Struct.from_buffer_copy(self._struct)
        setattr(without, "torque", type(without.torque)())
        return self._step(without, dt_s, solver, report, start, stop, threads)

    def _step(self, struct: Any, dt_s: float, solver: BodySolver | None, report: BodyReport | None, start: int,
              stop: int | None, threads: int) -> bool:
        places = slices(start, self._count if stop is None else stop, threads)
        reports = [BodyReport() for _ in places]
        calls = [partial(run, library.gyre_bodies_step, (struct,), begin, end, (dt_s, solver, own), self._count)
                 for (begin, end), own in zip(places, reports)]
        done = on_threads(calls)
        for own in reports:
            _add(report or BodyReport(), own)
        return all(done)

    @documented("Bodies.transforms", "rows3x4 has the shape (n, 12) or (n, 3, 4), where n is the number of bodies. It may "
                "be a view of an instance buffer: its first stride is stride_bytes. position has a row for x, y and z.")
    def transforms(self, rows3x4: Floats, position: TableIn | None = None, start: int = 0, stop: int | None = None,
                   threads: int = 1) -> bool:
        arrays = Arrays(self._count)
        place = [None] * 3 if position is None else arrays.read_table("position", position, 3)
        matrices = Structures("rows3x4", rows3x4, written=True)
        if matrices.components != 12 or len(matrices.array) != self._count:
            raise ValueError(f"rows3x4 has the shape {matrices.array.shape} and must have ({self._count}, 12) or "
                             f"({self._count}, 3, 4)")
        return run(library.gyre_bodies_transforms, (self._struct,), start, stop,
                   (*place, matrices.address, matrices.stride_bytes), self._count, threads)
