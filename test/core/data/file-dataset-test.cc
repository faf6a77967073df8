// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "../usage-message.h"
#include "dpdl/data/dataset.h"
#include "dpdl/data/partition.h"
#include "idx-files.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <numeric>
#include <zip.h>

namespace dpdl
{
namespace
{

using ArrayNumbers = std::vector<double>;

/// Header and raw elements of a .npy file, format 1.
Bytes
NpyBytes(const std::string& type, const std::string& shape, const Bytes& elements)
{
    std::string header =
        "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }";
    header.resize((header.size() + 11) / 64 * 64 + 53, ' ');
    header += '\n';
    Bytes bytes{0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
    bytes.push_back(static_cast<std::uint8_t>(header.size()));
    bytes.push_back(static_cast<std::uint8_t>(header.size() >> 8));
    bytes.insert(bytes.end(), header.begin(), header.end());
    bytes.insert(bytes.end(), elements.begin(), elements.end());
    return bytes;
}

/// ArrayNumbers as elements of a type of the processor's byte order.
template <class T>
Bytes
Raw(const ArrayNumbers& numbers)
{
    Bytes bytes(numbers.size() * sizeof(T));
    for (std::size_t i = 0; i < numbers.size(); ++i)
    {
        const auto value = static_cast<T>(numbers[i]);
        std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
    }
    return bytes;
}

using Arrays = std::map<std::string, Bytes>;

class FileDatasetTest : public IdxFiles
{
  protected:
    std::string WriteNpz(const std::string& name, const Arrays& arrays, bool packed = true) const
    {
        std::string path = Folder() + "/" + name;
        zip_t* archive = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, nullptr);
        for (const auto& [array, bytes] : arrays)
        {
            zip_source_t* source = zip_source_buffer(archive, bytes.data(), bytes.size(), 0);
            const zip_int64_t entry =
                zip_file_add(archive, (array + ".npy").c_str(), source, ZIP_FL_OVERWRITE);
            zip_set_file_compression(archive,
                                     static_cast<zip_uint64_t>(entry),
                                     packed ? ZIP_CM_DEFLATE : ZIP_CM_STORE,
                                     0);
        }
        zip_close(archive);
        return path;
    }

    std::string WriteText(const std::string& name, const std::string& text) const
    {
        return Write(name, Bytes(text.begin(), text.end()));
    }

    static std::string ErrorOf(const std::string& path, const FileChoices& csv = {})
    {
        return UsageMessage([&] { LoadDataset("file:" + path, "", 0, 0, csv); });
    }

    /// Four examples of two features to train, two to test; three classes.
    static Arrays Small()
    {
        return {{"x_train", NpyBytes("<f4", "(4, 2)", Raw<float>({0, 1, 2, 3, 4, 5, 6, 7}))},
                {"y_train", NpyBytes("<i8", "(4,)", Raw<std::int64_t>({0, 2, 1, 2}))},
                {"x_test", NpyBytes("<f4", "(2, 2)", Raw<float>({8, 9, 10, 11}))},
                {"y_test", NpyBytes("<i8", "(2,)", Raw<std::int64_t>({1, 0}))}};
    }
};

TEST_F(FileDatasetTest, ReadsPackedAndPlainArraysAlike)
{
    for (const bool packed : {false, true})
    {
        const auto dataset = LoadDataset("file:" + WriteNpz("small.npz", Small(), packed));
        EXPECT_TRUE(dataset->shape == (ImageShape{1, 1, 2}));
        EXPECT_EQ(dataset->classes, 3U);
        EXPECT_EQ(dataset->train.values, (std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7}));
        EXPECT_EQ(dataset->train.labels, (ArrayNumbers{0, 2, 1, 2}));
        EXPECT_EQ(dataset->test.labels, (ArrayNumbers{1, 0}));
        EXPECT_TRUE(dataset->train.pixels.empty());
        // The classes are those of the file, however few examples are read.
        EXPECT_EQ(LoadDataset("file:" + Folder() + "/small.npz", "", 1, 1)->classes, 3U);
    }
}

TEST_F(FileDatasetTest, EveryTypeAndByteOrderGivesTheSameNumbers)
{
    const ArrayNumbers numbers{0, 1, 2, 3, 64, 100, 7, 127};
    const Bytes halves =
        Raw<std::uint16_t>({0, 0x3c00, 0x4000, 0x4200, 0x5400, 0x5640, 0x4700, 0x57f0});
    const std::vector<std::tuple<std::string, std::size_t, Bytes>> types{
        {"i1", 1, Raw<std::int8_t>(numbers)},
        {"u2", 2, Raw<std::uint16_t>(numbers)},
        {"i2", 2, Raw<std::int16_t>(numbers)},
        {"u4", 4, Raw<std::uint32_t>(numbers)},
        {"i4", 4, Raw<std::int32_t>(numbers)},
        {"u8", 8, Raw<std::uint64_t>(numbers)},
        {"i8", 8, Raw<std::int64_t>(numbers)},
        {"f2", 2, halves},
        {"f4", 4, Raw<float>(numbers)},
        {"f8", 8, Raw<double>(numbers)}};
    const std::vector<float> expected(numbers.begin(), numbers.end());
    for (auto [type, size, bytes] : types)
    {
        for (const char order : {'<', '>'})
        {
            Arrays arrays = Small();
            arrays["x_train"] = NpyBytes(order + type, "(4, 2)", bytes);
            const auto dataset = LoadDataset("file:" + WriteNpz(type + order + ".npz", arrays));
            EXPECT_EQ(dataset->train.values, expected) << order << type;
            for (std::size_t i = 0; i < bytes.size(); i += size)
            {
                std::reverse(bytes.begin() + i, bytes.begin() + i + size);
            }
        }
    }
}

TEST_F(FileDatasetTest, BytesStayBytesAndShapesAreChannelsHeightWidth)
{
    Bytes image(24);
    std::iota(image.begin(), image.end(), std::uint8_t{0});
    for (const auto& [text, shape] : {std::pair{"24", ImageShape{1, 1, 24}},
                                      std::pair{"4, 6", ImageShape{1, 4, 6}},
                                      std::pair{"2, 3, 4", ImageShape{2, 3, 4}}})
    {
        const std::string sizes = std::string("(1, ") + text + ")";
        const Bytes label = NpyBytes("|u1", "(1,)", {4});
        const Bytes pixels = NpyBytes("|u1", sizes, image);
        const auto dataset = LoadDataset(
            "file:" +
            WriteNpz(
                std::to_string(shape.height) + ".npz",
                {{"x_train", pixels}, {"x_test", pixels}, {"y_train", label}, {"y_test", label}}));
        EXPECT_TRUE(dataset->shape == shape) << text;
        EXPECT_EQ(dataset->train.pixels, image);
        EXPECT_EQ(dataset->classes, 5U);
    }
}

TEST_F(FileDatasetTest, FloatLabelsAreTargetsAndLimitsTakeTheFirstExamples)
{
    Arrays arrays = Small();
    arrays["y_train"] = NpyBytes("<f8", "(4, 1)", Raw<double>({0.5, -2, 151, 3}));
    arrays["y_test"] = NpyBytes("<f4", "(2,)", Raw<float>({1, 0}));
    const std::string path = WriteNpz("targets.npz", arrays);
    const auto dataset = LoadDataset("file:" + path, "", 3, 1);
    EXPECT_EQ(dataset->classes, 1U);
    EXPECT_EQ(dataset->train.labels, (ArrayNumbers{0.5, -2, 151}));
    EXPECT_EQ(dataset->train.values, (std::vector<float>{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(dataset->test.labels, (ArrayNumbers{1}));
    EXPECT_NE(UsageMessage([&] { LoadDataset("file:" + path, "", 5, 1); }).find("'4 examples'"),
              std::string::npos);
}

TEST_F(FileDatasetTest, GivenPartitionFollowsTheArray)
{
    Arrays arrays = Small();
    arrays["node_train"] = NpyBytes("<i4", "(4,)", Raw<std::int32_t>({2, 0, 2, 0}));
    const auto dataset = LoadDataset("file:" + WriteNpz("owners.npz", arrays));
    const Split& train = dataset->train;
    EXPECT_EQ(MakePartition("given", train.labels, 4, {1, 1}, train.owners),
              (Partition{{1, 3}, {}, {0, 2}, {}}));
    EXPECT_THROW(MakePartition("given", train.labels, 2, {1, 1}, train.owners), UsageError);
    EXPECT_THROW(MakePartition("given", train.labels, 4, {1, 1}), UsageError);
    EXPECT_THROW(MakePartition("dirichlet:1", {0.5, 1.5}, 2, {1, 1}), UsageError);
}

TEST_F(FileDatasetTest, NamesTheArrayThatIsWrong)
{
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<std::tuple<std::string, Bytes, std::string>> wrong{
        {"x_train", NpyBytes("<f4", "(4, 2)", Raw<float>({0, 1, 2, 3, nan, 5, 6, 7})), "element 4"},
        {"x_train", NpyBytes("<f8", "(4, 1)", Raw<double>({0, 1, 1e300, 2})), "element 2"},
        {"x_train", NpyBytes("|O", "(4, 2)", Bytes(64)), "type |O"},
        {"x_train", NpyBytes("<f4", "(4, 3)", Bytes(32)), "8 elements"},
        {"x_train", NpyBytes("<f4", "(4, 2)", Bytes(36)), "9 elements"},
        {"x_train", NpyBytes("<f4", "(4,)", Bytes(16)), "1 dimensions"},
        {"x_train", NpyBytes("<f4", "(0, 2)", {}), "0 examples"},
        {"x_train", NpyBytes("<f4", "(4294967296, 4294967296)", Bytes(32)), "8 elements"},
        {"x_train", NpyBytes("<f4", "4, 2", Bytes(32)), "shape 4, 2"},
        {"x_train", Bytes{1, 2, 3}, "no header"},
        {"x_train", Bytes{}, "no header"},
        {"x_test", NpyBytes("<f4", "(2, 3)", Bytes(24)), "1 x 1 x 3"},
        {"y_train", NpyBytes("<i4", "(3,)", Bytes(12)), "3 labels"},
        {"y_train", NpyBytes("<i4", "(4,)", Raw<std::int32_t>({0, -1, 2, 3})), "-1.0"},
        {"y_train", NpyBytes("<i4", "(4, 2)", Bytes(32)), "2 dimensions"},
        {"y_test", NpyBytes("<f4", "(2,)", Bytes(8)), "targets"},
        {"node_train", NpyBytes("<f4", "(4,)", Bytes(16)), "another type"}};
    int number = 0;
    for (const auto& [array, bytes, found] : wrong)
    {
        Arrays arrays = Small();
        arrays[array] = bytes;
        const std::string message = ErrorOf(WriteNpz(std::to_string(number++) + ".npz", arrays));
        EXPECT_NE(message.find("array '" + array + "'"), std::string::npos) << message;
        EXPECT_NE(message.find(found), std::string::npos) << found << ": " << message;
    }
    Arrays arrays = Small();
    arrays.erase("y_test");
    EXPECT_NE(ErrorOf(WriteNpz("less.npz", arrays)).find("'y_test' is missing"), std::string::npos);
    const std::string order = "{'descr': '<f4', 'fortran_order': True, 'shape': (4, 2), }";
    Bytes bytes{0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, static_cast<std::uint8_t>(order.size()), 0};
    bytes.insert(bytes.end(), order.begin(), order.end());
    bytes.resize(bytes.size() + 32);
    arrays = Small();
    arrays["x_train"] = bytes;
    EXPECT_NE(ErrorOf(WriteNpz("order.npz", arrays)).find("Fortran order"), std::string::npos);
    EXPECT_NE(ErrorOf(Folder() + "/nothing.npz").find("expected an existing file"),
              std::string::npos);
    EXPECT_NE(ErrorOf(Folder()).find("expected an existing file"), std::string::npos);
    EXPECT_NE(ErrorOf("").find("file:PATH"), std::string::npos);
    EXPECT_NE(ErrorOf(WriteText("text.npz", "no archive")).find("npz file"), std::string::npos);
}

// Every byte of an archive changed, and every length cut: the examples as written, or an error.
TEST_F(FileDatasetTest, DamagedArchivesAreReadRightOrRefused)
{
    const std::string path = WriteNpz("whole.npz", Small());
    const auto whole = LoadDataset("file:" + path);
    std::ifstream file(path, std::ios::binary);
    const Bytes bytes{std::istreambuf_iterator<char>(file), {}};
    ASSERT_GT(bytes.size(), 400U);
    std::size_t refused = 0;
    for (std::size_t i = 0; i < 2 * bytes.size(); ++i)
    {
        Bytes damaged = bytes;
        if (i < bytes.size())
        {
            damaged[i] = static_cast<std::uint8_t>(damaged[i] ^ (1 + i * 37 % 255));
        }
        else
        {
            damaged.resize(i - bytes.size());
        }
        try
        {
            const auto read =
                LoadDataset("file:" + Write("d" + std::to_string(i) + ".npz", damaged));
            EXPECT_EQ(read->train.values, whole->train.values) << i;
            EXPECT_EQ(read->train.labels, whole->train.labels) << i;
            EXPECT_EQ(read->test.values, whole->test.values) << i;
        }
        catch (const UsageError&)
        {
            ++refused;
        }
        Remove("d" + std::to_string(i) + ".npz");
    }
    EXPECT_GT(refused, bytes.size() + bytes.size() / 2);
}

TEST_F(FileDatasetTest, TablesAreDividedByTheSeed)
{
    std::string text = "\"a\",kind,b\r\n";
    for (int row = 0; row < 50; ++row)
    {
        text += std::to_string(row) + ".5," + std::to_string(row % 3) + ", -1e-3\r\n";
    }
    const std::string path = WriteText("table.csv", text);
    const FileChoices csv{"kind", 0.3, {7, 1}};
    const auto dataset = LoadDataset("file:" + path, "", 0, 0, csv);
    EXPECT_TRUE(dataset->shape == (ImageShape{1, 1, 2}));
    EXPECT_EQ(dataset->classes, 3U);
    EXPECT_EQ(dataset->train.Size(), 35U);
    EXPECT_EQ(dataset->test.Size(), 15U);
    std::vector<float> rows;
    for (const Split* split : {&dataset->train, &dataset->test})
    {
        std::vector<float> own;
        for (std::size_t i = 0; i < split->Size(); ++i)
        {
            own.push_back(split->values[2 * i]);
            EXPECT_EQ(split->values[2 * i + 1], -1e-3F);
            EXPECT_EQ(split->labels[i], static_cast<int>(own.back()) % 3);
        }
        EXPECT_TRUE(std::is_sorted(own.begin(), own.end()));
        rows.insert(rows.end(), own.begin(), own.end());
    }
    std::sort(rows.begin(), rows.end());
    EXPECT_EQ(std::unique(rows.begin(), rows.end()) - rows.begin(), 50);
    const auto other = LoadDataset("file:" + path, "", 0, 0, {"kind", 0.3, {8, 1}});
    EXPECT_NE(other->test.values, dataset->test.values);
    EXPECT_EQ(LoadDataset("file:" + path, "", 5, 4, csv)->train.Size(), 5U);
}

TEST_F(FileDatasetTest, NumbersWithAPointAreTargets)
{
    const auto targets = WriteText("targets.csv", "x,label\n1,2.0\n2,3\n3,4\n4,5\n");
    EXPECT_EQ(LoadDataset("file:" + targets)->classes, 1U);
    const auto classes = WriteText("classes.csv", "x,label\n1,2\n2,3\n3,4\n4,5\n");
    EXPECT_EQ(LoadDataset("file:" + classes)->classes, 6U);
    const auto negative = WriteText("negative.csv", "x,label\n1,-2\n2,-3.5\n3,70000\n4,5\n");
    EXPECT_EQ(LoadDataset("file:" + negative)->classes, 1U);
}

TEST_F(FileDatasetTest, DeclaredClassesHoldWhateverTheLabelsAre)
{
    // One example with a label of its own must not change the number of parameters.
    const auto csv = [this](const std::string& name, const std::string& label) {
        return WriteText(name, "x,label\n1,0\n2,1\n3," + label + "\n4,1\n");
    };
    const auto npz = [this](const std::string& name, int label) {
        Arrays arrays = Small();
        arrays["y_train"] =
            NpyBytes("<i8", "(4,)", Raw<std::int64_t>({static_cast<double>(label), 0, 1, 1}));
        return WriteNpz(name, arrays);
    };
    FileChoices declared;
    declared.classes = 12;
    for (const std::string& path :
         {csv("one.csv", "1"), csv("ten.csv", "10"), npz("one.npz", 1), npz("ten.npz", 10)})
    {
        EXPECT_EQ(LoadDataset("file:" + path, "", 0, 0, declared)->classes, 12U) << path;
    }
    declared.classes = 1;
    EXPECT_EQ(LoadDataset("file:" + csv("whole.csv", "7"), "", 0, 0, declared)->classes, 1U);
    EXPECT_EQ(LoadDataset("file:" + npz("whole.npz", 7), "", 0, 0, declared)->classes, 1U);
    declared.classes = 2;
    const std::vector<std::pair<std::string, std::string>> wrong{
        {csv("seven.csv", "7"),
         "label of example 2: '7' is not accepted; expected 0 to 1, by option 'classes'"},
        {csv("point.csv", "1.5"), "with a decimal point"},
        {npz("seven.npz", 7),
         "label of example 0: '7' is not accepted; expected 0 to 1, by option 'classes'"}};
    for (const auto& [path, found] : wrong)
    {
        EXPECT_NE(ErrorOf(path, declared).find(found), std::string::npos)
            << ErrorOf(path, declared);
    }
}

TEST_F(FileDatasetTest, NamesTheLineThatIsWrong)
{
    const std::vector<std::pair<std::string, std::string>> wrong{
        {"", "a header"},
        {"a,b\n1,2\n", "'label'"},
        {"label\n1\n", "'label' is not accepted; expected columns of features"},
        {"a,label\n1,2\n1\n", "line 3: '1 fields'"},
        {"a,label\n1,2,3\n", "line 2: '3 fields'"},
        {"a,label\n\nx,2\n", "line 3, column 'a': 'x'"},
        {"a,label\n1,nan\n", "column 'label': 'nan'"},
        {"a,label\ninf,1\n", "column 'a': 'inf'"},
        {"a,label\n1e99,1\n", "column 'a': '1e99'"},
        {"a,label\n,1\n", "column 'a': ''"},
        {"label,a,label\n1,2,3\n", "'label more than once'"},
        {"a,label\n1,1\n2,-1\n", "line 3, column 'label': '-1' is not accepted"},
        {"a,label\n1,65536\n2,1\n", "line 2, column 'label': '65536' is not accepted"},
        {"a,label\n1,1\n", "'1 rows, 0 of them to test'"},
        {"a,label\n", "'0 rows, 0 of them to test'"}};
    int number = 0;
    for (const auto& [text, found] : wrong)
    {
        const std::string message = ErrorOf(WriteText(std::to_string(number++) + ".csv", text));
        EXPECT_NE(message.find(found), std::string::npos) << text << ": " << message;
        EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    }
}

} // namespace
} // namespace dpdl
