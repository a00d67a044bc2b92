"""The page of a machine, README.md: a table of a few rows first, then everything that was measured."""
from pictures import METHODS, engines, short
from results import TOPICS

# The first table: description of the call, group, number of elements, and up to two well-known peers.
HEADLINES = [
    ('springs that share one matrix', 'moving', 65536,
     {'per-spring': 'closed form for each spring', 'gcc': 'same matrix, plain loop, gcc -O3'}),
    ('the same, settled long ago', 'settled', 65536, {'gcc': 'same matrix, plain loop, gcc -O3'}),
    ('springs with parameters of their own', 'each-mixed', 4096, {'libm': 'loop over libm', 'sleef-u10': 'SLEEF vectors'}),
    ('particles that share one damping', 'per-particle', 65536, {'gcc': 'plain loop, gcc -O3'}),
    ('particles with dampings of their own', 'per-particle-each', 65536,
     {'gcc': 'plain loop, gcc -O3', 'gcc-fast': 'plain loop, gcc -Ofast'}),
    ('exp', 'exp', 4096, {'libm': 'libm', 'sleef-u10': 'SLEEF'}),
    ('sine and cosine', 'sincos', 4096, {'libm': 'libm', 'sleef-u10': 'SLEEF'}),
    ('rotation vectors to matrices', 'rotation-matrix-1rad', 4096,
     {'eigen-each': 'Eigen, one by one', 'eigen-arrays': 'Eigen, whole arrays'}),
    ('three floats of structures of 48 bytes to arrays', 'gather-3-of-12', 4096, {'gcc': 'plain loop, gcc -O3'}),
    ('bones of chains', 'chains-0-colliders', 5 * 4096, {'vrm': "VRM's recurrence, gcc -O3"}),
    ('step of rigid bodies', 'moser-veselov-6', 4096, {'bullet': 'Bullet', 'ode': 'ODE'}),
]

HEADLINE_COLUMNS = ['what', 'elements', 'ns per element', 'times as fast as']

NAMES = [
    '*moving*, *moving-target*, *settled*: springs that share one matrix. All move, about 0 or about targets of their '
    'own, or all have come to rest.',
    '*-malloc*: arrays where malloc puts them, 16 bytes after the start of a cache line. All other arrays begin at a '
    'line.',
    '*each-underdamped*, *each-critical*, *each-overdamped*, *each-mixed*: springs with parameters of their own. Damping '
    'ratios are 0 to 0.9, about 1, 1.5 to 6, or a mixture of the three.',
    '*per-particle*: particles that share one damping, with accelerations of their own. *per-particle-each*: with '
    'dampings of their own too.',
    '*flings*, *flings-fast*: the plain loops do not find the moment at which a fling crosses an edge, so they depend on the '
    'frame rate.',
    '*-1rad*: rotation vectors of up to 1 rad; without it, of up to 9 rad. *transforms*: positions and quaternions to '
    'matrices.',
    '*gather-3-of-12*, *scatter-3-of-12*: three floats of structures of twelve, to arrays and back. *hash*: of three '
    'arrays; *xxh3* is XXH3. *find-awake-...*: how many are awake, in runs of 64.',
    '*ceiling*: the same loads and stores without arithmetic.',
    '*gcc*, *clang*: a plain loop compiled with `-O3`. *-fast*: with `-Ofast`. *per-spring*: the closed form of the '
    'textbook for one spring after the other.',
    '*libm*, *libmvec*, *sleef*, *eigen*: loops over the functions of these libraries. For SLEEF, *u10* and *u35* are '
    'errors of at most 1.0 and 3.5 ulp; *cinz* and *finz* are its functions that give the same bits on every CPU, '
    'without and with fused operations.',
    "*eigen-each*: Eigen's small vectors and matrices, one after the other. *eigen-arrays*: Eigen's expressions over "
    'whole arrays.',
    "*bullet*, *bullet-world*: Bullet's implicit Euler, in the body's frame and in the world's. *ode*: ODE's whole step "
    'in double precision. *scalar-double*: implicit midpoint in double precision, one body after the other.',
    '*MV*: Moser-Veselov of the order that follows. *low*: with `orientation_low`.',
]

IN_CACHE = 1024 # number of elements in the table of limits


def table_of(header, lines):
    return '\n'.join(['| ' + ' | '.join(header) + ' |', '|' + '---|' * len(header)] +
                     ['| ' + ' | '.join(line) + ' |' for line in lines]) + '\n'


