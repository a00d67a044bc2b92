"""The options of pictures: how their texts are read, and what is wrong with them."""
from __future__ import annotations

import dataclasses
import difflib
import json
import math
import re
import sys
from typing import Any, Callable, Iterable, NamedTuple, NoReturn, Sequence

import numpy as np

import gyre

FLOAT_MAX, FLOAT_MIN = float(np.finfo(np.float32).max), float(np.finfo(np.float32).tiny)
MOST_CURVES, MOST_RETARGETS, MOST_PEERS, MOST_POINTS = 7, 32, 2, 5


class Refused(Exception):
    """What the user asked for is invalid. The message is one line that says what to change."""


class Failed(Exception):
    """The input is valid, but a file or a program is missing, or a disk is full."""


class Unreadable(Exception):
    """The text of an option is not what was expected. The message says why, if that is not obvious."""


def say(message: str) -> None:
    """Prints a line on stderr. Text from a file must not send control sequences to the terminal."""
    print(re.sub(r"[\x00-\x1f\x7f-\x9f]", "?", f"gyre: {message}"), file=sys.stderr)


def nearest(word: str, words: Iterable[str]) -> str | None:
    return next(iter(difflib.get_close_matches(word, list(words), 1)), None)


def finite(value: float) -> float:
    """The value. Refuses one that does not fit in a float."""
    if not abs(value) <= FLOAT_MAX:
        raise Refused("a value in the picture does not fit in a float; expected smaller numbers or shorter times")
    return value


# ---- Numbers ----

def fault_of(value: float) -> str | None:
    if not math.isfinite(value):
        return "is not finite"
    if abs(value) > FLOAT_MAX:
        return "is too large for a float"
    if 0 < abs(value) < FLOAT_MIN:
        return "is too small for a float, and not zero"
    return None


def number(text: str) -> float:
    """A decimal number, rounded to float."""
    read = re.fullmatch(r"[ \t]*[+-]?((\d+\.?\d*|\.\d+)(e[+-]?\d+)?|inf|infinity|nan)", text, re.IGNORECASE)
    if not read:
        raise Unreadable
    value = float(text)
    if value == 0 and re.search("[1-9]", read[2]):
        value = sys.float_info.min  # as 1e-400 is, too small even for a double
    fault = fault_of(value)
    if fault:
        raise Unreadable(fault)
    return float(np.float32(value))


def positive(text: str) -> float:
    value = number(text)
    if value <= 0:
        raise Unreadable
    return value


def at_least_0(text: str) -> float:
    value = number(text)
    if value < 0:
        raise Unreadable
    return value


def numbers(text: str, count: int, between: str = ",") -> list[float]:
    parts = text.split(between)
    if len(parts) != count:
        raise Unreadable
    return [number(part) for part in parts]


# ---- Springs and dampings ----

class LabelledSpring(NamedTuple):
    label: str
    spring: gyre.Spring


class LabelledDamping(NamedTuple):
    label: str
    damping: float  # 1/s


class Form(NamedTuple):
    """A usual way to state a spring: a set of keys, of which those after the required ones may be left out."""

    keys: tuple[str, ...]
    required: int
    make: Callable[..., gyre.Spring]
    range: str


def from_stiffness_and_ratio(stiffness: float, damping_ratio: float, mass: float) -> gyre.Spring:
    return gyre.Spring(gyre.Spring.from_stiffness(mass, stiffness, 0).angular_frequency, damping_ratio)


