// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_TORCH_FUNCTION_H
#define DPDL_TRAINING_TORCH_FUNCTION_H

#include "dpdl/training/forward-function.h"
#include "dpdl/training/gradient-engine.h"
#include "tape.h"

#include <ATen/core/Tensor.h>
#include <memory>
#include <vector>

namespace dpdl
{

/// Logits by LibTorch, and the tensors that they depend on. Each engine has one of its own.
class TorchForward
{
  public:
    virtual ~TorchForward() = default;

    /// Says where the tensors are; before the first Load(). On the host by default.
    virtual void SetDevice(const at::Device& device) = 0;

    /**
     * @brief Takes parameters over.
     * @param parameters [ParameterCount()], copied
     * @return leaves of autograd, one for each tensor of the model
     */
    virtual const std::vector<at::Tensor>& Load(const float* parameters) = 0;

    /// Logits [examples, classes] of images [examples, channels, height, width] in [0, 1].
    virtual at::Tensor Forward(const at::Tensor& images) = 0;
};

/// A ForwardFunction in LibTorch.
class TorchFunction : public ForwardFunction
{
  public:
    const TorchFunction& Torch() const final
    {
        return *this;
    }

    /// The function of one engine. @param model whose function this is; has to outlive it
    virtual std::unique_ptr<TorchForward> MakeForward(const ModelSpec& model) const = 0;
};

/// Logits whose leaves are copies of the model's parameters.
class CopiedForward : public TorchForward
{
  public:
    void SetDevice(const at::Device& device) override;
    const std::vector<at::Tensor>& Load(const float* parameters) override;

  protected:
    /// @param model has to outlive the logits
    explicit CopiedForward(const ModelSpec& model);

    /// Loaded last.
    const std::vector<at::Tensor>& Leaves() const;

  private:
    const ModelSpec& m_model;         ///< what is computed
    at::Device m_device{at::kCPU};    ///< where
    std::vector<at::Tensor> m_leaves; ///< loaded last
};

/// The logits of any model: of its layers, or of its function. @param model has to outlive them
std::unique_ptr<TorchForward> MakeTorchForward(const ModelSpec& model);

/**
 * @brief A function whose parameters all enter through the operations of a tape.
 *
 * Results of one example must not depend on the others, batch normalisation excepted.
 */
class RecordedFunction : public TorchFunction
{
  public:
    /// Logits [examples, classes] of images [examples, channels, height, width] in [0, 1].
    virtual at::Tensor Forward(Tape& tape, const at::Tensor& images) const = 0;

    const RecordedFunction* Recorded() const final
    {
        return this;
    }

    double MultiplyAdds(const ModelSpec& model) const override;
    std::unique_ptr<TorchForward> MakeForward(const ModelSpec& model) const override;
};

/// The function of a chain of layers, or of a model that has a recorded one; nullptr for others.
/// @param model has to outlive it
std::shared_ptr<const RecordedFunction> RecordedFunctionOf(const ModelSpec& model);

/// An engine on the host for a model with a RecordedFunctionOf() and without batch statistics
/// (book-keeping).
std::unique_ptr<GradientEngine> MakeGhostClippingEngine(const ModelSpec& model);

/**
 * @brief The same, which computes with tensors from end to end: on any device, also on the host.
 *
 * Values come to the host when a norm decides about clipping, and when a batch is complete. Sums
 * are in double precision, in the blocks of SumRounding().
 */
std::unique_ptr<GradientEngine> MakeTensorClippingEngine(const ModelSpec& model,
                                                         const at::Device& device);

/// The engine of one backward pass for each example, which takes every model.
std::unique_ptr<GradientEngine> MakePerExampleLoopEngine(const ModelSpec& model,
                                                         const at::Device& device);

} // namespace dpdl

#endif // DPDL_TRAINING_TORCH_FUNCTION_H