def number(x):
    return '' if x is None else short(x)


def peers_of(results, group, count):
    if group in METHODS:
        return engines(results, count)
    return [(name, ns) for name, ns in results.at(group, count)
            if not results.is_table(name) and not name.startswith('ceiling') and not name.endswith('-low')]


def headline_lines(results):
    for what, group, count, known in HEADLINES:
        own, peers = results.ns(group, results.portable, count), dict(peers_of(results, group, count))
        if own: # peers may be missing on this machine
            ratios = [f'{short(peers[name] / own)} × {text}' for name, text in known.items() if name in peers]
            yield [what, f'{count:,}', short(own), '; '.join(ratios)]


# ---- What limits a kernel. ----

def limits(results, kernel, table, count):
    """Clock cycles per element: measured, and the lower bounds of memory, arithmetic units and llvm-mca. None where the
    measured time, the ceiling or the clock is missing."""
    operations = next(iter(results.counts('clock')), None) # with which bench_kernels times the arithmetic units
    cycle = results.ns('clock', table, operations) or \
        results.ns('clock', 'cycle', operations) # earlier runs had one clock for all tables
    measured, memory = results.ns(kernel, table, count), results.ns(kernel, 'ceiling', count)
    if not (cycle and measured and memory):
        return None
    result = {'measured': measured / cycle, 'memory': memory / cycle}
    bounds = results.static_bounds.get(kernel, {}).get(table)
    peaks = [results.ns(name, table, operations) for name in ('multiply-add', 'divide', 'square-root')]
    if bounds and all(peaks):
        multiply_add, divide, square_root = (ns * results.lanes[table] / cycle for ns in peaks)
        operation = multiply_add / (1 if table.endswith('-fused') else 2) # two operations if not fused
        result['units'] = max(bounds['arithmetic'] * operation,
                              bounds['divisions'] * divide + bounds['square_roots'] * square_root)
        result['ports'], result['simulated'] = bounds['busiest_port_cycles'], bounds['cycles']
    return result


def limited_by(limit):
    """The closest bound. A simulation that takes far longer than its busiest port waits for results: latency."""
    if 'ports' not in limit:
        return 'memory' if limit['memory'] > 0.7 * limit['measured'] else ''
    if limit['memory'] >= max(limit['ports'], limit['units']):
        return 'memory'
    return 'latency' if limit['simulated'] > 1.25 * limit['ports'] else 'ports'


def limit_lines(results, count):
    for kernel in results.groups_of('kernels'):
        for table in results.best:
            limit = limits(results, kernel, table, count)
            if limit is None:
                continue
            ratio = limit['measured'] / limit['simulated'] if 'simulated' in limit else None
            yield [kernel, table, number(results.ns(kernel, table, count)), number(limit['measured']),
                   number(limit['memory'] / limit['measured']),
                   *(number(limit.get(key)) for key in ('units', 'ports', 'simulated')), number(ratio), limited_by(limit)]


def stand_in(results):
    models = {bounds['model'] for loops in results.static_bounds.values() for bounds in loops.values()} - {'native'}
    return ''.join(f' (for {model}: the model of this CPU has fewer arithmetic units than were measured)'
                   for model in sorted(models))


# ---- The other tables. ----

def count_lines(results, counts):
    for kernel in results.groups_of('kernels'):
        if len(results.counts(kernel)) > 1:
            for table in results.best:
                cells = [(results.ns(kernel, table, count), results.ns(kernel, 'ceiling', count)) for count in counts]
                yield [kernel, table] + [f'{number(ns)} ({number(ceiling / ns)})' if ns and ceiling else ''
                                         for ns, ceiling in cells]


def peer_lines(results, topic):
    """For each group and count: the best tables, and how many times as long each peer takes."""
    for group in results.groups_of(topic):
        for count in results.counts(group):
            own = [results.ns(group, table, count) for table in results.best]
            peers = peers_of(results, group, count)
            if peers and None not in own: # a row that failed its check is left out
                yield [group, f'{count:,}', *map(number, own),
                       ', '.join(f'{name} {" / ".join(number(ns / time) for time in own)}' for name, ns in peers)]


def body_lines(results):
    for method in METHODS:
        mixed, low = [], []
        for table in results.best:
            even = results.ns(method, table, 4096)
            substep = next((times[table][0] for group, times in results.groups.items()
                            if group == f'mixed-{method}' and table in times), None)
            with_low = results.ns(method, table + '-low', 4096)
            mixed.append(number(even and substep and substep / even))
            low.append(number(even and with_low and with_low / even))
        if any(mixed + low):
            yield [method, *mixed, *low]


