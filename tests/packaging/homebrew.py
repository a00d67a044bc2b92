"""The Homebrew formula: its syntax, its declarations, whether Meson accepts the options of its install, and its test,
run against the library of this build. brew itself is not run.

GYRE_BUILD: the build folder; GYRE_TOOL: the program in it
"""
import hashlib
import json
import os
import pathlib
import re
import tempfile
import unittest

from release import ARCHIVE_URL, HOMEPAGE, SOURCE, fill, run

BUILD = pathlib.Path(os.environ["GYRE_BUILD"])


class Homebrew(unittest.TestCase):
    def test_formula(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            archive, filled = fill(folder)
            formula = filled / "homebrew/gyre.rb"
            self.assertIn("Syntax OK", run("ruby", "-wc", formula))
            (folder / "bin").mkdir()
            (folder / "bin/gyre").symlink_to(os.environ["GYRE_TOOL"])
            ran = json.loads(run(
                "ruby", pathlib.Path(__file__).with_name("stand_ins") / "formula.rb", formula, folder,
                env=dict(os.environ, PKG_CONFIG_PATH=str(BUILD / "meson-uninstalled"), LD_LIBRARY_PATH=str(BUILD / "kernels"))))

            declared = ran["declared"]
            self.assertEqual((declared["url"], declared["homepage"], declared["license"]), (ARCHIVE_URL, HOMEPAGE, "MIT"))
            self.assertEqual(declared["sha256"], hashlib.sha256(archive.read_bytes()).hexdigest())
            # As required by brew audit: at most 80 characters, no article or formula name at the start, no full stop.
            self.assertLessEqual(len(declared["desc"]), 80)
            self.assertFalse(re.match(r"(?i)(an?|the|gyre)\b", declared["desc"]) or declared["desc"].endswith("."))
            self.assertEqual(ran["dependencies"], {"meson": ["build"], "ninja": ["build"], "pkgconf": ["build", "test"],
                                                   "simde": ["build"], "jansson": []})

            setup, *others = ran["asked"]
            self.assertEqual(setup[:3], ["meson", "setup", "build"])
            self.assertEqual(others, [["meson", "compile", "-C", "build", "--verbose"], ["meson", "install", "-C", "build"]])
            told = run("meson", "setup", folder / "build", *setup[3:], cwd=SOURCE)
            self.assertRegex(told, r"program gyre \(jansson\) *: YES")
            self.assertRegex(told, r"tests \(cmocka\) *: NO")
