"""Pictures: the numbers behind them against closed forms and integrations in double precision, the messages of options,
and the files."""
import io
import json
import math
import os
import pathlib
import re
import struct
import subprocess
import sys
import xml.etree.ElementTree

import numpy as np
import pytest

pytest.importorskip("matplotlib")

import gyre
from closed_forms import closed_form, damped_form
from gyre.plot import (bodies, chains, convergence, energy, frontier, herpolhode, particles, springs, style, tumble,
                       turns)
from gyre.plot.__main__ import PICTURES, main
from gyre.plot.options import OPTIONS, Options, read_options
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.image import imread

ROOT = pathlib.Path(__file__).parents[2]
MODULES = {module.__name__.rpartition(".")[2]: module for module in (chains, convergence, energy, frontier, herpolhode,
                                                                     particles, springs, tumble, turns)}
QUICK = [picture for picture in PICTURES if picture != "frontier"]  # which measures for seconds
PEERS = {"times_ns": {}, "frontier": {"source": "made up", "gyre_moser_veselov_6_ns": 10, "peers": [
    {"name": "Engine & Co's {mid_0} $5", "points": [{"steps_a_frame": 1, "ns": 120, "error_rad": 0.25},
                                                   {"steps_a_frame": 2, "ns": 240, "error_rad": 0.125}]}]}}


@pytest.fixture(autouse=True)
def in_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def asked(*arguments):
    """Options as a command has them: asked("--spin", "1,2,3")."""
    return read_options([(name[2:], text) for name, text in zip(arguments[::2], arguments[1::2])])


def drawn(picture, *arguments, theme="light"):
    with style.settings(style.THEMES[theme]):
        return MODULES[picture].draw(asked(*arguments, "--theme", theme), style.THEMES[theme])


def words_of(picture):
    """All texts, as a user reads them."""
    return "\n".join(text.get_text() for text in shown_texts(picture.figure)).replace("−", "-")


def shown_texts(figure):
    """Without the numbers of axes that are beyond their ends."""
    texts = list(figure.texts)
    for axes in figure.axes:
        texts += [*axes.texts, axes.title]
        if not axes.axison:
            continue
        for axis in (axes.xaxis, axes.yaxis):
            low, high = sorted(axis.get_view_interval())
            ticks = zip(axis.get_major_ticks(), axis.get_majorticklocs())
            texts += [label for tick, place in ticks if low <= place <= high for label in (tick.label1, tick.label2)]
            texts += [axis.label, axis.offsetText]
    return [text for text in texts if text.get_visible() and text.get_text().strip()]


def curves_of(axes):
    """Points of the long lines of a panel."""
    return [line.get_xydata() for line in axes.lines if len(line.get_xydata()) > 50]


# ---- Springs and particles ----

spring_form, particle_form = np.vectorize(closed_form), np.vectorize(damped_form)  # over times


def test_regimes():
    picture = drawn("springs")
    for label in ("underdamped", "critical", "overdamped", "time (s)", "displacement (m)", "v = 1 m/s", "ζ = 0.5"):
        assert label in words_of(picture)
    for axes, (x, v) in zip(picture.figure.axes, ((1, 0), (0.5, 1))):
        for points, z in zip(curves_of(axes), (0.5, 1, 2), strict=True):
            assert len(points) > 800 and points[-1, 0] == 12
            np.testing.assert_allclose(points[:, 1], spring_form(1, z, x, v, points[:, 0])[0], atol=1e-6)


SPRINGS = ("--spring", "response_s=0.5,damping_ratio=0.5", "--spring", "damping=30,stiffness=100,mass=1", "--spring",
           "duration_s=0.5,bounce=1", "--start", "-2,10", "--retarget", "0.9:3", "--retarget", "0.4:5")


def retargeted(w, z, t):
    """SPRINGS in double precision."""
    x, v = spring_form(w, z, -2, 10, np.minimum(t, 0.4))
    x, v = spring_form(w, z, x - 5 * (t > 0.4), v, np.maximum(0, np.minimum(t, 0.9) - 0.4))
    x = x + 5 * (t > 0.4)
    x, v = spring_form(w, z, x - 3 * (t > 0.9), v, np.maximum(0, t - 0.9))
    return x + 3 * (t > 0.9)


def test_springs_with_options():
    picture = drawn("springs", *SPRINGS, "--duration", "3", "--tolerance", "0.05")
    said = words_of(picture)
    for label in ("response 0.5 s, ζ = 0.5", "k = 100, c = 30, m = 1", "duration 0.5 s, bounce 1", "never settles",
                  "within 0.05 of it", "from position -2 with velocity 10"):
        assert label in said
    kinds = ((4 * math.pi, 0.5), (10, 1.5), (4 * math.pi, 0))
    for points, (w, z) in zip(curves_of(picture.figure.axes[0]), kinds, strict=True):
        np.testing.assert_allclose(points[:, 1], retargeted(w, z, points[:, 0]), atol=2e-5)
    fine = np.arange(30000) / 1e4
    for w, z in kinds[:2]:  # the settling times, in the legend and next to the dots
        settled = fine[np.abs(retargeted(w, z, fine) - 3) > 0.05].max()
        near = [told for told in map(float, re.findall(r"settled at ([\d.]+) s", said)) if abs(told - settled) < 0.006]
        assert len(near) == 1 and re.search(rf"^{near[0]:.3g} s$", said, re.MULTILINE)


