// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "graph-families.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/topology/round-graph-sequence.h"
#include "dpdl/topology/topologies.h"

#include <boost/algorithm/string/split.hpp>
#include <charconv>
#include <cmath>
#include <utility>

namespace dpdl
{

namespace
{

/// Graph sequence whose edges come from a function of the user's program.
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

    std::function<std::vector<Edge>(Round)> m_edges; ///< returns the edges of a round
};

/// Registers a topology of the user's program under the name `script-N`, N = 1, 2, ...
/// @return the name
std::string
EnterScripted(GraphSequenceFactory make)
{
    static int count = 0;
    std::string name = "script-" + std::to_string(++count);
    RegisterTopology({name, "the edges that the program gives", "the program"}, std::move(make));
    return name;
}

} // namespace

TopologyArguments::TopologyArguments(std::string name,
                                     const std::string& text,
                                     std::string expected)
    : m_name(std::move(name)),
      m_text(text),
      m_expected(std::move(expected))
{
    boost::algorithm::split(m_values, text, [](char letter) { return letter == ','; });
}

void
TopologyArguments::Refuse() const
{
    throw UsageError(TOPOLOGY_OPTION, m_name + ":" + m_text, m_expected);
}

void
TopologyArguments::CheckCount(std::size_t least, std::size_t most) const
{
    if (Count() < least || Count() > most)
    {
        Refuse();
    }
}

std::size_t
TopologyArguments::Integer(std::size_t index, std::size_t low, std::size_t high) const
{
    std::size_t value = 0;
    const std::string& text = m_values.at(index);
    const char* end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, value);
    if (result.ec != std::errc() || result.ptr != end || value < low || value > high)
    {
        Refuse();
    }
    return value;
}

double
TopologyArguments::Number(std::size_t index) const
{
    const double value = FindNumber<double>(m_values.at(index)).value_or(NAN);
    if (!std::isnormal(value) && value != 0.0)
    {
        Refuse();
    }
    return value;
}

double
TopologyArguments::Probability(std::size_t index, bool zero) const
{
    const double value = Number(index);
    if (!(value <= 1.0 && (value > 0.0 || (zero && value == 0.0))))
    {
        Refuse();
    }
    return value;
}

double
TopologyArguments::Positive(std::size_t index) const
{
    const double value = Number(index);
    if (!(value > 0.0))
    {
        Refuse();
    }
    return value;
}

std::size_t
ParsePeers(const std::string& name,
           const std::string& letter,
           const std::string& text,
           std::size_t nodes)
{
    const TopologyArguments arguments(name,
                                      text,
                                      name + ":" + letter + " with " + letter + " in 1.." +
                                          std::to_string(nodes - 1));
    arguments.CheckCount(1, 1);
    return arguments.Integer(0, 1, nodes - 1);
}

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
