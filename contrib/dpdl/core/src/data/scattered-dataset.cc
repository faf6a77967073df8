// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "scattered-dataset.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "feature-store.h"
#include "scattering.h"

#include <algorithm>
#include <cmath>
#include <future>

namespace dpdl
{

namespace
{

/// Channels that are normalised together: a third of those of a plane are groups.
constexpr std::size_t GROUPED_CHANNELS = 3;
/// Added to a variance, so that a group of equal values becomes 0.
constexpr double SMALLEST_VARIANCE = 1e-5;

void
NormaliseGroup(float* values, std::size_t size)
{
    double sum = 0.0;
    double squares = 0.0;
    for (std::size_t i = 0; i < size; ++i)
    {
        sum += values[i];
    }
    const double mean = sum / static_cast<double>(size);
    for (std::size_t i = 0; i < size; ++i)
    {
        squares += (values[i] - mean) * (values[i] - mean);
    }
    const double deviation = std::sqrt(squares / static_cast<double>(size) + SMALLEST_VARIANCE);
    for (std::size_t i = 0; i < size; ++i)
    {
        values[i] = static_cast<float>((values[i] - mean) / deviation);
    }
}

/// Gives the values an L2 norm, unless all are 0.
void
SetLength(float* values, std::size_t size, double wanted)
{
    double squares = 0.0;
    for (std::size_t i = 0; i < size; ++i)
    {
        squares += static_cast<double>(values[i]) * values[i];
    }
    const double unit = std::sqrt(squares) / wanted;
    for (std::size_t i = 0; i < size && unit > 0.0; ++i)
    {
        values[i] = static_cast<float>(values[i] / unit);
    }
}

/// One thread's share of the examples: number `first`, and every `step`-th behind it.
void
ScatterShare(const Split& images,
             const ImageShape& shape,
             double length,
             std::size_t first,
             std::size_t step,
             Split& features)
{
    const std::size_t size = Scattering::Shape(shape).Size();
    const std::size_t group = size / shape.channels / Scattering::CHANNELS * GROUPED_CHANNELS;
    Scattering scattering(shape);
    std::vector<float> image(shape.Size());
    for (std::size_t example = first; example < images.Size(); example += step)
    {
        const std::size_t begin = example * shape.Size();
        for (std::size_t i = 0; i < image.size(); ++i)
        {
            image[i] = images.pixels.empty() ? images.values[begin + i]
                                             : static_cast<float>(images.pixels[begin + i]) / 255;
        }
        float* made = features.values.data() + example * size;
        scattering.Transform(image.data(), made);
        for (std::size_t i = 0; i < size; i += group)
        {
            NormaliseGroup(made + i, group);
        }
        SetLength(made, size, length);
    }
}

Split
Scatter(const Split& images, const ImageShape& shape, double length, unsigned workers)
{
    Split features{{}, {}, images.labels, images.owners};
    features.values.resize(images.Size() * Scattering::Shape(shape).Size());
    const FeatureStore store(images, shape, "scattering-" + ShowNumber(length));
    if (store.Read(features.values))
    {
        return features;
    }
    const std::size_t shares = std::min<std::size_t>(workers, images.Size());
    std::vector<std::future<void>> others;
    for (std::size_t share = 1; share < shares; ++share)
    {
        others.push_back(std::async(std::launch::async, [&, share] {
            ScatterShare(images, shape, length, share, shares, features);
        }));
    }
    ScatterShare(images, shape, length, 0, std::max<std::size_t>(1, shares), features);
    for (std::future<void>& other : others)
    {
        other.get();
    }
    store.Write(features.values);
    return features;
}

} // namespace

std::shared_ptr<const Dataset>
ScatteredDataset(const Dataset& images, double length, unsigned workers)
{
    const ImageShape& shape = images.shape;
    if (std::min(shape.height, shape.width) < Scattering::SMALLEST_SIDE)
    {
        const std::string least = std::to_string(Scattering::SMALLEST_SIDE);
        throw UsageError("option 'features'",
                         "scattering",
                         "raw: an example of '" + images.name + "' has the shape " + shape.Text() +
                             ", and scattering takes images of at least " + least + " x " + least);
    }
    return std::make_shared<const Dataset>(Dataset{images.name,
                                                   Scattering::Shape(shape),
                                                   images.classes,
                                                   Scatter(images.train, shape, length, workers),
                                                   Scatter(images.test, shape, length, workers)});
}

} // namespace dpdl
