// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BENCH_BANDWIDTH_H
#define DPDL_BENCH_BANDWIDTH_H

#include <cstddef>
#include <vector>

namespace dpdl
{

/// Two vectors of floats that are copied or added: what memory can do, by their size.
class BandwidthWork
{
  public:
    /// @param bytes of both vectors together
    explicit BandwidthWork(std::size_t bytes);

    /// Copies one to the other: reads half of the bytes and writes the other half.
    void Copy();

    /// The same around the caches, where the processor can: what is written is not read before.
    void StreamCopy();

    /// Adds a multiple of one to the other: reads all of the bytes and writes half of them again.
    void AddScaled();

    /// Bytes that Copy() reads and writes.
    double CopyBytes() const;

    /// Bytes that AddScaled() reads and writes.
    double AddScaledBytes() const;

  private:
    std::vector<float> m_from; ///< read
    std::vector<float> m_to;   ///< written
};

} // namespace dpdl

#endif // DPDL_BENCH_BANDWIDTH_H
