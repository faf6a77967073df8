// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/errors.h"
#include "trace-fixture.h"

#include <csignal>
#include <fstream>
#include <functional>
#include <sys/wait.h>

namespace dpdl
{
namespace
{

class TraceFile : public TraceTest
{
  protected:
    static std::string MistakeAt(const std::string& path, bool overwrite)
    {
        try
        {
            TraceStore trace(path, {overwrite});
        }
        catch (const UsageError& error)
        {
            return error.what();
        }
        return "";
    }

    /// Runs @p action in a separate process; returns its wait status.
    static int InChild(const std::function<void()>& action)
    {
        const pid_t child = fork();
        if (child == 0)
        {
            action();
            _exit(0);
        }
        int status = 0;
        waitpid(child, &status, 0);
        return status;
    }

    static void AddMessages(TraceStore& trace, Round rounds)
    {
        for (Round round = 0; round < rounds; ++round)
        {
            trace.Add(Delivery{round, 0, 1, 0.5, 100, 1.0 * round, 1.0 * round + 0.1, round});
        }
    }
};

TEST_F(TraceFile, FinishLeavesOneFileWithoutWal)
{
    TraceStore trace(m_path, {});
    AddMessages(trace, 1000);
    trace.Finish(true);
    EXPECT_EQ(Files(), std::vector<std::string>{"run.db"});
    EXPECT_EQ(Value("PRAGMA journal_mode"), "delete");
    EXPECT_EQ(Summary("state"), "complete");
    EXPECT_EQ(Value("PRAGMA integrity_check"), "ok");
    EXPECT_THROW(trace.Flush(), Error);
    EXPECT_THROW(trace.Finish(true), Error);
}

TEST_F(TraceFile, DestructorKeepsTheRowsAndSaysIncomplete)
{
    {
        TraceStore trace(m_path, {});
        AddMessages(trace, 77);
    }
    EXPECT_EQ(Files(), std::vector<std::string>{"run.db"});
    EXPECT_EQ(Summary("state"), "incomplete");
    EXPECT_EQ(Value("SELECT COUNT(*) FROM delivery"), "77");
}

TEST_F(TraceFile, FinishAfterAnInterruptSaysIncomplete)
{
    TraceStore trace(m_path, {});
    trace.Finish(false);
    EXPECT_EQ(Summary("state"), "incomplete");
}

TEST_F(TraceFile, KilledProcessLeavesAValidIncompleteFile)
{
    const int status = InChild([this] {
        TraceStore trace(m_path, {false, 500});
        trace.SetSetting("nodes", "2");
        trace.Flush();
        AddMessages(trace, 1777);
        raise(SIGKILL);
    });
    ASSERT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(Value("PRAGMA integrity_check"), "ok");
    EXPECT_EQ(Summary("state"), "incomplete");
    EXPECT_EQ(Value("SELECT value FROM settings WHERE name = 'nodes'"), "2");
    EXPECT_EQ(Value("SELECT COUNT(*) FROM delivery"), "1500");
    EXPECT_EQ(Summary("messages_sent"), "1500");
    EXPECT_EQ(Value("SELECT sent, delivered, lost FROM delivery_by_link"), "1500|1500|0");
}

TEST_F(TraceFile, ExistingFileIsRefusedAndUntouched)
{
    {
        TraceStore trace(m_path, {});
        AddMessages(trace, 5);
        trace.Finish(true);
    }
    const std::string mistake = MistakeAt(m_path, false);
    EXPECT_NE(mistake.find("option 'trace'"), std::string::npos) << mistake;
    EXPECT_NE(mistake.find(m_path), std::string::npos) << mistake;
    EXPECT_NE(mistake.find("--overwrite"), std::string::npos) << mistake;
    EXPECT_EQ(Value("SELECT COUNT(*) FROM delivery"), "5");
}

TEST_F(TraceFile, OverwriteStartsAfreshAndTakesStaleCompanionsAlong)
{
    InChild([this] {
        TraceStore trace(m_path, {});
        AddMessages(trace, 5);
        trace.Flush();
        raise(SIGKILL);
    });
    ASSERT_GT(Files().size(), 1U);
    TraceStore trace(m_path, {true});
    trace.Finish(true);
    EXPECT_EQ(Files(), std::vector<std::string>{"run.db"});
    EXPECT_EQ(Value("SELECT COUNT(*) FROM delivery"), "0");
}

TEST_F(TraceFile, OverwriteSparesAFileThatIsNoTrace)
{
    std::ofstream(m_path) << "int main() {}\n";
    EXPECT_NE(MistakeAt(m_path, true).find("which this file is not"), std::string::npos);
    EXPECT_EQ(std::filesystem::file_size(m_path), 14U);
}

TEST_F(TraceFile, OverwriteSparesADatabaseThatIsNoTrace)
{
    {
        SQLite::Database other(m_path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        other.exec("CREATE TABLE mine(value); INSERT INTO mine VALUES (7)");
    }
    EXPECT_NE(MistakeAt(m_path, true).find("which this file is not"), std::string::npos);
    EXPECT_EQ(Value("SELECT value FROM mine"), "7");
}

TEST_F(TraceFile, ImpossiblePathsAreMistakesAndLeaveNothing)
{
    std::ofstream(m_folder / "file") << "x";
    const std::string folder = m_folder.string();
    EXPECT_NE(MistakeAt(folder + "/no/run.db", false).find("option 'trace'"), std::string::npos);
    EXPECT_NE(MistakeAt(folder + "/file/run.db", true).find("folder"), std::string::npos);
    EXPECT_NE(MistakeAt(folder, true).find("name of a file"), std::string::npos);
    EXPECT_NE(MistakeAt("/proc/run.db", false).find("/proc/run.db"), std::string::npos);
    EXPECT_NE(MistakeAt("", false).find("option 'trace'"), std::string::npos);
    EXPECT_EQ(Files(), std::vector<std::string>{"file"});
}

TEST_F(TraceFile, DiscardRemovesEverything)
{
    TraceStore trace(m_path, {});
    AddMessages(trace, 1000);
    trace.Flush();
    trace.Discard();
    EXPECT_TRUE(Files().empty());
    EXPECT_THROW(trace.Flush(), Error);
}

TEST_F(TraceFile, AReaderDoesNotDisturbTheRun)
{
    TraceStore trace(m_path, {});
    AddMessages(trace, 10);
    trace.Flush();
    SQLite::Database reader(m_path, SQLite::OPEN_READONLY);
    SQLite::Statement count(reader, "SELECT COUNT(*) FROM delivery");
    ASSERT_TRUE(count.executeStep());
    EXPECT_EQ(count.getColumn(0).getInt(), 10);
    AddMessages(trace, 10);
    trace.Finish(true);
    EXPECT_EQ(Summary("state"), "complete");
    EXPECT_EQ(Value("SELECT COUNT(*) FROM delivery"), "20");
}

} // namespace
} // namespace dpdl
