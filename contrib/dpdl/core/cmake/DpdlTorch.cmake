# Target dpdl-torch: LibTorch in the folder DPDL_TORCH_ROOT or, if this is empty, Debian's LibTorch.

option(DPDL_WITH_TORCH "Build the part of the core that needs LibTorch" ON)
if(NOT DPDL_WITH_TORCH)
  return()
endif()
set(DPDL_TORCH_ROOT "" CACHE PATH "Root of a LibTorch (the folder that holds lib/ and share/)")

if(NOT TARGET dpdl-torch)
  if(DPDL_TORCH_ROOT)
    list(PREPEND CMAKE_PREFIX_PATH ${DPDL_TORCH_ROOT})
  endif()
  find_package(Torch QUIET)
  dpdl_require("${TORCH_FOUND}" "LibTorch" libtorch-dev)
  if(DPDL_TORCH_ROOT)
    string(FIND "${TORCH_LIBRARY}" "${DPDL_TORCH_ROOT}" position)
    if(NOT position EQUAL 0)
      message(FATAL_ERROR
        "dpdl: LibTorch ${TORCH_LIBRARY} found outside DPDL_TORCH_ROOT=${DPDL_TORCH_ROOT}")
    endif()
  endif()
  if(TORCH_CXX_FLAGS MATCHES "_GLIBCXX_USE_CXX11_ABI=0")
    message(FATAL_ERROR
      "dpdl: LibTorch ${TORCH_LIBRARY} has the old strings of C++; take one with the new ABI, as PyPI has from torch 2.6 on")
  endif()
  add_library(dpdl-torch INTERFACE IMPORTED GLOBAL)
  target_include_directories(dpdl-torch SYSTEM INTERFACE ${TORCH_INCLUDE_DIRS})
  target_link_libraries(dpdl-torch INTERFACE ${TORCH_LIBRARIES})
  # A Python's LibTorch has libraries of CUDA in the folders of other wheels. The loader finds them
  # there; the linker finds others, or none.
  if(DPDL_TORCH_ROOT)
    target_link_options(dpdl-torch INTERFACE
      LINKER:--allow-shlib-undefined,--unresolved-symbols=ignore-in-shared-libs)
  endif()
endif()
