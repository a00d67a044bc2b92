"""Runs the C tests of a build on an emulated CPU with AVX-512 and records their output for emulation/replay.py.

usage: emulation/record.py BUILD KERNEL BUSYBOX     a Meson build folder, a Linux kernel, a static busybox

Bochs emulates a whole computer, so this makes a CD with the kernel and an initial RAM file system: the programs, the
libraries that they load, and an init that runs one after another and prints to the serial line. Two such computers
start side by side, one from the front of the list and one from its back, until every program has run. BUILD/avx512 gets
PROGRAM.txt and PROGRAM.status for each, the CD, and both serial logs. A program without these files did not finish.

QEMU does not emulate AVX-512, and the speed of Bochs is unlike that of a real CPU: this tests correctness, never
speed.
"""
import json
import os
import pathlib
import pty
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

LIMIT_S = 3600  # stops a hang: on two idle cores of a Zen 3 it takes five minutes
# Suites, as in the setup in tests/meson.build.
LEFT_OUT = {"build", "tool", "bench", "examples", "accuracy", "emulated", "embedding", "packages", "onefile"}

# Time is counted in instructions, 20 million a second: with fewer, timer interrupts would take too many of them; with
# more, each character on the serial line would. Sound is left out because Bochs crashes without a sound card.
BOCHS = """\
display_library: term
plugin_ctrl: speaker=0, sb16=0, es1370=0
romimage: file=/usr/share/bochs/BIOS-bochs-latest
vgaromimage: file=/usr/share/bochs/VGABIOS-lgpl-latest
cpu: model=corei7_skylake_x, ips=20000000, reset_on_triple_fault=0
clock: sync=none
megs: 512
ata0-master: type=cdrom, path={folder}/cd{number}.iso, status=inserted
boot: cdrom
com1: enabled=1, mode=file, dev={folder}/console{number}
log: {folder}/bochs{number}.log
panic: action=fatal
error: action=ignore
info: action=ignore
"""

# Bochs 2.7 reports a wrong size for the output of XSAVEC and XSAVES, and Linux would then disable AVX altogether. The
# other options make it start a minute faster.
LINUX = ("console=ttyS0 quiet loglevel=1 panic=-1 reboot=triple clearcpuid=xsavec,xsaves nosmp mitigations=off "
         "cryptomgr.notests no_timer_check tsc=reliable lpj=400000 random.trust_cpu=on")

ISOLINUX = f"default linux\nprompt 0\nlabel linux\n  kernel linux\n  initrd initrd\n  append {LINUX}\n"

ENVIRONMENT = {"GYRE_TEST_EFFORT": "small", "GYRE_TEST_BEST": "avx512", "GYRE_TEST_ISA": "avx512"}


def programs_of(build):
    """Returns (name, command, environment) of every test that is a program of the build."""
    tests = json.loads(subprocess.check_output(["meson", "introspect", "--tests", build]))
    return [(test["name"], test["cmd"], test["env"]) for test in tests
            if not LEFT_OUT & {suite.split(":")[-1] for suite in test["suite"]}]


def init_script(programs):
    """The script that the emulated computer runs. finished() reads its markers from the serial line."""
    lines = ["#!/bin/busybox sh", "/bin/busybox mount -t proc proc /proc",
             "/bin/busybox mount -t devtmpfs devices /dev", "/bin/busybox stty -opost < /dev/console"]
    for name, command, environment in programs:
        variables = " ".join(f"{key}={shlex.quote(value)}" for key, value in (environment | ENVIRONMENT).items())
        lines += [f"echo '<<< {name}'", f"{variables} {shlex.join(command)} 2>&1", f"echo \">>> {name} $?\""]
    return "\n".join(lines + ["/bin/busybox sleep 1", "/bin/busybox poweroff -f", ""])


def add_file(root, path):
    target = root / str(path).lstrip("/")
    target.parent.mkdir(parents=True, exist_ok=True)
    if not target.exists():
        shutil.copy(path, target)


