// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "built-in-datasets.h"
#include "byte-reader.h"
#include "dpdl/data/image-files.h"

#include <algorithm>
#include <filesystem>

namespace dpdl
{

namespace
{

constexpr std::size_t RECORDS = 10000; // number of images in each file
const char* const FOLDER = "cifar-10-batches-bin";
const char* const ARCHIVE = "cifar-10-binary.tar.gz";
const char* const ADVICE =
    "dataDir must name the folder with cifar-10-binary.tar.gz, or with data_batch_1.bin to "
    "data_batch_5.bin and test_batch.bin, or these with .gz, or the folder that holds their folder "
    "cifar-10-batches-bin: the binary version of www.cs.toronto.edu/~kriz/cifar.html";

/// Path of the original archive in the folder; empty if the folder has no archive, or has unpacked
/// files, which are then used instead.
std::string
PackedIn(const std::string& directory)
{
    const std::filesystem::path folder(directory);
    std::error_code ignored;
    for (const std::filesystem::path& unpacked :
         {folder / FOLDER, folder / "data_batch_1.bin", folder / "data_batch_1.bin.gz"})
    {
        if (std::filesystem::exists(unpacked, ignored))
        {
            return "";
        }
    }
    const std::filesystem::path archive = folder / ARCHIVE;
    return std::filesystem::is_regular_file(archive, ignored) ? archive.string() : "";
}

/// Reads the first @p wanted records of several files, one file after another.
/// @param names names of the files
/// @param wanted number of records; 0: all
/// @param what name of the split, for errors
Split
LoadSplit(const std::string& directory,
          const std::vector<std::string>& names,
          std::size_t wanted,
          const std::string& what)
{
    const std::size_t all = RECORDS * names.size();
    DPDL_REFUSE_IF(wanted > all,
                   "dataset 'cifar-10': number of " + what + " examples",
                   std::to_string(wanted),
                   "at most " + std::to_string(all));
    Split split;
    std::size_t left = wanted > 0 ? wanted : all;
    split.labels.reserve(left);
    split.pixels.reserve(left * CIFAR_SHAPE.Size());
    const std::string nested = (std::filesystem::path(directory) / FOLDER).string();
    const std::string archive = PackedIn(directory);
    for (auto name = names.begin(); left > 0; ++name)
    {
        const std::size_t now = std::min(left, RECORDS);
        const std::string path =
            archive.empty() ? FindDatasetFile({directory, nested}, *name, ADVICE) : archive;
        ReadCifarFile(path, archive.empty() ? "" : *name, RECORDS, now, split);
        left -= now;
    }
    return split;
}

std::shared_ptr<const Dataset>
Load(const DatasetRequest& request)
{
    DPDL_REFUSE_IF(request.dataDir.empty(),
                   std::string("dataset 'cifar-10': option 'dataDir' is required; ") + ADVICE);
    auto dataset = std::make_shared<Dataset>();
    dataset->name = "cifar-10";
    dataset->shape = CIFAR_SHAPE;
    dataset->classes = CIFAR_CLASSES;
    dataset->train = LoadSplit(request.dataDir,
                               {"data_batch_1.bin",
                                "data_batch_2.bin",
                                "data_batch_3.bin",
                                "data_batch_4.bin",
                                "data_batch_5.bin"},
                               request.samples,
                               "training");
    dataset->test = LoadSplit(request.dataDir, {"test_batch.bin"}, request.testSamples, "test");
    return dataset;
}

} // namespace

void
ReadCifarFile(const std::string& path,
              const std::string& member,
              std::size_t records,
              std::size_t wanted,
              Split& split)
{
    ByteReader reader(path, "file of CIFAR-10");
    if (!member.empty())
    {
        reader.Enter(member);
    }
    const std::string expected = std::to_string(records) + " records of " +
                                 std::to_string(1 + CIFAR_SHAPE.Size()) + " bytes";
    for (std::size_t record = 0; record < wanted; ++record)
    {
        const std::uint64_t begin = reader.Offset();
        std::vector<std::uint8_t> label;
        reader.Append(label, 1, expected);
        DPDL_REFUSE_IF(label.front() >= CIFAR_CLASSES,
                       reader.Place(begin),
                       "label " + std::to_string(label.front()),
                       "a label in 0.." + std::to_string(CIFAR_CLASSES - 1));
        split.labels.push_back(label.front());
        reader.Append(split.pixels, CIFAR_SHAPE.Size(), expected);
    }
    if (wanted == records)
    {
        reader.ExpectEnd();
    }
}

void
AddCifar10(Registry<DatasetLoader>& registry)
{
    registry.Add({"cifar-10",
                  "32 x 32 colour images in ten classes, 50000 to train, 10000 to test",
                  "Krizhevsky, Learning multiple layers of features from tiny images, 2009",
                  {{"dataDir", "", "folder with the binary version, packed or not; required"}}},
                 Load);
}

} // namespace dpdl
