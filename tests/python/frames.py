"""The frames of tests/guarantees/frames.c with the package: the states have the same hashes as in C, with every portable
table, on one thread and on several."""
import pathlib
import re

import gyre
import numpy as np
import pytest

DATA = pathlib.Path(__file__).resolve().parents[1] / "data"
WANTED = {name: int(value, 16) for name, value in re.findall(
    r"^FRAMES_HASH\((\w+), (0x[0-9a-f]{16})\)$", (DATA / "frame_hashes.inc").read_text(), re.M)}
COUNT, FRAMES, DT = 100, 120, np.float32(1 / 60)
INDEX = np.arange(COUNT)


def column(at):
    return (((INDEX * 7919 + at * 104729) % 2001) / 8 - 125).astype(np.float32)


def columns(*ats, scale=1):
    return np.array([column(at) for at in ats]) * np.float32(scale)


def by_index(value):
    return np.asarray(value, np.float32)


def matrix(response_s, damping_ratio):
    return gyre.Spring.from_response(response_s, damping_ratio).matrix_at(DT)


def oriented(vectors):
    quaternions = np.empty((4, COUNT), np.float32)
    gyre.rotation_quaternion(vectors / np.float32(64), quaternions)
    return quaternions


def springs_of(**more):
    return gyre.Springs(column(0), column(1), target=column(2), **more)


def springs(threads):
    batch = springs_of(rest_distance=0.5, rest_speed=0.5, awake=np.ones(COUNT, np.uint8), skip_asleep=True, upper=column(3),
                       bounce=0.5)
    for _ in range(FRAMES):
        batch.step(matrix(0.5, 0.8), threads=threads)
    return batch.position, batch.velocity


def springs_palette(threads):
    batch, palette = springs_of(period=360), [matrix(0.5, 0.2), matrix(1, 1), matrix(2, 3)]
    for _ in range(FRAMES):
        assert batch.step_palette(palette, (INDEX % 3).astype(np.uint16), threads=threads)
    return batch.position, batch.velocity


def springs_each(threads):
    batch = springs_of(target_before=column(3))
    for _ in range(FRAMES):
        batch.step_each(by_index(1 + INDEX % 20), by_index(INDEX % 9 / 4), DT, follow=by_index(INDEX % 2),
                        time_scale=by_index((1 + INDEX % 3) / 2), threads=threads)
    return batch.position, batch.velocity


def springs_at(threads):
    batch = springs_of()
    batch.at(gyre.Spring.from_response(0.75, 0.5), by_index(INDEX / 32), batch.position, batch.velocity, threads=threads)
    return batch.position, batch.velocity


def springs_low_parts(threads):
    low = np.zeros((2, COUNT), np.float32)
    batch = springs_of(position_low=low[0], velocity_low=low[1])
    for _ in range(FRAMES):
        batch.step(matrix(0.5, 0.8), threads=threads)
    return batch.position, batch.velocity, batch.target, *low


def particles(threads):
    batch = gyre.Particles(column(0), column(1), acceleration=column(2), lower=column(3), bounce=0.75)
    for _ in range(FRAMES):
        batch.step(gyre.particle_matrix_at(0.5, DT), threads=threads)
        batch.step_each(by_index(INDEX % 8 / 4), DT, threads=threads)
    return batch.position, batch.velocity


def flings(threads):
    batch = gyre.Flings(column(0), column(1), lower=column(2), upper=column(3), damping=2,
                        spring=gyre.Spring.from_response(0.5, 0.75), rest_distance=0.5, rest_speed=1,
                        awake=np.ones(COUNT, bool))
    for _ in range(FRAMES):
        batch.step(DT, threads=threads)
    return batch.position, batch.velocity


def orientation_springs(threads):
    batch = gyre.OrientationSprings(oriented(columns(11, 12, 13)), columns(4, 5, 6), target=oriented(columns(14, 15, 16)),
                                    rest_angle=0.01, rest_speed=0.01)
    for _ in range(FRAMES):
        batch.step(matrix(0.5, 0.8), DT, threads=threads)
    return *batch.orientation, *batch.angular_velocity


def bone_chains(threads):
    bones = [gyre.Bone.from_vrm(k / 2, k / 4, 0.5, 0.125, 60, gyre.Bone(tail=(0, -0.125, 0), radius=1 / 64))
             for k in (1, 2, 3)]
    bones[1].limit, bones[2].hinge = 0.75, (1, 0, 0)
    begins = gyre.level_begin([3] * 25 + [2] * 10 + [1] * 5)
    chains = begins[1]
    roots = [columns(21, 22, 23, scale=1 / 64)]
    roots.append(roots[0] + columns(24, 25, 26, scale=1 / 1024))
    centre = (roots[0] + columns(33, 34, 35, scale=1 / 512))[:, :chains]
    turned = [columns(15, 16, 17), columns(15, 16, 17) + columns(18, 19, 20, scale=1 / 16)]
    parents = [oriented(each)[:, :chains].copy() for each in turned]
    roots = [each[:, :chains].copy() for each in roots]
    radius = [by_index(((INDEX + k) % 4 - 1) / 16)[:chains] for k in (0, 1)]
    state = columns(0, 1, 2, 3, 4, 5, 6)
    batch = gyre.BoneChains(
        state[:4], state[4:], bones, roots[0], parents[0], level_begin=begins, position_before=roots[0],
        parent_before=parents[0], gravity=columns(27, 28, 29, scale=1 / 16)[:, :chains],
        wind=columns(30, 31, 32, scale=1 / 64)[:, :chains], colliders=[
            gyre.ChainCollider(centre, radius=radius[0]),
            gyre.ChainCollider(centre, kind=gyre.ColliderKind.CAPSULE, end=roots[1], radius=radius[1])],
        rest_angle=0.01, rest_speed=0.01, awake=np.ones(chains, np.uint8), skip_asleep=True)
    for frame in range(FRAMES + 1):
        now = frame % 2 if frame < FRAMES / 2 else 0
        before = 1 - frame % 2 if 0 < frame <= FRAMES / 2 else 0
        batch.position, batch.parent = roots[now], parents[now]
        batch.position_before, batch.parent_before = roots[before].copy(), parents[before].copy()
        assert batch.step(DT, threads=threads) if frame else batch.reset(0, threads=threads)
    return state


def bodies_by(method):
    def bodies(threads):
        batch = gyre.Bodies(oriented(columns(13, 14, 15)), columns(4, 5, 6, scale=1 / 8),
                            by_index([4 + (INDEX + k) % 3 for k in range(3)]), torque=columns(10, 11, 12, scale=1 / 64),
                            angular_damping=0.25)
        for _ in range(FRAMES):
            assert batch.step(DT, gyre.BodySolver(method), threads=threads)
        return *batch.orientation, *batch.momentum
    return bodies


KINDS = {each.__name__: each for each in (springs, springs_palette, springs_each, springs_at, springs_low_parts, particles,
                                          flings, orientation_springs, bone_chains)}
for each in gyre.BodyMethod:
    KINDS["bodies" if each == 0 else f"bodies_{each.name.lower()}"] = bodies_by(each)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("threads", [1, 2])
def test_the_hash_of_c(kind, threads):
    try:
        for isa, rounding in gyre.available():
            if rounding == "portable":
                gyre.use(isa)
                states = KINDS[kind](threads)
                assert np.isfinite(states).all()
                assert gyre.hash(states if isinstance(states, np.ndarray) else list(states)) == WANTED[kind], isa
    finally:
        gyre.use()


def test_no_kind_is_left_out():
    assert set(KINDS) == set(WANTED)
