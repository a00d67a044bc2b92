"""Position and velocity of particles under damping, and where they come to rest."""
from __future__ import annotations

import math

import numpy as np

import gyre

from .options import LabelledDamping, Options, finite
from .style import RIGHT, Numbers, Picture, Theme, fewer_ticks, heights, plain, rounded

SAMPLES = 801
# Of scroll views; their sources are in tools/scenes/fling_and_settle.json.
USUAL = [LabelledDamping("damping 2.00 /s (UIScrollView normal)", 2.0020027),
         LabelledDamping("damping 4.2 /s (Compose decay)", 4.2),
         LabelledDamping("damping 10.1 /s (UIScrollView fast)", 10.050336)]


def motion(damping: float, options: Options, times_s: Numbers) -> tuple[Numbers, Numbers]:
    """Positions and velocities at times, by one call of the library: a particle for each time."""
    count = len(times_s)
    position, velocity = (np.full(count, value, np.float32) for value in options.start or (0, 2000))
    particles = gyre.Particles(position, velocity, uniform_acceleration=options.acceleration)
    particles.step_each(np.full(count, damping, np.float32), 1, time_scale=times_s.astype(np.float32))
    finite(float(np.abs([position, velocity]).max()))
    return position.astype(float), velocity.astype(float)


def rest_position(damping: float, options: Options) -> float:
    """Under damping alone; NaN if there is none."""
    if options.acceleration:
        return math.nan
    try:
        position, velocity = options.start or (0, 2000)
        return gyre.damping_rest_position(position, velocity, damping)
    except gyre.Error:
        return math.nan


def settled_s(damping: float, options: Options, tolerance: float) -> float:
    """The time from which a particle is within the tolerance of its rest position; NaN if it never is. The remaining
    distance decays as the velocity does."""
    if math.isnan(rest_position(damping, options)):
        return math.nan
    try:
        way = gyre.damping_rest_position(0, (options.start or (0, 2000))[1], damping)
        return gyre.damping_time_to_speed(way, damping, tolerance) if abs(way) > tolerance else 0
    except gyre.Error:
        return math.nan


def terminal_velocity(damping: float, options: Options) -> float:
    """At which damping and acceleration balance: the rest position of a particle from 0 that has the acceleration as
    its velocity. NaN without damping or acceleration."""
    try:
        return gyre.damping_rest_position(0, options.acceleration, damping) if options.acceleration else math.nan
    except gyre.Error:
        return math.nan


def usual_tolerance(options: Options) -> float:
    ways = [abs(rest_position(damping, options) - (options.start or (0, 2000))[0]) for _, damping in options.dampings]
    farthest = max((way for way in ways if not math.isnan(way)), default=0)
    return rounded(farthest / 100) if farthest > 0 else 1


def usual_duration(options: Options, settled: list[float]) -> float:
    """In which the last particle comes to rest well before the end. Particles that do not come to rest get the time in
    which damping removes 99 % of a velocity; without damping, 3 s."""
    needed = 0.0
    for (_, damping), time_s in zip(options.dampings, settled):
        if math.isnan(time_s):
            time_s = math.log(100) / damping if damping > 0 else 3
        needed = max(needed, time_s)
    return finite(1.2 * needed) if needed > 0 else 1


def question(options: Options) -> str:
    if options.is_plain():
        return "A fling of 2000 px/s in scroll views: how far does it go, and for how long?"
    position, velocity = options.start or (0, 2000)
    begin = (f"{'Particles' if len(options.dampings) > 1 else 'A particle'} from position {position:g} with velocity "
             f"{velocity:g}")
    if options.acceleration:
        return plain(f"{begin}, accelerated by {options.acceleration:g}: how fast in the end?")
    return plain(f"{begin}: where and when at rest?")


def draw(options: Options, theme: Theme) -> Picture:
    picture = Picture(1200, 740, theme, question(options))
    options.dampings = options.dampings or USUAL
    tolerance = options.tolerance or usual_tolerance(options)
    settled = [settled_s(damping, options, tolerance) for _, damping in options.dampings]
    duration_s = options.duration or usual_duration(options, settled)
    times_s = np.linspace(0, duration_s, SAMPLES)
    curves = [motion(damping, options, times_s) for _, damping in options.dampings]
    panels = [picture.panel(120, RIGHT * 1200, top, top + 294) for top in (64, 380)]
    for which, (panel, label) in enumerate(zip(panels, ("position", "velocity (1/s)"))):
        heights(panel, [curve[which] for curve in curves], above=0.06, below=0.12 if which == 0 else 0.06)
        panel.set(xlim=(0, duration_s), ylabel=label)
        panel.tick_params(labelbottom=which == 1)
        fewer_ticks(panel, 8)
        limit = rest_position if which == 0 else terminal_velocity
        for k, (curve, (_, damping)) in enumerate(zip(curves, options.dampings)):
            panel.plot(times_s, curve[which], color=theme.curves[k])
            if not math.isnan(limit(damping, options)):
                panel.axhline(limit(damping, options), color=theme.curves[k], linewidth=1.2, linestyle=(0, (5, 3)))
    panels[0].xaxis.offsetText.set_visible(False)
    panels[1].set_xlabel("time (s)")
    for k, ((label, damping), time_s) in enumerate(zip(options.dampings, settled)):
        terminal = terminal_velocity(damping, options)
        note = (f"terminal velocity {terminal:.3g}" if not math.isnan(terminal) else "never comes to rest"
                if math.isnan(time_s) else f"rests at {rest_position(damping, options):.4g}, settled at {time_s:.3g} s")
        picture.legend(84 + 52 * k, theme.curves[k], label, note)
    if not options.acceleration:
        picture.notes("dashed: where it rests", f"settled: within {tolerance:.3g} of rest")
    else:
        picture.notes("dashed: the terminal velocity")
    places = [math.nan if math.isnan(time_s) else float(motion(damping, options, np.array([time_s]))[0][0])
              for (_, damping), time_s in zip(options.dampings, settled)]
    picture.dots(panels[0], settled, places, [(times_s, curve[0]) for curve in curves])
    return picture
