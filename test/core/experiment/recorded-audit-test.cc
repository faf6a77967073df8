// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

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
    EXPECT_EQ(Value("SELECT node, runs, confidence, game FROM audit"), "2|4000|0.999|canary");
    EXPECT_EQ(Value("SELECT audited_by LIKE 'dpdl _%' AND audited_at LIKE "
                    "'20__-__-__T__:__:__Z' FROM audit"),
              "1");
}

TEST_F(RecordedAuditTest, PlaysAnExampleOfOnePartWhereBatchesAreDrawnFromParts)
{
    RunOptions settings = Small();
    settings.algorithm = "bandmf";
    settings.hyper = "bands=3";
    settings.accountant = "pld";
    settings.epsilon = 8.0;
    Run(settings);
    AuditRequest request = Request();
    request.runs = 20000;
    const AuditAnswer answer = AuditRecordedRun(request);
    EXPECT_LE(answer.figures.observed, answer.figures.certified);
    EXPECT_GT(answer.figures.observed, 0.3 * answer.figures.certified);
}

TEST_F(RecordedAuditTest, ACertificateStaysBrokenOnceAnAuditHasBrokenIt)
{
    Run(Small());
    SQLite::Database(m_path, SQLite::OPEN_READWRITE)
        .exec("UPDATE guarantee SET certified = 0.01 WHERE node = 2");
    AuditRequest request = Request();
    request.node = 2;
    request.runs = 100000;
    EXPECT_EQ(AuditRecordedRun(request).Judge().Finding(), Finding::CERTIFIED_BROKEN);
    request.runs = 10;
    const AuditAnswer weak = AuditRecordedRun(request);
    EXPECT_LT(weak.figures.observed, 0.01);
    EXPECT_EQ(weak.Judge().Finding(), Finding::CERTIFIED_BROKEN);
    request.node = 3;
    EXPECT_EQ(AuditRecordedRun(request).Judge().Finding(), Finding::CONSISTENT);
}

TEST_F(RecordedAuditTest, RefusesANodeWithoutALedger)
{
    Run(Small());
    const auto mistake = [](const AuditRequest& request) -> std::string {
        try
        {
            AuditRecordedRun(request);
        }
        catch (const UsageError& error)
        {
            return error.what();
        }
        return "";
    };
    const auto execute = [this](const char* sql) {
        SQLite::Database(m_path, SQLite::OPEN_READWRITE).exec(sql);
    };
    execute("DELETE FROM ledger WHERE node = 3");
    AuditRequest request = Request();
    EXPECT_EQ(mistake(request), "");
    request.node = 3;
    EXPECT_EQ(mistake(request),
              "trace: '" + m_path +
                  "' is not accepted; expected a trace with releases of node 3 in its ledger (view "
                  "release)");
    execute("DELETE FROM ledger");
    EXPECT_NE(mistake(Request()).find("with releases of node 0 in its ledger"), std::string::npos);
    execute("UPDATE summary_item SET value = 'incomplete' WHERE name = 'state'");
    EXPECT_NE(mistake(Request()).find("reached its end"), std::string::npos);
}

TEST_F(RecordedAuditTest, ARunWithoutNoiseHidesNothing)
{
    RunOptions settings = Small();
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
