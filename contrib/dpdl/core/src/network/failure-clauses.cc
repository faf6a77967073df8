// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "failure-clauses.h"

#include "dpdl/base/quantity.h"
#include "dpdl/base/text.h"

#include <algorithm>
#include <cmath>

namespace dpdl
{

namespace
{

constexpr double NANOSECONDS = 1e9; // in a second

/// Up to here a double holds every nanosecond.
constexpr double LATEST_EVENT = 4e6; // s

/// Clauses that take the next word, and what that should be.
const std::map<std::string, std::string> WITH_WORD{{"at", "a time such as 5s"},
                                                   {"for", "a time such as 5s"},
                                                   {"loss", "a probability"},
                                                   {"recover", "a time such as 5s"},
                                                   {"with", "state"},
                                                   {"without", "state"}};

constexpr const char* LENGTH_EXPECTED =
    "a time > 0 with a unit, such as 5ms or 2s, of 4000000s at most";

/// The name of the clause that a word begins.
std::string
NameIn(const std::string& word)
{
    const std::size_t equals = word.find('=');
    return equals != std::string::npos ? word.substr(0, equals + 1) : word;
}

} // namespace

FailureClauses::FailureClauses(FailureWords& words, const std::vector<std::string>& accepted)
    : m_words(words)
{
    while (!words.AtEnd())
    {
        const std::string word = words.Take("");
        std::string name = NameIn(word);
        if (std::find(accepted.begin(), accepted.end(), name) == accepted.end())
        {
            words.RefuseName(name, accepted);
        }
        name = name == "from" ? "at" : name;
        std::string value;
        if (name.back() == '=')
        {
            value = word.substr(name.size());
        }
        else if (WITH_WORD.count(name) > 0)
        {
            value = words.Take(WITH_WORD.at(name));
        }
        if (!m_given.emplace(name, value).second)
        {
            words.Refuse(word, name == "at" ? "at or from, once" : name + " once");
        }
    }
}

const std::string&
FailureClauses::Value(const std::string& name, const std::string& expected) const
{
    const auto given = m_given.find(name);
    if (given == m_given.end())
    {
        m_words.RefuseEnd(expected);
    }
    return given->second;
}

double
FailureClauses::Time(const std::string& name, double missing) const
{
    return Has(name) ? ParseFailureTime(m_words, Value(name, "")) : missing;
}

double
FailureClauses::Length(const std::string& name, double missing) const
{
    const double length = Time(name, missing);
    if (Has(name) && length <= 0.0)
    {
        m_words.Refuse(Value(name, ""), LENGTH_EXPECTED);
    }
    return length;
}

double
FailureClauses::Probability(const std::string& name, double missing) const
{
    return Has(name) ? ParseFailureProbability(m_words, Value(name, "")) : missing;
}

double
WholeNanoseconds(double seconds)
{
    return std::round(seconds * NANOSECONDS) / NANOSECONDS;
}

double
ParseFailureTime(const FailureWords& words, const std::string& text)
{
    const double seconds = ParseSeconds(words.Place(), Excerpt(text));
    if (seconds > LATEST_EVENT)
    {
        words.Refuse(text, "a time of 4000000s at most");
    }
    return WholeNanoseconds(seconds);
}

double
ParseFailureProbability(const FailureWords& words, const std::string& text)
{
    return ParseNumber(words.Place(), Excerpt(text), "a probability in [0, 1]", [](double value) {
        return value >= 0.0 && value <= 1.0;
    });
}

} // namespace dpdl
