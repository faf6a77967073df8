// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "built-in-datasets.h"
#include "dpdl/data/cifar-file.h"
#include "synthetic-dataset.h"

#include <array>
#include <cmath>
#include <memory>

namespace dpdl
{

namespace
{

constexpr std::size_t WAVES = 4;
constexpr std::uint32_t FREQUENCIES = 3; // whole waves across an image, at most
constexpr double AMPLITUDE = 24.0;
constexpr double PIXEL_DEVIATION = 40.0;
constexpr std::uint32_t SHIFTS = 9; // an image is shifted by -4 to 4 pixels each way
constexpr double TWO_PI = 6.283185307179586;

using Patterns = std::vector<std::array<double, CIFAR_SHAPE.Size()>>;

/// A sum of slow waves in each colour.
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

/// The pattern, shifted around the edges, under noise.
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

} // namespace

void
AddCifarShaped(Registry<DatasetLoader>& registry)
{
    AddSyntheticDataset(
        registry,
        {{"cifar-shaped",
          "made by seed: images and classes as many as CIFAR-10's, and nothing else of it",
          "this project",
          {}},
         3,
         CIFAR_SHAPE,
         CIFAR_CLASSES,
         10000,
         2000,
         PrepareCifarShaped});
}

} // namespace dpdl
