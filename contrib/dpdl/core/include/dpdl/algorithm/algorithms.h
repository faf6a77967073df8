// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_ALGORITHMS_H
#define DPDL_ALGORITHM_ALGORITHMS_H

#include "dpdl/algorithm/algorithm-preset.h"
#include "dpdl/algorithm/hyper-parameters.h"
#include "dpdl/base/registry.h"

#include <functional>
#include <string>
#include <vector>

namespace dpdl
{

/// What the registry holds of an algorithm.
struct Algorithm
{
    HyperParameters hyperParameters; ///< with their defaults
    /// Makes the preset. @param hyperParameters with the user's values
    std::function<AlgorithmPreset(const HyperParameters& hyperParameters)> make;
};

/// All algorithms of the family by name.
const Registry<Algorithm>& Algorithms();

/**
 * @brief The preset of an algorithm.
 * @param name a name of Algorithms()
 * @param hyper the user's hyper-parameters, `NAME=VALUE,...`
 * @throws UsageError if the name is unknown, or a hyper-parameter is
 */
AlgorithmPreset MakeAlgorithm(const std::string& name, const std::string& hyper = "");

/// Description of an algorithm in `list algorithms NAME`, apart from its parameters.
struct AlgorithmInfo
{
    std::string name;    ///< kebab-case
    std::string summary; ///< one line
    std::string source;  ///< paper, algorithm or equation
    std::string sound;   ///< what mode=sound chooses; empty: there is no choice
    std::string paper;   ///< what mode=paper chooses
    /// Further lines, such as the evidence that a re-implementation rests on.
    std::vector<ParameterInfo> notes{};
};

/// Enters an algorithm with the parameters that its preset really uses. For the files that define
/// algorithms, one line each in MakeAlgorithms().
void AddAlgorithm(Registry<Algorithm>& registry, const AlgorithmInfo& info, Algorithm algorithm);

/**
 * @brief Makes an algorithm of the program's own available under a name, to the option `algorithm`
 *        and everywhere else.
 *
 * To be called before the first run, by the thread that makes it. What its step really lets out
 * only its author knows. A private algorithm without an argument therefore certifies and claims
 * nothing: its releases bear the flag UNPROVEN_STEP, both epsilons are infinite, and the trace has
 * the reason. Its noise is calibrated nevertheless, as if the releases were those of the plan.
 *
 * @param info its name and what it is; an empty source says that the program brought it
 * @param algorithm its hyper-parameters and its preset
 * @param argument one line: why every release is the sum of clipped gradients with the noise
 *        that the plan says, and nothing else depends on data. Written into the trace
 * @throws UsageError if the name is taken
 */
void RegisterAlgorithm(AlgorithmInfo info, Algorithm algorithm, const std::string& argument = "");

} // namespace dpdl

#endif // DPDL_ALGORITHM_ALGORITHMS_H
