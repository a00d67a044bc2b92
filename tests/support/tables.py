"""The rows of kernels/tables.txt."""
import collections
import pathlib

Table = collections.namedtuple("Table", "architecture isa rounding lanes needs options")


def tables_of(source, architecture):
    """Those of an architecture, in Meson's spelling, narrow to wide."""
    lines = (pathlib.Path(source) / "kernels/tables.txt").read_text().splitlines()
    rows = [line.split(maxsplit=5) for line in lines if line and not line.startswith("#")]
    return [Table(*row) for row in rows if row[0] in ("any", architecture)]
