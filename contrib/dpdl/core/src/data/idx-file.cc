// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/data/idx-file.h"

#include "byte-reader.h"

#include <algorithm>

namespace dpdl
{

namespace
{

constexpr std::uint32_t UNSIGNED_BYTES = 0x08;

/// A big-endian 32-bit number.
std::uint32_t
ReadNumber(ByteReader& reader, const std::string& meaning)
{
    std::uint8_t bytes[4];
    if (reader.Read(bytes, 4) != 4)
    {
        reader.Fail(reader.Offset(), "the end of the file", meaning);
    }
    return (static_cast<std::uint32_t>(bytes[0]) << 24) |
           (static_cast<std::uint32_t>(bytes[1]) << 16) |
           (static_cast<std::uint32_t>(bytes[2]) << 8) | bytes[3];
}

std::string
Hexadecimal(std::uint32_t number)
{
    const char* digits = "0123456789abcdef";
    std::string text = "0x";
    for (int shift = 28; shift >= 0; shift -= 4)
    {
        text += digits[(number >> shift) & 0xfU];
    }
    return text;
}

std::vector<std::uint32_t>
ReadHeader(ByteReader& reader, const std::vector<std::uint32_t>& itemSizes, std::size_t limit)
{
    const auto expected = static_cast<std::uint32_t>(UNSIGNED_BYTES << 8 | (itemSizes.size() + 1));
    const std::uint32_t magic = ReadNumber(reader, "the magic number " + Hexadecimal(expected));
    if (magic != expected)
    {
        reader.Fail(0,
                    "magic number " + Hexadecimal(magic),
                    Hexadecimal(expected) + " (unsigned bytes in " +
                        std::to_string(itemSizes.size() + 1) + " dimensions)");
    }
    std::vector<std::uint32_t> sizes{ReadNumber(reader, "the number of items")};
    if (sizes[0] == 0 || limit > sizes[0])
    {
        reader.Fail(4,
                    std::to_string(sizes[0]) + " items",
                    "at least " + std::to_string(std::max<std::size_t>(limit, 1)));
    }
    for (const std::uint32_t itemSize : itemSizes)
    {
        const std::uint64_t offset = reader.Offset();
        sizes.push_back(ReadNumber(reader, "a dimension of size " + std::to_string(itemSize)));
        if (sizes.back() != itemSize)
        {
            reader.Fail(offset,
                        "a dimension of size " + std::to_string(sizes.back()),
                        std::to_string(itemSize));
        }
    }
    return sizes;
}

} // namespace

IdxArray
ReadIdxFile(const std::string& path, const std::vector<std::uint32_t>& itemSizes, std::size_t limit)
{
    ByteReader reader(path, "IDX file");
    IdxArray array;
    array.sizes = ReadHeader(reader, itemSizes, limit);
    std::uint64_t total = limit > 0 ? limit : array.sizes[0];
    for (const std::uint32_t itemSize : itemSizes)
    {
        total *= itemSize;
    }
    reader.Append(array.values,
                  total,
                  std::to_string(total) + " bytes of values behind the header");
    if (limit == 0 || limit == array.sizes[0])
    {
        reader.ExpectEnd();
    }
    array.values.shrink_to_fit();
    return array;
}

} // namespace dpdl
