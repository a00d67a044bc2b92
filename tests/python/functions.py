"""Every function of the headers, called by its name in Python: it does what the header says."""
import math
import pathlib
import re

import gyre
import numpy as np
import pytest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
DT = 1 / 60
called = set()


class Counted:
    """A function of C that notes that it was called and did not refuse."""

    def __init__(self, name):
        self.__name__, self.function = name, getattr(gyre.library, name)

    def __call__(self, *arguments):
        result = self.function(*arguments)
        if not isinstance(result, int) or result >= 0:
            called.add(self.__name__)
        return result


def declared():
    headers = "".join(path.read_text() for path in (SOURCE / "include/gyre").glob("*.h"))
    return set(re.findall(r"^GYRE_API [^;(#]*?\b(gyre_\w+)\(", headers, re.M))


for each in declared():
    setattr(gyre.library, each, Counted(each))


def floats(*values):
    return np.array(values, np.float32)


def random(*shape, seed=1):
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def unit_quaternions(count, seed=1):
    q = random(4, count, seed=seed)
    return (q / np.linalg.norm(q, axis=0)).astype(np.float32)


def matrix_of(q):
    """R(q), entry by entry, in double precision."""
    x, y, z, w = q.astype(float)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                     [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                     [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])


def close(got, wanted, tolerance=1e-6):
    np.testing.assert_allclose(np.asarray(got, float), np.asarray(wanted, float), rtol=tolerance, atol=tolerance)


# ---- Springs ----

def test_springs_from_parameters_and_back():
    spring = gyre.Spring.from_stiffness(2, 50, 6)
    close([spring.angular_frequency, spring.damping_ratio, spring.follow], [5, 0.3, 0])
    close(spring.to_stiffness(2), [50, 6])
    spring = gyre.Spring.from_response(0.5, 0.825)
    close([spring.angular_frequency, spring.damping_ratio], [4 * math.pi, 0.825])
    close(spring.to_response(), 0.5)
    spring = gyre.Spring.from_duration(0.5, 0.25)
    close([spring.angular_frequency, spring.damping_ratio], [4 * math.pi, 0.75])
    close(spring.to_duration(), [0.5, 0.25])


def test_half_life_and_settling():
    matrix = gyre.Spring.from_half_life(0.1, 0.7).matrix_at(0.1)
    close(matrix.pos_pos, 0.5)
    spring = gyre.Spring.from_settling(0.5, 1, 0.01)
    close(spring.settling_time(1, 0, 0.01), 0.5, 1e-3)


def test_peak():
    time_s, peak = gyre.Spring(2, 0).peak(1, 0)
    close([time_s, peak], [math.pi / 2, -1])


def test_matrices():
    w, z, t = 7, 0.3, 0.4
    a, decay = w * math.sqrt(1 - z * z), math.exp(-z * w * t)
    c, s = math.cos(a * t), math.sin(a * t) / a
    matrix = gyre.Spring(w, z).matrix_at(t)
    close([matrix.pos_pos, matrix.pos_vel, matrix.vel_pos, matrix.vel_vel],
          [decay * (c + z * w * s), decay * s, -decay * w * w * s, decay * (c - z * w * s)])
    assert (matrix.spring, matrix.dt_s) == (gyre.Spring(w, z), np.float32(t))
    smoothing = gyre.smoothing_matrix_at(0.1, 0.3)
    close([smoothing.pos_pos, smoothing.vel_vel], [0.125, 0])


def test_springs_step_in_all_ways():
    count = 100
    position, velocity, target = random(3, count)
    spring = gyre.Spring.from_response(0.5, 0.8)
    matrix = spring.matrix_at(DT)
    wanted = target + matrix.pos_pos * (position.astype(float) - target) + matrix.pos_vel * velocity.astype(float)
    states = [(position.copy(), velocity.copy()) for _ in range(4)]
    springs = [gyre.Springs(*state, target=target) for state in states]
    springs[0].step(matrix)
    close(states[0][0], wanted)
    assert springs[1].step_palette([gyre.Spring(1, 1).matrix_at(DT), matrix], np.ones(count, np.uint16)) is True
    springs[2].step_each(np.full(count, spring.angular_frequency, np.float32),
                         np.full(count, spring.damping_ratio, np.float32), DT)
    springs[3].at(spring, np.full(count, DT, np.float32), *states[3])
    for state in states[1:]:
        np.testing.assert_array_equal(state, states[0])


