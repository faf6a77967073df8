// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/option-table.h"

#include "dpdl/base/noise-source.h"
#include "dpdl/base/quantity.h"
#include "dpdl/base/text.h"
#include "dpdl/data/sampler.h"
#include "option-builder.h"

#include <algorithm>

namespace dpdl
{

namespace
{

using Table = std::vector<Option>;

void
AddLearning(OptionBuilder& add)
{
    add.Text("algorithm",
             "dyn-d2p",
             "a name of `list algorithms`",
             "learning algorithm",
             &RunSettings::algorithm);
    add.Text("hyper",
             "",
             "NAME=VALUE,... of `list algorithms`",
             "hyper-parameters of the algorithm",
             &RunSettings::hyper);
    add.Text("scheduleFile",
             "",
             "a table round,clip,noise",
             "clip bound and noise of dyn-d2p-general",
             &RunSettings::scheduleFile);
    add.Choice<Mode>("mode",
                     {{"sound", Mode::SOUND}, {"paper", Mode::PAPER}},
                     "rigorous calibration, or the paper's literal choices",
                     &RunSettings::mode);
    add.Text("model",
             "cnn-s",
             "a name of `list models`",
             "what every node trains",
             &RunSettings::model);
    add.Text("dataset",
             "fashion-mnist",
             "a name of `list datasets`",
             "what it is trained on",
             &RunSettings::dataset);
    add.Text("dataDir",
             "",
             "a folder with the original files",
             "where the dataset is",
             &RunSettings::dataDir);
    add.Count("samples", "all", 1, "use the first N training examples", &RunSettings::samples);
    add.Count("testSamples", "all", 1, "use the first N test examples", &RunSettings::testSamples);
    add.Text("partition",
             "even",
             "even, contiguous, dirichlet:A, by-class:S",
             "which example belongs to which node",
             &RunSettings::partition);
    add.Count("nodes", "", 2, "number of nodes", &RunSettings::nodes);
    add.Count("rounds", "", 1, "number of rounds", &RunSettings::rounds);
    add.Count("batchSize", "", 1, "expected examples in a batch", &RunSettings::batchSize);
    add.Text("sampler",
             "poisson",
             JoinNames(Samplers().AvailableNames()),
             "how a batch is drawn",
             &RunSettings::sampler);
    add.Positive("stepSize", "step size gamma", &RunSettings::stepSize);
    add.Choice<std::string>("init",
                            {{"default", "default"}, {"zero", "zero"}},
                            "initial parameters: the layers' own, or zero",
                            &RunSettings::init);
}

void
AddPrivacy(OptionBuilder& add)
{
    add.Epsilon("epsilon", "privacy budget epsilon, of all nodes or of each");
    add.Real("delta",
             "a number in (0, 1)",
             "privacy budget delta",
             &RunSettings::delta,
             [](double value) { return value > 0.0 && value < 1.0; });
    add.Positive("clip", "initial L2 bound on one sample's gradient", &RunSettings::clip);
    add.Choice<bool>("noise",
                     {{"on", true}, {"off", false}},
                     "add the calibrated noise; off: certified epsilon is inf",
                     &RunSettings::noise);
    add.Text("noiseSource",
             "philox",
             JoinNames(NoiseSources().AvailableNames()),
             "where the noise comes from",
             &RunSettings::noiseSource);
    add.Text("accountant",
             "pld",
             "a certified name of `list accountants`",
             "what calibrates the noise and certifies the run",
             &RunSettings::accountant);
    add.Choice<Adjacency>("adjacency",
                          {{"add-remove", Adjacency::ADD_REMOVE}, {"replace", Adjacency::REPLACE}},
                          "what two neighbouring datasets differ in",
                          &RunSettings::adjacency);
    add.Positive("stopAt",
                 "certified epsilon at which a node stops learning",
                 &RunSettings::stopAt,
                 "none");
}

void
AddNetwork(OptionBuilder& add)
{
    add.Text("topology",
             "exponential",
             "a name of `list topologies`",
             "who sends to whom",
             &RunSettings::topology);
    add.Registered("network", Networks(), "what carries the shares", &RunSettings::network);
    add.Registered("transport", Transports(), "sockets of packet mode", &RunSettings::transport);
    add.OfLinks("dataRate",
                "10Mbps",
                "a data rate such as 10Mbps",
                "rate of every link",
                &RunSettings::dataRate,
                ParseBitsPerSecond,
                "bps",
                &LinkFiles::dataRate);
    add.OfLinks("delay",
                "5ms",
                "a time such as 5ms",
                "latency of every link",
                &RunSettings::delay,
                ParseSeconds,
                "s",
                &LinkFiles::delay);
    add.OfLinks("drop",
                "0",
                "a probability in [0, 1)",
                "probability that a link drops a message",
                &RunSettings::drop,
                ParseLossProbability,
                "",
                &LinkFiles::drop);
    add.Registered("lossPolicy",
                   LossPolicies(),
                   "what becomes of lost mass",
                   &RunSettings::lossPolicy);
    add.Share("share", "leading parts of the model that travel; the rest stays at its node");
    add.Chunk("chunk", "bytes of parameters in a message; none: all of a model's");
    add.OptionalChoice<StepScale>(
        "stepScale",
        {{"plain", StepScale::PLAIN}, {"by-weight", StepScale::BY_WEIGHT}},
        "gamma / w as published, or gamma",
        &RunSettings::stepScale);
    add.Choice<Schedule>(
        "schedule",
        {{"synchronous", Schedule::SYNCHRONOUS}, {"asynchronous", Schedule::ASYNCHRONOUS}},
        "who waits for whom",
        &RunSettings::schedule);
    add.DeadlineOption("deadline", "how long a round may take");
    add.OptionalCount("staleness",
                      "rounds that an asynchronous node may be ahead of what it has heard",
                      &RunSettings::staleness);
    add.List("fail",
             "a sentence such as 'link 3->4 down at 10s for 5s'; may be given again",
             "what goes wrong in the network",
             &RunSettings::fail,
             true);
    add.List("failures",
             "a file of such sentences",
             "what goes wrong in the network, line by line",
             &RunSettings::failures,
             false);
    add.Compute("compute", "simulated time of a local step");
}

void
AddMachineAndTrace(OptionBuilder& add)
{
    add.Choice<std::string>("device",
                            {{"auto", "auto"}, {"cpu", "cpu"}, {"cuda", "cuda"}},
                            "where learning is computed; auto: cpu",
                            &RunSettings::device);
    add.Count("workers", "all cores", 1, "training threads", &RunSettings::workers);
    add.Seed("seed", "ns-3's RngSeed", [](RunSettings& s) -> std::uint32_t& {
        return s.seed.seed;
    });
    add.Seed("run", "ns-3's RngRun", [](RunSettings& s) -> std::uint32_t& { return s.seed.run; });
    add.Text("trace",
             "NAME-SEED-RUN.db",
             "a path",
             "file that the run is written to",
             &RunSettings::trace);
    add.Flag("overwrite", "replace an existing trace", &RunSettings::overwrite);
    add.Choice<bool>("payload",
                     {{"handle", false}, {"bytes", true}},
                     "virtual bytes with a handle to the parameters, or the parameters' own bytes",
                     &RunSettings::payloadBytes);
    add.Choice<TraceLevel>("traceLevel",
                           {{"full", TraceLevel::FULL},
                            {"summary", TraceLevel::SUMMARY},
                            {"noise", TraceLevel::NOISE}},
                           "which rows the trace holds",
                           &RunSettings::traceLevel);
    add.Count("evaluateEvery",
              "",
              0,
              "rounds between evaluations; 0: at the end only",
              &RunSettings::evaluateEvery);
    add.Count("snapshotEvery",
              "",
              0,
              "rounds between snapshots; 0: final state only",
              &RunSettings::snapshotEvery);
    add.Count("qWindow", "max(period, B)", 1, "rounds of a q window", &RunSettings::qWindow);
    add.Choice<bool>("progress",
                     {{"auto", true}, {"none", false}},
                     "show how far the run is",
                     &RunSettings::progress);
}

Table
MakeTable()
{
    Table table;
    OptionBuilder add(table);
    AddLearning(add);
    AddPrivacy(add);
    AddNetwork(add);
    AddMachineAndTrace(add);
    return table;
}

} // namespace

const std::vector<Option>&
LearningOptions()
{
    static const Table table = MakeTable();
    return table;
}

const Option*
FindOption(const std::vector<Option>& options, const std::string& name)
{
    const auto option =
        std::find_if(options.begin(), options.end(), [&name](const Option& candidate) {
            return candidate.name == name;
        });
    return option == options.end() ? nullptr : &*option;
}

void
SetOption(RunSettings& settings, const std::string& name, const std::string& value)
{
    const Table& table = LearningOptions();
    const Option* const option = FindOption(table, name);
    if (option == nullptr)
    {
        std::vector<std::string> names;
        for (const Option& known : table)
        {
            names.push_back(known.name);
        }
        const std::string nearest = NearestName(name, names);
        throw UsageError(
            "option '" + Excerpt(name) + "' is unknown; " +
            (nearest.empty() ? "--help lists the options" : "did you mean '" + nearest + "'?"));
    }
    option->set(settings, value);
    settings.given.insert(name);
}

} // namespace dpdl
