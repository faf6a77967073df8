// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/algorithms.h"
#include "step-run.h"

#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <string>

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

TEST(Baselines, SayWhyNothingIsClaimed)
{
    const std::multimap<std::string, std::string> reasons{
        {"a server", "fed-cdp"},
        {"a server", "mapa"},
        {"no paper claims", "ad-psgd"},
        {"no paper claims", "central"},
        {"no paper claims", "divshare"},
        {"no paper claims", "dp-fedavg"},
        {"no paper claims", "epidemic"},
        {"no paper claims", "isolated"},
        {"no paper claims", "r-fast"},
        {"is not reproduced", "bandmf"},
        {"is not reproduced", "decor"},
        {"is not reproduced", "dp-csgp"},
        {"is not reproduced", "muffliato"},
        {"constant", "porter"},
    };
    for (const auto& [words, name] : reasons)
    {
        const std::string reason = MakeAlgorithm(name).claim->Reason();
        EXPECT_NE(reason.find(words), std::string::npos) << name << ": " << reason;
    }
}

} // namespace
} // namespace dpdl
