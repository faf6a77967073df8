// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/accountant.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace dpdl
{

namespace
{

std::vector<Release>
Releases(NodeId node)
{
    std::vector<Release> releases;
    for (Round k = 0; k < 20; ++k)
    {
        releases.push_back({node, k, "gaussian", "poisson", 0.05, 1.0 + 0.1 * (k % 5), 1.5});
    }
    return releases;
}

} // namespace

TEST(AccountantCache, AnswersAsItsAccountantAndAsksItOnce)
{
    const auto accountant = Accountants().Get("rdp");
    AccountantCache cache(accountant, AccountingQuery{1e-5, {}, {}});
    const double expected = accountant->Evaluate(Releases(0), {1e-5}).epsilon;
    EXPECT_EQ(cache.Of(Releases(0)).epsilon, expected);
    std::vector<Release> other = Releases(7);
    std::reverse(other.begin(), other.end());
    EXPECT_EQ(cache.Of(other).epsilon, expected);
    EXPECT_EQ(cache.Size(), 1u);
    other.pop_back();
    EXPECT_LT(cache.Of(other).epsilon, expected);
    EXPECT_EQ(cache.Size(), 2u);
    EXPECT_EQ(cache.Of(std::vector<Release>{}).epsilon, 0.0);
}

TEST(AccountantCache, AReasonNamesTheNodeThatItIsAbout)
{
    AccountantCache cache(Accountants().Get("rdp"), AccountingQuery{1e-5, {}, {}});
    for (const NodeId node : {3u, 4u})
    {
        std::vector<Release> releases = Releases(node);
        releases[5] = releases[5].WithFlags(ReleaseFlag::SEED_REUSE);
        const Guarantee guarantee = cache.Of(releases);
        EXPECT_TRUE(std::isinf(guarantee.epsilon));
        EXPECT_NE(guarantee.reason.find("node " + std::to_string(node)), std::string::npos);
    }
}

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
