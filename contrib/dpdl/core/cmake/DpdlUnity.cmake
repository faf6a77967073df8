# Unity builds: the sources of a target are compiled in batches, so that a header is read once for a
# batch and not once for each source.

option(DPDL_UNITY "Compile the sources of a target in batches, which is faster from nothing" ON)

# dpdl_unity(TARGET SIZE): compiles the sources of TARGET in batches of SIZE, where DPDL_UNITY is on.
#
# Two kinds of sources stay alone. Code for several levels of SIMD, whose speed depends on what the
# compiler inlines there. And those that define a component of ns-3's log, which is one variable of that name for each source.
function(dpdl_unity target size)
  if(NOT DPDL_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${size})
  # In a batch GCC takes a source for a header, and warns of types that hold what only it knows.
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
  set(alone "DPDL_MULTIVERSION|GCC target|-kernels-body\\.h|NS_LOG_COMPONENT_DEFINE")
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources EXCLUDE REGEX "^\\$<")
  foreach(source IN LISTS sources)
    file(STRINGS ${source} found LIMIT_COUNT 1 REGEX ${alone})
    if(found)
      set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endforeach()
endfunction()
