"""The herpolhode: the path of the angular velocity in the world. With the momentum L and the energy E its component
along L is 2 E / |L|, a constant, so the path lies in a plane. The distance of a method from that plane is its error in
energy."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from .bodies import EXACT_PARTS, Flight, exact, fly, solver_of, spin_in_world, usual_flight
from .options import Options
from .style import RIGHT, Numbers, Picture, Theme, fewer_ticks

PATH_POINTS, DEVIATION_POINTS = 6000, 60000
LEAST = 1e-9  # deviation that is drawn, relative to the height of the plane
TILT = 0.35  # sine of the angle of the view above the plane


def directions(flight: Flight) -> Numbers:
    """Of a view from slightly above the plane, in which the momentum points upwards: to the right, into the picture,
    and up."""
    momentum = flight.momentum.astype(float)
    up = momentum / np.linalg.norm(momentum)
    right = np.cross((1, 0, 0) if abs(up[0]) < 0.7 else (0, 1, 0), up)  # from any direction not along the momentum
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(up, right), up])


def path(flight: Flight) -> Numbers:
    """Components of the exact angular velocity: to the right, into the picture, and above the plane."""
    parts = flight.steps * EXACT_PARTS
    stride = parts // PATH_POINTS + 1
    spins = spin_in_world(flight, exact(flight, stride, parts // stride)) @ directions(flight).T
    return np.asarray(spins - (0, 0, spins[0, 2]))


def deviations(flight: Flight) -> tuple[Numbers, list[Numbers]]:
    """Times, and the largest distance of each method from the plane so far, relative to its height."""
    stride = flight.steps // DEVIATION_POINTS + 1
    calls = flight.steps // stride
    up = directions(flight)[2]
    found = []
    for method in flight.methods:
        attitudes = fly(flight, solver_of(method), flight.time_step_s, calls * stride, stride)
        along = spin_in_world(flight, attitudes) @ up
        found.append(np.maximum.accumulate(np.abs(along / along[0] - 1))[1:])
    return np.arange(1, calls + 1) * (stride * flight.time_step_s), found


def draw(options: Options, theme: Theme) -> Picture:
    flight = usual_flight(options)
    if not options.methods:  # except explicit Euler, whose angular velocity is constant
        flight = flight._replace(methods=flight.methods[:-1])
    way = path(flight)
    times_s, found = deviations(flight)
    picture = Picture(1200, 600, theme, f"{flight.title()}: does each method keep its energy?")
    draw_path(picture, way, flight)
    panel = picture.panel(540, RIGHT * 1200, 150, 534)
    panel.set_yscale("log")
    panel.set(xlim=(0, flight.duration_s), xlabel="time (s)", ylabel="largest distance / height of the plane")
    fewer_ticks(panel, 4)
    for k, (deviation, method) in enumerate(zip(found, flight.methods)):
        panel.plot(times_s, np.maximum(deviation, LEAST), color=theme.curves[k])
        most = max(float(deviation[-1]), LEAST)
        picture.legend(166 + 52 * k, theme.curves[k], method.label,
                       f"{most:.2g} {'at most' if most > LEAST else 'or less'}")
    limit_deviations(panel)
    picture.notes(f"steps of {flight.time_step_s:.3g} s; all with low parts")
    for x, lines in ((24, ("The exact angular velocity: its tip moves in a plane",
                           "across the angular momentum L. The energy", "sets the height of the plane.")),
                     (540, ("How far each method leaves that plane, as a part of its height: its error",
                            "in energy. A curve that stays low keeps the energy."))):
        for k, line in enumerate(lines):
            picture.text(x, 70 + 21 * k, line, size=15, colour=theme.quiet)
    return picture


def limit_deviations(panel: Any) -> None:
    """Room around the curves, at least a power of ten, and a name for the least deviation."""
    low, high = panel.get_ylim()
    low, high = max(low, LEAST / 2), max(high, 10 * low)
    panel.set_ylim(low, high)
    powers = range(math.ceil(math.log10(low)), math.floor(math.log10(high)) + 1)
    powers = powers[::len(powers) // 8 + 1]
    panel.set_yticks([10.0**power for power in powers],
                     [f"${'≤ ' if power == -9 else ''}10^{{{power}}}$" for power in powers])
    panel.minorticks_off()


def draw_path(picture: Picture, way: Numbers, flight: Flight) -> None:
    theme = picture.theme
    height = float((spin_in_world(flight, np.array([0, 0, 0, 1.0])) @ directions(flight)[2]))
    # About a principal axis the path is a point.
    radius = max(1.25 * float(np.hypot(way[:, 0], way[:, 1]).max()), 1e-5 * abs(height))
    panel = picture.panel(20, 460, 140, 580)
    panel.axis("off")
    panel.set(xlim=(-1.05 * radius, 1.05 * radius), ylim=(-1.1 * radius, radius))
    angles = np.linspace(0, math.tau, 91)
    panel.fill(radius * np.cos(angles), TILT * radius * np.sin(angles), facecolor=theme.plane, edgecolor=theme.quiet,
               linewidth=1)
    panel.plot([0, 0], [-radius, -0.6 * radius], color=theme.quiet, linewidth=1.5, linestyle=(0, (4, 3)))
    panel.plot(way[:, 0], TILT * way[:, 1] + math.sqrt(1 - TILT * TILT) * way[:, 2], color=theme.ink, linewidth=1)
    panel.annotate("", (0, 0.8 * radius), (0, 0), arrowprops={"arrowstyle": "-|>", "color": theme.ink, "linewidth": 1.8,
                                                              "shrinkA": 0, "shrinkB": 0})
    panel.text(0.05 * radius, 0.74 * radius, "$L$")
    panel.text(0, -0.52 * radius, "plane of the exact energy", color=theme.quiet, ha="center", size=15)
