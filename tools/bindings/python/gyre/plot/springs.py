"""Damped springs over time, and when they settle."""
from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

import gyre

from .options import LabelledSpring, Options, finite
from .style import RIGHT, Numbers, Picture, Theme, fewer_ticks, heights, plain, rounded

SAMPLES, MOST_SAMPLES, IN_A_SWING = 801, 16001, 16
REGIMES = [LabelledSpring("underdamped, ζ = 0.5", gyre.Spring(1, 0.5)),
           LabelledSpring("critical, ζ = 1", gyre.Spring(1, 1)),
           LabelledSpring("overdamped, ζ = 2", gyre.Spring(1, 2))]


def motion(spring: gyre.Spring, options: Options, times_s: Numbers) -> tuple[Numbers, Numbers]:
    """Positions and velocities of a spring at times in rising order, through all retargets."""
    position, velocity = options.start or (1, 0)
    target, since_s = 0.0, 0.0
    moved = np.empty((2, len(times_s)))
    for end_s, following in [*options.retargets, (math.inf, 0)]:
        chosen = (times_s >= since_s) & (times_s < end_s)
        ends = [end_s] if end_s < math.inf else []
        there = at(spring, position, velocity, target, np.append(times_s[chosen], ends) - since_s)
        moved[:, chosen] = there[:, :np.count_nonzero(chosen)]
        if ends:
            position, velocity, target, since_s = float(there[0, -1]), float(there[1, -1]), following, end_s
    finite(float(np.abs(moved[0]).max(initial=0)))
    return moved[0], moved[1]


def at(spring: gyre.Spring, position: float, velocity: float, target: float, elapsed_s: Numbers) -> NDArray[np.float32]:
    """Positions and velocities after times, by one call of the library."""
    count = len(elapsed_s)
    start = gyre.Springs(np.full(count, position, np.float32), np.full(count, velocity, np.float32),
                         target=np.full(count, target, np.float32))
    out = np.empty((2, count), np.float32)
    start.at(spring, elapsed_s.astype(np.float32), out[0], out[1])
    return out


def last_retarget(options: Options) -> tuple[float, float]:
    """When it is, and the target from then on."""
    return options.retargets[-1] if options.retargets else (0, 0)


def samples_of(options: Options, duration_s: float) -> Numbers:
    """Times enough for every oscillation, as too few would show false ones; limited where oscillations fill the panel
    anyway."""
    swings = max((spring.angular_frequency * duration_s / (2 * math.pi) for _, spring in options.springs
                  if spring.damping_ratio < 1), default=0)
    return np.linspace(0, duration_s, int(min(max(SAMPLES, IN_A_SWING * swings), MOST_SAMPLES)))


def usual_tolerance(options: Options) -> float:
    """One hundredth of the extent of curves and targets in about two oscillations of each spring."""
    places = [np.array([options.start[0] if options.start else 1, 0, *(target for _, target in options.retargets)])]
    for _, spring in options.springs:
        swings_s = 12 / spring.angular_frequency if spring.angular_frequency > 0 else 1
        places.append(motion(spring, options, np.linspace(0, finite(last_retarget(options)[0] + swings_s), SAMPLES))[0])
    low, high = min(float(place.min()) for place in places), max(float(place.max()) for place in places)
    return rounded(high / 100 - low / 100) if high > low else 1


def settled_s(spring: gyre.Spring, options: Options, tolerance: float) -> float:
    """The time from which a spring stays settled; NaN if it never does."""
    last_s, target = last_retarget(options)
    position, velocity = motion(spring, options, np.array([last_s]))
    try:
        after_s = spring.settling_time(float(position[0]) - target, float(velocity[0]), tolerance)
    except gyre.Error:
        return math.nan
    return finite(last_s + after_s)


