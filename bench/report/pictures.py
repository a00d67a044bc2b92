"""The pictures of a machine's page, drawn from its results."""
import collections
import re

from results import TOPICS
from svg import Axis, Drawing, draw_axes

# Colours that nearly everybody can distinguish (Okabe and Ito).
PORTABLE, FUSED, PEER, CEILING = '#0072b2', '#d55e00', '#777777', '#000000'
DASHED = ' stroke-dasharray="5 4"'
TABLE_COLOURS = ['#999999', '#56b4e9', '#009e73', '#0072b2', '#d55e00', '#cc79a7', '#e69f00']

METHODS = ['midpoint', 'object-trapezoid', 'trapezoid', 'explicit-euler', 'moser-veselov-6', 'moser-veselov-8']
ACROSS = 4 # panels in a row


def short(x):
    return f'{x:.3g}' if x < 100 else f'{x:.0f}'


def count_label(count):
    return f'{count:.0f}' if count < 1000 else f'{count / 1000:.0f}k' if count < 1e6 else f'{count / 1e6:.0f}M'


def panel_places(count, width, height, top):
    """Left and upper corner of each panel."""
    return [(n % ACROSS * width, top + n // ACROSS * height) for n in range(count)]


def draw_counts(results, file):
    """Speed over number of elements: a panel for each kernel, a curve for each table, and the memory ceiling."""
    kernels = [kernel for kernel in results.groups_of('kernels') if len(results.counts(kernel)) > 1]
    if not kernels:
        return False
    width, height, top = 375, 250, 45
    drawing = Drawing(ACROSS * width, top + height * -(-len(kernels) // ACROSS))
    candidates = [*zip(results.tables, TABLE_COLOURS), ('ceiling', CEILING)]
    for n, (candidate, colour) in enumerate(candidates):
        left = 60 + n * (ACROSS * width - 60) / len(candidates)
        drawing.curve([(left, 20), (left + 30, 20)], colour, 2, DASHED * (candidate == 'ceiling'))
        drawing.text(left + 36, 24, candidate)
    for kernel, (left, upper) in zip(kernels, panel_places(len(kernels), width, height, top)):
        counts = results.counts(kernel)
        curves = {(candidate, colour): [(count, 1 / ns) for count in counts if (ns := results.ns(kernel, candidate, count))]
                  for candidate, colour in candidates}
        speeds = [speed for points in curves.values() for _, speed in points]
        x = Axis(counts[0], counts[-1], left + 60, left + width - 10, logarithmic=True)
        y = Axis(min(speeds) / 1.2, max(speeds) * 1.2, upper + height - 40, upper + 25, logarithmic=True)
        draw_axes(drawing, kernel, x, y, {count: count_label(count) for count in x.decades()},
                  {speed: f'{speed:g}' for speed in y.decades()}, 'elements', 'elements per ns')
        for (candidate, colour), points in curves.items():
            if points:
                drawing.curve([(x(count), y(speed)) for count, speed in points], colour, 1.5,
                              DASHED * (candidate == 'ceiling'))
    drawing.save(file)
    return True


def engines(results, count):
    """All methods for bodies are compared with the same engines: (name, ns)."""
    return results.at('engine', count)


def is_peer_picture(group):
    # engines have one method, which is compared with two of Gyre's
    return not group.startswith(('engine', 'mixed', 'palette', 'settled', 'sleep')) and not group.endswith('-malloc') and \
        (group not in METHODS or group in ('midpoint', 'moser-veselov-6'))


def peer_bars(results):
    """(title, [(candidate, ns)], fastest first) of each group with peers, at its largest count that stays in cache."""
    for group in (group for topic in TOPICS[1:] for group in results.groups_of(topic) if is_peer_picture(group)):
        count = max((count for count in results.counts(group) if count <= 65536), default=None)
        bars = [(name, ns) for name, ns in results.at(group, count) if name in results.best or not (
            results.is_table(name) or name == 'ceiling2' or re.search('-low$|cinz|finz', name))]
        if group in METHODS:
            bars += engines(results, count)
        if results.portable in dict(bars) and any(name != 'ceiling' and name not in results.best for name, _ in bars):
            yield f'{group}, {count:,}', sorted(bars, key=lambda bar: bar[1])


def draw_peers(results, file):
    """Bars of speed relative to the portable table, a panel for each operation that peers have too."""
    panels = list(peer_bars(results))
    if not panels:
        return False
    width, height, top, bar_height = 375, 25 + 16 * max(len(bars) for _, bars in panels), 40, 12
    drawing = Drawing(ACROSS * width, top + height * -(-len(panels) // ACROSS))
    drawing.text(ACROSS * width / 2, 22, f'Speed relative to {results.portable}: longer is faster', 'middle',
                 ' font-size="13"')
    for (title, bars), (left, upper) in zip(panels, panel_places(len(panels), width, height, top)):
        own = dict(bars)[results.portable]
        x = Axis(0, max(own / ns for _, ns in bars), left + 110, left + width - 50)
        drawing.text(x.first, upper + 10, title, attributes=' font-weight="bold"')
        for place, (name, ns) in enumerate(bars):
            y = upper + 18 + 16 * place
            colour = {results.portable: PORTABLE, results.fused: FUSED, 'ceiling': CEILING}.get(name, PEER)
            drawing.bar(x.first, y, x(own / ns) - x.first, bar_height, colour)
            drawing.text(x.first - 5, y + 10, name, 'end')
            drawing.text(x(own / ns) + 5, y + 10, short(own / ns))
    drawing.save(file)
    return True


MOST_ACCURATE = ['moser-veselov-6', 'moser-veselov-8'] # low parts do not help a method of low order


def error_points(results):
    """panel > [(elements per ns, error, name, colour)], and the unit of each panel's errors."""
    panels, units = collections.defaultdict(list), {}
    for topic in ('math', 'body'):
        for group, errors in results.errors.get(topic, {}).items():
            for candidate, error in errors.items():
                table = candidate.removesuffix('-low')
                ns = results.ns(group, candidate, 4096)
                if candidate == 'unit' or not ns or error <= 0 or group.startswith('engine-in-') or \
                        results.is_table(table) and table not in results.best:
                    continue
                name, panel = candidate, group
                if topic == 'body':
                    panel = 'bodies'
                    if results.is_table(table):
                        if table != results.best[-1] or candidate != table and group not in MOST_ACCURATE:
                            continue # the other rounding is next to it
                        name = group.replace('moser-veselov-', 'MV ') + candidate[len(table):].replace('-', ' ')
                colour = {results.portable: PORTABLE, results.fused: FUSED}.get(table, PEER)
                panels[panel].append((1 / ns, error, name, colour))
                units[panel] = errors['unit']
    return panels, units


def label_points(drawing, points, x, y):
    """A number next to each point, from the largest error down, and a list of names to the right of the panel.
    Overlapping points share a label."""
    labels = {}
    for n, (speed, error, name, colour) in enumerate(sorted(points, key=lambda point: (-point[1], point[0])), 1):
        drawing.text(x.last + 18, y.last + 14 * (n - 1), f'{n}  {name}', attributes=f' fill="{colour}"')
        place = x(speed), y(error)
        near = next((other for other in labels if abs(place[0] - other[0]) < 12 and abs(place[1] - other[1]) < 12), place)
        labels.setdefault(near, []).append(str(n))
        drawing.dot(*place, colour)
    for (across, down), numbers in labels.items():
        drawing.text(across + 5, down - 5, ', '.join(numbers))


def draw_errors(results, file):
    """Largest error against speed: further right and down is better."""
    panels, units = error_points(results)
    if not panels:
        return False
    across, width, height = 3, 500, 400
    drawing = Drawing(across * width, height * -(-len(panels) // across))
    for n, (panel, points) in enumerate(panels.items()):
        left, upper = n % across * width, n // across * height
        speeds, errors = [point[0] for point in points], [point[1] for point in points]
        first, last, bottom, top = left + 75, left + width - 150, upper + height - 45, upper + 30
        if panel == 'bodies': # engines are orders of magnitude away
            title = "bodies: van Zon and Schofield's after 10 s"
            x = Axis(min(speeds) / 2, max(speeds) * 2, first, last, logarithmic=True)
            y = Axis(min(errors) / 3, max(errors) * 3, bottom, top, logarithmic=True)
            x_ticks, y_ticks = x.decades(), y.decades()
        else:
            title, x, y = panel, Axis(0, 1.1 * max(speeds), first, last), Axis(0.3, 8, bottom, top, logarithmic=True)
            x_ticks, y_ticks = x.steps(), [0.5, 1, 2, 4, 8]
        draw_axes(drawing, title, x, y, {tick: f'{tick:g}' for tick in x_ticks}, {tick: f'{tick:g}' for tick in y_ticks},
                  'elements per ns', f'largest error ({units[panel]})')
        label_points(drawing, points, x, y)
    drawing.save(file)
    return True


PICTURES = [
    ('peers.svg', draw_peers, 'Speed of Gyre and of its peers, relative to the portable table'),
    ('errors.svg', draw_errors,
     "Largest error against speed; for bodies, the error of van Zon and Schofield's body after 10 s"),
    ('counts.svg', draw_counts, 'Speed over number of elements, of every kernel on every table, with the memory ceiling'),
]
