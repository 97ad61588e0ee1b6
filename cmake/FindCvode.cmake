# Finds CVODE of SUNDIALS with its dense linear solver: target Cvode::cvode. The rest of what it needs
# comes with Arkode::arkode.
find_path(Cvode_INCLUDE_DIR cvode/cvode.h)
find_library(Cvode_LIBRARY sundials_cvode)
find_library(Cvode_SUNLINSOLDENSE_LIBRARY sundials_sunlinsoldense)
find_library(Cvode_SUNMATRIXDENSE_LIBRARY sundials_sunmatrixdense)
mark_as_advanced(Cvode_INCLUDE_DIR Cvode_LIBRARY Cvode_SUNLINSOLDENSE_LIBRARY
                 Cvode_SUNMATRIXDENSE_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  Cvode REQUIRED_VARS Cvode_LIBRARY Cvode_SUNLINSOLDENSE_LIBRARY Cvode_SUNMATRIXDENSE_LIBRARY
                      Cvode_INCLUDE_DIR)

if(Cvode_FOUND AND NOT TARGET Cvode::cvode)
  add_library(Cvode::cvode UNKNOWN IMPORTED)
  set_target_properties(Cvode::cvode PROPERTIES IMPORTED_LOCATION "${Cvode_LIBRARY}"
                                                INTERFACE_INCLUDE_DIRECTORIES
                                                "${Cvode_INCLUDE_DIR}")
  target_link_libraries(Cvode::cvode INTERFACE "${Cvode_SUNLINSOLDENSE_LIBRARY}"
                                               "${Cvode_SUNMATRIXDENSE_LIBRARY}")
endif()
