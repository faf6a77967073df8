// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "failure-parser.h"

#include "dpdl/base/quantity.h"
#include "dpdl/base/text.h"

#include <set>

namespace dpdl
{

namespace
{

constexpr const char* FACTOR_EXPECTED = "a factor > 0 and x, such as 4x";
constexpr const char* RADIUS_EXPECTED = "radius= with a number of metres > 0";

} // namespace

FailureParser::FailureParser(FailureWords& words, const FailureSets& sets)
    : m_words(words),
      m_sets(sets)
{
    m_sentence.text = words.Text();
    m_sentence.place = words.Place();
}

FailureSentence
FailureParser::Parse()
{
    if (m_words.Peek() == "random")
    {
        m_words.Take("");
        m_random = true;
    }
    ParseSubject();
    return m_sentence;
}

void
FailureParser::ParseSubject()
{
    const std::string subject = m_words.Take("link, node, partition, region or jam");
    if (subject == "link")
    {
        ParseLink();
    }
    else if (subject == "node")
    {
        ParseNode();
    }
    else if (subject == "partition")
    {
        ParsePartition();
    }
    else if (subject == "region" || subject == "jam")
    {
        ParseCircle(subject == "jam");
    }
    else
    {
        m_words.RefuseName(subject,
                           {"link", "node", "partition", "region", "jam", "random", "group"});
    }
}

void
FailureParser::ParseLink()
{
    m_sentence.links = m_sets.Links(m_words.Take("links such as 3->4, {0-2}->* or *"));
    m_sentence.timing.together = !m_random;
    const std::string action = m_words.Take("down, loss, delay, rate, gilbert-elliott or flap");
    if (action == "down")
    {
        m_sentence.kind = FailureKind::LINK_DOWN;
        SetTiming(TakeClauses({}));
    }
    else if (action == "loss")
    {
        m_sentence.kind = FailureKind::LINK_LOSS;
        m_sentence.value = ParseFailureProbability(m_words, m_words.Take("a probability"));
        SetTiming(TakeClauses({}));
    }
    else if (action == "delay")
    {
        m_sentence.kind = FailureKind::LINK_DELAY;
        m_sentence.value = ParseFailureTime(m_words, m_words.Take("a time such as 200ms"));
        SetTiming(TakeClauses({}));
    }
    else if (action == "rate")
    {
        m_sentence.kind = FailureKind::LINK_RATE;
        m_sentence.value =
            ParseBitsPerSecond(m_words.Place(), Excerpt(m_words.Take("a data rate such as 1Mbps")));
        SetTiming(TakeClauses({}));
    }
    else if (action == "gilbert-elliott")
    {
        ParseBurst();
    }
    else if (action == "flap" && !m_random)
    {
        ParseFlap();
    }
    else
    {
        std::vector<std::string> actions{"down", "loss", "delay", "rate", "gilbert-elliott"};
        actions.insert(actions.end(), m_random ? 0 : 1, "flap");
        m_words.RefuseName(action, actions);
    }
}

void
FailureParser::ParseBurst()
{
    m_sentence.kind = FailureKind::LINK_BURST;
    const FailureClauses clauses = TakeClauses({"p=", "r=", "bad=", "good="});
    for (const char* name : {"p=", "r=", "bad="})
    {
        clauses.Value(name, "p=, r= and bad=, each with a probability");
    }
    m_sentence.burst = {clauses.Probability("p=", 0.0),
                        clauses.Probability("r=", 1.0),
                        clauses.Probability("bad=", 1.0),
                        clauses.Probability("good=", 0.0)};
    if (m_sentence.burst.toGood <= 0.0)
    {
        m_words.Refuse(clauses.Value("r=", ""), "a probability in (0, 1]: bursts have to end");
    }
    SetTiming(clauses);
}

void
FailureParser::ParseFlap()
{
    m_sentence.kind = FailureKind::LINK_DOWN;
    const FailureClauses clauses =
        TakeClauses({"up=", "down=", "mean-up=", "mean-down=", "together"});
    m_random = clauses.Has("mean-up=") || clauses.Has("mean-down=");
    if (!m_random)
    {
        for (const char* name : {"up=", "down="})
        {
            clauses.Value(name, "up= and down=, or mean-up= and mean-down=, each with a time");
        }
    }
    else if (clauses.Has("up=") || clauses.Has("down="))
    {
        m_words.Refuse(m_sentence.text, "up= and down=, or mean-up= and mean-down=, not both");
    }
    m_sentence.timing.pattern = FailureTiming::Pattern::FLAP;
    m_sentence.timing.up = clauses.Length("up=", 0.0);
    m_sentence.timing.down = clauses.Length("down=", 0.0);
    m_sentence.timing.together = !m_random;
    SetTiming(clauses);
}

void
FailureParser::ParseNode()
{
    m_sentence.nodes = m_sets.Nodes(m_words.Take("nodes such as 5, {0-3,7} or *"));
    m_sentence.timing.together = !m_random;
    const std::string action = m_words.Take("pause, crash or slow");
    if (action == "pause")
    {
        m_sentence.kind = FailureKind::NODE_PAUSE;
        SetTiming(TakeClauses({}));
    }
    else if (action == "crash")
    {
        m_sentence.kind = FailureKind::NODE_CRASH;
        const FailureClauses clauses = m_random ? TakeClauses({"with", "without"})
                                                : TakeClauses({"recover", "with", "without"});
        SetTiming(clauses);
        SetCrash(clauses);
    }
    else if (action == "slow")
    {
        ParseSlow();
    }
    else
    {
        m_words.RefuseName(action, {"pause", "crash", "slow"});
    }
}

void
FailureParser::ParseSlow()
{
    m_sentence.kind = FailureKind::NODE_SLOW;
    const std::string word = m_words.Take(FACTOR_EXPECTED);
    if (word.back() != 'x')
    {
        m_words.Refuse(word, FACTOR_EXPECTED);
    }
    m_sentence.value = ParseNumber(m_words.Place(),
                                   Excerpt(word.substr(0, word.size() - 1)),
                                   FACTOR_EXPECTED,
                                   [](double factor) { return factor > 0.0; });
    SetTiming(TakeClauses({}));
}

void
FailureParser::ParsePartition()
{
    m_sentence.kind = FailureKind::PARTITION;
    const std::set<std::string> ends{"", "at", "from", "for", "together"};
    while (ends.count(m_words.Peek()) == 0 && m_words.Peek().find('=') == std::string::npos)
    {
        const std::string word = m_words.Take("");
        const NodeSet group = m_sets.Nodes(word);
        for (const NodeSet& other : m_sentence.groups)
        {
            if (!group.Common(other).IsEmpty())
            {
                m_words.Refuse(word, "groups that have no node in common");
            }
        }
        m_sentence.groups.push_back(group);
    }
    if (m_sentence.groups.size() < 2)
    {
        const std::string expected = "two groups of nodes or more, such as {0-9} {10-19}";
        m_words.Take(expected);
        m_words.Refuse(m_sentence.text, expected);
    }
    SetTiming(TakeClauses({}));
}

void
FailureParser::ParseCircle(bool jam)
{
    m_sentence.kind = jam ? FailureKind::JAM : FailureKind::REGION;
    const char* const action = jam ? "loss" : "down";
    const FailureClauses clauses = TakeClauses({"center=", "radius=", action});
    SetCircle(clauses);
    clauses.Value(action, jam ? "loss and a probability" : "down");
    if (jam)
    {
        m_sentence.value = clauses.Probability(action, 0.0);
    }
    SetTiming(clauses);
}

void
FailureParser::SetCircle(const FailureClauses& clauses)
{
    const std::string& place = clauses.Value("center=", "center=(X,Y) in metres");
    m_sentence.center = m_sets.Place("center=" + place, place);
    m_sentence.radius = ParseNumber(m_words.Place(),
                                    Excerpt(clauses.Value("radius=", RADIUS_EXPECTED)),
                                    RADIUS_EXPECTED,
                                    [](double radius) { return radius > 0.0; });
}

void
FailureParser::SetCrash(const FailureClauses& clauses)
{
    for (const char* name : {"with", "without"})
    {
        if (clauses.Has(name) && clauses.Value(name, "") != "state")
        {
            m_words.Refuse(clauses.Value(name, ""), std::string(name) + " state");
        }
    }
    if (clauses.Has("with") && clauses.Has("without"))
    {
        m_words.Refuse("with", "with state or without state, not both");
    }
    m_sentence.keepsState = clauses.Has("with");
    if (!clauses.Has("recover"))
    {
        return;
    }
    FailureTiming& timing = m_sentence.timing;
    if (clauses.Has("for"))
    {
        m_words.Refuse("recover", "recover or for, not both");
    }
    timing.end = clauses.Time("recover", timing.end);
    if (timing.end <= timing.begin)
    {
        m_words.Refuse(clauses.Value("recover", ""),
                       "a time after that of the crash, " + ShowNumber(timing.begin) + "s");
    }
}

FailureClauses
FailureParser::TakeClauses(const std::vector<std::string>& more)
{
    std::vector<std::string> accepted = more;
    accepted.insert(accepted.end(), {"at", "from", "for"});
    if (m_random)
    {
        accepted.insert(accepted.end(), {"mean-up=", "mean-down=", "together"});
    }
    return {m_words, accepted};
}

void
FailureParser::SetTiming(const FailureClauses& clauses)
{
    FailureTiming& timing = m_sentence.timing;
    timing.begin = clauses.Time("at", 0.0);
    timing.end = WholeNanoseconds(timing.begin + clauses.Length("for", timing.end));
    if (m_random)
    {
        SetRandom(clauses);
    }
}

void
FailureParser::SetRandom(const FailureClauses& clauses)
{
    FailureTiming& timing = m_sentence.timing;
    const std::string expected = "mean-up= and mean-down=, each with a time";
    clauses.Value("mean-up=", expected);
    clauses.Value("mean-down=", expected);
    timing.pattern = FailureTiming::Pattern::RANDOM;
    timing.up = clauses.Length("mean-up=", 0.0);
    timing.down = clauses.Length("mean-down=", 0.0);
    timing.together = timing.together || clauses.Has("together");
}

} // namespace dpdl
