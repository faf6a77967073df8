// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TEST_PRIVACY_STEPS_H
#define DPDL_TEST_PRIVACY_STEPS_H

#include "dpdl/privacy/accountant.h"

namespace dpdl
{

/// A step with half of its muReplace for an example that comes or goes. @param rate where it
/// samples
inline PrivacyStep
Step(NoiseKind noise, Amplification sampling, double rate, double mu)
{
    return {noise, sampling, sampling == Amplification::NONE ? 1.0 : rate, mu, 2.0 * mu};
}

/// What an accountant gives for steps.
inline double
Epsilon(const char* accountant, const StepCounts& steps, double delta, Adjacency adjacency)
{
    return Accountants().Get(accountant)->Evaluate(steps, {delta, adjacency}).epsilon;
}

} // namespace dpdl

#endif // DPDL_TEST_PRIVACY_STEPS_H
