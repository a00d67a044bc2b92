"""A tail behind a root that runs and swings, at three frame rates: by Gyre, and by VRM's recurrence."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

import gyre

from .options import Options
from .style import RIGHT, Numbers, Picture, Theme

RATES_HZ = (30, 60, 144)
# The chain "tail" of tools/scenes/tails.json: five bones of 0.1 m behind the root, which runs along z for two seconds
# and changes sides every third of a second.
BONES, LENGTH, STIFFNESS, DRAG_FORCE, REST = 5, 0.1, 1.0, 0.4, 0.001
START, SPEED, SIDEWAYS, EACH_S, RUN_S, END_S = (0.0, 0.8, 0.0), 2.0, 0.6, 1 / 3, 2, 4
POSES_S = (0.57, 1.23, 1.9, 2.47, 3.2)


def root_at(times_s: Numbers) -> Numbers:
    """Where the root is: a row for each time."""
    run_s = np.minimum(times_s, RUN_S)
    swing = run_s / EACH_S % 2  # to the side in the first third of a second, and back in the second
    return np.stack([START[0] + SIDEWAYS * EACH_S * np.minimum(swing, 2 - swing), np.full_like(run_s, START[1]),
                     START[2] + SPEED * run_s], -1)


def by_gyre(rate_hz: int) -> Numbers:
    """Where the root and the tails of all bones are at every frame: (frames + 1, bones + 1, 3)."""
    bone = gyre.Bone.from_vrm(STIFFNESS, DRAG_FORCE, 0, LENGTH, 60)
    bone.tail = (0, 0, -LENGTH)
    orientation, parent = np.zeros((4, BONES), np.float32), np.zeros((4, 1), np.float32)
    orientation[3], parent[3] = 1, 1
    velocity, tail = np.zeros((2, 3, BONES), np.float32)
    position, before = np.zeros((2, 3, 1), np.float32)
    chains = gyre.BoneChains(orientation, velocity, [bone] * BONES, position, parent, tail=tail, position_before=before,
                             rest_angle=REST, rest_speed=REST)
    root = root_at(np.arange(END_S * rate_hz + 1) / rate_hz)
    position[:, 0] = before[:, 0] = root[0]
    chains.reset(0)
    places = [np.vstack([root[0], tail.T])]
    for place in root[1:]:
        before[:], position[:, 0] = position, place
        chains.step(1 / rate_hz)
        places.append(np.vstack([place, tail.T]))
    return np.array(places)


def by_recurrence(rate_hz: int) -> Numbers:
    """The same by the recurrence of VRMC_springBone 1.0: the last two places of a tail give its next one, which is then
    put at the bone's length from its head."""
    root = root_at(np.arange(END_S * rate_hz + 1) / rate_hz)
    rest = np.array([0, 0, -1.0])
    now = root[0] + LENGTH * np.arange(BONES + 1)[:, None] * rest
    last, places = now, [now]
    for place in root[1:]:
        following = [place]
        direction = rest  # of the parent, which the bone continues at rest
        for head, tail, tail_before in zip(now, now[1:], last[1:]):
            pull = tail + (tail - tail_before) * (1 - DRAG_FORCE) + STIFFNESS / rate_hz * direction - following[-1]
            direction = pull / math.hypot(*pull)
            following.append(following[-1] + LENGTH * direction)
        last, now = now, np.array(following)
        places.append(now)
    return np.array(places)


def differences(ways: list[Numbers]) -> list[float]:
    """The greatest distance of any tail from where it is at the highest rate, in m, for each rate; at 6 times a
    second."""
    def moments(way: Numbers) -> Numbers:
        return way[::(len(way) - 1) // (6 * END_S)]
    return [float(np.linalg.norm(moments(way) - moments(ways[-1]), axis=-1).max()) for way in ways]


def pose_at(way: Numbers, time_s: float) -> Numbers:
    """Root and tails relative to the root, between the two nearest frames."""
    frame = time_s * (len(way) - 1) / END_S
    before = int(frame)
    pose = way[before] + (frame - before) * (way[min(before + 1, len(way) - 1)] - way[before])
    return np.asarray(pose - pose[0])


def draw(_: Options, theme: Theme) -> Picture:
    picture = Picture(1200, 776, theme,
                      "A tail of five bones at 30, 60 and 144 frames a second: does it look the same?\n"
                      "From above, while its root runs to the right and swings to and fro for two seconds.")
    kinds: tuple[tuple[str, Any], ...] = (("Gyre", by_gyre),
                                          ("VRM's recurrence, which most characters use", by_recurrence))
    for k, (name, move) in enumerate(kinds):
        ways = [move(rate_hz) for rate_hz in RATES_HZ]
        apart = differences(ways)
        top = 118 + 330 * k
        picture.text(24, top - 10, name, weight="bold")
        draw_poses(picture, ways, top)
        draw_tips(picture, ways, top + 104).set_xlabel("time (s)" if k == 1 else "")
        for i, rate_hz in enumerate(RATES_HZ):
            note = f"up to {1000 * apart[i]:.2g} mm from the tail at {RATES_HZ[-1]}" if i + 1 < len(ways) else ""
            picture.legend(top + 24 + 52 * i, theme.curves[i], f"{rate_hz} frames a second", note)
    picture.notes("above each curve: the whole tail at that time", "bones of 0.1 m, stiffness 1, drag force 0.4")
    return picture


def draw_curves(panel: Any, theme: Theme, curves: list[tuple[Numbers, Numbers]]) -> None:
    """The first ones narrower and above, so that all can be seen where they are alike."""
    for i, curve in reversed(list(enumerate(curves))):
        panel.plot(*curve, color=theme.curves[i], linewidth=2 + 2 * i)


def draw_poses(picture: Picture, ways: list[Numbers], top: float) -> None:
    """The whole tail at a few times, above the curves at that time."""
    left, right = 96, RIGHT * 1200
    panel = picture.panel(left, right, top, top + 100)
    pixels = 190  # per m, in both directions
    panel.set(xlim=(0, (right - left) / pixels), ylim=(-50 / pixels, 50 / pixels))
    panel.axis("off")
    for time_s in POSES_S:
        root = time_s / END_S * (right - left) / pixels
        poses = [pose_at(way, time_s) for way in ways]
        draw_curves(panel, picture.theme, [(root + pose[:, 2], pose[:, 0]) for pose in poses])
        panel.plot(root, 0, "o", color=picture.theme.ink, markersize=7, zorder=4)


def draw_tips(picture: Picture, ways: list[Numbers], top: float) -> Any:
    """How far the tip is to the side of the root, over time."""
    panel = picture.panel(96, RIGHT * 1200, top, top + 168)
    panel.set(xlim=(0, END_S), ylim=(-0.19, 0.19), ylabel="tip (m)", yticks=(-0.1, 0, 0.1))
    draw_curves(panel, picture.theme, [(np.arange(len(way)) / rate_hz, way[:, -1, 0] - way[:, 0, 0])
                                       for way, rate_hz in zip(ways, RATES_HZ)])
    return panel
