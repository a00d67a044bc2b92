"""Accuracy against cost of every method, and of other engines if a file of their results is given. A frame is 1/60 s;
each method divides it into 1, 2, 4, 8 and 16 equal steps.

Cost: the fastest of many steps of 4,096 boxes that rotate by 0.1 to 0.3 rad per frame, in ns per body and frame.
Error: the angle to the exact attitude after 10 s, root mean square over copies of one body that start in different
attitudes, so that they round differently."""
from __future__ import annotations

import math
import time
from typing import NamedTuple

import numpy as np

import gyre

from .bodies import angle_between, inverse, normalised, product, solver_of, turned
from .options import Method, Options
from .style import RIGHT, Numbers, Picture, Theme, plain

DIVISIONS = (1, 2, 4, 8, 16)
TIMED_BODIES, ROUNDS, COPIES, FRAMES = 4096, 40, 32, 600
FRAME_S = float(np.float32(1 / 60))
# The asymmetric body of van Zon and Schofield, J. Comput. Phys. 225 (2007).
INERTIA, SPIN = (10.0, 20.0, 26.0), (1.0, 15.0, 1.0)


class Own(NamedTuple):
    method: Method
    keeps_low: bool
    colours: tuple[str, str]  # in the light and in the dark

    @property
    def label(self) -> str:
        return self.method.label + (", low parts" if self.keeps_low else "")


MOSER_VESELOV = gyre.BodyMethod.MOSER_VESELOV
OWN = (Own(Method(MOSER_VESELOV, 8), True, ("#000000", "#ffffff")),
       Own(Method(MOSER_VESELOV, 6), True, ("#0072b2", "#3f9fe0")),
       Own(Method(MOSER_VESELOV, 8), False, ("#7f7f7f", "#9a9a9a")),
       Own(Method(MOSER_VESELOV, 6), False, ("#56b4e9", "#9bd4f7")),
       Own(Method(gyre.BodyMethod.MIDPOINT), False, ("#d55e00", "#ff7b2e")),
       Own(Method(gyre.BodyMethod.OBJECT_TRAPEZOID), False, ("#cc79a7", "#e08bbd")),
       Own(Method(gyre.BodyMethod.TRAPEZOID), False, ("#e69f00", "#f0b33a")),
       Own(Method(gyre.BodyMethod.EXPLICIT_EULER), False, ("#a89f91", "#8d8375")))
PEER_COLOURS = (("#332288", "#8f7bff"), ("#882255", "#e0559a"))
# Whose time is the unit of the times of other engines: it has no iterations, so its time hardly depends on the bodies.
REFERENCE = 3


class Curve(NamedTuple):
    label: str
    ns: list[float]
    error_rad: list[float]
    colour: str


# ---- Bodies ----

def bodies_of(attitude: Numbers, inertia: Numbers, spin: Numbers, keeps_low: bool) -> gyre.Bodies:
    """Of arrays of quaternions, principal moments, and angular velocities in the body."""
    count = len(attitude)
    stride = (count + 15) // 16 * 16 + 16 * 11  # no two arrays begin at the same offset in a page
    rows = np.zeros((14, stride), np.float32)[:, :count]
    rows[:4] = attitude.T
    rows[4:7] = turned(attitude, inertia * spin).T
    rows[7:10] = inertia.T
    rows[10:] = attitude.T - rows[:4].astype(float)
    return gyre.Bodies(rows[:4], rows[4:7], rows[7:10], orientation_low=rows[10:] if keeps_low else None)


def attitudes_of(bodies: gyre.Bodies) -> Numbers:
    low = 0 if bodies.orientation_low is None else np.asarray(bodies.orientation_low, float)
    return normalised((np.asarray(bodies.orientation, float) + low).T)


def boxes(keeps_low: bool) -> gyre.Bodies:
    random = np.random.default_rng(1)
    square = random.uniform(0.5, 2, (TIMED_BODIES, 3)) ** 2
    spin = normalised(random.normal(size=(TIMED_BODIES, 3))) * random.uniform(0.1, 0.3, (TIMED_BODIES, 1)) / FRAME_S
    inertia = (square.sum(1, keepdims=True) - square) / 12
    return bodies_of(normalised(random.normal(size=(TIMED_BODIES, 4))), inertia, spin, keeps_low)


def copies(keeps_low: bool) -> gyre.Bodies:
    """Of one body in many attitudes. Rounded to floats, each has its own start."""
    attitude = normalised(np.random.default_rng(2).normal(size=(COPIES, 4)))
    return bodies_of(attitude, np.tile(INERTIA, (COPIES, 1)), np.tile(SPIN, (COPIES, 1)), keeps_low)


