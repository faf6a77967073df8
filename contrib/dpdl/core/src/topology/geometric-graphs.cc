// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/errors.h"
#include "dpdl/topology/round-graph-sequence.h"
#include "graph-families.h"

#include <vector>

namespace dpdl
{

namespace
{

constexpr double DEFAULT_SIDE = 1000.0; // side of the square of topology `radius`, m

using Places = std::vector<std::optional<Position>>;

/// Edges in both directions between all pairs of nodes with a distance of at most @p reach metres.
/// Nodes without a position have no edges.
std::vector<Edge>
EdgesWithin(double reach, const Places& positions)
{
    std::vector<Edge> edges;
    for (NodeId a = 0; a < positions.size(); ++a)
    {
        for (NodeId b = a + 1; b < positions.size(); ++b)
        {
            if (positions[a] && positions[b] &&
                SquaredDistance(*positions[a], *positions[b]) <= reach * reach)
            {
                edges.push_back({a, b});
                edges.push_back({b, a});
            }
        }
    }
    return edges;
}

/// Topology `mobility:R`. In each round it has the edges between nodes that are up and at most R
/// metres apart when the round begins.
class MobilityGraphSequence : public LiveGraphSequence
{
  public:
    MobilityGraphSequence(std::size_t nodes, double reach)
        : LiveGraphSequence(nodes),
          m_reach(reach)
    {
    }

    void Attach(const RunWorld& world) override
    {
        DPDL_REFUSE_IF(!world.position,
                       "option 'topology': 'mobility' needs nodes that have a place; expected "
                       "a MobilityModel on every node of the simulation, or topology "
                       "radius:R");
        LiveGraphSequence::Attach(world);
    }

    std::optional<Position> PositionOf(NodeId node) const override
    {
        return World().position(node);
    }

  private:
    std::vector<Edge> MakeEdges(Round /*round*/) const override
    {
        Places positions(Nodes());
        for (NodeId node = 0; node < Nodes(); ++node)
        {
            if (!World().isUp || World().isUp(node))
            {
                positions[node] = World().position(node);
            }
        }
        return EdgesWithin(m_reach, positions);
    }

    double m_reach; ///< largest distance between neighbours, m
};

} // namespace

std::shared_ptr<GraphSequence>
MakeRadius(const std::string& argument, std::size_t nodes, RandomSeed seed)
{
    const TopologyArguments arguments("radius",
                                      argument,
                                      "radius:R or radius:R,SIDE, both in metres and above 0");
    arguments.CheckCount(1, 2);
    const double reach = arguments.Positive(0);
    const double side = arguments.Count() == 2 ? arguments.Positive(1) : DEFAULT_SIDE;
    Places positions;
    for (NodeId node = 0; node < nodes; ++node)
    {
        const RandomStream stream(seed, RandomPurpose::TOPOLOGY, node, 0);
        positions.push_back(Position{side * stream.Uniform(0), side * stream.Uniform(1), 0.0});
    }
    const std::vector<std::vector<Edge>> phases{EdgesWithin(reach, positions)};
    return std::make_shared<PeriodicGraphSequence>(nodes, phases, positions);
}

std::shared_ptr<GraphSequence>
MakeMobility(const std::string& argument, std::size_t nodes, RandomSeed /*seed*/)
{
    const TopologyArguments arguments("mobility", argument, "mobility:R in metres, above 0");
    arguments.CheckCount(1, 1);
    return std::make_shared<MobilityGraphSequence>(nodes, arguments.Positive(0));
}

} // namespace dpdl
