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

/// Capacity of a link's queue, including what is being sent.
struct QueueLimit
{
    std::uint64_t bytes{0};    ///< not sent yet; 0: any number
    std::uint64_t messages{0}; ///< not sent to their last bit; 0: any number

    /// True if nothing is ever refused.
    bool IsUnbounded() const
    {
        return bytes == 0 && messages == 0;
    }
};

/**
 * @brief Reads a queue limit: `none`, a number of bytes as in `64000B`, of messages as in `5msg`.
 * @param what the thing being read, for the error
 * @param text the text; the number is >= 1
 * @throws UsageError otherwise
 */
QueueLimit ParseQueueLimit(const std::string& what, const std::string& text);

/// Parameters of a directed link in message mode.
struct LinkParameters
{
    double dataRate{10e6};  ///< bit/s, > 0
    double delay{5e-3};     ///< seconds, >= 0
    double drop{0.0};       ///< probability that a message is lost, [0, 1)
    double overhead{0.0};   ///< bytes added to every message, >= 0
    QueueLimit queue;       ///< a message that does not fit is lost
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
    GROUP,     ///< `group`, any word; `none`: not in a group
};

/**
 * @brief The parameters of every directed link, from defaults and files (doc/formats/links.md).
 *
 * A file is a table of words, one link a line: `source target value`, or columns in any order that
 * a first line names. A `*` stands for every node. Of the lines that fit a link, one that names
 * both ends counts before one that names the source, this before one that names the target, and
 * that before `* *`; links that no line fits have the defaults.
 */
class LinkTable
{
  public:
    /**
     * @param nodes number of nodes n
     * @param defaults of links, or columns, that no file names
     */
    explicit LinkTable(std::size_t nodes, const LinkParameters& defaults = {});

    /**
     * @brief Takes in a file.
     * @param text the file
     * @param name what messages call it, usually its path
     * @param own the column that is wanted, and the one of a file without a line of names
     * @param[in,out] claimed columns that this file does not decide, apart from @p own; those that
     *        it did decide are added
     * @throws UsageError with line and word: a column that is unknown, missing or there twice, a
     *         node outside 0..n-1, a link that is there twice or joins a node to itself, a value
     *         that its column does not take, and a file without a link
     */
    void Read(std::istream& text,
              const std::string& name,
              LinkColumn own,
              std::set<LinkColumn>& claimed);

    /// Read() of the file at @p path; @throws UsageError also if it cannot be read.
    void ReadFile(const std::string& path, LinkColumn own, std::set<LinkColumn>& claimed);

    /// Parameters of the link from @p source to @p target.
    LinkParameters At(NodeId source, NodeId target) const;

    /// At least as fast as every link: the highest rate, the shortest delay and the smallest
    /// overhead of any line; with a group if a line has one.
    LinkParameters Fastest() const;

    /// True if some link may drop messages or refuse them.
    bool MayLose() const
    {
        return m_mayLose;
    }

    /// Accuracy that files state: the rest of their lines `# error `, in order.
    const std::vector<std::string>& Errors() const
    {
        return m_errors;
    }

  private:
    friend class LinkFileReader;

    /// Values of a line.
    struct Overrides
    {
        std::optional<double> dataRate;     ///< in bit/s; empty: the default
        std::optional<double> delay;        ///< see LinkParameters
        std::optional<double> drop;         ///< see LinkParameters
        std::optional<double> overhead;     ///< see LinkParameters
        std::optional<QueueLimit> queue;    ///< see LinkParameters
        std::optional<std::uint32_t> group; ///< see LinkParameters
    };

    void Apply(NodeId source, NodeId target, LinkParameters& link) const;
    std::uint32_t Group(const std::string& name);

    std::size_t m_nodes;                                  ///< n
    LinkParameters m_defaults;                            ///< of what no line names
    bool m_mayLose;                                       ///< see MayLose()
    std::unordered_map<std::uint64_t, Overrides> m_lines; ///< by ends
    std::vector<std::string> m_groups;                    ///< names of the groups 1, 2, ...
    std::vector<std::string> m_errors;                    ///< accuracy that files state
};

} // namespace dpdl

#endif // DPDL_NETWORK_LINK_TABLE_H