def test_many_oscillations():
    picture = drawn("springs", "--spring", "response_s=1,damping_ratio=0.001", "--duration", "700")
    points, = curves_of(picture.figure.axes[0])
    early = points[points[:, 0] < 250, 1]
    assert np.count_nonzero(np.diff(np.sign(early))) > 2 * 249


def test_particles():
    said = words_of(drawn("particles"))
    for label in ("UIScrollView normal", "UIScrollView fast", "Compose", "position", "velocity", "time (s)",
                  "rests at 999"):
        assert label in said
    picture = drawn("particles", "--damping", "0.7", "--damping", "3", "--start", "10,-4", "--duration", "8",
                    "--tolerance", "0.1")
    said = words_of(picture)
    for which, axes in enumerate(picture.figure.axes):
        for points, d in zip(curves_of(axes), (0.7, 3), strict=True):
            np.testing.assert_allclose(points[:, 1], particle_form(d, 10, -4, 0, points[:, 0])[which], atol=1e-5)
    for d in (0.7, 3):
        rest = 10 - 4 / d
        settled = math.log((10 - rest) / 0.1) / d
        assert f"rests at {rest:.4g}, settled at {settled:.3g} s" in said
        assert re.search(rf"^{settled:.3g} s$", said, re.MULTILINE)


def test_particles_that_fall():
    picture = drawn("particles", "--damping", "0", "--damping", "2.3", "--start", "0,20", "--acceleration", "-9.8",
                    "--duration", "4")
    for label in ("never comes to rest", f"terminal velocity {-9.8 / 2.3:.3g}"):
        assert label in words_of(picture)
    for which, axes in enumerate(picture.figure.axes):
        for points, d in zip(curves_of(axes), (0, 2.3), strict=True):
            np.testing.assert_allclose(points[:, 1], particle_form(d, 0, 20, -9.8, points[:, 0])[which], atol=3e-5)


@pytest.mark.parametrize("arguments", [("--tolerance", "1e-5"), ("--start", "1e8,100")])
def test_less_than_an_ulp_of_the_position(arguments):
    assert "never comes to rest" not in words_of(drawn("particles", *arguments))


# ---- Bodies ----

def motion(inertia, momentum, t, steps):
    """Attitudes at so many times up to t, from the identity, by the classical Runge-Kutta method in doubles."""
    def rate(q):
        w = bodies.turned(bodies.inverse(q), momentum) / inertia
        return bodies.product(q, np.append(w, 0)) / 2

    q, h, found = np.array([0.0, 0, 0, 1]), t / steps, []
    for _ in range(steps):
        found.append(q)
        a = rate(q)
        b = rate(q + h / 2 * a)
        c = rate(q + h / 2 * b)
        q = bodies.normalised(q + h / 6 * (a + 2 * b + 2 * c + rate(q + h * c)))
    return np.array([*found, q])


def midpoint_motion(inertia, momentum, dt, steps):
    """Attitudes by the implicit midpoint rule, by fixed-point iteration in double precision."""
    q, found = np.array([0.0, 0, 0, 1]), [np.array([0.0, 0, 0, 1])]
    for _ in range(steps):
        m = dt * bodies.turned(bodies.inverse(q), momentum)
        v = m / inertia
        for _ in range(60):
            v = bodies.turned(bodies.inverse(turns.of_turn(v / 2)), m) / inertia
        q = bodies.product(q, turns.of_turn(v))
        found.append(q)
    return np.array(found)


ASKED = ("--spin", "0.3,5,-0.2", "--time-step", "0.02", "--duration", "6")
INERTIA = np.array(bodies.T_HANDLE)
MOMENTUM = INERTIA * (0.3, 5, -0.2)


def cosine(attitudes):
    """Of the angle of the y axis to the momentum."""
    return bodies.turned(attitudes, np.array([0.0, 1, 0])) @ MOMENTUM / np.linalg.norm(MOMENTUM)


def test_tumble():
    picture = drawn("tumble", *ASKED, "--method", "moser_veselov", "--method", "midpoint")
    said = words_of(picture)
    for label in ("Moser-Veselov, order 6", "implicit midpoint", "grey line: exact",
                  "cosine of the angle of the y axis", "T-handle of 2.5, 1.4, 1.3 kg m²", "starts at 0.3, 5, -0.2 rad/s",
                  "steps of 0.02 s, 0.1 rad",
                  "all with low parts", "time (s)"):
        assert label in said
    truth, midpoint = motion(INERTIA, MOMENTUM, 6, 6000)[::20], midpoint_motion(INERTIA, MOMENTUM, 0.02, 300)
    assert cosine(truth).min() < -0.99  # it does flip
    shown = [curves_of(axes) for axes in picture.figure.axes]
    for (exact, own), wanted, limit in zip(shown, (truth, midpoint), (1e-5, 1e-5), strict=True):
        np.testing.assert_allclose(exact[:, 0], np.arange(301) * 0.02, atol=1e-9)
        np.testing.assert_allclose(exact[:, 1], cosine(truth), atol=1e-6)
        np.testing.assert_allclose(own[:, 1], cosine(wanted), atol=limit)
    told = [float(error) for error in re.findall(r"([\d.e-]+) rad off at 6 s", said)]
    assert told[1] == pytest.approx(float(bodies.angle_between(midpoint[-1], truth[-1])), rel=0.06)
    assert told[0] < told[1] / 100


