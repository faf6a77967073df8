# One line a person reads after configuring.
set(_ns3 "none (core only)")
if(DPDL_HAS_NS3)
  set(_ns3 "${ns3_VERSION} (C++${DPDL_NS3_STANDARD})")
endif()
if(DPDL_HAS_MPI)
  string(APPEND _ns3 " with MPI")
endif()
set(_cuda "off")
if(DPDL_HAS_CUDA)
  set(_cuda "${CMAKE_CUDA_COMPILER_VERSION}")
endif()
message(STATUS "dpdl ${PROJECT_VERSION}: ${CMAKE_BUILD_TYPE}, ns-3 ${_ns3}, "
  "LibTorch ${Torch_VERSION}, CUDA ${_cuda}")
