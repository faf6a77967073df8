// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/training/clip-rule.h"
#include "tape-record.h"
#include "tape.h"
#include "torch-engine.h"
#include "torch-function.h"

#include <ATen/ops/native_group_norm.h>
#include <ATen/ops/native_layer_norm.h>
#include <ATen/ops/zeros.h>
#include <algorithm>
#include <cmath>
#include <torch/csrc/autograd/autograd.h>
#include <utility>

// Per-example clipping with one backward pass. A recording tape keeps the input and the output
// gradient of each operation. The records of the tape compute the per-example norms and the clipped
// sum from these values.

namespace dpdl
{

namespace
{

/**
 * @brief Tape that records the input of each operation, and the gradient with respect to its
 *        output.
 *
 * Autograd gets the parameters as constants, so its backward pass computes only gradients with
 * respect to activations.
 */
class RecordingTape : public Tape
{
  public:
    /**
     * @param model model whose operations are applied; must outlive the tape
     * @param parameters tensors of the model, without gradients; must outlive the tape
     * @param byKernels true: the native kernels read the tensors, which are in host memory
     */
    RecordingTape(const ModelSpec& model, const std::vector<at::Tensor>& parameters, bool byKernels)
        : Tape(parameters),
          m_model(model),
          m_byKernels(byKernels)
    {
    }

    at::Tensor Apply(const ConvOp& op, const at::Tensor& x) override
    {
        return Keep(RecordConv(op, Place(op.weight, op.bias), x.detach()), Tape::Apply(op, x));
    }

    at::Tensor Apply(const LinearOp& op, const at::Tensor& x) override
    {
        return Keep(RecordLinear(Place(op.weight, op.bias), x.detach()), Tape::Apply(op, x));
    }

    at::Tensor Apply(const GroupNormOp& op, const at::Tensor& x) override
    {
        const at::Tensor input = x.contiguous();
        auto [output, mean, inverseDeviation] = at::native_group_norm(input,
                                                                      Parameter(op.scale),
                                                                      Parameter(op.shift),
                                                                      input.size(0),
                                                                      input.size(1),
                                                                      input.size(2) * input.size(3),
                                                                      op.groups,
                                                                      op.epsilon);
        const NormInput kept{input.detach(), mean.detach(), inverseDeviation.detach()};
        return Keep(RecordGroupNorm(Place(op.scale, op.shift), kept), output);
    }

    at::Tensor Apply(const LayerNormOp& op, const at::Tensor& x) override
    {
        const at::Tensor input = x.contiguous();
        auto [output, mean, inverseDeviation] = at::native_layer_norm(input,
                                                                      input.size(-1),
                                                                      Parameter(op.scale),
                                                                      Parameter(op.shift),
                                                                      op.epsilon);
        const NormInput kept{input.detach(), mean.detach(), inverseDeviation.detach()};
        return Keep(RecordLayerNorm(Place(op.scale, op.shift), kept), output);
    }

    at::Tensor Apply(const BatchNormOp& /* op */, const at::Tensor& /* x */) override
    {
        throw Error("batch normalisation has no gradients of single examples");
    }

    at::Tensor Apply(const ParameterOp& op, std::int64_t examples) override
    {
        return Keep(RecordFree(Place(op.tensor, NO_TENSOR)),
                    Tape::Apply(op, examples).contiguous());
    }

    /**
     * @brief Runs the backward pass, from the objective to the outputs of all operations.
     * @param loss sum of the objectives of the examples
     * @param[in,out] squares [examples] the squared norm of each example's gradient is added
     */
    void Backward(const at::Tensor& loss, const at::Tensor& squares)
    {
        const std::vector<at::Tensor> gradients = torch::autograd::grad({loss}, m_outputs);
        for (std::size_t i = 0; i < m_records.size(); ++i)
        {
            m_records[i]->AddSquaredNorms(gradients[i], squares);
        }
    }

    /// Adds factors[i] times the gradient of example i, for all examples. Call it after Backward().
    /// @param factors [examples] clip factors
    /// @param[in,out] sum [ParameterCount()] gradient sum of the model
    void AddClipped(const at::Tensor& factors, const at::Tensor& sum) const
    {
        for (const std::unique_ptr<TapeRecord>& record : m_records)
        {
            record->AddClipped(factors, sum);
        }
    }

  private:
    RecordPlace Place(std::size_t first, std::size_t second) const
    {
        const std::vector<ParameterTensor>& tensors = m_model.Parameters();
        return {&tensors[first], second == NO_TENSOR ? nullptr : &tensors[second], m_byKernels};
    }

    at::Tensor Keep(std::unique_ptr<TapeRecord> record, at::Tensor output)
    {
        if (!output.requires_grad())
        {
            // No earlier operation has parameters, so autograd needs no gradient before this
            // output.
            output.requires_grad_(true);
        }
        m_records.push_back(std::move(record));
        m_outputs.push_back(output);
        return output;
    }

