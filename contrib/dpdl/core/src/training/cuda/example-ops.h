// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_CUDA_EXAMPLE_OPS_H
#define DPDL_TRAINING_CUDA_EXAMPLE_OPS_H

#include "host-device.h"
#include "image-ops.h"
#include "loss-of-scores.h"

// Device operations on the examples of a batch: objective, clip factors, and scaling and summing of
// per-example gradients. Batches are padded to the same number of examples for all nodes.

namespace dpdl
{
namespace cuda
{

/// Results for every example of a batch, each an array [examples].
struct ExampleFigures
{
    double* losses;  ///< objective of each example: cross-entropy, or half the squared error
    double* right;   ///< 1 if the logits are correct, else 0
    double* norms;   ///< L2 norm of the gradient before clipping
    double* clipped; ///< 1 if the norm is above the clip norm or not finite, else 0

    static constexpr std::size_t ARRAYS = 4; ///< number of arrays of this struct
    /// Number of arrays that ScoreExamples writes: losses and right.
    static constexpr std::size_t SCORED = 2;

    /// Arrays of @p examples values that are stored in @p memory, one after another.
    static ExampleFigures In(double* memory, std::size_t examples)
    {
        return {memory, memory + examples, memory + 2 * examples, memory + 3 * examples};
    }
};

/// Computes the objective, its gradient and the correctness of the logits. All are 0 for padding.
/// Called once per example.
struct ScoreExamples
{
    const float* scores;           ///< [examples, classes] logits
    const std::uint32_t* examples; ///< [examples] index into the split; NO_EXAMPLE: padding
    const double* labels;          ///< [size of the split] label of each example
    float* gradient;               ///< [examples, classes] gradient with respect to the logits;
                                   ///< null if not needed
    ExampleFigures figures;        ///< ScoreExamples writes the arrays losses and right
    std::size_t classes;           ///< number of logits of an example
    /// Largest absolute error of a correct regression output; below 0: a classification, whose
    /// objective is the cross-entropy.
    double tolerance;

    DPDL_HOST_DEVICE void operator()(std::size_t index) const
    {
        const float* own = scores + index * classes;
        float* slope = gradient == nullptr ? nullptr : gradient + index * classes;
        if (examples[index] == NO_EXAMPLE)
        {
            figures.losses[index] = 0.0;
            figures.right[index] = 0.0;
            for (std::size_t c = 0; c < classes && slope != nullptr; ++c)
            {
                slope[c] = 0.0F;
            }
            return;
        }
        const double target = labels[examples[index]];
        if (tolerance >= 0.0)
        {
            const double error = static_cast<double>(*own) - target;
            figures.losses[index] = SquaredLoss(*own, target, slope);
            figures.right[index] = fabs(error) <= tolerance ? 1.0 : 0.0;
            return;
        }
        const auto label = static_cast<std::size_t>(target);
        figures.losses[index] = SoftmaxLoss(own, classes, label, slope);
        std::size_t best = 0;
        for (std::size_t c = 1; c < classes; ++c)
        {
            best = own[best] < own[c] ? c : best;
        }
        figures.right[index] = best == label ? 1.0 : 0.0;
    }
};

/// Computes clip factors from squared norms by the rule of dpdl::ClipFactor(). Called once per
/// example.
struct ClipExamples
{
    const double* squares; ///< [examples] squared norms
    /// [examples] index into the split; NO_EXAMPLE: padding, whose factor, norm and `clipped` are
    /// 0.
    const std::uint32_t* examples;
    const double* clip;      ///< [nodes] clip norms, above 0; infinity: no clipping
    float* factors;          ///< [examples] clip factors
    ExampleFigures figures;  ///< ClipExamples writes the arrays norms and clipped
    Divisor examplesPerNode; ///< padded batch size of a node

    DPDL_HOST_DEVICE void operator()(std::size_t index) const
    {
        const bool filled = examples[index] != NO_EXAMPLE;
        const double bound = clip[Quotient(index, examplesPerNode)];
        const double norm = filled ? sqrt(squares[index]) : 0.0;
        factors[index] = filled ? static_cast<float>(ClipFactorOf(norm, bound)) : 0.0F;
        figures.norms[index] = norm;
        figures.clipped[index] = norm <= bound ? 0.0 : 1.0;
    }
};

/// Multiplies the values of each example by its factor; the factor 0 also sets infinite values to
/// 0. Called once per value.
struct ScaleExamples
{
    float* values;        ///< [examples, width] values to scale
    const float* factors; ///< [examples] clip factors
    Divisor width;        ///< number of values of an example

    DPDL_HOST_DEVICE void operator()(std::size_t index) const
    {
        const float factor = factors[Quotient(index, width)];
        values[index] = factor == 0.0F ? 0.0F : values[index] * factor;
    }
};

/// Sets the values of examples with factor 0 to zero; other examples are unchanged. Called once per
/// value.
struct LeaveOut
{
    float* values;        ///< [examples, width] values to clear
    const float* factors; ///< [examples] clip factors
    Divisor width;        ///< number of values of an example

    DPDL_HOST_DEVICE void operator()(std::size_t index) const
    {
        if (factors[Quotient(index, width)] == 0.0F)
        {
            values[index] = 0.0F;
        }
    }
};

/// Sum of factor * gradient over a node's examples. Called once per node and parameter.
struct SumExamples
{
    const float* gradients;      ///< [nodes, examples, width] per-example gradients
    const float* factors;        ///< [nodes, examples] clip factors; 0: the example is skipped
    float* sum;                  ///< sums [width] of the first node
    std::size_t sumStride;       ///< number of floats from the sums of a node to those of the next
    std::size_t examplesPerNode; ///< padded batch size of a node
    Divisor width;               ///< number of values of a gradient

    DPDL_HOST_DEVICE void operator()(std::size_t index) const
    {
        const std::size_t node = Quotient(index, width);
        const std::size_t column = index - node * width;
        float total = 0.0F;
        DPDL_UNROLL
        for (std::size_t i = 0; i < examplesPerNode; ++i)
        {
            const std::size_t example = node * examplesPerNode + i;
            const float factor = factors[example];
            const float value = gradients[example * width + column];
            total += factor == 0.0F ? 0.0F : factor * value;
        }
        sum[node * sumStride + column] = total;
    }
};

} // namespace cuda
} // namespace dpdl

#endif // DPDL_TRAINING_CUDA_EXAMPLE_OPS_H
