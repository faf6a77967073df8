// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/recorded-audit.h"
#include "dpdl/experiment/recorded-run.h"
#include "experiment-fixture.h"

#include <cmath>

namespace dpdl
{
namespace
{

class RecordedAuditTest : public ExperimentTest
{
  protected:
    AuditRequest Request() const
    {
        AuditRequest request;
        request.form = AuditForm::TRACE;
        request.trace = m_path;
        request.runs = 4000;
        request.confidence = 0.999;
        return request;
    }
};

TEST_F(RecordedAuditTest, StoresWhatItObservedInTheTrace)
{
    Run(Small());
    AuditRequest request = Request();
    request.node = 2;
    const AuditAnswer answer = AuditRecordedRun(request);
    EXPECT_LE(answer.figures.observed, answer.figures.certified);
    EXPECT_GT(answer.mu.value(), 0.0);
    const RecordedRun run(m_path);
    EXPECT_EQ(answer.figures.certified, run.Guarantees()[2].certified);
    EXPECT_EQ(answer.delta, run.Delta());
    EXPECT_EQ(run.Guarantees()[2].observed, answer.figures.observed);
    EXPECT_FALSE(run.Guarantees()[1].observed.has_value());
    EXPECT_NE(run.Setting("observedBy").find("4000 runs"), std::string::npos);
}

TEST_F(RecordedAuditTest, ARunWithoutNoiseHidesNothing)
{
    RunSettings settings = Small();
    settings.algorithm = "sgp";
    Run(settings);
    const AuditAnswer answer = AuditRecordedRun(Request());
    EXPECT_TRUE(std::isinf(answer.figures.certified));
    EXPECT_GT(answer.figures.observed, 2.0);
}

TEST_F(RecordedAuditTest, RefusesANodeThatIsNotThere)
{
    Run(Small());
    AuditRequest request = Request();
    request.node = 5;
    EXPECT_THROW(AuditRecordedRun(request), UsageError);
    request.trace = "no-such-file.db";
    EXPECT_THROW(AuditRecordedRun(request), UsageError);
}

} // namespace
} // namespace dpdl
