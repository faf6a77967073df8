// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_BASELINE_H
#define DPDL_ALGORITHM_BASELINE_H

#include "dpdl/algorithm/algorithm-preset.h"
#include "dpdl/training/local-step.h"

#include <string>

namespace dpdl
{

// Texts for Claim::reason: why no epsilon is claimed for an algorithm. The claimed epsilon is then
// infinite.

/// The paper claims an epsilon for another system than dpdl's: with a server, or without rounds.
inline constexpr const char* OTHER_SYSTEM =
    "its paper's claim was made for another system, one with a server or without rounds";
/// The paper's algorithm is not private; dpdl adds noise to it.
inline constexpr const char* NO_PRIVATE_PAPER = "no paper claims an epsilon for this algorithm";
/// The paper computes its epsilon with an accountant that dpdl does not have.
inline constexpr const char* NOT_REPRODUCED =
    "its paper's accountant is not reproduced; see doc/algorithms.md";

/**
 * @brief Defaults of private algorithms for which dpdl computes no claimed epsilon.
 * @param stepSize step size gamma, on the mean gradient
 * @param clip clip norm C of one example's gradient
 * @param reason reason for the infinite claimed epsilon, as shown in column claim_reason
 */
AlgorithmPreset BaselinePreset(double stepSize,
                               double clip,
                               const std::string& reason = OTHER_SYSTEM);

/// BaselinePreset() for algorithms whose nodes release a whole update, which ReleaseMean() clips to
/// an L2 norm of C.
/// @param stepSize step size gamma, on the mean gradient
/// @param clip clip norm C of the update
AlgorithmPreset WholeUpdatePreset(double stepSize, double clip);

/// Preset of algorithms with correlated noise: constant clip norm and step size, and an infinite
/// claimed epsilon.
AlgorithmPreset CorrelatedPreset();

/**
 * @brief Rejects a topology whose graphs do not repeat with a period.
 * @param graph topology of the run
 * @param what subject of the error message: the option that needs a period
 * @param instead end of the error message: accepted alternatives after a comma, such as ", or
 *        bandmf"; or empty
 * @throws UsageError if the graph has no period
 */
void RequirePeriod(const GraphSequence& graph, const std::string& what, const std::string& instead);

/**
 * @brief Several local steps per round, each with a separate batch and independent noise.
 *
 * z <- z - stepSize * G / divisor, where G is the noisy sum of clipped gradients. Gradients are
 * taken at z + radius * H / |H|, where H is G of the previous step (SamStep in dfedsam.cc).
 * @param iterations L, steps per round, at least 1
 * @param radius rho, at least 0; 0: gradients are taken at z
 * @param perTensor true: clips each of the model's T tensors to clip / sqrt(T) (Wei et al., ICDCS
 *        2021, Fed-CDP). A whole clipped gradient then has an L2 norm of at most clip, the
 *        sensitivity of the sum to one example.
 */
std::shared_ptr<const LocalStep> MakeLocalSteps(std::uint32_t iterations,
                                                double radius = 0.0,
                                                bool perTensor = false);

/**
 * @brief z <- z - stepSize * (c(m) + N): c clips the mean m as a whole to an L2 norm, and N is
 *        noise. For algorithms that bound a node's message instead of an example's gradient.
 *
 * For any m, c(m) is in a ball of radius clip: any change of any data moves it by at most 2 clip.
 * ReleaseFlag::BATCH_CLIP marks such a release. Unless there is a separate argument, sampling does
 * not amplify its privacy (AlgorithmPreset::isAmplified).
 *
 * @param context buffers and random streams of the worker that runs the step
 * @param[in,out] job job whose state z^k becomes z^{k+1/2}. Clip norm, noise standard deviation and
 *        step size are those of job.update. The divisor is not used, because m is a mean
 * @param count number of leading coordinates that are released; the further coordinates of m are
 *        not used
 * @param[in,out] mean m, the vector to release, [ParameterCount()]; overwritten
 */
void ReleaseMean(StepContext& context, NodeJob& job, std::size_t count, float* mean);

} // namespace dpdl

#endif // DPDL_ALGORITHM_BASELINE_H
