"""Where a head looks whose target changes while it turns: with springs on rotations, and with springs that use the
angular velocity as the rate of the rotation vector."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

import gyre

from .bodies import inverse, product, turned
from .options import Options
from .style import RIGHT, Numbers, Picture, Theme

RATE_HZ, FRAMES, FRAMES_EACH = 240, 360, 48
SPRING = gyre.Spring(7, 0.4)
# Rotation vectors in rad; the head looks along x, and z is up.
TARGETS = {"A": (0.0, 0.0, 1.5), "B": (1.1, -0.9, 0.2), "C": (-0.9, 0.9, 0.0)}


def of_turn(vector: Numbers) -> Numbers:
    """The quaternion of a rotation vector."""
    half = float(np.linalg.norm(vector)) / 2
    return np.append(np.sinc(half / math.pi) / 2 * vector, math.cos(half))


def target_at(frame: int) -> Numbers:
    return of_turn(np.array(list(TARGETS.values())[min(frame // FRAMES_EACH, len(TARGETS) - 1)]))


def on_rotations() -> Numbers:
    """Attitudes at all frames."""
    q, omega, target = (np.zeros((size, 1), np.float32) for size in (4, 3, 4))
    q[3] = 1
    springs = gyre.OrientationSprings(q, omega, target=target)
    matrix = SPRING.matrix_at(1 / RATE_HZ)
    attitudes = [q[:, 0].astype(float)]
    for frame in range(FRAMES):
        target[:, 0] = target_at(frame)
        springs.step(matrix, 1 / RATE_HZ)
        attitudes.append(q[:, 0].astype(float))
    return np.array(attitudes)


def by_small_angles() -> Numbers:
    """The same matrix on the rotation vector and the angular velocity."""
    matrix = SPRING.matrix_at(1 / RATE_HZ)
    q, omega = np.array([0.0, 0, 0, 1]), np.zeros(3)
    attitudes = [q]
    for frame in range(FRAMES):
        turn = product(q, inverse(target_at(frame)))
        turn = turn if turn[3] >= 0 else -turn
        sine = float(np.linalg.norm(turn[:3]))
        vector = turn[:3] * (2 * math.atan2(sine, turn[3]) / sine if sine > 0 else 2)
        q = product(of_turn(matrix.pos_pos * vector + matrix.pos_vel * omega), target_at(frame))
        omega = matrix.vel_pos * vector + matrix.vel_vel * omega
        attitudes.append(q)
    return np.array(attitudes)


def look(attitudes: Numbers) -> Numbers:
    """Azimuth and elevation of the gaze, in degrees."""
    x, y, z = np.moveaxis(turned(attitudes, np.array([1.0, 0, 0])), -1, 0)
    return np.asarray(np.degrees(np.stack([np.arctan2(y, x), np.arcsin(np.clip(z, -1, 1))], -1)))


def note(panel: Any, text: str, place: Numbers, offset: tuple[float, float], **style: Any) -> None:
    """A text at an offset in pixels from a place."""
    panel.annotate(text, place, offset, textcoords="offset points", **style)


def draw(_: Options, theme: Theme) -> Picture:
    picture = Picture(1200, 740, theme,
                      "A head turns to A, to B, to C: does it keep its speed when its target changes?")
    panel = picture.panel(96, RIGHT * 1200, 64, 666)
    panel.set(xlabel="azimuth (degrees)", ylabel="elevation (degrees)")
    panel.margins(0.07)
    names = ((on_rotations, "springs on rotations", "keep the angular velocity"),
             (by_small_angles, "springs of small angles", "have a kink where the target changes"))
    changes = [frame * FRAMES_EACH for frame in range(1, len(TARGETS))]
    for k, (way, label, what) in reversed(list(enumerate(names))):
        points = look(way())
        panel.plot(points[:, 0], points[:, 1], color=theme.curves[k])
        panel.plot(points[changes, 0], points[changes, 1], "o", color=theme.curves[k], markersize=9)
        picture.legend(84 + 52 * k, theme.curves[k], label, what)
        for frame, name, marker in ((0, "start", "s"), (-1, "end", "D")):
            panel.plot(*points[frame], marker, color=theme.ink, markersize=9, zorder=4)
            if k == 0:
                note(panel, name, points[frame], (-16, 13) if frame == 0 else (12, 9), weight="bold")
        note(panel, "now to C", points[changes[1]], (10, 5), size=14, color=theme.curves[k])
    note(panel, "now to B", points[changes[0]], (-72, 10), size=14)  # where both are at one place
    for (name, vector), offset in zip(TARGETS.items(), ((-34, 15), (14, 12), (-36, -38))):
        place = look(of_turn(np.array(vector)))
        panel.plot(*place, "o", color=theme.ink, markersize=15, markerfacecolor="none", markeredgewidth=2)
        note(panel, f"target {name}", place, offset, weight="bold")
    picture.notes("rings: where the targets look", "dots: the target changes, after 0.2 s and 0.4 s",
                  "ω = 7 rad/s, ζ = 0.4, for 1.5 s")
    return picture
