// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/topology/edge-list-file.h"

#include "dpdl/base/csv-reader.h"
#include "dpdl/base/errors.h"
#include "dpdl/topology/round-graph-sequence.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <istream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

// Reads the lines one by one, checks each edge, and collects the edges of each phase.

namespace dpdl
{

namespace
{

constexpr std::uint64_t LARGEST_PHASE = 65535;

template <typename Number>
bool
ReadNumber(const std::string& word, Number& number)
{
    const char* end = word.data() + word.size();
    const auto result = std::from_chars(word.data(), end, number);
    return result.ec == std::errc() && result.ptr == end;
}

/// Splits a line into integers, and a weight after three of them; false for any other word.
bool
SplitNumbers(const std::string& line, std::vector<std::uint64_t>& numbers, double& weight)
{
    numbers.clear();
    weight = 0.0;
    std::istringstream words(line);
    bool isRight = true;
    for (std::string word; isRight && words >> word;)
    {
        if (numbers.size() == 3)
        {
            return ReadNumber(word, weight) && weight > 0.0 && weight < 1.0 && !(words >> word);
        }
        numbers.push_back(0);
        isRight = ReadNumber(word, numbers.back());
    }
    return isRight;
}

/// Collects the edges of a list, line by line.
class EdgeListReader
{
  public:
    EdgeListReader(std::string name, std::size_t nodes)
        : m_name(std::move(name)),
          m_nodes(nodes)
    {
    }

    void AddLine(std::size_t lineNumber, const std::string& line)
    {
        const auto check = [&](bool accepted, const std::string& expected) {
            if (!accepted)
            {
                throw UsageError("graph file '" + m_name + "', line " + std::to_string(lineNumber),
                                 Excerpt(line),
                                 expected);
            }
        };
        double weight = 0.0;
        const bool numeric = SplitNumbers(line, m_numbers, weight);
        const std::size_t columns = m_numbers.size() + (weight > 0.0 ? 1 : 0);
        check(numeric && columns >= 2 && (m_columns == 0 || columns == m_columns), Expected());
        m_columns = columns;
        const std::uint64_t phase = columns >= 3 ? m_numbers[0] : 0;
        const std::uint64_t source = m_numbers[columns >= 3 ? 1 : 0];
        const std::uint64_t target = m_numbers.at(columns >= 3 ? 2 : 1);
        check(phase <= LARGEST_PHASE && source < m_nodes && target < m_nodes, Expected());
        check(source != target, "two different nodes: every node keeps a share anyway");
        check(m_seen.emplace(phase, source, target).second, "every edge once");
        double& given = m_given[{phase, source}];
        given += weight;
        check(given <= 1.0 - NeighbourLists::LEAST_KEPT,
              "weights of sum below 1 for a node and phase: it keeps the rest");
        m_phases.resize(std::max<std::size_t>(m_phases.size(), phase + 1));
        m_phases[phase].push_back(
            {static_cast<NodeId>(source), static_cast<NodeId>(target), weight});
    }

    std::shared_ptr<GraphSequence> Finish() const
    {
        if (m_phases.empty())
        {
            throw UsageError("graph file '" + m_name + "' has no edge; expected one edge a line");
        }
        return std::make_shared<PeriodicGraphSequence>(m_nodes, m_phases);
    }

  private:
    std::string Expected() const
    {
        const std::string range = " in 0.." + std::to_string(m_nodes - 1);
        const std::string phase = "phase in 0.." + std::to_string(LARGEST_PHASE);
        switch (m_columns)
        {
        case 0:
            return "two node numbers" + range + ", or a " + phase +
                   " before them, and a weight in (0, 1) behind these";
        case 2:
            return "two node numbers" + range;
        case 3:
            return "a " + phase + " and two node numbers" + range;
        default:
            return "a " + phase + ", two node numbers" + range + " and a weight in (0, 1)";
        }
    }

    std::string m_name;                   ///< for messages
    std::size_t m_nodes;                  ///< n
    std::size_t m_columns{0};             ///< number of columns of the first line
    std::vector<std::uint64_t> m_numbers; ///< of the current line
    std::set<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>> m_seen; ///< all edges
    /// Sum of weights, by phase and source.
    std::map<std::pair<std::uint64_t, std::uint64_t>, double> m_given;
    std::vector<std::vector<Edge>> m_phases; ///< edges by phase
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
