// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "built-in-datasets.h"
#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/base/random.h"
#include "feature-whitening.h"
#include "scattering.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <future>
#include <memory>
#include <mutex>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

// Computes scattering features of all images in parallel, normalises and optionally whitens them,
// and caches the result in the FeatureStore.

namespace dpdl
{

namespace
{

/// Number of channels that are normalised together. The features of one colour plane have
/// Scattering::CHANNELS / 3 such groups.
constexpr std::size_t GROUPED_CHANNELS = 3;
/// Number that is added to the variance of a group of channels before the division, so a group of
/// equal values becomes 0.
constexpr double SMALLEST_VARIANCE = 1e-5;
/// Number of synthetic reference images (random geometric shapes) for the whitening. They contain
/// no private data.
constexpr std::size_t SHAPES = 1000;
/// Number of examples that are whitened together, so the whitening matrix is read from memory only
/// once for all of them.
constexpr std::size_t BATCH = 16;

/// Lower and upper bound of a shape's radius, as fractions of the shorter side of the image.
constexpr double SMALLEST_RADIUS = 2.0 / 28.0;
constexpr double LARGEST_RADIUS = 16.0 / 28.0;
/// Upper bound of the number of shapes in an image, exclusive.
constexpr double MOST_SHAPES = 12.0;
/// Largest amplitude of the stripes of a shape; grey values are in [0, 1].
constexpr double HIGHEST_STRIPES = 0.25;

/// Iterates over the random numbers for one reference image.
class Numbers
{
  public:
    explicit Numbers(std::uint32_t number)
        // Run number 0, which no synthetic dataset uses.
        : m_stream({0, 0}, RandomPurpose::DATASET, number, 0)
    {
    }

    /// Random number, uniform in [from, to).
    double Between(double from, double to)
    {
        return from + (to - from) * m_stream.Uniform(m_next++);
    }

    bool Coin()
    {
        return Between(0.0, 1.0) < 0.5;
    }

