// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "../usage-message.h"
#include "dpdl/base/random.h"
#include "dpdl/data/dataset.h"
#include "dpdl/data/image-files.h"
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

using IdxFileTest = IdxFiles;

std::string
ErrorOf(const std::string& path, const std::vector<std::uint32_t>& itemSizes, std::size_t limit)
{
    return UsageMessage([&] { ReadIdxFile(path, itemSizes, limit); });
}

TEST_F(IdxFileTest, ReadsPlainAndCompressedFilesAlike)
{
    const Bytes bytes = IdxBytes({3, 2, 1}, {1, 2, 3, 4, 5, 6});
    for (const std::string& path : {Write("plain", bytes), WriteCompressed("packed", bytes)})
    {
        const IdxArray array = ReadIdxFile(path, {2, 1});
        EXPECT_EQ(array.sizes, (std::vector<std::uint32_t>{3, 2, 1}));
        EXPECT_EQ(array.values, (Bytes{1, 2, 3, 4, 5, 6}));
        EXPECT_EQ(ReadIdxFile(path, {2, 1}, 2).values, (Bytes{1, 2, 3, 4}));
    }
}

TEST_F(IdxFileTest, NamesTheByteAtWhichAFileIsWrong)
{
    const Bytes good = IdxBytes({3, 2, 1}, {1, 2, 3, 4, 5, 6});
    const auto change = [&good](std::size_t position, std::uint8_t value) {
        Bytes bytes = good;
        bytes[position] = value;
        return bytes;
    };
    const Bytes cut(good.begin(), good.end() - 1);
    const Bytes header(good.begin(), good.begin() + 10);
    Bytes extended = good;
    extended.push_back(7);

    struct Case
    {
        Bytes bytes;
        std::size_t limit;
        std::string expected;
    };

    const std::vector<Case> cases{
        {{}, 0, "byte 0: 'the end of the file'"},
        {change(2, 9), 0, "byte 0: 'magic number 0x00000903'"},
        {change(3, 1), 0, "byte 0: 'magic number 0x00000801'"},
        {change(7, 0), 0, "byte 4: '0 items'"},
        {good, 4, "byte 4: '3 items' is not accepted; expected at least 4"},
        {change(11, 3), 0, "byte 8: 'a dimension of size 3' is not accepted; expected 2"},
        {change(15, 2), 0, "byte 12: 'a dimension of size 2' is not accepted; expected 1"},
        {header, 0, "byte 10: 'the end of the file'"},
        {cut, 0, "byte 21: 'the end of the file' is not accepted; expected 6 bytes"},
        {change(4, 0xff), 0, "byte 22: 'the end of the file'"},
        {extended, 0, "byte 22: 'more data'"},
    };
    for (const Case& c : cases)
    {
        for (const std::string& path : {Write("plain", c.bytes), WriteCompressed("gz", c.bytes)})
        {
            const std::string error = ErrorOf(path, {2, 1}, c.limit);
            EXPECT_NE(error.find(path), std::string::npos) << error;
            EXPECT_NE(error.find(c.expected), std::string::npos) << error << "\n" << c.expected;
        }
    }
    EXPECT_NE(ErrorOf(Folder() + "/none", {}, 0).find("cannot be opened"), std::string::npos);
}

// Either a file is read as its header says or it is refused; nothing else may happen.
TEST_F(IdxFileTest, SurvivesMutatedFiles)
{
    Bytes values(64);
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        values[i] = static_cast<std::uint8_t>(3 * i);
    }
    const Bytes plain = IdxBytes({16, 2, 2}, values);
    std::ifstream packed(WriteCompressed("packed", plain), std::ios::binary);
    const Bytes compressed{std::istreambuf_iterator<char>(packed), {}};
    const RandomStream stream({1, 1}, RandomPurpose::TEST, 0, 0);
    std::uint64_t draw = 0;
    unsigned refused = 0;
    for (int round = 0; round < 800; ++round)
    {
        Bytes bytes = round % 2 == 0 ? plain : compressed;
        const auto size = static_cast<std::uint32_t>(bytes.size());
        for (std::uint32_t change = stream.Integer(draw++, 3); change-- > 0;)
        {
            const std::uint32_t position = stream.Integer(draw++, size);
            bytes[position] = static_cast<std::uint8_t>(stream.Word(draw++));
        }
        bytes.resize(stream.Integer(draw++, 4) == 0 ? stream.Integer(draw++, size + 9) : size);
        const std::string path = Write("mutant", bytes);
        try
        {
            const IdxArray array = ReadIdxFile(path, {2, 2});
            EXPECT_EQ(array.values.size(), array.sizes[0] * std::size_t{4});
        }
        catch (const UsageError& error)
        {
            ++refused;
            EXPECT_NE(std::string(error.what()).find("mutant', byte "), std::string::npos);
        }
    }
    EXPECT_GT(refused, 200U);
    EXPECT_LT(refused, 780U);
}

} // namespace
} // namespace dpdl
