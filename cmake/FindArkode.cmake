# Finds ARKODE of SUNDIALS: target Arkode::arkode.
#
# The package's own configuration file is not used: it also searches for OpenMP and MPI, which we do
# not need.
find_path(Arkode_INCLUDE_DIR arkode/arkode_erkstep.h)
find_library(Arkode_LIBRARY sundials_arkode)
find_library(Arkode_NVECSERIAL_LIBRARY sundials_nvecserial)
find_library(Arkode_GENERIC_LIBRARY sundials_generic)
mark_as_advanced(Arkode_INCLUDE_DIR Arkode_LIBRARY Arkode_NVECSERIAL_LIBRARY
                 Arkode_GENERIC_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Arkode REQUIRED_VARS Arkode_LIBRARY Arkode_NVECSERIAL_LIBRARY
                                                       Arkode_INCLUDE_DIR)

if(Arkode_FOUND AND NOT TARGET Arkode::arkode)
  add_library(Arkode::arkode UNKNOWN IMPORTED)
  set_target_properties(Arkode::arkode PROPERTIES IMPORTED_LOCATION "${Arkode_LIBRARY}"
                                                  INTERFACE_INCLUDE_DIRECTORIES
                                                  "${Arkode_INCLUDE_DIR}")
  target_link_libraries(Arkode::arkode INTERFACE "${Arkode_NVECSERIAL_LIBRARY}")
  if(Arkode_GENERIC_LIBRARY)
    target_link_libraries(Arkode::arkode INTERFACE "${Arkode_GENERIC_LIBRARY}")
  endif()
endif()
