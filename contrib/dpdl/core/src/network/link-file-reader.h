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
    /// Node number that stands for all nodes: `*` in the file.
    static constexpr NodeId ANY = 0xffffffff;

    /**
     * @param table table that the lines change; must outlive this object
     * @param name name of the file, for error messages
     * @param own column that the file must have
     * @param claimed columns that are ignored, because another option sets them; @p own is read
     *        even if it is one of them; must outlive this object
     */
    LinkFileReader(LinkTable& table,
                   const std::string& name,
                   LinkColumn own,
                   const std::set<LinkColumn>& claimed);

    /// Parses a line of the file, which may be empty or a comment.
    /// @throws UsageError if the line is invalid
    void AddLine(const std::string& line);

    /// Columns that the file sets.
    /// @throws UsageError if the file has no link
    std::set<LinkColumn> Finish() const;

    /// Key of a link: the source in the upper 32 bits, the target in the lower 32 bits.
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
            SKIPPED ///< another option sets this column
        };

        Kind kind;         ///< meaning of the column
        LinkColumn column; ///< column of LinkTable; used only for kind VALUE
    };

    std::string Place(std::size_t word) const;
    void ReadNames();
    void CheckNames() const;
    void ReadLink();
    NodeId ReadNode(std::size_t word) const;
    void ReadValue(LinkTable::Overrides& link, LinkColumn column, std::size_t word);

    LinkTable& m_table;                  ///< table that the lines change
    std::string m_name;                  ///< name of the file, for error messages
    LinkColumn m_own;                    ///< column that the file must have
    const std::set<LinkColumn>& m_taken; ///< columns that are ignored
    /// Columns of the file, in order; empty before the first line was read.
    std::vector<Field> m_fields;
    std::vector<std::string> m_words; ///< words of the current line
    std::size_t m_line{0};            ///< number of the current line, from 1
    std::set<std::uint64_t> m_seen;   ///< keys of the links that the file has set so far
};

} // namespace dpdl

#endif // DPDL_NETWORK_LINK_FILE_READER_H
