// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_NETWORK_FAILURE_PARSER_H
#define DPDL_NETWORK_FAILURE_PARSER_H

#include "dpdl/network/failure-sentence.h"
#include "failure-clauses.h"
#include "failure-sets.h"
#include "failure-words.h"

#include <string>
#include <vector>

namespace dpdl
{

/// Reads one event of the failure language.
class FailureParser
{
  public:
    /**
     * @param words of the sentence, from its first one on
     * @param sets reads its sets
     */
    FailureParser(FailureWords& words, const FailureSets& sets);

    /**
     * @brief Reads the whole sentence.
     * @throws UsageError for a mistake
     */
    FailureSentence Parse();

  private:
    void ParseSubject();
    void ParseLink();
    void ParseNode();
    void ParsePartition();
    void ParseCircle(bool jam);
    void ParseFlap();
    void ParseBurst();
    void ParseSlow();

    FailureClauses TakeClauses(const std::vector<std::string>& more);
    void SetTiming(const FailureClauses& clauses);
    void SetRandom(const FailureClauses& clauses);
    void SetCircle(const FailureClauses& clauses);
    void SetCrash(const FailureClauses& clauses);

    FailureWords& m_words;      ///< of the sentence
    const FailureSets& m_sets;  ///< reads its sets
    bool m_random{false};       ///< it comes and goes at random
    FailureSentence m_sentence; ///< what was read so far
};

} // namespace dpdl

#endif // DPDL_NETWORK_FAILURE_PARSER_H
