// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/algorithms.h"
#include "dpdl/data/dataset.h"
#include "experiment-fixture.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

namespace dpdl
{
namespace
{

using Edges = std::vector<std::pair<NodeId, NodeId>>;
const Edges UNBALANCED{{0, 1}, {0, 2}, {0, 3}, {1, 0}, {2, 0}, {3, 4}, {4, 0}};
const std::vector<NodeId> IDENTITY{0, 1, 2, 3, 4};
const Edges RING{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}};

/// Laws of what a node's name and its links do to it.
class NodeLawsTest : public ExperimentTest
{
  protected:
    using States = std::map<std::pair<Round, NodeId>, std::vector<float>>;

    static constexpr NodeId NODES = 5;
    static constexpr std::size_t OWNED = 40; ///< examples of a node

    /// A run in which nothing is drawn for a node: full batches, parts in file order, no noise.
    RunOptions Drawless(const std::string& algorithm, const std::string& graph) const
    {
        RunOptions settings = Small();
        settings.algorithm = algorithm;
        if (MakeAlgorithm(algorithm).sensitivity)
        {
            settings.hyper = "syncPeriod=0"; // or every fourth graph is another one
        }
        settings.topology = "file:" + Write("graph", graph);
        settings.partition = "contiguous";
        settings.sampler = "full";
        settings.noise = false;
        settings.compress = "none";
        settings.snapshotEvery = 1;
        return settings;
    }

    /// Runs unless the algorithm refuses the graph or the model. @return false if it does
    bool TryRun(const RunOptions& settings)
    {
        try
        {
            Run(settings);
        }
        catch (const UsageError&)
        {
            return false;
        }
        return true;
    }

    /// An edge-list file of edges between renamed nodes.
    static std::string Text(const Edges& edges, const std::vector<NodeId>& names)
    {
        std::string text;
        for (const auto& [source, target] : edges)
        {
            text += std::to_string(names[source]) + " " + std::to_string(names[target]) + "\n";
        }
        return text;
    }

    /// z after every round.
    States ReadStates() const
    {
        SQLite::Database database(m_path, SQLite::OPEN_READONLY);
        SQLite::Statement statement(database, "SELECT round, node, z FROM snapshot");
        States states;
        while (statement.executeStep())
        {
            const SQLite::Column blob = statement.getColumn(2);
            std::vector<float> z(static_cast<std::size_t>(blob.getBytes()) / sizeof(float));
            std::memcpy(z.data(), blob.getBlob(), z.size() * sizeof(float));
            states[{statement.getColumn(0).getUInt(), statement.getColumn(1).getUInt()}] = z;
        }
        return states;
    }

    /// w of a node after every round.
    std::vector<double> Weights(NodeId node) const
    {
        std::vector<double> weights;
        for (const std::string& row : Query(
                 "SELECT w FROM snapshot WHERE node = " + std::to_string(node) + " ORDER BY round"))
        {
            weights.push_back(std::stod(row));
        }
        return weights;
    }

    /// Writes a file of the dataset's format: sizes, then the values.
    void WriteIdx(const std::string& name,
                  const std::vector<std::uint32_t>& sizes,
                  const std::vector<std::uint8_t>& values) const
    {
        std::string text{'\0', '\0', '\x08', static_cast<char>(sizes.size())};
        for (const std::uint32_t size : sizes)
        {
            for (int shift = 24; shift >= 0; shift -= 8)
            {
                text += static_cast<char>(size >> shift & 0xff);
            }
        }
        Write(name, text.append(values.begin(), values.end()));
    }

    void WriteSplit(const std::string& prefix, const Split& split) const
    {
        const auto size = static_cast<std::uint32_t>(split.Size());
        WriteIdx(prefix + "-images-idx3-ubyte", {size, 28, 28}, split.pixels);
        WriteIdx(prefix + "-labels-idx1-ubyte", {size}, {split.labels.begin(), split.labels.end()});
    }

