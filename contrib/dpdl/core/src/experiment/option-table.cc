// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/option-table.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/noise-source.h"
#include "dpdl/base/quantity.h"
#include "dpdl/data/dataset.h"
#include "dpdl/data/sampler.h"
#include "dpdl/experiment/checkpoint-log.h"
#include "dpdl/experiment/resolve.h"
#include "dpdl/privacy/accountant.h"
#include "dpdl/training/compressor.h"
#include "dpdl/training/gradient-engine.h"
#include "dpdl/training/mix-rule.h"
#include "option-codecs.h"

// Table of the options of a run: name, codec, member of RunOptions and help text.

namespace dpdl
{

namespace
{

/// Largest seed that ns-3's generator MRG32k3a accepts: its second modulus minus 1.
constexpr std::uint64_t LARGEST_SEED = 4294944442;

using Table = OptionTable<RunOptions>;

/// Largest number of rounds in a window of option `qWindow`. A longer window gives no more
/// information than several shorter windows.
constexpr std::uint64_t MOST_ROUNDS_OF_Q = 1'000'000;

/// Prefix of an option's value that is the path of a file with values for single links.
const std::string LINK_FILE_PREFIX = "file:";

/// Adds an option of links. Its value is one number for all links, displayed with @p unit, or a
/// file with values for single links.
OptionRow<RunOptions>&
AddOfLinks(Table& table,
           const Codec<double>& codec,
           const OrUsual<double>& number,
           LinkColumn column,
           const std::string& name,
           const std::string& meaning)
{
    OptionRow<RunOptions>& row = table.Add(name, codec, number, meaning);
    row.accepted += ", or " + LINK_FILE_PREFIX + "PATH";
    row.set = [=, set = row.set](RunOptions& settings, const std::string& text) {
        const bool isFile = text.rfind(LINK_FILE_PREFIX, 0) == 0;
        DPDL_REFUSE_IF(text == LINK_FILE_PREFIX,
                       OptionTitle(name),
                       text,
                       LINK_FILE_PREFIX + "PATH");
        settings.linkFiles.erase(column);
        if (isFile)
        {
            settings.linkFiles[column] = text.substr(LINK_FILE_PREFIX.size());
            return;
        }
        set(settings, text);
    };
    row.show = [=, show = row.show](const RunOptions& settings) {
        const auto file = settings.linkFiles.find(column);
        return file == settings.linkFiles.end() ? show(settings) : LINK_FILE_PREFIX + file->second;
    };
    return row;
}

void
AddLearning(Table& table)
{
    using S = RunOptions;
    table.Add("algorithm",
              SomeText("a name of `list algorithms`"),
              &S::algorithm,
              "learning algorithm");
    table.Add("recipe",
              OneOf<std::string>({{"none", "none"}, {"best", "best"}}, true),
              &S::recipe,
              "what stands in for options that are not given");
    table.Add("hyper",
              AnyText("NAME=VALUE,... of `list algorithms`"),
              &S::hyper,
              "hyper-parameters of the algorithm");
    table.Add("scheduleFile",
              AnyText("a table round,clip,noise"),
              &S::scheduleFile,
              "clip bound and noise of dyn-d2p-general");
    table.Add("mode",
              OneOf<Mode>({{"sound", Mode::SOUND}, {"paper", Mode::PAPER}}, true),
              &S::mode,
              "rigorous calibration, or the paper's literal choices");
    table.Add("model", SomeText("a name of `list models`"), &S::model, "what every node trains");
    table.Add("dataset",
              SomeText("a name of `list datasets`"),
              &S::dataset,
              "what it is trained on");
    table.Add("dataDir",
              AnyText("a folder with the original files"),
              &S::dataDir,
              "where the dataset is");
    const Codec<std::size_t> examples = Count<std::size_t>(1, "all");
    table.Add("samples", examples, &S::samples, "use the first N training examples");
    table.Add("testSamples", examples, &S::testSamples, "use the first N test examples");
    table.Add("label",
              SomeText("the name of a column"),
              &S::label,
              "dataset file:NAME.csv: column of the labels");
    table.Add("testFraction",
              InsideUnit(),
              &S::testFraction,
              "dataset file:NAME.csv: share of the rows that tests");
    table.Add("classes",
              Count<std::uint32_t>(1, "counted", 65536),
              &S::classes,
              "dataset file:NAME: declared number of classes, 1 for a regression; counted: that of "
              "the file, taken as public");
    table.Add("features",
              CheckedText(Features::ACCEPTED, Features::Parse),
              &S::features,
              "what models see of an example");
    table.Add("partition",
              SomeText("even, contiguous, dirichlet:A, by-class:S, given"),
              &S::partition,
              "which example belongs to which node");
    table.Add("nodes", Count<std::size_t>(2), &S::nodes, "number of nodes");
    table.Add("rounds", Count<Round>(1), &S::rounds, "number of rounds");
    table.Add("batchSize",
              Count<std::size_t>(1),
              Usual(&S::batchSize, &ResolvedRun::batchSize),
              "expected examples in a batch");
    table.Add("sampler",
              SomeText(JoinNames(Samplers().Names())),
              &S::sampler,
              "how a batch is drawn");
    table.Add("publicExamples",
              Count<std::size_t>(1, "own"),
              &S::publicExamples,
              "number of examples by which noise and rate of every node are calibrated; own: its "
              "true number, taken as public");
    table.Add(
        "independentNoise",
        Flag(),
        &S::independentNoise,
        "noise and batches that no other run of the seed has: runs with other settings may be "
        "published together, and their epsilons add up");
    table.Add("stepSize", Positive(), &S::stepSize, "step size gamma");
    table.Add("init",
              OneOf<std::string>({{"default", "default"}, {"zero", "zero"}}, true),
              &S::init,
              "initial parameters: the layers' own, or zero");
}

void
AddPrivacy(Table& table)
{
    using S = RunOptions;
    const Choices<Adjacency> adjacencies{{"add-remove", Adjacency::ADD_REMOVE},
                                         {"replace", Adjacency::REPLACE}};
    table.Add("epsilon",
              Epsilons(),
              Usual(&S::epsilon, &ResolvedRun::epsilon),
              "privacy budget epsilon, of all nodes or of each");
    table.Add("delta", Delta(), &S::delta, "privacy budget delta");
    table.Add("clip", Positive(), &S::clip, "initial L2 bound on one sample's gradient");
    table.Add("noise",
              OneOf<bool>({{"on", true}, {"off", false}}, true),
              &S::noise,
              "add the calibrated noise; off: certified epsilon is inf");
    table.Add("noiseSource",
              SomeText(JoinNames(NoiseSources().Names())),
              Usual(&S::noiseSource, &ResolvedRun::noiseSource),
              "where the noise comes from");
    table.Add("accountant",
              AccountantName(SomeText("a certified name of `list accountants`")),
              &S::accountant,
              "what calibrates the noise and certifies the run");
    table.Add("adjacency",
              OneOf(adjacencies, true),
              &S::adjacency,
              "what two neighbouring datasets differ in");
    table.Add("unit",
              OneOf<bool>({{"example", false}, {"node", true}}, true),
              &S::protectsNodes,
              "what the guarantee hides: one example, or all examples of a node");
    table.Add("stopAt",
              Positive("none"),
              &S::stopAt,
              "certified epsilon at which a node stops learning");
}

void
AddNetwork(Table& table)
{
    using S = RunOptions;
    table.Add("topology",
              SomeText("a name of `list topologies`"),
              &S::topology,
              "who sends to whom");
    table.Add("contactsStart",
              Number("seconds >= 0", [](double seconds) { return seconds >= 0.0; }),
              &S::contactsStart,
              "time in the file of --topology=contacts:PATH at which the run begins, s");
    table.Add("network", Registered(Networks()), &S::network, "what carries the shares");
    table.Add("transport",
              Registered(Transports()),
              Usual(&S::transport, &ResolvedRun::transport),
              "sockets of packet mode");
    AddOfLinks(table,
               Quantity("a data rate such as 10Mbps", ParseBitsPerSecond, "bps"),
               OrUsual<double>{&S::dataRate, LinkParameters().dataRate},
               LinkColumn::DATA_RATE,
               "dataRate",
               "rate of every link")
        .Default("10Mbps");
    AddOfLinks(table,
               Quantity("a time such as 5ms", ParseSeconds, "s"),
               OrUsual<double>{&S::delay, LinkParameters().delay},
               LinkColumn::DELAY,
               "delay",
               "latency of every link")
        .Default("5ms");
    AddOfLinks(table,
               Quantity("a probability in [0, 1)", ParseLossProbability),
               OrUsual<double>{&S::drop, LinkParameters().drop},
               LinkColumn::DROP,
               "drop",
               "probability that a link drops a message");
    table.Add("lossPolicy",
              Registered(LossPolicies()),
              &S::lossPolicy,
              "what becomes of lost mass");
    table.Add("mix",
              CheckedText(MIX_RULES, [](auto&, auto& text) { ParseMixRule(text); }),
              &S::mix,
              "what a node makes of the models that it hears, some of which may lie");
    table
        .Add("sharedLayers",
             Maybe("auto", Count<std::size_t>(1, "all")),
             &S::sharedLayers,
             "leading parts of the model that travel; the rest stays at its node")
        .Accepts("auto, all, or a number of parts of `list models NAME`")
        .Formerly("share");
    table.Add("chunk",
              ChunkBytes(),
              &S::chunkBytes,
              "bytes of parameters in a message; none: all of a model's");
    table.Add("compress",
              CheckedText(COMPRESSIONS, [](auto&, auto& text) { MakeCompressor(text, {}); }),
              OrUsual<std::string>{&S::compress, AlgorithmPreset().compress},
              "how parameters are made smaller behind the noise, before they are sent");
}

void
AddRounds(Table& table)
{
    using S = RunOptions;
    const Choices<std::optional<StepScale>> scales{{"auto", std::nullopt},
                                                   {"plain", StepScale::PLAIN},
                                                   {"by-weight", StepScale::BY_WEIGHT}};
    const Choices<Schedule> schedules{{"synchronous", Schedule::SYNCHRONOUS},
                                      {"asynchronous", Schedule::ASYNCHRONOUS},
                                      {"wait-free", Schedule::WAIT_FREE}};
    table.Add("stepScale", OneOf(scales, true), &S::stepScale, "gamma / w as published, or gamma");
    table.Add("schedule", OneOf(schedules, true), &S::schedule, "who waits for whom");
    table.Add("deadline", RoundDeadline(), &S::deadline, "how long a round may take");
    table.Add("staleness",
              Maybe("auto", Count<Round>(0)),
              &S::staleness,
              "rounds that an asynchronous node may be ahead of what it has heard");
    table.AddList("fail",
                  "an event such as 'link 3->4 down at 10s for 5s'; may be given again",
                  &S::fail,
                  "what goes wrong in the network");
    table.Add("failures",
              OneText("a file of such events"),
              &S::failures,
              "what goes wrong in the network, line by line");
    table
        .Add("compute",
             StepTimes(),
             Usual(&S::compute, &ResolvedRun::compute),
             "simulated time of a local step")
        .Default("fixed:10ms");
}

void
AddMachineAndTrace(Table& table)
{
    using S = RunOptions;
    const Choices<TraceLevel> levels{{"full", TraceLevel::FULL},
                                     {"summary", TraceLevel::SUMMARY},
                                     {"noise", TraceLevel::NOISE}};
    table.Add("device",
              OneOf<std::string>({{"auto", "auto"}, {"cpu", "cpu"}, {"cuda", "cuda"}}, true),
              &S::device,
              "where learning is computed; auto: cpu, or cuda where it was measured to be faster");
    table.Add("engine",
              SomeText(JoinNames(GradientEngines().Names())),
              &S::engine,
              "what computes gradients; auto: native for chains of layers, else libtorch");
    table.Add("workers", Count<unsigned>(1, "all cores", 1024), &S::workers, "training threads");
    const Codec<std::uint32_t> word = Count<std::uint32_t>(1);
    table
        .Add("seed",
             Count<std::uint32_t>(1, "", LARGEST_SEED),
             Within(&S::seed, &RandomSeed::seed),
             "ns-3's RngSeed, under which name it also works")
        .Also("RngSeed");
    table
        .Add("run",
             word,
             Within(&S::seed, &RandomSeed::run),
             "ns-3's RngRun, under which name it also works")
        .Also("RngRun");
    table.Add("trace", SomeText("a path"), &S::trace, "file that the run is written to")
        .Default("NAME-SEED-RUN.db");
    table.Add("overwrite", Flag(), &S::overwrite, "replace an existing trace");
    table.Add("payload",
              OneOf<bool>({{"handle", false}, {"bytes", true}}, true),
              &S::payloadBytes,
              "virtual bytes with a handle to the parameters, or the parameters' own bytes");
    table.Add("traceLevel", OneOf(levels, true), &S::traceLevel, "which rows the trace holds");
    table.Add("evaluateEvery",
              Count<Round>(0),
              &S::evaluateEvery,
              "rounds between evaluations; 0: at the end only");
    table.Add("evaluateSamples",
              Count<std::size_t>(1, "all"),
              &S::evaluateSamples,
              "use the first N test examples for evaluations before the end");
    table.Add("average",
              Number("a number from 0 to 1", [](double f) { return f >= 0.0 && f <= 1.0; }),
              &S::average,
              "share of the rounds, the last ones, whose models are averaged for evaluations");
    table.Add("snapshotEvery",
              Count<Round>(0),
              &S::snapshotEvery,
              "rounds between snapshots; 0: final state only");
    table.Add("checkpoint",
              CheckpointRules(),
              &S::checkpoint,
              "how often it is kept what `./dpdl resume` needs not to compute all anew");
    table.Add("qWindow",
              Count<Round>(1, "max(period, B)", MOST_ROUNDS_OF_Q),
              &S::qWindow,
              "rounds of a q window");
    table.Add("progress",
              OneOf<bool>({{"auto", true}, {"none", false}}, true),
              &S::progress,
              "show how far the run is");
}

} // namespace

const OptionTable<RunOptions>&
LearningOptions()
{
    static const Table OPTIONS = [] {
        Table table;
        table.Group("Learning");
        AddLearning(table);
        table.Group("Privacy");
        AddPrivacy(table);
        table.Group("Network");
        AddNetwork(table);
        table.Group("Rounds, time and failures");
        AddRounds(table);
        table.Group("Machine and trace");
        AddMachineAndTrace(table);
        return table;
    }();
    return OPTIONS;
}

void
SetOption(RunOptions& settings, const std::string& name, const std::string& value)
{
    const OptionRow<RunOptions>* const option = LearningOptions().Find(name);
    if (option == nullptr)
    {
        const std::string elsewhere = NamedElsewhere(name);
        const std::string nearest =
            elsewhere.empty() ? NearestName(name, LearningOptions().Names()) : elsewhere;
        throw UsageError(
            "option '" + Excerpt(name) + "' is unknown; " +
            (nearest.empty() ? "--help lists the options" : "did you mean '" + nearest + "'?"));
    }
    if (option->formerName == name)
    {
        WarnOfFormerName("option", name, option->name);
    }
    option->set(settings, value);
    settings.given.insert(option->name);
}

} // namespace dpdl
