// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "built-in-datasets.h"
#include "dpdl/base/quantity.h"
#include "dpdl/base/random.h"
#include "dpdl/data/dataset.h"
#include "dpdl/data/image-files.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>

// Synthetic datasets: each example is a function of the dataset's seed, the split and the example's
// index. DatasetRecipe describes a dataset, and AddSyntheticDataset() registers it.

namespace dpdl
{

namespace
{

/// Random streams of a synthetic dataset, which depend only on the dataset's seed, not on the
/// run's. A stream's name has a node field; here it is not a node, but 0 for draws common to all
/// examples, 1 for a training example and 2 for a test example.
struct DatasetStreams
{
    /// Seed of the dataset and, as run number, DatasetRecipe::number.
    RandomSeed seed;

    /// Random stream shared by all examples, for example for the mean of a class.
    /// @param index index of the draw
    RandomStream Common(std::uint32_t index) const
    {
        return {seed, RandomPurpose::DATASET, 0, index};
    }

    /// Random stream of one example.
    /// @param test true: test split; false: training split
    /// @param index index of the example in the split
    RandomStream Example(bool test, std::size_t index) const
    {
        return {seed, RandomPurpose::DATASET, test ? 2U : 1U, static_cast<Round>(index)};
    }
};

/// Description of a synthetic dataset.
struct DatasetRecipe
{
    PartInfo info; ///< name, summary and source; AddSyntheticDataset() adds the
                   ///< parameters
    /// Unique number of the dataset, so different datasets of the same seed have different random
    /// numbers.
    std::uint32_t number{0};
    ImageShape shape;           ///< shape of every image
    std::uint32_t classes{0};   ///< number of classes; 1: a regression
    std::size_t samples{0};     ///< default number of training examples
    std::size_t testSamples{0}; ///< default number of test examples
    /// Makes one example: writes its pixels and returns its label.
    /// @param random random stream of the example
    /// @param index index in the split
    /// @param[out] pixels [shape.Size()]
    using Maker = std::function<
        std::uint8_t(const RandomStream& random, std::size_t index, std::uint8_t* pixels)>;
    /// Computes the data shared by all examples, and returns the function that makes one example.
    std::function<Maker(const DatasetStreams& streams)> prepare;
};

/// Middle of the range of a pixel value, 0 to 255.
constexpr double GREY = 127.5;

/// Rounds a number to a pixel value, clamped to 0..255.
std::uint8_t
ToPixel(double value)
{
    return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0, 255.0)));
}

/// Largest accepted number of examples in a split. Without a limit, a mistyped number would fill
/// the memory.
constexpr std::size_t MOST_EXAMPLES = 1'000'000;

Split
MakeSplit(const DatasetRecipe& recipe,
          const DatasetStreams& streams,
          const DatasetRecipe::Maker& make,
          bool test,
          std::size_t wanted)
{
    DPDL_REFUSE_IF(wanted > MOST_EXAMPLES,
                   "dataset '" + recipe.info.name + "': number of " + (test ? "test" : "training") +
                       " examples",
                   std::to_string(wanted),
                   "at most " + std::to_string(MOST_EXAMPLES));
    const std::size_t usual = test ? recipe.testSamples : recipe.samples;
    const std::size_t count = wanted > 0 ? wanted : usual;
    Split split;
    split.labels.resize(count);
    split.pixels.resize(count * recipe.shape.Size());
    for (std::size_t i = 0; i < count; ++i)
    {
        const std::uint8_t label =
            make(streams.Example(test, i), i, split.pixels.data() + i * recipe.shape.Size());
        // Targets of a regression are one of 256 equidistant values from -1 to 1.
        split.labels[i] = recipe.classes == 1 ? label / 127.5 - 1.0 : label;
    }
    return split;
}

constexpr ImageShape BLOB_SHAPE{1, 16, 16};
constexpr std::uint32_t CLASSES = 10;

// Width of the range of a coordinate of a class mean, in pixel values. The L2 distance of two class
// means is about 16 sqrt(2 / 12) 64 = 418, about 4 BLOB_DEVIATION, so even the best classifier
// makes errors.
constexpr double SPREAD = 64.0;
/// Standard deviation of a pixel around the mean of its class, in pixel values.
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

constexpr ImageShape POINT_SHAPE{1, 1, 8};
/// Standard deviation of the noise on a target; targets are in [-1, 1].
constexpr double TARGET_DEVIATION = 0.1;

DatasetRecipe::Maker
PrepareRegression(const DatasetStreams& streams)
{
    const RandomStream random = streams.Common(0);
    std::vector<double> weights(POINT_SHAPE.Size());
    double bias = 0.0;
    for (std::size_t i = 0; i < weights.size(); ++i)
    {
        weights[i] = random.Uniform(i) - 0.5;
        bias -= weights[i] / 2.0; // features have mean 1/2, so targets have mean 0
    }
    return [weights, bias](const RandomStream& own, std::size_t, std::uint8_t* pixels) {
        double target = bias;
        for (std::size_t i = 0; i < weights.size(); ++i)
        {
            pixels[i] = static_cast<std::uint8_t>(own.Integer(i, 256));
            target += weights[i] * pixels[i] / 255.0;
        }
        // Approximates a standard normal: a sum of twelve uniforms minus 6. Numbers 8 to 19 of the
        // random stream are used; numbers 0 to 7 gave the features.
        double noise = -6.0;
        for (std::size_t draw = 0; draw < 12; ++draw)
        {
            noise += own.Uniform(weights.size() + draw);
        }
        return ToPixel(GREY * (target + TARGET_DEVIATION * noise + 1.0));
    };
}

