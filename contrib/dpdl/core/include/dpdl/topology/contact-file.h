// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TOPOLOGY_CONTACT_FILE_H
#define DPDL_TOPOLOGY_CONTACT_FILE_H

#include "dpdl/base/input-file.h"
#include "dpdl/topology/graph-sequence.h"

#include <cstddef>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dpdl
{

/// A time interval in which one node can send to another node.
struct Contact
{
    double start; ///< start in simulated seconds, inclusive
    double end;   ///< end in simulated seconds, exclusive; > start
    Edge edge;    ///< sender and receiver
};

/**
 * @brief Parses a contact trace: one line `start end source target` per contact.
 *
 *     # two nodes that meet twice, both ways
 *     0    12.5  0 1
 *     0    12.5  1 0
 *     3600 3700  0 1
 *     3600 3700  1 0
 *
 * Times are seconds since the start of the run, without a unit. Contacts may be in any order and
 * overlap. `#` starts a comment; empty lines are skipped.
 *
 * @param text text of the trace
 * @param name name of the trace in error messages, usually a file name
 * @param nodes number of nodes n
 * @return the contacts, sorted by start
 * @throws UsageError naming trace, line and word, if a line does not have four words, a time is not
 *         a number >= 0, an end is not after its start, a node is not in 0..n-1, or a source equals
 *         its target. Also if the trace has no contact
 */
std::vector<Contact> ParseContacts(std::istream& text, const std::string& name, std::size_t nodes);

/**
 * @brief Makes a graph sequence whose edges in a round are the contacts at the time when the round
 *        begins.
 * @param contacts contacts in any order, between nodes 0..nodes-1
 * @param nodes number of nodes n, at least 2
 * @return a LiveGraphSequence; it needs the query RunWorld::now
 */
std::shared_ptr<GraphSequence> MakeContactSequence(std::vector<Contact> contacts,
                                                   std::size_t nodes);

/**
 * @brief Reads a contact trace from a file (ParseContacts()), and makes its graph sequence
 *        (MakeContactSequence()).
 * @param path path of the file, absolute or relative to the working directory
 * @param nodes number of nodes n, at least 2
 * @param start time in the file at which the run begins, in s. It is subtracted from all times;
 *        contacts that end at or before @p start are left out
 * @throws UsageError if the file cannot be read, has no contact after @p start, or is rejected by
 *         ParseContacts()
 */
std::shared_ptr<GraphSequence> ReadContactFile(const std::string& path,
                                               std::size_t nodes,
                                               double start = 0.0);

/// Earliest and latest time of the contacts in a sequence from ReadContactFile(); empty for other
/// sequences.
std::optional<InputTimes> ContactTimes(const GraphSequence& sequence);

} // namespace dpdl

#endif // DPDL_TOPOLOGY_CONTACT_FILE_H
