# Windows on x86-64 with Microsoft's ABI from a Debian host, using clang-cl and lld-link. Wine's headers and import
# libraries replace Microsoft's C library: WINE_DEVELOPMENT is Debian's package libwine-dev, unpacked to a folder.
#   cmake -G Ninja --toolchain tests/emulation/x86_64-pc-windows-msvc.cmake -DWINE_DEVELOPMENT=... -DGYRE_SIMDE=... \
#       -DCMAKE_C_COMPILER="$(clang -print-prog-name=clang-cl)" ...
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR AMD64)
set(CMAKE_C_COMPILER_TARGET x86_64-pc-windows-msvc)
set(CMAKE_LINKER lld-link)
set(CMAKE_RC_COMPILER llvm-rc)
set(CMAKE_MT llvm-mt)

# Wine has no start-up code that could be linked into a program here.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES WINE_DEVELOPMENT)
set(headers ${WINE_DEVELOPMENT}/usr/include/wine/wine)
set(libraries ${WINE_DEVELOPMENT}/usr/lib/x86_64-linux-gnu/wine/x86_64-windows)
# /GS-: Wine has no stack-checking code either.
set(CMAKE_C_FLAGS_INIT "/GS- -imsvc ${headers}/msvcrt -imsvc ${headers}/windows")
set(CMAKE_SHARED_LINKER_FLAGS_INIT
    "/nodefaultlib /noentry /manifest:no ${libraries}/libvcruntime140.a ${libraries}/libntdll.a ${libraries}/libwinecrt0.a")
set(CMAKE_C_STANDARD_LIBRARIES "" CACHE STRING "")
