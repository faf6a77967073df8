// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/network/failure-state.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "failure-timeline.h"
#include "failure-tokens.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <string>
#include <tuple>
#include <utility>

// Every failure has a FailureProcess, which generates its starts and ends one by one. A priority
// queue merges the processes. FailureLinks and FailureNodes apply the starts and ends.

namespace dpdl
{

namespace
{

constexpr double NANOSECOND = 1e-9; // seconds
constexpr double NEVER_AGAIN = std::numeric_limits<double>::infinity();

/// Number of elements of a random stream that are reserved for the times of one link. The elements
/// for the link to the next target follow.
constexpr std::uint64_t DRAWS = std::uint64_t{1} << 24;

/// FNV-1a hash of a text.
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

/// Key of an event's random stream: the event's text up to the first clause of times, and its
/// begin.
std::string
Essence(const FailureEvent& event)
{
    const std::string text = " " + event.text + " ";
    std::size_t end = text.size();
    for (const char* clause : {" at ", " from ", " for ", " mean-up=", " mean-down=", " together "})
    {
        end = std::min(end, text.find(clause));
    }
    return text.substr(0, end) + " at " + ShowNumber(event.timing.begin);
}

/**
 * @brief Generates the starts and ends of one failure: of a whole event, or of one of its links or
 *        nodes.
 *
 * Times are generated one by one, so a failure may recur indefinitely. All times are multiples of a
 * nanosecond and strictly increasing.
 */
class FailureProcess
{
  public:
    /**
     * @param index index of the event
     * @param member the event; also the link or node if each link or node of the event has separate
     *        times
     * @param seed seed of the random times
     */
    FailureProcess(std::size_t index, const FailureChange& member, RandomSeed seed)
        : m_timing(&member.event->timing),
          m_index(index),
          m_next(member),
          m_random(seed,
                   RandomPurpose::FAILURES,
                   Hash(Essence(*member.event)),
                   member.link ? member.link->source : member.node.value_or(0)),
          m_element(member.link ? member.link->target * DRAWS : 0)
    {
        const bool once = m_timing->pattern == FailureTiming::Pattern::ONCE;
        MoveTo(once ? m_timing->begin : WholeNanoseconds(m_timing->begin + Span(false)), true);
    }

    /// Next start or end of the failure. Its time is infinity if there is none.
    const FailureChange& Next() const
    {
        return m_next;
    }

    /// Index of the event.
    std::size_t Index() const
    {
        return m_index;
    }

    /// Advances to the next start or end.
    void Step()
    {
        if (m_timing->pattern != FailureTiming::Pattern::ONCE)
        {
            MoveTo(WholeNanoseconds(m_next.time + Span(m_next.begins)), !m_next.begins);
            return;
        }
        MoveTo(m_next.begins ? m_timing->end : NEVER_AGAIN, !m_next.begins);
    }

    /// True if the next start or end of this failure is later than that of @p other. At equal
    /// times, ends come before starts.
    bool operator>(const FailureProcess& other) const
    {
        return std::tie(m_next.time, m_next.begins, m_index) >
               std::tie(other.m_next.time, other.m_next.begins, other.m_index);
    }

  private:
    double Span(bool present)
    {
        const double length = present ? m_timing->down : m_timing->up;
        if (m_timing->pattern == FailureTiming::Pattern::FLAP)
        {
            return length;
        }
        return std::max(-length * std::log1p(-m_random.Uniform(m_element++)), NANOSECOND);
    }

    void MoveTo(double time, bool begins)
    {
        m_next.begins = begins;
        m_next.time = begins && time >= m_timing->end ? NEVER_AGAIN : std::min(time, m_timing->end);
    }

    /// Begin, end and pattern of the event, which must outlive this object.
    const FailureTiming* m_timing;
    std::size_t m_index;     ///< index of the event in Impl::events
    FailureChange m_next;    ///< next start or end of the failure
    RandomStream m_random;   ///< generates random times
    std::uint64_t m_element; ///< index of the next element of m_random
};

/// Half a nanosecond, in seconds. Times that differ by at most this count as equal.
constexpr double RESOLUTION = 0.5e-9;

} // namespace

/// Implementation of FailureState: the state of links and nodes, and a queue of failure processes.
class FailureState::Impl
{
  public:
    Impl(std::vector<FailureEvent> given, std::size_t number)
        : events(std::move(given)),
          count(number),
          links(events, count),
          nodes(events, count)
    {
    }

    /// Adds the processes of an event.
    /// @param index index of the event
    /// @param used links that the run may use
    void AddProcesses(std::size_t index, RandomSeed seed, const std::vector<LinkId>& used);

    /// Applies the next start or end of a failure.
    void Step();

    /// Queues a process if it has a further start or end.
    void Keep(const FailureProcess& process)
    {
        if (process.Next().time < NEVER_AGAIN)
        {
            processes.push(process);
        }
    }

