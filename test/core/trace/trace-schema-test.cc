// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "trace-fixture.h"

#include <fstream>
#include <map>
#include <sstream>

namespace dpdl
{
namespace
{

using Columns = std::vector<std::string>;

/// The contract: what scripts outside dpdl rely on.
const std::map<std::string, Columns>&
Contract()
{
    static const std::map<std::string, Columns> VIEWS{
        {"summary", {"name", "value", "unit", "meaning"}},
        {"settings", {"name", "value"}},
        {"accuracy_by_round",
         {"round",
          "simulated_seconds",
          "accuracy_mean",
          "accuracy_worst",
          "accuracy_of_mean_model",
          "loss_mean",
          "consensus_distance"}},
        {"accuracy_by_node", {"round", "node", "accuracy", "loss"}},
        {"guarantee_by_node",
         {"node",
          "claimed",
          "certified",
          "observed",
          "delta",
          "adjacency",
          "reason",
          "accountant",
          "claim_reason",
          "stopped_in_round",
          "budget"}},
        {"guarantee_by_round", {"round", "claimed_max", "certified_max"}},
        {"release",
         {"node",
          "round",
          "mechanism",
          "sampler",
          "rate",
          "sensitivity",
          "noise",
          "noise_multiplier",
          "flags"}},
        {"delivery",
         {"round",
          "source",
          "target",
          "weight",
          "bytes",
          "sent_at",
          "arrived_at",
          "used_in_round",
          "fate",
          "chunk"}},
        {"delivery_by_link",
         {"source", "target", "sent", "delivered", "lost", "bytes", "delay_mean", "delay_p99"}},
        {"mass_by_round", {"round", "w_at_nodes", "w_in_flight", "w_lost", "w_error", "x_error"}},
        {"q_by_window",
         {"first_round",
          "last_round",
          "q_bound",
          "q_designed",
          "q_realised",
          "strongly_connected",
          "effective_nodes",
          "worst_pair",
          "largest_influence",
          "w_min",
          "w_max",
          "one_minus_q_bound",
          "window_b",
          "diameter"}},
        {"link_event", {"time", "event", "source", "target", "node", "value", "sentence"}},
        {"violation", {"round", "node", "assumption", "detail"}},
        {"energy_by_node", {"round", "node", "state", "seconds", "joule"}},
        {"sensitivity_by_round",
         {"round", "node", "estimated", "heard_maximum", "unheard", "real"}},
        {"position_by_round", {"round", "node", "x", "y"}},
        {"frames_by_distance",
         {"distance_from", "distance_to", "sent", "received", "collided", "faded"}},
        {"snapshot", {"round", "node", "w", "z"}},
    };
    return VIEWS;
}

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

    static std::string Documentation()
    {
        std::ifstream file(std::string(DPDL_SOURCE_DIR) + "/doc/formats/trace.md");
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

TEST_F(TraceSchema, ViewsAreTheContract)
{
    for (const auto& [view, columns] : Contract())
    {
        EXPECT_EQ(ColumnsOf(view), columns) << view;
        EXPECT_EQ(Value("SELECT type FROM sqlite_master WHERE name = '" + view + "'"), "view");
        EXPECT_NO_THROW(Query("SELECT * FROM " + view)) << view;
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
        for (const std::string& column : ColumnsOf(view))
        {
            EXPECT_NE(section.find("| `" + column + "` |"), std::string::npos)
                << view << "." << column;
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
        ASSERT_NE(start, std::string::npos) << table;
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
    EXPECT_EQ(Value("PRAGMA user_version"), "1");
    EXPECT_EQ(Value("PRAGMA application_id"), std::to_string(0x6470646c));
    EXPECT_NE(Documentation().find("schema version 1"), std::string::npos);
}

} // namespace
} // namespace dpdl
