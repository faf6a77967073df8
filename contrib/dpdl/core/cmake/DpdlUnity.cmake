# Unity builds: the sources of a target are compiled in batches, so a header is read once per batch
# instead of once per source.

option(DPDL_UNITY "Compile the sources of a target in batches, which is faster from nothing" ON)

# dpdl_unity(TARGET SIZE): compiles the sources of TARGET in batches of SIZE files if DPDL_UNITY is
# on.
#
# Two kinds of sources are compiled separately: code for several SIMD levels, whose speed depends on
# the compiler's inlining, and sources with NS_LOG_COMPONENT_DEFINE, which defines a variable of the
# same name in each source.
function(dpdl_unity target size)
  if(NOT DPDL_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${size})
  # In a unity build, GCC treats sources as included headers, and warns of types whose members have
  # types from anonymous namespaces.
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
