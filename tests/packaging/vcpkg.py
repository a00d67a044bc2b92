"""The vcpkg port: its manifest against the schema, its portfile run with stand-ins for vcpkg's functions, and a user's
project that follows its file `usage`. vcpkg itself is not run."""
import json
import pathlib
import re
import shutil

import jsonschema

from release import ARCHIVE_URL, HOMEPAGE, PAGES, SOURCE, VERSION, Release, run

# The requirements for these fields in microsoft/vcpkg-tool, docs/vcpkg.schema.json and
# vcpkg-schema-definitions.schema.json; a name and a version are required for every port, the description and the
# licence by vcpkg's maintainer guide.
IDENTIFIER = {"type": "string", "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$"}
SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "required": ["name", "version", "description", "license"],
    "properties": {
        "name": IDENTIFIER,
        "version": {"type": "string", "pattern": r"^\d+(\.\d+)*$"},
        "port-version": {"type": "integer", "minimum": 0},
        "description": {"type": "string"},
        "homepage": {"type": "string", "pattern": r"^https?://\S+$"},
        "license": {"enum": ["MIT"]},  # an SPDX expression
        "supports": {"type": "string", "pattern": r"^[a-z0-9!&|(), ]+$"},  # a platform expression
        "dependencies": {"type": "array", "items": {"oneOf": [IDENTIFIER, {
            "type": "object",
            "additionalProperties": False,
            "required": ["name"],
            "properties": {
                "name": IDENTIFIER, "host": {"type": "boolean"}, "default-features": {"type": "boolean"},
                "features": {"type": "array", "items": IDENTIFIER}, "platform": {"type": "string"},
                "version>=": {"type": "string", "pattern": r"^[^#]+(#\d+)?$"}},
        }]}},
    },
}

USER = """
cmake_minimum_required(VERSION 3.22)
project(user LANGUAGES C)
add_executable(main main.c)
"""


class Vcpkg(Release):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.port = cls.filled / "vcpkg"

    def run_portfile(self):
        folder = self.folder / "run"
        folder.mkdir()
        run("cmake", f"-DPORT_FOLDER={self.port}", f"-DARCHIVE={self.archive}", f"-DBUILD={self.folder}",
            f"-DFOLDER={folder}", "-P", pathlib.Path(__file__).with_name("stand_ins") / "vcpkg.cmake")
        return folder / "package", (folder / "asked.txt").read_text()

    def test_manifest(self):
        manifest = json.loads((self.port / "vcpkg.json").read_text())
        jsonschema.validate(manifest, SCHEMA)
        self.assertEqual((manifest["name"], manifest["version"], manifest["homepage"]), ("gyre", VERSION, HOMEPAGE))
        names = [entry if isinstance(entry, str) else entry["name"] for entry in manifest["dependencies"]]
        self.assertEqual(names, sorted(names))  # the order of vcpkg format-manifest
        called = set(re.findall(r"\bvcpkg_cmake_\w+", (self.port / "portfile.cmake").read_text()))
        helpers = {"vcpkg_cmake_configure": "vcpkg-cmake", "vcpkg_cmake_install": "vcpkg-cmake",
                   "vcpkg_cmake_config_fixup": "vcpkg-cmake-config"}
        self.assertEqual({helpers[name] for name in called}, {name for name in names if name.startswith("vcpkg-")})

    def test_portfile_and_usage(self):
        package, asked = self.run_portfile()
        self.assertEqual(asked, f"{ARCHIVE_URL}\ngyre-{VERSION}.tar.gz\n")
        files = {path.relative_to(package).as_posix() for path in package.rglob("*") if path.is_file()}
        headers = {f"include/gyre/{header.name}" for header in (SOURCE / "include/gyre").iterdir()}
        self.assertEqual(files, headers | {
            "lib/libgyre.a", "lib/pkgconfig/gyre.pc", "debug/lib/libgyre.a", "debug/lib/pkgconfig/gyre.pc",
            "share/gyre/gyre-config.cmake", "share/gyre/gyre-config-version.cmake", "share/gyre/usage",
            "share/gyre/copyright", "share/doc/gyre/LICENSE", *(f"share/doc/gyre/{page.name}" for page in PAGES)})

        usage = re.findall(r"^  (\w+\(.*\))$", (package / "share/gyre/usage").read_text(), re.M)
        self.assertEqual(len(usage), 2)
        user = self.folder / "user"
        user.mkdir()
        (user / "CMakeLists.txt").write_text(USER + "\n".join(usage) + "\n")
        shutil.copy(SOURCE / "tools/packaging/conan/all/test_package/test_package.c", user / "main.c")
        for kind, library in (("Release", package / "lib"), ("Debug", package / "debug/lib")):
            build = user / kind
            run("cmake", "-S", user, "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={package}", f"-DCMAKE_BUILD_TYPE={kind}")
            self.assertIn(f"gyre {VERSION}: 100 100", run("sh", "-c", f"ninja -C {build} >&2 && {build}/main"))
            [linked] = re.findall(r"LINK_LIBRARIES = (\S+)", (build / "build.ninja").read_text())
            self.assertEqual(pathlib.Path(linked).resolve(), (library / "libgyre.a").resolve())
