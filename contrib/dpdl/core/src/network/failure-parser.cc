// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "failure-tokens.h"

#include <algorithm>
#include <set>

// Parses the failure language. An event consists of a subject, a verb with an optional value, and
// clauses such as times.

namespace dpdl
{

namespace
{

constexpr const char* FACTOR_EXPECTED = "a factor > 0 and x, such as 4x";
constexpr const char* SCALE_EXPECTED = "scale= with a standard deviation > 0";
constexpr const char* RADIUS_EXPECTED = "radius= with a number of metres > 0";

/// Recursive-descent parser of one event of the failure language.
class FailureParser
{
  public:
    /// @param words words of the event, before the first one is taken; must outlive this object
    explicit FailureParser(FailureTokens& words)
        : m_words(words)
    {
        m_event.text = words.Text();
        m_event.place = words.Place();
    }

    FailureEvent Parse()
    {
        if (m_words.Peek() == "random")
        {
            m_words.Take("");
            m_random = true;
        }
        const std::string subject = m_words.Take("link, node, partition, region or jam");
        if (subject == "link")
        {
            m_event.links = m_words.Links(m_words.Take("links such as 3->4, {0-2}->* or *"));
            ParseVerb(LinkVerbs(), "down, loss, delay, rate, gilbert-elliott or flap");
        }
        else if (subject == "node")
        {
            m_event.nodes = m_words.Nodes(m_words.Take("nodes such as 5, {0-3,7} or *"));
            ParseVerb(NodeVerbs(), "pause, crash, slow, lies or leaks");
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
        return m_event;
    }

  private:
    /// A verb for failures of links or nodes: `VERB [VALUE] CLAUSES`.
    struct Verb
    {
        const char* name; ///< verb, such as `down`
        FailureKind kind; ///< kind of failure that the verb describes
        /// Parses the value of the verb; nullptr: the verb has no value.
        void (FailureParser::*read)(const std::string&){nullptr};
        std::string expected{}; ///< accepted values of the verb, for error messages
        /// Clauses that the verb accepts in addition to `at` and `for`.
        std::vector<std::string> clauses{};
        /// Stores the clauses of the verb in m_event.
        void (FailureParser::*make)(const FailureClauses&){&FailureParser::SetTiming};
        bool canBeRandom{true}; ///< true: the verb may follow `random`
    };

    static const std::vector<Verb>& LinkVerbs()
    {
        static const std::vector<Verb> VERBS{
            {"down", FailureKind::LINK_DOWN},
            {"loss", FailureKind::LINK_LOSS, &FailureParser::ReadProbability, "a probability"},
            {"delay", FailureKind::LINK_DELAY, &FailureParser::ReadTime, "a time such as 200ms"},
            {"rate", FailureKind::LINK_RATE, &FailureParser::ReadRate, "a data rate such as 1Mbps"},
            {"gilbert-elliott",
             FailureKind::LINK_BURST,
             nullptr,
             "",
             {"p=", "r=", "bad=", "good="},
             &FailureParser::SetBurst},
            {"flap",
             FailureKind::LINK_DOWN,
             nullptr,
             "",
             {"up=", "down=", "mean-up=", "mean-down=", "together"},
             &FailureParser::SetFlap,
             false}};
        return VERBS;
    }

    static const std::vector<Verb>& NodeVerbs()
    {
        static const std::vector<Verb> VERBS{
            {"pause", FailureKind::NODE_PAUSE},
            {"crash",
             FailureKind::NODE_CRASH,
             nullptr,
             "",
             {"recover", "with", "without"},
             &FailureParser::SetCrash},
            {"slow", FailureKind::NODE_SLOW, &FailureParser::ReadFactor, FACTOR_EXPECTED},
            {"lies",
             FailureKind::NODE_LIE,
             &FailureParser::ReadLie,
             "one of " + JoinNames(Lies().Names()),
             {"scale="},
             &FailureParser::SetLie},
            {"leaks", FailureKind::NODE_LEAK, nullptr, "", {}, &FailureParser::SetLeak, false}};
        return VERBS;
    }

    void ParseVerb(const std::vector<Verb>& verbs, const std::string& expected)
    {
        m_event.timing.together = !m_random;
        const std::string word = m_words.Take(expected);
        std::vector<std::string> names;
        for (const Verb& verb : verbs)
        {
            if (m_random && !verb.canBeRandom)
            {
                continue;
            }
            names.emplace_back(verb.name);
            if (word == verb.name)
            {
                m_event.kind = verb.kind;
                if (verb.read != nullptr)
                {
                    (this->*verb.read)(m_words.Take(verb.expected));
                }
                (this->*verb.make)(TakeClauses(verb.clauses));
                return;
            }
        }
        m_words.RefuseName(word, names);
    }

    void ParsePartition()
    {
        m_event.kind = FailureKind::PARTITION;
        const std::set<std::string> ends{"", "at", "from", "for", "together"};
        while (ends.count(m_words.Peek()) == 0 && m_words.Peek().find('=') == std::string::npos)
        {
            const std::string word = m_words.Take("");
            const NodeSet group = m_words.Nodes(word);
            for (const NodeSet& other : m_event.groups)
            {
                DPDL_REFUSE_IF(!group.Common(other).IsEmpty(),
                               m_event.place,
                               word,
                               "groups that have no node in common");
            }
            m_event.groups.push_back(group);
        }
        if (m_event.groups.size() < 2)
        {
            const std::string expected = "two groups of nodes or more, such as {0-9} {10-19}";
            m_words.Take(expected);
            throw UsageError(m_event.place, m_event.text, expected);
        }
        SetTiming(TakeClauses({}));
    }

    void ParseCircle(bool jam)
    {
        m_event.kind = jam ? FailureKind::JAM : FailureKind::REGION;
        const char* const action = jam ? "loss" : "down";
        const FailureClauses clauses = TakeClauses({"center=", "radius=", action});
        SetCircle(clauses);
        clauses.Value(action, jam ? "loss and a probability" : "down");
        if (jam)
        {
            m_event.value = clauses.Probability(action, 0.0);
        }
        SetTiming(clauses);
    }

    FailureClauses TakeClauses(const std::vector<std::string>& more)
    {
        std::vector<std::string> accepted = more;
        accepted.insert(accepted.end(), {"at", "from", "for"});
        if (m_random)
        {
            accepted.erase(std::remove(accepted.begin(), accepted.end(), "recover"),
                           accepted.end());
            accepted.insert(accepted.end(), {"mean-up=", "mean-down=", "together"});
        }
        return {m_words, accepted};
    }

    void SetTiming(const FailureClauses& clauses)
    {
        FailureTiming& timing = m_event.timing;
        timing.begin = clauses.Time("at", 0.0);
        timing.end = WholeNanoseconds(timing.begin + clauses.Length("for", timing.end));
        if (m_random)
        {
            SetRandom(clauses);
        }
    }

    void SetRandom(const FailureClauses& clauses)
    {
        FailureTiming& timing = m_event.timing;
        const std::string expected = "mean-up= and mean-down=, each with a time";
        clauses.Value("mean-up=", expected);
        clauses.Value("mean-down=", expected);
        timing.pattern = FailureTiming::Pattern::RANDOM;
        timing.up = clauses.Length("mean-up=", 0.0);
        timing.down = clauses.Length("mean-down=", 0.0);
        timing.together = timing.together || clauses.Has("together");
    }

    void SetCircle(const FailureClauses& clauses)
    {
        const std::string& place = clauses.Value("center=", "center=(X,Y) in metres");
        m_event.center = m_words.Point("center=" + place, place);
        m_event.radius = Positive(clauses.Value("radius=", RADIUS_EXPECTED), RADIUS_EXPECTED);
    }

    void SetBurst(const FailureClauses& clauses)
    {
        for (const char* name : {"p=", "r=", "bad="})
        {
            clauses.Value(name, "p=, r= and bad=, each with a probability");
        }
        m_event.burst = {clauses.Probability("p=", 0.0),
                         clauses.Probability("r=", 1.0),
                         clauses.Probability("bad=", 1.0),
                         clauses.Probability("good=", 0.0)};
        DPDL_REFUSE_IF(!m_event.burst.Ends(),
                       m_event.place,
                       clauses.Value("r=", ""),
                       "a probability in (0, 1]: bursts have to end");
        SetTiming(clauses);
    }

    void SetFlap(const FailureClauses& clauses)
    {
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
            throw UsageError(m_event.place,
                             m_event.text,
                             "up= and down=, or mean-up= and mean-down=, not both");
        }
        m_event.timing.pattern = FailureTiming::Pattern::FLAP;
        m_event.timing.up = clauses.Length("up=", 0.0);
        m_event.timing.down = clauses.Length("down=", 0.0);
        m_event.timing.together = !m_random;
        SetTiming(clauses);
    }

