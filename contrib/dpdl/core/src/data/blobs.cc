// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "built-in-datasets.h"
#include "synthetic-dataset.h"

#include <memory>

namespace dpdl
{

namespace
{

constexpr ImageShape BLOB_SHAPE{1, 16, 16};
constexpr std::uint32_t CLASSES = 10;

// Two centres are about 16 sqrt(2 / 12) 64 = 418 apart: the best classifier errs at times.
constexpr double SPREAD = 64.0;
constexpr double BLOB_DEVIATION = 100.0;

DatasetRecipe::Maker
PrepareBlobs(const DatasetStreams& streams)
{
    auto centres = std::make_shared<std::vector<double>>();
    for (std::uint32_t c = 0; c < CLASSES; ++c)
    {
        const RandomStream random = streams.Common(c);
        for (std::size_t i = 0; i < BLOB_SHAPE.Size(); ++i)
        {
            centres->push_back(GREY + SPREAD * (random.Uniform(i) - 0.5));
        }
    }
    return [centres](const RandomStream& random, std::size_t index, std::uint8_t* pixels) {
        const std::size_t label = index % CLASSES;
        std::vector<float> noise(BLOB_SHAPE.Size());
        random.FillNormal(noise.data(), noise.size());
        for (std::size_t i = 0; i < noise.size(); ++i)
        {
            pixels[i] = ToPixel((*centres)[label * noise.size() + i] +
                                BLOB_DEVIATION * static_cast<double>(noise[i]));
        }
        return static_cast<std::uint8_t>(label);
    };
}

} // namespace

void
AddBlobs(Registry<DatasetLoader>& registry)
{
    AddSyntheticDataset(
        registry,
        {{"blobs", "made by seed: ten Gaussian classes of 16 x 16 grey images", "this project", {}},
         1,
         BLOB_SHAPE,
         CLASSES,
         10000,
         2000,
         PrepareBlobs});
}

} // namespace dpdl
