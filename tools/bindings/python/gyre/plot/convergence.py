"""Maps of the iterations of a step over the momentum, with Newton's method and with fixed-point iteration."""
from __future__ import annotations

import math

import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from numpy.typing import NDArray

import gyre

from .bodies import MAP_SIDE, Map, expect_few_substeps, map_panel, named, show, solver_of, usual_map
from .options import Options, Refused
from .style import Numbers, Picture, Theme, plain

MOST_ITERATIONS, DIRECTIONS, HALVINGS = 10, 180, 20


def iterations(asked: Map, fixed_point: bool) -> NDArray[np.int_]:
    """Those of each pixel's body, at least 1, or 0 if they do not converge. The library counts them for a call, so each
    body needs one of its own."""
    solver = solver_of(asked.method, substeps=1, max_iterations=MOST_ITERATIONS, tolerance=1e-6,
                       fixed_point=fixed_point)
    bodies = asked.all_bodies()
    counts = np.zeros(len(bodies), int)
    for i in range(len(bodies)):
        report = gyre.BodyReport()
        if bodies.step(1, solver, report, i, i + 1):
            counts[i] = max(report.iterations, 1)
    return counts.reshape(MAP_SIDE, MAP_SIDE)


def bound(asked: Map) -> tuple[Numbers, Numbers]:
    """The momenta below which Newton's method is proven to converge for a step of 1 s: there the library begins to take
    two sub-steps. Found by bisection for each direction, as the bounds of some methods depend on it."""
    angles = np.linspace(0, math.tau, DIRECTIONS + 1)
    low, high = np.zeros(DIRECTIONS + 1), np.full(DIRECTIONS + 1, 2.0 * asked.most)
    solver = solver_of(asked.method)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        bodies = asked.bodies(middle * np.cos(angles), middle * np.sin(angles))
        for k in range(DIRECTIONS + 1):
            report = gyre.BodyReport()
            bodies.step(1, solver, report, k, k + 1)
            (high if report.substeps > 1 else low)[k] = middle[k]
    return low * np.cos(angles), low * np.sin(angles)


def draw(options: Options, theme: Theme) -> Picture:
    asked = usual_map(options, 15)
    if not asked.method.iterates:
        raise Refused(f"--method: {asked.method.label} does not iterate, expected an iterative method, such as "
                      f"midpoint")
    expect_few_substeps(asked)
    picture = Picture(1200, 664, theme, plain(
        f"A {named(asked.inertia)}: how many iterations does a step of 1 s take?\n"
        f"Each point is a body with this angular momentum about its first two axes. Method: {asked.method.label}."))
    colours = LinearSegmentedColormap.from_list("iterations", [theme.few, theme.many], MOST_ITERATIONS)
    colours.set_under(theme.none)
    for k, (name, left) in enumerate((("Newton's method", 92), ("fixed-point iteration", 600))):
        counts = iterations(asked, fixed_point=k == 1)
        panel = map_panel(picture, asked, left, left + 464, 116, 580)
        image = show(panel, asked, counts, colours, vmin=0.5, vmax=MOST_ITERATIONS + 0.5)
        panel.set_title(f"{name}: {100 * float(np.mean(counts > 0)):.3g} % converge", pad=8)
        panel.tick_params(labelleft=k == 0)
        if k == 0:
            panel.set_ylabel("$L_y$ (kg m²/s)", labelpad=2)
            panel.plot(*bound(asked), color=theme.proven, linewidth=2.5)
    bar = picture.panel(1092, 1114, 116, 580)
    picture.figure.colorbar(image, cax=bar, extend="min", extendfrac=0.06, ticks=(1, 4, 7, 10), drawedges=False)
    bar.set_ylabel("iterations")
    picture.text(1120, 594, "none", size=15)
    picture.text(92, 646, "Inside the green circle Newton's method is proven to converge, and Gyre takes a single "
                          "step; outside it divides the step.", size=15, colour=theme.quiet)
    return picture
