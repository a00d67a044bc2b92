"""Writes the Test Anything Protocol: one line per check, then the plan."""
import sys

_count = 0
_failed = 0


def _say(line):
    """Flushes at once, which shows where a hang begins."""
    print(line, flush=True)


def check(passed, name, details=""):
    """One check. Details may have several lines, and are shown if it failed."""
    global _count, _failed
    _count += 1
    _say(f"{'ok' if passed else 'not ok'} {_count} - {name}")
    if not passed:
        _failed += 1
        for line in details.splitlines():
            _say(f"#   {line}")


def skip(name, reason):
    global _count
    _count += 1
    _say(f"ok {_count} - {name} # SKIP {reason}")


def finish():
    print(f"1..{_count}")
    sys.exit(1 if _failed or _count == 0 else 0)


def skip_all(reason):
    print(f"1..0 # SKIP {reason}")
    sys.exit(0)
