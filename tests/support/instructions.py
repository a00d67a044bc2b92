"""The machine instructions in a file, and those that a table must not have."""
import re
import subprocess

import tap

ARCHITECTURES = ("x86_64", "aarch64")
FUSED = r"vf(n?)m(add|sub|addsub|subadd)\d|vfn?m[as](\.|$)|f(n?)m(add|sub)$|fml[as](\.|$)"
PACKED_BY_COMPILER = r"vfm(addsub|subadd)"  # fused, and never requested by a kernel
AVX = r"v[a-z]|k(mov|or|and|not|xor|test|add|shift|unpck)"  # x86 mnemonics with a VEX or EVEX prefix, including masks
NOT_AVX = r"ver[rw]$|vm(call|launch|resume|xo|clear|pt|read|write)"


def instructions(objdump, path):
    """{object: [(function, mnemonic, operands)]}"""
    run = subprocess.run([objdump, "-d", "--no-show-raw-insn", path], capture_output=True, text=True)
    if run.returncode != 0:
        tap.check(False, f"{objdump} reads {path}", run.stderr)
        return {}
    objects, function = {}, ""
    for line in run.stdout.splitlines():
        header = re.match(r"(.+?):\s+file format", line)
        label = re.match(r"[0-9a-f]+ <(.+)>:$", line)
        instruction = re.match(r"\s*[0-9a-f]+:\s+(\S+)\s*(.*)", line)
        if header:
            found = objects.setdefault(header.group(1).rsplit("/")[-1], [])
        elif label and not label.group(1).startswith("$"):  # such labels are inside functions
            function = label.group(1)
        elif instruction:
            found.append((function, instruction.group(1), instruction.group(2)))
    return objects


def is_avx(mnemonic, operands):
    named = re.match(AVX, mnemonic) and not re.match(NOT_AVX, mnemonic)
    return bool(named) or re.search(r"%[yz]mm|%k[0-7]|\b[yz]mm\d", operands) is not None


def is_aligned_wide(mnemonic, operands):
    """Moves 32 or 64 bytes between a register and memory that must be aligned to that size."""
    return re.match(r"vmov(ap[sd]|dqa|nt)", mnemonic) is not None and re.search(r"%[yz]mm", operands) is not None and \
        "(" in operands


def check_none(found, forbidden, what):
    hits = [f"{function}: {mnemonic} {operands}" for function, mnemonic, operands in found
            if forbidden(mnemonic, operands)]
    tap.check(len(found) > 0 and not hits, what, "\n".join(hits[:10]) or "no instructions")


def is_fused(mnemonic, operands):
    return re.match(FUSED, mnemonic) is not None


def check_table(name, found, architecture, runs_wider=False):
    """Checks the instructions of a table, such as AVX2_PORTABLE. runs_wider: the compiler may use those of its own
    CPU."""
    isa, rounding = name.split()[-1].split("_")
    if architecture == "x86_64" and not runs_wider and isa in ("SCALAR", "SSE2", "SSE41"):
        check_none(found, is_avx, f"{name}: no AVX")
    if isa == "AVX2" and not runs_wider:
        check_none(found, lambda mnemonic, operands: re.search(r"zmm|%k[0-7]", operands), f"{name}: no AVX-512")
    if rounding == "PORTABLE":
        check_none(found, is_fused, f"{name}: no fused operation")
    else:
        tap.check(any(is_fused(mnemonic, operands) for _, mnemonic, operands in found), f"{name}: fused operations")
        check_none(found, lambda mnemonic, operands: re.match(PACKED_BY_COMPILER, mnemonic),
                   f"{name}: only those that kernels request")
    if isa == "AVX512":
        step = [i for i in found if "springs_step" in i[0]]
        tap.check(any("zmm" in operands for _, _, operands in step), f"{name}: 16 lanes in springs_step")
