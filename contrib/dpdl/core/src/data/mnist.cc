// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "built-in-datasets.h"
#include "byte-reader.h"
#include "dpdl/base/wire.h"
#include "dpdl/data/image-files.h"

#include <algorithm>
#include <array>
#include <cstdio>

// Reads IDX files (images and labels) and registers MNIST and Fashion-MNIST.

namespace dpdl
{

namespace
{

constexpr std::uint32_t UNSIGNED_BYTES = 0x08;

/// Reads a big-endian 32-bit number.
/// @param meaning meaning of the number, for the error at the end of the file
std::uint32_t
ReadNumber(ByteReader& reader, const std::string& meaning)
{
    std::uint8_t bytes[4];
    DPDL_REFUSE_IF(reader.Read(bytes, 4) != 4,
                   reader.Place(reader.Offset()),
                   "the end of the file",
                   meaning);
    const std::uint8_t* in = bytes;
    return TakeBigEndian<std::uint32_t>(in);
}

std::string
Hexadecimal(std::uint32_t number)
{
    std::array<char, 11> text{};
    std::snprintf(text.data(), text.size(), "0x%08x", number);
    return text.data();
}

std::vector<std::uint32_t>
ReadHeader(ByteReader& reader, const std::vector<std::uint32_t>& itemSizes, std::size_t limit)
{
    const auto expected = static_cast<std::uint32_t>(UNSIGNED_BYTES << 8 | (itemSizes.size() + 1));
    const std::uint32_t magic = ReadNumber(reader, "the magic number " + Hexadecimal(expected));
    DPDL_REFUSE_IF(magic != expected,
                   reader.Place(0),
                   "magic number " + Hexadecimal(magic),
                   Hexadecimal(expected) + " (unsigned bytes in " +
                       std::to_string(itemSizes.size() + 1) + " dimensions)");
    std::vector<std::uint32_t> sizes{ReadNumber(reader, "the number of items")};
    DPDL_REFUSE_IF(sizes[0] == 0 || limit > sizes[0],
                   reader.Place(4),
                   std::to_string(sizes[0]) + " items",
                   "at least " + std::to_string(std::max<std::size_t>(limit, 1)));
    for (const std::uint32_t itemSize : itemSizes)
    {
        const std::uint64_t offset = reader.Offset();
        sizes.push_back(ReadNumber(reader, "a dimension of size " + std::to_string(itemSize)));
        DPDL_REFUSE_IF(sizes.back() != itemSize,
                       reader.Place(offset),
                       "a dimension of size " + std::to_string(sizes.back()),
                       std::to_string(itemSize));
    }
    return sizes;
}

constexpr std::uint32_t MNIST_CLASSES = 10;
constexpr std::uint32_t MNIST_SIDE = 28;
constexpr std::size_t LABEL_HEADER_BYTES = 8;

/// Reads the first @p limit examples of PREFIX-images-idx3-ubyte and PREFIX-labels-idx1-ubyte, or
/// all examples if the limit is 0.
Split
LoadMnistSplit(const std::string& directory,
               const std::string& prefix,
               std::size_t limit,
               const std::string& advice)
{
    const std::string imageFile =
        FindDatasetFile({directory}, prefix + "-images-idx3-ubyte", advice);
    const std::string labelFile =
        FindDatasetFile({directory}, prefix + "-labels-idx1-ubyte", advice);
    IdxArray labels = ReadIdxFile(labelFile, {}, limit);
    for (std::size_t i = 0; i < labels.values.size(); ++i)
    {
        DPDL_REFUSE_IF(labels.values[i] >= MNIST_CLASSES,
                       "file '" + labelFile + "', byte " + std::to_string(LABEL_HEADER_BYTES + i),
                       "label " + std::to_string(labels.values[i]),
                       "a label in 0..9");
    }
    IdxArray images = ReadIdxFile(imageFile, {MNIST_SIDE, MNIST_SIDE}, limit);
    DPDL_REFUSE_IF(images.sizes[0] != labels.sizes[0],
                   "file '" + labelFile + "', byte 4",
                   std::to_string(labels.sizes[0]) + " labels",
                   std::to_string(images.sizes[0]) + ", the number of images in '" + imageFile +
                       "'");
    return {std::move(images.values), {}, {labels.values.begin(), labels.values.end()}, {}};
}

/// Loader for datasets whose four files have the names and formats of MNIST.
/// @param defaultDir folder of the files if option dataDir is not set; "": the option is required
/// @param advice advice to the user if a file is missing
DatasetLoader
MnistLoader(const std::string& name, const std::string& defaultDir, const std::string& advice)
{
    return [=](const DatasetRequest& request) {
        const std::string& directory = request.dataDir.empty() ? defaultDir : request.dataDir;
        DPDL_REFUSE_IF(directory.empty(),
                       "dataset '" + name + "': option 'dataDir' is required; " + advice);
        auto dataset = std::make_shared<Dataset>();
        dataset->name = name;
        dataset->shape = {1, MNIST_SIDE, MNIST_SIDE};
        dataset->classes = MNIST_CLASSES;
        dataset->train = LoadMnistSplit(directory, "train", request.samples, advice);
        dataset->test = LoadMnistSplit(directory, "t10k", request.testSamples, advice);
        return dataset;
    };
}

} // namespace

IdxArray
ReadIdxFile(const std::string& path, const std::vector<std::uint32_t>& itemSizes, std::size_t limit)
{
    ByteReader reader(path, "IDX file");
    IdxArray array;
    array.sizes = ReadHeader(reader, itemSizes, limit);
    std::uint64_t total = limit > 0 ? limit : array.sizes[0];
    for (const std::uint32_t itemSize : itemSizes)
    {
        total *= itemSize;
    }
    reader.Append(array.values,
                  total,
                  std::to_string(total) + " bytes of values behind the header");
    if (limit == 0 || limit == array.sizes[0])
    {
        reader.ExpectEnd();
    }
    array.values.shrink_to_fit();
    return array;
}

void
AddMnist(Registry<DatasetLoader>& registry)
{
    const std::string fashionDir = "/usr/share/datasets/fashion-mnist";
    const std::string files =
        "the folder with train-images-idx3-ubyte, train-labels-idx1-ubyte, "
        "t10k-images-idx3-ubyte and t10k-labels-idx1-ubyte, or these with .gz";
    registry.Add({"fashion-mnist",
                  "28 x 28 grey images of clothes in ten classes, 60000 to train, 10000 to test",
                  "Xiao, Rasul, Vollgraf, arXiv:1708.07747; Debian package dataset-fashion-mnist",
                  {{"dataDir", fashionDir, "folder with the original files"}}},
                 MnistLoader("fashion-mnist",
                             fashionDir,
                             "install it with: apt install dataset-fashion-mnist, or let dataDir "
                             "name " +
                                 files));
    registry.Add({"mnist",
                  "28 x 28 grey images of handwritten digits, 60000 to train, 10000 to test",
                  "LeCun, Bottou, Bengio, Haffner, Proc. IEEE 86(11), 1998",
                  {{"dataDir", "", "folder with the original files; required"}}},
                 MnistLoader("mnist", "", "dataDir must name " + files));
}

} // namespace dpdl