    double Positive(const std::string& text, const std::string& expected) const
    {
        return ParseNumber(m_words.Place(), Excerpt(text), expected, [](double value) {
            return value > 0.0;
        });
    }

    void ReadProbability(const std::string& word)
    {
        m_event.value = m_words.Probability(word);
    }

    void ReadTime(const std::string& word)
    {
        m_event.value = m_words.Time(word);
    }

    void ReadRate(const std::string& word)
    {
        m_event.value = ParseBitsPerSecond(m_words.Place(), Excerpt(word));
    }

    void ReadFactor(const std::string& word)
    {
        DPDL_REFUSE_IF(word.back() != 'x', m_event.place, word, FACTOR_EXPECTED);
        m_event.value = Positive(word.substr(0, word.size() - 1), FACTOR_EXPECTED);
        DPDL_REFUSE_IF(m_event.value > LONGEST_TIME,
                       m_event.place,
                       word,
                       "a factor of 4000000x at most");
    }

    void ReadLie(const std::string& word)
    {
        const std::vector<std::string> names = Lies().Names();
        if (std::find(names.begin(), names.end(), word) == names.end())
        {
            m_words.RefuseName(word, names);
        }
        m_event.lie.kind = Lies().Get(word);
    }

    void SetLie(const FailureClauses& clauses)
    {
        const bool hasScale = m_event.lie.kind == LieKind::NOISE;
        if (hasScale)
        {
            m_event.lie.scale = Positive(clauses.Value("scale=", SCALE_EXPECTED), SCALE_EXPECTED);
        }
        else if (clauses.Has("scale="))
        {
            throw UsageError(m_event.place, "scale=", "no scale: of the lies, noise alone has one");
        }
        SetTiming(clauses);
    }

