"""How pictures look, and how they are saved: themes, titles, legends, small SVGs."""
from __future__ import annotations

import contextlib
import io
import os
import pathlib
import re
from typing import Any, BinaryIO, Iterator, NamedTuple, Sequence
from xml.etree import ElementTree

import matplotlib
import matplotlib.lines
import matplotlib.ticker
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from numpy.typing import NDArray

from .options import Failed, finite

Numbers = NDArray[np.float64]
SVG = "{http://www.w3.org/2000/svg}"
ElementTree.register_namespace("", SVG[1:-1])
ElementTree.register_namespace("xlink", "http://www.w3.org/1999/xlink")


class Theme(NamedTuple):
    paper: str
    ink: str
    quiet: str  # of notes and axes
    grid: str
    band: str  # what lies behind curves
    exact: str  # a wide line behind curves
    proven: str
    none: str  # of a map, where nothing converges
    few: str  # iterations
    many: str
    plane: str  # of the herpolhode
    curves: tuple[str, ...]


# The palette of Okabe and Ito without yellow: distinguishable with every kind of colour vision. In the dark they are
# lighter.
LIGHT = Theme("#ffffff", "#24292f", "#57606a", "#e3e3e3", "#ececec", "#c4c4c4", "#009e73", "#f2c230", "#f4f4f4",
              "#202020", "#dce9f2", ("#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"))
DARK = Theme("#0d1117", "#e6edf3", "#9da7b1", "#262c34", "#1f262e", "#4b545e", "#1fd0a0", "#c98a00", "#161c24",
             "#f0f0f0", "#17293a", ("#ff7b2e", "#3f9fe0", "#16b88a", "#e08bbd", "#f0b33a", "#9bd4f7", "#ffffff"))
THEMES = {"light": LIGHT, "dark": DARK}

LEFT, RIGHT = 0.07, 0.67  # of panels beside a legend, as fractions of the width
LEGEND = 0.695