def make_cd(folder, number, programs, kernel, busybox):
    with tempfile.TemporaryDirectory() as scratch:
        root, cd = pathlib.Path(scratch) / "root", pathlib.Path(scratch) / "cd"
        for empty in ("bin", "dev", "proc", "tmp"):
            (root / empty).mkdir(parents=True)
        cd.mkdir()
        shutil.copy(busybox, root / "bin" / "busybox")
        for data in (pathlib.Path(__file__).parent.parent / "data").resolve().iterdir():
            add_file(root, data)
        for _, command, _ in programs:
            add_file(root, command[0])
            for library in re.findall(r"(/\S+)", subprocess.check_output(["ldd", command[0]], text=True)):
                add_file(root, library)
        init = root / "init"
        init.write_text(init_script(programs))
        init.chmod(0o755)
        files = "\n".join(str(path.relative_to(root)) for path in sorted(root.rglob("*")))
        with open(cd / "initrd", "wb") as initrd:
            subprocess.run([busybox, "cpio", "-o", "-H", "newc"], cwd=root, input=files.encode(), stdout=initrd,
                           stderr=subprocess.DEVNULL, check=True)
        shutil.copy(kernel, cd / "linux")
        shutil.copy("/usr/lib/ISOLINUX/isolinux.bin", cd)
        shutil.copy("/usr/lib/syslinux/modules/bios/ldlinux.c32", cd)
        (cd / "isolinux.cfg").write_text(ISOLINUX)
        subprocess.run(["xorriso", "-as", "mkisofs", "-quiet", "-o", folder / f"cd{number}.iso",
                        "-b", "isolinux.bin", "-c", "boot.cat", "-no-emul-boot", "-boot-load-size", "4",
                        "-boot-info-table", cd], check=True)


def start(folder, number):
    """Bochs needs a terminal for its unused screen, and Debian's build starts in its debugger."""
    (folder / f"bochsrc{number}").write_text(BOCHS.format(folder=folder, number=number))
    (folder / "continue").write_text("continue\nquit\n")
    screen, terminal = pty.openpty()

    def drain():
        with open(folder / f"screen{number}", "wb") as kept:
            try:
                while shown := os.read(screen, 65536):
                    kept.write(shown)
            except OSError:  # the other end is closed
                pass

    # timeout stops Bochs even if this script is killed; Bochs ignores SIGTERM.
    process = subprocess.Popen(["timeout", "-s", "KILL", str(LIMIT_S + 60), "bochs-bin", "-q",
                                "-f", folder / f"bochsrc{number}", "-rc", folder / "continue"],
                               stdin=terminal, stdout=terminal, stderr=terminal, start_new_session=True,
                               env=os.environ | {"TERM": "vt100"})
    os.close(terminal)
    threading.Thread(target=drain, daemon=True).start()
    return process


def finished(console):
    """Returns name: (status, output) of every finished program, from the text of a serial line so far."""
    found = re.findall(r"^<<< (\S+)\n(.*?)^>>> \1 (\d+)\n", console.replace("\r", ""), re.MULTILINE | re.DOTALL)
    return {name: (status, printed) for name, printed, status in found}


def record(folder, programs):
    """Starts both and waits; returns the text of both serial lines and the results of the programs."""
    processes = [start(folder, number) for number in (1, 2)]
    begin = time.monotonic()
    results = {}
    try:
        while len(results) < len(programs) and time.monotonic() - begin < LIMIT_S:
            alive = any(process.poll() is None for process in processes)
            time.sleep(1)
            for number in (1, 2):
                console = folder / f"console{number}"
                for name, result in finished(console.read_text(errors="replace") if console.exists() else "").items():
                    if name not in results:
                        results[name] = result
                        print(f"{time.monotonic() - begin:4.0f} s: {name} ended", flush=True)
            if not alive:
                break
    finally:
        for process in processes:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:  # it has ended already
                pass
            process.wait()
    return results


def main():
    build, kernel, busybox = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    folder = build / "avx512"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    programs = programs_of(build)
    make_cd(folder, 1, programs, kernel, busybox)
    make_cd(folder, 2, programs[::-1], kernel, busybox)
    results = record(folder, programs)
    for name, command, _ in programs:
        if name in results:
            status, printed = results[name]
            base = pathlib.Path(command[0]).name
            (folder / f"{base}.txt").write_text(printed)
            (folder / f"{base}.status").write_text(status)
    if len(results) < len(programs):
        print(f"only {len(results)} of {len(programs)} programs ended within {LIMIT_S} s")
        for name in ("console1", "console2", "bochs1.log", "bochs2.log"):
            file = folder / name
            print(f"---- the end of {file}\n{file.read_text(errors='replace')[-3000:] if file.exists() else ''}")


main()
