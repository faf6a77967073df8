// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "../mutated.h"
#include "../usage-message.h"
#include "dpdl/data/image-files.h"
#include "idx-files.h"

namespace dpdl
{
namespace
{

constexpr std::size_t RECORD = 3073;
constexpr std::size_t ALL = 10000;

/// Records whose labels are 0, 1, 2, ... and whose bytes encode the record and the colour.
Bytes
Records(std::size_t count)
{
    Bytes bytes;
    for (std::size_t record = 0; record < count; ++record)
    {
        bytes.push_back(static_cast<std::uint8_t>(record % 10));
        for (std::size_t i = 0; i < CIFAR_SHAPE.Size(); ++i)
        {
            bytes.push_back(static_cast<std::uint8_t>(record % 50 * 3 + i / 1024));
        }
    }
    return bytes;
}

class CifarFileTest : public IdxFiles
{
  protected:
    static Split Read(const std::string& path, std::size_t records, std::size_t wanted)
    {
        Split split;
        ReadCifarFile(path, "", records, wanted, split);
        return split;
    }

    static std::string ErrorOf(const std::string& path, std::size_t records, std::size_t wanted)
    {
        return UsageMessage([&] { Read(path, records, wanted); });
    }

    std::string LoadError(std::size_t samples, std::size_t testSamples) const
    {
        return UsageMessage([&] { LoadDataset("cifar-10", Folder(), samples, testSamples); });
    }
};

TEST_F(CifarFileTest, ReadsPlainAndCompressedFilesAlike)
{
    for (const std::string& path : {Write("plain", Records(3)), WriteCompressed("gz", Records(3))})
    {
        const Split split = Read(path, 3, 3);
        EXPECT_EQ(split.labels, (std::vector<double>{0, 1, 2}));
        ASSERT_EQ(split.pixels.size(), 3 * CIFAR_SHAPE.Size());
        EXPECT_EQ(split.pixels[0], 0);
        EXPECT_EQ(split.pixels[1023], 0);
        EXPECT_EQ(split.pixels[1024], 1);
        EXPECT_EQ(split.pixels[3 * CIFAR_SHAPE.Size() - 1], 8);
        EXPECT_EQ(Read(path, 3, 2).labels, (std::vector<double>{0, 1}));
    }
}

TEST_F(CifarFileTest, NamesTheByteAtWhichAFileIsWrong)
{
    const Bytes good = Records(3);
    Bytes label = good;
    label[2 * RECORD] = 10;
    Bytes extended = good;
    extended.push_back(0);
    const auto cut = [&good](std::size_t bytes) {
        return Bytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(bytes));
    };

