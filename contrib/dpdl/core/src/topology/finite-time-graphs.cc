// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/errors.h"
#include "dpdl/topology/round-graph-sequence.h"
#include "graph-families.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

// Topologies that average exactly after one period: hypercubes, and the Simple Base-(k + 1) Graph,
// which is built recursively over groups of nodes.

namespace dpdl
{

namespace
{

/// Shortest list of factors in 2..most with the product @p number, in descending order. Empty if
/// there is no such list or @p number is 1.
std::vector<std::size_t>
ShortestFactors(std::size_t number, std::size_t most)
{
    std::vector<std::size_t> best;
    for (std::size_t factor = std::min(number, most); factor >= 2; --factor)
    {
        if (number % factor != 0)
        {
            continue;
        }
        std::vector<std::size_t> factors = ShortestFactors(number / factor, factor);
        if (factors.empty() && factor != number)
        {
            continue;
        }
        factors.insert(factors.begin(), factor);
        if (best.empty() || factors.size() < best.size())
        {
            best = factors;
        }
    }
    return best;
}

/// Largest divisor of @p number that has no prime factor above @p most.
std::size_t
SmoothPart(std::size_t number, std::size_t most)
{
    std::size_t part = 1;
    for (std::size_t factor = 2; factor <= std::min(number, most); ++factor)
    {
        for (; number % factor == 0; number /= factor)
        {
            part *= factor;
        }
    }
    return part;
}

using Group = std::vector<NodeId>;

/// Splits a group into @p parts groups of equal size; @p parts must divide the size.
std::vector<Group>
Parts(const Group& nodes, std::size_t parts)
{
    std::vector<Group> result;
    const auto size = static_cast<std::ptrdiff_t>(nodes.size() / parts);
    for (auto begin = nodes.begin(); parts-- > 0; begin += size)
    {
        result.emplace_back(begin, begin + size);
    }
    return result;
}

/// Builds the rounds of one period. Several groups of nodes may use the same rounds in parallel.
class PeriodMaker
{
  public:
    /**
     * @param peers k: largest number of receivers of a node in a round
     * @param hasWeights true: edges get explicit weights, which exchanges between groups of
     *        different sizes need
     */
    PeriodMaker(std::size_t peers, bool hasWeights)
        : m_base(peers + 1),
          m_hasWeights(hasWeights)
    {
    }

    /**
     * @brief Appends edges to successive rounds, after which all nodes of a group have the group's
     *        average. The index of a node in the group is written with one digit per factor, and
     *        digit i has factors[i] values. Appended round i connects the nodes that differ only in
     *        digit i.
     * @param first index in the period of the first appended round
     * @return index in the period of the round after the last appended round
     */
    std::size_t AverageByDigits(const Group& nodes,
                                const std::vector<std::size_t>& factors,
                                std::size_t first)
    {
        std::size_t stride = 1;
        for (const std::size_t factor : factors)
        {
            const double weight = m_hasWeights ? 1.0 / static_cast<double>(factor) : 0.0;
            for (std::size_t place = 0; place < nodes.size(); ++place)
            {
                const std::size_t digit = place / stride % factor;
                for (std::size_t other = 0; other < factor; ++other)
                {
                    if (other != digit)
                    {
                        const std::size_t peer = place + (other - digit) * stride;
                        RoundOf(first).push_back({nodes[place], nodes[peer], weight});
                    }
                }
            }
            stride *= factor;
            ++first;
        }
        return first;
    }

    /**
     * @brief Appends the Simple Base-(k + 1) Graph of a group. The graph has one subgroup for each
     *        nonzero digit of the group's size in base k + 1. Each subgroup averages, then
     *        exchanges with smaller subgroups so that all nodes get the total average, then
     *        averages again.
     * @param first index in the period of the first appended round
     * @return index in the period of the round after the last appended round
     */
    std::size_t Average(const Group& nodes, std::size_t first)
    {
        const std::vector<std::size_t> factors = ShortestFactors(nodes.size(), m_base);
        if (nodes.size() == 1 || !factors.empty())
        {
            return AverageByDigits(nodes, factors, first);
        }
        std::size_t power = 1;
        for (; power * m_base <= nodes.size(); power *= m_base)
        {
        }
        // Makes a subgroup for each nonzero digit of the group's size in base k + 1, the largest
        // subgroup first. Digit d at power p gives a subgroup of d parts with (k + 1)^p nodes each.
        std::vector<std::vector<Group>> groups;
        std::size_t exchange = first;
        for (auto begin = nodes.begin(); begin != nodes.end(); power /= m_base)
        {
            const std::size_t digit = static_cast<std::size_t>(nodes.end() - begin) / power;
            if (digit > 0)
            {
                const auto end = begin + static_cast<std::ptrdiff_t>(digit * power);
                const Group group(begin, end);
                const auto digits = ShortestFactors(group.size(), m_base);
                exchange = std::max(exchange, AverageByDigits(group, digits, first));
                groups.push_back(Parts(group, digit));
                begin = end;
            }
        }
        std::size_t last = exchange;
        Group rest = nodes;
        for (std::size_t i = 0; i + 1 < groups.size(); ++i, ++exchange)
        {
            last = std::max(last, Exchange(groups[i], rest, exchange));
        }
        return std::max(last, exchange);
    }

