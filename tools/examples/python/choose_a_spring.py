# %% [markdown]
# # Choose a spring by its settling time
#
# A panel slides in by 320 pixels and must stand still, to half a pixel, within 0.4 s. How bouncy may it be?

# %%
import gyre
import numpy as np

DISTANCE_PX, TOLERANCE_PX, SETTLED_S = 320.0, 0.5, 0.4

# %% [markdown]
# `from_settling` finds the stiffness for each damping ratio. `peak` says how far the panel overshoots.

# %%
candidates = []
for damping_ratio in (0.5, 0.6, 0.7, 0.8, 0.9, 1.0):
    spring = gyre.Spring.from_settling(SETTLED_S, damping_ratio, TOLERANCE_PX / DISTANCE_PX)
    overshoot_px = spring.peak(-DISTANCE_PX, 0)[1] if damping_ratio < 1 else 0.0
    candidates.append((spring, overshoot_px))
    print(f"damping ratio {damping_ratio:.1f}: {spring.angular_frequency:5.1f} rad/s, overshoots by {overshoot_px:4.1f} px")

# %% [markdown]
# Less than 5 pixels of overshoot do not look like a mistake. Of such springs the softest starts most gently.

# %%
chosen = min((spring for spring, overshoot_px in candidates if overshoot_px < 5), key=lambda spring: spring.angular_frequency)
print("chosen:", chosen)

# %% [markdown]
# All candidates at once, each with parameters of its own: their positions over half a second, and when they have settled.

# %%
count, frames = len(candidates), 300
position, velocity = np.zeros((2, count), np.float32)
panels = gyre.Springs(position, velocity, target=np.full(count, DISTANCE_PX, np.float32))
frequency = np.array([spring.angular_frequency for spring, _ in candidates], np.float32)
ratio = np.array([spring.damping_ratio for spring, _ in candidates], np.float32)
motion = np.empty((frames + 1, count), np.float32)
motion[0] = position
for frame in range(frames):
    panels.step_each(frequency, ratio, 0.5 / frames)
    motion[frame + 1] = position
time_s = np.linspace(0, 0.5, frames + 1)
last_away = np.array([time_s[np.abs(column - DISTANCE_PX) > TOLERANCE_PX].max() for column in motion.T])
print("settled after", last_away, "s")
assert (last_away <= SETTLED_S).all() and (last_away > 0.9 * SETTLED_S).all()
assert np.allclose(motion.max(axis=0) - DISTANCE_PX, [overshoot_px for _, overshoot_px in candidates], atol=0.2)

# %%
try:
    import matplotlib.pyplot as plt
except ImportError:
    print("no matplotlib: no picture")
else:
    plt.plot(time_s, motion, label=[f"{each:.1f}" for each in ratio])
    plt.axvline(SETTLED_S, color="gray")
    plt.legend(title="damping ratio")
    plt.xlabel("s")
    plt.ylabel("px")
    plt.show()
