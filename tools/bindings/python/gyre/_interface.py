"""The structs and functions of C. Made by tools/interface/generate.py."""
from __future__ import annotations

from ctypes import POINTER, Structure, byref, c_bool, c_char_p, c_float, c_int, c_size_t, c_uint64, c_void_p
from typing import Optional, Sequence

from ._arrays import (FLOAT, UINT8, UINT16, UINTP, Arrays, Bytes, BytesIn, Floats, FloatsIn, IndicesIn,
                      OffsetsIn, Table, TableIn, floats, numbers)
from ._batches import Array, Batch, Records, Value
from ._calls import Record, call, copied, records, run
from ._constants import BodyMethod, ColliderKind, InertiaKind
from ._library import library, prototype

__all__ = [
    "Spring", "SpringMatrix", "Springs", "OrientationSprings", "ParticleMatrix", "Particles", "Flings", "Bone",
    "ChainCollider", "BodySolver", "BodyReport", "smoothing_matrix_at", "limit_targets", "damping_from_retention",
    "damping_from_half_life", "particle_matrix_at", "decelerate", "damping_rest_position",
    "damping_velocity_to_rest_at", "damping_time_to_speed", "damping_time_to_position", "rubber_band_offset",
    "rubber_band_distance", "rotation_matrix", "rotation_left_jacobian", "rotation_quaternion", "rotation_vector",
    "rotation_product", "rotation_between", "rotation_apply", "inertia_principal", "inertia_check", "inertia_nearest",
    "interpolate", "limit_length", "turn_targets", "hash", "hash_bytes", "exp", "expm1", "log", "sin", "cos", "sincos"
]


class Spring(Record):
    """What gyre_spring is in spring.h.

    angular_frequency  rad/s, of the undamped spring, >= 0; 0 is free motion
    damping_ratio      >= 0; below 1 underdamped, 1 critical, above 1 overdamped
    follow             in [0, 1], for moving targets: 0 lags by 2 z / w times their velocity, 1 keeps up
    """

    __slots__ = ()
    _fields_ = [
        ("angular_frequency", c_float),
        ("damping_ratio", c_float),
        ("follow", c_float),
    ]
    angular_frequency: float
    damping_ratio: float
    follow: float

    def __init__(self, angular_frequency: float = 0, damping_ratio: float = 0, follow: float = 0) -> None:
        super().__init__(angular_frequency, damping_ratio, follow)

    @classmethod
    def from_stiffness(cls, mass: float, stiffness: float, damping: float) -> Spring:
        """Makes a spring from a mass, a stiffness and a damping: w = sqrt(k/m), z = c / (2 sqrt(k m)).

        stiffness  at least 0
        damping    at least 0; only 0 where stiffness is 0
        """
        out = cls()
        call(library.gyre_spring_from_stiffness, mass, stiffness, damping, out)
        return out

    @classmethod
    def from_response(cls, response_s: float, damping_ratio: float) -> Spring:
        """Makes a spring from its undamped period and its damping ratio, as in UIKit and SwiftUI: w = 2 pi / response_s.
        """
        out = cls()
        call(library.gyre_spring_from_response, response_s, damping_ratio, out)
        return out

    @classmethod
    def from_duration(cls, duration_s: float, bounce: float) -> Spring:
        """Makes a spring from a duration and a bounce, as in SwiftUI and Flutter: w = 2 pi / duration_s, z = 1 - bounce, or
        z = 1 / (1 + bounce) for a negative bounce.

        bounce  in (-1, 1]; 1 is undamped, 0 critical, negative overdamped
        """
        out = cls()
        call(library.gyre_spring_from_duration, duration_s, bounce, out)
        return out

    @classmethod
    def from_half_life(cls, half_life_s: float, damping_ratio: float) -> Spring:
        """Makes a spring from its half-life and its damping ratio.
        Released at rest, the spring is half-way to its target for the first time after half_life_s.
        """
        out = cls()
        call(library.gyre_spring_from_half_life, half_life_s, damping_ratio, out)
        return out

    @classmethod
    def from_settling(cls, settling_s: float, damping_ratio: float, fraction: float) -> Spring:
        """Makes a spring from its settling time and its damping ratio.
        Released at rest, the spring stays within `fraction` of its initial displacement from settling_s on, and not before.

        damping_ratio  above 0
        fraction       in (0, 1)
        """
        out = cls()
        call(library.gyre_spring_from_settling, settling_s, damping_ratio, fraction, out)
        return out

    def to_stiffness(self, mass: float) -> tuple[float, float]:
        """Computes the stiffness and the damping of a spring on a given mass: k = m w^2, c = 2 z m w."""
        stiffness_out = c_float()
        damping_out = c_float()
        call(library.gyre_spring_to_stiffness, self, mass, byref(stiffness_out), byref(damping_out))
        return stiffness_out.value, damping_out.value

    def to_response(self) -> float:
        """Computes the undamped period of a spring: 2 pi / w.
        Raises Status.ERROR_VALUE for an angular frequency of 0.
        """
        response_s_out = c_float()
        call(library.gyre_spring_to_response, self, byref(response_s_out))
        return response_s_out.value

    def to_duration(self) -> tuple[float, float]:
        """Computes the duration and the bounce of a spring: 2 pi / w, and 1 - z, or 1 / z - 1 for z > 1.
        A bounce below -1 + 2^-24 is written as that. Raises Status.ERROR_VALUE for an angular frequency of 0.
        """
        duration_s_out = c_float()
        bounce_out = c_float()
        call(library.gyre_spring_to_duration, self, byref(duration_s_out), byref(bounce_out))
        return duration_s_out.value, bounce_out.value

    def settling_time(self, displacement: float, velocity: float, tolerance: float) -> float:
        """Finds the time from which a spring stays within a tolerance of its target.

        tolerance  u, above 0
        out_s      out: s; 0 if the spring is never further away

        Raises  Status.ERROR_VALUE also if the spring never settles
        Error    never early; late by at most 1e-3 of itself plus 2^-149
        Cost     some microseconds
        """
        out = c_float()
        call(library.gyre_spring_settling_time, self, displacement, velocity, tolerance, byref(out))
        return out.value

    def peak(self, displacement: float, velocity: float) -> tuple[float, float]:
        """Finds when and where a spring turns for the first time, that is, where its velocity is 0 next.

        time_s  out: s, after the start
        peak    out: u, the displacement at that time, signed

        Raises  Status.ERROR_VALUE also if the spring does not turn
        Error    1 ulp + 2^-50 n of each result; n is 1 for z < 1, and unbounded for z >= 1 (springs-reference.md)
        Cost     about 100 ns
        """
        time_s_out = c_float()
        peak_out = c_float()
        call(library.gyre_spring_peak, self, displacement, velocity, byref(time_s_out), byref(peak_out))
        return time_s_out.value, peak_out.value

    def matrix_at(self, dt_s: float) -> SpringMatrix:
        """Computes the matrix that advances a spring by a time step.

        dt_s  s, any finite time; 0 gives the identity, a negative time runs backwards

        Raises  Status.ERROR_RANGE also where exp(-z w dt) is too large for a float, as far backwards
        Error    4 eps (1 + |w t|) times a coefficient's scale + 2^-149 for z, |w t| <= 1e4; ramps: springs-reference.md
        Cost     150 to 250 ns
        """
        out = SpringMatrix()
        call(library.gyre_spring_matrix_at, self, dt_s, out)
        return out


class SpringMatrix(Record):
    """What a time step does to displacement and velocity, while the target moves evenly by `move` (u, 0 if it is still):
        displacement <- pos_pos * displacement + pos_vel * velocity + pos_ramp * move        pos_vel in s
        velocity     <- vel_pos * displacement + vel_vel * velocity + vel_ramp * move        vel_pos and vel_ramp in 1/s
    Displacements are from where the target is at that moment.

    pos_pos
    pos_vel
    vel_pos
    vel_vel
    pos_ramp
    vel_ramp
    low       exact coefficients minus the floats above, in that order: read by steps with low parts
    spring    that the matrix is of, and s, its time: read only at bounds; 0: unknown, as with smoothing or made by hand
    dt_s      s, its time: read only at bounds; 0: unknown, as with smoothing or made by hand
    """

    __slots__ = ()
    _fields_ = [
        ("pos_pos", c_float),
        ("pos_vel", c_float),
        ("vel_pos", c_float),
        ("vel_vel", c_float),
        ("pos_ramp", c_float),
        ("vel_ramp", c_float),
        ("low", c_float * 6),
        ("spring", Spring),
        ("dt_s", c_float),
    ]
    pos_pos: float
    pos_vel: float
    vel_pos: float
    vel_vel: float
    pos_ramp: float
    vel_ramp: float
    low: Sequence[float]
    spring: Spring
    dt_s: float

    def __init__(
        self, pos_pos: float = 0, pos_vel: float = 0, vel_pos: float = 0, vel_vel: float = 0,
        pos_ramp: float = 0, vel_ramp: float = 0, low: Sequence[float] = (0, 0, 0, 0, 0, 0),
        spring: Spring | None = None, dt_s: float = 0) -> None:
        super().__init__(pos_pos, pos_vel, vel_pos, vel_vel, pos_ramp, vel_ramp, tuple(low), spring or Spring(), dt_s)


