#!/usr/bin/env python3
"""Static bounds of every kernel's hot loop, by llvm-mca.

    bench_kernels --json=kernels.json
    bench_kernels --traces=traces.txt
    report/mca.py bench_kernels traces.txt kernels.json mca.json

The loop is the difference between a call on 128 elements and a call on 64: the path that these inputs take, with its
inner iterations. Each entry of the result is for one kernel and table, per element: simulated clock cycles, cycles of
the busiest resource alone, instructions, and the vector additions and multiplications, divisions and square roots
among them.

The newest llvm-mca is used, because it has models of the newest CPUs. Loops with an instruction that its model lacks
are left out with a message; if none remains, the program fails. A model that multiplies and adds slower than
measured on this CPU gives no bounds; then the next of MODELS is used.
"""
import json
import re
import shutil
import subprocess
import sys

JUMP = re.compile(r'(j\w+|b(?:\.\w+)?|bl|call|cbn?z\s+\w+,|tbn?z\s+\w+, #\d+,)\s+\S+$')
CONDITIONAL = re.compile(r'(?!jmp|bl?\s|call)')
ARITHMETIC = re.compile(r'v?(?:add|sub|mul|fn?m(?:add|sub)\d+)p[sd]\b|f(?:add|sub|mul|mla|mls)\s+v')
DIVISION = re.compile(r'v?divp[sd]\b|fdiv\s+v')
SQUARE_ROOT = re.compile(r'v?sqrtp[sd]\b|fsqrt\s+v')

# LLVM 15 to 22 model Intel's CPUs since Ice Lake with one unit for 512-bit arithmetic; the servers have two, like
# Skylake's. A virtual machine may also report a different model.
MODELS = ['native', 'skylake-avx512']
PEAK = 'multiply-add' # independent additions and multiplications, traced and measured


def disassemble(program):
    """Instructions by address."""
    text = subprocess.run(['objdump', '-d', '--no-show-raw-insn', program], check=True, capture_output=True,
                          text=True).stdout
    instructions = {}
    for line in text.splitlines():
        if ':\t' in line:
            address, instruction = line.split(':\t', 1)
            instructions[int(address, 16)] = re.sub(r'\s*(#|//).*| <.*>', '', instruction).strip()
    return instructions


def for_mca(instruction):
    """A trace has no labels: conditional jumps jump to themselves, calls and other jumps are removed."""
    jump = JUMP.match(instruction)
    if not jump:
        return '' if instruction.startswith(('ret', 'nop', 'endbr')) else instruction
    return jump.group(1) + ' .' if CONDITIONAL.match(instruction) else ''


class Unknown(Exception):
    """An instruction that the model of this CPU lacks."""


def analyse(mca, model, listing):
    """Simulated cycles, and cycles of the busiest resource."""
    answer = subprocess.run([mca, f'-mcpu={model}', '-iterations=1', '-instruction-info=0', '-resource-pressure=0'],
                            input='\n'.join(map(for_mca, listing)) + '\n', capture_output=True, text=True)
    if answer.returncode != 0:
        raise Unknown(answer.stderr.splitlines()[0])
    return (int(re.search(r'Total Cycles:\s+(\d+)', answer.stdout).group(1)),
            float(re.search(r'Block RThroughput:\s+([\d.]+)', answer.stdout).group(1)))


def count(pattern, listing):
    return sum(bool(pattern.match(instruction)) for instruction in listing)


def measured_peak(file):
    """Clock cycles per element of PEAK, by table."""
    try:
        with open(file) as rows:
            ns = {(row['group'], row['candidate']): row['ns_per_element'] for row in json.load(rows)['rows']
                  if row['group'] in (PEAK, 'clock')}
    except OSError as error:
        sys.exit(f'mca.py: {error}: no static bounds')
    return {table: value / ns['clock', table] for (group, table), value in ns.items() if group == PEAK}


def read_traces(file, program):
    instructions = disassemble(program)
    with open(file) as traces:
        for line in traces:
            kernel, table, elements, *addresses = line.split()
            yield kernel, table, int(elements), [instructions[int(address, 16)] for address in addresses]


def loops_of(mca, model, traces):
    """The measures of each kernel and table per element, and for those without, the reason."""
    measures, unknown = {}, {}
    for kernel, table, elements, listing in traces:
        try:
            cycles, busiest = analyse(mca, model, listing)
        except Unknown as reason:
            unknown[kernel, table] = reason
            continue
        measures.setdefault((kernel, table), {})[elements] = {
            'cycles': cycles, 'busiest_port_cycles': busiest, 'instructions': len(listing),
            'arithmetic': count(ARITHMETIC, listing), 'divisions': count(DIVISION, listing),
            'square_roots': count(SQUARE_ROOT, listing)}
    loops = {}
    for loop, by_elements in measures.items():
        if loop not in unknown:
            (fewer, short), (more, long) = sorted(by_elements.items())
            loops[loop] = {key: round((long[key] - short[key]) / (more - fewer), 4) for key in long}
    return loops, unknown


def fits(mca, model, traces, measured):
    peak, unknown = loops_of(mca, model, [trace for trace in traces if trace[0] == PEAK])
    return bool(peak) and not unknown and all(loop['cycles'] <= 1.25 * measured[table] for (_, table), loop in peak.items())


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    program, traces, rows, result = sys.argv[1:]
    mca = next(filter(None, map(shutil.which, [f'llvm-mca-{n}' for n in range(40, 12, -1)] + ['llvm-mca'])), None)
    if mca is None:
        sys.exit('mca.py: llvm-mca is missing: no static bounds')
    traces, measured = list(read_traces(traces, program)), measured_peak(rows)
    model = next((model for model in MODELS if fits(mca, model, traces, measured)), None)
    if model is None:
        model = MODELS[0]
        print(f'{mca} has no model that multiplies and adds as fast as this CPU: its bounds are those of a slower one',
              file=sys.stderr)
    loops, unknown = loops_of(mca, model, [trace for trace in traces if trace[0] != PEAK])
    if unknown:
        print(f'left out: {len(unknown)} of {len(loops) + len(unknown)} loops; first message of {mca}: '
              f'{next(iter(unknown.values()))}', file=sys.stderr)
    if not loops:
        sys.exit('mca.py: no static bounds')
    with open(result, 'w') as out:
        out.write('[\n' + ',\n'.join(json.dumps({'kernel': kernel, 'table': table, 'model': model, **loop})
                                     for (kernel, table), loop in loops.items()) + '\n]\n')


main()
