// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_NETWORK_MOVEMENT_LINE_H
#define DPDL_NETWORK_MOVEMENT_LINE_H

#include <cstddef>
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

namespace dpdl
{

/// The words of one line of an ns-2 file.
class MovementLine
{
  public:
    /**
     * @param kind what messages call such files
     * @param name of the file
     * @param number of the line, from 1
     * @param text of it, a comment included
     */
    MovementLine(const std::string& kind,
                 const std::string& name,
                 std::size_t number,
                 const std::string& text);

    /// Number of words.
    std::size_t Size() const
    {
        return m_words.size();
    }

    /// A word, without the quotes around a command. @param word its place, from 0
    const std::string& At(std::size_t word) const
    {
        return m_words[word];
    }

    /// Whether the words from the fourth on stand in quotes and `$ns_ at TIME` before them.
    bool IsTimed() const
    {
        return m_isTimed;
    }

    /// The time of a timed line, in s. @throws UsageError if it is none
    double Time() const;

    /// A finite number within [-most, most]. @throws UsageError otherwise
    double Number(std::size_t word, double least, double most) const;

    /// The N of `PREFIX(N)`. @throws UsageError if the word is not of that form, or N above @p most
    std::size_t Node(std::size_t word, const std::string& prefix, std::size_t most) const;

    /// Throws the UsageError that a word is not accepted.
    [[noreturn]] void Refuse(std::size_t word, const std::string& accepted) const;

    /// Throws the UsageError that the line is not accepted.
    [[noreturn]] void Refuse(const std::string& accepted) const;

  private:
    std::string Place(std::size_t word) const;

    std::string m_place;              ///< file and line
    std::string m_text;               ///< without comment
    std::vector<std::string> m_words; ///< see At()
    bool m_isTimed{false};            ///< see IsTimed()
};

/**
 * @brief Goes through the lines of a file that say something.
 * @param text read to its end
 * @param kind what messages call such files
 * @param name of the file
 * @param use is given each line
 */
void ForEachMovementLine(std::istream& text,
                         const std::string& kind,
                         const std::string& name,
                         const std::function<void(const MovementLine&)>& use);

} // namespace dpdl

#endif // DPDL_NETWORK_MOVEMENT_LINE_H
