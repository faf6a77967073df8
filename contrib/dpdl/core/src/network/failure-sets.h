// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_NETWORK_FAILURE_SETS_H
#define DPDL_NETWORK_FAILURE_SETS_H

#include "dpdl/network/failure-sentence.h"
#include "failure-words.h"

#include <map>
#include <string>

namespace dpdl
{

/// Reads the sets of nodes and links of a sentence, and places.
class FailureSets
{
  public:
    /**
     * @param words of the sentence, for errors
     * @param groups sets of nodes that have names
     * @param nodes number of nodes of the network
     */
    FailureSets(const FailureWords& words,
                const std::map<std::string, NodeSet>& groups,
                std::size_t nodes)
        : m_words(words),
          m_groups(groups),
          m_nodes(nodes)
    {
    }

    /// Reads `5`, `0-3`, `{0-3,7}`, `*` or the name of a group.
    NodeSet Nodes(const std::string& word) const;

    /// Reads `3->4`, `{0-2}->*`, `3<->4`, or `*` for all links.
    LinkSet Links(const std::string& word) const;

    /// Reads `(500,300)`.
    Position Place(const std::string& word, const std::string& text) const;

  private:
    void AddItem(const std::string& word, const std::string& item, std::vector<NodeId>& to) const;
    NodeId Number(const std::string& word, const std::string& text) const;
    std::string Expected() const;

    const FailureWords& m_words;                    ///< for errors
    const std::map<std::string, NodeSet>& m_groups; ///< by name
    std::size_t m_nodes;                            ///< of the network
};

} // namespace dpdl

#endif // DPDL_NETWORK_FAILURE_SETS_H
