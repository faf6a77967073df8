// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TEST_RUN_H
#define DPDL_TEST_RUN_H

#include "dpdl/experiment/experiment.h"

#include "ns3/dpdl-helper.h"
#include "ns3/dpdl-node-state.h"
#include "ns3/simulator.h"

#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

namespace dpdltest
{

/// What a run leaves that does not depend on its clock.
struct Outcome
{
    bool complete{false};                           ///< all nodes have done all rounds
    std::vector<std::vector<float>> states;         ///< z of each node at the end
    std::vector<dpdl::ScaledDouble> weights;        ///< w of each node at the end
    std::vector<std::tuple<double, double>> rounds; ///< accuracy and epsilon after each round
    std::vector<std::tuple<uint32_t, double, double>> releases; ///< round, bound and noise

    /// @param other is compared bit for bit
    bool operator==(const Outcome& other) const
    {
        return complete == other.complete && states == other.states && weights == other.weights &&
               rounds == other.rounds && releases == other.releases;
    }
};

/// Number in an environment variable. @param name of it @param usual where there is none
inline uint32_t
FromEnvironment(const char* name, uint32_t usual)
{
    const char* const text = std::getenv(name);
    return text == nullptr ? usual : static_cast<uint32_t>(std::strtoul(text, nullptr, 10));
}

/// @param places of the nodes @return nodes that stand there
inline ns3::NodeContainer
StandingAt(const std::vector<ns3::Vector>& places)
{
    ns3::NodeContainer nodes;
    nodes.Create(static_cast<uint32_t>(places.size()));
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        ns3::PlaceDpdlNode(nodes.Get(i), places[i]);
    }
    return nodes;
}

/// @param places of the nodes on a line, in metres @return nodes that stand there
inline ns3::NodeContainer
StandingOnALine(const std::vector<double>& places)
{
    std::vector<ns3::Vector> points;
    for (const double x : places)
    {
        points.emplace_back(x, 0.0, 0.0);
    }
    return StandingAt(points);
}

/**
 * @brief Settings of a run that takes some milliseconds.
 * @param trace path of its trace
 * @return the settings
 */
inline dpdl::RunOptions
SmallRun(const std::string& trace)
{
    dpdl::RunOptions settings;
    settings.model = "softmax-regression";
    settings.samples = 200;
    settings.testSamples = 50;
    settings.nodes = 5;
    settings.rounds = 6;
    settings.batchSize = 8;
    settings.evaluateEvery = 1;
    settings.workers = 1;
    settings.measureQ = false;
    settings.accountant = "rdp"; // the fastest
    settings.trace = trace;
    settings.overwrite = true;
    return settings;
}

/**
 * @brief Writes a graph of five nodes whose weights leave 1.
 * @param path where
 * @return its name for the option topology
 */
inline std::string
UnbalancedGraph(const std::string& path)
{
    std::ofstream(path) << "0 1\n0 2\n0 3\n1 0\n2 0\n3 4\n4 0\n";
    return "file:" + path;
}

/**
 * @brief Notes accuracy and epsilon of every round.
 * @param experiment is watched
 * @param outcome receives them
 */
inline void
Watch(dpdl::Experiment& experiment, Outcome& outcome)
{
    experiment.Recorder().SetProgressCallback([&outcome](const dpdl::Progress& progress) {
        outcome.rounds.emplace_back(progress.accuracy, progress.epsilon.value_or(0.0));
    });
}

/**
 * @brief Takes the final state of a run.
 * @param experiment is finished
 * @param outcome receives it
 */
inline void
Collect(dpdl::Experiment& experiment, Outcome& outcome)
{
    outcome.complete = true;
    for (uint32_t node = 0; node < experiment.Settings().nodes; ++node)
    {
        const dpdl::Learner& learner = experiment.At(node);
        outcome.complete = outcome.complete && learner.Finished();
        // A node that was stopped in the middle of a round has nothing to show.
        if (learner.State())
        {
            const dpdl::ParameterVector& z = *learner.State();
            outcome.states.emplace_back(z.Data(), z.Data() + z.Size());
        }
        outcome.weights.push_back(learner.Weight());
        for (const dpdl::Release& release : experiment.Recorder().Releases().ForNode(node))
        {
            const dpdl::Release& fields = release;
            outcome.releases.emplace_back(fields.round, fields.sensitivity, fields.noise);
        }
    }
}

/**
 * @brief Runs without a simulator.
 * @param settings of the run
 * @return what it leaves
 */
inline Outcome
RunInLockstep(const dpdl::RunOptions& settings)
{
    Outcome outcome;
    dpdl::Experiment experiment(settings, {});
    Watch(experiment, outcome);
    LockstepRun(experiment);
    Collect(experiment, outcome);
    return outcome;
}

/// May change a run that is installed.
using Prepare = std::function<void(ns3::DpdlHelper&, ns3::ApplicationContainer)>;

/**
 * @brief Runs in ns-3.
 * @param settings of the run
 * @param prepare is called before it starts
 * @param inspect is called after its end
 * @param build gives the nodes a network
 * @return what it leaves
 */
inline Outcome
RunInSimulator(const dpdl::RunOptions& settings,
               const Prepare& prepare = {},
               const std::function<void(dpdl::Experiment&)>& inspect = {},
               const std::function<void(const ns3::NodeContainer&)>& build = {})
{
    Outcome outcome;
    ns3::NodeContainer nodes;
    nodes.Create(static_cast<uint32_t>(settings.nodes));
    if (build)
    {
        build(nodes);
    }
    ns3::DpdlHelper helper(settings);
    ns3::ApplicationContainer applications = helper.Install(nodes);
    Watch(helper.Experiment(), outcome);
    if (prepare)
    {
        prepare(helper, applications);
    }
    ns3::Simulator::Run();
    const bool complete = helper.Finish();
    Collect(helper.Experiment(), outcome);
    outcome.complete = outcome.complete && complete;
    if (inspect)
    {
        inspect(helper.Experiment());
    }
    ns3::Simulator::Destroy();
    return outcome;
}

} // namespace dpdltest

#endif // DPDL_TEST_RUN_H
