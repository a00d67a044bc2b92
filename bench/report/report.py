#!/usr/bin/env python3
"""Makes a page of figures and pictures from the rows that the benchmarks wrote.

    report/report.py FOLDER_OF_ROWS RESULTS      writes RESULTS/<cpu>/: README.md, the rows (*.json), pictures (*.svg)

Pictures need gnuplot; without it there are none, and the page says so. What the folder has of an earlier run is
replaced or removed once all of this run is made; damaged rows change nothing.
"""
import collections
import json
import math
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

TOPICS = ['kernels', 'spring', 'particle', 'math', 'rotation', 'body']
ROW_FILES = [f'{topic}.json' for topic in TOPICS] + ['mca.json']
MADE_FILES = ['frontier_peers.json', 'counts.svg', 'peers.svg', 'errors.svg', 'README.md']

# Colours that stay apart for most eyes (Okabe and Ito).
PORTABLE, FUSED, PEER, CEILING = '#0072b2', '#d55e00', '#999999', '#000000'
TABLE_COLOURS = ['#999999', '#56b4e9', '#009e73', '#0072b2', '#d55e00', '#cc79a7', '#e69f00']


# ---- What the files of rows must have. ----

def is_number(value):
    return type(value) in (int, float) and math.isfinite(value)


def is_tables(value):
    return isinstance(value, str) and '-portable' in value and \
        all(re.fullmatch(r'\w+-(portable|fused)', table) for table in value.split())


KINDS = {
    'a text': lambda value: isinstance(value, str),
    'a name': lambda value: isinstance(value, str) and re.search('[A-Za-z0-9]', value),
    'names of tables, one of them portable': is_tables,
    'whole numbers': lambda value: isinstance(value, str) and re.fullmatch(r'[1-9]\d*( [1-9]\d*)*', value),
    'a whole number above 0': lambda value: type(value) is int and value > 0,
    'a number above 0': lambda value: is_number(value) and value > 0,
    'a number from 0': lambda value: is_number(value) and value >= 0,
    'numbers above 0 by name': lambda value: isinstance(value, dict) and all(
        is_number(number) and number > 0 for number in value.values()),
}
CONTEXT = {'cpu': 'a name', 'governor': 'a text', 'compiler': 'a text', 'library_version': 'a text',
           'tables': 'names of tables, one of them portable', 'lanes': 'whole numbers', 'peers_left_out': 'a text'}
ROW = {'group': 'a text', 'candidate': 'a text', 'count': 'a whole number above 0',
       'ns_per_element': 'a number above 0', 'speed_over': 'numbers above 0 by name'}
ERROR = {'group': 'a text', 'candidate': 'a text', 'error': 'a number from 0', 'unit': 'a text'}
MCA_ROW = {'kernel': 'a text', 'table': 'a text', 'model': 'a text', 'cycles': 'a number above 0',
           'busiest_port_cycles': 'a number above 0', 'arithmetic': 'a number from 0', 'divisions': 'a number from 0',
           'square_roots': 'a number from 0'}


def read_json(file):
    try:
        return json.loads(file.read_text())
    except (OSError, ValueError) as error:
        sys.exit(f'{file}: {error}')


def check(file, name, item, kinds):
    if not isinstance(item, dict):
        sys.exit(f'{file}: {name} is not an object')
    for key, kind in kinds.items():
        if not KINDS[kind](item.get(key)):
            sys.exit(f'{file}: {name}.{key} is {json.dumps(item.get(key))}, expected {kind}')


def check_all(file, name, items, kinds):
    if not isinstance(items, list):
        sys.exit(f'{file}: {name} is not a list')
    for i, item in enumerate(items):
        check(file, f'{name}[{i}]', item, kinds)


def read_topic(file):
    topic = read_json(file)
    check(file, 'file', topic, {})
    check(file, 'context', topic.get('context'), CONTEXT)
    tables, lanes = (len(topic['context'][key].split()) for key in ('tables', 'lanes'))
    if tables != lanes:
        sys.exit(f'{file}: context has {tables} tables and the lanes of {lanes}')
    check_all(file, 'rows', topic.get('rows'), ROW)
    check_all(file, 'errors', topic.get('errors'), ERROR)
    return topic


