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

TEST(ZcdpAccountant, MatchesTheBestConversion)
{
    const double rows[][4] = {// rho, the best conversion, the first published one, exact
                              {0.01, 0.5457255482740024, 0.6886140424415113, 0.4969753639146998},
                              {0.1, 1.9142388320035977, 2.2459660262893473, 1.7600571495138815},
                              {0.5, 4.728386984943314, 5.298525912188081, 4.377178095681225},
                              {2.0, 10.72482411293917, 11.597051824376162, 9.997256146434301}};
    for (const auto& [rho, best, first, exact] : rows)
    {
        for (const NoiseKind noise :
             {NoiseKind::GAUSSIAN, NoiseKind::DISCRETE_GAUSSIAN, NoiseKind::LAPLACE})
        {
            const double mu = std::sqrt(2.0 * rho);
            const double one = Evaluate({{Step(noise, mu), 1}}, 1e-5).epsilon;
            EXPECT_NEAR(one / best, 1.0, 1e-10);
            EXPECT_NEAR(Evaluate({{Step(noise, mu / 5.0), 25}}, 1e-5).epsilon / one, 1.0, 1e-10);
        }
        EXPECT_LT(best, rho + 2.0 * std::sqrt(rho * std::log(1e5)));
        EXPECT_NEAR(first, rho + 2.0 * std::sqrt(rho * std::log(1e5)), 1e-12);
        EXPECT_NEAR(GdpEpsilon(std::sqrt(2.0 * rho), 1e-5), exact, 1e-10);
        EXPECT_GT(best, exact);
    }
}

TEST(ZcdpAccountant, BoundsAdvancedCompositionOfLaplaceNoise)
{
    EXPECT_LE(Evaluate({{Step(NoiseKind::LAPLACE, 0.1), 100}}, 1e-5).epsilon, 5.2985259121880812);
    EXPECT_LE(Evaluate({{Step(NoiseKind::LAPLACE, 0.01), 1000}}, 1e-6).epsilon, 1.7122581362691099);
}

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
