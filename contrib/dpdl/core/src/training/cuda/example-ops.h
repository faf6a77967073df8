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

/// An array [examples, width] that contributes to the gradients of the examples.
struct GradientPart
{
    const float* values; ///< [examples, width] gradients of parameters, or inputs
    std::size_t width;   ///< number of values of an example
    /// True: inputs of a linear layer. The next part is the gradient of the layer's bias, and their
    /// outer product is that of its weight.
    bool isInput;
    std::size_t parameter{0}; ///< index in the state vector of the first parameter
    WeightOrder order{};      ///< order of the parameters
    std::size_t end{0};       ///< number of parameters in this part and in the parts before it
};

/// Squared L2 norm of each part of each example's gradient, in double precision. An operation for
/// SumRows(), with one row for each example and part.
struct PartNorms
{
    const GradientPart* parts; ///< [count] parts of the gradients
    Divisor count;             ///< number of parts
    double* squares;           ///< [examples, count] squared norms

    DPDL_HOST_DEVICE std::size_t Width(std::size_t row) const
    {
        return parts[row - std::size_t{Quotient(row, count)} * count].width;
    }

    DPDL_HOST_DEVICE double Term(std::size_t row, std::size_t i) const
    {
        const std::size_t example = Quotient(row, count);
        const GradientPart& part = parts[row - example * count];
        const auto value = static_cast<double>(part.values[example * part.width + i]);
        return value * value;
    }

    DPDL_HOST_DEVICE void Store(std::size_t row, double sum) const
    {
        squares[row] = sum;
    }

    /// Squared L2 norm of an example's gradient, from the norms of its parts.
    DPDL_HOST_DEVICE double Total(std::size_t example) const
    {
        double total = 0.0;
        double factor = 1.0;
        for (std::size_t part = 0; part < count; ++part)
        {
            const double square = squares[example * count + part];
            const bool isInput = parts[part].isInput;
            total += isInput ? 0.0 : factor * square;
            // The gradient of a linear layer's bias is that of a weight whose input is 1.
            factor = isInput ? 1.0 + square : 1.0;
        }
        return total;
    }
};

/// Computes clip factors from the norms of the gradients by the rule of dpdl::ClipFactor(). Called
/// once per example.
struct ClipExamples
{
    PartNorms norms; ///< norms of the parts of the gradients
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
        const double norm = filled ? sqrt(norms.Total(index)) : 0.0;
        factors[index] = filled ? static_cast<float>(ClipFactorOf(norm, bound)) : 0.0F;
        figures.norms[index] = norm;
        figures.clipped[index] = norm <= bound ? 0.0 : 1.0;
    }
};

/// Multiplies the values of each example by its factor, or only sets those of skipped examples to
/// 0, even if they are infinite. Called once per value.
struct ScaleExamples
{
    float* values;        ///< [examples, width] values to scale
    const float* factors; ///< [examples] clip factors; 0: the example is skipped
    Divisor width;        ///< number of values of an example
    bool multiply;        ///< false: the values of other examples are unchanged

    DPDL_HOST_DEVICE void operator()(std::size_t index) const
    {
        const float factor = factors[Quotient(index, width)];
        if (factor == 0.0F || multiply)
        {
            values[index] = factor == 0.0F ? 0.0F : values[index] * factor;
        }
    }
};

/// Sum of factor * gradient over a node's examples, for all parts that are gradients. Called once
/// per node and parameter of these parts.
struct SumExamples
{
    const GradientPart* parts;   ///< parts of the gradients
    Divisor parametersPerNode;   ///< number of parameters in all parts
    const float* factors;        ///< [nodes, examples] clip factors; 0: the example is skipped
    float* sums;                 ///< [nodes, d] sums
    std::size_t sumStride;       ///< number of parameters d
    std::size_t examplesPerNode; ///< padded batch size of a node

    DPDL_HOST_DEVICE void operator()(std::size_t index) const
    {
        const std::size_t node = Quotient(index, parametersPerNode);
        const std::size_t place = index - node * parametersPerNode;
        const GradientPart* part = parts;
        while (place >= part->end)
        {
            ++part;
        }
        const std::size_t width = part->width;
        const std::size_t column = place - (part->end - width);
        const float* values = part->values + node * examplesPerNode * width + column;
        float total = 0.0F;
        DPDL_UNROLL
        for (std::size_t i = 0; i < examplesPerNode; ++i)
        {
            const float factor = factors[node * examplesPerNode + i];
            const float value = values[i * width];
            total += factor == 0.0F ? 0.0F : factor * value;
        }
        sums[node * sumStride + part->parameter + part->order.InState(column)] = total;
    }
};

} // namespace cuda
} // namespace dpdl

#endif // DPDL_TRAINING_CUDA_EXAMPLE_OPS_H