def read_mca(file):
    rows = read_json(file)
    check_all(file, 'file', rows, MCA_ROW)
    return rows


class Rows:
    """All rows of a run; a row is found by group, candidate and count."""

    def __init__(self, folder):
        self.topics = {topic: read_topic(folder / f'{topic}.json')
                       for topic in TOPICS if (folder / f'{topic}.json').exists()}
        if not self.topics:
            sys.exit(f'{folder}: has no rows, expected ' + ', '.join(ROW_FILES[:-1]))
        self.context = next(iter(self.topics.values()))['context']
        mca = folder / 'mca.json'
        self.mca = {(row['kernel'], row['table']): row for row in read_mca(mca)} if mca.exists() else {}
        self.by_name = {(row['group'], row['candidate'], row['count']): row
                        for topic in self.topics.values() for row in topic['rows']}
        tables = self.context['tables'].split()
        self.tables = tables
        self.lanes = dict(zip(tables, map(int, self.context['lanes'].split())))
        self.portable = [table for table in tables if table.endswith('-portable')][-1]
        self.fused = next((table for table in reversed(tables) if table.endswith('-fused')), None)
        self.best = [table for table in (self.portable, self.fused) if table]

    def ns(self, group, candidate, count):
        row = self.by_name.get((group, candidate, count))
        return row and row['ns_per_element']

    def groups(self, topic):
        return list(dict.fromkeys(row['group'] for row in self.topics[topic]['rows'])) if topic in self.topics else []

    def counts(self, group):
        return sorted({count for name, _, count in self.by_name if name == group})

    def is_table(self, candidate):
        return candidate in self.tables


def number(x):
    return '' if x is None else f'{x:.3g}' if x < 100 else f'{x:.0f}'


def table_of(header, lines):
    return '\n'.join(['| ' + ' | '.join(header) + ' |', '|' + '---|' * len(header)] +
                     ['| ' + ' | '.join(line) + ' |' for line in lines]) + '\n'


# ---- Limits: what holds a kernel. ----

def limits(rows, kernel, table, count):
    """Cycles an element: measured, by memory, by the arithmetic units, by llvm-mca. None where unknown."""
    operations = next(iter(rows.counts('clock')), None) # that bench_kernels has the arithmetic units do at a time
    cycle = rows.ns('clock', table, operations) or \
        rows.ns('clock', 'cycle', operations) # earlier runs had one clock for all tables
    measured, memory = rows.ns(kernel, table, count), rows.ns(kernel, 'ceiling', count)
    if not (cycle and measured and memory):
        return None
    result = {'measured': measured / cycle, 'memory': memory / cycle}
    mca = rows.mca.get((kernel, table))
    peaks = [rows.ns(name, table, operations) for name in ('multiply-add', 'divide', 'square-root')]
    if mca and all(peaks):
        multiply_add, divide, square_root = (ns * rows.lanes[table] / cycle for ns in peaks)
        operation = multiply_add / (1 if table.endswith('-fused') else 2) # two operations where it is not fused
        result['units'] = max(mca['arithmetic'] * operation,
                              mca['divisions'] * divide + mca['square_roots'] * square_root)
        result['ports'], result['simulated'] = mca['busiest_port_cycles'], mca['cycles']
    return result


def held_by(limit):
    """The nearer limit. A simulation far slower than its busiest port waits for results: latency."""
    if 'ports' not in limit:
        return 'memory' if limit['memory'] > 0.7 * limit['measured'] else ''
    if limit['memory'] >= max(limit['ports'], limit['units']):
        return 'bandwidth'
    return 'latency' if limit['simulated'] > 1.25 * limit['ports'] else 'ports'


