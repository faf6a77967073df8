// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "gradient-sum.h"

#include "cuda/loss-of-scores.h"
#include "dpdl/training/clip-rule.h"
#include "dpdl/training/gradient-engine.h"
#include "dpdl/training/node-job.h"
#include "kernels.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dpdl
{

namespace
{

/// Unit roundoff: half the distance from 1 to the next number.
constexpr double DOUBLE_UNIT = 0x1p-53;
constexpr double FLOAT_UNIT = 0x1p-24;

/// Remainder of the clip bound's reserve of 1e-6 after the rounding of clipped gradients.
constexpr double FREE_RESERVE = 8e-7;

} // namespace

double
SumRounding(std::size_t examples)
{
    const auto n = static_cast<double>(examples);
    const auto block = static_cast<double>(SUM_BLOCK);
    return std::max(0.0, 2.0 * n * (block + n / block) * DOUBLE_UNIT - FREE_RESERVE);
}

double
DeviceSumRounding(std::size_t examples)
{
    const auto n = static_cast<double>(examples);
    return examples <= SUM_BLOCK ? 2.0 * n * n * FLOAT_UNIT
                                 : std::numeric_limits<double>::infinity();
}

void
MeasureNoise(const LocalUpdate& update,
             const float* state,
             std::size_t size,
             std::size_t examples,
             ReleaseRecord& record)
{
    if (!update.isSummed)
    {
        return;
    }
    constexpr double LARGEST_DRAW = 9.0;
    const double mean = update.divisor;
    const double batch =
        std::min(mean + 10.0 * std::sqrt(mean) + 50.0, static_cast<double>(examples));
    double least = update.stepSize;
    double most = update.stepSize;
    for (const double step : update.chunkSteps)
    {
        least = std::min(least, step);
        most = std::max(most, step);
    }
    // A gradient that was clipped as a whole is already a mean.
    const double divisor = record.batchClip ? 1.0 : mean;
    const double sum = record.sensitivity * (record.batchClip ? 1.0 : batch);
    record.inState = least / divisor * record.deviation;
    record.largestState =
        LargestMagnitude(state, size) + most / divisor * (sum + LARGEST_DRAW * record.deviation);
}

GradientSum::GradientSum(double* total, std::size_t size)
    : m_total(total),
      m_size(size)
{
    std::fill_n(total, size, 0.0);
}

double*
GradientSum::Next(std::size_t examples)
{
    if (m_examples + examples > SUM_BLOCK)
    {
        Finish();
        m_block.assign(m_size, 0.0);
        m_examples = 0;
    }
    m_examples += examples;
    return m_block.empty() ? m_total : m_block.data();
}

void
GradientSum::Finish()
{
    if (!m_block.empty())
    {
        AddTo(m_total, m_block.data(), m_size);
    }
}

double
ExampleLoss(const LossAim& aim, const float* logits, float* gradient)
{
    return aim.loss == Loss::SQUARED_ERROR ? cuda::SquaredLoss(*logits, aim.label, gradient)
                                           : cuda::SoftmaxLoss(logits,
                                                               aim.logits,
                                                               static_cast<std::size_t>(aim.label),
                                                               gradient);
}

bool
IsRight(const LossAim& aim, const float* logits)
{
    if (aim.loss == Loss::SQUARED_ERROR)
    {
        return std::abs(static_cast<double>(*logits) - aim.label) <= TARGET_TOLERANCE;
    }
    const auto right = static_cast<std::ptrdiff_t>(aim.label);
    return std::max_element(logits, logits + aim.logits) - logits == right;
}

} // namespace dpdl
