# %% [markdown]
# # A spring for CSS and key frames
#
# A browser plays the motion of a spring as a `linear()` easing: straight lines between points. Few points are enough, if
# they stand where the curve bends.

# %%
import gyre
import numpy as np
from numpy.typing import NDArray

SPRING, TOLERANCE = gyre.Spring.from_duration(0.5, 0.3), 0.002

# %% [markdown]
# The exact curve, from 0 to 1: `at` evaluates many times in one call.

# %%
duration_s = SPRING.settling_time(-1, 0, TOLERANCE / 2)
time_s = np.linspace(0, duration_s, 2001, dtype=np.float32)
zeros, ones = np.zeros(time_s.size, np.float32), np.ones(time_s.size, np.float32)
curve, speed = np.empty((2, time_s.size), np.float32)
gyre.Springs(zeros, zeros.copy(), target=ones).at(SPRING, time_s, curve, speed)
curve[-1] = 1

# %% [markdown]
# From each point the longest line that stays within the tolerance.


# %%
def corners(x: NDArray[np.float32], y: NDArray[np.float32], tolerance: float) -> list[int]:
    chosen = [0]
    while chosen[-1] < len(x) - 1:
        a, end = chosen[-1], chosen[-1] + 1
        for b in range(a + 2, len(x)):
            line = np.interp(x[a:b + 1], [x[a], x[b]], [y[a], y[b]])
            if np.abs(line - y[a:b + 1]).max() > tolerance:
                break
            end = b
        chosen.append(end)
    return chosen


points = corners(time_s, curve, TOLERANCE)
easing = ", ".join(f"{curve[k]:.4g} {100 * time_s[k] / duration_s:.4g}%" for k in points[1:-1])
print(f"transition: transform {1000 * duration_s:.0f}ms linear(0, {easing}, 1);")
lines = np.interp(time_s, time_s[points], curve[points])
print(f"{len(points)} points, off by {np.abs(lines - curve).max():.4f} at most")
assert np.abs(lines - curve).max() <= 1.01 * TOLERANCE and len(points) < 40

# %% [markdown]
# Key frames are best where the spring turns: there its speed is 0. The first turn is `peak`, and the others follow in
# equal times.

# %%
first_s, overshoot = SPRING.peak(-1, 0)
turns_s = np.arange(first_s, duration_s, first_s, dtype=np.float32)
count = turns_s.size
values, speeds = np.empty((2, count), np.float32)
gyre.Springs(zeros[:count], zeros[count:2 * count], target=ones[:count]).at(SPRING, turns_s, values, speeds)
for t, value in zip(turns_s, values):
    print(f"{100 * t / duration_s:5.1f}% {{ transform: translateX({100 * value:.2f}px) }}")
assert np.abs(speeds).max() < 1e-4 and np.isclose(values[0], 1 + overshoot)