class SpringsStruct(Structure):
    __slots__ = ()
    _fields_ = [
        ("count", c_size_t),
        ("position", c_void_p),
        ("velocity", c_void_p),
        ("target", c_void_p),
        ("period", c_float),
        ("rest_distance", c_float),
        ("rest_speed", c_float),
        ("awake", c_void_p),
        ("position_low", c_void_p),
        ("velocity_low", c_void_p),
        ("target_before", c_void_p),
        ("lower", c_void_p),
        ("upper", c_void_p),
        ("bounce", c_float),
        ("stop_at_target", c_bool),
        ("rest_scale", c_void_p),
        ("skip_asleep", c_bool),
    ]


class Springs(Batch):
    """A point in three dimensions is three springs, or three batches."""

    __slots__ = ()
    _Struct = SpringsStruct
    _counted = "position"
    position = Array[Floats](FLOAT, 0, True, False, "u, count of them, in and out")
    velocity = Array[Floats](FLOAT, 0, True, False, "u/s, count of them, in and out")
    target = Array[Optional[FloatsIn]](FLOAT, 0, False, True, "u, count of them; None: every target is 0")
    period = Value(float, "u; 0: none. > 0: displacement is taken the short way round (2 pi for angles)")
    rest_distance = Value(float, "u, and u/s: a spring within both after a step stops on its target; either 0: never")
    rest_speed = Value(float, "u/s: a spring within both after a step stops on its target; either 0: never")
    awake = Array[Optional[Bytes]](UINT8, 0, True, True,
        "None, or count bytes out (with skip_asleep in and out): 1 where changed, else 0")
    position_low = Array[Optional[Floats]](FLOAT, 0, True, True,
        "u, and u/s: None, or count of each, in and out: low parts; position_low decides")
    velocity_low = Array[Optional[Floats]](FLOAT, 0, True, True,
        "u/s: None, or count of each, in and out: low parts; position_low decides")
    target_before = Array[Optional[FloatsIn]](FLOAT, 0, False, True,
        "None, or u, count of them: from where each target moves evenly during the step")
    lower = Array[Optional[FloatsIn]](FLOAT, 0, False, True,
        "u, and u: each None, or count bounds of positions; NaN: none. Not with a period")
    upper = Array[Optional[FloatsIn]](FLOAT, 0, False, True,
        "u: each None, or count bounds of positions; NaN: none. Not with a period")
    bounce = Value(float, "0 to 1: part of its speed that a bounce leaves")
    stop_at_target = Value(bool, "a spring that reaches its target stops")
    rest_scale = Array[Optional[FloatsIn]](FLOAT, 0, False, True, "None, or count factors of both rest limits")
    skip_asleep = Value(bool, "springs whose awake is 0 keep every bit")

    def __init__(
        self, position: Floats, velocity: Floats, *, target: FloatsIn | None = None, period: float = 0,
        rest_distance: float = 0, rest_speed: float = 0, awake: Bytes | None = None,
        position_low: Floats | None = None, velocity_low: Floats | None = None,
        target_before: FloatsIn | None = None, lower: FloatsIn | None = None, upper: FloatsIn | None = None,
        bounce: float = 0, stop_at_target: bool = False, rest_scale: FloatsIn | None = None,
        skip_asleep: bool = False) -> None:
        super().__init__(
            position=position, velocity=velocity, target=target, period=period, rest_distance=rest_distance,
            rest_speed=rest_speed, awake=awake, position_low=position_low, velocity_low=velocity_low,
            target_before=target_before, lower=lower, upper=upper, bounce=bounce, stop_at_target=stop_at_target,
            rest_scale=rest_scale, skip_asleep=skip_asleep)

    def step(self, matrix: SpringMatrix, start: int = 0, stop: int | None = None, threads: int = 1) -> None:
        """Advances springs by one time step, all with the same matrix.

        matrix  finite coefficients; ramps are read only with target_before, low parts only with position_low

        Error  3 eps (|pos_pos x| + |pos_vel v|) + eps |target| + 2^-95 for positions; the rest in springs-reference.md
        Cost   that of memory beyond the second-level cache; with low parts 6 to 7 times as long in the caches
        """
        run(library.gyre_springs_step, (self._struct,), start, stop, (matrix,), self._count, threads)

    def step_palette(
        self, palette: Sequence[SpringMatrix], index: IndicesIn, start: int = 0, stop: int | None = None,
        threads: int = 1) -> bool:
        """Advances springs by one time step, each with one matrix of a palette.
        It gives the same bits as Springs.step with each spring's own matrix.

        palette  palette_count matrices, None only if that is 0; one that is not finite makes its springs invalid
        index    count of them, one per spring

        Returns  False: an index was outside the palette; that spring is NaN, unless skipped
        Error    as for Springs.step
        Cost     indices in runs of 64 or more are 1.7 to 2.8 times as fast in the caches as in no order
        """
        checked = Arrays(self._count)
        return run(
            library.gyre_springs_step_palette, (self._struct,), start, stop,
            (*records(SpringMatrix, palette), checked.read("index", index, UINT16)), self._count, threads)

    def step_each(
        self, angular_frequency: FloatsIn, damping_ratio: FloatsIn, dt_s: float, start: int = 0,
        stop: int | None = None, threads: int = 1, *, follow: FloatsIn | None = None,
        time_scale: FloatsIn | None = None) -> None:
        """Advances springs by one time step, each with parameters of its own.
        It gives the same bits as Spring.matrix_at and Springs.step, table by table. A spring whose parameters
        Spring.matrix_at refuses becomes NaN, or for Status.ERROR_RANGE perhaps infinite.

        angular_frequency  rad/s, count of them
        damping_ratio      count of them
        follow             None (0), or count of them
        time_scale         None (1), or count of them: a spring's time, its velocity's too, is the float time_scale * dt_s
        dt_s               s, any finite time; 0 is the identity for all

        Error  those of Spring.matrix_at and Springs.step together (springs-reference.md)
        Cost   that of arithmetic; with low parts that of Spring.matrix_at for each spring. At most 16 KiB of stack
        """
        checked = Arrays(self._count)
        run(
            library.gyre_springs_step_each, (self._struct,), start, stop,
            (checked.read("angular_frequency", angular_frequency), checked.read("damping_ratio", damping_ratio), checked.optional("follow", follow), checked.optional("time_scale", time_scale), dt_s),
            self._count, threads)

    def at(
        self, spring: Spring, elapsed_s: FloatsIn, position_out: Floats, velocity_out: Floats, start: int = 0,
        stop: int | None = None, threads: int = 1) -> None:
        """Evaluates springs at any time after a given start, for animations that are functions of time.

        self                        position, velocity, target and period; nothing else is used, and none is written
        elapsed_s                   s, count of them: 0 gives the start bit for bit, a negative time the state before it,
                                    +infinity the target at rest (springs-reference.md)
        position_out, velocity_out  u and u/s, count of each; they may be start's own arrays

        Error  as for Springs.step_each
        Cost   as for Springs.step_each. At most 14 KiB of stack
        """
        checked = Arrays(self._count)
        run(
            library.gyre_springs_at, (self._struct,), start, stop,
            (spring, checked.read("elapsed_s", elapsed_s), checked.write("position_out", position_out), checked.write("velocity_out", velocity_out)),
            self._count, threads)


class OrientationSpringsStruct(Structure):
    __slots__ = ()
    _fields_ = [
        ("count", c_size_t),
        ("orientation", c_void_p * 4),
        ("angular_velocity", c_void_p * 3),
        ("target", c_void_p * 4),
        ("target_before", c_void_p * 4),
        ("rest_angle", c_float),
        ("rest_speed", c_float),
        ("awake", c_void_p),
        ("skip_asleep", c_bool),
    ]


class OrientationSprings(Batch):
    """For cameras, look-at, bones and hands: an orientation follows a target and keeps its angular velocity when the target
    jumps. Below half a turn, ten steps of a tenth equal one step. Quaternions are x y z w; q and -q are the same.
    """

    __slots__ = ()
    _Struct = OrientationSpringsStruct
    _counted = "orientation"
    orientation = Array[Table](FLOAT, 4, True, False, "count of each, in and out")
    angular_velocity = Array[Table](FLOAT, 3, True, False, "rad/s in the world, x y z; count of each, in and out")
    target = Array[Optional[TableIn]](FLOAT, 4, False, True, "count of each; None: every target is the identity")
    target_before = Array[Optional[TableIn]](FLOAT, 4, False, True,
        "from where each target turns evenly during the step; None: it stands still")
    rest_angle = Value(float,
        "rad, to the target, and rad/s: within both after a step, a spring stops on its target; either 0: never")
    rest_speed = Value(float, "rad/s: within both after a step, a spring stops on its target; either 0: never")
    awake = Array[Optional[Bytes]](UINT8, 0, True, True,
        "None, or count bytes out (with skip_asleep in and out): 1 where changed, else 0")
    skip_asleep = Value(bool, "springs whose awake is 0 keep every bit: write awake = 1 when a target changes")

    def __init__(
        self, orientation: Table, angular_velocity: Table, *, target: TableIn | None = None,
        target_before: TableIn | None = None, rest_angle: float = 0, rest_speed: float = 0,
        awake: Bytes | None = None, skip_asleep: bool = False) -> None:
        super().__init__(
            orientation=orientation, angular_velocity=angular_velocity, target=target, target_before=target_before,
            rest_angle=rest_angle, rest_speed=rest_speed, awake=awake, skip_asleep=skip_asleep)

    def step(
        self, matrix: SpringMatrix, dt_s: float, start: int = 0, stop: int | None = None, threads: int = 1) -> None:
        """Advances springs on rotations by one time step, all with the same matrix.
        Springs take the short way, whatever the signs of the quaternions. Results have the length of the target, within
        8 eps, and its sign. An identity matrix keeps every bit of all states (springs-reference.md).

        self     arrays must not overlap; the first pointer of a group decides for it. A quaternion whose length is not
                 between 2^-30 and 2^30 makes that spring NaN, as may a turn of more than 2^40 rad.
        matrix   of Spring.matrix_at or smoothing_matrix_at for dt_s; ramps are used only where targets move
        dt_s     s, any finite time; used only where targets move

        Error    6 eps (1 + s) rad and 8 eps (1 + s) r rad/s, with s and r as in springs-reference.md
        Cost     that of arithmetic; fastest in ranges of 128 springs and more. At most 13 KiB of stack
        """
        run(library.gyre_orientation_springs_step, (self._struct,), start, stop, (matrix, dt_s), self._count, threads)


