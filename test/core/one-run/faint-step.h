// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TEST_FAINT_STEP_H
#define DPDL_TEST_FAINT_STEP_H

#include "../changed-step.h"
#include "dpdl/algorithm/algorithms.h"

#include <memory>
#include <set>
#include <string>

namespace dpdl
{

/// Makes `faint-NAME` known: NAME with less noise than its records say, and a false argument.
inline std::string
RegisterFaint(const std::string& name, double loudness)
{
    const std::string faint = "faint-" + name;
    static std::set<std::string> known;
    if (known.insert(faint).second)
    {
        Algorithm algorithm = Algorithms().Get(name);
        algorithm.make = [make = algorithm.make, loudness](const HyperParameters& hyper) {
            AlgorithmPreset preset = make(hyper);
            preset.step = std::make_shared<ChangedStep>(
                preset.step,
                [loudness](float* noisy, const BoundedSum& sum, const NodeJob&, std::uint32_t) {
                    for (std::size_t i = 0; i < sum.Size(); ++i)
                    {
                        const double bare = sum.Values()[i];
                        noisy[i] = static_cast<float>(bare + loudness * (noisy[i] - bare));
                    }
                });
            return preset;
        };
        RegisterAlgorithm({faint, "for a test"}, algorithm, "a false argument");
    }
    return faint;
}

} // namespace dpdl

#endif // DPDL_TEST_FAINT_STEP_H
