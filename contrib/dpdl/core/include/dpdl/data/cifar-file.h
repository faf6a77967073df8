// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_DATA_CIFAR_FILE_H
#define DPDL_DATA_CIFAR_FILE_H

#include "dpdl/data/dataset.h"

#include <cstddef>
#include <string>

namespace dpdl
{

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

#endif // DPDL_DATA_CIFAR_FILE_H