class ParticleMatrix(Record):
    """What a time step does to a particle:
        position <- position + pos_vel * velocity + pos_acc * acceleration       pos_vel in s, pos_acc in s^2
        velocity <-            vel_vel * velocity + vel_acc * acceleration       vel_acc in s

    pos_vel
    vel_vel
    pos_acc
    vel_acc
    low      exact coefficient minus float, for each of these in order; read by steps with low parts
    damping  1/s, that the matrix is of, and s, its time: read only at bounds; 0: unknown, as if made by hand
    dt_s     s, its time: read only at bounds; 0: unknown, as if made by hand
    """

    __slots__ = ()
    _fields_ = [
        ("pos_vel", c_float),
        ("vel_vel", c_float),
        ("pos_acc", c_float),
        ("vel_acc", c_float),
        ("low", c_float * 4),
        ("damping", c_float),
        ("dt_s", c_float),
    ]
    pos_vel: float
    vel_vel: float
    pos_acc: float
    vel_acc: float
    low: Sequence[float]
    damping: float
    dt_s: float

    def __init__(
        self, pos_vel: float = 0, vel_vel: float = 0, pos_acc: float = 0, vel_acc: float = 0,
        low: Sequence[float] = (0, 0, 0, 0), damping: float = 0, dt_s: float = 0) -> None:
        super().__init__(pos_vel, vel_vel, pos_acc, vel_acc, tuple(low), damping, dt_s)


class ParticlesStruct(Structure):
    __slots__ = ()
    _fields_ = [
        ("count", c_size_t),
        ("position", c_void_p),
        ("velocity", c_void_p),
        ("acceleration", c_void_p),
        ("uniform_acceleration", c_float),
        ("position_low", c_void_p),
        ("velocity_low", c_void_p),
        ("lower", c_void_p),
        ("upper", c_void_p),
        ("bounce", c_float),
    ]


class Particles(Batch):
    """A point in three dimensions is three particles, or three batches."""

    __slots__ = ()
    _Struct = ParticlesStruct
    _counted = "position"
    position = Array[Floats](FLOAT, 0, True, False, "u, count of them, in and out")
    velocity = Array[Floats](FLOAT, 0, True, False, "u/s, count of them, in and out")
    acceleration = Array[Optional[FloatsIn]](FLOAT, 0, False, True,
        "u/s^2, count of them; None: uniform_acceleration for all")
    uniform_acceleration = Value(float, "u/s^2, finite; read only without that array")
    position_low = Array[Optional[Floats]](FLOAT, 0, True, True,
        "u, and u/s: None, or count of each, in and out: low parts")
    velocity_low = Array[Optional[Floats]](FLOAT, 0, True, True, "u/s: None, or count of each, in and out: low parts")
    lower = Array[Optional[FloatsIn]](FLOAT, 0, False, True,
        "u, lower bounds of positions, count of them; None, or NaN for one: none")
    upper = Array[Optional[FloatsIn]](FLOAT, 0, False, True, "u, upper bounds likewise")
    bounce = Value(float, "in [0, 1], always checked: part of its speed that a bounce leaves")

    def __init__(
        self, position: Floats, velocity: Floats, *, acceleration: FloatsIn | None = None,
        uniform_acceleration: float = 0, position_low: Floats | None = None,
        velocity_low: Floats | None = None, lower: FloatsIn | None = None, upper: FloatsIn | None = None,
        bounce: float = 0) -> None:
        super().__init__(
            position=position, velocity=velocity, acceleration=acceleration, uniform_acceleration=uniform_acceleration,
            position_low=position_low, velocity_low=velocity_low, lower=lower, upper=upper, bounce=bounce)

    def step(self, matrix: ParticleMatrix, start: int = 0, stop: int | None = None, threads: int = 1) -> None:
        """Advances particles start..stop-1 by one time step, all with the same matrix.

        matrix  finite coefficients; with low parts of states, finite low[] too

        Error  4 eps of the sum of the |terms|, plus 2^-95; low parts and bounces: particles-reference.md
        Cost   memory-bound beyond the second-level cache; low parts take 6 to 8 times as long in the caches
        """
        run(library.gyre_particles_step, (self._struct,), start, stop, (matrix,), self._count, threads)

    def step_each(
        self, damping: FloatsIn, dt_s: float, start: int = 0, stop: int | None = None, threads: int = 1, *,
        time_scale: FloatsIn | None = None) -> None:
        """Advances particles start..stop-1 by one time step of dt_s seconds, each with its own damping.
        It gives the same bits as particle_matrix_at and Particles.step, table by table.

        damping     1/s, count of them; one that is negative, NaN or infinite makes that particle NaN
        time_scale  None (1), or count of them: a particle's time, its velocity's too, is the float time_scale * dt_s
        dt_s        s, any finite time; 0 keeps all states. Where particle_matrix_at returns Status.ERROR_RANGE, that
                    particle may become NaN or infinite

        Error  the errors of particle_matrix_at and Particles.step together
        Cost   4 to 8 times Particles.step; low parts cost more (particles-reference.md). At most 6 KiB of stack.
        """
        checked = Arrays(self._count)
        run(
            library.gyre_particles_step_each, (self._struct,), start, stop,
            (checked.read("damping", damping), checked.optional("time_scale", time_scale), dt_s), self._count, threads)


class FlingsStruct(Structure):
    __slots__ = ()
    _fields_ = [
        ("count", c_size_t),
        ("position", c_void_p),
        ("velocity", c_void_p),
        ("lower", c_void_p),
        ("upper", c_void_p),
        ("damping", c_float),
        ("spring", Spring),
        ("rest_distance", c_float),
        ("rest_speed", c_float),
        ("awake", c_void_p),
        ("skip_asleep", c_bool),
        ("position_low", c_void_p),
        ("velocity_low", c_void_p),
        ("rest_at", c_void_p),
    ]


class Flings(Batch):
    """Content that a finger or a wheel sets moving, as in scroll views: damped between two edges, and pulled back by a
    spring outside. Each hands over to the other at the exact moment, with the velocity at the edge. With both rest
    limits no rounding keeps a fling awake. To fling again, write velocity, and 1 to awake.
    """

    __slots__ = ()
    _Struct = FlingsStruct
    _counted = "position"
    position = Array[Floats](FLOAT, 0, True, False, "u, count of them, in and out")
    velocity = Array[Floats](FLOAT, 0, True, False, "u/s, count of them, in and out")
    lower = Array[Optional[FloatsIn]](FLOAT, 0, False, True,
        "u, lower edges, count of them; None, or NaN for one: none")
    upper = Array[Optional[FloatsIn]](FLOAT, 0, False, True, "u, upper edges likewise")
    damping = Value(float, "1/s, inside the edges")
    spring = Value(Spring, "outside; its target is the edge")
    rest_distance = Value(float, "u, to an edge or rest_at, within which a fling may stop on it; 0: none does")
    rest_speed = Value(float, "u/s: after a step, a fling of at most this speed stops; 0: none does")
    awake = Array[Optional[Bytes]](UINT8, 0, True, True,
        "None, or count bytes out (with skip_asleep in and out): 1 where changed, else 0")
    skip_asleep = Value(bool, "flings whose awake is 0 keep every bit")
    position_low = Array[Optional[Floats]](FLOAT, 0, True, True,
        "u, and u/s: None, or count of each, in and out: low parts, as of particles")
    velocity_low = Array[Optional[Floats]](FLOAT, 0, True, True,
        "u/s: None, or count of each, in and out: low parts, as of particles")
    rest_at = Array[Optional[FloatsIn]](FLOAT, 0, False, True,
        "u, count of them: where flings stop, exactly, if damping leads there; None, or NaN: none")

    def __init__(
        self, position: Floats, velocity: Floats, *, lower: FloatsIn | None = None,
        upper: FloatsIn | None = None, damping: float = 0, spring: Spring | None = None,
        rest_distance: float = 0, rest_speed: float = 0, awake: Bytes | None = None,
        skip_asleep: bool = False, position_low: Floats | None = None, velocity_low: Floats | None = None,
        rest_at: FloatsIn | None = None) -> None:
        super().__init__(
            position=position, velocity=velocity, lower=lower, upper=upper, damping=damping, spring=spring or Spring(),
            rest_distance=rest_distance, rest_speed=rest_speed, awake=awake, skip_asleep=skip_asleep,
            position_low=position_low, velocity_low=velocity_low, rest_at=rest_at)

    def step(self, dt_s: float, start: int = 0, stop: int | None = None, threads: int = 1) -> None:
        """Advances flings start..stop-1 by dt_s seconds.

        self    position, velocity, low parts and awake must overlap no other array
        dt_s    s, at least 0

        Error  that of a particle or spring step; at edges eps plus 2^-40 of the largest value (particles-reference.md)
        Cost   in the caches 7 times Springs.step; about 250 ns per fling at an edge (particles-reference.md)
        """
        run(library.gyre_flings_step, (self._struct,), start, stop, (dt_s,), self._count, threads)


