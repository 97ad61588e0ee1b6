# The target chicane as one shared library of all folders. It shows what core/api.hpp marks and
# nothing else.
#
# A library for any machine can have siblings for newer ones: built with CHICANE_ARCH x86-64-v3 or
# x86-64-v4 they are installed below glibc-hwcaps/, where the loader finds the one that fits the
# processor when a program starts.
add_library(chicane SHARED)
foreach(folder IN LISTS folders)
  get_target_property(type chicane_${folder} TYPE)
  if(NOT type STREQUAL "INTERFACE_LIBRARY")
    target_sources(chicane PRIVATE $<TARGET_OBJECTS:chicane_${folder}>)
  endif()
endforeach()
set_target_properties(
  chicane PROPERTIES LINKER_LANGUAGE CXX VERSION ${PROJECT_VERSION}
                     SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
target_compile_features(chicane INTERFACE cxx_std_20)
target_link_libraries(chicane PUBLIC fmt::fmt PRIVATE ${yaml_cpp} Hdf5C::hdf5 Arkode::arkode
                                                      NloptC::nlopt)
# Symbols of the standard library's templates are not ours to show.
target_link_options(chicane PRIVATE LINKER:--exclude-libs,ALL
                    "LINKER:--version-script=${PROJECT_SOURCE_DIR}/cmake/public.map")
set_target_properties(chicane PROPERTIES LINK_DEPENDS "${PROJECT_SOURCE_DIR}/cmake/public.map")
target_include_directories(
  chicane INTERFACE "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>"
                    "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/chicane>")
