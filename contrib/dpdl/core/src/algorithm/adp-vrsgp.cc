// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "built-in-algorithms.h"
#include "dpdl/training/gradient-step.h"

#include <cmath>

namespace dpdl
{

namespace
{

/**
 * @brief Schedule in which the noise multiplier decays every tau rounds, with a matching step size
 *        (SDLR; Wu et al., arXiv:2510.20157).
 *
 * alpha(t) = (floor(t / tau) + 10)^s in round t of T, with the exponent s. The noise multiplier of
 * round t is proportional to alpha(T - t), and the step size is eta / beta(t). Up to round xi T,
 * beta(t) = alpha(t) alpha(T - t). In later rounds, beta(t) = alpha(t)^2 (equation 2).
 *
 * Blocks have tau rounds. The clip norm of block b is G psi^b, and the noise standard deviation is
 * the clip norm times the noise multiplier. Options stepSize and clip set eta and G.
 */
RoundSchedule
Stairs(const HyperParameters& hyper)
{
    const Round tau = hyper.Whole("tau");
    const double power = hyper["sdlr"] > 0.0 ? hyper["noisePower"] : 0.0;
    const auto alpha = [tau, power](Round t) { return std::pow(t / tau + 10.0, power); };
    return [=, psi = hyper["psi"], xi = hyper["xi"]](RoundShape& shape, Round round, Round rounds) {
        const double noise = alpha(rounds - round);
        const double ahead = alpha(round);
        const bool isEarly = round <= xi * rounds;
        shape.clip *= std::pow(psi, BlockOf(round, rounds, tau));
        shape.unit = shape.clip;
        shape.strength = 1.0 / noise;
        shape.stepSize /= ahead * (isEarly ? noise : ahead);
    };
}

/// Hyper-parameters with the values of the paper's experiments; the paper does not state xi.
std::vector<HyperParameter>
AdpParameters()
{
    return {
        {"tau", 5.0, 1.0, 1e9, "rounds in a block of equal noise", true},
        {"noisePower", 0.2, 0.0, 10.0, "s: noise of round t is (floor((T-t)/tau) + 10)^s"},
        {"theta", 0.5, 0.0, 0.999, "weight of the past in a fused gradient"},
        {"psi", 0.99, 0.01, 1.0, "decay of the clip bound and its noise from block to block"},
        {"xi", 0.5, 0.0, 1.0, "part of the rounds after which the step size rule changes"},
        {"sdlr", 1.0, 0.0, 1.0, "1: noise and step size in stairs; 0: both constant", true},
        {"pgf", 1.0, 0.0, 1.0, "1: fused gradients; 0: each round's own", true},
        {"c2", 2.0, 1e-9, 1e9, "constant of Theorem 1, left open by the paper"},
    };
}

AlgorithmPreset
AdpPreset(const HyperParameters& hyper)
{
    AlgorithmPreset preset;
    preset.isPrivate = true;
    preset.stepSize = 60.0;
    preset.clip = 0.1;
    preset.claim = {ClaimFormula::MOMENTS, false, hyper["c2"]};
    preset.schedule = Stairs(hyper);
    if (hyper["pgf"] > 0.0)
    {
        preset.step = std::make_shared<FusedStep>(hyper.Whole("tau"), hyper["theta"]);
    }
    return preset;
}

} // namespace

void
AddAdpVrsgp(Registry<Algorithm>& registry)
{
    AddAlgorithm(registry,
                 {"adp-vrsgp",
                  "gradient push; noise and step size fall in stairs, gradients fused in between",
                  "Wu et al., IEEE IoT-J 2025 (arXiv:2510.20157), Algorithms 1 and 2",
                  {{"choices",
                    "",
                    "per-sample clipping, noise on the sum, one decay of the clip bound a block, "
                    "stepSize is eta; xi is not in the paper"}},
                  "base noise from a rigorous accountant at rate B/J",
                  "base noise from Theorem 1 at rate B/J, over the noise really used; plain step"},
                 {AdpParameters(), AdpPreset});
}

} // namespace dpdl
