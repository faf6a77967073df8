// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/topology/q-bound.h"

#include "directed-graph.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

// Computes the bound on q. Finds the shortest strongly connected windows of rounds with two
// pointers, and the diameters of the unions of B successive rounds. Evaluates the formula of the
// bound in logarithms.

namespace dpdl
{

namespace
{

/// Graph with the edges of the rounds first .. first + length - 1.
DirectedGraph
UnionGraph(const GraphSequence& sequence, Round first, Round length)
{
    std::vector<Edge> edges;
    ForEachEdge(sequence, first, first + length, [&edges](NodeId source, NodeId target) {
        edges.push_back({source, target});
    });
    return DirectedGraph(sequence.Nodes(), edges);
}

/// Largest number of nodes for which a diameter is computed. The computation searches from every
/// node.
constexpr std::size_t MOST_NODES_OF_DIAMETER = 1000;

/// Rounds to the nearest integer if the relative difference is at most 1e-12, because in double
/// precision 1 / (1 / 49) is not exactly 49.
double
Snapped(double shares)
{
    const double whole = std::round(shares);
    return std::abs(shares - whole) <= 1e-12 * whole ? whole : shares;
}

/// The rounds first .. first + length - 1 of a graph sequence, or a whole period.
class Stretch
{
  public:
    /**
     * @param sequence the topology; must outlive this object
     * @param first first round
     * @param length number of rounds
     * @param repeats true: the rounds are a whole period, so the graph of round first + length is
     *        that of round first
     */
    Stretch(const GraphSequence& sequence, Round first, Round length, bool repeats)
        : m_sequence(sequence),
          m_first(first),
          m_length(length),
          m_repeats(repeats)
    {
    }

    TopologyBound Bound() const
    {
        TopologyBound bound;
        bound.minimumWeight = SmallestWeight();
        const double shares = Snapped(1.0 / bound.minimumWeight);
        bound.logOneMinusQ = -std::numeric_limits<double>::infinity();
        bound.windowB = ConnectedWindow();
        bound.stronglyConnected = bound.windowB > 0;
        if (!bound.stronglyConnected)
        {
            return bound;
        }
        if (m_sequence.Nodes() > MOST_NODES_OF_DIAMETER)
        {
            bound.q = bound.oneMinusQ = bound.logOneMinusQ =
                std::numeric_limits<double>::quiet_NaN();
            return bound;
        }
        bound.diameter = LargestDiameter(bound.windowB);
        const double h = static_cast<double>(bound.diameter) * bound.windowB;
        const double logSmallest =
            std::log(static_cast<double>(m_sequence.Nodes())) - h * std::log(shares);
        const double smallest = std::min(std::exp(logSmallest), 1.0);
        bound.oneMinusQ = -std::expm1(std::log1p(-smallest) / (h + 1.0));
        bound.q = 1.0 - bound.oneMinusQ;
        bound.logOneMinusQ = smallest > std::numeric_limits<double>::min()
                                 ? std::log(bound.oneMinusQ)
                                 : logSmallest - std::log(h + 1.0);
        return bound;
    }

  private:
    bool IsConnected(Round offset, Round length) const
    {
        return UnionGraph(m_sequence, m_first + offset, length).IsStronglyConnected();
    }

    /// Element i: smallest number of rounds, from round first + i on, whose edges connect all nodes
    /// strongly; 0 if all rounds from first + i to the end do not connect them. If the window
    /// starts one round later, its end is not earlier, so each search begins at the previous end.
    std::vector<Round> ShortestWindows() const
    {
        std::vector<Round> shortest(m_length, 0);
        Round length = 1;
        for (Round offset = 0; offset < m_length; ++offset)
        {
            const Round most = m_repeats ? m_length : m_length - offset;
            while (length <= most && !IsConnected(offset, length))
            {
                ++length;
            }
            if (length > most)
            {
                break;
            }
            shortest[offset] = length;
            length = std::max<Round>(length - 1, 1);
        }
        return shortest;
    }

    /// B of the bound on q: smallest number of rounds such that the edges of any B successive
    /// rounds connect all nodes strongly. 0 if the edges of all rounds together do not connect
    /// them.
    Round ConnectedWindow() const
    {
        if (m_length == 0 || !IsConnected(0, m_length))
        {
            return 0;
        }
        const std::vector<Round> shortest = ShortestWindows();
        const auto fits = [&](Round length) {
            const Round starts = m_repeats ? m_length : m_length - length + 1;
            return std::all_of(shortest.begin(), shortest.begin() + starts, [length](Round one) {
                return one > 0 && one <= length;
            });
        };
        Round windowB = 1;
        while (windowB < m_length && !fits(windowB))
        {
            ++windowB;
        }
        return windowB;
    }

    unsigned LargestDiameter(Round windowB) const
    {
        unsigned diameter = 0;
        const Round windows =
            m_repeats ? m_length / std::gcd(m_length, windowB) : m_length / windowB;
        for (Round window = 0; window < windows; ++window)
        {
            const std::uint64_t offset = static_cast<std::uint64_t>(window) * windowB;
            const auto first = static_cast<Round>(m_first + offset % m_length);
            diameter = std::max(diameter, UnionGraph(m_sequence, first, windowB).Diameter());
        }
        return diameter;
    }

    /// The number e in the bound on q: smallest mixing weight, in (0, 1], of a share that a node
    /// sends or keeps.
    double SmallestWeight() const
    {
        double smallest = 1.0;
        for (Round round = m_first; round < m_first + m_length; ++round)
        {
            for (NodeId node = 0; node < m_sequence.Nodes(); ++node)
            {
                const double kept = m_sequence.Weight(node, node, round);
                smallest = kept > 0.0 ? std::min(smallest, kept) : smallest;
                for (const NodeId target : m_sequence.OutNeighbours(node, round))
                {
                    smallest = std::min(smallest, m_sequence.Weight(node, target, round));
                }
            }
        }
        return smallest;
    }

    const GraphSequence& m_sequence; ///< the topology; must outlive this object
    Round m_first;                   ///< first round of the stretch
    Round m_length;                  ///< number of rounds of the stretch
    bool m_repeats;                  ///< true: the rounds are a whole period
};

} // namespace

TopologyBound
ComputeTopologyBound(const GraphSequence& sequence)
{
    return Stretch(sequence, 0, sequence.Period(), true).Bound();
}

TopologyBound
ComputeWindowBound(const GraphSequence& sequence, Round first, Round length)
{
    return Stretch(sequence, first, length, false).Bound();
}

} // namespace dpdl
