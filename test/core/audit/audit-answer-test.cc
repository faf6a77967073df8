// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/audit/audit-answer.h"
#include "dpdl/base/errors.h"

#include <cmath>
#include <gtest/gtest.h>

namespace dpdl
{

namespace
{

AuditAnswer
Audit(std::vector<std::string> arguments)
{
    arguments.emplace_back("--runs=1000");
    return ComputeAudit(ParseAuditArguments(arguments));
}

bool
Holds(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

TEST(AuditAnswer, FalseClaimOfEqualSteps)
{
    const AuditAnswer answer = Audit({"--noise=0.43955",
                                      "--rate=0.0004",
                                      "--steps=3500",
                                      "--delta=1e-4",
                                      "--epsilon=1",
                                      "--shift=2",
                                      "--confidence=0.999"});
    EXPECT_EQ(answer.Judge().Finding(), Finding::CLAIM_FALSE);
    EXPECT_GT(answer.figures.observed, 2.0);
    EXPECT_NEAR(answer.claimedMu.value(), 0.3139, 1e-4);
    EXPECT_GT(answer.mu.value(), *answer.claimedMu);
    const std::string json = AuditAsJson(answer);
    EXPECT_TRUE(Holds(json, "{\"claimed\": 1, "));
    EXPECT_TRUE(Holds(json, "\"confidence\": 0.999"));
    EXPECT_TRUE(Holds(json, "\"finding\": \"claim-false\""));
    EXPECT_TRUE(Holds(AuditAsTable(answer), "verdict             the claim is false"));
}

TEST(AuditAnswer, CleanMechanismStaysBelowItsBound)
{
    for (const char* sampler : {"poisson", "shuffle"})
    {
        const AuditAnswer answer = Audit({"--noise=1",
                                          "--rate=0.1",
                                          "--steps=40",
                                          "--delta=1e-5",
                                          std::string("--sampler=") + sampler});
        EXPECT_EQ(answer.Judge().Finding(), Finding::CONSISTENT) << sampler;
        EXPECT_TRUE(std::isfinite(answer.figures.certified)) << sampler;
        EXPECT_GT(answer.mu.value(), 0.0) << sampler;
        EXPECT_TRUE(Holds(AuditAsJson(answer), "{\"claimed\": null, "));
    }
}

TEST(AuditAnswer, OneRunNeedsIndependentSampling)
{
    const AuditAnswer answer =
        Audit({"--game=one-run", "--noise=0.2", "--steps=3", "--delta=1e-5", "--canaries=500"});
    EXPECT_EQ(answer.runs, 1U);
    EXPECT_GT(answer.figures.observed, 0.1);
    EXPECT_FALSE(answer.mu.has_value());
    EXPECT_THROW(Audit({"--game=one-run", "--noise=1", "--rate=0.1", "--delta=1e-5", "--shift=2"}),
                 UsageError);
}

TEST(AuditAnswer, GamesOfMechanismsWithoutGuarantee)
{
    const AuditAnswer zero =
        Audit({"--game=zero-gradient", "--localSamples=2500", "--rounds=3500", "--delta=1e-5"});
    EXPECT_TRUE(std::isinf(zero.figures.observed));
    EXPECT_TRUE(Holds(AuditAsJson(zero), "\"observed\": \"inf\""));
    const AuditAnswer rare =
        Audit({"--game=zero-gradient", "--localSamples=2500", "--rounds=3500", "--delta=0.8"});
    EXPECT_EQ(rare.figures.observed, 0.0);
    const AuditAnswer scalar = Audit({"--game=dpps-scalar", "--parameters=50"});
    EXPECT_EQ(scalar.Judge().Finding(), Finding::CLAIM_FALSE);
    const AuditAnswer norms = Audit({"--game=norm-ratio", "--delta=1e-5", "--ratio=1.1"});
    EXPECT_GT(norms.figures.observed, 3.0);
    EXPECT_TRUE(Holds(AuditAsTable(norms), "closed form"));
}

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
