// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "native-network.h"

#include "kernels.h"

#include <algorithm>
#include <cmath>

// NativeNetwork: computes clipped gradient sums and evaluations of blocks of examples.
// NativeEngine: divides batches into such blocks.

namespace dpdl
{

namespace
{

/**
 * @brief Per-example clipping at about the cost of the batch gradient without clipping.
 *
 * The layers before the first linear layer process a block in chunks of NativeNetwork::CHUNK
 * examples, whose activations stay in the cache. The further layers process the whole block. Weight
 * gradients of single examples are materialised in convolutions, because this takes no more
 * operations than their sum. In linear layers they are not materialised. Their norm is |input| *
 * |output gradient| (Goodfellow, arXiv:1510.01799), and the product that sums over the block
 * applies the clip factors (book-keeping; Bu et al., ICML 2023).
 *
 * Images are in [row, column, channel] order. All products use NativeKernels. A BLAS would select
 * its kernels by the number of examples, which changes the last bits. Activations and per-example
 * gradients are float32; sums over examples are in double precision.
 */
class NativeEngine : public GradientEngine
{
  public:
    /// @param model a chain of layers
    explicit NativeEngine(const ModelSpec& model)
        : m_network(model),
          m_parameters(model.ParameterCount())
    {
    }

    BatchResult ClippedGradientSum(const float* parameters,
                                   const Batch& batch,
                                   double clip,
                                   double* gradientSum) override;

    /// True: the results of an example do not depend on the number of examples or on its position.
    bool IsBatchInvariant() const override
    {
        return true;
    }

    Evaluation Evaluate(const float* parameters,
                        const Split& split,
                        std::size_t first,
                        std::size_t count) override;

