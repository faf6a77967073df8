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

/// Capacity of a link's queue. The message being sent counts.
struct QueueLimit
{
    std::uint64_t bytes{0}; ///< largest number of bytes that are not yet sent; 0: unlimited
    /// Largest number of messages that are not completely sent; 0: unlimited.
    std::uint64_t messages{0};

    /// True if neither bytes nor messages are limited.
    bool IsUnbounded() const
    {
        return bytes == 0 && messages == 0;
    }
};

/**
 * @brief Parses a queue limit: `none`, a number of bytes such as `64000B`, or of messages such as
 *        `5msg`.
 * @param what name of the value, for the error
 * @param text the text; the number must be >= 1
 * @throws UsageError for any other text
 */
QueueLimit ParseQueueLimit(const std::string& what, const std::string& text);

/// Parameters of a directed link in network model `message`.
struct LinkParameters
{
    double dataRate{10e6};  ///< data rate in bit/s, > 0
    double delay{5e-3};     ///< latency in seconds, >= 0
    double drop{0.0};       ///< probability that a message is lost, in [0, 1)
    double overhead{0.0};   ///< bytes added to every message, >= 0
    QueueLimit queue;       ///< capacity of the queue; a message that exceeds it is lost
    std::uint32_t group{0}; ///< number of the link's group, from 1; the links of a group transmit
                            ///< through one shared serializer; 0: none
};

/// Columns of a link file, apart from source and target.
enum class LinkColumn
{
    DATA_RATE, ///< `dataRate`, such as 10Mbps
    DELAY,     ///< `delay`, such as 5ms
    DROP,      ///< `drop`: loss probability, in [0, 1)
    OVERHEAD,  ///< `overhead`: bytes added to every message
    QUEUE,     ///< `queue`: capacity of the queue, as ParseQueueLimit() accepts it
    GROUP,     ///< `group`, any name; `none`: not in a group
};

/**
 * @brief Parameters of every directed link, from defaults and files (doc/formats/links.md).
 *
 * A file has one link per line: `source target value`, or columns in any order that a header line
 * names. A `*` matches every node. If several lines match a link, the most specific line determines
 * each value: lines with both nodes come first, then lines with a source only, with a target only,
 * and `* *`. Links without a matching line have the default values.
 */
class LinkTable
{
  public:
    /**
     * @param nodes number of nodes n
     * @param defaults values for links and columns that no file sets
     */
    explicit LinkTable(std::size_t nodes, const LinkParameters& defaults = {});

    /**
     * @brief Reads a link file into the table.
     * @param text contents of the file
     * @param name name of the file in messages, usually its path
     * @param own column that the file must have; the only value column of a file without a header
     *        line
     * @param[in,out] claimed columns that other files set. Values in this file for claimed columns
     *                are skipped, except for @p own. On return it also has the columns that this
     *                file sets
     * @throws UsageError naming line and word, for an unknown, missing or duplicate column, a node
     *         outside 0..n-1, a duplicate link, a link from a node to itself, a value that the
     *         column does not accept, or a file without a link
     */
    void Read(std::istream& text,
              const std::string& name,
              LinkColumn own,
              std::set<LinkColumn>& claimed);

    /// Reads the link file at @p path into the table with Read().
    /// @throws UsageError naming file, line and word if Read() rejects the file, or naming the path
    /// if it cannot be read
    void ReadFile(const std::string& path, LinkColumn own, std::set<LinkColumn>& claimed);

    /// Parameters of the link from @p source to @p target.
    LinkParameters At(NodeId source, NodeId target) const;

    /// Parameters of a link that delivers a message at least as fast as any link: the highest data
    /// rate (bit/s), shortest delay (s) and smallest overhead (bytes) of the defaults and of all
    /// lines of the link files. `group` is the largest group number, 0 if no link is in a group.
    /// `drop` and `queue` have their defaults, so they are no bounds.
    LinkParameters Fastest() const;

    /// True if at least one link may lose messages, at random or because its queue is full.
    bool MayLose() const
    {
        return m_mayLose;
    }

    /// Accuracy of message mode relative to packet mode, as link files state it: the text of each
    /// comment line that begins with `# error`, without this mark, in order.
    const std::vector<std::string>& Errors() const
    {
        return m_errors;
    }

  private:
    friend class LinkFileReader;

    /// Values that the lines of link files set for one source and one target, each a node or `*`.
    struct Overrides
    {
        std::optional<double> dataRate;  ///< data rate in bit/s; empty: not set
        std::optional<double> delay;     ///< latency in s; empty: not set
        std::optional<double> drop;      ///< probability that a message is lost; empty: not set
        std::optional<double> overhead;  ///< bytes added to every message; empty: not set
        std::optional<QueueLimit> queue; ///< limit of the queue; empty: not set
        /// Number of the group; 0: none; empty: not set.
        std::optional<std::uint32_t> group;
    };

    void Apply(NodeId source, NodeId target, LinkParameters& link) const;
    std::uint32_t Group(const std::string& name);

    std::size_t m_nodes;       ///< number of nodes
    LinkParameters m_defaults; ///< values for links and columns that no line sets
    bool m_mayLose;            ///< true: at least one link may lose messages
    /// Values set by lines of the files; key: LinkFileReader::Key() of source and target.
    std::unordered_map<std::uint64_t, Overrides> m_lines;
    std::vector<std::string> m_groups; ///< names of the groups 1, 2, ..., in this order
    /// Statements of link files about the accuracy of message mode, see Errors().
    std::vector<std::string> m_errors;
};

} // namespace dpdl

#endif // DPDL_NETWORK_LINK_TABLE_H
