# Finds the C library of NLopt: target NloptC::nlopt.
#
# The package has two configuration files of one name, for C and for C++; which one CMake would take
# is a matter of luck.
find_path(NloptC_INCLUDE_DIR nlopt.h)
find_library(NloptC_LIBRARY nlopt)
mark_as_advanced(NloptC_INCLUDE_DIR NloptC_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(NloptC REQUIRED_VARS NloptC_LIBRARY NloptC_INCLUDE_DIR)

if(NloptC_FOUND AND NOT TARGET NloptC::nlopt)
  add_library(NloptC::nlopt UNKNOWN IMPORTED)
  set_target_properties(NloptC::nlopt PROPERTIES IMPORTED_LOCATION "${NloptC_LIBRARY}"
                                                 INTERFACE_INCLUDE_DIRECTORIES
                                                 "${NloptC_INCLUDE_DIR}")
endif()
