"""The folders of the program: each includes only its own files and those of the folders below it, and there are no
cycles."""

import os
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(os.environ["GYRE_SCENES"]).parent / "gyre"
FOLDERS = ("support", "input", "scene", "batches", "commands", ".")  # from the lowest up


def included(path):
    return re.findall(r'^#include "([^"]+)"', path.read_text(encoding="utf-8"), re.MULTILINE)


class Layers(unittest.TestCase):
    def setUp(self):
        self.files = {path.relative_to(ROOT): included(path) for path in ROOT.rglob("*.[ch]")}
        self.assertGreater(len(self.files), 50)

    def test_includes_go_down(self):
        for path, names in self.files.items():
            for name in names:
                with self.subTest(file=str(path), include=name):
                    self.assertIn(pathlib.Path(name), self.files)
                    got = FOLDERS.index(str(pathlib.Path(name).parent))
                    most = FOLDERS.index(str(path.parent))
                    self.assertLessEqual(got, most, f"got {FOLDERS[got]}, wanted {FOLDERS[most]} or a folder below")

    def test_no_circles(self):
        """A source and its header are one unit."""
        units = {}
        for path, names in self.files.items():
            unit = str(path.with_suffix(""))
            units.setdefault(unit, set()).update(os.path.splitext(name)[0] for name in names)
            units[unit].discard(unit)
        while units:
            free = {unit for unit, uses in units.items() if not uses & set(units)}
            self.assertTrue(free, f"got circles among {sorted(units)}, wanted none")
            for unit in free:
                del units[unit]


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"] + sys.argv[1:])
