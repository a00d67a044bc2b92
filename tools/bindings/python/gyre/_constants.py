"""The version, and the enumerations of C. Made by tools/interface/generate.py."""
import enum

VERSION = "0.1.0"


class ColliderKind(enum.IntEnum):
    """Constants of ColliderKind."""

    SPHERE = 0
    CAPSULE = 1
    PLANE = 2
    INSIDE_SPHERE = 3
    INSIDE_CAPSULE = 4


class BodyMethod(enum.IntEnum):
    """Constants of BodyMethod."""

    MOSER_VESELOV = 0
    """keeps momentum and energy, order 6 or 8, closed form: the one to use"""
    MIDPOINT = 1
    """implicit midpoint, order 2: energy bounded"""
    OBJECT_TRAPEZOID = 2
    """trapezoidal rule in the body's frame, order 2: keeps energy"""
    TRAPEZOID = 3
    """trapezoidal rule in the world's frame, order 2: energy bounded"""
    EXPLICIT_EULER = 4
    """constant omega, order 1: what simple engines do, for comparison"""


class InertiaKind(enum.IntEnum):
    """What is wrong with an inertia tensor; tolerances are in bodies.md."""

    FINE = 0
    """0: nothing"""
    NOT_FINITE = 1
    """an entry is NaN or infinite, or a moment is too large for a float"""
    NEGATIVE = 2
    """a moment or an entry of the diagonal is negative"""
    THIN = 3
    """a moment is 0 to the precision of float, as of an ideal rod"""
    IMPOSSIBLE = 4
    """the largest moment exceeds the sum of the others, as of no mass"""


class Isa(enum.IntEnum):
    """Later versions add members before GYRE_ISA_COUNT; use knows which is better."""

    SCALAR = 0
    """plain C, on every CPU"""
    SSE2 = 1
    """4 lanes"""
    SSE41 = 2
    """4 lanes"""
    AVX2 = 3
    """8 lanes; FUSED needs FMA as well"""
    AVX512 = 4
    """16 lanes; F, DQ, BW and VL; FUSED needs FMA as well"""
    NEON = 5
    """4 lanes, AArch64"""
    WASM128 = 6
    """4 lanes, WebAssembly without relaxed operations; PORTABLE alone"""


class Rounding(enum.IntEnum):
    """Constants of Rounding."""

    PORTABLE = 0
    """no fused operation: the same bits on every instruction set and architecture"""
    FUSED = 1
    """fused multiply-add: faster; the same bits on every instruction set that has it"""


class Status(enum.IntEnum):
    """The result of a call. Errors are negative, so `status < 0` is an error. Arguments are checked before anything is
    written: a call that returns an error has written nothing.

    An invalid element becomes NaN, and the call still returns Status.OK, unless the description of the function says that
    it returns False.
    """

    OK = 0
    INCOMPLETE = 1
    """everything possible was done, but not for every element"""
    ERROR_NULL = -1
    """a pointer that the call needs is None"""
    ERROR_RANGE = -2
    """begin > end, end > count, or a result too large for a float"""
    ERROR_VALUE = -3
    """a parameter is NaN, infinite or outside its range"""


MEANINGS = {
    Status.INCOMPLETE: "everything possible was done, but not for every element",
    Status.ERROR_NULL: "a pointer that the call needs is NULL",
    Status.ERROR_RANGE: "begin > end, end > count, or a result too large for a float",
    Status.ERROR_VALUE: "a parameter is NaN, infinite or outside its range",
}
