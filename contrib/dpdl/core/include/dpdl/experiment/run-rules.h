// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_RUN_RULES_H
#define DPDL_EXPERIMENT_RUN_RULES_H

#include "dpdl/experiment/resolve.h"

#include <string>
#include <vector>

namespace dpdl
{

/// What a user must know of a run whose steps take what they take.
inline const std::string UNREPEATABLE = "this run cannot be repeated";

/**
 * @brief True if a message that a node waits for may never come.
 *
 * Drops and passing outages do no such harm to a run that sends again what was lost.
 */
bool MayWaitForEver(const ResolvedRun& run);

/**
 * @brief Refuses features of a run that do not go together.
 * @param run with its preset, failures, liars and leakers
 * @throws UsageError naming both
 */
void CheckTogether(const ResolvedRun& run);

/// The same for features that depend on the model. @param run with its model too
void CheckModel(const ResolvedRun& run);

/// True if the nodes of the run estimate a sensitivity together (see SensitivityRound).
bool IsEstimating(const ResolvedRun& run);

/// Most bytes that the noise vectors of a trace may take together.
constexpr double MOST_NOISE_BYTES = 1e9;

/// Refuses to store noise vectors that would take more than MOST_NOISE_BYTES. @throws UsageError
void CheckNoiseRows(const ResolvedRun& run);

/**
 * @brief Names what a CUDA device cannot do of a run whose model is a chain of layers.
 *
 * The device takes steps of one noisy gradient with `philox` noise, if models travel in one piece.
 * @param run with its model
 * @return for messages; empty if the device can do all of the run
 */
std::string RefusedByDevice(const ResolvedRun& run);

/**
 * @brief True if `device=auto` is the CUDA device: it was measured to be faster for this much work
 *        (DeviceThreshold()), it is there, it can do all of the run, which begins here, and batches
 *        are small enough for its sums to be certified.
 */
bool IsFasterOnDevice(const ResolvedRun& run);

/// True if shares travel as compressed differences, by option `compress` and the preset.
bool SendsDifferences(const ResolvedRun& run);

/// Encoding of shares, by option `compress` and the preset.
Compression ResolveCompression(const ResolvedRun& run);

/// Nodes of the failures of a kind, such as NODE_LIE and NODE_LEAK. @param run with its failures
NodeSet ResolveNodes(const ResolvedRun& run, FailureKind kind);

/**
 * @brief Why the plan's promise is void: more nodes leak than it allows for as colluders.
 * @param run with its noise
 * @return one line; empty if the promise stands
 */
std::string WhyTooManyLeak(const ResolvedRun& run);

/**
 * @brief Rule by which shares are mixed, by option `mix`.
 * @param run with its graph
 * @throws UsageError if nodes hear too few others for it; graphs that are not known beforehand are
 *        not looked at
 */
MixRule ResolveMixRule(const ResolvedRun& run);

/// rho of the preset, or what the compressor in force needs, in (0, 1]; see LazyGraphs.
double ResolveMixingRate(const ResolvedRun& run);

/**
 * @brief Length of the beginning of a model that travels: by the option `sharedLayers`, or the
 * preset, which takes all of a model that has no more parts.
 * @throws UsageError if the model has fewer parts than that
 */
std::size_t SharedParameters(const ResolvedRun& run);

/**
 * @brief Options that were chosen though they do nothing, or not what one may expect.
 * @param asked the options
 * @param run what is in force of them
 * @return one line each
 */
std::vector<std::string> IdleOptions(const RunOptions& asked, const ResolvedRun& run);

/// Warnings about the plan's privacy, one line each.
std::vector<std::string> PrivacyWarnings(const ResolvedRun& run);

/**
 * @brief The batch size in force, in examples: with sampler `full` what a node owns, whatever the
 *        option says.
 * @return a number, or `A to B` where nodes own different numbers of examples
 */
std::string ResolveBatchSize(const ResolvedRun& run);

} // namespace dpdl

#endif // DPDL_EXPERIMENT_RUN_RULES_H
