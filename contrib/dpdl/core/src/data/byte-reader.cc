// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "byte-reader.h"

#include "dpdl/base/errors.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <zlib.h>

// Reads through zlib, which also passes uncompressed files through; tar headers are parsed to find
// a member.

namespace dpdl
{

namespace
{

/// Largest number of bytes that Append() reserves and reads at once.
constexpr std::size_t CHUNK_BYTES = 1U << 20;
/// Size in bytes of a read from a compressed file; zlib uses twice as much memory. With a larger
/// size, more data after the last requested example would be decompressed without being used.
constexpr unsigned BUFFER_BYTES = 1U << 14;

/// Header of a file in a tar archive (POSIX.1-1988, ustar): one block of bytes, with numbers in
/// octal digits.
class TarHeader
{
  public:
    static constexpr std::size_t BLOCK = 512;

    std::uint8_t bytes[BLOCK]; ///< bytes of the header, as in the archive

    std::string Name() const
    {
        const auto* text = reinterpret_cast<const char*>(bytes);
        const std::string path(text, strnlen(text, 100));
        return path.substr(path.rfind('/') + 1);
    }

    bool IsFile() const
    {
        return bytes[156] == '0' || bytes[156] == 0;
    }

    std::uint64_t Size() const
    {
        return Octal(124, 12);
    }

    /// True if the checksum is correct: the sum of all bytes, with blanks for the checksum field.
    bool IsValid() const
    {
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < BLOCK; ++i)
        {
            sum += i >= 148 && i < 156 ? ' ' : bytes[i];
        }
        return sum == Octal(148, 8) && bytes[0] != 0;
    }

  private:
    std::uint64_t Octal(std::size_t begin, std::size_t count) const
    {
        std::uint64_t value = 0;
        for (std::size_t i = begin; i < begin + count; ++i)
        {
            value = bytes[i] >= '0' && bytes[i] <= '7' ? value * 8 + (bytes[i] - '0') : value;
        }
        return value;
    }
};

/// Opens a regular file for reading. Returns null if it cannot be opened or is not a regular file;
/// opening a pipe would block.
gzFile
OpenRegular(const std::string& path)
{
    std::error_code ignored;
    return std::filesystem::is_regular_file(path, ignored) ? gzopen(path.c_str(), "rb") : nullptr;
}

} // namespace

void
ByteReader::Close::operator()(gzFile_s* file) const
{
    gzclose(file);
}

ByteReader::ByteReader(const std::string& path, const std::string& kind)
    : m_path(path),
      m_file(OpenRegular(path))
{
    DPDL_REFUSE_IF(!m_file, Place(0), "a file that cannot be opened", "a readable " + kind);
    gzbuffer(m_file.get(), BUFFER_BYTES);
}

void
ByteReader::Enter(const std::string& name)
{
    TarHeader header;
    for (;;)
    {
        const std::uint64_t begin = m_offset;
        DPDL_REFUSE_IF(Read(header.bytes, TarHeader::BLOCK) != TarHeader::BLOCK ||
                           !header.IsValid(),
                       Place(begin),
                       "no header of a file",
                       "a tar archive that has " + name);
        if (header.IsFile() && header.Name() == name)
        {
            break;
        }
        const std::uint64_t blocks = header.Size() / TarHeader::BLOCK;
        const std::uint64_t rest = header.Size() % TarHeader::BLOCK;
        std::uint8_t skipped[TarHeader::BLOCK];
        for (std::uint64_t i = 0; i < blocks + (rest > 0 ? 1 : 0); ++i)
        {
            DPDL_REFUSE_IF(Read(skipped, TarHeader::BLOCK) != TarHeader::BLOCK,
                           Place(m_offset),
                           "the end of the file",
                           "a tar archive that has " + name);
        }
    }
    m_path += ':' + name;
    m_offset = 0;
    m_end = header.Size();
}

std::size_t
ByteReader::Read(std::uint8_t* bytes, std::size_t count)
{
    count = std::min<std::uint64_t>(count, m_end - m_offset);
    const int got = gzread(m_file.get(), bytes, static_cast<unsigned>(count));
    if (got < 0)
    {
        int code = 0;
        throw UsageError(Place(m_offset),
                         std::string("unreadable data, ") + gzerror(m_file.get(), &code),
                         "data");
    }
    m_offset += static_cast<std::uint64_t>(got);
    return static_cast<std::size_t>(got);
}

void
ByteReader::Append(std::vector<std::uint8_t>& values,
                   std::uint64_t count,
                   const std::string& expected)
{
    for (std::uint64_t left = count; left > 0;)
    {
        const std::size_t begin = values.size();
        const std::size_t wanted = std::min<std::uint64_t>(CHUNK_BYTES, left);
        values.resize(begin + wanted);
        DPDL_REFUSE_IF(Read(values.data() + begin, wanted) != wanted,
                       Place(m_offset),
                       "the end of the file",
                       expected);
        left -= wanted;
    }
}

void
ByteReader::ExpectEnd()
{
    std::uint8_t extra = 0;
    DPDL_REFUSE_IF(Read(&extra, 1) != 0, Place(m_offset - 1), "more data", "the end of the file");
}

std::string
ByteReader::Place(std::uint64_t offset) const
{
    return "file '" + m_path + "', byte " + std::to_string(offset);
}

} // namespace dpdl
