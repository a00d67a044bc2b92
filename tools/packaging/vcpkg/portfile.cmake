vcpkg_download_distfile(ARCHIVE
    URLS "@ARCHIVE_URL@"
    FILENAME "gyre-${VERSION}.tar.gz"
    SHA512 @SHA512@
)
vcpkg_extract_source_archive(SOURCE_PATH ARCHIVE "${ARCHIVE}")

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
  if(TARGET ${gyre_target})
    get_target_property(gyre_library ${gyre_target} IMPORTED_LOCATION)
    get_filename_component(gyre_library "${gyre_library}" NAME)
    set_target_properties(${gyre_target} PROPERTIES
      IMPORTED_LOCATION_DEBUG "${gyre_folder}/../debug/lib/${gyre_library}")
  endif()
endforeach()
]])
endif()
vcpkg_fixup_pkgconfig()

file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
