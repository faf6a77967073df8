// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "gradient-sum.h"
#include "tape-record.h"
#include "tape.h"
#include "torch-batch.h"
#include "torch-function.h"

#include <ATen/ops/native_group_norm.h>
#include <ATen/ops/native_layer_norm.h>
#include <algorithm>
#include <c10/core/GradMode.h>
#include <cmath>
#include <numeric>
#include <torch/csrc/autograd/autograd.h>
#include <tuple>
#include <utility>

namespace dpdl
{

namespace
{

/**
 * @brief Keeps what goes into each operation and what gradient comes back out of it.
 *
 * The parameters are constants to autograd, so that its backward pass goes through the values alone
 * and never forms the gradient of a weight.
 */
class RecordingTape : public Tape
{
  public:
    /**
     * @param model whose operations are applied
     * @param parameters its tensors, without gradients; both have to outlive the tape
     */
    RecordingTape(const ModelSpec& model, const std::vector<at::Tensor>& parameters)
        : Tape(parameters),
          m_model(model)
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
        return Keep(RecordGroupNorm(op, Place(op.scale, op.shift), kept), output);
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
     * @brief Goes back from the loss to all operations.
     * @param loss sum of the losses of the examples
     * @param[in,out] squares squared norms of their gradients are added, one for each example
     */
    void Backward(const at::Tensor& loss, double* squares)
    {
        const std::vector<at::Tensor> gradients = torch::autograd::grad({loss}, m_outputs);
        for (std::size_t i = 0; i < m_records.size(); ++i)
        {
            m_records[i]->AddSquaredNorms(gradients[i], squares);
        }
    }

    /// Adds factors[i] * gradient i for all examples, after Backward(). @param factors one for each
    /// example @param[in,out] sum [ParameterCount()]
    void AddClipped(const double* factors, double* sum) const
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
        return {&tensors[first], second == NO_TENSOR ? nullptr : &tensors[second]};
    }

    at::Tensor Keep(std::unique_ptr<TapeRecord> record, at::Tensor output)
    {
        if (!output.requires_grad())
        {
            // Nothing before it has parameters: the backward pass ends here.
            output.requires_grad_(true);
        }
        m_records.push_back(std::move(record));
        m_outputs.push_back(output);
        return output;
    }

    const ModelSpec& m_model;                           ///< whose operations are applied
    std::vector<std::unique_ptr<TapeRecord>> m_records; ///< in the order of the forward pass
    std::vector<at::Tensor> m_outputs;                  ///< of the operations, in that order
};

/// Examples of one pass: enough for large products, and memory that no batch can exceed.
constexpr std::size_t CHUNK = 16;

/**
 * @brief Clipped gradients of a recorded function: one forward and one backward pass for some
 *        examples at a time, whatever their number (book-keeping; Bu et al., ICML 2023).
 *
 * The pass stops at the outputs of the operations. From these and from the inputs follow the norms
 * of the examples' gradients and, with the clip factors, their sum; there is no second pass.
 */
class GhostClippingEngine : public GradientEngine
{
  public:
    /// @param model with a RecordedFunction and without batch statistics
    explicit GhostClippingEngine(ModelSpec model)
        : m_model(std::move(model)),
          m_function(*m_model.Function()->Recorded())
    {
    }

    BatchResult ClippedGradientSum(const float* parameters,
                                   const Batch& batch,
                                   double clip,
                                   double* gradientSum) override
    {
        PrepareTorchThread();
        const std::vector<at::Tensor> tensors = ViewParameters(m_model, parameters);
        GradientSum sum(gradientSum, m_model.ParameterCount());
        BatchResult result;
        for (std::size_t first = 0; first < batch.size; first += CHUNK)
        {
            const std::size_t count = std::min(CHUNK, batch.size - first);
            result += AddChunk(tensors, batch.Part(first, count), clip, sum);
        }
        sum.Finish();
        return result;
    }

    Evaluation Evaluate(const float* parameters,
                        const Split& split,
                        std::size_t first,
                        std::size_t count) override
    {
        PrepareTorchThread();
        const c10::NoGradGuard guard;
        const std::vector<at::Tensor> tensors = ViewParameters(m_model, parameters);
        Evaluation evaluation;
        std::vector<std::uint32_t> examples(count);
        std::iota(examples.begin(), examples.end(), static_cast<std::uint32_t>(first));
        for (std::size_t begin = 0; begin < count; begin += CHUNK)
        {
            const std::size_t size = std::min(CHUNK, count - begin);
            const TorchBatch batch =
                MakeTorchBatch({&split, examples.data() + begin, size}, m_model.Shapes().front());
            Tape tape(tensors);
            evaluation +=
                EvaluateLogits(m_model, m_function.Forward(tape, batch.images), batch.labels);
        }
        return evaluation;
    }

  private:
    BatchResult AddChunk(const std::vector<at::Tensor>& parameters,
                         const Batch& chunk,
                         double clip,
                         GradientSum& sum) const
    {
        const TorchBatch batch = MakeTorchBatch(chunk, m_model.Shapes().front());
        RecordingTape tape(m_model, parameters);
        const at::Tensor loss =
            LossSum(m_model, m_function.Forward(tape, batch.images), batch.labels);
        std::vector<double> squares(chunk.size, 0.0);
        tape.Backward(loss, squares.data());
        BatchResult result;
        result.size = static_cast<std::uint32_t>(chunk.size);
        result.lossSum = static_cast<double>(loss.item<float>());
        std::vector<std::uint32_t> kept;
        std::vector<double> factors(chunk.size);
        for (std::size_t i = 0; i < chunk.size; ++i)
        {
            const double norm = std::sqrt(squares[i]);
            const double factor = ClipFactor(norm, clip);
            result.normSum += norm;
            result.clipped += norm <= clip ? 0 : 1;
            factors[i] = factor;
            if (factor > 0.0)
            {
                kept.push_back(chunk.examples[i]);
            }
        }
        if (kept.size() == chunk.size)
        {
            tape.AddClipped(factors.data(), sum.Next(chunk.size));
        }
        else if (!kept.empty())
        {
            // Zero times infinity is not zero: examples without a finite gradient stay out of the
            // pass.
            AddChunk(parameters, {chunk.split, kept.data(), kept.size()}, clip, sum);
        }
        return result;
    }

    ModelSpec m_model;                  ///< what it computes
    const RecordedFunction& m_function; ///< the model's
};

} // namespace

std::unique_ptr<GradientEngine>
MakeGhostClippingEngine(const ModelSpec& model)
{
    return std::make_unique<GhostClippingEngine>(model);
}

} // namespace dpdl
