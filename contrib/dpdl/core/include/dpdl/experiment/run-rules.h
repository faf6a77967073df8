// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_RUN_RULES_H
#define DPDL_EXPERIMENT_RUN_RULES_H

#include "dpdl/algorithm/algorithm-preset.h"
#include "dpdl/algorithm/learning-plan.h"
#include "dpdl/experiment/run-settings.h"

#include <string>
#include <vector>

namespace dpdl
{

/**
 * @brief Whether a message that a node waits for may never come.
 *
 * Drops and passing outages do no such harm to a run that sends again what was lost.
 * @param settings options, links and outages of the run
 */
bool MayWaitForEver(const RunSettings& settings);

/**
 * @brief Refuses options that are sound one by one but not together.
 * @param settings options, links and outages of the run
 * @param preset of the algorithm, with the user's overrides
 * @throws UsageError if they are not accepted
 */
void CheckTogether(const RunSettings& settings, const AlgorithmPreset& preset);

/// True if the nodes of the run estimate a sensitivity together (see NoisePhase).
bool IsEstimating(const RunSettings& settings, const AlgorithmPreset& preset);

/// What the noise vectors of a trace may take together, in bytes.
constexpr double MOST_NOISE_BYTES = 1e9;

/**
 * @brief Refuses to store the noise vectors of a run that is no small one.
 * @param settings options of the run
 * @param preset of the algorithm
 * @param parameters number of the model's parameters
 * @throws UsageError if they would take more than MOST_NOISE_BYTES
 */
void CheckNoiseRows(const RunSettings& settings,
                    const AlgorithmPreset& preset,
                    std::size_t parameters);

/**
 * @brief Refuses what a CUDA device cannot do of a run.
 *
 * Of models that are chains of layers it takes steps of one noisy gradient with `philox` noise, if
 * they travel in one piece. Of other models it computes the gradients alone, whatever the run.
 * @param settings options of the run
 * @param preset of the algorithm
 * @param model what is learnt
 * @throws UsageError if `device` is `cuda` and the run is of another kind
 */
void CheckDevice(const RunSettings& settings,
                 const AlgorithmPreset& preset,
                 const ModelSpec& model);

/**
 * @brief Options that were chosen though they do nothing, or not what one may expect.
 * @param settings options of the run
 * @param preset of the algorithm, with the user's overrides
 * @return one sentence each
 */
std::vector<std::string> IdleOptions(const RunSettings& settings, const AlgorithmPreset& preset);

/**
 * @brief What the user should know of the plan's privacy though it is no error.
 * @param settings options of the run
 * @param plan of the run
 * @return one sentence each
 */
std::vector<std::string> PrivacyWarnings(const RunSettings& settings, const LearningPlan& plan);

/**
 * @brief The batch size in force, in examples: with sampler `full` what a node owns, whatever the
 *        option says.
 * @param settings options of the run
 * @param plan of the run
 * @return a number, or `A to B` where nodes own different numbers of examples
 */
std::string BatchSizeInForce(const RunSettings& settings, const LearningPlan& plan);

} // namespace dpdl

#endif // DPDL_EXPERIMENT_RUN_RULES_H
