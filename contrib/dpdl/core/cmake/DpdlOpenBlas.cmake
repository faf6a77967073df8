# Target dpdl-openblas: the OpenMP build of OpenBLAS, linked by the path of its library.
#
# LibTorch links to libblas.so, which on Debian may be the reference BLAS, more than ten times
# slower. OpenBLAS is linked before LibTorch, so LibTorch calls the functions of OpenBLAS.

if(NOT TARGET dpdl-openblas)
  find_library(DPDL_OPENBLAS_LIBRARY
    NAMES openblas libopenblas.so.0
    PATH_SUFFIXES openblas-openmp
    DOC "OpenBLAS, OpenMP build")
  dpdl_require("${DPDL_OPENBLAS_LIBRARY}" "OpenBLAS" libopenblas0-openmp)
  add_library(dpdl-openblas INTERFACE IMPORTED GLOBAL)
  target_link_libraries(dpdl-openblas INTERFACE ${DPDL_OPENBLAS_LIBRARY})
endif()
