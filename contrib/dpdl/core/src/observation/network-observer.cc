// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/observation/network-observer.h"

#include "dpdl/base/errors.h"
#include "dpdl/experiment/recorded-run.h"
#include "dpdl/privacy/gdp.h"
#include "dpdl/privacy/symmetric-matrix.h"
#include "seen-states.h"

#include <algorithm>
#include <cmath>
#include <set>

// Computes the unproven bounds of an observer (what-if): builds the knowledge matrix from a trace,
// and bounds mu^2 of each node by the fractions of its steps that the matrix reveals.

namespace dpdl
{

namespace
{

/// A step counts as seen if the matrix reveals more than this fraction of its mu^2.
constexpr double SEEN = 1e-9;

/// Amount by which a larger revealed fraction must exceed the largest so far to replace it.
constexpr double STEP_ROUNDING = 1e-12;

/// Limit on |1 - sum of the nodes' block traces / rank| of the knowledge matrix; above it: Error.
constexpr double IDENTITY_ERROR = 1e-8;

/// Singular values or coefficients below this fraction of the largest may be lost to rounding.
constexpr double FAINT = 1e-6;

/// Reason why the analysis does not support a release; "": it supports the release.
std::string
WhyUnsupported(const Release& release)
{
    std::string reason = release.UnsupportedReason();
    if (!reason.empty())
    {
        return reason;
    }
    if (HasFlag(release.flags, ReleaseFlag::CORRELATED_NOISE))
    {
        return "node " + std::to_string(release.node) + ", round " + std::to_string(release.round) +
               ": other releases have a part of its noise, for which there is no what-if";
    }
    if (release.mechanism == "gaussian")
    {
        return "";
    }
    return "node " + std::to_string(release.node) + ", round " + std::to_string(release.round) +
           ": only Gaussian noise has this what-if";
}

/// Distance, in standard deviations of the noise, by which one example moves a release if it is
/// added or removed; for the replace-one relation, or batches of fixed size, if it is replaced.
double
ShiftOf(const Release& release, Adjacency adjacency)
{
    const std::optional<PrivacyStep> step = StepOf(release);
    return step ? step->Distance(adjacency) : 0.0; // 0: no example influences the release
}

/// Number of releases of all nodes in the analysed rounds.
std::size_t
CountReleases(const ObservedRun& run)
{
    std::size_t count = 0;
    for (const std::vector<Release>& releases : run.releases)
    {
        count += std::count_if(releases.begin(), releases.end(), [&](const Release& release) {
            return release.round >= run.firstRound && release.round < run.rounds;
        });
    }
    return count;
}

/// Number of rounds of the run, or more if a node released, sent or mixed in a later round.
Round
RoundsOf(const ObservedRun& run)
{
    Round rounds = run.rounds;
    for (const std::vector<Release>& releases : run.releases)
    {
        for (const Release& release : releases)
        {
            rounds = std::max(rounds, release.round + 1);
        }
    }
    for (const Delivery& message : run.deliveries)
    {
        rounds = std::max({rounds, message.round + 1, message.usedInRound.value_or(0) + 1});
    }
    return rounds;
}

/// @param what analysis that is not supported, for the error message
/// @throws UsageError if setting @p name is not @p value, the only one that MessageFlow models
void
RequireSetting(const RecordedRun& run,
               const std::string& name,
               const std::string& value,
               const std::string& what)
{
    const std::string found = run.FindSetting(name).value_or(value);
    DPDL_REFUSE_IF(found != value,
                   "setting '" + name + "' of trace '" + run.Path() + "'",
                   found,
                   value + ": " + what + " is not computed");
}

/// In packet mode, some packets of a message that was lost or refunded may arrive. So these
/// messages count as damaged messages, which the observer sees.
void
CountPieces(const RecordedRun& run, std::vector<Delivery>& messages)
{
    const std::string network = run.FindSetting("network").value_or("");
    if (network == "message" || network == "ideal")
    {
        return;
    }
    for (Delivery& message : messages)
    {
        if (message.fate == DeliveryFate::LOST || message.fate == DeliveryFate::REFUNDED)
        {
            message.fate = DeliveryFate::CORRUPT;
        }
    }
}

} // namespace

ObservedRun
ReadObservedRun(const RecordedRun& run)
{
    DPDL_REFUSE_IF(!run.Complete(),
                   "trace",
                   run.Path(),
                   "the trace of a run that has reached its end");
    const std::string scale = run.Setting("stepScale");
    DPDL_REFUSE_IF(scale != "by-weight" && scale != "plain",
                   "setting 'stepScale' of trace '" + run.Path() + "'",
                   scale,
                   "by-weight or plain");
    RequireSetting(run, "stepLaw", "constant", "what other steps tell an observer");
    RequireSetting(run, "gossipOrder", "step-first", "what nodes tell that send before they step");
    RequireSetting(run, "chunk", "none", "what chunks tell an observer");
    RequireSetting(run, "compress", "none", "what compressed messages tell an observer");
    RequireSetting(run, "mix", "average", "what nodes tell that mix by another rule");
    RequireSetting(run, "liars", "none", "what nodes tell that lie");
    RequireSetting(run, "nodeWeights", "equal", "what a server of unequal nodes tells");
    DPDL_REFUSE_IF(run.FindSetting("schedule") == "wait-free",
                   "setting 'schedule' of trace '" + run.Path() + "'",
                   "wait-free",
                   "synchronous or asynchronous: what is mixed before its round has no place "
                   "in the order of rounds");
    const std::string policy = run.FindSetting("lossPolicy").value_or("none");
    ObservedRun observed;
    observed.refunds = policy == "refund";
    observed.renormalises = policy == "renormalise";
    observed.sums = policy == "running-sum";
    observed.momentum = run.GossipMomentum();
    observed.rounds = run.Rounds();
    observed.byWeight = scale == "by-weight";
    observed.delta = run.Delta();
    observed.isTimed = run.FindSetting("compute").value_or("").rfind("measured", 0) == 0;
    observed.crashed = run.Reader().HasViolation("nodes-present");
    observed.colluders = run.Reader().SummaryNumber("colluders");
    observed.noiseInState =
        run.Reader().SummaryNumber("noise_in_state").value_or(observed.noiseInState);
    observed.largestState =
        run.Reader().SummaryNumber("largest_state").value_or(observed.largestState);
    const std::string leakers = run.FindSetting("leakers").value_or("");
    observed.leakers = leakers.empty() ? 0 : 1 + std::count(leakers.begin(), leakers.end(), ',');
    observed.adjacency = run.Neighbours();
    for (NodeId node = 0; node < run.Nodes(); ++node)
    {
        observed.releases.push_back(run.Releases(node));
    }
    observed.deliveries = run.Deliveries();
    observed.medium = ReadMedium(run);
    CountPieces(run, observed.deliveries);
    observed.rounds = RoundsOf(observed);
    return observed;
}

double
TargetView::Ratio() const
{
    return std::isfinite(muSquared) && localMuSquared > 0.0 ? muSquared / localMuSquared : 1.0;
}

NetworkObserver::NetworkObserver(const ObservedRun& run, const Observer& observer)
    : m_run(run),
      m_observer(observer)
{
    const std::size_t states = run.releases.size() * (run.rounds - run.firstRound);
    const std::size_t size = states * CountReleases(run);
    DPDL_REFUSE_IF(size > MOST_INPUTS * MOST_INPUTS,
                   "nodes times rounds times releases of an observed run",
                   std::to_string(size),
                   "at most " + std::to_string(MOST_INPUTS * MOST_INPUTS) +
                       "; --rounds=FIRST:LAST looks at fewer rounds");
    m_flow = std::make_unique<MessageFlow>(InputsOf(run));
    const SeenStates seen(run, observer, *m_flow);
    m_messages = seen.Rows().size();
    m_knowledge = std::make_unique<KnowledgeMatrix>(seen.Rows(), m_flow->Columns());
    CheckIdentity();
}

FlowSettings
NetworkObserver::InputsOf(const ObservedRun& run)
{
    FlowSettings flow;
    static_cast<FlowRules&>(flow) = run;
    flow.nodes = run.releases.size();
    flow.deliveries = &run.deliveries;
    flow.noise.assign(flow.nodes * flow.rounds, 0.0);
    flow.stepped.assign(flow.noise.size(), false);
    m_mu.assign(flow.noise.size(), 0.0);
    std::set<std::pair<NodeId, Round>> released;
    for (const std::vector<Release>& releases : run.releases)
    {
        for (const Release& release : releases)
        {
            if (release.round >= run.rounds)
            {
                continue;
            }
            const std::size_t index = release.round * flow.nodes + release.node;
            flow.stepped[index] = true;
            if (release.round < run.firstRound)
            {
                continue;
            }
            DPDL_REFUSE_IF(!released.insert({release.node, release.round}).second,
                           "ledger of node " + std::to_string(release.node),
                           "round " + std::to_string(release.round),
                           "one release of a node in a round");
            const std::string reason = WhyUnsupported(release);
            if (!reason.empty())
            {
                m_unsupported.emplace(release.node, reason);
                continue;
            }
            m_mu[index] = ShiftOf(release, run.adjacency);
            flow.noise[index] = m_observer.Owns(release.node) ? 0.0 : release.noise;
        }
    }
    return flow;
}

void
NetworkObserver::CheckIdentity() const
{
    double sum = 0.0;
    for (NodeId node = 0; node < m_run.releases.size(); ++node)
    {
        const std::size_t steps = StepsOf(node).size();
        const std::vector<double> block = BlockOf(node);
        for (std::size_t i = 0; i < steps; ++i)
        {
            sum += block[i * (steps + 1)];
        }
    }
    const auto rank = static_cast<double>(m_knowledge->Rank());
    if (!(std::abs(sum - rank) <= IDENTITY_ERROR * std::max(1.0, rank)))
    {
        throw Error("the knowledge matrix is void: the traces of its blocks add up to " +
                    std::to_string(sum) + ", and its rank is " +
                    std::to_string(m_knowledge->Rank()));
    }
}

bool
NetworkObserver::MayMissDirections() const
{
    bool mayMiss = false;
    const bool isWhole = m_knowledge->Rank() == std::min(m_messages, m_flow->Columns());
    for (Round round = m_run.firstRound; round < m_run.rounds && !isWhole && !mayMiss; ++round)
    {
        std::vector<const MessageFlow::Row*> states;
        for (NodeId node = 0; node < m_run.releases.size(); ++node)
        {
            states.push_back(&m_flow->Sent(node, round));
        }
        const KnowledgeMatrix all(states, m_flow->Columns());
        mayMiss = std::min(all.Conditioning(), all.LeastEntry()) < FAINT;
    }
    return mayMiss;
}

std::vector<Round>
NetworkObserver::StepsOf(NodeId node) const
{
    std::vector<Round> steps;
    for (Round round = m_run.firstRound; round < m_run.rounds; ++round)
    {
        if (m_flow->ColumnOf(node, round) != MessageFlow::NONE)
        {
            steps.push_back(round);
        }
    }
    return steps;
}

std::vector<double>
NetworkObserver::BlockOf(NodeId node) const
{
    std::vector<std::size_t> columns;
    for (const Round round : StepsOf(node))
    {
        columns.push_back(m_flow->ColumnOf(node, round));
    }
    return m_knowledge->Block(columns);
}

void
NetworkObserver::Measure(TargetView& view) const
{
    const std::vector<Round> steps = StepsOf(view.target);
    const std::vector<double> block = BlockOf(view.target);
    std::vector<double> mu;
    mu.reserve(steps.size());
    for (const Round round : steps)
    {
        mu.push_back(m_mu[round * m_run.releases.size() + view.target]);
    }
    double sum = 0.0;
    SymmetricMatrix seen(steps.size());
    for (std::size_t s = 0; s < steps.size(); ++s)
    {
        const double part = std::clamp(block[s * (steps.size() + 1)], 0.0, 1.0);
        view.rounds += part > SEEN ? 1 : 0;
        view.meanStep += part / static_cast<double>(steps.size());
        view.singleMuSquared = std::max(view.singleMuSquared, part * mu[s] * mu[s]);
        view.localMuSquared += mu[s] * mu[s];
        if (part > view.worstStep + STEP_ROUNDING)
        {
            view.worstStep = part;
            view.worstRound = steps[s];
        }
        for (std::size_t t = 0; t < steps.size(); ++t)
        {
            sum += std::abs(block[s * steps.size() + t]) * mu[s] * mu[t];
        }
        for (std::size_t t = 0; t <= s; ++t)
        {
            seen.Add(s, t, block[s * steps.size() + t]);
        }
    }
    const double largest = steps.empty() ? 0.0 : std::clamp(seen.Eigenvalues().back(), 0.0, 1.0);
    view.muSquared = std::min(sum, largest * view.localMuSquared);
}

TargetView
NetworkObserver::View(NodeId target) const
{
    TargetView view;
    view.target = target;
    const auto reason = m_unsupported.find(target);
    if (reason == m_unsupported.end())
    {
        Measure(view);
    }
    else
    {
        view.reason = reason->second;
        view.rounds = StepsOf(target).size();
        view.worstRound = m_run.firstRound;
        view.muSquared = std::numeric_limits<double>::infinity();
        view.localMuSquared = view.muSquared;
        view.singleMuSquared = view.muSquared;
        view.meanStep = 1.0;
        view.worstStep = 1.0;
    }
    view.epsilon = GdpEpsilon(std::sqrt(view.muSquared), m_run.delta);
    view.localEpsilon = GdpEpsilon(std::sqrt(view.localMuSquared), m_run.delta);
    return view;
}

std::vector<TargetView>
NetworkObserver::Views() const
{
    std::vector<TargetView> views;
    for (NodeId node = 0; node < m_run.releases.size(); ++node)
    {
        if (!m_observer.Owns(node))
        {
            views.push_back(View(node));
        }
    }
    return views;
}

} // namespace dpdl