FORMS = (
    Form(("angular_frequency", "damping_ratio"), 2, gyre.Spring, "angular_frequency >= 0, damping_ratio >= 0"),
    Form(("stiffness", "damping", "mass"), 2, lambda k, c, m: gyre.Spring.from_stiffness(m, k, c),
         "stiffness >= 0, damping >= 0 and 0 if stiffness is, mass > 0"),
    Form(("stiffness", "damping_ratio", "mass"), 2, from_stiffness_and_ratio,
         "stiffness >= 0, damping_ratio >= 0, mass > 0"),
    Form(("response_s", "damping_ratio"), 2, gyre.Spring.from_response, "response_s > 0, damping_ratio >= 0"),
    Form(("duration_s", "bounce"), 2, gyre.Spring.from_duration, "duration_s > 0, bounce above -1 and up to 1"),
    Form(("half_life_s", "damping_ratio"), 2, gyre.Spring.from_half_life, "half_life_s > 0, damping_ratio >= 0"),
    Form(("settling_s", "damping_ratio", "fraction"), 3, gyre.Spring.from_settling,
         "settling_s > 0, damping_ratio > 0, fraction between 0 and 1"),
)
PARAMETERS = {
    "angular_frequency": "ω = {:g} rad/s", "damping_ratio": "ζ = {:g}", "mass": "m = {:g}", "stiffness": "k = {:g}",
    "damping": "c = {:g}", "response_s": "response {:g} s", "duration_s": "duration {:g} s", "bounce": "bounce {:g}",
    "half_life_s": "half-life {:g} s", "settling_s": "settling {:g} s", "fraction": "to {:g}"}


def form_list() -> str:
    return ", ".join(" + ".join(key if i < form.required else f"{key} (default 1)" for i, key in enumerate(form.keys))
                     for form in FORMS)


def read_spring(text: str) -> LabelledSpring:
    pairs = [part.partition("=") for part in text.split(",")]
    if len(pairs) > 3 or not all(equals for _, equals, _ in pairs):
        raise Unreadable
    names = [key for key, _, _ in pairs]
    values = {key: number(value) for key, _, value in pairs}
    for form in FORMS:
        if sum(key in names for key in form.keys) == len(names) and set(form.keys[:form.required]) <= set(names):
            break
    else:
        raise Refused(f"expected the keys of exactly one form: {form_list()}")
    try:
        spring = form.make(*(values.get(key, 1) for key in form.keys))
        spring.matrix_at(0)  # checks the ranges of frequency and ratio
    except gyre.Error as error:
        if error.status == gyre.Status.ERROR_RANGE:
            raise Refused("the spring's frequency or damping ratio does not fit in a float") from None
        raise Refused(f"invalid spring, expected {form.range}") from None
    return LabelledSpring(", ".join(PARAMETERS[key].format(values[key]) for key in form.keys if key in values), spring)


def read_damping(text: str) -> LabelledDamping:
    damping = at_least_0(text)
    return LabelledDamping(f"damping {damping:g} /s", damping)


def read_start(text: str) -> tuple[float, float]:
    position, velocity = numbers(text, 2)
    return position, velocity


def read_retarget(text: str) -> tuple[float, float]:
    at_s, target = numbers(text, 2, ":")
    if at_s < 0:
        raise Unreadable
    return at_s, target


# ---- Bodies ----

class Method(NamedTuple):
    method: gyre.BodyMethod
    order: int = 0  # of Moser-Veselov

    @property
    def label(self) -> str:
        """Moser-Veselov, order 6"""
        return METHODS[self.method] + (f", order {self.order}" if self.order else "")

    @property
    def iterates(self) -> bool:
        return self.method not in (gyre.BodyMethod.MOSER_VESELOV, gyre.BodyMethod.EXPLICIT_EULER)


METHODS = {
    gyre.BodyMethod.MOSER_VESELOV: "Moser-Veselov", gyre.BodyMethod.MIDPOINT: "implicit midpoint",
    gyre.BodyMethod.OBJECT_TRAPEZOID: "object trapezoid", gyre.BodyMethod.TRAPEZOID: "trapezoid",
    gyre.BodyMethod.EXPLICIT_EULER: "explicit Euler"}


def read_method(text: str) -> Method:
    names = {method.name.lower(): method for method in METHODS}
    name, colon, order = text.partition(":")
    if name in names and not colon:
        return Method(names[name], 6 if names[name] == gyre.BodyMethod.MOSER_VESELOV else 0)
    if name == "moser_veselov" and order in ("6", "8"):
        return Method(names[name], int(order))
    *some, last = names
    raise Refused(f"expected {', '.join(some)} or {last}; to set the order, moser_veselov:6 or :8")


