// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "kernels.h"
#include "torch-engine.h"
#include "torch-function.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/zeros_like.h>
#include <cmath>
#include <limits>
#include <numeric>
#include <torch/csrc/autograd/autograd.h>
#include <vector>

// The reference engine: LibTorch runs a separate backward pass for each example.

namespace dpdl
{

namespace
{

/// Gradient of the objective as a flat tensor. Tensors for which autograd returns no gradient are
/// zero.
/// @param loss sum of the objectives
/// @param leaves parameter tensors of the model
at::Tensor
FlatGradient(const at::Tensor& loss, const std::vector<at::Tensor>& leaves)
{
    std::vector<at::Tensor> parts = torch::autograd::grad({loss}, leaves, {}, {}, false, true);
    for (std::size_t i = 0; i < parts.size(); ++i)
    {
        parts[i] = (parts[i].defined() ? parts[i] : at::zeros_like(leaves[i])).flatten();
    }
    return at::cat(parts);
}

double
Norm(const at::Tensor& gradient, bool byKernels)
{
    if (!byKernels)
    {
        return gradient.to(at::kDouble).norm().item<double>();
    }
    const float* const values = gradient.data_ptr<float>();
    const double sum =
        std::accumulate(values, values + gradient.numel(), 0.0, [](double total, double value) {
            return total + value * value;
        });
    return std::sqrt(sum);
}

void
AddScaled(const at::Tensor& sum, const at::Tensor& gradient, double factor, bool byKernels)
{
    if (!byKernels)
    {
        sum.add_(gradient, factor);
        return;
    }
    dpdl::AddScaled(sum.data_ptr<double>(),
                    gradient.data_ptr<float>(),
                    factor,
                    static_cast<std::size_t>(gradient.numel()));
}

/**
 * @brief Computes gradients with LibTorch's autograd, one example at a time.
 *
 * The engine is the simple reference for the engines that clip several examples at once. It shares
 * with them only ClipFactor() and the sums of clipped gradients, not the computation of gradients
 * and norms.
 *
 * A model with batch statistics has no per-example gradients, so the engine throws UsageError for a
 * finite clip norm and more than one example. Without clipping, it takes one pass per batch, and
 * normSum is the norm of the gradient sum. An evaluation uses the statistics of the images that are
 * evaluated together, because there are no running statistics.
 */
class PerExampleLoopEngine : public TorchEngine
{
  public:
    /// @param model model to compute
    /// @param place device of the tensors
    PerExampleLoopEngine(const ModelSpec& model, const TorchPlace& place)
        : TorchEngine(model,
                      place,
                      model.hasBatchStatistics ? std::numeric_limits<std::size_t>::max() : 1),
          m_forward(MakeTorchForward(Model(), place.device))
    {
    }

  private:
    void Load(const std::vector<at::Tensor>& parameters) override
    {
        m_leaves = m_forward->Load(parameters);
    }

    at::Tensor Logits(const at::Tensor& images) override
    {
        return m_forward->Forward(images);
    }

    BatchResult AddPart(const Batch& part, double clip, TensorSum& sum) override
    {
        // With batch statistics there are no per-example gradients, so the part is the whole batch.
        // A finite clip norm needs per-example gradients.
        if (part.size > 1 && std::isfinite(clip))
        {
            CheckPerExampleGradients(Model());
        }
        const TorchBatch batch = ToDevice(part);
        const at::Tensor loss = LossSum(Model(), Logits(batch.images), batch.labels);
        const at::Tensor gradient = FlatGradient(loss, m_leaves);
        const double norm = Norm(gradient, Place().byKernels);
        const double factor = ClipFactor(norm, clip);
        if (factor != 0.0)
        {
            AddScaled(sum.Next(1), gradient, factor, Place().byKernels);
        }
        return {static_cast<double>(loss.item<float>()),
                norm,
                norm <= clip ? 0U : 1U,
                static_cast<std::uint32_t>(part.size)};
    }

    std::unique_ptr<TorchForward> m_forward; ///< computes the logits of the model
    std::vector<at::Tensor> m_leaves;        ///< parameter tensors of the last Load()
};

} // namespace

std::unique_ptr<GradientEngine>
MakePerExampleLoopEngine(const ModelSpec& model, const TorchPlace& place)
{
    return std::make_unique<PerExampleLoopEngine>(model, place);
}

} // namespace dpdl