@contextlib.contextmanager
def settings(theme: Theme) -> Iterator[None]:
    """Those of matplotlib, whatever the user's own are."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update({
            "font.sans-serif": ["DejaVu Sans"], "font.size": 16, "mathtext.fontset": "dejavusans",
            "text.color": theme.ink, "axes.labelcolor": theme.ink, "axes.edgecolor": theme.quiet, "axes.labelsize": 16,
            "axes.facecolor": theme.paper, "figure.facecolor": theme.paper, "savefig.facecolor": theme.paper,
            "xtick.color": theme.quiet, "ytick.color": theme.quiet, "xtick.labelcolor": theme.ink,
            "ytick.labelcolor": theme.ink, "xtick.labelsize": 15, "ytick.labelsize": 15, "grid.color": theme.grid,
            "axes.grid": True, "xtick.major.size": 0, "ytick.major.size": 0, "xtick.major.pad": 7,
            "ytick.major.pad": 7, "axes.axisbelow": True, "axes.spines.top": False, "axes.spines.right": False,
            "axes.titlesize": 16, "axes.formatter.limits": (-4, 5), "axes.formatter.use_mathtext": True,
            "axes.xmargin": 0, "lines.linewidth": 2.5, "lines.solid_capstyle": "round", "path.simplify_threshold": 0.15,
            "svg.fonttype": "none", "svg.hashsalt": "gyre", "pdf.fonttype": 42, "image.interpolation": "none"})
        yield


class Picture:
    """A figure of width x height pixels with a title at its top. Lengths and places are in pixels from the top left."""

    def __init__(self, width: int, height: int, theme: Theme, title: str) -> None:
        self.theme, self.width, self.height = theme, width, height
        self.figure: Any = Figure(figsize=(width / 72, height / 72), dpi=72)  # so that a point is a pixel
        question, *more = title.split("\n")
        self.fitted(self.text(24, 34, question, size=20, weight="bold"), width - 48)
        for line in more:
            self.fitted(self.text(24, 60, line, colour=theme.quiet), width - 48)

    def text(self, x: float, y: float, text: str, size: float = 16, colour: str | None = None, across: str = "left",
             weight: str = "normal", rotation: float = 0) -> Any:
        """Text whose base line is at y."""
        return self.figure.text(x / self.width, 1 - y / self.height, text, size=size, color=colour or self.theme.ink,
                                ha=across, va="center" if rotation else "baseline", weight=weight, rotation=rotation,
                                rotation_mode="anchor")

    def fitted(self, text: Any, room: float) -> None:
        """Makes a text smaller if it needs more room than there is."""
        wide = text.get_window_extent(FigureCanvasAgg(self.figure).get_renderer()).width
        text.set_size(text.get_size() * min(1, room / wide))

    def panel(self, left: float, right: float, top: float, bottom: float, **options: Any) -> Any:
        return self.figure.add_axes([left / self.width, 1 - bottom / self.height, (right - left) / self.width,
                                     (bottom - top) / self.height], **options)

    def legend(self, y: float, colour: str, label: str, note: str, x: float | None = None) -> None:
        """A line and a label in its colour, and a note below, in the right margin."""
        x = LEGEND * self.width if x is None else x
        self.figure.add_artist(matplotlib.lines.Line2D(
            [x / self.width, (x + 26) / self.width], [1 - (y - 5) / self.height] * 2, color=colour, linewidth=4))
        self.fitted(self.text(x + 36, y, plain(label), colour=colour), self.width - x - 36 - 8)
        self.text(x + 36, y + 20, plain(note), size=14, colour=self.theme.quiet)

    def notes(self, *lines: str, x: float | None = None) -> None:
        """Lines at the bottom of the right margin."""
        for k, line in enumerate(reversed(lines)):
            self.text(LEGEND * self.width if x is None else x, self.height - 24 - 21 * k, plain(line), size=14,
                      colour=self.theme.quiet)

    def dots(self, panel: Any, times_s: Sequence[float], heights: Sequence[float],
             curves: Sequence[tuple[Numbers, Numbers]]) -> None:
        """A dot on each curve, with its time above or below, placed so that texts do not overlap and, where possible,
        do not cover curves. A time that is NaN or beyond the end has no dot. The limits of the panel must be set."""
        transform = panel.transData.transform
        paths = [transform(np.column_stack(curve)) for curve in curves]
        (left, bottom), (right, top) = panel.get_window_extent().get_points()
        taken: list[tuple[float, float]] = []
        for k, (time_s, height) in enumerate(zip(times_s, heights)):
            if not time_s <= panel.get_xlim()[1]:
                continue
            x, y = transform((time_s, height))
            text = f"{time_s:.3g} s"
            half = 4.6 * len(text)
            # Above, below, farther above, and so on; first near and not over curves, then farther and over them.
            offsets = [(x + aside, y + sign * (19 + 17 * step)) for step in range(16) for sign in (1, -1)
                       for aside in (0, half + 8, -half - 8)]
            offsets = [(min(max(x, left + half), right - half), y) for x, y in offsets]
            free = [(x, y) for x, y in offsets if bottom + 9 < y < top + 6 and not any(
                abs(x - other_x) < 2 * half and abs(y - other_y) < 16 for other_x, other_y in taken)]
            clear = [place for place in free[:18] if not any(crosses(path, *place, half) for path in paths)]
            place = next(iter([*clear, *free, *offsets]))
            taken.append(place)
            colour = self.theme.curves[k]
            panel.plot([time_s], [height], "o", color=colour, markersize=9, clip_on=False, zorder=5)
            self.figure.text(place[0] / self.width, place[1] / self.height, text, size=14, color=colour, ha="center",
                             va="center", bbox={"facecolor": self.theme.paper, "edgecolor": "none", "pad": 1.5})

    def save(self, file: BinaryIO, kind: str) -> None:
        """`kind`: svg, png or pdf."""
        if kind == "svg":
            for image in (image for axes in self.figure.axes for image in axes.images):
                image.set_interpolation("none")  # browsers smooth it
            text = io.StringIO()
            self.figure.savefig(text, format="svg", metadata={"Date": None})
            file.write(small(text.getvalue()).encode())
        elif kind == "pdf":
            self.figure.savefig(file, format="pdf", metadata={"CreationDate": None})
        else:  # twice as many pixels
            self.figure.savefig(file, format="png", dpi=144, metadata={"Software": None})


def plain(text: str) -> str:
    """Text without mathematics, with a minus sign before digits, as at the axes."""
    return re.sub(r"-(?=\d)", "−", text).replace("$", r"\$")


def crosses(path: Numbers, x: float, y: float, half: float) -> bool:
    """Whether a curve passes through a text."""
    near = path[np.abs(path[:, 0] - x) < half + 4, 1]
    return bool(len(near) and near.min() < y + 9 and near.max() > y - 9)


def heights(panel: Any, values: Sequence[Numbers], above: float = 0.08, below: float = 0.08) -> None:
    """Limits around all values, with room; more where curves are all at one height."""
    low = finite(min(float(value.min()) for value in values))
    high = finite(max(float(value.max()) for value in values))
    room = high - low if high > low else abs(low) or 1
    panel.set_ylim(low - below * room, high + above * room)


def fewer_ticks(panel: Any, most: int) -> None:
    panel.xaxis.set_major_locator(matplotlib.ticker.MaxNLocator(most, steps=[1, 2, 2.5, 5, 10]))


def rounded(value: float) -> float:
    """To one digit."""
    return float(f"{value:.0e}")


# ---- Files ----

@contextlib.contextmanager
def replacing(name: str) -> Iterator[BinaryIO]:
    """A file that takes the place of an older one when all is written. A device is written to as it is."""
    target = pathlib.Path(os.path.realpath(name))
    is_device = target.exists() and not target.is_file()
    written = target if is_device else target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with open(written, "wb") as file:
            yield file
        if not is_device:
            os.replace(written, target)
    except OSError as error:
        raise Failed(f"{name}: cannot write: {error.strerror}") from None
    finally:
        if not is_device:
            with contextlib.suppress(OSError):
                written.unlink()


def small(svg: str) -> str:
    """The same picture in fewer bytes: curves in steps of a tenth of a pixel, and nothing that is not seen."""
    root = ElementTree.fromstring(svg)
    root.set("font-family", "DejaVu Sans,sans-serif")
    for metadata in root.findall(f"{SVG}metadata"):
        root.remove(metadata)
    for element in root.iter():
        element.tail = "\n"
        for name, value in element.items():
            element.set(name, small_value(element.tag, name, value))
    flatten(root)
    for text in root.iter(f"{SVG}text"):
        text.text = (text.text or "").strip()
        for part in text:
            part.tail = ""
    return ElementTree.tostring(root, encoding="unicode")


def flatten(element: ElementTree.Element) -> list[ElementTree.Element]:
    """The element, or what is in it if it is a group that changes nothing."""
    if element.tag == f"{SVG}g":
        element.attrib.pop("id", None)
        element.text = ""
    element[:] = [inner for child in element for inner in flatten(child)]
    return list(element) if element.tag == f"{SVG}g" and not element.attrib else [element]


def small_value(tag: str, name: str, value: str) -> str:
    if name == "d":
        return small_path(value)
    if name in ("x", "y") or (name == "transform" and value.startswith("translate")):
        value = re.sub(r"-?\d+\.\d+", lambda found: tenths(round(10 * float(found[0]))), value)
    if tag == f"{SVG}svg":
        return value.removesuffix("pt")
    if name == "style":
        family = r"font: ((?:\w+ )*)([\d.]+)px [^;]*"
        value = re.sub(family, lambda found: "".join(
            f"font-{'style' if word in ('italic', 'oblique') else 'weight'}:{word};" for word in found[1].split()) +
            f"font-size:{float(found[2]):g}px", value)
        return re.sub(r"(?<=[;:]) ", "", value)
    return value


def small_path(data: str) -> str:
    """Lines as differences of rounded points, so that rounding does not add up. Curves are only rounded."""
    tokens = re.findall(r"[A-Za-z]|-?[\d.]+(?:e-?\d+)?", data)
    if set(re.findall("[A-Za-z]", data)) <= set("MLz"):
        text, at, x, y = "", 0, 0, 0
        while at < len(tokens):
            kind = tokens[at]
            if kind == "z":
                text, at = text + "z", at + 1
                continue
            next_x, next_y = (round(10 * float(token)) for token in tokens[at + 1:at + 3])
            if kind == "M":
                text += f"M{tenths(next_x)} {tenths(next_y)}"
            elif next_y == y:
                text += f"h{tenths(next_x - x)}"
            elif next_x == x:
                text += f"v{tenths(next_y - y)}"
            else:
                text += f"l{tenths(next_x - x)} {tenths(next_y - y)}"
            x, y, at = next_x, next_y, at + 3
        return text.replace(" -", "-")
    return re.sub(r" ?([A-Za-z]) ?", r"\1", " ".join(
        token if token.isalpha() else f"{float(token):.2f}".rstrip("0").rstrip(".") for token in tokens))


def tenths(value: int) -> str:
    return re.sub(r"\b0\.", ".", f"{value / 10:g}")
