// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TEST_GRADIENT_RUNS_H
#define DPDL_TEST_GRADIENT_RUNS_H

#include "dpdl/training/gradient-engine.h"
#include "test-images.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

namespace dpdl
{

constexpr double NO_CLIP = std::numeric_limits<double>::infinity();

/// What an engine says of a batch.
struct Gradient
{
    std::vector<double> sum;
    BatchResult result;
};

/// The examples 0..count-1.
inline std::vector<std::uint32_t>
FirstExamples(std::size_t count)
{
    std::vector<std::uint32_t> examples(count);
    std::iota(examples.begin(), examples.end(), 0U);
    return examples;
}

/// An engine's gradient of a batch; z are the parameters.
inline Gradient
Compute(GradientEngine& engine,
        const std::vector<float>& z,
        const Split& split,
        const std::vector<std::uint32_t>& examples,
        double clip)
{
    Gradient gradient{std::vector<double>(z.size(), 7.0), {}};
    gradient.result = engine.ClippedGradientSum(z.data(),
                                                {&split, examples.data(), examples.size()},
                                                clip,
                                                gradient.sum.data());
    return gradient;
}

/// That of a new engine with a name.
inline Gradient
Compute(const std::string& engine,
        const ModelSpec& model,
        const std::vector<float>& z,
        const Split& split,
        const std::vector<std::uint32_t>& examples,
        double clip)
{
    return Compute(*MakeGradientEngine(engine, model), z, split, examples, clip);
}

/// L2 norm.
template <typename Number>
double
Norm(const std::vector<Number>& values)
{
    return std::sqrt(std::inner_product(values.begin(), values.end(), values.begin(), 0.0));
}

/// L2 norm of the difference.
template <typename A, typename B>
double
Distance(const std::vector<A>& a, const std::vector<B>& b)
{
    std::vector<double> difference(a.begin(), a.end());
    for (std::size_t i = 0; i < difference.size(); ++i)
    {
        difference[i] -= static_cast<double>(b[i]);
    }
    return Norm(difference);
}

/// The engines give the same gradients, norms and losses for batches of some sizes.
inline void
ExpectEnginesAgree(const ModelSpec& model, const std::vector<std::size_t>& sizes)
{
    const auto images =
        MakeTestImages(model.Shapes().front(), 200, 1, static_cast<std::uint32_t>(model.Classes()));
    const std::vector<float> z = InitialParameters(model, "default", {2, 1});
    for (const std::size_t size : sizes)
    {
        const auto examples = FirstExamples(size);
        const auto free = Compute("native", model, z, images->train, examples, NO_CLIP);
        const double meanNorm = size == 0 ? 1.0 : free.result.normSum / static_cast<double>(size);
        for (const double clip : {NO_CLIP, 1e6, 0.97 * meanNorm, 0.01})
        {
            const auto native = Compute("native", model, z, images->train, examples, clip);
            const auto torch = Compute("libtorch", model, z, images->train, examples, clip);
            EXPECT_LE(Distance(native.sum, torch.sum), 1e-5 * Norm(torch.sum)) << size;
            EXPECT_NEAR(native.result.normSum, torch.result.normSum, 1e-5 * torch.result.normSum);
            EXPECT_NEAR(native.result.lossSum, torch.result.lossSum, 1e-5 * torch.result.lossSum);
            EXPECT_EQ(native.result.clipped, torch.result.clipped);
            EXPECT_EQ(native.result.size, size);
        }
    }
}

} // namespace dpdl

#endif // DPDL_TEST_GRADIENT_RUNS_H
