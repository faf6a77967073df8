// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/algorithms.h"
#include "step-run.h"

#include <gtest/gtest.h>
#include <limits>

namespace dpdl
{
namespace
{

TEST(Baselines, ClaimNothingAndSpendTheCertifiedBudget)
{
    for (const char* name :
         {"a-dp2-sgd", "mapa", "ppsgd", "dfedsam", "fed-cdp", "fed-dpa", "fed-an"})
    {
        const AlgorithmPreset preset = MakeAlgorithm(name);
        EXPECT_NE(preset.claim->Reason(), "") << name;
        const StepRun run({preset});
        EXPECT_EQ(run.Plan().ClaimedEpsilon(0, 6), std::numeric_limits<double>::infinity()) << name;
        const double certified = run.Plan().Guarantees()->Of(run.Plan().Releases(0)).epsilon;
        EXPECT_LE(certified, 4.0) << name;
        EXPECT_GT(certified, 3.99) << name;
    }
}

} // namespace
} // namespace dpdl
