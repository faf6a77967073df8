// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "../usage-message.h"
#include "dpdl/data/dataset.h"
#include "idx-files.h"

namespace dpdl
{
namespace
{

constexpr std::size_t IMAGE = 28 * 28;

/// A folder with four small but valid files: 5 training images, 3 test images.
class DatasetTest : public IdxFiles
{
  protected:
    DatasetTest()
    {
        for (const auto& [prefix, count] : {std::pair{"train", 5U}, std::pair{"t10k", 3U}})
        {
            Bytes pixels(count * IMAGE);
            Bytes labels(count);
            for (std::uint32_t i = 0; i < count; ++i)
            {
                labels[i] = static_cast<std::uint8_t>(9 - i);
                pixels[i * IMAGE] = static_cast<std::uint8_t>(100 + i);
            }
            Write(prefix + std::string("-images-idx3-ubyte"), IdxBytes({count, 28, 28}, pixels));
            WriteCompressed(prefix + std::string("-labels-idx1-ubyte.gz"),
                            IdxBytes({count}, labels));
        }
    }

    std::string ErrorOf(const std::string& name, std::size_t samples, std::size_t testSamples) const
    {
        return UsageMessage([&] { LoadDataset(name, Folder(), samples, testSamples); });
    }
};

TEST_F(DatasetTest, KeepsFileOrder)
{
    const auto dataset = LoadDataset("mnist", Folder());
    EXPECT_EQ(dataset->name, "mnist");
    EXPECT_EQ(dataset->classes, 10U);
    EXPECT_EQ(dataset->shape.Size(), IMAGE);
    EXPECT_EQ(dataset->train.labels, (std::vector<double>{9, 8, 7, 6, 5}));
    EXPECT_EQ(dataset->test.labels, (std::vector<double>{9, 8, 7}));
    ASSERT_EQ(dataset->train.pixels.size(), 5 * IMAGE);
    EXPECT_EQ(dataset->train.pixels[4 * IMAGE], 104);
}

TEST_F(DatasetTest, TakesTheFirstExamplesOnly)
{
    const auto dataset = LoadDataset("fashion-mnist", Folder(), 2, 1);
    EXPECT_EQ(dataset->train.labels, (std::vector<double>{9, 8}));
    EXPECT_EQ(dataset->train.pixels.size(), 2 * IMAGE);
    EXPECT_EQ(dataset->test.labels, (std::vector<double>{9}));
    EXPECT_NE(ErrorOf("mnist", 6, 0).find("'5 items'"), std::string::npos);
    EXPECT_NE(ErrorOf("mnist", 0, 4).find("'3 items'"), std::string::npos);
}

TEST_F(DatasetTest, RefusesLabelsThatDoNotFit)
{
    Write("train-labels-idx1-ubyte", IdxBytes({5}, {0, 1, 2, 10, 4}));
    const std::string range = ErrorOf("mnist", 0, 0);
    EXPECT_NE(range.find("train-labels-idx1-ubyte', byte 11: 'label 10'"), std::string::npos)
        << range;
    EXPECT_EQ(ErrorOf("mnist", 3, 0), "accepted");
    Write("train-labels-idx1-ubyte", IdxBytes({4}, {0, 1, 2, 3}));
    const std::string count = ErrorOf("mnist", 0, 0);
    EXPECT_NE(count.find("byte 4: '4 labels'"), std::string::npos) << count;
    EXPECT_NE(ErrorOf("mnist", 2, 0), "accepted");
}

TEST_F(DatasetTest, IsReadOnceWhileItIsHeld)
{
    auto held = LoadDataset("mnist", Folder(), 2, 0);
    EXPECT_EQ(LoadDataset("mnist", Folder(), 2, 0), held);
    EXPECT_NE(LoadDataset("mnist", Folder(), 3, 0), held);
    held.reset();
    Write("train-labels-idx1-ubyte", IdxBytes({5}, {9, 9, 9, 9, 9}));
    EXPECT_EQ(LoadDataset("mnist", Folder(), 2, 0)->train.labels, (std::vector<double>{9, 9}));
}

TEST_F(DatasetTest, SaysWhereMissingFilesComeFrom)
{
    Remove("t10k-images-idx3-ubyte");
    const std::string error = ErrorOf("fashion-mnist", 0, 0);
    EXPECT_NE(error.find("t10k-images-idx3-ubyte"), std::string::npos) << error;
    EXPECT_NE(error.find("apt install dataset-fashion-mnist"), std::string::npos) << error;
}

TEST(Dataset, NamesAreChecked)
{
    EXPECT_THROW(LoadDataset("mnist"), UsageError);
    EXPECT_THROW(LoadDataset("cifar-10"), UsageError);
    EXPECT_THROW(LoadDataset("fashion-mnits"), UsageError);
}

TEST(Dataset, FashionMnistOfThePackage)
{
    if (!std::filesystem::exists("/usr/share/datasets/fashion-mnist"))
    {
        GTEST_SKIP() << "package dataset-fashion-mnist is not installed";
    }
    const auto dataset = LoadDataset("fashion-mnist");
    ASSERT_EQ(dataset->train.Size(), 60000U);
    ASSERT_EQ(dataset->test.Size(), 10000U);
    std::vector<unsigned> counts(10);
    for (const double label : dataset->train.labels)
    {
        ++counts[label];
    }
    EXPECT_EQ(counts, std::vector<unsigned>(10, 6000));
}

} // namespace
} // namespace dpdl
