// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_RUN_RULES_H
#define DPDL_EXPERIMENT_RUN_RULES_H

#include "dpdl/experiment/resolve.h"

#include <string>
#include <vector>

namespace dpdl
{

/// Warning for a run whose steps take their measured time.
inline const std::string UNREPEATABLE = "this run cannot be repeated";

/**
 * @brief True if a message for which a node waits may never arrive.
 *
 * Drops and temporary outages do not cause this in a run that retransmits lost messages.
 */
bool MayWaitForEver(const ResolvedNetwork& run);

/// True if a node drops its queued messages of earlier rounds when it sends a round. This applies
/// to chunks with separate targets in message mode, unless a round waits for all chunks.
bool EmptiesQueues(const ResolvedRun& run);

/// True if every message is certain to arrive in its round, and every node mixes it there.
bool AllArriveInTime(const ResolvedRun& run);

/**
 * @brief gamma of Chebyshev-accelerated gossip (Cyffers et al., NeurIPS 2022, Algorithm 1), from
 * the spectral gap of the mixing matrix.
 * @param run run whose graph, chunks and mixing rule are resolved
 * @return gamma in [1, 2). It is 1 (plain gossip) if the preset asks for no acceleration, or a
 *        requirement is not met: one symmetric, connected graph of at most 2000 nodes, models sent
 *        whole and uncompressed, plain averaging, no loss and no lies
 */
double GossipMomentum(const ResolvedRun& run);

/**
 * @brief Rejects features of a run that cannot be combined.
 * @param run run whose preset, failures, liars and leakers are resolved
 * @throws UsageError naming both features
 * */
void CheckTogether(const ResolvedRun& run);

/// Rejects features that do not fit the run's model. @param run run whose preset, failures, liars,
/// leakers and model are resolved @throws UsageError naming both features
void CheckModel(const ResolvedRun& run);

/// True if the nodes of the run estimate a common sensitivity (see SensitivityRound).
bool IsEstimating(const ResolvedLearning& run);

/// Largest size of all noise vectors in a trace, in bytes.
constexpr double MOST_NOISE_BYTES = 1e9;

/// Rejects a run whose trace would have noise vectors of more than MOST_NOISE_BYTES.
/// @throws UsageError naming option traceLevel and the size
void CheckNoiseRows(const ResolvedRun& run);

/**
 * @brief Names the feature that a CUDA device does not support, for a run whose model is a chain of
 *        layers.
 *
 * The device supports steps of one noisy gradient with `philox` noise, if models are sent in one
 * piece.
 * @param run run whose model is resolved
 * @return text for messages; empty if the device supports the run
 */
std::string RefusedByDevice(const ResolvedRun& run);

/**
 * @brief True if `device=auto` selects the CUDA device.
 *
 * The device must exist, support the run, and be faster by measurement for this amount of work
 * (DeviceThreshold()). The run must be new, and its batches small enough for the device's sums to
 * be certified.
 */
bool IsFasterOnDevice(const ResolvedRun& run);

/// True if shares are sent as compressed differences, by option `compress` and the preset.
bool SendsDifferences(const ResolvedLearning& run);

/// Encoding of shares, by option `compress` and the preset.
Compression ResolveCompression(const ResolvedLearning& run);

/// Nodes affected by failures of a kind, such as NODE_LIE and NODE_LEAK. @param run run whose
/// failures are resolved
NodeSet ResolveNodes(const ResolvedNetwork& run, FailureKind kind);

/**
 * @brief Reason why the plan's guarantee is void: the number of leaking nodes exceeds the number of
 *        colluders for which the noise was calibrated.
 * @param run run whose noise is resolved
 * @return one line; empty if the guarantee is valid
 */
std::string WhyTooManyLeak(const ResolvedRun& run);

/**
 * @brief For each node, true if a round that is missing in its ledger counts as a round without a
 *        release. This requires that this process simulates the node, and that step times are not
 *        measured: these depend on private data, and may decide which rounds are missing.
 */
std::vector<bool> MayLackReleases(const ResolvedNetwork& run);

/**
 * @brief Rule by which shares are mixed, by option `mix`.
 * @param run run whose graph is resolved
 * @throws UsageError if a node has too few in-neighbours for it; graphs that are not known in
 *         advance are not checked
 */
MixRule ResolveMixRule(const ResolvedRun& run);

/// Mixing rate rho in (0, 1]: the preset's, or the value that the compressor needs. LazyGraphs
/// replaces a mixing matrix P by (1 - rho) I + rho P.
double ResolveMixingRate(const ResolvedLearning& run);

/**
 * @brief Number of leading parameters that nodes share, by option `sharedLayers` or the preset. If
 *        the preset names more parts than the model has, all are shared.
 * @throws UsageError if the option exceeds the number of parts of the model
 */
std::size_t SharedParameters(const ResolvedLearning& run);

/**
 * @brief Warnings about options that have no effect, or an unexpected one.
 * @param asked the options
 * @param run the resolved options
 * @return one line each
 */
std::vector<std::string> IdleOptions(const RunOptions& asked, const ResolvedRun& run);

/// Warnings about classes of a user's file that a split lacks, one line each.
std::vector<std::string> LabelWarnings(const ResolvedLearning& run);

/// Warnings about the plan's privacy, one line each.
std::vector<std::string> PrivacyWarnings(const ResolvedRun& run);

/**
 * @brief The resolved batch size, in examples. With sampler `full` it is a node's number of
 *        examples, for any value of the option.
 * @return a number, or `A to B` if nodes have different numbers of examples
 */
std::string ResolveBatchSize(const ResolvedLearning& run);

} // namespace dpdl

#endif // DPDL_EXPERIMENT_RUN_RULES_H