def test_an_index_outside_of_a_palette():
    springs = gyre.Springs(*random(2, 3))
    assert springs.step_palette([gyre.Spring(1, 1).matrix_at(DT)], np.array([0, 1, 0], np.uint16)) is False
    assert list(np.isnan(springs.position)) == [False, True, False]


def test_limit_targets():
    position, velocity = np.zeros((2, 2, 5), np.float32)
    target, now, before = np.full((2, 5), 100, np.float32), *np.zeros((2, 2, 5), np.float32)
    spring = gyre.Spring(10, 1)
    matrix = spring.matrix_at(DT)
    rows = [gyre.Springs(position[k], velocity[k], target=now[k], target_before=before[k]) for k in range(2)]
    for _ in range(60):
        gyre.limit_targets(position, velocity, target, target, spring, 3, DT, before, now)
        for row in rows:
            row.step(matrix)
    close(np.hypot(*velocity), np.full(5, 3), 1e-4)


def test_orientation_springs():
    target = unit_quaternions(20)
    orientation, velocity = unit_quaternions(20, seed=2), np.zeros((3, 20), np.float32)
    springs = gyre.OrientationSprings(orientation, velocity, target=target)
    matrix = gyre.Spring.from_response(0.5, 1).matrix_at(0.1)
    for _ in range(50):
        springs.step(matrix, 0.1)
    close(np.abs(np.sum(orientation * target, axis=0)), np.ones(20))


# ---- Particles ----

def test_particles():
    state = random(2, 50)
    each, start = state.copy(), state.astype(float)
    damping, a, t = 0.5, -9.81, 0.25
    gyre.Particles(*state, uniform_acceleration=a).step(gyre.particle_matrix_at(damping, t))
    fall = a / damping
    close(state[0], start[0] + fall * t + (start[1] - fall) * (1 - math.exp(-damping * t)) / damping)
    gyre.Particles(*each, uniform_acceleration=a).step_each(np.full(50, damping, np.float32), t)
    np.testing.assert_array_equal(each, state)


def test_dampings():
    close(gyre.damping_from_retention(0.998, 0.001), -math.log(np.float32(0.998)) / np.float32(0.001))
    k = gyre.damping_from_half_life(0.5)
    close(k, 2 * math.log(2))
    rest = gyre.damping_rest_position(1, 3, k)
    close(rest, 1 + 3 / k)
    close(gyre.damping_velocity_to_rest_at(1, rest, k), 3)
    close(gyre.damping_time_to_speed(8, k, 1), 1.5)
    close(gyre.damping_time_to_position(1, 3, k, (1 + rest) / 2), 0.5)


def test_decelerate():
    position, velocity = floats([0], [0]), floats([3], [4])
    gyre.decelerate(position, velocity, 2, 10)
    close([*position, *velocity], [[3 * 5 / 4], [4 * 5 / 4], [0], [0]])  # v^2 / (2 a) = 6.25 along (3, 4) / 5


def test_flings():
    position, velocity = floats(0, 90), floats(20, 400)
    flings = gyre.Flings(position, velocity, upper=floats(100, 100), damping=2, spring=gyre.Spring(15, 1),
                         rest_distance=0.5, rest_speed=1)
    for _ in range(600):
        flings.step(DT)
    close(position, [gyre.damping_rest_position(0, 20, 2), 100], 1e-1)
    assert not velocity.any()


