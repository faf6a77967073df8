# Repairs to the imported targets of an installed ns-3.

# dpdl_existing_paths(VARIABLE): drops the absolute paths in the list VARIABLE that do not exist.
# ns-3 exports what its build machine had, such as folders of libxml2 and Python.
function(dpdl_existing_paths variable)
  set(kept)
  foreach(entry IN LISTS ${variable})
    if(NOT IS_ABSOLUTE "${entry}" OR EXISTS "${entry}")
      list(APPEND kept "${entry}")
    endif()
  endforeach()
  set(${variable} "${kept}" PARENT_SCOPE)
endfunction()

# dpdl_without_bundled_boost(VARIABLE): replaces a folder that holds ns3/ beside a bundled Boost
# (the PyPI wheel's) by one that holds ns3/ alone, so that the system's Boost is not shadowed.
function(dpdl_without_bundled_boost variable)
  set(kept)
  foreach(directory IN LISTS ${variable})
    if(IS_DIRECTORY "${directory}/boost" AND IS_DIRECTORY "${directory}/ns3"
       AND NOT directory STREQUAL "/usr/include")
      set(stage ${CMAKE_BINARY_DIR}/ns3-include)
      file(MAKE_DIRECTORY ${stage})
      file(CREATE_LINK ${directory}/ns3 ${stage}/ns3 SYMBOLIC)
      set(directory ${stage})
    endif()
    list(APPEND kept ${directory})
  endforeach()
  set(${variable} "${kept}" PARENT_SCOPE)
endfunction()

# dpdl_name_ns3_modules(): sets libNAME to the target of ns-3's module NAME, for all there are, and
# DPDL_NS3_MODULES to those that a program may use.
macro(dpdl_name_ns3_modules)
  get_property(_targets DIRECTORY PROPERTY IMPORTED_TARGETS)
  list(FILTER _targets INCLUDE REGEX "^${DPDL_NS3_PREFIX}")
  set(DPDL_NS3_MODULES)
  foreach(_target IN LISTS _targets)
    string(REGEX REPLACE "^${DPDL_NS3_PREFIX}" lib _name ${_target})
    set(${_name} ${_target})
    get_target_property(_type ${_target} TYPE)
    if(NOT _type STREQUAL "EXECUTABLE" AND NOT _target MATCHES "(mpi|test|visualizer)$")
      list(APPEND DPDL_NS3_MODULES ${_target})
    endif()
  endforeach()
endmacro()

# dpdl_repair_ns3_targets(): makes every ns3::* target of this directory usable as it is.
function(dpdl_repair_ns3_targets)
  get_property(targets DIRECTORY PROPERTY IMPORTED_TARGETS)
  list(FILTER targets INCLUDE REGEX "^ns3::")
  foreach(target IN LISTS targets)
    get_target_property(directories ${target} INTERFACE_INCLUDE_DIRECTORIES)
    if(directories)
      dpdl_existing_paths(directories)
      dpdl_without_bundled_boost(directories)
      list(REMOVE_DUPLICATES directories)
      set_target_properties(${target} PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${directories}")
    endif()
    get_target_property(libraries ${target} INTERFACE_LINK_LIBRARIES)
    if(libraries)
      dpdl_existing_paths(libraries)
      set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES "${libraries}")
    endif()
  endforeach()
  # Up to 3.39 no definitions are exported. The packages are built with logging, and the layout of
  # classes depends on it.
  get_target_property(definitions ${DPDL_NS3_PREFIX}core INTERFACE_COMPILE_DEFINITIONS)
  if(NOT definitions)
    set_target_properties(${DPDL_NS3_PREFIX}core PROPERTIES
      INTERFACE_COMPILE_DEFINITIONS NS3_LOG_ENABLE)
  endif()
endfunction()

# dpdl_find_ns3_standard(): sets DPDL_NS3_STANDARD to the first C++ standard that compiles ns-3's
# headers. The version does not say it: wheels call themselves "3.dev".
function(dpdl_find_ns3_standard)
  if(DPDL_NS3_STANDARD AND "${DPDL_NS3_STANDARD_OF}" STREQUAL "${ns3_DIR}")
    return()
  endif()
  set(source ${CMAKE_BINARY_DIR}/CMakeFiles/ns3-standard.cc)
  file(WRITE ${source} "#include \"ns3/core-module.h\"\n#include \"ns3/network-module.h\"\n")
  set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
  foreach(standard 17 20 23)
    try_compile(compiled ${CMAKE_BINARY_DIR}/CMakeFiles/ns3-standard-${standard} SOURCES ${source}
      LINK_LIBRARIES ${DPDL_NS3_PREFIX}network ${DPDL_NS3_PREFIX}core
      CXX_STANDARD ${standard} CXX_STANDARD_REQUIRED ON
      OUTPUT_VARIABLE output)
    if(compiled)
      set(DPDL_NS3_STANDARD ${standard} CACHE INTERNAL "C++ standard of ns-3's headers")
      set(DPDL_NS3_STANDARD_OF "${ns3_DIR}" CACHE INTERNAL "")
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "dpdl: the headers of ${ns3_DIR} compile under no C++ standard from 17 to 23; "
    "the last attempt said:\n${output}")
endfunction()
