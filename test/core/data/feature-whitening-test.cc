// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/random.h"
#include "dpdl/data/dataset.h"
#include "feature-whitening.h"

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

constexpr std::size_t COUNT = 7;
constexpr std::size_t SIZE = 11;
constexpr std::size_t EXAMPLES = 3;

std::vector<float>
Values(std::size_t count, std::uint32_t number)
{
    const RandomStream stream({1, 1}, RandomPurpose::DATASET, number, 0);
    std::vector<float> values;
    for (std::size_t i = 0; i < count; ++i)
    {
        values.push_back(static_cast<float>(stream.Uniform(i) + 0.5));
    }
    return values;
}

/// The shapes less their mean.
std::vector<double>
Centred(const std::vector<float>& shapes)
{
    std::vector<double> rows(shapes.begin(), shapes.end());
    for (std::size_t i = 0; i < SIZE; ++i)
    {
        double mean = 0.0;
        for (std::size_t row = 0; row < COUNT; ++row)
        {
            mean += rows[row * SIZE + i] / COUNT;
        }
        for (std::size_t row = 0; row < COUNT; ++row)
        {
            rows[row * SIZE + i] -= mean;
        }
    }
    return rows;
}

TEST(FeatureWhiteningTest, CoordinatesMinimiseTheRidgeLoss)
{
    const std::vector<float> shapes = Values(COUNT * SIZE, 1);
    const std::vector<float> examples = Values(EXAMPLES * SIZE, 2);
    const std::vector<double> rows = Centred(shapes);
    double squares = 0.0;
    for (const double value : rows)
    {
        squares += value * value;
    }
    for (const double penalty : {0.01, 1.0})
    {
        std::vector<float> found(EXAMPLES * COUNT);
        FeatureWhitening(shapes, COUNT, penalty).Apply(EXAMPLES, examples.data(), found.data());
        for (std::size_t example = 0; example < EXAMPLES; ++example)
        {
            const float* coordinates = found.data() + example * COUNT;
            // x - S^T a, of which the gradient of |x - S^T a|^2 + c |a|^2 is made.
            std::vector<double> rest(examples.begin() + example * SIZE,
                                     examples.begin() + (example + 1) * SIZE);
            for (std::size_t i = 0; i < COUNT * SIZE; ++i)
            {
                rest[i % SIZE] -= rows[i] * coordinates[i / SIZE];
            }
            for (std::size_t row = 0; row < COUNT; ++row)
            {
                double slope = penalty * squares / COUNT * coordinates[row];
                for (std::size_t i = 0; i < SIZE; ++i)
                {
                    slope -= rows[row * SIZE + i] * rest[i];
                }
                EXPECT_NEAR(slope, 0.0, 2e-6);
            }
        }
    }
}

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
