// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TEST_EXPERIMENT_FIXTURE_H
#define DPDL_TEST_EXPERIMENT_FIXTURE_H

#include "../trace/trace-fixture.h"
#include "../usage-message.h"
#include "dpdl/experiment/experiment.h"

#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

namespace dpdl
{

/// Small runs on real data, each test in its own folder.
class ExperimentTest : public TraceTest
{
  protected:
    /// Five nodes, forty examples each, six rounds: some milliseconds.
    RunOptions Small() const
    {
        RunOptions settings;
        settings.model = "softmax-regression";
        settings.samples = 200;
        settings.testSamples = 50;
        settings.nodes = 5;
        settings.rounds = 6;
        settings.batchSize = 8;
        settings.evaluateEvery = 2;
        settings.workers = 1;
        settings.network = NetworkKind::IDEAL;
        settings.accountant = "rdp"; // the fastest
        settings.trace = m_path;
        return settings;
    }

    /// Runs without a simulator; the trace is in m_path.
    void Run(const RunOptions& settings, const Experiment::Metadata& facts = {})
    {
        RunOptions own = settings;
        own.trace = m_path;
        own.overwrite = true;
        Experiment experiment(own, facts);
        LockstepRun(experiment);
    }

    /// Text of the error that building an experiment gives; "" if it gives none.
    static std::string ErrorOf(const RunOptions& settings, const NetworkFacts& facts = {})
    {
        return UsageMessage([&] { const Experiment experiment(settings, {}, {}, facts); });
    }

    std::string Write(const std::string& name, const std::string& text) const
    {
        const std::string path = (m_folder / name).string();
        std::ofstream(path) << text;
        return path;
    }

    /// All rows of a query, numbers with all their bits, blobs as they are.
    std::vector<std::string> Bits(const std::string& sql) const
    {
        return Bits(SQLite::Database(m_path, SQLite::OPEN_READONLY), sql);
    }

    static std::vector<std::string> Bits(const SQLite::Database& database, const std::string& sql)
    {
        return ReadRows(database, sql, [](const auto& value) {
            char digits[40];
            std::snprintf(digits, sizeof(digits), "%a", value.getDouble());
            return value.isFloat() ? digits : value.getString();
        });
    }

    std::vector<std::string> Views() const
    {
        return Query("SELECT name FROM sqlite_master WHERE type = 'view' ORDER BY name");
    }
};

} // namespace dpdl

#endif // DPDL_TEST_EXPERIMENT_FIXTURE_H
