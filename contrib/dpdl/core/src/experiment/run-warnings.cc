// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/run-warnings.h"

#include "dpdl/base/quantity.h"
#include "dpdl/experiment/run-rules.h"
#include "dpdl/privacy/gdp.h"

#include <algorithm>
#include <cmath>
#include <utility>

// Warnings about runs whose options are accepted, and yet are probably not what the user wants:
// options without effect, noise without a guarantee, and unusual datasets.

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

} // namespace

std::vector<std::string>
IdleOptions(const RunOptions& asked, const ResolvedRun& run)
{
    const AlgorithmPreset& preset = run.preset;
    const bool hasNetwork = preset.exchange != Exchange::EXAMPLES;
    const bool isAlone = !hasNetwork || preset.exchange == Exchange::NOTHING;
    const bool isPacket = run.network == NetworkKind::PACKET;
    const bool hasSource = asked.noiseSource.value_or("philox") != "philox";
    const bool isFile = IsUserFile(run.dataset);
    const std::vector<std::pair<bool, std::string>> rows{
        {preset.clip == 0.0 && asked.clip,
         "option 'clip' has no effect: " + run.algorithm + " does not clip"},
        {!run.dataDir.empty() && (isFile || IsMade(run.dataset.substr(0, run.dataset.find(':')))),
         "option 'dataDir' has no effect: dataset '" + run.dataset + "' is not read from there"},
        {run.classes > 0 && !isFile,
         "option 'classes' has no effect: dataset '" + run.dataset + "' is no file"},
        {(asked.given.count("label") > 0 || asked.given.count("testFraction") > 0) &&
             !IsUserFile(run.dataset, ".csv"),
         "options 'label' and 'testFraction' have no effect: dataset '" + run.dataset +
             "' is no csv file"},
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
    if (!IsNoisy(run))
    {
        return warnings;
    }
    const auto fewest =
        std::min_element(run.examples.begin(),
                         run.examples.end(),
                         [](const auto& a, const auto& b) { return a.size() < b.size(); });
    if (run.delta * static_cast<double>(fewest->size()) >= 1.0)
    {
        warnings.push_back(
            "option 'delta' is " + ShowNumber(run.delta) + ", and a node has " +
            std::to_string(fewest->size()) +
            " examples: publishing one of them at random would satisfy it; expected less than " +
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
DatasetWarnings(const ResolvedLearning& run)
{
    if (!IsUserFile(run.dataset))
    {
        return {};
    }
    std::vector<std::string> warnings;
    if (!run.data->train.owners.empty() && run.partition != "given")
    {
        warnings.push_back("array 'node_train' has no effect: option 'partition' is not 'given'");
    }
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

} // namespace dpdl
