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
 * @brief The words (tokens) of one event of the failure language, in order.
 *
 * Blanks separate words, except within braces, within parentheses and around an arrow. `#` starts a
 * comment.
 */
class FailureTokens
{
  public:
    /**
     * @param line text of an event
     * @param place source of the event for error messages, `FILE, line N`
     * @param groups sets of nodes; key: name; must outlive this object
     * @param nodes number of nodes of the network
     * @throws UsageError if a brace or parenthesis is not closed
     */
    FailureTokens(const std::string& line,
                  std::string place,
                  const std::map<std::string, NodeSet>& groups,
                  std::size_t nodes);

    /// True if Take() has returned all words of the event.
    bool AtEnd() const
    {
        return m_next == m_words.size();
    }

    /// The word that Take() returns next; "" at the end.
    std::string Peek() const
    {
        return AtEnd() ? "" : m_words[m_next];
    }

    /**
     * @brief Takes the next word.
     * @param expected accepted form of the word, for the error message
     * @throws UsageError if no word is left
     */
    const std::string& Take(const std::string& expected);

    /// All words, separated by single blanks.
    std::string Text() const;

    /// Source of the event for error messages, `FILE, line N`.
    const std::string& Place() const
    {
        return m_place;
    }

    /// Parses a set of nodes: `5`, `0-3`, `{0-3,7}`, `*` or the name of a group.
    /// @throws UsageError if @p word does not have one of these forms
    NodeSet Nodes(const std::string& word) const;

    /// Parses a set of links: `3->4`, `{0-2}->*`, `3<->4`, or `*` for all links.
    /// @throws UsageError if @p word does not have one of these forms
    LinkSet Links(const std::string& word) const;

    /// Parses a position in metres such as `(500,300)`.
    /// @param word word of the event, for error messages
    /// @param text the position, which is @p word or a part of it
    /// @throws UsageError if @p text does not have this form
    Position Point(const std::string& word, const std::string& text) const;

    /// Parses a simulated time with a unit, such as `5s`.
    /// @return seconds, rounded to nanoseconds
    /// @throws UsageError if @p text is not such a time
    double Time(const std::string& text) const;

    /// Parses a probability.
    /// @throws UsageError if it is not in [0, 1]
    double Probability(const std::string& text) const;

    /// @throws UsageError for the unknown name @p word; suggests the most similar one of @p names
    [[noreturn]] void RefuseName(const std::string& word,
                                 const std::vector<std::string>& names) const;

    /// @throws UsageError for an incomplete event; @p expected is the accepted continuation
    [[noreturn]] void RefuseEnd(const std::string& expected) const;

  private:
    void SplitLine(const std::string& line);
    void JoinArrows();
    void AddItem(const std::string& word, const std::string& item, std::vector<NodeId>& to) const;
    NodeId Number(const std::string& word, const std::string& text) const;
    std::string Expected() const;

    std::string m_place; ///< source of the event, `FILE, line N`
    /// Groups of nodes; key: name; must outlive this object.
    const std::map<std::string, NodeSet>& m_groups;
    std::size_t m_nodes; ///< number of nodes of the network
    /// Words of the event's line, in order, without the comment from `#` on. Blanks separate words,
    /// except within brackets and beside `->` and `<->`.
    std::vector<std::string> m_words;
    std::size_t m_next{0}; ///< index in m_words of the word that Take() returns next
};

/**
 * @brief Clauses of an event in any order, such as `at T`, `for D` and `p=0.02`; each clause at
 *        most once.
 *
 * A clause whose name ends in `=` has its value in the same word. The clauses `at`, `for`, `loss`,
 * `recover`, `with` and `without` have their value in the next word. Other clauses have no value.
 * `from` is an alias of `at`.
 */
class FailureClauses
{
  public:
    /**
     * @brief Takes all remaining words, and splits them into clauses.
     * @param words words of the event, of which all remaining ones are taken; must outlive this
     *        object
     * @param accepted names of the accepted clauses
     * @throws UsageError for a clause that is not accepted or is given twice
     */
    FailureClauses(FailureTokens& words, const std::vector<std::string>& accepted);

    /// True if the clause @p name was given.
    bool Has(const std::string& name) const
    {
        return m_given.count(name) > 0;
    }

    /**
     * @brief Value of a clause.
     * @param expected accepted form of the value, for the error message
     * @throws UsageError if the clause was not given
     */
    const std::string& Value(const std::string& name, const std::string& expected) const;

    /// Value of clause @p name as a simulated time in seconds, rounded to nanoseconds. Returns
    /// @p missing if the clause was not given.
    /// @throws UsageError if the value is not a time with a unit, such as `5s`
    double Time(const std::string& name, double missing) const;

    /// Value of clause @p name as a duration > 0 in seconds, rounded to nanoseconds. Returns
    /// @p missing if the clause was not given.
    /// @throws UsageError if the value is not a duration > 0 with a unit, such as `5s`
    double Length(const std::string& name, double missing) const;

    /// Value of clause @p name as a probability. Returns @p missing if the clause was not given.
    /// @throws UsageError if the value is not in [0, 1]
    double Probability(const std::string& name, double missing) const;

  private:
    const FailureTokens& m_words;               ///< words of the event; must outlive this object
    std::map<std::string, std::string> m_given; ///< values of the given clauses; key: name
};

/// Rounds a time in seconds to nanoseconds.
double WholeNanoseconds(double seconds);

/// Parses a whole event.
/// @throws UsageError if the event is invalid
FailureEvent ParseFailure(FailureTokens& words);

} // namespace dpdl

#endif // DPDL_NETWORK_FAILURE_TOKENS_H
