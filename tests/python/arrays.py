"""Arrays are used in place, as views and slices, and what cannot be used is refused with words that say what to do."""
import gyre
import hypothesis.extra.numpy as hnp
import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

FRAME = gyre.Spring(10, 0.5).matrix_at(1 / 60)


def zeros(*shape):
    return np.zeros(shape, np.float32)


def read_only(array):
    array = array.copy()
    array.flags.writeable = False
    return array


class Foreign:
    """An array of another library."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **more):
        return self.array.__dlpack__(**more)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class OnGpu(Foreign):
    def __dlpack__(self, **more):
        raise RuntimeError("Unsupported device in DLTensor")


# ---- In place ----

def test_arrays_are_the_callers():
    position, velocity, target = zeros(3, 5)
    springs = gyre.Springs(position, velocity, target=target)
    assert springs.position is position and springs.target is target and springs.upper is None
    target[:] = 1
    springs.step(FRAME)
    assert (position > 0).all()
    other = np.full(5, -1, np.float32)
    springs.target = other
    position[:] = 0
    velocity[:] = 0
    springs.step(FRAME)
    assert (position < 0).all()
    springs.target = None
    springs.step(FRAME)
    assert springs.target is None


def test_views_and_slices():
    memory = zeros(2, 100)
    springs = gyre.Springs(memory[0, 10:20], memory[1, 50:60], target=np.ones(10, np.float32))
    springs.step(FRAME, 2, 7)
    moved = np.flatnonzero(memory[0])
    assert list(moved) == list(range(12, 17)) and list(np.flatnonzero(memory[1])) == list(range(52, 57))
    tall = zeros(8, 10)
    gyre.rotation_quaternion(np.ones((3, 4), np.float32), tall[1::2, 3:7])
    assert tall[1::2, 3:7].all() and np.count_nonzero(tall) == 16


def test_components_in_any_form():
    q = zeros(4, 3)
    for form in (q, list(q), tuple(q[k] for k in range(4))):
        q[:] = 0
        gyre.rotation_quaternion([np.ones(3, np.float32)] * 3, form)
        assert q.all()


def test_read_only_inputs_and_other_libraries():
    for target in (read_only(np.ones(4, np.float32)), Foreign(np.ones(4, np.float32))):
        position, velocity = zeros(2, 4)
        gyre.Springs(position, velocity, target=target).step(FRAME)
        assert position.all()
    x, y = np.ones(4, np.float32), zeros(4)
    gyre.exp(Foreign(x), y)
    assert y.all()


def test_inputs_stay_as_they_are():
    a, b = (read_only(np.ones((4, 5), np.float32)) for _ in range(2))
    gyre.rotation_product(a, b, zeros(4, 5))
    gyre.hash(a)
    gyre.scatter(a, zeros(5, 4))


def test_what_is_shown():
    position, velocity = np.array([[1, 2.5, 3, 4], [0, -1, 0, 0]], np.float32)
    springs = gyre.Springs(position, velocity, awake=np.ones(4, np.uint8))
    assert repr(springs) == "<gyre.Springs of 4: position [1 2.5 3 ...], velocity [0 -1 0 ...]>" and len(springs) == 4
    bodies = gyre.Bodies(zeros(4, 1), list(zeros(3, 1)), zeros(3, 1))
    assert repr(bodies) == "<gyre.Bodies of 1: orientation [0] [0] [0] [0], momentum [0] [0] [0]>"
    assert repr(gyre.Springs(zeros(0), zeros(0))) == "<gyre.Springs of 0>"
    assert repr(gyre.Spring(2, 0.5)) == "Spring(angular_frequency=2.0, damping_ratio=0.5, follow=0.0)"
    assert repr(gyre.BodySolver(gyre.BodyMethod.MIDPOINT)).startswith("BodySolver(method=<BodyMethod.MIDPOINT: 1>, order=0")
    assert gyre.Spring(2, 0.5) == gyre.Spring(2, 0.5) != gyre.Spring(2, 0.25)


# ---- Refused ----

@pytest.mark.parametrize("wrong, error, message", [
    (np.zeros(4), TypeError, r"position has the dtype float64 and must have float32: pass position.astype\(numpy.float32\)"),
    (np.zeros(4, np.int32), TypeError, "position has the dtype int32"),
    (np.zeros(4, ">f4"), TypeError, "position has the dtype >f4"),
    ([0.0] * 4, TypeError, r"position is a list: pass numpy.array\(position, dtype\)"),
    (None, TypeError, "position is a NoneType"),
    (zeros(8)[::2], ValueError, r"a stride of 8 bytes .*numpy.ascontiguousarray\(position\), and copy the results back"),
    (zeros(4)[::-1], ValueError, "a stride of -4 bytes"),
    (zeros(2, 2), ValueError, r"the shape \(2, 2\) and must have 1 dimension: pass position.reshape\(-1\)"),
    (np.zeros((), np.float32), ValueError, r"the shape \(\)"),
    (read_only(zeros(4)), TypeError, r"position is read-only, and Gyre writes into it: pass position.copy\(\)"),
    (np.broadcast_to(np.float32(1), 4), ValueError, "a stride of 0 bytes"),
    (Foreign(zeros(4)), TypeError, r"position is a Foreign, and Gyre writes into it: .*position.numpy\(\)"),
    (np.frombuffer(bytearray(17), np.uint8)[1:].view(np.float32), ValueError, "position is not aligned"),
])
def test_states(wrong, error, message):
    with pytest.raises(error, match=message):
        gyre.Springs(wrong, zeros(4))
    springs = gyre.Springs(zeros(4), zeros(4))
    kept = springs.position
    with pytest.raises(error, match=message if wrong is not None else "position is None: Springs needs it"):
        springs.position = wrong
    assert springs.position is kept
    springs.step(FRAME)


@pytest.mark.parametrize("wrong, error, message", [
    (zeros(3), ValueError, "target has 3 elements and must have 4"),
    (zeros(5), ValueError, "target has 5 elements and must have 4"),
    (1.0, TypeError, "target is a float"),
    (OnGpu(zeros(4)), TypeError, "target: Unsupported device in DLTensor: pass an array in the memory of the CPU"),
    (Foreign(zeros(3)), ValueError, "target has 3 elements"),
    (Foreign(np.zeros(4)), TypeError, "target has the dtype float64"),
])
def test_inputs(wrong, error, message):
    with pytest.raises(error, match=message):
        gyre.Springs(zeros(4), zeros(4), target=wrong)


def test_shared_memory():
    memory = zeros(10)
    for more in ({}, {"target": memory[:4]}):
        with pytest.raises(ValueError, match="share memory, and Gyre writes to it: pass arrays apart"):
            gyre.Springs(memory[:4], zeros(4) if more else memory[3:7], **more)
    with pytest.raises(ValueError, match="orientation and orientation share memory"):
        gyre.Bodies([memory[:4]] * 4, zeros(3, 4), np.ones((3, 4), np.float32))
    same = zeros(4)
    gyre.Springs(zeros(4), zeros(4), lower=same, upper=same).step(FRAME)  # only read


def test_groups():
    with pytest.raises(ValueError, match=r"\(100, 4\) and must have \(4, n\), a row for each component: pass "
                                         r"numpy.ascontiguousarray\(orientation.T\)"):
        gyre.Bodies(zeros(100, 4), zeros(3, 100), zeros(3, 100))
    with pytest.raises(TypeError, match="momentum must be 3 arrays, one for each component"):
        gyre.Bodies(zeros(4, 9), [zeros(9)] * 2, zeros(3, 9))
    with pytest.raises(TypeError, match=r"momentum\[1\] has the dtype float64"):
        gyre.Bodies(zeros(4, 9), [zeros(9), np.zeros(9), zeros(9)], zeros(3, 9))
    with pytest.raises(ValueError, match=r"must be contiguous"):
        gyre.Bodies(np.asfortranarray(zeros(4, 9)), zeros(3, 9), zeros(3, 9))


def test_lengths_of_one_call():
    with pytest.raises(ValueError, match=r"y has 3 elements and must have 4, as x has"):
        gyre.exp(zeros(4), zeros(3))
    with pytest.raises(ValueError, match=r"out has 5 elements and must have 4, as a has"):
        gyre.rotation_product(zeros(4, 4), zeros(4, 4), zeros(4, 5))
    with pytest.raises(ValueError, match="damping_ratio has 1 elements and must have 4, as the batch has"):
        gyre.Springs(zeros(4), zeros(4)).step_each(zeros(4), zeros(1), 1)
    with pytest.raises(ValueError, match="indices has 3 elements and must have room for 4"):
        gyre.find_awake(np.ones(4, np.uint8), np.empty(3, np.uint32))


@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.uint32, np.int64])
def test_indices(dtype):
    with pytest.raises(TypeError, match=r"index has the dtype .*: pass index.astype\(numpy.uint16\)"):
        gyre.Springs(zeros(4), zeros(4)).step_palette([FRAME], np.zeros(4, dtype))


def test_structures():
    with pytest.raises(ValueError, match=r"rows3x4 has the shape \(4, 11\) and must have \(4, 12\) or \(4, 3, 4\)"):
        gyre.Bodies(zeros(4, 4), zeros(3, 4), zeros(3, 4)).transforms(zeros(4, 11))
    with pytest.raises(ValueError, match="structures has a stride of -12 bytes"):
        gyre.gather(zeros(4, 3)[::-1], zeros(3, 4))
    with pytest.raises(ValueError, match="whose components stand together|must be contiguous"):
        gyre.gather(zeros(4, 6)[:, ::2], zeros(3, 4))
    with pytest.raises(TypeError, match="structures is read-only"):
        gyre.scatter(zeros(3, 4), read_only(zeros(4, 3)))
    with pytest.raises(TypeError, match="to must be 3 arrays|to has the shape"):
        gyre.gather(zeros(4, 3), [zeros(4)] * 2)


def test_chains():
    root, parent = zeros(3, 2), zeros(4, 2)
    bones = [gyre.Bone()] * 3
    with pytest.raises(ValueError, match="orientation has 5 elements and must have 6"):
        gyre.BoneChains(zeros(4, 5), zeros(3, 6), bones, root, parent)
    with pytest.raises(ValueError, match="level_begin must begin with 0"):
        gyre.BoneChains(zeros(4, 6), zeros(3, 6), bones, root, parent, level_begin=np.array([0, 2, 5], np.uintp))
    with pytest.raises(ValueError, match="chains must be sorted, those with most bones first"):
        gyre.level_begin([1, 2])
    with pytest.raises(ValueError, match="colliders: their arrays must have 2 elements each"):
        gyre.BoneChains(zeros(4, 6), zeros(3, 6), bones, root, parent, colliders=[gyre.ChainCollider(zeros(3, 3))])
    chains = gyre.BoneChains(zeros(4, 6), zeros(3, 6), bones, root, parent)
    with pytest.raises(ValueError, match="make another BoneChains"):
        chains.level_begin = gyre.level_begin([2, 2])
    with pytest.raises(TypeError, match="expected objects of Bone, got one of Spring"):
        chains.bones = [gyre.Spring()]


def test_values():
    springs = gyre.Springs(zeros(4), zeros(4))
    with pytest.raises(AttributeError, match="rest_sped"):
        springs.rest_sped = 1
    with pytest.raises(TypeError):
        springs.rest_speed = "fast"
    with pytest.raises(TypeError, match="gyre_springs_step: .*SpringMatrix"):
        springs.step(gyre.particle_matrix_at(1, 1))
    with pytest.raises(TypeError, match="gyre_spring_matrix_at"):
        gyre.Spring(1, 1).matrix_at("soon")
    with pytest.raises(TypeError, match="dampng"):
        gyre.Spring(1, dampng=1)
    with pytest.raises(AttributeError):
        gyre.Spring(1, 1).dampng = 1
    with pytest.raises(ValueError, match="tensor has 3 numbers and must have 6"):
        gyre.inertia_check([1, 1, 1])
    for start, stop in ((3, 2), (-1, 2), (0, 5), (5, 5)):
        with pytest.raises(gyre.Error, match="range"):
            springs.step(FRAME, start, stop)
    with pytest.raises(TypeError):
        springs.step(FRAME, 0.5)
    with pytest.raises(ValueError, match="threads is 0 and must be at least 1"):
        springs.step(FRAME, threads=0)


# ---- Anything ----

layouts = st.tuples(hnp.array_shapes(min_dims=1, max_dims=2, min_side=0, max_side=6),
                    st.sampled_from(["f4", "f8", "u1", "i4", ">f4", "?"]), st.integers(1, 3), st.booleans(), st.booleans())


@given(layouts, layouts)
def test_any_two_arrays_are_stepped_or_refused(first, second):
    """Nothing but the arrays changes, and those only if they are of the same length, float32, contiguous and writable."""
    def made(shape, dtype, step, backwards, writable):
        whole = np.ones((*shape[:-1], shape[-1] * step), dtype)
        view = whole[..., ::-step if backwards else step]
        whole.flags.writeable = writable
        view.flags.writeable = writable
        return view

    def usable(array):
        contiguous = array.shape[-1] <= 1 or array.strides[-1] == 4
        return array.ndim == 1 and array.dtype == np.float32 and contiguous and array.flags.writeable

    arrays = made(*first), made(*second)
    before = [array.copy() for array in arrays]
    fits = all(map(usable, arrays)) and len(arrays[0]) == len(arrays[1])
    try:
        gyre.Springs(*arrays).step(FRAME)
        assert fits
        assert all((array != old).all() for array, old in zip(arrays, before))
    except (TypeError, ValueError) as error:
        assert not fits, error
        assert not isinstance(error, gyre.Error)
        assert all((array == old).all() for array, old in zip(arrays, before))


@given(st.integers(0, 300), st.integers(-5, 310), st.integers(-5, 310), st.integers(1, 9))
def test_any_range_on_any_number_of_threads(count, start, stop, threads):
    position, velocity = np.ones((2, count), np.float32)
    try:
        gyre.Springs(position, velocity).step(FRAME, start, stop, threads)
        assert 0 <= start <= stop <= count
        assert list(np.flatnonzero(position != 1)) == list(range(start, stop))
    except gyre.Error as error:
        assert not 0 <= start <= stop <= count and error.status is gyre.Status.ERROR_RANGE
        assert (position == 1).all()
