# Install rules. The installed tree may be moved: nothing in it names an absolute path.
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/chicane")

if(CHICANE_SHARED)
  set(libraries chicane)
else()
  set(libraries chicane ${folder_targets})
endif()
if(CHICANE_ARCH MATCHES "^x86-64-v")
  # Beside a library for any machine, which brings all the rest.
  set(newer "glibc-hwcaps/${CHICANE_ARCH}")
  install(TARGETS chicane LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/${newer}" NAMELINK_SKIP)
  install(TARGETS chicane_program LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/chicane/${newer}")
  return()
endif()
install(TARGETS ${libraries} EXPORT chicaneTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
        LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(EXPORT chicaneTargets NAMESPACE chicane:: DESTINATION "${package_dir}")
# What programs outside may include: chicane.hpp and what it needs.
foreach(
  header IN
  ITEMS chicane.hpp
        blocks/registry.hpp
        blocks/template_block.hpp
        core/api.hpp
        core/build_info.hpp
        core/diagnostics.hpp
        core/result.hpp
        io/builtin_models.hpp
        language/block.hpp
        math/dual.hpp
        math/scalar.hpp
        session/frame.hpp
        session/request.hpp
        session/session.hpp
        simulation/run_warning.hpp)
  get_filename_component(folder "${header}" DIRECTORY)
  install(FILES "${PROJECT_SOURCE_DIR}/src/${header}"
          DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/chicane/${folder}")
endforeach()

if(TARGET chicane_cli)
  install(TARGETS chicane_cli RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  if(TARGET chicane_program)
    install(TARGETS chicane_program LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/chicane")
  endif()
endif()
if(EXISTS "${PROJECT_SOURCE_DIR}/models")
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/models/"
          DESTINATION "${CMAKE_INSTALL_DATADIR}/chicane/models")
endif()
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")

configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/chicaneConfig.cmake.in" "${PROJECT_BINARY_DIR}/chicaneConfig.cmake"
  INSTALL_DESTINATION "${package_dir}" PATH_VARS CMAKE_INSTALL_DATADIR)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/chicaneConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/chicaneConfig.cmake"
              "${PROJECT_BINARY_DIR}/chicaneConfigVersion.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/FindArkode.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/FindHdf5C.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/FindNloptC.cmake" DESTINATION "${package_dir}")
