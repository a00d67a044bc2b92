"""The WrapDB entry: a parent project uses it to get Gyre from an archive that is already there, so nothing is
downloaded, and its files meet the requirements of tools/sanity_checks.py in mesonbuild/wrapdb."""
import configparser
import hashlib
import json
import pathlib
import shutil

from release import ARCHIVE_URL, VERSION, Release, run

PARENT = """
project('parent', 'c', version: '1', license: 'MIT')
gyre = dependency('gyre')
assert(gyre.type_name() == 'internal' and gyre.version() == '{version}')
executable('program', 'program.c', dependencies: gyre)
"""


class WrapDb(Release):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.entry = cls.filled / "wrapdb"
        cls.wrap = configparser.ConfigParser(interpolation=None)
        cls.wrap.read(cls.entry / "gyre.wrap")

    def test_files(self):
        self.assertEqual(self.wrap.sections(), ["wrap-file", "provide"])
        self.assertEqual(dict(self.wrap["wrap-file"]), {
            "directory": f"gyre-{VERSION}", "source_url": ARCHIVE_URL, "source_filename": self.archive.name,
            "source_hash": hashlib.sha256(self.archive.read_bytes()).hexdigest()})
        releases = json.loads((self.entry / "releases.json").read_text())
        self.assertEqual(releases, {"gyre": {
            "dependency_names": [self.wrap["provide"]["dependency_names"]], "versions": [f"{VERSION}-1"]}})
        config = json.loads((self.entry / "ci_config.json").read_text())
        self.assertEqual(set(config), set(releases))
        known = {"build_options", "build_on", "alpine_packages", "brew_packages", "choco_packages", "debian_packages",
                 "msys_packages", "python_packages", "fatal_warnings", "skip_dependency_check", "skip_program_check",
                 "test_options", "skip_tests"}
        self.assertLessEqual(set(config["gyre"]), known)

    def test_a_parent_project(self):
        parent = self.folder / "parent"
        cache = parent / "subprojects/packagecache"
        cache.mkdir(parents=True)
        (parent / "meson.build").write_text(PARENT.format(version=VERSION))
        (parent / "program.c").write_text("#include <gyre/gyre.h>\nint main(void) { return gyre_version()[0] != '0'; }\n")
        shutil.copy(self.entry / "gyre.wrap", parent / "subprojects")
        shutil.copy(self.archive, cache)
        run("meson", "setup", "--fatal-meson-warnings", "--force-fallback-for=gyre", "-Dgyre:tables=scalar-portable",
            parent / "build", parent)
        run("ninja", "-C", parent / "build")
        run("meson", "test", "-C", parent / "build", "--suite", "gyre")
        run(parent / "build/program")