/// Number of waves per colour in a class pattern.
constexpr std::size_t WAVES = 4;
constexpr std::uint32_t FREQUENCIES = 3; // largest number of periods of a wave across an image
/// Amplitude of a wave, in pixel values.
constexpr double AMPLITUDE = 24.0;
/// Standard deviation of the noise on a pixel, in pixel values.
constexpr double PIXEL_DEVIATION = 40.0;
constexpr std::uint32_t SHIFTS = 9; // number of possible shifts along an axis: -4 to 4 pixels
constexpr double TWO_PI = 6.283185307179586;

using Patterns = std::vector<std::array<double, CIFAR_SHAPE.Size()>>;

/// Adds WAVES random cosine waves per colour to a class pattern. Each has 1 to FREQUENCIES periods
/// across the image in each direction.
/// @param[in,out] values [channels, height, width] of a CIFAR image, in pixel values
void
FillPattern(const RandomStream& random, double* values)
{
    std::uint64_t draw = 0;
    for (std::size_t channel = 0; channel < CIFAR_SHAPE.channels; ++channel)
    {
        for (std::size_t wave = 0; wave < WAVES; ++wave)
        {
            const double across = 1.0 + random.Integer(draw++, FREQUENCIES);
            const double down = 1.0 + random.Integer(draw++, FREQUENCIES);
            const double phase = random.Uniform(draw++);
            double* value = values + channel * CIFAR_SHAPE.height * CIFAR_SHAPE.width;
            for (std::uint32_t y = 0; y < CIFAR_SHAPE.height; ++y)
            {
                for (std::uint32_t x = 0; x < CIFAR_SHAPE.width; ++x)
                {
                    const double turns = (across * x + down * y) / CIFAR_SHAPE.width + phase;
                    *value++ += AMPLITUDE * std::cos(TWO_PI * turns);
                }
            }
        }
    }
}

/// Fills an image with a class pattern that is shifted cyclically at random, plus independent noise
/// on each pixel.
void
FillImage(const RandomStream& random, const double* pattern, std::uint8_t* pixels)
{
    std::array<float, CIFAR_SHAPE.Size()> noise;
    random.FillNormal(noise.data(), noise.size());
    const std::uint32_t right = random.Integer(noise.size(), SHIFTS) + CIFAR_SHAPE.width - 4;
    const std::uint32_t below = random.Integer(noise.size() + 1, SHIFTS) + CIFAR_SHAPE.height - 4;
    std::size_t i = 0;
    for (std::size_t channel = 0; channel < CIFAR_SHAPE.channels; ++channel)
    {
        for (std::uint32_t y = 0; y < CIFAR_SHAPE.height; ++y)
        {
            const std::size_t row =
                (channel * CIFAR_SHAPE.height + (y + below) % CIFAR_SHAPE.height) *
                CIFAR_SHAPE.width;
            for (std::uint32_t x = 0; x < CIFAR_SHAPE.width; ++x, ++i)
            {
                pixels[i] = ToPixel(GREY + pattern[row + (x + right) % CIFAR_SHAPE.width] +
                                    PIXEL_DEVIATION * static_cast<double>(noise[i]));
            }
        }
    }
}

DatasetRecipe::Maker
PrepareCifarShaped(const DatasetStreams& streams)
{
    auto patterns = std::make_shared<Patterns>(CIFAR_CLASSES);
    for (std::uint32_t c = 0; c < CIFAR_CLASSES; ++c)
    {
        FillPattern(streams.Common(c), (*patterns)[c].data());
    }
    return [patterns](const RandomStream& random, std::size_t index, std::uint8_t* pixels) {
        const std::size_t label = index % CIFAR_CLASSES;
        FillImage(random, (*patterns)[label].data(), pixels);
        return static_cast<std::uint8_t>(label);
    };
}

/**
 * @brief Registers a dataset `NAME` or `NAME:SEED` that is generated example by example.
 *
 * Example i of a split depends on SEED (1 by default), the split and i. The example depends neither
 * on the seed of the run nor on the number of examples.
 */
void
AddSyntheticDataset(Registry<DatasetLoader>& registry, const DatasetRecipe& recipe)
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
        const DatasetStreams streams{{seed, recipe.number}};
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

} // namespace

void
AddBlobs(Registry<DatasetLoader>& registry)
{
    AddSyntheticDataset(
        registry,
        {{"blobs", "made by seed: ten Gaussian classes of 16 x 16 grey images", "this project"},
         1,
         BLOB_SHAPE,
         CLASSES,
         10000,
         2000,
         PrepareBlobs});
}

void
AddLinearRegression(Registry<DatasetLoader>& registry)
{
    AddSyntheticDataset(registry,
                        {{"linear-regression",
                          "made by seed: eight features, one target in [-1, 1], for least squares",
                          "this project"},
                         2,
                         POINT_SHAPE,
                         1,
                         2000,
                         500,
                         PrepareRegression});
}

void
AddCifarShaped(Registry<DatasetLoader>& registry)
{
    AddSyntheticDataset(
        registry,
        {{"cifar-shaped",
          "made by seed: images and classes as many as CIFAR-10's, and nothing else of it",
          "this project"},
         3,
         CIFAR_SHAPE,
         CIFAR_CLASSES,
         10000,
         2000,
         PrepareCifarShaped});
}

} // namespace dpdl