def test_rubber_band():
    offset = gyre.rubber_band_offset(50, 400, 0)
    close(offset, (1 - 1 / (0.55 * 50 / 400 + 1)) * 400)
    close(gyre.rubber_band_distance(offset, 400, 0), 50)


# ---- Rotations ----

def test_rotation_vectors():
    v = random(3, 40)
    q, r, t, back = (np.empty((n, 40), np.float32) for n in (4, 9, 9, 3))
    gyre.rotation_quaternion(v, q)
    angle = np.linalg.norm(v.astype(float), axis=0)
    close(q, [*(v * np.sin(angle / 2) / angle), np.cos(angle / 2)])
    gyre.rotation_matrix(v, r)
    close(r.reshape(3, 3, 40), matrix_of(q))
    gyre.rotation_vector(q, back)
    short = angle < math.pi
    close(back[:, short], v[:, short])
    gyre.rotation_left_jacobian(v, t)
    close(np.einsum("ijn,jn->in", t.reshape(3, 3, 40), v), v)  # T(v) v = v
    gyre.rotation_left_jacobian(v * np.float32(1e-4), t)
    close(t.reshape(3, 3, 40), np.repeat(np.eye(3)[:, :, None], 40, axis=2), 1e-3)


def test_rotation_products():
    a, b = unit_quaternions(30), unit_quaternions(30, seed=2)
    v, turned = random(3, 30), np.empty((3, 30), np.float32)
    out = np.empty((4, 30), np.float32)
    gyre.rotation_product(a, b, out)
    close(matrix_of(out), np.einsum("ijn,jkn->ikn", matrix_of(a), matrix_of(b)), 2e-6)
    gyre.rotation_apply(a, v, turned)
    close(turned, np.einsum("ijn,jn->in", matrix_of(a), v), 2e-6)
    gyre.rotation_between(a, b, 1, out)
    close(np.abs(np.sum(out * b, axis=0)), np.ones(30))


# ---- Chains ----

def test_bones():
    bone = gyre.Bone.from_spring(gyre.Spring(10, 0.5, 0.25), gyre.Bone(tail=(0, -1, 0), radius=2))
    close([bone.stiffness, bone.damping, bone.drag, bone.load_damping], [100, 10, 7.5, 0])
    assert (tuple(bone.rest), tuple(bone.tail), bone.radius) == ((0, 0, 0, 1), (0, -1, 0), 2)
    assert gyre.Bone.from_vrm(1, 0.4, 0, 0.1, 60).stiffness > 0


def test_chains_hang():
    """Without gravity a chain ends as its rest pose, and with gravity alone straight down."""
    for stiffness, gravity, down in ((400, 0, floats(0, 0, -1)), (0, 1, floats(0, -1, 0))):
        bones = [gyre.Bone(tail=(0, 0, -0.5), stiffness=stiffness, damping=20, drag=20, gravity=gravity)] * 3
        orientation, velocity, tail = (np.zeros((n, 6), np.float32) for n in (4, 3, 3))
        position, parent = np.zeros((3, 2), np.float32), np.repeat(floats(0, 0, 0, 1)[:, None], 2, axis=1)
        chains = gyre.BoneChains(orientation, velocity, bones, position, parent, tail=tail,
                                 gravity=np.repeat(floats(0, -9.81, 0)[:, None], 2, axis=1))
        assert chains.reset(0) is True
        velocity[0] = 3
        for _ in range(600):
            assert chains.step(DT) is True
        close(tail[:, 4], 1.5 * down, 1e-3)


# ---- Bodies ----

def bodies_about_axes():
    """Three bodies that turn about one axis each."""
    orientation = np.repeat(floats(0, 0, 0, 1)[:, None], 3, axis=1)
    inertia = np.ascontiguousarray(np.repeat(floats(1, 2, 3)[:, None], 3, axis=1))
    return gyre.Bodies(orientation, np.zeros((3, 3), np.float32), inertia), np.diag(floats(0.5, 1, 1.5))


