// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/data/dataset.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace dpdl
{
namespace
{

using Path = std::filesystem::path;

class FeatureStoreTest : public ::testing::Test
{
  protected:
    void SetUp() override
    {
        std::string name = (Path(::testing::TempDir()) / "dpdl-features-XXXXXX").string();
        m_folder = mkdtemp(name.data());
        setenv("DPDL_FEATURES", m_folder.c_str(), 1);
    }

    void TearDown() override
    {
        unsetenv("DPDL_FEATURES");
        std::filesystem::remove_all(m_folder);
    }

    static std::vector<float> Features(std::size_t samples)
    {
        return LoadDataset("cifar-shaped", "", samples, 5, {}, {"scattering", 1})->train.values;
    }

    std::vector<Path> Files() const
    {
        std::vector<Path> files;
        for (const auto& entry : std::filesystem::directory_iterator(m_folder))
        {
            files.push_back(entry.path());
        }
        return files;
    }

    Path m_folder;
};

TEST_F(FeatureStoreTest, WhatIsReadIsWhatWasComputed)
{
    const std::vector<float> computed = Features(12);
    const std::vector<Path> files = Files();
    ASSERT_EQ(files.size(), 2U); // of the training and of the test examples
    EXPECT_EQ(Features(12), computed);
    EXPECT_EQ(Files().size(), 2U);
    Features(11);
    EXPECT_EQ(Files().size(), 3U); // other images, other features
    for (const Path& path : files)
    {
        std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(100);
        file.put('\x7f');
    }
    EXPECT_EQ(Features(12), computed);
    for (const Path& path : files)
    {
        std::filesystem::resize_file(path, 50);
    }
    EXPECT_EQ(Features(12), computed);
}

TEST_F(FeatureStoreTest, AFolderThatCannotBeWrittenIsNone)
{
    const std::vector<float> computed = Features(12);
    setenv("DPDL_FEATURES", "/dev/null/features", 1);
    EXPECT_EQ(Features(12), computed);
}

} // namespace
} // namespace dpdl
