// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BENCH_MACHINE_FACTS_H
#define DPDL_BENCH_MACHINE_FACTS_H

#include <string>
#include <utility>
#include <vector>

namespace dpdl
{

/**
 * @brief What a time depends on and a program can find out: processor, cores, vector instructions,
 *        which kernels BLAS has taken, threads, allocator, versions, and the load at this moment.
 */
std::vector<std::pair<std::string, std::string>> MachineFacts();

} // namespace dpdl

#endif // DPDL_BENCH_MACHINE_FACTS_H