def exact_attitudes(q: Numbers, momentum: Numbers, inertia: Numbers, frames: int) -> Numbers:
    """Attitudes after frames, in double precision, by Taylor's series in each frame. With m, the momentum in the body,
    and w = m / inertia:  m' = m x w,  q' = q (w, 0) / 2."""
    order = 24  # an error below 1e-12 rad in a frame of 0.3 rad
    m = turned(inverse(q), momentum)
    for _ in range(frames):
        ms, qs = [m], [q]
        for k in range(order):
            ws = np.stack(ms)[::-1] / inertia
            ms.append(np.cross(np.stack(ms), ws).sum(0) / (k + 1))
            spins = np.concatenate([ws, np.zeros((*ws.shape[:-1], 1))], -1)
            qs.append(product(np.stack(qs), spins).sum(0) / (2 * (k + 1)))
        powers = FRAME_S ** np.arange(order + 1)
        m, q = np.tensordot(powers, np.stack(ms), 1), normalised(np.tensordot(powers, np.stack(qs), 1))
    return q


# ---- Measuring ----

def errors(own: Own, exact: Numbers) -> list[float]:
    """For each division of a frame. The frame takes several calls, as solver.substeps would start every iteration from
    0."""
    found = []
    for division in DIVISIONS:
        bodies, solver = copies(own.keeps_low), solver_of(own.method)
        for _ in range(FRAMES * division):
            bodies.step(FRAME_S / division, solver)
        found.append(float(np.sqrt(np.mean(angle_between(attitudes_of(bodies), exact) ** 2))))
    return found


def exact_copies(keeps_low: bool) -> Numbers:
    start = copies(keeps_low)
    return exact_attitudes(attitudes_of(start), np.asarray(start.momentum, float).T, np.array(INERTIA), FRAMES)


def seconds_of(bodies: gyre.Bodies, solver: gyre.BodySolver, division: int, stop: int | None) -> float:
    began = time.perf_counter()
    for _ in range(division):
        bodies.step(FRAME_S / division, solver, stop=stop)
    return time.perf_counter() - began


def times() -> list[list[float]]:
    """In ns per body, for each method and division. The methods alternate, so that other work of the machine disturbs
    all of them equally. The time of calls without a body, which is Python's, is taken off."""
    least = np.full((2, len(OWN), len(DIVISIONS)), math.inf)  # with all bodies, and without
    for _ in range(ROUNDS):
        for i, own in enumerate(OWN):
            bodies, solver = boxes(own.keeps_low), solver_of(own.method)  # explicit Euler leaves them invalid
            for d, division in enumerate(DIVISIONS):
                for which, stop in enumerate((None, 0)):
                    least[which, i, d] = min(least[which, i, d], seconds_of(bodies, solver, division, stop))
    found: list[list[float]] = ((least[0] - least[1]) * 1e9 / TIMED_BODIES).tolist()
    return found


def measured(options: Options, dark: bool) -> list[Curve]:
    exact = {keeps_low: exact_copies(keeps_low) for keeps_low in (False, True)}
    found = [Curve(own.label, ns, errors(own, exact[own.keeps_low]), own.colours[dark])
             for own, ns in zip(OWN, times())]
    unit_ns = found[REFERENCE].ns[0]
    return found + [Curve(peer.label, [unit_ns * cost for cost, _ in peer.points], [error for _, error in peer.points],
                          colours[dark]) for peer, colours in zip(options.peers, PEER_COLOURS)]


def draw(options: Options, theme: Theme) -> Picture:
    before = gyre.in_use()
    used = gyre.use(rounding="fused")
    try:
        curves = measured(options, dark=options.theme == "dark")
    finally:
        gyre.use(*before)
    picture = Picture(1200, 800, theme,
                      "A tumbling body of 10, 20, 26 kg m²: how accurate is each method for its time?")
    panel = picture.panel(112, RIGHT * 1200, 64, 726)
    panel.set(xscale="log", yscale="log", xlabel="ns per body and frame of 1/60 s, one thread",
              ylabel="attitude error after 10 s (rad)")
    panel.margins(0.04)
    panel.minorticks_off()
    for k, curve in enumerate(curves):
        panel.plot(curve.ns, curve.error_rad, "o-", color=curve.colour, linewidth=2, markersize=6)
        ns = curve.ns[0]
        picture.legend(88 + 640 / len(curves) * k, curve.colour, curve.label,
                       f"{f'{ns:.3g}' if ns < 1000 else f'{ns:.0f}'} ns, {curve.error_rad[0]:.2g} rad")
    panel.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    panel.annotate("better", (0.02, 0.02), (0.1, 0.1), xycoords="axes fraction", textcoords="axes fraction",
                   weight="bold", color=theme.quiet,
                   arrowprops={"arrowstyle": "-|>", "color": theme.quiet, "linewidth": 2.5})
    picture.notes("dots: 1, 2, 4, 8 and 16 steps a frame", plain(f"{used.isa}, {used.rounding} rounding"))
    return picture
