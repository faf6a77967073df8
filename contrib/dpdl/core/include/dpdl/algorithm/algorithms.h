// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_ALGORITHMS_H
#define DPDL_ALGORITHM_ALGORITHMS_H

#include "dpdl/algorithm/algorithm-preset.h"
#include "dpdl/base/registry.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace dpdl
{

/// A numeric parameter of an algorithm that the user may set by option `hyper`.
struct HyperParameter
{
    std::string name;         ///< name in option `hyper`, camelCase
    double value{0.0};        ///< current value: the default, or what the user chose
    double least{0.0};        ///< smallest accepted value, inclusive
    double most{0.0};         ///< largest accepted value, inclusive
    std::string meaning;      ///< description in one line: symbol, meaning, unit
    bool isWhole{false};      ///< true: only whole numbers are accepted
    std::string formerName{}; ///< deprecated name, accepted with a warning for one version; "":
                              ///< none
};

/// Hyper-parameters of an algorithm, with their current values.
class HyperParameters
{
  public:
    /// @param declared the hyper-parameters, with their defaults
    HyperParameters(std::vector<HyperParameter> declared = {});

    /// Adds a hyper-parameter.
    /// @throws UsageError naming the hyper-parameter if its default is out of its range
    void Declare(HyperParameter parameter);

    /**
     * @brief Applies the user's values.
     * @param algorithm name of the algorithm, for the error
     * @param text `NAME=VALUE,NAME=VALUE,...`; empty: no values
     * @throws UsageError if a name is unknown or given twice, or if a value is not a number (or
     *         integer, if isWhole) in its range
     */
    void Set(const std::string& algorithm, const std::string& text);

    /// True if a hyper-parameter of that name is declared.
    bool Has(const std::string& name) const;

    /// Current value of a hyper-parameter.
    /// @param name declared name
    /// @throws Error if the name is not declared
    double operator[](const std::string& name) const;

    /// Current value of an integer hyper-parameter.
    /// @param name declared name
    /// @throws Error if the name is not declared
    std::uint32_t Whole(const std::string& name) const
    {
        return static_cast<std::uint32_t>((*this)[name]);
    }

    /// All hyper-parameters, in the order of declaration.
    const std::vector<HyperParameter>& List() const
    {
        return m_list;
    }

  private:
    std::vector<HyperParameter> m_list; ///< hyper-parameters, in the order of `list algorithms`
};

/// Text for option `hyper` (NAME=VALUE,...) with @p name set to @p value: removes earlier values of
/// this name and appends the new one. Does not check the name.
std::string WithHyperParameter(const std::string& text, const std::string& name, double value);

/// Element of the registry Algorithms(): the hyper-parameters of an algorithm, and the function
/// that makes its preset.
struct Algorithm
{
    HyperParameters hyperParameters; ///< hyper-parameters of the algorithm, with their defaults
    /// Makes the preset.
    /// @param hyperParameters hyper-parameters with the user's values
    std::function<AlgorithmPreset(const HyperParameters& hyperParameters)> make;
};

/// Registry of all algorithms, by name in option `algorithm`.
const Registry<Algorithm>& Algorithms();

/**
 * @brief Makes the preset of an algorithm.
 * @param name a name of Algorithms()
 * @param hyper the user's hyper-parameters, `NAME=VALUE,...`
 * @throws UsageError if the name or a hyper-parameter is unknown
 */
AlgorithmPreset MakeAlgorithm(const std::string& name, const std::string& hyper = "");

/// Description of an algorithm in `list algorithms NAME`, apart from its parameters.
struct AlgorithmInfo
{
    std::string name;    ///< name in option `algorithm`, kebab-case
    std::string summary; ///< description of the algorithm in one line
    /// Paper of the algorithm, with number of algorithm or equation; "": custom.
    std::string source{};
    /// Additional lines of the description, each with a name, such as the sources of a
    /// re-implementation.
    std::vector<ParameterInfo> notes{};
    std::string sound{}; ///< effect of mode=sound; empty: the mode has no effect
    std::string paper{}; ///< effect of mode=paper
};

/// Registers an algorithm, and describes the parameters of its preset. The functions of
/// built-in-algorithms.h call it.
void AddAlgorithm(Registry<Algorithm>& registry, const AlgorithmInfo& info, Algorithm algorithm);

/**
 * @brief Registers a custom algorithm under a name, for option `algorithm` and every other use.
 *
 * Must be called before the first run, by the thread that starts the run. If a private algorithm
 * has no @p argument, its certified and its claimed epsilon are infinite, because only its author
 * knows how its step depends on data. Its releases then have the flag UNPROVEN_STEP, and the trace
 * records the reason. The noise is calibrated as if the releases were those of the plan.
 *
 * @param info name and description of the algorithm; an empty source marks a custom algorithm
 * @param algorithm hyper-parameters and preset of the algorithm
 * @param argument one line for the trace: proof that every release is the sum of clipped gradients
 *        with the planned noise, and that nothing else depends on data
 * @throws UsageError if an algorithm of this name is registered
 */
void RegisterAlgorithm(AlgorithmInfo info, Algorithm algorithm, const std::string& argument = "");

} // namespace dpdl

#endif // DPDL_ALGORITHM_ALGORITHMS_H