class Bone(Record):
    """One bone of a model. A value outside its range makes the bone NaN, and those below it.

    rest          in the parent's frame, when nothing pulls; u, in the bone's own, 0: it is rigid
    tail          in the parent's frame, when nothing pulls; u, in the bone's own, 0: it is rigid
    radius        u, of the tail, for colliders; >= 0
    stiffness     1/s^2 and 1/s: w^2 and 2 z w of a spring, without load; >= 0
    damping       1/s^2 and 1/s: w^2 and 2 z w of a spring, without load; >= 0
    drag          1/s, 0 to damping: the part of it that is against the air and not the parent
    load_damping  s, further damping for each 1/s^2 that gravity, wind and speed add to stiffness; >= 0
    gravity       factor of the chain's gravity
    limit         rad, from the rest direction; in the bone's frame, across the tail; 0: none
    hinge         rad, from the rest direction; in the bone's frame, across the tail; 0: none
    """

    __slots__ = ()
    _fields_ = [
        ("rest", c_float * 4),
        ("tail", c_float * 3),
        ("radius", c_float),
        ("stiffness", c_float),
        ("damping", c_float),
        ("drag", c_float),
        ("load_damping", c_float),
        ("gravity", c_float),
        ("limit", c_float),
        ("hinge", c_float * 3),
        ("unused", c_float * 3),
    ]
    rest: Sequence[float]
    tail: Sequence[float]
    radius: float
    stiffness: float
    damping: float
    drag: float
    load_damping: float
    gravity: float
    limit: float
    hinge: Sequence[float]

    def __init__(
        self, rest: Sequence[float] = (0, 0, 0, 1), tail: Sequence[float] = (0, 0, 0), radius: float = 0,
        stiffness: float = 0, damping: float = 0, drag: float = 0, load_damping: float = 0,
        gravity: float = 0, limit: float = 0, hinge: Sequence[float] = (0, 0, 0)) -> None:
        super().__init__(
            tuple(rest), tuple(tail), radius, stiffness, damping, drag, load_damping, gravity, limit, tuple(hinge))

    @classmethod
    def from_spring(cls, spring: Spring, bone: Bone | None = None) -> Bone:
        """Makes a bone follow a spring. Writes stiffness w^2, damping 2 z w, drag (1 - follow) 2 z w and load_damping 0.

        Error  1 ulp of each member
        Cost   some nanoseconds
        """
        out = copied(bone or Bone())
        call(library.gyre_bone_from_spring, spring, out)
        return out

    @classmethod
    def from_vrm(
        cls, stiffness: float, drag_force: float, gravity_power: float, length: float, rate: float,
        bone: Bone | None = None) -> Bone:
        """Makes a bone move like one of VRM (VRMC_springBone 1.0) that is stepped `rate` times a second, in VRM 60.
        Writes stiffness to gravity; the chain's gravity is then VRM's gravityDir. `length` is the bone's, u.

        Error  2 ulp of each member
        Cost   some hundred nanoseconds
        """
        out = copied(bone or Bone())
        call(library.gyre_bone_from_vrm, stiffness, drag_force, gravity_power, length, rate, out)
        return out


class ChainColliderStruct(Structure):
    __slots__ = ()
    _fields_ = [
        ("kind", c_int),
        ("position", c_void_p * 3),
        ("end", c_void_p * 3),
        ("radius", c_void_p),
    ]


class ChainCollider(Batch):
    """Colliders of one kind, one for each chain, in u, which tails stay outside or inside of."""

    __slots__ = ()
    _Struct = ChainColliderStruct
    _counted = "position"
    kind = Value(ColliderKind, "")
    position = Array[TableIn](FLOAT, 3, False, False, "the centre, the first end, or a point of the plane")
    end = Array[Optional[TableIn]](FLOAT, 3, False, True,
        "the second end of a capsule; the plane's unit normal, to the free side")
    radius = Array[Optional[FloatsIn]](FLOAT, 0, False, True,
        "not of planes; negative, NaN or infinite: this chain has none")

    def __init__(
        self, position: TableIn, *, kind: ColliderKind = ColliderKind.SPHERE, end: TableIn | None = None,
        radius: FloatsIn | None = None) -> None:
        super().__init__(kind=kind, position=position, end=end, radius=radius)


class BoneChainsStruct(Structure):
    __slots__ = ()
    _fields_ = [
        ("count", c_size_t),
        ("levels", c_size_t),
        ("level_begin", c_void_p),
        ("orientation", c_void_p * 4),
        ("velocity", c_void_p * 3),
        ("tail", c_void_p * 3),
        ("local", c_void_p * 4),
        ("bones", c_void_p),
        ("bone_count", c_size_t),
        ("bone", c_void_p),
        ("rest", c_void_p * 4),
        ("scale", c_void_p),
        ("position", c_void_p * 3),
        ("parent", c_void_p * 4),
        ("position_before", c_void_p * 3),
        ("parent_before", c_void_p * 4),
        ("gravity", c_void_p * 3),
        ("wind", c_void_p * 3),
        ("colliders", c_void_p),
        ("collider_count", c_size_t),
        ("rest_angle", c_float),
        ("rest_speed", c_float),
        ("awake", c_void_p),
        ("skip_asleep", c_bool),
    ]


class BoneChains(Batch):
    """Chains of bones. Arrays have an element for each bone, from `scale` on for each chain. The first pointer of a group
    decides for it; those that may be None say so. Arrays must not overlap.
    """

    __slots__ = ()
    _Struct = BoneChainsStruct
    _counted = "position"
    level_begin = Array[OffsetsIn](UINTP, 0, False, False,
        "levels + 1: chain c's bone of level l, if it has one, is level_begin[l] + c")
    orientation = Array[Table](FLOAT, 4, True, False, "in and out; u/s, of tails, in the world")
    velocity = Array[Table](FLOAT, 3, True, False, "in and out; u/s, of tails, in the world")
    tail = Array[Optional[Table]](FLOAT, 3, True, True,
        "None, or out: u, where tails are; rotations in parents' frames, for skeletons")
    local = Array[Optional[Table]](FLOAT, 4, True, True,
        "None, or out: u, where tails are; rotations in parents' frames, for skeletons")
    bones = Records[Bone](Bone, "")
    bone = Array[Optional[IndicesIn]](UINT16, 0, False, True, "the entry in `bones`; None: level l has entry l")
    rest = Array[Optional[TableIn]](FLOAT, 4, False, True, "None, or in place of the entry's, for animated poses")
    scale = Array[Optional[FloatsIn]](FLOAT, 0, False, True, "None (1), or of tails and of bones' radii; >= 0")
    position = Array[TableIn](FLOAT, 3, False, False, "u, the first head, and the orientation that it hangs on")
    parent = Array[TableIn](FLOAT, 4, False, False, "u, the first head, and the orientation that it hangs on")
    position_before = Array[Optional[TableIn]](FLOAT, 3, False, True, "when the step began; None: the same")
    parent_before = Array[Optional[TableIn]](FLOAT, 4, False, True, "when the step began; None: the same")
    gravity = Array[Optional[TableIn]](FLOAT, 3, False, True,
        "None (0), or u/s^2, and u/s, which pulls as far as drag goes")
    wind = Array[Optional[TableIn]](FLOAT, 3, False, True,
        "None (0), or u/s^2, and u/s, which pulls as far as drag goes")
    colliders = Records[ChainCollider](ChainColliderStruct, "")
    rest_angle = Value(float, "rad and u/s: a chain within both falls asleep (chains-reference.md); 0: never")
    rest_speed = Value(float, "rad and u/s: a chain within both falls asleep (chains-reference.md); 0: never")
    awake = Array[Optional[Bytes]](UINT8, 0, True, True,
        "None, or out: 0 where a chain sleeps and kept every bit, else 1; in with skip_asleep")
    skip_asleep = Value(bool,
        "chains with awake 0 are left out: write 1 where roots, colliders, bones or forces change")

    def __init__(
        self, orientation: Table, velocity: Table, bones: Sequence[Bone], position: TableIn, parent: TableIn,
        *, level_begin: OffsetsIn | None = None, tail: Table | None = None, local: Table | None = None,
        bone: IndicesIn | None = None, rest: TableIn | None = None, scale: FloatsIn | None = None,
        position_before: TableIn | None = None, parent_before: TableIn | None = None,
        gravity: TableIn | None = None, wind: TableIn | None = None,
        colliders: Sequence[ChainCollider] | None = None, rest_angle: float = 0, rest_speed: float = 0,
        awake: Bytes | None = None, skip_asleep: bool = False) -> None:
        super().__init__(
            level_begin=level_begin, orientation=orientation, velocity=velocity, tail=tail, local=local, bones=bones,
            bone=bone, rest=rest, scale=scale, position=position, parent=parent, position_before=position_before,
            parent_before=parent_before, gravity=gravity, wind=wind, colliders=colliders, rest_angle=rest_angle,
            rest_speed=rest_speed, awake=awake, skip_asleep=skip_asleep)

    def step(self, dt_s: float, start: int = 0, stop: int | None = None, threads: int = 1) -> bool:
        """Advances chains of bones by one time step of dt_s seconds, at least 0 and never too long.
        No tail ends within a collider or beyond a limit. A dt_s of 0 writes `tail` and `local`, and nothing else. Returns
        False if an entry is outside the palette.

        Error  4e-6 rad of an orientation, where no limit or collider acts
        Cost   17 ns per bone with 8 lanes, and 1.5 ns per collider. At most 14 KiB of stack
        """
        return run(library.gyre_bone_chains_step, (self._struct,), start, stop, (dt_s,), self._count, threads)

    def reset(self, dt_s: float, start: int = 0, stop: int | None = None, threads: int = 1) -> bool:
        """Puts each bone where it rests, for first frames and jumps of the root.
        Roots move on as from position_before to position in dt_s seconds; 0: they stand. Old states and skip_asleep are not
        read. Returns False as above.

        Cost  about that of a step. At most 14 KiB of stack
        """
        return run(library.gyre_bone_chains_reset, (self._struct,), start, stop, (dt_s,), self._count, threads)


