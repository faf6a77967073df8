// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/option-table.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace dpdl
{
namespace
{

/// Link files in their own folder.
class ReadLinksTest : public testing::Test
{
  protected:
    ReadLinksTest()
        : m_folder(std::filesystem::temp_directory_path() /
                   ("dpdl-read-links-test-" + std::to_string(getpid())))
    {
        std::filesystem::create_directories(m_folder);
    }

    ~ReadLinksTest() override
    {
        std::filesystem::remove_all(m_folder);
    }

    std::string Write(const std::string& name, const std::string& text)
    {
        std::ofstream(m_folder / name) << text;
        return "file:" + (m_folder / name).string();
    }

    std::filesystem::path m_folder; ///< of the files
};

TEST_F(ReadLinksTest, WithoutAFileAllLinksAreAlike)
{
    EXPECT_EQ(ReadLinks(RunOptions(), {}), nullptr);
}

TEST_F(ReadLinksTest, AFileGivesAllItsColumnsButThoseThatAreGivenThemselves)
{
    const std::string file = Write("links.txt",
                                   "source target dataRate delay drop queue\n"
                                   "0 1 1Mbps 7ms 0.5 1msg\n");
    LinkParameters defaults;
    defaults.delay = 0.002;
    RunOptions settings;
    SetOption(settings, "dataRate", file);
    const LinkParameters all = ReadLinks(settings, defaults)->At(0, 1);
    EXPECT_DOUBLE_EQ(all.dataRate, 1e6);
    EXPECT_DOUBLE_EQ(all.delay, 7e-3);
    EXPECT_DOUBLE_EQ(all.drop, 0.5);
    EXPECT_EQ(all.queue.messages, 1U);
    SetOption(settings, "delay", "2ms");
    SetOption(settings, "drop", Write("drops.txt", "0 1 0.25\n"));
    const LinkParameters some = ReadLinks(settings, defaults)->At(0, 1);
    EXPECT_DOUBLE_EQ(some.dataRate, 1e6);
    EXPECT_DOUBLE_EQ(some.delay, 2e-3);
    EXPECT_DOUBLE_EQ(some.drop, 0.25);
}

TEST_F(ReadLinksTest, AValueTakesTheFilesPlaceAndIsShown)
{
    const std::string file = Write("rates.txt", "0 1 1Mbps\n");
    RunOptions settings;
    const OptionRow<RunOptions>* const option = LearningOptions().Find("dataRate");
    SetOption(settings, "dataRate", file);
    EXPECT_EQ(option->show(settings), file);
    SetOption(settings, "dataRate", "5Mbps");
    EXPECT_EQ(option->show(settings), "5e+06bps");
    EXPECT_EQ(ReadLinks(settings, {}), nullptr);
}

} // namespace
} // namespace dpdl
