// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/training/clip-rule.h"
#include "tape-record.h"
#include "tape.h"
#include "torch-batch.h"
#include "torch-function.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/native_group_norm.h>
#include <ATen/ops/native_layer_norm.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <algorithm>
#include <c10/core/GradMode.h>
#include <cmath>
#include <numeric>
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

/// Largest number of examples of one pass on a device. A pass has fewer examples if their gradients
/// would exceed DEVICE_BYTES.
constexpr std::size_t DEVICE_CHUNK = 64;
constexpr std::size_t DEVICE_BYTES = std::size_t{2} << 30;

/// GradientSum for tensors on any device: sums the examples of each block of at most SUM_BLOCK,
/// then the blocks.
class TensorSum
{
  public:
    /// @param total [size] on the host, overwritten; complete after Finish()
    /// @param size number of values of a gradient
    /// @param device device of the gradients
    TensorSum(double* total, std::size_t size, const at::Device& device)
        : m_result(at::from_blob(total, {static_cast<std::int64_t>(size)}, at::kDouble)),
          m_total(device.is_cpu() ? m_result.zero_()
                                  : at::zeros(m_result.sizes(), m_result.options().device(device)))
    {
    }

    /// Returns the tensor [size] to which the caller adds the gradients of the next examples.
    /// @param examples number of the next examples, at most SUM_BLOCK
    const at::Tensor& Next(std::size_t examples)
    {
        if (m_examples + examples > SUM_BLOCK)
        {
            AddBlock();
            m_block = at::zeros_like(m_total);
            m_examples = 0;
        }
        m_examples += examples;
        return m_block.defined() ? m_block : m_total;
    }

    /// Adds the last block, and copies the sum to the host.
    void Finish()
    {
        AddBlock();
        if (!m_total.is_same(m_result))
        {
            m_result.copy_(m_total);
        }
    }

  private:
    void AddBlock()
    {
        if (m_block.defined())
        {
            m_total.add_(m_block);
        }
    }

    at::Tensor m_result; ///< sum of all gradients, on the host
    at::Tensor m_total;  ///< sum of the finished blocks, or of the current block if it is the first
    at::Tensor m_block;  ///< sum of the current block; undefined in the first block
    std::size_t m_examples{0}; ///< number of examples in the current block
};

/**
 * @brief Engine for models with recorded operations: one forward and one backward pass per chunk of
 *        examples (book-keeping; Bu et al., ICML 2023).
 *
 * The backward pass gives the gradients with respect to the operations' outputs. From these
 * gradients and the operations' inputs, the engine computes the per-example norms. With the clip
 * factors it then computes the clipped sum, without a second backward pass.
 */
class GhostClippingEngine : public GradientEngine
{
  public:
    /// @param model model without batch statistics for which RecordedFunctionOf() is not null
    /// @param device device of the tensors
    /// @param byKernels true: the native kernels read the tensors, which are in host memory
    /// @param chunk number of examples of one pass
    GhostClippingEngine(ModelSpec model,
                        const at::Device& device,
                        bool byKernels,
                        std::size_t chunk)
        : m_model(std::move(model)),
          m_function(RecordedFunctionOf(m_model)),
          m_device(device),
          m_byKernels(byKernels),
          m_chunk(chunk)
    {
    }

