"""Prints a table: Gyre's steps and scipy's solve_ivp, from the same start over the same second, against solve_ivp with
DOP853 and a relative tolerance of 1e-12. Gyre has one thread. Times are the shortest of several.

    PYTHONPATH=tools/bindings/python LD_LIBRARY_PATH=build/kernels python3 bench/python/against_scipy.py
"""
import time

import gyre
import numpy as np
from scipy.integrate import solve_ivp

COUNT, STEPS, DT = 1000, 60, np.float32(1 / 60)
END = STEPS * float(DT)
random = np.random.default_rng(7)


def floats(*shape):
    return random.normal(size=shape).astype(np.float32)


def solve(rhs, start, **options):
    solution = solve_ivp(rhs, (0, END), np.asarray(start, float).ravel(), method="DOP853", t_eval=[END], **options)
    assert solution.success
    return solution.y[:, -1]


class Springs:
    name = "springs that share a matrix"
    unit = "u"

    def __init__(self):
        self.start, self.target = floats(2, COUNT), floats(COUNT)
        self.spring = gyre.Spring(10, 0.25)

    def step(self):
        state = self.start.copy()
        springs, frame = gyre.Springs(*state, target=self.target), self.spring.matrix_at(DT)
        for _ in range(STEPS):
            springs.step(frame)
        return state

    def rhs(self, _, state):
        w, z = self.spring.angular_frequency, self.spring.damping_ratio
        x, v = state.reshape(2, -1)
        return np.concatenate([v, -2 * z * w * v - w * w * (x - self.target)])

    def error(self, state, exact):
        return np.abs(state - exact.reshape(state.shape))[0].max()


class Particles(Springs):
    name = "particles with a damping each"

    def __init__(self):
        self.start, self.acceleration = floats(2, COUNT), 10 * floats(COUNT)
        self.damping = np.abs(floats(COUNT))

    def step(self):
        state = self.start.copy()
        particles = gyre.Particles(*state, acceleration=self.acceleration)
        for _ in range(STEPS):
            particles.step_each(self.damping, DT)
        return state

    def rhs(self, _, state):
        _, v = state.reshape(2, -1)
        return np.concatenate([v, self.acceleration - self.damping * v])


def turned(q, v):
    """R(q) v; q x y z w"""
    u, w = q[:3], q[3]
    t = 2 * np.cross(u, v, axis=0)
    return v + w * t + np.cross(u, t, axis=0)


class Bodies:
    name = "bodies under a torque"
    unit = "rad"

    def __init__(self):
        self.inertia = 1 + np.abs(floats(3, COUNT)) / 4
        q = floats(4, COUNT)
        self.start = np.concatenate([q / np.linalg.norm(q, axis=0), floats(3, COUNT)]).astype(np.float32)
        self.torque = floats(3, COUNT)

    def step(self):
        state = self.start.copy()
        bodies = gyre.Bodies(state[:4], state[4:], self.inertia, torque=self.torque)
        for _ in range(STEPS):
            bodies.step(DT)
        return state

    def rhs(self, _, state):
        state = state.reshape(7, -1)
        q, momentum = state[:4], state[4:]
        back = np.concatenate([-q[:3], q[3:]])
        omega = turned(q, turned(back, momentum) / self.inertia)
        of_q = np.concatenate([omega * q[3] + np.cross(omega, q[:3], axis=0), -np.sum(omega * q[:3], axis=0)[None]]) / 2
        return np.concatenate([of_q, self.torque]).ravel()

    def error(self, state, exact):
        exact = exact.reshape(state.shape)[:4] / np.linalg.norm(exact.reshape(state.shape)[:4], axis=0)
        q = state[:4] / np.linalg.norm(state[:4].astype(float), axis=0)
        chord = np.minimum(np.linalg.norm(q - exact, axis=0), np.linalg.norm(q + exact, axis=0))
        return (4 * np.arcsin(chord / 2)).max()


