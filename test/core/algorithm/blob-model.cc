// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "blob-model.h"

namespace dpdl
{

namespace
{

constexpr std::size_t PIXELS = 4;
constexpr std::size_t HIDDEN = 3;
constexpr std::size_t CLASSES = 3;

/// Pictures whose pixel number `label` is bright, the others are not.
Split
Blobs(std::size_t examples, RandomSeed seed, NodeId stream)
{
    const RandomStream random(seed, RandomPurpose::TEST, stream, 0);
    Split split;
    for (std::size_t i = 0; i < examples; ++i)
    {
        const auto label = static_cast<std::uint8_t>(i % CLASSES);
        split.labels.push_back(label);
        for (std::size_t pixel = 0; pixel < PIXELS; ++pixel)
        {
            const std::uint32_t light = random.Integer(PIXELS * i + pixel, 100);
            split.pixels.push_back(static_cast<std::uint8_t>(light + (pixel == label ? 150 : 0)));
        }
    }
    return split;
}

} // namespace

std::shared_ptr<const Dataset>
BlobImages(std::size_t examples, RandomSeed seed)
{
    auto dataset = std::make_shared<Dataset>();
    dataset->name = "blobs";
    dataset->shape = {1, 2, 2};
    dataset->classes = CLASSES;
    dataset->train = Blobs(examples, seed, 0);
    dataset->test = Blobs(60, seed, 1);
    return dataset;
}

ModelSpec
DeepLinear()
{
    return ModelSpec("deep-linear", {1, 2, 2}, {Linear{PIXELS, HIDDEN}, Linear{HIDDEN, CLASSES}});
}

} // namespace dpdl
