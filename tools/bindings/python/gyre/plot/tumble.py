"""A body that flips over its middle axis again and again: a panel for each method, over the exact motion."""
from __future__ import annotations

import math

import numpy as np

from .bodies import EXACT_PARTS, Flight, angle_between, exact, fly, middle_axis, solver_of, turned, usual_flight
from .options import Options
from .style import RIGHT, Numbers, Picture, Theme, fewer_ticks, plain

POINTS, MOST_POINTS, IN_A_TURN = 600, 6000, 8


def stride_of(flight: Flight) -> int:
    """Steps between points: enough points for every turn, as too few would show false flips; limited where flips fill
    the panel anyway."""
    points = min(max(POINTS, IN_A_TURN * flight.rate * flight.duration_s / math.tau), MOST_POINTS)
    return int(flight.steps // points) + 1


def cosines(flight: Flight, attitudes: Numbers, axis: int) -> Numbers:
    """Of the angle between the body's axis and the momentum, which is constant."""
    momentum = flight.momentum.astype(float)
    return np.asarray(turned(attitudes, np.eye(3)[axis]) @ (momentum / np.linalg.norm(momentum)))


def curves(flight: Flight) -> tuple[Numbers, Numbers, list[Numbers]]:
    """Times, exact attitudes, and those of each method."""
    stride = stride_of(flight)
    calls = flight.steps // stride
    truth = exact(flight, EXACT_PARTS * stride, calls)
    ways = [fly(flight, solver_of(method), flight.time_step_s, calls * stride, stride) for method in flight.methods]
    return np.arange(calls + 1) * (stride * flight.time_step_s), truth, ways


def draw(options: Options, theme: Theme) -> Picture:
    flight = usual_flight(options)
    axis = middle_axis(flight.inertia)
    times_s, truth, ways = curves(flight)
    picture = Picture(1200, 760, theme, f"{flight.title()}: which method flips when it does?")
    top, bottom, count = 64, 696, len(ways)
    height = (bottom - top + 16) / count
    for k, (way, method) in enumerate(zip(ways, flight.methods)):
        panel = picture.panel(92, RIGHT * 1200, top + height * k, top + height * (k + 1) - 16)
        panel.set(xlim=(0, flight.duration_s), ylim=(-1.15, 1.15), yticks=(-1, 0, 1))
        panel.tick_params(labelbottom=k + 1 == count)
        fewer_ticks(panel, 8)
        panel.plot(times_s, cosines(flight, truth, axis), color=theme.exact, linewidth=5)
        panel.plot(times_s, cosines(flight, way, axis), color=theme.curves[k], linewidth=1.8)
        if k + 1 == count:
            panel.set_xlabel("time (s)")
        else:
            panel.xaxis.offsetText.set_visible(False)
        picture.legend(top + height * k + 18, theme.curves[k], method.label,
                       f"{angle_between(truth[-1], way[-1]):.2g} rad off at {times_s[-1]:.3g} s")
    picture.text(36, (top + bottom) / 2, f"cosine of the angle of the {'xyz'[axis]} axis to the angular momentum",
                 across="center", rotation=90)
    picture.notes("wide grey line: exact", plain(f"steps of {flight.time_step_s:.3g} s, "
                                                 f"{flight.time_step_s * flight.rate:.2g} rad; all with low parts"))
    return picture
