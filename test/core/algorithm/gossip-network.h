// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TEST_GOSSIP_NETWORK_H
#define DPDL_TEST_GOSSIP_NETWORK_H

#include "dpdl/algorithm/learner-observer.h"
#include "dpdl/topology/edge-list-file.h"
#include "dpdl/topology/topologies.h"

#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace dpdl
{

/// What a test's network does to a share.
enum class Fate
{
    ARRIVE, ///< before its receiver mixes
    LOSE,   ///< never
    HOLD,   ///< a round too late
};

/// Counts what the learners report.
class CountingObserver : public LearnerObserver
{
  public:
    void OnStep(const NodeJob&, double, double) override
    {
        ++steps;
    }

    std::uint32_t OnSent(const Share&, double) override
    {
        return sent++;
    }

    void OnLost(const Share&, LossCause, LostMass mass, double) override
    {
        ++(mass == LostMass::GONE ? lostForGood : owed);
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

    void OnMixed(NodeId, Round, ScaledDouble, const std::vector<Share>& shares, double) override
    {
        used += shares.size();
    }

    std::size_t steps{0};       ///< local steps
    std::uint32_t sent{0};      ///< shares that left
    std::size_t lostForGood{0}; ///< dropped, nothing repairs them
    std::size_t owed{0};        ///< dropped, to be repaired
    std::size_t onTime{0};      ///< arrivals by kind
    std::size_t late{0};
    std::size_t overtaken{0};
    std::size_t duplicates{0};
    std::size_t crashes{0}; ///< nodes that are down
    std::size_t used{0};    ///< shares that were mixed
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

/// A network that loses each share with a probability, by (source, target, round).
inline std::function<Fate(const Share&)>
RandomLoss(double probability)
{
    return [probability](const Share& share) {
        const RandomStream stream({1, 1}, RandomPurpose::LINK_LOSS, share.source, share.round);
        return stream.Uniform(share.target) < probability ? Fate::LOSE : Fate::ARRIVE;
    };
}

} // namespace dpdl

#endif // DPDL_TEST_GOSSIP_NETWORK_H
