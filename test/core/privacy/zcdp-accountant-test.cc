// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/accountant.h"
#include "dpdl/privacy/gdp.h"

#include <cmath>
#include <gtest/gtest.h>

namespace dpdl
{

namespace
{

Guarantee
Evaluate(const StepCounts& steps, double delta, Adjacency adjacency = Adjacency::ADD_REMOVE)
{
    return Accountants().Get("zcdp")->Evaluate(steps, {delta, adjacency});
}

PrivacyStep
Step(NoiseKind noise, double mu)
{
    return {noise, Amplification::NONE, 1.0, mu, 2.0 * mu};
}

} // namespace

TEST(ZcdpAccountant, ReplacingAnExampleCountsTheSwing)
{
    const StepCounts once{{Step(NoiseKind::GAUSSIAN, 0.3), 4}};
    const StepCounts twice{{Step(NoiseKind::GAUSSIAN, 0.6), 4}};
    EXPECT_EQ(Evaluate(once, 1e-5, Adjacency::REPLACE).epsilon, Evaluate(twice, 1e-5).epsilon);
}

TEST(ZcdpAccountant, RefusesSampling)
{
    PrivacyStep step = Step(NoiseKind::GAUSSIAN, 0.3);
    step.sampling = Amplification::POISSON;
    step.rate = 0.1;
    const Guarantee refused = Evaluate({{step, 1}}, 1e-5);
    EXPECT_TRUE(std::isinf(refused.epsilon));
    EXPECT_NE(refused.reason.find("without sampling"), std::string::npos);
}

} // namespace dpdl