    const std::string records = "expected 3 records of 3073 bytes";
    const std::vector<std::pair<Bytes, std::string>> cases{
        {{}, "byte 0: 'the end of the file' is not accepted; " + records},
        {cut(1), "byte 1: 'the end of the file' is not accepted; " + records},
        {cut(RECORD), "byte 3073: 'the end of the file' is not accepted; " + records},
        {cut(3 * RECORD - 1), "byte 9218: 'the end of the file' is not accepted; " + records},
        {extended, "byte 9219: 'more data' is not accepted; expected the end of the file"},
        {label, "byte 6146: 'label 10' is not accepted; expected a label in 0..9"},
    };
    for (const auto& [bytes, expected] : cases)
    {
        for (const std::string& path : {Write("plain", bytes), WriteCompressed("gz", bytes)})
        {
            EXPECT_EQ(ErrorOf(path, 3, 3), "file '" + path + "', " + expected);
        }
    }
    EXPECT_EQ(ErrorOf(Write("label", label), 3, 2), "accepted");
    EXPECT_NE(ErrorOf(Folder() + "/none", 3, 3).find("cannot be opened"), std::string::npos);
}

// A file is read as it stands or refused at a byte that it has; nothing else may happen.
TEST_F(CifarFileTest, SurvivesMutatedFiles)
{
    const Bytes plain = Records(2);
    std::ifstream packed(WriteCompressed("packed", plain), std::ios::binary);
    const std::string compressed{std::istreambuf_iterator<char>(packed), {}};
    unsigned refused = 0;
    for (std::uint32_t round = 0; round < 600; ++round)
    {
        const RandomStream random({1, 1}, RandomPurpose::TEST, 1, round);
        const std::string mutant =
            Mutated(round % 2 == 0 ? std::string(plain.begin(), plain.end()) : compressed,
                    std::string("\0\x09\x0a\xff", 4),
                    random);
        const std::string path = Write("mutant", Bytes(mutant.begin(), mutant.end()));
        const std::string error = ErrorOf(path, 2, 2);
        const bool isAccepted = error == "accepted";
        refused += isAccepted ? 0 : 1;
        EXPECT_TRUE(isAccepted || error.find("mutant', byte ") != std::string::npos) << error;
        if (isAccepted && mutant.size() == plain.size())
        {
            const Split split = Read(path, 2, 2);
            EXPECT_EQ(split.labels[1], static_cast<std::uint8_t>(mutant[RECORD]));
            EXPECT_EQ(split.pixels.back(), static_cast<std::uint8_t>(mutant.back()));
        }
    }
    EXPECT_GT(refused, 200U);
    EXPECT_LT(refused, 580U);
}

TEST_F(CifarFileTest, TakesTheFilesOneAfterAnother)
{
    Write("data_batch_1.bin", Records(ALL));
    WriteCompressed("data_batch_2.bin.gz", Records(ALL));
    Write("test_batch.bin", Records(4));
    const auto dataset = LoadDataset("cifar-10", Folder(), ALL + 3, 4);
    EXPECT_EQ(dataset->name, "cifar-10");
    EXPECT_EQ(dataset->classes, 10U);
    EXPECT_EQ(dataset->shape, CIFAR_SHAPE);
    EXPECT_EQ(dataset->train.Size(), ALL + 3);
    EXPECT_EQ(dataset->train.pixels.size(), (ALL + 3) * CIFAR_SHAPE.Size());
    EXPECT_EQ(dataset->train.labels[ALL + 2], 2);
    EXPECT_EQ(dataset->test.labels, (std::vector<double>{0, 1, 2, 3}));
    EXPECT_NE(LoadError(3, 5).find("test_batch.bin', byte 12292: 'the end of the file'"),
              std::string::npos);
    const std::string missing = LoadError(2 * ALL + 1, 4);
    EXPECT_NE(missing.find("data_batch_3.bin' not found, nor with .gz; dataDir must name"),
              std::string::npos)
        << missing;
    Write("data_batch_1.bin", Records(ALL + 1));
    EXPECT_NE(LoadError(ALL, 4).find("data_batch_1.bin', byte 30730000: 'more data'"),
              std::string::npos);
    EXPECT_EQ(LoadError(ALL - 1, 4), "accepted");
}

TEST_F(CifarFileTest, FindsTheFolderInWhichTheArchiveHasThem)
{
    std::filesystem::create_directory(Folder() + "/cifar-10-batches-bin");
    Write("cifar-10-batches-bin/data_batch_1.bin", Records(2));
    WriteCompressed("cifar-10-batches-bin/test_batch.bin.gz", Records(1));
    EXPECT_EQ(LoadDataset("cifar-10", Folder(), 2, 1)->train.labels, (std::vector<double>{0, 1}));
    EXPECT_EQ(LoadError(50001, 1),
              "dataset 'cifar-10': number of training examples: '50001' is not accepted; expected "
              "at most 50000");
    EXPECT_EQ(LoadError(1, 10001),
              "dataset 'cifar-10': number of test examples: '10001' is not accepted; expected at "
              "most 10000");
    EXPECT_NE(UsageMessage([] { LoadDataset("cifar-10"); }).find("option 'dataDir' is required"),
              std::string::npos);
}

/// A file of a tar archive as `tar --format=ustar` writes it.
void
AppendMember(Bytes& archive, const std::string& name, const Bytes& values, char type = '0')
{
    std::string header(512, '\0');
    const auto put = [&header](std::size_t begin, const std::string& text) {
        header.replace(begin, text.size(), text);
    };
    char size[24];
    std::snprintf(size, sizeof size, "%011zo", values.size());
    put(0, name);
    put(124, size);
    put(148, "        ");
    put(156, std::string(1, type));
    put(257, "ustar");
    unsigned sum = 0;
    for (const char c : header)
    {
        sum += static_cast<std::uint8_t>(c);
    }
    char digits[8];
    std::snprintf(digits, sizeof digits, "%06o", sum);
    put(148, digits);
    archive.insert(archive.end(), header.begin(), header.end());
    archive.insert(archive.end(), values.begin(), values.end());
    archive.resize((archive.size() + 511) / 512 * 512);
}

TEST_F(CifarFileTest, ReadsTheArchiveAsItIsDownloaded)
{
    Bytes archive;
    AppendMember(archive, "cifar-10-batches-bin/", {}, '5');
    AppendMember(archive, "cifar-10-batches-bin/batches.meta.txt", Bytes(61, 'a'));
    AppendMember(archive, "cifar-10-batches-bin/test_batch.bin", Records(3));
    AppendMember(archive, "cifar-10-batches-bin/data_batch_1.bin", Records(ALL));
    archive.resize(archive.size() + 1024);
    WriteCompressed("cifar-10-binary.tar.gz", archive);
    const auto dataset = LoadDataset("cifar-10", Folder(), ALL, 2);
    EXPECT_EQ(dataset->test.labels, (std::vector<double>{0, 1}));
    EXPECT_EQ(dataset->train.Size(), ALL);
    EXPECT_EQ(dataset->train.pixels.back(), (ALL - 1) % 50 * 3 + 2);
    const std::string at = "file '" + Folder() + "/cifar-10-binary.tar.gz";
    EXPECT_EQ(LoadError(5, 4),
              at + ":test_batch.bin', byte 9219: 'the end of the file' is not accepted; expected "
                   "10000 records of 3073 bytes");
    EXPECT_EQ(LoadError(ALL + 1, 1),
              at +
                  "', byte 30742528: 'no header of a file' is not accepted; expected a tar archive "
                  "that has data_batch_2.bin");
    archive.resize(600);
    Write("cifar-10-binary.tar.gz", archive);
    EXPECT_EQ(LoadError(1, 1),
              at +
                  "', byte 512: 'no header of a file' is not accepted; expected a tar archive that "
                  "has data_batch_1.bin");
}

// An unpacked archive that is damaged is refused, or read as one; it never ends in anything else.
TEST_F(CifarFileTest, SurvivesMutatedArchives)
{
    Bytes archive;
    AppendMember(archive, "a", Bytes(100, 1));
    AppendMember(archive, "b", Records(2));
    unsigned refused = 0;
    for (std::uint32_t round = 0; round < 600; ++round)
    {
        const RandomStream random({1, 1}, RandomPurpose::TEST, 2, round);
        const std::string mutant = Mutated(std::string(archive.begin(), archive.end()),
                                           std::string("\0\x37\x30\xff", 4),
                                           random);
        const std::string path = Write("mutant", Bytes(mutant.begin(), mutant.end()));
        const std::string error = UsageMessage([&] {
            Split split;
            ReadCifarFile(path, "b", 2, 2, split);
        });
        refused += error == "accepted" ? 0 : 1;
        EXPECT_TRUE(error == "accepted" || error.find("', byte ") != std::string::npos) << error;
    }
    EXPECT_GT(refused, 100U);
    EXPECT_LT(refused, 600U);
}

} // namespace
} // namespace dpdl
