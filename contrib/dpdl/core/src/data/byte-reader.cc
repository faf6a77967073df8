// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "byte-reader.h"

#include "dpdl/base/errors.h"

#include <algorithm>
#include <zlib.h>

namespace dpdl
{

namespace
{

constexpr std::size_t CHUNK_BYTES = 1U << 20;
/// Of a compressed file so much is read at a time, and twice as much unpacked. Little, since what
/// lies behind the last example is unpacked in vain.
constexpr unsigned BUFFER_BYTES = 1U << 14;

} // namespace

void
ByteReader::Close::operator()(gzFile_s* file) const
{
    gzclose(file);
}

ByteReader::ByteReader(const std::string& path, const std::string& kind)
    : m_path(path),
      m_file(gzopen(path.c_str(), "rb"))
{
    if (!m_file)
    {
        Fail(0, "a file that cannot be opened", "a readable " + kind);
    }
    gzbuffer(m_file.get(), BUFFER_BYTES);
}

std::size_t
ByteReader::Read(std::uint8_t* bytes, std::size_t count)
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
        if (Read(values.data() + begin, wanted) != wanted)
        {
            Fail(m_offset, "the end of the file", expected);
        }
        left -= wanted;
    }
}

void
ByteReader::ExpectEnd()
{
    std::uint8_t extra = 0;
    if (Read(&extra, 1) != 0)
    {
        Fail(m_offset - 1, "more data", "the end of the file");
    }
}

void
ByteReader::Fail(std::uint64_t offset, const std::string& found, const std::string& expected) const
{
    throw UsageError("file '" + m_path + "', byte " + std::to_string(offset), found, expected);
}

} // namespace dpdl