  private:
    RandomStream m_stream;
    std::uint64_t m_next{0};
};

/// Draws one random shape over earlier shapes.
/// @param[in,out] image [rows, columns]
void
Cover(Numbers& numbers, std::uint32_t rows, std::uint32_t columns, std::vector<float>& image)
{
    const double side = std::min(rows, columns);
    const double radius =
        side * std::exp(numbers.Between(std::log(SMALLEST_RADIUS), std::log(LARGEST_RADIUS)));
    const double row = numbers.Between(0.0, rows);
    const double column = numbers.Between(0.0, columns);
    const double angle = numbers.Between(0.0, M_PI);
    const double cosine = std::cos(angle);
    const double sine = std::sin(angle);
    const double stretch = std::exp(numbers.Between(-1.0, 1.0));
    const bool isBox = numbers.Coin();
    const double grey = numbers.Between(0.0, 1.0);
    const double height = numbers.Between(0.0, HIGHEST_STRIPES);
    const double stripes = numbers.Coin() ? height : 0.0;
    const double wave = numbers.Between(0.2, 2.7);
    for (std::uint32_t i = 0; i < rows; ++i)
    {
        for (std::uint32_t j = 0; j < columns; ++j)
        {
            const double down = i - row;
            const double right = j - column;
            const double along = cosine * right + sine * down;
            const double u = along / (radius * stretch);
            const double v = (cosine * down - sine * right) / radius * stretch;
            if (isBox ? std::max(std::abs(u), std::abs(v)) < 1.0 : u * u + v * v < 1.0)
            {
                const double value = grey + stripes * std::sin(wave * along);
                image[i * columns + j] = static_cast<float>(std::clamp(value, 0.0, 1.0));
            }
        }
    }
}

/**
 * @brief Makes a grey image of overlapping random ellipses and boxes, striped with probability 1/2
 *        ("dead leaves"; Lee, Mumford and Huang, IJCV 2001). The image contains no private data.
 * @param number index of the image, from 0. The image depends only on the index and on its size
 * @param rows number of rows of the image
 * @param columns number of columns of the image
 * @return [rows, columns], each in [0, 1]
 */
std::vector<float>
RandomShapes(std::uint32_t number, std::uint32_t rows, std::uint32_t columns)
{
    Numbers numbers(number);
    const double ground = numbers.Coin() ? numbers.Between(0.0, 1.0) : 0.0;
    std::vector<float> image(std::size_t{rows} * columns, static_cast<float>(ground));
    const double shapes = std::floor(numbers.Between(1.0, MOST_SHAPES));
    for (double shape = 0.0; shape < shapes; shape += 1.0)
    {
        Cover(numbers, rows, columns, image);
    }
    return image;
}

void
NormaliseGroup(float* values, std::size_t size)
{
    const double mean = std::accumulate(values, values + size, 0.0) / static_cast<double>(size);
    double squares = 0.0;
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

/// Scales a vector to the L2 norm @p wanted, unless it is 0.
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

/// Computes the scattering features of an image, and normalises its groups of channels to mean 0
/// and variance 1.
/// @param shape shape of the image
/// @param[out] features Scattering::Shape(shape).Size() values
void
ScatterImage(Scattering& scattering, const ImageShape& shape, const float* image, float* features)
{
    const std::size_t size = Scattering::Shape(shape).Size();
    const std::size_t group = size / shape.channels / Scattering::CHANNELS * GROUPED_CHANNELS;
    scattering.Transform(image, features);
    for (std::size_t i = 0; i < size; i += group)
    {
        NormaliseGroup(features + i, group);
    }
}

/// Makes the whitening from the features of the SHAPES reference images. The whitening applies to
/// the features of one colour plane.
/// @param shape height and width of an image
/// @param penalty ridge penalty, as for FeatureWhitening
FeatureWhitening
WhitenByShapes(ImageShape shape, double penalty)
{
    shape.channels = 1;
    const std::size_t size = Scattering::Shape(shape).Size();
    Scattering scattering(shape);
    std::vector<float> shapes(SHAPES * size);
    for (std::size_t number = 0; number < SHAPES; ++number)
    {
        const std::vector<float> image =
            RandomShapes(static_cast<std::uint32_t>(number), shape.height, shape.width);
        float* features = shapes.data() + number * size;
        ScatterImage(scattering, shape, image.data(), features);
        SetLength(features, size, 1.0);
    }
    return {shapes, SHAPES, penalty};
}

/// Result of WhitenByShapes(). The last result is cached for later runs of a campaign with equal
/// parameters.
std::shared_ptr<const FeatureWhitening>
SharedWhitening(const ImageShape& shape, double penalty)
{
    using Request = std::tuple<std::uint32_t, std::uint32_t, double>;
    static std::mutex mutex;
    static Request lastRequest;
    static std::shared_ptr<const FeatureWhitening> last;
    const Request request{shape.height, shape.width, penalty};
    const std::lock_guard<std::mutex> lock(mutex);
    if (!last || request != lastRequest)
    {
        last = std::make_shared<const FeatureWhitening>(WhitenByShapes(shape, penalty));
        lastRequest = request;
    }
    return last;
}

/// Shape of the features of one example, with or without whitening.
ImageShape
FeatureShape(const ImageShape& image, const Features& wanted)
{
    return wanted.penalty > 0.0
               ? ImageShape{static_cast<std::uint32_t>(SHAPES) * image.channels, 1, 1}
               : Scattering::Shape(image);
}

/// Copies an image as floats: bytes are scaled to [0, 1], floats are unchanged.
void
ReadImage(const Split& images, std::size_t example, std::vector<float>& image)
{
    const std::size_t begin = example * image.size();
    for (std::size_t i = 0; i < image.size(); ++i)
    {
        image[i] = images.pixels.empty() ? images.values[begin + i]
                                         : static_cast<float>(images.pixels[begin + i]) / 255;
    }
}

/// Computes the features of one thread's examples. Examples are in batches of BATCH; the thread has
/// the batches first, first + step, first + 2 step and so on.
/// @param whitening null: no whitening
/// @param[out] features receives the features of these examples in `values`
void
ScatterShare(const Split& images,
             const ImageShape& shape,
             const Features& wanted,
             const FeatureWhitening* whitening,
             std::size_t first,
             std::size_t step,
             Split& features)
{
    const std::size_t scattered = Scattering::Shape(shape).Size();
    const std::size_t size = FeatureShape(shape, wanted).Size();
    Scattering scattering(shape);
    std::vector<float> image(shape.Size());
    std::vector<float> batch(BATCH * scattered);
    for (std::size_t begin = first * BATCH; begin < images.Size(); begin += step * BATCH)
    {
        const std::size_t count = std::min(BATCH, images.Size() - begin);
        for (std::size_t example = 0; example < count; ++example)
        {
            ReadImage(images, begin + example, image);
            ScatterImage(scattering, shape, image.data(), batch.data() + example * scattered);
        }
        float* made = features.values.data() + begin * size;
        if (whitening != nullptr)
        {
            // The colour planes of an example are contiguous, before and after whitening, so they
            // are whitened like separate examples.
            whitening->Apply(count * shape.channels, batch.data(), made);
        }
        else
        {
            std::copy_n(batch.data(), count * size, made);
        }
        for (std::size_t example = 0; example < count; ++example)
        {
            SetLength(made + example * size, size, wanted.length);
        }
    }
}

Split
Scatter(const Split& images, const ImageShape& shape, const Features& wanted, unsigned workers)
{
    Split features{{}, {}, images.labels, images.owners};
    features.values.resize(images.Size() * FeatureShape(shape, wanted).Size());
    const bool isWhitened = wanted.penalty > 0.0;
    const FeatureStore store(images,
                             shape,
                             "scattering-" + ShowNumber(wanted.length) +
                                 (isWhitened ? "-ridge-" + ShowNumber(wanted.penalty) : ""));
    if (store.Read(features.values))
    {
        return features;
    }
    const auto whitening = isWhitened ? SharedWhitening(shape, wanted.penalty) : nullptr;
    const std::size_t shares = std::min<std::size_t>(workers, images.Size());
    std::vector<std::future<void>> others;
    for (std::size_t share = 1; share < shares; ++share)
    {
        others.push_back(std::async(std::launch::async, [&, share] {
            ScatterShare(images, shape, wanted, whitening.get(), share, shares, features);
        }));
    }
    const std::size_t step = std::max<std::size_t>(1, shares);
    ScatterShare(images, shape, wanted, whitening.get(), 0, step, features);
    for (std::future<void>& other : others)
    {
        other.get();
    }
    store.Write(features.values);
    return features;
}

} // namespace

std::shared_ptr<const Dataset>
ScatteredDataset(const Dataset& images, const Features& wanted, unsigned workers)
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
    Split train = Scatter(images.train, shape, wanted, workers);
    Split test = Scatter(images.test, shape, wanted, workers);
    return std::make_shared<const Dataset>(Dataset{images.name,
                                                   FeatureShape(shape, wanted),
                                                   images.classes,
                                                   std::move(train),
                                                   std::move(test)});
}

} // namespace dpdl
