#!/usr/bin/env python3
"""What llvm-mca says of every kernel's hot loop.

    bench_kernels --traces=traces.txt
    mca.py bench_kernels traces.txt mca.json

The loop is what a call on 128 elements executes more than a call on 64, so it is the path that these inputs take, with
its inner iterations as often as they ran. Each entry of the result has for one kernel and table, an element: clock
cycles simulated, cycles that the busiest resource alone needs, instructions, and how many additions and
multiplications, divisions and square roots of vectors are among them.

The newest llvm-mca is asked, for it knows the newest CPUs. Loops with an instruction that it knows nothing of on this
one are left out; it says so, and fails if none is left.
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
    """A straight listing has no targets: conditional jumps lead to themselves, calls and other jumps disappear."""
    jump = JUMP.match(instruction)
    if not jump:
        return '' if instruction.startswith(('ret', 'nop', 'endbr')) else instruction
    return jump.group(1) + ' .' if CONDITIONAL.match(instruction) else ''


class Unknown(Exception):
    """An instruction of which llvm-mca says nothing for this CPU."""


def analyse(mca, listing):
    """Simulated cycles, and cycles of the busiest resource."""
    answer = subprocess.run([mca, '-mcpu=native', '-iterations=1', '-instruction-info=0', '-resource-pressure=0'],
                            input='\n'.join(map(for_mca, listing)) + '\n', capture_output=True, text=True)
    if answer.returncode != 0:
        raise Unknown(answer.stderr.splitlines()[0])
    return (int(re.search(r'Total Cycles:\s+(\d+)', answer.stdout).group(1)),
            float(re.search(r'Block RThroughput:\s+([\d.]+)', answer.stdout).group(1)))


def count(pattern, listing):
    return sum(bool(pattern.match(instruction)) for instruction in listing)


def main():
    program, traces, result = sys.argv[1:]
    mca = next(filter(None, map(shutil.which, [f'llvm-mca-{n}' for n in range(40, 12, -1)] + ['llvm-mca'])), None)
    if mca is None:
        sys.exit('mca.py: llvm-mca is missing: no static bounds')
    instructions = disassemble(program)
    measures, unknown = {}, {}
    for line in open(traces):
        kernel, table, elements, *addresses = line.split()
        listing = [instructions[int(address, 16)] for address in addresses]
        try:
            cycles, busiest = analyse(mca, listing)
        except Unknown as reason:
            unknown[kernel, table] = reason
            continue
        measures.setdefault((kernel, table), {})[int(elements)] = {
            'cycles': cycles, 'busiest_port_cycles': busiest, 'instructions': len(listing),
            'arithmetic': count(ARITHMETIC, listing), 'divisions': count(DIVISION, listing),
            'square_roots': count(SQUARE_ROOT, listing)}
    for loop in unknown:
        measures.pop(loop, None)
    if unknown:
        print(f"left out: {len(unknown)} of {len(measures) + len(unknown)} loops, of which {mca} says, the first time: "
              f'{next(iter(unknown.values()))}', file=sys.stderr)
    if not measures:
        sys.exit('mca.py: no static bounds')
    loops = []
    for (kernel, table), by_elements in measures.items():
        (fewer, short), (more, long) = sorted(by_elements.items())
        loops.append({'kernel': kernel, 'table': table,
                      **{key: round((long[key] - short[key]) / (more - fewer), 4) for key in long}})
    with open(result, 'w') as out:
        out.write('[\n' + ',\n'.join(map(json.dumps, loops)) + '\n]\n')


main()
