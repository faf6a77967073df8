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

    /**
     * @brief Loads parameters.
     * @param parameters [ParameterCount()], copied
     * @return leaves of autograd, one for each tensor of the model
     */
    virtual const std::vector<at::Tensor>& Load(const float* parameters) = 0;

    /// Logits [examples, classes] of images [examples, channels, height, width] in [0, 1].
    virtual at::Tensor Forward(const at::Tensor& images) = 0;
};

/// Base of all forward functions: LibTorch computes them.
class TorchFunction : public ForwardFunction
{
  public:
    /// Makes the function of one engine. @param model of this function; has to outlive the result
    /// @param device of the tensors
    virtual std::unique_ptr<TorchForward> MakeForward(const ModelSpec& model,
                                                      const at::Device& device) const = 0;
};

/// Makes the LibTorch computation of any model, from its layers or its function. @param model has
/// to outlive it @param device of the tensors
std::unique_ptr<TorchForward> MakeTorchForward(const ModelSpec& model, const at::Device& device);

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
    std::unique_ptr<TorchForward> MakeForward(const ModelSpec& model,
                                              const at::Device& device) const override;
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
