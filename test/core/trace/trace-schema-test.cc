// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "trace-fixture.h"

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <tuple>

namespace dpdl
{
namespace
{

using Columns = std::vector<std::string>;

class TraceSchema : public TraceTest
{
  protected:
    void SetUp() override
    {
        TraceTest::SetUp();
        TraceStore(m_path, {}).Finish(true);
    }

    Columns ColumnsOf(const std::string& view) const
    {
        return Query("SELECT name FROM pragma_table_info('" + view + "') ORDER BY cid");
    }

    Columns Names(const std::string& type) const
    {
        return Query("SELECT name FROM sqlite_master WHERE type = '" + type +
                     "' AND name NOT LIKE 'sqlite_%'");
    }

    static std::string Documentation(const std::string& name = "trace.md")
    {
        std::ifstream file(std::string(DPDL_SOURCE_DIR) + "/doc/formats/" + name);
        std::ostringstream text;
        text << file.rdbuf();
        return text.str();
    }

    /// The part of the documentation under the heading that names @p name.
    static std::string SectionOf(const std::string& text, const std::string& name)
    {
        const std::size_t start = text.find("### `" + name + "`");
        return start == std::string::npos ? ""
                                          : text.substr(start, text.find("\n#", start) - start);
    }
};

// What scripts outside dpdl rely on. DPDL_RECORD_SCHEMA=1 in the environment records it anew.
TEST_F(TraceSchema, TheFileHasTheDocumentedSchema)
{
    std::string schema = "PRAGMA application_id = " + Value("PRAGMA application_id") + ";\n" +
                         "PRAGMA user_version = " + Value("PRAGMA user_version") + ";\n";
    for (const std::string& sql : Query("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL"))
    {
        schema += sql + ";\n";
    }
    if (std::getenv("DPDL_RECORD_SCHEMA"))
    {
        std::ofstream(std::string(DPDL_SOURCE_DIR) + "/doc/formats/trace.sql") << schema;
    }
    EXPECT_EQ(schema, Documentation("trace.sql")) << "DPDL_RECORD_SCHEMA=1 records it anew";
    for (const std::string& view : Names("view"))
    {
        EXPECT_NO_THROW(Query("SELECT * FROM \"" + view + "\"")) << view;
    }
}

TEST_F(TraceSchema, EveryViewAndColumnIsDocumented)
{
    const std::string text = Documentation();
    ASSERT_FALSE(text.empty());
    for (const std::string& view : Names("view"))
    {
        const std::string section = SectionOf(text, view);
        EXPECT_FALSE(section.empty()) << view;
        std::size_t place = 0;
        for (const std::string& column : ColumnsOf(view))
        {
            place = section.find("\n| `" + column + "` |", place);
            ASSERT_NE(place, std::string::npos) << view << " of trace.md lacks row " << column;
        }
    }
}

TEST_F(TraceSchema, EveryBaseTableAndColumnIsDocumented)
{
    const std::string whole = Documentation();
    const std::string text = whole.substr(std::min(whole.find("## Base tables"), whole.size()));
    for (const std::string& table : Names("table"))
    {
        const std::size_t start = text.find("\n| `" + table + "` |");
        ASSERT_NE(start, std::string::npos) << table << " has no row under Base tables";
        const std::string line = text.substr(start + 1, text.find('\n', start + 1) - start - 1);
        std::string list;
        for (const std::string& column : ColumnsOf(table))
        {
            list += (list.empty() ? "" : ", ") + column;
        }
        EXPECT_NE(line.find("| " + list + " |"), std::string::npos) << line << " needs " << list;
    }
}

TEST_F(TraceSchema, EverySummaryItemIsDocumentedAndPresent)
{
    const std::string section = SectionOf(Documentation(), "summary");
    ASSERT_FALSE(SummaryItems().empty());
    std::vector<std::string> expected;
    for (const SummaryItem& item : SummaryItems())
    {
        const std::string unit = item.unit;
        expected.push_back(std::string(item.name) + "|" + unit + "|" + item.meaning);
        EXPECT_NE(section.find("| `" + std::string(item.name) + "` | " + unit + " | " +
                               item.meaning + " |"),
                  std::string::npos)
            << item.name;
    }
    EXPECT_EQ(Query("SELECT name, unit, meaning FROM summary"), expected);
}

TEST_F(TraceSchema, VersionAndApplicationAreInTheFile)
{
    EXPECT_EQ(Value("PRAGMA user_version"), "2");
    EXPECT_EQ(Value("PRAGMA application_id"), std::to_string(0x6470646c));
    EXPECT_NE(Documentation().find("schema version 2"), std::string::npos);
}

TEST_F(TraceSchema, EveryColumnOfEveryViewIsPublicOrPrivate)
{
    Columns expected;
    for (const std::string& view : Names("view"))
    {
        for (const std::string& column : ColumnsOf(view))
        {
            expected.push_back(view + "." + column);
        }
    }
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(Query("SELECT view || '.' || \"column\" FROM column_privacy WHERE item IS NULL "
                    "ORDER BY 1"),
              expected);
    EXPECT_EQ(Value("SELECT COUNT(*) FROM column_privacy WHERE standing NOT IN ('public', "
                    "'private') OR (standing = 'private') <> (reason IS NOT NULL)"),
              "0");
}

TEST_F(TraceSchema, WhatMayBePrivateIsMarkedInTheDocumentation)
{
    // Nothing is known of the run of an empty trace, so that all is private that may be.
    const std::string text = Documentation();
    for (const std::string& name : Query("SELECT view || '|' || coalesce(item, \"column\") FROM "
                                         "column_privacy WHERE standing = 'private'"))
    {
        const std::string section = SectionOf(text, name.substr(0, name.find('|')));
        const std::string row = "\n| `" + name.substr(name.find('|') + 1) + "` |";
        const std::size_t start = section.find(row);
        ASSERT_NE(start, std::string::npos) << name << " has no row in trace.md";
        const std::size_t end = section.find('\n', start + 1);
        EXPECT_NE(section.substr(start, end - start).find("**private"), std::string::npos) << name;
    }
}

TEST_F(TraceSchema, WhatIsPrivateFollowsTheRun)
{
    const auto standing = [this](const std::string& view, const std::string& column) {
        return Value("SELECT standing FROM column_privacy WHERE view = '" + view +
                     "' AND coalesce(item, \"column\") = '" + column + "'");
    };
    for (const auto& [part, compute, epsilon, model, shared, time] :
         {std::tuple{"whole", "fixed:0.01s", 1.0, "public", "public", "public"},
          {"shared", "fixed:0.01s", 1.0, "private", "public", "public"},
          {"none", "fixed:0.01s", 1.0, "private", "private", "public"},
          {"whole", "fixed:0.01s", INF, "private", "private", "public"},
          {"whole", "measured", 1.0, "private", "private", "private"}})
    {
        TraceStore::Options options;
        options.overwrite = true;
        TraceStore store(m_path, options);
        store.SetSetting("certifiedPart", part);
        store.SetSetting("compute", compute);
        store.SetSummary("epsilon_certified", epsilon);
        store.Finish(true);
        EXPECT_EQ(standing("snapshot", "z"), model);
        EXPECT_EQ(standing("accuracy_by_node", "accuracy"), model);
        EXPECT_EQ(standing("mass_by_round", "x_error"), model);
        EXPECT_EQ(standing("summary", "accuracy_worst"), model);
        EXPECT_EQ(standing("summary", "consensus_distance"), shared);
        EXPECT_EQ(standing("delivery", "fate"), time);
        EXPECT_EQ(standing("delivery_by_link", "delay_mean"), time);
        EXPECT_EQ(standing("summary", "messages_lost"), time);
        EXPECT_EQ(standing("round_by_node", "started_at"), time);
        EXPECT_EQ(standing("delivery", "sent_at"), time);
        EXPECT_EQ(standing("summary", "simulated_seconds"), time);
        for (const char* column : {"batch", "examples_drawn", "loss", "gradient_norm", "clipped"})
        {
            EXPECT_EQ(standing("round_by_node", column), "private") << column;
        }
        EXPECT_EQ(standing("noise_by_round", "noise"), "private");
        EXPECT_EQ(standing("settings", "seed"), "private");
        EXPECT_EQ(standing("release", "noise"), std::isfinite(epsilon) ? "public" : "private");
        EXPECT_EQ(standing("guarantee_by_node", "certified"), "public");
    }
}

} // namespace
} // namespace dpdl
