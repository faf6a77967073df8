// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "gradient-sum.h"
#include "kernels.h"
#include "torch-batch.h"
#include "torch-function.h"

#include <ATen/core/Tensor.h>
#include <algorithm>
#include <c10/core/GradMode.h>
#include <cmath>
#include <numeric>
#include <torch/csrc/autograd/autograd.h>
#include <utility>
#include <vector>

// The reference engine: LibTorch runs a separate backward pass for each example.

namespace dpdl
{

namespace
{

/// The gradient of one example as a flat vector. Tensors for which autograd returns no gradient are
/// zero.
std::vector<float>
FlatGradient(const ModelSpec& model, const std::vector<at::Tensor>& gradients)
{
    std::vector<float> flat(model.ParameterCount(), 0.0F);
    for (std::size_t i = 0; i < gradients.size(); ++i)
    {
        if (gradients[i].defined())
        {
            const at::Tensor values = gradients[i].cpu().contiguous();
            std::copy_n(values.data_ptr<float>(),
                        values.numel(),
                        flat.begin() + static_cast<std::ptrdiff_t>(model.Parameters()[i].offset));
        }
    }
    return flat;
}

double
Norm(const std::vector<float>& values)
{
    double sum = 0.0;
    for (const float value : values)
    {
        sum += static_cast<double>(value) * static_cast<double>(value);
    }
    return std::sqrt(sum);
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
class PerExampleLoopEngine : public GradientEngine
{
  public:
    /// @param model model to compute
    /// @param device device of the tensors
    PerExampleLoopEngine(ModelSpec model, const at::Device& device)
        : m_model(std::move(model)),
          m_forward(MakeTorchForward(m_model, device)),
          m_device(device)
    {
    }

    BatchResult ClippedGradientSum(const float* parameters,
                                   const Batch& batch,
                                   double clip,
                                   double* gradientSum) override
    {
        return ExplainDevice(m_device, [&] {
            PrepareTorchThread();
            const std::vector<at::Tensor>& leaves = m_forward->Load(parameters);
            const ImageShape& shape = m_model.Shapes().front();
            GradientSum sum(gradientSum, m_model.ParameterCount());
            BatchResult result;
            result.size = static_cast<std::uint32_t>(batch.size);
            // With batch statistics there are no per-example gradients, so the whole batch takes
            // one pass. A finite clip norm needs per-example gradients.
            const std::size_t atOnce =
                m_model.hasBatchStatistics ? std::max<std::size_t>(batch.size, 1) : 1;
            if (atOnce > 1 && std::isfinite(clip))
            {
                CheckPerExampleGradients(m_model);
            }
            for (std::size_t i = 0; i < batch.size; i += atOnce)
            {
                const TorchBatch part = MakeTorchBatch(batch.Part(i, atOnce), shape, m_device);
                const at::Tensor loss =
                    LossSum(m_model, m_forward->Forward(part.images), part.labels);
                const std::vector<float> gradient =
                    FlatGradient(m_model,
                                 torch::autograd::grad({loss}, leaves, {}, {}, false, true));
                const double norm = Norm(gradient);
                const double factor = ClipFactor(norm, clip);
                result.lossSum += static_cast<double>(loss.item<float>());
                result.normSum += norm;
                result.clipped += norm <= clip ? 0 : 1;
                if (factor != 0.0)
                {
                    AddScaled(sum.Next(1), gradient.data(), factor, gradient.size());
                }
            }
            sum.Finish();
            return result;
        });
    }

    Evaluation Evaluate(const float* parameters,
                        const Split& split,
                        std::size_t first,
                        std::size_t count) override
    {
        return ExplainDevice(m_device, [&] {
            PrepareTorchThread();
            const c10::NoGradGuard guard;
            m_forward->Load(parameters);
            const ImageShape& shape = m_model.Shapes().front();
            const std::size_t atOnce =
                m_model.hasBatchStatistics ? std::max<std::size_t>(count, 1) : 1;
            std::vector<std::uint32_t> examples(count);
            std::iota(examples.begin(), examples.end(), static_cast<std::uint32_t>(first));
            Evaluation evaluation;
            for (std::size_t i = 0; i < count; i += atOnce)
            {
                const TorchBatch part =
                    MakeTorchBatch({&split, examples.data() + i, atOnce}, shape, m_device);
                evaluation += EvaluateLogits(m_model, m_forward->Forward(part.images), part.labels);
            }
            return evaluation;
        });
    }

  private:
    ModelSpec m_model;                       ///< model that the engine computes
    std::unique_ptr<TorchForward> m_forward; ///< computes the logits of the model
    at::Device m_device;                     ///< device of the tensors
};

} // namespace

std::unique_ptr<GradientEngine>
MakePerExampleLoopEngine(const ModelSpec& model, const at::Device& device)
{
    return std::make_unique<PerExampleLoopEngine>(model, device);
}

} // namespace dpdl