    BatchResult ClippedGradientSum(const float* parameters,
                                   const Batch& batch,
                                   double clip,
                                   double* gradientSum) override
    {
        return ExplainDevice(m_device, [&] {
            PrepareTorchThread();
            const std::vector<at::Tensor> tensors = ParametersOn(parameters);
            TensorSum sum(gradientSum, m_model.ParameterCount(), m_device);
            BatchResult result;
            for (std::size_t first = 0; first < batch.size; first += m_chunk)
            {
                const std::size_t count = std::min(m_chunk, batch.size - first);
                result += AddChunk(tensors, batch.Part(first, count), clip, sum);
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
            const std::vector<at::Tensor> tensors = ParametersOn(parameters);
            Evaluation evaluation;
            std::vector<std::uint32_t> examples(count);
            std::iota(examples.begin(), examples.end(), static_cast<std::uint32_t>(first));
            for (std::size_t begin = 0; begin < count; begin += m_chunk)
            {
                const std::size_t size = std::min(m_chunk, count - begin);
                const TorchBatch batch = Load({&split, examples.data() + begin, size});
                Tape tape(tensors);
                evaluation +=
                    EvaluateLogits(m_model, m_function->Forward(tape, batch.images), batch.labels);
            }
            return evaluation;
        });
    }

  private:
    std::vector<at::Tensor> ParametersOn(const float* parameters) const
    {
        std::vector<at::Tensor> tensors = ViewParameters(m_model, parameters);
        for (at::Tensor& tensor : tensors)
        {
            tensor = tensor.to(m_device);
        }
        return tensors;
    }

    TorchBatch Load(const Batch& batch) const
    {
        return MakeTorchBatch(batch, m_model.Shapes().front(), m_device);
    }

    BatchResult AddChunk(const std::vector<at::Tensor>& parameters,
                         const Batch& chunk,
                         double clip,
                         TensorSum& sum) const
    {
        const TorchBatch batch = Load(chunk);
        RecordingTape tape(m_model, parameters, m_byKernels);
        const at::Tensor loss =
            LossSum(m_model, m_function->Forward(tape, batch.images), batch.labels);
        const auto size = static_cast<std::int64_t>(chunk.size);
        const at::Tensor squares = at::zeros({size}, at::dtype(at::kDouble).device(m_device));
        tape.Backward(loss, squares);
        const at::Tensor factors = at::empty({size}, at::kDouble);
        std::vector<std::uint32_t> kept;
        BatchResult result = ClipFactors(squares.cpu(), chunk, clip, factors, kept);
        result.lossSum = static_cast<double>(loss.item<float>());
        if (kept.size() == chunk.size)
        {
            tape.AddClipped(factors.to(m_device), sum.Next(chunk.size));
        }
        else if (!kept.empty())
        {
            // A factor of 0 does not remove an infinite gradient, because 0 times infinity is NaN.
            // So repeat the pass without the examples whose factor is 0.
            AddChunk(parameters, {chunk.split, kept.data(), kept.size(), chunk.flipped}, clip, sum);
        }
        return result;
    }

    /// Computes clip factors from squared norms. All tensors are in host memory.
    /// @param squares [examples] squared norms of the gradients
    /// @param chunk examples that belong to the squared norms
    /// @param clip clip norm (L2) of one example's gradient
    /// @param[out] factors [examples] clip factors
    /// @param[out] kept indices, into the split, of the examples whose factor is above 0
    /// @return gradient norms and number of clipped examples
    static BatchResult ClipFactors(const at::Tensor& squares,
                                   const Batch& chunk,
                                   double clip,
                                   const at::Tensor& factors,
                                   std::vector<std::uint32_t>& kept)
    {
        BatchResult result;
        result.size = static_cast<std::uint32_t>(chunk.size);
        for (std::size_t i = 0; i < chunk.size; ++i)
        {
            const double norm = std::sqrt(squares.data_ptr<double>()[i]);
            const double factor = ClipFactor(norm, clip);
            result.normSum += norm;
            result.clipped += norm <= clip ? 0 : 1;
            factors.data_ptr<double>()[i] = factor;
            if (factor > 0.0)
            {
                kept.push_back(chunk.examples[i]);
            }
        }
        return result;
    }

    ModelSpec m_model;                                  ///< model that the engine computes
    std::shared_ptr<const RecordedFunction> m_function; ///< computes the logits of the model
    at::Device m_device;                                ///< device of the tensors
    bool m_byKernels;    ///< true: the native kernels read the tensors, which are in host memory
    std::size_t m_chunk; ///< number of examples of one pass
};

} // namespace

std::unique_ptr<GradientEngine>
MakeGhostClippingEngine(const ModelSpec& model)
{
    return std::make_unique<GhostClippingEngine>(model, at::kCPU, true, HOST_CHUNK);
}

std::unique_ptr<GradientEngine>
MakeTensorClippingEngine(const ModelSpec& model, const at::Device& device)
{
    const std::size_t fitting = DEVICE_BYTES / (model.ParameterCount() * sizeof(float));
    const auto chunk = std::clamp<std::size_t>(fitting, 1, DEVICE_CHUNK);
    return std::make_unique<GhostClippingEngine>(model, device, false, chunk);
}

} // namespace dpdl