    const ModelSpec& m_model; ///< model whose operations are applied
    bool m_byKernels; ///< true: the native kernels read the tensors, which are in host memory
    /// Records of the operations, in the order of the forward pass.
    std::vector<std::unique_ptr<TapeRecord>> m_records;
    std::vector<at::Tensor> m_outputs; ///< outputs of the operations, in the order of m_records
};

/// Number of examples of one pass on the host. A larger number makes matrix products more efficient
/// but needs more memory.
constexpr std::size_t HOST_CHUNK = 16;

/**
 * @brief Engine for models with recorded operations: one forward and one backward pass per chunk of
 *        examples (book-keeping; Bu et al., ICML 2023).
 *
 * The backward pass gives the gradients with respect to the operations' outputs. From these
 * gradients and the operations' inputs, the engine computes the per-example norms. With the clip
 * factors it then computes the clipped sum, without a second backward pass.
 */
class GhostClippingEngine : public TorchEngine
{
  public:
    /// @param model model without batch statistics for which RecordedFunctionOf() is not null
    /// @param place device of the tensors
    /// @param chunk number of examples of one pass
    GhostClippingEngine(const ModelSpec& model, const TorchPlace& place, std::size_t chunk)
        : TorchEngine(model, place, chunk),
          m_function(RecordedFunctionOf(Model()))
    {
    }

  private:
    void Load(const std::vector<at::Tensor>& parameters) override
    {
        m_parameters = parameters;
    }

    at::Tensor Logits(const at::Tensor& images) override
    {
        Tape tape(m_parameters);
        return m_function->Forward(tape, images);
    }

    BatchResult AddPart(const Batch& part, double clip, TensorSum& sum) override
    {
        const TorchBatch batch = ToDevice(part);
        const at::Device device = Place().device;
        RecordingTape tape(Model(), m_parameters, Place().byKernels);
        const at::Tensor loss =
            LossSum(Model(), m_function->Forward(tape, batch.images), batch.labels);
        const auto size = static_cast<std::int64_t>(part.size);
        const at::Tensor squares = at::zeros({size}, at::dtype(at::kDouble).device(device));
        tape.Backward(loss, squares);
        const at::Tensor factors = squares.cpu();
        std::vector<std::uint32_t> kept;
        BatchResult result = ClipFactors(part, clip, factors.data_ptr<double>(), kept);
        result.lossSum = static_cast<double>(loss.item<float>());
        if (kept.size() == part.size)
        {
            tape.AddClipped(factors.to(device), sum.Next(part.size));
        }
        else if (!kept.empty())
        {
            // A factor of 0 does not remove an infinite gradient, because 0 times infinity is NaN.
            // So repeat the pass without the examples whose factor is 0.
            AddPart({part.split, kept.data(), kept.size(), part.flipped}, clip, sum);
        }
        return result;
    }

    /// Replaces squared norms by clip factors.
    /// @param part examples that belong to the squared norms
    /// @param clip clip norm (L2) of one example's gradient
    /// @param[in,out] values [examples] squared norms of the gradients, then clip factors
    /// @param[out] kept indices, into the split, of the examples whose factor is above 0
    /// @return gradient norms and number of clipped examples
    static BatchResult ClipFactors(const Batch& part,
                                   double clip,
                                   double* values,
                                   std::vector<std::uint32_t>& kept)
    {
        BatchResult result;
        result.size = static_cast<std::uint32_t>(part.size);
        for (std::size_t i = 0; i < part.size; ++i)
        {
            const double norm = std::sqrt(values[i]);
            values[i] = ClipFactor(norm, clip);
            result.normSum += norm;
            result.clipped += norm <= clip ? 0 : 1;
            if (values[i] > 0.0)
            {
                kept.push_back(part.examples[i]);
            }
        }
        return result;
    }

    std::shared_ptr<const RecordedFunction> m_function; ///< computes the logits of the model
    std::vector<at::Tensor> m_parameters;               ///< parameter tensors of the last Load()
};

} // namespace

std::unique_ptr<GradientEngine>
MakeGhostClippingEngine(const ModelSpec& model)
{
    return std::make_unique<GhostClippingEngine>(model, TorchPlace{}, HOST_CHUNK);
}

std::unique_ptr<GradientEngine>
MakeTensorClippingEngine(const ModelSpec& model, const TorchPlace& place)
{
    const std::size_t fitting = place.bytes / (model.ParameterCount() * sizeof(float));
    const auto chunk = std::clamp<std::size_t>(fitting, 1, SUM_BLOCK);
    return std::make_unique<GhostClippingEngine>(model, place, chunk);
}

} // namespace dpdl
