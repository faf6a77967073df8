// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/training/native-engine.h"

#include "blas.h"
#include "native-network.h"

#include <algorithm>
#include <array>

namespace dpdl
{

NativeEngine::NativeEngine(const ModelSpec& model)
    : m_network(std::make_unique<NativeNetwork>(model))
{
}

NativeEngine::~NativeEngine() = default;

BatchResult
NativeEngine::ClippedGradientSum(const float* parameters,
                                 const Batch& batch,
                                 double clip,
                                 float* gradientSum)
{
    UseOneBlasThread();
    m_network->Load(parameters);
    BatchResult result;
    for (std::size_t first = 0; first < batch.size; first += NativeNetwork::CHUNK)
    {
        const std::size_t count = std::min(NativeNetwork::CHUNK, batch.size - first);
        const BatchResult part =
            m_network->Gradient({batch.split, batch.examples + first, count}, clip);
        result.lossSum += part.lossSum;
        result.normSum += part.normSum;
        result.clipped += part.clipped;
        result.size += part.size;
    }
    m_network->Store(gradientSum);
    return result;
}

Evaluation
NativeEngine::Evaluate(const float* parameters,
                       const Split& split,
                       std::size_t first,
                       std::size_t count)
{
    UseOneBlasThread();
    m_network->Load(parameters);
    Evaluation evaluation;
    std::array<std::uint32_t, NativeNetwork::CHUNK> examples{};
    for (std::size_t begin = first; begin < first + count; begin += NativeNetwork::CHUNK)
    {
        const std::size_t size = std::min(NativeNetwork::CHUNK, first + count - begin);
        for (std::size_t i = 0; i < size; ++i)
        {
            examples[i] = static_cast<std::uint32_t>(begin + i);
        }
        evaluation += m_network->Score({&split, examples.data(), size});
    }
    return evaluation;
}

} // namespace dpdl
