# dpdl_core_part(NAME [DEPENDS parts...] [LIBRARIES targets...] SOURCES files...)
#
# Adds part NAME of the core: public headers in include/dpdl/NAME, sources and private headers in
# src/NAME. Each part has a separate include folder with a link to its public headers. A part's
# include path has only its folder and those of its DEPENDS. The part's sources link to LIBRARIES,
# and other parts do not see them.
function(dpdl_core_part name)
  cmake_parse_arguments(PART "" "" "DEPENDS;LIBRARIES;SOURCES" ${ARGN})
  set(stage ${CMAKE_CURRENT_BINARY_DIR}/stage/${name})
  file(MAKE_DIRECTORY ${stage}/dpdl)
  file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR}/include/dpdl/${name} ${stage}/dpdl/${name} SYMBOLIC)
  set_property(GLOBAL APPEND PROPERTY DPDL_CORE_STAGES ${stage})
  if(NOT PART_SOURCES)
    return()
  endif()
  list(TRANSFORM PART_SOURCES PREPEND src/${name}/)
  add_library(dpdl-core-${name} OBJECT ${PART_SOURCES})
  set_target_properties(dpdl-core-${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  dpdl_unity(dpdl-core-${name} 8)
  target_compile_features(dpdl-core-${name} PRIVATE cxx_std_17)
  target_compile_options(dpdl-core-${name} PRIVATE ${DPDL_OPTIONS} ${DPDL_OPTIMISATION})
  target_include_directories(dpdl-core-${name} PRIVATE ${stage})
  foreach(dependency IN LISTS PART_DEPENDS)
    target_include_directories(dpdl-core-${name}
      PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/stage/${dependency})
  endforeach()
  target_link_libraries(dpdl-core-${name} PRIVATE ${PART_LIBRARIES})
  set_property(GLOBAL APPEND PROPERTY DPDL_CORE_OBJECTS $<TARGET_OBJECTS:dpdl-core-${name}>)
  set_property(GLOBAL APPEND PROPERTY DPDL_CORE_LIBRARIES ${PART_LIBRARIES})
endfunction()

# dpdl_core_library(): links all parts into dpdl-core. Its users have all public headers in their
# include path.
function(dpdl_core_library)
  get_property(objects GLOBAL PROPERTY DPDL_CORE_OBJECTS)
  get_property(libraries GLOBAL PROPERTY DPDL_CORE_LIBRARIES)
  get_property(stages GLOBAL PROPERTY DPDL_CORE_STAGES)
  list(REMOVE_DUPLICATES libraries)
  add_library(dpdl-core SHARED ${objects})
  target_compile_features(dpdl-core PUBLIC cxx_std_17)
  target_include_directories(dpdl-core PUBLIC
    "$<BUILD_INTERFACE:${stages}>"
    $<INSTALL_INTERFACE:include>)
  target_link_libraries(dpdl-core PRIVATE ${libraries})
  # The folder in which dpdl-core finds its plugins.
  set_target_properties(dpdl-core PROPERTIES BUILD_RPATH "$ORIGIN" INSTALL_RPATH "$ORIGIN")
endfunction()

# dpdl_core_plugin(NAME IN part LIBRARIES targets... SOURCES files...)
#
# Adds a library that dpdl-core loads at run time. Its sources are in the folder of a part, and have
# the include path of that part.
function(dpdl_core_plugin name)
  cmake_parse_arguments(PLUGIN "" "IN" "LIBRARIES;SOURCES" ${ARGN})
  list(TRANSFORM PLUGIN_SOURCES PREPEND src/${PLUGIN_IN}/)
  add_library(${name} SHARED ${PLUGIN_SOURCES})
  dpdl_unity(${name} 8)
  get_target_property(stages dpdl-core-${PLUGIN_IN} INCLUDE_DIRECTORIES)
  target_compile_features(${name} PRIVATE cxx_std_17)
  target_compile_options(${name} PRIVATE ${DPDL_OPTIONS} ${DPDL_OPTIMISATION})
  target_include_directories(${name} PRIVATE ${stages})
  target_link_libraries(${name} PUBLIC ${PLUGIN_LIBRARIES} PRIVATE $<LINK_ONLY:dpdl-core>)
  set_target_properties(${name} PROPERTIES INSTALL_RPATH "$ORIGIN")
endfunction()

# dpdl_core_program(NAME PARTS parts... SOURCES files...)
#
# Adds a program that links only its sources and the object files of the given parts, not dpdl-core.
function(dpdl_core_program name)
  cmake_parse_arguments(PROGRAM "" "" "PARTS;SOURCES" ${ARGN})
  add_executable(${name} ${PROGRAM_SOURCES})
  target_compile_features(${name} PRIVATE cxx_std_17)
  target_compile_options(${name} PRIVATE ${DPDL_OPTIONS})
  foreach(part IN LISTS PROGRAM_PARTS)
    get_target_property(stage dpdl-core-${part} INCLUDE_DIRECTORIES)
    target_include_directories(${name} PRIVATE ${stage})
    target_link_libraries(${name} PRIVATE dpdl-core-${part})
  endforeach()
endfunction()