def read_inertia(text: str) -> tuple[float, float, float]:
    x, y, z = numbers(text, 3)
    if min(x, y, z) <= 0:
        raise Unreadable
    if gyre.inertia_check((x, y, z, 0, 0, 0)) == gyre.InertiaKind.IMPOSSIBLE:
        warn_of_inertia(text, (x, y, z))
    return x, y, z


def warn_of_inertia(text: str, moments: tuple[float, float, float]) -> None:
    try:
        found, excess = gyre.inertia_nearest((*moments, 0, 0, 0))
    except gyre.Error:  # they are so small that floats have no possible tensor near them
        return
    say(f"warning: --inertia {text}: no mass has such an inertia: the largest moment exceeds the sum of the others by "
        f"{100 * excess:.3g} % of itself; check units and powers of ten, the nearest possible is "
        f"{', '.join(f'{moment:.9g}' for moment in found[:3])}")


def read_spin(text: str) -> tuple[float, float, float]:
    x, y, z = numbers(text, 3)
    if x == y == z == 0:
        raise Unreadable
    return x, y, z


# ---- Results of other engines ----

class Peer(NamedTuple):
    label: str
    points: list[tuple[float, float]]  # time relative to Moser-Veselov of order 6 in the same run, error in rad


class Node(NamedTuple):
    """A value in a JSON file, and where it is."""

    file: str
    path: str
    value: Any

    def bad(self, message: str) -> NoReturn:
        raise Refused(f"{self.file}: {self.path or 'top level'}: {message}")

    def member(self, key: str) -> Node:
        if not isinstance(self.value, dict):
            self.bad("expected an object")
        path = f"{self.path}.{key}" if self.path else key
        return Node(self.file, path, self.value.get(key))

    def only(self, *keys: str) -> None:
        if not isinstance(self.value, dict):
            self.bad("expected an object")
        for key in self.value:
            if key not in keys:
                near = nearest(key, keys)
                hint = f"did you mean {near}?" if near else f"expected one of {', '.join(keys)}"
                self.member(key).bad(f"unknown key{';' if near else ','} {hint}")

    def elements(self, least: int, most: int, what: str) -> list[Node]:
        if not isinstance(self.value, list):
            self.bad("expected a list")
        if not least <= len(self.value) <= most:
            self.bad(f"has {len(self.value)} {what}, expected {f'{least} to' if least else 'up to'} {most}")
        return [Node(self.file, f"{self.path}[{i}]", value) for i, value in enumerate(self.value)]

    def above_0(self) -> float:
        if not isinstance(self.value, (int, float)) or isinstance(self.value, bool):
            self.bad("expected a number")
        fault = fault_of(self.value)
        if fault:
            self.bad(f"{self.value:g} {fault}, expected a magnitude from {FLOAT_MIN:g} to {FLOAT_MAX:g}, or 0")
        if self.value <= 0:
            self.bad(f"is {self.value:.15g}, expected more than 0")
        return float(self.value)


