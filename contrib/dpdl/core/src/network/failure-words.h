// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_NETWORK_FAILURE_WORDS_H
#define DPDL_NETWORK_FAILURE_WORDS_H

#include <cstddef>
#include <string>
#include <vector>

namespace dpdl
{

/**
 * @brief The words of a sentence of the failure language, taken one after the other.
 *
 * Blanks separate words, but for those within braces and parentheses and around an arrow, which
 * are left out. `#` starts a comment.
 */
class FailureWords
{
  public:
    /**
     * @param line a sentence
     * @param place where it stands, `FILE, line N`
     * @throws UsageError if a brace or parenthesis is not closed
     */
    FailureWords(const std::string& line, const std::string& place);

    /// Whether nothing is left.
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

    /// Where the sentence stands.
    const std::string& Place() const
    {
        return m_place;
    }

    /// Refuses a word.
    [[noreturn]] void Refuse(const std::string& word, const std::string& expected) const;

    /// Refuses a word that is none of some; offers the nearest.
    [[noreturn]] void RefuseName(const std::string& word,
                                 const std::vector<std::string>& names) const;

    /// Refuses a sentence that ends too soon.
    [[noreturn]] void RefuseEnd(const std::string& expected) const;

  private:
    void Split(const std::string& line);
    void JoinArrows();

    std::string m_place;              ///< see Place()
    std::vector<std::string> m_words; ///< in their order
    std::size_t m_next{0};            ///< the word that comes next
};

} // namespace dpdl

#endif // DPDL_NETWORK_FAILURE_WORDS_H