class BodiesStruct(Structure):
    __slots__ = ()
    _fields_ = [
        ("count", c_size_t),
        ("orientation", c_void_p * 4),
        ("orientation_low", c_void_p * 4),
        ("momentum", c_void_p * 3),
        ("inertia", c_void_p * 3),
        ("torque", c_void_p * 3),
        ("momentum_low", c_void_p * 3),
        ("torque_in_body", c_bool),
        ("angular_damping", c_float),
    ]


class Bodies(Batch):
    """Bodies in the caller's arrays. The first pointer of a group decides for the group."""

    __slots__ = ()
    _Struct = BodiesStruct
    _counted = "orientation"
    orientation = Array[Table](FLOAT, 4, True, False, "x y z w: unit quaternion, body to world, in and out")
    orientation_low = Array[Optional[Table]](FLOAT, 4, True, True,
        "None, or low parts, in and out: the attitude is the sum. Start with 0.")
    momentum = Array[Table](FLOAT, 3, True, False,
        "kg m^2/s, in the world, in and out: R(q) I R(q)^T omega, omega in rad/s")
    inertia = Array[TableIn](FLOAT, 3, False, False, "kg m^2: principal moments, > 0")
    torque = Array[Optional[TableIn]](FLOAT, 3, False, True,
        "N m, constant over the step, in the world unless torque_in_body; None: none")
    momentum_low = Array[Optional[Table]](FLOAT, 3, True, True, "None, or low parts of the momentum likewise")
    torque_in_body = Value(bool, "the torque is in the body's frame and turns with it")
    angular_damping = Value(float, "1/s, >= 0, finite: the momentum decays by exp(-angular_damping dt)")

    def __init__(
        self, orientation: Table, momentum: Table, inertia: TableIn, *, orientation_low: Table | None = None,
        torque: TableIn | None = None, momentum_low: Table | None = None, torque_in_body: bool = False,
        angular_damping: float = 0) -> None:
        super().__init__(
            orientation=orientation, orientation_low=orientation_low, momentum=momentum, inertia=inertia,
            torque=torque, momentum_low=momentum_low, torque_in_body=torque_in_body, angular_damping=angular_damping)

    def kick(self, dt_s: float, start: int = 0, stop: int | None = None, threads: int = 1) -> bool:
        """Adds torque times dt_s to the momentum of bodies start..stop-1, for torques that depend on the state.
        Kick by dt / 2, step by dt with torque[0] None, compute the new torque, and kick by dt / 2 again.

        dt_s     s, any finite time. 0, or torque[0] None, changes nothing, not even invalid bodies

        Returns  False: a body is invalid, or lost a momentum (bodies.md)
        Cost     less than a step
        """
        return run(library.gyre_bodies_kick, (self._struct,), start, stop, (dt_s,), self._count, threads)

    def energy(self, energy_J: Floats, start: int = 0, stop: int | None = None, threads: int = 1) -> bool:
        """Computes the kinetic energy E = M . I^-1 M / 2 of bodies start..stop-1.

        energy_J  J, count floats

        Returns   False: a body is invalid
        Error     12 eps |L| sqrt(2 E / s) + 2^-147 (bodies.md)
        """
        checked = Arrays(self._count)
        return run(
            library.gyre_bodies_energy, (self._struct,), start, stop, (checked.write("energy_J", energy_J),), self._count,
            threads)

    def angular_velocity(self, omega: Table, start: int = 0, stop: int | None = None, threads: int = 1) -> bool:
        """Computes the angular velocity of bodies start..stop-1 in the world.

        omega    rad/s, three arrays of count floats; written

        Returns  False: a body is invalid
        Error    of a component: 12 eps |L| / s + 2^-146 (bodies.md)
        """
        checked = Arrays(self._count)
        return run(
            library.gyre_bodies_angular_velocity, (self._struct,), start, stop, (checked.write_table("omega", omega, 3),),
            self._count, threads)

    def set_angular_velocity(self, omega: TableIn, start: int = 0, stop: int | None = None, threads: int = 1) -> bool:
        """Sets the momentum of bodies start..stop-1 to that of an angular velocity in the world, R(q) I R(q)^T omega.

        omega    rad/s, three arrays of count floats; only read

        Returns  False: a body is invalid, or its omega is NaN or infinite
        Error    of a component: 2 eps S |omega| + 2^-146 for |q| within 2^-19 of 1 (bodies.md)
        Cost     that of a step
        """
        checked = Arrays(self._count)
        return run(
            library.gyre_bodies_set_angular_velocity, (self._struct,), start, stop, (checked.read_table("omega", omega, 3),),
            self._count, threads)


class BodySolver(Record):
    """How to step. All zeros is the default: Moser-Veselov of order 6, as accurate as float in steps of up to 0.25 rad, and
    of any length about a fixed axis. Order 8 takes 4 to 8 percent longer: for low parts, or faster tumbling.

    method
    order           of Moser-Veselov: 6 or 8; 0: 6
    tolerance       iteration stops at corrections below this fraction of the rotation; 0: at rounding
    max_iterations  per sub-step; 0: 8
    max_substeps    per step; 0: 1,024; above 2^24: 2^24
    substeps        0: as many as the bound requires; up to 2^24: exactly so many, for comparison
    fixed_point     fixed-point iteration instead of Newton's, for comparison: may not converge
    """

    __slots__ = ()
    _fields_ = [
        ("method", c_int),
        ("order", c_int),
        ("tolerance", c_float),
        ("max_iterations", c_int),
        ("max_substeps", c_int),
        ("substeps", c_int),
        ("fixed_point", c_bool),
    ]
    _enumerations_ = {"method": BodyMethod}
    method: BodyMethod
    order: int
    tolerance: float
    max_iterations: int
    max_substeps: int
    substeps: int
    fixed_point: bool

    def __init__(
        self, method: BodyMethod = BodyMethod.MOSER_VESELOV, order: int = 0, tolerance: float = 0,
        max_iterations: int = 0, max_substeps: int = 0, substeps: int = 0, fixed_point: bool = False) -> None:
        super().__init__(method, order, tolerance, max_iterations, max_substeps, substeps, fixed_point)


class BodyReport(Record):
    """What steps did, summed over bodies. Start with 0: calls add to it. One for each thread.

    substeps
    iterations      in all sub-steps; a closed form counts as one
    unconverged     bodies that reached a limit of the solver, lost a momentum (bodies.md), or are invalid
    worst_residual  the largest correction left out, relative to the rotation (bodies.md)
    lost_turns      bodies with a momentum that turned by less than any bit: they need low parts
    """

    __slots__ = ()
    _fields_ = [
        ("substeps", c_uint64),
        ("iterations", c_uint64),
        ("unconverged", c_uint64),
        ("worst_residual", c_float),
        ("lost_turns", c_uint64),
    ]
    substeps: int
    iterations: int
    unconverged: int
    worst_residual: float
    lost_turns: int

    def __init__(
        self, substeps: int = 0, iterations: int = 0, unconverged: int = 0, worst_residual: float = 0,
        lost_turns: int = 0) -> None:
        super().__init__(substeps, iterations, unconverged, worst_residual, lost_turns)


def smoothing_matrix_at(half_life_s: float, dt_s: float) -> SpringMatrix:
    """Computes the matrix of first-order smoothing for a time step.
    The displacement halves in every half-life, and the velocity becomes 0. All steps with a matrix accept it.

    half_life_s  s, above 0
    dt_s         s, any finite time; 0 gives the identity, a negative time runs backwards

    Error  1 ulp of each coefficient
    Cost   tens of nanoseconds
    """
    out = SpringMatrix()
    call(library.gyre_smoothing_matrix_at, half_life_s, dt_s, out)
    return out