def kernel_lines(rows, count):
    for kernel in rows.groups('kernels'):
        for table in rows.best:
            limit = limits(rows, kernel, table, count)
            if limit is None:
                continue
            static = limit['measured'] / limit['simulated'] if 'simulated' in limit else None
            yield [kernel, table, number(rows.ns(kernel, table, count)), number(limit['measured']),
                   number(limit['memory'] / limit['measured']),
                   *(number(limit.get(key)) for key in ('units', 'ports', 'simulated')), number(static), held_by(limit)]


# ---- The page. ----

def stand_in(rows):
    models = {row['model'] for row in rows.mca.values()} - {'native'}
    return ''.join(f' on {model}, for of this CPU it knows fewer arithmetic units than were measured' for model in models)


def noise(rows):
    ratios = sorted(abs(row['speed_over']['itself'] - 1) for row in rows.by_name.values()
                    if 'itself' in row['speed_over'])
    return (ratios[len(ratios) // 2], ratios[-1]) if ratios else (0, 0)


def peer_lines(rows, topic):
    """For each group and count: the best tables and every peer, and how often the best table's time the peer takes."""
    for group in rows.groups(topic):
        for count in rows.counts(group):
            own = [rows.ns(group, table, count) for table in rows.best]
            if None in own: # a row that did not pass its check is left out
                continue
            peers = [(name, row['ns_per_element']) for (g, name, c), row in rows.by_name.items()
                     if (g, c) == (group, count) and not rows.is_table(name) and not name.startswith('ceiling')
                     and not name.endswith('-low')]
            if group in BODY_GROUPS:
                peers = engines(rows, count)
            if peers:
                yield [group, str(count), *map(number, own),
                       ', '.join(f'{name} {number(ns / own[0])}' + (f' / {number(ns / own[1])}' if len(own) > 1 else '')
                                 for name, ns in peers)]


BODY_GROUPS = ['midpoint', 'object-trapezoid', 'trapezoid', 'explicit-euler', 'moser-veselov-2', 'moser-veselov-4',
               'moser-veselov-6', 'moser-veselov-8']


def engines(rows, count):
    """What all methods for bodies are compared with: (name, ns)."""
    return [(name, row['ns_per_element']) for (group, name, c), row in rows.by_name.items()
            if (group, c) == ('engine', count)]


NAMES = [
    '*moving*, *moving-target*, *settled*: springs that share one matrix; all swing, about 0 or each about a '
    'target of its own, or have long come to rest.',
    '*-malloc*: arrays where malloc puts them, 16 bytes behind a cache line; all others begin at a line.',
    '*each-swinging*, *each-critical*, *each-creeping*, *each-mixed*: springs with parameters of their own, of '
    'damping ratio 0 to 0.9, about 1, 1.5 to 6, or some of each.',
    '*per-particle*: particles with one drag, each with an acceleration of its own; *per-particle-each*: with a '
    'drag of its own too.',
    '*-1rad*: rotation vectors of up to 1 rad; without it, of up to a turn and a half. *transforms*: positions '
    'and quaternions to matrices.',
    '*ceiling*: the same loads and stores without arithmetic.',
    "*gcc*, *clang*: a plain loop with `-O3`; *-fast*: with `-Ofast`. *per-spring*: the textbook's closed form, "
    'one spring after the other.',
    '*libm*, *libmvec*, *sleef*, *eigen*: loops with the functions of these libraries. Of SLEEF, *u10* and *u35* '
    'are for errors of up to 1.0 and 3.5 ulp; *cinz* and *finz* are its forms that give the same bits on every '
    'CPU, without and with fused operations.',
    "*eigen-each*: Eigen's small vectors and matrices, one after the other; *eigen-arrays*: its expressions over "
    'whole arrays.',
    "*bullet*, *bullet-world*: Bullet's implicit Euler, in the body's frame and in the world's; *ode*: ODE's "
    'whole step, in doubles; *scalar-double*: the implicit midpoint in doubles, one body after the other.',
    '*MV*: Moser-Veselov, of the order that follows; *low*: with `orientation_low`.',
]


def write_page(rows, folder, pictures):
    context = rows.context
    median, worst = noise(rows)
    page = [f"# {context['cpu']}\n",
            f"Made by `sh tools/bench.sh`: Gyre {context['library_version']}, {context['compiler']}, tables "
            f"{context['tables']}; frequency governor: {context['governor']}; peers that were not there: "
            f"{context['peers_left_out']}. Shortest processor time of interleaved repetitions (of several threads: "
            "elapsed time). A against A: the two measurements of each ceiling differ by "
            f"{100 * median:.1f} % in the middle and {100 * worst:.0f} % at most: smaller differences mean nothing.\n"]
    missing = [topic for topic in TOPICS if topic not in rows.topics]
    if missing:
        page.append(f"Not measured: {', '.join(missing)}.\n")
    for name, caption in pictures:
        page.append(f'![{caption}]({name})\n')
    if not pictures:
        page.append('No pictures: gnuplot was not there.\n')
    page.append('## What the names mean\n')
    page.append('\n'.join(f'- {line}' for line in NAMES) + '\n')
    page.append('## Every kernel at its limits\n')
    page.append('1,024 elements, in the nearest cache. Clock cycles an element. *Memory*: share of the speed of the '
                'same loads and stores without arithmetic. *Units*: what the measured peak of the arithmetic units '
                'allows; *ports* and *mca*: what `llvm-mca` says of the instructions executed, by the busiest port '
                'alone and simulated' + stand_in(rows) + '.\n')
    page.append(table_of(['kernel', 'table', 'ns', 'cycles', 'memory', 'units', 'ports', 'mca', 'cycles / mca',
                          'held by'], kernel_lines(rows, 1024)))
    page.append('## From cache to memory\n')
    counts = [count for count in (64, 1024, 65536, 1 << 22, 1 << 24) if count in rows.counts('springs_step')]
    page.append('ns an element, and in brackets the share of the memory ceiling.\n')
    page.append(table_of(['kernel', 'table'] + [f'{count:,}' for count in counts], (
        [kernel, table] + [f'{number(ns)} ({number(ceiling / ns)})' if (ns := rows.ns(kernel, table, count)) and
                           (ceiling := rows.ns(kernel, 'ceiling', count)) else '' for count in counts]
        for kernel in rows.groups('kernels') if len(rows.counts(kernel)) > 1 and '-threads' not in kernel
        for table in rows.best)))
    page.append('## Against what else there is\n')
    page.append(f"Nanoseconds an element of {' and '.join(rows.best)}, and how many times as long each peer takes.\n")
    page.append(table_of(['what', 'count'] + rows.best + ['peers: ' + ' / '.join(rows.best)],
                         (line for topic in TOPICS[1:] for line in peer_lines(rows, topic))))
    page.append('## Bodies that differ, low parts\n')
    page.append('*Mixed*: one body in a hundred takes 40 sub-steps; cost of a sub-step relative to the even batch. '
                '*Low*: cost of a step with `orientation_low` relative to one without.\n')
    page.append(table_of(['method'] + [f'{what}, {table}' for what in ('mixed', 'low') for table in rows.best],
                         body_lines(rows)))
    page.append('## Threads\n')
    page.append('Each on a processor of its own and on its piece of some thousand elements, which stay in the nearer caches: '
                'kernels with little arithmetic would else wait for the one memory. One thread and several take turns of '
                'about a millisecond. *Share*: of the speed over one of arithmetic in registers alone, which says how far '
                'this machine has several processors at all.\n')
    page.append(table_of(['kernel', 'threads', 'speed over one', 'share'], thread_lines(rows)))
    (folder / 'README.md').write_text('\n'.join(page))


def thread_lines(rows):
    for (group, threads, _), row in rows.by_name.items():
        if '1' in row['speed_over']:
            speed = row['speed_over']['1']
            most = next((other['speed_over'].get('1') for (name, candidate, _), other in rows.by_name.items()
                         if (name, candidate) == ('multiply-add-threads', threads)), None)
            yield [group.removesuffix('-threads'), threads, number(speed), number(most and speed / most)]


def body_lines(rows):
    for group in BODY_GROUPS:
        mixed, low = [], []
        for table in rows.best:
            row = next((row for (g, name, _), row in rows.by_name.items() if (g, name) == (f'mixed-{group}', table)),
                       None)
            mixed.append(number(1 / row['speed_over']['even']) if row and 'even' in row['speed_over'] else '')
            plain, with_low = rows.ns(group, table, 4096), rows.ns(group, table + '-low', 4096)
            low.append(number(with_low / plain) if plain and with_low else '')
        if any(mixed + low):
            yield [group, *mixed, *low]


# ---- Pictures. ----

def gnuplot(script):
    subprocess.run(['gnuplot'], input=script, text=True, check=True)


def terminal(file, width, height):
    return (f"set terminal svg size {width},{height} font 'sans,11' background '#ffffff'\nset output '{file}'\n"
            "set grid back lc rgb '#dddddd'\nset border 3\nset tics nomirror\n")


def block(name, lines):
    return f'${name} << EOD\n' + '\n'.join(' '.join(map(str, line)) for line in lines) + '\nEOD\n'


def draw_counts(rows, file):
    """Speed over count, a panel a kernel, a curve a table, the ceiling above."""
    kernels = [kernel for kernel in rows.groups('kernels') if len(rows.counts(kernel)) > 1]
    if not kernels:
        return False
    across = 4
    down = -(-len(kernels) // across)
    script = terminal(file, 1500, 60 + 260 * down)
    script += (f"set multiplot layout {down},{across} margins 0.05,0.985,0.06,0.93 spacing 0.045,0.06\n"
               "set logscale xy\nset format x '10^{%L}'\nset format y '%g'\nset xrange [1:*]\n")
    for n, kernel in enumerate(kernels):
        curves = []
        for candidate, colour in [*zip(rows.tables, TABLE_COLOURS), ('ceiling', CEILING)]:
            points = [(count, number(1 / ns)) for count in rows.counts(kernel)
                      if (ns := rows.ns(kernel, candidate, count))]
            if points:
                name = re.sub(r'\W', '_', f'{kernel}_{candidate}')
                script += block(name, points)
                style = 'dt 2 lw 1.5' if candidate == 'ceiling' else 'lw 1.5'
                curves.append(f"${name} with lines {style} lc rgb '{colour}' title '{candidate}'")
        script += f"set title '{kernel}' offset 0,-0.7 noenhanced\n"
        script += 'set key at screen 0.5,0.985 center maxrows 1 noenhanced\n' if n == 0 else 'set key off\n'
        script += "set ylabel 'elements per ns' offset 1.5\n" if n % across == 0 else 'unset ylabel\n'
        script += "set xlabel 'elements' offset 0,0.6\n" if n >= len(kernels) - across else 'unset xlabel\n'
        script += 'plot ' + ', '.join(curves) + '\n'
    gnuplot(script)
    return True


def peer_bars(rows):
    """(what, [(candidate, ns, colour)]) for the picture: the largest count that stays in cache, or all."""
    for topic in TOPICS[1:]:
        for group in rows.groups(topic):
            counts = [count for count in rows.counts(group) if count <= 65536]
            if not counts or group.startswith(('engine', 'mixed', 'palette', 'settled')):
                continue
            if group in BODY_GROUPS and group not in ('midpoint', 'moser-veselov-6'):
                continue # engines have one method, which is compared with two of ours
            count = counts[-1]
            bars = [(name, row['ns_per_element']) for (g, name, c), row in rows.by_name.items()
                    if (g, c) == (group, count) and (name in rows.best or not (
                        rows.is_table(name) or name == 'ceiling2' or re.search('-low$|cinz|finz', name)))]
            if group in BODY_GROUPS:
                bars += engines(rows, count)
            if rows.portable in dict(bars) and any(name != 'ceiling' and name not in rows.best for name, _ in bars):
                yield f'{group}, {count:,}', sorted(bars, key=lambda bar: bar[1])


def draw_peers(rows, file):
    """Bars of speed relative to the portable table, a panel for each thing that peers do as well."""
    panels = list(peer_bars(rows))
    if not panels:
        return False
    across = 4
    down = -(-len(panels) // across)
    height = 80 + 230 * down
    script = terminal(file, 1500, height)
    script += (f"set multiplot layout {down},{across} margins 0.085,0.985,0.03,{1 - 75 / height} spacing 0.1,0.06\n"
               "set key off\nset style fill solid 0.85 noborder\nset tics scale 0 font ',9'\nset grid noytics\n"
               f"set label 1 'speed relative to {rows.portable}: longer is faster' "
               f"at screen 0.5,{1 - 20 / height} center noenhanced\n")
    for n, (title, bars) in enumerate(panels):
        own = dict(bars)[rows.portable]
        lines = []
        for place, (name, ns) in enumerate(bars):
            colour = {rows.portable: PORTABLE, rows.fused: FUSED, 'ceiling': CEILING}.get(name, PEER)
            lines.append((own / ns, len(bars) - place, f'"{name}"', int(colour[1:], 16), f'"{number(own / ns)}"'))
        script += block(f'bars{n}', lines)
        script += (f"set title '{title}' offset 0,-0.7 noenhanced\nset yrange [0.3:{len(bars) + 0.7}]\n"
                   f"set xrange [0:{1.18 * max(own / ns for _, ns in bars)}]\n"
                   f"plot $bars{n} using (0):2:(0):1:($2-0.38):($2+0.38):4:ytic(3) with boxxyerror lc rgb variable, "
                   f"'' using 1:2:5 with labels left offset 0.4,0 font ',9'\nunset label 1\n")
    gnuplot(script)
    return True


FINEST_METHODS = ['moser-veselov-6', 'moser-veselov-8']


def labels_of(points, place):
    """A number beside each point, from the largest error down, and a column of their names right of the panel. Points
    that lie on each other share a label. `place`: where in the panel a point is, from 0 to 1."""
    script, labels = 'unset label\n', {}
    for n, point in enumerate(sorted(points, key=lambda point: (-point[1], point[0])), 1):
        _, _, name, colour = point
        script += f"set label '{n}  '.{name} at graph 1.05,{1.03 - 0.06 * n} noenhanced font ',9' tc rgb {colour}\n"
        x, y = place(point)
        near = next((other for other in labels if abs(x - other[0]) < 0.04 and abs(y - other[1]) < 0.04), (x, y))
        labels.setdefault(near, []).append(str(n))
    return script + ''.join(f"set label '{', '.join(numbers)}' at graph {x + 0.015},{y + 0.025} font ',9'\n"
                            for (x, y), numbers in labels.items())


def draw_errors(rows, file):
    """Error against speed: right and down is better."""
    groups = collections.defaultdict(list)
    for topic in ('math', 'body'):
        for error in rows.topics.get(topic, {}).get('errors', []):
            group, candidate = error['group'], error['candidate']
            ns = rows.ns(group, candidate, 4096)
            table = candidate.removesuffix('-low')
            if not ns or error['error'] <= 0 or rows.is_table(table) and table not in rows.best or \
                    group.startswith('engine-in-'):
                continue
            colour = {rows.portable: PORTABLE, rows.fused: FUSED}.get(table, PEER)
            label = candidate
            if topic == 'body' and rows.is_table(table):
                if table != rows.best[-1] or candidate != table and group not in FINEST_METHODS:
                    continue # the other rounding is beside it, and low parts do not help a method of low order
                label = group.replace('moser-veselov-', 'MV ') + candidate[len(table):].replace('-', ' ')
            groups[group if topic == 'math' else 'bodies'].append(
                (1 / ns, error['error'], f'"{label}"', int(colour[1:], 16), error['unit']))
    if not groups:
        return False
    script = terminal(file, 1500, 900)
    script += ("set multiplot layout 2,3\nset logscale y\nset format y '%g'\nset key off\nset rmargin 17\n"
               "set xlabel 'elements per ns'\n")
    for n, (panel, points) in enumerate(groups.items()):
        unit = points[0][4]
        points = [point[:4] for point in points]
        speeds, errors = [point[0] for point in points], [point[1] for point in points]
        if panel == 'bodies': # engines are far away
            title = "bodies; the error is of one, van Zon and Schofield's"
            left, right, bottom, top = min(speeds) / 2, max(speeds) * 2, min(errors) / 3, max(errors) * 3
            script += 'set logscale x\nset ytics autofreq\n'
        else:
            title, left, right, bottom, top = panel, 0, 1.1 * max(speeds), 0.3, 8
            script += 'set ytics (0.5, 1, 2, 4, 8)\n'

        def place(point):
            x = math.log(point[0] / left, right / left) if left > 0 else point[0] / right
            return x, math.log(point[1] / bottom, top / bottom)

        script += block(f'points{n}', points) + labels_of(points, place)
        script += (f'set title "{title}"\nset ylabel "largest error ({unit})"\n'
                   f'set xrange [{left}:{right}]\nset yrange [{bottom}:{top}]\n'
                   f'plot $points{n} using 1:2:4 with points pt 7 ps 0.9 lc rgb variable\n')
    gnuplot(script)
    return True


FRONTIER_ENGINES = {'bullet': 'Bullet', 'ode': 'ODE'}


def write_frontier_peers(rows, file):
    """What `gyre plot frontier --peers` takes: the engines beside Gyre's own methods, scaled by Moser-Veselov 6's."""
    points = collections.defaultdict(list)
    for error in rows.topics.get('body', {}).get('errors', []):
        name, group = error['candidate'], error['group']
        if name in FRONTIER_ENGINES and (ns := rows.ns(group, name, 4096)):
            steps = 1 if group == 'engine' else int(group.removeprefix('engine-in-'))
            points[name].append({'steps_a_frame': steps, 'ns': ns, 'error_rad': error['error']})
    peers = [{'name': FRONTIER_ENGINES[name], 'points': line} for name, line in points.items()]
    reference = rows.ns('moser-veselov-6', rows.fused, 4096)
    if peers and reference:
        file.write_text(json.dumps({'source': 'sh tools/bench.sh, ' + rows.context['cpu'],
                                    'gyre_moser_veselov_6_ns': reference, 'peers': peers}, indent=1) + '\n')


PICTURES = [
    ('counts.svg', draw_counts, 'Speed over count of every kernel on every table, with the memory ceiling'),
    ('peers.svg', draw_peers, 'Speed of Gyre and of its peers, relative to the portable table'),
    ('errors.svg', draw_errors,
     "Largest error against speed; of bodies, the error of van Zon and Schofield's body after 10 s"),
]


def make_files(rows, folder, target):
    for name in ROW_FILES:
        if (folder / name).exists():
            shutil.copy(folder / name, target)
    write_frontier_peers(rows, target / 'frontier_peers.json')
    pictures = [(name, caption) for name, draw, caption in PICTURES
                if shutil.which('gnuplot') and draw(rows, target / name)]
    write_page(rows, target, pictures)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    folder, results = map(pathlib.Path, sys.argv[1:])
    rows = Rows(folder)
    target = results / re.sub(r'[^a-z0-9]+', '-', rows.context['cpu'].lower()).strip('-')
    try:
        results.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix='.making-', dir=results) as making:
            make_files(rows, folder, pathlib.Path(making))
            target.mkdir(exist_ok=True)
            for name in ROW_FILES + MADE_FILES:
                if (made := pathlib.Path(making, name)).exists():
                    made.replace(target / name)
                else:
                    (target / name).unlink(missing_ok=True)
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(str(error))
    print(target / 'README.md')


main()