def usual_duration(options: Options, settled: list[float]) -> float:
    """In which the last spring settles well before the end. A spring that never settles gets a few oscillations."""
    needed = 0.0
    for (_, spring), time_s in zip(options.springs, settled):
        swings_s = 25 / spring.angular_frequency if spring.angular_frequency > 0 else 5
        needed = max(needed, last_retarget(options)[0] + swings_s if math.isnan(time_s) else time_s)
    return finite(1.2 * needed) if needed > 0 else 1


def draw(options: Options, theme: Theme) -> Picture:
    if options.is_plain():
        return draw_regimes(theme)
    options.springs = options.springs or REGIMES
    return draw_asked(options, theme)


def draw_regimes(theme: Theme) -> Picture:
    """The three regimes of a damped spring, from the two starts that Ryan Juckett's "Damped Springs" (2012) shows."""
    picture = Picture(1200, 540, theme,
                      "A spring of 1 rad/s from two starts: how does the damping ratio ζ change its motion?")
    for k, (label, _) in enumerate(REGIMES):
        picture.legend(84, theme.curves[k], label, "", x=100 + 380 * k)
    starts = ((1, 0, "released: x = 1 m, v = 0"), (0.5, 1, "thrown: x = 0.5 m, v = 1 m/s"))
    times_s = np.linspace(0, 12, SAMPLES)
    for k, (position, velocity, title) in enumerate(starts):
        panel = picture.panel(96 + 556 * k, 620 + 556 * k, 140, 474)
        panel.set_title(title, pad=8)
        panel.set(xlim=(0, 12), ylim=(-0.3, 1.1), xticks=range(0, 13, 2), yticks=np.arange(-0.25, 1.1, 0.25),
                  xlabel="time (s)")
        panel.axhline(0, color=theme.quiet, linewidth=1.2)
        panel.tick_params(labelleft=k == 0)
        for i, (_, spring) in enumerate(REGIMES):
            panel.plot(times_s, motion(spring, Options(start=(position, velocity)), times_s)[0], color=theme.curves[i])
        if k == 0:
            panel.set_ylabel("displacement (m)")
    return picture


def draw_asked(options: Options, theme: Theme) -> Picture:
    tolerance = options.tolerance or usual_tolerance(options)
    settled = [settled_s(spring, options, tolerance) for _, spring in options.springs]
    duration_s = options.duration or usual_duration(options, settled)
    position, velocity = options.start or (1, 0)
    many = len(options.springs) > 1
    picture = Picture(1200, 540, theme, plain(
        f"{'Springs' if many else 'A spring'} from position {position:g} with velocity {velocity:g}: when "
        f"{'do they' if many else 'does it'} settle?"))
    panel = picture.panel(110, RIGHT * 1200, 64, 474)
    times_s = samples_of(options, duration_s)
    curves = [motion(spring, options, times_s)[0] for _, spring in options.springs]
    steps_s, targets = zip((0, 0), *options.retargets, (duration_s, last_retarget(options)[1]))
    heights(panel, [*curves, np.array(targets, float)], below=0.12)
    panel.set(xlim=(0, duration_s), xlabel="time (s)", ylabel="position")
    panel.axhspan(targets[-1] - tolerance, targets[-1] + tolerance, last_retarget(options)[0] / duration_s, 1,
                  color=theme.band, zorder=0)
    panel.step(steps_s, targets, where="post", color=theme.quiet, linewidth=1.4, linestyle=(0, (5, 3)))
    fewer_ticks(panel, 8)
    for k, (curve, (label, _), time_s) in enumerate(zip(curves, options.springs, settled)):
        panel.plot(times_s, curve, color=theme.curves[k])
        picture.legend(84 + 52 * k, theme.curves[k], label,
                       "never settles" if math.isnan(time_s) else f"settled at {time_s:.3g} s")
    picture.notes("dashed: the target", f"grey band: settled, within {tolerance:.3g} of it")
    places = [math.nan if math.isnan(time_s) else float(motion(spring, options, np.array([time_s]))[0][0])
              for (_, spring), time_s in zip(options.springs, settled)]
    picture.dots(panel, settled, places, [(times_s, curve) for curve in curves])
    return picture