def test_tumble_of_all_methods():
    said = words_of(drawn("tumble", "--inertia", "1,3,2"))
    for label in ("Moser-Veselov", "midpoint", "object trapezoid", "trapezoid", "explicit Euler", "the z axis",
                  "body of 1, 3, 2 kg m²"):
        assert label in said


def test_many_flips():
    """A hundred times the duration has a hundred times the flips, although the steps are more than the points."""
    flips = []
    for duration in ("60", "6000"):
        flight = bodies.usual_flight(asked("--spin", "0.01,6,0.01", "--method", "moser_veselov", "--duration",
                                           duration))
        _, _, (way,) = tumble.curves(flight)
        flips.append(np.count_nonzero(np.diff(np.sign(tumble.cosines(flight, way, 1)))))
    assert flips[1] / flips[0] / 100 == pytest.approx(1, rel=0.15)


def test_herpolhode():
    picture = drawn("herpolhode", *ASKED)
    said = words_of(picture)
    for label in ("plane of the exact energy", "Moser-Veselov, order 6", "midpoint", "object trapezoid", "trapezoid",
                  "steps of 0.02 s", "all with low parts", "T-handle of 2.5, 1.4, 1.3 kg m²"):
        assert label in said
    assert "Euler" not in said
    flight = bodies.usual_flight(asked(*ASKED))
    up = MOMENTUM / np.linalg.norm(MOMENTUM)
    along = bodies.turned(q := midpoint_motion(INERTIA, MOMENTUM, 0.02, 300),
                          bodies.turned(bodies.inverse(q), MOMENTUM) / INERTIA) @ up
    told = [float(error) for error in re.findall(r"([\d.e-]+) (?:at most|or less)", said)]
    assert len(told) == 4
    assert told[1] == pytest.approx(np.abs(along / along[0] - 1).max(), rel=0.06)
    assert told[0] < 1e-6 and told[2] < 1e-5
    # The exact path stays in the plane, and is as far from its centre as the spin is from the momentum.
    truth = motion(INERTIA, MOMENTUM, 6, 4800)
    spin = bodies.turned(truth, bodies.turned(bodies.inverse(truth), MOMENTUM) / INERTIA)
    across = np.sqrt(np.sum(spin**2, 1) - (spin @ up) ** 2)
    path = herpolhode.path(flight)
    assert len(path) > 2000 and np.abs(path[:, 2]).max() < 1e-5
    np.testing.assert_allclose(np.hypot(path[:, 0], path[:, 1]), across, atol=1e-5)


def test_slow_bodies_and_points():
    """A path at 1e-5 rad/s has the same shape as at 1 rad/s; about a principal axis it is a point."""
    paths = [herpolhode.path(bodies.usual_flight(asked("--spin", spin, *more))) for spin, more in (
        ("1,1,1", ()), ("1e-5,1e-5,1e-5", ("--duration", "6e6", "--time-step", "1e4")))]
    np.testing.assert_allclose(1e5 * paths[1], paths[0], atol=1e-4)
    said = words_of(drawn("herpolhode", "--spin", "0,0,1"))
    assert said.count("1e-09 or less") == 4  # as drawn, and as on the axis
    assert "≤" in said


def test_convergence():
    picture = drawn("convergence")
    said = words_of(picture)
    for label in ("Inside the green circle", "a step of 1 s", "(kg m²/s)", "T-handle of 2.5, 1.4, 1.3 kg m²"):
        assert label in said
    told = [float(share) / 100 for share in re.findall(r"([\d.]+) % converge", said)]
    assert told[0] == pytest.approx(0.85, abs=0.02)
    assert 0.001 < told[1] < 0.03
    maps = [axes.images[0].get_array() for axes in picture.figure.axes[:2]]
    for counts, share in zip(maps, told):
        assert counts.shape == (300, 300) and counts.max() <= 10
        assert np.mean(counts > 0) == pytest.approx(share, abs=0.002)
    # The bound is proven: all converge inside it. It is at least as wide as that of the norm bound.
    (bound,), () = curves_of(picture.figure.axes[0]), curves_of(picture.figure.axes[1])
    radius = np.hypot(*bound.T).min()
    assert radius > math.sqrt(2) * 1.3 - 0.1
    line = np.linspace(-15, 15, 300)
    assert np.all(maps[0][np.hypot(*np.meshgrid(line, line)) < radius] > 0)


def test_convergence_with_options():
    said = words_of(drawn("convergence", "--method", "trapezoid", "--inertia", "1,1,1", "--range", "3"))
    assert "trapezoid" in said and "body of 1, 1, 1 kg m²" in said
    assert said.count("100 % converge") == 2


def kinetic_energy(attitudes, momentum):
    own = bodies.turned(bodies.inverse(attitudes), momentum)
    return np.sum(own * own / INERTIA, -1) / 2


def told_energy(picture):
    """In percent; the title has the unit of the bar next to the map."""
    number, power = re.search(r"at most ([\d.]+) (?:× \$10\^\{(-?\d+)\}\$ )?%", words_of(picture)).groups()
    unit = f"($10^{{{power}}}$ %)" if power else "(%)"
    assert picture.figure.axes[1].get_ylabel() == f"change of energy {unit}"
    return float(number) * 10.0 ** int(power or 0)


