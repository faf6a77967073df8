// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "failure-words.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/registry.h"
#include "dpdl/base/text.h"

namespace dpdl
{

namespace
{

bool
IsBlank(char letter)
{
    return letter == ' ' || (letter >= '\t' && letter <= '\r');
}

bool
EndsWith(const std::string& word, const std::string& end)
{
    return word.size() >= end.size() &&
           word.compare(word.size() - end.size(), end.size(), end) == 0;
}

bool
BeginsWithArrow(const std::string& word)
{
    return word.rfind("->", 0) == 0 || word.rfind("<->", 0) == 0;
}

} // namespace

FailureWords::FailureWords(const std::string& line, const std::string& place)
    : m_place(place)
{
    Split(line.substr(0, line.find('#')));
    JoinArrows();
}

void
FailureWords::Split(const std::string& line)
{
    std::string word;
    char closing = '\0';
    for (const char letter : line)
    {
        if (!IsBlank(letter))
        {
            word += letter;
        }
        else if (closing == '\0' && !word.empty())
        {
            m_words.push_back(word);
            word.clear();
        }
        if (closing == '\0')
        {
            closing = letter == '{' ? '}' : letter == '(' ? ')' : '\0';
        }
        else if (letter == closing)
        {
            closing = '\0';
        }
    }
    if (closing != '\0')
    {
        Refuse(word, std::string("a closing ") + closing);
    }
    if (!word.empty())
    {
        m_words.push_back(word);
    }
}

void
FailureWords::JoinArrows()
{
    std::vector<std::string> joined;
    for (const std::string& word : m_words)
    {
        if (!joined.empty() && (BeginsWithArrow(word) || EndsWith(joined.back(), "->")))
        {
            joined.back() += word;
        }
        else
        {
            joined.push_back(word);
        }
    }
    m_words = joined;
}

const std::string&
FailureWords::Take(const std::string& expected)
{
    if (AtEnd())
    {
        RefuseEnd(expected);
    }
    return m_words[m_next++];
}

std::string
FailureWords::Text() const
{
    std::string text;
    for (const std::string& word : m_words)
    {
        text += (text.empty() ? "" : " ") + word;
    }
    return text;
}

void
FailureWords::Refuse(const std::string& word, const std::string& expected) const
{
    throw UsageError(m_place, Excerpt(word), expected);
}

void
FailureWords::RefuseName(const std::string& word, const std::vector<std::string>& names) const
{
    ThrowUnknownName(m_place, Excerpt(word), names);
}

void
FailureWords::RefuseEnd(const std::string& expected) const
{
    const std::string last = m_words.empty() ? "" : " after '" + Excerpt(m_words.back()) + "'";
    throw UsageError(m_place + ": the sentence ends" + last + "; expected " + expected);
}

} // namespace dpdl
