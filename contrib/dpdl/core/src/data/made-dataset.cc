// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "made-dataset.h"

#include "dpdl/base/quantity.h"

#include <algorithm>
#include <cmath>

namespace dpdl
{

namespace
{

/// Keeps a number of examples that was mistyped from filling the memory.
constexpr std::size_t MOST_EXAMPLES = 1'000'000;

constexpr NodeId COMMON = 0;
constexpr NodeId TRAIN = 1;
constexpr NodeId TEST = 2;

Split
MakeSplit(const DatasetRecipe& recipe,
          const DatasetStreams& streams,
          const DatasetRecipe::Maker& make,
          bool test,
          std::size_t wanted)
{
    if (wanted > MOST_EXAMPLES)
    {
        throw UsageError("dataset '" + recipe.info.name + "': number of " +
                             (test ? "test" : "training") + " examples",
                         std::to_string(wanted),
                         "at most " + std::to_string(MOST_EXAMPLES));
    }
    const std::size_t usual = test ? recipe.testSamples : recipe.samples;
    const std::size_t count = wanted > 0 ? wanted : usual;
    Split split;
    split.labels.resize(count);
    split.pixels.resize(count * recipe.shape.Size());
    for (std::size_t i = 0; i < count; ++i)
    {
        const std::uint8_t label =
            make(streams.Example(test, i), i, split.pixels.data() + i * recipe.shape.Size());
        // A regression's targets are the 256 steps from -1 to 1.
        split.labels[i] = recipe.classes == 1 ? label / 127.5 - 1.0 : label;
    }
    return split;
}

} // namespace

DatasetStreams::DatasetStreams(std::uint32_t seed, std::uint32_t number)
    : m_seed{seed, number}
{
}

RandomStream
DatasetStreams::Common(std::uint32_t index) const
{
    return {m_seed, RandomPurpose::DATASET, COMMON, index};
}

RandomStream
DatasetStreams::Example(bool test, std::size_t index) const
{
    return {m_seed, RandomPurpose::DATASET, test ? TEST : TRAIN, static_cast<Round>(index)};
}

void
AddMadeDataset(Registry<DatasetLoader>& registry, const DatasetRecipe& recipe)
{
    PartInfo info = recipe.info;
    const std::string name = info.name;
    info.parameters = {
        {"SEED", "1", "names the examples, as in " + name + ":2; the run's seed does not"},
        {"samples", std::to_string(recipe.samples), "training examples"},
        {"testSamples", std::to_string(recipe.testSamples), "test examples"}};
    registry.Add(std::move(info), [recipe](const DatasetRequest& request) {
        const std::string& given = request.parameter;
        const std::string what = "dataset '" + recipe.info.name + "': seed";
        const auto seed =
            given.empty() ? 1U
                          : static_cast<std::uint32_t>(ParseInteger(what, given, 0, 0xffffffffU));
        const DatasetStreams streams(seed, recipe.number);
        const DatasetRecipe::Maker make = recipe.prepare(streams);
        auto dataset = std::make_shared<Dataset>();
        dataset->name = recipe.info.name;
        dataset->shape = recipe.shape;
        dataset->classes = recipe.classes;
        dataset->train = MakeSplit(recipe, streams, make, false, request.samples);
        dataset->test = MakeSplit(recipe, streams, make, true, request.testSamples);
        return dataset;
    });
}

std::uint8_t
ToPixel(double value)
{
    return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0, 255.0)));
}

} // namespace dpdl
