// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/certified-curve.h"

#include "numbers.h"
#include "running-bound.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace dpdl
{

namespace
{

/// A bound is kept while it is within this of what is known to be spent.
constexpr double KEPT = 0.9 * CertifiedCurve::TOLERANCE;

/// True if a step costs at most what another one does.
bool
CostsNoMore(const CountedStep& counted, const CountedStep& other)
{
    const PrivacyStep& a = counted.step;
    const PrivacyStep& b = other.step;
    return a.noise == b.noise && a.sampling == b.sampling && a.rate == b.rate &&
           a.muAddRemove <= b.muAddRemove && a.muReplace <= b.muReplace &&
           counted.epoch == other.epoch;
}

} // namespace

/// One of the bounds whose largest counts.
struct CertifiedCurve::Track
{
    std::shared_ptr<RunningBound> bound; ///< of the releases but the pending ones
    std::vector<CountedStep> pending;    ///< released since
    bool holds{true};                    ///< upper holds
    bool inherited{false};               ///< upper was found before the last release
    std::size_t serial{0};               ///< when upper was found
    double upper{0.0};  ///< of the releases then, and of the plan's from one round to another
    double lower{0.0};  ///< what the releases cost when they were last looked at
    Round from{0};      ///< first round that is covered
    Round to{0};        ///< first round that is not
    Round ahead{1};     ///< how many rounds to try next; 0: none
    Round lookedAt{0};  ///< rounds that had been closed when lower was found
    double growth{0.0}; ///< of lower in a round, relative, before it was last looked at
};

struct CertifiedCurve::State
{
    /// What distinguishes two releases as far as their cost goes: the step, and its epoch.
    using Key = std::pair<PrivacyStep, std::uint32_t>;

    std::vector<Track> tracks;                ///< the largest counts
    std::string unsupported;                  ///< see UnsupportedReason()
    std::map<Key, std::weak_ptr<State>> next; ///< where nodes went from here, while one is there

    double Upper() const
    {
        double upper = 0.0;
        for (const Track& track : tracks)
        {
            upper = std::max(upper, track.upper);
        }
        return upper;
    }

    double Lower() const
    {
        double lower = 0.0;
        for (const Track& track : tracks)
        {
            lower = std::max(lower, track.lower);
        }
        return lower;
    }

    /**
     * @brief A node comes from another state: drops what does not cover its way here.
     * @param before where it was; what was found there is compared with what is known here
     * @param round of its release
     * @param planned false: the plan does not have the release
     */
    void Enter(const std::vector<Track>& before, Round round, bool planned)
    {
        for (std::size_t i = 0; i < tracks.size(); ++i)
        {
            Track& track = tracks[i];
            // A bound that others have brought along is not about this node's earlier releases.
            const bool sameWay =
                !track.inherited || (before[i].holds && before[i].serial == track.serial);
            track.holds =
                track.holds && planned && sameWay && track.from <= round && round < track.to;
        }
    }
};

CertifiedCurve::CertifiedCurve(std::size_t nodes,
                               std::shared_ptr<AccountantCache> guarantees,
                               const ReleasePlan& plan)
    : m_guarantees(std::move(guarantees)),
      m_plan(plan),
      m_nodes(nodes)
{
    std::map<const void*, std::shared_ptr<State>> starts;
    for (NodeId node = 0; node < nodes; ++node)
    {
        std::shared_ptr<State>& start = starts[m_plan.kind(node)];
        if (!start)
        {
            start = std::make_shared<State>();
            for (auto& bound :
                 StartBounds(m_guarantees->GetAccountant(), m_guarantees->GetQuestion()))
            {
                start->tracks.emplace_back().bound = std::move(bound);
            }
        }
        m_nodes[node].state = start;
    }
}

CertifiedCurve::~CertifiedCurve() = default;

const std::string&
CertifiedCurve::UnsupportedReason(NodeId node) const
{
    return m_nodes[node].state->unsupported;
}

bool
CertifiedCurve::Covers(Node& node,
                       const Release& release,
                       const std::optional<CountedStep>& counted)
{
    const bool later = release.Round() > node.round;
    const bool inOrder = later || release.Round() == node.round;
    node.number = later ? 0 : node.number;
    node.round = std::max(node.round, release.Round());
    const std::size_t number = node.number++;
    if (!inOrder || release.Round() >= m_plan.rounds)
    {
        return false;
    }
    const std::vector<Release> planned = m_plan.releases(release.Node(), release.Round());
    if (number >= planned.size() || !planned[number].UnsupportedReason().empty())
    {
        return false;
    }
    const auto other = CountedStepOf(planned[number]);
    return !counted || (other && CostsNoMore(*counted, *other));
}

void
CertifiedCurve::Add(const Release& release)
{
    Node& node = m_nodes[release.Node()];
    if (!node.state->unsupported.empty())
    {
        return;
    }
    const std::string unsupported = release.UnsupportedReason();
    if (!unsupported.empty())
    {
        // The reason names its node: such a node has a separate state.
        node.state = std::make_shared<State>();
        node.state->unsupported = unsupported;
        return;
    }
    const auto counted = CountedStepOf(release);
    const bool planned = Covers(node, release, counted);
    node.strayed = node.strayed || !planned;
    if (!counted)
    {
        return;
    }
    const std::shared_ptr<State> before = std::move(node.state);
    std::weak_ptr<State>& next =
        before->next[{counted->step, counted->epoch ? *counted->epoch + 1 : 0}];
    node.state = next.lock();
    if (!node.state)
    {
        node.state = std::make_shared<State>();
        next = node.state;
        node.state->tracks = before->tracks;
        for (Track& track : node.state->tracks)
        {
            track.inherited = true;
            track.pending.push_back(*counted);
        }
    }
    node.state->Enter(before->tracks, release.Round(), planned);
}

std::vector<CountedStep>
CertifiedCurve::Planned(NodeId node, Round first, Round last) const
{
    std::vector<CountedStep> steps;
    for (Round round = first; round < last; ++round)
    {
        for (const Release& release : m_plan.releases(node, round))
        {
            if (const auto counted = CountedStepOf(release))
            {
                steps.push_back(*counted);
            }
        }
    }
    return steps;
}

double
CertifiedCurve::PlanTotal(NodeId node)
{
    const auto [total, isNew] = m_totals.try_emplace(m_plan.kind(node), INF);
    if (isNew)
    {
        ReleaseTally releases;
        for (Round round = 0; round < m_plan.rounds; ++round)
        {
            for (const Release& planned : m_plan.releases(node, round))
            {
                releases.Add(planned);
            }
        }
        total->second = m_guarantees->Of(releases).epsilon;
    }
    return total->second;
}

void
CertifiedCurve::Refresh(Track& track, NodeId node, Round from)
{
    if (!track.pending.empty())
    {
        if (track.bound.use_count() > 1)
        {
            track.bound = track.bound->Clone();
        }
        track.bound->Add(track.pending);
        track.pending.clear();
    }
    const Round left = m_plan.rounds - std::min(from, m_plan.rounds);
    // Of the one that has spent most it must be known how much that is now.
    const bool leads = track.lower >= m_known;
    const double enough = leads ? 0.0 : m_known;
    const auto with = [&](Round rounds) {
        const LaterSteps later = [&](std::size_t number) {
            const Round most = std::min<std::size_t>(left, number);
            return Planned(node, from, from + most);
        };
        return track.bound->With(Planned(node, from, from + rounds), later, enough);
    };
    // The others must not raise what is shown for this one.
    const double most = leads ? (1.0 + KEPT) * m_known : m_row;
    std::optional<EpsilonBounds> now;
    const auto look = [&] {
        now = with(0);
        const double rounds = std::max<double>(1.0, from - std::min(track.lookedAt, from));
        track.growth = (now->lower / std::max(track.lower, 1e-300) - 1.0) / rounds;
        track.lower = std::max(track.lower, now->lower);
        track.lookedAt = from;
        m_known = std::max(m_known, track.lower);
    };
    if (leads)
    {
        look();
    }
    Round rounds = std::min(left, std::max<Round>(track.ahead, 1));
    if (leads && track.ahead == 0 && track.growth > 0.8 * KEPT)
    {
        rounds = 0;
    }
    track.ahead = 0;
    for (bool failed = false; rounds > 0;)
    {
        const double upper = with(rounds).upper;
        if (upper <= most)
        {
            track.ahead = rounds;
            track.upper = upper;
            if (failed || rounds == left)
            {
                break;
            }
            rounds = std::min(left, 2 * rounds);
        }
        else if (track.ahead > 0)
        {
            break;
        }
        else
        {
            failed = true;
            rounds /= 2;
        }
    }
    if (track.ahead == 0)
    {
        if (!now)
        {
            look();
        }
        track.upper = now->upper;
    }
    m_row = std::max(m_row, track.upper);
    track.from = from;
    track.to = std::isfinite(track.upper) ? from + track.ahead : m_plan.rounds;
    track.holds = true;
    track.inherited = false;
    track.serial = ++m_serial;
}

double
CertifiedCurve::Largest(Round closed)
{
    std::vector<std::pair<State*, NodeId>> states;
    std::set<const State*> seen;
    for (NodeId node = 0; node < m_nodes.size(); ++node)
    {
        State* state = m_nodes[node].state.get();
        if (state->unsupported.empty() && seen.insert(state).second)
        {
            states.emplace_back(state, node);
        }
    }
    // Those that have spent most first: the others are compared with them.
    std::stable_sort(states.begin(), states.end(), [](const auto& a, const auto& b) {
        return a.first->Lower() > b.first->Lower();
    });
    m_row = m_largest;
    for (const auto& [state, node] : states)
    {
        for (Track& track : state->tracks)
        {
            if (!track.holds)
            {
                Refresh(track, node, closed);
            }
        }
    }
    for (NodeId node = 0; node < m_nodes.size(); ++node)
    {
        const State& state = *m_nodes[node].state;
        const double upper = state.unsupported.empty() ? state.Upper() : 0.0;
        if (upper > m_largest)
        {
            m_largest = std::max(m_largest,
                                 m_nodes[node].strayed ? upper : std::min(upper, PlanTotal(node)));
        }
    }
    return m_largest;
}

} // namespace dpdl
