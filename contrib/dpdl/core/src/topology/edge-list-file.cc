// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/topology/edge-list-file.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/input-file.h"
#include "dpdl/base/quantity.h"
#include "dpdl/topology/round-graph-sequence.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <istream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <tuple>
#include <utility>
#include <vector>

// Reads edge lists. A list may describe a graph that changes with the round, with a period of P
// rounds: an edge with phase p is used in the rounds k with k mod P = p. Parses the lines one by
// one, checks each edge, and collects the edges of each phase.

namespace dpdl
{

namespace
{

constexpr std::uint64_t LARGEST_PHASE = 65535;

using Fields = std::vector<std::string>;

/// Accepted columns of a line. If the first line of a file does not name the columns, element n - 2
/// applies to a file with n columns, n = 2, 3 or 4.
const std::vector<Fields> LAYOUTS{{"source", "target"},
                                  {"phase", "source", "target"},
                                  {"phase", "source", "target", "weight"},
                                  {"source", "target", "weight"}};

/// An edge and its phase (round of the period), read from one line.
struct EdgeLine
{
    std::uint64_t phase{0};
    std::uint64_t source{0};
    std::uint64_t target{0};
    double weight{0.0}; ///< weight of the edge, in (0, 1); 0: the line has no weight
};

/// Collects the edges of an edge list, and the positions of nodes, line by line.
class EdgeListReader
{
  public:
    EdgeListReader(std::string name, std::size_t nodes)
        : m_name(std::move(name)),
          m_nodes(nodes),
          m_positions(nodes)
    {
    }

    void AddLine(std::size_t lineNumber, const std::string& line)
    {
        m_place = "graph file '" + m_name + "', line " + std::to_string(lineNumber);
        m_line = line;
        std::istringstream stream(line);
        const Fields fields{std::istream_iterator<std::string>(stream), {}};
        if (!fields.empty() && fields.front() == "node")
        {
            Require(AddPosition(fields), "node N x y, once a node, x and y in m, N" + Range());
            return;
        }
        const bool isFirst = m_columns.empty();
        if (isFirst && std::find(LAYOUTS.begin(), LAYOUTS.end(), fields) != LAYOUTS.end())
        {
            m_columns = fields;
            m_isNamed = true;
            return;
        }
        const bool hasLayout = !isFirst || (fields.size() >= 2 && fields.size() <= 4);
        const Fields columns = isFirst && hasLayout ? LAYOUTS[fields.size() - 2] : m_columns;
        EdgeLine edge;
        Require(hasLayout && Read(fields, columns, edge), Expected());
        m_columns = columns;
        Add(edge);
    }

    std::shared_ptr<GraphSequence> Finish() const
    {
        DPDL_REFUSE_IF(m_phases.empty(),
                       "graph file '" + m_name + "' has no edge; expected one edge a line");
        DPDL_REFUSE_IF(m_columns == LAYOUTS[1] && !m_isNamed && m_mayBeWeights,
                       "graph file '" + m_name + "', line 1: three columns may be phase, " +
                           "source and target or source, target and weight; expected " + NAMES);
        const auto unknown = std::count(m_positions.begin(), m_positions.end(), std::nullopt);
        DPDL_REFUSE_IF(unknown > 0 && unknown < static_cast<std::ptrdiff_t>(m_nodes),
                       "graph file '" + m_name + "' has no position for " +
                           std::to_string(unknown) + " of its nodes; expected one for all or none");
        return std::make_shared<PeriodicGraphSequence>(m_nodes, m_phases, m_positions);
    }

  private:
    /// Takes the position of a node from a line `node N x y`.
    /// @return false if the line has another form, or the node already has a position
    bool AddPosition(const Fields& fields)
    {
        if (fields.size() != 4)
        {
            return false;
        }
        const std::uint64_t node = FindNumber<std::uint64_t>(fields[1]).value_or(m_nodes);
        const Position place{FindNumber<double>(fields[2]).value_or(NAN),
                             FindNumber<double>(fields[3]).value_or(NAN)};
        const bool isRight = node < m_nodes && !m_positions[node] &&
                             std::abs(place.x) <= FARTHEST_PLACE &&
                             std::abs(place.y) <= FARTHEST_PLACE;
        if (isRight)
        {
            m_positions[node] = place;
        }
        return isRight;
    }

