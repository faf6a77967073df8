// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/run-rules.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/experiment/compute-model.h"
#include "dpdl/privacy/gdp.h"
#include "dpdl/privacy/symmetric-matrix.h"
#include "dpdl/training/clip-rule.h"
#include "dpdl/training/cuda-device.h"

#include <algorithm>
#include <cmath>
#include <utility>

// Rules that derive properties of a run from its options, such as device, chunks and compression,
// and rules that give warnings.

namespace dpdl
{

namespace
{

/// Largest ratio of the features' scales in training and test examples without a warning. A ratio
/// of 255 is that of pixels to their normalised values.
constexpr double MOST_SCALES = 50.0;

/// Largest absolute value of the features of a split; 0: none, or pixels.
double
LargestFeature(const Split& split)
{
    double largest = 0.0;
    for (const float value : split.values)
    {
        largest = std::max(largest, std::abs(static_cast<double>(value)));
    }
    return largest;
}

/// True if the nodes add noise to their releases.
bool
IsNoisy(const ResolvedRun& run)
{
    return run.preset.isPrivate && run.noise;
}

/// Rejects a trimmed mean if a node has at most 2 * @p trimmed in-neighbours in some round.
/// @throws UsageError naming option 'mix'
void
CheckDegrees(const ResolvedRun& run, std::size_t trimmed)
{
    const GraphSequence& graph = *run.graph;
    const Round rounds = graph.FollowsRun() ? 0 : std::min<Round>(graph.Period(), run.rounds);
    for (Round round = 0; round < rounds; ++round)
    {
        for (NodeId node = 0; node < run.nodes; ++node)
        {
            const std::size_t heard = graph.InNeighbours(node, round).size();
            if (heard > 2 * trimmed)
            {
                continue;
            }
            const std::size_t most = heard > 0 ? (heard - 1) / 2 : 0;
            throw UsageError("option 'mix'",
                             run.mix,
                             (most > 0 ? "trimmed:F with F up to " + std::to_string(most)
                                       : std::string("average or clipped:TAU")) +
                                 " on topology '" + run.topology + "': node " +
                                 std::to_string(node) + " has in-degree " + std::to_string(heard) +
                                 " in round " + std::to_string(round) +
                                 ", and 2 F shares are left out");
        }
    }
}

} // namespace

void
CheckNoiseRows(const ResolvedRun& run)
{
    if (run.traceLevel != TraceLevel::NOISE || !IsNoisy(run))
    {
        return;
    }
    const double vectors = static_cast<double>(run.nodes) * static_cast<double>(run.rounds) *
                           run.preset.step->Iterations();
    const double bytes =
        vectors * sizeof(float) * static_cast<double>(run.modelSpec->ParameterCount());
    DPDL_REFUSE_IF(bytes > MOST_NOISE_BYTES,
                   "option 'traceLevel'",
                   "noise",
                   "full or summary, or fewer nodes, rounds or parameters: the noise of this "
                   "run would take " +
                       ShowRounded(bytes * 1e-9, 3) + " GB, and at most " +
                       ShowNumber(MOST_NOISE_BYTES * 1e-9) + " GB is stored");
}

Compression
ResolveCompression(const ResolvedLearning& run)
{
    Compression compression{MakeCompressor(run.preset.compress, run.seed)};
    compression.ofDifferences = SendsDifferences(run);
    return compression;
}

bool
IsFasterOnDevice(const ResolvedRun& run)
{
    const double threshold = DeviceThreshold();
    // A resumed run uses the device of the interrupted run. A run on several ranks uses the same
    // device on all ranks.
    if (!std::isfinite(threshold) || !run.resume.empty() || !run.part.IsWhole() ||
        ResolveEngine(run.engine, *run.modelSpec) != "native" || !RefusedByDevice(run).empty() ||
        run.data->train.pixels.empty())
    {
        return false;
    }
    // On a CUDA device, a batch of more than SUM_BLOCK examples has no certified guarantee. Random
    // batches with a mean of at most SUM_BLOCK / 2 examples hardly ever exceed it.
    const bool isCertified =
        !IsNoisy(run) || (run.sampler != "full" && 2 * run.batchSize <= SUM_BLOCK);
    const double operations = static_cast<double>(run.nodes) * static_cast<double>(run.batchSize) *
                              TrainingFlops(*run.modelSpec);
    return isCertified && operations >= threshold && WhyNoCudaDevice().empty();
}

double
ResolveMixingRate(const ResolvedLearning& run)
{
    if (run.preset.mixingRate > 0.0)
    {
        return run.preset.mixingRate;
    }
    const auto compressor = MakeCompressor(run.preset.compress, run.seed);
    return compressor ? compressor->MixingRate() : 1.0;
}

std::size_t
SharedParameters(const ResolvedLearning& run)
{
    const ModelSpec& model = *run.modelSpec;
    const std::size_t parts =
        run.sharedLayers.value_or(std::min(run.preset.sharedLayers, model.Parts()));
    DPDL_REFUSE_IF(parts > model.Parts(),
                   "option 'sharedLayers'",
                   std::to_string(parts),
                   "all or 1 to " + std::to_string(model.Parts()) + ": the parts of model '" +
                       model.Name() + "'");
    return parts == 0 ? model.ParameterCount() : model.PartEnd(parts);
}

std::vector<std::string>
IdleOptions(const RunOptions& asked, const ResolvedRun& run)
{
    const AlgorithmPreset& preset = run.preset;
    const bool hasNetwork = preset.exchange != Exchange::EXAMPLES;
    const bool isAlone = !hasNetwork || preset.exchange == Exchange::NOTHING;
    const bool isPacket = run.network == NetworkKind::PACKET;
    const bool hasSource = asked.noiseSource.value_or("philox") != "philox";
    const bool isFile = run.dataset.rfind("file:", 0) == 0;
    const bool isCsv = isFile && run.dataset.substr(run.dataset.size() - 4) == ".csv";
    const std::vector<std::pair<bool, std::string>> rows{
        {preset.clip == 0.0 && asked.clip,
         "option 'clip' has no effect: " + run.algorithm + " does not clip"},
        {!run.dataDir.empty() && (isFile || IsMade(run.dataset.substr(0, run.dataset.find(':')))),
         "option 'dataDir' has no effect: dataset '" + run.dataset + "' is not read from there"},
        {run.classes > 0 && !isFile,
         "option 'classes' has no effect: dataset '" + run.dataset + "' is no file"},
        {(asked.given.count("label") > 0 || asked.given.count("testFraction") > 0) && !isCsv,
         "options 'label' and 'testFraction' have no effect: dataset '" + run.dataset +
             "' is no csv file"},
        {!run.data->train.owners.empty() && run.partition != "given",
         "array 'node_train' has no effect: option 'partition' is not 'given'"},
        {preset.noiseMultiplier > 0.0 && asked.epsilon,
         "option 'epsilon' has no effect: the noise multiplier is fixed"},
        {!hasNetwork && !(asked.fail.empty() && asked.failures.empty()),
         "failures have no effect: " + run.algorithm + " has no network"},
        {run.preset.compress != "none" && isAlone,
         "option 'compress' has no effect: " + run.algorithm + " sends nothing"},
        {!ParseMixRule(run.mix).IsAverage() && isAlone,
         "option 'mix' has no effect: " + run.algorithm + " sends nothing"},
        {run.network == NetworkKind::IDEAL && (asked.dataRate || asked.delay),
         "options 'dataRate' and 'delay' have no effect: the ideal network takes no time"},
        {run.network == NetworkKind::IDEAL && run.link->drop > 0.0,
         "option 'drop' has no effect: the ideal network loses nothing"},
        {!isPacket && asked.given.count("transport") > 0,
         "option 'transport' has no effect: the network is not 'packet'"},
        {isPacket && run.link->drop > 0.0 && !UsesTcp(run),
         "option 'drop' acts on every packet in packet mode, and a message of many packets is lost "
         "with any of them"},
        {run.schedule != Schedule::ASYNCHRONOUS && asked.staleness.value_or(0) > 0,
         "option 'staleness' has no effect: the schedule is not asynchronous"},
        {hasSource && preset.noiseSource.empty() && !IsNoisy(run),
         "option 'noiseSource' has no effect: no noise is added"},
        {run.traceLevel == TraceLevel::NOISE && !IsNoisy(run),
         "option 'traceLevel': 'noise' stores none: no noise is added"}};
    std::vector<std::string> warnings;
    for (const auto& [holds, warning] : rows)
    {
        if (holds)
        {
            warnings.push_back(warning);
        }
    }
    return warnings;
}

std::vector<std::string>
PrivacyWarnings(const ResolvedRun& run)
{
    std::vector<std::string> warnings;
    const AlgorithmPreset& algorithm = run.preset;
    if (IsEstimating(run) && !algorithm.sensitivity->isOracle &&
        algorithm.sensitivity->factor < 1.0)
    {
        warnings.push_back("with C' = " + ShowNumber(algorithm.sensitivity->factor) +
                           " the estimated sensitivity is no bound, not even where all nodes "
                           "start alike: that needs hyper:bound of 1 or more");
    }
    const double kappa = run.plan->ClaimKappa();
    if (run.mode == Mode::PAPER && kappa > CLT_KAPPA_REFUSED)
    {
        warnings.push_back("the noise is too small for epsilon " + run.epsilon.Text() +
                           ": the limit theorem behind the claim is far from holding (kappa " +
                           ShowNumber(kappa) + ", sound up to " + ShowNumber(CLT_KAPPA_INACCURATE) +
                           ")");
    }
    if (!run.preset.isPrivate || !run.noise)
    {
        return warnings;
    }
    const auto fewest =
        std::min_element(run.examples.begin(),
                         run.examples.end(),
                         [](const auto& a, const auto& b) { return a.size() < b.size(); });
    if (run.delta * static_cast<double>(fewest->size()) >= 1.0)
    {
        warnings.push_back("option 'delta' is " + ShowNumber(run.delta) + ", and a node has " +
                           std::to_string(fewest->size()) +
                           " examples: it allows to publish one of them; expected less than " +
                           ShowRounded(1.0 / static_cast<double>(fewest->size()), 2));
    }
    ReleaseTally releases;
    for (const NodeId node : run.plan->Representatives())
    {
        for (Round round = 0; round < run.rounds && releases.Reason().empty(); ++round)
        {
            for (const Release& release : run.plan->ReleasesOf(node, round))
            {
                releases.Add(release);
            }
        }
    }
    for (const std::string& reason : {releases.Reason(), WhyTooManyLeak(run)})
    {
        if (!reason.empty())
        {
            warnings.push_back("nothing can be certified: " + reason);
        }
    }
    return warnings;
}

std::vector<std::string>
LabelWarnings(const ResolvedLearning& run)
{
    if (run.dataset.rfind("file:", 0) != 0)
    {
        return {};
    }
    std::vector<std::string> warnings;
    const double inTrain = LargestFeature(run.data->train);
    const double inTest = LargestFeature(run.data->test);
    if (std::max(inTrain, inTest) > MOST_SCALES * std::min(inTrain, inTest))
    {
        warnings.push_back("dataset: features reach " + ShowRounded(inTrain, 2) +
                           " in training examples and " + ShowRounded(inTest, 2) +
                           " in test examples: expected one scale");
    }
    if (run.data->classes < 2)
    {
        const std::vector<double>& labels = run.data->train.labels;
        if (std::all_of(labels.begin(), labels.end(), [](double label) {
                return label >= 0.0 && label == std::floor(label);
            }))
        {
            warnings.push_back("dataset: the labels are targets of a regression, since they are "
                               "floating-point numbers, yet all are whole: classes are integers");
        }
        return warnings;
    }
    // Element c: 1 if a training example has class c, plus 2 if a test example has it.
    std::vector<int> splits(run.data->classes, 0);
    for (const double label : run.data->train.labels)
    {
        splits[static_cast<std::size_t>(label)] |= 1;
    }
    for (const double label : run.data->test.labels)
    {
        splits[static_cast<std::size_t>(label)] |= 2;
    }
    const std::vector<std::pair<int, std::string>> kinds{
        {2, "have test examples but no training example"},
        {1, "have training examples but no test example"},
        {0, "have no example: labels count from 0, and the largest gives the number of classes"}};
    for (const auto& [bits, what] : kinds)
    {
        const auto first = std::find(splits.begin(), splits.end(), bits);
        if (first != splits.end() && (bits != 0 || run.classes == 0))
        {
            warnings.push_back(
                "dataset: " + std::to_string(std::count(splits.begin(), splits.end(), bits)) +
                " of " + std::to_string(splits.size()) + " classes, such as " +
                std::to_string(first - splits.begin()) + ", " + what);
        }
    }
    return warnings;
}

std::string
ResolveBatchSize(const ResolvedLearning& run)
{
    if (run.sampler != "full")
    {
        return std::to_string(run.batchSize);
    }
    double least = run.plan->BatchSize(0);
    double most = least;
    for (const NodeId node : run.plan->Representatives())
    {
        least = std::min(least, run.plan->BatchSize(node));
        most = std::max(most, run.plan->BatchSize(node));
    }
    return ShowNumber(least) + (least == most ? "" : " to " + ShowNumber(most));
}

NodeSet
ResolveNodes(const ResolvedNetwork& run, FailureKind kind)
{
    std::vector<NodeId> nodes;
    for (const FailureEvent& event : run.failureEvents)
    {
        if (event.kind == kind)
        {
            event.nodes.ForEach(run.nodes, [&nodes](NodeId node) { nodes.push_back(node); });
        }
    }
    return NodeSet(std::move(nodes));
}

std::string
WhyTooManyLeak(const ResolvedRun& run)
{
    const std::size_t leaking = run.leakers.Members().size();
    double colluders = 0.0;
    for (const auto& [name, value] : run.noiseFigures)
    {
        colluders = name == "colluders" ? value : colluders;
    }
    if (static_cast<double>(leaking) <= colluders)
    {
        return "";
    }
    return std::to_string(leaking) + (leaking == 1 ? " node leaks its" : " nodes leak their") +
           " secrets, and what is certified allows for " + ShowNumber(colluders) +
           (colluders == 1.0 ? " colluder" : " colluders");
}

std::vector<bool>
MayLackReleases(const ResolvedNetwork& run)
{
    // Measured step times depend on the size of the private batch, and may determine which rounds
    // have no release.
    const bool isPublic = run.compute.kind != ComputeKind::MEASURED;
    std::vector<bool> mayLackReleases(run.nodes);
    for (NodeId node = 0; node < run.nodes; ++node)
    {
        mayLackReleases[node] = isPublic && run.part.Owns(node, run.nodes);
    }
    return mayLackReleases;
}

MixRule
ResolveMixRule(const ResolvedRun& run)
{
    MixRule rule = ParseMixRule(run.mix);
    // The noise hides only the whole sum. Rounded partial sums would reveal more, so the server
    // sums exactly.
    rule.isExact = HasFlag(run.preset.flags, ReleaseFlag::TRUSTED_SERVER);
    if (rule.kind == MixRule::Kind::TRIMMED && run.preset.exchange == Exchange::MODELS)
    {
        CheckDegrees(run, rule.trimmed);
    }
    return rule;
}

double
GossipMomentum(const ResolvedRun& run)
{
    constexpr std::size_t MOST_NODES = 2000;
    constexpr double ROUNDING = 1e-9;
    const GraphSequence& graph = *run.graph;
    const bool isWhole =
        run.chunks.Count() == 1 && run.chunks.Parameters() == run.modelSpec->ParameterCount() &&
        run.mixRule.IsAverage() && run.preset.compress == "none" && run.liars.IsEmpty();
    if (!run.preset.accelerates || !isWhole || !AllArriveInTime(run) || run.nodes > MOST_NODES ||
        graph.FollowsRun() || graph.Period() != 1)
    {
        return 1.0;
    }
    SymmetricMatrix laplacian(run.nodes); // I - W, where W is the mixing matrix
    for (NodeId node = 0; node < run.nodes; ++node)
    {
        const std::vector<NodeId>& others = graph.OutNeighbours(node, 0);
        bool isSymmetric = others == graph.InNeighbours(node, 0);
        laplacian.Add(node, node, 1.0 - graph.Weight(node, node, 0));
        for (std::size_t i = 0; i < others.size() && isSymmetric; ++i)
        {
            const double weight = graph.Weight(node, others[i], 0);
            isSymmetric = std::fabs(graph.Weight(others[i], node, 0) - weight) <= ROUNDING;
            // Every edge is visited from both ends, so each visit adds half.
            laplacian.Add(node, others[i], -weight / 2.0);
        }
        if (!isSymmetric)
        {
            return 1.0;
        }
    }
    const double gap = laplacian.Eigenvalues().at(1);
    // The momentum of Cyffers et al. (2022), Algorithm 1, is 2 (1 - sqrt(gap (1 - gap / 4))) / (1 -
    // gap / 2)^2, where gap is the spectral gap. The form in the code has no cancellation.
    return gap > ROUNDING ? 2.0 / (1.0 + std::sqrt(gap * (1.0 - gap / 4.0))) : 1.0;
}

} // namespace dpdl