    void SetLeak(const FailureClauses& clauses)
    {
        DPDL_REFUSE_IF(clauses.Has("for"),
                       m_event.place,
                       "for",
                       "no end: what has leaked stays known");
        SetTiming(clauses);
    }

    void SetCrash(const FailureClauses& clauses)
    {
        SetTiming(clauses);
        for (const char* name : {"with", "without"})
        {
            DPDL_REFUSE_IF(clauses.Has(name) && clauses.Value(name, "") != "state",
                           m_event.place,
                           clauses.Value(name, ""),
                           std::string(name) + " state");
        }
        DPDL_REFUSE_IF(clauses.Has("with") && clauses.Has("without"),
                       m_event.place,
                       "with",
                       "with state or without state, not both");
        m_event.keepsState = clauses.Has("with");
        if (!clauses.Has("recover"))
        {
            return;
        }
        FailureTiming& timing = m_event.timing;
        DPDL_REFUSE_IF(clauses.Has("for"), m_event.place, "recover", "recover or for, not both");
        timing.end = clauses.Time("recover", timing.end);
        DPDL_REFUSE_IF(timing.end <= timing.begin,
                       m_event.place,
                       clauses.Value("recover", ""),
                       "a time after that of the crash, " + ShowNumber(timing.begin) + "s");
    }

    FailureTokens& m_words; ///< words of the event; must outlive this object
    bool m_random{false};   ///< true: the event begins with `random`, so its times are random
    FailureEvent m_event;   ///< the event, as far as it was parsed
};

} // namespace

FailureEvent
ParseFailure(FailureTokens& words)
{
    return FailureParser(words).Parse();
}

} // namespace dpdl
