// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRACE_SEAL_H
#define DPDL_TRACE_SEAL_H

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace dpdl
{

/**
 * @brief The checksum of the rows of a table, in their order (doc/formats/trace.md#checksums).
 *
 * A number is one 64-bit word, a text or BLOB is its length and then its bytes in words, and NULL
 * is no word. A row ends with a word for the types of its values. All words, preceded by a 1, form
 * one number in base 2^64. The checksum is the remainder of this number modulo the prime 2^64 - 59:
 * a fingerprint after Karp and Rabin (1987). A change within 8 consecutive bytes is missed only if
 * it changes their value, as a big-endian integer, by exactly the prime. A wider accidental change
 * is missed with probability 2^-64. Forgery is not prevented.
 *
 * Exchanging two words is detected unless they are equal modulo the prime, because (2^64)^k is not
 * 1 modulo the prime for 0 < k < (2^64 - 60) / 4.
 */
class RowChecksum
{
  public:
    RowChecksum() = default;

    /// Continues an earlier checksum.
    /// @param rows Rows() of the earlier checksum
    /// @param value Value() of the earlier checksum
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

    /// Adds a floating-point value. NaN is added as NULL, because SQLite stores it as NULL.
    void AddReal(double value)
    {
        if (std::isnan(value))
        {
            AddNull();
            return;
        }
        // SQLite does not store the sign of zero.
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

    /// Adds all columns of a query's current row and ends the row.
    void AddRow(SQLite::Statement& row);

    /// Ends a row. A row must have at most 16 values.
    void EndRow()
    {
        AddWord(m_types);
        m_types = 0;
        ++m_rows;
    }

    /// Counts a row without adding its values to the checksum.
    void SkipRow()
    {
        ++m_rows;
    }

    /// Number of complete rows.
    std::int64_t Rows() const
    {
        return m_rows;
    }

    /// Checksum of the complete rows, as a signed 64-bit integer for SQLite.
    std::int64_t Value() const
    {
        return static_cast<std::int64_t>(m_value >= PRIME ? m_value - PRIME : m_value);
    }

  private:
    static constexpr std::uint64_t GAP = 59; ///< 2^64 minus the prime; also 2^64 modulo the prime
    static constexpr std::uint64_t PRIME = ~std::uint64_t{0} - GAP + 1;

    void AddType(std::uint64_t type)
    {
        m_types = m_types << 4 | type;
    }

    void AddWord(std::uint64_t word)
    {
        // 2^64 is 59 modulo the prime, so 2^64 m_value + word is reduced to 59 m_value + word,
        // without a division.
        __extension__ using Wide = unsigned __int128;
        const Wide wide = static_cast<Wide>(m_value) * GAP + word;
        const auto low = static_cast<std::uint64_t>(wide);
        m_value = low + static_cast<std::uint64_t>(wide >> 64) * GAP;
        m_value += m_value < low ? GAP : 0;
    }

    /// Adds the number of bytes, then the bytes as words of 8 bytes, of which the last is padded
    /// with zeros.
    void AddBytes(const char* bytes, std::size_t count);

    /// Remainder, modulo the prime, of the words so far. The value is below 2^64, but may exceed
    /// the prime by less than 59.
    std::uint64_t m_value{1};
    std::uint64_t m_types{0}; ///< types of the current row's values, 4 bits per value
    std::int64_t m_rows{0};
};

/**
 * @file
 * @brief Table `checksum` of a trace, which reveals damage of the file.
 *
 * The table has one row for each table and for each object of the schema. Its row `checksum` covers
 * the other rows. A program that changes a trace calls these functions before the end of the
 * transaction, and SealAll() last.
 */

/// True if the trace has table `checksum`. Traces of schema version 1 have no such table.
bool IsSealed(SQLite::Database& database);

/// Computes the checksum of a table's current rows.
RowChecksum ChecksumOf(SQLite::Database& database, const std::string& table);

/// Records a checksum in table `checksum`.
/// @param table name of the row: a table or another object
void Seal(SQLite::Database& database, const std::string& table, const RowChecksum& checksum);

/// Computes the checksum of a table's current rows, and records it in table `checksum`.
void Seal(SQLite::Database& database, const std::string& table);

/// Computes and records the checksums of the tables that change during a run and have no RowTable.
void SealChanging(SQLite::Database& database);

/// Checksum with name @p name in table @p notes, which is `checksum` or `settled`. Empty if there
/// is no such name.
std::optional<RowChecksum> NotedChecksum(SQLite::Database& database,
                                         const std::string& notes,
                                         const std::string& name);

/// True if table @p notes has a number of rows and a checksum for @p table, and as many of its
/// first rows have this checksum. Later rows of @p table are ignored.
bool HoldsSeal(SQLite::Database& database,
               const std::string& table,
               const std::string& notes = "checksum");

/// Records the checksums of all objects of the schema (tables, views, indexes), and of the file's
/// `application_id` and `user_version`.
void SealSchema(SQLite::Database& database);

/// Records the checksum of all other rows of table `checksum`. Must be the last change of the
/// transaction.
void SealAll(SQLite::Database& database);

} // namespace dpdl

#endif // DPDL_TRACE_SEAL_H
