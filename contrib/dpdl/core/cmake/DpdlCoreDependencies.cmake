# Finds the packages that the core needs. For a missing package, a message of one line names it and
# its Debian package.

include_guard(GLOBAL)

# dpdl_require(FOUND WHAT PACKAGE): if FOUND is false, stops with an error of one line. In an ns-3
# tree, it sets DPDL_MISSING to the error and returns from the calling file, so that ns-3 is built
# without the module.
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

# Oldest compiler versions with which dpdl was built.
set(_least_GNU 12)
set(_least_Clang 14)
if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS "${_least_${CMAKE_CXX_COMPILER_ID}}")
  message(FATAL_ERROR "dpdl: ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} is too old, "
    "expected ${_least_${CMAKE_CXX_COMPILER_ID}} or newer")
endif()

# The default is the environment variable DPDL_WERROR, which continuous integration sets. Users may
# have newer compilers with new warnings.
option(DPDL_WERROR "Treat warnings in dpdl's own code as errors" "$ENV{DPDL_WERROR}")
# Compiler options of all code of dpdl. Results must be bit-identical for all compilers, so the
# compiler must not fuse multiplications and additions by itself. Code that needs a fused
# multiply-add calls Fused(), which the headers *-registers-body.h define.
set(DPDL_OPTIONS -ffp-contract=off -Wall -Wextra)
# In C++20 and later, GCC 12 has a false warning about operator+ of std::string (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  list(APPEND DPDL_OPTIONS -Wno-restrict)
endif()
if(DPDL_WERROR)
  list(APPEND DPDL_OPTIONS -Werror)
endif()
# -O3 vectorises the kernels. The other options assume that functions do not set errno and that
# floating-point operations do not trap; they do not change results.
set(DPDL_OPTIMISATION $<$<NOT:$<CONFIG:Debug>>:-O3> -fno-math-errno -fno-trapping-math)

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
find_package(PkgConfig QUIET)
dpdl_require("${PKG_CONFIG_FOUND}" "pkg-config" pkg-config)
find_package(ZLIB QUIET)
dpdl_require("${ZLIB_FOUND}" "zlib" zlib1g-dev)
# From version 2.4 on, Expat rejects entities that expand to gigabytes.
find_package(EXPAT 2.4 QUIET)
dpdl_require("${EXPAT_FOUND}" "Expat 2.4 or newer" libexpat1-dev)
find_package(nlohmann_json 3.11 QUIET CONFIG)
dpdl_require("${nlohmann_json_FOUND}" "JSON for Modern C++ 3.11 or newer" nlohmann-json3-dev)
# find_package() would reject Eigen 5, the successor of 3.4, as incompatible with a requested
# version 3.4. So the version is compared here.
find_package(Eigen3 QUIET CONFIG)
if(Eigen3_VERSION VERSION_LESS 3.4)
  set(Eigen3_FOUND FALSE)
endif()
dpdl_require("${Eigen3_FOUND}" "Eigen 3.4" libeigen3-dev)
find_package(Boost 1.74 QUIET CONFIG)
dpdl_require("${Boost_FOUND}" "Boost 1.74 or newer (Graph and Math)" "libboost-graph-dev libboost-math-dev")
find_package(SQLite3 3.40 QUIET)
dpdl_require("${SQLite3_FOUND}" "SQLite 3.40 or newer" libsqlite3-dev)
if(NOT TARGET SQLite3::SQLite3) # CMake 4.2 and older name the target SQLite::SQLite3
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

# With these definitions, results of Eigen are independent of the processor's cache sizes and of the
# number of threads.
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
