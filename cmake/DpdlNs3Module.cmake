# What an ns-3 tree's build system does for a module, done for an installed ns-3.

# dpdl_stage_headers(DIRECTORY headers...): mirrors ns-3's flat include folder, DIRECTORY/ns3, so
# that #include "ns3/dpdl-x.h" reads the same in both builds; with it goes ns3/dpdl-module.h.
function(dpdl_stage_headers directory)
  set(stage ${directory}/ns3)
  file(MAKE_DIRECTORY ${stage})
  set(names dpdl-module.h)
  set(module "// All of the module dpdl.\n#ifndef NS3_MODULE_DPDL\n#define NS3_MODULE_DPDL\n")
  foreach(header IN LISTS ARGN)
    get_filename_component(name ${header} NAME)
    file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR}/${header} ${stage}/${name} SYMBOLIC)
    list(APPEND names ${name})
    string(APPEND module "#include \"ns3/${name}\"\n")
  endforeach()
  string(APPEND module "#endif\n")
  file(GENERATE OUTPUT ${stage}/dpdl-module.h CONTENT "${module}")
  # A header that has moved away must no longer be found.
  file(GLOB staged RELATIVE ${stage} ${stage}/*)
  list(REMOVE_ITEM staged ${names})
  foreach(name IN LISTS staged)
    file(REMOVE ${stage}/${name})
  endforeach()
endfunction()

# dpdl_ns3_module(SOURCES ... HEADERS ... TESTS ... LINK modules...): the module against an
# installed ns-3, with a program dpdl-test-runner that holds its test suites.
function(dpdl_ns3_module)
  cmake_parse_arguments(MODULE "" "" "SOURCES;HEADERS;TESTS;LINK" ${ARGN})
  dpdl_stage_headers(${CMAKE_CURRENT_BINARY_DIR}/include ${MODULE_HEADERS})
  add_library(dpdl SHARED ${MODULE_SOURCES})
  dpdl_unity(dpdl 8)
  target_compile_features(dpdl PUBLIC cxx_std_${DPDL_NS3_STANDARD})
  target_compile_options(dpdl PRIVATE ${DPDL_OPTIONS})
  target_include_directories(dpdl PUBLIC ${CMAKE_CURRENT_BINARY_DIR}/include)
  # Types register from static initialisers: a library that no symbol refers to must stay linked.
  target_link_options(dpdl PUBLIC LINKER:--no-as-needed)
  target_link_libraries(dpdl PUBLIC ${MODULE_LINK} dpdl-core)
  add_dependencies(dpdl dpdl-core-torch)
  if(DPDL_WITH_TESTS AND MODULE_TESTS)
    dpdl_ns3_tests(${MODULE_TESTS})
  endif()
endfunction()

# dpdl_ns3_tests(sources...): dpdl-test-runner, and one ctest entry for each suite. The suite of
# test/dpdl-x-test-suite.cc is named dpdl-x.
function(dpdl_ns3_tests)
  set(main ${CMAKE_CURRENT_BINARY_DIR}/dpdl-test-runner.cc)
  file(CONFIGURE OUTPUT ${main} CONTENT [[
#include "ns3/test.h"

int
main(int argc, char* argv[])
{
    return ns3::TestRunner::Run(argc, argv);
}
]] @ONLY)
  add_executable(dpdl-test-runner ${main} ${ARGN})
  dpdl_unity(dpdl-test-runner 6)
  target_compile_options(dpdl-test-runner PRIVATE ${DPDL_OPTIONS} $<$<CONFIG:Release>:-O1>)
  target_compile_definitions(dpdl-test-runner
    PRIVATE NS_TEST_SOURCEDIR="${CMAKE_CURRENT_SOURCE_DIR}/test")
  target_link_libraries(dpdl-test-runner PRIVATE dpdl)
  foreach(source IN LISTS ARGN)
    get_filename_component(suite ${source} NAME_WE)
    string(REGEX REPLACE "-test-suite$" "" suite ${suite})
    add_test(NAME ns3-${suite} COMMAND dpdl-test-runner --suite=${suite} --stop-on-failure --verbose)
  endforeach()
endfunction()

# dpdl_ns3_program(NAME sources...): a program that uses the module, in the current build folder.
function(dpdl_ns3_program name)
  add_executable(${name} ${ARGN})
  target_compile_options(${name} PRIVATE ${DPDL_OPTIONS})
  target_link_libraries(${name} PRIVATE dpdl)
endfunction()

# dpdl_own_program(NAME sources...): a user's program. As in scratch/ of an ns-3 tree, it may use all
# modules of ns-3.
function(dpdl_own_program name)
  dpdl_ns3_program(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE ${DPDL_NS3_MODULES} dpdl-cells dpdl-radios)
endfunction()

# build_lib_example(NAME name SOURCE_FILES ... LIBRARIES_TO_LINK ...): as in an ns-3 tree; the
# program goes to examples/ of the build folder and is run as a test. The target examples builds
# them all; they are no part of the target all.
function(build_lib_example)
  cmake_parse_arguments(EXAMPLE "" "NAME" "SOURCE_FILES;LIBRARIES_TO_LINK" ${ARGN})
  dpdl_ns3_program(${EXAMPLE_NAME} ${EXAMPLE_SOURCE_FILES})
  target_link_libraries(${EXAMPLE_NAME} PRIVATE ${EXAMPLE_LIBRARIES_TO_LINK})
  set_target_properties(${EXAMPLE_NAME} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/examples EXCLUDE_FROM_ALL ON)
  if(NOT TARGET examples)
    add_custom_target(examples)
  endif()
  add_dependencies(examples ${EXAMPLE_NAME})
  if(DPDL_WITH_TESTS)
    add_test(NAME example-${EXAMPLE_NAME} COMMAND ${EXAMPLE_NAME})
    dpdl_slow(example-${EXAMPLE_NAME})
    add_dependencies(slow ${EXAMPLE_NAME})
  endif()
endfunction()
