// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_DATA_IMAGE_FILES_H
#define DPDL_DATA_IMAGE_FILES_H

#include "dpdl/data/dataset.h"

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

/// Size of every image of CIFAR-10.
constexpr ImageShape CIFAR_SHAPE{3, 32, 32};

/// Number of its classes.
constexpr std::uint32_t CIFAR_CLASSES = 10;

/**
 * @brief Reads a file of CIFAR-10's binary version (www.cs.toronto.edu/~kriz/cifar.html).
 *
 * Layout: records of 3073 bytes and nothing else. A record is a label, 0 to 9, and then an image of
 * 32 x 32, row by row: its 1024 red values, its green ones, its blue ones.
 *
 * @param path the file, or a tar archive that has it; compressed with gzip or not, whatever its
 * name
 * @param member the file's name in the archive; empty: path is no archive
 * @param records how many records such a file has
 * @param wanted how many to read, from the first on; if all, the file must end behind them
 * @param[in,out] split receives them behind what it holds
 * @throws UsageError with the path, the byte offset (in the uncompressed data) and what was found
 */
void ReadCifarFile(const std::string& path,
                   const std::string& member,
                   std::size_t records,
                   std::size_t wanted,
                   Split& split);

} // namespace dpdl

#endif // DPDL_DATA_IMAGE_FILES_H
