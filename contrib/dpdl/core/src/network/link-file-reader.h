// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_NETWORK_LINK_FILE_READER_H
#define DPDL_NETWORK_LINK_FILE_READER_H

#include "dpdl/network/link-table.h"

namespace dpdl
{

/// Reads one link file into a table, line by line.
class LinkFileReader
{
  public:
    /// Number that stands for every node, as an end of a link: `*` in the file.
    static constexpr NodeId ANY = 0xffffffff;

    /**
     * @param table receives the lines
     * @param name of the file in messages
     * @param own the required column
     * @param claimed columns to skip
     */
    LinkFileReader(LinkTable& table,
                   const std::string& name,
                   LinkColumn own,
                   const std::set<LinkColumn>& claimed);

    /// Parses a line of the file, which may be a comment.
    void AddLine(const std::string& line);

    /// The columns that the file sets. @throws UsageError if it has no link
    std::set<LinkColumn> Finish() const;

    /// Key of a link in maps: the source in the high 32 bits, the target in the low ones.
    static std::uint64_t Key(NodeId source, NodeId target)
    {
        return (static_cast<std::uint64_t>(source) << 32) | target;
    }

  private:
    /// Meaning of a column of the file.
    struct Field
    {
        enum class Kind
        {
            SOURCE,
            TARGET,
            VALUE,
            SKIPPED ///< set by another option
        };

        Kind kind;         ///< meaning of the field
        LinkColumn column; ///< for VALUE: the column's meaning
    };

    std::string Place(std::size_t word) const;
    void ReadNames();
    void CheckNames() const;
    void ReadLink();
    NodeId ReadNode(std::size_t word) const;
    void ReadValue(LinkTable::Overrides& link, LinkColumn column, std::size_t word);

    LinkTable& m_table;                  ///< receives the lines
    std::string m_name;                  ///< name of the file in messages
    LinkColumn m_own;                    ///< the required column
    const std::set<LinkColumn>& m_taken; ///< columns to skip
    std::vector<Field> m_fields;         ///< columns of the file; empty before the first line
    std::vector<std::string> m_words;    ///< words of the current line
    std::size_t m_line{0};               ///< number of the current line
    std::set<std::uint64_t> m_seen;      ///< keys of the links so far
};

} // namespace dpdl

#endif // DPDL_NETWORK_LINK_FILE_READER_H