    std::shared_ptr<GraphSequence> Finish(std::size_t nodes) const
    {
        return std::make_shared<PeriodicGraphSequence>(nodes, m_rounds);
    }

    std::size_t Rounds() const
    {
        return m_rounds.size();
    }

  private:
    /**
     * @brief Merges several parts, whose nodes have averaged among themselves, with the remaining
     *        nodes. Each node outside the parts exchanges with one node of each part. The weights
     *        give every part the average of all nodes. Then the nodes within each part average
     *        again.
     * @param parts groups of equal size, which are the first elements of @p nodes
     * @param[in,out] nodes on entry all nodes; on return the nodes outside the parts
     * @param round index in the period of the round of the exchange
     * @return index in the period of the round after the last appended round
     */
    std::size_t Exchange(const std::vector<Group>& parts, Group& nodes, std::size_t round)
    {
        const std::size_t size = parts.front().size();
        const double weight = static_cast<double>(size) / static_cast<double>(nodes.size());
        nodes.erase(nodes.begin(),
                    nodes.begin() + static_cast<std::ptrdiff_t>(parts.size() * size));
        std::size_t last = round + 1;
        for (const Group& part : parts)
        {
            for (std::size_t i = 0; i < nodes.size(); ++i)
            {
                RoundOf(round).push_back({nodes[i], part[i], weight});
                RoundOf(round).push_back({part[i], nodes[i], weight});
            }
            const auto digits = ShortestFactors(size, m_base);
            last = std::max(last, AverageByDigits(part, digits, round + 1));
        }
        return last;
    }

    std::vector<Edge>& RoundOf(std::size_t round)
    {
        m_rounds.resize(std::max(m_rounds.size(), round + 1));
        return m_rounds[round];
    }

    std::size_t m_base; ///< k + 1, where k is the largest number of receivers of a node in a round
    bool m_hasWeights;  ///< true: edges get explicit weights
    std::vector<std::vector<Edge>> m_rounds; ///< edges of each round of the period; index: round
};

Group
AllNodes(std::size_t nodes)
{
    Group all(nodes);
    std::iota(all.begin(), all.end(), 0);
    return all;
}

std::shared_ptr<GraphSequence>
DigitByDigit(std::size_t nodes, const std::vector<std::size_t>& factors)
{
    PeriodMaker maker(factors.front() - 1, false);
    maker.AverageByDigits(AllNodes(nodes), factors, 0);
    return maker.Finish(nodes);
}

/// Returns log2(n) factors of 2.
/// @throws UsageError if n is not a power of 2
std::vector<std::size_t>
BitsOf(const std::string& topology, std::size_t nodes)
{
    std::vector<std::size_t> factors = ShortestFactors(nodes, 2);
    DPDL_REFUSE_IF(factors.empty(),
                   TOPOLOGY_OPTION,
                   topology,
                   "2, 4, 8, ... nodes, not " + std::to_string(nodes));
    return factors;
}

} // namespace

std::shared_ptr<GraphSequence>
MakeHypercube(const std::string& /*argument*/, std::size_t nodes, RandomSeed /*seed*/)
{
    return DigitByDigit(nodes, BitsOf("hypercube", nodes));
}

std::shared_ptr<GraphSequence>
MakePermutedHypercube(const std::string& /*argument*/, std::size_t nodes, RandomSeed seed)
{
    const auto bits = static_cast<Round>(BitsOf("permuted-hypercube", nodes).size());
    return DrawnGraphs(nodes, [=](Round round) {
        const NodeId bit = NodeId{1} << (round % bits);
        const std::vector<NodeId> order = RandomOrder(nodes, seed, round - round % bits);
        std::vector<Edge> edges;
        for (NodeId place = 0; place < order.size(); ++place)
        {
            edges.push_back({order[place], order[place ^ bit]});
        }
        return edges;
    });
}

std::shared_ptr<GraphSequence>
MakeBase(const std::string& argument, std::size_t nodes, RandomSeed /*seed*/)
{
    const std::size_t peers = ParsePeers("base", "K", argument, nodes);
    const std::vector<std::size_t> factors = ShortestFactors(nodes, peers + 1);
    if (!factors.empty())
    {
        return DigitByDigit(nodes, factors);
    }
    const Group all = AllNodes(nodes);
    PeriodMaker simple(peers, true);
    simple.Average(all, 0);
    // Alternative: the nodes are split into parts of equal size that average in parallel. Then the
    // i-th nodes of all parts average by AverageByDigits(), for every i at the same time. The
    // alternative is used if its period is shorter.
    PeriodMaker split(peers, true);
    const std::size_t parts = SmoothPart(nodes, peers + 1);
    const std::size_t size = nodes / parts;
    std::size_t first = 0;
    for (const Group& part : Parts(all, parts))
    {
        first = split.Average(part, 0);
    }
    for (std::size_t place = 0; place < size; ++place)
    {
        Group across;
        for (std::size_t part = 0; part < parts; ++part)
        {
            across.push_back(all[part * size + place]);
        }
        split.AverageByDigits(across, ShortestFactors(parts, peers + 1), first);
    }
    return (split.Rounds() < simple.Rounds() ? split : simple).Finish(nodes);
}

} // namespace dpdl
