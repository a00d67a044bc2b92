"""A map over the momentum: by how much one step of 1 s changes the energy."""
from __future__ import annotations

import math

import numpy as np

from .bodies import MAP_SIDE, MOST_SUBSTEPS, Map, expect_few_substeps, map_panel, named, show, solver_of, usual_map
from .options import Options, finite
from .style import Numbers, Picture, Theme, plain


def changes(asked: Map) -> Numbers:
    """The relative change of each pixel's body, with the sub-steps that the bound of its method requires."""
    bodies = asked.all_bodies()
    before, after = np.empty((2, len(bodies)), np.float32)
    bodies.energy(before)
    bodies.step(1, solver_of(asked.method, max_substeps=MOST_SUBSTEPS))
    bodies.energy(after)
    with np.errstate(all="ignore"):
        change: Numbers = np.abs((after.astype(float) - before) / before)
    finite(float(change.max()))
    return change.reshape(MAP_SIDE, MAP_SIDE)


def draw(options: Options, theme: Theme) -> Picture:
    asked = usual_map(options, 50)
    expect_few_substeps(asked)
    percent = 100 * changes(asked)
    most = float(percent.max())
    # Small changes are scaled, so that the numbers next to the colours are short.
    power = math.floor(math.log10(most)) if 0 < most < 0.01 else 0
    unit = f"$10^{{{power}}}$ %" if power else "%"
    told = f"{most / 10.0**power:.2g}{' × ' if power else ' '}{unit}"
    picture = Picture(800, 790, theme, plain(
        f"A {named(asked.inertia)}: by how much does a step of 1 s change its energy?\n"
        f"{asked.method.label}: at most") + f" {told}")
    panel = map_panel(picture, asked, 104, 660, 84, 640)
    panel.set_ylabel("$L_y$ (kg m²/s)", labelpad=2)
    image = show(panel, asked, percent / 10.0**power, "cividis", vmin=0, vmax=most / 10.0**power or 1,
                 interpolation="bilinear")
    bar = picture.panel(684, 708, 84, 640)
    picture.figure.colorbar(image, cax=bar)
    bar.set_ylabel(f"change of energy ({unit})")
    for k, line in enumerate(("Each point is a body with this angular momentum about its first two axes. A faster body",
                              "gets more sub-steps. Their number rises by one at each of the fine rings.")):
        picture.text(40, 728 + 22 * k, line, size=15, colour=theme.quiet)
    return picture