  private:
    NativeNetwork m_network;  ///< layers and their memory
    std::size_t m_parameters; ///< number of parameters of the model
};

BatchResult
NativeEngine::ClippedGradientSum(const float* parameters,
                                 const Batch& batch,
                                 double clip,
                                 double* gradientSum)
{
    m_network.Begin(parameters);
    BatchResult result;
    if (batch.size == 0)
    {
        std::fill_n(gradientSum, m_parameters, 0.0);
    }
    // The sizes of two blocks differ by at most one example, so no block is too small for efficient
    // products.
    const std::size_t blocks = (batch.size + NativeNetwork::BLOCK - 1) / NativeNetwork::BLOCK;
    for (std::size_t block = 0; block < blocks; ++block)
    {
        const std::size_t first = block * batch.size / blocks;
        const std::size_t end = (block + 1) * batch.size / blocks;
        result += m_network.Gradient(batch.Part(first, end - first), clip, gradientSum);
    }
    return result;
}

Evaluation
NativeEngine::Evaluate(const float* parameters,
                       const Split& split,
                       std::size_t first,
                       std::size_t count)
{
    m_network.Begin(parameters);
    Evaluation evaluation;
    std::array<std::uint32_t, NativeNetwork::BLOCK> examples{};
    for (std::size_t begin = first; begin < first + count; begin += NativeNetwork::BLOCK)
    {
        const std::size_t size = std::min(NativeNetwork::BLOCK, first + count - begin);
        for (std::size_t i = 0; i < size; ++i)
        {
            examples[i] = static_cast<std::uint32_t>(begin + i);
        }
        evaluation += m_network.Score({&split, examples.data(), size});
    }
    return evaluation;
}

} // namespace

float*
NativeNetwork::Values(std::size_t flow, std::size_t first)
{
    const bool isWhole = m_flows[flow].whole && (m_keeps || flow >= m_tail);
    return m_flows[flow].values.Data() + (isWhole ? first * m_flows[flow].size : 0);
}

float*
NativeNetwork::Gradients(std::size_t flow, std::size_t first)
{
    return m_flows[m_flows[flow].gradientsIn].gradients.Data() +
           (flow >= m_tail ? first * m_flows[flow].size : 0);
}

LayerData
NativeNetwork::Data(std::size_t layer, const Range& range)
{
    LayerData data{Values(layer, range.first),
                   Values(layer + 1, range.first),
                   layer <= m_firstTrained ? nullptr : Gradients(layer, range.first),
                   layer < m_firstTrained ? nullptr : Gradients(layer + 1, range.first),
                   nullptr,
                   m_keeps ? range.first : 0,
                   range.count,
                   m_isFirst};
    for (const Shortcut& shortcut : m_shortcuts)
    {
        if (shortcut.end == layer + 1)
        {
            data.begin = Values(shortcut.begin, range.first);
        }
    }
    return data;
}

void
NativeNetwork::Begin(const float* parameters)
{
    for (const auto& layer : m_layers)
    {
        layer->Begin(parameters);
    }
    m_isFirst = true;
}

template <class Feature>
void
NativeNetwork::LoadFeatures(const Feature* features, const Batch& block, const Range& range)
{
    const std::size_t size = m_input.Size();
    for (std::size_t i = range.first; i < range.first + range.count; ++i)
    {
        // The examples of a batch are scattered over memory, so prefetch the next example while
        // loading this one.
        const std::size_t next = std::min(i + 1, block.size - 1);
        FetchAhead(features + block.examples[next] * size, size * sizeof(Feature));
        LoadImage(features + block.examples[i] * size,
                  m_input,
                  Values(0, range.first) + (i - range.first) * size);
    }
}

void
NativeNetwork::LoadImages(const Batch& block, const Range& range)
{
    const Split& split = *block.split;
    if (split.pixels.empty())
    {
        LoadFeatures(split.values.data(), block, range);
        return;
    }
    LoadFeatures(split.pixels.data(), block, range);
}

void
NativeNetwork::Forward(const Batch& block)
{
    for (std::size_t first = 0; first < block.size; first += CHUNK)
    {
        const Range chunk{first, std::min(CHUNK, block.size - first)};
        LoadImages(block, chunk);
        for (std::size_t layer = 0; layer < m_tail; ++layer)
        {
            m_layers[layer]->Forward(Data(layer, chunk));
        }
    }
    for (std::size_t layer = m_tail; layer < m_layers.size(); ++layer)
    {
        m_layers[layer]->Forward(Data(layer, {0, block.size}));
    }
}

ExampleTarget
NativeNetwork::Aim(const Batch& block, std::size_t example) const
{
    return {m_loss, m_logits, block.Label(example)};
}

double
NativeNetwork::LossGradients(const Batch& block)
{
    const std::size_t last = m_layers.size();
    double sum = 0.0;
    for (std::size_t i = 0; i < block.size; ++i)
    {
        sum += ExampleLoss(Aim(block, i),
                           Values(last, 0) + i * m_logits,
                           Gradients(last, 0) + i * m_logits);
    }
    return sum;
}

void
NativeNetwork::Backward(std::size_t begin, std::size_t end, const Range& range)
{
    for (std::size_t layer = end; layer-- > begin;)
    {
        m_layers[layer]->Backward(Data(layer, range));
        if (layer > m_firstTrained)
        {
            AddShortcuts(layer, range);
        }
    }
}

void
NativeNetwork::AddShortcuts(std::size_t flow, const Range& range)
{
    for (const Shortcut& shortcut : m_shortcuts)
    {
        if (shortcut.begin == flow)
        {
            AddScaled(Gradients(flow, range.first),
                      Gradients(shortcut.end, range.first),
                      1.0F,
                      range.count * m_flows[flow].size);
        }
    }
}

void
NativeNetwork::AddSquaredNorms(std::size_t begin, std::size_t end, const Range& range)
{
    for (std::size_t layer = begin; layer < end; ++layer)
    {
        m_layers[layer]->AddSquaredNorms(Data(layer, range), m_squares.data() + range.first);
    }
}

void
NativeNetwork::AddClipped(std::size_t begin,
                          std::size_t end,
                          const Range& range,
                          double* gradientSum)
{
    for (std::size_t layer = begin; layer < end; ++layer)
    {
        m_layers[layer]->AddClipped(Data(layer, range),
                                    m_factors.data() + range.first,
                                    gradientSum);
    }
}

void
NativeNetwork::ClipRange(const Range& range, double clip, BatchResult& result)
{
    for (std::size_t i = range.first; i < range.first + range.count; ++i)
    {
        const double norm = std::sqrt(m_squares[i]);
        result.normSum += norm;
        result.clipped += norm <= clip ? 0 : 1;
        m_factors[i] = ClipFactor(norm, clip);
    }
}

BatchResult
NativeNetwork::Gradient(const Batch& block, double clip, double* gradientSum)
{
    const Range all{0, block.size};
    const std::size_t tail = std::max(m_tail, m_firstTrained);
    BatchResult result;
    result.size = static_cast<std::uint32_t>(block.size);
    m_keeps = true;
    Forward(block);
    result.lossSum = LossGradients(block);
    m_squares.fill(0.0);
    Backward(tail, m_layers.size(), all);
    AddSquaredNorms(tail, m_layers.size(), all);
    for (std::size_t first = 0; first < block.size; first += CHUNK)
    {
        const Range chunk{first, std::min(CHUNK, block.size - first)};
        if (m_firstTrained < m_tail)
        {
            Backward(m_firstTrained, m_tail, chunk);
            AddSquaredNorms(m_firstTrained, m_tail, chunk);
        }
        ClipRange(chunk, clip, result);
        if (m_firstTrained < m_tail)
        {
            AddClipped(m_firstTrained, m_tail, chunk, gradientSum);
        }
    }
    AddClipped(tail, m_layers.size(), all, gradientSum);
    for (const auto& layer : m_layers)
    {
        layer->EndBlock(m_isFirst, gradientSum);
    }
    m_isFirst = false;
    return result;
}

Evaluation
NativeNetwork::Score(const Batch& block)
{
    m_keeps = false;
    Forward(block);
    Evaluation evaluation;
    evaluation.size = block.size;
    for (std::size_t i = 0; i < block.size; ++i)
    {
        const float* logits = Values(m_layers.size(), 0) + i * m_logits;
        evaluation.lossSum += ExampleLoss(Aim(block, i), logits, nullptr);
        evaluation.correct += IsRight(Aim(block, i), logits) ? 1 : 0;
    }
    return evaluation;
}

std::unique_ptr<GradientEngine>
MakeNativeEngine(const ModelSpec& model)
{
    return std::make_unique<NativeEngine>(model);
}

} // namespace dpdl
