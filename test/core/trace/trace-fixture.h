// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TEST_TRACE_FIXTURE_H
#define DPDL_TEST_TRACE_FIXTURE_H

#include "dpdl/trace/trace-store.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <unistd.h>
#include <vector>

namespace dpdl
{

constexpr double INF = std::numeric_limits<double>::infinity();

/// A folder for every test, and short ways to ask a trace.
class TraceTest : public testing::Test
{
  protected:
    void SetUp() override
    {
        static int number = 0; // messages show 80 characters of a path: keep it short
        m_folder = std::filesystem::temp_directory_path() /
                   ("dpdl-" + std::to_string(getpid()) + "-" + std::to_string(++number));
        std::filesystem::create_directories(m_folder);
        m_path = (m_folder / "run.db").string();
    }

    void TearDown() override
    {
        std::filesystem::remove_all(m_folder);
    }

    /// Names of the folder's entries, sorted.
    std::vector<std::string> Files() const
    {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(m_folder))
        {
            names.push_back(entry.path().filename().string());
        }
        std::sort(names.begin(), names.end());
        return names;
    }

    /// All rows of a query, each as its columns joined by `|`; NULL is written as it is.
    std::vector<std::string> Query(const std::string& sql) const
    {
        return ReadRows(SQLite::Database(m_path, SQLite::OPEN_READONLY),
                        sql,
                        [](const auto& value) {
                            return value.isNull() ? std::string("NULL") : value.getString();
                        });
    }

    /// All rows of a query, each as its columns joined by `|`. @param show the text of a value
    template <typename Show>
    static std::vector<std::string> ReadRows(const SQLite::Database& database,
                                             const std::string& sql,
                                             Show show)
    {
        SQLite::Statement statement(database, sql);
        std::vector<std::string> rows;
        while (statement.executeStep())
        {
            std::string row;
            for (int column = 0; column < statement.getColumnCount(); ++column)
            {
                row += (column > 0 ? "|" : "") + show(statement.getColumn(column));
            }
            rows.push_back(row);
        }
        return rows;
    }

    /// The only value of a query.
    std::string Value(const std::string& sql) const
    {
        const std::vector<std::string> rows = Query(sql);
        return rows.size() == 1 ? rows[0] : std::to_string(rows.size()) + " rows";
    }

    std::string Summary(const std::string& name) const
    {
        return Value("SELECT value FROM summary WHERE name = '" + name + "'");
    }

    std::filesystem::path m_folder;
    std::string m_path;
};

} // namespace dpdl

#endif // DPDL_TEST_TRACE_FIXTURE_H
