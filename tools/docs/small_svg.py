#!/usr/bin/env python3
"""Makes pictures of `gyre plot` small enough for git, in place: points that nobody would miss are left out,
coordinates are rounded to a tenth of a pixel, and lines and texts of one style share an element.

    tools/docs/small_svg.py PICTURE.svg...
"""
import pathlib
import re
import sys
import xml.etree.ElementTree
from xml.sax.saxutils import escape, quoteattr

TOLERANCE = 0.03 # pixels
NUMBER = r'-?\d+\.?\d*'
LINK, SPACE = '{http://www.w3.org/1999/xlink}href', '{http://www.w3.org/XML/1998/namespace}space'
DISC = 'gpPt6' # gnuplot's filled circle, the only point that the pictures have


def colour(text):
    parts = re.fullmatch(r'rgb\(\s*(\d+),\s*(\d+),\s*(\d+)\)', text)
    return '#' + ''.join(f'{int(part):02x}' for part in parts.groups()) if parts else text


def tenths(value):
    """A whole number of tenths as a decimal, without the 0 before a point."""
    return re.sub(r'\b0\.', '.', f'{value / 10:g}')


def number(text):
    return tenths(round(10 * float(text)))


def simplified(points):
    """Douglas and Peucker's choice of points."""
    kept, parts = {0, len(points) - 1}, [(0, len(points) - 1)]
    while parts:
        first, last = parts.pop()
        (x, y), (dx, dy) = points[first], (points[last][0] - points[first][0], points[last][1] - points[first][1])
        square = dx * dx + dy * dy

        def distance(i):
            px, py = points[i][0] - x, points[i][1] - y
            along = min(max((px * dx + py * dy) / square, 0), 1) if square else 0
            return (px - along * dx) ** 2 + (py - along * dy) ** 2

        farthest = max(range(first + 1, last), key=distance, default=None)
        if farthest is not None and distance(farthest) > TOLERANCE ** 2:
            kept.add(farthest)
            parts += [(first, farthest), (farthest, last)]
    return [points[i] for i in sorted(kept)]


def path_data(d):
    """Data of a path of lines. The steps are differences of rounded points, so that rounding does not add up."""
    data, longest = [], 0
    for part in re.findall('M[^M]*', d):
        points = [(float(x), float(y)) for x, y in re.findall(f'({NUMBER}),({NUMBER})', part)]
        if len(points) > 1:
            (x, y), *others = [(round(10 * x), round(10 * y)) for x, y in simplified(points)]
            text = f'M{tenths(x)} {tenths(y)}'
            for next_x, next_y in others:
                dx, dy = next_x - x, next_y - y
                text += f'v{tenths(dy)}' if dx == 0 else f'h{tenths(dx)}' if dy == 0 else f'l{tenths(dx)} {tenths(dy)}'
                x, y = next_x, next_y
            data.append(text.replace(' -', '-') + 'z' * ('Z' in part.upper()))
            longest = max(longest, len(points))
    return ''.join(data), longest


def attributes(values):
    return ''.join(f' {name}={quoteattr(value)}' for name, value in values if value)


def text_of(element, style):
    """The inside of a text, and the attributes that only it has."""
    parts = []
    for span in element:
        own = [(name, value) for name, value in span.items()
               if name in ('font-style', 'font-size', 'dy') and (name, value) != ('font-size', '16.0')]
        own = [(name, number(value.removesuffix('px')) if name == 'dy' else value) for name, value in own
               if name != 'dy' or float(value.removesuffix('px'))]
        if span.text:
            parts.append(f'<tspan{attributes(own)}>{escape(span.text)}</tspan>' if own else escape(span.text))
    preserve = [('xml:space', 'preserve')] if element.get(SPACE) else []
    x, y = re.search(rf'translate\(({NUMBER}),({NUMBER})\)', style['transform']).groups()
    rotated = re.search(rf'rotate\(({NUMBER})\)', style['transform'])
    place = [('transform', f'translate({number(x)} {number(y)})rotate({number(rotated[1])})')] if rotated else \
        [('x', number(x)), ('y', number(y))]
    inside = ''.join(parts) if preserve else ''.join(parts).strip()
    return f'<text{attributes(place + preserve)}>{inside}</text>' if inside.strip() else ''


class Picture:
    """Elements in the order in which they are drawn. One joins an earlier one of its style unless a curve or an image
    lies between them."""

    def __init__(self):
        self.items, self.since = [], 0 # [start of the element, content, end]

    def add(self, start, content, end, joins=True, first=False):
        for item in self.items[self.since:]:
            if joins and (item[0], item[2]) == (start, end):
                item[1] += content
                return
        self.items.insert(self.since if first else len(self.items), [start, content, end])
        if not joins:
            self.since = len(self.items)

    def draw(self, element, style):
        tag = element.tag.rpartition('}')[2]
        style = {**style, **element.attrib}
        if tag in ('svg', 'g'):
            for child in element:
                self.draw(child, style)
        elif tag == 'path':
            data, points = path_data(style['d'])
            width = number(style['stroke-width'])
            look = attributes([('stroke', colour(style['stroke'])), ('stroke-width', '' if width == '1' else width)])
            if data:
                self.add(f'<path{look} d="', data, '"/>', points <= 5, first='class' in style) # of a grid
        elif tag == 'use' and style[LINK] == '#' + DISC:
            x, y, radius = re.findall(NUMBER, style['transform'])
            look = attributes([('stroke', colour(style['color'])), ('stroke-width', number(2 * float(radius)))])
            self.add(f'<path{look} d="', f'M{number(x)} {number(y)}h0', '"/>')
        elif tag == 'polygon':
            data, _ = path_data('M' + style['points'] + 'Z')
            look = attributes([('fill', colour(style['fill'])), ('shape-rendering', 'crispEdges')])
            self.add(f'<path{look} d="', data, '"/>')
        elif tag == 'text' and (text := text_of(element, style)):
            self.add('<g' + attributes([('fill', colour(style['fill'])), ('text-anchor', style['text-anchor'])]) + '>',
                     text, '</g>')
        elif tag == 'image':
            self.add('<image preserveAspectRatio="none"' + attributes(
                [(name, number(style[name])) for name in ('x', 'y', 'width', 'height')] +
                [('xlink:href', re.sub(r'\s', '', style[LINK]))]), '', '/>', joins=False)
        elif tag not in ('title', 'desc', 'defs', 'rect', 'text'):
            sys.exit(f'unknown element {tag}: {element.attrib}')


def small(svg):
    picture = Picture()
    picture.draw(svg, {})
    size = attributes([(name, svg.get(name)) for name in ('width', 'height', 'viewBox')])
    return '\n'.join([
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"{size} font-size="16" '
        'font-family="DejaVu Sans,sans-serif" fill="none" stroke-linecap="round" stroke-linejoin="round">',
        '<path fill="#fff" d="M0 0h{}v{}H0z"/>'.format(svg.get('width'), svg.get('height')),
        *map(''.join, picture.items),
        '</svg>', ''])


def main():
    if not sys.argv[1:]:
        sys.exit(__doc__)
    for name in sys.argv[1:]:
        file = pathlib.Path(name)
        file.write_text(small(xml.etree.ElementTree.fromstring(file.read_text())))


if __name__ == '__main__':
    main()
