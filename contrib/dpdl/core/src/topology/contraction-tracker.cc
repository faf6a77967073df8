// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/topology/contraction-tracker.h"

#include "contraction-figures.h"
#include "directed-graph.h"
#include "dpdl/base/errors.h"
#include "window-matrix.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

// Measures the contraction of windows of rounds. AddRound() divides the masses of a node's shares
// by their sum. CloseWindow() computes the maximal correlation sigma, Dobrushin's coefficient tau
// and the influences from the stored rounds.

namespace dpdl
{

namespace
{

/// Returns the shares with a mass above 0.
/// @throws Error if a source is not a node, or if a share was sent after @p round
std::vector<MixedShare>
CheckedShares(const std::vector<MixedShare>& shares, std::size_t nodes, Round round)
{
    std::vector<MixedShare> checked;
    checked.reserve(shares.size());
    for (const MixedShare& share : shares)
    {
        if (share.source >= nodes || share.sentRound > round)
        {
            throw Error("round " + std::to_string(round) + " mixes a share of node " +
                        std::to_string(share.source) + " and round " +
                        std::to_string(share.sentRound));
        }
        if (!share.mass.IsZero())
        {
            checked.push_back(share);
        }
    }
    return checked;
}

/// Push-sum weights divided by their sum. If the sum is 0, all results are 1 / n.
std::vector<double>
Shares(const std::vector<ScaledDouble>& weights)
{
    const ScaledDouble total = std::accumulate(weights.begin(), weights.end(), ScaledDouble());
    std::vector<double> shares;
    shares.reserve(weights.size());
    for (const ScaledDouble& weight : weights)
    {
        shares.push_back(total.IsZero() ? 1.0 / static_cast<double>(weights.size())
                                        : weight / total);
    }
    return shares;
}

/// Graph of the edges whose shares were mixed in a window, a list of consecutive rounds.
DirectedGraph
MixedGraph(std::size_t nodes, const std::vector<std::shared_ptr<const RoundMixing>>& window)
{
    std::vector<Edge> edges;
    for (const auto& round : window)
    {
        for (NodeId node = 0; node < nodes; ++node)
        {
            for (std::size_t t = round->begin[node]; t < round->begin[node + 1]; ++t)
            {
                if (round->terms[t].source != node)
                {
                    edges.push_back({round->terms[t].source, node});
                }
            }
        }
    }
    return DirectedGraph(nodes, edges);
}

} // namespace

ContractionTracker::ContractionTracker(std::size_t nodes, Round firstRound, std::size_t mostDense)
    : m_weights(nodes, ScaledDouble(1.0)),
      m_firstRound(firstRound),
      m_smallestWeight(std::numeric_limits<double>::infinity()),
      m_largestWeight(0.0)
{
    if (nodes == 0)
    {
        throw Error("a contraction needs at least one node");
    }
    if (nodes <= mostDense)
    {
        m_influence = std::make_unique<Influence>(nodes);
    }
    m_longRun = std::make_unique<LongRunRate>(nodes);
}

ContractionTracker::~ContractionTracker() = default;
ContractionTracker::ContractionTracker(ContractionTracker&&) noexcept = default;
ContractionTracker& ContractionTracker::operator=(ContractionTracker&&) noexcept = default;

double
ContractionTracker::LongRunQ() const
{
    return m_longRun->Value();
}

void
ContractionTracker::AddRound(Round round, const std::vector<std::vector<MixedShare>>& mixedByNode)
{
    if (round != m_firstRound + m_window.size() || mixedByNode.size() != m_weights.size())
    {
        throw Error("round " + std::to_string(round) + " of " + std::to_string(mixedByNode.size()) +
                    " nodes is not the next one");
    }
    auto mixing = std::make_shared<RoundMixing>(m_weights.size());
    std::vector<ScaledDouble> weights = m_weights;
    for (NodeId node = 0; node < weights.size(); ++node)
    {
        std::vector<MixedShare> shares = CheckedShares(mixedByNode[node], weights.size(), round);
        if (shares.empty())
        {
            mixing->AddSleeper(node);
            weights[node] = mixedByNode[node].empty() ? weights[node] : ScaledDouble();
        }
        else
        {
            weights[node] = mixing->AddNode(std::move(shares), round);
        }
    }
    m_weights = std::move(weights);
    const std::size_t offset = m_window.size();
    const bool repeats = offset < m_lastWindow.size() && *m_lastWindow[offset] == *mixing;
    m_window.push_back(repeats ? m_lastWindow[offset] : std::move(mixing));
    if (m_influence)
    {
        m_influence->AddRound(m_window.back());
    }
    const std::vector<double> shares = Shares(m_weights);
    m_longRun->AddRound(*m_window.back(), shares);
    NoteWeights(shares);
}

void
ContractionTracker::NoteWeights(const std::vector<double>& weights)
{
    const auto [smallest, largest] = std::minmax_element(weights.begin(), weights.end());
    const auto nodes = static_cast<double>(weights.size());
    m_smallestWeight = std::min(m_smallestWeight, nodes * *smallest);
    m_largestWeight = std::max(m_largestWeight, nodes * *largest);
}

WindowResult
ContractionTracker::CloseWindow()
{
    if (m_window.empty())
    {
        throw Error("a window without rounds has no contraction");
    }
    const std::vector<double> weights = Shares(m_weights);
    WindowResult result{};
    if (m_last && m_window == m_lastWindow && weights == m_lastWeights)
    {
        result = *m_last;
    }
    else
    {
        Measure(weights, result);
    }
    result.firstRound = m_firstRound;
    result.lastRound = static_cast<Round>(m_firstRound + m_window.size() - 1);
    NoteInfluence(weights, result);
    result.smallestWeight = m_smallestWeight;
    result.largestWeight = m_largestWeight;
    m_smallestWeight = std::numeric_limits<double>::infinity();
    m_largestWeight = 0.0;
    m_firstRound = result.lastRound + 1;
    m_lastWindow = std::exchange(m_window, {});
    m_lastWeights = weights;
    m_last = std::make_unique<WindowResult>(result);
    return result;
}

void
ContractionTracker::NoteInfluence(const std::vector<double>& weights, WindowResult& result) const
{
    result.effectiveNodes = result.largestInfluence = std::numeric_limits<double>::quiet_NaN();
    if (!m_influence)
    {
        return;
    }
    double sumOfSquares = 0.0;
    double largest = 0.0;
    for (const double influence : m_influence->Of(weights))
    {
        sumOfSquares += influence * influence;
        largest = std::max(largest, influence);
    }
    result.effectiveNodes = 1.0 / sumOfSquares;
    result.largestInfluence = static_cast<double>(weights.size()) * largest;
}

void
ContractionTracker::Measure(const std::vector<double>& weights, WindowResult& result) const
{
    const bool hasMass = std::any_of(m_weights.begin(), m_weights.end(), [](ScaledDouble weight) {
        return !weight.IsZero();
    });
    Correlation correlation{1.0, 0.0};
    result.worstPair = std::numeric_limits<double>::quiet_NaN();
    if (m_influence)
    {
        const WindowMatrix matrix(weights.size(), m_window);
        correlation.sigma = hasMass ? MaximalCorrelation(matrix, m_weights) : 1.0;
        result.worstPair = DobrushinCoefficient(matrix);
    }
    else if (hasMass)
    {
        correlation = SparseCorrelation(m_window, weights);
    }
    const double perRound = 1.0 / static_cast<double>(m_window.size());
    result.contraction = correlation.sigma;
    result.q = std::pow(correlation.sigma, perRound);
    result.qError = std::pow(correlation.sigma + correlation.error, perRound) - result.q;
    result.stronglyConnected = MixedGraph(weights.size(), m_window).IsStronglyConnected();
}

std::vector<std::vector<MixedShare>>
DesignedShares(const GraphSequence& sequence, Round round, const std::vector<ScaledDouble>& weights)
{
    const std::size_t nodes = sequence.Nodes();
    std::vector<std::vector<MixedShare>> mixed(nodes);
    for (NodeId node = 0; node < nodes; ++node)
    {
        mixed[node].reserve(sequence.InNeighbours(node, round).size() + 1);
    }
    for (NodeId source = 0; source < nodes; ++source)
    {
        const auto give = [&](NodeId target) {
            const double weight = sequence.Weight(source, target, round);
            mixed[target].push_back({source, round, weights[source] * weight});
        };
        give(source);
        for (const NodeId target : sequence.OutNeighbours(source, round))
        {
            give(target);
        }
    }
    return mixed;
}

DesignedContraction::DesignedContraction(std::shared_ptr<const GraphSequence> sequence)
    : m_sequence(std::move(sequence)),
      m_tracker(m_sequence->Nodes())
{
}

void
DesignedContraction::AddRound()
{
    m_tracker.AddRound(m_nextRound, DesignedShares(*m_sequence, m_nextRound, m_tracker.Weights()));
    ++m_nextRound;
}

WindowResult
DesignedContraction::CloseWindow()
{
    return m_tracker.CloseWindow();
}

} // namespace dpdl