    /// Parses the fields of a line.
    /// @param fields the line's words
    /// @param columns names of the fields, in the order of the words
    /// @param[out] edge the edge of the line
    /// @return false if the number of fields differs, or a field is not a number or out of range
    bool Read(const Fields& fields, const Fields& columns, EdgeLine& edge) const
    {
        bool isRight = fields.size() == columns.size();
        for (std::size_t i = 0; isRight && i < fields.size(); ++i)
        {
            if (columns[i] == "weight")
            {
                edge.weight = FindNumber<double>(fields[i]).value_or(NAN);
                isRight = edge.weight > 0.0 && edge.weight < 1.0;
                continue;
            }
            const bool isPhase = columns[i] == "phase";
            std::uint64_t& number = isPhase                  ? edge.phase
                                    : columns[i] == "source" ? edge.source
                                                             : edge.target;
            const std::uint64_t largest = isPhase ? LARGEST_PHASE : m_nodes - 1;
            number = FindNumber<std::uint64_t>(fields[i]).value_or(largest + 1);
            isRight = number <= largest;
        }
        return isRight;
    }

    void Require(bool accepted, const std::string& expected) const
    {
        DPDL_REFUSE_IF(!accepted, m_place, m_line, expected);
    }

    void Add(const EdgeLine& edge)
    {
        Require(edge.source != edge.target, "two different nodes: every node keeps a share anyway");
        CheckPhase(edge);
        Require(m_seen.emplace(edge.phase, edge.source, edge.target).second, "every edge once");
        double& given = m_given[{edge.phase, edge.source}];
        given += edge.weight;
        Require(given <= 1.0 - NeighbourLists::LEAST_KEPT,
                "weights of sum below 1 for a node and phase: it keeps the rest");
        m_phases.resize(std::max<std::size_t>(m_phases.size(), edge.phase + 1));
        m_phases[edge.phase].push_back(
            {static_cast<NodeId>(edge.source), static_cast<NodeId>(edge.target), edge.weight});
    }

    /// Checks the phase of a line of three unnamed columns. Such columns are read as phase, source
    /// and target, but may also be meant as source, target and weight.
    void CheckPhase(const EdgeLine& edge)
    {
        if (m_columns != LAYOUTS[1] || m_isNamed)
        {
            return;
        }
        Require(edge.phase == m_phases.size() || edge.phase + 1 == m_phases.size(),
                "phases that ascend from 0 without gaps, since the columns may be phase, source "
                "and target or source, target and weight; or " +
                    NAMES);
        m_mayBeWeights = m_mayBeWeights && edge.phase < m_nodes && edge.phase != edge.source &&
                         m_pairs.emplace(edge.phase, edge.source).second;
    }

    /// Accepted node numbers, for error messages.
    std::string Range() const
    {
        return " in 0.." + std::to_string(m_nodes - 1);
    }

    std::string Expected() const
    {
        const std::string phase = "phase in 0.." + std::to_string(LARGEST_PHASE);
        const std::string nodes = "two node numbers" + Range();
        if (m_columns.empty())
        {
            return nodes + ", or a " + phase + " before them, and a weight in (0, 1) behind these";
        }
        const bool hasPhase = m_columns.front() == "phase";
        const bool hasWeight = m_columns.back() == "weight";
        return (hasPhase ? "a " + phase + (hasWeight ? ", " : " and ") : "") + nodes +
               (hasWeight ? " and a weight in (0, 1)" : "");
    }

    /// First lines that name three columns, for error messages.
    inline static const std::string NAMES =
        "a first line 'phase source target' or 'source target weight'";

    std::string m_name;    ///< name of the file, for error messages
    std::string m_place;   ///< file and line, for error messages
    std::string m_line;    ///< text of the current line
    std::size_t m_nodes;   ///< number of nodes; indices of nodes must be smaller
    Fields m_columns;      ///< columns of every line; empty before the first line
    bool m_isNamed{false}; ///< true: the first line names the columns
    /// True: every line so far would also be valid as source, target and weight.
    bool m_mayBeWeights{true};
    /// First two numbers of each line so far, for files of three unnamed columns. If a pair is
    /// repeated, the columns cannot be source, target and weight.
    std::set<std::pair<std::uint64_t, std::uint64_t>> m_pairs;
    /// Phase, source and target of all edges so far.
    std::set<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>> m_seen;
    /// Sum of the weights of a source's edges so far, in one phase; key: phase and source.
    std::map<std::pair<std::uint64_t, std::uint64_t>, double> m_given;
    std::vector<std::vector<Edge>> m_phases;          ///< edges by phase, from 0
    std::vector<std::optional<Position>> m_positions; ///< positions so far; index: node
};

} // namespace

std::shared_ptr<GraphSequence>
ParseEdgeList(std::istream& text, const std::string& name, std::size_t nodes)
{
    EdgeListReader reader(name, nodes);
    ForEachContentLine(text, [&reader](std::size_t number, const std::string& line) {
        reader.AddLine(number, line);
    });
    return reader.Finish();
}

std::shared_ptr<GraphSequence>
ReadEdgeListFile(const std::string& path, std::size_t nodes)
{
    std::ifstream file = OpenInputFile("graph file", path);
    return ParseEdgeList(file, path, nodes);
}

} // namespace dpdl