def test_bodies_turn():
    bodies, omega = bodies_about_axes()
    assert bodies.set_angular_velocity(omega) is True
    close(bodies.momentum, np.diag([0.5, 2, 4.5]))
    report = gyre.BodyReport()
    assert bodies.step(2, gyre.BodySolver(order=8), report) is True
    assert report.substeps >= 3 and report.unconverged == 0
    close(bodies.orientation[:3], np.diag(np.sin([0.5, 1, 1.5])), 2e-6)
    found, energy = np.empty((3, 3), np.float32), np.empty(3, np.float32)
    assert bodies.angular_velocity(found) is True and bodies.energy(energy) is True
    close(found, omega, 2e-6)
    close(energy, [0.125, 1, 3.375])


def test_kicks():
    bodies, torque = bodies_about_axes()
    bodies.torque = torque
    assert bodies.kick(0.5) is True
    close(bodies.momentum, 0.5 * torque)
    kicked = bodies.momentum.copy()
    assert bodies.drift(1) is True
    close(bodies.momentum, kicked)  # it leaves out the torque
    assert bodies.step(1) is True
    close(bodies.momentum, 1.5 * torque)


def test_transforms():
    q = unit_quaternions(10)
    bodies = gyre.Bodies(q, np.zeros((3, 10), np.float32), np.ones((3, 10), np.float32))
    buffer, position = np.full((10, 5, 4), 7, np.float32), random(3, 10)
    assert bodies.transforms(buffer[:, 1:4], position) is True
    close(buffer[:, 1:4, :3].transpose(1, 2, 0), matrix_of(q), 2e-6)
    np.testing.assert_array_equal(buffer[:, 1:4, 3].T, position)
    assert (buffer[:, 0] == 7).all() and (buffer[:, 4] == 7).all()
    rows = np.empty((10, 12), np.float32)
    bodies.transforms(rows)
    assert not rows[:, 3::4].any()


def test_inertia():
    moments, axes = gyre.inertia_principal([2, 2, 3, 1, 0, 0])
    close(np.sort(moments), [1, 3, 3])
    r = matrix_of(axes[:, None])[:, :, 0]
    close(r @ np.diag(moments) @ r.T, [[2, 1, 0], [1, 2, 0], [0, 0, 3]], 2e-6)
    assert gyre.inertia_check([1, 1, 1, 0, 0, 0]) is gyre.InertiaKind.FINE
    assert gyre.inertia_check([1, 1, 9, 0, 0, 0]) is gyre.InertiaKind.IMPOSSIBLE
    nearest, excess = gyre.inertia_nearest(floats(1, 1, 9, 0, 0, 0))
    close(excess, 7 / 9)
    assert gyre.inertia_check(nearest) is gyre.InertiaKind.FINE


# ---- Arrays ----

def test_gather_and_scatter():
    entities = np.zeros(8, [("id", "i4"), ("position", "f4", 3), ("mass", "f4")])
    entities["position"] = random(8, 3)
    to, mass = np.empty((3, 8), np.float32), np.empty((1, 8), np.float32)
    gyre.gather(entities["position"], to)
    np.testing.assert_array_equal(to, entities["position"].T)
    gyre.scatter(2 * to, entities["position"], 2, 5)
    np.testing.assert_array_equal(entities["position"][2:5], 2 * to.T[2:5])
    np.testing.assert_array_equal(entities["position"][5:], to.T[5:])
    gyre.scatter([np.arange(8, dtype=np.float32)], entities["mass"])
    gyre.gather(entities["mass"], mass)
    np.testing.assert_array_equal(mass[0], np.arange(8))
    assert not entities["id"].any()


def test_interpolate_and_limit():
    before, now, out = random(3, 9)
    gyre.interpolate(before, now, 0.25, out)
    close(out, before + 0.25 * (now - before))
    v = floats([30, 1], [40, 2])
    gyre.limit_length(v, 5)
    close(v, [[3, 1], [4, 2]])