def test_energy():
    picture = drawn("energy", "--range", "1")  # one sub-step
    said = words_of(picture)
    for label in ("a step of 1 s", "(kg m²/s)", "implicit midpoint", "T-handle of 2.5, 1.4, 1.3 kg m²"):
        assert label in said
    line = np.linspace(-1, 1, 20)
    momenta = [np.array([x, y, 0]) for y in line for x in line]
    steps = [midpoint_motion(INERTIA, momentum, 1, 1) for momentum in momenta]
    changes = np.array([abs(kinetic_energy(q[1], m) / kinetic_energy(q[0], m) - 1) for q, m in zip(steps, momenta)])
    assert told_energy(picture) == pytest.approx(100 * changes.max(), rel=0.06)
    grid = energy.changes(bodies.usual_map(asked("--range", "1"), 50))
    places = np.rint((line + 1) / 2 * 299).astype(int)
    np.testing.assert_allclose(grid[np.ix_(places, places)].ravel(), changes, atol=0.05 * changes.max())
    assert max(grid[149, 20], grid[20, 149]) < changes.max() / 10  # nothing happens about the axes


@pytest.mark.parametrize("method, label, bound", [("midpoint", "implicit midpoint", 1),
                                                  ("object_trapezoid", "object trapezoid", 1e-3),
                                                  ("moser_veselov", "Moser-Veselov, order 6", 1e-3)])
def test_energy_stays_in_bounds(method, label, bound):
    picture = drawn("energy", "--method", method)
    assert label in words_of(picture) and told_energy(picture) < bound


@pytest.fixture(scope="module")
def frontier_picture(tmp_path_factory):
    peers = tmp_path_factory.mktemp("peers") / "peers.json"
    peers.write_text(json.dumps(PEERS))
    before = gyre.in_use()
    picture = drawn("frontier", "--peers", str(peers))
    assert gyre.in_use() == before
    return picture


def test_frontier(frontier_picture):
    said = [text.get_text().replace("−", "-") for text in frontier_picture.figure.texts]
    notes = {label: re.fullmatch(r"(\S+) ns, (\S+) rad", note) for label, note in zip(said, said[1:])}
    found = {label: tuple(map(float, note.groups())) for label, note in notes.items() if note}
    assert len(found) == 9
    # In double precision, per frame of 1/60 s: 1.2e-1, 3.5e-1, 5.7e-1.
    for label, error in (("implicit midpoint", 0.12), ("object trapezoid", 0.35), ("trapezoid", 0.57)):
        assert found[label][1] == pytest.approx(error, rel=0.15)
    assert found["Moser-Veselov, order 6"][1] < 7.3e-3
    assert found["Moser-Veselov, order 6, low parts"][1] < 2.5e-6
    assert found["Moser-Veselov, order 8, low parts"][1] < 6e-8
    peer, = (label for label in found if label.startswith("Engine"))
    assert peer == "Engine & Co's {mid_0} \\$5"
    assert found[peer][0] / found["Moser-Veselov, order 6"][0] == pytest.approx(12, rel=0.05)
    assert found[peer][1] == 0.25
    assert "better" in [text.get_text() for text in frontier_picture.figure.axes[0].texts]


def test_exact_attitudes():
    q = bodies.normalised(np.array([[0.1, 0.2, 0.3, 0.9], [0, 0, 0, 1.0]]))
    momentum = bodies.turned(q, np.multiply(frontier.INERTIA, frontier.SPIN))
    found = frontier.exact_attitudes(q, momentum, np.array(frontier.INERTIA), 12)
    truth = motion(np.array(frontier.INERTIA), momentum[1], 12 * frontier.FRAME_S, 4000)[-1]
    assert bodies.angle_between(found[1], truth) < 1e-11
    assert bodies.angle_between(found[0], bodies.product(q[0], truth)) < 1e-11


# ---- Turns and chains ----

def test_turns():
    """Springs on rotations keep their direction where the target changes; springs on small angles do not."""
    said = words_of(drawn("turns"))
    for label in ("springs on rotations", "springs of small angles", "azimuth (degrees)", "elevation (degrees)",
                  "start", "end", "target A", "target B", "target C"):
        assert label in said
    bends, at = [], turns.FRAMES_EACH
    for way in (turns.on_rotations(), turns.by_small_angles()):
        points = turns.look(way) @ (1, 1j)
        assert len(points) == turns.FRAMES + 1
        assert abs(points[-1] - turns.look(turns.target_at(360)) @ (1, 1j)) < 10
        before, after = points[at] - points[at - 8], points[at + 2] - points[at]
        bends.append(abs(np.degrees(np.angle(after / before))))
    assert bends[0] < 5 and bends[1] > 20


def test_chains_are_the_scene():
    """The tail of tools/scenes/tails.json."""
    scene = json.loads((ROOT / "tools/scenes/tails.json").read_text())
    tail = scene["chains"][0]
    assert tail["bones"] == [{"tail": [0, 0, -chains.LENGTH], "vrm": {
        "stiffness": chains.STIFFNESS, "drag_force": chains.DRAG_FORCE}}] * chains.BONES
    assert scene["duration_s"] == chains.END_S and tuple(tail["start"]["position"]) == chains.START
    assert tail["rest_angle"] == tail["rest_speed"] == chains.REST
    place, velocity, since = np.array(tail["start"]["position"], float), np.zeros(3), 0
    for event in [*tail["set"], {"at_s": 4, "velocity": None}]:
        place, since = place + velocity * (event["at_s"] - since), event["at_s"]
        np.testing.assert_allclose(chains.root_at(np.array([float(event["at_s"])]))[0], place, atol=1e-12)
        velocity = np.array(event["velocity"], float) if event["velocity"] else velocity


