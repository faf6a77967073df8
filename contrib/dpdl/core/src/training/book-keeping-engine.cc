// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "book-keeping-engine.h"

#include "recording-tape.h"
#include "torch-batch.h"

#include <algorithm>
#include <c10/core/GradMode.h>
#include <cmath>
#include <numeric>
#include <utility>

namespace dpdl
{

namespace
{

/// Examples of one pass: enough for large products, and memory that no batch can exceed.
constexpr std::size_t CHUNK = 16;

} // namespace

BookKeepingEngine::BookKeepingEngine(ModelSpec model)
    : m_model(std::move(model)),
      m_function(dynamic_cast<const RecordedFunction&>(*m_model.Function()))
{
}

BatchResult
BookKeepingEngine::ClippedGradientSum(const float* parameters,
                                      const Batch& batch,
                                      double clip,
                                      double* gradientSum)
{
    PrepareTorchThread();
    const std::vector<at::Tensor> tensors = ViewParameters(m_model, parameters);
    GradientSum sum(gradientSum, m_model.ParameterCount());
    BatchResult result;
    for (std::size_t first = 0; first < batch.size; first += CHUNK)
    {
        const std::size_t count = std::min(CHUNK, batch.size - first);
        result += AddChunk(tensors, {batch.split, batch.examples + first, count}, clip, sum);
    }
    sum.Finish();
    return result;
}

BatchResult
BookKeepingEngine::AddChunk(const std::vector<at::Tensor>& parameters,
                            const Batch& chunk,
                            double clip,
                            GradientSum& sum) const
{
    const TorchBatch batch = MakeTorchBatch(chunk, m_model.Shapes().front());
    RecordingTape tape(m_model, parameters);
    const at::Tensor loss = LossSum(m_model, m_function.Scores(tape, batch.images), batch.labels);
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
        // Zero times infinity is not zero: examples without a finite gradient stay out of the pass.
        AddChunk(parameters, {chunk.split, kept.data(), kept.size()}, clip, sum);
    }
    return result;
}

Evaluation
BookKeepingEngine::Evaluate(const float* parameters,
                            const Split& split,
                            std::size_t first,
                            std::size_t count)
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
        evaluation += EvaluateScores(m_model, m_function.Scores(tape, batch.images), batch.labels);
    }
    return evaluation;
}

} // namespace dpdl
