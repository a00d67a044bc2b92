"""Prints what a call from Python costs, next to the same calls in C, interleaved, on the same arrays. One thread.

    PYTHONPATH=tools/bindings/python LD_LIBRARY_PATH=build/kernels python3 bench/python/cost.py
"""
import ctypes
import pathlib
import subprocess
import tempfile
import time

import gyre
import numpy as np

LOOP = """
#include <gyre/gyre.h>
void repeat(gyre_status (*step)(const gyre_springs *, size_t, size_t, const gyre_spring_matrix *),
            const gyre_springs *springs, size_t end, const gyre_spring_matrix *matrix, size_t times)
{
    for (size_t i = 0; i < times; i++) {
        step(springs, 0, end, matrix);
    }
}
"""
SIZES = [1, 100, 1000, 10_000, 100_000, 1_000_000]
INCLUDE = pathlib.Path(__file__).resolve().parents[2] / "include"


def loop_in_c(folder):
    path = pathlib.Path(folder) / "loop.so"
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", f"-I{INCLUDE}", "-xc", "-", "-o", path], input=LOOP, text=True,
                   check=True)
    loop = ctypes.CDLL(str(path)).repeat
    loop.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_size_t]
    return loop


def seconds(call):
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin


def compared(loop, count):
    """The shortest times of a step, by Python and by C."""
    springs = gyre.Springs(*np.ones((2, count), np.float32), target=np.zeros(count, np.float32))
    matrix, times = gyre.Spring(10, 0).matrix_at(1 / 60), max(1, min(200, 2_000_000 // count))
    function = ctypes.cast(gyre.library.gyre_springs_step, ctypes.c_void_p)

    def by_python():
        for _ in range(times):
            springs.step(matrix)

    def by_c():
        loop(function, ctypes.addressof(springs._struct), count, ctypes.addressof(matrix), times)
    rounds = [(seconds(by_python), seconds(by_c)) for _ in range(300)]  # short, so that some are not interrupted
    return [min(each) / times for each in zip(*rounds)]


def main():
    with tempfile.TemporaryDirectory() as folder:
        loop = loop_in_c(folder)
        print("| springs | a step from Python, us | from C, us | more |")
        print("|---|---|---|---|")
        for count in SIZES:
            by_python, by_c = compared(loop, count)
            print(f"| {count:,} | {1e6 * by_python:.3g} | {1e6 * by_c:.3g} | {100 * (by_python / by_c - 1):.1f} % |")
    x, y = np.ones((2, 1), np.float32)
    v, q = np.ones((3, 1), np.float32), np.ones((4, 1), np.float32)
    for name, call in (("gyre.exp(x, y)", lambda: gyre.exp(x, y)),
                       ("gyre.rotation_quaternion(v, q)", lambda: gyre.rotation_quaternion(v, q)),
                       ("gyre.Spring.from_response(0.5, 1)", lambda: gyre.Spring.from_response(0.5, 1))):
        best = min(seconds(lambda: [call() for _ in range(50)]) for _ in range(1000)) / 50
        print(f"{name}: {1e6 * best:.2g} us")


if __name__ == "__main__":
    main()