@pytest.mark.skipif("GYRE_TOOL" not in os.environ, reason="needs the program gyre")
@pytest.mark.parametrize("rate_hz", chains.RATES_HZ)
def test_chains_are_those_of_the_program(rate_hz):
    scene = json.loads((ROOT / "tools/scenes/tails.json").read_text())
    pathlib.Path("tail.json").write_text(json.dumps({**scene, "chains": scene["chains"][:1]}))
    said = subprocess.run([os.environ["GYRE_TOOL"], "simulate", "tail.json", "--rate", str(rate_hz), "--at",
                           "0.5,1,2,4", "-q", "-o", "-"], capture_output=True, text=True, check=True).stdout
    rows = np.genfromtxt(io.StringIO(said), delimiter=",", names=True, dtype=None, encoding=None)
    way = chains.by_gyre(rate_hz)
    wanted = way[[rate_hz // 2, rate_hz, 2 * rate_hz, 4 * rate_hz], 1:].reshape(-1, 3)
    np.testing.assert_allclose(np.stack([rows[f"tail_{axis}"] for axis in "xyz"], -1), wanted, atol=1e-5)


def test_chains():
    """Gyre's tails are alike at all rates, those of the recurrence are not; both have bones of one length."""
    by_gyre = [chains.by_gyre(rate) for rate in chains.RATES_HZ]
    by_recurrence = [chains.by_recurrence(rate) for rate in chains.RATES_HZ]
    for way in (*by_gyre, *by_recurrence):
        np.testing.assert_allclose(np.linalg.norm(np.diff(way, axis=1), axis=-1), chains.LENGTH, atol=1e-6)
    assert max(chains.differences(by_gyre)) < 0.03
    assert max(chains.differences(by_recurrence)) > 2 * max(chains.differences(by_gyre))
    assert np.abs(by_gyre[1] - by_recurrence[1]).max() < 0.1  # at the rate of which Gyre's bones are, they move alike
    said = words_of(drawn("chains"))
    for label in ("30 frames a second", "60 frames a second", "144 frames a second", "Gyre", "VRM's recurrence"):
        assert label in said


# ---- Options ----

REFUSALS = [
    ("springs --spring response_s=0.5", "exactly one form: angular_frequency + damping_ratio"),
    ("springs --spring response=0.5,damping_ratio=1", "exactly one form"),
    ("springs --spring response_s=0.5,response_s=0.5", "exactly one form"),
    ("springs --spring response_s=-1,damping_ratio=1", "invalid spring, expected response_s > 0"),
    ("springs --spring response_s=a,damping_ratio=1", "KEY=VALUE"),
    ("springs --spring response_s=1,damping_ratio=1e99", "KEY=VALUE"),
    ("springs --spring response_s=1,", "KEY=VALUE"),
    ("springs --spring half", "KEY=VALUE"),
    ("springs --spring mass=1,stiffness=1,damping=1,damping_ratio=1", "KEY=VALUE"),
    ("springs" + 8 * " --spring response_s=1,damping_ratio=1", "up to 7"),
    ("springs --start 1", "POSITION,VELOCITY"),
    ("springs --start 1,2,3", "POSITION,VELOCITY"),
    ("springs --start 1,nan", "--start 1,nan: is not finite; expected POSITION,VELOCITY"),
    ("springs --start 1,1_0", "POSITION,VELOCITY"),
    ("springs --start 1,-0X1p3", "POSITION,VELOCITY"),
    ("springs --start 1,1e-400", "is too small for a float, and not zero; expected POSITION,VELOCITY"),
    ("springs --retarget 1", "TIME:TARGET"),
    ("springs --retarget=-1:2", "TIME:TARGET"),
    ("springs --retarget 2:1 --duration 1", "up to the duration of 1 s"),
    ("springs --duration 0", "seconds, more than 0"),
    ("springs --tolerance=-1", "a distance, more than 0"),
    ("springs --damping 0.5", "--damping is not for plot springs"),
    ("springs --acceleration 1", "--acceleration is not for plot springs"),
    ("springs --theme blue", "--theme blue: expected light or dark"),
    ("particles --damping -1e-9", "a rate in 1/s, 0 or more"),
    ("particles --damping inf", "a rate in 1/s, 0 or more"),
    ("particles --damping 0.5x", "a rate in 1/s, 0 or more"),
    ("particles --acceleration down", "a number"),
    ("particles --spring response_s=1,damping_ratio=1", "--spring is not for plot particles"),
    ("particles --retarget 1:1", "--retarget is not for plot particles"),
    ("tumble --method rk4", "moser_veselov, midpoint, object_trapezoid, trapezoid or explicit_euler"),
    ("tumble --method moser_veselov:3", ":6 or :8"),
    ("tumble --method moser_veselov:", ":6 or :8"),
    ("tumble --method moser_veselov:66", ":6 or :8"),
    ("tumble --method midpoint:2", ":6 or :8"),
    ("tumble" + 8 * " --method midpoint", "up to 7"),
    ("tumble --inertia 1,2", "three principal moments"),
    ("tumble --inertia 1,2,3,4", "three principal moments"),
    ("tumble --inertia 1,0,3", "more than 0"),
    ("herpolhode --spin 0,0,0", "not all 0"),
    ("herpolhode --spin 1,x,0", "X,Y,Z"),
    ("herpolhode --time-step 0", "seconds, more than 0"),
    ("herpolhode --time-step 1e-40", "is too small for a float, and not zero; expected"),
    ("herpolhode --time-step 1e-9", "expected at most 10000000"),
    ("tumble --duration 0.05", "less than one time step of 0.1 s"),
    ("herpolhode --duration 0.05", "less than one time step of 0.1 s"),
    ("tumble --time-step 4000 --duration 2e4", "the body rotates too far in a step for an exact reference"),
    ("herpolhode --spin 1,2e6,1", "the body rotates too far in a step for an exact reference"),
    ("convergence --range=-1", "a momentum, more than 0"),
    ("convergence --method moser_veselov", "Moser-Veselov, order 6 does not iterate"),
    ("convergence --method moser_veselov:8", "Moser-Veselov, order 8 does not iterate"),
    ("convergence --method explicit_euler", "explicit Euler does not iterate"),
    ("energy --method midpoint --method trapezoid", "a map shows one method, got 2"),
    ("convergence --method object_trapezoid --range 1e9",
     "a step of 1 s takes more than 20000 sub-steps; expected a smaller --range"),
    ("energy --spin 1,0,0", "--spin is not for plot energy"),
    ("energy --range 1e6", "a step of 1 s takes more than 20000 sub-steps; expected a smaller --range"),
    ("energy --inertia 1e-10,1,1", "a step of 1 s takes more than 20000 sub-steps"),
    ("frontier --method midpoint", "--method is not for plot frontier"),
    ("frontier --peers none.json", "none.json: cannot open: No such file"),
    ("turns --spin 1,2,3", "--spin is not for plot turns"),
    ("chains --duration 1", "--duration is not for plot chains"),
    ("tumble --range 3", "--range is not for plot tumble"),
    ("springs --method midpoint", "--method is not for plot springs"),
    ("springs --start 3e38,3e38", "does not fit in a float; expected "),
    ("particles --start 3e38,3e38", "does not fit in a float; expected "),
    ("springs --spring angular_frequency=1.2e-38,damping_ratio=0", "does not fit in a float; expected "),
    ("springs --spring angular_frequency=3e-38,damping_ratio=1 --tolerance 0.001",
     "does not fit in a float; expected "),
    ("tumble --spin 3e38,0,0", "does not fit in a float; expected "),
    ("herpolhode --spin 3e38,1,1", "does not fit in a float; expected "),
    ("energy --method explicit_euler --range 3e38", "does not fit in a float; expected "),
    ("springs -o springs.bmp", "--output springs.bmp: expected a name that ends in .svg, .png or .pdf"),
    ("springs --springs response_s=1", "did you mean --spring?"),
    ("springs --no-such-option", "plot: option --no-such-option not recognized"),
    ("springs -x", "plot: option -x not recognized"),
    ("springs --output", "plot: option --output requires argument"),
    ("spring", "did you mean springs?"),
    ("waltz", "try python3 -m gyre.plot --help"),
    ("", "plot: expected one picture"),
    ("springs tumble", "plot: expected one picture"),
]


@pytest.mark.parametrize("arguments, part", REFUSALS)
def test_refusals(arguments, part, capfd):
    assert main(arguments.split()) == 2
    said = capfd.readouterr().err
    assert said.startswith("gyre: ") and part in said and said.count("\n") == 1
    assert os.listdir() == []


@pytest.mark.parametrize("arguments", [
    "springs --start 0,0", "particles --start 5,0", "particles --start 0,0", "particles --start 1e8,0.1",
    "particles --start 3e38,0", "springs --start 3e38,0", "springs --duration 3e38", "springs --retarget 1e37:2",
    "springs --spring response_s=1,damping_ratio=1 --retarget 1:-3.4e38", "particles --duration 3e38",
    "tumble --inertia 1,3,2", "herpolhode --spin 0,0,1", "herpolhode --method midpoint --duration 2e4"])
def test_drawn_without_a_word(arguments, capfd):
    """Curves at one height, and numbers near the limits of floats."""
    assert main([*arguments.split(), "-o", "out.svg"]) == 0
    assert capfd.readouterr() == ("", "")
    xml.etree.ElementTree.parse("out.svg")


@pytest.mark.parametrize("inertia, percent, near", [
    ("1,1,5", "60", "2, 2, 4"), ("4,1,1", "50", "3.33333325, 1.66666663, 1.66666663"),
    ("1,10,2", "70", "3.33333325, 7.66666651, 4.33333349")])
def test_a_warning_of_what_no_mass_has(inertia, percent, near, capfd):
    assert main(["tumble", "--inertia", inertia]) == 0
    assert capfd.readouterr().err == (
        f"gyre: warning: --inertia {inertia}: no mass has such an inertia: the largest moment exceeds the sum of the "
        f"others by {percent} % of itself; check units and powers of ten, the nearest possible is {near}\n")


@pytest.mark.parametrize("old, new, part", [
    ('_6_ns": 10', '_6_ns": 0', "frontier.gyre_moser_veselov_6_ns: is 0, expected more than 0"),
    ('"name"', '"names"', "frontier.peers[0].names: unknown key; did you mean name?"),
    ('"ns": 240', '"ns": -1', "frontier.peers[0].points[1].ns: is -1"),
    ('"error_rad": 0.25', '"error_rad": 0', "frontier.peers[0].points[0].error_rad: is 0"),
    ('"source"', '"sauce"', "frontier.sauce: unknown key"),
    ('"frontier"', '"border"', "frontier: expected an object"),
    ('"times_ns": {},', '"times_ns": {', "peers.json: ")])
def test_bad_peers(old, new, part, capfd):
    text = json.dumps(PEERS)
    assert text.count(old) == 1
    pathlib.Path("peers.json").write_text(text.replace(old, new))
    assert main(["frontier", "--peers", "peers.json"]) == 2
    assert part in capfd.readouterr().err
    assert os.listdir() == ["peers.json"]


def test_outputs_that_cannot_be_written(capfd):
    """Said before seconds of measuring."""
    pathlib.Path("peers.svg").write_text(json.dumps(PEERS))
    for arguments, status, part in (("-o none/out.svg", 1, "none/out.svg: cannot write: No such file"),
                                    ("--peers peers.svg -o peers.svg", 2, "peers.svg: is an input of this run")):
        assert main(["frontier", *arguments.split()]) == status
        assert part in capfd.readouterr().err
        assert os.listdir() == ["peers.svg"]


def test_a_full_disk(capfd):
    os.symlink("/dev/full", "out.svg")
    assert main(["springs", "-o", "out.svg"]) == 1
    assert capfd.readouterr().err == "gyre: out.svg: cannot write: No space left on device\n"


def run(*arguments, **options):
    return subprocess.run([sys.executable, "-m", "gyre.plot", *arguments], capture_output=True, text=True, **options)


def test_without_matplotlib():
    """The former picture stays."""
    pathlib.Path("springs.svg").write_text("former")
    pathlib.Path("matplotlib.py").write_text("raise ModuleNotFoundError('none', name='matplotlib')")
    path = os.pathsep.join([os.getcwd(), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = run("springs", env={**os.environ, "PYTHONPATH": path})
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "gyre: matplotlib is not installed; on Debian: apt-get install python3-matplotlib\n"
    assert pathlib.Path("springs.svg").read_text() == "former"


def test_help():
    done = run("--help")
    assert (done.returncode, done.stderr) == (0, "")
    for word in (*PICTURES, "explicit_euler", "precise", "light"):
        assert word in done.stdout
    assert set(re.findall(r"--([a-z-]+)", done.stdout)) == {*OPTIONS, "help", "output"}
    assert max(map(len, done.stdout.splitlines())) < 80


def test_example_springs_are_accepted(capfd):
    main(["--help"])
    main(["springs", "--spring", ""])
    examples = re.findall(r"\b\w+=[\d.]+(?:,\w+=[\d.]+)+", "".join(capfd.readouterr()))
    assert len(examples) == 2
    for example in examples:
        asked("--spring", example)


# ---- Files ----

SIZES = {"springs": (1200, 540), "energy": (800, 790)}


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("picture", QUICK)
def test_files(picture, theme):
    files = {kind: io.BytesIO() for kind in ("png", "pdf", "svg")}
    with style.settings(style.THEMES[theme]):
        made = MODULES[picture].draw(Options(theme=theme), style.THEMES[theme])
        for kind, file in files.items():
            made.save(file, kind)
    png, pdf, svg = (file.getvalue() for file in files.values())
    root = xml.etree.ElementTree.fromstring(svg)
    width, height = (int(root.get(name)) for name in ("width", "height"))
    assert (width, height) == SIZES.get(picture, (width, height)) and root.get("viewBox") == f"0 0 {width} {height}"
    assert len(svg) < (160000 if picture == "energy" else 60000)
    assert png[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack(">II", png[16:24]) == (2 * width, 2 * height)
    assert png[-12:] == b"\0\0\0\0IEND\xaeB`\x82" and len(png) > 20000
    assert pdf.startswith(b"%PDF-1.") and pdf.rstrip().endswith(b"%%EOF")
    paper = style.THEMES[theme].paper
    assert f"fill:{paper}".encode() in svg
    corner = imread(io.BytesIO(png))[0, 0, :3]
    np.testing.assert_allclose(corner, [int(paper[k:k + 2], 16) / 255 for k in (1, 3, 5)], atol=1e-6)


@pytest.mark.parametrize("picture", QUICK)
def test_the_same_bytes_each_time(picture):
    """In other processes too, whatever the user's settings of matplotlib are."""
    settings = pathlib.Path("matplotlibrc")
    kinds = ("svg", "png", "pdf") if picture == "springs" else ("svg",)
    for name in ("a", "b"):
        for kind in kinds:
            done = run(picture, "-o", f"{name}.{kind}", env={**os.environ, "MATPLOTLIBRC": str(settings)})
            assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        settings.write_text("axes.linewidth: 5\nfont.size: 30\n")
    for kind in kinds:
        assert pathlib.Path(f"a.{kind}").read_bytes() == pathlib.Path(f"b.{kind}").read_bytes()
    assert sorted(os.listdir()) == sorted(["matplotlibrc", *(f"{name}.{kind}" for name in "ab" for kind in kinds)])


def test_small_paths():
    """Rounded points stay within a tenth of a pixel, however long the path is."""
    points = np.random.default_rng(1).uniform(0, 500, (1000, 2))
    data = "M " + " L ".join(f"{x:.6f} {y:.6f}" for x, y in points)
    x, y, found = 0.0, 0.0, []
    for kind, numbers in re.findall(r"([Mlhv])([^Mlhv]*)", style.small_path(data)):
        values = [float(number) for number in re.findall(r"-?\d*\.?\d+", numbers)]
        if kind == "M":
            x, y = values
        else:
            x, y = x + (values[0] if kind in "lh" else 0), y + (values[-1] if kind in "lv" else 0)
        found.append((x, y))
    np.testing.assert_allclose(found, points, atol=0.051)


# ---- What jars ----

LOOKS = [
    *((picture,) for picture in QUICK), ("springs", *SPRINGS), ("springs", *SPRINGS, "--duration", "1"),
    ("springs", "--spring", "settling_s=0.123456,damping_ratio=0.123456,fraction=0.0123456", "--spring",
     "mass=123456,stiffness=123456,damping=123456"),
    *((picture, "--duration", duration) for picture in ("springs", "particles")
      for duration in ("5e-4", "2e-3", "0.2", "90000", "2e6")),
    *(("springs", "--start", start) for start in ("20000,0", "100000,0")),
    ("springs", "--start", "1e6,0", "--retarget", "0:999998"),
    *(("particles", "--start", start) for start in ("12345678,-987654", "1e-7,3e-6", "1e5,1")),
    ("particles", *(word for tenth in range(1, 8) for word in ("--damping", f"0.{tenth}"))),
    ("particles", "--start", "0,-200", *(word for tenth in range(1, 8) for word in ("--damping", f"0.{tenth}"))),
    ("springs", *("--spring", "response_s=0.5,damping_ratio=1") * 7),
    *(("herpolhode", "--time-step", "0.9", "--duration", duration) for duration in ("60", "9999", "99999")),
    ("tumble", *("--method", "moser_veselov:8") * 7, "--inertia", "1.2345e-5,2.3456e-5,3.4567e-5"),
    *(("convergence", "--inertia", "1000,2000,2500", "--range", most) for most in ("150", "10000")),
    ("energy", "--method", "moser_veselov"), ("energy", "--inertia", "1000,2000,2500", "--range", "12345"),
]


def boxes_of(picture):
    renderer = FigureCanvasAgg(picture.figure).get_renderer()
    picture.figure.draw(renderer)
    return [(text.get_text(), text.get_window_extent(renderer)) for text in shown_texts(picture.figure)]


@pytest.mark.parametrize("arguments", LOOKS, ids=" ".join)
def test_texts_neither_overlap_nor_leave_the_picture(arguments):
    picture = drawn(*arguments)
    expect_tidy(picture)
    if arguments[0] in ("springs", "particles", "tumble", "herpolhode") and "--spring" not in arguments:
        for axes in picture.figure.axes:
            low, high = axes.get_xlim()
            numbers = [place for place in axes.get_xticks() if low <= place <= high]
            assert not axes.axison or len(numbers) >= 3


def test_the_texts_of_the_frontier(frontier_picture):
    expect_tidy(frontier_picture)


def expect_tidy(picture):
    boxes = boxes_of(picture)
    assert len(boxes) > 10
    for i, (text, box) in enumerate(boxes):
        assert 0 < box.x0 and box.x1 < picture.width and 0 < box.y0 and box.y1 < picture.height, text
        for other_text, other in boxes[:i]:
            apart = (box.x1 <= other.x0 or other.x1 <= box.x0 or box.y1 <= other.y0 or other.y1 <= box.y0)
            assert apart, (text, other_text)
    assert min(text.get_size() for text in shown_texts(picture.figure)) >= 9


DAMPED = (*SPRINGS[:5], "duration_s=0.5,bounce=0.1")


@pytest.mark.parametrize("arguments", [
    ("particles",), ("springs", "--tolerance", "0.02"), ("springs", *DAMPED, "--retarget", "0.4:-2"),
    ("springs", *DAMPED, "--retarget", "0.9:3", "--retarget", "0.4:5")], ids=" ".join)
def test_times_of_dots_do_not_cover_curves(arguments):
    picture = drawn(*arguments)
    axes = picture.figure.axes[0]
    dots = [(text, box) for text, box in boxes_of(picture) if re.fullmatch(r"[\d.]+ s", text)]
    assert len(dots) >= 2
    for text, box in dots:
        for points in curves_of(axes):
            x, y = axes.transData.transform(points).T
            assert not np.any((x > box.x0 + 2) & (x < box.x1 - 2) & (y > box.y0 + 4) & (y < box.y1 - 4)), text


def contrast(one, other):
    """Of two colours, as in WCAG 2: 1 to 21."""
    def luminance(colour):
        parts = np.array([int(colour[k:k + 2], 16) / 255 for k in (1, 3, 5)])
        linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
        return linear @ (0.2126, 0.7152, 0.0722)

    low, high = sorted(map(luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", style.THEMES)
def test_colours_can_be_seen(theme):
    colours = style.THEMES[theme]
    for colour, least in ((colours.ink, 7), (colours.quiet, 4.5), *((curve, 2) for curve in colours.curves)):
        assert contrast(colour, colours.paper) >= least, colour
    assert len(set(colours.curves)) == 7
    for own in frontier.OWN:
        assert contrast(own.colours[theme == "dark"], colours.paper) >= 2, own.label