    std::vector<FailureEvent> events;   ///< all failure events
    std::size_t count;                  ///< number of nodes
    FailureLinks links;                 ///< state of the links
    FailureNodes nodes;                 ///< state of the nodes
    std::vector<FailureChange> changes; ///< starts and ends that the last call applied
    /// Processes with a further start or end; the top has the earliest.
    std::priority_queue<FailureProcess, std::vector<FailureProcess>, std::greater<>> processes;
};

void
FailureState::Impl::AddProcesses(std::size_t index,
                                 RandomSeed seed,
                                 const std::vector<LinkId>& used)
{
    const FailureEvent& event = events[index];
    if (event.timing.isReported)
    {
        return;
    }
    FailureChange member{0.0, true, &event, std::nullopt, std::nullopt};
    if (event.timing.together)
    {
        Keep(FailureProcess(index, member, seed));
        return;
    }
    if (event.IsOfNodes())
    {
        event.nodes.ForEach(count, [&](NodeId node) {
            member.node = node;
            Keep(FailureProcess(index, member, seed));
        });
        return;
    }
    for (const LinkId& link : used)
    {
        if (event.links.Covers(link.source, link.target))
        {
            member.link = link;
            Keep(FailureProcess(index, member, seed));
        }
    }
}

void
FailureState::Impl::Step()
{
    FailureProcess process = processes.top();
    processes.pop();
    const FailureChange change = process.Next();
    changes.push_back(change);
    const FailureKind kind = change.event->kind;
    if (kind <= FailureKind::LINK_BURST || kind == FailureKind::PARTITION)
    {
        links.Change(process.Index(), change.link, change.begins, change.time);
    }
    else
    {
        nodes.Change(process.Index(), change.node, change.begins, change.time, changes);
    }
    process.Step();
    Keep(process);
}

FailureState::FailureState(std::vector<FailureEvent> events,
                           std::size_t nodes,
                           RandomSeed seed,
                           const std::vector<LinkId>& links)
    : m_impl(std::make_unique<Impl>(std::move(events), nodes))
{
    for (std::size_t index = 0; index < m_impl->events.size(); ++index)
    {
        m_impl->AddProcesses(index, seed, links);
    }
}

FailureState::~FailureState() = default;

void
FailureState::SetPositions(PositionOf positions)
{
    m_impl->nodes.SetPositions(std::move(positions));
}

double
FailureState::NextChange() const
{
    return m_impl->processes.empty() ? NEVER_AGAIN : m_impl->processes.top().Next().time;
}

const std::vector<FailureChange>&
FailureState::AdvanceTo(double time)
{
    m_impl->changes.clear();
    while (NextChange() <= time + RESOLUTION)
    {
        m_impl->Step();
    }
    return m_impl->changes;
}

const std::vector<FailureChange>&
FailureState::Report(std::size_t event, NodeId node, bool begins, double time)
{
    m_impl->changes.clear();
    m_impl->changes.push_back({time, begins, &m_impl->events[event], std::nullopt, node});
    m_impl->nodes.Change(event, node, begins, time, m_impl->changes);
    return m_impl->changes;
}

bool
FailureState::FollowsPositions() const
{
    return m_impl->nodes.HasCircle();
}

const std::vector<FailureChange>&
FailureState::Follow(double time)
{
    m_impl->changes.clear();
    m_impl->nodes.Follow(time, m_impl->changes);
    return m_impl->changes;
}

LinkCondition
FailureState::Link(NodeId source, NodeId target) const
{
    LinkCondition condition;
    if (const FailureLinks::Summary* summary = m_impl->links.Find(source, target))
    {
        condition = summary->condition;
    }
    condition.up = condition.up && !m_impl->nodes.IsCut(source) && !m_impl->nodes.IsCut(target);
    condition.lossProbability = EitherOf(condition.lossProbability, m_impl->nodes.JamLoss(target));
    return condition;
}

bool
FailureState::WasDown(NodeId source, NodeId target, double since) const
{
    const FailureNodes& nodes = m_impl->nodes;
    const double after = since + RESOLUTION;
    if (nodes.IsCut(source) || nodes.IsCut(target) || nodes.CutUntil(source) > after ||
        nodes.CutUntil(target) > after)
    {
        return true;
    }
    const FailureLinks::Summary* summary = m_impl->links.Find(source, target);
    return summary != nullptr && (!summary->condition.up || summary->downUntil > after);
}

NodeCondition
FailureState::Node(NodeId node) const
{
    return m_impl->nodes.At(node);
}

bool
FailureState::AwaitsNodes() const
{
    return m_impl->nodes.StandStills() > 0;
}

bool
FailureState::IsGone(NodeId node) const
{
    return m_impl->nodes.IsGone(node);
}

void
RequirePositions(const std::vector<FailureEvent>& events,
                 std::size_t nodes,
                 const FailureState::PositionOf& positions)
{
    const auto first = std::find_if(events.begin(), events.end(), [](const FailureEvent& event) {
        return event.IsOfCircle();
    });
    for (NodeId node = 0; first != events.end() && node < nodes; ++node)
    {
        DPDL_REFUSE_IF(!positions || !positions(node).has_value(),
                       first->place + ": '" + first->text +
                           "' needs the positions of all nodes, and node " + std::to_string(node) +
                           " has none; expected nodes with a mobility model, or a topology that "
                           "places them");
    }
}

} // namespace dpdl
