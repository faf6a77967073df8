// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_NETWORK_FAILURE_TOKENS_H
#define DPDL_NETWORK_FAILURE_TOKENS_H

#include "dpdl/network/failure-event.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace dpdl
{

/**
 * @brief The words of an event of the failure language, taken one after the other.
 *
 * Blanks separate words, but for those within braces and parentheses and around an arrow, which
 * are left out. `#` starts a comment.
 */
class FailureTokens
{
  public:
    /**
     * @param line an event
     * @param place where it stands, `FILE, line N`
     * @param groups sets of nodes that have names
     * @param nodes number of nodes of the network
     * @throws UsageError if a brace or parenthesis is not closed
     */
    FailureTokens(const std::string& line,
                  std::string place,
                  const std::map<std::string, NodeSet>& groups,
                  std::size_t nodes);

    /// True if no token is left.
    bool AtEnd() const
    {
        return m_next == m_words.size();
    }

    /// The word that comes next, "" at the end.
    std::string Peek() const
    {
        return AtEnd() ? "" : m_words[m_next];
    }

    /**
     * @brief Takes the next word.
     * @param expected what it should be, for the error
     * @throws UsageError if nothing is left
     */
    const std::string& Take(const std::string& expected);

    /// All words, with one blank between them.
    std::string Text() const;

    /// Place of the event in its source, for errors.
    const std::string& Place() const
    {
        return m_place;
    }

    /// Reads `5`, `0-3`, `{0-3,7}`, `*` or the name of a group.
    NodeSet Nodes(const std::string& word) const;

    /// Reads `3->4`, `{0-2}->*`, `3<->4`, or `*` for all links.
    LinkSet Links(const std::string& word) const;

    /// Reads `(500,300)`, which is all or a part of @p word.
    Position Point(const std::string& word, const std::string& text) const;

    /// Reads a time of the simulation: seconds, and whole nanoseconds of them.
    double Time(const std::string& text) const;

    /// Reads a probability in [0, 1].
    double Probability(const std::string& text) const;

    /// Refuses a word.
    [[noreturn]] void Refuse(const std::string& word, const std::string& expected) const;

    /// Refuses a word that is none of some; offers the nearest.
    [[noreturn]] void RefuseName(const std::string& word,
                                 const std::vector<std::string>& names) const;

    /// Refuses an event that ends too soon.
    [[noreturn]] void RefuseEnd(const std::string& expected) const;

  private:
    void SplitLine(const std::string& line);
    void JoinArrows();
    void AddItem(const std::string& word, const std::string& item, std::vector<NodeId>& to) const;
    NodeId Number(const std::string& word, const std::string& text) const;
    std::string Expected() const;

    std::string m_place;                            ///< file and line, for errors
    const std::map<std::string, NodeSet>& m_groups; ///< by name
    std::size_t m_nodes;                            ///< of the network
    std::vector<std::string> m_words;               ///< in their order
    std::size_t m_next{0};                          ///< the word that comes next
};

/**
 * @brief The rest of an event: `at T`, `for D`, `p=0.02` and the like, in any order, each once.
 *
 * A name that ends in `=` takes what follows it in the same word; `at`, `for` and others take the
 * next word; a name that is none of these stands alone. `from` is another word for `at`.
 */
class FailureClauses
{
  public:
    /**
     * @brief Takes all words that are left.
     * @param words of the event
     * @param accepted names of clauses that go with it
     * @throws UsageError for any other one, and for one that is given twice
     */
    FailureClauses(FailureTokens& words, const std::vector<std::string>& accepted);

    /// True if a clause was given.
    bool Has(const std::string& name) const
    {
        return m_given.count(name) > 0;
    }

    /**
     * @brief Value of a clause.
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
    const FailureTokens& m_words;               ///< of the event
    std::map<std::string, std::string> m_given; ///< by name
};

/// A time, rounded to nanoseconds, in seconds.
double WholeNanoseconds(double seconds);

/// Reads a whole event. @throws UsageError for a mistake
FailureEvent ParseFailure(FailureTokens& words);

} // namespace dpdl

#endif // DPDL_NETWORK_FAILURE_TOKENS_H
