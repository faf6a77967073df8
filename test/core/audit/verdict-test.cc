// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/audit/audit-answer.h"

#include <cmath>
#include <gtest/gtest.h>

namespace dpdl
{

namespace
{

const double NO_CLAIM = std::nan("");

} // namespace

TEST(Verdict, ComparesTheThreeNumbers)
{
    EXPECT_EQ(Verdict({1.0, 3.0, 0.5, 0.95}).Finding(), Finding::CONSISTENT);
    EXPECT_EQ(Verdict({1.0, 3.0, 1.0, 0.95}).Finding(), Finding::CONSISTENT);
    EXPECT_EQ(Verdict({1.0, 3.0, 1.5, 0.95}).Finding(), Finding::CLAIM_FALSE);
    EXPECT_EQ(Verdict({1.0, INFINITY, 9.0, 0.95}).Finding(), Finding::CLAIM_FALSE);
    EXPECT_EQ(Verdict({1.0, 3.0, 3.5, 0.95}).Finding(), Finding::CERTIFIED_BROKEN);
    EXPECT_EQ(Verdict({NO_CLAIM, 3.0, 2.5, 0.95}).Finding(), Finding::CONSISTENT);
    EXPECT_EQ(Verdict({NO_CLAIM, 3.0, 3.5, 0.95}).Finding(), Finding::CERTIFIED_BROKEN);
    EXPECT_EQ(Verdict({1.0, INFINITY, INFINITY, 1.0}).Finding(), Finding::CLAIM_FALSE);
}

TEST(Verdict, OnlyABrokenBoundEndsAProgramWithFailure)
{
    EXPECT_EQ(ExitStatus(Finding::CERTIFIED_BROKEN), 1);
    EXPECT_EQ(ExitStatus(Finding::CLAIM_FALSE), 0);
    EXPECT_EQ(ExitStatus(Finding::CONSISTENT), 0);
}

TEST(Verdict, SaysItInOneSentence)
{
    EXPECT_EQ(Verdict({1.0, 41.0, 2.8211, 0.999}).Event(),
              "the claim is false: epsilon is at least 2.821 with 99.9 % confidence");
    EXPECT_EQ(Verdict({4.0, INFINITY, INFINITY, 1.0}).Event(),
              "the claim is false: no finite epsilon holds at this delta");
    EXPECT_EQ(Verdict({1.0, 3.0, 0.5, 0.95}).Event(), "nothing contradicts the claim");
    EXPECT_EQ(Verdict({NO_CLAIM, 3.0, 0.5, 0.95}).Event(),
              "nothing contradicts the certified bound");
    EXPECT_EQ(Verdict({NO_CLAIM, INFINITY, 0.5, 0.95}).Event(),
              "nothing is claimed or certified: epsilon is at least 0.5 with 95 % confidence");
    EXPECT_EQ(Verdict({1.0, 3.0, 3.5, NO_CLAIM}).Event(),
              "the certified bound does not hold for what was audited: epsilon is at least 3.5");
    EXPECT_EQ(ToString(Finding::CLAIM_FALSE), "claim-false");
}

} // namespace dpdl
