// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * What it costs to record a round of a thousand nodes, ten columns each, with everything that a
 * trace does until the rows are in the file. One thread, processor time. Beside it plain SQLite,
 * one transaction a round, and a binary file as the floor.
 */

#include "dpdl/trace/trace-store.h"
#include "harness/run-bench.h"
#include "harness/temporary-file.h"

#include <cstdio>
#include <memory>
#include <sqlite3.h>

namespace
{

using namespace dpdl;

constexpr std::uint32_t NODES = 1000;
/// Rounds of one measurement: several transactions of the trace.
constexpr dpdl::Round ROUNDS = 200;
constexpr double GOAL_SECONDS = 1e-3;

RoundByNode
MakeRow(dpdl::Round round, NodeId node)
{
    RoundByNode row;
    row.round = round;
    row.node = node;
    row.examples = 64;
    row.loss = 2.3 - 1e-4 * round;
    row.gradientNorm = 1.7 + 1e-3 * node;
    row.clipped = 0.5;
    row.startedAt = 0.1 * round;
    row.finishedAt = row.startedAt + 0.09;
    return row;
}

/// Adds and finishes: index and checkpoint are in the price.
void
WriteTrace(const std::string& path)
{
    TraceStore::Options options;
    options.overwrite = true;
    TraceStore store(path, options);
    for (dpdl::Round round = 0; round < ROUNDS; ++round)
    {
        for (NodeId node = 0; node < NODES; ++node)
        {
            store.Add(MakeRow(round, node));
        }
    }
    store.Finish(true);
}

/// A database with one table of ten columns and a statement that is prepared once.
class PlainDatabase
{
  public:
    explicit PlainDatabase(const std::string& path)
    {
        sqlite3_open(path.c_str(), &m_database);
        Do("PRAGMA journal_mode = WAL");
        Do("PRAGMA synchronous = NORMAL");
        Do("DROP TABLE IF EXISTS rows");
        Do("CREATE TABLE rows (a, b, c, d, e, f, g, h, i, j)");
        sqlite3_prepare_v2(m_database,
                           "INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                           -1,
                           &m_insert,
                           nullptr);
    }

    ~PlainDatabase()
    {
        sqlite3_finalize(m_insert);
        sqlite3_close(m_database);
    }

    PlainDatabase(const PlainDatabase&) = delete;
    PlainDatabase& operator=(const PlainDatabase&) = delete;

    void Do(const char* sql)
    {
        sqlite3_exec(m_database, sql, nullptr, nullptr, nullptr);
    }

    void Insert(const RoundByNode& row)
    {
        sqlite3_bind_int64(m_insert, 1, row.round);
        sqlite3_bind_int64(m_insert, 2, row.node);
        sqlite3_bind_double(m_insert, 3, row.w);
        sqlite3_bind_int64(m_insert, 4, row.examples);
        const double reals[]{row.loss,
                             row.gradientNorm,
                             row.clipped,
                             row.startedAt,
                             row.finishedAt,
                             row.wSmallest};
        int column = 5;
        for (const double value : reals)
        {
            sqlite3_bind_double(m_insert, column++, value);
        }
        sqlite3_step(m_insert);
        sqlite3_reset(m_insert);
    }

  private:
    sqlite3* m_database{nullptr};    ///< the file
    sqlite3_stmt* m_insert{nullptr}; ///< a row
};

void
WriteSqlite(const std::string& path)
{
    PlainDatabase database(path);
    for (dpdl::Round round = 0; round < ROUNDS; ++round)
    {
        database.Do("BEGIN");
        for (NodeId node = 0; node < NODES; ++node)
        {
            database.Insert(MakeRow(round, node));
        }
        database.Do("COMMIT");
    }
}

void
WriteBinary(const std::string& path)
{
    const auto close = [](std::FILE* file) { std::fclose(file); };
    const std::unique_ptr<std::FILE, decltype(close)> file(std::fopen(path.c_str(), "wb"), close);
    for (dpdl::Round round = 0; file && round < ROUNDS; ++round)
    {
        for (NodeId node = 0; node < NODES; ++node)
        {
            const RoundByNode row = MakeRow(round, node);
            std::fwrite(&row, sizeof(row), 1, file.get());
        }
    }
}

/// Seconds of one round.
Measurement
OfRound(const Measurement& seconds)
{
    return Sum(Measurement({0.0}), seconds, 1.0 / ROUNDS);
}

void
MeasureTrace(const BenchRequest& request, BenchReport& report)
{
    const TemporaryFile trace("trace.db");
    const TemporaryFile sqlite("sqlite.db");
    const TemporaryFile binary("rows.bin");
    InterleavedBenchmark benchmark(request.Rules(20.0));
    const std::size_t ours = benchmark.Add([&trace]() { WriteTrace(trace.Path()); });
    const std::size_t peer = benchmark.Add([&sqlite]() { WriteSqlite(sqlite.Path()); });
    const std::size_t floor = benchmark.Add([&binary]() { WriteBinary(binary.Path()); });
    benchmark.Run();
    BenchRow& row = report.AddRow("a round: 1000 rows of view round_by_node, 10 columns",
                                  Milliseconds(),
                                  OfRound(benchmark.Seconds(ours)));
    row.goal = AtMost(GOAL_SECONDS / row.unit.size);
    row.AddFloor("binary file", OfRound(benchmark.Seconds(floor)));
    row.AddPeer("plain SQLite, a transaction a round", OfRound(benchmark.Seconds(peer)));
    report.AddRow("rows a second", {"M/s", NODES * ROUNDS / 1e6, true}, benchmark.Seconds(ours));
}

} // namespace

int
main(int argc, char* argv[])
{
    return RunBench(
        {"trace", "What a trace takes to record a round of 1000 nodes.", {}, MeasureTrace},
        {argv + 1, argv + argc});
}
