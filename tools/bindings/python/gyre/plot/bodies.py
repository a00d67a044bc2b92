"""What the pictures of bodies share: the T-handle, flights of one body, and maps over its momentum."""
from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

import gyre

from .options import Method, Options, Refused, finite
from .style import Numbers, Picture, plain

T_HANDLE = (2.5, 1.4, 1.3)  # kg m^2, from Maciej Mizerski's article on the rotation of rigid bodies (Roblox)
EXACT_PARTS = 16  # of a step, for curves that are drawn as exact
MOST_STEPS = 10000000
LIBRARY_SUBSTEPS = 1024  # of a step, unless asked for
USUAL_METHODS = [Method(gyre.BodyMethod.MOSER_VESELOV, 6), Method(gyre.BodyMethod.MIDPOINT),
                 Method(gyre.BodyMethod.OBJECT_TRAPEZOID), Method(gyre.BodyMethod.TRAPEZOID),
                 Method(gyre.BodyMethod.EXPLICIT_EULER)]


def named(inertia: tuple[float, float, float]) -> str:
    """T-handle of 2.5, 1.4, 1.3 kg m²"""
    return f"{'T-handle' if inertia == T_HANDLE else 'body'} of {', '.join(f'{moment:g}' for moment in inertia)} kg m²"


def middle_axis(inertia: tuple[float, float, float]) -> int:
    """The axis of the middle moment; the first one if moments are equal."""
    return next((axis for axis in range(2)
                 if (inertia[axis - 2] <= inertia[axis]) == (inertia[axis] <= inertia[axis - 1])), 2)


# ---- Rotations in double precision: x y z w in the last dimension ----

def product(a: Numbers, b: Numbers) -> Numbers:
    ax, ay, az, aw = np.moveaxis(a, -1, 0)
    bx, by, bz, bw = np.moveaxis(b, -1, 0)
    return np.stack([aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
                     aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz], -1)


def inverse(q: Numbers) -> Numbers:
    return q * (-1, -1, -1, 1)


def turned(q: Numbers, v: Numbers) -> Numbers:
    once = np.cross(q[..., :3], v)
    return np.asarray(v + 2 * (q[..., 3:] * once + np.cross(q[..., :3], once)))


def angle_between(a: Numbers, b: Numbers) -> Numbers:
    turn = product(inverse(a), b)
    return np.asarray(2 * np.arctan2(np.linalg.norm(turn[..., :3], axis=-1), np.abs(turn[..., 3])))


def normalised(q: Numbers) -> Numbers:
    return np.asarray(q / np.linalg.norm(q, axis=-1, keepdims=True))


# ---- Flights of one body ----

class Flight(NamedTuple):
    """What is asked of tumble and herpolhode. The body starts at the identity."""

    inertia: tuple[float, float, float]
    spin: tuple[float, float, float]  # rad/s
    time_step_s: float
    duration_s: float
    methods: list[Method]

    @property
    def steps(self) -> int:
        return int(self.duration_s / self.time_step_s + 0.5)

    @property
    def rate(self) -> float:
        return math.hypot(*self.spin)

    @property
    def momentum(self) -> NDArray[np.float32]:
        return np.array([finite(moment * spin) for moment, spin in zip(self.inertia, self.spin)], np.float32)

    def title(self) -> str:
        spin = ", ".join(f"{each:g}" for each in self.spin)
        return plain(f"A {named(self.inertia)} that starts at {spin} rad/s")


def usual_flight(options: Options) -> Flight:
    """The T-handle that rotates about its middle axis, by each method."""
    inertia = options.inertia or T_HANDLE
    about = [0.01] * 3
    about[middle_axis(inertia)] = 6
    spin = options.spin or (about[0], about[1], about[2])
    flight = Flight(inertia, spin, options.time_step or 0.1, options.duration or 60, options.methods or USUAL_METHODS)
    if flight.duration_s < flight.time_step_s:
        raise Refused(f"--duration {flight.duration_s:g}: is less than one time step of {flight.time_step_s:g} s")
    steps = flight.duration_s / flight.time_step_s
    if steps > MOST_STEPS:
        raise Refused(f"--time-step {flight.time_step_s:g}: gives {steps:.3g} steps in {flight.duration_s:g} s, "
                      f"expected at most {MOST_STEPS}")
    return flight


def fly(flight: Flight, solver: gyre.BodySolver, dt_s: float, calls: int, stride: int = 1) -> Numbers:
    """Attitudes of the body, with low parts, at the start and after every `stride` of so many calls of the library."""
    q = np.zeros((8, 1), np.float32)  # with low parts
    q[3] = 1
    body = gyre.Bodies(q[:4], flight.momentum.reshape(3, 1), np.array(flight.inertia, np.float32).reshape(3, 1),
                       orientation_low=q[4:])
    attitudes = [q[:, 0].astype(float)]
    for call in range(1, calls + 1):
        body.step(dt_s, solver)
        if call % stride == 0:
            attitudes.append(q[:, 0].astype(float))
    all_parts = np.array(attitudes)
    return normalised(all_parts[:, :4] + all_parts[:, 4:])