    /// Writes the run's dataset with the part of node i where that of node names[i] was.
    void WriteRenamedData(const std::vector<NodeId>& names) const
    {
        const auto data = LoadDataset("fashion-mnist", "", NODES * OWNED, 50);
        Split renamed = data->train;
        for (NodeId node = 0; node < NODES; ++node)
        {
            const std::size_t pixels = OWNED * data->shape.Size();
            std::copy_n(data->train.pixels.begin() + node * pixels,
                        pixels,
                        renamed.pixels.begin() + names[node] * pixels);
            std::copy_n(data->train.labels.begin() + node * OWNED,
                        OWNED,
                        renamed.labels.begin() + names[node] * OWNED);
        }
        WriteSplit("train", renamed);
        WriteSplit("t10k", data->test);
    }

    /// Largest difference of two states in units of the largest value.
    static double Distance(const std::vector<float>& a, const std::vector<float>& b)
    {
        double largest = 0.0;
        double difference = 0.0;
        for (std::size_t i = 0; i < a.size(); ++i)
        {
            largest = std::max<double>(largest, std::fabs(a[i]));
            difference = std::max<double>(difference, std::fabs(a[i] - b[i]));
        }
        return difference / largest;
    }
};

TEST_F(NodeLawsTest, RenamingTheNodesRenamesTheResults)
{
    const std::vector<NodeId> names{3, 0, 4, 1, 2}; // new name of each node
    WriteRenamedData(names);
    int compared = 0;
    for (const std::string& algorithm : Algorithms().Names())
    {
        SCOPED_TRACE(algorithm);
        const AlgorithmPreset preset = MakeAlgorithm(algorithm);
        if (preset.exchange == Exchange::EXAMPLES || preset.exchange == Exchange::SERVER ||
            preset.topology)
        {
            continue; // node 0 is unlike the others, or a graph is drawn by the nodes' numbers
        }
        const bool isFree = TryRun(Drawless(algorithm, Text(UNBALANCED, IDENTITY)));
        const Edges& edges = isFree ? UNBALANCED : RING;
        if (!isFree && !TryRun(Drawless(algorithm, Text(RING, IDENTITY))))
        {
            continue; // it asks for another model
        }
        ++compared;
        const States states = ReadStates();
        std::vector<std::vector<double>> weights;
        for (NodeId node = 0; node < NODES; ++node)
        {
            weights.push_back(Weights(node));
        }
        RunOptions second = Drawless(algorithm, Text(edges, names));
        second.dataDir = m_folder.string();
        Run(second);
        const States others = ReadStates();
        ASSERT_EQ(others.size(), states.size());
        for (const auto& [key, z] : states)
        {
            EXPECT_LT(Distance(z, others.at({key.first, names[key.second]})), 1e-5);
        }
        for (NodeId node = 0; node < NODES; ++node)
        {
            const std::vector<double> own = Weights(names[node]);
            for (std::size_t k = 0; k < own.size(); ++k)
            {
                EXPECT_NEAR(own[k], weights[node][k], 1e-13);
            }
        }
        EXPECT_GT(Distance(states.at({6, 0}), others.at({6, 0})), 1e-3);
    }
    EXPECT_GT(compared, 8);
}

TEST_F(NodeLawsTest, ANodeWithoutOutNeighboursKeepsItsMass)
{
    int tried = 0;
    for (const std::string& algorithm : Algorithms().Names())
    {
        SCOPED_TRACE(algorithm);
        const AlgorithmPreset preset = MakeAlgorithm(algorithm);
        if (preset.exchange != Exchange::MODELS || preset.topology ||
            !TryRun(Drawless(algorithm, "0 1\n1 0\n1 2\n0 3\n3 0\n")))
        {
            continue; // it sends nothing, or has a graph, or asks for another model or graph
        }
        ++tried;
        const std::vector<double> sink = Weights(2);
        std::vector<double> total(sink.size());
        for (NodeId node = 0; node < NODES; ++node)
        {
            const std::vector<double> own = Weights(node);
            for (std::size_t k = 0; k < own.size(); ++k)
            {
                total[k] += own[k];
            }
        }
        EXPECT_EQ(sink[0], 1.0);
        for (std::size_t k = 1; k < sink.size(); ++k)
        {
            EXPECT_GT(sink[k], sink[k - 1]);
            EXPECT_NEAR(total[k], NODES, 1e-12);
        }
        EXPECT_EQ(Weights(4), std::vector<double>(sink.size(), 1.0));
    }
    EXPECT_GT(tried, 7);
}

} // namespace
} // namespace dpdl