def thread_lines(results):
    for kernel, speeds in results.threads.items():
        for threads, speed in speeds.items():
            most = results.threads.get('multiply-add', {}).get(threads)
            yield [kernel, threads, number(speed), number(most and speed / most)]


def single_lines(results):
    for kernel in results.groups_of('kernels'):
        if results.counts(kernel) == [1]:
            yield [kernel, *(number(results.ns(kernel, table, 1)) for table in results.best)]


def noise(results):
    """Differences between the two measurements of each ceiling: the median and the largest."""
    differences = sorted(abs(again / ceiling - 1) for group in results.groups for count in results.counts(group)
                         if (ceiling := results.ns(group, 'ceiling', count)) and
                         (again := results.ns(group, 'ceiling2', count)))
    return (differences[len(differences) // 2], differences[-1]) if differences else (0, 0)


def write_page(results, file, pictures):
    context = results.context
    best = ' and '.join(results.best)
    median, worst = noise(results)
    missing = [topic for topic in TOPICS if topic not in results.times]
    page = [
        f"# {context['cpu']}\n",
        f"One thread, `{results.portable}`: the same bits on every CPU. `sh tools/bench.sh` made this page.\n",
        table_of(HEADLINE_COLUMNS, headline_lines(results)),
        'Below 1 the other is faster.\n',
        f"- Code measured: {context['code']}",
        f"- Gyre {context['library_version']}, compiled by {context['compiler']}; tables: {context['tables']}",
        f"- Frequency governor: {context['governor']}; peers that were not installed: {context['peers_left_out']}",
        '- Times are the shortest processor time of interleaved repetitions; for several threads, the elapsed time',
        '- Noise: each ceiling is measured twice. The two differ by '
        f'{100 * median:.1f} % in the median and {100 * worst:.0f} % at most; smaller differences mean nothing',
        *([f"- Not measured: {', '.join(missing)}"] if missing else []),
        '',
        *(f'![{caption}]({name})\n' for name, caption in pictures),
        '## Names\n',
        '\n'.join(f'- {line}' for line in NAMES) + '\n',
        '## Every kernel and its limits\n',
        f'{IN_CACHE:,} elements, in the nearest cache, in clock cycles per element. *memory*: speed relative to the same '
        'loads and stores without arithmetic. The next three are lower bounds: *units* from the measured peak of the '
        'arithmetic units, *ports* and *mca* from `llvm-mca`, which gets the instructions executed: for the busiest port '
        f'alone, and simulated{stand_in(results)}.\n',
        table_of(['kernel', 'table', 'ns', 'cycles', 'memory', 'units', 'ports', 'mca', 'cycles / mca', 'limited by'],
                 limit_lines(results, IN_CACHE)),
    ]
    counts = [count for count in (64, 1024, 65536, 1 << 22, 1 << 24) if count in results.counts('springs_step')]
    page += [
        '## From cache to memory\n',
        'ns per element, and in brackets the speed relative to the memory ceiling.\n',
        table_of(['kernel', 'table'] + [f'{count:,}' for count in counts], count_lines(results, counts)),
        '## Compared with peers\n',
        f'ns per element of {best}, and how many times as long each peer takes.\n',
        table_of(['group', 'elements'] + results.best + ['peers: ' + ' / '.join(results.best)],
                 (line for topic in TOPICS[1:] for line in peer_lines(results, topic))),
        '## Bodies with sub-steps or low parts\n',
        '*mixed*: one body in a hundred takes 40 sub-steps; time of a sub-step relative to one of a batch in which each '
        'body takes one. *low*: time of a step with `orientation_low` relative to one without.\n',
        table_of(['method'] + [f'{what}, {table}' for what in ('mixed', 'low') for table in results.best],
                 body_lines(results)),
        '## Threads\n',
        'Each thread runs on a processor of its own, over its part of an array that fits in the nearer caches. One thread '
        'and several take turns of about a millisecond. *relative*: to the speed-up of arithmetic in registers alone, '
        'which shows how many processors this machine really has.\n',
        table_of(['kernel', 'threads', 'speed over one', 'relative'], thread_lines(results)),
        '## Single calls\n',
        'Functions that work on one value: ns per call.\n',
        table_of(['function'] + results.best, single_lines(results)),
    ]
    file.write_text('\n'.join(page))
