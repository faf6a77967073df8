// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_NETWORK_LINK_TABLE_H
#define DPDL_NETWORK_LINK_TABLE_H

#include "dpdl/base/types.h"

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace dpdl
{

/// Capacity of a link's queue, including the message being sent.
struct QueueLimit
{
    std::uint64_t bytes{0};    ///< bytes not yet sent; 0: unlimited
    std::uint64_t messages{0}; ///< messages not yet sent completely; 0: unlimited

    /// True if there is no limit.
    bool IsUnbounded() const
    {
        return bytes == 0 && messages == 0;
    }
};

/**
 * @brief Parses a queue limit: `none`, bytes as in `64000B`, or messages as in `5msg`.
 * @param what name of the value, for the error
 * @param text the text; the number is >= 1
 * @throws UsageError otherwise
 */
QueueLimit ParseQueueLimit(const std::string& what, const std::string& text);

/// Parameters of a directed link in message mode.
struct LinkParameters
{
    double dataRate{10e6};  ///< data rate in bit/s, > 0
    double delay{5e-3};     ///< latency in seconds, >= 0
    double drop{0.0};       ///< probability that a message is lost, [0, 1)
    double overhead{0.0};   ///< bytes added to every message, >= 0
    QueueLimit queue;       ///< capacity of the queue; a message that does not fit is lost
    std::uint32_t group{0}; ///< links of one group share one serialiser; 0: not in a group
};

/// The columns of a link file after source and target.
enum class LinkColumn
{
    DATA_RATE, ///< `dataRate`, such as 10Mbps
    DELAY,     ///< `delay`, such as 5ms
    DROP,      ///< `drop`, in [0, 1)
    OVERHEAD,  ///< `overhead`, bytes
    QUEUE,     ///< `queue`, see ParseQueueLimit()
    GROUP,     ///< `group`, any name; `none`: not in a group
};

/**
 * @brief Parameters of every directed link, from defaults and files (doc/formats/links.md).
 *
 * A file is a table with one link per line: `source target value`, or columns in any order named
 * by a header line. A `*` matches every node. If several lines match a link, the precedence is:
 * both ends, source only, target only, `* *`. Links without a matching line have the defaults.
 */
class LinkTable
{
  public:
    /**
     * @param nodes number of nodes n
     * @param defaults of links or columns that no file contains
     */
    explicit LinkTable(std::size_t nodes, const LinkParameters& defaults = {});

    /**
     * @brief Reads a link file into the table.
     * @param text the file
     * @param name in messages, usually the path
     * @param own the column that the file must have; a file without a header line has no other
     *        value column
     * @param[in,out] claimed columns that other files set, which are skipped in this file, except
     *                @p own. The columns that this file sets are added
     * @throws UsageError with line and word: an unknown, missing or duplicate column, a node
     *         outside 0..n-1, a duplicate link or one from a node to itself, a value that the
     *         column does not accept, or a file without a link
     */
    void Read(std::istream& text,
              const std::string& name,
              LinkColumn own,
              std::set<LinkColumn>& claimed);

    /// Reads the file at @p path; see Read(). @throws UsageError also if the file cannot be read
    void ReadFile(const std::string& path, LinkColumn own, std::set<LinkColumn>& claimed);

    /// Parameters of the link from @p source to @p target.
    LinkParameters At(NodeId source, NodeId target) const;

    /// Parameters of a link that is at least as fast as every link: the highest data rate, shortest
    /// delay and smallest overhead of any line. It has a group if any line has one.
    LinkParameters Fastest() const;

    /// True if at least one link may drop messages, at random or by its queue limit.
    bool MayLose() const
    {
        return m_mayLose;
    }

    /// Errors stated in files: the text after `# error ` of such lines, in order.
    const std::vector<std::string>& Errors() const
    {
        return m_errors;
    }

  private:
    friend class LinkFileReader;

    /// Values that one line of a link file sets for its link.
    struct Overrides
    {
        std::optional<double> dataRate;  ///< data rate in bit/s; empty: the default
        std::optional<double> delay;     ///< latency in s; empty: the default
        std::optional<double> drop;      ///< probability that a message is lost; empty: the default
        std::optional<double> overhead;  ///< bytes added to every message; empty: the default
        std::optional<QueueLimit> queue; ///< limit of the queue; empty: the default
        /// Group with one serialiser, 0: none; empty: the default.
        std::optional<std::uint32_t> group;
    };

    void Apply(NodeId source, NodeId target, LinkParameters& link) const;
    std::uint32_t Group(const std::string& name);

    std::size_t m_nodes;       ///< number of nodes
    LinkParameters m_defaults; ///< values not given by a line
    bool m_mayLose;            ///< true if at least one link may drop messages
    /// Lines of the files, by both ends of the link.
    std::unordered_map<std::uint64_t, Overrides> m_lines;
    std::vector<std::string> m_groups; ///< names of the groups 1, 2, ...
    std::vector<std::string> m_errors; ///< errors stated in the files, see Errors()
};

} // namespace dpdl

#endif // DPDL_NETWORK_LINK_TABLE_H
