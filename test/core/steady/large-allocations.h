// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TEST_LARGE_ALLOCATIONS_H
#define DPDL_TEST_LARGE_ALLOCATIONS_H

#include <cstddef>

namespace dpdl
{

/// Memory in one piece that is large enough for the C library to ask the system for pages.
constexpr std::size_t LARGE_ALLOCATION = std::size_t{128} << 10;

/// How often more than LARGE_ALLOCATION was asked for since the program began, by any thread, with
/// malloc() and its like or with any operator new.
std::size_t LargeAllocations();

/// Bytes of the last one.
std::size_t LastLargeAllocation();

/// Whether they are counted: not in programs that watch memory themselves, such as sanitizers'.
bool CountsAllocations();

} // namespace dpdl

#endif // DPDL_TEST_LARGE_ALLOCATIONS_H
