# Finds an installed ns-3 (Debian's package, or any other through ns3_DIR) and makes its imported
# targets fit to link. Sets DPDL_HAS_NS3, DPDL_HAS_MPI (one run can use several processes),
# DPDL_NS3_PREFIX (ns3:: or ns3::lib) and DPDL_NS3_STANDARD (the C++ standard that its headers need).
#
# For the module itself it gives dpdl_ns3_module(), and for the examples the same
# build_lib_example() and the same names ${libcore}, ${libinternet}, ... that an ns-3 tree has.

include(${CMAKE_CURRENT_LIST_DIR}/DpdlNs3Targets.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/DpdlNs3Module.cmake)

set(DPDL_HAS_NS3 OFF)
set(DPDL_HAS_MPI OFF)
if(NOT DPDL_WITH_NS3)
  return()
endif()

# libns3-dev refers to programs of the package ns3 and cannot be loaded without them.
if(CMAKE_LIBRARY_ARCHITECTURE
   AND NOT ns3_DIR
   AND EXISTS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/cmake/ns3
   AND NOT EXISTS /usr/libexec/ns3)
  set(CMAKE_DISABLE_FIND_PACKAGE_ns3 ON)
endif()
# No version: ns-3's own version file accepts nothing but an exact match.
find_package(ns3 QUIET)
if(NOT ns3_FOUND)
  set(_absent "ns-3 not found; install it with: apt install ns3 libns3-dev")
  if(NOT DPDL_WITH_NS3 STREQUAL "AUTO")
    message(FATAL_ERROR "dpdl: ${_absent}")
  endif()
  message(STATUS "dpdl: ${_absent} (building the core alone)")
  return()
endif()

if(TARGET ns3::core)
  set(DPDL_NS3_PREFIX ns3::)
else()
  set(DPDL_NS3_PREFIX ns3::lib)
endif()
dpdl_name_ns3_modules()
dpdl_repair_ns3_targets()
dpdl_find_ns3_standard()
set(DPDL_HAS_NS3 ON)
# ns-3 needs none of it: dpdl keeps the processes of a run in step itself.
option(DPDL_WITH_MPI "Let a run use several processes, where there is MPI" ON)
if(DPDL_WITH_MPI)
  find_package(MPI QUIET COMPONENTS CXX)
  set(DPDL_HAS_MPI ${MPI_CXX_FOUND})
endif()
