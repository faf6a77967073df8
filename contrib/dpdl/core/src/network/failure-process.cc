// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "failure-process.h"

#include "dpdl/base/quantity.h"
#include "failure-words.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace dpdl
{

namespace
{

constexpr double NANOSECOND = 1e-9; // s

/// Draws of a link or node, at most; the next one's begin there.
constexpr std::uint64_t DRAWS = std::uint64_t{1} << 24;

/// The FNV-1a hash.
std::uint32_t
Hash(const std::string& text)
{
    std::uint32_t hash = 2166136261U;
    for (const char letter : text)
    {
        hash = (hash ^ static_cast<unsigned char>(letter)) * 16777619U;
    }
    return hash;
}

/// A sentence up to its first time or mean time: what fails, and how; and when that may begin.
std::string
Essence(const FailureEvent& sentence)
{
    const std::string text = " " + sentence.text + " ";
    std::size_t end = text.size();
    for (const char* clause : {" at ", " from ", " for ", " mean-up=", " mean-down=", " together "})
    {
        end = std::min(end, text.find(clause));
    }
    return text.substr(0, end) + " at " + ShowNumber(sentence.timing.begin);
}

RandomStream
StreamOf(const FailureEvent& sentence, const FailureProcess::Member& member, RandomSeed seed)
{
    const NodeId first = member.link.has_value() ? member.link->source : member.node.value_or(0);
    return {seed, RandomPurpose::FAILURES, Hash(Essence(sentence)), first};
}

} // namespace

FailureProcess::FailureProcess(const std::vector<FailureEvent>& sentences,
                               std::size_t index,
                               const Member& member,
                               RandomSeed seed)
    : m_timing(&sentences[index].timing),
      m_index(index),
      m_member(member),
      m_random(StreamOf(sentences[index], member, seed)),
      m_element(member.link.has_value() ? member.link->target * DRAWS : 0)
{
    if (m_timing->pattern == FailureTiming::Pattern::ONCE)
    {
        MoveTo(m_timing->begin, true);
        return;
    }
    MoveTo(WholeNanoseconds(m_timing->begin + Span(false)), true);
}

double
FailureProcess::Span(bool present)
{
    const double length = present ? m_timing->down : m_timing->up;
    if (m_timing->pattern == FailureTiming::Pattern::FLAP)
    {
        return length;
    }
    const double random = -length * std::log1p(-m_random.Uniform(m_element++));
    return std::max(random, NANOSECOND);
}

void
FailureProcess::Step()
{
    if (m_timing->pattern != FailureTiming::Pattern::ONCE)
    {
        MoveTo(WholeNanoseconds(m_time + Span(m_begins)), !m_begins);
        return;
    }
    MoveTo(m_begins ? m_timing->end : std::numeric_limits<double>::infinity(), !m_begins);
}

void
FailureProcess::MoveTo(double time, bool begins)
{
    const bool over = begins && time >= m_timing->end;
    m_begins = begins;
    m_time = over ? std::numeric_limits<double>::infinity() : std::min(time, m_timing->end);
}

} // namespace dpdl
