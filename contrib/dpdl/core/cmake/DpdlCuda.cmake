# Builds the CUDA kernels as a separate library, dpdl-core-cuda, if a CUDA compiler is found.
#
# Must be included before LibTorch is searched, because a LibTorch built for CUDA appends its
# architectures to the flags of all CUDA files that are declared later.

set(DPDL_WITH_CUDA AUTO CACHE STRING "Compile the CUDA kernels: AUTO, ON or OFF")
set_property(CACHE DPDL_WITH_CUDA PROPERTY STRINGS AUTO ON OFF)
set(DPDL_CUDA_ARCHITECTURES "80;90;100" CACHE STRING "GPU architectures to compile the kernels for")
# The default is ten times the number of operations from which an H200 was faster than 16 CPU cores
# (doc/cuda.md).
set(DPDL_DEVICE_THRESHOLD 1.6e9 CACHE STRING
  "Operations of a round from which --device=auto takes the CUDA device, as tools/on-device.py measures them; empty: it never does")

set(DPDL_HAS_CUDA OFF)
if(DPDL_WITH_CUDA)
  find_program(DPDL_NVCC nvcc HINTS ENV CUDACXX ENV CUDA_PATH /usr/local/cuda PATH_SUFFIXES bin)
  if(DPDL_NVCC)
    set(ENV{CUDACXX} ${DPDL_NVCC})
    set(CMAKE_CUDA_ARCHITECTURES 80)
    include(CheckLanguage)
    check_language(CUDA)
  endif()
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 12.8)
      list(REMOVE_ITEM DPDL_CUDA_ARCHITECTURES 100)
    endif()
    find_package(CUDAToolkit QUIET)
    if(CUDAToolkit_FOUND AND TARGET CUDA::cublas)
      set(DPDL_HAS_CUDA ON)
    endif()
  endif()
  if(NOT DPDL_HAS_CUDA AND NOT DPDL_WITH_CUDA STREQUAL "AUTO")
    message(FATAL_ERROR
      "dpdl: no working CUDA compiler with cuBLAS; install it with: apt install nvidia-cuda-toolkit")
  endif()
endif()

if(DPDL_HAS_CUDA)
  add_subdirectory(${CMAKE_CURRENT_LIST_DIR}/../src/training/cuda
    ${CMAKE_CURRENT_BINARY_DIR}/dpdl-core-cuda)
  if(NOT TORCH_CUDA_ARCH_LIST)
    string(REGEX REPLACE "([0-9]+)([0-9])" "\\1.\\2" TORCH_CUDA_ARCH_LIST
      "${DPDL_CUDA_ARCHITECTURES}")
  endif()
endif()
unset(CMAKE_CUDA_ARCHITECTURES)
unset(CMAKE_CUDA_ARCHITECTURES CACHE)
