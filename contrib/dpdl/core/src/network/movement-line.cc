// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "movement-line.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/base/text.h"

#include <istream>
#include <sstream>

namespace dpdl
{

namespace
{

constexpr double LATEST_POSITION = 1e6;

/// Where the command of a timed line begins, in words.
constexpr std::size_t COMMAND = 3;

} // namespace

MovementLine::MovementLine(const std::string& kind,
                           const std::string& name,
                           std::size_t number,
                           const std::string& text)
    : m_place(kind + " '" + name + "', line " + std::to_string(number)),
      m_text(Strip(text.substr(0, text.find('#'))))
{
    std::string content = m_text;
    if (!content.empty() && content.back() == ';')
    {
        content = Strip(content.substr(0, content.size() - 1));
    }
    std::istringstream stream(content);
    for (std::string word; stream >> word;)
    {
        m_words.push_back(word);
    }
    if (m_words.size() > COMMAND && m_words[0] == "$ns_" && m_words[1] == "at" &&
        m_words[COMMAND].front() == '"' && m_words.back().back() == '"' &&
        m_words.back().size() > 1)
    {
        m_isTimed = true;
        m_words[COMMAND].erase(0, 1);
        m_words.back().pop_back();
    }
}

std::string
MovementLine::Place(std::size_t word) const
{
    return m_place + ", word " + std::to_string(word + 1);
}

void
MovementLine::Refuse(std::size_t word, const std::string& accepted) const
{
    throw UsageError(Place(word), Excerpt(m_words[word]), accepted);
}

void
MovementLine::Refuse(const std::string& accepted) const
{
    throw UsageError(m_place, Excerpt(m_text), accepted);
}

double
MovementLine::Time() const
{
    return Number(2, 0.0, LATEST_POSITION);
}

double
MovementLine::Number(std::size_t word, double least, double most) const
{
    return ParseNumber(Place(word),
                       Excerpt(m_words[word]),
                       "a number from " + ShowNumber(least) + " to " + ShowNumber(most),
                       [least, most](double value) { return value >= least && value <= most; });
}

std::size_t
MovementLine::Node(std::size_t word, const std::string& prefix, std::size_t most) const
{
    const std::string& text = m_words[word];
    const std::size_t begin = prefix.size() + 1;
    if (text.rfind(prefix + "(", 0) != 0 || text.back() != ')' || text.size() <= begin + 1)
    {
        Refuse(word, prefix + "(N), N the number of a node");
    }
    return ParseInteger(Place(word) + ", node",
                        Excerpt(text.substr(begin, text.size() - begin - 1)),
                        0,
                        most);
}

void
ForEachMovementLine(std::istream& text,
                    const std::string& kind,
                    const std::string& name,
                    const std::function<void(const MovementLine&)>& use)
{
    std::size_t number = 0;
    for (std::string content; std::getline(text, content);)
    {
        const MovementLine line(kind, name, ++number, content);
        if (line.Size() > 0)
        {
            use(line);
        }
    }
}

} // namespace dpdl