def test_awake():
    awake = np.zeros(1000, bool)
    awake[[3, 700]] = True
    found = gyre.find_awake(awake, np.empty(1000, np.uint32))
    assert list(found) == [3, 700]
    assert list(gyre.find_awake(awake, np.empty(10, np.uint32), 695, 705)) == [700]


def test_turn_targets():
    target, position = floats(350, 10, -725), floats(-9.5, 10, 0)
    gyre.turn_targets(target, position, 360)
    assert list(target) == [-10, 10, -5]


def test_hashes_add_up():
    state, flags = random(3, 100), np.arange(100, dtype=np.uint8)
    assert (gyre.hash(state, 0, 30) + gyre.hash(state, 30)) % 2**64 == gyre.hash(list(state))
    assert (gyre.hash_bytes(flags, 0, 30) + gyre.hash_bytes(flags, 30)) % 2**64 == gyre.hash_bytes(flags)
    assert gyre.hash(state) != gyre.hash(state[:2])


@pytest.mark.parametrize("function", ["exp", "expm1", "log", "sin", "cos"])
def test_mathematics(function):
    x, y = np.linspace(0.1, 20, 1001, dtype=np.float32), np.empty(1001, np.float32)
    getattr(gyre, function)(x, y)
    exact = getattr(np, function)(x.astype(float))
    assert np.all(np.abs(y - exact) <= np.spacing(np.abs(exact).astype(np.float32)))


def test_sincos():
    x = np.linspace(-9, 9, 100, dtype=np.float32)
    sine, cosine, again = np.empty((3, 100), np.float32)
    gyre.sincos(x, sine, cosine)
    gyre.sin(x, again)
    np.testing.assert_array_equal(sine, again)
    gyre.cos(x, again)
    np.testing.assert_array_equal(cosine, again)


# ---- Everything else ----

def test_tables():
    has = gyre.available()
    assert gyre.Kernels("scalar", "portable") in has or gyre.Kernels("sse2", "portable") in has
    try:
        for each in has:
            assert gyre.use(each.isa, rounding=each.rounding) == gyre.in_use() == each
        with pytest.raises(ValueError, match="there is no table neon9 portable here; gyre.available\\(\\) has "):
            gyre.use("neon9")
        with pytest.raises(ValueError, match="there is no table best exact here"):
            gyre.use(rounding="exact")
    finally:
        best = gyre.use()
    assert best.rounding == "portable" and best == gyre.in_use()


def test_version_and_errors():
    assert gyre.version() == gyre.__version__
    with pytest.raises(gyre.Error, match="^gyre_spring_from_response: value: a parameter is NaN") as caught:
        gyre.Spring.from_response(-1, 1)
    assert (caught.value.status, caught.value.name) == (gyre.Status.ERROR_VALUE, "value")
    with pytest.raises(gyre.Error, match="^gyre_springs_step: range: begin > end") as caught:
        gyre.Springs(*random(2, 3)).step(gyre.Spring(1, 1).matrix_at(1), 0, 4)
    assert caught.value.status is gyre.Status.ERROR_RANGE


def test_documentation_comes_from_the_headers():
    assert gyre.Springs.step.__doc__.startswith("Advances springs by one time step, all with the same matrix.")
    assert gyre.Springs.rest_speed.__doc__.startswith("u/s: a spring within both")
    assert "angular_frequency" in gyre.Spring.__doc__


def test_the_page_of_functions_names_what_exists():
    page = (SOURCE / "tools/docs/functions.md").read_text()
    rows = re.findall(r"^\| `(gyre_\w+)` \|.*\| `([\w.]+)` \|$", page, re.M)
    assert {c for c, _ in rows} == declared()
    for _, path in rows:
        found = gyre
        for part in path.split("."):
            found = getattr(found, part)
        assert found.__doc__ and not re.search(r"GYRE_|gyre_|NULL|begin\.\.end", found.__doc__), path


def test_no_function_is_left_out():
    assert declared() - called == set()
