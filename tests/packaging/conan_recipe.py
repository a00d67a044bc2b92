"""Runs the Conan recipe step by step with a stand-in for Conan: it builds and packages one table, shared and static,
and builds test_package against the package. Conan itself is not run."""
import hashlib
import pathlib
import runpy
import shutil
import sys

import yaml

from release import ARCHIVE_URL, HOMEPAGE, SOURCE, VERSION, Release, run

sys.path.insert(0, str(pathlib.Path(__file__).with_name("stand_ins")))
import conan_modules  # noqa: E402

conan_modules.provide()

LINUX = {"os": "Linux", "arch": "x86_64", "compiler": "gcc", "build_type": "Release"}
SIMDE = conan_modules.Values({"cpp_info": conan_modules.Values({"includedirs": ["/usr/include"]})})  # of libsimde-dev


class Conan(Release):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.conan = cls.filled / "conan"
        members = runpy.run_path(str(cls.conan / "all/conanfile.py"))
        [cls.recipe] = [member for name, member in members.items() if name == "GyreConan"]

    def made(self, name="recipe", settings=(), **options):
        recipe = self.recipe(self.folder / name, {**LINUX, **dict(settings)}, options, {"simde": SIMDE})
        recipe.version = VERSION
        recipe.conan_data = yaml.safe_load((self.conan / "all/conandata.yml").read_text())
        return recipe

    def test_metadata(self):
        self.assertEqual(yaml.safe_load((self.conan / "config.yml").read_text()), {"versions": {VERSION: {"folder": "all"}}})
        recipe = self.made()
        self.assertEqual((recipe.name, recipe.license, recipe.homepage), ("gyre", "MIT", HOMEPAGE))
        self.assertEqual(recipe.package_type, "library")
        recipe.requirements()
        self.assertEqual(recipe.required, ["simde/0.8.2"])
        recipe.source()
        self.assertEqual(recipe.got, (ARCHIVE_URL, hashlib.sha256(self.archive.read_bytes()).hexdigest(), True))

    def test_validate(self):
        for settings, tables in (({}, "all"), ({}, "sse2-portable"), ({}, "avx2-fused,scalar-portable"),
                                 ({"arch": "armv8"}, "neon-portable"), ({"arch": "riscv64"}, "scalar-portable"),
                                 ({"os": "Macos", "arch": "armv8"}, "all"), ({"os": "Windows"}, "all"),
                                 ({"os": "Windows", "compiler": "clang"}, "all")):
            self.made(settings=settings, tables=tables).validate()
        with self.assertRaisesRegex(conan_modules.ConanInvalidConfiguration, "use clang-cl"):
            self.made(settings={"os": "Windows", "compiler": "msvc"}).validate()

    def generated(self, name, **options):
        recipe = self.made(name, tables="scalar-portable", **options)
        recipe.validate()
        recipe.layout()
        shutil.unpack_archive(self.archive, recipe.folder)
        (recipe.folder / f"gyre-{VERSION}").rename(recipe.source_folder)
        recipe.generate()
        return recipe

    def test_position_independence(self):
        for fpic in (True, False):
            recipe = self.generated(f"fPIC-{fpic}", fPIC=fpic)
            conan_modules.CMake(recipe).configure()
            self.assertEqual("-fPIC" in (recipe.build_folder / "build.ninja").read_text(), fpic)

    def build(self, shared):
        recipe = self.generated("shared" if shared else "static", shared=shared)
        recipe.build()
        recipe.package()
        recipe.package_info()
        return recipe

    def check_kind(self, shared):
        recipe = self.build(shared)
        package = recipe.package_folder
        libraries = ["libgyre.so", f"libgyre.so.{VERSION.rsplit('.', 1)[0]}", f"libgyre.so.{VERSION}"] if shared else [
            "libgyre.a"]
        headers = [f"include/gyre/{header.name}" for header in (SOURCE / "include/gyre").iterdir()]
        files = {path.relative_to(package).as_posix() for path in package.rglob("*") if not path.is_dir()}
        self.assertEqual(files, {"licenses/LICENSE", *headers, *(f"lib/{library}" for library in libraries)})
        self.assertEqual(recipe.cpp_info.properties, {
            "cmake_file_name": "gyre", "cmake_target_name": "gyre::gyre", "pkg_config_name": "gyre"})

        # As Conan's generators pass on cpp_info.
        test_package, info = self.conan / "all/test_package", recipe.cpp_info
        program = recipe.folder / "program"
        run("cc", "-std=c99", test_package / "test_package.c", "-o", program, *(f"-D{name}" for name in info.defines),
            *(f"-I{package / path}" for path in info.includedirs), *(f"-L{package / path}" for path in info.libdirs),
            *(f"-l{name}" for name in info.libs + info.system_libs))
        self.assertEqual(run(program, env={"LD_LIBRARY_PATH": str(package / "lib")}), f"gyre {VERSION}: 100 100\n")
        dynamic = run("readelf", "-d", program)
        self.assertEqual("libgyre" in dynamic, shared)
        return recipe

    def test_shared(self):
        self.check_kind(True)

    def test_static_and_test_package(self):
        recipe = self.check_kind(False)
        self.assertEqual(recipe.cpp_info.defines, ["GYRE_STATIC"])

        # Conan's target has the name of the one that Gyre installs: the test works with either.
        members = runpy.run_path(str(self.conan / "all/test_package/conanfile.py"))
        test = members["TestPackageConan"](self.folder / "test", LINUX, {})
        test.tested_reference_str = f"gyre/{VERSION}"
        test.requirements()
        self.assertEqual(test.required, [f"gyre/{VERSION}"])
        shutil.copytree(self.conan / "all/test_package", test.source_folder)
        installed = self.folder / "installed"
        run("cmake", "--install", recipe.build_folder, "--prefix", installed)
        test.generated = {"CMAKE_PREFIX_PATH": installed}
        test.layout()
        test.build()
        test.test()
        self.assertEqual(test.ran, [("./test_package", "conanrun")])
        self.assertEqual(run(test.build_folder / "test_package"), f"gyre {VERSION}: 100 100\n")
