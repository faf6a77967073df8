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

/// Contents of an IDX file of unsigned bytes.
struct IdxArray
{
    std::vector<std::uint32_t> sizes; ///< sizes of the dimensions in the header, outermost first
    /// Values, row-major. Only the requested items of the outermost dimension are read.
    std::vector<std::uint8_t> values;
};

/**
 * @brief Reads an IDX file of unsigned bytes, the format of MNIST (yann.lecun.com/exdb/mnist).
 *
 * Layout, all numbers big-endian: two zero bytes, 0x08 for unsigned bytes, the number of
 * dimensions, a 32-bit size for each dimension, then the values and nothing else. Memory is
 * proportional to the bytes read, not to the sizes in the header.
 *
 * @param path path of the file; gzip compression is detected by content
 * @param itemSizes required sizes of all dimensions except the outermost; empty: the file must have
 *        one dimension, as a list of labels has
 * @param limit number of items of the outermost dimension to read; 0: all items, after which the
 *        file must end
 * @throws UsageError with the path, the byte offset (in the uncompressed data) and the bytes found
 */
IdxArray ReadIdxFile(const std::string& path,
                     const std::vector<std::uint32_t>& itemSizes,
                     std::size_t limit = 0);

/// Size of the images of CIFAR-10.
constexpr ImageShape CIFAR_SHAPE{3, 32, 32};

/// Number of classes of CIFAR-10.
constexpr std::uint32_t CIFAR_CLASSES = 10;

/**
 * @brief Reads a file of CIFAR-10's binary version (www.cs.toronto.edu/~kriz/cifar.html).
 *
 * Layout: records of 3073 bytes and nothing else. A record is a label, 0 to 9, followed by an image
 * of 32 x 32, row by row: 1024 red values, then green, then blue.
 *
 * @param path path of the file, or of a tar archive that contains it; gzip compression is detected
 *        by content
 * @param member name of the file in the archive; empty: @p path is not an archive
 * @param records number of records of the complete file
 * @param wanted number of records to read, from the first on. If it equals @p records, the file
 *        must end after them
 * @param[in,out] split receives the records after its examples
 * @throws UsageError with the path, the byte offset (in the uncompressed data) and the bytes found
 */
void ReadCifarFile(const std::string& path,
                   const std::string& member,
                   std::size_t records,
                   std::size_t wanted,
                   Split& split);

} // namespace dpdl

#endif // DPDL_DATA_IMAGE_FILES_H
