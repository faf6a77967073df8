// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TEST_GOSSIP_NETWORK_H
#define DPDL_TEST_GOSSIP_NETWORK_H

#include "dpdl/algorithm/learner-observer.h"
#include "dpdl/base/random.h"
#include "dpdl/topology/contraction-tracker.h"
#include "dpdl/topology/edge-list-file.h"
#include "dpdl/topology/topologies.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace dpdl
{

/// Edges of five nodes with different numbers of receivers.
const char* const UNBALANCED = "0 1\n0 2\n0 3\n1 0\n2 0\n3 4\n4 0\n";

/// The same with weights, over two phases.
const char* const WEIGHTED =
    "0 0 1 0.1\n0 0 2 0.5\n0 0 3 0.3\n0 1 0 0.9\n1 2 0 0.7\n1 3 4 0.25\n0 4 0 0.05\n1 4 0 0.6\n";

/// What a test's network does to a share.
enum class Fate
{
    ARRIVE, ///< before its receiver mixes
    LOSE,   ///< never
    HOLD,   ///< a round too late
    DAMAGE, ///< arrives damaged
};

/// Counts what the learners report.
class CountingObserver : public LearnerObserver
{
  public:
    void OnStep(const NodeJob& job, double, double) override
    {
        ++steps;
        if (onStep)
        {
            onStep(job);
        }
    }

    std::uint32_t OnSent(const Share&, double) override
    {
        return sent++;
    }

    void OnLost(const Share&, const MessageLoss& loss, LostMass mass, double) override
    {
        ++(mass == LostMass::GONE ? lostForGood : mass == LostMass::OWED ? owed : refunded);
        damaged += loss.reason == DropReason::CORRUPT ? 1 : 0;
    }

    void OnArrived(const Share&, Arrival arrival, double) override
    {
        switch (arrival)
        {
        case Arrival::ON_TIME:
            ++onTime;
            break;
        case Arrival::LATE:
            ++late;
            break;
        case Arrival::OVERTAKEN:
            ++overtaken;
            break;
        case Arrival::DUPLICATE:
            ++duplicates;
            break;
        }
    }

    void OnForgotten(const Share&, LostMass mass) override
    {
        ++(mass == LostMass::GONE ? lostForGood : owed);
    }

    void OnCrashed(NodeId, Round, bool, bool, double) override
    {
        ++crashes;
    }

    void OnRecovered(NodeId, double) override
    {
        --crashes;
    }

    void OnMixed(NodeId node,
                 Round round,
                 ScaledDouble kept,
                 const std::vector<Share>& shares,
                 double) override
    {
        used += shares.size();
        mixed.resize(std::max<std::size_t>(mixed.size(), node + 1));
        mixed[node] = {{node, round, kept}};
        for (const Share& share : shares)
        {
            if (share.chunk == 0)
            {
                mixed[node].push_back({share.source, share.round, share.mass});
            }
        }
    }

    std::function<void(const NodeJob&)> onStep; ///< if set: called with each local step
    std::size_t steps{0};                       ///< local steps
    std::uint32_t sent{0};                      ///< shares that left
    std::size_t lostForGood{0};                 ///< dropped, nothing repairs them
    std::size_t owed{0};                        ///< dropped, to be repaired
    std::size_t refunded{0};                    ///< dropped, to come back to the sender
    std::size_t damaged{0};                     ///< of the dropped ones, those that arrived damaged
    std::size_t onTime{0};                      ///< arrivals by kind
    std::size_t late{0};
    std::size_t overtaken{0};
    std::size_t duplicates{0};
    std::size_t crashes{0};                     ///< nodes that are down
    std::size_t used{0};                        ///< shares that were mixed
    std::vector<std::vector<MixedShare>> mixed; ///< by node, what it mixed last of chunk 0
};

/// A graph of a topology's name, or of an edge list if the text has several lines.
inline std::shared_ptr<const GraphSequence>
MakeGraph(const std::string& text, std::size_t nodes)
{
    if (text.find('\n') == std::string::npos)
    {
        return MakeGraphSequence(text, nodes, {});
    }
    std::istringstream stream(text);
    return ParseEdgeList(stream, "test", nodes);
}

/// A network that loses each share with a probability, by (source, target, round, chunk).
inline std::function<Fate(const Share&)>
RandomLoss(double probability)
{
    return [probability](const Share& share) {
        const RandomStream stream({1, 1}, RandomPurpose::LINK_LOSS, share.source, share.round);
        const std::uint64_t number = std::uint64_t{share.chunk} << 32 | share.target;
        return stream.Uniform(number) < probability ? Fate::LOSE : Fate::ARRIVE;
    };
}

} // namespace dpdl

#endif // DPDL_TEST_GOSSIP_NETWORK_H
