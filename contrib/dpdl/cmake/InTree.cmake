# The module inside an ns-3 tree, from the lists of ../CMakeLists.txt.

# Here rather than in core, so that the examples also see LibTorch.
include(${CMAKE_CURRENT_SOURCE_DIR}/core/cmake/DpdlCoreDependencies.cmake)
if(DPDL_MISSING)
  message(STATUS "dpdl cannot be built: ${DPDL_MISSING}")
  return()
endif()
add_subdirectory(core)
# As in all of dpdl's code: ns-3's optimised profile has -march=native.
set_source_files_properties(${sources} PROPERTIES COMPILE_OPTIONS -ffp-contract=off)

build_lib(
  LIBNAME dpdl
  SOURCE_FILES ${sources}
  HEADER_FILES ${headers}
  LIBRARIES_TO_LINK ${modules} dpdl-core
  TEST_SOURCES ${tests}
)
# Up to 3.42 a module is compiled as an object library, which its LIBRARIES_TO_LINK do not reach.
if(TARGET ${libdpdl-obj})
  target_link_libraries(${libdpdl-obj} PRIVATE dpdl-core)
endif()
add_dependencies(${libdpdl} dpdl-core-torch)
# ns-3 exports its modules, and what they link to must be in the same export set.
set(_cuda)
if(DPDL_HAS_CUDA)
  set(_cuda dpdl-core-cuda)
endif()
install(
  TARGETS dpdl-core dpdl-core-torch ${_cuda}
  EXPORT ns3ExportTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
)