class Chains:
    """Chains in a plane, whose motion kernels/chain/README.md describes: the pull of stiffness along the parent's direction
    and that of gravity add up to a force; its direction is the target, its size over the length the square of the frequency.
    y = 4 tan(a / 4) of the angle a to the target obeys y'' + damping y' + frequency^2 y = 0 beside the inertia of the tail."""
    name = "chains of three bones"
    unit = "rad"
    BONES, LENGTH, STIFFNESS, DAMPING, GRAVITY = 3, 0.25, 200.0, 8.0, 9.81
    chains = COUNT // 3

    def __init__(self):
        self.angles = 0.4 * floats(self.BONES, self.chains)  # from straight down
        self.speeds = floats(self.BONES, self.chains)
        self.start = np.concatenate([self.angles, self.speeds])

    def step(self):
        half, zero = self.angles.ravel() / 2, np.zeros(self.angles.size, np.float32)
        orientation = np.array([zero, zero, np.sin(half), np.cos(half)], np.float32)
        speed = self.LENGTH * self.head_speeds(self.angles, self.speeds)
        velocity = np.array([*speed.reshape(2, -1), zero], np.float32)
        bone = gyre.Bone(tail=(0, -self.LENGTH, 0), stiffness=self.STIFFNESS, damping=self.DAMPING, gravity=1)
        root, parent, gravity = (np.zeros((n, self.chains), np.float32) for n in (3, 4, 3))
        parent[3], gravity[1] = 1, -self.GRAVITY
        chains = gyre.BoneChains(orientation, velocity, [bone] * self.BONES, root, parent, gravity=gravity)
        for _ in range(STEPS):
            chains.step(DT)
        return 2 * np.arctan2(orientation[2], orientation[3]).reshape(self.BONES, -1)

    @staticmethod
    def head_speeds(angles, speeds):
        """Velocities of tails, in lengths per second: each moves with its parent's."""
        return np.cumsum([np.cos(angles) * speeds, np.sin(angles) * speeds], axis=1)

    def rhs(self, _, state):
        angle, speed = state.reshape(2, self.BONES, -1)
        # Complex numbers are vectors of the plane: an angle from straight down is the direction -i exp(i angle).
        down = -1j * np.exp(1j * np.concatenate([np.zeros((1, self.chains)), angle[:-1]]))
        turn = 1j * down * np.concatenate([np.zeros((1, self.chains)), speed[:-1]])  # how fast that changes
        stiff = self.STIFFNESS * self.LENGTH
        force = stiff * down - 1j * self.GRAVITY
        target, frequency2 = np.angle(1j * force), np.abs(force) / self.LENGTH
        target_speed = np.imag(np.conj(force) * stiff * turn) / np.abs(force) ** 2
        away = (angle - target) / 4
        tangent, slope = np.tan(away), 1 / np.cos(away) ** 2
        relative = speed - target_speed
        acceleration = -self.DAMPING * relative - 4 * frequency2 * tangent / slope - tangent * relative**2 / 2
        head = np.zeros(self.chains, complex)  # how fast a bone's head speeds up, in lengths: its tail is left behind
        for bone in range(self.BONES):
            along = np.exp(1j * angle[bone])
            acceleration[bone] -= np.real(np.conj(along) * head)
            head = head + along * (acceleration[bone] + 1j * speed[bone] ** 2)
        return np.concatenate([speed, acceleration]).ravel()

    def error(self, state, exact):
        angles = exact.reshape(2, self.BONES, -1)[0] if exact.size == 2 * state.size else exact
        return np.abs(state - angles).max()


KINDS = [Springs, Particles, Bodies, Chains]


def shortest(call, repetitions):
    times, result = [], None
    for _ in range(repetitions):
        begin = time.perf_counter()
        result = call()
        times.append(time.perf_counter() - begin)
    return min(times), result


def compared(kind):
    """(kind, Gyre's error, ms; error and ms of solve_ivp with 1e-6; ms of that with 1e-12)"""
    case = kind()
    exact_s, exact = shortest(lambda: solve(case.rhs, case.start, rtol=1e-12, atol=1e-12), 1)
    gyre_s, stepped = shortest(case.step, 20)
    scipy_s, solved = shortest(lambda: solve(case.rhs, case.start, rtol=1e-6, atol=1e-6), 3)
    angles = solved.reshape(2, case.BONES, -1)[0] if kind is Chains else solved.reshape(stepped.shape)
    return case, case.error(stepped, exact), gyre_s, case.error(angles, exact), scipy_s, exact_s


def main():
    print(f"| {COUNT:,} of each, {STEPS} steps | error of Gyre | ms | error of `rtol=1e-6` | ms | ms of `rtol=1e-12` |")
    print("|---|---|---|---|---|---|")
    for kind in KINDS:
        case, error, gyre_s, scipy_error, scipy_s, exact_s = compared(kind)
        print(f"| {case.name} | {error:.1g} {case.unit} | {1e3 * gyre_s:.2g} | {scipy_error:.1g} {case.unit} | "
              f"{1e3 * scipy_s:.3g} | {1e3 * exact_s:.3g} |")


if __name__ == "__main__":
    main()
