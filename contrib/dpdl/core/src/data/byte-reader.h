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

/// Reads a plain or compressed file from its beginning and knows where it is.
class ByteReader
{
  public:
    /**
     * @param path the file; it may be compressed with gzip, whatever its name
     * @param kind what such a file is called, for the error
     * @throws UsageError if it cannot be opened
     */
    ByteReader(const std::string& path, const std::string& kind);

    /**
     * @brief Goes to a file in this file, which is a tar archive (POSIX ustar, pax or GNU); only
     *        that file is read from then on, and offsets count from its beginning.
     * @param name the file's name in the archive, without its folders
     * @throws UsageError if the archive has no such file, or is none
     */
    void Enter(const std::string& name);

    /**
     * @brief Reads on.
     * @param[out] bytes [count]
     * @param count how many, at most INT_MAX
     * @return how many there were; fewer only at the end of the data
     * @throws UsageError if the data cannot be read or unpacked
     */
    std::size_t Read(std::uint8_t* bytes, std::size_t count);

    /**
     * @brief Appends bytes. The memory grows with what was really read, not with what is wanted.
     * @param[in,out] values receives them
     * @param count how many
     * @param expected what stands there, for the error
     * @throws UsageError at the byte where the data ends too soon
     */
    void Append(std::vector<std::uint8_t>& values,
                std::uint64_t count,
                const std::string& expected);

    /// @throws UsageError if more data follows
    void ExpectEnd();

    /// How many bytes were read, after unpacking.
    std::uint64_t Offset() const
    {
        return m_offset;
    }

    /**
     * @brief Says what is wrong, and where.
     * @param offset of the byte, after unpacking
     * @param found what stands there
     * @param expected what should
     * @throws UsageError always
     */
    [[noreturn]] void Fail(std::uint64_t offset,
                           const std::string& found,
                           const std::string& expected) const;

  private:
    struct Close
    {
        void operator()(gzFile_s* file) const;
    };

    std::string m_path;                      ///< of the file, and of the file in it
    std::unique_ptr<gzFile_s, Close> m_file; ///< open
    std::uint64_t m_offset{0};               ///< see Offset()
    std::uint64_t m_end{UINT64_MAX};         ///< offset behind the last byte that may be read
};

} // namespace dpdl

#endif // DPDL_DATA_BYTE_READER_H
