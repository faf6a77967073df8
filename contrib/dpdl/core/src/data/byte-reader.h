// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_DATA_BYTE_READER_H
#define DPDL_DATA_BYTE_READER_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

struct gzFile_s;

namespace dpdl
{

/// Reads a plain or compressed file sequentially and tracks the byte offset.
class ByteReader
{
  public:
    /**
     * @param path path of the file; gzip compression is detected by content
     * @param kind kind of the file, for errors
     * @throws UsageError if the file cannot be opened
     */
    ByteReader(const std::string& path, const std::string& kind);

    /**
     * @brief Moves to a member of the file, which must be a tar archive (POSIX ustar, pax or GNU)
     *        that has not been read yet. Later reads end at the end of the member, and offsets
     *        count from the member's beginning.
     * @param name name of the member without its folders
     * @throws UsageError if the file is not a tar archive, or has no such member
     */
    void Enter(const std::string& name);

    /**
     * @brief Reads the next bytes.
     * @param[out] bytes [count]
     * @param count number of bytes, at most INT_MAX
     * @return number of bytes read; smaller only at the end of the data
     * @throws UsageError if the data cannot be read or decompressed
     */
    std::size_t Read(std::uint8_t* bytes, std::size_t count);

    /**
     * @brief Reads the next bytes and appends them to a vector. The vector grows with the bytes
     *        actually read, so a wrong @p count does not exhaust the memory.
     * @param[in,out] values vector to which the bytes are appended
     * @param count number of bytes
     * @param expected description of the data, for the error
     * @throws UsageError at the byte where the data end early
     */
    void Append(std::vector<std::uint8_t>& values,
                std::uint64_t count,
                const std::string& expected);

    /// Checks that all data have been read.
    /// @throws UsageError if bytes are left
    void ExpectEnd();

    /// Number of bytes read, after decompression.
    std::uint64_t Offset() const
    {
        return m_offset;
    }

    /// Text that names the file and a byte, for messages.
    /// @param offset index of the byte, after decompression
    std::string Place(std::uint64_t offset) const;

  private:
    struct Close
    {
        void operator()(gzFile_s* file) const;
    };

    std::string m_path; ///< path of the file and, in an archive, name of its member
    std::unique_ptr<gzFile_s, Close> m_file; ///< open file of zlib
    std::uint64_t m_offset{0};               ///< number of bytes read, after decompression
    /// Offset at which the entered member ends; UINT64_MAX: the whole file is read.
    std::uint64_t m_end{UINT64_MAX};
};

} // namespace dpdl

#endif // DPDL_DATA_BYTE_READER_H
