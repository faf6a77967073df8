// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_DATA_NPZ_FILE_H
#define DPDL_DATA_NPZ_FILE_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

struct zip;
struct zip_file;

namespace dpdl
{

/// Element type of a NumPy array.
struct NpyType
{
    char kind{'u'}; ///< as in NumPy: 'u' unsigned, 'i' signed, 'f' floating point, 'b' Boolean
    std::size_t bytes{1};  ///< size of an element in bytes: 1, 2, 4 or 8
    bool isSwapped{false}; ///< true: big-endian
};

/**
 * @brief One array of a numpy.savez() archive, read sequentially. It must be destroyed before the
 *        NpzFile that opened it.
 *
 * Format: numpy.lib.format, versions 1 to 3. Supports only C order and numbers of at most eight
 * bytes.
 */
class NpyArray
{
  public:
    ~NpyArray();
    NpyArray(const NpyArray&) = delete;
    NpyArray& operator=(const NpyArray&) = delete;

    /// Element type of the array.
    const NpyType& Type() const
    {
        return m_type;
    }

    /// Sizes of the dimensions, outermost first.
    const std::vector<std::uint64_t>& Shape() const
    {
        return m_shape;
    }

    /// @brief Reads the next @p count elements. The element type must be unsigned with 1 byte per
    ///        element, which the function does not check.
    /// @throws UsageError naming the array if the data end early
    std::vector<std::uint8_t> ReadBytes(std::uint64_t count);

    /// @brief Reads the next @p count elements as numbers, in blocks.
    /// @tparam Number float or double
    /// @throws UsageError naming the array, if the data end early or an element is not finite as a
    ///         Number
    template <class Number>
    std::vector<Number> ReadNumbers(std::uint64_t count);

    /// Checks that all elements have been read, and that the checksum of the data is correct.
    /// @throws UsageError naming the array, if elements are left or the checksum is wrong
    void ExpectEnd();

    /// Name of the array in messages: file and array.
    const std::string& Place() const
    {
        return m_place;
    }

  private:
    friend class NpzFile;

    NpyArray(zip* archive, std::uint64_t entry, const std::string& place);

    std::uint64_t Read(std::uint8_t* bytes, std::uint64_t count);
    void ReadHeader(std::uint64_t size);
    void ReadType(const std::string& header);
    void ReadShape(const std::string& header);

    std::string m_place;                ///< name of the array in errors
    zip_file* m_file{nullptr};          ///< open entry of the archive
    NpyType m_type;                     ///< element type of the array
    std::vector<std::uint64_t> m_shape; ///< sizes of the dimensions, outermost first
};

/// An archive of arrays, as written by numpy.savez() and numpy.savez_compressed().
class NpzFile
{
  public:
    /**
     * @param path path of the archive
     * @param arrays names of the expected arrays, for messages
     * @throws UsageError naming the path if the file is not a readable archive
     */
    NpzFile(const std::string& path, const std::string& arrays);
    ~NpzFile();
    NpzFile(const NpzFile&) = delete;
    NpzFile& operator=(const NpzFile&) = delete;

    /// True if the archive has an array with that name.
    bool Has(const std::string& name) const;

    /// Names of the arrays, in the order of the archive.
    std::vector<std::string> Names() const;

    /// @brief Opens an array and reads its header.
    /// @throws UsageError naming the array if it is missing or unreadable
    std::unique_ptr<NpyArray> Open(const std::string& name) const;

  private:
    std::string m_path;      ///< path of the archive
    std::string m_arrays;    ///< names of the expected arrays, for messages
    zip* m_archive{nullptr}; ///< open archive
};

} // namespace dpdl

#endif // DPDL_DATA_NPZ_FILE_H
