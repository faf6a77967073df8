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

/// Computes logits by LibTorch and owns the parameter tensors. Each engine has a separate one.
class TorchForward
{
  public:
    virtual ~TorchForward() = default;

    /// Sets the device of the tensors, before the first Load(); the host by default.
    virtual void SetDevice(const at::Device& device) = 0;

    /**
     * @brief Loads parameters.
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

    /// Makes the function of one engine. @param model of this function; has to outlive the result
    virtual std::unique_ptr<TorchForward> MakeForward(const ModelSpec& model) const = 0;
};

/// Computes logits from copies of the model's parameters, the leaves of autograd.
class CopiedForward : public TorchForward
{
  public:
    void SetDevice(const at::Device& device) override;
    const std::vector<at::Tensor>& Load(const float* parameters) override;

  protected:
    /// @param model has to outlive the logits
    explicit CopiedForward(const ModelSpec& model);

    /// Leaves of the last Load().
    const std::vector<at::Tensor>& Leaves() const;

  private:
    const ModelSpec& m_model;         ///< model to compute
    at::Device m_device{at::kCPU};    ///< of the tensors
    std::vector<at::Tensor> m_leaves; ///< of the last Load()
};

/// Makes the LibTorch computation of any model, from its layers or its function. @param model has
/// to outlive it
std::unique_ptr<TorchForward> MakeTorchForward(const ModelSpec& model);

/**
 * @brief A function that uses its parameters only through the operations of a tape.
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

/// Recorded function of a chain of layers, or of a model that has one; nullptr for others.
/// @param model has to outlive it
std::shared_ptr<const RecordedFunction> RecordedFunctionOf(const ModelSpec& model);

/// Makes a ghost clipping engine on the host for a model with a RecordedFunctionOf() and without
/// batch statistics.
std::unique_ptr<GradientEngine> MakeGhostClippingEngine(const ModelSpec& model);

/**
 * @brief Makes a ghost clipping engine that uses tensor operations only, for any device.
 *
 * It copies to the host only norms, for clipping, and the sum of a finished batch. Sums are in
 * double precision, in the blocks of SumRounding().
 */
std::unique_ptr<GradientEngine> MakeTensorClippingEngine(const ModelSpec& model,
                                                         const at::Device& device);

/// Makes the engine of one backward pass per example, which supports every model.
std::unique_ptr<GradientEngine> MakePerExampleLoopEngine(const ModelSpec& model,
                                                         const at::Device& device);

} // namespace dpdl

#endif // DPDL_TRAINING_TORCH_FUNCTION_H
