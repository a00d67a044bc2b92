import os

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, get, rmdir

required_conan_version = ">=2.0"


class GyreConan(ConanFile):
    name = "gyre"
    description = "SIMD-batched physics kernels: springs, particles, rotations and rigid bodies, with the same bits on every CPU"
    license = "MIT"
    url = "https://github.com/conan-io/conan-center-index"
    homepage = "@HOMEPAGE@"
    topics = ("simd", "physics", "springs", "rigid-body", "determinism")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    # tables: all, or the instruction sets and roundings to build, as in "sse2-portable,avx2-portable"; CMake refuses
    # unknown names
    options = {"shared": [True, False], "fPIC": [True, False], "tables": ["ANY"]}
    default_options = {"shared": False, "fPIC": True, "tables": "all"}
    implements = ["auto_shared_fpic"]
    languages = ["C"]

    @property
    def _tables(self):
        return [] if self.options.tables == "all" else str(self.options.tables).split(",")

    def layout(self):
        cmake_layout(self, src_folder="src")

    def requirements(self):
        self.requires("simde/0.8.2", visible=False)

    def validate(self):
        # For gcc of MinGW-w64, CMake passes an assembler option that binutils has since 2.38: tools/docs/windows.md.
        if self.settings.compiler == "msvc":
            raise ConanInvalidConfiguration(
                "Microsoft's compiler does not compile Gyre: use clang-cl, or gcc or clang of MinGW-w64")

    def source(self):
        get(self, **self.conan_data["sources"][self.version], strip_root=True)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["GYRE_TABLES"] = ";".join(self._tables)
        toolchain.cache_variables["GYRE_DOWNLOAD"] = False
        toolchain.cache_variables["GYRE_SIMDE"] = self.dependencies["simde"].cpp_info.includedirs[0].replace("\\", "/")
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", src=self.source_folder, dst=os.path.join(self.package_folder, "licenses"))
        cmake = CMake(self)
        cmake.install()
        for folder in (("lib", "cmake"), ("lib", "pkgconfig"), ("share",)):
            rmdir(self, os.path.join(self.package_folder, *folder))

    def package_info(self):
        self.cpp_info.libs = ["gyre"]
        self.cpp_info.set_property("cmake_file_name", "gyre")
        self.cpp_info.set_property("cmake_target_name", "gyre::gyre")
        self.cpp_info.set_property("pkg_config_name", "gyre")
        if not self.options.shared:
            self.cpp_info.defines = ["GYRE_STATIC"]
