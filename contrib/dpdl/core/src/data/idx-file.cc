// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/data/idx-file.h"

#include "dpdl/base/errors.h"

#include <algorithm>
#include <memory>
#include <zlib.h>

namespace dpdl
{

namespace
{

constexpr std::size_t CHUNK_BYTES = 1U << 20;
constexpr std::uint32_t UNSIGNED_BYTES = 0x08;

/// Reads a plain or compressed file from its beginning and knows where it is.
class ByteReader
{
  public:
    explicit ByteReader(const std::string& path)
        : m_path(path),
          m_file(gzopen(path.c_str(), "rb"))
    {
        if (!m_file)
        {
            Fail(0, "a file that cannot be opened", "a readable IDX file");
        }
        gzbuffer(m_file.get(), CHUNK_BYTES);
    }

    /// Up to @p count bytes, at most INT_MAX; fewer only at the end of the data.
    std::size_t Read(std::uint8_t* bytes, std::size_t count)
    {
        const int got = gzread(m_file.get(), bytes, static_cast<unsigned>(count));
        if (got < 0)
        {
            int code = 0;
            Fail(m_offset, std::string("unreadable data, ") + gzerror(m_file.get(), &code), "data");
        }
        m_offset += static_cast<std::uint64_t>(got);
        return static_cast<std::size_t>(got);
    }

    /// A big-endian 32-bit number.
    std::uint32_t ReadNumber(const std::string& meaning)
    {
        std::uint8_t bytes[4];
        if (Read(bytes, 4) != 4)
        {
            Fail(m_offset, "the end of the file", meaning);
        }
        return (static_cast<std::uint32_t>(bytes[0]) << 24) |
               (static_cast<std::uint32_t>(bytes[1]) << 16) |
               (static_cast<std::uint32_t>(bytes[2]) << 8) | bytes[3];
    }

    std::uint64_t Offset() const
    {
        return m_offset;
    }

    [[noreturn]] void Fail(std::uint64_t offset,
                           const std::string& found,
                           const std::string& expected) const
    {
        throw UsageError("file '" + m_path + "', byte " + std::to_string(offset), found, expected);
    }

  private:
    struct Close
    {
        void operator()(gzFile file) const
        {
            gzclose(file);
        }
    };

    std::string m_path;
    std::unique_ptr<gzFile_s, Close> m_file;
    std::uint64_t m_offset{0};
};

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
    const std::uint32_t magic = reader.ReadNumber("the magic number " + Hexadecimal(expected));
    if (magic != expected)
    {
        reader.Fail(0,
                    "magic number " + Hexadecimal(magic),
                    Hexadecimal(expected) + " (unsigned bytes in " +
                        std::to_string(itemSizes.size() + 1) + " dimensions)");
    }
    std::vector<std::uint32_t> sizes{reader.ReadNumber("the number of items")};
    if (sizes[0] == 0 || limit > sizes[0])
    {
        reader.Fail(4,
                    std::to_string(sizes[0]) + " items",
                    "at least " + std::to_string(std::max<std::size_t>(limit, 1)));
    }
    for (const std::uint32_t itemSize : itemSizes)
    {
        const std::uint64_t offset = reader.Offset();
        sizes.push_back(reader.ReadNumber("a dimension of size " + std::to_string(itemSize)));
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
    ByteReader reader(path);
    IdxArray array;
    array.sizes = ReadHeader(reader, itemSizes, limit);
    std::uint64_t total = limit > 0 ? limit : array.sizes[0];
    for (const std::uint32_t itemSize : itemSizes)
    {
        total *= itemSize;
    }
    while (array.values.size() < total)
    {
        const std::size_t begin = array.values.size();
        const std::size_t wanted = std::min<std::uint64_t>(CHUNK_BYTES, total - begin);
        array.values.resize(begin + wanted);
        if (reader.Read(array.values.data() + begin, wanted) != wanted)
        {
            reader.Fail(reader.Offset(),
                        "the end of the file",
                        std::to_string(total) + " bytes of values behind the header");
        }
    }
    std::uint8_t extra = 0;
    if ((limit == 0 || limit == array.sizes[0]) && reader.Read(&extra, 1) != 0)
    {
        reader.Fail(reader.Offset() - 1, "more data", "the end of the file");
    }
    array.values.shrink_to_fit();
    return array;
}

} // namespace dpdl
