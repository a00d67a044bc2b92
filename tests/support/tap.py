"""Writes the Test Anything Protocol: one line per check, then the plan."""
import sys

_count = 0
_failed = 0


def _say(line):
    """At once, so that what hangs is known to come after it."""
    print(line, flush=True)


def check(passed, name, details=""):
    """One check. Details, shown if it failed, may have several lines."""
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