def limit_targets(
    position: TableIn, velocity: TableIn, target_before: TableIn, target: TableIn, spring: Spring,
    max_speed: float, dt_s: float, target_before_out: Table, target_out: Table, start: int = 0,
    stop: int | None = None, threads: int = 1) -> None:
    """Computes targets that keep springs from going faster than a greatest speed, like maxSpeed of Unity's SmoothDamp.
    Call it before each step, and step with its results as `target_before` and `target`. A spring that is further from
    its target than 2 z max_speed / w then goes at max_speed, at any frame rate, and stays awake. Rest limits must not
    let it rest that far away. The limit is on the length of vectors of 1 to 4 components; each component has its arrays.

    target_before, target  u, before and after the step; the same arrays if targets stand still
    spring, dt_s           those of the matrix; frequency and damping ratio above 0, follow 0, dt_s at least 0
    max_speed              u/s, at least 0; INFINITY limits nothing. A spring that is already faster slows down to it.
    target_before_out      u; may be the arrays of target_before, unless these are those of target
    target_out             u; may be the arrays of target, likewise

    Error  0.5001 ulp of each result + 2^-50 of the largest term (springs-reference.md)
    Cost   5 ns per vector with three components and 8 lanes
    """
    checked = Arrays()
    run(
        library.gyre_limit_targets,
        (checked.read_table("position", position, 0), checked.read_table("velocity", velocity, 0), checked.read_table("target_before", target_before, 0), checked.read_table("target", target, 0), checked.components, spring, max_speed, dt_s, checked.write_table("target_before_out", target_before_out, 0), checked.write_table("target_out", target_out, 0)),
        start, stop, (), checked.count, threads)


def damping_from_retention(fraction: float, interval_s: float) -> float:
    """Computes the damping that leaves `fraction` of a velocity after interval_s seconds: -ln(fraction) / interval_s.
    Many toolkits state friction this way, as 0.998 per 0.001 s.

    fraction    in (0, 1]; 1 gives 0
    interval_s  s, above 0
    """
    out = c_float()
    call(library.gyre_damping_from_retention, fraction, interval_s, byref(out))
    return out.value


def damping_from_half_life(half_life_s: float) -> float:
    """Computes the damping that halves a velocity every half_life_s seconds: ln 2 / half_life_s.

    half_life_s  s, above 0; Status.ERROR_RANGE below 2.04e-39
    """
    out = c_float()
    call(library.gyre_damping_from_half_life, half_life_s, byref(out))
    return out.value


def particle_matrix_at(damping: float, dt_s: float) -> ParticleMatrix:
    """Computes the matrix of a damping for a time step of dt_s seconds.

    damping  1/s, at least 0
    dt_s     s, any finite time; 0 gives the identity, a negative time runs backwards

    Raises  Status.ERROR_RANGE also if a coefficient is too large for a float, as far backwards
    Error    at most 8 eps (1 + |p|) of each coefficient, plus 2^-126 (particles-reference.md)
    Cost     about 80 ns
    """
    out = ParticleMatrix()
    call(library.gyre_particle_matrix_at, damping, dt_s, out)
    return out


def decelerate(
    position: Table, velocity: Table, deceleration: float, dt_s: float, start: int = 0,
    stop: int | None = None, threads: int = 1) -> None:
    """Slows moving vectors down at a constant rate until they stop, as brakes and dry friction do.
    A step takes deceleration dt_s from the speed, until that is exactly 0, and keeps the direction. It is exact at every
    frame rate. If a component of a velocity is NaN or infinite, all of that velocity and of its position becomes NaN.

    position      u, in and out: `components` arrays, 1 to 4, none of which may overlap another
    velocity      u/s, likewise
    deceleration  u/s^2, at least 0 and finite; 0 is free motion
    dt_s          s, any finite time; 0 keeps every bit, a negative time undoes a step that did not end in a stop

    Error  0.5001 ulp of each result, plus 2^-50 of the move for positions and of the old velocity for velocities
    Cost   2.6 ns per vector with three components and 8 lanes; less where all are at rest: nothing is written
    """
    checked = Arrays()
    run(
        library.gyre_decelerate,
        (checked.write_table("position", position, 0), checked.write_table("velocity", velocity, 0), checked.components, deceleration, dt_s),
        start, stop, (), checked.count, threads)


def damping_rest_position(position: float, velocity: float, damping: float) -> float:
    """Computes where a particle comes to rest: position + velocity / damping.
    With velocity 0 this is its position, with or without damping.

    Error  0.5001 ulp, plus 2^-52 of the distance to the rest position
    """
    out = c_float()
    call(library.gyre_damping_rest_position, position, velocity, damping, byref(out))
    return out.value


def damping_velocity_to_rest_at(position: float, where: float, damping: float) -> float:
    """Computes the velocity with which a particle comes to rest at `where`: damping (where - position)."""
    out = c_float()
    call(library.gyre_damping_velocity_to_rest_at, position, where, damping, byref(out))
    return out.value


def damping_time_to_speed(velocity: float, damping: float, speed: float) -> float:
    """Computes when a particle has slowed down to `speed`: ln(|velocity| / speed) / damping.
    speed is at least 0. The time is 0 if that is the speed now.
    """
    out = c_float()
    call(library.gyre_damping_time_to_speed, velocity, damping, speed, byref(out))
    return out.value


def damping_time_to_position(position: float, velocity: float, damping: float, where: float) -> float:
    """Computes when a particle passes `where`: -log1p(-damping (where - position) / velocity) / damping.
    It is 0 if the particle is there now.

    Error  larger near the rest position (particles-reference.md)
    """
    out = c_float()
    call(library.gyre_damping_time_to_position, position, velocity, damping, where, byref(out))
    return out.value


def rubber_band_offset(distance: float, dimension: float, coefficient: float) -> float:
    """Computes how far beyond an edge a finger drags content, as in UIScrollView:
    (1 - 1 / (coefficient distance / dimension + 1)) dimension.

    distance     that the finger has moved since the content reached the edge
    dimension    u, above 0: height or width of the view, the most that content can move
    coefficient  above 0: the part of the finger's movement that content follows at the edge; 0: UIKit's 0.55
    out          the offset of the content from the edge
    """
    out = c_float()
    call(library.gyre_rubber_band_offset, distance, dimension, coefficient, byref(out))
    return out.value


def rubber_band_distance(offset: float, dimension: float, coefficient: float) -> float:
    """Computes how far a finger must move to drag content to an offset beyond an edge: offset dimension / (coefficient
    (dimension - offset)). It is the inverse of rubber_band_offset, for a finger that catches content on its way
    back.

    offset  nearer to 0 than dimension is; the other arguments are those of rubber_band_offset
    out     the distance that the finger has moved
    """
    out = c_float()
    call(library.gyre_rubber_band_distance, offset, dimension, coefficient, byref(out))
    return out.value


def rotation_matrix(v: TableIn, r: Table, start: int = 0, stop: int | None = None, threads: int = 1) -> None:
    """Computes the rotation matrices R(v) of rotation vectors, row-major.

    Error  4 eps for a <= 1 rad, (7 + 4 a) eps beyond
    Cost   1 to 2 ns per matrix with AVX2, up to 3 times as much for a > 3.16 rad
    """
    checked = Arrays()
    run(
        library.gyre_rotation_matrix, (checked.read_table("v", v, 3), checked.write_table("r", r, 9)), start, stop, (),
        checked.count, threads)


def rotation_left_jacobian(v: TableIn, t: Table, start: int = 0, stop: int | None = None, threads: int = 1) -> None:
    """Computes the left Jacobians T(v) of SO(3) of rotation vectors, row-major.
    T maps a small change of v to the small rotation that it causes: d R(v) = [T(v) dv]x R(v).

    Error  4 eps for a <= 1 rad, (6 + 4 a) eps beyond
    Cost   as for rotation_matrix
    """
    checked = Arrays()
    run(
        library.gyre_rotation_left_jacobian, (checked.read_table("v", v, 3), checked.write_table("t", t, 9)), start, stop,
        (), checked.count, threads)


def rotation_quaternion(v: TableIn, q: Table, start: int = 0, stop: int | None = None, threads: int = 1) -> None:
    """Computes the unit quaternions of rotation vectors, in the order x y z w.
    They are (v sin(a/2) / a, cos(a/2)). They are continuous in v, so w is negative where cos(a/2) is.

    Error  2 eps for a <= 1 rad, (3 + 2 a) eps beyond
    Cost   half that of rotation_matrix
    """
    checked = Arrays()
    run(
        library.gyre_rotation_quaternion, (checked.read_table("v", v, 3), checked.write_table("q", q, 4)), start, stop, (),
        checked.count, threads)


def rotation_vector(q: TableIn, v: Table, start: int = 0, stop: int | None = None, threads: int = 1) -> None:
    """Computes the rotation vectors of quaternions, the short way round.
    q and -q give the same bits.

    q  of any length above 2^-30 and below 2^30; any other length, 0 included, gives NaN
    v  |v| <= pi, to within the error

    Error  5 ulp of |v|
    Cost   0.6 to 0.9 ns with AVX2
    """
    checked = Arrays()
    run(
        library.gyre_rotation_vector, (checked.read_table("q", q, 4), checked.write_table("v", v, 3)), start, stop, (),
        checked.count, threads)


def rotation_product(
    a: TableIn, b: TableIn, out: Table, start: int = 0, stop: int | None = None, threads: int = 1) -> None:
    """Multiplies quaternions: out = a b is the rotation by b followed by the rotation by a.
    Lengths multiply; results are not normalised. What is NaN or infinite makes results NaN or infinite.

    Error  4 eps |a| |b|
    Cost   that of memory: 0.75 ns from a second-level cache
    """
    checked = Arrays()
    run(
        library.gyre_rotation_product,
        (checked.read_table("a", a, 4), checked.read_table("b", b, 4), checked.write_table("out", out, 4)), start, stop,
        (), checked.count, threads)


