# %% [markdown]
# # The dancing pole
#
# A pole of 4 m, inclined by 5 degrees, turns about the vertical. Simple integrators keep the angular velocity constant, and
# the pole dances upright for ever. But the angular momentum is what is constant, and it is nearly horizontal: a real pole
# falls over and tumbles end over end.

# %%
import gyre
import numpy as np

MASS_KG, RADIUS_M, HEIGHT_M, SPIN_RAD_S, DT_S, SECONDS = 10.0, 0.1, 4.0, 8.0, 1 / 60, 10
ACROSS = MASS_KG * (3 * RADIUS_M**2 + HEIGHT_M**2) / 12
ALONG = MASS_KG * RADIUS_M**2 / 2
METHODS = [gyre.BodyMethod.EXPLICIT_EULER, gyre.BodyMethod.MIDPOINT, gyre.BodyMethod.MOSER_VESELOV]

# %% [markdown]
# One pole for each method, in the same arrays: a method steps its own element.

# %%
count = len(METHODS)
lean = np.deg2rad(5)
orientation = np.zeros((4, count), np.float32)
orientation[0], orientation[3] = np.sin(lean / 2), np.cos(lean / 2)  # about x
momentum = np.zeros((3, count), np.float32)
poles = gyre.Bodies(orientation, momentum, np.repeat(np.array([[ACROSS], [ACROSS], [ALONG]], np.float32), count, axis=1))
poles.set_angular_velocity(np.repeat(np.array([[0], [0], [SPIN_RAD_S]], np.float32), count, axis=1))

along_pole = np.repeat(np.array([[0], [0], [1]], np.float32), count, axis=1)
direction, energy = np.empty((3, count), np.float32), np.empty(count, np.float32)
heights = []
for second in range(SECONDS + 1):
    gyre.rotation_apply(orientation, along_pole, direction)
    poles.energy(energy)
    heights.append(direction[2].copy())
    print(f"{second:2} s: " + ", ".join(f"{method.name.lower()} at {z:5.2f} with {joules:4.1f} J"
                                        for method, z, joules in zip(METHODS, direction[2], energy)))
    for _ in range(round(1 / DT_S)):
        for k, method in enumerate(METHODS):
            poles.step(DT_S, gyre.BodySolver(method), start=k, stop=k + 1)

# %% [markdown]
# The angle between the pole and its momentum is nearly a right one, so the pole turns over, whatever it does besides.

# %%
euler, _, moser_veselov = np.array(heights).T
assert (euler > 0.99).all()
assert moser_veselov.min() < -0.5
