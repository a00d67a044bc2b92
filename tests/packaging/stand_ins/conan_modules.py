"""A stand-in for the package `conan`: what Gyre's recipe imports from it, with the arguments of Conan 2. CMake is run;
nothing is downloaded."""
import pathlib
import shutil
import subprocess
import sys
import types


class Values:
    """Settings or options: an attribute for each, None if there is none of that name."""

    def __init__(self, values):
        self.__dict__.update(values)


class ConanFile:
    def __init__(self, folder, settings, options, dependencies=()):
        """Options that are not given have their defaults; settings and options that the recipe does not declare are an
        error."""
        allowed, chosen = getattr(self, "options", {}), {**getattr(self, "default_options", {}), **options}
        for name, value in chosen.items():
            if value not in allowed[name] and allowed[name] != ["ANY"]:
                raise ConanInvalidConfiguration(f"{value} is not an option of {name}")
        if set(chosen) != set(allowed):
            raise ConanInvalidConfiguration(f"no value for {set(allowed) - set(chosen)}")
        self.settings = Values({name: settings[name] for name in self.settings})
        self.options = Values(chosen)
        self.dependencies = dict(dependencies)
        self.required, self.ran = [], []
        self.conf, self.cpp_info = {}, CppInfo()
        self.folder = pathlib.Path(folder)
        self.source_folder, self.build_folder = self.folder / "src", self.folder / "build"
        self.package_folder = self.folder / "package"
        self.generated = {}

    def requires(self, reference, *, visible=True, headers=True):
        self.required.append(reference)

    def run(self, command, env=""):
        self.ran.append((command, env))


class CppInfo:
    def __init__(self):
        self.libs, self.defines, self.system_libs, self.includedirs, self.libdirs = [], [], [], ["include"], ["lib"]
        self.properties = {}

    def set_property(self, name, value):
        self.properties[name] = value


class ConanInvalidConfiguration(Exception):
    pass


class CMakeToolchain:
    def __init__(self, recipe):
        self.recipe, self.cache_variables = recipe, {}

    def generate(self):
        shared = self.recipe.options.shared
        self.recipe.generated = {"BUILD_SHARED_LIBS": shared, **self.cache_variables}
        if not shared:
            self.recipe.generated["CMAKE_POSITION_INDEPENDENT_CODE"] = self.recipe.options.fPIC


class CMake:
    def __init__(self, recipe):
        self.recipe = recipe

    def run(self, *arguments):
        done = subprocess.run(["cmake", *map(str, arguments)], capture_output=True, text=True)
        if done.returncode or "not used by the project" in done.stderr:
            raise AssertionError(done.stdout[-3000:] + done.stderr)

    def configure(self):
        values = {True: "ON", False: "OFF"}
        self.run("-S", self.recipe.source_folder, "-B", self.recipe.build_folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                 *(f"-D{name}={values.get(value, value)}" for name, value in self.recipe.generated.items()))

    def build(self):
        self.run("--build", self.recipe.build_folder)

    def install(self):
        self.run("--install", self.recipe.build_folder, "--prefix", self.recipe.package_folder)


def cmake_layout(recipe, src_folder="."):
    recipe.cpp = Values({"build": Values({"bindir": "."})})


def get(recipe, *, url, sha256, strip_root=False):
    recipe.got = url, sha256, strip_root


def copy(recipe, pattern, src, dst):
    found = list(pathlib.Path(src).glob(pattern))
    assert found, f"no {pattern} in {src}"
    pathlib.Path(dst).mkdir(parents=True, exist_ok=True)
    for path in found:
        shutil.copy(path, dst)


def rmdir(recipe, path):
    shutil.rmtree(path)  # fails if there is none: the recipe removes only what is installed


def can_run(recipe):
    return True


def provide():
    for name, members in (("conan", {"ConanFile": ConanFile}), ("conan.tools", {}),
                          ("conan.errors", {"ConanInvalidConfiguration": ConanInvalidConfiguration}),
                          ("conan.tools.cmake", {"CMake": CMake, "CMakeToolchain": CMakeToolchain, "cmake_layout": cmake_layout}),
                          ("conan.tools.files", {"get": get, "copy": copy, "rmdir": rmdir}),
                          ("conan.tools.build", {"can_run": can_run})):
        module = types.ModuleType(name)
        module.__dict__.update(members)
        sys.modules[name] = module
