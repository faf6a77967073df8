// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_DATA_IDX_FILE_H
#define DPDL_DATA_IDX_FILE_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace dpdl
{

/// What an IDX file of bytes holds.
struct IdxArray
{
    std::vector<std::uint32_t> sizes; ///< sizes as the header states them, outermost first
    std::vector<std::uint8_t> values; ///< row-major; the first min(sizes[0], limit) items
};

/**
 * @brief Reads an IDX file of unsigned bytes, the format of MNIST (yann.lecun.com/exdb/mnist).
 *
 * Layout, all numbers big-endian: two zero bytes, 0x08 for unsigned bytes, the number of
 * dimensions, a 32-bit size for each dimension, then the values and nothing else. The memory grows
 * with the bytes that were really read, never with a size that only the header claims.
 *
 * @param path the file; it may be compressed with gzip, whatever its name
 * @param itemSizes the sizes that the inner dimensions must have; empty for a list of labels
 * @param limit how many items of the outermost dimension to read; 0: all, and then the file must
 *        end behind them
 * @throws UsageError with the path, the byte offset (in the uncompressed data) and what was found
 */
IdxArray ReadIdxFile(const std::string& path,
                     const std::vector<std::uint32_t>& itemSizes,
                     std::size_t limit = 0);

} // namespace dpdl

#endif // DPDL_DATA_IDX_FILE_H
