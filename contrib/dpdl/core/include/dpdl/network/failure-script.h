// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_NETWORK_FAILURE_SCRIPT_H
#define DPDL_NETWORK_FAILURE_SCRIPT_H

#include "dpdl/network/failure-sentence.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace dpdl
{

/**
 * @brief Reads the failure language: one sentence a line, such as `link 3->4 down at 10s for 5s`.
 *
 * doc/failures.md has the grammar. Sentences may come from several places; a group that one of them
 * names is known to all that follow. What contradicts an earlier sentence is refused: the same
 * delay, rate, bursts or slowdown given twice at a time, or a crash of a node that is down.
 * Failures that add up are not: two that keep a link down, or losses, which are independent.
 */
class FailureScript
{
  public:
    /// @param nodes number of nodes of the network; sentences about others are refused
    explicit FailureScript(std::size_t nodes);

    /**
     * @brief Reads a line.
     * @param line a sentence, a comment, both or nothing
     * @param name of the file it comes from, for messages
     * @param number of the line in that file
     * @throws UsageError naming file, line, word and what would be accepted
     */
    void AddLine(const std::string& line, const std::string& name, std::size_t number);

    /// Reads lines, numbered from 1, as AddLine() does.
    void AddText(const std::string& text, const std::string& name);

    /**
     * @brief Reads a file.
     * @throws UsageError also if it cannot be read
     */
    void AddFile(const std::string& path);

    /// What was read, in its order.
    const std::vector<FailureSentence>& Sentences() const
    {
        return m_sentences;
    }

  private:
    std::size_t m_nodes;                      ///< see FailureScript()
    std::map<std::string, NodeSet> m_groups;  ///< by name
    std::vector<FailureSentence> m_sentences; ///< see Sentences()
};

/// The sentences of a text; see FailureScript.
std::vector<FailureSentence> ParseFailures(const std::string& text,
                                           const std::string& name,
                                           std::size_t nodes);

/**
 * @brief One warning for each sentence about links none of which is ever used.
 * @param sentences of a script
 * @param links those that are used, in any order
 */
std::vector<std::string> WarnOfUnusedLinks(const std::vector<FailureSentence>& sentences,
                                           const std::vector<LinkId>& links);

} // namespace dpdl

#endif // DPDL_NETWORK_FAILURE_SCRIPT_H
