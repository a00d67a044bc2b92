"""Steps on threads: the bits of one, other threads run meanwhile, and child processes have threads of their own."""
import multiprocessing
import os
import threading
import time

import gyre
import hypothesis.strategies as st
import numpy as np
import pytest
from gyre._calls import slices
from hypothesis import given

FRAME = gyre.Spring(10, 0.5).matrix_at(1 / 60)


def state(count):
    return np.random.default_rng(1).normal(size=(2, count)).astype(np.float32)


@pytest.mark.parametrize("count", [1, 64, 1000, 100003])
def test_the_bits_of_one_thread(count):
    alone, shared = state(count), state(count)
    gyre.Springs(*alone).step(FRAME)
    gyre.Springs(*shared).step(FRAME, threads=5)
    np.testing.assert_array_equal(alone, shared)


@given(st.integers(0, 10**9), st.integers(0, 10**9), st.integers(1, 300))
def test_slices(start, length, threads):
    """One after the other, no more than threads, in multiples of 64 elements but for the last."""
    found = slices(start, start + length, threads)
    ends = [start, *(end for _, end in found)]
    assert [begin for begin, _ in found] == ends[:-1] and ends[-1] == start + length
    assert len(found) <= threads
    assert all((end - begin) % 64 == 0 for begin, end in found[:-1])


def test_reports_add_up():
    def reported(threads):
        q, momentum = np.zeros((4, 500), np.float32), np.ones((3, 500), np.float32)
        q[3] = 1
        momentum[0, 400] = np.nan
        report = gyre.BodyReport()
        bodies = gyre.Bodies(q, momentum, np.full((3, 500), [[1], [2], [3]], np.float32))
        assert bodies.step(0.1, report=report, threads=threads) is False
        return report
    assert reported(1) == reported(3) and reported(1).unconverged == 1 and reported(1).substeps == 499


def test_an_error_of_one_slice_is_raised():
    springs = gyre.Springs(*state(1000))
    bad = gyre.Spring(10, 0.5).matrix_at(1 / 60)
    bad.pos_pos = np.nan
    with pytest.raises(gyre.Error, match="value"):
        springs.step(bad, threads=4)


def test_other_threads_run_meanwhile():
    """Another thread of Python counts while C steps: the GIL is released."""
    bodies = gyre.Bodies(np.ones((4, 200000), np.float32) / 2, np.ones((3, 200000), np.float32),
                         np.full((3, 200000), [[1], [2], [3]], np.float32))
    ticks, running = [], True

    def tick():
        while running:
            ticks.append(time.perf_counter())
    other = threading.Thread(target=tick)
    other.start()
    try:
        begin = time.perf_counter()
        bodies.step(100)  # some tenths of a second in one call
        end = time.perf_counter()
    finally:
        running = False
        other.join()
    during = [each for each in ticks if begin + (end - begin) / 4 < each < end - (end - begin) / 4]
    assert len(during) > 10


def in_child(queue):
    springs = gyre.Springs(*state(1000))
    springs.step(FRAME, threads=2)
    queue.put(gyre.hash([springs.position]))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_child_process_has_its_own_threads():
    context = multiprocessing.get_context("fork")
    gyre.Springs(*state(1000)).step(FRAME, threads=2)  # starts those of this process
    queue = context.SimpleQueue()
    child = context.Process(target=in_child, args=(queue,))
    child.start()
    wanted = state(1000)
    gyre.Springs(*wanted).step(FRAME)
    assert queue.get() == gyre.hash(wanted[:1])
    child.join()