def read_peers(path: str) -> list[Peer]:
    name = "stdin" if path == "-" else path
    try:
        with open(0 if path == "-" else path, encoding="utf-8", closefd=path != "-") as file:
            content = json.load(file)
    except OSError as error:
        raise Refused(f"{name}: cannot open: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise Refused(f"{name}: {error}") from None
    top = Node(name, "", content)
    frontier = top.member("frontier") if isinstance(content, dict) else Node(name, "frontier", None)
    frontier.only("source", "gyre_moser_veselov_6_ns", "peers")
    unit_ns = frontier.member("gyre_moser_veselov_6_ns").above_0()
    return [read_peer(peer, unit_ns) for peer in frontier.member("peers").elements(0, MOST_PEERS, "engines")]


def read_peer(peer: Node, unit_ns: float) -> Peer:
    peer.only("name", "points")
    label, points = peer.member("name"), []
    if not isinstance(label.value, str):
        label.bad("expected a string")
    for point in peer.member("points").elements(1, MOST_POINTS, "points"):
        point.only("steps_a_frame", "ns", "error_rad")
        points.append((point.member("ns").above_0() / unit_ns, point.member("error_rad").above_0()))
    return Peer(label.value, points)


def read_theme(text: str) -> str:
    if text not in ("light", "dark"):
        raise Unreadable
    return text


# ---- All options ----

class Option(NamedTuple):
    read: Callable[[str], Any]
    expected: str = ""  # empty: `read` has its own message
    most: int = 1  # how often it may be given; if only once, the last one counts


OPTIONS = {
    "spring": Option(read_spring, "KEY=VALUE pairs separated by commas, such as duration_s=0.5,bounce=0.2",
                     MOST_CURVES),
    "damping": Option(read_damping, "a rate in 1/s, 0 or more", MOST_CURVES),
    "start": Option(read_start, "POSITION,VELOCITY"),
    "retarget": Option(read_retarget, "TIME:TARGET with a time of 0 or more", MOST_RETARGETS),
    "acceleration": Option(number, "a number"),
    "duration": Option(positive, "seconds, more than 0"),
    "tolerance": Option(positive, "a distance, more than 0"),
    "method": Option(read_method, most=MOST_CURVES),
    "inertia": Option(read_inertia, "three principal moments, more than 0, separated by commas"),
    "spin": Option(read_spin, "X,Y,Z, not all 0"),
    "time-step": Option(positive, "seconds, more than 0"),
    "range": Option(positive, "a momentum, more than 0"),
    "peers": Option(read_peers),
    "theme": Option(read_theme, "light or dark"),
}


@dataclasses.dataclass
class Options:
    """What was asked for. None, or an empty list: not given."""

    springs: list[LabelledSpring] = dataclasses.field(default_factory=list)
    dampings: list[LabelledDamping] = dataclasses.field(default_factory=list)
    start: tuple[float, float] | None = None  # position and velocity
    retargets: list[tuple[float, float]] = dataclasses.field(default_factory=list)  # times and targets, sorted by time
    acceleration: float = 0
    duration: float | None = None  # s
    tolerance: float | None = None
    methods: list[Method] = dataclasses.field(default_factory=list)
    inertia: tuple[float, float, float] | None = None
    spin: tuple[float, float, float] | None = None  # rad/s, in the body
    time_step: float | None = None  # s
    range: float | None = None  # kg m^2/s
    peers: list[Peer] = dataclasses.field(default_factory=list)
    theme: str = "light"

    def is_plain(self) -> bool:
        """Whether nothing was asked for that changes what is drawn."""
        return dataclasses.replace(self, theme="light") == Options()


def read_options(given: Sequence[tuple[str, str]]) -> Options:
    """Reads names and texts of options."""
    options = Options()
    for name, text in given:
        option = OPTIONS[name]
        try:
            value = option.read(text)
        except Unreadable as fault:
            raise Refused(f"--{name} {text}: {f'{fault}; ' if str(fault) else ''}expected {option.expected}") from None
        except Refused as error:
            raise Refused(str(error) if name == "peers" else f"--{name} {text}: {error}") from None
        if option.most > 1:
            values = getattr(options, f"{name}s")
            if len(values) == option.most:
                raise Refused(f"--{name} {text}: too many of this option, expected up to {option.most}")
            values.append(value)
        else:
            setattr(options, name.replace("-", "_"), value)
    options.retargets.sort(key=lambda retarget: retarget[0])
    if options.duration and options.retargets and options.retargets[-1][0] > options.duration:
        at_s, target = options.retargets[-1]
        raise Refused(f"--retarget {at_s:g}:{target:g}: expected a time up to the duration of {options.duration:g} s")
    return options
