# The module inside an ns-3 tree, from the lists of ../CMakeLists.txt.

# Here rather than in core, so that the examples also see LibTorch.
include(${CMAKE_CURRENT_SOURCE_DIR}/core/cmake/DpdlCoreDependencies.cmake)
if(DPDL_MISSING)
  message(STATUS "dpdl cannot be built: ${DPDL_MISSING}")
  return()
endif()
add_subdirectory(core)
build_lib(
  LIBNAME dpdl
  SOURCE_FILES ${sources}
  HEADER_FILES ${headers}
  LIBRARIES_TO_LINK ${modules} dpdl-core
  TEST_SOURCES ${tests}
)
# Up to 3.42 a module is compiled as an object library, which its LIBRARIES_TO_LINK do not reach.
set(_module ${libdpdl})
if(TARGET ${libdpdl-obj})
  target_link_libraries(${libdpdl-obj} PRIVATE dpdl-core)
  set(_module ${libdpdl-obj})
endif()
dpdl_unity(${_module} 8)
# As in all of dpdl's code: ns-3's optimised profile has -march=native.
target_compile_options(${_module} PRIVATE -ffp-contract=off)
if(TARGET ${libdpdl}-test)
  dpdl_unity(${libdpdl}-test 6)
endif()
add_dependencies(${libdpdl} dpdl-core-torch)
# ns-3 exports its modules, and what they link to must be in the same export set.
set(_plugins)
if(DPDL_WITH_TORCH)
  list(APPEND _plugins dpdl-core-torch)
endif()
if(DPDL_HAS_CUDA)
  list(APPEND _plugins dpdl-core-cuda)
endif()
install(
  TARGETS dpdl-core ${_plugins}
  EXPORT ns3ExportTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
)
