// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "blob-model.h"

#include <cmath>

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

/// out = W in + b, with W [rows, columns] and then b at @p z.
std::vector<double>
Affine(const double* z, const std::vector<double>& in, std::size_t rows)
{
    std::vector<double> out(z + rows * in.size(), z + rows * in.size() + rows);
    for (std::size_t row = 0; row < rows; ++row)
    {
        for (std::size_t column = 0; column < in.size(); ++column)
        {
            out[row] += z[row * in.size() + column] * in[column];
        }
    }
    return out;
}

/// The gradient of Affine()'s parameters: delta in^T, delta.
void
AppendGradient(std::vector<double>& gradient,
               const std::vector<double>& delta,
               const std::vector<double>& in)
{
    for (const double d : delta)
    {
        for (const double x : in)
        {
            gradient.push_back(d * x);
        }
    }
    gradient.insert(gradient.end(), delta.begin(), delta.end());
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

std::vector<double>
DeepLinearGradient(const std::vector<double>& z, const Dataset& images, std::uint32_t example)
{
    std::vector<double> x;
    for (std::size_t pixel = 0; pixel < PIXELS; ++pixel)
    {
        x.push_back(images.train.pixels[PIXELS * example + pixel] / 255.0);
    }
    const double* second = z.data() + (PIXELS + 1) * HIDDEN;
    const std::vector<double> hidden = Affine(z.data(), x, HIDDEN);
    std::vector<double> delta = Affine(second, hidden, CLASSES);
    double total = 0.0;
    for (double& score : delta)
    {
        score = std::exp(score);
        total += score;
    }
    for (std::size_t i = 0; i < CLASSES; ++i)
    {
        delta[i] =
            delta[i] / total - (images.train.labels[example] == static_cast<double>(i) ? 1.0 : 0.0);
    }
    std::vector<double> back(HIDDEN, 0.0);
    for (std::size_t row = 0; row < CLASSES; ++row)
    {
        for (std::size_t column = 0; column < HIDDEN; ++column)
        {
            back[column] += delta[row] * second[row * HIDDEN + column];
        }
    }
    std::vector<double> gradient;
    AppendGradient(gradient, back, x);
    AppendGradient(gradient, delta, hidden);
    return gradient;
}

} // namespace dpdl
