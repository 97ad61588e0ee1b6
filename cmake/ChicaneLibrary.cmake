# chicane_library(<folder>
#                 [SOURCES <generated file>...]     beside every src/<folder>/**.cpp
#                 [DEPENDS <folder>...]             folders of src/ it may include
#                 [PUBLIC_PACKAGES <target>...]     third-party libraries its headers show
#                 [PRIVATE_PACKAGES <target>...]    third-party libraries only its sources use
#                 [PRIVATE_HEADERS <target>...])    the same, header-only: nothing to link later
#
# Makes the static library chicane_<folder> with the alias chicane::<folder>. Its include root is
# src/. A folder of headers alone becomes an interface library.
function(chicane_library folder)
  cmake_parse_arguments(
    PARSE_ARGV 1 arg "" "" "SOURCES;DEPENDS;PUBLIC_PACKAGES;PRIVATE_PACKAGES;PRIVATE_HEADERS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "chicane_library(${folder}): unknown argument ${arg_UNPARSED_ARGUMENTS}")
  endif()

  set(target chicane_${folder})
  list(TRANSFORM arg_DEPENDS PREPEND chicane_)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${folder}/*.cpp")
  list(APPEND sources ${arg_SOURCES})

  if(sources)
    set(public PUBLIC)
    add_library(${target} STATIC ${sources})
    target_link_libraries(${target} PRIVATE ${arg_PRIVATE_PACKAGES})
    foreach(package IN LISTS arg_PRIVATE_HEADERS)
      target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:${package}>)
    endforeach()
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    chicane_flags(${target})
    chicane_unity(${target})
  else()
    set(public INTERFACE)
    add_library(${target} INTERFACE)
  endif()
  add_library(chicane::${folder} ALIAS ${target})

  set_target_properties(${target} PROPERTIES EXPORT_NAME ${folder})
  target_compile_features(${target} ${public} cxx_std_20)
  target_link_libraries(${target} ${public} ${arg_DEPENDS} ${arg_PUBLIC_PACKAGES})
  target_include_directories(
    ${target} ${public} "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>"
              "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>"
              "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/chicane>")

  set_property(GLOBAL APPEND PROPERTY CHICANE_FOLDERS ${folder})
endfunction()

# chicane_definitions(<folder> <definition>...): preprocessor definitions the folder and everything
# above it must share.
function(chicane_definitions folder)
  get_target_property(type chicane_${folder} TYPE)
  if(type STREQUAL "INTERFACE_LIBRARY")
    target_compile_definitions(chicane_${folder} INTERFACE ${ARGN})
  else()
    target_compile_definitions(chicane_${folder} PUBLIC ${ARGN})
  endif()
endfunction()
