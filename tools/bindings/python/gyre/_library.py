"""The shared library: beside the package in a wheel, otherwise where the system finds it."""
import ctypes
import pathlib
import sys
from typing import Any

from ._constants import VERSION

SERIES = VERSION.rpartition(".")[0]  # "0.1", as in the library's name: in 0.x a minor version may change the interface
NAME = {"darwin": f"libgyre.{SERIES}.dylib", "win32": f"libgyre-{SERIES}.dll"}.get(sys.platform, f"libgyre.so.{SERIES}")


def _numbers(version: str) -> list[int]:
    return [int(part) for part in version.split(".")]


def _load() -> ctypes.CDLL:
    of_wheel = pathlib.Path(__file__).parents[1] / ".gyre.mesonpy.libs"
    path = next(map(str, of_wheel.glob(f"{NAME}*")), NAME)
    try:
        loaded = ctypes.CDLL(path)  # which releases the GIL during calls
        loaded.gyre_version.restype = ctypes.c_char_p
        found = loaded.gyre_version().decode()
    except (OSError, AttributeError) as error:
        raise ImportError(f"cannot load Gyre's library: {error}. Install it (libgyre{SERIES} of Debian, or meson install), "
                          f"or name the folder that has {NAME} in LD_LIBRARY_PATH.") from None
    if not found.startswith(f"{SERIES}.") or _numbers(found) < _numbers(VERSION):
        raise ImportError(f"{path} is Gyre {found}, and this package needs {VERSION} or a later {SERIES}.x: install both "
                          f"from the same source, or name the library's folder in LD_LIBRARY_PATH.")
    return loaded


library = _load()


def prototype(name: str, result: Any, *arguments: Any) -> None:
    try:
        function = getattr(library, name)
    except AttributeError as error:
        older = f"Gyre's library is older than this package: {error}. Install both from the same source."
        raise ImportError(older) from None
    function.restype, function.argtypes = result, arguments


def version() -> str:
    """Returns the version of the running library, such as "0.1.0"."""
    return str(library.gyre_version().decode())
