# Windows on x86-64 from a Debian host, with gcc for MinGW, or clang with -DGYRE_CLANG=ON; Wine runs the programs.
#   cmake --toolchain tests/emulation/x86_64-w64-mingw32.cmake -DGYRE_SIMDE=FOLDER ...
# FOLDER has simde/x86/avx2.h, because a compiler for Windows does not read /usr/include: mingw_libraries.sh makes it.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR AMD64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES GYRE_CLANG)
if(GYRE_CLANG)
  # clang 14 does not find gcc's libraries in Debian's folder.
  execute_process(COMMAND x86_64-w64-mingw32-gcc -print-libgcc-file-name OUTPUT_VARIABLE libgcc)
  get_filename_component(libraries "${libgcc}" DIRECTORY)
  set(CMAKE_C_COMPILER clang)
  set(CMAKE_C_COMPILER_TARGET x86_64-w64-mingw32)
  set(CMAKE_EXE_LINKER_FLAGS_INIT -L${libraries})
  set(CMAKE_SHARED_LINKER_FLAGS_INIT -L${libraries})
endif()
