// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/training/clip-rule.h"

#include "gradient-sum.h"
#include "kernels.h"

#include <algorithm>
#include <cmath>
#include <vector>

// Clipping of gradients by a ClipRule, as a whole or each tensor separately. Sums of clipped
// per-example gradients in blocks of SUM_BLOCK examples, and bounds on the rounding errors of these
// sums.

namespace dpdl
{

namespace
{

constexpr double NO_BOUND = std::numeric_limits<double>::infinity();

/// Unit roundoff: half the distance from 1 to the next larger number, in double precision and
/// float32.
constexpr double DOUBLE_UNIT = 0x1p-53;
constexpr double FLOAT_UNIT = 0x1p-24;

/// Reserve for the rounding errors of sums, relative to the clip norm C. Gradients are clipped to C
/// (1 - 1e-6). Of this margin of 1e-6, at least 8e-7 is left after the rounding of each clipped
/// gradient. SumRounding() uses it.
constexpr double FREE_RESERVE = 8e-7;

/// Coordinates [begin, end) of a gradient.
struct Range
{
    std::size_t begin;
    std::size_t end;
};

/// Intersection of two ranges; may be empty.
Range
Intersect(Range range, Range counts)
{
    const std::size_t begin = std::max(range.begin, counts.begin);
    return {begin, std::max(begin, std::min(range.end, counts.end))};
}

/// Sum of squares (L2) or of absolute values (L1) over a range. The sums of disjoint ranges can be
/// added.
double
Measure(ClipNorm norm, const float* gradient, Range range)
{
    const float* first = gradient + range.begin;
    const std::size_t size = range.end - range.begin;
    return norm == ClipNorm::L2 ? SquaredNorm(first, size) : AbsoluteSum(first, size);
}

double
NormOf(ClipNorm norm, double measure)
{
    return norm == ClipNorm::L2 ? std::sqrt(measure) : measure;
}

/// Scales a range of a gradient by ClipFactor(), or by the smooth factor of the rule.
/// @param norm norm of the range before clipping
/// @return true if @p norm exceeds the clip norm or is not finite
bool
ClipPart(double norm, const ClipRule& rule, float* gradient, Range range)
{
    const double hard = ClipFactor(norm, rule.bound);
    // With C the clip norm and |g| the norm of the range, the smooth factor is C / (C + |g|): the
    // factor that clips a norm of C + |g| to C.
    const double factor = rule.isSmooth ? ClipFactor(rule.bound + norm, rule.bound) : hard;
    if (factor == 0.0)
    {
        // Fill with zeros, because scaling by 0 would turn infinities into NaN.
        std::fill(gradient + range.begin, gradient + range.end, 0.0F);
    }
    else if (factor < 1.0)
    {
        Scale(gradient + range.begin, static_cast<float>(factor), range.end - range.begin);
    }
    return hard < 1.0;
}

/// Range of coordinates that enter the sum; a rule sets the coordinates outside it to 0.
/// @param size number of coordinates of the gradient
Range
CountingRange(const ClipRule& rule, std::size_t size)
{
    return Intersect({0, size}, {rule.begin, rule.end});
}

template <typename Number>
void
ClearRest(Range range, Number* gradient, std::size_t size)
{
    std::fill(gradient, gradient + std::min(range.begin, size), Number{});
    std::fill(gradient + std::min(range.end, size), gradient + size, Number{});
}

} // namespace

double
Sensitivity(const ClipRule& rule, const ModelSpec& model)
{
    const auto tensors = static_cast<double>(model.Parameters().size());
    const double parts = rule.norm == ClipNorm::L2 ? std::sqrt(tensors) : tensors;
    return rule.perTensor ? rule.bound * parts : rule.bound;
}

ClipOutcome
ClipGradient(const ModelSpec& model, const ClipRule& rule, float* gradient)
{
    const Range counts = CountingRange(rule, model.ParameterCount());
    ClearRest(counts, gradient, model.ParameterCount());
    ClipOutcome outcome;
    double total = 0.0;
    for (const ParameterTensor& tensor : model.Parameters())
    {
        const Range range = Intersect({tensor.offset, tensor.offset + tensor.size}, counts);
        const double measure = Measure(rule.norm, gradient, range);
        total += measure;
        if (rule.perTensor && ClipPart(NormOf(rule.norm, measure), rule, gradient, range))
        {
            outcome.clipped = true;
        }
    }
    outcome.norm = NormOf(rule.norm, total);
    if (!rule.perTensor)
    {
        outcome.clipped = ClipPart(outcome.norm, rule, gradient, counts);
    }
    return outcome;
}

BatchResult
ClippedSum(GradientEngine& engine,
           const ModelSpec& model,
           const float* parameters,
           const Batch& batch,
           const ClipRule& rule,
           float* scratch,
           double* sum)
{
    const std::size_t size = model.ParameterCount();
    const Range counts = CountingRange(rule, size);
    const bool isWhole = counts.begin == 0 && counts.end == size;
    const bool isPlain = rule.norm == ClipNorm::L2 && !rule.perTensor && !rule.isSmooth && isWhole;
    if (isPlain || std::isinf(rule.bound))
    {
        const BatchResult result = engine.ClippedGradientSum(parameters, batch, rule.bound, sum);
        ClearRest(counts, sum, size);
        return result;
    }
    BatchResult result;
    result.size = static_cast<std::uint32_t>(batch.size);
    std::vector<double> gradient(size);
    GradientSum clipped(sum, size);
    for (std::size_t i = 0; i < batch.size; ++i)
    {
        const Batch one = batch.Part(i, 1);
        result.lossSum +=
            engine.ClippedGradientSum(parameters, one, NO_BOUND, gradient.data()).lossSum;
        RoundToFloat(gradient.data(), scratch, size);
        const ClipOutcome outcome = ClipGradient(model, rule, scratch);
        result.normSum += outcome.norm;
        result.clipped += outcome.clipped ? 1 : 0;
        AddScaled(clipped.Next(1), scratch, 1.0, size);
    }
    clipped.Finish();
    return result;
}

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
MeasureNoise(const float* state,
             std::size_t size,
             std::size_t examples,
             const Release& release,
             NodeJob& job)
{
    const LocalUpdate& update = job.update;
    if (!update.isSummed)
    {
        return;
    }
    // Normal draws above 9 standard deviations and Laplace draws above 64 scales b have
    // probabilities below 1e-18.
    const double largestDraw = release.mechanism == "laplace" ? 64.0 : 9.0;
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
    // With BATCH_CLIP, the clipped vector is a mean gradient, which has already been divided by
    // update.divisor.
    const bool isBatch = HasFlag(release.flags, ReleaseFlag::BATCH_CLIP);
    const double divisor = isBatch ? 1.0 : mean;
    const double sum = release.sensitivity * (isBatch ? 1.0 : batch);
    const double inState = least / divisor * release.noise;
    const double largest =
        LargestMagnitude(state, size) + most / divisor * (sum + largestDraw * release.noise);
    const bool isFirst = job.releases.empty();
    job.noiseInState = isFirst ? inState : std::min(job.noiseInState, inState);
    job.largestState = isFirst ? largest : std::max(job.largestState, largest);
}

} // namespace dpdl