def rotation_between(
    a: TableIn, b: TableIn, part: float, out: Table, start: int = 0, stop: int | None = None, threads: int = 1) -> None:
    """Interpolates between unit quaternions a and b, the short way round (slerp).
    The result is a exp(part log(a^-1 b)).

    a, b     lengths within 2^-7 of 1; a length that is off by 0.008 or more gives NaN
    part     Any finite number. 0 gives a, and 1 gives b or -b, whichever is nearer to a. Below 0 and above 1 the
             rotation continues.

    Raises  Status.ERROR_VALUE if part is not finite
    Error    5 eps for parts from 0 to 1, (8 + 8 |part|) eps beyond, for lengths of 1 (rotations-reference.md)
    Cost     2 to 2.5 ns with AVX2 for parts from 0 to 1, 5 to 8 ns beyond
    """
    checked = Arrays()
    run(
        library.gyre_rotation_between,
        (checked.read_table("a", a, 4), checked.read_table("b", b, 4), part, checked.write_table("out", out, 4)), start,
        stop, (), checked.count, threads)


def rotation_apply(
    q: TableIn, v: TableIn, out: Table, start: int = 0, stop: int | None = None, threads: int = 1) -> None:
    """Turns vectors by unit quaternions: out = R(q) v.
    The conjugate (-x, -y, -z, w) turns them back.

    v      3 arrays: any vectors, such as points, angular velocities or torques

    Error  12 eps |v| for |q| = 1 rounded to float (rotations-reference.md)
    Cost   that of rotation_product
    """
    checked = Arrays()
    run(
        library.gyre_rotation_apply,
        (checked.read_table("q", q, 4), checked.read_table("v", v, 3), checked.write_table("out", out, 3)), start, stop,
        (), checked.count, threads)


def inertia_principal(tensor: Sequence[float]) -> tuple[Floats, Floats]:
    """Computes the principal moments and axes of an inertia tensor.
    A diagonal tensor gives its diagonal, in order, and no rotation. Of others, moments that differ by at most 2 eps of
    the largest become equal.

    moments  kg m^2
    axes     x y z w: unit quaternion, body to model: tensor = R(axes) diag(moments) R(axes)^T (bodies.md)

    Raises  Status.ERROR_VALUE also if the tensor is NEGATIVE or THIN
    Error    of a moment: 3 eps of the largest moment (bodies.md)
    """
    moments_out = (c_float * 3)()
    axes_out = (c_float * 4)()
    call(library.gyre_inertia_principal, numbers("tensor", tensor, 6), moments_out, axes_out)
    return floats(moments_out), floats(axes_out)


def inertia_check(tensor: Sequence[float]) -> InertiaKind:
    """Checks whether a mass can have an inertia tensor."""
    out = c_int()
    call(library.gyre_inertia_check, numbers("tensor", tensor, 6), byref(out))
    return InertiaKind(out.value)


def inertia_nearest(tensor: Sequence[float]) -> tuple[Floats, float]:
    """Finds the nearest FINE tensor, with the same axes, and how impossible the given one is.
    A FINE tensor keeps its bits. Nearest is by the squares of the changes of all nine entries.

    nearest  kg m^2; may be the array of the tensor
    excess   the largest moment minus the others, as a fraction of it; 0 or less for a mass

    Raises  Status.ERROR_VALUE also if an entry is NaN or infinite
             Status.ERROR_RANGE if no moment is positive, or the moments are too large or too small for floats
    """
    nearest_out = (c_float * 6)()
    excess_out = c_float()
    call(library.gyre_inertia_nearest, numbers("tensor", tensor, 6), nearest_out, byref(excess_out))
    return floats(nearest_out), excess_out.value


def interpolate(
    before: FloatsIn, now: FloatsIn, part: float, out: Floats, start: int = 0, stop: int | None = None,
    threads: int = 1) -> None:
    """Interpolates between the states before and after a step, for rendering at part of the step.
    The result is before + part (now - before), and never lies outside the two.

    part   in [0, 1]. 0 copies before and 1 copies now, NaN and infinity included.
    out    may be before or now

    Error  2^-24 |now - before| + 2^-24 |result| + 2^-148
    Cost   that of memory; in cache 0.15 ns per element with 8 lanes
    """
    checked = Arrays()
    run(
        library.gyre_interpolate,
        (checked.read("before", before), checked.read("now", now), part, checked.write("out", out)), start, stop, (),
        checked.count, threads)


def limit_length(v: Table, longest: float, start: int = 0, stop: int | None = None, threads: int = 1) -> None:
    """Shortens vectors to at most a given length, such as a maximum speed, force or distance.
    A vector with a component that is NaN or infinite becomes NaN in all components.

    v        `components` arrays of floats, 1 to 4, changed in place
    longest  at least 0; INFINITY leaves all finite vectors unchanged

    Error    0.5001 ulp in each component. A length may exceed longest by little more than 2^-24 of it.
    Cost     with three components and 8 lanes 0.7 ns per vector. Where no vector is too long, nothing is written.
    """
    checked = Arrays()
    run(
        library.gyre_limit_length, (checked.write_table("v", v, 0), checked.components, longest), start, stop, (),
        checked.count, threads)


def turn_targets(
    target: Floats, position: FloatsIn, period: float, start: int = 0, stop: int | None = None,
    threads: int = 1) -> None:
    """Moves targets of angles (or of anything else periodic) by whole periods to within half a period of their positions.
    Call it once where targets change, and then step the springs without a period (0), so that a fast one may swing
    beyond half a period and come back. Where target or position is NaN or infinite, the target becomes NaN.

    target, position  in the same unit; targets are changed in place
    period            finite and above 0, in that unit: 360, or 2 pi as a float

    Error  0.5001 ulp (arrays-reference.md); at 2^23 periods apart or more, the target becomes the position
    Cost   about 1 ns per element with 8 lanes
    """
    checked = Arrays()
    run(
        library.gyre_turn_targets, (checked.write("target", target), checked.read("position", position), period), start,
        stop, (), checked.count, threads)


def hash(arrays: TableIn, start: int = 0, stop: int | None = None) -> int:
    """Hashes the floats of a state, to compare states in lockstep, rollback and replays.
    All NaNs hash alike; 0 and -0 differ.

    arrays  `components` arrays, any number: all that the state consists of, in an order that you choose
    """
    checked = Arrays()
    hash_out = c_uint64()
    run(
        library.gyre_hash, (checked.read_table("arrays", arrays, 0), checked.components, byref(hash_out)), start, stop, (),
        checked.count)
    return hash_out.value


def hash_bytes(bytes: BytesIn, start: int = 0, stop: int | None = None) -> int:
    """Hashes bytes, such as the flags of what is awake. Steps with skip_asleep read these flags, so they belong to the
    state. The hash may be added to the hash of the same elements. Two flags that are not 0 but differ hash
    differently.
    """
    checked = Arrays()
    hash_out = c_uint64()
    run(library.gyre_hash_bytes, (checked.read("bytes", bytes, UINT8), byref(hash_out)), start, stop, (), checked.count)
    return hash_out.value


def exp(x: FloatsIn, y: Floats) -> None:
    """Computes e^x."""
    checked = Arrays()
    call(library.gyre_exp, checked.read("x", x), checked.write("y", y), checked.count)


def expm1(x: FloatsIn, y: Floats) -> None:
    """Computes e^x - 1, accurately near 0."""
    checked = Arrays()
    call(library.gyre_expm1, checked.read("x", x), checked.write("y", y), checked.count)


def log(x: FloatsIn, y: Floats) -> None:
    """Computes the natural logarithm."""
    checked = Arrays()
    call(library.gyre_log, checked.read("x", x), checked.write("y", y), checked.count)


def sin(x: FloatsIn, y: Floats) -> None:
    """Computes the sine of an angle in radians."""
    checked = Arrays()
    call(library.gyre_sin, checked.read("x", x), checked.write("y", y), checked.count)


def cos(x: FloatsIn, y: Floats) -> None:
    """Computes the cosine of an angle in radians."""
    checked = Arrays()
    call(library.gyre_cos, checked.read("x", x), checked.write("y", y), checked.count)


def sincos(x: FloatsIn, sin: Floats, cos: Floats) -> None:
    """Computes the sine and the cosine of an angle in radians, with the same bits as sin and cos.
    One of the outputs may be the same array as x.
    """
    checked = Arrays()
    call(library.gyre_sincos, checked.read("x", x), checked.write("sin", sin), checked.write("cos", cos), checked.count)


DOCUMENTATION = {
    "gather": """Copies floats out of an array of structures into arrays of floats.
With fewer than 4 components, up to 12 bytes after those of an element may be read as well, but nothing after the
last component of element stop - 1.
""",
    "scatter": """Copies arrays of floats into an array of structures.
Bytes between the components of two elements are never written, so other threads may write them meanwhile.
""",
    "find_awake": """Lists the indices of awake elements in ascending order, for work on few elements of many.

awake    flags, as the steps write them: 0 for an element that is asleep
indices  receives each i in start..stop-1 whose flag is not 0; room for stop - start of them
found    receives how many there are, 0 for an empty range

Raises  Status.ERROR_RANGE also if stop > 2^32
Cost     with 8 lanes 0.02 ns per element where all are asleep, 0.6 ns where all are awake
""",
    "Bodies.step": """Advances bodies start..stop-1 by one time step.

dt_s     s, any finite time; a negative time runs backwards. 0 changes nothing, not even invalid bodies
solver   None: the default
report   None, or added to

Returns  False: some are unconverged
Error    of the orientation, by rounding: (9 + 12 |dt| |L| / s) eps rad in one planned sub-step (bodies.md)
Cost     arithmetic; fastest in ranges of 64 bodies or more. At most 48 KiB of stack
""",
    "Bodies.transforms": """Writes row-major 3x4 matrices [R | position] of bodies start..stop-1, for instance buffers.

bodies        only the orientation is read; other arrays may be None
x, y, z       positions, count floats each; x None: the origin
rows3x4       12 floats for each body; those of body i begin at byte i * stride_bytes
stride_bytes  a multiple of 4, at least 48

Returns       False: an orientation is invalid
Error         8 eps for an entry of R
Cost          bound by memory, 48 bytes written for each body
""",
}

