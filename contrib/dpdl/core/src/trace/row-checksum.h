// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRACE_ROW_CHECKSUM_H
#define DPDL_TRACE_ROW_CHECKSUM_H

#include <SQLiteCpp/Statement.h>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace dpdl
{

/**
 * @brief The checksum of the rows of a table, in their order (doc/formats/trace.md#checksums).
 *
 * Every value is one word of 64 bits or more, and a row ends with a word for the types of
 * its values. All words together, behind a 1, are one number in base 2^64, and the checksum is its
 * remainder by the prime 2^64 - 59: a fingerprint after Karp and Rabin (1987). A change within 8
 * bytes that follow one another is found for certain, any other by chance but for one in 2^64. It
 * finds accidents, not forgers.
 *
 * 2^64 has order (2^64 - 60) / 4 for that prime: no two words can be exchanged unnoticed.
 */
class RowChecksum
{
  public:
    RowChecksum() = default;

    /// Of @p rows rows, whose Value() is @p value.
    RowChecksum(std::int64_t rows, std::int64_t value)
        : m_value(static_cast<std::uint64_t>(value)),
          m_rows(rows)
    {
    }

    void AddNull()
    {
        AddType(0);
    }

    void AddInteger(std::int64_t value)
    {
        AddWord(static_cast<std::uint64_t>(value));
        AddType(1);
    }

    /// NaN counts as the NULL that SQLite makes of it.
    void AddReal(double value)
    {
        if (std::isnan(value))
        {
            AddNull();
            return;
        }
        // SQLite keeps no sign of zero.
        const double stored = value + 0.0;
        std::uint64_t bits = 0;
        std::memcpy(&bits, &stored, sizeof(bits));
        AddWord(bits);
        AddType(2);
    }

    void AddText(std::string_view value)
    {
        AddBytes(value.data(), value.size());
        AddType(3);
    }

    void AddBlob(const void* bytes, std::size_t count)
    {
        AddBytes(static_cast<const char*>(bytes), count);
        AddType(4);
    }

    /// Adds the columns of the row at which a query stands, as one row.
    void AddRow(SQLite::Statement& row);

    /// The row that the last values belong to has no more; a row has at most 16.
    void EndRow()
    {
        AddWord(m_types);
        m_types = 0;
        ++m_rows;
    }

    /// Counts a row that is not summed up.
    void SkipRow()
    {
        ++m_rows;
    }

    /// Number of complete rows.
    std::int64_t Rows() const
    {
        return m_rows;
    }

    /// The checksum of these rows, as SQLite keeps 64 bits.
    std::int64_t Value() const
    {
        return static_cast<std::int64_t>(m_value >= PRIME ? m_value - PRIME : m_value);
    }

  private:
    static constexpr std::uint64_t GAP = 59; ///< from the prime to 2^64, and 2^64 modulo it
    static constexpr std::uint64_t PRIME = ~std::uint64_t{0} - GAP + 1;

    void AddType(std::uint64_t type)
    {
        m_types = m_types << 4 | type;
    }

    void AddWord(std::uint64_t word)
    {
        // The high half of 59 m_value, without the division.
        __extension__ using Wide = unsigned __int128;
        const Wide wide = static_cast<Wide>(m_value) * GAP + word;
        const auto low = static_cast<std::uint64_t>(wide);
        m_value = low + static_cast<std::uint64_t>(wide >> 64) * GAP;
        m_value += m_value < low ? GAP : 0;
    }

    /// Adds the number of the bytes, then the bytes, 8 a word, filled up with zeros.
    void AddBytes(const char* bytes, std::size_t count);

    std::uint64_t m_value{1}; ///< of the words so far, modulo the prime; below 2^64 only
    std::uint64_t m_types{0}; ///< of the present row's values, 4 bits each
    std::int64_t m_rows{0};
};

} // namespace dpdl

#endif // DPDL_TRACE_ROW_CHECKSUM_H
