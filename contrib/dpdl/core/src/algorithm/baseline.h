// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_BASELINE_H
#define DPDL_ALGORITHM_BASELINE_H

#include "dpdl/algorithm/algorithm-preset.h"
#include "dpdl/training/clip-rule.h"
#include "dpdl/training/local-step.h"

#include <string>

namespace dpdl
{

/// Why nothing is claimed: the paper has a server that this has not, or rounds that this has not.
inline constexpr const char* OTHER_SYSTEM =
    "its paper's claim was made for another system, one with a server or without rounds";
/// Why nothing is claimed: the noise was added here, to an algorithm whose paper is not private.
inline constexpr const char* NO_PRIVATE_PAPER = "no paper claims an epsilon for this algorithm";
/// Why nothing is claimed: the paper claims something that dpdl does not compute.
inline constexpr const char* NOT_REPRODUCED =
    "its paper's accountant is not reproduced; see doc/algorithms.md";

/**
 * @brief Defaults of private algorithms for which dpdl computes no claim.
 * @param stepSize gamma
 * @param clip C
 * @param reason why nothing is claimed: column claim_reason
 */
AlgorithmPreset BaselinePreset(double stepSize,
                               double clip,
                               const std::string& reason = OTHER_SYSTEM);

/// The same for a node that releases the whole of what it did, clipped to C: see ReleaseMean().
AlgorithmPreset WholeUpdatePreset(double stepSize, double clip);

/// Constant clip bound and step size, for noise that other releases also have; claims nothing.
AlgorithmPreset CorrelatedPreset();

/**
 * @brief Refuses topologies that never repeat.
 * @param graph the topology
 * @param what needs one that does
 * @param instead what else is accepted, after a comma; or empty
 * @throws UsageError
 */
void RequirePeriod(const GraphSequence& graph, const std::string& what, const std::string& instead);

/**
 * @brief Several local steps a round with a batch and fresh noise each.
 *
 * z <- z - stepSize * G / divisor, where gradients are taken at z + radius * H / |H| with H the
 * released G of the step before (see SamStep).
 * @param iterations L, steps a round, at least 1
 * @param radius rho, at least 0; 0: gradients are taken at z
 */
std::shared_ptr<const LocalStep> MakeLocalSteps(std::uint32_t iterations, double radius = 0.0);

/**
 * @brief z <- z - stepSize * (c(m) + N): a mean is clipped as a whole, then noise is added, for
 *        algorithms that bound what a node sends and not what an example does.
 *
 * For any m, c(m) is in a ball of radius clip: any change of any data moves it
 * by at most 2 clip. This is the release that BATCH_CLIP stands for; without its own argument
 * sampling amplifies nothing (AlgorithmPreset::isAmplified).
 *
 * @param context of the worker
 * @param[in,out] job with z^k, which becomes z^{k+1/2}; clip bound, noise and step size are its
 *        update's; nothing is divided, the mean has been already
 * @param count how many of the leading coordinates are released; the others of m are not used
 * @param[in,out] mean m [ParameterCount()], overwritten
 */
void ReleaseMean(StepContext& context, NodeJob& job, std::size_t count, float* mean);

} // namespace dpdl

#endif // DPDL_ALGORITHM_BASELINE_H
