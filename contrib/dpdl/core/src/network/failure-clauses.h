// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_NETWORK_FAILURE_CLAUSES_H
#define DPDL_NETWORK_FAILURE_CLAUSES_H

#include "failure-words.h"

#include <map>
#include <string>
#include <vector>

namespace dpdl
{

/**
 * @brief The rest of a sentence: `at T`, `for D`, `p=0.02` and the like, in any order, each once.
 *
 * A name that ends in `=` takes what follows it in the same word; `at`, `for` and others take the
 * next word; a name that is none of these stands alone. `from` is another word for `at`.
 */
class FailureClauses
{
  public:
    /**
     * @brief Takes all words that are left.
     * @param words of the sentence
     * @param accepted names of clauses that go with it
     * @throws UsageError for any other one, and for one that is given twice
     */
    FailureClauses(FailureWords& words, const std::vector<std::string>& accepted);

    /// Whether a clause was given.
    bool Has(const std::string& name) const
    {
        return m_given.count(name) > 0;
    }

    /**
     * @brief What a clause was given.
     * @throws UsageError if it was not
     */
    const std::string& Value(const std::string& name, const std::string& expected) const;

    /// A time of the simulation, in seconds and whole nanoseconds of them; @p missing if not given.
    double Time(const std::string& name, double missing) const;

    /// A length of time; as Time(), but not 0.
    double Length(const std::string& name, double missing) const;

    /// A probability in [0, 1]; @p missing if not given.
    double Probability(const std::string& name, double missing) const;

  private:
    const FailureWords& m_words;                ///< of the sentence
    std::map<std::string, std::string> m_given; ///< by name
};

/// A time, rounded to nanoseconds, in seconds.
double WholeNanoseconds(double seconds);

/// Reads a time as FailureClauses::Time() does.
double ParseFailureTime(const FailureWords& words, const std::string& text);

/// Reads a probability in [0, 1].
double ParseFailureProbability(const FailureWords& words, const std::string& text);

} // namespace dpdl

#endif // DPDL_NETWORK_FAILURE_CLAUSES_H
