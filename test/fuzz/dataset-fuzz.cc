// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * Fuzz target of the readers of a user's examples: the first byte chooses archive or table, the
 * others are the file. The examples are read and consistent, or one line says what is wrong.
 *
 * usage: dataset-fuzz [libFuzzer options] [CORPUS]
 */

#include "dpdl/base/errors.h"
#include "dpdl/data/dataset.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <unistd.h>

namespace
{

/// A file in memory that is written anew for each input.
std::string
Place(bool isTable)
{
    return "/dev/shm/dpdl-fuzz-" + std::to_string(getpid()) + (isTable ? ".csv" : ".npz");
}

void
CheckSplit(const dpdl::Dataset& dataset, const dpdl::Split& split)
{
    const std::size_t features = split.pixels.size() + split.values.size();
    const bool isWhole = split.Size() > 0 && features == split.Size() * dataset.shape.Size() &&
                         (split.owners.empty() || split.owners.size() == split.Size());
    for (const double label : split.labels)
    {
        if (!isWhole || (dataset.classes != 1 && !(label >= 0.0 && label < dataset.classes)))
        {
            std::abort();
        }
    }
}

} // namespace

extern "C" int
LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size == 0)
    {
        return 0;
    }
    const std::string path = Place(data[0] % 2 == 1);
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(data + 1), static_cast<std::streamsize>(size - 1));
    try
    {
        const auto dataset = dpdl::LoadDataset("file:" + path);
        CheckSplit(*dataset, dataset->train);
        CheckSplit(*dataset, dataset->test);
    }
    catch (const dpdl::UsageError& error)
    {
        if (std::string(error.what()).find('\n') != std::string::npos)
        {
            std::abort();
        }
    }
    std::remove(path.c_str());
    return 0;
}
