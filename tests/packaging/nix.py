"""The Nix expression: its syntax, and its attributes, evaluated with stand-ins for nixpkgs. nix-build is not run."""
import base64
import hashlib
import json
import pathlib
import re
import tempfile
import unittest

from release import ARCHIVE_URL, HOMEPAGE, SOURCE, VERSION, fill, run

# The parts of nixpkgs under these names that the expression uses.
EXPRESSION = """
let
  lib = {{
    optionals = condition: list: if condition then list else [ ];
    mesonEnable = name: value: assert builtins.isBool value; "-D${{name}}=${{if value then "enabled" else "disabled"}}";
    licenses.mit.spdxId = "MIT";
    platforms.unix = [ "x86_64-linux" ];
  }};
  stdenv = {{
    hostPlatform.isLinux = {linux};
    buildPlatform.canExecute = platform: true;
    mkDerivation = make: let attributes = make (attributes // {{ finalPackage = attributes; }}); in attributes;
  }};
  package = import {file} {{
    inherit lib stdenv;
    fetchurl = {{ url, hash }}: {{ inherit url hash; }};
    testers.testMetaPkgConfig = package: true;
    meson = "meson"; ninja = "ninja"; pkg-config = "pkg-config"; python3 = "python3"; simde = "simde"; jansson = "jansson";
    cmocka = "cmocka";
  }};
in package
"""


class Nix(unittest.TestCase):
    def evaluated(self, folder, file, linux):
        environment = {"PATH": "/usr/bin:/bin", "HOME": str(folder), "NIX_STORE_DIR": str(folder / "store"),
                       "NIX_STATE_DIR": str(folder / "state")}
        run("nix-instantiate", "--parse", file, env=environment)
        expression = EXPRESSION.format(file=file, linux="true" if linux else "false")
        return json.loads(run("nix-instantiate", "--eval", "--strict", "--json", "-E", expression, env=environment))

    def test_package(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            archive, filled = fill(folder)
            package = self.evaluated(folder, filled / "nix/package.nix", True)
            digest = base64.b64encode(hashlib.sha256(archive.read_bytes()).digest()).decode()
            self.assertEqual(package["src"], {"url": ARCHIVE_URL, "hash": f"sha256-{digest}"})
            self.assertEqual((package["pname"], package["version"]), ("gyre", VERSION))
            self.assertEqual(package["meta"]["homepage"], HOMEPAGE)
            self.assertEqual((package["meta"]["mainProgram"], package["meta"]["pkgConfigModules"]), ("gyre", ["gyre"]))
            self.assertEqual(package["nativeBuildInputs"], ["meson", "ninja", "pkg-config", "python3"])
            self.assertEqual((package["buildInputs"], package["checkInputs"]), (["simde", "jansson"], ["cmocka"]))
            self.assertEqual(package["mesonFlags"], ["-Dtools=enabled", "-Dtests=enabled", "-Dbench=disabled"])
            options = re.findall(r"option\('(\w+)'", (SOURCE / "meson_options.txt").read_text())
            self.assertEqual({flag[2:].split("=")[0] for flag in package["mesonFlags"]} - set(options), set())

            elsewhere = self.evaluated(folder, filled / "nix/package.nix", False)
            self.assertEqual((elsewhere["buildInputs"], elsewhere["doCheck"]), (["simde"], False))
            self.assertEqual(elsewhere["mesonFlags"], ["-Dtools=disabled", "-Dtests=disabled", "-Dbench=disabled"])
