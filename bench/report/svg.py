"""A drawing as SVG text, and panels with axes on it. Coordinates are in pixels, rounded to a tenth."""
import math
from xml.sax.saxutils import escape

GREY = '#dddddd'


def rounded(value):
    return f'{value:.1f}'.removesuffix('.0')


class Drawing:
    """One path has all lines of a style, and one group all texts of a style. Grey lines lie below the others."""

    def __init__(self, width, height):
        self.start = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
                      f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="11">',
                      f'<rect width="{width}" height="{height}" fill="#fff"/>']
        self.lines, self.texts = {}, {} # style: content

    def text(self, x, y, text, anchor='start', attributes='', own=''):
        """`attributes` are of the style, `own` are of this text alone."""
        style = (f' text-anchor="{anchor}"' if anchor != 'start' else '') + attributes
        element = f'<text x="{rounded(x)}" y="{rounded(y)}"{own}>{escape(text)}</text>'
        self.texts[style] = self.texts.get(style, '') + element

    def curve(self, points, colour, width=1.5, attributes=''):
        places = [(rounded(x), rounded(y)) for x, y in points]
        path = f'M{" ".join(places[0])}'
        for (from_x, from_y), (x, y) in zip(places, places[1:]):
            path += f'V{y}' if x == from_x else f'H{x}' if y == from_y else f'L{x} {y}'
        style = f' stroke="{colour}" stroke-width="{width}"{attributes}'
        self.lines[style] = self.lines.get(style, '') + path

    def bar(self, x, y, width, height, colour):
        self.curve([(x, y + height / 2), (x + width, y + height / 2)], colour, height)

    def dot(self, x, y, colour):
        self.curve([(x, y), (x, y)], colour, 7, ' stroke-linecap="round"')

    def save(self, file):
        lines = sorted(self.lines.items(), key=lambda line: GREY not in line[0])
        file.write_text('\n'.join([
            *self.start, *(f'<path fill="none"{style} d="{path}"/>' for style, path in lines),
            *(f'<g{style}>{texts}</g>' for style, texts in self.texts.items()), '</svg>', '']))


class Axis:
    """Maps low..high to pixels first..last."""

    def __init__(self, low, high, first, last, logarithmic=False):
        self.scale = math.log10 if logarithmic else float
        self.low, self.high = low, high
        self.first, self.last = first, last

    def __call__(self, value):
        low, high = self.scale(self.low), self.scale(self.high)
        return self.first + (self.scale(value) - low) / (high - low) * (self.last - self.first)

    def decades(self):
        return [10.0 ** n for n in range(math.ceil(math.log10(self.low) - 1e-9), math.floor(math.log10(self.high) + 1e-9) + 1)]

    def steps(self):
        """Four to eight round values."""
        step = 10.0 ** math.floor(math.log10(self.high - self.low))
        step = next(step * part for part in (0.2, 0.5, 1, 2) if (self.high - self.low) / (step * part) < 9)
        return [step * n for n in range(math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9) + 1)]


def draw_axes(drawing, title, x, y, x_ticks, y_ticks, x_name='', y_name=''):
    """A frame's left and lower side, grid lines and labels. Ticks: {value: label}."""
    drawing.text((x.first + x.last) / 2, y.last - 8, title, 'middle', ' font-weight="bold"')
    for value, label in x_ticks.items():
        drawing.curve([(x(value), y.first), (x(value), y.last)], GREY, 1)
        drawing.text(x(value), y.first + 14, label, 'middle')
    for value, label in y_ticks.items():
        drawing.curve([(x.first, y(value)), (x.last, y(value))], GREY, 1)
        drawing.text(x.first - 6, y(value) + 4, label, 'end')
    drawing.curve([(x.first, y.last), (x.first, y.first), (x.last, y.first)], '#000', 1)
    drawing.text((x.first + x.last) / 2, y.first + 29, x_name, 'middle')
    if y_name:
        middle = (rounded(x.first - 48), rounded((y.first + y.last) / 2))
        turn = f' transform="rotate(-90 {" ".join(middle)})"'
        drawing.text(x.first - 48, (y.first + y.last) / 2, y_name, 'middle', own=turn)
