# Target dpdl-openblas: the OpenMP build of OpenBLAS, by its own path.
#
# Debian's libblas.so is an alternative that may point at the reference BLAS, which is more than
# ten times slower; naming the library itself, before LibTorch, gives LibTorch the fast one.

if(NOT TARGET dpdl-openblas)
  find_library(DPDL_OPENBLAS_LIBRARY
    NAMES openblas libopenblas.so.0
    PATH_SUFFIXES openblas-openmp
    DOC "OpenBLAS, OpenMP build")
  dpdl_require("${DPDL_OPENBLAS_LIBRARY}" "OpenBLAS" libopenblas0-openmp)
  add_library(dpdl-openblas INTERFACE IMPORTED GLOBAL)
  target_link_libraries(dpdl-openblas INTERFACE ${DPDL_OPENBLAS_LIBRARY})
endif()
