# What the core needs from outside. Every package that is missing is named in one line together
# with the Debian package that brings it.

include_guard(GLOBAL)

# dpdl_require(FOUND WHAT PACKAGE): stops, in one line, if FOUND is false. An ns-3 tree goes on without the
# module: DPDL_MISSING says why, and the file that asks is left.
macro(dpdl_require found what package)
  set(_found "${found}")
  if(NOT _found)
    if(NOT COMMAND build_lib)
      message(FATAL_ERROR "dpdl: ${what} not found; install it with: apt install ${package}")
    endif()
    set(DPDL_MISSING "${what} not found; install it with: apt install ${package}")
    return()
  endif()
endmacro()

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

# The least compilers that dpdl was built with.
set(_least_GNU 12)
set(_least_Clang 14)
if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS "${_least_${CMAKE_CXX_COMPILER_ID}}")
  message(FATAL_ERROR "dpdl: ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} is too old, "
    "expected ${_least_${CMAKE_CXX_COMPILER_ID}} or newer")
endif()

# Continuous integration sets it in the environment; users' compilers may warn of something new.
option(DPDL_WERROR "Treat warnings in dpdl's own code as errors" "$ENV{DPDL_WERROR}")
# The options of all of dpdl's own code. The bits of a result must not depend on which products and
# sums a compiler fuses: what is meant to be fused is written as Fused(), in the headers of registers.
set(DPDL_OPTIONS -ffp-contract=off -Wall -Wextra)
# GCC 12 warns without cause about std::string's operator+ from C++20 on (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  list(APPEND DPDL_OPTIONS -Wno-restrict)
endif()
if(DPDL_WERROR)
  list(APPEND DPDL_OPTIONS -Werror)
endif()
# -O3 vectorises the kernels; no errno from sqrt and no traps, but IEEE results stay as they are.
set(DPDL_OPTIMISATION $<$<NOT:$<CONFIG:Debug>>:-O3> -fno-math-errno -fno-trapping-math)

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
find_package(PkgConfig QUIET)
dpdl_require("${PKG_CONFIG_FOUND}" "pkg-config" pkg-config)
find_package(ZLIB QUIET)
dpdl_require("${ZLIB_FOUND}" "zlib" zlib1g-dev)
# From 2.4 on it protects itself from entities that expand to gigabytes.
find_package(EXPAT 2.4 QUIET)
dpdl_require("${EXPAT_FOUND}" "Expat 2.4 or newer" libexpat1-dev)
find_package(nlohmann_json 3.11 QUIET CONFIG)
dpdl_require("${nlohmann_json_FOUND}" "JSON for Modern C++ 3.11 or newer" nlohmann-json3-dev)
# Not by the version that is asked for: 5 follows 3.4, and does not count as compatible.
find_package(Eigen3 QUIET CONFIG)
if(Eigen3_VERSION VERSION_LESS 3.4)
  set(Eigen3_FOUND FALSE)
endif()
dpdl_require("${Eigen3_FOUND}" "Eigen 3.4" libeigen3-dev)
find_package(Boost 1.74 QUIET CONFIG)
dpdl_require("${Boost_FOUND}" "Boost 1.74 or newer (Graph and Math)" "libboost-graph-dev libboost-math-dev")
find_package(SQLite3 3.40 QUIET)
dpdl_require("${SQLite3_FOUND}" "SQLite 3.40 or newer" libsqlite3-dev)
if(NOT TARGET SQLite3::SQLite3) # up to CMake 4.2
  add_library(SQLite3::SQLite3 ALIAS SQLite::SQLite3)
endif()
find_package(SQLiteCpp QUIET)
dpdl_require("${SQLiteCpp_FOUND}" "SQLiteCpp" libsqlitecpp-dev)

if(NOT TARGET dpdl-fftw3)
  pkg_check_modules(DPDL_FFTW3 QUIET IMPORTED_TARGET fftw3)
  dpdl_require("${DPDL_FFTW3_FOUND}" "FFTW 3" libfftw3-dev)
  add_library(dpdl-fftw3 INTERFACE IMPORTED GLOBAL)
  target_link_libraries(dpdl-fftw3 INTERFACE PkgConfig::DPDL_FFTW3)
endif()

# The bits of a result depend on neither the processor's caches nor the number of threads.
if(NOT TARGET dpdl-eigen)
  add_library(dpdl-eigen INTERFACE IMPORTED GLOBAL)
  target_link_libraries(dpdl-eigen INTERFACE Eigen3::Eigen)
  target_compile_definitions(dpdl-eigen INTERFACE EIGEN_MPL2_ONLY EIGEN_NO_CPUID EIGEN_DONT_PARALLELIZE)
endif()

if(NOT TARGET dpdl-libzip)
  pkg_check_modules(DPDL_LIBZIP QUIET IMPORTED_TARGET libzip)
  dpdl_require("${DPDL_LIBZIP_FOUND}" "libzip" libzip-dev)
  add_library(dpdl-libzip INTERFACE IMPORTED GLOBAL)
  target_link_libraries(dpdl-libzip INTERFACE PkgConfig::DPDL_LIBZIP)
endif()

include(${CMAKE_CURRENT_LIST_DIR}/DpdlUnity.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/DpdlCuda.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/DpdlOpenBlas.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/DpdlTorch.cmake)
