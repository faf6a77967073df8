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
 * @brief Token stream of one event of the failure language.
 *
 * Blanks separate words. Blanks within braces and parentheses and around an arrow are removed. `#`
 * starts a comment.
 */
class FailureTokens
{
  public:
    /**
     * @param line an event
     * @param place source of the event, `FILE, line N`
     * @param groups named sets of nodes
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

    /// The next word; "" at the end.
    std::string Peek() const
    {
        return AtEnd() ? "" : m_words[m_next];
    }

    /**
     * @brief Takes the next word.
     * @param expected accepted form, for the error
     * @throws UsageError if no word is left
     */
    const std::string& Take(const std::string& expected);

    /// All words, separated by single blanks.
    std::string Text() const;

    /// Place of the event in its source, for errors.
    const std::string& Place() const
    {
        return m_place;
    }

    /// Parses `5`, `0-3`, `{0-3,7}`, `*` or the name of a group.
    NodeSet Nodes(const std::string& word) const;

    /// Parses `3->4`, `{0-2}->*`, `3<->4`, or `*` for all links.
    LinkSet Links(const std::string& word) const;

    /// Parses a position such as `(500,300)`. @param word word of the event, for errors @param text
    /// the position, all or a part of @p word
    Position Point(const std::string& word, const std::string& text) const;

    /// Parses a simulated time; returns seconds, rounded to nanoseconds.
    double Time(const std::string& text) const;

    /// Parses a probability in [0, 1].
    double Probability(const std::string& text) const;

    /// Throws the UsageError for an unknown name; suggests the nearest.
    [[noreturn]] void RefuseName(const std::string& word,
                                 const std::vector<std::string>& names) const;

    /// Throws the UsageError for an incomplete event.
    [[noreturn]] void RefuseEnd(const std::string& expected) const;

  private:
    void SplitLine(const std::string& line);
    void JoinArrows();
    void AddItem(const std::string& word, const std::string& item, std::vector<NodeId>& to) const;
    NodeId Number(const std::string& word, const std::string& text) const;
    std::string Expected() const;

    std::string m_place;                            ///< file and line, for errors
    const std::map<std::string, NodeSet>& m_groups; ///< named groups of nodes
    std::size_t m_nodes;                            ///< number of nodes
    std::vector<std::string> m_words;               ///< words of the event, in order
    std::size_t m_next{0};                          ///< index of the next word
};

/**
 * @brief Clauses of an event, such as `at T`, `for D` and `p=0.02`, in any order, each at most
 *        once.
 *
 * The value of a name that ends in `=` follows in the same word. For `at`, `for`, `loss`,
 * `recover`, `with` and `without` it is the next word. Other names have no value. `from` is an
 * alias of `at`.
 */
class FailureClauses
{
  public:
    /**
     * @brief Takes all remaining words.
     * @param words of the event
     * @param accepted names of accepted clauses
     * @throws UsageError for any other clause, and for one that is given twice
     */
    FailureClauses(FailureTokens& words, const std::vector<std::string>& accepted);

    /// True if a clause was given.
    bool Has(const std::string& name) const
    {
        return m_given.count(name) > 0;
    }

    /**
     * @brief Value of a clause.
     * @throws UsageError if it was not given
     */
    const std::string& Value(const std::string& name, const std::string& expected) const;

    /// A simulated time in seconds, rounded to nanoseconds; @p missing if not given.
    double Time(const std::string& name, double missing) const;

    /// A duration > 0 in seconds, rounded to nanoseconds; @p missing if not given.
    double Length(const std::string& name, double missing) const;

    /// A probability in [0, 1]; @p missing if not given.
    double Probability(const std::string& name, double missing) const;

  private:
    const FailureTokens& m_words;               ///< words of the event
    std::map<std::string, std::string> m_given; ///< values given so far, by name
};

/// Rounds a time in seconds to nanoseconds.
double WholeNanoseconds(double seconds);

/// Parses a whole event. @throws UsageError for an invalid event
FailureEvent ParseFailure(FailureTokens& words);

} // namespace dpdl

#endif // DPDL_NETWORK_FAILURE_TOKENS_H
