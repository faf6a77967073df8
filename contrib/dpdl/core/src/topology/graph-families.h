// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TOPOLOGY_GRAPH_FAMILIES_H
#define DPDL_TOPOLOGY_GRAPH_FAMILIES_H

#include "dpdl/base/random.h"
#include "dpdl/topology/graph-sequence.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace dpdl
{

/// Returns a uniformly random permutation of all nodes. The permutation is a function of seed and
/// round.
std::vector<NodeId> RandomOrder(std::size_t nodes, RandomSeed seed, Round round);

/**
 * @brief Makes an aperiodic sequence whose graph is a function of the round.
 * @param nodes number of nodes n, at least 2
 * @param draw returns the edges of a round; must always return the same edges for the same round
 * @param possible returns all edges that @p draw may return; empty: all ordered pairs of nodes
 */
std::shared_ptr<GraphSequence> DrawnGraphs(std::size_t nodes,
                                           std::function<std::vector<Edge>(Round)> draw,
                                           EdgeMaker possible = {});

/**
 * @brief Parses a number of receivers in 1..n-1, the text after the colon of a topology
 *        `NAME:NUMBER`.
 * @param name name of the topology
 * @param letter symbol of the number in error messages, such as `D`
 * @param text the text after the colon
 * @param nodes number of nodes n
 * @throws UsageError naming option 'topology' if the text is not an integer in 1..n-1
 */
std::size_t ParsePeers(const std::string& name,
                       const std::string& letter,
                       const std::string& text,
                       std::size_t nodes);

/// Function that makes a graph sequence from the text after the colon of a topology's name, the
/// number of nodes and a seed.
using MakeGraphs = std::shared_ptr<GraphSequence>(const std::string& argument,
                                                  std::size_t nodes,
                                                  RandomSeed seed);

MakeGraphs MakeExponential;
MakeGraphs MakeExponentialPeers;
MakeGraphs MakeAlternatingExponential;
MakeGraphs MakeAlternatingLinear;
MakeGraphs MakeBipartiteExponential;
MakeGraphs MakeBipartiteLinear;
MakeGraphs MakeStrides;
MakeGraphs MakeRing;
MakeGraphs MakeUndirectedRing;
MakeGraphs MakeOutDegree;
MakeGraphs MakeComplete;

MakeGraphs MakeHypercube;
MakeGraphs MakePermutedHypercube;
MakeGraphs MakeBase;

MakeGraphs MakeEquiStatic;
MakeGraphs MakeEquiDynamic;

MakeGraphs MakeRadius;
MakeGraphs MakeMobility;

MakeGraphs MakeRandom;
MakeGraphs MakeRandomStatic;
MakeGraphs MakeRandomPeer;
MakeGraphs MakeRandomOut;
MakeGraphs MakePairwise;
MakeGraphs MakeSmallWorld;

/// Name of the option at the start of error messages about a topology.
constexpr const char* TOPOLOGY_OPTION = "option 'topology'";

/// Parses the values after the colon of a topology's name. Every error is a UsageError naming
/// option 'topology', with the accepted form.
class TopologyArguments
{
  public:
    /**
     * @param name the topology's name
     * @param text the text after the colon: values separated by commas
     * @param expected accepted form for error messages, for example `out-degree:D with D in 2..6`
     */
    TopologyArguments(std::string name, const std::string& text, std::string expected);

    /// Number of values.
    std::size_t Count() const
    {
        return m_values.size();
    }

    /// @throws UsageError if the number of values is not in [least, most]
    void CheckCount(std::size_t least, std::size_t most) const;

    /// Value with index @p index, from 0, as an integer.
    /// @throws UsageError if it is not an integer in [low, high]
    std::size_t Integer(std::size_t index, std::size_t low, std::size_t high) const;

    /// Value with index @p index, from 0, as a probability in (0, 1]; 0 is accepted if @p zero is
    /// true.
    /// @throws UsageError if the value is not such a probability
    double Probability(std::size_t index, bool zero) const;

    /// Value with index @p index, from 0, as a finite number above 0.
    /// @throws UsageError if the value is not such a number
    double Positive(std::size_t index) const;

    /// Rejects the values after the colon with an error.
    /// @throws UsageError naming option 'topology', with the accepted form
    [[noreturn]] void Refuse() const;

  private:
    double Number(std::size_t index) const;

    std::string m_name;                ///< name of the topology
    std::string m_text;                ///< all values, as given
    std::string m_expected;            ///< accepted form, for error messages
    std::vector<std::string> m_values; ///< the values, which were separated by commas
};

} // namespace dpdl

#endif // DPDL_TOPOLOGY_GRAPH_FAMILIES_H
