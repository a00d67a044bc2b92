"""Packages state the same as the sources: version, functions, options. Needs none of the packaging tools."""
import io
import pathlib
import re
import tarfile
import tempfile
import unittest

from release import SOURCE, VERSION, run

PACKAGING = SOURCE / "tools/packaging"
DEBIAN = PACKAGING / "debian"
SOVERSION = ".".join(VERSION.split(".")[:2])  # while the version is 0.x: tools/docs/releasing.md


class Versions(unittest.TestCase):
    def test_debian_has_the_version(self):
        newest = re.match(r"gyre \((.+)-[\w~.]+\) ", (DEBIAN / "changelog").read_text())
        self.assertEqual(newest[1], VERSION)

    def test_debian_names_its_library_by_the_soname(self):
        package = f"libgyre{SOVERSION}"
        self.assertIn(f"\nPackage: {package}\n", (DEBIAN / "control").read_text())
        self.assertIn(f"Depends: {package} (= ${{binary:Version}})", (DEBIAN / "control").read_text())
        self.assertRegex((DEBIAN / f"{package}.symbols").read_text(), fr"^libgyre\.so\.{re.escape(SOVERSION)} {package} ")
        self.assertTrue((DEBIAN / f"{package}.install").exists())

    def test_no_other_package_has_a_version_to_forget(self):
        for file in PACKAGING.rglob("*"):
            if file.is_file() and DEBIAN not in file.parents:
                self.assertNotIn(VERSION, file.read_text(), file)


class Fill(unittest.TestCase):
    def filled(self, named, within):
        """Makes the package files from an archive named after one version that contains another."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        archive = pathlib.Path(folder.name) / f"gyre-{named}.tar.gz"
        project = f"project('gyre', 'c',\n  version: '{within}')\n".encode()
        with tarfile.open(archive, "w:gz") as files:
            entry = tarfile.TarInfo(f"gyre-{named}/meson.build")
            entry.size = len(project)
            files.addfile(entry, io.BytesIO(project))
        target = pathlib.Path(folder.name) / "filled"
        run("python3", PACKAGING / "fill.py", archive, "https://gyre.example/archive", "https://gyre.example/", target)
        return [file for file in target.rglob("*") if file.is_file()]

    def test_no_place_stays_empty(self):
        files = self.filled("1.2.3", "1.2.3")
        self.assertEqual({file.name for file in files}, {
            path.name for name in ("conan", "homebrew", "nix", "vcpkg", "wrapdb") for path in (PACKAGING / name).rglob("*")
            if path.is_file()})
        for file in files:
            self.assertNotRegex(file.read_text(), "@[A-Z]", file)

    def test_a_misnamed_archive(self):
        with self.assertRaisesRegex(AssertionError, "gyre-1.2.4.tar.gz has Gyre 1.2.3 in it"):
            self.filled("1.2.4", "1.2.3")


class Functions(unittest.TestCase):
    def test_the_symbols_file_has_those_of_the_headers(self):
        headers = "".join(header.read_text() for header in (SOURCE / "include/gyre").glob("*.h"))
        declared = set(re.findall(r"^GYRE_API [^;(#]*?\b(gyre_\w+)\(", headers, re.M))
        rows = re.findall(r"^ (\w+)@Base (\S+)$", (DEBIAN / f"libgyre{SOVERSION}.symbols").read_text(), re.M)
        self.assertEqual({name for name, _ in rows}, declared)
        self.assertEqual(len(rows), len(declared))
        for name, since in rows:
            self.assertLessEqual([int(part) for part in since.split(".")], [int(part) for part in VERSION.split(".")], name)


class Licence(unittest.TestCase):
    def test_debian_has_the_words_of_the_licence(self):
        copyright_file = (DEBIAN / "copyright").read_text()
        words = copyright_file.split("License: Expat\n")[-1].replace("\n .\n", "\n").split()
        self.assertEqual(words, (SOURCE / "LICENSE").read_text().split("authors\n")[1].split())
        [years] = set(re.findall(r"Copyright:? (?:\(c\) )?(\d+.*)", copyright_file + (SOURCE / "LICENSE").read_text()))
        self.assertIn("The Gyre authors", years)
