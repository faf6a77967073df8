# cmake --install: programs to bin, as the build folder has them; libraries to lib; and to share/dpdl the files of a
# clone that they and the commands read. The wheel is this, below the Python package dpdl (pyproject.toml).

set(_tools dpdl-account dpdl-audit dpdl-list dpdl-observe)
set(_libraries dpdl-core)
set(_scenarios)
if(DPDL_HAS_NS3)
  list(APPEND _libraries dpdl dpdl-cells dpdl-radios)
  set(_scenarios audit calibrate cell iot learn vehicular)
endif()
# A library's own list of libraries is enough: --no-as-needed repeats it in every program.
set_target_properties(${_tools} PROPERTIES INSTALL_RPATH "$ORIGIN/../lib")
set_target_properties(${_libraries} PROPERTIES INSTALL_RPATH "$ORIGIN")
install(TARGETS ${_tools} RUNTIME DESTINATION bin COMPONENT programs)
install(PROGRAMS $<TARGET_FILE:dpdl-command> DESTINATION bin RENAME dpdl COMPONENT programs)
install(TARGETS ${_libraries} LIBRARY DESTINATION lib COMPONENT programs)
if(_scenarios)
  set_target_properties(${_scenarios} PROPERTIES INSTALL_RPATH "$ORIGIN/../../lib")
  install(TARGETS ${_scenarios} RUNTIME DESTINATION bin/scenarios COMPONENT programs)
endif()
install(DIRECTORY scenarios/studies scenarios/papers scenarios/sweeps
  DESTINATION share/dpdl/scenarios COMPONENT programs)
install(DIRECTORY scenarios/vehicular DESTINATION share/dpdl/scenarios COMPONENT programs
  FILES_MATCHING PATTERN "*.csv" PATTERN "*.tcl")
# Their names are those that `dpdl run` takes.
list(TRANSFORM _scenarios REPLACE "(.+)" "scenarios/\\1.cc" OUTPUT_VARIABLE _sources)
install(FILES ${_sources} DESTINATION share/dpdl/scenarios COMPONENT programs)
install(FILES CMakeLists.txt DESTINATION share/dpdl COMPONENT programs)
install(PROGRAMS analysis/dpdl-analysis DESTINATION share/dpdl/analysis COMPONENT programs)

# The usage text without the commands that build.
file(STRINGS tools/front-door/usage.txt _lines)
list(FILTER _lines EXCLUDE REGEX "^  (setup|build|test|bench|wheel) ")
list(JOIN _lines "\n" _usage)
string(REPLACE "./dpdl" "dpdl" _usage "${_usage}")
file(GLOB _names RELATIVE ${CMAKE_SOURCE_DIR}/scenarios scenarios/studies/*.toml scenarios/papers/*)
list(TRANSFORM _names REPLACE ".*/|[.]toml$" "")
list(APPEND _names ${_scenarios})
list(SORT _names)
list(REMOVE_DUPLICATES _names)
list(JOIN _names " " _names)
file(WRITE ${CMAKE_BINARY_DIR}/usage.txt "${_usage}\n\nscenarios: ${_names}\n")
install(FILES ${CMAKE_BINARY_DIR}/usage.txt DESTINATION share/dpdl/tools/front-door COMPONENT programs)

# dpdl_stand_in(SONAME PATTERN libraries...): makes stand-in/SONAME, which auditwheel takes in place of the library that
# the system has. Its functions are those that the libraries name and dpdl never calls, found by a regular
# expression; they end the program.
function(dpdl_stand_in soname pattern)
  execute_process(COMMAND ${CMAKE_NM} -D --undefined-only ${ARGN} OUTPUT_VARIABLE symbols)
  string(REGEX MATCHALL " U [^\n]+" symbols "${symbols}")
  set(text "#include <cstdio>\n#include <cstdlib>\n")
  set(versions)
  foreach(symbol IN LISTS symbols)
    if(symbol MATCHES " U (${pattern})$")
      string(REGEX REPLACE " U ([^@]+)@?(.*)" "\\1;\\2" symbol "${symbol}")
      list(GET symbol 0 name)
      list(GET symbol 1 version)
      string(APPEND text "extern \"C\" void ${name}()\n{\n"
        "    std::fputs(\"dpdl: ${name} of ${soname} is not in the wheel\\n\", stderr);\n    std::exit(1);\n}\n")
      if(version)
        list(APPEND versions ${version})
      endif()
    endif()
  endforeach()
  list(REMOVE_DUPLICATES versions)
  string(MAKE_C_IDENTIFIER ${soname} name)
  set(stem ${CMAKE_BINARY_DIR}/stand-in/${name})
  file(WRITE ${stem}.cc "${text}")
  list(JOIN versions " { *; };\n" map)
  file(WRITE ${stem}.map "${map} { *; };\n")
  add_library(${name} SHARED EXCLUDE_FROM_ALL ${stem}.cc)
  set_target_properties(${name} PROPERTIES NO_SONAME ON PREFIX "" OUTPUT_NAME ${soname} SUFFIX ""
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/stand-in)
  target_compile_options(${name} PRIVATE -fno-builtin)
  target_link_options(${name} PRIVATE LINKER:-soname,${soname})
  if(versions)
    target_link_options(${name} PRIVATE LINKER:--version-script=${stem}.map)
  endif()
  add_dependencies(wheel ${name})
endfunction()

add_custom_target(wheel DEPENDS dpdl-command ${_tools} ${_libraries} ${_scenarios})
if(DPDL_HAS_NS3)
  # GSL is GPL 3 and ns-3 GPL 2 only: ns-3's wifi uses it for 802.11b, which no scenario has. OpenSSL is Apache 2.0:
  # libzip uses it for archives with a password. ns-3's lte names config-store, behind which are libxml2 and ICU, and
  # uses nothing of it.
  set(_system /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE})
  file(GLOB _found RELATIVE ${_system} ${_system}/libgsl*.so.* ${_system}/libcrypto.so.* ${_system}/libxml2.so.*
    ${_system}/libns3*config-store.so.*)
  list(FILTER _found INCLUDE REGEX "[.]so[.][0-9]+$")
  file(GLOB _users ${_system}/libns3*wifi.so ${_system}/libzip.so)
  foreach(soname IN LISTS _found)
    if(soname MATCHES "^libgsl[.]")
      dpdl_stand_in(${soname} "gsl_.*" ${_users})
    elseif(soname MATCHES "crypto")
      dpdl_stand_in(${soname} ".*@OPENSSL_.*" ${_users})
    else()
      dpdl_stand_in(${soname} "none" ${_users})
    endif()
  endforeach()
endif()