def exact(flight: Flight, parts: int, calls: int) -> Numbers:
    """Attitudes after calls of so many parts of a step, of which each step has EXACT_PARTS."""
    part_s = flight.time_step_s / EXACT_PARTS
    fastest = float(np.linalg.norm(flight.momentum.astype(float))) / min(flight.inertia)
    shape = max(1, (max(flight.inertia) - min(flight.inertia)) / min(flight.inertia))
    substeps = max(1, math.ceil(2.5 * shape * part_s * fastest / 2))  # proven to be enough: kernels/body/substeps-inl.h
    if substeps > LIBRARY_SUBSTEPS or substeps * parts > 1 << 24:
        raise Refused(f"--time-step {flight.time_step_s:g}: the body rotates too far in a step for an exact reference; "
                      f"expected a smaller step")
    solver = gyre.BodySolver(gyre.BodyMethod.MOSER_VESELOV, order=8, substeps=substeps * parts)
    return fly(flight, solver, part_s * parts, calls)


def solver_of(method: Method, **limits: Any) -> gyre.BodySolver:
    return gyre.BodySolver(method.method, order=method.order, **limits)


def spin_in_world(flight: Flight, attitudes: Numbers) -> Numbers:
    own = turned(inverse(attitudes), flight.momentum.astype(float))
    return turned(attitudes, own / np.array(flight.inertia))


# ---- Maps over the momentum in the plane of the first two axes. The time step is 1 s, so a larger distance from the
# centre means a faster rotation or a longer step ----

# Even, so that no pixel lies on an axis of the body, where every method is exact.
MAP_SIDE = 300
MOST_SUBSTEPS = 20000  # of a body; more would take minutes, and such fast rotations have no correct digit


class Map(NamedTuple):
    inertia: tuple[float, float, float]
    most: float  # kg m^2/s, in each direction
    method: Method

    def bodies(self, x: Numbers, y: Numbers) -> gyre.Bodies:
        """At the identity, with these momenta."""
        count = len(x)
        orientation = np.zeros((4, count), np.float32)
        orientation[3] = 1
        momentum = np.stack([x, y, np.zeros(count)]).astype(np.float32)
        inertia = np.repeat(np.array(self.inertia, np.float32), count).reshape(3, count)
        return gyre.Bodies(orientation, momentum, inertia)

    def all_bodies(self) -> gyre.Bodies:
        """Those of all pixels, row by row from the smallest y."""
        line = np.linspace(-self.most, self.most, MAP_SIDE)
        x, y = np.meshgrid(line, line)
        return self.bodies(x.ravel(), y.ravel())


def usual_map(options: Options, most: float) -> Map:
    if len(options.methods) > 1:
        raise Refused(f"--method: a map shows one method, got {len(options.methods)}")
    method = options.methods[0] if options.methods else Method(gyre.BodyMethod.MIDPOINT)
    return Map(options.inertia or T_HANDLE, options.range or most, method)


def expect_few_substeps(asked: Map) -> None:
    """Checked before the work begins with a body in the corner, which is one of the fastest."""
    corner = asked.bodies(np.array([-asked.most]), np.array([-asked.most]))
    report = gyre.BodyReport()
    corner.step(1, solver_of(asked.method, max_substeps=MOST_SUBSTEPS), report)
    if report.unconverged:
        raise Refused(f"a momentum of {asked.most:g} rotates the body so fast that a step of 1 s takes more than "
                      f"{MOST_SUBSTEPS} sub-steps; expected a smaller --range or a larger --inertia")


def map_panel(picture: Picture, asked: Map, left: float, right: float, top: float, bottom: float) -> Any:
    panel = picture.panel(left, right, top, bottom)
    panel.grid(False)
    panel.set(xlim=(-asked.most, asked.most), ylim=(-asked.most, asked.most), xlabel="$L_x$ (kg m²/s)")
    for axis in (panel.xaxis, panel.yaxis):  # no numbers at the corners, where those of two axes would meet
        axis.set_major_locator(MaxNLocator(6, prune="both"))
    for spine in panel.spines.values():
        spine.set_visible(False)
    return panel


def show(panel: Any, asked: Map, values: NDArray[Any], colours: Any, **options: Any) -> Any:
    extent = (-asked.most, asked.most, -asked.most, asked.most)
    return panel.imshow(values, cmap=colours, origin="lower", extent=extent, aspect="auto", **options)
