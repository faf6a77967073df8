// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_RUN_RULES_H
#define DPDL_EXPERIMENT_RUN_RULES_H

#include "dpdl/experiment/resolve.h"

#include <string>
#include <vector>

namespace dpdl
{

/// Beginning of a warning about step times of kind MEASURED.
inline const std::string UNREPEATABLE = "this run cannot be repeated";

/**
 * @brief True if a node may wait indefinitely for a message that never arrives, so the run needs a
 *        deadline.
 *
 * Random loss and temporary outages do not count if lost messages are retransmitted.
 */
bool MayWaitForEver(const ResolvedNetwork& run);

/// True if sending a round makes a node drop its queued messages of earlier rounds. Nodes drop
/// messages only in message mode, if chunks have separate out-neighbours and rounds do not wait for
/// all chunks.
bool EmptiesQueues(const ResolvedRun& run);

/// True if every message certainly arrives in its round, and its receiver mixes it in that round.
bool AllArriveInTime(const ResolvedRun& run);

/**
 * @brief Computes the momentum gamma of Chebyshev-accelerated gossip (Cyffers et al., NeurIPS 2022,
 *        Algorithm 1), from the spectral gap of the mixing matrix.
 * @param run run whose graph, chunks and mixing rule are resolved
 * @return gamma in [1, 2); 1 is plain gossip. It is above 1 only if AlgorithmPreset::accelerates is
 *         true and the graph is constant, symmetric and connected with at most 2000 nodes. Models
 *         must be whole, uncompressed and averaged. There must be no message loss and no Byzantine
 *         node
 */
double GossipMomentum(const ResolvedRun& run);

/**
 * @brief Rejects combinations of features that are not supported, before topology and data are
 *        known.
 * @param run run whose preset, failures, Byzantine nodes (`liars`) and nodes that leak secrets
 *        (`leakers`) are resolved
 * @throws UsageError naming both features
 */
void CheckTogether(const ResolvedRun& run);

/// Rejects features that the run's model does not support.
/// @param run run whose preset, failures, Byzantine nodes (`liars`), nodes that leak secrets
/// (`leakers`) and model are resolved
/// @throws UsageError naming both features
void CheckModel(const ResolvedRun& run);

/// True if the nodes of the run estimate a common sensitivity (DPPS); see SensitivityRound.
bool IsEstimating(const ResolvedLearning& run);

/// True if the nodes add noise to their releases.
bool IsNoisy(const ResolvedRun& run);

/// Largest accepted size of all noise vectors in a trace, in bytes.
constexpr double MOST_NOISE_BYTES = 1e9;

/// Rejects a run whose trace would have more than MOST_NOISE_BYTES of noise vectors.
/// @throws UsageError naming option `traceLevel` and the size
void CheckNoiseRows(const ResolvedRun& run);

/**
 * @brief Names the feature that a CUDA device does not support, for a run whose model is a chain of
 *        layers.
 *
 * The device supports local steps of one noisy gradient with `philox` noise, if models are not
 * chunked.
 * @param run run whose model is resolved
 * @return name of the feature, for messages; empty if the device supports the run
 */
std::string RefusedByDevice(const ResolvedRun& run);

/**
 * @brief True if `device=auto` selects the CUDA device.
 *
 * The device must exist, support the run, and be faster for this amount of work (DeviceThreshold(),
 * measured). The run must be new. Its batches must be so small that epsilon can be certified with
 * the device's float32 sums.
 */
bool IsFasterOnDevice(const ResolvedRun& run);

/// True if compressed shares are differences to the receiver's state, by option `compress` and the
/// preset.
bool SendsDifferences(const ResolvedLearning& run);

/// Compression of shares, from the resolved value of option `compress`.
/// @throws UsageError naming option 'compress' if MakeCompressor() rejects the value
Compression ResolveCompression(const ResolvedLearning& run);

/// Nodes that have an event of the given kind at some time of the run.
/// @param kind kind of failure that affects nodes, such as NODE_LIE or NODE_LEAK; not a failure of
/// links
/// @param run run whose failures are resolved
NodeSet ResolveNodes(const ResolvedNetwork& run, FailureKind kind);

/**
 * @brief Reason to certify no epsilon: more nodes leak the secrets of their shared noise than the
 *        noise was calibrated for.
 * @param run run whose noise is resolved
 * @return one line with the number of nodes that leak and the number for which the noise was
 *         calibrated; "" if the first is not larger
 */
std::string WhyTooManyLeak(const ResolvedRun& run);

/**
 * @brief Determines the nodes for which a round without a ledger entry counts as a round without a
 *        release. These are all nodes of this process, or none if step times are measured. Measured
 *        times depend on private data and may determine the rounds without a release.
 * @return by node: true if a round of the node without a ledger entry counts as a round without a
 *         release
 */
std::vector<bool> MayLackReleases(const ResolvedNetwork& run);

/**
 * @brief Rule by which shares are mixed, by option `mix`.
 * @param run run whose graph is resolved
 * @throws UsageError if a node has too few in-neighbours for the rule. Graphs that are not known in
 *         advance are not checked
 */
MixRule ResolveMixRule(const ResolvedRun& run);

/// Mixing rate rho in (0, 1]: the preset's value if it is above 0, otherwise the compressor's
/// value; 1 without a compressor. LazyGraphs replaces a mixing matrix P by (1 - rho) I + rho P.
double ResolveMixingRate(const ResolvedLearning& run);

/**
 * @brief Number of leading scalars of the flat parameter vector that nodes share. Option
 *        `sharedLayers` determines the shared parts of the model or, if it is not given, the
 *        algorithm's preset. 0 parts mean all, and so does a preset with more parts than the model.
 * @param run run whose preset and model are resolved
 * @return 1 to ParameterCount()
 * @throws UsageError naming option 'sharedLayers' if it exceeds the number of parts of the model
 */
std::size_t SharedParameters(const ResolvedLearning& run);

/**
 * @brief Resolved batch size in examples, as text. With sampler `full` it is the node's number of
 *        examples, regardless of option `batchSize`.
 * @return a number, or `A to B` if nodes have different numbers of examples
 */
std::string ResolveBatchSize(const ResolvedLearning& run);

} // namespace dpdl

#endif // DPDL_EXPERIMENT_RUN_RULES_H
