// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/training/native-engine.h"

#include "native-network.h"

#include <algorithm>
#include <array>

namespace dpdl
{

NativeEngine::NativeEngine(const ModelSpec& model)
    : m_network(std::make_unique<NativeNetwork>(model)),
      m_parameters(model.ParameterCount())
{
}

NativeEngine::~NativeEngine() = default;

BatchResult
NativeEngine::ClippedGradientSum(const float* parameters,
                                 const Batch& batch,
                                 double clip,
                                 double* gradientSum)
{
    m_network->Begin(parameters);
    BatchResult result;
    if (batch.size == 0)
    {
        std::fill_n(gradientSum, m_parameters, 0.0);
    }
    // Blocks of the same size, so that none is left with a few examples.
    const std::size_t blocks = (batch.size + NativeNetwork::BLOCK - 1) / NativeNetwork::BLOCK;
    for (std::size_t block = 0; block < blocks; ++block)
    {
        const std::size_t first = block * batch.size / blocks;
        const std::size_t end = (block + 1) * batch.size / blocks;
        result += m_network->Gradient(batch.Part(first, end - first), clip, gradientSum);
    }
    return result;
}

bool
NativeEngine::IsBatchInvariant() const
{
    return true;
}

Evaluation
NativeEngine::Evaluate(const float* parameters,
                       const Split& split,
                       std::size_t first,
                       std::size_t count)
{
    m_network->Begin(parameters);
    Evaluation evaluation;
    std::array<std::uint32_t, NativeNetwork::BLOCK> examples{};
    for (std::size_t begin = first; begin < first + count; begin += NativeNetwork::BLOCK)
    {
        const std::size_t size = std::min(NativeNetwork::BLOCK, first + count - begin);
        for (std::size_t i = 0; i < size; ++i)
        {
            examples[i] = static_cast<std::uint32_t>(begin + i);
        }
        evaluation += m_network->Score({&split, examples.data(), size});
    }
    return evaluation;
}

} // namespace dpdl
