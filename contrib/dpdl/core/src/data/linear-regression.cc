// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "built-in-datasets.h"
#include "synthetic-dataset.h"

namespace dpdl
{

namespace
{

constexpr ImageShape POINT_SHAPE{1, 1, 8};
constexpr double TARGET_DEVIATION = 0.1; // of the noise on the target, whose range is [-1, 1]

DatasetRecipe::Maker
PrepareRegression(const DatasetStreams& streams)
{
    const RandomStream random = streams.Common(0);
    std::vector<double> weights(POINT_SHAPE.Size());
    double bias = 0.0;
    for (std::size_t i = 0; i < weights.size(); ++i)
    {
        weights[i] = random.Uniform(i) - 0.5;
        bias -= weights[i] / 2.0; // features are 1/2 in the mean, targets so 0
    }
    return [weights, bias](const RandomStream& own, std::size_t, std::uint8_t* pixels) {
        double target = bias;
        for (std::size_t i = 0; i < weights.size(); ++i)
        {
            pixels[i] = static_cast<std::uint8_t>(own.Integer(i, 256));
            target += weights[i] * pixels[i] / 255.0;
        }
        // The words behind those of the features: a sum of twelve uniforms is normal enough.
        double noise = -6.0;
        for (std::size_t draw = 0; draw < 12; ++draw)
        {
            noise += own.Uniform(weights.size() + draw);
        }
        return ToPixel(GREY * (target + TARGET_DEVIATION * noise + 1.0));
    };
}

} // namespace

void
AddLinearRegression(Registry<DatasetLoader>& registry)
{
    AddSyntheticDataset(registry,
                        {{"linear-regression",
                          "made by seed: eight features, one target in [-1, 1], for least squares",
                          "this project",
                          {}},
                         2,
                         POINT_SHAPE,
                         1,
                         2000,
                         500,
                         PrepareRegression});
}

} // namespace dpdl