prototype("gyre_spring_from_stiffness", c_int, c_float, c_float, c_float, POINTER(Spring))
prototype("gyre_spring_from_response", c_int, c_float, c_float, POINTER(Spring))
prototype("gyre_spring_from_duration", c_int, c_float, c_float, POINTER(Spring))
prototype("gyre_spring_from_half_life", c_int, c_float, c_float, POINTER(Spring))
prototype("gyre_spring_from_settling", c_int, c_float, c_float, c_float, POINTER(Spring))
prototype("gyre_spring_to_stiffness", c_int, Spring, c_float, POINTER(c_float), POINTER(c_float))
prototype("gyre_spring_to_response", c_int, Spring, POINTER(c_float))
prototype("gyre_spring_to_duration", c_int, Spring, POINTER(c_float), POINTER(c_float))
prototype("gyre_spring_settling_time", c_int, Spring, c_float, c_float, c_float, POINTER(c_float))
prototype("gyre_spring_peak", c_int, Spring, c_float, c_float, POINTER(c_float), POINTER(c_float))
prototype("gyre_spring_matrix_at", c_int, Spring, c_float, POINTER(SpringMatrix))
prototype("gyre_smoothing_matrix_at", c_int, c_float, c_float, POINTER(SpringMatrix))
prototype("gyre_springs_step", c_int, POINTER(SpringsStruct), c_size_t, c_size_t, POINTER(SpringMatrix))
prototype("gyre_springs_step_palette", 
    c_int, POINTER(SpringsStruct), c_size_t, c_size_t, POINTER(SpringMatrix), c_size_t, c_void_p)
prototype("gyre_springs_step_each", 
    c_int, POINTER(SpringsStruct), c_size_t, c_size_t, c_void_p, c_void_p, c_void_p, c_void_p, c_float)
prototype("gyre_springs_at", c_int, POINTER(SpringsStruct), c_size_t, c_size_t, Spring, c_void_p, c_void_p, c_void_p)
prototype("gyre_limit_targets", 
    c_int, POINTER(c_void_p), POINTER(c_void_p), POINTER(c_void_p), POINTER(c_void_p), c_size_t, Spring, c_float,
    c_float, POINTER(c_void_p), POINTER(c_void_p), c_size_t, c_size_t)
prototype("gyre_orientation_springs_step", 
    c_int, POINTER(OrientationSpringsStruct), c_size_t, c_size_t, POINTER(SpringMatrix), c_float)
prototype("gyre_damping_from_retention", c_int, c_float, c_float, POINTER(c_float))
prototype("gyre_damping_from_half_life", c_int, c_float, POINTER(c_float))
prototype("gyre_particle_matrix_at", c_int, c_float, c_float, POINTER(ParticleMatrix))
prototype("gyre_particles_step", c_int, POINTER(ParticlesStruct), c_size_t, c_size_t, POINTER(ParticleMatrix))
prototype("gyre_particles_step_each", c_int, POINTER(ParticlesStruct), c_size_t, c_size_t, c_void_p, c_void_p, c_float)
prototype("gyre_decelerate", 
    c_int, POINTER(c_void_p), POINTER(c_void_p), c_size_t, c_float, c_float, c_size_t, c_size_t)
prototype("gyre_damping_rest_position", c_int, c_float, c_float, c_float, POINTER(c_float))
prototype("gyre_damping_velocity_to_rest_at", c_int, c_float, c_float, c_float, POINTER(c_float))
prototype("gyre_damping_time_to_speed", c_int, c_float, c_float, c_float, POINTER(c_float))
prototype("gyre_damping_time_to_position", c_int, c_float, c_float, c_float, c_float, POINTER(c_float))
prototype("gyre_flings_step", c_int, POINTER(FlingsStruct), c_size_t, c_size_t, c_float)
prototype("gyre_rubber_band_offset", c_int, c_float, c_float, c_float, POINTER(c_float))
prototype("gyre_rubber_band_distance", c_int, c_float, c_float, c_float, POINTER(c_float))
prototype("gyre_rotation_matrix", c_int, POINTER(c_void_p), POINTER(c_void_p), c_size_t, c_size_t)
prototype("gyre_rotation_left_jacobian", c_int, POINTER(c_void_p), POINTER(c_void_p), c_size_t, c_size_t)
prototype("gyre_rotation_quaternion", c_int, POINTER(c_void_p), POINTER(c_void_p), c_size_t, c_size_t)
prototype("gyre_rotation_vector", c_int, POINTER(c_void_p), POINTER(c_void_p), c_size_t, c_size_t)
prototype("gyre_rotation_product", c_int, POINTER(c_void_p), POINTER(c_void_p), POINTER(c_void_p), c_size_t, c_size_t)
prototype("gyre_rotation_between", 
    c_int, POINTER(c_void_p), POINTER(c_void_p), c_float, POINTER(c_void_p), c_size_t, c_size_t)
prototype("gyre_rotation_apply", c_int, POINTER(c_void_p), POINTER(c_void_p), POINTER(c_void_p), c_size_t, c_size_t)
prototype("gyre_bone_from_spring", c_int, Spring, POINTER(Bone))
prototype("gyre_bone_from_vrm", c_int, c_float, c_float, c_float, c_float, c_float, POINTER(Bone))
prototype("gyre_bone_chains_step", c_int, POINTER(BoneChainsStruct), c_size_t, c_size_t, c_float)
prototype("gyre_bone_chains_reset", c_int, POINTER(BoneChainsStruct), c_size_t, c_size_t, c_float)
prototype("gyre_bodies_step", 
    c_int, POINTER(BodiesStruct), c_size_t, c_size_t, c_float, POINTER(BodySolver), POINTER(BodyReport))
prototype("gyre_bodies_kick", c_int, POINTER(BodiesStruct), c_size_t, c_size_t, c_float)
prototype("gyre_bodies_energy", c_int, POINTER(BodiesStruct), c_size_t, c_size_t, c_void_p)
prototype("gyre_bodies_angular_velocity", c_int, POINTER(BodiesStruct), c_size_t, c_size_t, POINTER(c_void_p))
prototype("gyre_bodies_set_angular_velocity", c_int, POINTER(BodiesStruct), c_size_t, c_size_t, POINTER(c_void_p))
prototype("gyre_bodies_transforms", 
    c_int, POINTER(BodiesStruct), c_size_t, c_size_t, c_void_p, c_void_p, c_void_p, c_void_p, c_size_t)
prototype("gyre_inertia_principal", c_int, POINTER(c_float), POINTER(c_float), POINTER(c_float))
prototype("gyre_inertia_check", c_int, POINTER(c_float), POINTER(c_int))
prototype("gyre_inertia_nearest", c_int, POINTER(c_float), POINTER(c_float), POINTER(c_float))
prototype("gyre_gather", c_int, c_void_p, c_size_t, c_size_t, POINTER(c_void_p), c_size_t, c_size_t)
prototype("gyre_scatter", c_int, POINTER(c_void_p), c_size_t, c_void_p, c_size_t, c_size_t, c_size_t)
prototype("gyre_interpolate", c_int, c_void_p, c_void_p, c_float, c_void_p, c_size_t, c_size_t)
prototype("gyre_limit_length", c_int, POINTER(c_void_p), c_size_t, c_float, c_size_t, c_size_t)
prototype("gyre_find_awake", c_int, c_void_p, c_void_p, POINTER(c_size_t), c_size_t, c_size_t)
prototype("gyre_turn_targets", c_int, c_void_p, c_void_p, c_float, c_size_t, c_size_t)
prototype("gyre_hash", c_int, POINTER(c_void_p), c_size_t, POINTER(c_uint64), c_size_t, c_size_t)
prototype("gyre_hash_bytes", c_int, c_void_p, POINTER(c_uint64), c_size_t, c_size_t)
prototype("gyre_exp", c_int, c_void_p, c_void_p, c_size_t)
prototype("gyre_expm1", c_int, c_void_p, c_void_p, c_size_t)
prototype("gyre_log", c_int, c_void_p, c_void_p, c_size_t)
prototype("gyre_sin", c_int, c_void_p, c_void_p, c_size_t)
prototype("gyre_cos", c_int, c_void_p, c_void_p, c_size_t)
prototype("gyre_sincos", c_int, c_void_p, c_void_p, c_void_p, c_size_t)
prototype("gyre_kernels_for", c_void_p, c_int, c_int)
prototype("gyre_kernels_best", c_void_p, c_int)
prototype("gyre_use", c_int, c_void_p)
prototype("gyre_in_use", c_void_p)
prototype("gyre_isa_name", c_char_p, c_int)
prototype("gyre_rounding_name", c_char_p, c_int)
prototype("gyre_kernels_isa", c_int, c_void_p)
prototype("gyre_kernels_rounding", c_int, c_void_p)
prototype("gyre_status_name", c_char_p, c_int)
prototype("gyre_version", c_char_p)
