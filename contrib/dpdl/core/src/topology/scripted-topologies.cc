// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/topology/round-graph-sequence.h"
#include "dpdl/topology/topologies.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace dpdl
{

namespace
{

/// Graph sequence with edges from a script's function.
class ScriptedGraphs : public LiveGraphSequence
{
  public:
    ScriptedGraphs(std::size_t nodes, std::function<std::vector<Edge>(Round)> edges)
        : LiveGraphSequence(nodes),
          m_edges(std::move(edges))
    {
    }

  private:
    std::vector<Edge> MakeEdges(Round round) const override
    {
        return m_edges(round);
    }

    std::function<std::vector<Edge>(Round)> m_edges; ///< of a round
};

/// Registers a script's topology. @return its name
std::string
EnterScripted(GraphSequenceFactory make)
{
    static int count = 0;
    std::string name = "script-" + std::to_string(++count);
    RegisterTopology({name, "the edges that the program gives", "the program", {}},
                     std::move(make));
    return name;
}

} // namespace

std::string
EnterTopology(std::vector<Edge> edges)
{
    return EnterScripted([edges = std::move(edges)](const std::string& /*argument*/,
                                                    std::size_t nodes,
                                                    RandomSeed /*seed*/) {
        return std::make_shared<PeriodicGraphSequence>(nodes,
                                                       std::vector<std::vector<Edge>>{edges});
    });
}

std::string
EnterTopology(std::function<std::vector<Edge>(Round)> edges)
{
    return EnterScripted([edges = std::move(edges)](const std::string& /*argument*/,
                                                    std::size_t nodes,
                                                    RandomSeed /*seed*/) {
        return std::make_shared<ScriptedGraphs>(nodes, edges);
    });
}

} // namespace dpdl
