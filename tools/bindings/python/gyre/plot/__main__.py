"""usage: python3 -m gyre.plot PICTURE [options]

Draws a picture with matplotlib.

  springs      damped springs over time, and when they settle
  particles    position and velocity over time under damping, and where the
               particle comes to rest
  turns        the gaze direction of a head whose target changes while it
               turns, with a spring on rotations and with one that assumes
               small angles
  tumble       a body that flips over its middle axis, with each method
  herpolhode   the path of that body's angular velocity, and how far each
               method leaves its plane
  convergence  iterations per step over angular momentum, with Newton's method
               and with fixed-point iteration
  energy       energy change of a body in a step over angular momentum
  frontier     accuracy against cost, for the methods here and for other
               engines
  chains       a tail at three frame rates, by Gyre and by VRM's recurrence

Without options, springs shows the three regimes of a spring, particles shows
the damping of scroll views, and the pictures of bodies show a T-handle with
each method. turns and chains have no options of their own. tumble and
herpolhode use orientations with low parts, like scenes with precise.

Options for springs
  --spring KEY=VALUE,...     Draws one curve; up to 7 times. Keys as in scenes,
                             such as response_s=0.5,damping_ratio=0.8
  --retarget TIME:TARGET     The target from that time on; before that it is 0.

Options for particles
  --damping RATE             In 1/s. Draws one curve; up to 7 times.
  --acceleration A           Default 0.

Options for springs and particles
  --start POSITION,VELOCITY  Default 1,0 for springs and 0,2000 for particles.
  --duration SECONDS         Default: a little longer than until all are
                             settled.
  --tolerance DISTANCE       The distance from the target or rest position that
                             counts as settled. Default: about 1 % of the total
                             distance.

Options for bodies
  --method NAME              For tumble and herpolhode, draws one curve; up to
                             7 times. For convergence and energy, the method of
                             the map; default midpoint. One of moser_veselov,
                             midpoint, object_trapezoid, trapezoid and
                             explicit_euler; moser_veselov:6 and
                             moser_veselov:8 set the order.
  --inertia A,B,C            Principal moments; default 2.5,1.4,1.3
  --spin X,Y,Z               For tumble and herpolhode, the initial angular
                             velocity in the body frame. Default: 6 rad/s about
                             the middle axis and 0.01 about the others.
  --time-step SECONDS        For tumble and herpolhode; default 0.1
  --duration SECONDS         For tumble and herpolhode; default 60
  --range MOMENTUM           For convergence and energy, in each direction;
                             default 15 and 50.
  --peers FILE               For frontier, the other engines: a results.json of
                             bench/results, or any JSON file whose frontier has
                             gyre_moser_veselov_6_ns, the time of Moser-Veselov
                             of order 6 in the same run, and peers, a list of
                             objects with a name and points of steps_a_frame,
                             ns and error_rad. - means standard input.

Options for all
  --theme THEME              light (default) or dark.
  -o, --output FILE          The name must end in .svg, .png or .pdf; default:
                             PICTURE.svg
  -h, --help                 Show this text.
"""
from __future__ import annotations

import getopt
import importlib
import os
import sys
from typing import Any, Sequence

from .options import OPTIONS, Failed, Options, Refused, nearest, read_options, say

FLIGHT = ("method", "inertia", "spin", "time-step", "duration")
PICTURES = {
    "springs": ("spring", "start", "retarget", "duration", "tolerance"),
    "particles": ("damping", "start", "acceleration", "duration", "tolerance"),
    "turns": (), "tumble": FLIGHT, "herpolhode": FLIGHT, "convergence": ("method", "inertia", "range"),
    "energy": ("method", "inertia", "range"), "frontier": ("peers",), "chains": ()}  # and their options
HINT = "try python3 -m gyre.plot --help"
KINDS = ("svg", "png", "pdf")


def split(arguments: Sequence[str]) -> tuple[list[tuple[str, str]], list[str]]:
    """Options, without their dashes, and the other words."""
    long = ["output=", "help", *(f"{name}=" for name in OPTIONS)]
    try:
        options, words = getopt.gnu_getopt(list(arguments), "o:h", long)
    except getopt.GetoptError as error:
        near = None if "requires" in error.msg or "unique" in error.msg else nearest(error.opt, OPTIONS)
        raise Refused(f"plot: {error.msg}{f'; did you mean --{near}?' if near else ''}") from None
    full = {"-o": "output", "-h": "help"}
    return [(full.get(name, name[2:]), text) for name, text in options], words


def picture_of(words: Sequence[str]) -> str:
    if len(words) != 1:
        raise Refused(f"plot: expected one picture; {HINT}")
    if words[0] not in PICTURES:
        near = nearest(words[0], PICTURES)
        raise Refused(f'unknown picture "{words[0]}"; {f"did you mean {near}?" if near else HINT}')
    return words[0]


def kind_of(output: str) -> str:
    kind = os.path.splitext(output)[1][1:]
    if kind not in KINDS:
        raise Refused(f"--output {output}: expected a name that ends in .svg, .png or .pdf")
    return kind


def is_input(output: str, options: Sequence[tuple[str, str]]) -> bool:
    return any(name == "peers" and os.path.exists(text) and os.path.exists(output) and os.path.samefile(text, output)
               for name, text in options)


def styled(options: Options) -> tuple[Any, Any]:
    """The module `style`, which needs matplotlib, and the theme."""
    try:
        style = importlib.import_module("gyre.plot.style")
    except ImportError as error:
        if error.name is None or not error.name.startswith("matplotlib"):
            raise
        raise Failed("matplotlib is not installed; on Debian: apt-get install python3-matplotlib") from None
    return style, style.THEMES[options.theme]


def draw(arguments: Sequence[str]) -> None:
    options, words = split(arguments)
    if any(name == "help" for name, _ in options):
        print(__doc__, end="")
        return
    picture = picture_of(words)
    for name, _ in options:
        if name not in (*PICTURES[picture], "output", "theme"):
            raise Refused(f"--{name} is not for plot {picture}; {HINT}")
    output = next((text for name, text in reversed(options) if name == "output"), f"{picture}.svg")
    kind = kind_of(output)
    asked = read_options([option for option in options if option[0] != "output"])
    if is_input(output, options):
        raise Refused(f"{output}: is an input of this run")
    style, theme = styled(asked)
    # The file first, so that no work is lost if it cannot be written.
    with style.replacing(output) as file, style.settings(theme):
        importlib.import_module(f"gyre.plot.{picture}").draw(asked, theme).save(file, kind)


def main(arguments: Sequence[str]) -> int:
    """Draws a picture. Returns the exit status: 1 if the machine failed, 2 if the arguments are wrong."""
    try:
        draw(arguments)
    except Refused as error:
        say(str(error))
        return 2
    except Failed as error:
        say(str(error))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
