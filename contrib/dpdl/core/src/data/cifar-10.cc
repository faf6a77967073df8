// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "built-in-datasets.h"
#include "dataset-files.h"
#include "dpdl/data/cifar-file.h"

#include <algorithm>
#include <filesystem>

namespace dpdl
{

namespace
{

constexpr std::size_t RECORDS = 10000; // in every file
const char* const FOLDER = "cifar-10-batches-bin";
const char* const ADVICE =
    "dataDir must name the folder with data_batch_1.bin to data_batch_5.bin and test_batch.bin, or "
    "these with .gz, or the folder that holds their folder cifar-10-batches-bin: the binary "
    "version of www.cs.toronto.edu/~kriz/cifar.html";

/// Reads so many of the records of some files, one after another.
Split
LoadSplit(const std::string& directory,
          const std::vector<std::string>& names,
          std::size_t wanted,
          const std::string& what)
{
    const std::size_t all = RECORDS * names.size();
    if (wanted > all)
    {
        throw UsageError("dataset 'cifar-10': number of " + what + " examples",
                         std::to_string(wanted),
                         "at most " + std::to_string(all));
    }
    Split split;
    std::size_t left = wanted > 0 ? wanted : all;
    split.labels.reserve(left);
    split.pixels.reserve(left * CIFAR_SHAPE.Size());
    for (auto name = names.begin(); left > 0; ++name)
    {
        const std::size_t now = std::min(left, RECORDS);
        const std::string nested = (std::filesystem::path(directory) / FOLDER).string();
        ReadCifarFile(FindDatasetFile({directory, nested}, *name, ADVICE), RECORDS, now, split);
        left -= now;
    }
    return split;
}

std::shared_ptr<const Dataset>
Load(const DatasetRequest& request)
{
    if (request.dataDir.empty())
    {
        throw UsageError(std::string("dataset 'cifar-10': option 'dataDir' is required; ") +
                         ADVICE);
    }
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
AddCifar10(Registry<DatasetLoader>& registry)
{
    registry.Add({"cifar-10",
                  "32 x 32 colour images in ten classes, 50000 to train, 10000 to test",
                  "Krizhevsky, Learning multiple layers of features from tiny images, 2009",
                  {{"dataDir", "", "folder with the files of the binary version; required"}}},
                 Load);
}

} // namespace dpdl
