vcpkg_download_distfile(ARCHIVE
    URLS "@ARCHIVE_URL@"
    FILENAME "gyre-${VERSION}.tar.gz"
    SHA512 @SHA512@
)
vcpkg_extract_source_archive(SOURCE_PATH ARCHIVE "${ARCHIVE}")

# On Windows, for MinGW alone: other triplets use Microsoft's compiler, which does not compile the kernels. gcc there
# needs binutils 2.38 or later (tools/docs/windows.md).
vcpkg_cmake_configure(
    SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS
        -DGYRE_DOWNLOAD=OFF
)
vcpkg_cmake_install()

# Moves it from lib/cmake/gyre, next to which gyre-config.cmake expects the library, to share/gyre.
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/gyre)
set(config "${CURRENT_PACKAGES_DIR}/share/${PORT}/gyre-config.cmake")
vcpkg_replace_string("${config}" [["${CMAKE_CURRENT_LIST_DIR}/../.."]] [["${CMAKE_CURRENT_LIST_DIR}/../../lib"]])
if(NOT VCPKG_BUILD_TYPE)
    file(APPEND "${config}" [[
foreach(gyre_target gyre::shared gyre::static)
  foreach(gyre_property IMPORTED_LOCATION IMPORTED_IMPLIB)
    if(TARGET ${gyre_target})
      get_target_property(gyre_library ${gyre_target} ${gyre_property})
      if(gyre_library)
        file(RELATIVE_PATH gyre_library "${gyre_folder}/.." "${gyre_library}")
        set_target_properties(${gyre_target} PROPERTIES
          ${gyre_property}_DEBUG "${gyre_folder}/../debug/${gyre_library}")
      endif()
    endif()
  endforeach()
endforeach()
]])
endif()
vcpkg_fixup_pkgconfig()

file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
