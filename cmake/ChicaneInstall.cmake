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
  # Written by the program from its own options.
  set(documents "${PROJECT_BINARY_DIR}/documents")
  set(document_files "${documents}/chicane.1" "${documents}/chicane.bash" "${documents}/_chicane"
                     "${documents}/chicane.fish")
  add_custom_command(
    OUTPUT ${document_files}
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${documents}"
    COMMAND chicane_cli manual > "${documents}/chicane.1"
    COMMAND chicane_cli completion bash > "${documents}/chicane.bash"
    COMMAND chicane_cli completion zsh > "${documents}/_chicane"
    COMMAND chicane_cli completion fish > "${documents}/chicane.fish"
    DEPENDS chicane_cli
    COMMENT "Writing the manual page and completions")
  add_custom_target(chicane_documents ALL DEPENDS ${document_files})
  install(FILES "${documents}/chicane.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
  install(FILES "${documents}/chicane.bash" RENAME chicane
          DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
  install(FILES "${documents}/_chicane" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
  install(FILES "${documents}/chicane.fish"
          DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
endif()
if(EXISTS "${PROJECT_SOURCE_DIR}/models")
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/models/"
          DESTINATION "${CMAKE_INSTALL_DATADIR}/chicane/models")
endif()
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/THIRD_PARTY.md"
        DESTINATION "${CMAKE_INSTALL_DOCDIR}")

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
