// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_TORCH_FUNCTION_H
#define DPDL_TRAINING_TORCH_FUNCTION_H

#include "dpdl/training/forward-function.h"
#include "dpdl/training/gradient-engine.h"
#include "tape.h"
#include "torch-engine.h"

#include <ATen/core/Tensor.h>
#include <memory>
#include <vector>

namespace dpdl
{

/// Computes the logits of a model with LibTorch. An object owns its parameter tensors, so each
/// engine has a separate object.
class TorchForward
{
  public:
    virtual ~TorchForward() = default;

    /**
     * @brief Sets the parameters for the next calls of Forward().
     * @param parameters [tensors] parameter tensors of the model on the device. Their memory must
     *        stay valid until the next call
     * @return parameter tensors for which autograd computes gradients
     */
    virtual const std::vector<at::Tensor>& Load(const std::vector<at::Tensor>& parameters) = 0;

    /// Computes logits [examples, classes].
    /// @param images [examples, channels, height, width]
    virtual at::Tensor Forward(const at::Tensor& images) = 0;
};

/// Base of the functions whose operations are not recorded.
class TorchFunction : public ForwardFunction
{
  public:
    /// Makes the object that computes the function for one engine.
    /// @param model model of this function; must outlive the result
    /// @param device device of the tensors
    virtual std::unique_ptr<TorchForward> MakeForward(const ModelSpec& model,
                                                      const at::Device& device) const = 0;
};

/// Makes the object that computes the logits of a model with LibTorch. The object applies the
/// model's layers or, for a model without a list of layers, ModelSpec::Function().
/// @param model model that must outlive the result
/// @param device device of the parameters and images
/// @return never nullptr
std::unique_ptr<TorchForward> MakeTorchForward(const ModelSpec& model, const at::Device& device);

/**
 * @brief A function that uses its parameters only through the operations of a tape.
 *
 * The logits of one example must not depend on other examples, except through batch normalisation.
 */
class RecordedFunction : public ForwardFunction
{
  public:
    /// Computes the logits [examples, classes] of a batch.
    /// @param tape tape that applies the operations
    /// @param images [examples, channels, height, width]
    virtual at::Tensor Forward(Tape& tape, const at::Tensor& images) const = 0;

    const RecordedFunction* Recorded() const final
    {
        return this;
    }

    double MultiplyAdds(const ModelSpec& model) const override;
};

/// Recorded function of a model. For a model that is a list of layers, the function applies these
/// layers one after another.
/// @param model model that must outlive the result
/// @return nullptr if ModelSpec::Function() is a TorchFunction, whose operations are not recorded
std::shared_ptr<const RecordedFunction> RecordedFunctionOf(const ModelSpec& model);

/// Makes an engine that clips with ghost norms on the host.
/// @param model model without batch statistics for which RecordedFunctionOf() is not null
std::unique_ptr<GradientEngine> MakeGhostClippingEngine(const ModelSpec& model);

/**
 * @brief Makes an engine that clips with ghost norms, with tensor operations only, on any device.
 *
 * The engine copies only squared norms and the objective from the device to the host for each chunk
 * of examples, and the gradient sum for each batch. Sums are in double precision, in the blocks of
 * SumRounding().
 * @param model model without batch statistics for which RecordedFunctionOf() is not null
 * @param place device of the tensors; place.byKernels must be false
 */
std::unique_ptr<GradientEngine> MakeTensorClippingEngine(const ModelSpec& model,
                                                         const TorchPlace& place);

/// Makes the engine that takes one backward pass per example and supports every model.
std::unique_ptr<GradientEngine> MakePerExampleLoopEngine(const ModelSpec& model,
                                                         const TorchPlace& place);

} // namespace dpdl

#endif // DPDL_TRAINING_TORCH_FUNCTION_H
