# %% [markdown]
# # A torque of your own, by kicks
#
# Tops precess under gravity: their torque depends on their attitude. With scipy it is a term of the right-hand side. With
# Gyre it is a kick to the momentum before and after a step without torque, which is of second order and keeps the energy.

# %%
import gyre
import numpy as np
from numpy.typing import NDArray

COUNT, DT_S, SECONDS, WEIGHT_NM = 64, 1 / 240, 2.0, 9.81
inertia = np.repeat(np.array([[1], [1], [0.5]], np.float32), COUNT, axis=1)
lean = np.linspace(0.1, 0.8, COUNT)

orientation, momentum, torque = (np.zeros((n, COUNT), np.float32) for n in (4, 3, 3))
orientation[0], orientation[3] = np.sin(lean / 2), np.cos(lean / 2)
tops = gyre.Bodies(orientation, momentum, inertia, torque=torque)
up = np.repeat(np.array([[0], [0], [1]], np.float32), COUNT, axis=1)
axis = np.empty((3, COUNT), np.float32)
gyre.rotation_apply(orientation, up, axis)
tops.set_angular_velocity(10 * axis)
start = np.concatenate([orientation, momentum]).astype(float)

# %% [markdown]
# The torque is axis x (0, 0, -weight). It is written to the array that `tops` has.


# %%
def find_torque() -> None:
    gyre.rotation_apply(orientation, up, axis)
    torque[0], torque[1] = -WEIGHT_NM * axis[1], WEIGHT_NM * axis[0]


find_torque()
for _ in range(round(SECONDS / DT_S)):
    tops.kick(DT_S / 2)
    tops.drift(DT_S)
    find_torque()
    tops.kick(DT_S / 2)

# %% [markdown]
# The same by scipy, if it is there: seven numbers for each top, whose quaternion follows the angular velocity.


# %%
def turned(q: NDArray[np.float64], v: NDArray[np.float64]) -> NDArray[np.float64]:
    t = 2 * np.cross(q[:3], v, axis=0)
    result: NDArray[np.float64] = v + q[3] * t + np.cross(q[:3], t, axis=0)
    return result


def rhs(_: float, state: NDArray[np.float64]) -> NDArray[np.float64]:
    q, m = state.reshape(7, COUNT)[:4], state.reshape(7, COUNT)[4:]
    omega = turned(q, turned(np.concatenate([-q[:3], q[3:]]), m) / inertia)
    pole = turned(q, up.astype(float))
    of_vector = (omega * q[3] + np.cross(omega, q[:3], axis=0)) / 2
    of_scalar = -np.sum(omega * q[:3], axis=0, keepdims=True) / 2
    of_momentum = WEIGHT_NM * np.array([-pole[1], pole[0], np.zeros(COUNT)])
    change: NDArray[np.float64] = np.concatenate([of_vector, of_scalar, of_momentum])
    return change.ravel()


try:
    from scipy.integrate import solve_ivp
except ImportError:
    print("no scipy: nothing to compare with")
else:
    exact = solve_ivp(rhs, (0, SECONDS), start.ravel(), method="DOP853", rtol=1e-10, atol=1e-10).y[:, -1].reshape(7, COUNT)
    off = 2 * np.arccos(np.clip(np.abs(np.sum(exact[:4] * orientation, axis=0)), 0, 1))
    print(f"after {SECONDS:g} s the tops are off by {off.max():.1e} rad at most")
    assert off.max() < 5e-3
